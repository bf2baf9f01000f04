/* Lines of NDJSON that are compared with the line before give what reading each by itself gives: a blank in front prevents it. */
#include "recorder.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static uint32_t draw(uint32_t *state, uint32_t below)
{
    *state = *state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(*state >> 8) * below >> 24);
}

static void add_number(struct text_buffer *text, uint32_t *state, bool hostile)
{
    static const char *const odd[] = {"null",   "\"16.5\"", "-3",  "1e1",  "16.",   ".5",    "0016.5", "12345678", "1234567.8", "123456789012345678901", "16.1234567890",
                                      "true",   "\"NA\"",   "{}",  "[16]", "0",     "0.0001", "1.2.3", "16 ",      " 16",       "\"\"",                  "\"\\u0031\"",
                                      "16\t",   "99999999999", "1", "+4",   "\"16", "16x"};

    if (hostile && draw(state, 10) == 0)
        text_add(text, odd[draw(state, COUNT(odd))]);
    else
        text_add_print(text, "%u.%0*u", draw(state, 40) + 1, (int)draw(state, 3) + 1, draw(state, 10));
}

static void add_text(struct text_buffer *text, uint32_t *state, bool hostile, const char *usual)
{
    static const char *const odd[] = {"\"\"", "\"boss\"", "\"a\\\"b\"", "\"\\u00e9\"", "\"\xff\"", "null", "17", "{\"a\":[1,\"}\"]}", "\"NA\"", "\"open", "\"a\tb\""};

    if (hostile && draw(state, 12) == 0)
        text_add(text, odd[draw(state, COUNT(odd))]);
    else
        text_add_print(text, "\"%s\"", usual);
}

struct lines_shape {
    const char *after_name, *line_end;
    bool interleaved, hostile;
    int rows;
};

/* A member now and then: flags, numbers that nobody wants, words that look like numbers, the same name twice, a value beside frames. */
static void add_oddity(struct text_buffer *text, uint32_t *state)
{
    static const char *const odd[] = {",\"dropped\":true", ",\"frame\":%u", ",\"hash\":\"%u12ab\"", ",\"frame_time_ms\":17", ",\"memory_bytes\":%u", ",\"dropped\":false",
                                      ",\"sample_name\":\"x\",\"value\":%u", ",\"gpu_frame_ms\":3.%u", ",\"step\":\"%u\"", ",", ",\"sample_every\":1", " "};
    uint32_t which = draw(state, COUNT(odd)), value = draw(state, 50);
    const char *mark = strchr(odd[which], '%');

    if (!mark) {
        text_add(text, odd[which]);
        return;
    }
    text_add_bytes(text, odd[which], (size_t)(mark - odd[which]));
    text_add_print(text, "%u", value);
    text_add(text, mark + 2);
}

static void add_row(struct text_buffer *text, uint32_t *state, const struct lines_shape *shape, double stamp, int scene, bool counts)
{
    static const char *const scenes[] = {"Forest", "Harbor", "A longer name of a scene"};
    bool hostile = shape->hostile && draw(state, 5) == 0;

    text_add_print(text, "{\"timestamp_ms\":%s%.0f,\"frame_time_ms\":%s", shape->after_name, stamp, shape->after_name);
    add_number(text, state, hostile);
    text_add_print(text, ",\"cpu_frame_ms\":%s", shape->after_name);
    add_number(text, state, hostile);
    text_add(text, ",\"device_model\":");
    add_text(text, state, hostile, scene == 2 ? "iPhone14,6" : "SM-S918N");
    text_add(text, ",\"build_id\":");
    add_text(text, state, hostile, "b1");
    text_add_print(text, ",\"scene\":%s", shape->after_name);
    add_text(text, state, hostile, scenes[scene]);
    text_add(text, ",\"event_name\":");
    add_text(text, state, hostile, draw(state, 9) ? "" : "boss_spawn");
    text_add_print(text, ",\"gc_alloc_bytes\":%s%u", shape->after_name, draw(state, 3) ? 0 : draw(state, 10000000));
    if (counts)
        text_add_print(text, ",\"number\":%u", draw(state, 100000));
    if (hostile && draw(state, 5) == 0)
        add_oddity(text, state);
    text_add(text, hostile && draw(state, 60) == 0 ? "" : "}");
    text_add(text, hostile && draw(state, 60) == 0 ? " more" : "");
    text_add(text, shape->line_end);
}

