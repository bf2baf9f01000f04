/*
 * The findings of a build, one by one. How they become lines is in findings_lines.c, what is to verify in verify.c.
 */
#include "findings_parts.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double ms(int64_t ns)
{
    return ns == VALUE_UNKNOWN ? NAN : (double)ns / NS_PER_MS;
}

struct triage_subject finding_subject(const struct finding *finding)
{
    return (struct triage_subject){finding->kind, finding->key, LABEL_GAMEPLAY, finding->event};
}

/* Names, weight and decision; the rest is filled in before. */
static void add_finding(struct findings_work *work, struct finding finding)
{
    const struct device_row *device = model_device(work->model, finding.key.device);
    struct triage_subject subject = finding_subject(&finding);

    triage_fingerprint(work->model, &subject, finding.fingerprint);
    text_print(finding.id, sizeof finding.id, "%.10s@%s", finding.fingerprint, model_build_name(work->model, finding.key.build));
    finding.weight = device ? device->weight : 1;
    triage_fill(work->model, &subject, true, finding.verdict == VERDICT_BACK, &finding.triage);
    array_push(&work->findings->items, finding);
}

static void add_hitches(struct findings_work *work)
{
    for (size_t i = 0; i < work->entries->count; i++) {
        const struct stutter_entry *entry = &work->entries->items[i];
        struct finding finding = {
            .kind = FINDING_HITCH,
            .key = entry->stutter.key,
            .event = entry->stutter.event,
            .verdict = entry->verdict,
            .figure = compared_figure_name(COMPARED_PEAK),
            .before = ms(entry->baseline_peak_ns),
            .after = ms(entry->stutter.peak_ns),
            .last_good_build = entry->last_clean_build,
            .first_bad_build = entry->last_clean_build ? entry->first_seen_build : 0,
            .entry = entry,
        };

        if (!stutter_is_open(entry))
            continue;
        text_print(finding.reason, sizeof finding.reason, "%s", entry->reason);
        add_finding(work, finding);
    }
}

static bool same_group(const struct group_key *a, const struct group_key *b)
{
    return a->device == b->device && a->scene == b->scene && a->quality == b->quality;
}

static bool has_finding(const struct findings_work *work, const struct group_key *key)
{
    for (size_t i = 0; i < work->findings->items.count; i++)
        if (same_group(&work->findings->items.items[i].key, key))
            return true;
    return false;
}

static const enum compared_figure limited_figures[POLICY_LIMITS] = {COMPARED_P95, COMPARED_P99, COMPARED_MAX, COMPARED_HITCH_RATIO};

static const struct tier_limits *limits_of(struct findings_work *work, const char *tier)
{
    struct tier_limits limits = {.tier = tier};

    for (size_t i = 0; i < work->policies.count; i++)
        if (strcmp(work->policies.items[i].tier, tier) == 0)
            return &work->policies.items[i];
    for (size_t i = 0; i < POLICY_LIMITS; i++)
        limits.values[i] = model_policy_limit(work->model, tier, limited_figures[i]);
    array_push(&work->policies, limits);
    return &work->policies.items[work->policies.count - 1];
}

/* Pooled figures against the tier's limits; the reason when one is broken. */
static bool breaks_policy(struct findings_work *work, const struct group_figures *group, struct finding *finding)
{
    const struct distribution *distribution = &group->distribution;
    const struct device_row *device = model_device(work->model, group->key.device);
    const double values[POLICY_LIMITS] = {ms(distribution->p95_ns), ms(distribution->p99_ns), ms(distribution->max_ns),
                                          distribution_hitch_ratio(distribution)};

    if (!device || !device->tier || !distribution->frames)
        return false;

    const struct tier_limits *limits = limits_of(work, device->tier);

    for (size_t i = 0; i < POLICY_LIMITS; i++) {
        if (!(values[i] > limits->values[i]))
            continue;
        finding->figure = compared_figure_name(limited_figures[i]);
        finding->before = limits->values[i];
        finding->after = values[i];
        text_print(finding->reason, sizeof finding->reason, "%s %.1f is over the limit %.1f of tier %s", finding->figure, finding->after,
                 finding->before, device->tier);
        return true;
    }
    return false;
}

