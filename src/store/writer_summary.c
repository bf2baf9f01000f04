/* A build of a database server: its earlier runs give way, its figures become rows. */
#include "derived_tables.h"
#include "stutterscope/base/clock.h"
#include "stutterscope/base/memory.h"
#include "writer_internal.h"
#include <stdlib.h>
#include <string.h>

static const size_t summary_texts[] = {
    offsetof(struct run_summary, build),    offsetof(struct run_summary, device),
    offsetof(struct run_summary, soc),      offsetof(struct run_summary, model_code),
    offsetof(struct run_summary, name),     offsetof(struct run_summary, maps),
    offsetof(struct run_summary, settings),
};
#define SUMMARY_TEXTS (sizeof summary_texts / sizeof *summary_texts)

static char **summary_text(struct run_summary *summary, size_t i)
{
    return (char **)((char *)summary + summary_texts[i]);
}

void run_summary_clear(struct run_summary *summary)
{
    for (size_t i = 0; i < SUMMARY_TEXTS; i++)
        free(*summary_text(summary, i));
    *summary = (struct run_summary){0};
}

void writer_free_summaries(struct store_writer *writer)
{
    free(writer->source);
    free(writer->source_build);
    free(writer->source_content);
    array_free(&writer->summaries);
    array_free(&writer->peaks);
}

void store_writer_replace_build(struct store_writer *writer, const char *address, const char *build,
                                const char *content)
{
    writer->source = memory_copy_text(address);
    writer->source_build = memory_copy_text(build);
    writer->source_content = memory_copy_text(content);
}

void store_writer_set_summary(struct store_writer *writer, size_t run, const struct run_summary *summary)
{
    struct run_summary *to = &writer->runs.items[run].summary;
    run_summary_clear(to);
    *to = *summary;
    for (size_t i = 0; i < SUMMARY_TEXTS; i++) {
        const char *text = *summary_text(to, i);
        *summary_text(to, i) = memory_copy_text(text ? text : "");
    }
}

static uint32_t add_name(struct store_writer *writer, const char *name)
{
    return name ? dictionary_add(writer->names, name, strlen(name)) : 0;
}

void store_writer_add_summary(struct store_writer *writer, size_t run, size_t of, const char *scene,
                              const char *quality, const struct summary_row *row)
{
    array_push(&writer->summaries,
               (struct writer_summary){run, of, add_name(writer, scene), add_name(writer, quality), 0, *row});
}

void store_writer_add_peak(struct store_writer *writer, size_t run, const char *scene, const char *quality,
                           uint32_t event, int64_t peak_ns)
{
    struct writer_summary peak = {run, run, add_name(writer, scene), add_name(writer, quality), event, {0}};
    peak.row.distribution.max_ns = peak_ns;
    array_push(&writer->peaks, peak);
}

/* ---- in the transaction ---- */

static bool find_source(struct store_writer *writer, int64_t *ret, struct error *error)
{
    return store_change(writer->store, error,
                        "INSERT INTO source (address) VALUES (?) ON CONFLICT DO NOTHING", "s",
                        writer->source) &&
           store_ask(writer->store, error, 0, ret, "SELECT id FROM source WHERE address = ?", "s",
                     writer->source);
}

#define OLD_RUNS "(SELECT run FROM source_run WHERE source = ?1 AND build = ?2)"

bool writer_replace_build(struct store_writer *writer, int64_t import, struct error *error)
{
    static const char *const derived[] = {"distribution", "run_distribution", "event_figure", "window",
                                          "stutter"};
    static const char *const old[] = {
        "DELETE FROM summary_distribution WHERE (build, device, series) IN (SELECT build, device, series "
        "FROM run WHERE id IN " OLD_RUNS ")",
        "DELETE FROM segment WHERE run IN " OLD_RUNS,
        "DELETE FROM run WHERE id IN " OLD_RUNS,
    };
    struct store *store = writer->store;
    int64_t source;
    bool fine = find_source(writer, &source, error) &&
                store_change(store, error,
                             "UPDATE frame_group SET changed = ?3, frames = frame_group.frames - old.frames"
                             " FROM (SELECT r.build, r.device, s.scene, s.quality, sum(s.frames) AS frames"
                             " FROM run r JOIN segment s ON s.run = r.id WHERE r.id IN " OLD_RUNS
                             " GROUP BY 1, 2, 3, 4) AS old"
                             " WHERE frame_group.build = old.build AND frame_group.device = old.device"
                             " AND frame_group.scene = old.scene AND frame_group.quality = old.quality",
                             "isi", source, writer->source_build, import);
    for (size_t i = 0; i < sizeof derived / sizeof *derived && fine; i++) {
        char *sql = memory_print(
            "DELETE FROM %s WHERE frame_group IN (SELECT id FROM frame_group WHERE changed = ?)", derived[i]);
        fine = store_change(store, error, sql, "i", import);
        free(sql);
    }
    for (size_t i = 0; i < sizeof old / sizeof *old && fine; i++)
        fine = store_change(store, error, old[i], "is", source, writer->source_build);
    return fine && store_change(store, error,
                                "INSERT OR REPLACE INTO source_build (source, build, content, "
                                "imported_at_ms) VALUES (?, ?, ?, ?)",
                                "issi", source, writer->source_build, writer->source_content, clock_now_ms());
}

