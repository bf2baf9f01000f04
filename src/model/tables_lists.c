/*
 * builds, devices, runs, stats.
 */
#include "pieces.h"
#include "stutterscope/analysis/distribution.h"
#include "stutterscope/base/clock.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/model/heat.h"
#include "stutterscope/base/number.h"
#include "tables_common.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_time(struct cell *cell, int64_t ms)
{
    char buffer[48];

    cell_set_text(cell, ms == VALUE_UNKNOWN ? NULL : clock_print(buffer, sizeof buffer, ms));
}

struct table *table_builds(struct model *model, const struct table_request *request, struct error *error)
{
    static const struct table_column columns[] = {
        {"build", "build", COLUMN_SHOWN},     {"commit", "commit", COLUMN_SHOWN}, {"ci_run", "CI run", COLUMN_SHOWN},
        {"built_at", "built", COLUMN_SHOWN},  {"order", "order", COLUMN_SHOWN},   {"runs", "runs", COLUMN_SHOWN},
        {"baseline", "baseline", COLUMN_SHOWN}, {"bad", "bad", COLUMN_SHOWN},
    };
    struct run_list runs = {0};
    int64_t pinned = model_pin(model, 0, 0);

    if (!model_list_runs(model, 0, 0, &runs, error)) {
        run_list_free(&runs);
        return NULL;
    }

    struct table *table = table_create("builds", columns, COLUMN_NUMBER(columns));

    table_put_head(table, model, -1, 0);
    json_add(table->head, "ordered_by", json_from_text(model->builds.order));
    for (size_t i = 0; i < model->builds.count; i++) {
        const struct build_row *build = &model->builds.items[i];

        if (request->build > 0 && request->build != build->id)
            continue;

        struct row_writer writer = {table_add_row(table)};
        int64_t count = 0;

        for (size_t r = 0; r < runs.count; r++)
            count += runs.items[r].build == build->id;
        cell_set_text(next_cell(&writer), build->name);
        cell_set_text(next_cell(&writer), build->commit);
        cell_set_text(next_cell(&writer), build->ci_run);
        put_time(next_cell(&writer), build->built_at_ms);
        cell_set_integer(next_cell(&writer), (int64_t)i + 1);
        cell_set_integer(next_cell(&writer), count);
        cell_set_bool(next_cell(&writer), build->id == pinned);
        cell_set_bool(next_cell(&writer), build->bad);
    }
    run_list_free(&runs);
    return table;
}

struct table *table_devices(struct model *model, const struct table_request *request, struct error *error)
{
    static const struct table_column columns[] = {
        {"device", "device", COLUMN_SHOWN}, {"chip", "chip", COLUMN_SHOWN},         {"name", "name", COLUMN_SHOWN},
        {"tier", "tier", COLUMN_SHOWN},     {"target_fps", "target FPS", COLUMN_SHOWN}, {"weight", "weight", COLUMN_SHOWN},
        {"runs", "runs", COLUMN_SHOWN},
    };
    struct run_list runs = {0};

    if (!model_list_runs(model, 0, 0, &runs, error))
        return NULL;

    struct table *table = table_create("devices", columns, COLUMN_NUMBER(columns));

    table_put_head(table, model, -1, 0);
    for (size_t i = 0; i < model->devices.count; i++) {
        const struct device_row *device = &model->devices.items[i];
        int64_t count = 0;

        for (size_t r = 0; r < runs.count; r++)
            count += runs.items[r].device == device->id && (request->build <= 0 || request->build == runs.items[r].build);
        if (request->build > 0 && !count)
            continue;

        struct row_writer writer = {table_add_row(table)};

        cell_set_text(next_cell(&writer), device->model);
        cell_set_text(next_cell(&writer), device->chip);
        cell_set_text(next_cell(&writer), device->name);
        cell_set_text(next_cell(&writer), device->tier);
        cell_set_real(next_cell(&writer), device->target_fps_milli == VALUE_UNKNOWN ? NAN : (double)device->target_fps_milli / 1000);
        cell_set_real(next_cell(&writer), device->weight);
        cell_set_integer(next_cell(&writer), count);
    }
    run_list_free(&runs);
    return table;
}