/* Slow here, not slow in the baseline, and the baseline can be compared with. */
static bool is_newly_slow(struct findings_work *work, const struct group_figures *group, struct finding *finding, bool *ret, struct error *error)
{
    struct baseline baseline;
    struct group_key there = group->key;

    *ret = false;
    if (!(group->flags & FIGURE_SLOW))
        return true;
    if (!model_baseline(work->model, &group->key, work->baseline, &baseline, error))
        return false;
    there.build = baseline.build;

    const struct build_results *results = baseline.runs.count ? model_group_results(work->model, &there, error) : NULL;
    const struct group_figures *before = results ? results_group(results, &there) : NULL;

    if (before && !(before->flags & (FIGURE_SLOW | FIGURE_FEW))) {
        *ret = true;
        finding->figure = "median_ms";
        finding->before = before->distribution.median_ns / NS_PER_MS;
        finding->after = group->distribution.median_ns / NS_PER_MS;
        finding->last_good_build = baseline.build;
        text_print(finding->reason, sizeof finding->reason, "more than half of the frames over 1.5 x budget, not so in %s: median %.1f, was %.1f ms",
                 model_build_name(work->model, baseline.build), finding->after, finding->before);
    }
    baseline_free(&baseline);
    return true;
}

static bool add_slow(struct findings_work *work, struct error *error)
{
    for (size_t g = 0; g < work->results->groups.count; g++) {
        const struct group_figures *group = &work->results->groups.items[g];
        struct finding finding = {.kind = FINDING_SLOW, .key = group->key, .verdict = VERDICT_WORSE};
        bool slow;

        if (group->flags & (FIGURE_FEW | FIGURE_SAMPLED | FIGURE_SPIKE_ONLY))
            continue;
        if (!is_newly_slow(work, group, &finding, &slow, error))
            return false;
        if (slow || (breaks_policy(work, group, &finding) && !has_finding(work, &group->key)))
            add_finding(work, finding);
    }
    return true;
}

/* As people call it; the name with its unit is for JSON. */
static const char *figure_title(enum compared_figure figure)
{
    static const char *const titles[COMPARED_COUNT] = {
        [COMPARED_P95] = "P95 per run", [COMPARED_P99] = "P99 per run", [COMPARED_MAX] = "max per run", [COMPARED_HITCH_RATIO] = "hitch ratio"};

    return titles[figure] ? titles[figure] : compared_figure_name(figure);
}

/* The figure that grew most says how much worse; the greatest frame alone is no drift. */
static void add_drifts(struct findings_work *work)
{
    for (size_t i = 0; i < work->comparisons->count;) {
        const struct group_key *key = &work->comparisons->items[i].key;
        const struct group_comparison *worst = NULL;

        for (; i < work->comparisons->count && same_group(&work->comparisons->items[i].key, key); i++) {
            const struct group_comparison *here = &work->comparisons->items[i];

            if (here->comparison.verdict == VERDICT_WORSE && here->figure != COMPARED_MAX &&
                (!worst || here->comparison.delta_percent > worst->comparison.delta_percent))
                worst = here;
        }
        if (!worst || has_finding(work, key))
            continue;

        struct finding finding = {
            .kind = FINDING_DRIFT,
            .key = worst->key,
            .verdict = VERDICT_WORSE,
            .figure = compared_figure_name(worst->figure),
            .before = worst->comparison.before,
            .after = worst->comparison.after,
            .last_good_build = worst->baseline_build,
        };

        text_print(finding.reason, sizeof finding.reason, "%s %s", figure_title(worst->figure), worst->comparison.reason);
        add_finding(work, finding);
    }
}

static void add_device(struct findings_work *work, const struct coverage_device *device)
{
    const struct coverage_cell *cell = &device->cell;
    bool silent = cell->state == COVERAGE_MISSING;
    struct finding finding = {
        .kind = silent ? FINDING_SILENT : FINDING_PARTIAL,
        .key = {work->findings->build, device->device->id, 0, 0},
        .verdict = silent ? VERDICT_MISSING : VERDICT_NONE,
        .figure = "runs",
        .before = cell->expected ? (double)cell->expected : NAN,
        .after = (double)cell->runs,
        .last_good_build = silent ? cell->last : 0,
        .first_bad_build = silent ? cell->since : 0,
    };

    if (silent)
        text_print(finding.reason, sizeof finding.reason, "no upload from %s on%s%s", model_build_name(work->model, cell->since),
                 cell->last ? ", last was " : ", none ever", cell->last ? model_build_name(work->model, cell->last) : "");
    else
        text_print(finding.reason, sizeof finding.reason, "%lld of %lld run%s", (long long)cell->runs, (long long)cell->expected, text_plural(cell->expected));
    work->findings->silent += silent;
    work->findings->partial += !silent;
    add_finding(work, finding);
}

