/* The one transaction in which an import becomes part of the store, or nothing of it. */
#include "store_file.h"
#include "stutterscope/base/clock.h"
#include "stutterscope/base/memory.h"
#include "writer_internal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* After so much the disk begins to write: it would be waited for longer at the end. */
#define WRITE_BYTES (4 << 20)
/* A -wal that has grown beyond this by a large import is emptied at once. */
#define WAL_LARGE_BYTES (16 << 20)

static bool read_earlier(struct store *store, sqlite3_stmt *query, struct import_outcome *ret,
                         bool *ret_found, struct error *error)
{
    int step = query ? sqlite3_step(query) : SQLITE_ERROR;
    *ret_found = step == SQLITE_ROW;
    if (*ret_found) {
        ret->import = sqlite3_column_int64(query, 0);
        char *path = store_column_name(query, 1);
        snprintf(ret->earlier_path, sizeof ret->earlier_path, "%s", path);
        free(path);
        ret->earlier_at_ms = store_column(query, 2);
    }
    return store_finish(store, query, step, error);
}

/* The same bytes may be given another build or device on the command line: then it is not the same import. */
static bool holds_run(struct store_writer *writer, const struct writer_run *run, int64_t import, bool *ret,
                      struct error *error)
{
    int64_t count;
    if (!store_ask(writer->store, error, 0, &count,
                   "SELECT count(*) FROM run r JOIN import_run i ON i.run = r.id WHERE i.import = ?1 AND "
                   "r.build = ?2"
                   " AND r.device = ?3 AND (?4 IS NULL OR r.name = ?4)",
                   "iiis", import, run->build, run->device, run->facts.name))
        return false;
    *ret = count > 0;
    return true;
}

static bool find_same_content(struct store_writer *writer, const struct import_facts *facts,
                              struct import_outcome *ret, bool *ret_found, struct error *error)
{
    sqlite3_stmt *query = store_query(writer->store, error,
                                      "SELECT id, path, imported_at_ms FROM import WHERE fingerprint = ?"
                                      " AND runs = (SELECT count(*) FROM import_run WHERE import = import.id)"
                                      " ORDER BY id LIMIT 1",
                                      "s", facts->fingerprint);
    if (!read_earlier(writer->store, query, ret, ret_found, error))
        return false;
    for (size_t i = 0; *ret_found && i < writer->runs.count; i++)
        if (writer->runs.items[i].frames + writer->runs.items[i].samples > 0 &&
            !holds_run(writer, &writer->runs.items[i], ret->import, ret_found, error))
            return false;
    ret->runs_unchanged = *ret_found ? (int64_t)writer->runs.count : 0;
    return true;
}

static void count_outcome(const struct store_writer *writer, struct import_outcome *ret)
{
    for (size_t i = 0; i < writer->runs.count; i++) {
        const struct writer_run *run = &writer->runs.items[i];
        ret->runs_new += run->plan == PLAN_NEW;
        ret->runs_replaced += run->plan == PLAN_REPLACED;
        ret->runs_extended += run->plan == PLAN_EXTENDED;
        ret->runs_unchanged += run->plan == PLAN_UNCHANGED;
        if (run->plan != PLAN_UNCHANGED)
            ret->frames_new += run->frames - (run->plan == PLAN_REPLACED ? run->stored_frames : 0);
    }
    ret->samples_new = writer->new_samples;
    ret->result = ret->runs_replaced + ret->runs_extended > 0 ? IMPORT_GREW : IMPORT_NEW;
}

/* Every frame of the file is there, though the file is not the same (written again by another tool). */
static bool find_first_stored(struct store_writer *writer, struct import_outcome *ret, bool *ret_found,
                              struct error *error)
{
    *ret_found = false;
    if (ret->runs_new + ret->runs_replaced + ret->runs_extended + ret->samples_new > 0)
        return true;
    for (size_t i = 0; i < writer->runs.count; i++)
        if (writer->runs.items[i].stored_import != 0)
            return read_earlier(writer->store,
                                store_query(writer->store, error,
                                            "SELECT id, path, imported_at_ms FROM import WHERE id = ?", "i",
                                            writer->runs.items[i].stored_import),
                                ret, ret_found, error);
    return true;
}

static bool insert_import(struct store_writer *writer, const struct import_facts *facts, int64_t *ret,
                          struct error *error)
{
    int64_t frames = 0;
    for (size_t i = 0; i < writer->runs.count; i++)
        frames += writer->runs.items[i].frames;
    if (!store_change(
            writer->store, error,
            "INSERT INTO import (path, format, fingerprint, imported_at_ms, bytes, frames, rejected, runs,"
            " report) VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?)",
            "sssioiis", facts->path, facts->format, facts->fingerprint, clock_now_ms(), facts->bytes, frames,
            facts->rejected, facts->report))
        return false;
    *ret = sqlite3_last_insert_rowid(writer->store->db);
    return true;
}

