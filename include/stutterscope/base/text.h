/*
 * Text from outside: cleaning, terminal columns, cutting and padding. The only place that counts columns.
 */
#ifndef STUTTERSCOPE_BASE_TEXT_H
#define STUTTERSCOPE_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Makes text harmless for terminal, ticket and JSON: broken UTF-8 becomes U+FFFD, control characters (C0, C1, DEL),
 * bidi overrides and isolates, zero-width and line-separator characters become U+FFFD or are dropped (zero-width).
 * Tab and newline become a blank. Returns a new string.
 */
char *text_clean(const char *bytes, size_t size);
/* The same, but keeps '\n' (and '\t' as blank): for templates and notes. */
char *text_clean_lines(const char *bytes, size_t size);
bool text_is_valid_utf8(const char *bytes, size_t size);

/* Decodes the code point at text (valid or not: broken bytes give U+FFFD), returns its length in bytes, 0 at NUL. */
size_t text_decode(const char *text, uint32_t *ret_code_point);
size_t text_encode(uint32_t code_point, char buffer[4]);

/* Length as trackers count it: UTF-16 units. */
size_t text_units(const char *text);

/* Columns that a terminal needs for clean text (wcwidth of its grapheme bases; combining marks take none). */
size_t text_width(const char *text);
size_t text_character_width(uint32_t code_point);
/* Bytes of the longest prefix that fits into `columns` columns without splitting a character; *ret_width its width. */
size_t text_fit(const char *text, size_t columns, size_t *ret_width);

/* New string of at most `columns` columns; when something was cut it ends with the mark ("…" or "~"). */
char *text_cut_end(const char *text, size_t columns, const char *mark);
/* Cut at the last '_' or blank that fits, else in the middle: names that share a prefix stay different. */
char *text_cut_middle(const char *text, size_t columns, const char *mark);

/* Shell-style globs (* ? [..]) without regard to case; used for event lists. */
bool text_matches_glob(const char *pattern, const char *text);
bool text_equals_ignoring_case(const char *a, const char *b);
bool text_ends_with(const char *text, const char *ending); /* without regard to case, and with something before it */
/* Natural version order: numbers inside compare by value: "1.8.0(99)" < "1.8.0(421)". */
int text_compare_natural(const char *a, const char *b);
/* Edit distance (capped at 100), for "did you mean". */
size_t text_distance(const char *a, const char *b);

/* "" or "s": the end of an English word for things that are counted. */
const char *text_plural(int64_t count);

/* A growable string. */
struct text_buffer {
    char *items; /* always NUL-terminated once anything was added */
    size_t count, capacity;
};
void text_add(struct text_buffer *buffer, const char *text);
void text_add_bytes(struct text_buffer *buffer, const char *bytes, size_t size);
__attribute__((format(printf, 2, 3))) void text_add_print(struct text_buffer *buffer, const char *format, ...);
/* snprintf() that never cuts inside a character: for names in buffers of a fixed size. */
__attribute__((format(printf, 3, 0))) void text_print_list(char *buffer, size_t size, const char *format, va_list arguments);
__attribute__((format(printf, 3, 4))) void text_print(char *buffer, size_t size, const char *format, ...);
/* Hands the string over to the caller (never NULL) and empties the buffer. */
char *text_take(struct text_buffer *buffer);

#endif
