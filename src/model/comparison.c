#include "stutterscope/model/comparison.h"

#include "internal.h"
#include "sides.h"
#include "stutterscope/analysis/windows.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

char verdict_mark(enum verdict verdict)
{
    static const char marks[VERDICT_COUNT] = {
        [VERDICT_NONE] = '?',  [VERDICT_NEW] = '*',   [VERDICT_BACK] = '!',          [VERDICT_WORSE] = '^',
        [VERDICT_BETTER] = 'v', [VERDICT_SAME] = '=', [VERDICT_SPORADIC] = '\'',     [VERDICT_GONE] = '-',
        [VERDICT_NOT_EXERCISED] = '~', [VERDICT_MISSING] = '-',
    };

    return verdict < VERDICT_COUNT ? marks[verdict] : '?';
}

static void name_stutter(const struct model *model, struct stutter_entry *entry)
{
    struct triage_subject subject = entry_subject(entry);

    triage_fingerprint(model, &subject, entry->fingerprint);
    text_print(entry->id, sizeof entry->id, "%.10s@%s", entry->fingerprint, model_build_name(model, entry->stutter.key.build));
}

struct compare_work {
    struct model *model;
    int64_t build, wanted;
    bool as_it_is;
    bool agreed;  /* judged again, because another device shows the same */
    size_t looks; /* gameplay stutters of the build: so many are compared */
    const struct progress *progress;
    struct stutter_entries *entries;
};

bool comparison_prepare(struct model *model, int64_t build, int64_t wanted, bool as_it_is, const struct progress *progress, struct error *error)
{
    if (!model_whole_results(model, build, as_it_is, progress, error))
        return false;
    if (wanted && !model_whole_results(model, wanted, as_it_is, progress, error))
        return false;
    for (size_t i = 0; i < model->groups.count; i++) {
        const struct group_key *key = &model->groups.items[i].key;
        int64_t earlier[HISTORY_BUILDS + 1], pinned = model_pin(model, key->device, key->scene);
        size_t count;

        if (key->build != build)
            continue;
        count = model_earlier_builds(model, key, earlier, HISTORY_BUILDS + 1);
        for (size_t j = 0; j < count; j++)
            if (!model_whole_results(model, earlier[j], as_it_is, progress, error))
                return false;
        if (pinned && model_build_position(model, pinned) >= 0 && !model_whole_results(model, pinned, as_it_is, progress, error))
            return false;
    }
    int64_t pinned = model_pin(model, 0, 0);

    return !pinned || model_build_position(model, pinned) < 0 || model_whole_results(model, pinned, as_it_is, progress, error);
}

/* Earlier builds with data, with this stutter's sides: first seen, last clean, "gone before". */
struct stutter_past {
    struct event_side sides[HISTORY_LOOK_BACK];
    int64_t builds[HISTORY_LOOK_BACK];
    size_t count;
};

static bool read_past(struct compare_work *work, const struct group_key *key, int64_t event, size_t limit,
                      struct stutter_past *past, struct error *error)
{
    size_t known = past->count;

    past->count = model_earlier_builds(work->model, key, past->builds, limit);
    for (size_t i = known; i < past->count; i++) {
        struct group_key there = *key;

        there.build = past->builds[i];
        event_side_start(&past->sides[i]);
        if (!model_results(work->model, there.build, work->as_it_is, work->progress, error) ||
            !event_side_add(work->model, &there, event, NULL, &past->sides[i], error))
            return false;
    }
    return true;
}

static void past_free(struct stutter_past *past)
{
    for (size_t i = 0; i < past->count; i++)
        event_side_free(&past->sides[i]);
}

static void note_first_seen(struct stutter_entry *entry, const struct stutter_past *past)
{
    int64_t first = entry->stutter.key.build;

    for (size_t i = 0; i < past->count; i++) {
        if (past->sides[i].hits) {
            first = past->builds[i];
            continue;
        }
        if (past->sides[i].seen) { /* a build that never met the event says nothing */
            entry->last_clean_build = past->builds[i];
            entry->first_seen_build = first;
            return;
        }
    }
    if (past->count < HISTORY_BUILDS) /* looked at all there is */
        entry->first_seen_build = first;
}