bool writer_find_text(struct store_writer *writer, int64_t local, int64_t *ret, struct error *error)
{
    if (local < 1 || (uint64_t)local > dictionary_count(writer->texts))
        return error_set(error, ERROR_STORE, "a text column holds %lld, which is the id of no text",
                         (long long)local);
    if (writer->text_ids[local] == 0) {
        const char *text = dictionary_text(writer->texts, (uint32_t)local);
        if (!store_change(writer->store, error, "INSERT INTO text (text) VALUES (?) ON CONFLICT DO NOTHING",
                          "s", text) ||
            !store_ask(writer->store, error, 0, &writer->text_ids[local],
                       "SELECT id FROM text WHERE text = ?", "s", text))
            return false;
    }
    *ret = writer->text_ids[local];
    return true;
}

/* The importer counts texts from 1 on, the store has ids of its own. */
static bool map_texts(struct store_writer *writer, size_t count, const uint8_t **bytes, size_t *size,
                      struct error *error)
{
    struct value_runs *runs = &writer->store->runs;
    if (!segment_unpack_runs(writer->store->codec, *bytes, *size, count, runs, error))
        return false;
    for (size_t i = 0; i < runs->count; i++)
        if (!writer_find_text(writer, runs->items[i].value, &runs->items[i].value, error))
            return false;
    writer->packed.count = 0;
    segment_pack_runs(writer->store->codec, runs, &writer->packed);
    *bytes = writer->packed.items;
    *size = writer->packed.count;
    return true;
}

static bool copy_column(struct store_writer *writer, const struct packed_segment *segment,
                        enum frame_column column, const char *sql, struct error *error)
{
    uint64_t at = segment->at;
    for (int i = 0; i < (int)column; i++)
        at += segment->sizes[i];
    const uint8_t *bytes;
    size_t size = segment->sizes[column];
    if (!spool_read(writer->spool, at, size, &bytes, error) ||
        (segment_column_is_text(column) &&
         !map_texts(writer, (size_t)segment->row.count, &bytes, &size, error)))
        return false;
    sqlite3_stmt *query = store_query(writer->store, error, sql, "i", segment->row.id);
    if (query)
        sqlite3_bind_blob(query, 2, bytes, (int)size, SQLITE_STATIC);
    return store_finish(writer->store, query, query ? sqlite3_step(query) : SQLITE_ERROR, error);
}

/* Column by column, so that each lies in one piece in the file. */
static bool copy_columns(struct store_writer *writer, struct error *error)
{
    bool fine = true;
    size_t unwritten = 0;
    for (int column = 0; fine && column < COLUMN_COUNT; column++) {
        char *sql = memory_print("INSERT INTO segment_%s (segment, data) VALUES (?, ?)",
                                 segment_column_names[column]);
        for (size_t i = 0; fine && i < writer->segments.count; i++) {
            const struct packed_segment *segment = &writer->segments.items[writer->order[i]];
            if (segment->sizes[column] > 0 && writer->runs.items[segment->run].plan != PLAN_UNCHANGED)
                fine = copy_column(writer, segment, column, sql, error);
            unwritten += segment->sizes[column];
            if (unwritten >= WRITE_BYTES && writer->store->journal == JOURNAL_ROLLBACK) {
                store_file_begin_writing(writer->store->path);
                unwritten = 0;
            }
        }
        free(sql);
    }
    return fine;
}

/* Of all groups that this import touched. */
static bool count_series(struct store *store, int64_t import, struct error *error)
{
    return store_change(store, error, "DELETE FROM frame_group WHERE changed = ? AND frames <= 0", "i", import) &&
           store_change(
               store, error,
               "DELETE FROM group_series WHERE frame_group IN (SELECT id FROM frame_group WHERE changed = ?)",
               "i", import) &&
           store_change(
               store, error,
               "INSERT INTO group_series (frame_group, series, frames, runs)"
               " SELECT g.id, r.series, sum(s.frames), count(DISTINCT s.run)"
               " FROM (SELECT DISTINCT build, device FROM frame_group WHERE changed = ?1) t"
               " CROSS JOIN run r ON r.build = t.build AND r.device = t.device"
               " CROSS JOIN segment s ON s.run = r.id"
               " CROSS JOIN frame_group g ON g.build = r.build AND g.device = r.device AND g.scene = s.scene"
               " AND g.quality = s.quality AND g.changed = ?1"
               " GROUP BY g.id, r.series",
               "i", import);
}

