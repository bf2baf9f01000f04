#include "sides.h"

#include "stutterscope/analysis/distribution.h"
#include "stutterscope/base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_counted(const struct run_figures *figures, const struct baseline *only)
{
    if (figures->flags & (FIGURE_SAMPLED | FIGURE_FEW))
        return false;
    for (size_t i = 0; only && i < only->runs.count; i++)
        if (only->runs.items[i] == figures->run)
            return true;
    return !only;
}

void event_side_start(struct event_side *side)
{
    memset(side, 0, sizeof *side);
    side->peak_ns = VALUE_UNKNOWN;
}

void event_side_free(struct event_side *side)
{
    array_free(&side->peaks);
    array_free(&side->rates);
    array_free(&side->counts);
}

static const struct event_figures *event_of_run(const struct event_figures *events, size_t count, int64_t run, int64_t event)
{
    for (size_t i = 0; i < count; i++)
        if (events[i].run == run && events[i].event == event)
            return &events[i];
    return NULL;
}

bool event_side_add(struct model *model, const struct group_key *key, int64_t event, const struct baseline *only,
                    struct event_side *side, struct error *error)
{
    const struct build_results *results = model_results(model, key->build, true, NULL, error);
    size_t run_count, event_count;

    if (!results)
        return false;

    const struct run_figures *runs = results_runs(results, key, &run_count);
    const struct event_figures *events = results_events(results, key, &event_count);

    for (size_t i = 0; i < run_count; i++) {
        if (!is_counted(&runs[i], only) || (runs[i].flags & FIGURE_NO_WINDOWS))
            continue;

        const struct event_figures *here = event_of_run(events, event_count, runs[i].run, event);
        double minutes = (double)runs[i].distribution.duration_ns / (60.0 * NS_PER_S);

        side->runs++;
        side->seen += !event ? 1 : here ? here->occurrences : 0;
        side->hits += here && here->windows > 0;
        if (here && here->peak_ns != VALUE_UNKNOWN) {
            array_push(&side->peaks, (double)here->peak_ns / NS_PER_MS);
            if (side->peak_ns == VALUE_UNKNOWN || here->peak_ns > side->peak_ns)
                side->peak_ns = here->peak_ns;
        }
        if (minutes > 0) {
            double windows = here ? (double)here->windows : 0;

            array_push(&side->rates, windows / minutes);
            array_push(&side->counts, (struct run_count){windows, minutes});
        }
    }
    return true;
}

double run_figure_value(const struct run_figures *run, enum compared_figure figure)
{
    switch (figure) {
    case COMPARED_P95:
        return (double)run->distribution.p95_ns / NS_PER_MS;
    case COMPARED_P99:
        return (double)run->distribution.p99_ns / NS_PER_MS;
    case COMPARED_MAX:
        return (double)run->distribution.max_ns / NS_PER_MS;
    case COMPARED_HITCH_RATIO:
        return distribution_hitch_ratio(&run->distribution);
    default:
        return NAN;
    }
}

bool group_side_add(struct model *model, const struct group_key *key, enum compared_figure figure,
                    const struct baseline *only, struct numbers *numbers, struct error *error)
{
    const struct build_results *results = model_results(model, key->build, true, NULL, error);
    size_t count;

    if (!results)
        return false;

    const struct run_figures *runs = results_runs(results, key, &count);

    for (size_t i = 0; i < count; i++)
        if (is_counted(&runs[i], only) && runs[i].distribution.frames > 0)
            array_push(numbers, run_figure_value(&runs[i], figure));
    return true;
}
