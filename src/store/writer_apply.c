/* Rows of a run: new, in place of the earlier one, or joined with it. */
#include "stutterscope/base/memory.h"
#include "writer_internal.h"
#include <stdlib.h>
#include <string.h>

/* Its texts belong to the writer. */
static struct run_row row_of(const struct writer_run *run, int64_t import)
{
    const struct run_facts *facts = &run->facts;
    const struct run_measures *measures = &run->measures;
    return (struct run_row){
        .build = run->build,
        .device = run->device,
        .name = run->name,
        .os = (char *)facts->os,
        .gpu_name = (char *)facts->gpu_name,
        .series = (char *)facts->series,
        .log_url = (char *)facts->log_url,
        .outcome = (char *)facts->outcome,
        .station = (char *)facts->station,
        .scenario = (char *)facts->scenario,
        .conditions = (char *)facts->conditions,
        .started_at_ms = facts->started_at_ms,
        .sampling = {facts->sample_every, facts->kept_over_ns},
        .target_fps_milli = facts->target_fps_milli,
        .refresh_milli_hz = facts->refresh_milli_hz,
        .interval = (char *)facts->interval,
        .tests_holes = facts->tests_holes,
        .has_clock = facts->has_clock,
        .import = import,
        .frames = run->frames,
        .dropped = measures->dropped,
        .rejected = measures->rejected,
        .holes_wide = measures->holes_wide,
        .holes_tested = measures->holes_tested,
        .gaps = measures->gaps,
        .gap_ns = measures->gap_ns,
        .clock_steps = measures->clock_steps,
        .first_stamp_ns = run->first_stamp_ns,
        .last_stamp_ns = run->last_stamp_ns,
        .first_frame_ns = run->first_frame_ns,
        .sum_ns = run->sum_ns,
        .notes = run->notes,
        .limit_ns = VALUE_UNKNOWN,
    };
}

/* The whole run, not what of it is here. */
static void put_summary(const struct run_summary *summary, struct run_row *row)
{
    if (!summary->name)
        return;
    row->summarised = true;
    row->frames = summary->frames;
    row->sum_ns = summary->sum_ns;
    row->first_stamp_ns = summary->first_stamp_ns;
    row->last_stamp_ns = summary->last_stamp_ns;
    row->limit_ns = summary->limit_ns;
    row->summary_settings = (char *)summary->settings;
}

/* What the one does not know is taken from the other. */
static void complete(struct run_row *row, const struct run_row *other)
{
    for (size_t i = 0; i < run_field_count; i++) {
        size_t offset = run_fields[i].offset;
        char *to = (char *)row + offset;
        const char *from = (const char *)other + offset;
        if (run_fields[i].kind == ROW_TEXT && !*(char **)to)
            *(char **)to = *(char *const *)from;
        if (run_fields[i].kind == ROW_INTEGER && *(int64_t *)to == VALUE_UNKNOWN)
            *(int64_t *)to = *(const int64_t *)from;
    }
}

/* "[a]" and "[b]" are "[a,b]". A new string, or NULL. */
static char *join_notes(const char *a, const char *b)
{
    if (!a || !b || strcmp(a, "[]") == 0 || strcmp(b, "[]") == 0 || a[0] != '[' || b[0] != '[')
        return memory_copy_text(!a || strcmp(a, "[]") == 0 ? b : a);
    return memory_print("%.*s,%s", (int)strlen(a) - 1, a, b + 1);
}

