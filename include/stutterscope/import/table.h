/*
 * Rows of separated fields: which separator, quotes as RFC 4180 has them and as people write them, header
 * names.
 */
#ifndef STUTTERSCOPE_IMPORT_TABLE_H
#define STUTTERSCOPE_IMPORT_TABLE_H

#include "stutterscope/import/input.h"

struct table_field {
    const char *text; /* unquoted, outer blanks of unquoted fields trimmed; not NUL-terminated */
    size_t length;
    const char *begin; /* where it begins in the line */
};
struct table_row {
    struct table_field *items;
    size_t count, capacity;
    bool open_quote; /* the last field began with a quote that the line does not close */
    bool bad_quote;  /* text after a closing quote: the field was taken as it stands */
    char *scratch;   /* unquoted text */
    size_t scratch_capacity;
};

/* The most frequent of , ; tab | outside of quotes; 0 when there is none. */
char table_find_separator(const char *line, size_t length);
/* "sep=;" as spreadsheets write it in the first line: the separator; 0: it is something else. */
char table_sep_line(const char *line, size_t length);
void table_split(const char *line, size_t length, char separator, struct table_row *ret);
void table_row_free(struct table_row *row);
/* Is the line empty but for blanks and separators? */
bool table_line_is_blank(const char *line, size_t length, char separator);
/*
 * Splits the line; while a quoted field stays open, joins following lines. When that leads nowhere (no
 * closing quote soon, or text after it) the line is cut back to its first physical line and ret->open_quote
 * stays set.
 */
void table_read_row(struct import_input *input, struct import_line *line, char separator,
                    struct table_row *ret);
/* The column of that name (blanks and ASCII case do not matter); -1. */
int table_find_column(const struct table_row *header, const char *name);
/* "a, b, c" for messages, cut after some; a new string. */
char *table_names(const struct table_row *header);
bool table_field_equals(const struct table_field *field, const char *name);

/*
 * Has the number in the field (the last one of a line without a line end) as many decimals, one at least, as all numbers
 * of its column in the sample? Then it is whole. header_line: number of the header.
 */
bool table_decimals_are_fixed(const struct import_sample *sample, char separator, int64_t header_line, size_t column,
                              const struct table_field *field);

/* The first line of the sample that is not blank, a "sep=" line, or begins with one of the given marks ("#",
 * "//"). */
bool table_sample_header(const struct import_sample *sample, const char *comment, struct table_row *ret);

#endif
