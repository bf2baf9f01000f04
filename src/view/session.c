#include "stutterscope/view/session.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/model/findings.h"
#include "stutterscope/model/snapshots.h"
#include "stutterscope/model/status.h"
#include "stutterscope/view/filtering.h"
#include "stutterscope/view/line.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct session *session_create(struct model *model)
{
    struct session *session = memory_take_zeroed(1, sizeof *session);

    session->model = model;
    session->build = model_newest_build(model);
    session->metric = METRIC_SEVERITY;
    session->quality = -1;
    session->today_ms = VALUE_UNKNOWN;
    session->has_snapshots = model_has_snapshots(model);
    return session;
}

void session_destroy(struct session *session)
{
    if (!session)
        return;
    filter_destroy(session->filter);
    view_words_free(&session->opened.words);
    filtering_destroy(session->filtering);
    session_clear_marks(session);
    array_free(&session->marked);
    array_free(&session->pending.subjects);
    free(session->draft.key);
    free(session->draft.text);
    model_close(session->model);
    free(session);
}

bool session_set_filter(struct session *session, const char *text, struct error *error)
{
    struct filter *filter;
    struct filter_names names;
    bool good;

    if (!filter_parse(text, &filter, NULL, NULL, error))
        return false;
    model_filter_names(session->model, session->build, &names);
    good = filter_check_names(filter, &names, NULL, NULL, error);
    filter_names_free(&names);
    if (!good || filter_is_empty(filter)) {
        filter_destroy(filter);
        filter = NULL;
    }
    if (good) {
        filter_destroy(session->filter);
        session->filter = filter;
    }
    return good;
}

static const struct stutter_entries *entries_of(struct session *session, struct error *error)
{
    return model_stutters(session->model, session->build, session->baseline, session->as_it_is, NULL, error);
}

const struct stutter_entry *session_stutter(struct session *session)
{
    struct error ignored;
    const struct stutter_entries *entries =
        session->build && session->stutter[0] ? entries_of(session, &ignored) : NULL;

    for (size_t i = 0; entries && i < entries->count; i++)
        if (strcmp(entries->items[i].id, session->stutter) == 0)
            return &entries->items[i];
    return NULL;
}

void session_choose_stutter(struct session *session, const struct stutter_entry *entry)
{
    session->device = entry->stutter.key.device;
    session->scene = entry->stutter.key.scene;
    if (strcmp(session->stutter, entry->id) == 0)
        return;
    text_print(session->stutter, sizeof session->stutter, "%s", entry->id);
    session->run = session->window = 0;
}

bool session_is_marked(const struct session *session, const char *id)
{
    for (size_t i = 0; i < session->marked.count; i++)
        if (strcmp(session->marked.items[i], id) == 0)
            return true;
    return false;
}

void session_toggle_mark(struct session *session, const char *id)
{
    for (size_t i = 0; i < session->marked.count; i++) {
        if (strcmp(session->marked.items[i], id) != 0)
            continue;
        free(session->marked.items[i]);
        session->marked.count--;
        memmove(session->marked.items + i, session->marked.items + i + 1,
                (session->marked.count - i) * sizeof *session->marked.items);
        return;
    }
    array_push(&session->marked, memory_copy_text(id));
}

void session_clear_marks(struct session *session)
{
    for (size_t i = 0; i < session->marked.count; i++)
        free(session->marked.items[i]);
    session->marked.count = 0;
}

static bool has_runs(struct model *model, int64_t build)
{
    struct run_list runs = {0};
    bool any = model_list_runs(model, build, 0, &runs, NULL) && runs.count > 0;

    run_list_free(&runs);
    return any;
}

bool session_step_build(struct session *session, int step)
{
    const struct build_list *builds = model_builds(session->model);
    int64_t position = model_build_position(session->model, session->build);

    if (position < 0)
        return false;
    for (position += step; position >= 0 && position < (int64_t)builds->count; position += step) {
        if (!has_runs(session->model, builds->items[position].id))
            continue;
        session->build = builds->items[position].id;
        session->run = session->window = 0;
        return true;
    }
    return false;
}

void session_check_results(struct session *session)
{
    session->as_it_is = session->analyses_in_steps && !model_comparison_is_complete(session->model, session->build);
}

