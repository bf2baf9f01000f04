/* Values beside frames in our own CSV and JSON: whose they are, when they were, and what is no value. */
#include "recorder.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/import/limits.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CONTEXT "\"build_id\":\"b\",\"device_model\":\"D\",\"scene\":\"S\",\"run_id\":\"r\""

static struct recorder *record_values(const char *text)
{
    struct recorder *recorder = record_samples(text, strlen(text), NULL);

    cr_assert(recorder->fine, "%s", recorder->error.text);
    return recorder;
}

/* A tag of the frame that happens to be called "category" is no snapshot of memory. */
Test(values, a_category_counts_with_its_bytes_only)
{
    struct recorder *recorder =
        record_values("{" CONTEXT ",\"timestamp_ms\":16,\"frame_time_ms\":16,\"category\":\"boss\"}\n"
                      "{" CONTEXT ",\"timestamp_ms\":32,\"frame_time_ms\":16,\"category\":\"\"}\n"
                      "{" CONTEXT ",\"timestamp_ms\":48,\"frame_time_ms\":16,\"bytes\":7}\n");

    cr_expect_eq(recorded_frames(recorder), 3);
    cr_expect_eq(recorder->samples.count, 0);
    cr_expect_eq(recorder->reading.log->rejected, 0);
    cr_expect(recorded_note(recorder, "1 row (first in line 1) has a frame time"));
    cr_expect_eq(recorder->reading.log->left_out.count, 2, "category and bytes");
    recorder_free(recorder);
}

Test(values, a_row_with_a_frame_time_is_a_frame)
{
    static const char *const texts[] = {
        "{" CONTEXT ",\"timestamp_ms\":16,\"frame_time_ms\":16}\n"
        "{" CONTEXT ",\"timestamp_ms\":32,\"frame_time_ms\":16,\"category\":\"textures\",\"bytes\":1000}\n"
        "{" CONTEXT ",\"timestamp_ms\":48,\"frame_time_ms\":16,\"sample_name\":\"start\",\"value\":5}\n"
        "{" CONTEXT ",\"timestamp_ms\":50,\"frame_time_ms\":null,\"category\":\"audio\",\"bytes\":2000}\n"
        "{" CONTEXT ",\"timestamp_ms\":60,\"frame_time_ms\":0,\"category\":\"meshes\",\"bytes\":3000}\n"
        "{" CONTEXT ",\"timestamp_ms\":61,\"frame_time_ms\":0,\"category\":\"meshes\"}\n",
        "build_id,device_model,scene,run_id,timestamp_ms,frame_time_ms,category,bytes,sample_name,value\n"
        "b,D,S,r,16,16,,,,\n"
        "b,D,S,r,32,16,textures,1000,,\n"
        "b,D,S,r,48,16,,,start,5\n"
        "b,D,S,r,50,,audio,2000,,\n"
        "b,D,S,r,60,0,meshes,3000,,\n"
        "b,D,S,r,61,0,meshes,,,\n"};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct recorder *recorder = record_values(texts[i]);

        cr_expect_eq(recorded_frames(recorder), 3);
        cr_assert_eq(recorder->samples.count, 2);
        cr_expect_str_eq(recorder->samples.items[0].name, "audio");
        cr_expect(recorder->samples.items[0].snapshot && recorder->samples.items[0].value == 2000);
        cr_expect_str_eq(recorder->samples.items[1].name, "meshes");
        cr_expect_eq(recorded_rejects(recorder, REJECT_ZERO), 1, "a time of 0 and no value is a frame that is none");
        cr_expect(recorded_note(recorder, "3 rows (first in line "), "%zu", i);
        recorder_free(recorder);
    }
}

Test(values, a_value_and_a_snapshot_in_one_row_are_both_taken)
{
    struct recorder *recorder =
        record_values("{" CONTEXT ",\"sample_name\":\"start\",\"value\":5,\"unit\":\"ms\",\"category\":\"audio\",\"bytes\":9}\n"
                      "{" CONTEXT ",\"sample_name\":\"stop\",\"value\":6,\"category\":\"boot\"}\n");

    cr_assert_eq(recorder->samples.count, 3);
    cr_expect_str_eq(recorder->samples.items[0].name, "start");
    cr_expect_not(recorder->samples.items[0].snapshot);
    cr_expect_str_eq(recorder->samples.items[1].name, "audio");
    cr_expect(recorder->samples.items[1].snapshot);
    cr_expect_str_eq(recorder->samples.items[2].name, "stop");
    recorder_free(recorder);
}

