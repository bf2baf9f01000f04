/*
 * Decisions: found by names, so that they hold in every build and after a scene or an event was renamed.
 */
#include "stutterscope/model/triage.h"

#include "internal.h"
#include "stutterscope/base/hash.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const state_names[TRIAGE_STATE_COUNT] = {
    [TRIAGE_UNDECIDED] = "undecided", [TRIAGE_INVESTIGATING] = "investigating", [TRIAGE_FILED] = "filed",
    [TRIAGE_KNOWN] = "known",         [TRIAGE_NOISE] = "noise",                 [TRIAGE_ENVIRONMENT] = "environment",
    [TRIAGE_WONT_FIX] = "wont-fix",   [TRIAGE_DONE] = "done",
};

const char *triage_state_name(enum triage_state state)
{
    return state_names[state];
}

bool triage_state_find(const char *name, enum triage_state *ret, struct error *error)
{
    struct text_buffer names = {0};

    for (size_t i = 0; i < TRIAGE_STATE_COUNT; i++) {
        if (text_equals_ignoring_case(state_names[i], name)) {
            *ret = (enum triage_state)i;
            array_free(&names);
            return true;
        }
        text_add_print(&names, "%s%s", i ? ", " : "", state_names[i]);
    }

    char *clean = text_clean(name, strlen(name));

    error_set(error, ERROR_USAGE, "unknown state \"%s\": expected one of %s", clean, names.items);
    free(clean);
    array_free(&names);
    return false;
}

bool triage_state_is_accepted(enum triage_state state)
{
    return state == TRIAGE_KNOWN || state == TRIAGE_NOISE || state == TRIAGE_ENVIRONMENT || state == TRIAGE_WONT_FIX;
}

const char *finding_kind_name(enum finding_kind kind)
{
    static const char *const names[FINDING_KIND_COUNT] = {"hitch", "drift", "slow", "silent", "partial"};

    return names[kind];
}

/* ---- names and fingerprints ---- */

struct subject_names {
    const char *device_model, *chip, *scene, *quality, *label, *event;
};

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

static void name_subject(const struct model *model, const struct triage_subject *subject, struct subject_names *ret)
{
    const struct device_row *device = model_device(model, subject->key.device);
    bool whole_device = subject->kind == FINDING_SILENT || subject->kind == FINDING_PARTIAL;
    bool hitch = subject->kind == FINDING_HITCH;

    *ret = (struct subject_names){
        .device_model = device ? device->model : "",
        .chip = device ? or_empty(device->chip) : "",
        .scene = whole_device ? "" : or_empty(model_scene_name(model, subject->key.scene)),
        .quality = whole_device ? "" : or_empty(model_quality_name(model, subject->key.quality)),
        .label = frame_label_name(hitch ? subject->label : LABEL_GAMEPLAY),
        .event = whole_device ? "(uploads)" : hitch ? or_empty(model_text(model, subject->event)) : "(scene)",
    };
}

/* The separator cannot occur in clean text. */
static void hash_names(const struct subject_names *names, char ret[17])
{
    static const char digits[] = "0123456789abcdef";
    const char *const parts[] = {names->device_model, names->chip, names->scene, names->quality, names->label, names->event};
    size_t count = sizeof parts / sizeof *parts, length = 0;
    char *text, *end, usual[512];
    uint64_t hash;

    for (size_t i = 0; i < count; i++)
        length += strlen(parts[i]) + 1;
    end = text = length <= sizeof usual ? usual : memory_take(length);
    for (size_t i = 0; i < count; i++) {
        end = stpcpy(end, parts[i]);
        *end++ = '\x1f';
    }
    hash = hash_bytes(text, length - 1); /* none behind the last */
    for (size_t i = 0; i < 16; i++)
        ret[i] = digits[hash >> (60 - 4 * i) & 15];
    ret[16] = '\0';
    if (text != usual)
        free(text);
}

void triage_fingerprint(const struct model *model, const struct triage_subject *subject, char ret[17])
{
    struct subject_names names;

    name_subject(model, subject, &names);
    hash_names(&names, ret);
}

const char *triage_new_name(const struct model *model, enum rename_kind kind, const char *name)
{
    const struct rename_list *renames = &model->triage.renames;

    for (size_t steps = 0; steps < renames->count; steps++) { /* circles are refused, but files can be edited */
        size_t i = 0;

        while (i < renames->count && (renames->items[i].kind != kind || strcmp(renames->items[i].old_name, name) != 0))
            i++;
        if (i == renames->count)
            break;
        name = renames->items[i].new_name;
    }
    return name;
}

/* The fingerprint under today's names. */
static void hash_renamed(const struct model *model, struct subject_names *names, char ret[17])
{
    names->scene = triage_new_name(model, RENAME_SCENE, names->scene);
    names->event = triage_new_name(model, RENAME_EVENT, names->event);
    hash_names(names, ret);
}

/* ---- the book of decisions ---- */

static void free_book(struct triage_book *book)
{
    triage_list_free(&book->rows);
    rename_list_free(&book->renames);
    array_free(&book->sorted);
    array_free(&book->pins);
}

void triage_forget(struct model *model)
{
    free_book(&model->triage);
}