static void put_group_names(struct row_writer *writer, const struct model *model, const struct group_key *key)
{
    const struct device_row *device = model_device(model, key->device);

    cell_set_text(next_cell(writer), model_build_name(model, key->build));
    cell_set_text(next_cell(writer), device ? device->model : NULL);
    cell_set_text(next_cell(writer), device ? device->chip : NULL);
    cell_set_text(next_cell(writer), model_scene_name(model, key->scene));
    cell_set_text(next_cell(writer), model_quality_name(model, key->quality));
}

/* Share of the recorded span that is covered by frames: tells, never decides. NAN for runs of one frame. */
static double logged_share(const struct run_row *run)
{
    int64_t span = run->last_stamp_ns - run->first_stamp_ns;

    if (!run->has_clock || run->frames < 2 || span <= 0)
        return NAN;
    return (double)(run->sum_ns - run->first_frame_ns) / (double)span;
}

/* Percentiles beyond P95 and P99 need the frames again: sums over the runs of the group (run 0) or one run. */
static struct json *more_percentiles(struct model *model, const struct table_request *request, const struct group_key *key, int64_t run_id,
                                     struct error *error)
{
    struct segment_filter filter = {key->build, key->device, key->scene, run_id, key->quality};
    struct segment_list segments = {0};
    struct run_list runs = {0};
    struct distribution_builder *builder = distribution_builder_create(&model->settings);
    struct distribution distribution;
    struct json *object = NULL;
    bool good = model_list_runs(model, key->build, key->device, &runs, error);

    for (size_t r = 0; r < runs.count && good; r++) {
        struct run_pieces pieces = {0};

        if (run_id && runs.items[r].id != run_id)
            continue;
        /* Labels depend on the whole run, so all of it is loaded. */
        filter = (struct segment_filter){.run = runs.items[r].id, .quality = -1};
        segment_list_free(&segments);
        good = store_list_segments(model->store, &filter, &segments, error) &&
               run_pieces_load(model, &runs.items[r], model_device(model, key->device), segments.items, segments.count, &pieces, error);
        for (size_t p = 0; p < pieces.count && good; p++)
            if (pieces.pieces[p].scene == key->scene && pieces.pieces[p].quality == key->quality &&
                !runs.items[r].summarised && !run_row_is_spike_only(&runs.items[r]))
                distribution_builder_add(builder, &pieces.pieces[p],
                                         (struct sample_policy){runs.items[r].sampling.every > 1 ? runs.items[r].sampling.every : 1,
                                                                runs.items[r].sampling.kept_over_ns});
        run_pieces_free(&pieces);
    }
    if (good) {
        distribution_builder_finish(builder, &distribution);
        object = json_object();
        for (size_t i = 0; i < request->percentile_count; i++) {
            char name[32];

            number_print_scaled(name, sizeof name, request->percentiles_milli[i], 1000);
            json_add(object, name, json_from_scaled(distribution_builder_percentile(builder, request->percentiles_milli[i]), NS_PER_MS));
        }
    }
    distribution_builder_destroy(builder);
    segment_list_free(&segments);
    run_list_free(&runs);
    return object;
}

static void summarise_runs(const struct run_list *runs, const struct build_results *results, const struct group_key *key,
                           double *ret_share, char *sampling, size_t size, int64_t *ret_rejected)
{
    size_t count;
    const struct run_figures *figures = results_runs(results, key, &count);
    double sum = 0;
    size_t shares = 0;
    const char *first = NULL;

    *ret_rejected = 0;
    for (size_t i = 0; i < count; i++) {
        const struct run_row *run = run_list_find(runs, figures[i].run);
        char buffer[96];

        if (!run)
            continue;
        if (!isnan(logged_share(run))) {
            sum += logged_share(run);
            shares++;
        }
        *ret_rejected += run->rejected;

        const char *text = sampling_text(run, buffer, sizeof buffer);

        if (!first)
            snprintf(sampling, size, "%s", text);
        else if (strcmp(sampling, text) != 0)
            snprintf(sampling, size, "mixed");
        first = text;
    }
    *ret_share = shares ? sum / (double)shares : NAN;
}

