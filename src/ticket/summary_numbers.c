/*
 * Which numbers of a text a payload has.
 */
#include "stutterscope/base/memory.h"
#include "stutterscope/base/number.h"
#include "stutterscope/base/text.h"
#include "stutterscope/ticket/summary.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the payload has: its numbers, numbers that stand alone in its texts, and all its texts and names. */
struct known {
    struct {
        double *items;
        size_t count, capacity;
    } numbers;
    struct text_buffer texts; /* lower case, '\n' between them */
};

/* A number as it is written: "1,234.50" has two decimals and is 1234.5. */
struct written {
    size_t length;
    double value;
    int decimals;
    double other; /* what it is if the comma is a decimal mark; NaN */
    int other_decimals;
    bool whole; /* no decimal mark */
};

/* Full-width digits as Japanese and Korean keyboards write them become ASCII, so that they are read, too. */
static char *narrow(const char *text)
{
    enum { ZERO = 0xFF10, NINE = 0xFF19, POINT = 0xFF0E, PERCENT = 0xFF05, SHIFT = 0xFF01 - '!' };
    struct text_buffer out = {0};
    uint32_t code_point;
    size_t length;

    text_add(&out, "");
    for (; (length = text_decode(text, &code_point)) > 0; text += length)
        if ((code_point >= ZERO && code_point <= NINE) || code_point == POINT || code_point == PERCENT)
            text_add_print(&out, "%c", (int)(code_point - SHIFT));
        else
            text_add_bytes(&out, text, length);
    return text_take(&out);
}

