/*
 * What people decided: states, owners, notes, ticket references by fingerprint; the log of all changes; tickets as
 * written; renames. Every change is one transaction with its log rows, and can be taken back from these.
 */
#ifndef STUTTERSCOPE_STORE_TRIAGE_H
#define STUTTERSCOPE_STORE_TRIAGE_H

#include "stutterscope/store/store.h"

/* Names are never NULL ('': none); owner, note, ticket, build, verified may be NULL. */
struct triage_row {
    char *fingerprint; /* 16 hex digits */
    char *kind;        /* hitch, drift, slow, silent, partial */
    char *device_model, *chip, *scene, *quality, *label, *event;
    char *state;       /* NULL: nothing decided (an owner may be known) */
    char *owner, *note, *ticket;
    char *build;       /* in which the state was decided */
    char *verified;    /* build in which it was found gone */
    char *first_build; /* in which something was decided first */
    int64_t first_at_ms, at_ms; /* first triaged; last change */
    char *who;         /* of the last change */
};
struct triage_list {
    struct triage_row *items;
    size_t count, capacity;
};
bool store_list_triage(struct store *store, struct triage_list *ret, struct error *error); /* by fingerprint */
void triage_list_free(struct triage_list *list);

struct triage_author {
    const char *who;
    int64_t at_ms;
};
/* NULL: stays as it is; "": is taken away. */
struct triage_change {
    const char *state, *owner, *note, *ticket, *build, *verified;
    const char *payload; /* JSON: what the ticket was written from, to be kept with it; NULL: none */
    const char *payload_build;
};
/*
 * The same change for several subjects, of which fingerprint, kind and names are read. *ret_decision: its number in the
 * log; 0 when nothing was different. What a ticket was written from is logged as "figures", the number of its row.
 */
bool store_decide(struct store *store, const struct triage_row *subjects, size_t count, const struct triage_change *change,
                  const struct triage_author *author, int64_t *ret_decision, struct error *error);

enum rename_kind { RENAME_SCENE, RENAME_EVENT };
const char *rename_kind_name(enum rename_kind kind); /* "scene", "event" */
struct rename_row {
    enum rename_kind kind;
    char *old_name, *new_name;
};
struct rename_list {
    struct rename_row *items;
    size_t count, capacity;
};
bool store_list_renames(struct store *store, struct rename_list *ret, struct error *error);
void rename_list_free(struct rename_list *list);
/* Refused when it would close a circle. A rename is a decision: it is logged and can be taken back. */
bool store_declare_rename(struct store *store, enum rename_kind kind, const char *old_name, const char *new_name,
                          const struct triage_author *author, int64_t *ret_decision, struct error *error);

/*
 * Pins the baseline of a device and scene (0, 0: of the store) to the build of this name, NULL: none. Logged like any
 * decision ("baseline" of "device/scene"), with who, when, from and to; *ret_decision 0 when it was so already.
 */
bool store_decide_baseline(struct store *store, int64_t device, int64_t scene, const char *build, const struct triage_author *author,
                           int64_t *ret_decision, struct error *error);

/*
 * Takes back the author's last decision that was not taken back yet; `again`: decides again what was taken back last,
 * unless something else was decided since. Refused, with name and time, when somebody changed the same thing
 * meanwhile. *ret_decision: the decision taken back (or decided again); its log rows say what it was.
 */
bool store_take_back(struct store *store, const struct triage_author *author, bool again, int64_t *ret_decision, struct error *error);

struct triage_log_row {
    int64_t id, decision, undoes; /* undoes: 0 none */
    char *subject; /* a fingerprint; of a rename the old name */
    char *what, *before, *after; /* before, after: NULL nothing */
    int64_t members, at_ms;
    char *who;
    bool taken_back;
};
struct triage_log_list {
    struct triage_log_row *items;
    size_t count, capacity;
};
/* Oldest first. decision 0: all. */
bool store_list_triage_log(struct store *store, int64_t decision, struct triage_log_list *ret, struct error *error);
void triage_log_list_free(struct triage_log_list *list);

struct ticket_row {
    int64_t id;
    char *reference, *build, *payload;
    int64_t written_at_ms;
    char *who;
};
/* The latest ticket about this stutter (NULL: any) with this reference (NULL: any) that was not taken back. *ret_found:
 * whether there is one. */
bool store_find_ticket(struct store *store, const char *fingerprint, const char *reference, struct ticket_row *ret, bool *ret_found,
                       struct error *error);
void ticket_row_free(struct ticket_row *row);

#endif
