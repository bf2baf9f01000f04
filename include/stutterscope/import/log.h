/*
 * What an import has to tell besides frames: rejected rows, columns left out, notes, streams. Collected while
 * reading, put into the report at the end.
 */
#ifndef STUTTERSCOPE_IMPORT_LOG_H
#define STUTTERSCOPE_IMPORT_LOG_H

#include "stutterscope/base/json.h"
#include "stutterscope/import/sink.h"

#define LOG_FIRST_LINES 20

struct import_rejects {
    int64_t count;
    int64_t lines[LOG_FIRST_LINES]; /* the first of them */
    size_t line_count;
    char *text; /* what stood in the first; NULL */
};
struct import_log {
    struct import_rejects rejects[REJECT_COUNT];
    int64_t rejected; /* all reasons */
    struct {
        char **items;
        size_t count, capacity;
    } notes, left_out, personal, streams;
    struct {
        int64_t *items;
        size_t count, capacity;
    } stream_rows;
    char *chosen_stream;
    char *version, *interval;
    bool tests_holes, has_clock, unit_is_named;
};

struct import_log *import_log_create(void);
void import_log_destroy(struct import_log *log);
/* Sets all members of the sink but texts, frames and user; user must then be the log, or forward to these. */
void import_log_facts(void *log, const struct import_source_facts *facts);
void import_log_reject(void *log, enum reject_reason reason, int64_t line, const char *text, size_t length);
void import_log_reject_many(void *log, enum reject_reason reason, int64_t count, int64_t first_line);
void import_log_note(void *log, const char *text); /* the same sentence once */
void import_log_column(void *log, const char *name, bool personal);
void import_log_streams(void *log, const struct import_stream *streams, size_t count, const char *chosen);
/* Adds version, interval, streams, rejected, left_out, personal, notes to the report. */
void import_log_report(const struct import_log *log, struct json *report);
/* "12 rows, all rejected: 10 not a number (first line 2), …"; a new string. */
char *import_log_why_empty(const struct import_log *log);

#endif
