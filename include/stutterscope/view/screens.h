/*
 * The screens there are, in the order of their digits.
 */
#ifndef STUTTERSCOPE_VIEW_SCREENS_H
#define STUTTERSCOPE_VIEW_SCREENS_H

#include "stutterscope/view/screen.h"

extern const struct screen_type map_screen, queue_screen, frames_screen, trend_screen, cover_screen, ticket_screen,
    tune_screen;

#endif
