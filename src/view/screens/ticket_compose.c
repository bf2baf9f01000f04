/* Members and text of the ticket. */
#include "ticket_view.h"

#include "figure_text.h"
#include "stutterscope/base/json.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/base/text.h"
#include "stutterscope/ticket/config.h"
#include "stutterscope/ticket/payload.h"
#include <stdlib.h>
#include <string.h>

static void clear_members(struct ticket_view *view)
{
    for (size_t i = 0; i < view->members.count; i++) {
        free(view->members.items[i].id);
        free(view->members.items[i].title);
    }
    array_free(&view->members);
}

static void clear_text(struct ticket_view *view)
{
    ticket_free(&view->ticket);
    memset(&view->ticket, 0, sizeof view->ticket);
    for (size_t i = 0; i < view->checks.count; i++)
        free(view->checks.items[i].text);
    array_free(&view->checks);
    free(view->payload);
    free(view->trouble);
    view->payload = view->trouble = NULL;
}

void ticket_clear(struct ticket_view *view)
{
    clear_members(view);
    clear_text(view);
    ticket_templates_free(&view->templates);
    settings_destroy(view->settings);
    free(view->gathered);
    pager_clear(&view->pager);
}

/* ---- members ---- */

static bool is_open(const struct stutter_entry *entry)
{
    return entry->verdict == VERDICT_NEW || entry->verdict == VERDICT_BACK || entry->verdict == VERDICT_WORSE;
}

static void add_member(struct ticket_view *view, const struct stutter_entry *entry, bool in)
{
    struct session *session = view->session;
    const struct device_row *device = model_device(session->model, entry->stutter.key.device);
    const char *quality = model_quality_name(session->model, entry->stutter.key.quality);
    char *title = memory_print(
        "%s%s%s  %s%s", device ? model_device_title(device) : "?", quality ? " " : "", quality ? quality : "",
        entry->present ? figure_ms(entry->stutter.peak_ns).text : "gone", entry->present ? " ms" : "");
    array_push(&view->members, (struct ticket_member){memory_copy_text(entry->id), title, in});
}

/* The same event in the same scene: one probable bug, one ticket. */
static bool is_relative(const struct stutter_entry *entry, const struct stutter_entry *of)
{
    return entry->stutter.event == of->stutter.event && entry->stutter.key.scene == of->stutter.key.scene &&
           entry->stutter.label == of->stutter.label;
}

static const struct stutter_entry *subject_of(struct session *session, const struct stutter_entries *entries)
{
    const struct stutter_entry *entry = session_stutter(session);
    for (size_t i = 0; entry == NULL && i < entries->count; i++)
        if (session->marked.count
                ? session_is_marked(session, entries->items[i].id)
                : entries->items[i].present && entries->items[i].stutter.label == LABEL_GAMEPLAY)
            entry = &entries->items[i];
    return entry;
}

/* What is marked; without marks the shown stutter, with those of the same line that are to decide as well. */
static void gather(struct ticket_view *view, const struct stutter_entries *entries)
{
    struct session *session = view->session;
    const struct stutter_entry *subject = &view->entry;
    for (size_t i = 0; i < entries->count; i++) {
        const struct stutter_entry *entry = &entries->items[i];
        bool marked = session_is_marked(session, entry->id), same = strcmp(entry->id, subject->id) == 0;
        if (session->marked.count ? marked : same)
            add_member(view, entry, true);
        else if (session->marked.count == 0 && entry->present && is_relative(entry, subject))
            add_member(view, entry, is_open(entry) && is_open(subject));
    }
}

/* Marks, stutter and build: while these stay, so does what the user took in or out. */
static char *gather_key(struct session *session)
{
    struct text_buffer key = {0};
    text_add_print(&key, "%lld %lld %s", (long long)session->build, (long long)session->baseline,
                   session->marked.count ? "" : session->stutter);
    for (size_t i = 0; i < session->marked.count; i++)
        text_add_print(&key, " %s", session->marked.items[i]);
    return text_take(&key);
}

size_t ticket_members_in(const struct ticket_view *view)
{
    size_t count = 0;
    for (size_t i = 0; i < view->members.count; i++)
        count += view->members.items[i].in;
    return count;
}

/* ---- text ---- */

char *ticket_draft_key(const struct ticket_view *view)
{
    struct text_buffer key = {0};
    for (size_t i = 0; i < view->members.count; i++)
        if (view->members.items[i].in)
            text_add_print(&key, "%s ", view->members.items[i].id);
    return text_take(&key);
}

const char *ticket_template_name(const struct ticket_view *view)
{
    return view->template <view->templates.count ? view->templates.items[view->template].name : "github";
}

const char *ticket_shown_text(const struct ticket_view *view)
{
    if (view->edited)
        return view->session->draft.text;
    return view->ticket.text ? view->ticket.text : "";
}

