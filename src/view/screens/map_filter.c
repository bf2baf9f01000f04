/* What the filter leaves of the Map: the cells that fit, and the rows and columns that have such a cell. */
#include "map.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/view/filtering.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* All places before anything was hidden, so that the prompt can count them under any filter. */
void map_note_places(struct map_state *state)
{
    size_t columns = state->columns.count;

    state->places.count = 0;
    for (size_t r = 0; r < state->rows.count; r++)
        for (size_t c = 0; c < columns; c++) {
            const struct map_cell *cell = &state->cells[r * columns + c];

            array_push(&state->places, (struct map_place_facts){
                                           .device = state->rows.items[r].device,
                                           .scene = state->columns.items[c].scene,
                                           .coverage = state->rows.items[r].coverage,
                                           .drift = cell->drift != MAP_NO_DRIFT,
                                           .slow = cell->heat.state == STATE_SLOW,
                                           .decide = cell->heat.decide,
                                           .shown = cell->heat.state != STATE_NONE,
                                       });
        }
    state->place_columns = columns;
}

static bool entry_counts(const struct map_state *state, const struct stutter_entry *entry)
{
    return entry->present && (entry->stutter.label == LABEL_GAMEPLAY || state->session->shows_folded);
}

/* Silent, or with fewer runs than usual, and nobody decided on it. */
static bool device_is_open(const struct map_state *state, int64_t device)
{
    for (size_t i = 0; i < state->open.count; i++) {
        const struct open_item *item = &state->open.items[i].item;

        if ((item->kind == OPEN_SILENT || item->kind == OPEN_PARTIAL) && item->device == device)
            return true;
    }
    return false;
}

/* A place without a stutter, or what is found there beside stutters. */
static bool bare_place_fits(const struct map_state *state, const struct filter *filter, const struct map_place_facts *place)
{
    struct model *model = state->session->model;
    struct filter_subject subject;

    filter_subject_clear(&subject);
    subject.known &= ~(1u << FILTER_QUALITY); /* it may be any */
    filter_subject_device(&subject, model, state->session->build, place->device);
    filter_subject_set(&subject, FILTER_SCENE, model_scene_name(model, place->scene));
    filter_subject_set(&subject, FILTER_BUILD, model_build_name(model, state->session->build));
    if (place->drift || place->slow)
        filter_subject_set(&subject, FILTER_KIND, finding_kind_name(place->drift ? FINDING_DRIFT : FINDING_SLOW));
    else if (place->coverage == COVERAGE_MISSING || place->coverage == COVERAGE_FEWER)
        filter_subject_set(&subject, FILTER_KIND,
                           finding_kind_name(place->coverage == COVERAGE_MISSING ? FINDING_SILENT : FINDING_PARTIAL));
    if (place->drift)
        filter_subject_set(&subject, FILTER_VERDICT, verdict_name(VERDICT_WORSE));
    if (place->decide || device_is_open(state, place->device))
        filter_subject_set(&subject, FILTER_STATE, triage_state_name(TRIAGE_UNDECIDED));
    return filter_fits(filter, &subject);
}

/* fits[places.count], zeroed. */
static void find_fitting(const struct map_state *state, const struct filter *filter, bool *fits)
{
    size_t count = state->places.count, rows = state->place_columns ? count / state->place_columns : 0;
    bool *has_entry = memory_take_zeroed(count + 1, sizeof *has_entry);

    for (size_t i = 0; i < state->entries.count; i++) {
        const struct stutter_entry *entry = &state->entries.items[i];
        struct filter_subject subject;
        size_t row = 0, column = 0;

        if (!entry_counts(state, entry))
            continue;
        while (row < rows && state->places.items[row * state->place_columns].device != entry->stutter.key.device)
            row++;
        while (row < rows && column < state->place_columns && state->places.items[column].scene != entry->stutter.key.scene)
            column++;
        if (row >= rows || column >= state->place_columns)
            continue;
        filter_subject_entry(&subject, state->session->model, entry);
        has_entry[row * state->place_columns + column] = true;
        fits[row * state->place_columns + column] |= filter_fits(filter, &subject);
    }
    for (size_t i = 0; i < count; i++) {
        const struct map_place_facts *place = &state->places.items[i];
        bool bare = !has_entry[i] || place->drift || place->slow;

        fits[i] |= bare && bare_place_fits(state, filter, place);
    }
    free(has_entry);
}

static size_t count_fitting(const void *user, const struct filter *filter, size_t *ret_of)
{
    const struct map_state *state = user;
    bool *fits = memory_take_zeroed(state->places.count + 1, sizeof *fits);
    size_t count = 0;

    *ret_of = 0;
    find_fitting(state, filter, fits);
    for (size_t i = 0; i < state->places.count; i++) {
        *ret_of += state->places.items[i].shown;
        count += state->places.items[i].shown && fits[i];
    }
    free(fits);
    return count;
}

void map_ask_filter(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct map_state *state = user;

    (void)event;
    filtering_ask(state->session, &(struct filtering_scope){"cells", state, count_fitting}, reply);
}

static void drop_row(struct map_state *state, size_t row)
{
    size_t columns = state->columns.count, after = state->rows.count - row - 1;

    free(state->rows.items[row].title);
    free(state->rows.items[row].tier);
    free(state->rows.items[row].sentence);
    memmove(state->rows.items + row, state->rows.items + row + 1, after * sizeof *state->rows.items);
    memmove(state->cells + row * columns, state->cells + (row + 1) * columns,
            after * columns * sizeof *state->cells);
    state->rows.count--;
}

static void drop_column(struct map_state *state, size_t column)
{
    size_t columns = state->columns.count, cells = state->rows.count * columns, kept = 0;

    for (size_t i = 0; i < cells; i++)
        if (i % columns != column)
            state->cells[kept++] = state->cells[i];
    free(state->columns.items[column].name);
    memmove(state->columns.items + column, state->columns.items + column + 1,
            (columns - column - 1) * sizeof *state->columns.items);
    state->columns.count--;
}

/* A row stays while one of its cells fits, and so does a column; a cell that does not fit shows nothing. */
void map_filter(struct map_state *state)
{
    size_t columns = state->columns.count;
    bool *fits = memory_take_zeroed(state->places.count + 1, sizeof *fits);
    bool *row_stays = memory_take_zeroed(state->rows.count + 1, sizeof *row_stays);
    bool *column_stays = memory_take_zeroed(columns + 1, sizeof *column_stays);

    find_fitting(state, state->session->filter, fits);
    for (size_t i = 0; i < state->places.count; i++) {
        if (fits[i] && (state->places.items[i].shown || state->places.items[i].coverage == COVERAGE_MISSING))
            row_stays[i / columns] = column_stays[i % columns] = true;
        if (fits[i])
            continue;
        state->cells[i].heat = (struct heat_cell){
            .state = STATE_NONE, .value = NAN, .delta = NAN, .severity = NAN, .mark = ' ',
            .peak_ns = VALUE_UNKNOWN, .p95_ns = VALUE_UNKNOWN, .p99_ns = VALUE_UNKNOWN};
        state->cells[i].entry = SIZE_MAX;
        state->cells[i].drift = MAP_NO_DRIFT;
        state->hidden = true;
    }
    for (size_t r = state->rows.count; r-- > 0;)
        if (!row_stays[r])
            drop_row(state, r);
    for (size_t c = columns; c-- > 0;)
        if (!column_stays[c])
            drop_column(state, c);
    free(fits);
    free(row_stays);
    free(column_stays);
}
