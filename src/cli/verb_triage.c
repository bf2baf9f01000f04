/*
 * triage: what people decide.
 */
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/model/findings.h"
#include "stutterscope/model/model.h"
#include "stutterscope/model/tables_triage.h"
#include "stutterscope/ticket/payload.h"
#include "verbs.h"
#include <stdlib.h>
#include <string.h>

struct subjects {
    struct triage_subject *items;
    size_t count, capacity;
};

static bool say(const struct invocation *invocation, const char *text, struct error *error)
{
    return write_out(invocation, text, strlen(text), error) && write_out(invocation, "\n", 1, error);
}

static bool take_back(struct invocation *invocation, struct model *model, bool again, struct error *error)
{
    char *text, *line;
    bool good = model_take_back(model, again, &text, error);

    if (!good)
        return false;
    line = memory_print("%s: %s", again ? "decided again" : "taken back", text);
    good = say(invocation, line, error);
    free(line);
    free(text);
    return good;
}

static bool rename_one(struct invocation *invocation, struct model *model, struct error *error)
{
    const char *text = invocation_value(invocation, OPTION_RENAME), *equals = strchr(text, '=');
    bool scene = invocation_has(invocation, OPTION_SCENE), event = invocation_has(invocation, OPTION_EVENT);
    char *old_name, *line;
    bool good;

    if (!equals || equals == text || !equals[1])
        return error_set(error, ERROR_USAGE, "--rename: expected OLD=NEW, found \"%s\"", text);
    if (scene == event)
        return error_set(error, ERROR_USAGE, "--rename: say with --scene or --event what \"%s\" is", text);
    old_name = memory_copy_bytes(text, (size_t)(equals - text));
    line = memory_print("%s %s is called %s from now on", scene ? "scene" : "event", old_name, equals + 1);
    good = model_rename(model, scene ? RENAME_SCENE : RENAME_EVENT, old_name, equals + 1, error) && say(invocation, line, error);
    free(line);
    free(old_name);
    return good;
}

/* Done with what is gone in the build of the id: that is verified. All of them must be. */
static bool read_subjects(struct model *model, const char *const *ids, size_t count, struct subjects *ret, bool *ret_gone, struct error *error)
{
    *ret_gone = count > 0;
    for (size_t i = 0; i < count; i++) {
        struct triage_subject subject;
        enum verdict verdict;

        if (!model_find_subject(model, ids[i], &subject, &verdict, error))
            return false;
        if (ret->count && ret->items[0].key.build != subject.key.build)
            return error_set(error, ERROR_USAGE, "the ids are of several builds; decide for one build at a time");
        *ret_gone = *ret_gone && verdict == VERDICT_GONE;
        array_push(ret, subject);
    }
    return true;
}

static bool is_whole_scene(const struct triage_subject *subject)
{
    return subject->kind == FINDING_DRIFT || subject->kind == FINDING_SLOW;
}

static bool is_same_elsewhere(const struct triage_subject *a, const struct triage_subject *b)
{
    bool kinds_fit = a->kind == b->kind ? a->kind == FINDING_HITCH || is_whole_scene(a) : is_whole_scene(a) && is_whole_scene(b);

    return kinds_fit && a->key.scene == b->key.scene && a->event == b->event && a->label == b->label;
}

static bool is_among(const struct subjects *subjects, const struct triage_subject *subject)
{
    for (size_t i = 0; i < subjects->count; i++)
        if (subjects->items[i].key.device == subject->key.device && subjects->items[i].key.quality == subject->key.quality &&
            is_same_elsewhere(&subjects->items[i], subject))
            return true;
    return false;
}

/* A device of which nobody said anything takes over what is decided about the same on another one: then it is decided for
 * it here, so that it is said, logged and taken back with the rest. */
static bool add_same_elsewhere(struct model *model, struct subjects *subjects, struct error *error)
{
    struct findings *findings = NULL;
    size_t given = subjects->count;

    if (!model_findings(model, subjects->items[0].key.build, 0, false, NULL, &findings, error))
        return false;
    for (size_t i = 0; i < findings->items.count; i++) {
        const struct triage_facts *facts = &findings->items.items[i].triage;
        struct triage_subject subject = finding_subject(&findings->items.items[i]);
        bool is_free = facts->joined || (!facts->reopened && facts->state == TRIAGE_UNDECIDED && facts->first_at_ms == VALUE_UNKNOWN);

        for (size_t j = 0; j < given && is_free; j++)
            if (is_same_elsewhere(&subjects->items[j], &subject) && !is_among(subjects, &subject))
                array_push(subjects, subject);
    }
    findings_destroy(findings);
    return true;
}