/* notes of the result: a new string. Everything else belongs to the two. */
static struct run_row join_rows(const struct run_row *old, const struct run_row *new)
{
    struct run_row row = *old;
    complete(&row, new);
    row.import = new->import;
    row.frames += new->frames;
    row.dropped += new->dropped;
    row.rejected += new->rejected;
    row.holes_wide += new->holes_wide;
    row.holes_tested += new->holes_tested;
    row.gaps += new->gaps;
    row.gap_ns += new->gap_ns;
    row.clock_steps += new->clock_steps;
    if (__builtin_add_overflow(old->sum_ns, new->sum_ns, &row.sum_ns))
        row.sum_ns = INT64_MAX;
    bool earlier = row.clock_steps == 0 &&
                   new->first_stamp_ns < old->first_stamp_ns &&new->first_stamp_ns != VALUE_UNKNOWN;
    if (earlier) {
        row.first_stamp_ns = new->first_stamp_ns;
        row.first_frame_ns = new->first_frame_ns;
    }
    if (row.clock_steps > 0 || new->last_stamp_ns > old->last_stamp_ns)
        row.last_stamp_ns = new->last_stamp_ns;
    row.notes = join_notes(old->notes, new->notes);
    return row;
}

static bool write_row(struct store_writer *writer, struct writer_run *run, struct run_row *row,
                      struct error *error)
{
    struct text_buffer sql = {0};
    row->series = row->series ? row->series : (char *)"nightly";
    row->interval = row->interval ? row->interval : (char *)"present";
    text_add(&sql, run->stored ? "UPDATE run SET (anonymous, " : "INSERT INTO run (anonymous, ");
    row_add_columns(&sql, run_fields, run_field_count);
    text_add(&sql, run->stored ? ") = (?" : ") VALUES (?");
    row_add_marks(&sql, run_field_count);
    text_add(&sql, run->stored ? ") WHERE id = ?" : ")");
    char *text = text_take(&sql);
    sqlite3_stmt *query = store_query(writer->store, error, text, "b", run->hash != NULL);
    free(text);
    if (!query)
        return false;
    row_bind(query, 2, run_fields, run_field_count, row);
    if (run->stored)
        sqlite3_bind_int64(query, (int)run_field_count + 2, run->stored);
    if (!store_finish(writer->store, query, sqlite3_step(query), error))
        return false;
    if (!run->stored)
        run->stored = sqlite3_last_insert_rowid(writer->store->db);
    return true;
}

static bool write_run(struct store_writer *writer, struct writer_run *run, int64_t import,
                      struct error *error)
{
    struct run_row row = row_of(run, import), old = {0};
    put_summary(&run->summary, &row);
    if (run->plan == PLAN_NEW)
        return write_row(writer, run, &row, error);
    if (!run_row_read(writer->store, run->stored, &old, error))
        return false;
    struct run_row result;
    if (run->plan == PLAN_EXTENDED) {
        result = join_rows(&old, &row);
    } else {
        result = row;
        complete(&result, &old);
        result.notes = memory_copy_text(result.notes);
    }
    bool fine = write_row(writer, run, &result, error);
    free(result.notes);
    run_row_free(&old);
    return fine;
}

/* Its groups lose the frames and what was computed of them: windows point into segments that are no more. */
static bool drop_segments(struct store_writer *writer, const struct writer_run *run, int64_t import,
                          struct error *error)
{
    static const char *const derived[] = {
        "DELETE FROM distribution WHERE frame_group IN (SELECT id FROM frame_group WHERE changed = ?)",
        "DELETE FROM run_distribution WHERE frame_group IN (SELECT id FROM frame_group WHERE changed = ?)",
        "DELETE FROM event_figure WHERE frame_group IN (SELECT id FROM frame_group WHERE changed = ?)",
        "DELETE FROM window WHERE frame_group IN (SELECT id FROM frame_group WHERE changed = ?)",
        "DELETE FROM stutter WHERE frame_group IN (SELECT id FROM frame_group WHERE changed = ?)",
    };
    struct store *store = writer->store;
    if (!store_change(store, error,
                      "UPDATE frame_group SET changed = ?1, frames = frame_group.frames - old.frames"
                      " FROM (SELECT scene, quality, sum(frames) AS frames FROM segment WHERE run = ?2"
                      " GROUP BY scene, quality) AS old"
                      " WHERE build = ?3 AND device = ?4 AND frame_group.scene = old.scene"
                      " AND frame_group.quality = old.quality",
                      "iiii", import, run->stored, run->build, run->device) ||
        !store_change(store, error, "DELETE FROM segment WHERE run = ?", "i", run->stored))
        return false;
    for (size_t i = 0; i < sizeof derived / sizeof *derived; i++)
        if (!store_change(store, error, derived[i], "i", import))
            return false;
    return true;
}

