/*
 * Files that hold several streams side by side (process and swap chain, layer, window): count them, choose
 * one, tell about the others. Mixing them would give nonsense.
 */
#ifndef STUTTERSCOPE_IMPORT_STREAMS_H
#define STUTTERSCOPE_IMPORT_STREAMS_H

#include "stutterscope/import/reader.h"

struct stream_table {
    struct dictionary *keys; /* ids: position + 1 */
    struct {
        int64_t *items;
        size_t count, capacity;
    } rows, first_lines;
};

void stream_table_init(struct stream_table *table);
void stream_table_free(struct stream_table *table);
/* Counts a row of the stream and returns the stream's position. */
size_t stream_table_count(struct stream_table *table, const char *key, size_t length, int64_t line);
const char *stream_table_key(const struct stream_table *table, size_t stream);
/*
 * wanted NULL: the stream with most rows that is not in the background (glob patterns, NULL at the end), else
 * the one with most rows. Else the one that equals wanted, or that the glob matches, or whose first part (up
 * to '|') equals it; of several the one with most rows. false with an error that lists the streams when there
 * is none.
 */
bool stream_table_choose(const struct stream_table *table, const char *wanted, const char *const *background,
                         size_t *ret, struct error *error);
/* Lists the streams to the sink and counts the rows of the others as REJECT_OTHER_STREAM. */
void stream_table_report(const struct stream_table *table, size_t chosen, const struct import_sink *sink);

#endif
