#include "stutterscope/analysis/compare.h"
#include "stutterscope/analysis/rank.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const verdict_names[VERDICT_COUNT] = {
    [VERDICT_NONE] = "none",         [VERDICT_NEW] = "new",       [VERDICT_BACK] = "back",
    [VERDICT_WORSE] = "worse",       [VERDICT_BETTER] = "better", [VERDICT_SAME] = "same",
    [VERDICT_SPORADIC] = "sporadic", [VERDICT_GONE] = "gone",     [VERDICT_NOT_EXERCISED] = "not exercised",
    [VERDICT_MISSING] = "missing",
};

const char *verdict_name(enum verdict verdict)
{
    return verdict_names[verdict];
}

bool verdict_meets_run_condition(int64_t hits, int64_t runs)
{
    return hits >= 2 && hits >= runs - hits; /* at least half, without doubling what may be large */
}

#define SAY(ret, ...) snprintf((ret)->reason, sizeof(ret)->reason, __VA_ARGS__)
#define OF            "%" PRId64 " of %" PRId64 " runs"

/* The stutter is on both sides: peak and rate decide, worse before better. */
static void compare_sizes(struct stutter_verdict *ret)
{
    static const enum verdict order[] = {VERDICT_WORSE, VERDICT_BETTER, VERDICT_SAME, VERDICT_NONE};
    size_t i = 0;
    while (ret->peak.verdict != order[i] && ret->rate.verdict != order[i])
        i++;
    bool by_peak = ret->peak.verdict == order[i];
    const struct figure_comparison *said = by_peak ? &ret->peak : &ret->rate;
    ret->verdict = order[i];
    ret->history_short = said->history_short;
    SAY(ret, "%s %s", by_peak ? "peak" : "rate", said->reason);
}

/* Seen long before, now and then: hits in some runs are no return, unless they are more than chance would give. */
static bool comes_by_chance(const struct stutter_evidence *e)
{
    return e->ever_hit && !e->decided_before && rank_test_tells(e->rate_rank) && !rank_test_rules_out_chance(e->rate_rank, RANK_P_STUTTER);
}

static void judge_present(const struct stutter_evidence *evidence, struct stutter_verdict *ret)
{
    const struct stutter_evidence *e = evidence;
    bool often = verdict_meets_run_condition(e->counted_hits, e->counted_runs) && e->older_hits == 0 && e->older_runs > 0;

    if (e->gone_in) {
        ret->verdict = VERDICT_BACK;
        SAY(ret, "hits " OF ", was gone in %s", e->hits, e->runs, e->gone_in);
    } else if (often && comes_by_chance(e)) {
        ret->verdict = VERDICT_SPORADIC;
        SAY(ret, "hits " OF "; it comes and goes, that often by chance (%.2g)", e->counted_hits, e->counted_runs, e->rate_rank->p);
    } else if (often) {
        ret->verdict = e->gone_before ? VERDICT_BACK : VERDICT_NEW;
        SAY(ret, "hits " OF ", none in the 5 builds before%s", e->counted_hits, e->counted_runs,
            e->gone_before ? ", was gone or done before that" : "");
    } else if (e->baseline_hits > 0) {
        compare_sizes(ret);
    } else {
        ret->verdict = VERDICT_SPORADIC;
        SAY(ret, "hits " OF " here, none of %" PRId64 " in the baseline; %" PRId64 " in the 5 builds before",
            e->hits, e->runs, e->baseline_runs, e->older_hits);
    }
}

static void judge_absent(const struct stutter_evidence *evidence, struct stutter_verdict *ret)
{
    const struct stutter_evidence *e = evidence;
    if (e->baseline_hits == 0) {
        ret->verdict = VERDICT_NONE;
        SAY(ret, "no window on either side");
    } else if (!e->baseline_met_new) {
        ret->verdict = VERDICT_SPORADIC;
        SAY(ret, "hits no run here, " OF " in the baseline", e->baseline_hits, e->baseline_runs);
    } else {
        ret->verdict = e->seen > 0 ? VERDICT_GONE : VERDICT_NOT_EXERCISED;
        SAY(ret, "hits none of %" PRId64 " runs here, event seen %" PRId64 " times; " OF " in the baseline",
            e->runs, e->seen, e->baseline_hits, e->baseline_runs);
    }
}

/* Many runs before, but few that met the event: one great peak of a rare event is no step. */
static void weigh_rare_peak(const struct stutter_evidence *e, struct stutter_verdict *ret)
{
    size_t length = strlen(ret->peak.reason);

    if (ret->peak.verdict != VERDICT_WORSE || !rank_test_tells(e->rate_rank) || rank_test_tells(e->peak_rank))
        return;
    ret->peak.verdict = VERDICT_SAME;
    snprintf(ret->peak.reason + length, sizeof ret->peak.reason - length, "; the event is too rare to tell");
}

void compare_stutter(const struct stutter_evidence *evidence, struct stutter_verdict *ret)
{
    *ret = (struct stutter_verdict){.verdict = VERDICT_NONE};
    compare_figure(COMPARED_PEAK, evidence->peak_before, evidence->peak_after, evidence->peak_history,
                   &ret->peak);
    compare_figure(COMPARED_RATE, evidence->rate_before, evidence->rate_after, evidence->rate_history,
                   &ret->rate);
    compare_weigh(evidence->peak_rank, RANK_P_STUTTER, &ret->peak);
    compare_weigh(evidence->rate_rank, RANK_P_STUTTER, &ret->rate);
    weigh_rare_peak(evidence, ret);
    if (!evidence->has_baseline)
        SAY(ret, "%s", evidence->why_none ? evidence->why_none : "no baseline");
    else if (evidence->hits > 0)
        judge_present(evidence, ret);
    else
        judge_absent(evidence, ret);
}