static void add_numbers(struct numbers *to, const struct numbers *from)
{
    for (size_t i = 0; i < from->count; i++)
        array_push(to, from->items[i]);
}

/*
 * This build's runs; while they are fewer than 3, runs of the builds just before are counted too, until there are 3. What
 * is left of a build that was partly counted belongs to those before. Returns how many builds were counted.
 */
static size_t count_runs(struct stutter_evidence *evidence, const struct event_side *here, const struct stutter_past *past)
{
    enum { RUNS_WANTED = 3 };
    size_t used = 0;

    evidence->runs = evidence->counted_runs = here->runs;
    evidence->hits = evidence->counted_hits = here->hits;
    evidence->seen = here->seen;
    while (evidence->counted_runs < RUNS_WANTED && used < past->count) {
        const struct event_side *side = &past->sides[used++];
        int64_t wanted = RUNS_WANTED - evidence->counted_runs, runs = side->runs < wanted ? side->runs : wanted;
        int64_t hits = side->runs ? side->hits * runs / side->runs : 0;

        evidence->counted_runs += runs;
        evidence->counted_hits += hits;
        evidence->older_runs += side->runs - runs;
        evidence->older_hits += side->hits - hits;
        evidence->builds_before += side->runs > runs;
    }
    for (size_t i = used; i < past->count && i < used + HISTORY_BUILDS; i++) {
        evidence->older_hits += past->sides[i].hits;
        evidence->older_runs += past->sides[i].runs;
        evidence->builds_before += past->sides[i].runs > 0;
    }
    return used;
}

static bool is_alarm(enum verdict verdict)
{
    return verdict == VERDICT_NEW || verdict == VERDICT_BACK || verdict == VERDICT_WORSE;
}

/* What would be news is held against the long history before it is called so. */
static bool weigh_stutter(struct compare_work *work, const struct group_key *key, int64_t event, int64_t last, struct stutter_evidence *evidence,
                          struct stutter_verdict *ret, struct error *error)
{
    struct standing peak, rate;

    if (!side_standing(work->model, key, event, COMPARED_PEAK, last, work->as_it_is, &peak, error) ||
        !side_standing(work->model, key, event, COMPARED_RATE, last, work->as_it_is, &rate, error))
        return false;
    peak.apart.few = rate.apart.few; /* a rare event in many runs is rare, the runs are not few */
    evidence->peak_chance = (struct chance_test){&peak.rank, &peak.apart, RANK_P_STUTTER, work->looks};
    evidence->rate_chance = (struct chance_test){&rate.rank, &rate.apart, RANK_P_STUTTER, work->looks};
    evidence->ever_hit = rate.ever_hit;
    evidence->hit_chance = standing_hit_chance(&rate);
    compare_stutter(evidence, ret);
    return true;
}