static char *lower(const char *text)
{
    char *copy = narrow(text);

    for (char *at = copy; *at; at++)
        *at = (char)tolower((unsigned char)*at);
    return copy;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t digits(const char *text)
{
    size_t count = 0;

    while (is_digit(text[count]))
        count++;
    return count;
}

/* Groups of three behind commas: "1,234,567"; 0 when that is not what stands there. */
static size_t grouped(const char *text)
{
    size_t length = digits(text);

    if (length == 0 || length > 3 || text[length] != ',')
        return 0;
    while (text[length] == ',' && digits(text + length + 1) == 3)
        length += 4;
    return text[length] == ',' && is_digit(text[length + 1]) ? 0 : length;
}

static double value_of(const char *text, size_t length, char drop, char mark)
{
    struct text_buffer plain = {0};
    double value = NAN;

    for (size_t i = 0; i < length; i++)
        if (text[i] != drop)
            text_add_bytes(&plain, text[i] == mark ? "." : text + i, 1);
    if (number_parse_double(plain.items, plain.count, &value) != NUMBER_OK)
        value = NAN;
    array_free(&plain);
    return value;
}

static struct written read_number(const char *text)
{
    struct written number = {.other = NAN, .whole = true};
    size_t group = grouped(text), whole = group > digits(text) ? group : digits(text);

    number.length = whole;
    if ((text[whole] == '.' || (text[whole] == ',' && whole == digits(text))) && is_digit(text[whole + 1]) &&
        /* "1.8.0" is a version: its parts are numbers of their own */
        !(text[whole + 1 + digits(text + whole + 1)] == '.' &&
          is_digit(text[whole + 2 + digits(text + whole + 1)]))) {
        number.decimals = (int)digits(text + whole + 1);
        number.length += 1 + (size_t)number.decimals;
        number.whole = false;
    }
    number.value = text[whole] == ',' && !number.whole ? value_of(text, number.length, 0, ',')
                                                       : value_of(text, number.length, ',', '.');
    if (group > digits(text) && group == digits(text) + 4 && number.whole) {
        number.other = value_of(text, number.length, 0, ','); /* "92,400" may be 92.4 */
        number.other_decimals = 3;
    }
    return number;
}

/* Letters and digits of any script, and what joins them into one name. */
static bool is_name_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_letter(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

/* "2025-11-26T18:05": the 18 is a number, not part of a name. */
static bool is_time_of_day(const char *text, const char *at)
{
    return at - text >= 2 && at[-1] == 't' && is_digit(at[-2]);
}

static void add_text(struct known *known, const char *text)
{
    char *copy = lower(text);

    for (const char *at = copy; *at;) {
        struct written number;

        if (!is_digit(*at)) {
            at++;
            continue;
        }
        number = read_number(at);
        if ((at == copy || !is_letter(at[-1]) || is_time_of_day(copy, at)) && isfinite(number.value))
            array_push(&known->numbers, number.value);
        at += number.length;
    }
    text_add_print(&known->texts, "\n%s\n", copy);
    free(copy);
}

static void learn(struct known *known, const struct json *value)
{
    double number;

    if (json_number(value, &number))
        array_push(&known->numbers, number);
    if (json_text(value))
        add_text(known, json_text(value));
    if (json_kind(value) != JSON_ARRAY && json_kind(value) != JSON_OBJECT)
        return;
    for (const struct json *item = json_first(value); item; item = json_next(item)) {
        if (json_kind(value) == JSON_OBJECT)
            text_add_print(&known->texts, "\n%s\n", json_name(item)); /* "p99_ms": no number, but a name */
        learn(known, item);
    }
}

static bool rounds_to(const struct known *known, double value, int decimals, double factor)
{
    double step = pow(10, -decimals), slack = step * 1e-6;

    for (size_t i = 0; i < known->numbers.count; i++)
        if (fabs(fabs(known->numbers.items[i]) * factor - value) <= step / 2 + slack)
            return true;
    return false;
}

static bool is_percent(const char *behind)
{
    return behind[strspn(behind, " ")] == '%';
}

static bool has_number(const struct known *known, const struct written *number, const char *behind)
{
    if (number->whole && (number->value < 10 || (number->value >= 1900 && number->value <= 2100)))
        return true;
    if (rounds_to(known, number->value, number->decimals, 1))
        return true;
    if (isfinite(number->other) && rounds_to(known, number->other, number->other_decimals, 1))
        return true;
    return is_percent(behind) && rounds_to(known, number->value, number->decimals, 100);
}

/* Whether the text has the word with nothing more of a name around it. */
static bool has_word(const struct known *known, const char *word, size_t length)
{
    char *copy = memory_copy_bytes(word, length);
    bool found = false;

    for (const char *at = known->texts.items; at && !found && (at = strstr(at, copy)); at++)
        found = !isalnum((unsigned char)at[-1]) && !isalnum((unsigned char)at[length]);
    free(copy);
    return found;
}

/* The name around a number: from its first letter or digit to the last one, with what joins them. */
static void name_around(const char *text, const char *number, size_t length, const char **ret_begin,
                        const char **ret_end)
{
    const char *begin = number, *end = number + length;

    while (begin > text &&
           ((is_name_byte(begin[-1]) && (unsigned char)begin[-1] < 0x80) ||
            (begin - 1 > text && strchr("-.", begin[-1]) && isalnum((unsigned char)begin[-2]))))
        begin--;
    while ((is_name_byte(*end) && (unsigned char)*end < 0x80) ||
           (*end && strchr("-.", *end) && isalnum((unsigned char)end[1])))
        end++;
    *ret_begin = begin;
    *ret_end = end;
}

static bool is_part_of_name(const struct known *known, const char *text, const char *number, size_t length)
{
    const char *begin, *end;

    name_around(text, number, length, &begin, &end);
    for (const char *at = begin; at < end; at++)
        if (is_letter(*at) || *at == '.' || *at == '-')
            return has_word(known, begin, (size_t)(end - begin));
    return false;
}

char *summary_mark_numbers(const char *text, const struct json *payload, size_t *ret_marked)
{
    char *readable = narrow(text), *copy = lower(text);
    struct text_buffer out = {0};
    struct known known = {0};

    *ret_marked = 0;
    text_add(&known.texts, "\n");
    text_add(&out, "");
    learn(&known, payload);
    for (const char *at = copy; *at;) {
        struct written number = {.length = 1};
        bool fine = true;

        if (is_digit(*at)) {
            number = read_number(at);
            fine = is_part_of_name(&known, copy, at, number.length) ||
                   ((at == copy || !is_letter(at[-1])) && has_number(&known, &number, at + number.length));
        }
        text_add_bytes(&out, readable + (at - copy), number.length);
        if (!fine) {
            text_add(&out, " " SUMMARY_MARK);
            ++*ret_marked;
        }
        at += number.length;
    }
    array_free(&known.numbers);
    array_free(&known.texts);
    free(readable);
    free(copy);
    return text_take(&out);
}
