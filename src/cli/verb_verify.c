/*
 * verify: a ticket against a later build, as a table or as the ticket that says so.
 */
#include "stutterscope/base/memory.h"
#include "stutterscope/model/comparison.h"
#include "stutterscope/model/tables_triage.h"
#include "stutterscope/ticket/payload_read.h"
#include "stutterscope/ticket/verification.h"
#include "ticket_output.h"
#include "verbs.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A ticket and what became of its stutters. */
struct verify_work {
    struct json *payload; /* as the ticket carries it */
    struct ticket_members members;
    struct {
        struct ticket_check *items; /* in the order of the members */
        size_t count, capacity;
    } checks;
    int64_t build;
    enum verify_result result;
};

/* A file (or standard input), else the number that a ticket was filed under. */
static struct json *read_payload(struct model *model, const char *name, struct error *error)
{
    struct json *payload;
    char *text;

    if (strcmp(name, "-") == 0 || access(name, F_OK) == 0)
        return payload_read(name, TICKET_STUTTERS, error);
    text = model_find_ticket(model, name, error);
    payload = text ? payload_find(text, strlen(text), TICKET_STUTTERS, error) : NULL;
    if (text && !payload)
        error_prefix(error, "%s", name);
    free(text);
    return payload;
}

static bool read_ticket(struct model *model, const char *name, struct verify_work *work, struct error *error)
{
    work->payload = read_payload(model, name, error);
    return work->payload && (ticket_members_take(work->payload, &work->members, error) || error_prefix(error, "%s", name));
}

static bool find_build(const struct invocation *invocation, struct model *model, int64_t *ret, struct error *error)
{
    const char *name = invocation_value(invocation, OPTION_BUILD);

    *ret = model_newest_build(model);
    if (name && !model_find_build_strictly(model, name, ret, error))
        return false;
    return *ret || error_set(error, ERROR_USAGE, "no data for build %s", name ? name : "(the store has no runs yet)");
}

/* Still there beats not enough: one device is enough to know that it is not fixed. */
static enum verify_result worse_of(enum verify_result a, enum verify_result b)
{
    if (a == VERIFY_STILL_THERE || b == VERIFY_STILL_THERE)
        return VERIFY_STILL_THERE;
    return a == VERIFY_NOT_ENOUGH || b == VERIFY_NOT_ENOUGH ? VERIFY_NOT_ENOUGH : VERIFY_GONE;
}

/* Stutters that the ticket's text had no room for were looked at by nobody: then it is never gone. */
static bool compare(struct model *model, struct verify_work *work, struct error *error)
{
    work->result = work->members.left_out ? VERIFY_NOT_ENOUGH : VERIFY_GONE;
    for (size_t i = 0; i < work->members.count; i++) {
        struct ticket_check check;

        if (!model_verify_member(model, work->build, &work->members.items[i], &check, error))
            return false;
        array_push(&work->checks, check);
        work->result = worse_of(work->result, check.result);
    }
    return true;
}

static bool print_checks(struct invocation *invocation, struct model *model, const struct verify_work *work, struct error *error)
{
    struct table *table = table_verify(model, work->build);

    for (size_t i = 0; i < work->members.count; i++)
        table_add_check(table, &work->members.items[i], &work->checks.items[i]);
    if (work->members.left_out)
        table_add_left_out(table, work->members.left_out);
    json_add(table->head, "result", json_from_text(verify_result_name(work->result)));
    json_add(table->head, "left_out", json_from_integer(work->members.left_out));
    return print_table(invocation, table, error) == EXIT_DONE;
}

/* ---- the ticket that says so ---- */

/* The text of a ticket instead of the table. */
static bool wants_ticket(const struct invocation *invocation)
{
    static const enum option options[] = {OPTION_TEMPLATE, OPTION_LANGUAGE, OPTION_EDIT, OPTION_COPY, OPTION_POST, OPTION_POST_COMMAND};
    bool wants = false;

    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        wants |= invocation_has(invocation, options[i]);
    return wants;
}

static struct verification_member member_of(const struct json *then, const struct ticket_check *check)
{
    static const enum verification_result results[] = {[VERIFY_GONE] = VERIFICATION_GONE,
                                                       [VERIFY_STILL_THERE] = VERIFICATION_STILL_THERE,
                                                       [VERIFY_NOT_ENOUGH] = VERIFICATION_NOT_ENOUGH};
    bool there = check->result == VERIFY_STILL_THERE;

    return (struct verification_member){
        .then = then,
        .peak_ns = there ? check->peak_ns : VALUE_UNKNOWN,
        .windows = VALUE_UNKNOWN,
        .runs_hit = check->runs_hit,
        .runs = check->runs,
        .seen = check->seen,
        .luck = there ? NAN : check->luck,
        .needed = check->result == VERIFY_NOT_ENOUGH && check->needed > 0 ? check->needed : VALUE_UNKNOWN,
        .result = check->result == VERIFY_NOT_ENOUGH && !check->runs ? VERIFICATION_NOT_COMPARED : results[check->result],
        .reason = check->reason[0] ? check->reason : NULL,
    };
}

/* What the tracker calls the ticket, as far as somebody said so. */
static const char *reference_of(struct model *model, const struct json *stutters)
{
    const char *id = json_text(json_member(json_first(stutters), "id"));
    const struct stutter_entry *entry = id ? model_find_stutter(model, id, NULL) : NULL;

    return entry ? entry->triage.ticket : NULL;
}

static struct json *make_payload(struct model *model, const struct verify_work *work)
{
    const struct json *stutters = json_member(work->payload, "stutters"), *then = json_first(stutters);
    struct verification_member *members = memory_take_zeroed(work->checks.count + 1, sizeof *members);
    struct verification verification = {
        .ticket = reference_of(model, stutters), .build = work->build, .members = members, .left_out = work->members.left_out};
    struct json *result;

    for (; verification.count < work->checks.count && then; then = json_next(then), verification.count++)
        members[verification.count] = member_of(then, &work->checks.items[verification.count]);
    verification.result = verification_join(&verification);
    result = verification_payload(model, &verification);
    free(members);
    return result;
}

static bool print_ticket(struct invocation *invocation, struct model *model, const struct verify_work *work, struct error *error)
{
    struct json *payload = make_payload(model, work);
    bool good = ticket_print(invocation, payload, error);

    json_destroy(payload);
    return good;
}

int verb_verify(struct invocation *invocation, struct error *error)
{
    static const int statuses[] = {[VERIFY_GONE] = EXIT_DONE, [VERIFY_STILL_THERE] = EXIT_FINDING, [VERIFY_NOT_ENOUGH] = EXIT_INCOMPLETE};
    struct verify_work work = {0};
    struct model *model;
    bool good;

    if (!invocation_open_model(invocation, &model, error))
        return EXIT_TROUBLE;
    good = read_ticket(model, invocation->operands[0], &work, error) && find_build(invocation, model, &work.build, error) &&
           compare(model, &work, error) && (wants_ticket(invocation) ? print_ticket : print_checks)(invocation, model, &work, error);
    ticket_members_free(&work.members);
    array_free(&work.checks);
    json_destroy(work.payload);
    model_close(model);
    return good ? statuses[work.result] : EXIT_TROUBLE;
}
