#include "row.h"
#include "database.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/telemetry.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

void row_add_columns(struct text_buffer *sql, const struct row_field *fields, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            text_add(sql, ", ");
        text_add(sql, fields[i].column);
    }
}

void row_add_marks(struct text_buffer *sql, size_t count)
{
    for (size_t i = 0; i < count; i++)
        text_add(sql, ", ?");
}

void row_bind(sqlite3_stmt *query, int first, const struct row_field *fields, size_t count, const void *row)
{
    for (size_t i = 0; i < count; i++) {
        const void *at = (const char *)row + fields[i].offset;
        int place = first + (int)i;
        switch (fields[i].kind) {
        case ROW_INTEGER:
            if (*(const int64_t *)at == VALUE_UNKNOWN)
                sqlite3_bind_null(query, place);
            else
                sqlite3_bind_int64(query, place, *(const int64_t *)at);
            break;
        case ROW_BOOL:
            sqlite3_bind_int(query, place, *(const bool *)at);
            break;
        case ROW_INT:
            sqlite3_bind_int64(query, place, *(const unsigned *)at);
            break;
        case ROW_REAL:
            sqlite3_bind_double(query, place, *(const double *)at);
            break;
        case ROW_TEXT:
        case ROW_NAME:
            sqlite3_bind_text(query, place, *(char *const *)at, -1, SQLITE_STATIC);
            break;
        }
    }
}

/* A value is looked up once for its type and itself. One thread uses a connection, so it needs no protection. */
void row_read(sqlite3_stmt *query, int first, const struct row_field *fields, size_t count, void *row)
{
    for (size_t i = 0; i < count; i++) {
        void *at = (char *)row + fields[i].offset;
        sqlite3_value *value = sqlite3_column_value(query, first + (int)i);
        switch (fields[i].kind) {
        case ROW_INTEGER:
            *(int64_t *)at =
                sqlite3_value_type(value) != SQLITE_NULL ? sqlite3_value_int64(value) : VALUE_UNKNOWN;
            break;
        case ROW_BOOL:
            *(bool *)at = sqlite3_value_int(value) != 0;
            break;
        case ROW_INT:
            *(unsigned *)at = (unsigned)sqlite3_value_int64(value);
            break;
        case ROW_REAL:
            *(double *)at = sqlite3_value_type(value) != SQLITE_NULL ? sqlite3_value_double(value) : NAN;
            break;
        case ROW_TEXT:
            *(char **)at = memory_copy_text((const char *)sqlite3_value_text(value));
            break;
        case ROW_NAME:
            *(char **)at = store_column_name(query, first + (int)i);
            break;
        }
    }
}

void row_free_texts(const struct row_field *fields, size_t count, void *row)
{
    for (size_t i = 0; i < count; i++)
        if (fields[i].kind == ROW_TEXT || fields[i].kind == ROW_NAME)
            free(*(char **)((char *)row + fields[i].offset));
}