static bool judge_stutter(struct compare_work *work, struct stutter_entry *entry, struct error *error)
{
    struct group_key key = entry->stutter.key, there = key;
    int64_t event = entry->stutter.event;
    struct event_side here, before;
    struct numbers peak_history = {0}, rate_history = {0};
    struct stutter_past past = {0};
    struct stutter_evidence evidence = {0};
    struct stutter_verdict verdict = {0};
    struct baseline baseline = {0};
    bool good;

    event_side_start(&here);
    event_side_start(&before);
    good = model_baseline(work->model, &key, work->wanted, &baseline, error) &&
           event_side_add(work->model, &key, event, NULL, &here, error) &&
           read_past(work, &key, event, HISTORY_BUILDS, &past, error);
    there.build = baseline.build;
    if (good && baseline.runs.count)
        good = event_side_add(work->model, &there, event, &baseline, &before, error);
    if (good) {
        size_t used = count_runs(&evidence, &here, &past);

        note_first_seen(entry, &past);
        if (!evidence.older_hits && evidence.older_runs && verdict_meets_run_condition(evidence.counted_hits, evidence.counted_runs)) {
            good = read_past(work, &key, event, HISTORY_LOOK_BACK, &past, error);
            for (size_t i = used + HISTORY_BUILDS; good && i < past.count; i++)
                evidence.gone_before |= past.sides[i].hits > 0;
        }
    }
    if (good) {
        evidence.gone_in = past.count ? entry_gone_in(work->model, entry, &here, &past.sides[0], past.builds[0]) : NULL;
        for (size_t i = 0; i < past.count && i < HISTORY_BUILDS; i++) {
            add_numbers(&peak_history, &past.sides[i].peaks);
            add_numbers(&rate_history, &past.sides[i].rates);
        }
        if (!entry->present) { /* how often it could have come back is what makes "gone" believable */
            entry->stutter.seen = here.seen;
            entry->stutter.runs = here.runs;
        }
        evidence.has_baseline = before.runs > 0 && here.runs > 0;
        evidence.why_none = baseline.reason[0] ? baseline.reason : "few frames or sampled: not comparable";
        evidence.baseline_runs = before.runs;
        evidence.baseline_hits = before.hits;
        evidence.baseline_met_new = verdict_meets_run_condition(before.hits, before.runs);
        evidence.peak_before = (struct per_run){before.peaks.items, before.peaks.count};
        evidence.peak_after = (struct per_run){here.peaks.items, here.peaks.count};
        evidence.peak_history = (struct per_run){peak_history.items, peak_history.count};
        evidence.rate_before = (struct per_run){before.rates.items, before.rates.count};
        evidence.rate_after = (struct per_run){here.rates.items, here.rates.count};
        evidence.rate_history = (struct per_run){rate_history.items, rate_history.count};
        evidence.agreed = work->agreed;
        compare_stutter(&evidence, &verdict);
        good = is_alarm(verdict.verdict) ? weigh_stutter(work, &key, event, baseline.build, &evidence, &verdict, error) : good;
        entry->verdict = verdict.verdict;
        entry->history_short = verdict.history_short;
        entry->doubted = verdict.doubted;
        text_print(entry->reason, sizeof entry->reason, "%s", verdict.reason);
        entry->baseline_build = baseline.build;
        entry->baseline_pinned = baseline.pinned;
        entry->baseline_peak_ns = before.peak_ns;
        if (entry->present && before.peak_ns != VALUE_UNKNOWN)
            entry->delta_peak_ns = entry->stutter.peak_ns - before.peak_ns;
    }
    array_free(&peak_history);
    array_free(&rate_history);
    past_free(&past);
    event_side_free(&here);
    event_side_free(&before);
    baseline_free(&baseline);
    return good;
}

void entry_start(const struct model *model, struct stutter_entry *entry, const struct stutter *stutter, bool present)
{
    const struct device_row *device = model_device(model, stutter->key.device);

    memset(entry, 0, sizeof *entry);
    entry->stutter = *stutter;
    entry->present = present;
    entry->weight = device ? device->weight : 1;
    entry->baseline_peak_ns = entry->delta_peak_ns = VALUE_UNKNOWN;
    if (present) {
        entry->severity = stutter_severity(stutter, entry->weight);
        entry->occurrence = stutter->runs ? (double)stutter->runs_hit / (double)stutter->runs : 0;
    }
    name_stutter(model, entry);
}

/* One of the baseline that is not in the build any more. */
static void start_absent(const struct compare_work *work, struct stutter_entry *entry, const struct stutter *before)
{
    struct stutter stutter = *before;

    stutter.key.build = work->build;
    stutter.runs_hit = stutter.windows = stutter.seen = 0;
    stutter.peak_ns = VALUE_UNKNOWN;
    entry_start(work->model, entry, &stutter, false);
}