static bool add_stats_row(struct model *model, const struct table_request *request, struct table *table,
                          const struct build_results *results, const struct group_figures *group, struct error *error)
{
    const struct run_list *runs = model_build_runs(model, group->key.build, error);
    struct row_writer writer = {table_add_row(table)};
    char sampling[96] = "";
    double share;
    int64_t rejected;

    if (!runs)
        return false;
    summarise_runs(runs, results, &group->key, &share, sampling, sizeof sampling, &rejected);
    put_group_names(&writer, model, &group->key);
    cell_set_integer(next_cell(&writer), group->runs);
    cell_set_real(next_cell(&writer), share);
    cell_set_text(next_cell(&writer), sampling);
    put_distribution(&writer, &group->distribution, group->flags);
    cell_set_integer(next_cell(&writer), group->flags & FIGURE_NO_WINDOWS ? VALUE_UNKNOWN : group->windows);
    cell_set_integer(next_cell(&writer), group->flags & FIGURE_NO_WINDOWS ? VALUE_UNKNOWN : group->transitions);
    cell_set_integer(next_cell(&writer), group->gaps);
    cell_set_ns(next_cell(&writer), group->gap_ns);
    cell_set_integer(next_cell(&writer), rejected);
    cell_set_json(next_cell(&writer), json_flags(group->flags));
    if (request->percentile_count) {
        struct json *percentiles = more_percentiles(model, request, &group->key, 0, error);

        if (!percentiles)
            return false;
        cell_set_json(next_cell(&writer), percentiles);
    }
    return true;
}

struct table *table_stats(struct model *model, const struct table_request *request, struct error *error)
{
    static const struct table_column columns[] = {
        {"build", "build", COLUMN_SHOWN},     {"device", "device", COLUMN_SHOWN},           {"chip", "chip", COLUMN_DATA_ONLY},
        {"scene", "scene", COLUMN_SHOWN},     {"quality", "quality", COLUMN_SHOWN},         {"runs", "runs", COLUMN_SHOWN},
        {"logged_share", "logged", COLUMN_DATA_ONLY}, {"sampling", "sampling", COLUMN_DATA_ONLY}, DISTRIBUTION_COLUMNS,
        {"windows", "windows", COLUMN_SHOWN}, {"transitions", "transitions", COLUMN_DATA_ONLY}, {"gaps", "gaps", COLUMN_DATA_ONLY},
        {"gap_ms", "gap ms", COLUMN_DATA_ONLY}, {"rejected", "rejected", COLUMN_DATA_ONLY}, {"flags", "flags", COLUMN_SHOWN},
        {"percentiles", "percentiles", COLUMN_SHOWN},
    };
    struct build_choice builds;

    if (!request_builds(model, request, &builds, error))
        return NULL;

    struct table *table = table_create("stats", columns, COLUMN_NUMBER(columns) - !request->percentile_count);
    bool good = true;

    table_put_head(table, model, builds.count == 1 ? builds.items[0] : -1, 0);
    for (size_t b = 0; b < builds.count && good; b++) {
        const struct build_results *results = model_results(model, builds.items[b], false, request->progress, error);

        good = results != NULL;
        for (size_t i = 0; good && i < results->groups.count; i++)
            if (results->groups.items[i].runs && request_wants_group(request, &results->groups.items[i].key))
                good = add_stats_row(model, request, table, results, &results->groups.items[i], error);
    }
    array_free(&builds);
    if (good)
        return table;
    table_destroy(table);
    return NULL;
}

