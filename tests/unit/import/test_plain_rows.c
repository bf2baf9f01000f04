/* The fast ways through a table and through numbers give what the thorough ones give, whatever stands there. */
#include "../../../src/import/plain_number.h"
#include "recorder.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/number.h"
#include "stutterscope/base/text.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t draw(uint32_t *state, uint32_t below)
{
    *state = *state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(*state >> 8) * below >> 24);
}

/* ---- numbers ---- */

/* Digit by digit. NULL: no number, or one longer than 15 digits. */
static const char *read_plainly(const char *at, char other_mark, struct plain_number *ret)
{
    unsigned digits = 0, marks = 0;

    *ret = (struct plain_number){0};
    for (;; at++) {
        if (*at >= '0' && *at <= '9') {
            ret->value = ret->value * 10 + (unsigned)(*at - '0');
            ret->places += marks;
            if (++digits > 15)
                return NULL;
        } else if ((*at == '.' || *at == other_mark) && marks == 0) {
            marks = 1;
        } else {
            return digits ? at : NULL;
        }
    }
}

/* What is left to the thorough way may be anything, but not a number of up to seven characters. */
static void check_number(const char *text, char other_mark)
{
    struct plain_number wanted, got;
    const char *end = read_plainly(text, other_mark, &wanted), *read = plain_number_read(text, other_mark, &got);

    if (!read) {
        cr_assert(!PLAIN_NUMBER_WORDS || !end || end - text > 7, "\"%.20s\" was not read", text);
        return;
    }
    cr_assert_eq(read, end, "\"%.20s\" ends at %td, read to %td", text, end ? end - text : -1, read - text);
    cr_assert(got.value == wanted.value && got.places == wanted.places, "\"%.20s\"", text);
}

Test(plain_rows, numbers_of_all_shapes)
{
    char text[64];

    for (int digits = 0; digits <= 17; digits++) {
        for (int mark = -1; mark <= digits; mark++) {
            for (const char *after = ",.;}\n \"x:/\xff\x80"; *after; after++) {
                size_t length = 0;

                for (int i = 0; i <= digits; i++) {
                    if (i == mark)
                        text[length++] = '.';
                    if (i < digits)
                        text[length++] = (char)('0' + (i * 7 + 9 + mark) % 10);
                }
                text[length] = *after;
                memset(text + length + 1, '7', 20);
                check_number(text, '.');
                check_number(text, ',');
            }
        }
    }
}

Test(plain_rows, numbers_among_any_bytes)
{
    static const char likely[] = "0123456789012345678901234567890123456789....,,,,\n;-e \"\xff\x80\xb0\xae";
    uint32_t state = 7;
    char text[48];

    for (int round = 0; round < 400000; round++) {
        for (size_t i = 0; i < sizeof text; i++)
            text[i] = round % 4 == 0 ? (char)draw(&state, 256) : likely[draw(&state, sizeof likely - 1)];
        text[24] = '\n';
        check_number(text, round % 2 ? '.' : ',');
    }
}

/* ---- rows ---- */

#define COUNT(array) (sizeof(array) / sizeof *(array))

/*
 * How odd rows may be. Where a quote is not closed, or closed in the next line, what is left of the row is a row of its own, and
 * that is another one when there is one column more: too rare to be seen among a few hundred rows, but not among many.
 */
enum hostility { TAME, HOSTILE, WITH_BROKEN_QUOTES };
#define BROKEN_QUOTES 2 /* so many at the end of each list */

static void add_number(struct text_buffer *text, uint32_t *state, enum hostility hostile)
{
    static const char *const odd[] = {"", "16", "16.", ".5", ".", "1.2.3", "-3", "1e3", " 16", "16 ", "0016.5", "12345678", "1234567.8",
                                      "12345678.5", "123456789012345", "1234567890123456.5", "99999999999999999999", "NA", "1,5", "\"16\"",
                                      "\37716", "0x10", "16.123456789", "0", "0.0001", "+4", "\"1\n6\"", "\"1"};

    if (hostile && draw(state, 12) == 0)
        text_add(text, odd[draw(state, COUNT(odd) - (hostile == HOSTILE ? BROKEN_QUOTES : 0))]);
    else
        text_add_print(text, "%u.%0*u", draw(state, 40) + 1, (int)draw(state, 3) + 1, draw(state, 10));
}

static void add_text(struct text_buffer *text, uint32_t *state, enum hostility hostile, const char *usual)
{
    static const char *const odd[] = {"", "boss", "\"a,b\"", "\"a;b\"", "\"a\"\"b\"", " x", "x ", "caf\xc3\xa9", "\xff", "NA", "a\tb", "a\"b", "\"two\nlines\"", "\"open"};

    text_add(text, hostile && draw(state, 30) == 0 ? odd[draw(state, COUNT(odd) - (hostile == HOSTILE ? BROKEN_QUOTES : 0))] : usual);
}

