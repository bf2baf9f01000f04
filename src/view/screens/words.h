/*
 * Figures as the screens word them: a fixed number of decimals, so that columns stand under each other. Unknown is "".
 */
#ifndef STUTTERSCOPE_VIEW_SCREENS_WORDS_H
#define STUTTERSCOPE_VIEW_SCREENS_WORDS_H

#include <stddef.h>
#include <stdint.h>

/* Returned by value, so that word_ms(x).text can stand in the arguments of a call. */
struct word {
    char text[64];
};

struct word word_ms(int64_t ns);       /* "92.4" */
struct word word_delta_ms(int64_t ns); /* "+60.8" */
struct word word_number(double value, int decimals);
struct word word_share(int64_t part, int64_t whole); /* "4/5" */
struct word word_build(const char *name);            /* "(418)" of "1.7.9(418)"; names without brackets as they are */
struct word word_seconds(int64_t ns);                /* "0.78 s" */
struct word word_time(int64_t ns);                   /* "3:04.3" */
struct word word_time_exact(int64_t ns);             /* "3:04.325", rounded down */
struct word word_grouped(int64_t value);             /* "12 345" */

#endif
