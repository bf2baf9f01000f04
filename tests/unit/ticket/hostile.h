/*
 * Names made of what Markdown looks for, and reading what a renderer made of them.
 */
#ifndef STUTTERSCOPE_TESTS_UNIT_TICKET_HOSTILE_H
#define STUTTERSCOPE_TESTS_UNIT_TICKET_HOSTILE_H

#include "stutterscope/base/text.h"

/* Adds one; the same ones in every run. */
void make_hostile_name(uint32_t *state, struct text_buffer *name);
/* Markdown as cmark-gfm with the extensions of GitHub renders it. */
char *run_cmark(const char *markdown);
bool has_cmark(void);
/* What a browser shows of text without tags; false at any tag. */
bool decode_html(const char *html, size_t length, struct text_buffer *text);
/* What later passes of GitHub and GitLab look for in the decoded text. */
bool has_reference(const char *text);
/* The value as it must show: line ends and tabs as blanks. */
char *flatten(const char *value);
char *remove_breaks(const char *text);

#endif
