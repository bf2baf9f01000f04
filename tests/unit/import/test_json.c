#include "recorder.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t value(const struct recorder *recorder, enum frame_column column, size_t frame)
{
    size_t count;
    int64_t *values = recorded_column(recorder, SIZE_MAX, column, &count), result = values[frame];

    cr_assert_lt(frame, count);
    free(values);
    return result;
}

#define CONTEXT "\"device_model\":\"P\",\"build_id\":\"b\",\"scene\":\"S\""

Test(json, ndjson_keeps_every_digit)
{
    /* Not representable as a double. */
    struct recorder *recorder =
        record_text("{\"timestamp_ns\":1772452800140123457,\"frame_time_ns\":16666667," CONTEXT "}\r\n"
                    "\n"
                    "{\"timestamp_ns\": 1772452800156790123, \"frame_time_ns\": \"16666666\", " CONTEXT
                    ", \"event_name\": \"d\\u00e9but \\ud83d\\ude00\"}\n",
                    NULL);

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_str_eq(recorder->reading.format->name, "ndjson");
    cr_assert_eq(value(recorder, COLUMN_STAMP, 0), 1772452800140123457);
    cr_assert_eq(value(recorder, COLUMN_FRAME_TIME, 1), 16666666);
    cr_assert_str_eq(dictionary_text(recorder->texts, (uint32_t)value(recorder, COLUMN_EVENT, 1)), "début 😀");
    recorder_free(recorder);
}

/* Texts of the line before are compared by words that overlap: any one character makes another text. */
Test(json, texts_that_differ_in_one_character_are_others)
{
    for (int length = 1; length <= 20; length++)
        for (int at = 0; at < length; at++) {
            char one[21] = {0}, other[21], lines[400];
            memset(one, 'a', (size_t)length);
            memcpy(other, one, sizeof other);
            other[at] = 'b';
            snprintf(lines, sizeof lines,
                     "{\"timestamp_ms\":10,\"frame_time_ms\":10," CONTEXT ",\"event_name\":\"%s\"}\n"
                     "{\"timestamp_ms\":20,\"frame_time_ms\":10," CONTEXT ",\"event_name\":\"%s\"}\n",
                     one, other);
            struct recorder *recorder = record_text(lines, NULL);
            cr_assert_eq(recorded_frames(recorder), 2);
            cr_assert_str_eq(dictionary_text(recorder->texts, (uint32_t)value(recorder, COLUMN_EVENT, 0)), one);
            cr_assert_str_eq(dictionary_text(recorder->texts, (uint32_t)value(recorder, COLUMN_EVENT, 1)), other);
            recorder_free(recorder);
        }
}

Test(json, bad_lines_are_rejected_and_the_rest_taken)
{
    struct recorder *recorder =
        record_text("{\"timestamp_ms\":10,\"frame_time_ms\":10," CONTEXT "}\n"
                    "{\"timestamp_ms\":20,\"frame_time_ms\":NaN," CONTEXT "}\n"
                    "{\"timestamp_ms\":20,\"frame_time_ms\":null," CONTEXT "}\n"
                    "   \n"
                    "no json\n"
                    "[1,2,3]\n"
                    "{\"timestamp_ms\":20," CONTEXT "}\n"
                    "{\"timestamp_ms\":20,\"frame_time_ms\":10,\"frame_time_ms\":99," CONTEXT "}\n"
                    "{\"timestamp_ms\":20,\"frame_time_ms\":10,\"x\":[1,{\"y\":\"]}\"}]," CONTEXT "}\n"
                    "{\"timestamp_ms\":30,\"frame_t",
                    NULL);

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_eq(recorded_frames(recorder), 2);
    cr_assert_eq(recorded_rejects(recorder, REJECT_NOT_FINITE), 1);
    cr_assert_eq(recorded_rejects(recorder, REJECT_EMPTY), 2);
    cr_assert_eq(recorded_rejects(recorder, REJECT_MALFORMED), 3);
    cr_assert_eq(recorder->reading.log->rejects[REJECT_MALFORMED].lines[2], 8);
    cr_assert_eq(recorded_rejects(recorder, REJECT_SHORT_ROW), 1);
    cr_assert_eq(recorder->reading.log->rejected, 7);
    recorder_free(recorder);
}