static bool add_devices(struct findings_work *work, struct error *error)
{
    static const enum coverage_state states[] = {COVERAGE_MISSING, COVERAGE_FEWER};
    struct coverage *coverage;

    if (!model_coverage(work->model, work->findings->build, &coverage, error))
        return false;
    for (size_t s = 0; s < sizeof states / sizeof *states; s++)
        for (size_t i = 0; i < coverage->device_count; i++)
            if (coverage->devices[i].cell.state == states[s])
                add_device(work, &coverage->devices[i]);
    coverage_destroy(coverage);
    return true;
}

static bool gather(struct findings_work *work, const struct progress *progress, struct error *error)
{
    int64_t build = work->findings->build;

    work->entries = model_stutters(work->model, build, work->baseline, work->as_it_is, progress, error);
    work->comparisons = work->entries ? model_compare_groups(work->model, build, work->baseline, work->as_it_is, progress, error) : NULL;
    work->results = work->comparisons ? model_results(work->model, build, true, NULL, error) : NULL;
    if (!work->results)
        return false;
    add_hitches(work);
    if (!add_slow(work, error))
        return false;
    add_drifts(work);
    findings_add_verify(work);
    return add_devices(work, error);
}

bool model_findings(struct model *model, int64_t build, int64_t baseline, bool as_it_is, const struct progress *progress,
                    struct findings **ret, struct error *error)
{
    struct findings *findings = memory_take_zeroed(1, sizeof *findings);
    struct findings_work work = {.model = model, .findings = findings, .baseline = baseline, .as_it_is = as_it_is};

    findings->build = build ? build : model_newest_build(model);
    if (findings->build) {
        findings->baseline = model_usual_baseline(model, findings->build, baseline);

        bool good = gather(&work, progress, error);

        array_free(&work.policies);
        if (!good) {
            findings_destroy(findings);
            return false;
        }
        findings_make_lines(findings);
    }
    *ret = findings;
    return true;
}

void findings_destroy(struct findings *findings)
{
    if (!findings)
        return;
    array_free(&findings->items);
    array_free(&findings->lines);
    array_free(&findings->verify);
    array_free(&findings->verify_lines);
    free(findings);
}

static bool find_among(const struct findings *findings, const char *id, size_t length, struct triage_subject *ret, enum verdict *ret_verdict)
{
    for (size_t i = 0; i < findings->items.count; i++)
        if (strncmp(findings->items.items[i].fingerprint, id, length) == 0) {
            *ret = finding_subject(&findings->items.items[i]);
            *ret_verdict = findings->items.items[i].verdict;
            return true;
        }
    for (size_t i = 0; i < findings->verify.count; i++)
        if (strncmp(findings->verify.items[i].fingerprint, id, length) == 0) {
            *ret = findings->verify.items[i].subject;
            *ret_verdict = findings->verify.items[i].verdict;
            return true;
        }
    return false;
}

bool model_find_subject(struct model *model, const char *id, struct triage_subject *ret, enum verdict *ret_verdict, struct error *error)
{
    enum { SHORTEST = 4 };
    const char *at = strchr(id, '@');
    size_t length = at ? (size_t)(at - id) : strlen(id);
    int64_t build = 0;
    struct findings *findings;
    bool found;

    if (at && !model_find_build(model, at + 1, &build, error))
        return false;
    if (!at && !model_newest_build(model))
        return error_set(error, ERROR_USAGE, "this store has no runs yet; \"stutterscope import FILE\" brings some");
    if (!model_findings(model, build, 0, false, NULL, &findings, error))
        return false;
    found = length >= SHORTEST && find_among(findings, id, length, ret, ret_verdict);
    findings_destroy(findings);
    if (found)
        return true;

    const struct stutter_entry *entry = model_find_stutter(model, id, error);

    if (!entry && error && error->code == ERROR_USAGE) {
        char *clean = text_clean(id, strlen(id));

        error_set(error, ERROR_USAGE, "no finding or stutter \"%s\" in build %s; \"stutterscope findings\" and \"stutterscope stutters\" list the ids",
                  clean, model_build_name(model, build ? build : model_newest_build(model)));
        free(clean);
    }
    if (!entry)
        return false;
    *ret = entry_subject(entry);
    *ret_verdict = entry->verdict;
    return true;
}
