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

static void add_event_runs(const struct event_side *side, enum compared_figure figure, struct numbers *to, struct run_counts *counts,
                           struct standing *standing, bool after)
{
    const struct numbers *values = figure == COMPARED_PEAK ? &side->peaks : &side->rates;
    double windows = 0;

    for (size_t i = 0; i < values->count; i++)
        array_push(to, values->items[i]);
    for (size_t i = 0; i < side->counts.count; i++) {
        windows += side->counts.items[i].count;
        if (figure == COMPARED_RATE)
            array_push(counts, side->counts.items[i]);
    }

    int64_t hits = windows < (double)side->seen ? (int64_t)windows : side->seen;

    *(after ? &standing->hits : &standing->hits_before) += hits;
    *(after ? &standing->seen : &standing->seen_before) += side->seen;
    *(after ? &standing->runs_hit : &standing->runs_hit_before) += side->hits;
    *(after ? &standing->runs : &standing->runs_before) += side->runs;
    standing->ever_hit |= !after && side->hits > 0;
}

/* One build's runs of one group to one side. */
static bool add_runs(struct model *model, const struct group_key *key, int64_t event, enum compared_figure figure, bool as_it_is, struct stratum *stratum,
                     struct strata *strata, struct standing *standing, bool after, struct error *error)
{
    struct numbers *to = after ? &stratum->after : &stratum->before;
    struct event_side side;
    bool good;

    if (!model_results(model, key->build, as_it_is, NULL, error))
        return false;
    if (event < 0)
        return group_side_add(model, key, figure, NULL, to, error);
    event_side_start(&side);
    good = event_side_add(model, key, event, NULL, &side, error);
    if (good)
        add_event_runs(&side, figure, to, after ? &strata->after : &strata->before, standing, after);
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

static bool add_stratum(struct model *model, const struct group_key *key, int64_t event, enum compared_figure figure, int64_t last,
                        bool as_it_is, struct strata *strata, struct standing *standing, struct error *error)
{
    struct stratum stratum = {.quality = key->quality};
    struct group_key there = *key;
    int64_t builds[RANK_BUILDS];
    size_t count = earlier_builds(model, key, last, builds);
    bool good = add_runs(model, key, event, figure, as_it_is, &stratum, strata, standing, true, error);

    for (size_t i = 0; i < count && good; i++) {
        there.build = builds[i];
        good = add_runs(model, &there, event, figure, as_it_is, &stratum, strata, standing, false, error);
    }
    array_push(strata, stratum);
    return good;
}

static void strata_free(struct strata *strata)
{
    array_free(&strata->after);
    array_free(&strata->before);
    for (size_t i = 0; i < strata->count; i++) {
        array_free(&strata->items[i].after);
        array_free(&strata->items[i].before);
    }
    array_free(strata);
}

static void measure(const struct strata *strata, const struct group_key *key, struct standing *ret)
{
    struct rank_stratum *ranked = memory_take_zeroed(strata->count + 1, sizeof *ranked);
    size_t own = strata->count;

    for (size_t i = 0; i < strata->count; i++) {
        ranked[i] = (struct rank_stratum){{strata->items[i].after.items, strata->items[i].after.count},
                                          {strata->items[i].before.items, strata->items[i].before.count}};
        if (strata->items[i].quality == key->quality)
            own = i;
    }
    rank_test_higher(ranked, strata->count, &ret->rank);
    if (strata->after.count)
        ret->rank.count_p = count_test_higher(strata->after.items, strata->after.count, strata->before.items, strata->before.count);
    apart_measure(ranked, strata->count, own, &ret->apart);
    ret->apart.few = ret->rank.runs_after < APART_RUNS || ret->rank.runs_before < APART_RUNS;
    free(ranked);
}

bool side_standing(struct model *model, const struct group_key *key, int64_t event, enum compared_figure figure, int64_t last,
                   bool as_it_is, struct standing *ret, struct error *error)
{
    struct group_key cell = *key;
    struct strata strata = {0};
    bool good = true;

    memset(ret, 0, sizeof *ret);
    for (size_t i = 0; i < model->qualities.count + 1 && good; i++) {
        cell.quality = i < model->qualities.count ? model->qualities.items[i].id : 0;
        if (model_group_has_frames(model, &cell))
            good = add_stratum(model, &cell, event, figure, last, as_it_is, &strata, ret, error);
    }
    measure(&strata, key, ret);
    strata_free(&strata);
    return good;
}

double standing_hit_chance(const struct standing *standing)
{
    if (!standing->seen_before)
        return chance_of_hits(standing->runs_hit, standing->runs, standing->runs_hit_before, standing->runs_before);
    return chance_of_hits(standing->hits, standing->seen, standing->hits_before, standing->seen_before);
}
