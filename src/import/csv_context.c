#include "csv.h"

#include "stutterscope/base/hash.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"

#include <stdlib.h>
#include <string.h>

static uint64_t runs_hash(const struct csv *csv)
{
    uint64_t hash = 0;

    for (size_t i = 0; i < csv->run_count; i++)
        hash = (hash << 7 | hash >> 57) ^ hash_bytes(csv->begins[i], (size_t)(csv->ends[i] - csv->begins[i]));
    return hash;
}

static bool is_context(const struct csv *csv, const struct csv_context *context)
{
    size_t begin = 0;

    for (size_t i = 0; i < csv->run_count; i++) {
        size_t length = context->ends[i] - begin;

        if ((size_t)(csv->ends[i] - csv->begins[i]) != length ||
            memcmp(csv->begins[i], context->key + begin, length) != 0)
            return false;
        begin = context->ends[i];
    }
    return true;
}

bool csv_find_context(struct csv *csv, size_t *ret)
{
    size_t mask = csv->slot_count - 1;
    uint64_t hash;

    if (csv->current != SIZE_MAX && is_context(csv, &csv->contexts.items[csv->current])) {
        *ret = csv->current;
        return true;
    }
    hash = runs_hash(csv);
    for (size_t i = (size_t)hash & mask; csv->slot_count && csv->slots[i]; i = (i + 1) & mask) {
        *ret = csv->slots[i] - 1;
        if (csv->contexts.items[*ret].hash == hash && is_context(csv, &csv->contexts.items[*ret]))
            return true;
    }
    return false;
}

static void insert_slot(struct csv *csv, size_t context)
{
    size_t mask = csv->slot_count - 1, i = (size_t)csv->contexts.items[context].hash & mask;

    while (csv->slots[i])
        i = (i + 1) & mask;
    csv->slots[i] = (uint32_t)context + 1;
}

static void widen_slots(struct csv *csv)
{
    free(csv->slots);
    csv->slot_count = csv->slot_count ? csv->slot_count * 2 : 64;
    csv->slots = memory_take_zeroed(csv->slot_count, sizeof *csv->slots);
    for (size_t i = 0; i < csv->contexts.count; i++)
        insert_slot(csv, i);
}

static uint32_t field_id(struct csv *csv, const struct table_field *field)
{
    if (number_is_absent(field->text, field->length))
        return 0;
    return column_add_text(csv->reader->sink->texts, field->text, field->length, &csv->broken_text);
}

size_t csv_add_context(struct csv *csv)
{
    struct csv_context added = {.hash = runs_hash(csv), .follower = csv->contexts.count};
    struct text_buffer key = {0};

    added.context.number = csv->context_base + (uint32_t)csv->contexts.count + 1;
    added.ends = memory_take_zeroed(csv->run_count + 1, sizeof *added.ends);
    for (size_t i = 0; i < csv->run_count; i++) {
        const struct csv_text_run *run = &csv->runs[i];

        text_add_bytes(&key, csv->begins[i], (size_t)(csv->ends[i] - csv->begins[i]));
        added.ends[i] = key.count;
        for (size_t j = run->first; j < run->first + run->count; j++)
            added.context.field[csv->columns[j].index] = field_id(csv, &csv->row.items[j]);
    }
    const char *line_end = key.count ? memchr(key.items, '\n', key.count) : NULL;
    added.is_one_line = !line_end || line_end == key.items + key.count - 1;
    added.key = text_take(&key);
    array_push(&csv->contexts, added);
    if (csv->contexts.count * 2 > csv->slot_count)
        widen_slots(csv);
    else
        insert_slot(csv, csv->contexts.count - 1);
    return csv->contexts.count - 1;
}

bool csv_enter_context(struct csv *csv, size_t context, struct error *error)
{
    if (csv->current != SIZE_MAX)
        csv->contexts.items[csv->current].follower = context;
    csv->guess = csv->contexts.items[context].follower;
    if (csv->current == context)
        return true;
    if (!frame_batch_flush(&csv->batch, error))
        return false;
    csv->current = context;
    csv->batch.context = csv->contexts.items[context].context;
    return true;
}

int64_t csv_text_id(struct csv *csv, int column, const char *text, size_t length)
{
    struct csv_text_column *cache = &csv->texts[column];
    uint32_t id;

    if (cache->last_length == length && length > 0 && memcmp(cache->last, text, length) == 0)
        return cache->last_id;
    if (number_is_absent(text, length))
        return VALUE_UNKNOWN;
    id = column_add_text(csv->reader->sink->texts, text, length, &csv->broken_text);
    if (length <= sizeof cache->last) {
        memcpy(cache->last, text, length);
        cache->last_length = length;
        cache->last_id = id;
    }
    return id ? (int64_t)id : VALUE_UNKNOWN;
}
