/* Cover: which devices reported, build by build. Complete is a dot; only trouble has ink. */
#include "cover.h"

#include "stutterscope/base/clock.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/model/findings.h"
#include "stutterscope/model/heat.h"
#include "stutterscope/model/status.h"
#include "stutterscope/view/filtering.h"
#include "stutterscope/view/screens.h"
#include "words.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *create(struct session *session)
{
    struct cover_state *state = memory_take_zeroed(1, sizeof *state);

    state->session = session;
    return state;
}

void cover_clear(struct cover_state *state)
{
    for (size_t i = 0; i < state->rows.count; i++) {
        free(state->rows.items[i].title);
        free(state->rows.items[i].tier);
        free(state->rows.items[i].scenes);
        free(state->rows.items[i].outcomes);
    }
    array_free(&state->rows);
    array_free(&state->devices);
    for (size_t i = 0; i < state->builds.count; i++)
        free(state->builds.items[i].name);
    array_free(&state->builds);
    for (size_t i = 0; i < state->scenes.count; i++)
        free(state->scenes.items[i]);
    array_free(&state->scenes);
    free(state->cells);
    state->cells = NULL;
    for (size_t i = 0; i < state->heats.count; i++)
        free(state->heats.items[i].text);
    array_free(&state->heats);
    state->heat = NULL;
}

static void destroy(void *user)
{
    struct cover_state *state = user;

    cover_clear(state);
    free(state->other_names);
    finder_set(&state->finder, NULL);
    free(state);
}

const struct cover_cell *cover_cell_at(const struct cover_state *state, size_t row, size_t column)
{
    if (row >= state->rows.count || column >= state->builds.count)
        return NULL;
    return &state->cells[row * state->builds.count + column];
}

static void add_builds(struct cover_state *state, const struct run_list *runs)
{
    const struct build_list *builds = model_builds(state->session->model);

    for (size_t b = 0; b < builds->count; b++) {
        struct cover_build build = {.build = builds->items[b].id, .night_ms = VALUE_UNKNOWN};
        bool any = false;

        for (size_t i = 0; i < runs->count; i++) {
            int64_t started = runs->items[i].started_at_ms;

            if (runs->items[i].build != build.build)
                continue;
            any = true;
            if (started != VALUE_UNKNOWN && (build.night_ms == VALUE_UNKNOWN || started < build.night_ms))
                build.night_ms = started;
        }
        if (!any)
            continue;
        build.name = memory_copy_text(word_short_build(state->session->model, build.build).text);
        array_push(&state->builds, build);
    }
}

/* Devices have no scene, event or verdict here: terms about those hide nothing. */
static bool device_fits(const struct cover_state *state, const struct filter *filter, int64_t device,
                        enum coverage_state coverage)
{
    struct filter_subject subject;

    filter_subject_clear(&subject);
    subject.known = 1u << FILTER_WORD | 1u << FILTER_DEVICE | 1u << FILTER_TIER | 1u << FILTER_OS | 1u << FILTER_SOC |
                    1u << FILTER_WEIGHT | 1u << FILTER_KIND;
    filter_subject_device(&subject, state->session->model, state->session->build, device);
    subject.also = state->other_names; /* a word about a scene or an event hides no device */
    if (coverage == COVERAGE_MISSING || coverage == COVERAGE_FEWER)
        filter_subject_set(&subject, FILTER_KIND,
                           finding_kind_name(coverage == COVERAGE_MISSING ? FINDING_SILENT : FINDING_PARTIAL));
    return filter_fits(filter, &subject);
}

static void note_other_names(struct cover_state *state)
{
    struct filter_names names;
    struct text_buffer text = {0};

    text_add(&text, "");
    model_filter_names(state->session->model, state->session->build, &names);
    for (int key = FILTER_SCENE; key <= FILTER_EVENT; key++)
        for (size_t i = 0; i < names.keys[key].count; i++)
            text_add_print(&text, "%s\n", names.keys[key].items[i]);
    filter_names_free(&names);
    free(state->other_names);
    state->other_names = text_take(&text);
}

size_t cover_count_fitting(const void *user, const struct filter *filter, size_t *ret_of)
{
    const struct cover_state *state = user;
    size_t count = 0;

    for (size_t i = 0; i < state->devices.count; i++)
        count += device_fits(state, filter, state->devices.items[i].device, state->devices.items[i].coverage);
    *ret_of = state->devices.count;
    return count;
}

