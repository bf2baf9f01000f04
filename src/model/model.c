#include "stutterscope/model/model.h"

#include "fetched.h"
#include "internal.h"
#include "stutterscope/analysis/holes.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <stdlib.h>
#include <string.h>

static const char *const stored_settings[] = {"rule", "factor", "z", "gap", "mad-floor", "few", "labels"};

/* The settings the team saved in the store, over the defaults. */
static bool read_settings(struct store *store, struct analysis_settings *settings, struct error *error)
{
    analysis_settings_default(settings);
    for (size_t i = 0; i < sizeof stored_settings / sizeof *stored_settings; i++) {
        char *name = memory_print("analysis.%s", stored_settings[i]);
        char *value = store_get_setting(store, name);
        bool good = !value || analysis_settings_set(settings, stored_settings[i], value, error);

        free(value);
        free(name);
        if (!good)
            return error_prefix(error, "settings in the store");
    }
    return true;
}

/* Whether the settings in use are others than those of the store. */
static void note_whether_tuned(struct model *model)
{
    struct analysis_settings stored;
    char *here, *there;

    model->tuned = true;
    if (!read_settings(model->store, &stored, NULL))
        return;
    here = analysis_settings_key(&model->settings);
    there = analysis_settings_key(&stored);
    model->tuned = strcmp(here, there) != 0;
    free(here);
    free(there);
}

static void name_results(struct model *model)
{
    char *key = analysis_settings_key(&model->settings);

    free(model->key);
    model->key = memory_print("%s series=%s", key, model->series);
    free(key);
}

static void drop_lists(struct model *model)
{
    fetched_forget(model); /* the ids of runs may be others now */
    entries_forget(model);
    results_forget(model);
    build_list_free(&model->builds);
    device_list_free(&model->devices);
    text_list_free(&model->scenes);
    text_list_free(&model->qualities);
    text_list_free(&model->texts);
    group_state_list_free(&model->groups);
    array_free(&model->build_places);
    array_free(&model->device_places);
    triage_forget(model);
    run_start_list_free(&model->starts);
    model->has_starts = false;
    free(model->classes);
    model->classes = NULL;
}

