#include "stutterscope/remote/answer.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <stdlib.h>
#include <string.h>

struct answer {
    const struct answer_column *columns;
    size_t count;
    bool (*row)(void *user, const struct answer_value *values, struct error *error);
    void *user;
    struct text_buffer line;
    int64_t lines; /* complete ones; the first two are the header */
    struct answer_value values[ANSWER_COLUMNS_MOST];
};

enum { HEADER_LINES = 2 };

static const char *const integer_types[] = {"Int64", "UInt64", "Int32", "UInt32",
                                            "Int16", "UInt16", "Int8",  "UInt8"};

struct answer *answer_create(const struct answer_column *columns, size_t count,
                             bool (*row)(void *user, const struct answer_value *values, struct error *error),
                             void *user)
{
    struct answer *answer = memory_take_zeroed(1, sizeof *answer);

    answer->columns = columns;
    answer->count = count;
    answer->row = row;
    answer->user = user;
    return answer;
}

void answer_destroy(struct answer *answer)
{
    if (!answer)
        return;
    array_free(&answer->line);
    free(answer);
}

int64_t answer_rows(const struct answer *answer)
{
    return answer->lines > HEADER_LINES ? answer->lines - HEADER_LINES : 0;
}

/* What was found, harmless and short enough for a sentence. */
static bool wrong(const struct answer *answer, const char *expected, const char *found, size_t length,
                  struct error *error)
{
    char *clean = text_clean(found, length), *cut = text_cut_end(clean, 60, "...");

    error_set(error, ERROR_INPUT, "line %lld of the server's answer: expected %s, found \"%s\"",
              (long long)answer->lines + 1, expected, cut);
    free(cut);
    free(clean);
    return false;
}

/* In place; a backslash at the end stays one. */
static size_t unescape(char *text, size_t length)
{
    static const char letters[] = "bfrnt0'\\", signs[] = "\b\f\r\n\t\0'\\";
    size_t to = 0;

    for (size_t from = 0; from < length; from++) {
        const char *letter = NULL;

        if (text[from] == '\\' && from + 1 < length)
            letter = memchr(letters, text[from + 1], sizeof letters - 1);
        text[to++] = letter ? signs[letter - letters] : text[from];
        from += letter != NULL;
    }
    return to;
}

static bool parse_integer(const char *text, size_t length, int64_t *ret)
{
    bool negative = length > 0 && text[0] == '-';
    uint64_t value = 0, most = (uint64_t)INT64_MAX;

    if (length == (size_t)negative || length > 20)
        return false;
    for (size_t i = negative; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;

        uint64_t digit = (uint64_t)(text[i] - '0');

        if (value > (most - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *ret = negative ? -(int64_t)value : (int64_t)value;
    return true;
}

static bool check_header(const struct answer *answer, size_t column, const char *text, size_t length,
                         struct error *error)
{
    const struct answer_column *wanted = &answer->columns[column];
    bool right = false;
    char *expected;

    if (answer->lines == 0)
        right = length == strlen(wanted->name) && memcmp(text, wanted->name, length) == 0;
    else if (wanted->kind == ANSWER_TEXT)
        right = length == 6 && memcmp(text, "String", 6) == 0;
    for (size_t i = 0; answer->lines == 1 && wanted->kind == ANSWER_INTEGER &&
                       i < sizeof integer_types / sizeof *integer_types;
         i++)
        right = right || (length == strlen(integer_types[i]) && memcmp(text, integer_types[i], length) == 0);
    if (right)
        return true;
    if (answer->lines == 0)
        expected = memory_print("the column %s", wanted->name);
    else
        expected = memory_print("%s for the column %s",
                                wanted->kind == ANSWER_TEXT ? "text" : "a whole number", wanted->name);
    wrong(answer, expected, text, length, error);
    free(expected);
    return false;
}

static bool take_field(struct answer *answer, size_t column, char *text, size_t length, struct error *error)
{
    struct answer_value *value = &answer->values[column];

    if (answer->lines < HEADER_LINES)
        return check_header(answer, column, text, length, error);
    value->text = text;
    value->length = length;
    value->integer = 0;
    if (answer->columns[column].kind == ANSWER_INTEGER)
        return parse_integer(text, length, &value->integer) ||
               wrong(answer, "a whole number", text, length, error);
    value->length = unescape(text, length);
    text[value->length] = '\0';
    return true;
}

static bool take_line(struct answer *answer, char *line, size_t length, struct error *error)
{
    size_t column = 0, first = 0;

    if (answer->lines >= ANSWER_ROWS_MOST)
        return error_set(error, ERROR_INPUT, "the server's answer has more than %d rows", ANSWER_ROWS_MOST);
    for (size_t i = 0; i <= length; i++) {
        if (i < length && line[i] != '\t')
            continue;
        if (column == answer->count)
            return wrong(answer, "fewer columns", line, length, error);
        line[i] = '\0';
        if (!take_field(answer, column++, line + first, i - first, error))
            return false;
        first = i + 1;
    }
    if (column != answer->count)
        return wrong(answer, "more columns", line, length, error);
    return ++answer->lines <= HEADER_LINES || answer->row(answer->user, answer->values, error);
}

bool answer_take(struct answer *answer, const char *bytes, size_t size, struct error *error)
{
    while (size > 0) {
        const char *end = memchr(bytes, '\n', size);
        size_t length = end ? (size_t)(end - bytes) : size;

        if (answer->line.count + length > ANSWER_LINE_MOST)
            return error_set(error, ERROR_INPUT, "line %lld of the server's answer is longer than %d bytes",
                             (long long)answer->lines + 1, ANSWER_LINE_MOST);
        text_add_bytes(&answer->line, bytes, length);
        if (!end)
            return true;
        if (!take_line(answer, answer->line.items, answer->line.count, error))
            return false;
        answer->line.count = 0;
        bytes += length + 1;
        size -= length + 1;
    }
    return true;
}

bool answer_finish(struct answer *answer, struct error *error)
{
    if (answer->line.count > 0)
        return error_set(error, ERROR_INPUT,
                         "the server's answer ends in the middle of line %lld: it was cut",
                         (long long)answer->lines + 1);
    if (answer->lines < HEADER_LINES)
        return error_set(error, ERROR_INPUT,
                         "the server's answer ends before its header is complete: it was cut");
    return true;
}
