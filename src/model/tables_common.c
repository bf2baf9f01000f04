#include "tables_common.h"

#include "stutterscope/analysis/distribution.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/number.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void table_request_default(struct table_request *request)
{
    memset(request, 0, sizeof *request);
    request->quality = -1;
    request->with_transitions = true;
    request->from_ns = request->to_ns = request->today_ms = VALUE_UNKNOWN;
}

void table_put_head(struct table *table, struct model *model, int64_t build, int64_t baseline)
{
    table->head = json_object();
    json_add(table->head, "store", json_from_text(model_path(model)));
    json_add(table->head, "build", build == -1 ? json_from_text("all") : json_from_text(model_build_name(model, build)));
    if (baseline)
        json_add(table->head, "baseline", json_from_text(model_build_name(model, baseline)));
}

bool request_builds(struct model *model, const struct table_request *request, struct build_choice *ret, struct error *error)
{
    memset(ret, 0, sizeof *ret);
    if (request->build == -1)
        for (size_t i = 0; i < model->builds.count; i++)
            array_push(ret, model->builds.items[i].id);
    else if (request->build || model_newest_build(model))
        array_push(ret, request->build ? request->build : model_newest_build(model));
    return ret->count || error_set(error, ERROR_USAGE, "this store has no runs yet; \"stutterscope import FILE\" brings some");
}

bool request_wants_group(const struct table_request *request, const struct group_key *key)
{
    return (!request->device || request->device == key->device) && (!request->scene || request->scene == key->scene) &&
           (request->quality < 0 || request->quality == key->quality);
}

struct json *json_flags(uint32_t flags)
{
    static const struct {
        uint32_t flag;
        const char *name;
    } names[] = {
        {FIGURE_FEW, "few"},
        {FIGURE_SLOW, "slow"},
        {FIGURE_SAMPLED, "sampled"},
        {FIGURE_DECLARED, "weighted"},
        {FIGURE_NO_WINDOWS, "no windows"},
        {FIGURE_SPIKE_ONLY, "spikes only"},
        {FIGURE_SUMMARISED, "summarised"},
        {FIGURE_NO_CLOCK, "no clock"},
        {FIGURE_UNIT_GUESSED, "unit guessed"},
        {FIGURE_OPEN_INTERVAL, "open interval"},
    };
    struct json *list = json_array();

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (flags & names[i].flag)
            json_append(list, json_from_text(names[i].name));
    return list;
}

struct json *json_causes(const struct stutter_window *window)
{
    struct json *list = json_array();

    for (uint32_t bit = 1; bit <= CAUSE_UNKNOWN; bit <<= 1)
        if (window->causes & bit)
            json_append(list, json_from_text(cause_name((enum cause)bit)));
    return list;
}

struct json *json_labelled(const struct distribution *distribution)
{
    struct json *object = json_object();

    for (int label = LABEL_PAUSE; label < LABEL_COUNT; label++) {
        const struct label_total *total = &distribution->labelled[label];

        if (!total->frames)
            continue;

        struct json *item = json_object();

        json_add(item, "frames", json_from_integer(total->frames));
        json_add(item, "ms", json_from_scaled(total->ns, NS_PER_MS));
        json_add(object, frame_label_name((enum frame_label)label), item);
    }
    return object;
}

const char *sampling_text(const struct run_row *run, char *buffer, size_t size)
{
    char limit[32];

    if (run_row_is_sampled(run))
        return "sampled";
    if (run_row_is_spike_only(run)) {
        snprintf(buffer, size, "only over %s ms", number_print_scaled(limit, sizeof limit, run->sampling.kept_over_ns, NS_PER_MS));
        return buffer;
    }
    if (run->sampling.every <= 1)
        return "full";
    if (run->sampling.kept_over_ns == VALUE_UNKNOWN)
        snprintf(buffer, size, "1 of %lld", (long long)run->sampling.every);
    else
        snprintf(buffer, size, "1 of %lld and all over %s ms", (long long)run->sampling.every,
                 number_print_scaled(limit, sizeof limit, run->sampling.kept_over_ns, NS_PER_MS));
    return buffer;
}

/* Not even how many frames there are: a server has them, and was asked with other settings. */
static bool is_elsewhere(const struct distribution *distribution, uint32_t flags)
{
    int64_t frames = distribution->frames;

    for (int label = LABEL_GAMEPLAY + 1; label < LABEL_COUNT; label++)
        frames += distribution->labelled[label].frames;
    return frames == 0 && (flags & FIGURE_SUMMARISED) && !(flags & FIGURE_SPIKE_ONLY);
}

void put_distribution(struct row_writer *writer, const struct distribution *distribution, uint32_t flags)
{
    bool known = distribution->frames > 0;

    if (is_elsewhere(distribution, flags)) {
        writer->next += 16;
        return;
    }
    cell_set_integer(next_cell(writer), distribution->frames);
    cell_set_integer(next_cell(writer), distribution->frames_kept);
    cell_set_ns(next_cell(writer), distribution->duration_ns);
    if (!known) { /* no gameplay frame: there is no figure, not a 0 */
        writer->next += 9;
    } else {
        cell_set_real_ns(next_cell(writer), distribution->median_ns);
        cell_set_real_ns(next_cell(writer), distribution->mad_ns);
        cell_set_ns(next_cell(writer), distribution->p95_ns);
        cell_set_ns(next_cell(writer), distribution->p99_ns);
        cell_set_ns(next_cell(writer), distribution->min_ns);
        cell_set_ns(next_cell(writer), distribution->max_ns);
        cell_set_real_ns(next_cell(writer), distribution->mean_ns);
        cell_set_real_ns(next_cell(writer), distribution->low1_ns);
        cell_set_real(next_cell(writer), distribution_fps(distribution));
    }
    cell_set_integer(next_cell(writer), distribution->late);
    cell_set_integer(next_cell(writer), distribution->over);
    cell_set_real(next_cell(writer), distribution_hitch_ratio(distribution));
    cell_set_json(next_cell(writer), json_labelled(distribution));
}
