/* Memory: what it knows, its lines and its table. */
#include "memory.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/view/screens.h"
#include "words.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MB 1e6

static void *create(struct session *session)
{
    struct memory_state *state = memory_take_zeroed(1, sizeof *state);

    state->session = session;
    return state;
}

void memory_clear(struct memory_state *state)
{
    for (size_t i = 0; i < state->devices.count; i++)
        free(state->devices.items[i].title);
    for (size_t i = 0; i < state->rows.count; i++)
        free(state->rows.items[i].name);
    for (size_t i = 0; i < state->categories.count; i++)
        free(state->categories.items[i]);
    array_free(&state->devices);
    array_free(&state->rows);
    array_free(&state->categories);
    free(state->cells);
    state->cells = NULL;
    snapshots_destroy(state->snapshots);
    state->snapshots = NULL;
    memset(&state->most, 0, sizeof state->most);
    state->compared = false;
}

static void destroy(void *user)
{
    struct memory_state *state = user;

    memory_clear(state);
    finder_set(&state->finder, NULL);
    free(state);
}

bool memory_has_grown(double delta, double before)
{
    return delta >= MB && before > 0 && delta >= 0.02 * before;
}

/* ---- finding ---- */

static bool is_here(const struct snapshots *snapshots, const struct snapshot_series *series)
{
    return snapshots->position < snapshots->build_count && !isnan(series->builds[snapshots->position].bytes);
}

static void list_devices(struct memory_state *state)
{
    const struct device_list *devices = model_devices(state->session->model);

    for (size_t d = 0; d < devices->count; d++) {
        bool used = false;

        for (size_t i = 0; i < state->snapshots->series.count && !used; i++)
            used = state->snapshots->series.items[i].device == devices->items[d].id &&
                   is_here(state->snapshots, &state->snapshots->series.items[i]);
        if (used)
            array_push(&state->devices, ((struct memory_device){devices->items[d].id,
                                                                memory_copy_text(model_device_title(&devices->items[d]))}));
    }
}

/* Scenes in natural order. */
static int compare_rows(const void *a, const void *b)
{
    return text_compare_natural(((const struct memory_row *)a)->name, ((const struct memory_row *)b)->name);
}

static void list_rows(struct memory_state *state, int64_t device)
{
    for (size_t i = 0; i < state->snapshots->series.count; i++) {
        const struct snapshot_series *series = &state->snapshots->series.items[i];
        const char *name = model_scene_name(state->session->model, series->scene);
        bool known = series->device != device || !is_here(state->snapshots, series);

        for (size_t r = 0; r < state->rows.count && !known; r++)
            known = state->rows.items[r].scene == series->scene;
        if (!known)
            array_push(&state->rows, ((struct memory_row){series->scene, memory_copy_text(name ? name : "(whole run)"),
                                                          snapshots_total(state->snapshots, device, series->scene),
                                                          snapshots_at(state->snapshots, device, series->scene)}));
    }
    if (state->rows.count)
        qsort(state->rows.items, state->rows.count, sizeof *state->rows.items, compare_rows);
    for (size_t r = 0; r < state->rows.count; r++)
        state->compared |= !isnan(state->rows.items[r].total.delta);
}

static double greatest_of(const struct memory_state *state, int64_t device, const char *category)
{
    double greatest = 0;

    for (size_t i = 0; i < state->snapshots->series.count; i++) {
        const struct snapshot_series *series = &state->snapshots->series.items[i];

        if (series->device == device && is_here(state->snapshots, series) && strcmp(series->category, category) == 0)
            greatest = fmax(greatest, series->builds[state->snapshots->position].bytes);
    }
    return greatest;
}

/* The greatest first, so that what matters is seen without scrolling; what is the total already has its column. */
static void list_categories(struct memory_state *state, int64_t device)
{
    for (size_t i = 0; i < state->snapshots->series.count; i++) {
        const struct snapshot_series *series = &state->snapshots->series.items[i];
        bool known = series->device != device || !is_here(state->snapshots, series) || snapshot_is_total(series->category);
        size_t at = 0;

        for (size_t c = 0; c < state->categories.count && !known; c++)
            known = strcmp(state->categories.items[c], series->category) == 0;
        if (known)
            continue;
        array_push(&state->categories, memory_copy_text(series->category));
        while (at + 1 < state->categories.count &&
               greatest_of(state, device, state->categories.items[at]) >= greatest_of(state, device, series->category))
            at++;

        char *name = state->categories.items[state->categories.count - 1];

        memmove(&state->categories.items[at + 1], &state->categories.items[at],
                (state->categories.count - 1 - at) * sizeof *state->categories.items);
        state->categories.items[at] = name;
    }
}

