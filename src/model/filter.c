/* From text to terms. */
#include "filter_parts.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/number.h"
#include "stutterscope/base/text.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_TERMS = 32 };

struct parser {
    const char *text;
    size_t at;
    struct filter *filter;
    struct error *error;
    size_t fault_at, fault_length;
};

static bool refuse(struct parser *parser, size_t at, size_t length, const char *expected)
{
    enum { SHOWN = 40 };
    char *found = text_clean(parser->text + at, length), *shown = text_cut_end(found, SHOWN, "…");

    parser->fault_at = at;
    parser->fault_length = length;
    if (length)
        error_set(parser->error, ERROR_USAGE, "expected %s, found \"%s\"", expected, shown);
    else
        error_set(parser->error, ERROR_USAGE, "expected %s", expected);
    free(found);
    free(shown);
    return false;
}

static void skip_blanks(struct parser *parser)
{
    parser->at += strspn(parser->text + parser->at, " \t");
}

/* A quoted or plain text up to one of the signs; NULL when a quote is not closed (said already). */
static char *take_value(struct parser *parser, const char *ends)
{
    struct text_buffer value = {0};
    size_t begin = parser->at;

    text_add(&value, "");
    if (parser->text[parser->at] != '"') {
        size_t length = strcspn(parser->text + parser->at, ends);

        text_add_bytes(&value, parser->text + parser->at, length);
        parser->at += length;
        return text_take(&value);
    }
    for (parser->at++; parser->text[parser->at] != '"'; parser->at++) {
        if (parser->text[parser->at] == '\0') {
            array_free(&value);
            refuse(parser, begin, strlen(parser->text + begin), "a quote at the end");
            return NULL;
        }
        text_add_bytes(&value, parser->text + parser->at, 1);
    }
    parser->at++;
    return text_take(&value);
}

static bool is_fixed_word(enum filter_key key, const char *value)
{
    for (size_t i = 0; filter_fixed_word(key, i); i++)
        if (filter_fixed_fits(value, filter_fixed_word(key, i)))
            return true;
    return strcasecmp(value, "none") == 0;
}

static bool check_value(struct parser *parser, enum filter_key key, const char *value, size_t at)
{
    const struct filter_key_info *info = filter_key_info(key);

    if (*value == '\0') {
        char *expected = memory_print("a value behind \"%s:\" (%s)", info->name, info->help);

        refuse(parser, at, 0, expected);
        free(expected);
        return false;
    }
    if (filter_fixed_word(key, 0) && !is_fixed_word(key, value)) {
        char *expected = memory_print("a %s (%s)", info->name, info->help);

        refuse(parser, at, parser->at - at, expected);
        free(expected);
        return false;
    }
    return true;
}

static bool parse_values(struct parser *parser, struct filter_term *term)
{
    for (;;) {
        size_t at = parser->at;
        char *value = take_value(parser, " \t,");

        if (!value)
            return false;
        array_push(&term->values, value);
        if (!check_value(parser, term->key, value, at))
            return false;
        if (parser->text[parser->at] != ',')
            return true;
        parser->at++;
    }
}

static bool parse_number(struct parser *parser, struct filter_term *term)
{
    static const struct {
        const char *sign;
        enum filter_operator operator;
    } signs[] = {{">=", FILTER_GREATER_EQUAL}, {"<=", FILTER_LESS_EQUAL}, {">", FILTER_GREATER},
                 {"<", FILTER_LESS},           {"=", FILTER_EQUAL},       {":", FILTER_EQUAL}};
    int64_t micro = 0;

    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strncmp(parser->text + parser->at, signs[i].sign, strlen(signs[i].sign)) == 0) {
            term->operator= signs[i].operator;
            parser->at += strlen(signs[i].sign);
            break;
        }

    size_t length = strcspn(parser->text + parser->at, " \t");

    if (!length || number_parse_scaled(parser->text + parser->at, length, 1000000, false, &micro) != NUMBER_OK)
        return refuse(parser, parser->at, length, "a number");
    term->number = (double)micro / 1e6;
    parser->at += length;
    return true;
}