static void add_row(struct cover_state *state, const struct coverage *coverage,
                    const struct coverage_device *device)
{
    struct cover_row row = {.device = device->device->id,
                            .fps_milli = device->device->target_fps_milli,
                            .weight = device->device->weight,
                            .cell = device->cell,
                            .play_ns = device->play_ns,
                            .sampled = device->sampled_runs,
                            .interfered = device->interfered_runs,
                            .spikes = device->spike_runs};

    if (device->cell.state == COVERAGE_RETIRED && !state->session->shows_folded)
        return;
    array_push(&state->devices, (struct cover_device){row.device, device->cell.state});
    if (!device_fits(state, state->session->filter, row.device, device->cell.state))
        return;
    row.title = memory_copy_text(model_device_title(device->device));
    row.tier = memory_copy_text(device->device->tier ? device->device->tier : "");
    row.outcomes = memory_copy_text(device->outcomes);
    row.scenes = memory_take_zeroed(coverage->scene_count + 1, sizeof *row.scenes);
    for (size_t s = 0; s < coverage->scene_count; s++) {
        row.scenes[s] = device->scenes[s].state;
        row.scenes_here += device->scenes[s].runs > 0;
        row.scenes_missing += device->scenes[s].state == COVERAGE_MISSING;
    }
    if (device->cell.expected > state->expected)
        state->expected = device->cell.expected;
    array_push(&state->rows, row);
}

static void count_runs(struct cover_state *state, const struct run_list *runs)
{
    state->cells = memory_take_zeroed(state->rows.count * state->builds.count + 1, sizeof *state->cells);
    for (size_t i = 0; i < runs->count; i++)
        for (size_t r = 0; r < state->rows.count; r++)
            for (size_t b = 0; b < state->builds.count; b++) {
                struct cover_cell *cell = &state->cells[r * state->builds.count + b];
                const struct run_row *run = &runs->items[i];

                if (state->rows.items[r].device != run->device || state->builds.items[b].build != run->build)
                    continue;
                cell->runs++;
                cell->spikes += run_row_is_spike_only(run);
                cell->sampled += run_row_is_sampled(run) || run->sampling.every > 1;
            }
}

/* Which devices the measuring disturbed, in the builds whose figures are there already. */
static void mark_interference(struct cover_state *state)
{
    for (size_t b = 0; b < state->builds.count; b++) {
        const struct build_results *results = model_results(state->session->model, state->builds.items[b].build, true, NULL, NULL);

        for (size_t g = 0; results && g < results->groups.count; g++)
            for (size_t r = 0; r < state->rows.count; r++)
                if (state->rows.items[r].device == results->groups.items[g].key.device &&
                    results->groups.items[g].distribution.labelled[LABEL_INTERFERENCE].frames > 0)
                    state->cells[r * state->builds.count + b].interfered = true;
    }
}

/* "Raid_02 16.7 16.8 . 19.9 nominal > serious (+19 %)": the scene of the run that got slowest, or its states alone. */
static char *heat_of(struct model *model, int64_t build, int64_t device)
{
    struct quarter_list quarters = {0};
    const struct run_quarters *worst = NULL;
    char *heat = memory_copy_text("");
    double most = 0;
    bool good = model_quarters(model, build, device, 0, &quarters, NULL);

    for (size_t i = 0; good && i < quarters.count; i++) {
        double growth = quarters_growth(&quarters.items[i]);

        if (worst && !(growth > most))
            continue;
        worst = &quarters.items[i];
        most = isnan(growth) ? -INFINITY : growth;
    }
    if (worst) {
        const char *scene = model_scene_name(model, worst->scene);
        char *text = quarters_text(worst);

        free(heat);
        heat = isinf(most) ? memory_copy_text(text)
                           : memory_print("%s: %s (%s %%)", scene ? scene : "?", text, word_signed(most, 0).text);
        free(text);
    }
    quarter_list_free(&quarters);
    return heat;
}

/* NULL: not worked out yet. */
static const char *known_heat(const struct cover_state *state, size_t row, size_t column)
{
    for (size_t i = 0; i < state->heats.count; i++)
        if (state->heats.items[i].build == state->builds.items[column].build &&
            state->heats.items[i].device == state->rows.items[row].device)
            return state->heats.items[i].text;
    return NULL;
}

static const char *find_heat(struct cover_state *state, size_t row, size_t column)
{
    struct cover_heat heat = {state->builds.items[column].build, state->rows.items[row].device, NULL};

    heat.text = heat_of(state->session->model, heat.build, heat.device);
    array_push(&state->heats, heat);
    return heat.text;
}