/* The scene that grew most on any device, and on how many others it grew, too. */
static void find_growth(struct memory_state *state)
{
    const struct snapshots *snapshots = state->snapshots;

    for (size_t i = 0; i < snapshots->series.count; i++) {
        const struct snapshot_series *series = &snapshots->series.items[i];

        if (i > 0 && series[-1].device == series->device && series[-1].scene == series->scene)
            continue;

        struct snapshot_total total = snapshots_total(snapshots, series->device, series->scene);

        if (memory_has_grown(total.delta, total.before) && total.delta > state->most.delta)
            state->most = (struct memory_growth){series->device, series->scene, total.delta, 100 * total.delta / total.before, 0, 0};
    }
    for (size_t d = 0; d < state->devices.count && state->most.delta > 0; d++) {
        struct snapshot_total total = snapshots_total(snapshots, state->devices.items[d].device, state->most.scene);

        state->most.of += total.known;
        state->most.devices += memory_has_grown(total.delta, total.before);
    }
}

/* The series of a row's category, with the profiler of the row's total; NULL: not measured in this build. */
static const struct snapshot_series *find_series(const struct memory_state *state, const struct memory_row *row, const char *category)
{
    for (size_t i = 0; i < row->series.count; i++) {
        const struct snapshot_series *series = &row->series.items[i];

        if (strcmp(series->profiler, row->total.profiler) == 0 && strcmp(series->category, category) == 0)
            return is_here(state->snapshots, series) ? series : NULL;
    }
    return NULL;
}

static void find_cells(struct memory_state *state)
{
    size_t columns = state->categories.count;

    state->cells = memory_take_zeroed(state->rows.count * columns + 1, sizeof *state->cells);
    for (size_t r = 0; r < state->rows.count; r++)
        for (size_t c = 0; c < columns; c++)
            state->cells[r * columns + c] = find_series(state, &state->rows.items[r], state->categories.items[c]);
}

const struct snapshot_series *memory_series(const struct memory_state *state, size_t row, size_t category)
{
    return state->cells[row * state->categories.count + category];
}

const char *memory_column_name(const struct memory_state *state, size_t column)
{
    return column ? state->categories.items[column - 1] : "total";
}

double memory_bytes_in(const struct memory_state *state, size_t row, size_t column, size_t position)
{
    const struct memory_row *scene = &state->rows.items[row];
    double sum = NAN;

    if (column) {
        const struct snapshot_series *series = memory_series(state, row, column - 1);

        return series ? series->builds[position].bytes : NAN;
    }
    for (size_t i = 0; i < scene->series.count; i++) {
        const struct snapshot_series *series = &scene->series.items[i];

        if (strcmp(series->profiler, scene->total.profiler) != 0 || isnan(series->builds[position].bytes))
            continue;
        if (!scene->total.sum && snapshot_is_total(series->category))
            return series->builds[position].bytes;
        if (scene->total.sum)
            sum = (isnan(sum) ? 0 : sum) + series->builds[position].bytes;
    }
    return sum;
}

/* Where the session looks, else at what grew most. */
static void place(struct memory_state *state)
{
    int64_t device = state->session->device, scene = state->session->scene;
    bool known = false;

    for (size_t d = 0; d < state->devices.count; d++)
        known |= state->devices.items[d].device == device;
    if (!known || !state->placed) {
        device = known ? device : state->most.device;
        scene = known && scene ? scene : state->most.scene;
    }
    state->device = 0;
    for (size_t d = 0; d < state->devices.count; d++)
        if (state->devices.items[d].device == device)
            state->device = d;
    list_rows(state, state->devices.items[state->device].device);
    list_categories(state, state->devices.items[state->device].device);
    find_cells(state);
    scroll_set_count(&state->row, (int)state->rows.count);
    scroll_set_count(&state->column, (int)state->categories.count + 1);
    for (size_t r = 0; r < state->rows.count; r++)
        if (state->rows.items[r].scene == scene)
            state->row.selected = (int)r;
    state->placed = true;
}

bool memory_recompute(void *user, const struct progress *progress, struct error *error)
{
    struct memory_state *state = user;
    struct session *session = state->session;

    (void)progress;
    memory_clear(state);
    if (!session->build)
        return true;
    if (!model_snapshots(session->model, session->build, session->baseline, &state->snapshots, error))
        return false;
    list_devices(state);
    if (!state->devices.count)
        return true;
    find_growth(state);
    place(state);
    return true;
}

/* ---- lines ---- */

static void where(const void *user, struct line *line)
{
    const struct memory_state *state = user;
    struct model *model = state->session->model;
    size_t before = SIZE_MAX;

    if (!state->session->build) {
        line_add(line, LINE_KEEP, ROLE_CHROME, "no build");
        return;
    }
    line_add(line, LINE_KEEP, ROLE_CHROME | STYLE_BOLD, model_build_name(model, state->session->build))->least = 6;
    if (!state->rows.count)
        return;
    before = state->rows.items[state->row.selected].total.before_build;
    line_print(line, LINE_KEEP, ROLE_BASELINE, before == SIZE_MAX ? " no baseline" : " vs ");
    if (before != SIZE_MAX)
        line_add(line, LINE_KEEP, ROLE_BASELINE, model_builds(model)->items[before].name)->least = 6;
    line_print(line, LINE_KEEP, ROLE_CHROME, "  ▸  %s", state->devices.items[state->device].title)->least = 10;
    line_print(line, 4, ROLE_CHROME, "  %zu of %zu", state->device + 1, state->devices.count);
    line_add_right(line, 2, ROLE_CHROME, "  memory snapshots, MB ");
}