/* The same member twice: nobody knows which is meant. */
Test(values, a_member_twice_is_refused)
{
    struct recorder *recorder = record_values("{" CONTEXT ",\"sample_name\":\"a\",\"value\":5,\"value\":6}\n"
                                              "{" CONTEXT ",\"sample_name\":\"a\",\"value\":7}\n");

    cr_assert_eq(recorder->samples.count, 1);
    cr_expect(recorder->samples.items[0].value == 7);
    cr_expect_eq(recorded_rejects(recorder, REJECT_MALFORMED), 1);
    recorder_free(recorder);
}

static void add_frames(struct text_buffer *text, int64_t first_ms, int count)
{
    for (int i = 0; i < count; i++)
        text_add_print(text, "%" PRId64 ",16,,\n", first_ms + 16 * i);
}

static void add_value(struct text_buffer *text, const char *stamp, int value)
{
    text_add_print(text, "%s,,v,%d\n", stamp, value);
}

static struct recorder *record_table(struct text_buffer *text)
{
    struct import_options options = some_context;
    struct recorder *recorder;

    options.context[CONTEXT_RUN] = "r";
    recorder = record_samples(text->items, text->count, &options);
    cr_assert(recorder->fine, "%s", recorder->error.text);
    array_free(text);
    return recorder;
}

static struct text_buffer begin(void)
{
    struct text_buffer text = {0};

    text_add(&text, "timestamp_ms,frame_time_ms,sample_name,value\n");
    return text;
}

static void expect_sample(const struct recorder *recorder, size_t at, size_t run, int64_t stamp_ms)
{
    const struct recorded_sample *sample = &recorder->samples.items[at];

    cr_assert(sample->value == (double)at);
    cr_expect_eq(sample->run, run, "value %zu is in run %zu", at, sample->run);
    cr_expect_eq(sample->stamp_ns, stamp_ms * (int64_t)NS_PER_MS, "value %zu at %" PRId64, at, sample->stamp_ns);
}

/* All of it inside of what the reader looks at before it hands frames on, and beyond. */
Test(values, belong_to_the_run_that_they_came_in)
{
    static const int counts[] = {200, 9000};

    for (size_t i = 0; i < 2; i++) {
        struct text_buffer text = begin();
        struct recorder *recorder;

        add_value(&text, "0", 0);
        add_frames(&text, 16, counts[i]);
        add_value(&text, "3200", 1); /* behind the last frame of 200, in the run in any case */
        add_value(&text, "4", 2);    /* before the first frame of the run that follows, and stamped as it */
        add_frames(&text, 16, counts[i]);
        add_value(&text, "100", 3); /* in the second run, although the stamp may be of any */
        add_frames(&text, 16, counts[i]);
        add_value(&text, "1600", 4);
        recorder = record_table(&text);
        cr_assert_eq(recorder->runs.count, 3);
        cr_assert_eq(recorder->samples.count, 5);
        expect_sample(recorder, 0, 0, 0);
        expect_sample(recorder, 1, 0, 3200);
        expect_sample(recorder, 2, 1, 4);
        expect_sample(recorder, 3, 1, 100);
        expect_sample(recorder, 4, 2, 1600);
        cr_expect_eq(assembler_run(recorder->reading.assembler, 1)->samples, 2);
        recorder_free(recorder);
    }
}

/* A counter of 32 bits: frames end at 4294967290, then 10 (that is 4294967306), in two wraps. */
Test(values, are_unwrapped_as_the_frames_are)
{
    const int64_t wrap = 4294967296;
    struct text_buffer text = begin();
    struct recorder *recorder;

    add_frames(&text, 4294967290 - 16 * 99, 100);
    add_value(&text, "4294967292", 0);
    add_value(&text, "2", 1); /* the counter wrapped, no frame saw it yet */
    add_frames(&text, 10, 100);
    add_value(&text, "4294967294", 2); /* measured before the wrap, written behind it */
    add_value(&text, "1600", 3);
    text_add(&text, "2000000000,16,,\n4294967290,16,,\n");
    add_value(&text, "4294967291", 4);
    add_frames(&text, 10, 100);
    add_value(&text, "1600", 5);
    recorder = record_table(&text);
    cr_assert_eq(recorder->runs.count, 1);
    cr_assert_eq(recorder->samples.count, 6);
    expect_sample(recorder, 0, 0, 4294967292);
    expect_sample(recorder, 1, 0, wrap + 2);
    expect_sample(recorder, 2, 0, 4294967294);
    expect_sample(recorder, 3, 0, wrap + 1600);
    expect_sample(recorder, 4, 0, wrap + 4294967291);
    expect_sample(recorder, 5, 0, 2 * wrap + 1600);
    recorder_free(recorder);
}