/* Of two decisions that a rename made one, the later comes first. */
static int compare_rows(const void *a, const void *b)
{
    const struct triage_state_row *x = a, *y = b;
    int order = strcmp(x->fingerprint, y->fingerprint);

    return order ? order : (x->row->at_ms < y->row->at_ms) - (x->row->at_ms > y->row->at_ms);
}

/* By today's names, which are those of the model's renames. */
static void sort_rows(struct model *model)
{
    for (size_t i = 0; i < model->triage.rows.count; i++) {
        const struct triage_row *row = &model->triage.rows.items[i];
        struct subject_names names = {row->device_model, row->chip, row->scene, row->quality, row->label, row->event};
        struct triage_state_row sorted = {.row = row};

        hash_renamed(model, &names, sorted.fingerprint);
        sorted.scene = names.scene;
        sorted.event = names.event;
        array_push(&model->triage.sorted, sorted);
    }
    if (model->triage.sorted.count)
        qsort(model->triage.sorted.items, model->triage.sorted.count, sizeof *model->triage.sorted.items, compare_rows);
}

bool triage_load(struct model *model, struct error *error)
{
    struct triage_book fresh = {0};

    if (!store_list_triage(model->store, &fresh.rows, error) || !store_list_renames(model->store, &fresh.renames, error) ||
        !store_list_baselines(model->store, &fresh.pins, error)) {
        free_book(&fresh);
        return false;
    }
    triage_forget(model);
    model->triage = fresh;
    sort_rows(model);
    return true;
}

static const struct triage_row *find_by_fingerprint(const struct model *model, const char *fingerprint)
{
    const struct triage_state_row *rows = model->triage.sorted.items;
    size_t low = 0, high = model->triage.sorted.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (strcmp(rows[middle].fingerprint, fingerprint) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < model->triage.sorted.count && strcmp(rows[low].fingerprint, fingerprint) == 0 ? rows[low].row : NULL;
}

const struct triage_row *triage_find(const struct model *model, const struct triage_subject *subject)
{
    struct subject_names names;
    char fingerprint[17];

    if (!model->triage.sorted.count)
        return NULL;
    name_subject(model, subject, &names);
    hash_renamed(model, &names, fingerprint);
    return find_by_fingerprint(model, fingerprint);
}

static enum triage_state state_of(const struct triage_row *row)
{
    enum triage_state state = TRIAGE_UNDECIDED;

    return row->state && triage_state_find(row->state, &state, NULL) ? state : TRIAGE_UNDECIDED;
}

/* What was decided about the same event in the same scene on another device or at another quality, latest first. What is
 * done on one device is not done on one where it still shows. */
static const struct triage_row *find_group(const struct model *model, const struct triage_subject *subject)
{
    const struct triage_row *latest = NULL;
    struct subject_names names;
    char fingerprint[17];

    if (subject->kind == FINDING_SILENT || subject->kind == FINDING_PARTIAL)
        return NULL; /* each device is a line of its own */
    name_subject(model, subject, &names);
    hash_renamed(model, &names, fingerprint);
    for (size_t i = 0; i < model->triage.sorted.count; i++) {
        const struct triage_state_row *other = &model->triage.sorted.items[i];
        enum triage_state state = state_of(other->row);

        if (state != TRIAGE_UNDECIDED && state != TRIAGE_DONE && strcmp(other->scene, names.scene) == 0 &&
            strcmp(other->event, names.event) == 0 && strcmp(other->row->label, names.label) == 0 &&
            (!latest || other->row->at_ms > latest->at_ms))
            latest = other->row;
    }
    return latest;
}

static bool is_after(const struct model *model, int64_t build, const char *name)
{
    int64_t id;

    return !name || !model_find_build(model, name, &id, NULL) ||
           model_build_position(model, build) > model_build_position(model, id);
}

static void take_row(const struct triage_row *row, struct triage_facts *ret)
{
    ret->state = state_of(row);
    ret->owner = row->owner;
    ret->note = row->note;
    ret->ticket = row->ticket;
    ret->build = row->build;
    ret->who = row->who;
    ret->first_at_ms = row->state ? row->first_at_ms : VALUE_UNKNOWN;
    ret->decided_at_ms = row->at_ms;
}

void triage_fill(const struct model *model, const struct triage_subject *subject, bool open, bool back, struct triage_facts *ret)
{
    const struct triage_row *row = triage_find(model, subject), *group;

    *ret = (struct triage_facts){.first_at_ms = VALUE_UNKNOWN, .decided_at_ms = VALUE_UNKNOWN};
    if (row)
        take_row(row, ret);
    /* Done, or filed and gone in between: that it is here in a later build is news. */
    if (open && (ret->state == TRIAGE_DONE || (ret->state == TRIAGE_FILED && back)) && is_after(model, subject->key.build, ret->build)) {
        ret->was = ret->state;
        ret->state = TRIAGE_UNDECIDED;
        ret->reopened = true;
    } else if (open && (!row || !row->state) && (group = find_group(model, subject))) {
        const char *owner = ret->owner, *note = ret->note;

        take_row(group, ret);
        ret->joined = true;
        ret->owner = owner ? owner : ret->owner;
        ret->note = note ? note : ret->note;
    }
}
