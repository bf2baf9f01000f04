/*
 * Rows of a table as structs: one list of fields serves SELECT and INSERT, so that the two cannot drift
 * apart.
 */
#ifndef STUTTERSCOPE_STORE_ROW_H
#define STUTTERSCOPE_STORE_ROW_H

#include "stutterscope/base/text.h"
#include <sqlite3.h>
#include <stddef.h>

enum row_kind {
    ROW_INTEGER, /* int64_t; NULL is VALUE_UNKNOWN */
    ROW_BOOL,
    ROW_INT,  /* int, unsigned or an enum */
    ROW_REAL, /* double; NULL is NaN */
    ROW_TEXT, /* char *, owned; NULL is NULL */
    ROW_NAME  /* the same of a column that is never NULL: where it is, the store is damaged, and it reads as that */
};
struct row_field {
    const char *column; /* or an expression, where it is only read */
    enum row_kind kind;
    size_t offset;
};
/* A member that is named as its column. */
#define ROW_FIELD(row, column, kind)                                                                         \
    {                                                                                                        \
#column, kind, offsetof(struct row, column)                                                          \
    }
#define ROW_COUNT(fields) (sizeof(fields) / sizeof *(fields))

/* "a, b, c" */
void row_add_columns(struct text_buffer *sql, const struct row_field *fields, size_t count);
/* ", ?, ?, ?" */
void row_add_marks(struct text_buffer *sql, size_t count);
/* Texts must stay valid until the statement was run. */
void row_bind(sqlite3_stmt *query, int first, const struct row_field *fields, size_t count, const void *row);
void row_read(sqlite3_stmt *query, int first, const struct row_field *fields, size_t count, void *row);
void row_free_texts(const struct row_field *fields, size_t count, void *row);

#endif
