#include "sample_groups.h"

#include "stutterscope/base/memory.h"
#include <stdlib.h>
#include <string.h>

bool sample_same_series(const struct sample_row *a, const struct sample_row *b)
{
    return a->device == b->device && a->scene == b->scene && strcmp(a->name, b->name) == 0 && strcmp(a->unit, b->unit) == 0;
}

void sample_groups_make(const struct sample_list *rows, struct sample_groups *ret)
{
    struct {
        double *items;
        size_t count, capacity;
    } medians = {0};

    for (size_t i = 0; i < rows->count;) {
        const struct sample_row *first = &rows->items[i];
        struct sample_group group = {.first = first, .min = first->min, .max = first->max};

        medians.count = 0;
        for (; i < rows->count && rows->items[i].build == first->build && sample_same_series(&rows->items[i], first); i++) {
            group.runs++;
            group.values += rows->items[i].count;
            group.min = rows->items[i].min < group.min ? rows->items[i].min : group.min;
            group.max = rows->items[i].max > group.max ? rows->items[i].max : group.max;
            array_push(&medians, rows->items[i].median);
        }
        group.median = median_of(medians.items, medians.count);
        array_push(ret, group);
    }
    array_free(&medians);
}

static bool is_bad(const struct model *model, int64_t build)
{
    for (size_t i = 0; i < model->builds.count; i++)
        if (model->builds.items[i].id == build)
            return model->builds.items[i].bad;
    return false;
}

const struct sample_group *sample_group_baseline(const struct model *model, const struct sample_groups *groups, const struct sample_group *group,
                                                 int64_t wanted)
{
    int64_t here = model_build_position(model, group->first->build), nearest = -1;
    const struct sample_group *best = NULL;

    if (!wanted)
        wanted = model_pin_for_cell(model, group->first->device, group->first->scene);
    if (wanted == group->first->build)
        wanted = 0;
    for (size_t i = 0; i < groups->count; i++) {
        const struct sample_group *other = &groups->items[i];
        int64_t there = model_build_position(model, other->first->build);

        if (!sample_same_series(other->first, group->first) || other->first->build == group->first->build)
            continue;
        if (wanted ? other->first->build == wanted : there < here && there > nearest && !is_bad(model, other->first->build)) {
            best = other;
            nearest = there;
        }
    }
    return best;
}

