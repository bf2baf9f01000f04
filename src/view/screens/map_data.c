/* What the Map shows, asked from the model and copied. */
#include "map.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/model/findings.h"
#include "stutterscope/base/text.h"
#include "words.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool map_is_open(const struct stutter_entry *entry)
{
    return stutter_is_open(entry) && entry->triage.state == TRIAGE_UNDECIDED;
}

double map_lost(const struct stutter *stutter)
{
    return stutter->play_ns > 0 ? 1000.0 * (double)stutter->excess_ns / (double)stutter->play_ns : NAN;
}

const struct map_cell *map_cell_at(const struct map_state *state, int row, int column)
{
    if (row < 0 || column < 0 || (size_t)row >= state->rows.count || (size_t)column >= state->columns.count)
        return NULL;
    return &state->cells[(size_t)row * state->columns.count + (size_t)column];
}

const struct map_cell *map_cell_here(const struct map_state *state)
{
    size_t member = state->rows_of == MAP_DEVICES ? SIZE_MAX : map_member_here(state);

    return member < state->members.count && (size_t)state->column.selected < state->columns.count
               ? map_device_cell(state, member, state->column.selected)
               : map_cell_at(state, state->row.selected, state->column.selected);
}

const struct map_row *map_row_here(const struct map_state *state)
{
    size_t member = state->rows_of == MAP_DEVICES ? SIZE_MAX : map_member_here(state);

    if (member < state->members.count)
        return &state->members.items[member];
    return (size_t)state->row.selected < state->rows.count ? &state->rows.items[state->row.selected] : NULL;
}

const struct map_column *map_column_here(const struct map_state *state)
{
    return (size_t)state->column.selected < state->columns.count
               ? &state->columns.items[state->column.selected]
               : NULL;
}

const struct stutter_entry *map_entry_of(const struct map_state *state, const struct map_cell *cell)
{
    return cell && cell->entry < state->entries.count ? &state->entries.items[cell->entry] : NULL;
}

double map_value(const struct map_state *state, const struct map_row *row, const struct map_cell *cell)
{
    if (state->rows_of != MAP_DEVICES && row->devices && cell->member < state->members.count)
        row = &state->members.items[cell->member];

    double value = state->session->shows_delta ? cell->heat.delta : cell->heat.value;

    /* Only severity knows weights; a delta is one of the peak. */
    if (state->session->metric == METRIC_SEVERITY && !state->session->shows_delta && row->weight > 0)
        value *= row->what_if / row->weight;
    return value;
}

double map_shown(const struct map_state *state, double value)
{
    double per = metrics[state->session->metric].per_shown;

    return per > 0 ? value / per : value;
}

bool map_is_measured(enum metric metric)
{
    return metric == METRIC_GC || metric == METRIC_MEMORY;
}

int map_step(const struct map_state *state, double value)
{
    int step = 0;

    for (size_t i = 0; value > 0 && i < sizeof state->quantiles / sizeof *state->quantiles; i++)
        step += value >= state->quantiles[i];
    return step;
}

static void clear_rows(struct map_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        free(rows->items[i].title);
        free(rows->items[i].tier);
        free(rows->items[i].sentence);
        free(rows->items[i].group);
    }
    array_free(rows);
}

void map_clear(struct map_state *state)
{
    clear_rows(&state->rows);
    clear_rows(&state->members);
    free(state->member_cells);
    state->member_cells = NULL;
    for (size_t i = 0; i < state->columns.count; i++)
        free(state->columns.items[i].name);
    array_free(&state->columns);
    for (size_t i = 0; i < state->entries.count; i++)
        array_free(&state->entries.items[i].clean_devices);
    array_free(&state->entries);
    map_index_clear(state);
    for (size_t i = 0; i < state->open.count; i++)
        free(state->open.items[i].text);
    array_free(&state->open);
    array_free(&state->verify);
    state->verify_at = -1;
    array_free(&state->places);
    free(state->cells);
    free(state->row_sums);
    free(state->column_sums);
    state->cells = NULL;
    state->row_sums = state->column_sums = NULL;
    map_clear_detail(&state->detail);
}

/* ---- copying ---- */

struct map_work {
    struct map_state *state;
    struct model *model;
    const struct heatmap *heatmap;
    const struct coverage *coverage;
};

static void copy_entries(struct map_state *state, const struct stutter_entries *entries)
{
    for (size_t i = 0; i < entries->count; i++) {
        struct stutter_entry copy = entries->items[i];

        memset(&copy.clean_devices, 0, sizeof copy.clean_devices);
        for (size_t j = 0; j < entries->items[i].clean_devices.count; j++)
            array_push(&copy.clean_devices, entries->items[i].clean_devices.items[j]);
        array_push(&state->entries, copy);
        state->stutters += copy.present && copy.stutter.label == LABEL_GAMEPLAY;
        state->transitions += copy.present && copy.stutter.label != LABEL_GAMEPLAY ? copy.stutter.windows : 0;
    }
}