void cover_find_heat(struct cover_state *state)
{
    size_t row = (size_t)state->row.selected, column = (size_t)state->column.selected;

    state->heat = NULL;
    if (row >= state->rows.count || column >= state->builds.count)
        return;
    state->heat = known_heat(state, row, column);
    if (!state->heat)
        state->heat = find_heat(state, row, column);
}

/* While nobody presses a key: the cells around the cursor, so that the next move finds its heat ready. */
static enum screen_work work(void *user, struct screen_progress *ret, struct error *error)
{
    static const int steps[][2] = {{1, 0}, {0, -1}, {-1, 0}, {0, 1}};
    struct cover_state *state = user;

    (void)ret;
    (void)error;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && !state->heat_stopped; i++) {
        int row = state->row.selected + steps[i][0], column = state->column.selected + steps[i][1];

        if (row < 0 || column < 0 || (size_t)row >= state->rows.count || (size_t)column >= state->builds.count ||
            known_heat(state, (size_t)row, (size_t)column))
            continue;
        find_heat(state, (size_t)row, (size_t)column);
        return WORK_MORE;
    }
    return WORK_NONE;
}

static void stop_work(void *user)
{
    struct cover_state *state = user;

    state->heat_stopped = true;
}

static bool look_at_imports(struct cover_state *state, struct error *error)
{
    struct import_list imports = {0};

    if (!store_list_imports(model_store(state->session->model), &imports, error))
        return false;
    state->last_import_ms = VALUE_UNKNOWN;
    state->files = state->rejected = 0;
    for (size_t i = 0; i < imports.count; i++)
        if (imports.items[i].imported_at_ms > state->last_import_ms)
            state->last_import_ms = imports.items[i].imported_at_ms;
    for (size_t i = 0; i < imports.count && state->last_import_ms != VALUE_UNKNOWN; i++)
        if (clock_day(imports.items[i].imported_at_ms) == clock_day(state->last_import_ms)) {
            state->files++;
            state->rejected += imports.items[i].rejected;
        }
    import_list_free(&imports);
    return true;
}

static void place(struct cover_state *state)
{
    int row = -1;

    scroll_set_count(&state->row, (int)state->rows.count);
    scroll_set_count(&state->column, (int)state->builds.count);
    for (size_t b = 0; b < state->builds.count; b++)
        if (state->builds.items[b].build == state->session->build)
            state->column.selected = (int)b;
    for (size_t r = 0; r < state->rows.count; r++) {
        const struct cover_row *here = &state->rows.items[r];
        bool first_missing = row < 0 && !state->session->device && !state->placed && here->cell.state == COVERAGE_MISSING;

        if (state->session->device == here->device || first_missing)
            row = (int)r;
    }
    if (row >= 0)
        state->row.selected = row;
    state->placed = true;
}

bool cover_recompute(void *user, const struct progress *progress, struct error *error)
{
    struct cover_state *state = user;
    struct model *model = state->session->model;
    struct coverage *coverage = NULL;
    struct run_list runs = {0};

    (void)progress;
    cover_clear(state);
    if (model_build_position(model, state->session->build) < 0)
        state->session->build = model_newest_build(model);
    state->empty = state->session->build == 0;
    state->expected = 0;
    if (state->empty)
        return true;
    if (!model_coverage(model, state->session->build, &coverage, error))
        return false;
    if (!model_coverage_disturbed(model, coverage, error) || !model_list_runs(model, 0, 0, &runs, error) || !look_at_imports(state, error) || !session_nights(state->session, &state->nights, error)) {
        coverage_destroy(coverage);
        run_list_free(&runs);
        return false;
    }
    state->runs = coverage->runs;
    state->expected_runs = coverage->expected_runs;
    state->silent = coverage->silent;
    state->partial = coverage->partial;
    state->sampled = coverage->sampled;
    for (size_t s = 0; s < coverage->scene_count; s++)
        array_push(&state->scenes, memory_copy_text(model_scenes(model)->items[s].text));
    add_builds(state, &runs);
    note_other_names(state);
    for (size_t i = 0; i < coverage->device_count; i++)
        add_row(state, coverage, &coverage->devices[i]);
    count_runs(state, &runs);
    mark_interference(state);
    place(state);
    cover_find_heat(state);
    coverage_destroy(coverage);
    run_list_free(&runs);
    return true;
}

