/* Asking the model for everything that Trend shows. */
#include "trend.h"

#include "stutterscope/base/clock.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "words.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHOW_EVERY_MS = 1000, /* what is there so far is shown again no oftener than this, */
    SHOW_MOST_MS = 150    /* and only while working it out is this quick */
};

void trend_clear(struct trend_state *state)
{
    for (size_t i = 0; i < state->builds.count; i++) {
        free(state->builds.items[i].name);
        free(state->builds.items[i].commit);
        for (int lane = 0; lane < TREND_LANES; lane++)
            free(state->builds.items[i].lanes[lane]);
    }
    array_free(&state->builds);
    for (size_t i = 0; i < state->run_name_count; i++)
        free(state->run_names[i]);
    free(state->run_names);
    state->run_names = NULL;
    state->run_name_count = 0;
    array_free(&state->comparisons);
    trend_clear_others(state);
    history_destroy(state->history);
    state->history = NULL;
}

/* The history's names are the model's: ours live as long as the history. */
static void own_run_names(struct trend_state *state)
{
    struct history *history = state->history;
    size_t count = 0;

    for (size_t b = 0; b < history->build_count; b++)
        count += history->builds[b].runs.count;
    state->run_names = memory_take_zeroed(count + 1, sizeof *state->run_names);
    for (size_t b = 0; b < history->build_count; b++)
        for (size_t i = 0; i < history->builds[b].runs.count; i++) {
            struct history_run *run = &history->builds[b].runs.items[i];

            run->name = state->run_names[state->run_name_count++] =
                memory_copy_text(run->name ? run->name : "?");
            run->os = NULL;
        }
}

/* ---- what changed beside the build ---- */

/* Whether it is one of the words between '/': "13" is none of "Android 13". */
static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);

    for (const char *at = list; (at = strstr(at, word)); at++)
        if ((at == list || at[-1] == '/') && (at[length] == '/' || !at[length]))
            return true;
    return false;
}

/* Adds a word to a list with '/' between, once. */
static void add_once(char **list, const char *word)
{
    char *longer;

    if (!word || !*word || has_word(*list, word))
        return;
    longer = memory_print("%s%s%s", *list, **list ? "/" : "", word);
    free(*list);
    *list = longer;
}

static void note_run(struct trend_build *build, const struct run_row *run)
{
    char sampling[32];

    if (run->started_at_ms != VALUE_UNKNOWN &&
        (build->night_ms == VALUE_UNKNOWN || run->started_at_ms < build->night_ms))
        build->night_ms = run->started_at_ms;
    add_once(&build->lanes[TREND_OS], run->os);
    add_once(&build->lanes[TREND_HEAT], run->conditions);
    if (run_row_is_sampled(run))
        add_once(&build->lanes[TREND_SAMPLING], "~");
    else if (run->sampling.every > 1) {
        snprintf(sampling, sizeof sampling, "1:%lld", (long long)run->sampling.every);
        add_once(&build->lanes[TREND_SAMPLING], sampling);
    }
}

static void note_qualities(const struct trend_state *state, struct trend_build *build)
{
    struct model *model = state->session->model;
    const struct text_list *qualities = model_qualities(model);
    struct group_key key = {build->build, state->subject.device, state->subject.scene, 0};

    for (size_t q = 0; q < qualities->count; q++) {
        key.quality = qualities->items[q].id;
        if (model_group_has_frames(model, &key))
            add_once(&build->lanes[TREND_QUALITY], qualities->items[q].text);
    }
    key.quality = 0;
    if (model_group_has_frames(model, &key))
        add_once(&build->lanes[TREND_QUALITY], "?");
}

static bool add_builds(struct trend_state *state, struct error *error)
{
    struct model *model = state->session->model;
    struct run_list runs = {0};

    if (!model_list_runs(model, 0, state->subject.device, &runs, error))
        return false;
    for (size_t b = 0; b < state->history->build_count; b++) {
        struct trend_build build = {.build = state->history->builds[b].build, .night_ms = VALUE_UNKNOWN};
        const struct build_row *row = model_build(model, build.build);

        build.name = memory_copy_text(word_short_build(model, build.build).text);
        build.commit = row ? memory_copy_text(row->commit) : NULL;
        for (int lane = 0; lane < TREND_LANES; lane++)
            build.lanes[lane] = memory_copy_text("");
        for (size_t i = 0; i < runs.count; i++)
            if (runs.items[i].build == build.build)
                note_run(&build, &runs.items[i]);
        note_qualities(state, &build);
        if (build.night_ms == VALUE_UNKNOWN && row)
            build.night_ms = row->built_at_ms;
        array_push(&state->builds, build);
    }
    run_list_free(&runs);
    return true;
}

/* ---- the newest build against others ---- */

/* Runs that the baseline leaves out are left out here, too; NULL: all count. */
static struct per_run runs_of(const struct history_build *build, const struct baseline *only, double *values)
{
    struct per_run runs = {values, 0};

