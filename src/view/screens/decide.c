#include "decide.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/model/status.h"
#include "stutterscope/ticket/payload.h"
#include "stutterscope/view/pager.h"
#include "stutterscope/view/prompt.h"
#include "words.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One row per deciding key. */
struct decision_key {
    enum action action;
    const char *state; /* NULL: stays as it is */
    const char *ask;   /* the word that is asked for; NULL: none */
    enum { ANSWER_NONE, ANSWER_TICKET, ANSWER_NOTE, ANSWER_TICKET_OR_NOTE, ANSWER_OWNER } answer;
    bool needs_answer;
};

static const struct decision_key decision_keys[] = {
    {ACTION_INVESTIGATE, "investigating", NULL, ANSWER_NONE, false},
    {ACTION_FILE, "filed", "ticket number or link", ANSWER_TICKET, false},
    {ACTION_KNOWN, "known", "known: note or ticket", ANSWER_TICKET_OR_NOTE, false},
    {ACTION_NOISE, "noise", "noise: why", ANSWER_NOTE, false},
    {ACTION_ENVIRONMENT, "environment", NULL, ANSWER_NONE, false},
    {ACTION_WONT_FIX, "wont-fix", NULL, ANSWER_NONE, false},
    {ACTION_DONE, "done", NULL, ANSWER_NONE, false},
    {ACTION_UNDECIDED, "undecided", NULL, ANSWER_NONE, false},
    {ACTION_ASSIGN, NULL, "assign to", ANSWER_OWNER, true},
    {ACTION_COMMENT, NULL, "comment", ANSWER_NOTE, true},
};

static const struct decision_key *find_key(int action)
{
    for (size_t i = 0; i < sizeof decision_keys / sizeof *decision_keys; i++)
        if ((int)decision_keys[i].action == action)
            return &decision_keys[i];
    return NULL;
}

/* ---- what it is about ---- */

static void add_subject(struct session *session, struct triage_subject subject, enum verdict verdict)
{
    session->pending.gone = (session->pending.gone || !session->pending.subjects.count) && verdict == VERDICT_GONE;
    array_push(&session->pending.subjects, subject);
}

static const struct stutter_entries *entries_of(struct session *session)
{
    return session->build ? model_stutters(session->model, session->build, session->baseline, session->as_it_is, NULL, NULL) : NULL;
}

static void add_entry(struct session *session, const struct stutter_entry *entry)
{
    add_subject(session, (struct triage_subject){FINDING_HITCH, entry->stutter.key, entry->stutter.label, entry->stutter.event},
                entry->verdict);
}

bool decide_add_marked(struct session *session)
{
    const struct stutter_entries *entries = session->marked.count ? entries_of(session) : NULL;

    for (size_t i = 0; entries && i < entries->count; i++)
        if (session_is_marked(session, entries->items[i].id))
            add_entry(session, &entries->items[i]);
    return session->pending.subjects.count > 0;
}

static void add_line(struct session *session, const struct findings *findings, const struct finding_line *line)
{
    for (size_t i = line->first; i < line->first + line->count; i++)
        add_subject(session, finding_subject(&findings->items.items[i]), findings->items.items[i].verdict);
}

static void add_verify_line(struct session *session, const struct findings *findings, const struct verify_line *line)
{
    for (size_t i = line->first; i < line->first + line->count; i++)
        add_subject(session, findings->verify.items[i].subject, findings->verify.items[i].verdict);
}

/* The line with this stutter; without a stutter the first that is about the place. */
static bool add_line_at(struct session *session, const struct findings *findings, const char *stutter, int64_t device, int64_t scene)
{
    for (size_t l = 0; l < findings->lines.count; l++) {
        const struct finding_line *line = &findings->lines.items[l];

        for (size_t i = line->first; i < line->first + line->count; i++) {
            const struct finding *finding = &findings->items.items[i];

            if (*stutter ? strcmp(finding->id, stutter) == 0 : finding->key.device == device && finding->key.scene == scene) {
                add_line(session, findings, line);
                return true;
            }
        }
    }
    for (size_t l = 0; l < findings->verify_lines.count; l++) {
        const struct verify_line *line = &findings->verify_lines.items[l];

        for (size_t i = line->first; i < line->first + line->count; i++) {
            const struct verify_item *item = &findings->verify.items[i];

            if (*stutter ? strcmp(item->id, stutter) == 0 : item->subject.key.device == device && item->subject.key.scene == scene) {
                add_verify_line(session, findings, line);
                return true;
            }
        }
    }
    return false;
}

static struct findings *findings_of(struct session *session)
{
    struct findings *findings;

    return session->build && model_findings(session->model, session->build, session->baseline, session->as_it_is, NULL, &findings, NULL) ? findings : NULL;
}

void decide_add_place(struct session *session, const char *stutter, int64_t device, int64_t scene)
{
    struct findings *findings = findings_of(session);
    bool found = findings && add_line_at(session, findings, stutter, device, scene);

    findings_destroy(findings);
    if (!found && *stutter)
        decide_add_stutter(session, stutter);
}

