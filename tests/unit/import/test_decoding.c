#include "recorder.h"
#include "stutterscope/import/table.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER "timestamp_ms,frame_time_ms,device_model,build_id,scene,quality_level"
static const char plain[] = HEADER "\n16,16,Pixel 8,b1,Forest,High\n32.5,16.5,Pixel 8,b1,Forest,High\n";

/* The same two frames, however the bytes look. */
static void expect_two_frames(const char *bytes, size_t size)
{
    struct recorder *wanted = record_text(plain, NULL), *recorder = record_bytes(bytes, size, NULL);

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_eq(recorded_frames(recorder), 2);
    cr_assert_str_eq(recorder->segments.items[0].quality, "High");
    cr_assert_eq(recorder->segments.count, 1);
    cr_assert_str_eq(recorder->fingerprint, wanted->fingerprint);
    recorder_free(wanted);
    recorder_free(recorder);
}

static char *replaced(const char *text, const char *line_end)
{
    char *result = calloc(strlen(text) * 2 + 1, 1), *out = result;

    for (; *text; text++) {
        if (*text == '\n')
            out = stpcpy(out, line_end);
        else
            *out++ = *text;
    }
    return result;
}

Test(decoding, line_ends)
{
    static const char *const ends[] = {"\n", "\r\n", "\r", "\n\n", "\r\n   \r\n"};

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char *text = replaced(plain, ends[i]);

        expect_two_frames(text, strlen(text));
        free(text);
    }
}

Test(decoding, mixed_line_ends_and_no_last_one)
{
    static const char text[] = HEADER "\r\n16,16,Pixel 8,b1,Forest,High\r32.5,16.5,Pixel 8,b1,Forest,High";

    expect_two_frames(text, strlen(text));
}

Test(decoding, byte_order_mark_once_and_twice)
{
    char text[sizeof plain + 6] = "\xEF\xBB\xBF";

    strcat(text, plain);
    expect_two_frames(text, strlen(text));
    strcpy(text, "\xEF\xBB\xBF\xEF\xBB\xBF");
    strcat(text, plain);
    expect_two_frames(text, strlen(text));
}

static size_t to_utf16(const char *text, bool big_endian, bool mark, char *out)
{
    size_t size = 0;

    if (mark) {
        out[size++] = big_endian ? '\xFE' : '\xFF';
        out[size++] = big_endian ? '\xFF' : '\xFE';
    }
    for (; *text; text++) {
        out[size++] = big_endian ? 0 : *text;
        out[size++] = big_endian ? *text : 0;
    }
    return size;
}

Test(decoding, utf16_with_and_without_mark)
{
    char bytes[2 * sizeof plain + 2];

    for (int i = 0; i < 4; i++)
        expect_two_frames(bytes, to_utf16(plain, i & 1, i & 2, bytes));
}

Test(decoding, legacy_encoding_when_named)
{
    static const char text[] =
        HEADER "\n16,16,Pixel 8,b1,\xB1\xA4\xC0\xE5,High\n"; /* two Hangul syllables in CP949 */
    struct import_options options = {.encoding = "CP949"};
    struct recorder *recorder = record_text(text, &options);

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_str_eq(recorder->segments.items[0].scene, "\xEA\xB4\x91\xEC\x9E\xA5");
    recorder_free(recorder);
    recorder = record_text(text, NULL);
    cr_assert(recorder->fine);
    cr_assert(recorded_note(recorder, "not UTF-8"));
    cr_assert(strstr(recorder->segments.items[0].scene, "\xEF\xBF\xBD"));
    recorder_free(recorder);
}

Test(decoding, unknown_encoding_is_named)
{
    struct import_options options = {.encoding = "no-such-thing"};
    struct recorder *recorder = record_text(plain, &options);

    cr_assert(!recorder->fine);
    cr_assert(strstr(recorder->error.text, "no-such-thing"));
    recorder_free(recorder);
}

/* A log that a crash left with preallocated zeros. */
Test(decoding, nul_bytes_are_left_out)
{
    char bytes[sizeof plain + 100] = {0};

    memcpy(bytes, plain, sizeof plain - 1);
    expect_two_frames(bytes, sizeof bytes);
}

Test(decoding, one_endless_line_is_refused)
{
    size_t size = 20u << 20;
    char *bytes = malloc(size);
    struct recorder *recorder;

    memset(bytes, 'x', size);
    recorder = record_bytes(bytes, size, NULL);
    cr_assert(!recorder->fine);
    cr_assert(strstr(recorder->error.text, "line 1"), "%s", recorder->error.text);
    recorder_free(recorder);
    free(bytes);
}

Test(decoding, lines_across_blocks)
{
    /* Rows of 31 bytes: several blocks of 1 MiB, with a line over every border. */
    size_t rows = 120000, length = 0;
    char *text = malloc(rows * 40 + 200);
    struct recorder *recorder;

    length += (size_t)sprintf(text, "%s\r\n", HEADER);
    for (size_t i = 0; i < rows; i++)
        length += (size_t)sprintf(text + length, "%zu,16,Pixel 8,b1,Forest,High\r\n", (i + 1) * 16);
    recorder = record_bytes(text, length, NULL);
    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_assert_eq(recorded_frames(recorder), (int64_t)rows);
    cr_assert_eq(recorder->runs.items[0].measures.holes_wide, 0);
    cr_assert_eq(recorder->segments.count, 2); /* 65 536 and the rest */
    recorder_free(recorder);
    free(text);
}

static void expect_fields(const char *line, char separator, size_t count, const char *const fields[])
{
    struct table_row row = {0};

    table_split(line, strlen(line), separator, &row);
    cr_assert_eq(row.count, count, "%s: %zu", line, row.count);
    for (size_t i = 0; i < count; i++) {
        cr_assert_eq(row.items[i].length, strlen(fields[i]), "%s: field %zu", line, i);
        cr_assert(memcmp(row.items[i].text, fields[i], row.items[i].length) == 0, "%s: field %zu", line, i);
    }
    table_row_free(&row);
}

Test(table, fields)
{
    expect_fields("a,b,c", ',', 3, (const char *const[]){"a", "b", "c"});
    expect_fields(" a , b ,", ',', 3, (const char *const[]){"a", "b", ""});
    expect_fields("\"a,b\",\"say \"\"hi\"\"\"", ',', 2, (const char *const[]){"a,b", "say \"hi\""});
    expect_fields("Pad 11\" Kids,2", ',', 2, (const char *const[]){"Pad 11\" Kids", "2"});
    expect_fields("\"  kept  \" ,x", ',', 2, (const char *const[]){"  kept  ", "x"});
    expect_fields("\"a\"b,c", ',', 2, (const char *const[]){"\"a\"b", "c"});
    expect_fields("1\t\t3", '\t', 3, (const char *const[]){"1", "", "3"});
}

Test(table, separators)
{
    cr_assert_eq(table_find_separator("a;b,c;d", 7), ';');
    cr_assert_eq(table_find_separator("\"a,b,c,d\"|x", 11), '|');
    cr_assert_eq(table_find_separator("alone", 5), 0);
    cr_assert_eq(table_sep_line("sep=;", 5), ';');
    cr_assert_eq(table_sep_line("SEP=\t", 5), '\t');
    cr_assert_eq(table_sep_line("separate", 8), 0);
}