Test(json, csv_and_ndjson_of_the_same_frames_are_the_same)
{
    struct recorder *csv = record_text("timestamp_ms,frame_time_ms,device_model,build_id,scene,event_name\n"
                                       "10.5,10.5,P,b,S,\n21,10.5,P,b,S,jump\n",
                                       NULL);
    struct recorder *ndjson =
        record_text("{\"scene\":\"S\",\"timestamp_us\":10500,\"frame_time_s\":0.0105,\"device_model\":\"P\","
                    "\"build_id\":\"b\",\"event_name\":\"\"}\n"
                    "{\"event_name\":\"jump\",\"timestamp_us\":21000,\"frame_time_s\":0.0105," CONTEXT "}\n",
                    NULL);

    cr_assert(csv->fine && ndjson->fine);
    cr_assert_str_eq(csv->fingerprint, ndjson->fingerprint);
    recorder_free(csv);
    recorder_free(ndjson);
}

Test(json, layouts_of_documents)
{
    static const char *const texts[] = {
        "[{\"timestamp_ms\":10,\"frame_time_ms\":10," CONTEXT
        "},{\"timestamp_ms\":20,\"frame_time_ms\":10," CONTEXT "}]",
        "{\"meta\":{\"device_model\":\"P\",\"build_id\":\"b\",\"note\":\"\\ud55c \\\"q\\\" \\\\\"},\n "
        "\"frames\": [\n"
        "{\"timestamp_ms\":10,\"frame_time_ms\":10,\"scene\":\"S\"},{\"timestamp_ms\":20,\"frame_time_ms\":"
        "10,\"scene\":\"S\"}\n]}",
        "{\"columns\":{\"timestamp_ms\":[10,20],\"frame_time_ms\":[10,10],\"scene\":\"S\"},\"run\":{\"device_"
        "model\":\"P\",\"build_id\":\"b\"}}",
        "[{\"run\":{" CONTEXT "},\"columns\":{\"timestamp_ms\":[10,20],\"frame_time_ms\":[10,10]}}]",
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct recorder *recorder = record_text(texts[i], NULL);

        cr_assert(recorder->fine, "%zu: %s", i, recorder->error.text);
        cr_assert_eq(recorded_frames(recorder), 2);
        cr_assert_str_eq(recorder->runs.items[0].device, "P");
        cr_assert_str_eq(recorder->segments.items[0].scene, "S");
        cr_assert_eq(value(recorder, COLUMN_STAMP, 1), 20 * NS_PER_MS);
        recorder_free(recorder);
    }
}

Test(json, documents_that_break_off_or_hold_nothing)
{
    struct recorder *recorder = record_text(
        "[{\"timestamp_ms\":10,\"frame_time_ms\":10," CONTEXT "},\n{\"timestamp_ms\":20,\"fra", NULL);

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_eq(recorded_frames(recorder), 1);
    cr_assert(recorded_note(recorder, "breaks off"));
    recorder_free(recorder);
    recorder = record_text("[]", NULL);
    cr_assert(!recorder->fine);
    cr_assert(strstr(recorder->error.text, "no frames"), "%s", recorder->error.text);
    recorder_free(recorder);
    recorder = record_text("{\"hello\": 1,\n \"you\": 2}", NULL);
    cr_assert(!recorder->fine);
    cr_assert(strstr(recorder->error.text, "frame_time_ms"), "%s", recorder->error.text);
    recorder_free(recorder);
    recorder = record_text(
        "{\"run\":{" CONTEXT "},\"columns\":{\"timestamp_ms\":[10,20,30],\"frame_time_ms\":[10,10]}}", NULL);
    cr_assert(!recorder->fine);
    cr_assert(strstr(recorder->error.text, "frame_time_ms") && strstr(recorder->error.text, "2 values"), "%s",
              recorder->error.text);
    recorder_free(recorder);
}

Test(json, deep_nesting_is_refused_at_once)
{
    char *text = malloc(200001);
    struct recorder *recorder;

    memset(text, '[', 200000);
    text[200000] = '\0';
    recorder = record_text(text, NULL);
    cr_assert(!recorder->fine);
    cr_assert(strstr(recorder->error.text, "100 levels"), "%s", recorder->error.text);
    recorder_free(recorder);
    free(text);
}

