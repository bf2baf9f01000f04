/*
 * The canonical CSV reader's inside: csv_header.c finds the columns, csv_fast.c reads plain rows, which are
 * nearly all of them, csv.c those with oddities, csv_context.c remembers contexts, csv_begin.c finds where the table begins.
 */
#ifndef IMPORT_CSV_H
#define IMPORT_CSV_H

#include "alike.h"
#include "sample_row.h"
#include "stutterscope/import/batch.h"
#include "stutterscope/import/columns.h"
#include "stutterscope/import/reader.h"
#include "stutterscope/import/table.h"

/* Neighbouring context columns: their bytes together, separators included, stand for their values. */
struct csv_text_run {
    size_t first, count; /* columns */
};

/* One combination of the bytes of all runs. */
struct csv_context {
    struct import_context context;
    uint64_t hash;
    char *key;       /* the bytes of all runs, one after the other */
    size_t *ends;    /* in key, per run */
    bool is_one_line; /* no quoted text in it goes over several */
    size_t follower; /* the context that came after this one last: interleaved logs repeat their order */
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
    int column; /* enum frame_column */
    bool required;
    int64_t scale;
    int digits;   /* scale is 10^digits; -1: it is no power of ten */
    size_t count; /* CSV_SKIP: fields */
    size_t run;
};

struct csv {
    const struct import_reader *reader;
    struct frame_batch batch;
    char separator;
    struct table_row row;
    int64_t header_line;
    struct column_target *columns;
    size_t column_count;
    struct {
        struct csv_step *items;
        size_t count, capacity;
    } steps;
    bool fast; /* all columns can be read by csv_fast_rows() */
    struct csv_text_run runs[CONTEXT_COUNT];
    size_t run_count;
    const char *begins[CONTEXT_COUNT], *ends[CONTEXT_COUNT]; /* of the runs in the row that is read */
    struct {
        struct csv_context *items;
        size_t count, capacity;
    } contexts;
    size_t current;  /* context of the row before; SIZE_MAX: none */
    struct alike alike; /* a row of the current context */
    size_t guess;    /* context that the next row probably has: the follower of current */
    uint32_t *slots; /* hash table: positions in contexts + 1 */
    size_t slot_count;
    uint32_t context_base; /* contexts of earlier headers */
    struct csv_text_column texts[COLUMN_COUNT];
    bool broken_text, told_broken, told_long;
    int64_t frames, rows;
    bool told_facts, has_clock;
    bool takes_samples; /* rows with a name or category are values beside frames */
    int64_t samples;
    struct sample_rows_left left;
    struct dictionary *words; /* names and units of samples; NULL: none yet */
    uint64_t header_hash; /* of a header with guessed columns, to know it again */
};

/*
 * Reads the lines [*at, end), the first of which is *line; end stands behind a '\n', and 16 bytes more can be looked at. 1: all
 * were taken; 0: *at is a line that is not plain, let csv.c see it; -1: the sink failed.
 */
int csv_fast_rows(struct csv *csv, const char **at, const char *end, int64_t *line, struct error *error);
/* csv_begin.c: reads up to the header and takes it; how sure it is that a text is such a table. */
bool csv_find_header(struct csv *csv, struct error *error);
int csv_detect(const struct import_sample *sample, const struct import_options *options, struct error *refusal);
/* csv->row is a header: from here on columns are found by it. */
bool csv_take_header(struct csv *csv, int64_t line, struct error *error);
void csv_forget_header(struct csv *csv);
/* A row that names the frame time and most of the other columns is the header again (logs are appended to).
 */
bool csv_looks_like_header(const struct csv *csv);
/* Without stamp, frame time, build, device and scene there is no frame. */
bool csv_is_required(const struct column_target *target);
/* What to do from left to right in a plain row; again when a column changed. */
void csv_plan_steps(struct csv *csv);
/* Tells the sink; frees the text. */
void csv_note(struct csv *csv, char *text);

/* Finds the context of csv->begins and csv->ends; false: not seen before. */
bool csv_find_context(struct csv *csv, size_t *ret);
/* The fields of csv->row as a new context. */
size_t csv_add_context(struct csv *csv);
/* Frames from here on belong to it. */
bool csv_enter_context(struct csv *csv, size_t context, struct error *error);
int64_t csv_text_id(struct csv *csv, int column, const char *text, size_t length);

#endif