void decide_add_stutter(struct session *session, const char *stutter)
{
    const struct stutter_entries *entries = entries_of(session);

    for (size_t i = 0; entries && i < entries->count; i++)
        if (strcmp(entries->items[i].id, stutter) == 0)
            add_entry(session, &entries->items[i]);
}

void decide_find_subject(void *owner, struct session *session)
{
    (void)owner;
    if (!decide_add_marked(session))
        decide_add_place(session, session->stutter, session->device, session->scene);
}

/* ---- deciding ---- */

static void say_decision(struct session *session, char *text, const char *after, struct screen_reply *reply)
{
    session->decided++;
    reply->changed = reply->recompute = true;
    reply_say(reply, "%s%s", text, after);
    free(text);
}

/* The figures that a later build is compared with, to be kept with the number they are filed under: a new string. What is
 * no stutter of the build has none, and what was only tried is kept nowhere: NULL. */
static bool write_payload(struct session *session, char **ret, struct error *error)
{
    struct { const char **items; size_t count, capacity; } ids = {0};
    const struct stutter_entries *entries = session->as_it_is ? NULL : entries_of(session);

    for (size_t i = 0; entries && i < entries->count; i++)
        for (size_t s = 0; s < session->pending.subjects.count; s++) {
            const struct triage_subject *subject = &session->pending.subjects.items[s];
            const struct stutter *stutter = &entries->items[i].stutter;

            if (subject->kind == FINDING_HITCH && stutter->event == subject->event && stutter->label == subject->label &&
                stutter->key.device == subject->key.device && stutter->key.scene == subject->key.scene &&
                stutter->key.quality == subject->key.quality && entries->items[i].present)
                array_push(&ids, entries->items[i].id);
        }

    struct json *payload = ids.count ? ticket_payload(session->model, ids.items, ids.count, error) : NULL;
    bool good = payload || !ids.count;

    *ret = payload ? json_print(payload) : NULL;
    json_destroy(payload);
    array_free(&ids);
    return good;
}

static bool looks_like_reference(const char *text)
{
    return !strpbrk(text, " \t") && strpbrk(text, "0123456789");
}

static void decide(struct session *session, const struct decision_key *key, const char *answer, struct screen_reply *reply)
{
    bool ticket = key->answer == ANSWER_TICKET || (key->answer == ANSWER_TICKET_OR_NOTE && answer && looks_like_reference(answer));
    const char *given = answer && (*answer || key->needs_answer) ? answer : NULL;
    struct triage_change change = {
        .state = key->state,
        .ticket = ticket ? given : NULL,
        .note = !ticket && (key->answer == ANSWER_NOTE || key->answer == ANSWER_TICKET_OR_NOTE) ? given : NULL,
        .owner = key->answer == ANSWER_OWNER ? given : NULL,
        .verified = key->action == ACTION_DONE && session->pending.gone ? model_build_name(session->model, session->build) : NULL,
    };
    struct error error = {0};
    char *payload = NULL;
    int64_t decision;
    bool good = key->action != ACTION_FILE || write_payload(session, &payload, &error);

    change.payload = payload;
    good = good && model_decide(session->model, session->pending.subjects.items, session->pending.subjects.count, &change, session->build, &decision, &error);
    free(payload);
    if (!good) {
        reply_fail(reply, "%s", error.text);
    } else if (!decision) { /* perhaps since just now, by somebody else: what screens hold was read anew */
        reply->changed = reply->recompute = true;
        reply_say(reply, "it is so already");
    } else {
        say_decision(session, model_decision_text(session->model, decision), " · u takes it back", reply);
    }
}

static void answered(void *owner, const char *text, struct screen_reply *reply)
{
    struct session *session = owner;
    const struct decision_key *key = find_key(session->pending.action);

    if (key)
        decide(session, key, text, reply);
}

/* What is there already stands in the prompt, so that Enter keeps it. */
static char *present_answer(struct session *session, const struct decision_key *key)
{
    struct triage_facts facts;
    const char *text = NULL;

    model_triage_facts(session->model, &session->pending.subjects.items[0], &facts);
    if (key->answer == ANSWER_TICKET)
        text = facts.ticket;
    else if (key->answer == ANSWER_OWNER)
        text = facts.owner ? facts.owner : session->header.user;
    else if (key->answer == ANSWER_NOTE)
        text = facts.note;
    return text ? text_clean(text, strlen(text)) : NULL;
}

static void ask(struct session *session, const struct decision_key *key, struct screen_reply *reply)
{
    char *text = present_answer(session, key);
    size_t count = session->pending.subjects.count;
    char *label = count > 1 ? memory_print("%s, for %zu", key->ask, count) : memory_copy_text(key->ask);

    reply->open = prompt_open(&(struct prompt_options){.label = label, .text = text, .owner = session, .accept = answered});
    free(label);
    free(text);
}

static void take_back(struct session *session, bool again, struct screen_reply *reply)
{
    struct error error = {0};
    char *text;

    if (!model_take_back(session->model, again, &text, &error)) {
        reply_say(reply, "%s", error.text);
        return;
    }

    char *line = memory_print("%s: %s", again ? "decided again" : "taken back", text);

    free(text);
    say_decision(session, line, again ? " · u takes it back" : " · Ctrl-R decides it again", reply);
}

