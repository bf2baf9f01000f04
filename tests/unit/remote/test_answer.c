#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/remote/answer.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const struct answer_column columns[] = {{"name", ANSWER_TEXT}, {"count", ANSWER_INTEGER}};

static bool note(void *user, const struct answer_value *values, struct error *error)
{
    struct text_buffer *seen = user;

    if (strcmp(values[0].text, "stop") == 0)
        return error_set(error, ERROR_INPUT, "enough");
    text_add_bytes(seen, values[0].text, values[0].length);
    text_add_print(seen, "=%lld;", (long long)values[1].integer);
    return true;
}

/* In pieces of so many bytes. */
static bool read_answer(const char *text, size_t size, size_t piece, struct text_buffer *seen,
                        struct error *error)
{
    struct answer *answer = answer_create(columns, 2, note, seen);
    bool good = true;

    for (size_t at = 0; at < size && good; at += piece)
        good = answer_take(answer, text + at, size - at < piece ? size - at : piece, error);
    good = good && answer_finish(answer, error);
    answer_destroy(answer);
    return good;
}

#define HEADER "name\tcount\nString\tInt64\n"

Test(answer, rows_come_whole_however_they_are_cut_up)
{
    static const char text[] = HEADER "a\\tb\\nc\\\\\\'\t-7\n\t9223372036854775807\n한글\t0\n";

    for (size_t piece = 1; piece < sizeof text; piece++) {
        struct text_buffer seen = {0};
        struct error error = {0};

        cr_assert(read_answer(text, strlen(text), piece, &seen, &error), "%s", error.text);
        cr_assert_str_eq(seen.items, "a\tb\nc\\'=-7;=9223372036854775807;한글=0;");
        array_free(&seen);
    }
}

Test(answer, no_rows_are_an_answer)
{
    struct text_buffer seen = {0};
    struct error error = {0};

    cr_assert(read_answer(HEADER, strlen(HEADER), 100, &seen, &error));
    cr_assert_eq(seen.count, 0);
}

Test(answer, cut_anywhere_it_is_no_answer)
{
    static const char text[] = HEADER "abc\t12\n";

    for (size_t size = 0; size < strlen(text); size++) {
        struct text_buffer seen = {0};
        struct error error = {0};
        bool whole = size == strlen(HEADER);

        cr_assert_eq(read_answer(text, size, 100, &seen, &error), whole);
        cr_assert(whole || strstr(error.text, "cut"), "%s", error.text);
        array_free(&seen);
    }
}

Test(answer, what_was_not_asked_for_is_refused_in_words)
{
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"nome\tcount\nString\tInt64\n", "expected the column name, found \"nome\""},
        {"name\nString\n", "expected more columns"},
        {"name\tcount\tmore\n", "expected fewer columns"},
        {"name\tcount\nString\tFloat64\n", "expected a whole number for the column count, found \"Float64\""},
        {"name\tcount\nInt64\tInt64\n", "expected text for the column name"},
        {"name\tcount\nNullable(String)\tInt64\n", "expected text"},
        {HEADER "a\t1.5\n", "line 3 of the server's answer: expected a whole number, found \"1.5\""},
        {HEADER "a\t\n", "expected a whole number"},
        {HEADER "a\t-\n", "expected a whole number"},
        {HEADER "a\t9223372036854775808\n", "expected a whole number"},
        {HEADER "a\t99999999999999999999999\n", "expected a whole number"},
        {HEADER "a\t1\t2\n", "expected fewer columns"},
        {HEADER "a\n", "expected more columns"},
        {HEADER "a\t\x1b[31mred\n", "expected a whole number, found \"\xef\xbf\xbd[31mred\""},
        {HEADER "stop\t1\n", "enough"},
        {"<html>\n", "expected the column name"},
        {"\n\n", "expected the column name"},
    };

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct text_buffer seen = {0};
        struct error error = {0};

        cr_assert(!read_answer(wrong[i].text, strlen(wrong[i].text), 3, &seen, &error), "%s", wrong[i].text);
        cr_assert(strstr(error.text, wrong[i].says), "%s: %s", wrong[i].text, error.text);
        array_free(&seen);
    }
}

Test(answer, endless_lines_end)
{
    struct text_buffer text = {0}, seen = {0};
    struct error error = {0};

    text_add(&text, HEADER);
    for (size_t i = 0; i <= ANSWER_LINE_MOST; i++)
        text_add(&text, "x");
    cr_assert(!read_answer(text.items, text.count, 65536, &seen, &error));
    cr_assert(strstr(error.text, "longer than"), "%s", error.text);
    array_free(&text);
}
