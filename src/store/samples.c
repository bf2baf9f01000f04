#include "stutterscope/store/samples.h"
#include "stutterscope/base/memory.h"
#include "writer_internal.h"
#include <stdlib.h>
#include <string.h>

/* ---- writing ---- */

static uint32_t name_id(struct store_writer *writer, const char *text)
{
    return text ? dictionary_add(writer->names, text, strlen(text)) : 0;
}

bool store_writer_add_sample(struct store_writer *writer, size_t index, const struct sample_facts *facts, struct error *error)
{
    struct writer_run *run = &writer->runs.items[index];
    struct writer_sample sample = {.run = index, .snapshot = facts->snapshot, .value = facts->value, .stamp_ns = facts->stamp_ns};
    (void)error;
    sample.scene = name_id(writer, facts->scene);
    sample.name = name_id(writer, facts->name);
    sample.unit = name_id(writer, facts->unit);
    run->samples++;
    if (run->hash) {
        if (!run->sample_hash)
            run->sample_hash = hash_stream_create();
        hash_stream_add(run->sample_hash, facts->name, strlen(facts->name) + 1);
        hash_stream_add(run->sample_hash, &sample.value, sizeof sample.value);
        hash_stream_add(run->sample_hash, &sample.stamp_ns, sizeof sample.stamp_ns);
    }
    array_push(&writer->samples, sample);
    return true;
}

static const char *text_of(const struct store_writer *writer, uint32_t id)
{
    return id ? dictionary_text(writer->names, id) : "";
}

static bool is_stored(struct store_writer *writer, const struct writer_sample *sample, int64_t run, bool *ret, struct error *error)
{
    int64_t found;
    const char *sql = sample->snapshot
                          ? "SELECT count(*) FROM snapshot WHERE run = ? AND category = ? AND coalesce(scene, 0) = ?"
                            " AND coalesce(stamp_ns, -1) = ? AND profiler = ? AND bytes = ?"
                          : "SELECT count(*) FROM sample WHERE run = ? AND name = ? AND coalesce(scene, 0) = ?"
                            " AND coalesce(stamp_ns, -1) = ? AND unit = ? AND value = ?";
    if (!store_ask(writer->store, error, 0, &found, sql, "isiisd", run, text_of(writer, sample->name), sample->scene_id,
                   sample->stamp_ns == VALUE_UNKNOWN ? (int64_t)-1 : sample->stamp_ns, text_of(writer, sample->unit), sample->value))
        return false;
    *ret = found > 0;
    return true;
}

bool writer_plan_samples(struct store_writer *writer, struct error *error)
{
    for (size_t i = 0; i < writer->samples.count; i++) {
        struct writer_sample *sample = &writer->samples.items[i];
        struct writer_run *run = &writer->runs.items[sample->run];
        if (run->stored && !is_stored(writer, sample, run->stored, &sample->there, error))
            return false;
        writer->new_samples += !sample->there;
        if (!sample->there && run->frames == 0 && run->stored)
            run->plan = PLAN_EXTENDED;
    }
    return true;
}

bool writer_apply_samples(struct store_writer *writer, struct error *error)
{
    for (size_t i = 0; i < writer->samples.count; i++) {
        const struct writer_sample *sample = &writer->samples.items[i];
        int64_t run = writer->runs.items[sample->run].stored, scene = sample->scene_id ? sample->scene_id : VALUE_UNKNOWN;
        bool fine;
        if (sample->there || run == 0)
            continue;
        if (sample->snapshot)
            fine = store_change(writer->store, error,
                                "INSERT OR IGNORE INTO snapshot (run, scene, category, profiler, bytes, stamp_ns) VALUES (?, ?, ?, ?, ?, ?)",
                                "iossio", run, scene, text_of(writer, sample->name), text_of(writer, sample->unit), (int64_t)sample->value,
                                sample->stamp_ns);
        else
            fine = store_change(writer->store, error,
                                "INSERT OR IGNORE INTO sample (run, scene, name, unit, value, stamp_ns) VALUES (?, ?, ?, ?, ?, ?)", "iossdo",
                                run, scene, text_of(writer, sample->name), text_of(writer, sample->unit), sample->value, sample->stamp_ns);
        if (!fine)
            return false;
    }
    return true;
}

/* ---- reading ---- */

struct value_list {
    double *items;
    size_t count, capacity;
};

/* Values come sorted. */
static void finish_row(struct sample_list *list, struct value_list *values)
{
    struct sample_row *row = &list->items[list->count - 1];
    size_t n = values->count;
    row->count = (int64_t)n;
    row->min = values->items[0];
    row->max = values->items[n - 1];
    row->median = n % 2 ? values->items[n / 2] : (values->items[n / 2 - 1] + values->items[n / 2]) / 2;
    values->count = 0;
}

static bool same_row(const struct sample_row *row, sqlite3_stmt *query)
{
    return row->run == sqlite3_column_int64(query, 0) && row->scene == sqlite3_column_int64(query, 3) &&
           store_column_is(query, 4, row->name) &&
           store_column_is(query, 5, row->unit);
}

bool store_list_samples(struct store *store, enum sample_kind kind, const char *series, struct sample_list *ret, struct error *error)
{
    static const char *const sql[] = {
        "SELECT r.id, r.build, r.device, coalesce(s.scene, 0), s.name, s.unit, s.value FROM sample s JOIN run r ON r.id = s.run"
        " WHERE ?1 IS NULL OR r.series = ?1 ORDER BY 3, 4, 5, 6, 2, 1, 7",
        "SELECT r.id, r.build, r.device, coalesce(s.scene, 0), s.category, s.profiler, s.bytes FROM snapshot s JOIN run r ON r.id = s.run"
        " WHERE ?1 IS NULL OR r.series = ?1 ORDER BY 3, 4, 5, 6, 2, 1, 7"};
    sqlite3_stmt *query = store_query(store, error, sql[kind], "s", series);
    struct value_list values = {0};
    int step = SQLITE_ERROR;
    while (query && (step = sqlite3_step(query)) == SQLITE_ROW) {
        if (ret->count == 0 || !same_row(&ret->items[ret->count - 1], query)) {
            struct sample_row row = {.run = sqlite3_column_int64(query, 0),
                                     .build = sqlite3_column_int64(query, 1),
                                     .device = sqlite3_column_int64(query, 2),
                                     .scene = sqlite3_column_int64(query, 3),
                                     .name = store_column_name(query, 4),
                                     .unit = store_column_name(query, 5)};
            if (values.count > 0)
                finish_row(ret, &values);
            array_push(ret, row);
        }
        array_push(&values, sqlite3_column_double(query, 6));
    }
    if (values.count > 0)
        finish_row(ret, &values);
    array_free(&values);
    return store_finish(store, query, step, error);
}

bool store_has_snapshots(struct store *store)
{
    int64_t count = 0;

    return store_ask(store, NULL, 0, &count, "SELECT EXISTS (SELECT 1 FROM snapshot)", "") && count > 0;
}

void sample_list_free(struct sample_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].name);
        free(list->items[i].unit);
    }
    array_free(list);
}
