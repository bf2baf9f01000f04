/*
 * status and gate: a build as a whole, for a chat and for CI.
 */
#include "stutterscope/base/memory.h"
#include "stutterscope/model/tables_triage.h"
#include "verbs.h"
#include <stdlib.h>
#include <string.h>

/* A build that is not in the store is no mistake here: nothing was uploaded for it. */
static bool request_status(const struct invocation *invocation, struct model *model, struct status_request *ret, const char **ret_name,
                           struct error *error)
{
    const char *name = invocation_value(invocation, OPTION_BUILD), *baseline = invocation_value(invocation, OPTION_BASELINE);

    *ret = (struct status_request){.strict = invocation_has(invocation, OPTION_STRICT),
                                   .progress = invocation->shows_progress ? &invocation->progress : NULL};
    if (!invocation_today(invocation, &ret->today_ms, error))
        return false;
    if (!name)
        ret->build = model_newest_build(model);
    else if (!model_find_build_strictly(model, name, &ret->build, error))
        return false;
    *ret_name = ret->build ? model_build_name(model, ret->build) : name;
    return !baseline || model_find_build(model, baseline, &ret->baseline, error);
}

static void add_cells(struct text_buffer *out, const struct build_status *status)
{
    text_add_print(out, "compared %zu   missing %zu   new %zu   not comparable %zu   runs %lld of %lld   devices %zu of %zu\n", status->compared,
                   status->missing, status->fresh, status->not_comparable, (long long)status->runs, (long long)status->expected_runs,
                   status->uploads, status->expected_uploads);
}

static void add_result(struct text_buffer *out, const struct build_status *status)
{
    if (status->regressions)
        text_add_print(out, "REGRESSION: %zu", status->regressions);
    if (status->regressions && status->incomplete)
        text_add(out, "   ");
    if (status->incomplete && status->missing)
        text_add_print(out, "INCOMPLETE: %zu cell%s without data", status->missing, text_plural((int64_t)status->missing));
    else if (status->incomplete)
        text_add(out, status->compared ? "INCOMPLETE: cells without a verdict, or fewer runs than usual" : "INCOMPLETE: nothing could be compared");
    if (!status->regressions && !status->incomplete)
        text_add(out, "clean");
    text_add(out, "\n");
}

void add_nights(struct text_buffer *out, const struct missed_nights *nights)
{
    char from[48], to[48];

    if (!nights->count)
        return;
    text_add_print(out, "nights without upload %zu:", nights->count);
    for (size_t i = 0; i < nights->count;) {
        size_t end = i;

        while (end + 1 < nights->count && nights->items[end + 1] == nights->items[end] + 1)
            end++;
        text_add_print(out, "%s %s", i ? "," : "", day_print(from, sizeof from, nights->items[i]));
        if (end > i)
            text_add_print(out, " to %s", day_print(to, sizeof to, nights->items[end]));
        i = end + 1;
    }
    text_add(out, "\n");
}

static void add_missing(struct model *model, struct text_buffer *out, const struct build_status *status)
{
    for (size_t d = 0; d < status->coverage->device_count && status->build; d++) {
        const struct coverage_device *device = &status->coverage->devices[d];

        if (device->cell.state == COVERAGE_MISSING)
            text_add_print(out, "missing %s since %s\n", model_device_title(device->device), model_build_name(model, device->cell.since));
        else if (device->cell.state == COVERAGE_FEWER)
            text_add_print(out, "partial %s %lld of %lld run%s\n", model_device_title(device->device), (long long)device->cell.runs,
                           (long long)device->cell.expected, text_plural(device->cell.expected));
        if (device->sampled_runs)
            text_add_print(out, "sampled %s %lld run%s\n", model_device_title(device->device), (long long)device->sampled_runs, text_plural(device->sampled_runs));
    }
}

static bool print_json(const struct invocation *invocation, struct json *document, struct error *error)
{
    char *text = json_print_pretty(document);
    struct text_buffer out = {0};
    bool good;

    text_add_print(&out, "%s\n", text);
    free(text);
    json_destroy(document);
    good = write_output(invocation, out.items, out.count, error);
    array_free(&out);
    return good;
}

static bool print_status_text(struct invocation *invocation, struct model *model, const char *name, const struct build_status *status, struct error *error)
{
    char *summary = status->build ? model_summary(model, status->build, status->wanted_baseline, false, error) : memory_print("no data for build %s\n", name);
    struct text_buffer out = {0};
    bool good = summary != NULL;

    if (good) {
        text_add(&out, summary);
        add_missing(model, &out, status);
        add_nights(&out, &status->nights);
        add_cells(&out, status);
        add_result(&out, status);
        good = write_output(invocation, out.items, out.count, error);
    }
    array_free(&out);
    free(summary);
    return good;
}

int verb_status(struct invocation *invocation, struct error *error)
{
    struct status_request request;
    struct build_status *status;
    struct model *model;
    const char *name;
    bool good;

    if (!invocation_open_model(invocation, &model, error))
        return EXIT_TROUBLE;
    good = request_status(invocation, model, &request, &name, error) && model_status(model, &request, &status, error);
    if (good) {
        if (invocation_has(invocation, OPTION_JSON))
            good = print_json(invocation, status_to_json(model, "status", name, status), error);
        else if (invocation_has(invocation, OPTION_CSV))
            good = print_table(invocation, table_gate(model, name, status), error) == EXIT_DONE;
        else
            good = print_status_text(invocation, model, name, status, error);
        build_status_destroy(status);
    }
    model_close(model);
    return good ? EXIT_DONE : EXIT_TROUBLE;
}

/* The table of what is wrong, where there is something, then the counts and the result. */
static bool print_gate_text(struct invocation *invocation, struct model *model, const char *name, const struct build_status *status, struct error *error)
{
    struct table *table = table_gate(model, name, status);
    struct text_buffer out = {0};
    bool good;

    free(table->message);
    table->message = memory_copy_text("nothing got worse, nothing is missing");
    if (!status->build)
        text_add_print(&out, "no data for build %s\n", name);
    add_nights(&out, &status->nights);
    add_cells(&out, status);
    add_result(&out, status);
    good = print_table(invocation, table, error) == EXIT_DONE && write_out(invocation, out.items, out.count, error);
    array_free(&out);
    return good;
}

int verb_gate(struct invocation *invocation, struct error *error)
{
    static const int statuses[] = {[GATE_CLEAN] = EXIT_DONE, [GATE_REGRESSION] = EXIT_FINDING, [GATE_INCOMPLETE] = EXIT_INCOMPLETE};
    struct status_request request;
    struct build_status *status = NULL;
    struct model *model;
    const char *name;
    int result = EXIT_TROUBLE;
    bool good;

    if (!invocation_open_model(invocation, &model, error))
        return EXIT_TROUBLE;
    good = request_status(invocation, model, &request, &name, error) && model_status(model, &request, &status, error);
    if (good) {
        if (invocation_has(invocation, OPTION_JSON))
            good = print_json(invocation, status_to_json(model, "gate", name, status), error);
        else if (invocation_has(invocation, OPTION_CSV))
            good = print_table(invocation, table_gate(model, name, status), error) == EXIT_DONE;
        else
            good = print_gate_text(invocation, model, name, status, error);
        result = good ? statuses[status->result] : EXIT_TROUBLE;
        build_status_destroy(status);
    }
    model_close(model);
    return result;
}
