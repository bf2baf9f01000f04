/*
 * Questions that no verb answers: SELECT over the tables of a store and over its frames, unpacked as rows of the
 * virtual table "frame". Nothing can be written, no other file opened.
 */
#ifndef STUTTERSCOPE_STORE_SQL_H
#define STUTTERSCOPE_STORE_SQL_H

#include "stutterscope/base/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sql_kind { SQL_NULL, SQL_INTEGER, SQL_REAL, SQL_TEXT, SQL_BYTES };
struct sql_value {
    enum sql_kind kind;
    int64_t integer; /* SQL_BYTES: how many */
    double real;
    const char *text; /* as stored, not cleaned; valid during the call */
};
struct sql_sink {
    void *user;
    void (*columns)(void *user, const char *const *names, size_t count); /* once, before the rows */
    bool (*row)(void *user, const struct sql_value *values);             /* false: enough */
};
/* One statement. ERROR_USAGE for what is wrong with it, ERROR_STORE for damage. */
bool store_sql(const char *path, const char *sql, const struct sql_sink *sink, struct error *error);

#endif
