/*
 * What people decided about a stutter, a group or a device: a state with owner, note and ticket, by fingerprint, so that
 * it goes on from build to build. A verdict is measured, a state never is.
 */
#ifndef STUTTERSCOPE_MODEL_TRIAGE_H
#define STUTTERSCOPE_MODEL_TRIAGE_H

#include "stutterscope/base/error.h"
#include "stutterscope/base/figures.h"
#include "stutterscope/store/triage.h"
#include <stdbool.h>

struct model;

enum triage_state {
    TRIAGE_UNDECIDED,
    TRIAGE_INVESTIGATING,
    TRIAGE_FILED,
    TRIAGE_KNOWN,
    TRIAGE_NOISE,
    TRIAGE_ENVIRONMENT,
    TRIAGE_WONT_FIX,
    TRIAGE_DONE,
    TRIAGE_STATE_COUNT
};
const char *triage_state_name(enum triage_state state); /* "wont-fix" */
bool triage_state_find(const char *name, enum triage_state *ret, struct error *error);
/* Known, noise, environment, won't fix: nobody has to look at it again. */
bool triage_state_is_accepted(enum triage_state state);

enum finding_kind {
    FINDING_HITCH,   /* a stutter: new, worse or back */
    FINDING_DRIFT,   /* a group worse without such a stutter */
    FINDING_SLOW,    /* a group newly slow, or over a limit of its device's tier */
    FINDING_SILENT,  /* a device without any run */
    FINDING_PARTIAL, /* a device with fewer runs than usual */
    FINDING_KIND_COUNT
};
const char *finding_kind_name(enum finding_kind kind);

/* What is decided on. Label and event: of hitches. Scene and quality: not of silent and partial. */
struct triage_subject {
    enum finding_kind kind;
    struct group_key key;
    enum frame_label label;
    int64_t event;
};
/* 16 hex digits: the hash of the names; the same in every build. */
void triage_fingerprint(const struct model *model, const struct triage_subject *subject, char ret[17]);

/* What holds for a subject in a build. Texts belong to the model until the next decision or reload; NULL: none. */
struct triage_facts {
    enum triage_state state;
    bool reopened;          /* decided before as `was`, but it came back after that: to decide again */
    enum triage_state was;  /* the state before it was reopened */
    bool joined;            /* the state is that of the same event on other devices */
    const char *owner, *note, *ticket;
    const char *build, *who;            /* where and by whom the state was decided */
    int64_t first_at_ms, decided_at_ms; /* VALUE_UNKNOWN */
};

/*
 * Decides for all subjects at once, at the build that is looked at: one line of the log, one `u`. change->build is
 * filled in; a state takes `verified` away unless change->verified says where it was found gone. *ret_decision is 0
 * when nothing was different. Decisions are read anew then as well (somebody else may have made the same one), so texts
 * of struct triage_facts are gone; only on failure they stay.
 */
bool model_decide(struct model *model, const struct triage_subject *subjects, size_t count, const struct triage_change *change,
                  int64_t build, int64_t *ret_decision, struct error *error);
/* Takes back the user's last decision, or decides it again. *ret_text: what that was, for people; a new string. */
bool model_take_back(struct model *model, bool again, char **ret_text, struct error *error);
/* What was decided about a subject, without joining or reopening. */
void model_triage_facts(const struct model *model, const struct triage_subject *subject, struct triage_facts *ret);
/*
 * Decides "filed" with the reference for these subjects and keeps what the ticket was written from: one decision, one
 * `u`. What only goes along with another decision is its change->payload.
 */
bool model_keep_ticket(struct model *model, const char *reference, int64_t build, const char *payload, const struct triage_subject *subjects,
                       size_t count, struct error *error);
/* The payload kept under this reference, the latest one; a new string, NULL when there is none (*error is filled). */
char *model_find_ticket(struct model *model, const char *reference, struct error *error);
bool model_rename(struct model *model, enum rename_kind kind, const char *old_name, const char *new_name, struct error *error);
/* What a decision in the log was: "filed MG-1211 · boss_spawn · Battle_03 · 3 devices"; a new string. */
char *model_decision_text(struct model *model, int64_t decision);
/* Device · scene · event of a fingerprint that was decided on; a new string. */
char *model_fingerprint_text(const struct model *model, const char *fingerprint);
/* $STUTTERSCOPE_USER, else the user's login name; cleaned, a new string. */
char *triage_user(void);

#endif
