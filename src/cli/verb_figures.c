/*
 * runs, stats, heatmap, stutters, windows, frames, compare, findings: a table of the model, printed.
 */
#include "stutterscope/model/tables_triage.h"
#include "picture.h"
#include "verbs.h"
#include <stdlib.h>

typedef struct table *make_table(struct model *model, const struct table_request *request, struct error *error);

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

int verb_samples(struct invocation *invocation, struct error *error)
{
    return print_figures(invocation, table_samples, error);
}

int verb_snapshots(struct invocation *invocation, struct error *error)
{
    return print_figures(invocation, table_snapshots, error);
}
