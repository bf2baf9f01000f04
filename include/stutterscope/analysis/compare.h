/*
 * Comparison with the baseline: verdicts, each with its reason and its figures. Pure functions on per-run
 * figures.
 */
#ifndef STUTTERSCOPE_ANALYSIS_COMPARE_H
#define STUTTERSCOPE_ANALYSIS_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum verdict {
    VERDICT_NONE,
    VERDICT_NEW,
    VERDICT_BACK,
    VERDICT_WORSE,
    VERDICT_BETTER,
    VERDICT_SAME,
    VERDICT_SPORADIC,
    VERDICT_GONE,
    VERDICT_NOT_EXERCISED,
    VERDICT_MISSING,
    VERDICT_COUNT
};
const char *verdict_name(enum verdict verdict); /* "not exercised" with a blank */

/* What is compared between builds, with its smallest step that matters. Units as the step's. */
enum compared_figure {
    COMPARED_P95,         /* ms, step 2 */
    COMPARED_P99,         /* ms, step 2 */
    COMPARED_MAX,         /* ms, step 2 */
    COMPARED_HITCH_RATIO, /* ms per s, step 2 */
    COMPARED_PEAK,        /* ms, step 2: of a stutter */
    COMPARED_RATE,        /* windows per minute, step 0.5: of a stutter */
    COMPARED_COUNT
};
/* The JSON names: p95_ms, p99_ms, max_ms, hitch_ratio_ms_per_s, peak_frame_ms, rate_per_min. */
const char *compared_figure_name(enum compared_figure figure);

/* It grew or fell by 10 % and by its step: what may be called worse or better, and what a slow rise has to reach. */
bool compared_figure_matters(enum compared_figure figure, double before, double after);

/* Per-run figures of one side; values need no order. */
struct per_run {
    const double *values;
    size_t count;
};

struct figure_comparison {
    enum verdict verdict;        /* worse, better, same, none */
    double before, after;        /* medians over the runs; NaN when there is none */
    double delta, delta_percent; /* NaN when there is none */
    double noise;                /* 3 x 1.4826 x MAD of the history; NaN: history short */
    bool history_short;          /* fewer than 5 history runs: the noise test was skipped */
    char reason[160];            /* one sentence with the figures */
};
/* history: per-run figures of the last 5 builds with data before this one (the baseline may be among them). */
void compare_figure(enum compared_figure figure, struct per_run before, struct per_run after,
                    struct per_run history, struct figure_comparison *ret);

struct rank_test;
struct apart;

/* What chance would do: how the runs stand against the earlier ones. The test's history ends with the baseline. */
struct chance_test {
    const struct rank_test *rank; /* NULL: not asked, nothing changes */
    const struct apart *apart;
    double limit; /* of p, with a long history */
    size_t looks; /* so many comparisons of this kind are made for this build */
};
/*
 * "Worse" has to stand up to chance, too: it becomes "same", with the reason, where runs were as high before. With a long
 * history ranks decide (rank.h), with a short one how many runs stand above every earlier one (apart.h); a plain step
 * counts in any case.
 */
void compare_weigh(const struct chance_test *test, struct figure_comparison *comparison);

/* What is known about one stutter on both sides. */
struct stutter_evidence {
    /* this build; while it has fewer than 3 runs the caller adds the runs of the builds just before */
    int64_t counted_runs, counted_hits;
    int64_t runs, hits, seen; /* of this build alone */
    int64_t older_hits;       /* hits of the group in the 5 builds with data before those counted */
    int64_t older_runs;       /* their runs: without any nobody can say that it is new */
    bool gone_before;         /* it was gone (or decided done) before that: a return is "back" */
    const char *gone_in;      /* people decided on it before, and it was gone in this build just before: "back"; NULL */
    bool has_baseline;        /* there are comparable baseline runs */
    const char *why_none;     /* the reason when has_baseline is false */
    int64_t baseline_runs, baseline_hits;
    bool baseline_met_new; /* the baseline's hits satisfied the run condition of "new" */
    struct per_run peak_before, peak_after, peak_history;
    struct per_run rate_before, rate_after, rate_history;
    struct chance_test peak_chance, rate_chance;
    bool ever_hit;                /* any run up to the baseline, as far as was looked */
    double hit_chance;            /* of so many hits here, given the earlier ones (apart.h); NaN: not asked or not known */
    bool agreed;                  /* the same event is news at the same scene on another device: chance is not asked */
    int64_t builds_before;        /* builds with data that older_runs are of */
    bool decided_before;          /* somebody filed it or called it done: its return is news, whatever chance says */
};
struct stutter_verdict {
    enum verdict verdict;
    bool history_short;
    bool doubted;                  /* would be new or back, but the history is short and it may be chance */
    struct figure_comparison peak, rate; /* filled when both sides have figures */
    char reason[200];
};
void compare_stutter(const struct stutter_evidence *evidence, struct stutter_verdict *ret);

/* "hits at least 2 and at least half of the runs counted". */
bool verdict_meets_run_condition(int64_t hits, int64_t runs);

double median_of(const double *values, size_t count); /* NaN without values */
double mad_of(const double *values, size_t count);

#endif
