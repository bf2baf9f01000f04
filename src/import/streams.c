#include "stutterscope/import/streams.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_LISTED 10

void stream_table_init(struct stream_table *table)
{
    memset(table, 0, sizeof *table);
    table->keys = dictionary_create();
}

void stream_table_free(struct stream_table *table)
{
    dictionary_destroy(table->keys);
    array_free(&table->rows);
    array_free(&table->first_lines);
}

size_t stream_table_count(struct stream_table *table, const char *key, size_t length, int64_t line)
{
    uint32_t id = dictionary_add(table->keys, key, length);

    if (id > table->rows.count) {
        array_push(&table->rows, 0);
        array_push(&table->first_lines, line);
    }
    table->rows.items[id - 1]++;
    return id - 1;
}

const char *stream_table_key(const struct stream_table *table, size_t stream)
{
    return dictionary_text(table->keys, (uint32_t)stream + 1);
}

static bool is_wanted(const char *key, const char *wanted)
{
    size_t first = strcspn(key, "|");

    return text_matches_glob(wanted, key) || text_equals_ignoring_case(key, wanted) ||
           (strlen(wanted) == first && strncasecmp(key, wanted, first) == 0);
}

static bool is_background(const char *key, const char *const *background)
{
    for (size_t i = 0; background && background[i]; i++) {
        if (text_matches_glob(background[i], key))
            return true;
    }
    return false;
}

static bool none_found(const struct stream_table *table, const char *wanted, struct error *error)
{
    struct text_buffer list = {0};
    char *text;

    for (size_t i = 0; i < table->rows.count && i < MOST_LISTED; i++)
        text_add_print(&list, "%s%s (%" PRId64 " rows)", i ? ", " : "", stream_table_key(table, i),
                       table->rows.items[i]);
    if (table->rows.count > MOST_LISTED)
        text_add_print(&list, " and %zu more", table->rows.count - MOST_LISTED);
    text = text_take(&list);
    error_set(error, ERROR_INPUT, "there is no stream \"%s\" (--stream). Streams found: %s.", wanted, text);
    free(text);
    return false;
}

bool stream_table_choose(const struct stream_table *table, const char *wanted, const char *const *background,
                         size_t *ret, struct error *error)
{
    int64_t most = -1;
    bool best_is_background = true;

    for (size_t i = 0; i < table->rows.count; i++) {
        const char *key = stream_table_key(table, i);
        bool behind = !wanted && is_background(key, background);

        if (wanted && !is_wanted(key, wanted))
            continue;
        if (most >= 0 &&
            (behind > best_is_background || (behind == best_is_background && table->rows.items[i] <= most)))
            continue;
        most = table->rows.items[i];
        best_is_background = behind;
        *ret = i;
    }
    return most >= 0 || none_found(table, wanted ? wanted : "", error);
}

void stream_table_report(const struct stream_table *table, size_t chosen, const struct import_sink *sink)
{
    struct import_stream *streams = memory_take_zeroed(table->rows.count + 1, sizeof *streams);

    for (size_t i = 0; i < table->rows.count; i++)
        streams[i] = (struct import_stream){stream_table_key(table, i), table->rows.items[i]};
    sink->streams(sink->user, streams, table->rows.count, stream_table_key(table, chosen));
    for (size_t i = 0; i < table->rows.count; i++) {
        if (i != chosen)
            sink->reject_many(sink->user, REJECT_OTHER_STREAM, table->rows.items[i],
                              table->first_lines.items[i]);
    }
    free(streams);
}
