/*
 * What the terminal can show, as far as a screen has to know: only pictures do, everything else is drawn in roles.
 */
#ifndef STUTTERSCOPE_VIEW_DISPLAY_H
#define STUTTERSCOPE_VIEW_DISPLAY_H

#include "stutterscope/photo/photo.h"
#include "stutterscope/view/theme.h"

struct display {
    enum colour_depth depth;
    enum photo_protocol protocol;
    int cell_width, cell_height; /* pixels; 0: not known */
};

#endif