static char *make_lines(const struct lines_shape *shape, uint32_t seed, bool by_itself)
{
    struct text_buffer text = {0};
    uint32_t state = seed;
    double stamp = 1763762400916;
    int scene = 0;

    for (int row = 0; row < shape->rows; row++) {
        stamp += draw(&state, 30);
        scene = shape->interleaved || draw(&state, 40) == 0 ? (int)draw(&state, 3) : scene;
        text_add(&text, by_itself ? " " : "");
        add_row(&text, &state, shape, stamp, scene, seed % 2);
    }
    return text_take(&text);
}

/* Of all frames, in whatever order their segments came. */
static uint64_t sum_of_frames(const struct recorder *recorder)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < recorder->segments.count; i++) {
        const struct frame_columns *columns = &recorder->segments.items[i].columns;

        for (size_t frame = 0; frame < columns->count; frame++) {
            uint64_t hash = 1;

            for (int column = 0; column < COLUMN_COUNT; column++) {
                if (columns->values[column] && columns->values[column][frame] != VALUE_UNKNOWN)
                    hash = (hash ^ (uint64_t)columns->values[column][frame]) * 0x9E3779B97F4A7C15u + (uint64_t)column;
            }
            sum += hash;
        }
    }
    return sum;
}

static void compare_ways(const struct lines_shape *shape, uint32_t seed)
{
    char *lines = make_lines(shape, seed, false), *by_themselves = make_lines(shape, seed, true);
    struct recorder *alike = record_samples(lines, strlen(lines), NULL), *each = record_samples(by_themselves, strlen(by_themselves), NULL);

    cr_assert_eq(alike->fine, each->fine, "seed %u: %s%s", seed, alike->error.text, each->error.text);
    if (alike->fine) {
        cr_assert_eq(recorded_frames(alike), recorded_frames(each), "seed %u", seed);
        cr_assert_eq(alike->samples.count, each->samples.count, "seed %u", seed);
        for (int reason = 0; reason < REJECT_COUNT; reason++)
            cr_assert_eq(recorded_rejects(alike, reason), recorded_rejects(each, reason), "seed %u, %s", seed, reject_reason_names[reason]);
        cr_assert_eq(sum_of_frames(alike), sum_of_frames(each), "seed %u", seed);
        if (!shape->hostile || shape->rows < 1000)
            cr_assert_str_eq(alike->fingerprint, each->fingerprint, "seed %u", seed);
    }
    recorder_free(alike);
    recorder_free(each);
    free(lines);
    free(by_themselves);
}

Test(alike_lines, are_read_as_each_by_itself)
{
    for (uint32_t seed = 1; seed <= 40; seed++)
        compare_ways(&(struct lines_shape){seed % 4 ? "" : " ", seed % 5 ? "\n" : "\r\n", seed % 3 == 0, false, 150}, seed);
}

Test(alike_lines, are_read_as_each_by_itself_among_hostile_ones)
{
    for (uint32_t seed = 1; seed <= 300; seed++)
        compare_ways(&(struct lines_shape){seed % 4 ? "" : " ", seed % 5 ? "\n" : "\r\n", seed % 3 == 0, true, 120}, seed);
}

Test(alike_lines, of_several_blocks)
{
    for (uint32_t seed = 1; seed <= 2; seed++)
        compare_ways(&(struct lines_shape){"", "\n", false, seed == 2, 20000}, seed);
}