    for (size_t i = 0; i < build->runs.count; i++) {
        bool counts = !only;

        for (size_t r = 0; only && r < only->runs.count; r++)
            counts |= only->runs.items[r] == build->runs.items[i].run;
        if (counts)
            values[runs.count++] = build->runs.items[i].value;
    }
    return runs;
}

static size_t index_of(const struct history *history, int64_t build)
{
    for (size_t b = 0; b < history->build_count; b++)
        if (history->builds[b].build == build)
            return b;
    return SIZE_MAX;
}

static void compare_with(struct trend_state *state, size_t with, const struct baseline *only,
                         const char *what)
{
    enum { HISTORY = 5 };
    const struct history *history = state->history;
    struct trend_comparison comparison = {.build = history->builds[with].build, .what = what};
    struct figure_comparison result;
    size_t total = 1, builds = 0, count = 0;

    for (size_t b = 0; b < history->build_count; b++)
        total += history->builds[b].runs.count;

    double *before = memory_take(total * sizeof *before), *after = memory_take(total * sizeof *after),
           *earlier = memory_take(total * sizeof *earlier);

    for (size_t b = state->now; b-- > 0 && builds < HISTORY;) {
        builds += history->builds[b].runs.count > 0;
        count += runs_of(&history->builds[b], NULL, earlier + count).count;
    }
    compare_figure(history->figure, runs_of(&history->builds[with], only, before),
                   runs_of(&history->builds[state->now], NULL, after), (struct per_run){earlier, count},
                   &result);
    comparison.verdict = result.verdict;
    comparison.delta = result.delta;
    snprintf(comparison.reason, sizeof comparison.reason, "%s", result.reason);
    array_push(&state->comparisons, comparison);
    free(before);
    free(after);
    free(earlier);
}

/* What Map and Queue say about the same, so that two screens never differ. */
static void adopt_verdict(struct trend_state *state, struct trend_comparison *comparison)
{
    struct session *session = state->session;
    const struct history *history = state->history;
    int64_t build = history->builds[state->now].build;
    const struct group_comparisons *groups =
        model_compare_groups(session->model, build, session->baseline, true, NULL, NULL);

    for (size_t i = 0; groups && history->event < 0 && i < groups->count; i++) {
        const struct group_comparison *here = &groups->items[i];

        if (here->figure != history->figure || here->baseline_build != comparison->build ||
            here->key.device != history->key.device || here->key.scene != history->key.scene ||
            here->key.quality != history->key.quality)
            continue;
        comparison->verdict = here->comparison.verdict;
        comparison->delta = here->comparison.delta;
        text_print(comparison->reason, sizeof comparison->reason, "%s", here->comparison.reason);
    }

    const struct stutter_entries *entries =
        model_stutters(session->model, build, session->baseline, true, NULL, NULL);

    for (size_t i = 0; entries && history->figure == COMPARED_PEAK && i < entries->count; i++) {
        const struct stutter_entry *here = &entries->items[i];

        if (here->stutter.event != history->event || here->stutter.label != LABEL_GAMEPLAY ||
            here->baseline_build != comparison->build || here->stutter.key.device != history->key.device ||
            here->stutter.key.scene != history->key.scene ||
            here->stutter.key.quality != history->key.quality)
            continue;
        comparison->verdict = here->verdict;
        if (here->delta_peak_ns != VALUE_UNKNOWN)
            comparison->delta = (double)here->delta_peak_ns / NS_PER_MS;
        text_print(comparison->reason, sizeof comparison->reason, "%s", here->reason);
    }
}

/* A build that is no baseline: runs under other conditions count, but that is said. */
static bool compare_plainly(struct trend_state *state, size_t with, const char *what, const char *what_unlike,
                            struct error *error)
{
    struct group_key key = state->history->key;
    struct baseline alike;
    bool good;

    key.build = state->history->builds[state->now].build;
    good = model_baseline(state->session->model, &key, state->history->builds[with].build, &alike, error);
    if (good)
        compare_with(state, with, NULL, alike.runs.count ? what : what_unlike);
    baseline_free(&alike);
    return good;
}

static bool compare(struct trend_state *state, struct error *error)
{
    struct model *model = state->session->model;
    struct history *history = state->history;
    struct group_key key = history->key;
    struct baseline baseline;
    int64_t pinned = 0;
    size_t oldest = 0, at;
    bool good = true;

    state->now = SIZE_MAX;
    for (size_t b = 0; b < history->build_count; b++)
        if (history->builds[b].runs.count)
            state->now = b;
    if (state->now == SIZE_MAX)
        return true;
    key.build = history->builds[state->now].build;
    if (!model_baseline(model, &key, state->session->baseline, &baseline, error))
        return false;
    at = index_of(history, baseline.build);
    if (at != SIZE_MAX) {
        compare_with(state, at, &baseline, baseline.pinned ? "pinned" : "");
        adopt_verdict(state, &state->comparisons.items[0]);
    }
    history->baseline = baseline.build;
    baseline_free(&baseline);
    pinned = model_pin_for_cell(model, key.device, key.scene);
    if (pinned) {
        at = index_of(history, pinned);
        if (at != SIZE_MAX && at != state->now && pinned != history->baseline &&
            history->builds[at].runs.count)
            good = compare_plainly(state, at, "pinned", "pinned, unlike", error);
    }
    while (!history->builds[oldest].runs.count)
        oldest++;
    if (oldest != state->now && history->builds[oldest].build != history->baseline &&
        history->builds[oldest].build != pinned)
        good = good && compare_plainly(state, oldest, "oldest", "oldest, unlike", error);
    return good;
}

