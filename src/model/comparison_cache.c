/*
 * What the comparison keeps: entries by build and baseline, and what people decided about them.
 */
#include "internal.h"
#include "sides.h"
#include "stutterscope/base/memory.h"
#include <stdlib.h>
#include <string.h>

static void free_cached(struct cached_entries *cached)
{
    for (size_t i = 0; i < cached->entries.count; i++)
        array_free(&cached->entries.items[i].clean_devices);
    array_free(&cached->entries);
    array_free(&cached->comparisons);
    free(cached);
}

void entries_forget(struct model *model)
{
    for (size_t i = 0; i < model->entries.count; i++)
        free_cached(model->entries.items[i]);
    array_free(&model->entries);
}

void entries_forget_after(struct model *model, int64_t build)
{
    size_t kept = 0;

    for (size_t i = 0; i < model->entries.count; i++) {
        struct cached_entries *cached = model->entries.items[i];

        if (model_build_position(model, cached->build) > model_build_position(model, build))
            free_cached(cached);
        else
            model->entries.items[kept++] = cached;
    }
    model->entries.count = kept;
}

struct cached_entries *entries_find(struct model *model, int64_t build, int64_t baseline, bool as_it_is)
{
    for (size_t i = 0; i < model->entries.count; i++) {
        struct cached_entries *cached = model->entries.items[i];

        if (cached->build == build && cached->baseline == baseline && (cached->as_it_is == as_it_is || !cached->as_it_is))
            return cached;
    }

    struct cached_entries *cached = memory_take_zeroed(1, sizeof *cached);

    cached->build = build;
    cached->baseline = baseline;
    cached->as_it_is = as_it_is;
    array_push(&model->entries, cached);
    return cached;
}

struct triage_subject entry_subject(const struct stutter_entry *entry)
{
    return (struct triage_subject){FINDING_HITCH, entry->stutter.key, entry->stutter.label, entry->stutter.event};
}

bool stutter_is_open(const struct stutter_entry *entry)
{
    return entry->present && entry->stutter.label == LABEL_GAMEPLAY &&
           (entry->verdict == VERDICT_NEW || entry->verdict == VERDICT_BACK || entry->verdict == VERDICT_WORSE);
}

void entries_fill_triage(struct model *model, struct stutter_entries *entries)
{
    for (size_t i = 0; i < entries->count; i++) {
        struct stutter_entry *entry = &entries->items[i];
        struct triage_subject subject = entry_subject(entry);

        triage_fill(model, &subject, stutter_is_open(entry), entry->verdict == VERDICT_BACK, &entry->triage);
    }
}

void entries_refresh_triage(struct model *model)
{
    for (size_t i = 0; i < model->entries.count; i++)
        entries_fill_triage(model, &model->entries.items[i]->entries);
}

/*
 * People had decided on it, the build just before met the event and was clean, and now it is in half of the runs again:
 * it is back, however short it was away. Without a decision a return within 5 builds is the stutter's own noise.
 */
const char *entry_gone_in(const struct model *model, const struct stutter_entry *entry, const struct event_side *here,
                          const struct event_side *before, int64_t build_before)
{
    struct triage_subject subject = entry_subject(entry);
    const struct triage_row *row = triage_find(model, &subject);
    int64_t decided_in;

    if (!row || !row->state || strcmp(row->state, triage_state_name(TRIAGE_UNDECIDED)) == 0 || !row->first_build ||
        !model_find_build(model, row->first_build, &decided_in, NULL) ||
        model_build_position(model, decided_in) >= model_build_position(model, entry->stutter.key.build))
        return NULL;
    return before->hits == 0 && before->seen > 0 && verdict_meets_run_condition(here->hits, here->runs) ? model_build_name(model, build_before)
                                                                                                        : NULL;
}