static struct json *make_payload(struct ticket_view *view, struct error *error)
{
    struct {
        const char **items;
        size_t count, capacity;
    } ids = {0};
    for (size_t i = 0; i < view->members.count; i++)
        if (view->members.items[i].in)
            array_push(&ids, view->members.items[i].id);
    struct json *payload =
        ids.count ? ticket_payload(view->session->model, ids.items, ids.count, error) : NULL;
    if (ids.count == 0)
        error_set(error, ERROR_USAGE,
                  view->has_entry ? "no stutter is in this ticket: Space takes one in"
                                  : "there is no stutter to write about");
    array_free(&ids);
    return payload;
}

static void show_text(struct ticket_view *view)
{
    char *key = ticket_draft_key(view);
    const struct session *session = view->session;
    view->edited = session->draft.text && session->draft.key && strcmp(session->draft.key, key) == 0;
    free(key);
    char *clean = text_clean_lines(ticket_shown_text(view), strlen(ticket_shown_text(view)));
    pager_set(&view->pager, clean);
    view->units = text_units(clean);
    free(clean);
}

void ticket_rewrite(struct ticket_view *view)
{
    struct error error = {0};
    struct ticket_config config = {0};
    ticket_config_read(view->settings, &config, NULL);
    struct ticket_options options = ticket_config_options(&config);
    options.template = ticket_template_name(view);
    options.language = options.format = NULL; /* the name says both */
    clear_text(view);
    struct json *payload = make_payload(view, &error);
    if (payload == NULL || !ticket_write(payload, &options, &view->ticket, &error))
        view->trouble = memory_copy_text(error.text);
    if (payload)
        view->payload = json_print_pretty(payload);
    show_text(view);
    if (payload)
        ticket_check(view, payload);
    json_destroy(payload);
}

/* Those for stutters; the other kinds are not written here. */
static void keep_own_kind(struct ticket_templates *templates)
{
    size_t kept = 0;
    for (size_t i = 0; i < templates->count; i++) {
        if (templates->items[i].kind == TICKET_STUTTERS) {
            templates->items[kept++] = templates->items[i];
        } else {
            free(templates->items[i].name);
            free(templates->items[i].path);
        }
    }
    templates->count = kept;
}

/* The name may lack its language: "jira" is "jira-en" unless the settings say another one. */
static void choose_template(struct ticket_view *view, const struct ticket_config *config)
{
    const char *layout = config->template ? config->template : "github";
    char *with_language = memory_print("%s-%s", layout, config->language ? config->language : "en");
    bool found = false;
    for (int exact = 1; exact >= 0 && !found; exact--)
        for (size_t i = 0; i < view->templates.count && !found; i++)
            if (strcmp(view->templates.items[i].name, exact ? layout : with_language) == 0) {
                view->template = i;
                found = true;
            }
    free(with_language);
}

static bool read_settings(struct ticket_view *view, struct error *error)
{
    char *path = path_config_file();
    struct ticket_config config;
    view->settings = settings_create();
    bool good = settings_read_file(view->settings, path, error);
    if (good && !ticket_config_read(view->settings, &config, error))
        good = error_prefix(error, "%s", path);
    if (good)
        choose_template(view, &config);
    free(path);
    return good;
}

/* Once; a mistake is said every time until it is mended. */
static bool prepare(struct ticket_view *view, struct error *error)
{
    if (view->templates.count > 0)
        return true;
    if (ticket_list_templates(&view->templates, error)) {
        keep_own_kind(&view->templates);
        if (read_settings(view, error))
            return true;
    }
    ticket_templates_free(&view->templates);
    settings_destroy(view->settings);
    view->settings = NULL;
    return false;
}

bool ticket_compose(struct ticket_view *view, struct error *error)
{
    struct session *session = view->session;
    if (!prepare(view, error))
        return false;
    view->has_entry = false;
    const struct stutter_entries *entries =
        session->build ? model_stutters(session->model, session->build, session->baseline, session->as_it_is,
                                        NULL, error)
                       : NULL;
    if (session->build && entries == NULL)
        return false;
    const struct stutter_entry *entry = entries ? subject_of(session, entries) : NULL;
    /* What it is about is what the decisions here are about, too. */
    if (entry && session->marked.count == 0)
        session_choose_stutter(session, entry);
    char *key = gather_key(session);
    if (entry) {
        view->has_entry = true;
        view->entry = *entry;
        memset(&view->entry.clean_devices, 0, sizeof view->entry.clean_devices);
    }
    if (view->gathered == NULL || strcmp(view->gathered, key) != 0 || entry == NULL) {
        clear_members(view);
        if (entry)
            gather(view, entries);
        view->pager.scroll = (struct scroll){0};
    }
    free(view->gathered);
    view->gathered = key;
    ticket_rewrite(view);
    return true;
}
