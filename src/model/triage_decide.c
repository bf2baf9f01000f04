/*
 * Deciding, taking back, and saying in a line what a decision was.
 */
#include "internal.h"
#include "stutterscope/base/clock.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/model/triage.h"
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *triage_user(void)
{
    static const char *const variables[] = {"STUTTERSCOPE_USER", "USER", "LOGNAME"};
    const char *user = NULL;

    for (size_t i = 0; i < sizeof variables / sizeof *variables && !(user && *user); i++)
        user = getenv(variables[i]);
    if (!user || !*user) {
        const struct passwd *entry = getpwuid(getuid());

        user = entry ? entry->pw_name : "somebody";
    }
    return text_clean(user, strlen(user));
}

static bool reload_triage(struct model *model, struct error *error)
{
    if (!triage_load(model, error))
        return false;
    entries_refresh_triage(model);
    return true;
}

/* A row that is there keeps its fingerprint and its names, also when a rename led to it. */
static void fill_row(const struct model *model, const struct triage_subject *subject, struct triage_row *ret, char fingerprint[17])
{
    const struct triage_row *known = triage_find(model, subject);
    const struct device_row *device = model_device(model, subject->key.device);
    bool whole_device = subject->kind == FINDING_SILENT || subject->kind == FINDING_PARTIAL, hitch = subject->kind == FINDING_HITCH;
    const char *scene = whole_device ? NULL : model_scene_name(model, subject->key.scene);
    const char *quality = whole_device ? NULL : model_quality_name(model, subject->key.quality);
    const char *event = hitch ? model_text(model, subject->event) : whole_device ? "(uploads)" : "(scene)";

    *ret = known ? *known : (struct triage_row){
        .fingerprint = fingerprint,
        .device_model = device ? device->model : (char *)"",
        .chip = device && device->chip ? device->chip : (char *)"",
        .scene = (char *)(scene ? scene : ""),
        .quality = (char *)(quality ? quality : ""),
        .label = (char *)frame_label_name(hitch ? subject->label : LABEL_GAMEPLAY),
        .event = (char *)(event ? event : ""),
    };
    if (!known)
        triage_fingerprint(model, subject, fingerprint);
    ret->kind = (char *)finding_kind_name(subject->kind);
}

bool model_decide(struct model *model, const struct triage_subject *subjects, size_t count, const struct triage_change *change,
                  int64_t build, int64_t *ret_decision, struct error *error)
{
    struct triage_row *rows = memory_take_zeroed(count + 1, sizeof *rows);
    char(*fingerprints)[17] = memory_take_zeroed(count + 1, sizeof *fingerprints);
    char *user = triage_user();
    struct triage_author author = {user, clock_now_ms()};
    struct triage_change complete = *change;
    bool good;

    for (size_t i = 0; i < count; i++)
        fill_row(model, &subjects[i], &rows[i], fingerprints[i]);
    complete.payload_build = complete.payload ? model_build_name(model, build) : NULL;
    if (complete.state) {
        complete.build = model_build_name(model, build);
        complete.verified = complete.verified ? complete.verified : "";
    }
    good = store_decide(model->store, rows, count, &complete, &author, ret_decision, error);
    free(user);
    free(fingerprints);
    free(rows);
    if (!good || !reload_triage(model, error))
        return false;
    entries_forget_after(model, build);
    return true;
}

void model_triage_facts(const struct model *model, const struct triage_subject *subject, struct triage_facts *ret)
{
    triage_fill(model, subject, false, false, ret);
}

char *model_find_ticket(struct model *model, const char *reference, struct error *error)
{
    struct ticket_row row;
    bool found;

    if (!store_find_ticket(model->store, NULL, reference, &row, &found, error))
        return NULL;

    char *payload = memory_copy_text(row.payload);

    ticket_row_free(&row);
    if (!found)
        error_set(error, ERROR_USAGE, "there is neither a file nor a filed ticket \"%s\"", reference);
    return payload;
}

bool model_take_back(struct model *model, bool again, char **ret_text, struct error *error)
{
    char *user = triage_user();
    struct triage_author author = {user, clock_now_ms()};
    int64_t decision;
    bool good = store_take_back(model->store, &author, again, &decision, error);

    free(user);
    if (!good || !reload_triage(model, error))
        return false;
    entries_forget(model); /* a pin, or a decision that counts for the verdicts of later builds */
    *ret_text = model_decision_text(model, decision);
    return true;
}

