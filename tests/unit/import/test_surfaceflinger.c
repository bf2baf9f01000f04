#include "recorder.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MS    INT64_C(1000000)
#define START INT64_C(7000000000000)

static void row(struct text_buffer *text, int64_t actual)
{
    text_add_print(text, "%" PRId64 "\t%" PRId64 "\t%" PRId64 "\n", actual - 30 * MS, actual,
                   actual - 5 * MS);
}

/* Presents first … first + count − 1, 20 ms apart; from present 8 on 60 ms later. */
static void dump(struct text_buffer *text, int first, int count, int64_t offset)
{
    text_add(text, "16666667\n");
    for (int i = first; i < first + count; i++)
        row(text, START + offset + i * 20 * MS + (i >= 8 ? 60 * MS : 0));
}

static struct recorder *record_taken(struct text_buffer *text, const struct import_options *options)
{
    char *plain = text_take(text);
    struct recorder *recorder = record_text(plain, options);

    free(plain);
    return recorder;
}

Test(surfaceflinger, frames_are_distances_of_presents)
{
    struct text_buffer text = {0};
    struct recorder *recorder;
    int64_t *stamps, *times;
    size_t count;

    dump(&text, 6, 4, 0);
    text_add(&text, "7000000000000\t9223372036854775807\t9223372036854775807\n\n");
    recorder = record_taken(&text, &some_context);
    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_expect_str_eq(recorder->reading.format->name, "surfaceflinger");
    stamps = recorded_column(recorder, 0, COLUMN_STAMP, &count);
    times = recorded_column(recorder, 0, COLUMN_FRAME_TIME, &count);
    cr_assert_eq(count, 3);
    cr_expect_eq(times[0], 20 * MS);
    cr_expect_eq(times[1], 80 * MS);
    cr_expect_eq(times[2], 20 * MS);
    cr_expect_eq(stamps[1], START + 8 * 20 * MS + 60 * MS);
    cr_expect_eq(recorder->segments.items[0].refresh_milli_hz, 60000);
    cr_expect_eq(recorded_rejects(recorder, REJECT_UNFINISHED), 1);
    cr_expect_str_eq(recorder->runs.items[0].interval, "display");
    cr_expect(recorder->runs.items[0].facts.tests_holes);
    cr_expect_not(recorded_note(recorder, "may be cut"));
    free(stamps);
    free(times);
    recorder_free(recorder);
}

Test(surfaceflinger, overlapping_dumps_are_joined_and_gaps_are_no_frames)
{
    struct text_buffer text = {0};
    struct recorder *recorder;
    struct recorded_figures figures;

    dump(&text, 0, 10, 0);
    text_add(&text, "0\t0\t0\n\n");
    dump(&text, 5, 10, 0); /* overlaps: 10 … 14 are new */
    text_add(&text, "\n");
    dump(&text, 40, 10, 0); /* 15 … 39 are not known */
    text_add(&text, "\n");
    recorder = record_taken(&text, &some_context);
    cr_assert(recorder->fine, "%s", recorder->error.text);
    figures = recorded_figures(recorder, SIZE_MAX);
    cr_expect_eq(figures.frames, 14 + 9);
    cr_expect_eq(figures.max, 80 * MS);
    cr_expect_eq(figures.sum, 22 * 20 * MS + 80 * MS);
    cr_expect_eq(recorder->runs.count, 1);
    cr_expect_eq(recorded_rejects(recorder, REJECT_DUPLICATE), 5);
    cr_expect_eq(recorded_rejects(recorder, REJECT_EMPTY), 1);
    cr_expect(recorded_note(recorder, "missing at 1 places"));
    recorder_free(recorder);
}

Test(surfaceflinger, a_present_known_later_divides_the_frame)
{
    struct text_buffer text = {0};
    struct recorder *recorder;
    struct recorded_figures figures;

    text_add(&text, "16666667\n");
    row(&text, START);
    text_add(&text, "6999999999999\t9223372036854775807\t7000010000000\n");
    row(&text, START + 40 * MS);
    text_add(&text, "\n16666667\n");
    row(&text, START);
    row(&text, START + 20 * MS);
    row(&text, START + 40 * MS);
    text_add(&text, "\n");
    recorder = record_taken(&text, &some_context);
    figures = recorded_figures(recorder, SIZE_MAX);
    cr_expect_eq(figures.frames, 2);
    cr_expect_eq(figures.max, 20 * MS);
    recorder_free(recorder);
}

Test(surfaceflinger, layers_do_not_mix)
{
    static const char *const names[] = {"SurfaceView[com.example/.Main](BLAST)#0\n",
                                        "com.example/.Overlay#1\n"};
    struct import_options options = some_context;

    for (int named = 0; named < 2; named++) {
        struct text_buffer text = {0};
        struct recorder *recorder;

        for (int i = 0; i < 3; i++) {
            text_add(&text, named ? names[0] : "");
            dump(&text, i * 3, 7, 0);
            text_add(&text, named ? names[1] : "\n");
            dump(&text, i * 3, 5, 3 * MS);
        }
        options.stream = NULL;
        recorder = record_taken(&text, &options);
        cr_assert(recorder->fine, "%s", recorder->error.text);
        cr_expect_eq(recorder->reading.log->streams.count, 2);
        cr_expect_eq(recorded_frames(recorder), 12); /* presents 0 … 12 */
        cr_expect_eq(recorded_figures(recorder, SIZE_MAX).min, 20 * MS);
        if (named)
            cr_expect_str_eq(recorder->reading.log->chosen_stream, "SurfaceView[com.example/.Main](BLAST)#0");
        recorder_free(recorder);
    }
}

Test(surfaceflinger, zeros_are_the_wrong_layer)
{
    struct recorder *recorder =
        record_text("16666667\n0       0       0\n0       0       0\n", &some_context);

    cr_expect_not(recorder->fine);
    cr_expect(strstr(recorder->error.text, "SurfaceView[PACKAGE/ACTIVITY](BLAST)#0"), "%s",
              recorder->error.text);
    recorder_free(recorder);
    recorder = record_text("16666667\n", &some_context);
    cr_expect_not(recorder->fine);
    cr_expect(strstr(recorder->error.text, "name the game's layer"), "%s", recorder->error.text);
    recorder_free(recorder);
}

Test(surfaceflinger, a_cut_row_is_no_present)
{
    struct text_buffer text = {0};
    size_t before, length;
    char *plain;

    dump(&text, 0, 3, 0);
    before = text.count;
    row(&text, START + 60 * MS);
    length = text.count;
    plain = text_take(&text);
    for (size_t size = before; size < length; size++) {
        struct recorder *recorder = record_bytes(plain, size, &some_context);

        cr_assert(recorder->fine, "%s", recorder->error.text);
        cr_expect_eq(recorded_frames(recorder), size + 1 == length ? 3 : 2, "cut at %zu", size);
        cr_expect(recorded_note(recorder, "may be cut"), "cut at %zu", size);
        recorder_free(recorder);
    }
    free(plain);
}
