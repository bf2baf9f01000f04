/* What is known about the cell at the cursor: looked up when the cursor moves, so that drawing only reads. */
#include "map.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "words.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void map_clear_detail(struct map_detail *detail)
{
    array_free(&detail->hits);
    free(detail->qualities);
    free(detail->also);
    free(detail->clean);
    free(detail->unclear);
    free(detail->others);
    memset(detail, 0, sizeof *detail);
}

struct some_entries {
    const struct stutter_entry **items; /* worst first, as they come */
    size_t count, capacity;
};

struct detail_work {
    struct map_state *state;
    struct map_detail *detail;
    struct model *model;
    const struct map_row *row;
    const struct map_column *column;
    const struct map_cell *cell;
    const struct stutter_entry *entry; /* NULL: no stutter */
    struct group_key key;
    struct some_entries here;      /* of the cell */
    struct some_entries elsewhere; /* the same stutter on other devices */
};

static void find_entries(struct detail_work *work)
{
    const struct stutter *mine = work->entry ? &work->entry->stutter : NULL;
    size_t count;
    const struct map_entry_key *keys = map_entry_keys(work->state, work->key.scene, &count);

    for (size_t i = 0; i < count; i++) {
        const struct stutter_entry *entry = &work->state->entries.items[keys[i].entry];

        if (keys[i].device == work->key.device)
            array_push(&work->here, entry);
        if (mine && keys[i].present && keys[i].event == mine->event && keys[i].label == mine->label && keys[i].device != mine->key.device)
            array_push(&work->elsewhere, entry);
    }
}

static void find_group(struct detail_work *work, const struct build_results *results)
{
    struct map_detail *detail = work->detail;
    const struct group_figures *group = results ? results_group(results, &work->key) : NULL;
    struct baseline baseline = {0};
    struct group_key there = work->key;

    if (!group)
        return;
    detail->now = group->distribution;
    detail->has_now = group->distribution.frames > 0;
    detail->runs = group->runs;
    detail->play_ns = group->distribution.duration_ns;
    if (!model_baseline(work->model, &work->key, work->state->session->baseline, &baseline, NULL))
        return;
    there.build = detail->baseline_build = baseline.build;
    if (baseline.runs.count) {
        const struct build_results *before = model_group_results(work->model, &there, NULL);

        group = before ? results_group(before, &there) : NULL;
        detail->has_before = group && group->distribution.frames > 0;
        if (detail->has_before)
            detail->before = group->distribution;
    }
    baseline_free(&baseline);
}

/* Budget: the window says which one counted; without a window it is the one of the device. */
static void find_limits(struct detail_work *work)
{
    struct map_detail *detail = work->detail;
    const struct analysis_settings *settings = model_settings(work->model);
    int64_t fps_milli = settings->fps_milli > 0 ? settings->fps_milli : work->row->fps_milli;
    struct frame_limits limits = frame_limits_of(settings, fps_milli);

    detail->fps_milli = fps_milli > 0 ? fps_milli : 60000;
    detail->budget_ns = limits.budget_ns;
    detail->alert_ns = limits.alert_ns;
    if (!detail->has_window || detail->window.budget_ns <= 0)
        return;
    detail->budget_ns = detail->window.budget_ns;
    detail->alert_ns = detail->window.limit_ns;
    detail->fps_milli = (int64_t)llround(1e12 / (double)detail->window.budget_ns / 1000) * 1000;
}

static void find_stutter(struct detail_work *work, const struct build_results *results)
{
    struct map_detail *detail = work->detail;
    const struct stutter *stutter = &work->entry->stutter;
    const struct stutter_window *window = results ? results_worst_window(results, stutter) : NULL;
    struct stutter_runs runs = {0};
    struct group_key there = work->key;
    size_t count = 0;

    detail->has_window = window != NULL;
    if (window)
        detail->window = *window;
    detail->lost_now = map_lost(stutter);
    there.build = work->entry->baseline_build;

    const struct build_results *before =
        there.build ? model_group_results(work->model, &there, NULL) : NULL;
    const struct stutter *stutters = before ? results_stutters(before, &there, &count) : NULL;

    for (size_t i = 0; i < count; i++)
        if (stutters[i].event == stutter->event && stutters[i].label == stutter->label)
            detail->lost_before = map_lost(&stutters[i]);
    /* It would analyse what is missing: not while that is still going on behind the screen. */
    if (results && results->complete && model_stutter_hits(work->model, work->entry, &runs, NULL))
        for (size_t i = 0; i < runs.count; i++)
            if (runs.items[i].can_show)
                array_push(&detail->hits, runs.items[i].hit);
    stutter_runs_free(&runs);
}

