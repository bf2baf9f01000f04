/*
 * A screenshot over the whole terminal, any key closes it: as graphics where the terminal takes them, else as coloured
 * half blocks, else as characters. It is decoded in steps while keys are obeyed.
 */
#ifndef STUTTERSCOPE_VIEW_PHOTO_SCREEN_H
#define STUTTERSCOPE_VIEW_PHOTO_SCREEN_H

#include "stutterscope/photo/photo.h"
#include "stutterscope/view/screen.h"
#include "stutterscope/view/session.h"

/* NULL with an error when the file cannot be shown, in words for people. `title`: what it is a picture of. */
struct screen *photo_screen_open(const char *path, const char *title, const struct display *display, struct error *error);

#endif
