#include "analyze_current.h"
#include "stutterscope/base/memory.h"
#include <string.h>

void current_groups_list(const struct model *model, int64_t build, int64_t device, struct current_groups *ret)
{
    size_t count, first = model_device_range(model, device, &count);

    ret->count = 0;
    for (size_t i = first; i < first + count; i++) {
        const struct group_state *group = &model->groups.items[i];

        if (group->key.build == build && !group->stale)
            array_push(ret, (struct current_group){group->key.scene, group->key.quality});
    }
}

bool current_groups_have(const struct current_groups *current, int64_t scene, int64_t quality)
{
    for (size_t i = 0; i < current->count; i++)
        if (current->items[i].scene == scene && current->items[i].quality == quality)
            return true;
    return false;
}

void current_groups_skip_runs(const struct current_groups *current, struct segment_list *segments)
{
    size_t kept = 0;

    if (current->count == 0)
        return;
    for (size_t first = 0, end; first < segments->count; first = end) {
        bool wanted = false;

        for (end = first; end < segments->count && segments->items[end].run == segments->items[first].run; end++)
            wanted = wanted || !current_groups_have(current, segments->items[end].scene, segments->items[end].quality);
        if (!wanted)
            continue;
        memmove(&segments->items[kept], &segments->items[first], (end - first) * sizeof *segments->items);
        kept += end - first;
    }
    segments->count = kept;
}