Test(json, maps_to_members_that_are_not_there_are_refused)
{
    static const char *const texts[] = {"{\"ts\":10,\"ft\":10}\n{\"ts\":20,\"ft\":10}\n",
                                        "[{\"ts\":10,\"ft\":10},{\"ts\":20,\"ft\":10}]"};
    const char *good[] = {"timestamp_ms=ts", "frame_time_ms=ft", "gpu_frame_ms=none"};
    const char *wrong[] = {"timestamp_ms=ts", "frame_time_ms=ft", "gpu_frame_ms=gp"};
    struct import_options options = some_context;
    struct recorder *recorder;

    options.map_count = 3;
    for (size_t i = 0; i < 2; i++) {
        options.maps = good;
        recorder = record_text(texts[i], &options);
        cr_assert(recorder->fine, "%s", recorder->error.text);
        cr_expect_eq(recorded_frames(recorder), 2);
        recorder_free(recorder);
        options.maps = wrong;
        recorder = record_text(texts[i], &options);
        cr_assert(!recorder->fine);
        cr_expect(strstr(recorder->error.text, "\"gp\"") && strstr(recorder->error.text, "ts, ft"), "%s", recorder->error.text);
        recorder_free(recorder);
    }
}

Test(json, an_interval_that_is_not_there_is_said)
{
    struct import_options options = some_context;
    struct recorder *recorder;

    options.interval = "present";
    recorder = record_text("{\"timestamp_ms\":10,\"frame_time_ms\":10}\n{\"timestamp_ms\":20,\"frame_time_ms\":10}\n", &options);
    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_expect(!recorded_note(recorder, "changes nothing"));
    recorder_free(recorder);
    options.interval = "display";
    recorder = record_text("{\"timestamp_ms\":10,\"frame_time_ms\":10,\"display_interval_ms\":16}\n"
                           "{\"timestamp_ms\":20,\"frame_time_ms\":10,\"display_interval_ms\":16}\n", &options);
    cr_expect(recorded_note(recorder, "--interval display changes nothing: in this format display intervals are only kept"));
    cr_expect(!recorded_note(recorder, "tells no display"));
    recorder_free(recorder);
    recorder = record_samples("{\"sample_name\":\"v\",\"value\":1}\n", 31, &options);
    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_expect(recorded_note(recorder, "changes nothing: the file holds no frames"));
    recorder_free(recorder);
    recorder = record_text("{\"timestamp_ms\":10,\"frame_time_ms\":10}\n{\"timestamp_ms\":20,\"frame_time_ms\":10}\n", &options);
    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_expect(recorded_note(recorder, "--interval display changes nothing"));
    recorder_free(recorder);
}

/* Objects of somebody else: which members there are, and how to name them. */
Test(json, members_under_other_names)
{
    struct recorder *recorder = record_text("[{\"timestamp_ms\":16,\"frameTimeMs\":16},{\"timestamp_ms\":32,\"frameTimeMs\":16}]", &some_context);

    cr_assert_not(recorder->fine);
    cr_expect_eq(recorder->error.code, ERROR_INPUT);
    cr_expect_str_eq(recorder->error.text, "test.txt: no object has a member frame_time_ms. Members found: timestamp_ms, frameTimeMs. If "
                                           "another one holds it, name it with --map frame_time_ms=MEMBER.");
    recorder_free(recorder);
    recorder = record_text("{\"time\":16,\"frame_time_ms\":16}\n{\"time\":32,\"frame_time_ms\":16}\n", &some_context);
    cr_assert_not(recorder->fine);
    cr_expect(strstr(recorder->error.text, "no object has a member timestamp_ms. Members found: time, frame_time_ms.") &&
                  strstr(recorder->error.text, "--map timestamp_ms=none"),
              "%s", recorder->error.text);
    recorder_free(recorder);
    recorder = record_text("{\"name\":\"x\",\"version\":\"1.0\"}\n", &some_context);
    cr_expect_eq(recorder->error.code, ERROR_FOREIGN, "%s", recorder->error.text);
    recorder_free(recorder);
}
