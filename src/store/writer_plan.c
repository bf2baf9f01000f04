/* What is already stored of every run of a file, and what therefore happens to it. */
#include "stutterscope/base/clock.h"
#include "stutterscope/base/memory.h"
#include "writer_internal.h"
#include <stdlib.h>
#include <string.h>

static bool find_name(struct store_writer *writer, const char *insert, const char *select, uint32_t name,
                      int64_t *ids, int64_t *ret, struct error *error)
{
    if (ids[name] == 0) {
        const char *text = dictionary_text(writer->names, name);
        if (!store_change(writer->store, error, insert, "s", text) ||
            !store_ask(writer->store, error, 0, &ids[name], select, "s", text))
            return false;
    }
    *ret = ids[name];
    return true;
}

bool writer_find_name(struct store_writer *writer, bool quality, uint32_t name, int64_t *ret, struct error *error)
{
    *ret = 0;
    if (quality)
        return name == 0 || find_name(writer, "INSERT INTO quality (name) VALUES (?) ON CONFLICT DO NOTHING",
                                      "SELECT id FROM quality WHERE name = ?", name, writer->quality_ids, ret, error);
    return find_name(writer, "INSERT INTO scene (name) VALUES (?) ON CONFLICT DO NOTHING",
                     "SELECT id FROM scene WHERE name = ?", name, writer->scene_ids, ret, error);
}

static bool identify_segments(struct store_writer *writer, struct error *error)
{
    size_t names = dictionary_count(writer->names) + 1;
    writer->scene_ids = memory_take_zeroed(names, sizeof(int64_t));
    writer->quality_ids = memory_take_zeroed(names, sizeof(int64_t));
    for (size_t i = 0; i < writer->segments.count; i++) {
        struct packed_segment *segment = &writer->segments.items[i];
        if (!writer_find_name(writer, false, segment->scene, &segment->row.scene, error) ||
            !writer_find_name(writer, true, segment->quality, &segment->row.quality, error))
            return false;
    }
    for (size_t i = 0; i < writer->samples.count; i++) {
        struct writer_sample *sample = &writer->samples.items[i];
        if (sample->scene != 0 &&
            !writer_find_name(writer, false, sample->scene, &sample->scene_id, error))
            return false;
    }
    return true;
}

static const char *chip_of(const struct run_facts *facts)
{
    return facts->soc ? facts->soc : facts->model_code ? facts->model_code : "";
}

/* What is known of the build already was perhaps corrected by a person: it stays. */
static bool identify_run(struct store_writer *writer, struct writer_run *run, struct error *error)
{
    const struct run_facts *facts = &run->facts;
    struct store *store = writer->store;
    return store_change(
               store, error,
               "INSERT INTO build (name, commit_id, ci_run, built_at_ms) VALUES (?, ?, ?, ?)"
               " ON CONFLICT (name) DO UPDATE SET commit_id = coalesce(commit_id, excluded.commit_id),"
               " ci_run = coalesce(ci_run, excluded.ci_run),"
               " built_at_ms = coalesce(built_at_ms, excluded.built_at_ms)",
               "ssso", facts->build, facts->commit, facts->ci_run, facts->built_at_ms) &&
           store_ask(store, error, 0, &run->build, "SELECT id FROM build WHERE name = ?", "s",
                     facts->build) &&
           store_change(store, error, "INSERT INTO device (model, chip) VALUES (?, ?) ON CONFLICT DO NOTHING",
                        "ss", facts->device_model, chip_of(facts)) &&
           store_ask(store, error, 0, &run->device, "SELECT id FROM device WHERE model = ? AND chip = ?",
                     "ss", facts->device_model, chip_of(facts));
}