/* The greatest frame time at the event in one build; without a stutter the group's P99. */
static double trend_value(const struct detail_work *work, const struct build_results *results,
                          const struct group_key *key)
{
    const struct group_figures *group = results_group(results, key);
    size_t count;
    double peak = NAN;

    if (!group || !group->distribution.frames)
        return NAN;
    if (!work->entry)
        return (double)group->distribution.p99_ns;

    const struct event_figures *events = results_events(results, key, &count);

    for (size_t i = 0; i < count; i++)
        if (events[i].event == work->entry->stutter.event && events[i].peak_ns != VALUE_UNKNOWN &&
            !(peak >= (double)events[i].peak_ns))
            peak = (double)events[i].peak_ns;
    return peak;
}

static void find_trend(struct detail_work *work)
{
    const struct build_list *builds = model_builds(work->model);
    int64_t position = model_build_position(work->model, work->key.build);
    int64_t first = position - MAP_TREND_BUILDS + 1;

    for (int64_t i = first < 0 ? 0 : first; i <= position; i++) {
        struct group_key key = work->key;
        const struct build_results *results;

        key.build = builds->items[i].id;
        results = model_group_results(work->model, &key, NULL);
        work->detail->trend[work->detail->trend_count++] = results ? trend_value(work, results, &key) : NAN;
    }
}

static void add_to_list(struct text_buffer *list, const char *text)
{
    text_add_print(list, "%s%s", list->count ? ", " : "", text);
}

/* The first entry of a device is its worst. */
static bool is_first_of_device(const struct some_entries *entries, size_t place)
{
    for (size_t i = 0; i < place; i++)
        if (entries->items[i]->stutter.key.device == entries->items[place]->stutter.key.device)
            return false;
    return true;
}

static char *find_also(const struct detail_work *work)
{
    struct text_buffer list = {0};

    for (size_t i = 0; i < work->elsewhere.count; i++) {
        const struct stutter_entry *entry = work->elsewhere.items[i];

        if (is_first_of_device(&work->elsewhere, i))
            text_add_print(&list, "%s%s %s", list.count ? ", " : "",
                           model_device_title(model_device(work->model, entry->stutter.key.device)),
                           word_number(entry->severity, 0).text);
    }
    return text_take(&list);
}

static char *find_clean(const struct detail_work *work)
{
    struct text_buffer list = {0};

    for (size_t i = 0; i < work->entry->clean_devices.count; i++)
        add_to_list(&list,
                    model_device_title(model_device(work->model, work->entry->clean_devices.items[i])));
    return text_take(&list);
}

/* Devices of which nothing can be said at this scene. */
static char *find_unclear(const struct detail_work *work)
{
    const struct map_rows *devices = map_devices(work->state);
    struct text_buffer list = {0};
    int column = work->state->column.selected;

    for (size_t r = 0; r < devices->count; r++) {
        const struct map_row *row = &devices->items[r];
        const struct map_cell *cell = map_device_cell(work->state, r, column);

        if (row->device == work->row->device)
            continue;
        if (cell->heat.state == STATE_SAMPLED || cell->heat.state == STATE_FEW || cell->heat.state == STATE_SLOW ||
            cell->heat.state == STATE_MISSING)
            text_add_print(&list, "%s%s %s", list.count ? ", " : "", row->title,
                           cell_state_name(cell->heat.state));
    }
    return text_take(&list);
}

/* NaN: no stutter there. */
static double severity_at(const struct detail_work *work, int64_t quality)
{
    for (size_t i = 0; i < work->here.count; i++) {
        const struct stutter_entry *entry = work->here.items[i];

        if (entry->present && entry->stutter.label == LABEL_GAMEPLAY && entry->stutter.key.quality == quality)
            return entry->severity;
    }
    return NAN;
}