/* What somebody decided about it, if it is something to decide on. */
static bool find_triage(struct trend_state *state, struct error *error)
{
    struct findings *findings;

    state->triage[0] = '\0';
    if (!session_findings(state->session, &findings, error))
        return false;
    for (size_t i = 0; i < findings->items.count && !state->triage[0]; i++) {
        const struct finding *finding = &findings->items.items[i];
        const char *ticket = finding->triage.ticket;
        bool here =
            finding->key.device == state->subject.device && finding->key.scene == state->subject.scene;

        if (here && (finding->kind == FINDING_HITCH ? finding->event == state->subject.event
                                                    : state->subject.event < 0))
            text_print(state->triage, sizeof state->triage, "%s %s%s%s", finding_kind_name(finding->kind),
                     triage_state_name(finding->triage.state), ticket ? " " : "", ticket ? ticket : "");
    }
    findings_destroy(findings);
    return true;
}

/* ---- all of it ---- */

static void find_range(struct trend_state *state)
{
    const struct change_point *change = &state->history->change;

    if (state->range_moved && state->range.first_bad < state->history->build_count) {
        history_range_at(state->history, state->range.first_bad, &state->range);
        return;
    }
    state->range_moved = false;
    state->has_range = change->found;
    if (change->found)
        history_range_at(state->history, change->first_after, &state->range);
}

static void place(struct trend_state *state)
{
    scroll_set_count(&state->cursor, (int)state->builds.count);
    if (state->placed)
        return;
    for (size_t b = 0; b < state->builds.count; b++)
        if (state->builds.items[b].build == state->session->build)
            state->cursor.selected = (int)b;
    state->placed = true;
}

/* Of the newest build that has data. */
static bool find_alert(struct trend_state *state, struct error *error)
{
    const struct history *history = state->history;
    struct group_key key = history->key;
    struct frame_limits limits;

    state->alert = NAN;
    if (state->subject.figure == COMPARED_HITCH_RATIO || state->subject.figure == COMPARED_RATE)
        return true;
    if (state->now < history->build_count)
        key.build = history->builds[state->now].build;
    if (!model_group_limits(state->session->model, &key, &limits, error))
        return false;
    state->alert = (double)limits.alert_ns / NS_PER_MS;
    return true;
}

bool trend_recompute(void *user, const struct progress *progress, struct error *error)
{
    struct trend_state *state = user;
    struct session *session = state->session;
    struct group_key key;

    trend_clear(state);
    state->waits = false;
    session_check_results(session);
    if (model_build_position(session->model, session->build) < 0)
        session->build = model_newest_build(session->model);
    if (!session->build) {
        state->has_subject = false;
        return true;
    }
    if (!trend_choose(state, error) || !state->has_subject)
        return error->code == ERROR_NONE;
    key = (struct group_key){model_newest_build(session->model), state->subject.device, state->subject.scene,
                             state->subject.quality};
    if (!model_history(session->model, &key, state->subject.event, state->subject.figure, session->baseline,
                       session->analyses_in_steps, progress, &state->history, error))
        return false;
    own_run_names(state);
    state->waits = state->history->waiting > 0;
    if (!add_builds(state, error) || !compare(state, error) || !find_alert(state, error) || !find_triage(state, error))
        return false;
    find_range(state);
    place(state);
    return trend_find_others(state, progress, error);
}

/* ---- in the background ---- */

static bool show(struct trend_state *state, struct error *error)
{
    int64_t begun = clock_steady_ms();
    bool good = trend_recompute(state, NULL, error);

    state->shown_ms = clock_steady_ms();
    state->took_ms = state->shown_ms - begun;
    return good;
}

enum screen_work trend_work(void *user, struct screen_progress *ret, struct error *error)
{
    struct trend_state *state = user;
    int64_t left = 0;

    if (!state->waits || state->stopped || !state->history)
        return WORK_NONE;
    if (!model_analyze_history_step(state->session->model, &state->history->key, &left, error)) {
        state->stopped = true;
        return WORK_DONE;
    }
    if (left + 1 > state->waited)
        state->waited = left + 1;
    if (left == 0 || (clock_steady_ms() - state->shown_ms > SHOW_EVERY_MS && state->took_ms < SHOW_MOST_MS))
        state->stopped |= !show(state, error);
    if (left == 0 || state->stopped) {
        state->waited = 0;
        return WORK_DONE;
    }
    snprintf(ret->what, sizeof ret->what, "analysing");
    ret->done = state->waited - left;
    ret->total = state->waited;
    return WORK_MORE;
}

void trend_stop_work(void *user)
{
    struct trend_state *state = user;

    state->stopped = true;
    state->waited = 0;
}
