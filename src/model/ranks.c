/*
 * The long history of one cell, as strata for the rank test.
 */
#include "sides.h"
#include "stutterscope/base/memory.h"
#include <stdlib.h>
#include <string.h>

struct run_counts {
    struct run_count *items;
    size_t count, capacity;
};

struct stratum {
    int64_t quality;
    struct numbers after, before;
};

struct strata {
    struct stratum *items;
    size_t count, capacity;
    struct run_counts after, before; /* of all strata */
};

/* One build's runs of one group to one side. */
static bool add_runs(struct model *model, const struct group_key *key, int64_t event, enum compared_figure figure, bool as_it_is, struct numbers *to,
                     struct run_counts *counts, bool *ever_hit, struct error *error)
{
    struct event_side side;
    bool good;

    if (!model_results(model, key->build, as_it_is, NULL, error))
        return false;
    if (event < 0)
        return group_side_add(model, key, figure, NULL, to, error);
    event_side_start(&side);
    good = event_side_add(model, key, event, NULL, &side, error);
    if (good) {
        const struct numbers *values = figure == COMPARED_PEAK ? &side.peaks : &side.rates;

        for (size_t i = 0; i < values->count; i++)
            array_push(to, values->items[i]);
        for (size_t i = 0; i < side.counts.count && figure == COMPARED_RATE; i++)
            array_push(counts, side.counts.items[i]);
        if (ever_hit)
            *ever_hit |= side.hits > 0;
    }
    event_side_free(&side);
    return good;
}

/* The builds of the group at or before `last`, newest first. */
static size_t earlier_builds(const struct model *model, const struct group_key *key, int64_t last, int64_t *ret)
{
    struct group_key from = *key;
    int64_t builds[RANK_BUILDS + 1];
    size_t count = 0, found;

    from.build = last;
    if (last != key->build && model_group_has_frames(model, &from))
        ret[count++] = last;
    found = model_earlier_builds(model, &from, builds, RANK_BUILDS - count);
    memcpy(ret + count, builds, found * sizeof *builds);
    return count + found;
}

static bool add_stratum(struct model *model, const struct group_key *key, int64_t event, enum compared_figure figure, int64_t last, bool as_it_is,
                        struct strata *strata, bool *ever_hit, struct error *error)
{
    struct stratum stratum = {.quality = key->quality};
    struct group_key there = *key;
    int64_t builds[RANK_BUILDS];
    size_t count = earlier_builds(model, key, last, builds);
    bool good = add_runs(model, key, event, figure, as_it_is, &stratum.after, &strata->after, NULL, error);

    for (size_t i = 0; i < count && good; i++) {
        there.build = builds[i];
        good = add_runs(model, &there, event, figure, as_it_is, &stratum.before, &strata->before, ever_hit, error);
    }
    array_push(strata, stratum);
    return good;
}

bool side_rank(struct model *model, const struct group_key *key, int64_t event, enum compared_figure figure, int64_t last, bool as_it_is, struct rank_test *ret,
               bool *ret_ever_hit, struct error *error)
{
    struct strata strata = {0};
    struct rank_stratum *ranked;
    bool ever_hit = false, good = true;

    for (size_t i = 0; i < model->groups.count && good; i++) {
        const struct group_key *here = &model->groups.items[i].key;

        if (here->build == key->build && here->device == key->device && here->scene == key->scene)
            good = add_stratum(model, here, event, figure, last, as_it_is, &strata, &ever_hit, error);
    }
    ranked = memory_take_zeroed(strata.count + 1, sizeof *ranked);
    for (size_t i = 0; i < strata.count; i++)
        ranked[i] = (struct rank_stratum){{strata.items[i].after.items, strata.items[i].after.count},
                                          {strata.items[i].before.items, strata.items[i].before.count}};
    rank_test_higher(ranked, strata.count, ret);
    if (strata.after.count)
        ret->count_p = count_test_higher(strata.after.items, strata.after.count, strata.before.items, strata.before.count);
    array_free(&strata.after);
    array_free(&strata.before);
    for (size_t i = 0; i < strata.count; i++) {
        array_free(&strata.items[i].after);
        array_free(&strata.items[i].before);
    }
    array_free(&strata);
    free(ranked);
    if (ret_ever_hit)
        *ret_ever_hit = ever_hit;
    return good;
}
