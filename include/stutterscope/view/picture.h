/*
 * A canvas as a picture for a chat, a ticket or a web page: self-contained, monospace text that can still be
 * selected, in the colours of a scheme; a theme of the configuration is shown as the scheme it is based on.
 */
#ifndef STUTTERSCOPE_VIEW_PICTURE_H
#define STUTTERSCOPE_VIEW_PICTURE_H

#include "stutterscope/view/canvas.h"

/* New strings. `title` is what the picture is called by readers of screens and by browsers. */
char *picture_svg(const struct canvas *canvas, enum scheme scheme, const char *title);
char *picture_html(const struct canvas *canvas, enum scheme scheme, const char *title);
/* By the ending of a file's name: .svg, .html and .htm; everything else gives the plain text. */
bool picture_is_name(const char *name); /* it gives more than plain text */
char *picture_for_file(const struct canvas *canvas, enum scheme scheme, const char *title, const char *name);

#endif
