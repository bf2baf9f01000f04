#include "stutterscope/ticket/payload.h"

#include "copy.h"
#include "payload_parts.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <stdlib.h>
#include <string.h>

struct entry_list {
    const struct stutter_entry **items;
    size_t count, capacity;
};

void payload_add_text(struct json *object, const char *name, const char *text)
{
    char *clean = text ? text_clean(text, strlen(text)) : NULL;

    json_add(object, name, json_from_text(clean));
    free(clean);
}

void payload_add_ms(struct json *object, const char *name, int64_t ns)
{
    json_add(object, name, json_from_scaled(ns, NS_PER_MS));
}

static bool find_entries(struct model *model, const char *const *ids, size_t count, struct entry_list *ret,
                         struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        const struct stutter_entry *entry = model_find_stutter(model, ids[i], error);
        bool there = false;

        if (!entry)
            return false;
        for (size_t j = 0; j < ret->count; j++)
            there |= ret->items[j] == entry;
        if (!there)
            array_push(ret, entry);
    }
    return ret->count || error_set(error, ERROR_USAGE,
                                   "a ticket needs the id of at least one stutter; "
                                   "\"stutterscope stutters\" lists them");
}

/* What is there before what is gone, gameplay before the rest, worst first; the id decides between equals. */
static int compare_entries(const void *a, const void *b)
{
    const struct stutter_entry *x = *(const struct stutter_entry *const *)a;
    const struct stutter_entry *y = *(const struct stutter_entry *const *)b;

    bool x_play = x->stutter.label == LABEL_GAMEPLAY, y_play = y->stutter.label == LABEL_GAMEPLAY;

    if (x->present != y->present)
        return y->present - x->present;
    if (x_play != y_play)
        return y_play - x_play;
    if (x->severity != y->severity)
        return x->severity < y->severity ? 1 : -1;
    return strcmp(x->id, y->id);
}

static bool are_equal(const struct json *a, const struct json *b)
{
    char *x = json_print(a), *y = json_print(b);
    bool equal = strcmp(x, y) == 0;

    free(x);
    free(y);
    return equal;
}

/* Fields of several members that stand at the top when all agree. */
static void put_common(struct json *payload, const struct json *stutters)
{
    static const char *const names[] = {"build",   "commit",         "ci_run", "built_at", "commit_range",
                                        "scene",   "quality",        "label",  "event",    "fps",
                                        "verdict", "baseline_build", "device", "os"};
    const struct json *first = json_first(stutters);

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct json *value = json_member(first, names[i]);
        bool equal = true;

        for (const struct json *other = json_next(first); other && equal; other = json_next(other))
            equal = are_equal(value, json_member(other, names[i]));
        json_add(payload, names[i], equal ? copy_value(value, 0) : json_null());
    }
    json_add(payload, "reopen", copy_value(json_member(first, "reopen"), 0)); /* the worst */
}

static struct json *assemble(struct payload_work *work, const struct entry_list *entries)
{
    struct json *payload = json_object(), *stutters = json_array();

    for (size_t i = 0; i < entries->count; i++) {
        struct json *stutter = payload_stutter(work, entries->items[i]);

        if (!stutter) {
            json_destroy(stutters);
            json_destroy(payload);
            return NULL;
        }
        json_append(stutters, stutter);
    }
    json_add(payload, "schema", json_from_text(PAYLOAD_SCHEMA));
    payload_add_text(payload, "series", model_series(work->model));
    json_add(payload, "settings", payload_settings(work->model));
    json_add(payload, "stutter_count", json_from_integer((int64_t)entries->count));
    if (entries->count > 1)
        put_common(payload, stutters);
    else
        copy_members(payload, json_first(stutters), 0);
    json_add(payload, "stutters", stutters);
    return payload;
}

struct json *ticket_payload(struct model *model, const char *const *ids, size_t count, struct error *error)
{
    struct payload_work work = {.model = model, .error = error};
    struct entry_list entries = {0};
    struct json *payload = NULL;

    if (find_entries(model, ids, count, &entries, error)) {
        qsort(entries.items, entries.count, sizeof *entries.items, compare_entries);
        payload = assemble(&work, &entries);
    }
    run_detail_destroy(work.detail);
    array_free(&entries);
    return payload;
}
