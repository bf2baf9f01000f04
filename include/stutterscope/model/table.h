/*
 * A table of typed cells: what every verb prints and every list on a screen shows. Text, CSV and JSON come from the
 * same table, so that they can never differ.
 */
#ifndef STUTTERSCOPE_MODEL_TABLE_H
#define STUTTERSCOPE_MODEL_TABLE_H

#include "stutterscope/base/json.h"
#include "stutterscope/base/telemetry.h"
#include <stdbool.h>
#include <stddef.h>

enum cell_kind {
    CELL_NULL,    /* unknown: null in JSON, empty in CSV, "–" for people */
    CELL_TEXT,
    CELL_INTEGER,
    CELL_SCALED,  /* integer of ns, shown in ms with as many decimals as needed */
    CELL_REAL,    /* shown with at most six decimals */
    CELL_BOOL,
    CELL_JSON     /* a list or object, owned */
};

struct cell {
    enum cell_kind kind;
    union {
        char *text; /* owned */
        int64_t integer;
        double real;
        bool truth;
        struct json *json;
    };
};

enum column_use {
    COLUMN_SHOWN,      /* in text, CSV and JSON */
    COLUMN_DATA_ONLY   /* in CSV and JSON: too wide or too rare for people */
};

struct table_column {
    const char *name;  /* JSON and CSV name, with unit */
    const char *title; /* for people; short */
    enum column_use use;
};

struct table {
    const char *schema; /* "stats": becomes "stutterscope.stats/1" */
    const struct table_column *columns;
    struct table_column *owned_columns; /* the same, when they are known only now; freed with the table */
    size_t column_count;
    struct cell *cells; /* rows x column_count */
    size_t row_count, row_capacity;
    struct json *head;  /* members beside "rows": build, baseline …; owned, may be NULL */
    char *message;      /* for people when there are no rows: why, and what to do; owned */
};

struct table *table_create(const char *schema, const struct table_column *columns, size_t column_count);
void table_destroy(struct table *table);
/* Appends a row of nulls and returns its cells. Valid until the next call. */
struct cell *table_add_row(struct table *table);
struct cell *table_cell(const struct table *table, size_t row, size_t column);
/* Sorts rows by the named column (stable; unknown last in both directions); false when there is no such column. */
bool table_sort(struct table *table, const char *column, bool descending);
void table_limit(struct table *table, size_t rows); /* 0: all */

void cell_set_text(struct cell *cell, const char *text); /* NULL: unknown. Cleaned. */
void cell_set_integer(struct cell *cell, int64_t value); /* VALUE_UNKNOWN: unknown */
void cell_set_ns(struct cell *cell, int64_t ns);         /* VALUE_UNKNOWN: unknown */
void cell_set_real(struct cell *cell, double value);     /* not finite: unknown */
void cell_set_real_ns(struct cell *cell, double ns);     /* a mean or median: shown in ms */
void cell_set_bool(struct cell *cell, bool value);
void cell_set_json(struct cell *cell, struct json *json);

void cell_clear(struct cell *cell); /* releases what it owns: unknown from now on */

struct json *cell_to_json(const struct cell *cell);
/* What people and CSV see of a cell; a new string; unknown is "". */
char *cell_to_text(const struct cell *cell);
/* {"schema": …, head members …, "rows": […]} */
struct json *table_to_json(const struct table *table);

#endif