/* "High 103  Low ·": the severity of the cell at each quality, when there are several. */
static char *find_qualities(const struct detail_work *work)
{
    struct text_buffer list = {0};
    size_t comparisons, count = 0;
    const struct group_comparison *here = map_comparisons(work->state, work->key.device, work->key.scene, &comparisons);

    for (size_t i = 0; i < comparisons; i++) {
        int64_t quality = here[i].key.quality;
        const char *name = model_quality_name(work->model, quality);
        double severity = severity_at(work, quality);

        if (i > 0 && here[i - 1].key.quality == quality)
            continue;
        text_add_print(&list, "%s%s %s", count++ ? "  " : "", name ? name : "?", isnan(severity) ? "·" : word_number(severity, 0).text);
    }
    if (count < 2)
        array_free(&list);
    return text_take(&list);
}

/* What else is in the cell, so that the one stutter that is shown hides nothing. */
static char *find_others(const struct detail_work *work)
{
    struct text_buffer list = {0};
    size_t transitions = 0;

    for (size_t i = 0; i < work->here.count; i++) {
        const struct stutter_entry *entry = work->here.items[i];

        if (entry == work->entry)
            continue;
        const char *event = model_text(work->model, entry->stutter.event);
        if (entry->stutter.label != LABEL_GAMEPLAY)
            transitions += entry->present;
        else if (entry->present)
            text_add_print(&list, "%s%s %s %s", list.count ? ", " : "", event ? event : "no event",
                           verdict_name(entry->verdict), word_number(entry->severity, 0).text);
        else
            text_add_print(&list, "%s%s %s", list.count ? ", " : "", event ? event : "no event",
                           verdict_name(entry->verdict));
    }
    if (transitions)
        text_add_print(&list, "%s%zu transition%s", list.count ? ", " : "", transitions,
                       text_plural((int64_t)transitions));
    return text_take(&list);
}

static void find_drift(struct detail_work *work)
{
    double most = 0;
    size_t count;
    const struct group_comparison *here = map_comparisons(work->state, work->key.device, work->key.scene, &count);

    for (size_t i = 0; i < count; i++) {
        if (here[i].figure != work->cell->drift || here[i].comparison.verdict != VERDICT_WORSE || !(here[i].comparison.delta_percent > most))
            continue;
        most = here[i].comparison.delta_percent;
        work->detail->drift = here[i].comparison;
        work->key.quality = here[i].key.quality;
    }
}

static void find_p99(struct detail_work *work)
{
    size_t count;
    const struct group_comparison *here = map_comparisons(work->state, work->key.device, work->key.scene, &count);

    for (size_t i = 0; i < count; i++) {
        if (here[i].figure != COMPARED_P99 || here[i].key.quality != work->key.quality || isnan(here[i].comparison.before) ||
            isnan(here[i].comparison.after))
            continue;
        work->detail->has_p99 = true;
        work->detail->p99 = here[i].comparison;
    }
}

void map_find_detail(struct map_state *state)
{
    struct detail_work work = {.state = state,
                               .detail = &state->detail,
                               .model = state->session->model,
                               .row = map_row_here(state),
                               .column = map_column_here(state),
                               .cell = map_cell_here(state)};
    const struct build_results *results;

    map_clear_detail(&state->detail);
    state->detail.lost_now = state->detail.lost_before = NAN;
    if (!work.cell || state->empty)
        return;
    state->detail.known = true;
    work.entry = map_entry_of(state, work.cell);
    work.key = (struct group_key){state->session->build, work.row->device, work.column->scene,
                                  work.cell->heat.quality};
    if (work.entry)
        work.key.quality = work.entry->stutter.key.quality;
    if (work.cell->drift != MAP_NO_DRIFT)
        find_drift(&work);
    find_entries(&work);
    results = model_results(work.model, work.key.build, true, NULL, NULL);
    find_group(&work, results);
    find_p99(&work);
    if (work.entry)
        find_stutter(&work, results);
    find_limits(&work);
    find_trend(&work);
    state->detail.qualities = find_qualities(&work);
    state->detail.others = find_others(&work);
    state->detail.unclear = find_unclear(&work);
    state->detail.also = work.entry ? find_also(&work) : memory_copy_text("");
    state->detail.clean = work.entry ? find_clean(&work) : memory_copy_text("");
    array_free(&work.here);
    array_free(&work.elsewhere);
}