static void where(const void *user, struct line *line)
{
    const struct cover_state *state = user;

    line_add(line, LINE_KEEP, ROLE_CHROME, "runs per device and build");
    if (state->empty)
        return;
    line_print(line, 1, ROLE_CHROME, " · %s", model_build_name(state->session->model, state->session->build));
    filtering_show(state->session, line);
    line_add(line, 3, ROLE_CHROME, " · expected (exp): median of the 10 builds before");
}

static void answer(const void *user, struct line *line)
{
    const struct cover_state *state = user;
    bool newest = state->session->build == model_newest_build(state->session->model);

    if (state->empty) {
        line_add(line, LINE_KEEP, ROLE_ANSWER | STYLE_BOLD, "NO RUNS YET");
        return;
    }
    line_print(line, LINE_KEEP, ROLE_ANSWER | STYLE_BOLD, "%s %lld OF %lld RUNS",
               newest ? "NEWEST BUILD" : "THIS BUILD", (long long)state->runs,
               (long long)state->expected_runs);
    line_add(line, LINE_KEEP, ROLE_ANSWER, "   ");
    if (state->silent)
        line_print(line, LINE_KEEP, ROLE_MISSING, "%zu silent", state->silent);
    if (state->partial)
        line_print(line, 1, ROLE_WARNING, "%s%zu partial", state->silent ? " · " : "", state->partial);
    if (state->sampled)
        line_print(line, 2, ROLE_WARNING, "%s%zu sampled", state->silent + state->partial ? " · " : "",
                   state->sampled);
    if (state->silent + state->partial + state->sampled == 0)
        line_add(line, 1, ROLE_ANSWER, "complete");
    session_nights_fill(&state->nights, " · ", line);
}

static void status(const void *user, struct line *line)
{
    const struct cover_state *state = user;

    if (state->empty)
        return;
    line_print(line, 1, ROLE_STATUS, "%zu devices, %zu builds with runs", state->rows.count,
               state->builds.count);
    if (state->session->shows_folded)
        line_add(line, 3, ROLE_STATUS, " · retired ones shown (z)");
}

/* ---- as words of a place: the row is the session's device ---- */

static void keep(const void *user, struct view_words *words)
{
    const struct cover_state *state = user;

    if ((size_t)state->row.selected < state->rows.count && state->rows.items[state->row.selected].device != state->session->device)
        view_words_put_number(words, "row", state->row.selected); /* nobody chose a device yet, or it is hidden */
    if ((size_t)state->column.selected < state->builds.count &&
        state->builds.items[state->column.selected].build != state->session->build)
        view_words_put(words, "column", model_build_name(state->session->model, state->builds.items[state->column.selected].build));
    if (state->row.first || state->column.first) {
        view_words_add_number(words, "top", state->row.first);
        view_words_add_number(words, "top", state->column.first);
    }
}

static void take(void *user, const struct view_words *words, bool filled)
{
    struct cover_state *state = user;
    const char *column = view_words_get(words, "column");
    struct error ignored;
    int64_t build = 0, first;

    if (!filled)
        return;
    if (column && model_find_build(state->session->model, column, &build, &ignored))
        for (size_t b = 0; b < state->builds.count; b++)
            if (state->builds.items[b].build == build)
                state->column.selected = (int)b;
    if (view_words_number(words, "row", 0, state->row.count - 1, &first))
        state->row.selected = (int)first;
    if (view_words_number_at(words, "top", 0, &first) && first >= 0 && first < state->row.count)
        state->row.first = (int)first;
    if (view_words_number_at(words, "top", 1, &first) && first >= 0 && first < state->column.count)
        state->column.first = (int)first;
    cover_find_heat(state);
}

static const struct hint hints[] = {
    {{ACTION_LEFT, ACTION_DOWN, ACTION_UP, ACTION_RIGHT}, "move"},
    {{ACTION_ENTER}, "runs, rejects"},
    {{ACTION_NEXT_OPEN}, "next trouble"},
    {{ACTION_OLDER_BUILD, ACTION_NEWER_BUILD}, "build"},
    {{ACTION_FIND}, "find"},
    {{ACTION_NONE}, NULL},
};

const struct screen_type cover_screen = {
    .kind = SCREEN_COVER,
    .name = "Cover",
    .create = create,
    .destroy = destroy,
    .recompute = cover_recompute,
    .draw = cover_draw,
    .where = where,
    .answer = answer,
    .status = status,
    .hints = hints,
    .act = cover_act,
    .work = work,
    .stop_work = stop_work,
    .keep = keep,
    .take = take,
};
