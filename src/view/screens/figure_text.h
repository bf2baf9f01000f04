/*
 * Figures as the screens word them: a fixed number of decimals, so that columns stand under each other.
 * Unknown is "".
 */
#ifndef STUTTERSCOPE_VIEW_SCREENS_FIGURE_TEXT_H
#define STUTTERSCOPE_VIEW_SCREENS_FIGURE_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Returned by value, so that figure_ms(x).text can stand in the arguments of a call. */
struct figure_text {
    char text[64];
};

struct figure_text figure_ms(int64_t ns);       /* "92.4" */
struct figure_text figure_delta_ms(int64_t ns); /* "+60.8" */
struct figure_text figure_number(double value, int decimals);
struct figure_text figure_share(int64_t part, int64_t whole); /* "4/5" */
struct figure_text
figure_build(const char *name); /* "(418)" of "1.7.9(418)"; names without brackets as they are */
struct figure_text figure_seconds(int64_t ns);    /* "0.78 s" */
struct figure_text figure_time(int64_t ns);       /* "3:04.3" */
struct figure_text figure_time_exact(int64_t ns); /* "3:04.325", rounded down */
struct figure_text figure_grouped(int64_t value); /* "12 345" */

#endif
