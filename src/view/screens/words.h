/*
 * Small wordings that several screens share: short builds, figures with few decimals, dates.
 */
#ifndef STUTTERSCOPE_VIEW_SCREENS_WORDS_H
#define STUTTERSCOPE_VIEW_SCREENS_WORDS_H

#include "stutterscope/model/model.h"
#include <stddef.h>

/* A buffer that lives as long as the expression: word_ms(x).text as an argument of a print. */
struct word {
    char text[96];
};

/* At most so many decimals, no trailing zeros; "?" for what is not known. */
struct word word_number(double value, int decimals);
struct word word_signed(double value, int decimals); /* "+60.8", "-3", "0" */
struct word word_with_decimal(struct word number);   /* "3.0" for "3": columns stand under each other */
struct word word_ms(int64_t ns);                     /* ms with one decimal */
struct word word_count(int64_t count);
/* "(421)" of "1.8.0(421)", else the whole name; "?" for 0. */
struct word word_short_build(const struct model *model, int64_t build);
/* "27 Nov 02:10", UTC; "" when not known. */
struct word word_date(int64_t ms);
struct word word_duration(int64_t ns); /* "63 min", "12 s" */
/* The mark of the finding, as drawn by ROLE_DECIDE, ROLE_DONE, ROLE_WAIT, ROLE_GOOD. */
unsigned word_mark_style(char mark);

#endif
