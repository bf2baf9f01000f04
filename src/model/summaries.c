#include "summaries.h"

#include "stutterscope/analysis/distribution.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/model/summary.h"
#include <stdlib.h>
#include <string.h>

static const struct summary_row *find_row(const struct summary_list *list, int64_t run, int64_t scene,
                                          int64_t quality)
{
    for (size_t i = 0; i < list->rows.count; i++) {
        const struct summary_row *row = &list->rows.items[i];

        if (row->run == run && row->scene == scene && row->quality == quality)
            return row;
    }
    return NULL;
}

/* The words between the factor and the device. */
static bool same_labelling(const char *a, const char *b)
{
    const char *from = strchr(a, ' '), *other = strchr(b, ' ');
    const char *end = strstr(a, ANALYSIS_DEVICE_WORD), *other_end = strstr(b, ANALYSIS_DEVICE_WORD);
    size_t length = from && end && end > from ? (size_t)(end - from) : from ? strlen(from) : 0;

    return from && other &&
           length == (other_end && other_end > other ? (size_t)(other_end - other) : strlen(other)) &&
           strncmp(from, other, length) == 0;
}

/* A run that says its target FPS does not ask the device; imports of earlier programs do not say what it had. */
static bool same_device_fps(const struct run_row *run, const char *then, const char *now)
{
    const char *before = strstr(then, ANALYSIS_DEVICE_WORD), *today = strstr(now, ANALYSIS_DEVICE_WORD);

    return !before || !today || run->target_fps_milli > 0 || strcmp(before, today) == 0;
}

enum summary_fit model_summary_fit(const struct model *model, const struct run_row *run)
{
    const struct device_row *device = model_device(model, run->device);
    const char *then = run->summary_settings ? run->summary_settings : "";
    char *now = analysis_labelling_text(&model->settings, device ? device->target_fps_milli : VALUE_UNKNOWN);
    size_t factor = strcspn(now, " ");
    enum summary_fit fit = SUMMARY_OTHER;

    if (same_labelling(then, now) && same_device_fps(run, then, now))
        fit = strncmp(then, now, factor + 1) == 0 ? SUMMARY_FITS : SUMMARY_OTHER_FACTOR;
    free(now);
    return fit;
}

/*
 * Counts the frames over a threshold that is not the one of the import. All frames over the latter are here and count
 * once; below it, or where only some were recorded, nobody knows.
 */
static void count_over(const struct model *model, const struct run_pieces *run, struct run_figures *figures)
{
    struct distribution *distribution = &figures->distribution;
    int64_t over[LABEL_COUNT] = {0};
    bool known = !(figures->flags & FIGURE_NO_WINDOWS);

    for (size_t i = 0; i < run->count; i++) {
        const struct frame_piece *piece = &run->pieces[i];
        int64_t alert_ns = frame_limits_of(&model->settings, piece->fps_milli).alert_ns;

        if (piece->scene != figures->scene || piece->quality != figures->quality)
            continue;
        known = known && alert_ns >= run->run->limit_ns;
        for (size_t f = 0; f < piece->count; f++)
            over[label_at(piece->labels, f)] += piece->frame_ns[f] > alert_ns;
    }
    for (int label = 0; label < LABEL_COUNT; label++)
        distribution->labelled[label].over = known ? over[label] : VALUE_UNKNOWN;
    distribution->over = distribution->labelled[LABEL_GAMEPLAY].over;
}

void summaries_put_run(const struct summary_list *list, const struct model *model,
                       const struct run_pieces *run, struct run_figures *figures)
{
    const struct summary_row *row = find_row(list, figures->run, figures->scene, figures->quality);
    enum summary_fit fit = model_summary_fit(model, run->run);

    figures->flags |= FIGURE_SUMMARISED;
    if (fit == SUMMARY_OTHER) {
        figures->flags |= FIGURE_NO_WINDOWS; /* what was gameplay then is not what is gameplay now */
        return;
    }
    if (figures->flags & FIGURE_SPIKE_ONLY)
        return;
    if (row)
        figures->distribution = row->distribution;
    if (row && fit == SUMMARY_OTHER_FACTOR)
        count_over(model, run, figures);
    figures->flags |= distribution_flags(&figures->distribution, &model->settings);
}