/* "known · boss_spawn · Battle_03 · for 3: Galaxy S23 Ultra, ..."; a new string. */
static char *with_devices(struct model *model, const struct subjects *subjects, char *text)
{
    struct text_buffer all = {0};

    text_add(&all, text);
    for (size_t i = 0; i < subjects->count && subjects->count > 1; i++) {
        const struct device_row *device = model_device(model, subjects->items[i].key.device);
        const char *quality = model_quality_name(model, subjects->items[i].key.quality);
        char fingerprint[17], *whole;

        text_add(&all, i ? ", " : ": ");
        triage_fingerprint(model, &subjects->items[i], fingerprint);
        whole = model_fingerprint_text(model, fingerprint);
        if (device && is_same_elsewhere(&subjects->items[0], &subjects->items[i]))
            text_add_print(&all, "%s%s%s", model_device_title(device), quality ? " " : "", quality ? quality : "");
        else
            text_add(&all, whole);
        free(whole);
    }
    free(text);
    return text_take(&all);
}

/* The figures that a later build is compared with, to be kept under the number: a new string. Only of stutters that are
 * in the build; NULL: of none. */
static bool write_payload(struct model *model, const struct subjects *subjects, char **ret, struct error *error)
{
    struct {
        char **items;
        size_t count, capacity;
    } ids = {0};
    bool good = true;

    for (size_t i = 0; i < subjects->count; i++) {
        char fingerprint[17];
        char *id;

        triage_fingerprint(model, &subjects->items[i], fingerprint);
        id = memory_print("%.10s@%s", fingerprint, model_build_name(model, subjects->items[i].key.build));
        if (subjects->items[i].kind == FINDING_HITCH && model_find_stutter(model, id, NULL))
            array_push(&ids, id);
        else
            free(id);
    }
    if (ids.count) {
        struct json *payload = ticket_payload(model, (const char *const *)ids.items, ids.count, error);
        *ret = payload ? json_print(payload) : NULL;
        good = *ret != NULL;
        json_destroy(payload);
    }
    for (size_t i = 0; i < ids.count; i++)
        free(ids.items[i]);
    array_free(&ids);
    return good;
}

static bool decide(struct invocation *invocation, struct model *model, struct error *error)
{
    struct triage_change change = {
        .owner = invocation_value(invocation, OPTION_OWNER),
        .note = invocation_value(invocation, OPTION_NOTE),
        .ticket = invocation_value(invocation, OPTION_TICKET),
    };
    struct subjects subjects = {0};
    char *payload = NULL;
    size_t ids = invocation->operand_count;
    enum triage_state state;
    int64_t decision = 0;
    bool others = change.owner || change.note || change.ticket, gone, good;

    if (ids && triage_state_find(invocation->operands[ids - 1], &state, NULL)) {
        change.state = triage_state_name(state);
        ids--;
    } else if (ids > 1 || (ids && !others)) {
        return triage_state_find(invocation->operands[ids - 1], &state, error); /* says what is expected */
    }
    if (!ids)
        return error_set(error, ERROR_USAGE, "triage needs ID... STATE, or one of --undo, --redo, --log, --summary, --rename");
    good = read_subjects(model, invocation->operands, ids, &subjects, &gone, error);
    if (good && change.state && state != TRIAGE_UNDECIDED && state != TRIAGE_DONE)
        good = add_same_elsewhere(model, &subjects, error);
    if (good) {
        if (change.state && state == TRIAGE_DONE && gone)
            change.verified = model_build_name(model, subjects.items[0].key.build);
        good = !change.ticket || !*change.ticket || write_payload(model, &subjects, &payload, error);
        change.payload = payload;
        good = good && model_decide(model, subjects.items, subjects.count, &change, subjects.items[0].key.build, &decision, error);
    }
    free(payload);
    if (good) {
        char *text = decision ? with_devices(model, &subjects, model_decision_text(model, decision))
                              : memory_copy_text("nothing to change: it is so already");

        good = say(invocation, text, error);
        free(text);
    }
    array_free(&subjects);
    return good;
}

static bool summarise(struct invocation *invocation, struct model *model, struct error *error)
{
    const char *name = invocation_value(invocation, OPTION_BUILD);
    int64_t build = model_newest_build(model);
    char *text;
    bool good;

    if (name && !model_find_build(model, name, &build, error))
        return false;
    if (!build)
        return error_set(error, ERROR_USAGE, "this store has no runs yet; \"stutterscope import FILE\" brings some");
    text = model_summary(model, build, 0, false, error);
    good = text && write_output(invocation, text, strlen(text), error);
    free(text);
    return good;
}

int verb_triage(struct invocation *invocation, struct error *error)
{
    struct model *model;
    struct table *table;
    bool good;

    if (!invocation_open_model(invocation, &model, error))
        return EXIT_TROUBLE;
    if (invocation_has(invocation, OPTION_LOG)) {
        table = table_triage_log(model, error);
        good = table && print_table(invocation, table, error) == EXIT_DONE;
    } else if (invocation_has(invocation, OPTION_SUMMARY)) {
        good = summarise(invocation, model, error);
    } else if (invocation_has(invocation, OPTION_UNDO) || invocation_has(invocation, OPTION_REDO)) {
        good = take_back(invocation, model, invocation_has(invocation, OPTION_REDO), error);
    } else if (invocation_has(invocation, OPTION_RENAME)) {
        good = rename_one(invocation, model, error);
    } else {
        good = decide(invocation, model, error);
    }
    model_close(model);
    return good ? EXIT_DONE : EXIT_TROUBLE;
}
