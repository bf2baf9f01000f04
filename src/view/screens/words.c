#include "words.h"

#include "stutterscope/base/clock.h"
#include "stutterscope/base/number.h"
#include "stutterscope/base/text.h"
#include "stutterscope/view/theme.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHORT_BUILD_COLUMNS 20

struct word word_number(double value, int decimals)
{
    struct word word = {""};

    if (isfinite(value))
        number_print_double(word.text, sizeof word.text, value, decimals);
    else
        snprintf(word.text, sizeof word.text, "?");
    return word;
}

struct word word_signed(double value, int decimals)
{
    struct word number = word_number(value, decimals), word = number;

    if (isfinite(value) && value > 0 && strcmp(number.text, "0") != 0)
        snprintf(word.text, sizeof word.text, "+%.90s", number.text);
    return word;
}

struct word word_with_decimal(struct word number)
{
    size_t length = strlen(number.text);

    if (!strchr(number.text, '.'))
        snprintf(number.text + length, sizeof number.text - length, ".0");
    return number;
}

struct word word_ms(int64_t ns)
{
    return word_number(ns == VALUE_UNKNOWN ? NAN : (double)ns / NS_PER_MS, 1);
}

struct word word_count(int64_t count)
{
    return word_number(count == VALUE_UNKNOWN ? NAN : (double)count, 0);
}

struct word word_short_build(const struct model *model, int64_t build)
{
    const char *name = model_build_name(model, build);
    const char *open = name ? strrchr(name, '(') : NULL;
    struct word word = {""};

    /* Nightly builds differ in the end of their names. */
    if (open && open > name && open[1] && name[strlen(name) - 1] == ')' && strlen(open) < sizeof word.text)
        snprintf(word.text, sizeof word.text, "%s", open);
    else {
        char *shorter = text_cut_middle(name ? name : "?", SHORT_BUILD_COLUMNS, "…");

        text_print(word.text, sizeof word.text, "%s", shorter);
        free(shorter);
    }
    return word;
}

struct word word_date(int64_t ms)
{
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    char iso[40];
    struct word word = {""};

    clock_print(iso, sizeof iso, ms); /* 2024-03-01T02:10:00Z */
    if (ms == VALUE_UNKNOWN || strlen(iso) < 16)
        return word;

    int month = atoi(iso + 5);

    snprintf(word.text, sizeof word.text, "%d %s %.5s", atoi(iso + 8),
             months[month >= 1 && month <= 12 ? month - 1 : 0], iso + 11);
    return word;
}

struct word word_duration(int64_t ns)
{
    struct word word = {""};
    int64_t seconds = ns / NS_PER_S;

    if (seconds < 100)
        snprintf(word.text, sizeof word.text, "%lld s", (long long)seconds);
    else
        snprintf(word.text, sizeof word.text, "%lld min", (long long)((seconds + 30) / 60));
    return word;
}

unsigned word_mark_style(char mark)
{
    switch (mark) {
    case '*':
    case '^':
    case '!':
    case '?':
        return ROLE_DECIDE | STYLE_BOLD;
    case '=':
    case '#':
        return ROLE_DONE;
    case '\'':
        return ROLE_WAIT;
    case 'v':
        return ROLE_GOOD;
    default:
        return ROLE_CHROME;
    }
}