static bool add_present(struct compare_work *work, struct error *error)
{
    const struct build_results *results = model_results(work->model, work->build, true, NULL, error);

    for (size_t i = 0; results && i < results->stutters.count; i++)
        work->looks += results->stutters.items[i].label == LABEL_GAMEPLAY;
    for (size_t i = 0; results && i < results->stutters.count; i++) {
        const struct stutter *stutter = &results->stutters.items[i];
        struct stutter_entry entry;

        entry_start(work->model, &entry, stutter, true);
        if (stutter->label != LABEL_GAMEPLAY)
            text_print(entry.reason, sizeof entry.reason, "%s: shown and counted, no gameplay verdict",
                     frame_label_name(stutter->label));
        else if (!judge_stutter(work, &entry, error))
            return false;
        array_push(work->entries, entry);
    }
    return results != NULL;
}

/* What one device alone could show by chance is no chance when another device shows it, too. */
static bool is_news_elsewhere(const struct stutter_entries *entries, const struct stutter_entry *entry)
{
    for (size_t i = 0; i < entries->count; i++) {
        const struct stutter_entry *other = &entries->items[i];

        if (other->stutter.event == entry->stutter.event && other->stutter.key.scene == entry->stutter.key.scene &&
            other->stutter.key.device != entry->stutter.key.device && (other->verdict == VERDICT_NEW || other->verdict == VERDICT_BACK))
            return true;
    }
    return false;
}

static bool settle_doubts(struct compare_work *work, struct error *error)
{
    bool good = true;

    work->agreed = true;
    for (size_t i = 0; i < work->entries->count && good; i++)
        if (work->entries->items[i].doubted && work->entries->items[i].stutter.event && is_news_elsewhere(work->entries, &work->entries->items[i]))
            good = judge_stutter(work, &work->entries->items[i], error);
    work->agreed = false;
    return good;
}

static bool has_stutter(const struct build_results *results, const struct group_key *key, int64_t event)
{
    size_t count;
    const struct stutter *stutters = results_stutters(results, key, &count);

    for (size_t i = 0; i < count; i++)
        if (stutters[i].label == LABEL_GAMEPLAY && stutters[i].event == event)
            return true;
    return false;
}

/* Stutters of the baseline that are not here any more, group by group. */
static bool add_absent(struct compare_work *work, struct error *error)
{
    const struct build_results *here = model_results(work->model, work->build, true, NULL, error);

    for (size_t g = 0; here && g < here->groups.count; g++) {
        struct group_key key = here->groups.items[g].key, there = key;
        struct baseline baseline;
        size_t count = 0;

        if (!model_baseline(work->model, &key, work->wanted, &baseline, error))
            return false;
        there.build = baseline.build;

        const struct build_results *before = baseline.runs.count ? model_results(work->model, there.build, true, NULL, error) : NULL;
        const struct stutter *stutters = before ? results_stutters(before, &there, &count) : NULL;

        baseline_free(&baseline);
        for (size_t i = 0; i < count; i++) {
            struct stutter_entry entry;

            if (stutters[i].label != LABEL_GAMEPLAY || has_stutter(here, &key, stutters[i].event))
                continue;
            start_absent(work, &entry, &stutters[i]);
            entry.stutter.runs = here->groups.items[g].runs_windows;
            if (!judge_stutter(work, &entry, error))
                return false;
            if (entry.verdict != VERDICT_NONE)
                array_push(work->entries, entry);
        }
    }
    return here != NULL;
}

static bool is_before(const struct group_key *a, const struct group_key *b)
{
    return a->device != b->device ? a->device < b->device : a->scene < b->scene;
}

static bool is_same_place(const struct group_key *a, const struct group_key *b)
{
    return a->device == b->device && a->scene == b->scene;
}

/*
 * Devices that met the event at the same scene in this build and have no such stutter. A group that is slow throughout,
 * has few frames or can show no windows says nothing: it is not clean.
 */