/* What only looks like the line before: another number in a text, a number that became a text or a word. */
Test(alike_lines, what_is_not_alike)
{
    static const char *const lines =
        "{\"timestamp_ms\":1000,\"frame_time_ms\":16,\"device_model\":\"P 7\",\"build_id\":\"1.0\",\"scene\":\"S\",\"gpu_frame_ms\":\"8\",\"level\":12}\n"
        "{\"timestamp_ms\":1016,\"frame_time_ms\":16,\"device_model\":\"P 7\",\"build_id\":\"1.0\",\"scene\":\"S\",\"gpu_frame_ms\":\"9\",\"level\":\"12\"}\n"
        "{\"timestamp_ms\":1032,\"frame_time_ms\":16,\"device_model\":\"P 8\",\"build_id\":\"1.0\",\"scene\":\"S\",\"gpu_frame_ms\":9,\"level\":13}\n"
        "{\"timestamp_ms\":1048,\"frame_time_ms\":16,\"device_model\":\"P 8\",\"build_id\":\"1.1\",\"scene\":\"S\",\"gpu_frame_ms\":null,\"level\":13}\n"
        "{\"timestamp_ms\":1064,\"frame_time_ms\":null,\"device_model\":\"P 8\",\"build_id\":\"1.1\",\"scene\":\"S\",\"gpu_frame_ms\":9,\"level\":13}\n"
        "{\"timestamp_ms\":1064,\"frame_time_ms\":16,\"device_model\":\"P 8\",\"build_id\":\"1.1\",\"scene\":\"S\",\"gpu_frame_ms\":9,\"level\":13}\n"
        "{\"timestamp_ms\":1080,\"frame_time_ms\":16,\"device_model\":\"P 8\",\"build_id\":\"1.1\",\"scene\":\"S\",\"gpu_frame_ms\":9,\"level\":14}\n"
        "{\"timestamp_ms\":1096,\"frame_time_ms\":16,\"device_model\":\"P 8\",\"build_id\":\"1.1\",\"scene\":\"S\",\"gpu_frame_ms\":9,\"level\":15";
    struct recorder *recorder = record_text(lines, NULL);
    size_t count;
    int64_t *gpu;

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_eq(recorder->runs.count, 3);
    cr_expect_str_eq(recorder->runs.items[0].device, "P 7");
    cr_expect_str_eq(recorder->runs.items[1].device, "P 8");
    cr_expect_str_eq(recorder->runs.items[2].build, "1.1");
    cr_assert_eq(recorded_frames(recorder), 6);
    cr_expect_eq(recorded_rejects(recorder, REJECT_SHORT_ROW), 1);
    cr_expect_eq(recorder->reading.log->rejected, 2);
    gpu = recorded_column(recorder, 0, COLUMN_GPU, &count);
    cr_assert_eq(count, 2);
    cr_expect(gpu[0] == 8 * NS_PER_MS && gpu[1] == 9 * NS_PER_MS);
    free(gpu);
    gpu = recorded_column(recorder, 2, COLUMN_GPU, &count);
    cr_assert_eq(count, 3);
    cr_expect(gpu[0] == VALUE_UNKNOWN && gpu[1] == 9 * NS_PER_MS && gpu[2] == 9 * NS_PER_MS);
    free(gpu);
    recorder_free(recorder);
}

/* Each of them is counted as one that names a value and is a frame. */
Test(alike_lines, frames_that_name_values)
{
    struct recorder *recorder = record_text("{\"timestamp_ms\":1000,\"frame_time_ms\":16,\"device_model\":\"P\",\"build_id\":\"b\",\"scene\":\"S\",\"category\":\"a\",\"bytes\":1}\n"
                                            "{\"timestamp_ms\":1016,\"frame_time_ms\":16,\"device_model\":\"P\",\"build_id\":\"b\",\"scene\":\"S\",\"category\":\"a\",\"bytes\":1}\n"
                                            "{\"timestamp_ms\":1032,\"frame_time_ms\":16,\"device_model\":\"P\",\"build_id\":\"b\",\"scene\":\"S\",\"category\":\"a\",\"bytes\":1}\n",
                                            NULL);

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_expect_eq(recorded_frames(recorder), 3);
    cr_expect(recorded_note(recorder, "3 rows (first in line 1) "));
    recorder_free(recorder);
}
