#include "open_step.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/model/findings.h"
#include <stdlib.h>
#include <string.h>

/* A line that can be gone to: its worst stutter. */
struct stop {
    const struct stutter_entry *entry;
    bool to_verify;
};
struct stops {
    struct stop *items;
    size_t count, capacity;
};

static bool is_same_line(const struct stutter_entry *a, const struct stutter_entry *b)
{
    return b && a->stutter.event == b->stutter.event && a->stutter.key.scene == b->stutter.key.scene &&
           b->stutter.label == LABEL_GAMEPLAY;
}

static void add_open(const struct findings *findings, struct stops *stops)
{
    struct open_items open = {0};

    session_add_open(findings, &open);
    for (size_t i = 0; i < open.count; i++)
        if (open.items[i].kind == OPEN_STUTTER)
            array_push(stops, (struct stop){open.items[i].worst, false});
    array_free(&open);
}

/* What was decided on in an earlier build, in the shown one: behind what is open. */
static void add_to_verify(const struct findings *findings, const struct stutter_entries *entries, struct stops *stops)
{
    for (size_t l = 0; l < findings->verify_lines.count; l++) {
        const struct verify_item *item = &findings->verify.items[findings->verify_lines.items[l].first];

        for (size_t i = 0; i < entries->count; i++)
            if (strcmp(entries->items[i].fingerprint, item->fingerprint) == 0) {
                array_push(stops, (struct stop){&entries->items[i], true});
                break;
            }
    }
}

static bool list_stops(struct session *session, struct stops *stops, struct error *error)
{
    const struct stutter_entries *entries =
        model_stutters(session->model, session->build, session->baseline, session->as_it_is, NULL, error);
    struct findings *findings = NULL;

    if (!entries || !session_findings(session, &findings, error))
        return false;
    add_open(findings, stops);
    add_to_verify(findings, entries, stops);
    findings_destroy(findings);
    return true;
}

static const struct stop *find_next(const struct stops *stops, const struct stutter_entry *now, bool forward)
{
    const struct stop *first = NULL;
    bool passed = false;

    for (size_t i = 0; i < stops->count; i++) {
        const struct stop *stop = &stops->items[forward ? i : stops->count - 1 - i];
        bool here = is_same_line(stop->entry, now);

        if (passed && !here)
            return stop;
        if (!first && !here)
            first = stop;
        passed |= here;
    }
    return first;
}

bool open_step(struct session *session, const struct stutter_entry *now, bool forward, enum open_step *ret,
               struct error *error)
{
    struct stops stops = {0};
    bool good = list_stops(session, &stops, error);
    const struct stop *next = good ? find_next(&stops, now, forward) : NULL;

    *ret = !next ? OPEN_STEP_NONE : next->to_verify ? OPEN_STEP_TO_VERIFY : OPEN_STEP_TO_DECIDE;
    if (next) {
        session_choose_stutter(session, next->entry);
        session->run = 0;
        session->window = next->entry->present ? next->entry->stutter.worst_window : 0;
    }
    array_free(&stops);
    return good;
}

void open_step_reply(enum open_step found, struct screen_reply *reply)
{
    if (found == OPEN_STEP_NONE)
        reply_say(reply, "no other stutter is to decide or to verify");
    else
        reply->recompute = reply->changed = true;
    if (found == OPEN_STEP_TO_VERIFY)
        reply_say(reply, "to verify: V compares with the figures of the ticket, D is done");
}