static void note_clean_devices(struct compare_work *work, struct stutter_entry *entry)
{
    const struct build_results *results = model_results(work->model, work->build, true, NULL, NULL);
    size_t first = 0; /* stutter of the group's device and scene; both lists are sorted by these */

    for (size_t g = 0; results && entry->stutter.event && g < results->groups.count; g++) {
        const struct group_key *key = &results->groups.items[g].key;
        struct event_side side;
        bool dirty = false;

        if (key->scene != entry->stutter.key.scene || key->device == entry->stutter.key.device ||
            results->groups.items[g].flags & (FIGURE_SLOW | FIGURE_FEW | FIGURE_NO_WINDOWS))
            continue;
        /* Groups come device by device. */
        dirty = entry->clean_devices.count && entry->clean_devices.items[entry->clean_devices.count - 1] == key->device;
        while (first < results->stutters.count && is_before(&results->stutters.items[first].key, key))
            first++;
        for (size_t i = first; i < results->stutters.count && !dirty && is_same_place(&results->stutters.items[i].key, key); i++)
            dirty = results->stutters.items[i].event == entry->stutter.event && results->stutters.items[i].label == LABEL_GAMEPLAY;
        if (dirty)
            continue;
        event_side_start(&side);
        if (event_side_add(work->model, key, entry->stutter.event, NULL, &side, NULL) && side.seen > 0)
            array_push(&entry->clean_devices, key->device);
        event_side_free(&side);
    }
}

/* Gameplay before transitions, present before absent, then by severity; ties by id, so that order is the same everywhere. */
static int compare_entries(const void *a, const void *b)
{
    const struct stutter_entry *x = a, *y = b;
    bool x_play = x->stutter.label == LABEL_GAMEPLAY, y_play = y->stutter.label == LABEL_GAMEPLAY;

    if (x->present != y->present)
        return y->present - x->present;
    if (x_play != y_play)
        return y_play - x_play;
    if (x->severity != y->severity)
        return x->severity < y->severity ? 1 : -1;
    return strcmp(x->id, y->id);
}

const struct stutter_entries *model_stutters(struct model *model, int64_t build, int64_t baseline, bool as_it_is,
                                             const struct progress *progress, struct error *error)
{
    struct cached_entries *cached = entries_find(model, build, baseline, as_it_is);
    struct compare_work work = {.model = model, .build = build, .wanted = baseline, .as_it_is = as_it_is,
                                .progress = progress, .entries = &cached->entries};

    verdicts_take(model, cached);
    if (cached->has_entries)
        return &cached->entries;
    for (size_t i = 0; i < cached->entries.count; i++) /* of a failed attempt */
        array_free(&cached->entries.items[i].clean_devices);
    cached->entries.count = 0;
    if (!comparison_prepare(model, build, baseline, as_it_is, progress, error) || !add_present(&work, error) ||
        !settle_doubts(&work, error) || !add_absent(&work, error))
        return NULL;
    for (size_t i = 0; i < cached->entries.count; i++)
        note_clean_devices(&work, &cached->entries.items[i]);
    if (cached->entries.count)
        qsort(cached->entries.items, cached->entries.count, sizeof *cached->entries.items, compare_entries);
    entries_fill_triage(model, &cached->entries);
    cached->has_entries = true;
    verdicts_keep(model, cached);
    return &cached->entries;
}

const struct stutter_entry *model_find_stutter(struct model *model, const char *id, struct error *error)
{
    enum { SHORTEST = 4 };
    const char *at = strchr(id, '@');
    size_t length = at ? (size_t)(at - id) : strlen(id);
    int64_t build = model_newest_build(model);

    if (at && !model_find_build(model, at + 1, &build, error))
        return NULL;
    if (!build) {
        error_set(error, ERROR_USAGE, "this store has no runs yet; import telemetry first");
        return NULL;
    }

    const struct stutter_entries *entries = model_stutters(model, build, 0, false, NULL, error);

    for (size_t i = 0; entries && length >= SHORTEST && i < entries->count; i++)
        if (strncmp(entries->items[i].fingerprint, id, length) == 0)
            return &entries->items[i];
    if (entries) {
        char *clean = text_clean(id, strlen(id));

        error_set(error, ERROR_USAGE, "no stutter \"%s\" in build %s; \"stutterscope stutters\" lists the ids", clean,
                  model_build_name(model, build));
        free(clean);
    }
    return NULL;
}
