/*
 * The two wiki-like languages of escape_add(); only for escape.c.
 */
#ifndef STUTTERSCOPE_TICKET_ESCAPE_MARKUP_H
#define STUTTERSCOPE_TICKET_ESCAPE_MARKUP_H

#include "stutterscope/base/text.h"

void escape_add_markdown(struct text_buffer *buffer, const char *text);
void escape_add_jira(struct text_buffer *buffer, const char *text);

#endif
