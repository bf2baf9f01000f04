/*
 * What waits for a decision in a build, of all five kinds, as lines of the queue; and what was filed or done and has to
 * be looked at again. One number comes from here, whoever asks: "to decide".
 */
#ifndef STUTTERSCOPE_MODEL_FINDINGS_H
#define STUTTERSCOPE_MODEL_FINDINGS_H

#include "stutterscope/model/comparison.h"
#include "stutterscope/model/coverage.h"

struct finding {
    enum finding_kind kind;
    struct group_key key;   /* scene and quality 0: silent, partial */
    int64_t event;          /* hitch; 0 none */
    enum verdict verdict;
    char fingerprint[17], id[192]; /* the id is the first ten digits "@" build */
    char reason[240];
    const char *figure;     /* what before and after are: "peak_frame_ms", "p99_ms", "runs" … */
    double before, after;   /* NaN: unknown */
    double weight;          /* of the device */
    int64_t last_good_build, first_bad_build; /* 0: unknown */
    const struct stutter_entry *entry; /* hitch; else NULL */
    struct triage_facts triage;
};

/* Event × scene (hitch), scene (drift, slow) or device (silent, partial). */
struct finding_line {
    enum finding_kind kind;
    int64_t event, scene, device; /* device: of the worst member */
    enum verdict verdict;         /* of the worst member */
    size_t first, count;          /* members: findings.items[first …], the worst first */
    size_t devices;               /* different ones */
    bool decide;                  /* a member is undecided */
    enum triage_state state;      /* undecided when `decide`, else that of the worst member */
};

/* Filed or done, and it matters now: gone, said to be done, or done and still there. */
struct verify_item {
    struct triage_subject subject; /* key.build: the build looked at */
    char fingerprint[17], id[192];
    struct triage_facts triage;
    enum verdict verdict;          /* gone, not exercised; same: still there */
    int64_t seen, runs, hits;      /* in this build: occurrences of the event, runs that could show it, runs hit */
    int64_t peak_ns;               /* in this build; VALUE_UNKNOWN when gone */
    int64_t then_build;            /* the build with the figures that were decided on; 0 */
    int64_t then_peak_ns, then_seen, then_windows; /* VALUE_UNKNOWN, 0, 0 */
    double luck;                   /* chance to see nothing though nothing was fixed; NaN: hit rate not known */
    int64_t needed;                /* more occurrences until luck is at most 5 %; 0: enough */
};
struct verify_line {
    int64_t event, scene;
    size_t first, count; /* members: findings.verify[first …] */
};

struct findings {
    int64_t build, baseline;
    struct { struct finding *items; size_t count, capacity; } items;
    struct { struct finding_line *items; size_t count, capacity; } lines; /* to decide first; hitch, drift, slow, silent, partial */
    struct { struct verify_item *items; size_t count, capacity; } verify;
    struct { struct verify_line *items; size_t count, capacity; } verify_lines;
    size_t to_decide, to_verify;      /* lines */
    size_t silent, partial;           /* devices, decided or not */
};
/* baseline 0: the rule. as_it_is: do not analyse first (screens). */
bool model_findings(struct model *model, int64_t build, int64_t baseline, bool as_it_is, const struct progress *progress,
                    struct findings **ret, struct error *error);
void findings_destroy(struct findings *findings);
struct triage_subject finding_subject(const struct finding *finding);

/*
 * By id: a finding of any kind, or a stutter that is none (the same, gone …). *ret: the subject; its key.build is the build of the
 * id. *ret_verdict: what was measured.
 */
bool model_find_subject(struct model *model, const char *id, struct triage_subject *ret, enum verdict *ret_verdict, struct error *error);

/* Limits of tiers: settings policy.TIER.FIGURE, figures as of compare. NaN: none. */
double model_policy_limit(struct model *model, const char *tier, enum compared_figure figure);
/* "low:p95_ms=50"; nothing behind "=" takes the limit away. */
bool model_set_policy(struct model *model, const char *text, struct error *error);

#endif
