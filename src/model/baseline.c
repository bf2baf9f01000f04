/*
 * Which build a group is compared with, and which of its runs count.
 */
#include "internal.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/model/comparison.h"
#include <stdlib.h>
#include <string.h>

static bool same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

/* Another OS, refresh rate, thermal or power state makes another device of it: such runs say nothing about the build. */
static bool runs_are_alike(const struct run_row *a, const struct run_row *b)
{
    return same_text(a->os, b->os) && a->refresh_milli_hz == b->refresh_milli_hz && same_text(a->conditions, b->conditions);
}

static bool is_usable(const struct run_figures *figures)
{
    return !(figures->flags & (FIGURE_SAMPLED | FIGURE_FEW));
}

static bool has_alike(const struct run_list *runs, const struct build_results *results, const struct group_key *key,
                      const struct run_row *wanted)
{
    size_t count;
    const struct run_figures *figures = results_runs(results, key, &count);

    for (size_t i = 0; i < count; i++) {
        const struct run_row *run = run_list_find(runs, figures[i].run);

        if (run && is_usable(&figures[i]) && runs_are_alike(run, wanted))
            return true;
    }
    return false;
}

static void choose_build(struct model *model, const struct group_key *key, int64_t wanted, struct baseline *ret)
{
    struct group_key there = *key;

    if (wanted) {
        there.build = wanted;
        if (wanted == key->build)
            text_print(ret->reason, sizeof ret->reason, "the baseline is this build itself");
        else if (!model_group_has_frames(model, &there))
            text_print(ret->reason, sizeof ret->reason, "%s has no runs here", model_build_name(model, wanted));
        else
            ret->build = wanted;
        return;
    }
    if (!model_earlier_builds(model, key, &ret->build, 1))
        text_print(ret->reason, sizeof ret->reason, "no earlier build has runs here");
}

/* Runs of the baseline that were taken under the same conditions as at least one run of this build. */
static bool choose_runs(struct model *model, const struct group_key *key, struct baseline *ret, struct error *error)
{
    struct group_key key_there = {ret->build, key->device, key->scene, key->quality};
    const struct build_results *here = model_group_results(model, key, error);
    const struct build_results *there = here ? model_group_results(model, &key_there, error) : NULL;
    const struct run_list *runs_here = there ? model_build_runs(model, key->build, error) : NULL;
    const struct run_list *runs_there = runs_here ? model_build_runs(model, ret->build, error) : NULL;
    size_t count, other = 0, unusable = 0;

    if (!runs_there)
        return false;

    const struct run_figures *figures = results_runs(there, &key_there, &count);

    for (size_t i = 0; i < count; i++) {
        const struct run_row *run = run_list_find(runs_there, figures[i].run);

        if (!run)
            continue;
        if (!is_usable(&figures[i]))
            unusable++;
        else if (!has_alike(runs_here, here, key, run))
            other++;
        else
            array_push(&ret->runs, run->id);
    }
    if (ret->runs.count && other)
        text_print(ret->reason, sizeof ret->reason, "%zu run%s of %s left out: another OS, refresh rate, thermal or power state", other, text_plural((int64_t)other),
                 model_build_name(model, ret->build));
    else if (!ret->runs.count && other)
        text_print(ret->reason, sizeof ret->reason, "not comparable: runs of %s had another OS, refresh rate, thermal or power state, or this side is few or sampled",
                 model_build_name(model, ret->build));
    else if (!ret->runs.count && unusable)
        text_print(ret->reason, sizeof ret->reason, "not comparable: %s has few frames or is sampled here",
                 model_build_name(model, ret->build));
    else if (!ret->runs.count)
        text_print(ret->reason, sizeof ret->reason, "not comparable: %s is not analysed yet", model_build_name(model, ret->build));
    return true;
}

int64_t model_pin(const struct model *model, int64_t device, int64_t scene)
{
    const struct baseline_pin_list *pins = &model->triage.pins;
    size_t low = 0, high = pins->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct baseline_pin *pin = &pins->items[middle];

        if (pin->device < device || (pin->device == device && pin->scene < scene))
            low = middle + 1;
        else
            high = middle;
    }
    return low < pins->count && pins->items[low].device == device && pins->items[low].scene == scene ? pins->items[low].build : 0;
}

int64_t model_pin_for_cell(const struct model *model, int64_t device, int64_t scene)
{
    int64_t build = model_pin(model, device, scene);

    return build ? build : model_pin(model, 0, 0);
}

bool model_baseline(struct model *model, const struct group_key *key, int64_t wanted, struct baseline *ret, struct error *error)
{
    memset(ret, 0, sizeof *ret);
    if (!wanted) {
        wanted = model_pin_for_cell(model, key->device, key->scene);
        if (wanted == key->build)
            wanted = 0; /* looking at the pinned build itself: compare it with what was before */
        ret->pinned = wanted != 0;
    }
    choose_build(model, key, wanted, ret);
    return !ret->build || choose_runs(model, key, ret, error);
}

void baseline_free(struct baseline *baseline)
{
    array_free(&baseline->runs);
}

int64_t model_usual_baseline(struct model *model, int64_t build, int64_t wanted)
{
    int64_t best = 0, pinned = model_pin(model, 0, 0);

    if (wanted)
        return wanted;
    if (pinned && pinned != build)
        return pinned;
    for (size_t i = 0; i < model->groups.count; i++) {
        int64_t earlier;

        if (model->groups.items[i].key.build == build &&
            model_earlier_builds(model, &model->groups.items[i].key, &earlier, 1) &&
            model_build_position(model, earlier) > model_build_position(model, best))
            best = earlier;
    }
    return best;
}
