/*
 * The canonical CSV reader's inside: csv.c reads the header and the rows with all their oddities, csv_fast.c the
 * plain rows, which are nearly all of them.
 */
#ifndef IMPORT_CSV_H
#define IMPORT_CSV_H

#include "stutterscope/import/batch.h"
#include "stutterscope/import/columns.h"
#include "stutterscope/import/reader.h"
#include "stutterscope/import/table.h"

/* Neighbouring context columns: their bytes together, separators included, stand for their values. */
struct csv_text_run {
    size_t first, count; /* columns */
    struct dictionary *variants; /* of the bytes; ids from 1 on */
    struct { uint32_t *items; size_t count, capacity; } ids; /* count per variant */
    char *last; /* bytes of the row before */
    size_t last_length, last_capacity;
    uint32_t last_variant;
};

/* A text column that belongs to frames (event): the last text and its id. */
struct csv_text_column {
    char last[64];
    size_t last_length;
    uint32_t last_id;
};

enum csv_step_kind { CSV_NUMBER, CSV_TEXT, CSV_RUN, CSV_SKIP };
struct csv_step {
    enum csv_step_kind kind;
    int column;     /* enum frame_column */
    bool required;
    int64_t scale;
    int digits; /* scale is 10^digits; -1: it is no power of ten */
    size_t count;   /* CSV_SKIP: fields */
    struct csv_text_run *run;
};

struct csv {
    const struct import_reader *reader;
    struct frame_batch batch;
    char separator;
    struct table_row row;
    int64_t header_line;
    struct column_target *columns;
    size_t column_count;
    struct { struct csv_step *items; size_t count, capacity; } steps;
    bool fast; /* all columns can be read by csv_fast_row() */
    struct csv_text_run runs[CONTEXT_COUNT];
    size_t run_count;
    uint32_t variants[CONTEXT_COUNT + 1], last_variants[CONTEXT_COUNT + 1]; /* per run */
    struct dictionary *tuples;     /* of variants: the contexts */
    struct { struct import_context *items; size_t count, capacity; } contexts;
    uint32_t context_base; /* contexts of earlier headers */
    struct csv_text_column texts[COLUMN_COUNT];
    bool broken_text, told_broken, told_long;
    int64_t frames, rows;
};

/* Reads the line [text, end), '\n' at end. 1: taken, 0: not plain, let csv.c see it; -1: the sink failed. */
int csv_fast_row(struct csv *csv, const char *text, const char *end, int64_t line, struct error *error);
/* The context that belongs to csv->variants. */
bool csv_set_context(struct csv *csv, struct error *error);
/* The variant of a run whose bytes [begin, end) were not those of the row before. */
uint32_t csv_find_variant(struct csv *csv, struct csv_text_run *run, const char *begin, const char *end);
/* Registers the fields of a new variant. */
uint32_t csv_add_variant(struct csv *csv, struct csv_text_run *run, const char *begin, const char *end,
                         const struct table_field *fields);
int64_t csv_text_id(struct csv *csv, int column, const char *text, size_t length);

#endif
