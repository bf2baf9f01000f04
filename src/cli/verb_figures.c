/*
 * runs, stats, heatmap, stutters, windows, frames, compare, findings: a table of the model, printed.
 */
#include "stutterscope/base/memory.h"
#include "stutterscope/model/tables_triage.h"
#include "stutterscope/model/summary.h"
#include "picture.h"
#include "verbs.h"
#include <stdlib.h>
#include <string.h>

typedef struct table *make_table(struct model *model, const struct table_request *request, struct error *error);

/* What is printed may be a part of the frames: of the runs that were asked for, by the model that is open. */
static void remark_missing_frames(const struct invocation *invocation, struct model *model, const struct table_request *request)
{
    struct run_list runs = {0};
    int64_t build = request->build == -1 ? 0 : request->build ? request->build : model_newest_build(model);
    struct error ignored;
    size_t summarised = 0;

    if (!model_list_runs(model, build, request->device, &runs, &ignored))
        runs.count = 0;
    for (size_t i = 0; i < runs.count; i++)
        summarised += runs.items[i].summarised && (!request->run_name || strcmp(runs.items[i].name, request->run_name) == 0);
    if (summarised) {
        char *text = memory_print("of %zu run%s only the frames around stutters and events are here; --fetch asks the server for all", summarised,
                                  text_plural((int64_t)summarised));

        say_remark(invocation, text);
        free(text);
    }
    run_list_free(&runs);
}

/* Why there is less than people expect of runs whose frames are elsewhere. */
static void remark_summaries(const struct invocation *invocation, struct model *model, const struct table_request *request)
{
    struct error ignored;
    int64_t build = request->build ? request->build : model_newest_build(model);
    char *warning = invocation_has(invocation, OPTION_QUIET) ? NULL : model_summary_warning(model, build == -1 ? 0 : build, &ignored);

    if (warning)
        say_remark(invocation, warning);
    free(warning);
}

static int print_figures(struct invocation *invocation, make_table *make, struct error *error)
{
    struct model *model;
    struct table_request request;
    struct table *table = NULL;
    int status = EXIT_TROUBLE;

    if (!invocation_open_model(invocation, &model, error))
        return EXIT_TROUBLE;
    if (invocation_request(invocation, model, &request, error)) {
        table = make(model, &request, error);
        free((void *)request.percentiles_milli);
    }
    if (table)
        remark_summaries(invocation, model, &request);
    if (table && make == table_frames && !request.fetch)
        remark_missing_frames(invocation, model, &request);
    if (table && filter_rows(invocation, model, table, error))
        status = print_table(invocation, table, error);
    else
        table_destroy(table);
    model_close(model);
    return status;
}

int verb_runs(struct invocation *invocation, struct error *error)
{
    return print_figures(invocation, table_runs, error);
}

int verb_stats(struct invocation *invocation, struct error *error)
{
    return print_figures(invocation, table_stats, error);
}

int verb_heatmap(struct invocation *invocation, struct error *error)
{
    if (wants_picture(invocation))
        return write_picture(invocation, SCREEN_MAP, error);
    return print_figures(invocation, table_heatmap, error);
}

int verb_stutters(struct invocation *invocation, struct error *error)
{
    return print_figures(invocation, table_stutters, error);
}

int verb_windows(struct invocation *invocation, struct error *error)
{
    return print_figures(invocation, table_windows, error);
}

int verb_frames(struct invocation *invocation, struct error *error)
{
    return print_figures(invocation, table_frames, error);
}

int verb_trend(struct invocation *invocation, struct error *error)
{
    if (wants_picture(invocation))
        return write_picture(invocation, SCREEN_TREND, error);
    return print_figures(invocation, table_trend, error);
}

int verb_compare(struct invocation *invocation, struct error *error)
{
    return print_figures(invocation, table_compare, error);
}

int verb_findings(struct invocation *invocation, struct error *error)
{
    return print_figures(invocation, table_findings, error);
}

int verb_events(struct invocation *invocation, struct error *error)
{
    return print_figures(invocation, table_events, error);
}

int verb_samples(struct invocation *invocation, struct error *error)
{
    return print_figures(invocation, table_samples, error);
}

int verb_view(struct invocation *invocation, struct error *error)
{
    return write_view(invocation, invocation->operands[0], error);
}

int verb_snapshots(struct invocation *invocation, struct error *error)
{
    if (wants_picture(invocation))
        return write_picture(invocation, SCREEN_MEMORY, error);
    return print_figures(invocation, table_snapshots, error);
}