static void put_run_facts(struct row_writer *writer, struct model *model, const struct run_row *run)
{
    const struct build_row *build = model_build(model, run->build);

    cell_set_text(next_cell(writer), run->name);
    cell_set_text(next_cell(writer), run->os);
    cell_set_text(next_cell(writer), run->series);
    put_time(next_cell(writer), run->started_at_ms);
    cell_set_text(next_cell(writer), build ? build->commit : NULL);
    cell_set_text(next_cell(writer), build ? build->ci_run : NULL);
    cell_set_text(next_cell(writer), run->log_url);
    cell_set_text(next_cell(writer), run->outcome);
    cell_set_text(next_cell(writer), run->interval);
    cell_set_integer(next_cell(writer), run->clock_steps);
    cell_set_integer(next_cell(writer), run->dropped);
}

/* The quarters of the run as a text, as medians and as states; what is not known stays null. */
static void put_heat(struct row_writer *writer, const struct run_quarters *quarters)
{
    struct json *medians, *states;
    char *text;

    if (!quarters) {
        writer->next += 3;
        return;
    }
    text = quarters_text(quarters);
    medians = json_array();
    states = json_array();
    for (int q = 0; q < HEAT_QUARTERS; q++) {
        json_append(medians, json_from_double(quarters->median_ns[q] / NS_PER_MS, 6));
        json_append(states, json_from_text(quarters->state[q]));
    }
    cell_set_text(next_cell(writer), *text ? text : NULL);
    cell_set_json(next_cell(writer), medians);
    cell_set_json(next_cell(writer), states);
    free(text);
}

static bool add_run_row(struct model *model, const struct table_request *request, struct table *table, const struct run_row *run,
                        const struct run_figures *figures, const struct quarter_list *quarters, struct error *error)
{
    struct group_key key = {run->build, run->device, figures->scene, figures->quality};
    struct row_writer writer = {table_add_row(table)};
    bool windows = !(figures->flags & FIGURE_NO_WINDOWS);
    char buffer[96];

    put_group_names(&writer, model, &key);
    put_run_facts(&writer, model, run);
    cell_set_real(next_cell(&writer), logged_share(run));
    cell_set_text(next_cell(&writer), sampling_text(run, buffer, sizeof buffer));
    put_distribution(&writer, &figures->distribution, figures->flags);
    cell_set_integer(next_cell(&writer), windows ? figures->windows : VALUE_UNKNOWN);
    cell_set_integer(next_cell(&writer), windows ? figures->transitions : VALUE_UNKNOWN);
    cell_set_integer(next_cell(&writer), figures->gaps);
    cell_set_ns(next_cell(&writer), figures->gap_ns);
    cell_set_integer(next_cell(&writer), run->rejected);
    cell_set_json(next_cell(&writer), json_flags(figures->flags));
    put_heat(&writer, quarters_find(quarters, run->id, figures->scene, figures->quality));
    cell_set_json(next_cell(&writer), run->notes ? json_parse(run->notes, strlen(run->notes), NULL) : NULL);
    if (request->percentile_count) {
        struct json *percentiles = more_percentiles(model, request, &key, run->id, error);

        if (!percentiles)
            return false;
        cell_set_json(next_cell(&writer), percentiles);
    }
    return true;
}

static bool wants_run(const struct table_request *request, const struct run_row *run)
{
    return (!request->run_name || strcmp(request->run_name, run->name) == 0) && (!request->run || request->run == run->id);
}

/* Rows of one run; its frames are read only when there is one. places: its figures in the list of all. */
static bool add_rows_of_run(struct model *model, const struct table_request *request, struct table *table, const struct run_row *run,
                            const struct run_figures_list *all, const struct id_place *places, size_t count, struct error *error)
{
    struct quarter_list quarters = {0};
    bool good = true, has_quarters = false;

    for (size_t i = 0; i < count && good; i++) {
        const struct run_figures *figures = &all->items[places[i].at];
        struct group_key key = {run->build, run->device, figures->scene, figures->quality};

        if (!request_wants_group(request, &key))
            continue;
        good = (has_quarters || model_quarters(model, run->build, run->device, run->id, &quarters, error)) &&
               add_run_row(model, request, table, run, figures, &quarters, error);
        has_quarters = true;
    }
    quarter_list_free(&quarters);
    return good;
}