static bool apply(struct store_writer *writer, const struct import_facts *facts, struct import_outcome *ret,
                  struct error *error)
{
    writer->text_ids = memory_take_zeroed(dictionary_count(writer->texts) + 1, sizeof(int64_t));
    if (!ret->import && !insert_import(writer, facts, &ret->import, error))
        return false;
    for (size_t i = 0; i < writer->runs.count; i++)
        if (!writer_apply_run(writer, &writer->runs.items[i], ret->import, error))
            return false;
    return copy_columns(writer, error) && writer_apply_samples(writer, error) && writer_apply_summaries(writer, error) && count_series(writer->store, ret->import, error) &&
           store_change(
               writer->store, error,
               "UPDATE import SET runs = (SELECT count(*) FROM import_run WHERE import = ?1) WHERE id = ?1",
               "i", ret->import);
}

/* A build of a server, whether anything of it was there before or not. */
static bool commit_summaries(struct store_writer *writer, const struct import_facts *facts, struct import_outcome *ret,
                             struct error *error)
{
    if (!insert_import(writer, facts, &ret->import, error) || !writer_identify(writer, error) ||
        !writer_replace_build(writer, ret->import, error) || !writer_plan(writer, facts, error))
        return false;
    count_outcome(writer, ret);
    return apply(writer, facts, ret, error);
}

/* What is there of it and what would be changed. *ret_there: nothing to be done, which is fine. */
static bool plan_inside(struct store_writer *writer, const struct import_facts *facts,
                        struct import_outcome *ret, bool *ret_there, struct error *error)
{
    if (!writer_identify(writer, error) || !find_same_content(writer, facts, ret, ret_there, error))
        return false;
    if (*ret_there)
        return true;
    if (!writer_plan(writer, facts, error))
        return false;
    count_outcome(writer, ret);
    return find_first_stored(writer, ret, ret_there, error);
}

static bool commit_inside(struct store_writer *writer, const struct import_facts *facts,
                          struct import_outcome *ret, bool *ret_there, struct error *error)
{
    if (writer->source)
        return commit_summaries(writer, facts, ret, error);
    if (!plan_inside(writer, facts, ret, ret_there, error))
        return false;
    return *ret_there || apply(writer, facts, ret, error);
}

/* Only what nobody else waits for: readers keep what they read. */
static void shrink_wal(struct store *store)
{
    char *wal = memory_print("%s-wal", store->path);
    if (store_file_size(wal) > WAL_LARGE_BYTES) {
        sqlite3_busy_timeout(store->db, 0);
        sqlite3_wal_checkpoint_v2(store->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
        sqlite3_busy_timeout(store->db, store->patience_ms);
    }
    free(wal);
}

bool store_writer_commit(struct store_writer *writer, const struct import_facts *facts,
                         struct import_outcome *ret, struct error *error)
{
    struct store *store = writer->store;
    struct import_outcome outcome = {0};
    bool there = false, fine = writer_pack_finish(writer, error);
    /* Pages that are new need no way back: without the log they are written once, where nobody else has the store open. */
    bool direct = fine && store->journal == JOURNAL_LOG && spool_size(writer->spool) >= store->large_import;
    if (direct)
        store_try_journal(store, JOURNAL_ROLLBACK);
    fine = fine && store_begin(store, error);
    if (fine) {
        fine = commit_inside(writer, facts, &outcome, &there, error);
        if (fine && !there) {
            fine = store_end(store, error);
            shrink_wal(store);
        } else {
            store_roll_back(store);
        }
    }
    if (direct)
        store_try_journal(store, JOURNAL_LOG);
    if (there)
        outcome.result = IMPORT_ALREADY_THERE;
    store_writer_abort(writer);
    if (fine)
        *ret = outcome;
    return fine;
}

/* Names that are new get rows to be compared by, so that this has to be taken back, too. */
bool store_writer_rehearse(struct store_writer *writer, const struct import_facts *facts,
                           struct import_outcome *ret, struct error *error)
{
    struct import_outcome outcome = {0};
    bool there = false, fine = writer_pack_finish(writer, error) && store_begin(writer->store, error);
    if (fine) {
        fine = plan_inside(writer, facts, &outcome, &there, error);
        store_roll_back(writer->store);
    }
    if (there)
        outcome.result = IMPORT_ALREADY_THERE;
    store_writer_abort(writer);
    if (fine)
        *ret = outcome;
    return fine;
}