/* A run that starts again after a wrap counts from 0. */
Test(values, a_restart_after_a_wrap_begins_at_zero)
{
    struct text_buffer text = begin();
    struct recorder *recorder;

    add_frames(&text, 4294967290 - 16 * 9, 10);
    add_frames(&text, 10, 20);
    add_value(&text, "330", 0);
    add_frames(&text, 4294967290 - 16 * 9, 10); /* 4294967146 is the first stamp again */
    add_value(&text, "4294967292", 1);
    recorder = record_table(&text);
    cr_assert_eq(recorder->samples.count, 2);
    cr_assert_eq(recorder->runs.count, 1, "nothing fell below the first stamp: it is no restart");
    expect_sample(recorder, 0, 0, 4294967296 + 330);
    recorder_free(recorder);
}

static bool whole_has(const struct recorder *whole, const struct recorded_sample *sample, size_t at)
{
    return at < whole->samples.count && strcmp(whole->samples.items[at].name, sample->name) == 0 &&
           strcmp(whole->samples.items[at].unit, sample->unit) == 0 && whole->samples.items[at].value == sample->value &&
           whole->samples.items[at].stamp_ns == sample->stamp_ns;
}

/* Half a number, half a name: what a cut file gives is in the whole file, too. */
Test(values, a_cut_at_any_byte_gives_whole_values_only)
{
    static const char *const texts[] = {
        ("build_id,device_model,timestamp_ms,sample_name,unit,value\nb,D,1000,start,ms,1250.5\nb,D,2000,start,ms,1300.5\n"
         "b,D,3000,load,s,12.5\nb,D,4000,load,s,300\n"),
        "build_id,device_model,timestamp_ms,category,bytes\nb,D,1000,audio,123456\nb,D,2000,textures,987654\n",
        "build_id,device_model,timestamp_ms,value,sample_name\nb,D,1000,5,startup\nb,D,2000,6,loading\nb,D,3000,7,startup\n",
        "build_id,device_model,timestamp_ms,sample_name,value,unit\nb,D,1000,start,5,ms\nb,D,2000,loading,6,mAh\nb,D,3000,fps,7,ms\n"};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct recorder *whole = record_values(texts[i]);
        size_t second = (size_t)(strchr(strchr(texts[i], '\n') + 1, '\n') - texts[i]) + 1;

        for (size_t size = second; size < strlen(texts[i]); size++) {
            struct recorder *cut = record_samples(texts[i], size, NULL);

            for (size_t j = 0; j < cut->samples.count; j++)
                cr_expect(whole_has(whole, &cut->samples.items[j], j), "%zu cut at %zu: %s [%s] %g", i, size, cut->samples.items[j].name,
                          cut->samples.items[j].unit, cut->samples.items[j].value);
            recorder_free(cut);
        }
        recorder_free(whole);
    }
}

/* What is cut off there is empty, so the value before it is whole. The sanitizer watches the columns. */
Test(values, a_cut_behind_the_last_column_takes_nothing_away)
{
    struct recorder *recorder = record_values("build_id,device_model,timestamp_ms,sample_name,unit,value\n"
                                              "b,D,1000,start,ms,1250.5\nb,D,2000,start,ms,1300,,,,,,,,,,,,,,,,");

    cr_assert_eq(recorder->samples.count, 2);
    cr_expect_eq(recorder->samples.items[1].value, 1300);
    recorder_free(recorder);
}

/* One name, unit and value, once measured and once in a snapshot; and in the one run or the other. */
Test(values, different_inputs_have_different_fingerprints)
{
    static const char *const texts[] = {
        "{" CONTEXT ",\"sample_name\":\"x\",\"unit\":\"u\",\"value\":5}\n",
        "{" CONTEXT ",\"category\":\"x\",\"profiler\":\"u\",\"bytes\":5}\n",
    };
    struct recorder *value = record_values(texts[0]), *snapshot = record_values(texts[1]);
    struct text_buffer first = begin(), second = begin();
    struct recorder *early, *late;

    cr_expect_str_neq(value->fingerprint, snapshot->fingerprint);
    recorder_free(value);
    recorder_free(snapshot);
    add_frames(&first, 16, 100);
    add_value(&first, "1600", 0);
    add_frames(&first, 16, 100);
    add_frames(&second, 16, 100);
    add_frames(&second, 16, 100);
    add_value(&second, "1600", 0);
    early = record_table(&first);
    late = record_table(&second);
    cr_expect_str_neq(early->fingerprint, late->fingerprint);
    recorder_free(early);
    recorder_free(late);
}