static bool add_runs_of_build(struct model *model, const struct table_request *request, struct table *table, int64_t build, struct error *error)
{
    const struct build_results *results = model_results(model, build, false, request->progress, error);
    const struct run_list *runs = results ? model_build_runs(model, build, error) : NULL;
    struct id_index places = {0};
    const struct run_figures_list *all = runs ? results_all_runs(results, error) : NULL;
    bool good = all != NULL;

    for (size_t i = 0; all && i < all->count; i++)
        array_push(&places, (struct id_place){all->items[i].run, i});
    id_index_sort(&places);
    for (size_t r = 0; good && r < runs->count; r++) {
        size_t count;
        const struct id_place *mine = id_index_find(&places, runs->items[r].id, &count);

        if (wants_run(request, &runs->items[r]))
            good = add_rows_of_run(model, request, table, &runs->items[r], all, mine, count, error);
    }
    array_free(&places);
    return good;
}

struct table *table_runs(struct model *model, const struct table_request *request, struct error *error)
{
    static const struct table_column columns[] = {
        {"build", "build", COLUMN_SHOWN},       {"device", "device", COLUMN_SHOWN},     {"chip", "chip", COLUMN_DATA_ONLY},
        {"scene", "scene", COLUMN_SHOWN},       {"quality", "quality", COLUMN_SHOWN},   {"run", "run", COLUMN_SHOWN},
        {"os", "OS", COLUMN_DATA_ONLY},         {"series", "series", COLUMN_DATA_ONLY}, {"started_at", "started", COLUMN_DATA_ONLY},
        {"commit", "commit", COLUMN_DATA_ONLY}, {"ci_run", "CI run", COLUMN_DATA_ONLY}, {"log_url", "log", COLUMN_DATA_ONLY},
        {"outcome", "outcome", COLUMN_DATA_ONLY}, {"interval", "interval", COLUMN_DATA_ONLY},
        {"clock_steps", "clock steps", COLUMN_DATA_ONLY}, {"dropped", "dropped", COLUMN_DATA_ONLY},
        {"logged_share", "logged", COLUMN_SHOWN}, {"sampling", "sampling", COLUMN_DATA_ONLY}, DISTRIBUTION_COLUMNS,
        {"windows", "windows", COLUMN_SHOWN},   {"transitions", "transitions", COLUMN_DATA_ONLY}, {"gaps", "gaps", COLUMN_DATA_ONLY},
        {"gap_ms", "gap ms", COLUMN_DATA_ONLY}, {"rejected", "rejected", COLUMN_DATA_ONLY}, {"flags", "flags", COLUMN_SHOWN},
        {"heat", "heat by quarter", COLUMN_SHOWN}, {"quarter_median_ms", "quarter medians", COLUMN_DATA_ONLY},
        {"quarter_thermal_state", "thermal states", COLUMN_DATA_ONLY},
        {"notes", "notes", COLUMN_DATA_ONLY},   {"percentiles", "percentiles", COLUMN_SHOWN},
    };
    struct build_choice builds;

    if (!request_builds(model, request, &builds, error))
        return NULL;

    struct table *table = table_create("runs", columns, COLUMN_NUMBER(columns) - !request->percentile_count);
    bool good = true;

    table_put_head(table, model, builds.count == 1 ? builds.items[0] : -1, 0);
    for (size_t b = 0; b < builds.count && good; b++)
        good = add_runs_of_build(model, request, table, builds.items[b], error);
    array_free(&builds);
    if (good)
        return table;
    table_destroy(table);
    return NULL;
}
