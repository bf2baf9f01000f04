/* Is everything still what was stored? And: what can be computed again may be dropped. */
#include "segments.h"
#include "stutterscope/base/memory.h"
#include "writer_internal.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct checker {
    struct store *store;
    void (*problem)(void *user, const char *text);
    void *user;
    int64_t problems;
    struct {
        int64_t *items;
        size_t count, capacity;
    } frame_times, values;
};

__attribute__((format(printf, 2, 3))) static void report(struct checker *checker, const char *format, ...)
{
    struct error text;
    va_list list;
    va_start(list, format);
    vsnprintf(text.text, sizeof text.text, format, list);
    va_end(list);
    checker->problems++;
    if (checker->problem)
        checker->problem(checker->user, text.text);
}

static bool check_database(struct checker *checker, struct error *error)
{
    sqlite3_stmt *query = store_query(checker->store, error, "PRAGMA integrity_check(100)", "");
    int step = SQLITE_ERROR;
    while (query && (step = sqlite3_step(query)) == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(query, 0);
        if (text && strcmp(text, "ok") != 0)
            report(checker, "the database file is damaged: %s", text);
    }
    return store_finish(checker->store, query, step, error);
}

static bool check_references(struct checker *checker, struct error *error)
{
    sqlite3_stmt *query = store_query(checker->store, error, "PRAGMA foreign_key_check", "");
    int step = SQLITE_ERROR;
    while (query && (step = sqlite3_step(query)) == SQLITE_ROW)
        report(checker, "row %lld of table %s refers to a row of table %s that is not there",
               (long long)sqlite3_column_int64(query, 1), (const char *)sqlite3_column_text(query, 0),
               (const char *)sqlite3_column_text(query, 2));
    return store_finish(checker->store, query, step, error);
}

static void check_frame_times(struct checker *checker, const struct segment_row *segment)
{
    size_t count = (size_t)segment->count;
    const int64_t *values = checker->frame_times.items;
    int64_t least = values[0], greatest = values[0];
    for (size_t i = 1; i < count; i++) {
        least = values[i] < least ? values[i] : least;
        greatest = values[i] > greatest ? values[i] : greatest;
    }
    if (least != segment->min_ns || greatest != segment->max_ns ||
        sum_frame_times(values, count) != segment->sum_ns)
        report(checker,
               "segment %lld: its frame times do not have the least, greatest or sum that it is said to have",
               (long long)segment->id);
}

/* A damaged column is a finding, not a failure of the check. */
static void check_segment(struct checker *checker, const struct segment_row *segment)
{
    struct error why;
    array_reserve(&checker->frame_times, (size_t)segment->count);
    array_reserve(&checker->values, (size_t)segment->count);
    if (!(segment->columns & 1u << COLUMN_FRAME_TIME)) {
        report(checker, "segment %lld has no frame times", (long long)segment->id);
        return;
    }
    for (int column = 0; column < COLUMN_COUNT; column++) {
        if (!(segment->columns & 1u << column))
            continue;
        int64_t *values = column == COLUMN_FRAME_TIME ? checker->frame_times.items : checker->values.items;
        if (!store_read_column(checker->store, segment, column, values, &why))
            report(checker, "%s", why.text);
        else if (column == COLUMN_FRAME_TIME)
            check_frame_times(checker, segment);
    }
}

static bool check_segments(struct checker *checker, struct error *error)
{
    struct segment_filter all = {.quality = -1};
    struct segment_list list = {0};
    bool fine = store_list_segments(checker->store, &all, &list, error);
    for (size_t i = 0; fine && i < list.count; i++)
        check_segment(checker, &list.items[i]);
    segment_list_free(&list);
    return fine;
}

static bool check_sums(struct checker *checker, const char *what, const char *sql, struct error *error)
{
    sqlite3_stmt *query = store_query(checker->store, error, sql, "");
    int step = SQLITE_ERROR;
    while (query && (step = sqlite3_step(query)) == SQLITE_ROW)
        report(checker, "%s %s: %lld frames are noted, its segments hold %lld", what,
               (const char *)sqlite3_column_text(query, 0), (long long)sqlite3_column_int64(query, 1),
               (long long)sqlite3_column_int64(query, 2));
    return store_finish(checker->store, query, step, error);
}

static bool check_runs(struct checker *checker, struct error *error)
{
    return check_sums(
        checker, "run",
        "SELECT r.name, coalesce(o.frames_kept, r.frames) AS noted, total(s.frames) FROM run r"
        " LEFT JOIN source_run o ON o.run = r.id LEFT JOIN segment s ON s.run = r.id"
        " GROUP BY r.id HAVING noted <> total(s.frames)",
        error);
}

static bool check_groups(struct checker *checker, struct error *error)
{
    return check_sums(checker, "group",
                      "SELECT g.id, g.frames, total(s.frames) FROM frame_group g"
                      " LEFT JOIN run r ON r.build = g.build AND r.device = g.device"
                      " LEFT JOIN segment s ON s.run = r.id AND s.scene = g.scene AND s.quality = g.quality"
                      " GROUP BY g.id HAVING g.frames <> total(s.frames)",
                      error);
}

/* Damage is what is looked for: it ends one check, not all of them. */
static bool check_part(struct checker *checker, bool (*part)(struct checker *checker, struct error *error),
                       struct error *error)
{
    struct error why;
    if (part(checker, &why))
        return true;
    if (why.code != ERROR_STORE)
        return error_set(error, why.code, "%s", why.text);
    report(checker, "%s", why.text);
    return true;
}

bool store_check(struct store *store, void (*problem)(void *user, const char *text), void *user,
                 int64_t *ret_problems, struct error *error)
{
    struct checker checker = {.store = store, .problem = problem, .user = user};
    bool fine = check_part(&checker, check_database, error) &&
                check_part(&checker, check_references, error) &&
                check_part(&checker, check_segments, error) && check_part(&checker, check_runs, error) &&
                check_part(&checker, check_groups, error);
    array_free(&checker.frame_times);
    array_free(&checker.values);
    if (fine)
        *ret_problems = checker.problems;
    return fine;
}

bool store_drop_derived(struct store *store, struct error *error)
{
    /* everything derived hangs on the settings it was computed with */
    return store_change(store, error, "DELETE FROM analysis", "");
}