static bool write_segments(struct store_writer *writer, const struct writer_run *run, int64_t import,
                           int64_t first_visit, struct error *error)
{
    struct text_buffer sql = {0};
    text_add(&sql, "INSERT INTO segment (import, ");
    row_add_columns(&sql, segment_fields, segment_field_count);
    text_add(&sql, ") VALUES (?");
    row_add_marks(&sql, segment_field_count);
    text_add(&sql, ")");
    char *text = text_take(&sql);
    bool fine = true;
    for (size_t i = 0; fine && i < run->segment_count; i++) {
        struct segment_row *row = &writer->segments.items[writer->order[run->first_segment + i]].row;
        row->run = run->stored;
        row->visit += first_visit;
        sqlite3_stmt *query = store_query(writer->store, error, text, "i", import);
        if (query)
            row_bind(query, 2, segment_fields, segment_field_count, row);
        fine = store_finish(writer->store, query, query ? sqlite3_step(query) : SQLITE_ERROR, error);
        row->id = sqlite3_last_insert_rowid(writer->store->db);
    }
    free(text);
    return fine;
}

/* Two halves of a run may come in any order; while the clock has no step, the stamps say which visit was
 * first. */
static bool order_visits(struct store_writer *writer, const struct writer_run *run, struct error *error)
{
    return store_change(
        writer->store, error,
        "WITH visits AS (SELECT visit, min(first_stamp_ns) AS first FROM segment WHERE run = ?1"
        " GROUP BY visit),"
        " ordered AS MATERIALIZED (SELECT visit, row_number() OVER (ORDER BY first, visit) - 1 AS place"
        " FROM visits)"
        " UPDATE segment SET visit = ordered.place FROM ordered"
        " WHERE segment.run = ?1 AND ordered.visit = segment.visit"
        " AND (SELECT clock_steps FROM run WHERE id = ?1) = 0",
        "i", run->stored);
}

static bool count_groups(struct store_writer *writer, const struct writer_run *run, int64_t import,
                         struct error *error)
{
    return store_change(
        writer->store, error,
        "INSERT INTO frame_group (build, device, scene, quality, frames, changed)"
        " SELECT ?1, ?2, scene, quality, sum(frames), ?3 FROM segment WHERE run = ?4 AND import = ?3"
        " GROUP BY scene, quality"
        " ON CONFLICT (build, device, scene, quality) DO UPDATE"
        " SET frames = frame_group.frames + excluded.frames, changed = excluded.changed",
        "iiii", run->build, run->device, import, run->stored);
}

bool writer_apply_run(struct store_writer *writer, struct writer_run *run, int64_t import,
                      struct error *error)
{
    static const char *const outcomes[] = {"new", "replaced", "extended", "unchanged"};
    int64_t first_visit = 0;
    if (run->plan == PLAN_EXTENDED &&
        !store_ask(writer->store, error, 0, &first_visit, "SELECT max(visit) + 1 FROM segment WHERE run = ?",
                   "i", run->stored))
        return false;
    if (run->plan == PLAN_REPLACED && !drop_segments(writer, run, import, error))
        return false;
    if (run->plan != PLAN_UNCHANGED &&
        (!write_run(writer, run, import, error) || !write_segments(writer, run, import, first_visit, error) ||
         !count_groups(writer, run, import, error)))
        return false;
    if (run->plan == PLAN_EXTENDED && !order_visits(writer, run, error))
        return false;
    if (run->plan == PLAN_NEW && run->stored && !writer_apply_source(writer, run, error))
        return false;
    return run->stored == 0 ||
           store_change(
               writer->store, error,
               "INSERT INTO import_run (import, run, outcome) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", "iis",
               import, run->stored, outcomes[run->plan]);
}