/* What of the scene grew most: "Textures +84.2". */
static void add_part(const struct memory_state *state, struct line *line)
{
    struct snapshot_range range = snapshots_at(state->snapshots, state->most.device, state->most.scene);
    const struct snapshot_series *most = NULL;

    for (size_t i = 0; i < range.count; i++) {
        const struct snapshot_series *series = &range.items[i];

        if (!snapshot_is_total(series->category) && series->delta > 0 && (!most || series->delta > most->delta))
            most = series;
    }
    if (most)
        line_print(line, 1, ROLE_ANSWER, " · %s %s", most->category, word_signed(most->delta / MB, 1).text);
}

static void answer(const void *user, struct line *line)
{
    const struct memory_state *state = user;
    struct model *model = state->session->model;

    if (!state->rows.count) {
        line_add(line, LINE_KEEP, ROLE_ANSWER | STYLE_BOLD, "NO SNAPSHOTS in this build");
        return;
    }
    if (state->most.delta > 0) {
        const char *scene = model_scene_name(model, state->most.scene);

        line_print(line, LINE_KEEP, ROLE_ANSWER | STYLE_BOLD, "GREW %s MB", word_signed(state->most.delta / MB, 1).text);
        line_print(line, LINE_KEEP, ROLE_ANSWER, "  %s", scene ? scene : "(whole run)")->least = 8;
        line_print(line, 2, ROLE_ANSWER, " (%s %%)", word_signed(state->most.percent, 1).text);
        add_part(state, line);
        line_print(line, 1, ROLE_ANSWER, " · on %zu of %zu device%s", state->most.devices, state->most.of,
                   text_plural((int64_t)state->most.of));
        return;
    }
    if (!state->compared) {
        line_add(line, LINE_KEEP, ROLE_MISSING, "NO BASELINE");
        line_add(line, 1, ROLE_ANSWER, " no earlier build has these snapshots, taken the same way");
        return;
    }
    line_add(line, LINE_KEEP, ROLE_ANSWER | STYLE_BOLD, "NOTHING GREW");
    line_add(line, 1, ROLE_ANSWER, " by 1 MB and 2 % in any scene");
}

static void status(const void *user, struct line *line)
{
    const struct memory_state *state = user;
    size_t apart = 0;

    for (size_t r = 0; r < state->rows.count; r++)
        apart += state->rows.items[r].total.others;
    if (state->rows.count)
        line_print(line, 1, ROLE_STATUS, "%zu scene%s, %zu categor%s", state->rows.count, text_plural((int64_t)state->rows.count),
                   state->categories.count, state->categories.count == 1 ? "y" : "ies");
    line_add(line, 3, ROLE_STATUS, state->rows.count ? " · median over the runs" : "");
    if (apart)
        line_print(line, 2, ROLE_WARNING, " · with a profiler, too: compared apart (i)");
}

/* ---- as words of a place ---- */

static void keep(const void *user, struct view_words *words)
{
    const struct memory_state *state = user;

    if (!state->rows.count)
        return;
    view_words_put_number(words, "row", state->row.selected); /* the whole run has no scene to name it by */
    if (state->column.selected)
        view_words_put(words, "column", memory_column_name(state, (size_t)state->column.selected));
    if (state->row.first || state->column.first) {
        view_words_add_number(words, "top", state->row.first);
        view_words_add_number(words, "top", state->column.first);
    }
}

static void take(void *user, const struct view_words *words, bool filled)
{
    struct memory_state *state = user;
    const char *column = view_words_get(words, "column");

    if (!filled)
        return;
    view_words_place_at(words, "row", 0, state->row.count, &state->row.selected);
    for (int c = 1; column && c < state->column.count; c++)
        if (strcmp(memory_column_name(state, (size_t)c), column) == 0)
            state->column.selected = c;
    view_words_place_at(words, "top", 0, state->row.count, &state->row.first);
    view_words_place_at(words, "top", 1, state->column.count, &state->column.first);
}

static const struct hint hints[] = {
    {{ACTION_LEFT, ACTION_DOWN, ACTION_UP, ACTION_RIGHT}, "move"},
    {{ACTION_PREVIOUS_SIBLING, ACTION_NEXT_SIBLING}, "device"},
    {{ACTION_OLDER_BUILD, ACTION_NEWER_BUILD}, "build"},
    {{ACTION_COMPARE}, "Δ"},
    {{ACTION_ENTER}, "on the Map"},
    {{ACTION_WHY}, "why"},
    {{ACTION_PAYLOAD}, "JSON"},
    {{ACTION_NONE}, NULL},
};

const struct screen_type memory_screen = {
    .kind = SCREEN_MEMORY,
    .name = "Memory",
    .create = create,
    .destroy = destroy,
    .recompute = memory_recompute,
    .draw = memory_draw,
    .where = where,
    .answer = answer,
    .status = status,
    .hints = hints,
    .act = memory_act,
    .keep = keep,
    .take = take,
};
