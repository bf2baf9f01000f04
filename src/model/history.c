#include "stutterscope/model/history.h"

#include "internal.h"
#include "sides.h"
#include "stutterscope/analysis/distribution.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/number.h"
#include "stutterscope/base/text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool compared_figure_find(const char *name, enum compared_figure *ret, struct error *error)
{
    struct text_buffer names = {0};

    for (int i = 0; i < COMPARED_COUNT; i++) {
        const char *full = compared_figure_name((enum compared_figure)i);
        size_t length = strcspn(full, "_");

        if (text_equals_ignoring_case(full, name) || (strlen(name) == length && strncmp(full, name, length) == 0)) {
            *ret = (enum compared_figure)i;
            array_free(&names);
            return true;
        }
        text_add_print(&names, "%s%s", i ? ", " : "", full);
    }
    error_set(error, ERROR_USAGE, "unknown figure \"%s\": expected one of %s", name, names.items);
    array_free(&names);
    return false;
}

static double run_value(const struct history *history, const struct run_figures *run, const struct event_figures *events, size_t event_count)
{
    if (history->event < 0)
        return run_figure_value(run, history->figure);
    for (size_t i = 0; i < event_count; i++) {
        if (events[i].run != run->run || events[i].event != history->event)
            continue;
        if (history->figure == COMPARED_PEAK)
            return events[i].peak_ns == VALUE_UNKNOWN ? NAN : (double)events[i].peak_ns / NS_PER_MS;
        return (double)events[i].windows * 60 * NS_PER_S / (double)run->distribution.duration_ns;
    }
    return history->figure == COMPARED_RATE ? 0 : NAN;
}

static double median_of_runs(const struct history_build *build)
{
    double *values = memory_take((build->runs.count + 1) * sizeof *values), median;

    for (size_t i = 0; i < build->runs.count; i++)
        values[i] = build->runs.items[i].value;
    median = median_of(values, build->runs.count);
    free(values);
    return median;
}

static bool group_waits(const struct model *model, const struct group_key *key)
{
    size_t count, first = model_group_range(model, key, &count);

    for (size_t i = first; i < first + count; i++)
        if (model->groups.items[i].key.build == key->build)
            return model->groups.items[i].stale;
    return false;
}

static bool add_build(struct model *model, struct history *history, size_t index, bool as_it_is, const struct progress *progress, struct error *error)
{
    struct history_build *build = &history->builds[index];
    struct group_key key = history->key;
    size_t run_count, event_count;

    build->build = key.build = model->builds.items[index].id;
    build->median = NAN;
    if (!model_group_has_frames(model, &key))
        return true;
    build->has_frames = true;
    build->waits = as_it_is && group_waits(model, &key);
    history->waiting += build->waits;

    const struct build_results *results = model_results(model, key.build, as_it_is, progress, error);
    const struct run_list *rows = results ? model_build_runs(model, key.build, error) : NULL;

    if (!rows)
        return false;

    const struct run_figures *runs = results_runs(results, &key, &run_count);
    const struct event_figures *events = results_events(results, &key, &event_count);

    for (size_t i = 0; i < run_count; i++) {
        const struct run_row *row = run_list_find(rows, runs[i].run);
        double value = run_value(history, &runs[i], events, event_count);

        build->sampled += (runs[i].flags & FIGURE_SAMPLED) != 0;
        if (!row || (runs[i].flags & (FIGURE_SAMPLED | FIGURE_FEW)) || isnan(value) ||
            (history->event >= 0 && (runs[i].flags & FIGURE_NO_WINDOWS)))
            continue;
        array_push(&build->runs, (struct history_run){row->id, row->name, row->os, value, false});
    }
    build->median = median_of_runs(build);
    return true;
}

/* When many runs of a build are far away, none of them is odd: the build is. */
static void forgive_many(struct history_build *build)
{
    size_t odd = 0;

    for (size_t i = 0; i < build->runs.count; i++)
        odd += build->runs.items[i].odd;
    for (size_t i = 0; odd * 3 > build->runs.count && i < build->runs.count; i++)
        build->runs.items[i].odd = false;
}