static const char *series_of(const struct writer_run *run)
{
    return run->facts.series ? run->facts.series : "nightly";
}

bool writer_plan_summarised(struct store_writer *writer, struct writer_run *run, struct error *error)
{
    int64_t others;
    if (!store_ask(writer->store, error, 0, &others,
                   "SELECT count(*) FROM run WHERE build = ? AND device = ? AND series = ?", "iis",
                   run->build, run->device, series_of(run)))
        return false;
    run->plan = PLAN_NEW;
    return others == 0 || error_set(error, ERROR_INPUT,
                                    "build %s on %s has runs of the series %s from elsewhere: the figures of "
                                    "files and of servers are not "
                                    "mixed. Nothing of this build was stored",
                                    run->facts.build, run->facts.device_model, series_of(run));
}

bool writer_refuse_mixture(struct store_writer *writer, const struct writer_run *run,
                           const struct import_facts *facts, struct error *error)
{
    int64_t others;
    if (!store_ask(writer->store, error, 0, &others,
                   "SELECT count(*) FROM run WHERE build = ? AND device = ? AND series = ? AND summarised",
                   "iis", run->build, run->device, series_of(run)))
        return false;
    return others == 0 ||
           error_set(error, ERROR_INPUT,
                     "%s: build %s on %s was imported from a server, which keeps its frames: the figures of "
                     "files and of "
                     "servers are not mixed. Nothing was stored. Give these runs a --series of their own",
                     facts->path, run->facts.build, run->facts.device_model);
}

bool writer_apply_source(struct store_writer *writer, const struct writer_run *run, struct error *error)
{
    const struct run_summary *summary = &run->summary;
    int64_t source;
    if (!writer->source)
        return true;
    return find_source(writer, &source, error) &&
           store_change(
               writer->store, error,
               "INSERT INTO source_run (run, source, build, device, soc, model_code, name, maps, frames_kept)"
               " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
               "iissssssi", run->stored, source, summary->build, summary->device, summary->soc,
               summary->model_code, summary->name, summary->maps, run->frames);
}

static bool write_summary(struct store_writer *writer, struct writer_summary *summary, const char *sql,
                          struct error *error)
{
    const struct writer_run *of = &writer->runs.items[summary->of];
    struct summary_row *row = &summary->row;
    row->build = of->build;
    row->device = of->device;
    row->run = summary->run == SIZE_MAX ? 0 : of->stored;
    if (!writer_find_name(writer, false, summary->scene, &row->scene, error) ||
        !writer_find_name(writer, true, summary->quality, &row->quality, error))
        return false;
    sqlite3_stmt *query = store_query(writer->store, error, sql, "s", series_of(of));
    if (query)
        row_bind(query, 2, summary_table.fields, summary_table.field_count, row);
    return store_finish(writer->store, query, query ? sqlite3_step(query) : SQLITE_ERROR, error);
}

static bool write_peak(struct store_writer *writer, const struct writer_summary *peak, struct error *error)
{
    int64_t scene, quality, event = 0;
    return writer_find_name(writer, false, peak->scene, &scene, error) &&
           writer_find_name(writer, true, peak->quality, &quality, error) &&
           (!peak->event || writer_find_text(writer, peak->event, &event, error)) &&
           store_change(
               writer->store, error,
               "INSERT INTO summary_peak (run, scene, quality, event, peak_ns) VALUES (?, ?, ?, ?, ?)"
               " ON CONFLICT DO UPDATE SET peak_ns = max(peak_ns, excluded.peak_ns)",
               "iiiii", writer->runs.items[peak->of].stored, scene, quality, event,
               peak->row.distribution.max_ns);
}

bool writer_apply_summaries(struct store_writer *writer, struct error *error)
{
    struct text_buffer sql = {0};
    bool fine = true;
    text_add_print(&sql, "INSERT INTO %s (series, ", summary_table.name);
    row_add_columns(&sql, summary_table.fields, summary_table.field_count);
    text_add(&sql, ") VALUES (?");
    row_add_marks(&sql, summary_table.field_count);
    text_add(&sql, ")");
    for (size_t i = 0; i < writer->summaries.count && fine; i++)
        fine = write_summary(writer, &writer->summaries.items[i], sql.items, error);
    for (size_t i = 0; i < writer->peaks.count && fine; i++)
        fine = write_peak(writer, &writer->peaks.items[i], error);
    array_free(&sql);
    return fine;
}
