/*
 * What was filed or done, looked at in a later build: gone, not enough, still there.
 */
#include "findings_parts.h"
#include "sides.h"
#include "stutterscope/analysis/luck.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Ids of the build's groups that carry the names of a decision, under today's names. Several scenes may have become one. */
static bool fits_group(const struct model *model, const struct triage_state_row *row, const struct group_key *key)
{
    const struct device_row *device = model_device(model, key->device);
    const char *scene = model_scene_name(model, key->scene), *quality = model_quality_name(model, key->quality);

    return device && strcmp(device->model, row->row->device_model) == 0 && strcmp(device->chip ? device->chip : "", row->row->chip) == 0 &&
           strcmp(quality ? quality : "", row->row->quality) == 0 && scene &&
           strcmp(triage_new_name(model, RENAME_SCENE, scene), row->scene) == 0;
}

static bool fits_event(const struct model *model, const struct triage_state_row *row, int64_t event)
{
    const char *name = model_text(model, event);

    return strcmp(triage_new_name(model, RENAME_EVENT, name ? name : ""), row->event) == 0;
}

/* The id of the event as this build's group knows it, else as any text does; -1: no such text. */
static int64_t event_id(const struct model *model, const struct triage_state_row *row, const struct build_results *results,
                        const struct group_key *key)
{
    size_t count;
    const struct event_figures *events = results_events(results, key, &count);

    if (!*row->event)
        return 0;
    for (size_t i = 0; i < count; i++)
        if (events[i].event && fits_event(model, row, events[i].event))
            return events[i].event;
    for (size_t i = 0; i < model->texts.count; i++)
        if (fits_event(model, row, model->texts.items[i].id))
            return model->texts.items[i].id;
    return -1;
}

/* Figures of the last build, up to the one decided in, that had the stutter. */
static void read_then(struct findings_work *work, const struct triage_state_row *row, struct verify_item *item)
{
    struct group_key there = item->subject.key;
    int64_t decided_in = 0;

    if (!row->row->build || !model_find_build(work->model, row->row->build, &decided_in, NULL))
        return;
    for (int64_t i = model_build_position(work->model, decided_in), looked = 0; i >= 0 && looked <= HISTORY_BUILDS; i--) {
        struct event_side side;

        there.build = work->model->builds.items[i].id;
        if (!model_group_has_frames(work->model, &there))
            continue;
        looked++;
        event_side_start(&side);

        const struct build_results *results = model_results(work->model, there.build, work->as_it_is, NULL, NULL);
        size_t count = 0;
        const struct event_figures *events = results ? results_events(results, &there, &count) : NULL;

        if (results && event_side_add(work->model, &there, item->subject.event, NULL, &side, NULL) && side.hits) {
            item->then_build = there.build;
            item->then_peak_ns = side.peak_ns;
            item->then_seen = side.seen;
            for (size_t e = 0; e < count; e++)
                item->then_windows += events[e].event == item->subject.event ? events[e].windows : 0;
        }
        event_side_free(&side);
        if (item->then_build)
            return;
    }
}

static bool is_open_here(const struct findings_work *work, const struct triage_subject *subject)
{
    for (size_t i = 0; i < work->entries->count; i++) {
        const struct stutter *stutter = &work->entries->items[i].stutter;

        if (stutter->event == subject->event && stutter->key.device == subject->key.device && stutter->key.scene == subject->key.scene &&
            stutter->key.quality == subject->key.quality && stutter_is_open(&work->entries->items[i]))
            return true;
    }
    return false;
}

/* Whether this decision has to be looked at in this group of the build; fills the item. */
static bool judge(struct findings_work *work, const struct triage_state_row *row, const struct group_key *key, enum triage_state state,
                  struct verify_item *item)
{
    struct event_side side;
    int64_t event = event_id(work->model, row, work->results, key);

    *item = (struct verify_item){.subject = {FINDING_HITCH, *key, LABEL_GAMEPLAY, event}, .peak_ns = VALUE_UNKNOWN, .then_peak_ns = VALUE_UNKNOWN};
    if (event < 0)
        return false;
    event_side_start(&side);
    event_side_add(work->model, key, event, NULL, &side, NULL);
    item->seen = side.seen;
    item->runs = side.runs;
    item->hits = side.hits;
    if (side.hits)
        item->peak_ns = side.peak_ns;
    event_side_free(&side);
    item->verdict = item->hits ? VERDICT_SAME : item->seen > 0 ? VERDICT_GONE : VERDICT_NOT_EXERCISED;
    if (!item->runs || is_open_here(work, &item->subject))
        return false; /* nothing to look at; or it is to decide again */
    return state == TRIAGE_DONE || item->verdict == VERDICT_GONE;
}

static void complete(struct findings_work *work, const struct triage_state_row *row, struct verify_item *item)
{
    triage_fingerprint(work->model, &item->subject, item->fingerprint);
    text_print(item->id, sizeof item->id, "%.10s@%s", item->fingerprint, model_build_name(work->model, item->subject.key.build));
    triage_fill(work->model, &item->subject, false, false, &item->triage);
    read_then(work, row, item);

    double rate = hit_rate(item->then_windows, item->then_seen);

    item->luck = luck_of(rate, item->seen);
    item->needed = luck_needs(rate, item->seen);
    array_push(&work->findings->verify, *item);
}

static bool waits(const struct findings_work *work, const struct triage_state_row *row, enum triage_state *ret_state)
{
    int64_t decided_in;

    return row->row->state && triage_state_find(row->row->state, ret_state, NULL) &&
           (*ret_state == TRIAGE_FILED || *ret_state == TRIAGE_DONE) && !row->row->verified && strcmp(row->row->kind, "hitch") == 0 &&
           strcmp(row->row->label, frame_label_name(LABEL_GAMEPLAY)) == 0 && row->row->build &&
           model_find_build(work->model, row->row->build, &decided_in, NULL) &&
           model_build_position(work->model, decided_in) < model_build_position(work->model, work->findings->build);
}

void findings_add_verify(struct findings_work *work)
{
    const struct triage_book *book = &work->model->triage;

    for (size_t i = 0; i < book->sorted.count; i++) {
        const struct triage_state_row *row = &book->sorted.items[i];
        enum triage_state state;
        bool overruled = i > 0 && strcmp(book->sorted.items[i - 1].fingerprint, row->fingerprint) == 0;

        if (overruled || !waits(work, row, &state))
            continue;
        for (size_t g = 0; g < work->results->groups.count; g++) {
            const struct group_key *key = &work->results->groups.items[g].key;
            struct verify_item item;

            if (fits_group(work->model, row, key) && judge(work, row, key, state, &item))
                complete(work, row, &item);
        }
    }
}