struct table_shape {
    char separator;
    const char *line_end;
    bool interleaved;
    enum hostility hostile;
    int rows;
};

/* A table whose first column (nothing but its header) makes that all rows go the thorough way, or without it. */
static char *make_table(const struct table_shape *shape, uint32_t seed, bool thorough)
{
    static const char *const columns[] = {"timestamp_ms", "frame_time_ms", "build_id", "device_model", "event_name", "whatever", "scene", "quality_level", "gc_alloc_bytes"};
    static const char *const scenes[] = {"Forest", "Harbor", "A longer name of a scene", "a \"b\" c", "\"quoted\"", "\"x\"y", "\"a,b;c\td|e\"", "\"two\nlines\""};
    const char separator[] = {shape->separator, '\0'};
    struct text_buffer text = {0};
    uint32_t state = seed;
    double stamp = 1763762400916;
    int scene = 0, left_out = 0; /* so many of the last columns, as long as the scene stays */

    text_add(&text, thorough ? "dropped" : "");
    for (size_t i = 0; i < COUNT(columns); i++)
        text_add_print(&text, "%s%s", i || thorough ? separator : "", columns[i]);
    text_add(&text, shape->line_end);
    for (int row = 0; row < shape->rows; row++) {
        enum hostility hostile = shape->hostile && draw(&state, 4) == 0 ? shape->hostile : TAME;
        char number[24];

        stamp += draw(&state, 30);
        if (shape->interleaved || draw(&state, 40) == 0) {
            scene = (int)draw(&state, shape->hostile == TAME ? 3 : COUNT(scenes) - (shape->hostile == HOSTILE));
            left_out = shape->hostile ? (int)draw(&state, 3) : 0;
        }
        text_add(&text, thorough ? separator : "");
        if (hostile && draw(&state, 20) == 0)
            add_number(&text, &state, shape->hostile);
        else
            text_add_print(&text, "%.*f", (int)(seed % 3), stamp);
        text_add(&text, separator);
        add_number(&text, &state, hostile);
        text_add(&text, separator);
        add_text(&text, &state, hostile, "b1");
        text_add(&text, separator);
        add_text(&text, &state, hostile, scene == 2 ? "iPhone14 6" : "SM-S918N");
        text_add(&text, separator);
        add_text(&text, &state, hostile, draw(&state, 9) ? "" : "boss_spawn");
        text_add(&text, separator);
        snprintf(number, sizeof number, "%d.5", row);
        add_text(&text, &state, hostile, seed % 2 ? "of no use" : number);
        text_add(&text, separator);
        add_text(&text, &state, hostile, scenes[scene]);
        if (left_out < 2) {
            text_add(&text, separator);
            add_text(&text, &state, hostile, "Ultra");
        }
        if (left_out < 1 && (!hostile || draw(&state, 20))) {
            text_add(&text, separator);
            text_add_print(&text, "%u", draw(&state, 3) ? 0 : draw(&state, 10000000));
        }
        if (hostile && draw(&state, 30) == 0)
            text_add_print(&text, "%s1", separator);
        text_add(&text, hostile && draw(&state, 30) == 0 ? "\n\n" : shape->line_end);
    }
    return text_take(&text);
}

/* Of all frames, in whatever order their segments came. */
static uint64_t sum_of_frames(const struct recorder *recorder)
{
    static const enum frame_column columns[] = {COLUMN_STAMP, COLUMN_FRAME_TIME, COLUMN_GC};
    int64_t *values[COUNT(columns)];
    uint64_t sum = 0;
    size_t count;

    for (size_t i = 0; i < COUNT(columns); i++)
        values[i] = recorded_column(recorder, SIZE_MAX, columns[i], &count);
    for (size_t frame = 0; frame < count; frame++) {
        uint64_t hash = 1;

        for (size_t i = 0; i < COUNT(columns); i++)
            hash = (hash ^ (uint64_t)values[i][frame]) * 0x9E3779B97F4A7C15u;
        sum += hash;
    }
    for (size_t i = 0; i < COUNT(columns); i++)
        free(values[i]);
    return sum;
}

/* Runs of many kinds in a long file are handed over in an order that depends on how many rows came together. */
static void compare_ways(const struct table_shape *shape, uint32_t seed)
{
    char *plain = make_table(shape, seed, false), *thorough = make_table(shape, seed, true);
    struct recorder *fast = record_text(plain, NULL), *slow = record_text(thorough, NULL);

    cr_assert_eq(fast->fine, slow->fine, "seed %u: %s%s", seed, fast->error.text, slow->error.text);
    if (fast->fine) {
        cr_expect_eq(recorded_frames(fast), recorded_frames(slow), "seed %u", seed);
        cr_expect_eq(fast->reading.log->rejected, slow->reading.log->rejected, "seed %u", seed);
        for (int reason = 0; reason < REJECT_COUNT; reason++)
            cr_expect_eq(recorded_rejects(fast, reason), recorded_rejects(slow, reason), "seed %u, %s", seed, reject_reason_names[reason]);
        for (int reason = 0; reason < REJECT_COUNT; reason++)
            cr_assert(memcmp(fast->reading.log->rejects[reason].lines, slow->reading.log->rejects[reason].lines, sizeof fast->reading.log->rejects[reason].lines) == 0,
                      "seed %u, %s", seed, reject_reason_names[reason]);
        cr_assert_eq(sum_of_frames(fast), sum_of_frames(slow), "seed %u", seed);
        if (!shape->hostile || shape->rows < 1000)
            cr_assert_str_eq(fast->fingerprint, slow->fingerprint, "seed %u", seed);
    }
    recorder_free(fast);
    recorder_free(slow);
    free(plain);
    free(thorough);
}