bool session_reload(struct session *session, struct error *error)
{
    bool newest = session->build == model_newest_build(session->model);

    if (!model_reload(session->model, error))
        return false;
    if (newest || model_build_position(session->model, session->build) < 0) {
        session->build = model_newest_build(session->model);
        session->run = session->window = 0;
    }
    if (session->baseline && model_build_position(session->model, session->baseline) < 0)
        session->baseline = 0;
    session->has_snapshots = model_has_snapshots(session->model);
    session->has_news = false;
    return true;
}

bool session_follow(struct session *session, struct error *error)
{
    return !model_is_behind(session->model) || session_reload(session, error);
}

bool session_look_for_news(struct session *session)
{
    bool had_news = session->has_news;

    session->has_news = model_has_news(session->model);
    return session->has_news != had_news;
}

char *session_system_of(const struct session *session, int64_t build, int64_t device)
{
    struct run_list runs = {0};
    char *name = NULL;

    if (build && model_list_runs(session->model, build, device, &runs, NULL))
        for (size_t i = 0; i < runs.count && !name; i++) {
            size_t length = runs.items[i].os ? strcspn(runs.items[i].os, " 0123456789") : 0;

            name = length ? memory_copy_bytes(runs.items[i].os, length) : NULL;
        }
    run_list_free(&runs);
    return name;
}

bool session_nights(const struct session *session, struct session_nights *ret, struct error *error)
{
    struct missed_nights nights;

    *ret = (struct session_nights){.last_day = VALUE_UNKNOWN};
    if (!model_missed_nights(session->model, session->today_ms, &nights, error))
        return false;
    ret->last_day = nights.last_day;
    for (size_t i = 0; i < nights.count; i++)
        if (nights.items[i] < nights.last_day)
            ret->between++;
        else
            ret->since++;
    missed_nights_free(&nights);
    return true;
}

void session_nights_fill(const struct session_nights *nights, const char *before, struct line *line)
{
    char day[40];

    if (nights->between)
        line_print(line, 1, ROLE_MISSING, "%s%zu night%s without upload", before, nights->between, text_plural((int64_t)nights->between));
    if (!nights->since)
        return;
    line_print(line, 1, ROLE_MISSING, "%snothing since %s", before, day_print(day, sizeof day, nights->last_day));
    line_print(line, 4, ROLE_CHROME, ", %zu night%s", nights->since, text_plural((int64_t)nights->since));
}

/* ---- what waits for a decision ---- */

static struct open_item item_of(const struct findings *findings, const struct finding_line *line)
{
    static const int kinds[FINDING_KIND_COUNT] = {
        [FINDING_HITCH] = OPEN_STUTTER, [FINDING_DRIFT] = OPEN_DRIFT,     [FINDING_SLOW] = OPEN_SLOW,
        [FINDING_SILENT] = OPEN_SILENT, [FINDING_PARTIAL] = OPEN_PARTIAL,
    };
    struct open_item item = {.event = line->event,
                             .scene = line->scene,
                             .device = line->device,
                             .verdict = line->verdict,
                             .worst = findings->items.items[line->first].entry,
                             .devices = line->devices};

    item.kind = kinds[line->kind];
    return item;
}

bool session_findings(struct session *session, struct findings **ret, struct error *error)
{
    if (!model_findings(session->model, session->build, session->baseline, session->as_it_is, NULL, ret, error))
        return false;
    session->to_decide = (*ret)->to_decide;
    session->to_verify = (*ret)->to_verify;
    session->silent = (*ret)->silent + (*ret)->partial;
    return true;
}

void session_add_open(const struct findings *findings, struct open_items *ret)
{
    for (size_t i = 0; i < findings->lines.count; i++)
        if (findings->lines.items[i].decide)
            array_push(ret, item_of(findings, &findings->lines.items[i]));
}

bool session_open_items(struct session *session, struct open_items *ret, struct error *error)
{
    struct findings *findings;

    memset(ret, 0, sizeof *ret);
    session->to_decide = session->to_verify = session->silent = 0;
    if (!session->build)
        return true;
    if (!session_findings(session, &findings, error))
        return false;
    session_add_open(findings, ret);
    findings_destroy(findings);
    return true;
}
