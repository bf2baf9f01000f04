/* The same figure elsewhere: this scene on other devices, or this device in other scenes. */
#include "trend.h"

#include "stutterscope/base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void trend_clear_others(struct trend_state *state)
{
    for (size_t i = 0; i < state->others.count; i++) {
        free(state->others.items[i].title);
        free(state->others.items[i].tier);
        free(state->others.items[i].family);
        free(state->others.items[i].medians);
    }
    array_free(&state->others);
    array_free(&state->everywhere);
}

/* Steps one build apart are the same when nobody ran the build between. */
static bool is_same_step(const struct trend_state *state, const struct history *there)
{
    const struct history *here = state->history;
    size_t a, b;

    if (!here->change.found || !there->change.found ||
        (here->change.after > here->change.before) != (there->change.after > there->change.before))
        return false;
    a = here->change.first_after;
    b = there->change.first_after;
    for (size_t i = a < b ? a : b; i < (a < b ? b : a); i++)
        if (here->builds[i].runs.count && there->builds[i].runs.count)
            return false;
    return true;
}

/* The same on another device, or in another scene of this one. */
static bool other_fits(const struct trend_state *state, const struct filter *filter, int64_t device, int64_t scene)
{
    struct model *model = state->session->model;
    struct filter_subject subject;

    filter_subject_clear(&subject);
    subject.known = 1u << FILTER_WORD | 1u << FILTER_DEVICE | 1u << FILTER_TIER | 1u << FILTER_OS | 1u << FILTER_SOC |
                    1u << FILTER_WEIGHT | 1u << FILTER_SCENE;
    filter_subject_device(&subject, model, state->session->build, device);
    filter_subject_set(&subject, FILTER_SCENE, model_scene_name(model, scene));
    filter_subject_set(&subject, FILTER_EVENT, state->subject.event > 0 ? model_text(model, state->subject.event) : NULL);
    return filter_fits(filter, &subject);
}

size_t trend_count_fitting(const void *user, const struct filter *filter, size_t *ret_of)
{
    const struct trend_state *state = user;
    size_t count = 0;

    for (size_t i = 0; i < state->everywhere.count; i++)
        count += other_fits(state, filter, state->everywhere.items[i].device, state->everywhere.items[i].scene);
    *ret_of = state->everywhere.count;
    return count;
}

static bool add_other(struct trend_state *state, int64_t device, int64_t scene,
                      const struct progress *progress, struct error *error)
{
    struct model *model = state->session->model;
    const struct device_row *row = model_device(model, device);
    int64_t quality = trend_quality_of(model, device, scene, state->subject.quality);
    struct group_key key = {state->history->key.build, device, scene, quality};
    bool by_scene = state->scope == TREND_DEVICE;
    struct trend_other other = {.device = device, .scene = scene, .before = NAN, .after = NAN};
    struct history *there;
    size_t first = SIZE_MAX, last = SIZE_MAX;

    const char *title = by_scene ? model_scene_name(model, scene) : model_device_title(row);
    const char *tier = !by_scene && row->tier ? row->tier : "";

    if (quality < 0)
        return true;
    array_push(&state->everywhere, (struct trend_place){device, scene});
    if (!other_fits(state, state->session->filter, device, scene))
        return true;
    if (!model_history(model, &key, state->subject.event, state->subject.figure, state->session->baseline,
                       state->session->analyses_in_steps, progress, &there, error))
        return false;
    other.medians = memory_take_zeroed(there->build_count + 1, sizeof *other.medians);
    for (size_t b = 0; b < there->build_count; b++) {
        other.medians[b] = there->builds[b].median;
        if (isnan(other.medians[b]))
            continue;
        first = first == SIZE_MAX ? b : first;
        last = b;
    }
    other.waits = there->waiting > 0;
    state->waits |= other.waits;
    other.found = there->change.found;
    other.same = is_same_step(state, there);
    other.first_bad = there->first_bad;
    if (first != SIZE_MAX) {
        other.before = other.found ? there->change.before : other.medians[first];
        other.after = other.found ? there->change.after : other.medians[last];
    }
    history_destroy(there);
    if (isnan(other.after) && !other.waits) { /* the event never occurred there */
        free(other.medians);
        return true;
    }
    other.title = memory_copy_text(title);
    other.tier = memory_copy_text(tier);
    other.family = by_scene ? NULL : session_system_of(state->session, state->history->key.build, device);
    array_push(&state->others, other);
    return true;
}

static int rank_of(const struct trend_state *state, const struct trend_other *other)
{
    const struct device_row *device = model_device(state->session->model, state->subject.device);
    bool alike = device && device->tier && strcmp(device->tier, other->tier) == 0;

    return (other->same ? 0 : other->found ? 2 : 4) + (alike ? 0 : 1);
}

/* The same step first, then any step, then none; of the same tier first. Else the order of the Map. */
static int compare_others(const void *a, const void *b, void *user)
{
    const struct trend_other *x = a, *y = b;
    int ranks = rank_of(user, x) - rank_of(user, y);

    if (ranks)
        return ranks;
    ranks = strcmp(x->tier, y->tier);
    return ranks ? ranks : strcmp(x->title, y->title);
}

bool trend_find_others(struct trend_state *state, const struct progress *progress, struct error *error)
{
    struct model *model = state->session->model;
    const struct device_list *devices = model_devices(model);
    const struct text_list *scenes = model_scenes(model);
    bool good = true;

    if (state->scope == TREND_DEVICE) {
        for (size_t i = 0; i < scenes->count && good; i++)
            if (scenes->items[i].id != state->subject.scene)
                good = add_other(state, state->subject.device, scenes->items[i].id, progress, error);
    } else {
        for (size_t i = 0; i < devices->count && good; i++)
            if (devices->items[i].id != state->subject.device)
                good = add_other(state, devices->items[i].id, state->subject.scene, progress, error);
    }
    if (state->others.count)
        qsort_r(state->others.items, state->others.count, sizeof *state->others.items, compare_others, state);
    return good;
}