/* Frames between limit and median, or below the limit at all, could be candidates: nobody knows them here. */
static bool leaves_kept_frames(const struct candidate_limits *limits, int64_t limit_ns)
{
    return (limits->rule == RULE_MAD || limits->rule == RULE_EITHER) && limits->z_limit_ns - 1 < limit_ns;
}

/* The sum over the runs, unless one of them does not know. */
static void sum_over(const struct group_results *results, struct distribution *ret)
{
    for (int label = 0; label < LABEL_COUNT; label++) {
        int64_t over = 0;

        for (size_t i = 0; i < results->runs.count; i++) {
            const struct run_figures *run = &results->runs.items[i];
            int64_t more = run->distribution.labelled[label].over;

            if (!(run->flags & FIGURE_SPIKE_ONLY))
                over = over == VALUE_UNKNOWN || more == VALUE_UNKNOWN ? VALUE_UNKNOWN : over + more;
        }
        ret->labelled[label].over = over;
    }
    ret->over = ret->labelled[LABEL_GAMEPLAY].over;
}

bool summaries_put_group(const struct summary_list *list, const struct model *model,
                         const struct run_list *runs, struct group_results *results)
{
    struct group_figures *group = &results->group;
    const struct summary_row *row = find_row(list, 0, group->key.scene, group->key.quality);
    bool any = false, known = row != NULL;

    for (size_t i = 0; i < results->runs.count; i++) {
        const struct run_row *run = run_list_find(runs, results->runs.items[i].run);

        any = any || (results->runs.items[i].flags & FIGURE_SUMMARISED);
        known = known && run && model_summary_fit(model, run) != SUMMARY_OTHER;
    }
    if (!any)
        return false;
    if (known) {
        group->distribution = row->distribution;
        sum_over(results, &group->distribution);
    }

    struct candidate_limits limits = candidate_limits_of(&group->distribution, &model->settings);

    for (size_t i = 0; i < results->runs.count; i++) {
        const struct run_row *run = run_list_find(runs, results->runs.items[i].run);

        if (run && leaves_kept_frames(&limits, run->limit_ns))
            results->runs.items[i].flags |= FIGURE_NO_WINDOWS;
    }
    group->flags |= FIGURE_SUMMARISED | distribution_flags(&group->distribution, &model->settings);
    return true;
}

void summaries_raise_peaks(const struct summary_list *list, const struct run_figures *figures,
                           struct event_tally *tally)
{
    for (size_t i = 0; i < list->peaks.count; i++) {
        const struct summary_peak_row *peak = &list->peaks.items[i];
        size_t at = 0;

        if (peak->run != figures->run || peak->scene != figures->scene || peak->quality != figures->quality)
            continue;
        while (at < tally->count && tally->items[at].event != peak->event)
            at++;
        if (at == tally->count)
            array_push(tally, (struct event_figures){.run = peak->run,
                                                     .scene = peak->scene,
                                                     .quality = peak->quality,
                                                     .event = peak->event,
                                                     .peak_ns = VALUE_UNKNOWN});
        if (peak->peak_ns > tally->items[at].peak_ns)
            tally->items[at].peak_ns = peak->peak_ns;
    }
}

bool summaries_hot(const struct summary_list *list, const struct run_figures *figures,
                   const struct stutter_window *window)
{
    const struct summary_row *row = find_row(list, figures->run, figures->scene, figures->quality);

    return row && row->hot && row->half_ns != VALUE_UNKNOWN && window->peak_stamp_ns >= row->half_ns;
}