static bool fits_quality(const struct map_state *state, int64_t quality)
{
    return state->session->quality < 0 || state->session->quality == quality;
}

/* What the cell is about: its worst open stutter, else the one that gives its value, else its worst. */
static size_t choose_entry(const struct map_state *state, const struct heat_cell *heat, int64_t device,
                           int64_t scene)
{
    size_t chosen = SIZE_MAX, count;
    const struct map_entry_key *keys = map_entry_keys(state, scene, &count);

    for (size_t i = 0; i < count; i++) {
        const struct stutter_entry *entry = &state->entries.items[keys[i].entry];

        if (keys[i].device != device || !keys[i].present || keys[i].label != LABEL_GAMEPLAY || !fits_quality(state, entry->stutter.key.quality))
            continue;
        if (map_is_open(entry))
            return keys[i].entry;
        if (chosen == SIZE_MAX || (heat->stutter && strcmp(heat->stutter->id, entry->id) == 0))
            chosen = keys[i].entry;
    }
    return chosen;
}

/* The figure of the cell that is worse, the most growth first; only where no stutter says so. */
static enum compared_figure find_drift(const struct map_state *state, const struct map_cell *cell, int64_t device, int64_t scene)
{
    const struct stutter_entry *entry = map_entry_of(state, cell);
    enum compared_figure drift = MAP_NO_DRIFT;
    double most = 0;
    size_t count;
    const struct group_comparison *here = map_comparisons(state, device, scene, &count);

    if (!cell->heat.decide || (entry && map_is_open(entry)))
        return MAP_NO_DRIFT;
    for (size_t i = 0; i < count; i++) {
        if (here[i].figure == COMPARED_MAX || here[i].comparison.verdict != VERDICT_WORSE || !(here[i].comparison.delta_percent > most))
            continue;
        most = here[i].comparison.delta_percent;
        drift = here[i].figure;
    }
    return drift;
}

static char *missing_sentence(const struct map_work *work, const struct coverage_device *device)
{
    int64_t last = model_build_position(work->model, device->cell.last);
    int64_t builds = model_build_position(work->model, work->state->session->build) - last;

    if (!device->cell.last)
        return memory_copy_text("expected, never uploaded");
    return memory_print("no upload for %lld build%s, last %s", (long long)builds, text_plural(builds),
                        word_short_build(work->model, device->cell.last).text);
}

static bool add_row(struct map_work *work, const struct device_row *device)
{
    const struct coverage_device *coverage = coverage_find(work->coverage, device->id);
    struct map_row row = {
        .device = device->id, .fps_milli = device->target_fps_milli, .weight = device->weight};

    if (!coverage ||
        ((coverage->cell.state == COVERAGE_RETIRED || coverage->cell.state == COVERAGE_SKIPPED) &&
         !work->state->session->shows_folded))
        return false;
    row.what_if = row.weight;
    for (size_t i = 0; i < work->state->what_if_count; i++)
        if (work->state->what_if[i].device == device->id)
            row.what_if = work->state->what_if[i].weight;
    row.title = memory_copy_text(model_device_title(device));
    row.tier = memory_copy_text(device->tier ? device->tier : "");
    row.coverage = coverage->cell.state;
    row.runs = coverage->cell.runs;
    row.expected = coverage->cell.expected;
    row.last = coverage->cell.last;
    row.since = coverage->cell.since;
    row.sampled = coverage->sampled_runs > 0;
    if (row.coverage == COVERAGE_MISSING)
        row.sentence = missing_sentence(work, coverage);
    else if (row.coverage == COVERAGE_RETIRED || row.coverage == COVERAGE_SKIPPED)
        row.sentence = memory_print("%s for this build", coverage_state_name(row.coverage));
    array_push(&work->state->rows, row);
    return true;
}

static void copy_cells(struct map_work *work)
{
    struct map_state *state = work->state;
    const struct heatmap *heatmap = work->heatmap;

    for (size_t s = 0; s < heatmap->scenes.count; s++)
        array_push(&state->columns,
                   (struct map_column){heatmap->scenes.items[s]->id,
                                       memory_copy_text(heatmap->scenes.items[s]->text), ' '});
    state->cells =
        memory_take_zeroed(heatmap->devices.count * heatmap->scenes.count + 1, sizeof *state->cells);
    for (size_t d = 0; d < heatmap->devices.count; d++) {
        if (!add_row(work, heatmap->devices.items[d]))
            continue;
        for (size_t s = 0; s < heatmap->scenes.count; s++) {
            int64_t device = heatmap->devices.items[d]->id, scene = heatmap->scenes.items[s]->id;
            struct map_cell *cell = &state->cells[(state->rows.count - 1) * heatmap->scenes.count + s];

            cell->heat = *heatmap_cell(heatmap, d, s);
            cell->entry = choose_entry(state, &cell->heat, device, scene);
            cell->heat.stutter = NULL;
            cell->drift = find_drift(state, cell, device, scene);
            if (cell->heat.value > state->greatest)
                state->greatest = cell->heat.value;
        }
    }
}

/* ---- what is to decide ---- */