/* Segments by run: a counting sort, which keeps their order within a run. */
static void order_segments(struct store_writer *writer)
{
    writer->order = memory_take((writer->segments.count + 1) * sizeof *writer->order);
    for (size_t i = 0; i < writer->segments.count; i++)
        writer->runs.items[writer->segments.items[i].run].segment_count++;
    size_t at = 0;
    for (size_t i = 0; i < writer->runs.count; i++) {
        writer->runs.items[i].first_segment = at;
        at += writer->runs.items[i].segment_count;
        writer->runs.items[i].segment_count = 0;
    }
    for (size_t i = 0; i < writer->segments.count; i++) {
        struct writer_run *run = &writer->runs.items[writer->segments.items[i].run];
        writer->order[run->first_segment + run->segment_count++] = i;
    }
}

bool writer_identify(struct store_writer *writer, struct error *error)
{
    order_segments(writer);
    for (size_t i = 0; i < writer->runs.count; i++) {
        struct writer_run *run = &writer->runs.items[i];
        char hex[33] = "";
        if (run->hash)
            hash_stream_print(run->frames == 0 && run->sample_hash ? run->sample_hash : run->hash, hex);
        run->name = run->facts.name ? memory_copy_text(run->facts.name) : memory_copy_bytes(hex, 12);
        if (!identify_run(writer, run, error))
            return false;
    }
    return identify_segments(writer, error);
}

static bool refuse(struct store_writer *writer, const struct writer_run *run,
                   const struct import_facts *facts, struct error *error)
{
    sqlite3_stmt *query =
        store_query(writer->store, error, "SELECT path, imported_at_ms FROM import WHERE id = ?", "i",
                    run->stored_import);
    int step = query ? sqlite3_step(query) : SQLITE_ERROR;
    char when[40] = "";
    char *path = step == SQLITE_ROW ? store_column_text(query, 0) : NULL;
    if (step == SQLITE_ROW)
        clock_print(when, sizeof when, store_column(query, 1));
    if (store_finish(writer->store, query, step, error))
        error_set(
            error, ERROR_INPUT,
            "%s: run \"%s\" of build %s on %s is stored from %s (imported %s) with other frames: the two "
            "have "
            "frames in common, but neither continues the other. Nothing was stored. If this is another run, "
            "give it a run id of its own with --run.",
            facts->path, run->name, run->facts.build, run->facts.device_model,
            path ? path : "an earlier file", when);
    free(path);
    return false;
}

/* A run of samples has no frames that could tell whether it is the same: its name does. */
static bool plan_samples_only(struct store_writer *writer, struct writer_run *run, struct error *error)
{
    if (!store_ask(writer->store, error, 0, &run->stored,
                   "SELECT id FROM run WHERE build = ? AND device = ? AND name = ?", "iis", run->build,
                   run->device, run->name))
        return false;
    run->plan = run->stored ? PLAN_UNCHANGED : PLAN_NEW;
    return run->stored == 0 || store_ask(writer->store, error, 0, &run->stored_import,
                                         "SELECT import FROM run WHERE id = ?", "i", run->stored);
}

static bool plan_named(struct store_writer *writer, struct writer_run *run, const struct import_facts *facts,
                       struct error *error)
{
    enum frames_relation relation;
    if (!store_ask(writer->store, error, 0, &run->stored,
                   "SELECT id FROM run WHERE build = ? AND device = ? AND name = ?", "iis", run->build,
                   run->device, run->name))
        return false;
    if (run->stored == 0)
        return true;
    if (!store_ask(writer->store, error, 0, &run->stored_frames, "SELECT frames FROM run WHERE id = ?", "i",
                   run->stored) ||
        !store_ask(writer->store, error, 0, &run->stored_import, "SELECT import FROM run WHERE id = ?", "i",
                   run->stored) ||
        !writer_relate(writer, run, run->stored, &relation, error))
        return false;
    if (relation == FRAMES_CONFLICT)
        return refuse(writer, run, facts, error);
    run->plan = relation == FRAMES_NEW_IS_LONGER    ? PLAN_REPLACED
                : relation == FRAMES_NEW_IS_SHORTER ? PLAN_UNCHANGED
                                                    : PLAN_EXTENDED;
    return true;
}

/* The same recording, grown or not, begins with the same frame: only such runs are compared. id, frames,
 * import only. */