static bool forget_run(void *user, const struct assembled_facts *facts, size_t *ret_run, struct error *error)
{
    (void)user;
    (void)facts;
    (void)error;
    *ret_run = 0;
    return true;
}

static bool forget_sample(void *user, size_t run, const struct assembled_sample *sample, struct error *error)
{
    (void)user;
    (void)run;
    (void)sample;
    (void)error;
    return true;
}

Test(values, have_a_limit)
{
    const struct segment_sink out = {.add_run = forget_run, .add_sample = forget_sample};
    const struct import_value value = {"fps", "", 60, VALUE_UNKNOWN, false};
    struct dictionary *texts = dictionary_create();
    struct import_log *log = import_log_create();
    struct error error = {0};
    struct assembler *assembler = assembler_create(&some_context, texts, log, &out, &error);
    const struct import_sink *sink = assembler_sink(assembler);
    const struct import_context nothing = {.number = 0};

    for (int64_t i = 1; i <= IMPORT_MOST_SAMPLES; i++)
        cr_assert(sink->sample(sink->user, &nothing, &value, i, &error), "%s", error.text);
    cr_assert_not(sink->sample(sink->user, &nothing, &value, 2000001, &error));
    cr_expect_str_eq(error.text, "line 2000001: more than 2000000 values beside frames in one file. They are meant for what is measured now "
                                 "and then; write them less often, or split the file.");
    assembler_destroy(assembler);
    import_log_destroy(log);
    dictionary_destroy(texts);
}

/* As those of frames: a stamp that is none is counted, one that is not there is fine. */
Test(values, bad_stamps_are_counted)
{
    static const char *const texts[] = {
        "{" CONTEXT ",\"timestamp_ms\":\"noon\",\"sample_name\":\"v\",\"value\":1}\n"
        "{" CONTEXT ",\"timestamp_ms\":null,\"sample_name\":\"v\",\"value\":2}\n"
        "{" CONTEXT ",\"frame_time_ms\":null,\"timestamp_ms\":9e15,\"sample_name\":\"v\",\"value\":3}\n",
        "build_id,device_model,scene,run_id,timestamp_ms,sample_name,value\n"
        "b,D,S,r,noon,v,1\nb,D,S,r,,v,2\nb,D,S,r,9000000000000,v,3\n"};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct recorder *recorder = record_values(texts[i]);

        cr_assert_eq(recorder->samples.count, 1);
        cr_expect(recorder->samples.items[0].value == 2);
        cr_expect_eq(recorder->samples.items[0].stamp_ns, VALUE_UNKNOWN);
        cr_expect_eq(recorded_rejects(recorder, REJECT_BAD_STAMP), 2, "%zu", i);
        recorder_free(recorder);
    }
}

/* 2023-11-14 22:13:20 UTC in microseconds, in a column that says milliseconds. */
Test(values, dates_in_microseconds)
{
    struct recorder *recorder = record_values("build_id,device_model,timestamp_ms,sample_name,value\n"
                                              "b,D,1700000000000000,v,1\nb,D,1700000001500000,v,2\n");

    cr_assert_eq(recorder->samples.count, 2);
    cr_expect_eq(recorder->samples.items[0].stamp_ns, 1700000000 * (int64_t)NS_PER_S);
    cr_expect_eq(recorder->samples.items[1].stamp_ns, 1700000001500 * (int64_t)NS_PER_MS);
    cr_expect_eq(recorder->runs.items[0].facts.started_at_ms, 1700000000000);
    cr_expect(recorded_note(recorder, "microseconds since 1970"));
    recorder_free(recorder);
}

/* The file ends in an empty field behind the last column: everything that the head names is whole. */
Test(values, a_cut_row_longer_than_the_head)
{
    struct recorder *recorder = record_values("build_id,device_model,scene,run_id,timestamp_ms,sample_name,value\n"
                                              "b,D,S,r,16,v,1\nb,D,S,r,32,v,2,");

    cr_assert_eq(recorder->samples.count, 2);
    cr_expect(recorder->samples.items[1].value == 2);
    recorder_free(recorder);
}