/* Far from the median of the runs around it (its build and its two neighbours) by 3 x 1.4826 x MAD and by a step. */
static void name_odd_runs(struct history *history)
{
    for (size_t b = 0; b < history->build_count; b++) {
        struct numbers around = {0};
        size_t from = b ? b - 1 : 0, to = b + 1 < history->build_count ? b + 1 : b;

        for (size_t n = from; n <= to; n++)
            for (size_t i = 0; i < history->builds[n].runs.count; i++)
                array_push(&around, history->builds[n].runs.items[i].value);

        double median = median_of(around.items, around.count), limit = 3 * 1.4826 * mad_of(around.items, around.count);

        for (size_t i = 0; i < history->builds[b].runs.count && around.count >= HISTORY_BUILDS; i++) {
            struct history_run *run = &history->builds[b].runs.items[i];

            run->odd = fabs(run->value - median) > limit && fabs(run->value - median) > 0.25 * fabs(median);
        }
        forgive_many(&history->builds[b]);
        array_free(&around);
    }
}

static void find_change(struct history *history)
{
    struct per_run *builds = memory_take_zeroed(history->build_count + 1, sizeof *builds);
    double **values = memory_take_zeroed(history->build_count + 1, sizeof *values);

    for (size_t b = 0; b < history->build_count; b++) {
        values[b] = memory_take((history->builds[b].runs.count + 1) * sizeof **values);
        for (size_t i = 0; i < history->builds[b].runs.count; i++)
            values[b][i] = history->builds[b].runs.items[i].value;
        builds[b] = (struct per_run){values[b], history->builds[b].runs.count};
    }
    change_point_find(builds, history->build_count, &history->change);
    for (size_t b = 0; b < history->build_count; b++)
        free(values[b]);
    free(values);
    free(builds);
    if (!history->change.found)
        return;
    history->first_bad = history->builds[history->change.first_after].build;
    for (size_t b = history->change.first_after; b-- > 0;) {
        if (history->builds[b].runs.count) {
            history->last_good = history->builds[b].build;
            break;
        }
        history->not_run++;
    }
}

void history_range_at(const struct history *history, size_t first_bad, struct history_range *ret)
{
    *ret = (struct history_range){.first_bad = first_bad, .last_good = SIZE_MAX, .next = SIZE_MAX};
    for (size_t b = first_bad; b-- > 0 && ret->last_good == SIZE_MAX;)
        if (history->builds[b].runs.count)
            ret->last_good = b;
    if (ret->last_good == SIZE_MAX)
        return;
    ret->not_run = first_bad - ret->last_good - 1;
    if (ret->not_run)
        ret->next = ret->last_good + 1 + (ret->not_run - 1) / 2;
}

/* How far the median of a build may move by chance: from the runs of the last 5 builds before it. */
static double noise_before(const struct history *history, size_t build)
{
    struct numbers values = {0};
    size_t builds = 0;

    for (size_t b = build; b-- > 0 && builds < HISTORY_BUILDS;) {
        builds += history->builds[b].runs.count > 0;
        for (size_t i = 0; i < history->builds[b].runs.count; i++)
            array_push(&values, history->builds[b].runs.items[i].value);
    }

    double noise = values.count >= HISTORY_BUILDS ? 3 * 1.4826 * mad_of(values.items, values.count) : NAN;

    array_free(&values);
    return noise;
}

struct number_text {
    char text[32];
};

static struct number_text short_number(double value)
{
    struct number_text result = {""};

    number_print_double(result.text, sizeof result.text, value, fabs(value) >= 100 ? 0 : 1);
    return result;
}