static bool list_alike(struct store_writer *writer, const struct writer_run *run, struct run_list *ret,
                       struct error *error)
{
    sqlite3_stmt *query =
        store_query(writer->store, error,
                    "SELECT id, frames, import FROM run WHERE build = ? AND device = ? AND anonymous = 1"
                    " AND first_stamp_ns IS ? AND first_frame_ns = ? ORDER BY name = ? DESC, frames DESC",
                    "iiois", run->build, run->device, run->first_stamp_ns, run->first_frame_ns, run->name);
    int step = SQLITE_ERROR;
    while (query && (step = sqlite3_step(query)) == SQLITE_ROW) {
        struct run_row row = {.id = sqlite3_column_int64(query, 0)};
        row.frames = sqlite3_column_int64(query, 1);
        row.import = sqlite3_column_int64(query, 2);
        array_push(ret, row);
    }
    return store_finish(writer->store, query, step, error);
}

/* Another stream of this file continues that run already. */
static bool is_taken(const struct store_writer *writer, int64_t stored)
{
    for (size_t i = 0; i < writer->runs.count; i++)
        if (writer->runs.items[i].stored == stored && writer->runs.items[i].plan == PLAN_REPLACED)
            return true;
    return false;
}

static bool plan_anonymous(struct store_writer *writer, struct writer_run *run, struct error *error)
{
    struct run_list alike = {0};
    bool fine = list_alike(writer, run, &alike, error);
    for (size_t i = 0; fine && i < alike.count && run->stored == 0; i++) {
        const struct run_row *row = &alike.items[i];
        enum frames_relation relation = FRAMES_CONFLICT;
        if (is_taken(writer, row->id))
            continue;
        fine = writer_relate_prefix(writer, run, row->id, &relation, error);
        if (!fine || relation == FRAMES_CONFLICT)
            continue;
        run->plan = relation == FRAMES_NEW_IS_LONGER ? PLAN_REPLACED : PLAN_UNCHANGED;
        run->stored = row->id;
        run->stored_frames = row->frames;
        run->stored_import = row->import;
    }
    run_list_free(&alike);
    return fine;
}

/* Two streams of one file may hold the same frames; two runs with one id are a fault of the file. */
static bool plan_within(struct dictionary *seen, struct writer_run *run, const struct import_facts *facts,
                        bool *ret_again, struct error *error)
{
    char *key = memory_print("%lld %lld %s", (long long)run->build, (long long)run->device, run->name);
    size_t before = dictionary_count(seen);
    dictionary_add(seen, key, strlen(key));
    free(key);
    *ret_again = dictionary_count(seen) == before;
    if (*ret_again && !run->hash)
        return error_set(error, ERROR_INPUT,
                         "%s: run \"%s\" of build %s on %s is in it twice. Nothing was stored.", facts->path,
                         run->name, run->facts.build, run->facts.device_model);
    return true;
}

bool writer_plan(struct store_writer *writer, const struct import_facts *facts, struct error *error)
{
    struct dictionary *seen = dictionary_create();
    bool fine = true, again = false;
    for (size_t i = 0; fine && i < writer->runs.count; i++) {
        struct writer_run *run = &writer->runs.items[i];
        if (run->frames == 0 && run->samples == 0) {
            run->plan = PLAN_UNCHANGED;
            continue;
        }
        fine = plan_within(seen, run, facts, &again, error);
        if (fine && writer->source) {
            fine = writer_plan_summarised(writer, run, error);
            continue;
        }
        fine = fine && writer_refuse_mixture(writer, run, facts, error);
        if (fine && again)
            run->plan = PLAN_UNCHANGED;
        else if (fine && run->frames == 0)
            fine = plan_samples_only(writer, run, error);
        else if (fine)
            fine = run->hash ? plan_anonymous(writer, run, error) : plan_named(writer, run, facts, error);
    }
    dictionary_destroy(seen);
    return fine && writer_plan_samples(writer, error);
}
