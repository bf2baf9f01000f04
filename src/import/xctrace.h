/*
 * What the files xctrace*.c share: rows of the tables that `xctrace export` writes, and the frames that come of them.
 */
#ifndef IMPORT_XCTRACE_H
#define IMPORT_XCTRACE_H

#include "stutterscope/base/text.h"
#include "stutterscope/import/reader.h"

enum xct_table {
    XCT_OTHER,
    XCT_HITCHES,  /* frames that came too late: start, how late */
    XCT_SURFACES, /* how long each surface stood on the screen */
    XCT_SWAPS,    /* when surfaces changed */
    XCT_VSYNCS,
    XCT_DISPLAYS,
    XCT_RENDERS, /* how long what came too late was drawn */
    XCT_TABLE_COUNT
};
enum xct_column {
    XCT_START,
    XCT_DURATION,
    XCT_DISPLAY,
    XCT_PROCESS,
    XCT_IS_SYSTEM,
    XCT_NARRATIVE,
    XCT_LABEL,
    XCT_REFRESH,
    XCT_IS_MAIN,
    XCT_COLUMN_COUNT
};
struct xct_value {
    int64_t number;   /* VALUE_UNKNOWN: it is no whole number */
    uint32_t text;    /* id in xct_rows.texts; 0: none */
    uint32_t process; /* the same, of a process named inside of it: "TestApp (12345)" */
};

/* ---- rows (xctrace_rows.c) ---- */

struct xct_rows {
    void *user;
    /* One row with all its cells resolved; columns that the table lacks are unknown. false stops the reading. */
    bool (*row)(void *user, enum xct_table table, const struct xct_value values[XCT_COLUMN_COUNT], int64_t line,
                struct error *error);
    struct dictionary *texts; /* clean texts */
    struct text_buffer tables; /* names of the tables seen, for messages */
    bool is_contents;          /* a table of contents instead of tables */
    char *device, *os;         /* from there */
    char *fault;               /* where and why the file could not be read to its end; NULL */
    int64_t lost_references;   /* cells that refer to a value that is not in the file */
};
bool xct_read_rows(struct xct_rows *rows, struct import_input *input, struct error *error);

/* ---- frames (xctrace_frames.c) ---- */

struct xct_row {
    int64_t start, duration, line;
    uint32_t process, display, narrative; /* ids in rows.texts */
    bool is_system;
};
struct xct_row_list {
    struct xct_row *items;
    size_t count, capacity;
};
struct xct_data {
    const struct import_reader *reader;
    struct xct_rows rows;
    struct xct_row_list tables[XCT_TABLE_COUNT];
    int64_t max_refresh; /* Hz of the main display; VALUE_UNKNOWN */
    bool main_display;   /* max_refresh is of the one marked as main */
};
bool xct_give(struct xct_data *data, struct error *error);

/* ---- tables without frames (xctrace_values.c) ---- */

bool xct_has_values(const struct xct_data *data);
bool xct_give_values(const struct xct_data *data, struct error *error);

#endif