/* Many small steps in one direction, none of them a step: held against the first build, a fixed anchor. */
static bool say_slope(const struct model *model, struct history *history, size_t with_runs)
{
    double *medians = memory_take((history->build_count + 1) * sizeof *medians);
    size_t first = SIZE_MAX, last = 0;
    int direction;

    for (size_t b = 0; b < history->build_count; b++) {
        medians[b] = history->builds[b].median;
        if (isnan(medians[b]))
            continue;
        first = first == SIZE_MAX ? b : first;
        last = b;
    }

    double p = slope_p(medians, history->build_count, &direction), from = first == SIZE_MAX ? NAN : medians[first], to = medians[last];

    free(medians);
    if (!(p < CHANGE_POINT_P) || !compared_figure_matters(history->figure, from, to) || (to > from) != (direction > 0))
        return false;
    struct text_buffer percent = {0};

    if (from != 0)
        text_add_print(&percent, " (%+.0f %%)", 100 * (to - from) / from);
    history->answer = memory_print("no single step, but it %s slowly: %s to %s%s from %s to %s, %zu builds with runs, p %s",
                                   direction > 0 ? "rises" : "falls", short_number(from).text, short_number(to).text,
                                   percent.items ? percent.items : "", model_build_name(model, history->builds[first].build),
                                   model_build_name(model, history->builds[last].build), with_runs, p < 0.0001 ? "< 0.0001" : "< 0.001");
    array_free(&percent);
    return true;
}

static const char *p_words(double p)
{
    return p < 0.0001 ? "< 0.0001" : p < 0.0005 ? "< 0.0005" : "< 0.001";
}

static void say(const struct model *model, struct history *history)
{
    const struct change_point *change = &history->change;
    const char *hidden = history->hidden_by_baseline ? model_build_name(model, history->baseline) : NULL;
    size_t with_runs = 0;

    for (size_t b = 0; b < history->build_count; b++)
        with_runs += history->builds[b].runs.count > 0;
    if (!change->found && say_slope(model, history, with_runs))
        return;
    if (!change->found) {
        history->answer = memory_print("no step in %zu build%s with runs%s", with_runs, text_plural((int64_t)with_runs),
                                       isnan(change->t) ? ": history short, fewer than 5 runs on a side" : "");
        return;
    }
    history->answer = memory_print("step %s at %s: %s to %s, %zu night%s | %zu, p %s, %s%s%s%s", change->after > change->before ? "up" : "down",
                                   model_build_name(model, history->first_bad), short_number(change->before).text,
                                   short_number(change->after).text, change->builds_before, text_plural((int64_t)change->builds_before),
                                   change->builds_after, p_words(change->p), change_point_trust(change),
                                   hidden ? "; older than the baseline (" : "", hidden ? hidden : "", hidden ? "): hidden by it" : "");
}

bool model_history(struct model *model, const struct group_key *key, int64_t event, enum compared_figure figure, int64_t baseline,
                   bool as_it_is, const struct progress *progress, struct history **ret, struct error *error)
{
    int64_t position = model_build_position(model, key->build);
    struct history *history;
    struct baseline chosen;
    bool good = true;

    if (position < 0)
        return error_set(error, ERROR_USAGE, "there is no such build in this store");
    if ((event < 0) != (figure != COMPARED_PEAK && figure != COMPARED_RATE))
        return error_set(error, ERROR_USAGE, "%s is a figure of %s", compared_figure_name(figure), event < 0 ? "an event: name it" : "a whole scene, not of an event");
    history = memory_take_zeroed(1, sizeof *history);
    history->key = *key;
    history->event = event;
    history->figure = figure;
    history->build_count = (size_t)position + 1;
    history->builds = memory_take_zeroed(history->build_count, sizeof *history->builds);
    for (size_t b = 0; b < history->build_count && good; b++)
        good = add_build(model, history, b, as_it_is, progress, error);
    good = good && model_baseline(model, key, baseline, &chosen, error);
    if (!good) {
        history_destroy(history);
        return false;
    }
    history->baseline = chosen.build;
    baseline_free(&chosen);
    name_odd_runs(history);
    find_change(history);
    history->noise = noise_before(history, history->build_count - 1);
    history->change_noise = history->change.found ? noise_before(history, history->change.first_after) : NAN;
    history->hidden_by_baseline = history->change.found && history->change.after > history->change.before && history->baseline &&
                                  model_build_position(model, history->first_bad) <= model_build_position(model, history->baseline);
    say(model, history);
    *ret = history;
    return true;
}

void history_destroy(struct history *history)
{
    if (!history)
        return;
    for (size_t b = 0; b < history->build_count; b++)
        array_free(&history->builds[b].runs);
    free(history->builds);
    free(history->answer);
    free(history);
}