/* ---- verify ---- */

static void add_item(struct session *session, struct text_buffer *out, const struct verify_item *item)
{
    const struct device_row *device = model_device(session->model, item->subject.key.device);
    const char *scene = model_scene_name(session->model, item->subject.key.scene), *event = model_text(session->model, item->subject.event);
    const char *quality = model_quality_name(session->model, item->subject.key.quality), *then = model_build_name(session->model, item->then_build);

    text_add_print(out, "%s  %s %s  %s\n", device ? model_device_title(device) : "?", scene ? scene : "?", quality ? quality : "?",
                   event ? event : "no event");
    if (item->then_build)
        text_add_print(out, "  then    %s ms in %s, %lld window%s in %lld occurrence%s\n", word_ms(item->then_peak_ns).text, then,
                       (long long)item->then_windows, text_plural(item->then_windows), (long long)item->then_seen,
                       text_plural(item->then_seen));
    text_add_print(out, "  now     %lld of %lld run%s hit, event seen %lld time%s%s%s%s\n", (long long)item->hits, (long long)item->runs,
                   text_plural(item->runs), (long long)item->seen, text_plural(item->seen), item->hits ? ", peak " : "", item->hits ? word_ms(item->peak_ns).text : "", item->hits ? " ms" : "");
    if (item->hits)
        text_add(out, "  result  STILL THERE\n\n");
    else if (item->needed == 0)
        text_add_print(out, "  result  GONE: luck would be %s %% (estimate)\n\n", word_number(item->luck * 100, 2).text);
    else if (item->needed < 0)
        text_add(out, "  result  NOT ENOUGH: how often it was hit before is not known\n\n");
    else
        text_add_print(out, "  result  NOT ENOUGH: luck %s %% (estimate), needs %lld more\n\n", word_number(item->luck * 100, 0).text,
                       (long long)item->needed);
}

static bool is_pending(const struct session *session, const struct verify_item *item)
{
    for (size_t i = 0; i < session->pending.subjects.count; i++) {
        const struct triage_subject *subject = &session->pending.subjects.items[i];

        if (subject->kind == FINDING_HITCH && subject->event == item->subject.event && subject->key.device == item->subject.key.device &&
            subject->key.scene == item->subject.key.scene && subject->key.quality == item->subject.key.quality)
            return true;
    }
    return false;
}

static void verify(struct session *session, struct screen_reply *reply)
{
    struct findings *findings = findings_of(session);
    struct text_buffer out = {0};

    for (size_t i = 0; findings && i < findings->verify.count; i++) {
        const struct verify_item *item = &findings->verify.items[i];

        if (!is_pending(session, item))
            continue;
        if (!out.count)
            text_add_print(&out, "%s with %s\n\n", item->triage.ticket ? item->triage.ticket : "no ticket", model_build_name(session->model, session->build));
        add_item(session, &out, item);
    }
    findings_destroy(findings);
    if (out.count) {
        text_add(&out, "D done   F file again   C comment");
        reply->open = pager_open("Verify", out.items);
    } else {
        reply_say(reply, "nothing to verify here: it was not filed or done before this build, or it is to decide again");
    }
    array_free(&out);
}

/* What the action is about, for the time until it is decided. */
static bool find_pending(struct session *session, enum action action, decide_find *find, void *owner)
{
    session->pending.subjects.count = 0;
    session->pending.gone = false;
    session->pending.action = (int)action;
    find(owner, session);
    return session->pending.subjects.count > 0;
}

void decide_filed(struct session *session, decide_find *find, void *owner, const char *reference, struct screen_reply *reply)
{
    if (find_pending(session, ACTION_FILE, find, owner))
        decide(session, find_key(ACTION_FILE), reference, reply);
    else
        reply_fail(reply, "the stutters of this ticket are not here any more");

    char *said = memory_copy_text(reply->message);

    if (reply->message_style == ROLE_ERROR)
        reply_fail(reply, "%s was filed, but the store does not know it: %s", reference, said);
    else
        reply_say(reply, "%s (here, not in the tracker)", said);
    free(said);
}

bool decide_act(struct session *session, const struct screen_event *event, decide_find *find, void *owner, struct screen_reply *reply)
{
    const struct decision_key *key = find_key((int)event->action);

    if (event->action == ACTION_UNDO || event->action == ACTION_REDO) {
        take_back(session, event->action == ACTION_REDO, reply);
        return true;
    }
    if (!key && event->action != ACTION_VERIFY)
        return false;
    if (!find_pending(session, event->action, find, owner))
        reply_say(reply, "nothing here to decide on");
    else if (!key)
        verify(session, reply);
    else if (key->ask)
        ask(session, key, reply);
    else
        decide(session, key, NULL, reply);
    return true;
}

struct screen *decide_open_summary(struct session *session)
{
    char *text = session->decided && session->build ? model_summary(session->model, session->build, session->baseline, session->as_it_is, NULL) : NULL;
    struct screen *screen = text ? pager_open("Summary for the chat (y copies, q again closes)", text) : NULL;

    free(text);
    return screen;
}