bool model_rename(struct model *model, enum rename_kind kind, const char *old_name, const char *new_name, struct error *error)
{
    char *user = triage_user();
    struct triage_author author = {user, clock_now_ms()};
    int64_t decision;
    bool good = store_declare_rename(model->store, kind, old_name, new_name, &author, &decision, error);

    free(user);
    if (good)
        entries_forget(model); /* decisions under the old name hold for the new one */
    return good && reload_triage(model, error);
}

static const struct triage_row *find_row(const struct model *model, const char *fingerprint)
{
    for (size_t i = 0; i < model->triage.rows.count; i++)
        if (strcmp(model->triage.rows.items[i].fingerprint, fingerprint) == 0)
            return &model->triage.rows.items[i];
    return NULL;
}

static const char *title_of(const struct model *model, const struct triage_row *row)
{
    for (size_t i = 0; i < model->devices.count; i++) {
        const struct device_row *device = &model->devices.items[i];

        if (strcmp(device->model, row->device_model) == 0 && strcmp(device->chip, row->chip) == 0)
            return model_device_title(device);
    }
    return row->device_model;
}

static void add_part(struct text_buffer *text, const char *part)
{
    char *clean = part && *part ? text_clean(part, strlen(part)) : NULL;

    if (clean)
        text_add_print(text, "%s%s", text->count ? " · " : "", clean);
    free(clean);
}

/* What the row is about, without the device. */
static void add_subject(struct text_buffer *text, const struct triage_row *row)
{
    if (strcmp(row->event, "(uploads)") == 0) {
        add_part(text, row->kind);
        return;
    }
    add_part(text, strcmp(row->event, "(scene)") == 0 ? row->kind : *row->event ? row->event : "no event");
    add_part(text, row->scene);
}

/* A baseline is pinned for "device/scene", ids; "0/0" is the whole store. */
static bool add_pinned(struct text_buffer *text, const struct model *model, const char *subject)
{
    long long device, scene;
    int length = 0;

    if (sscanf(subject, "%lld/%lld%n", &device, &scene, &length) != 2 || subject[length])
        return false;
    if (device && model_device(model, device))
        add_part(text, model_device_title(model_device(model, device)));
    if (scene)
        add_part(text, model_scene_name(model, scene));
    if (!text->count)
        add_part(text, "whole store");
    return true;
}

char *model_fingerprint_text(const struct model *model, const char *fingerprint)
{
    const struct triage_row *row = find_row(model, fingerprint);
    struct text_buffer text = {0};

    if (!row && add_pinned(&text, model, fingerprint))
        return text_take(&text);
    if (!row)
        return text_clean(fingerprint, strlen(fingerprint));
    add_subject(&text, row);
    add_part(&text, title_of(model, row));
    add_part(&text, row->quality);
    return text_take(&text);
}

/* What goes along with the rest of a decision and is not said. */
static bool is_aside(const char *what)
{
    static const char *const words[] = {"build", "verified", "figures"};
    size_t i = 0;

    while (i < sizeof words / sizeof *words && strcmp(what, words[i]) != 0)
        i++;
    return i < sizeof words / sizeof *words;
}

/* "filed MG-1211", "owner hana"; of the rows of one fingerprint. */
static void add_changes(struct text_buffer *text, const struct triage_log_list *log, const char *subject)
{
    for (size_t i = 0; i < log->count; i++) {
        const struct triage_log_row *row = &log->items[i];
        bool state = strcmp(row->what, "state") == 0, ticket = strcmp(row->what, "ticket") == 0;

        if (strcmp(row->subject, subject) != 0 || is_aside(row->what))
            continue;

        char *after = row->after ? text_clean(row->after, strlen(row->after)) : memory_copy_text(state ? "undecided" : "none");

        text_add(text, text->count ? " " : "");
        if (state || ticket)
            text_add(text, after);
        else
            text_add_print(text, "%s %s", row->what, after);
        free(after);
    }
    if (!text->count && strcmp(log->items[0].what, "figures") == 0)
        text_add(text, "other figures");
}

char *model_decision_text(struct model *model, int64_t decision)
{
    struct triage_log_list log = {0};
    struct text_buffer text = {0};

    if (store_list_triage_log(model->store, decision, &log, NULL) && log.count) {
        const struct triage_row *row = find_row(model, log.items[0].subject);

        add_changes(&text, &log, log.items[0].subject);
        if (row) {
            add_subject(&text, row);
            if (log.items[0].members == 1)
                add_part(&text, title_of(model, row));
            else
                text_add_print(&text, " · for %lld", (long long)log.items[0].members);
        } else {
            struct text_buffer pinned = {0};

            add_part(&text, add_pinned(&pinned, model, log.items[0].subject) ? pinned.items : log.items[0].subject);
            array_free(&pinned);
        }
    }
    triage_log_list_free(&log);
    return text_take(&text);
}