static char *open_text(const struct map_work *work, const struct open_item *item)
{
    const char *scene = model_scene_name(work->model, item->scene);
    const char *device = model_device_title(model_device(work->model, item->device));
    const char *event = model_text(work->model, item->event);

    switch (item->kind) {
    case OPEN_STUTTER:
        return event ? memory_copy_text(event) : memory_print("%s, no event", scene ? scene : "?");
    case OPEN_DRIFT:
    case OPEN_SLOW:
        return memory_copy_text(scene ? scene : "?");
    case OPEN_SILENT:
    case OPEN_PARTIAL:
        break;
    }
    return memory_copy_text(device);
}

static void copy_open_items(struct map_work *work, const struct findings *findings)
{
    struct open_items items = {0};

    session_add_open(findings, &items);
    for (size_t i = 0; i < items.count; i++) {
        struct map_open open = {
            .item = items.items[i], .text = open_text(work, &items.items[i]), .severity = NAN};

        open.mark = open.item.kind == OPEN_STUTTER ? verdict_mark(open.item.verdict)
                    : open.item.kind == OPEN_DRIFT || open.item.kind == OPEN_SLOW ? '^'
                                                   : '?';
        if (open.item.worst)
            open.severity = open.item.worst->severity;
        open.item.worst = NULL;
        array_push(&work->state->open, open);
    }
    array_free(&items);
}

static void copy_to_verify(struct map_work *work, const struct findings *findings)
{
    for (size_t l = 0; l < findings->verify_lines.count; l++) {
        const struct verify_item *item = &findings->verify.items[findings->verify_lines.items[l].first];
        struct map_verify verify = {.device = item->subject.key.device, .scene = item->subject.key.scene};

        memcpy(verify.id, item->id, sizeof verify.id);
        array_push(&work->state->verify, verify);
    }
}

static bool copy_findings(struct map_work *work, struct error *error)
{
    struct findings *findings;

    if (!session_findings(work->state->session, &findings, error))
        return false;
    copy_open_items(work, findings);
    copy_to_verify(work, findings);
    findings_destroy(findings);
    return true;
}

static size_t count_qualities(const struct build_results *results)
{
    struct {
        int64_t *items;
        size_t count, capacity;
    } seen = {0};
    size_t count;

    for (size_t g = 0; g < results->groups.count; g++) {
        bool known = false;

        for (size_t i = 0; i < seen.count; i++)
            known |= seen.items[i] == results->groups.items[g].key.quality;
        if (!known)
            array_push(&seen, results->groups.items[g].key.quality);
    }
    count = seen.count;
    array_free(&seen);
    return count;
}

static bool ask_model(struct map_work *work, const struct progress *progress, struct error *error)
{
    struct map_state *state = work->state;
    struct session *session = state->session;
    struct heatmap_request request = {session->build, session->baseline, session->metric, session->quality,
                                      session->as_it_is};
    struct heatmap *heatmap = NULL;
    struct coverage *coverage = NULL;
    const struct stutter_entries *entries = NULL;
    const struct group_comparisons *comparisons = NULL;
    const struct build_results *results = NULL;
    bool good = model_heatmap(work->model, &request, progress, &heatmap, error) &&
                model_coverage(work->model, session->build, &coverage, error);

    if (good) {
        entries = model_stutters(work->model, session->build, session->baseline, session->as_it_is, progress,
                                 error);
        comparisons = model_compare_groups(work->model, session->build, session->baseline, session->as_it_is, progress, error);
        results = model_results(work->model, session->build, true, progress, error);
        good = entries && comparisons && results;
    }
    if (good) {
        work->heatmap = heatmap;
        work->coverage = coverage;
        state->qualities = count_qualities(results);
        state->baseline = heatmap->baseline;
        state->runs = coverage->runs;
        state->expected_runs = coverage->expected_runs;
        memcpy(state->quantiles, heatmap->quantiles, sizeof state->quantiles);
        copy_entries(state, entries);
        map_index_make(state, comparisons);
        copy_cells(work);
        good = copy_findings(work, error);
    }
    heatmap_destroy(heatmap);
    coverage_destroy(coverage);
    return good;
}

bool map_recompute(void *user, const struct progress *progress, struct error *error)
{
    struct map_state *state = user;
    struct map_work work = {.state = state, .model = state->session->model};

    map_clear(state);
    state->stutters = state->transitions = 0;
    state->greatest = 0;
    /* The store may have got its first runs, or lost the build, since the session began. */
    if (model_build_position(work.model, state->session->build) < 0)
        state->session->build = model_newest_build(work.model);
    session_check_results(state->session);
    state->empty = state->session->build == 0;
    if (state->empty)
        return true;
    if (!ask_model(&work, progress, error) || !session_nights(state->session, &state->nights, error)) {
        map_clear(state);
        return false;
    }
    map_arrange(state);
    map_place(state);
    if (state->regrouped) /* what the cell shows comes before who was looked at before */
        state->came_for = SIZE_MAX;
    state->regrouped = false;
    map_choose(state);
    return true;
}