Test(plain_rows, are_read_as_all_rows_are)
{
    static const char separators[] = ",;\t|";

    for (uint32_t seed = 1; seed <= 60; seed++)
        compare_ways(&(struct table_shape){separators[seed % 4], seed % 5 ? "\n" : "\r\n", seed % 3 == 0, TAME, 200}, seed);
}

Test(plain_rows, are_read_as_all_rows_are_among_hostile_ones)
{
    static const char separators[] = ",;\t|";

    for (uint32_t seed = 1; seed <= 200; seed++)
        compare_ways(&(struct table_shape){separators[seed % 4], seed % 5 ? "\n" : "\r\n", seed % 3 == 0, WITH_BROKEN_QUOTES, 150}, seed);
}

/* Longer than what is read at once: rows are cut in two at any place. */
Test(plain_rows, of_several_blocks)
{
    for (uint32_t seed = 1; seed <= 3; seed++)
        compare_ways(&(struct table_shape){',', "\n", seed == 2, seed == 3 ? HOSTILE : TAME, 40000}, seed);
}

/* Where a row leaves out its last columns the line ends with the context: what follows it is the next row, however much it looks
 * like the columns that are not there. */
Test(plain_rows, short_rows_end_with_their_line)
{
    struct recorder *recorder = record_text("timestamp_ms,frame_time_ms,device_model,build_id,scene,cpu_frame_ms,gpu_frame_ms,event_name,step,thermal_state\n"
                                            "1000,16,P,b,S\n1016,16,P,b,S\n1032,16,P,b,S\n1048,16,P,b,S\n1064,16,P,b,S,3,4,e,s,t\n1080,16,P,b,S\n1096,16,P,b,S\n",
                                            NULL);
    size_t count;
    int64_t *cpu;

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_eq(recorded_frames(recorder), 7);
    cpu = recorded_column(recorder, SIZE_MAX, COLUMN_CPU, &count);
    for (size_t i = 0; i < count; i++)
        cr_expect_eq(cpu[i], i == 4 ? 3 * NS_PER_MS : VALUE_UNKNOWN, "frame %zu", i);
    free(cpu);
    recorder_free(recorder);
}

/* A context is taken by its bytes, whatever quotes are in it. */
Test(plain_rows, contexts_with_stray_quotes)
{
    struct recorder *recorder = record_text("timestamp_ms,frame_time_ms,device_model,build_id,scene,gc_alloc_bytes\n"
                                            "1000,16,P,b,a \"b\" c,1\n1016,16,P,b,a \"b\" c,2\n1032,16,P,b,a \"b\" c,3\n1048,16,P,b,\"x\"y,4\n1064,16,P,b,\"x\"y,5\n"
                                            "1080,16,P,b,\"x\"y,6\n1096,16,P,b,\"x\"y,7\n",
                                            NULL);
    size_t count;
    int64_t *gc;

    cr_assert(recorder->fine, "%s", recorder->error.text);
    gc = recorded_column(recorder, SIZE_MAX, COLUMN_GC, &count);
    cr_assert_eq(count, 7);
    for (size_t i = 0; i < count; i++)
        cr_expect_eq(gc[i], (int64_t)i + 1);
    free(gc);
    recorder_free(recorder);
}

/* The name of a scene holds a line end: such rows are several lines, and lines are counted. */
Test(plain_rows, contexts_of_several_lines)
{
    struct recorder *recorder = record_text("timestamp_ms,frame_time_ms,device_model,build_id,scene,gc_alloc_bytes\n"
                                            "1000,16,P,b,\"a\nb\",1\n1016,16,P,b,\"a\nb\",2\n1032,16,P,b,\"a\nb\",3\n1048,16,P,b,\"a\nb\",4\n"
                                            "1064,x,P,b,\"a\nb\",5\n1080,16,P,b,\"a\nb\",6\n",
                                            NULL);

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_expect_eq(recorded_frames(recorder), 5);
    cr_expect_eq(recorded_rejects(recorder, REJECT_NOT_A_NUMBER), 1);
    cr_expect_eq(recorder->reading.log->rejects[REJECT_NOT_A_NUMBER].lines[0], 10);
    recorder_free(recorder);
}