int compare_group_keys(const struct group_key *a, const struct group_key *b)
{
    const int64_t x[] = {a->device, a->scene, a->quality, a->build}, y[] = {b->device, b->scene, b->quality, b->build};

    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

/* With the position of the build instead of its id, so that a group's builds come oldest first. */
struct placed_group {
    struct group_key key;
    size_t at;
};

static int compare_placed_groups(const void *a, const void *b)
{
    return compare_group_keys(&((const struct placed_group *)a)->key, &((const struct placed_group *)b)->key);
}

static void sort_groups(struct model *model)
{
    struct group_state_list *groups = &model->groups;
    struct placed_group *placed = memory_take((groups->count + 1) * sizeof *placed);
    struct group_state *sorted = memory_take((groups->count + 1) * sizeof *sorted);

    for (size_t i = 0; i < groups->count; i++) {
        placed[i] = (struct placed_group){groups->items[i].key, i};
        placed[i].key.build = model_build_position(model, placed[i].key.build);
    }
    qsort(placed, groups->count, sizeof *placed, compare_placed_groups);
    for (size_t i = 0; i < groups->count; i++)
        sorted[i] = groups->items[placed[i].at];
    if (groups->count)
        memcpy(groups->items, sorted, groups->count * sizeof *sorted);
    free(sorted);
    free(placed);
}

/* Builds whose runs hold only samples and snapshots have no groups. */
static bool find_newest(struct model *model, struct error *error)
{
    int64_t best = -1;

    model->newest = 0;
    for (size_t i = 0; i < model->groups.count; i++) {
        int64_t position = model_build_position(model, model->groups.items[i].key.build);

        best = position > best ? position : best;
    }
    if (best >= 0)
        model->newest = model->builds.items[best].id;
    for (size_t i = model->builds.count; i > 0 && !model->newest; i--) {
        struct run_list runs = {0};

        if (!model_list_runs(model, model->builds.items[i - 1].id, 0, &runs, error))
            return false;
        if (runs.count)
            model->newest = model->builds.items[i - 1].id;
        run_list_free(&runs);
    }
    return true;
}

static bool load_groups(struct model *model, struct error *error)
{
    group_state_list_free(&model->groups);
    if (!store_list_groups(model->store, model->key, model->series, 0, &model->groups, error))
        return false;
    sort_groups(model);
    return find_newest(model, error);
}

static void note_places(struct model *model)
{
    for (size_t i = 0; i < model->builds.count; i++)
        array_push(&model->build_places, (struct id_place){model->builds.items[i].id, i});
    for (size_t i = 0; i < model->devices.count; i++)
        array_push(&model->device_places, (struct id_place){model->devices.items[i].id, i});
    id_index_sort(&model->build_places);
    id_index_sort(&model->device_places);
}

bool model_reload(struct model *model, struct error *error)
{
    drop_lists(model);
    note_whether_tuned(model);
    model->generation = store_generation(model->store);
    model->version = store_version(model->store);
    if (!store_list_builds(model->store, &model->builds, error) ||
        !store_list_devices(model->store, &model->devices, error) ||
        !store_list_scenes(model->store, &model->scenes, error) ||
        !store_list_qualities(model->store, &model->qualities, error) ||
        !store_list_texts(model->store, &model->texts, error) || !triage_load(model, error))
        return false;
    note_places(model);
    model->classes = memory_take_zeroed(model->texts.count + 1, sizeof *model->classes);
    for (size_t i = 0; i < model->texts.count; i++)
        model->classes[i] = event_class_of(model->texts.items[i].text);
    model->cached = memory_take_zeroed(model->builds.count + 1, sizeof *model->cached);
    return load_groups(model, error);
}

bool model_has_news(struct model *model)
{
    return store_generation(model->store) != model->generation;
}

bool model_is_behind(struct model *model)
{
    return store_version(model->store) != model->version;
}

bool model_open(const char *path, const struct model_options *options, struct model **ret, struct error *error)
{
    struct model *model = memory_take_zeroed(1, sizeof *model);

    model->series = memory_copy_text(options->series ? options->series : "nightly");
    if (!store_open(path, options->mode, &model->store, error))
        goto failed;
    if (options->settings)
        model->settings = *options->settings;
    else if (!read_settings(model->store, &model->settings, error))
        goto failed;
    model->sizes = analysis_sizes;
    model->keeps_results = store_is_writable(model->store);
    name_results(model);
    if (!options->lists_later && !model_reload(model, error))
        goto failed;
    *ret = model;
    return true;
failed:
    model_close(model);
    return false;
}

void model_close(struct model *model)
{
    if (!model)
        return;
    drop_lists(model);
    for (size_t i = 0; i < MODEL_HELPERS; i++)
        store_close(model->helpers[i]);
    store_close(model->store);
    free(model->series);
    free(model->key);
    free(model);
}

bool model_change_settings(struct model *model, const struct analysis_settings *settings, struct error *error)
{
    model->settings = *settings;
    note_whether_tuned(model);
    name_results(model);
    entries_forget(model);
    results_forget(model);
    model->cached = memory_take_zeroed(model->builds.count + 1, sizeof *model->cached);
    return load_groups(model, error);
}

bool model_stored_settings(struct model *model, struct analysis_settings *ret, struct error *error)
{
    return read_settings(model->store, ret, error);
}

bool model_is_tuned(const struct model *model)
{
    return model->tuned;
}

bool model_try_settings(struct model *model, const struct analysis_settings *settings, struct error *error)
{
    model->settings = *settings;
    note_whether_tuned(model);
    model->keeps_results = store_is_writable(model->store) && !model->tuned;
    return model_change_settings(model, settings, error);
}

bool model_save_settings(struct model *model, struct error *error)
{
    struct analysis_settings usual;

    analysis_settings_default(&usual);
    for (size_t i = 0; i < sizeof stored_settings / sizeof *stored_settings; i++) {
        char here[64], there[64], *name = memory_print("analysis.%s", stored_settings[i]);
        bool good;

        analysis_settings_print(&model->settings, stored_settings[i], here, sizeof here);
        analysis_settings_print(&usual, stored_settings[i], there, sizeof there);
        good = store_set_setting(model->store, name, strcmp(here, there) == 0 ? NULL : here, error);
        free(name);
        if (!good)
            return false;
    }
    note_whether_tuned(model);
    return true;
}

struct store *model_store(struct model *model)
{
    return model->store;
}

const char *model_path(const struct model *model)
{
    return store_path(model->store);
}

const char *model_series(const struct model *model)
{
    return model->series;
}

const struct analysis_settings *model_settings(const struct model *model)
{
    return &model->settings;
}

const struct build_list *model_builds(const struct model *model)
{
    return &model->builds;
}

const struct device_list *model_devices(const struct model *model)
{
    return &model->devices;
}

const struct text_list *model_scenes(const struct model *model)
{
    return &model->scenes;
}

const struct text_list *model_qualities(const struct model *model)
{
    return &model->qualities;
}

bool model_list_runs(struct model *model, int64_t build, int64_t device, struct run_list *ret, struct error *error)
{
    struct run_filter filter = {.build = build, .device = device, .series = model->series};

    return store_list_runs(model->store, &filter, ret, error);
}

bool run_row_is_sampled(const struct run_row *run)
{
    bool declared = run->sampling.every > 1 || run->sampling.kept_over_ns != VALUE_UNKNOWN;

    return run_is_sampled(run->frames, run->holes_tested, run->holes_wide, declared, run->tests_holes);
}

bool run_row_is_spike_only(const struct run_row *run)
{
    return run->sampling.every == VALUE_UNKNOWN && run->sampling.kept_over_ns != VALUE_UNKNOWN;
}

bool run_can_show_windows(const struct run_row *run, int64_t alert_ns)
{
    if (run_row_is_sampled(run))
        return false;
    /* Samples of measurements that have no order: a distribution, nothing that could follow one another. */
    if (run->interval && strcmp(run->interval, "samples") == 0)
        return false;
    if (run->summarised && run->limit_ns > alert_ns)
        return false; /* frames between the two may be missing */
    if (run->sampling.every <= 1)
        return true;
    return run->sampling.kept_over_ns != VALUE_UNKNOWN && run->sampling.kept_over_ns <= alert_ns;
}

int64_t model_fps_milli(const struct model *model, const struct run_row *run, const struct device_row *device,
                        int64_t target_fps_milli, int64_t refresh_milli_hz)
{
    enum { DEFAULT_FPS_MILLI = 60000 };
    const int64_t order[] = {
        model->settings.fps_milli, target_fps_milli, run->target_fps_milli, device ? device->target_fps_milli : 0,
        refresh_milli_hz,          run->refresh_milli_hz,
    };

    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (order[i] != VALUE_UNKNOWN && order[i] > 0)
            return order[i];
    return DEFAULT_FPS_MILLI;
}
