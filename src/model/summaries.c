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

enum summary_fit model_summary_fit(const struct analysis_settings *settings, const struct run_row *run)
{
    char *now = analysis_labelling_text(settings);
    const char *then = run->summary_settings ? run->summary_settings : "", *a = strchr(now, ' '),
               *b = strchr(then, ' ');
    enum summary_fit fit = SUMMARY_OTHER;

    if (strcmp(now, then) == 0)
        fit = SUMMARY_FITS;
    else if (a && b && strcmp(a, b) == 0)
        fit = SUMMARY_OTHER_FACTOR;
    free(now);
    return fit;
}

/* All frames over the threshold are here, so that they can be counted again for another one. */
static int64_t count_over(const struct model *model, const struct run_pieces *run,
                          const struct run_figures *figures)
{
    int64_t over = 0;

    for (size_t i = 0; i < run->count; i++) {
        const struct frame_piece *piece = &run->pieces[i];
        int64_t alert_ns = frame_limits_of(&model->settings, piece->fps_milli).alert_ns;

        if (piece->scene != figures->scene || piece->quality != figures->quality)
            continue;
        for (size_t f = 0; f < piece->count; f++)
            over += piece->frame_ns[f] > alert_ns && label_at(piece->labels, f) == LABEL_GAMEPLAY;
    }
    return over;
}

void summaries_put_run(const struct summary_list *list, const struct model *model,
                       const struct run_pieces *run, struct run_figures *figures)
{
    const struct summary_row *row = find_row(list, figures->run, figures->scene, figures->quality);
    enum summary_fit fit = model_summary_fit(&model->settings, run->run);

    figures->flags |= FIGURE_SUMMARISED;
    if (fit == SUMMARY_OTHER) {
        figures->flags |= FIGURE_NO_WINDOWS; /* what was gameplay then is not what is gameplay now */
        return;
    }
    if (row && !(figures->flags & FIGURE_SPIKE_ONLY))
        figures->distribution = row->distribution;
    if (fit == SUMMARY_OTHER_FACTOR && figures->distribution.frames &&
        !(figures->flags & FIGURE_NO_WINDOWS)) {
        figures->distribution.over = count_over(model, run, figures);
        figures->distribution.labelled[LABEL_GAMEPLAY].over = figures->distribution.over;
    }
    if (!(figures->flags & FIGURE_SPIKE_ONLY))
        figures->flags |= distribution_flags(&figures->distribution, &model->settings);
}

/* Frames between limit and median, or below the limit at all, could be candidates: nobody knows them here. */
static bool leaves_kept_frames(const struct candidate_limits *limits, int64_t limit_ns)
{
    return (limits->rule == RULE_MAD || limits->rule == RULE_EITHER) && limits->z_limit_ns - 1 < limit_ns;
}

bool summaries_put_group(const struct summary_list *list, const struct model *model,
                         const struct run_list *runs, struct group_results *results)
{
    struct group_figures *group = &results->group;
    const struct summary_row *row = find_row(list, 0, group->key.scene, group->key.quality);
    bool any = false, known = false;
    int64_t over = 0;

    for (size_t i = 0; i < results->runs.count; i++) {
        const struct run_row *run = run_list_find(runs, results->runs.items[i].run);

        any = any || (results->runs.items[i].flags & FIGURE_SUMMARISED);
        known = known || (run && model_summary_fit(&model->settings, run) != SUMMARY_OTHER);
        over += results->runs.items[i].distribution.over;
    }
    if (!any)
        return false;
    if (row && known) {
        group->distribution = row->distribution;
        group->distribution.over = group->distribution.labelled[LABEL_GAMEPLAY].over = over;
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
