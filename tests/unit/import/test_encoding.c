#include "recorder.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER "timestamp_ms,frame_time_ms,device_model,build_id,scene,quality_level\n"

/* `rows` rows in this scene after `plain` rows in Forest; the scene that arrives. */
static void expect_scene(const char *scene, size_t plain, size_t rows, const char *wanted, const char *encoding)
{
    struct text_buffer text = {0};
    struct recorder *recorder;
    const struct recorded_segment *last;

    text_add(&text, HEADER);
    for (size_t i = 0; i < plain + rows; i++)
        text_add_print(&text, "%zu,16,Pixel 8,b1,%s,High\n", (i + 1) * 16, i < plain ? "Forest" : scene);
    recorder = record_bytes(text.items, text.count, NULL);
    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_eq(recorded_frames(recorder), (int64_t)(plain + rows));
    last = &recorder->segments.items[recorder->segments.count - 1];
    cr_assert_str_eq(last->scene, wanted);
    cr_assert_str_eq(recorder->reading.encoding, encoding);
    cr_assert_eq(recorded_note(recorder, "--encoding"), strcmp(encoding, "UTF-8") != 0 || strstr(wanted, "\xEF\xBF\xBD"));
    recorder_free(recorder);
    array_free(&text);
}

/* Bytes by the tables of the encodings, not by the program: U+AD11 U+C7A5; U+68EE; U+30D0; Höhle, Forêt. */
Test(encoding, guessed_by_its_bytes)
{
    expect_scene("\xB1\xA4\xC0\xE5", 0, 2, "\xEA\xB4\x91\xEC\x9E\xA5", "CP949");
    expect_scene("\x90X", 0, 2, "\xE6\xA3\xAE", "CP932");
    expect_scene("\x83o", 0, 2, "\xE3\x83\x90", "CP932");
    expect_scene("H\xF6hle", 0, 2, "H\xC3\xB6hle", "WINDOWS-1252");
    expect_scene("For\xEAt", 0, 2, "For\xC3\xAAt", "WINDOWS-1252");
}

Test(encoding, utf8_stays_utf8)
{
    expect_scene("H\xC3\xB6hle", 0, 3, "H\xC3\xB6hle", "UTF-8");
    /* One bad byte is a bad byte. */
    expect_scene("H\xF6hle", 5, 1, "H\xEF\xBF\xBDhle", "UTF-8");
    /* Half of a Hangul text is broken: what is whole counts. */
    expect_scene("\xEA\xB4\x91\xEC\x9E", 0, 3, "\xEA\xB4\x91\xEF\xBF\xBD", "UTF-8");
}

/* Cyrillic, Chinese: long stretches that are none of the three are marked, not turned into other letters. */
Test(encoding, what_is_not_known_is_marked)
{
    struct recorder *recorder = record_text(HEADER "16,16,Pixel 8,b1,\xCB\xE5\xF1\xED\xEE\xE9,High\n"
                                                   "32,16,Pixel 8,b1,\xCB\xE5\xF1\xED\xEE\xE9,High\n",
                                            NULL);

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_str_eq(recorder->reading.encoding, "UTF-8");
    cr_assert(recorded_note(recorder, "not UTF-8"));
    recorder_free(recorder);
}

Test(encoding, header_alone_may_tell)
{
    struct recorder *recorder =
        record_text("timestamp_ms,frame_time_ms,device_model,build_id,scene,H\xF6he\n16,16,Pixel 8,b1,Forest,3\n", NULL);

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_str_eq(recorder->reading.encoding, "WINDOWS-1252");
    cr_assert_str_eq(recorder->reading.log->left_out.items[0], "H\xC3\xB6he");
    recorder_free(recorder);
}

/* The sample that formats are recognised by holds plain rows only, as does the first block that is read. */
Test(encoding, found_after_the_sample)
{
    expect_scene("\xB1\xA4\xC0\xE5", 3000, 5, "\xEA\xB4\x91\xEC\x9E\xA5", "CP949");
    expect_scene("\xB1\xA4\xC0\xE5", 60000, 5, "\xEA\xB4\x91\xEC\x9E\xA5", "CP949");
}
