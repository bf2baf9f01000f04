#include "stutterscope/analysis/compare.h"
#include "stutterscope/analysis/apart.h"
#include <inttypes.h>
#include <math.h>
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

/* Hits that chance would give less often than this are believed, however many stutters are looked at. */
#define HIT_CHANCE 0.01

#define SAY(ret, ...) snprintf((ret)->reason, sizeof(ret)->reason, __VA_ARGS__)
#define OF            "%" PRId64 " of %" PRId64 " runs"

/* The stutter is on both sides: peak and rate decide, worse before better. The peaks are those of the runs, in the middle. */
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
    SAY(ret, "%s %s", by_peak ? "peak per run" : "rate", said->reason);
}

/* "none in the 2 builds before" */
static const char *none_before(const struct stutter_evidence *e, char *text, size_t size)
{
    if (e->builds_before == 1)
        snprintf(text, size, "none in the build before");
    else
        snprintf(text, size, "none in the %" PRId64 " builds before", e->builds_before);
    return text;
}

/*
 * Seen long before, now and then: hits in some runs are no return, unless they are more than chance would give. With a
 * short history the occurrences decide: hits at 6 of 6 spawns after none at 6 are news, at 2 of 3 after none at 2 are not.
 */
static bool comes_by_chance(const struct stutter_evidence *e)
{
    const struct rank_test *rate = e->rate_chance.rank;

    if (!rate || e->decided_before || e->agreed)
        return false;
    if (rank_test_tells(rate))
        return e->ever_hit && !rank_test_rules_out_chance(rate, RANK_P_STUTTER);
    if (apart_decides_by_size(e->rate_chance.apart, e->rate_chance.looks) || isnan(e->hit_chance))
        return false;
    return e->hit_chance > HIT_CHANCE && e->hit_chance * (double)e->rate_chance.looks > 1;
}

static void judge_present(const struct stutter_evidence *evidence, struct stutter_verdict *ret)
{
    const struct stutter_evidence *e = evidence;
    bool often = verdict_meets_run_condition(e->counted_hits, e->counted_runs) && e->older_hits == 0 && e->older_runs > 0;
    char none[48];

    if (e->gone_in) {
        ret->verdict = VERDICT_BACK;
        SAY(ret, "hits " OF ", was gone in %s", e->hits, e->runs, e->gone_in);
    } else if (often && comes_by_chance(e)) {
        bool tells = rank_test_tells(e->rate_chance.rank);

        ret->verdict = VERDICT_SPORADIC;
        ret->history_short = ret->doubted = !tells;
        SAY(ret, "hits " OF "; %s (%.2g)", e->counted_hits, e->counted_runs,
            tells ? "it comes and goes, that often by chance" : "history short: so many hits where it was seen may be chance",
            tells ? e->rate_chance.rank->p : e->hit_chance);
    } else if (often) {
        ret->verdict = e->gone_before ? VERDICT_BACK : VERDICT_NEW;
        SAY(ret, "hits " OF ", %s%s%s", e->counted_hits, e->counted_runs, none_before(e, none, sizeof none),
            e->gone_before ? ", was gone or done before that" : "", e->agreed ? "; the same on another device" : "");
    } else if (e->baseline_hits > 0) {
        compare_sizes(ret);
    } else {
        ret->verdict = VERDICT_SPORADIC;
        SAY(ret, "hits " OF " here, none of %" PRId64 " in the baseline; %" PRId64 " in the %" PRId64 " builds before",
            e->hits, e->runs, e->baseline_runs, e->older_hits, e->builds_before);
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

/*
 * Many runs, but few that met the event: one great peak of a rare event is no step. Unless it was met as often as the runs
 * of a build allow.
 */
static void weigh_rare_peak(const struct stutter_evidence *e, struct stutter_verdict *ret)
{
    size_t length = strlen(ret->peak.reason);

    if (ret->peak.verdict != VERDICT_WORSE || !e->peak_chance.rank || !rank_test_tells(e->rate_chance.rank) ||
        rank_test_tells(e->peak_chance.rank) || apart_is_plain(e->peak_chance.apart))
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
    compare_weigh(&evidence->peak_chance, &ret->peak);
    compare_weigh(&evidence->rate_chance, &ret->rate);
    weigh_rare_peak(evidence, ret);
    if (!evidence->has_baseline)
        SAY(ret, "%s", evidence->why_none ? evidence->why_none : "no baseline");
    else if (evidence->hits > 0)
        judge_present(evidence, ret);
    else
        judge_absent(evidence, ret);
}