static bool parse_key(struct parser *parser, struct filter_term *term, size_t length)
{
    size_t at = parser->at;
    char sign = parser->text[at + length];

    term->key = filter_key_by_name(parser->text + at, length);
    if (term->key == FILTER_KEY_COUNT) {
        struct text_buffer names = {0};

        for (int key = FILTER_WORD + 1; key < FILTER_KEY_COUNT; key++)
            text_add_print(&names, "%s%s", key > FILTER_WORD + 1 ? " " : "one of ", filter_key_info((enum filter_key)key)->name);
        text_add_print(&names, " before \"%c\" (or quotes around it)", sign);
        refuse(parser, at, length, names.items);
        array_free(&names);
        return false;
    }
    parser->at += length;
    if (filter_key_info(term->key)->number)
        return parse_number(parser, term);
    if (sign != ':')
        return refuse(parser, at, length, "a number such as severity or peak before < = >");
    parser->at++;
    return parse_values(parser, term);
}

static bool parse_term(struct parser *parser)
{
    struct filter_term term = {.key = FILTER_WORD, .at = parser->at};
    bool good;

    term.negated = parser->text[parser->at] == '-';
    parser->at += term.negated;

    size_t length = strcspn(parser->text + parser->at, ":<>= \t\"");
    char sign = parser->text[parser->at + length];

    if (sign && strchr(":<>=", sign))
        good = parse_key(parser, &term, length);
    else {
        char *word = take_value(parser, " \t");

        good = word != NULL;
        if (word)
            array_push(&term.values, word);
        if (word && *word == '\0')
            good = refuse(parser, term.at, parser->at - term.at, "a word behind the minus");
    }
    if (good && parser->text[parser->at] && !strchr(" \t", parser->text[parser->at]))
        good = refuse(parser, parser->at, strcspn(parser->text + parser->at, " \t"), "a blank behind the quote");
    term.length = parser->at - term.at;
    array_push(parser->filter, term);
    return good;
}

bool filter_parse(const char *text, struct filter **ret, size_t *ret_at, size_t *ret_length, struct error *error)
{
    struct filter *filter = memory_take_zeroed(1, sizeof *filter);
    struct parser parser = {.text = text, .filter = filter, .error = error};
    bool good = true;

    if (strlen(text) > FILTER_LONGEST) {
        parser.fault_at = FILTER_LONGEST;
        parser.fault_length = strlen(text) - FILTER_LONGEST;
        good = error_set(error, ERROR_USAGE, "expected at most %d bytes, found %zu", FILTER_LONGEST, strlen(text));
    }
    for (skip_blanks(&parser); good && text[parser.at]; skip_blanks(&parser)) {
        if (filter->count == MOST_TERMS)
            good = refuse(&parser, parser.at, strlen(text + parser.at), "no more than 32 terms");
        else
            good = parse_term(&parser);
    }
    if (!good) {
        if (ret_at)
            *ret_at = parser.fault_at;
        if (ret_length)
            *ret_length = parser.fault_length;
        filter_destroy(filter);
        return false;
    }

    size_t begin = strspn(text, " \t"), length = strlen(text + begin);

    while (length && strchr(" \t", text[begin + length - 1]))
        length--;
    filter->text = memory_copy_bytes(text + begin, length);
    *ret = filter;
    return true;
}

void filter_destroy(struct filter *filter)
{
    if (!filter)
        return;
    for (size_t i = 0; i < filter->count; i++) {
        for (size_t v = 0; v < filter->items[i].values.count; v++)
            free(filter->items[i].values.items[v]);
        array_free(&filter->items[i].values);
    }
    array_free(filter);
    free(filter->text);
    free(filter);
}

const char *filter_text(const struct filter *filter)
{
    return filter ? filter->text : "";
}

bool filter_is_empty(const struct filter *filter)
{
    return !filter || filter->count == 0;
}

bool filter_uses(const struct filter *filter, enum filter_key key)
{
    for (size_t i = 0; filter && i < filter->count; i++)
        if (filter->items[i].key == key)
            return true;
    return false;
}
