/* The Map: device x scene. What it shows is found in map_data.c, drawn in map_draw.c; here are its lines and
 * its table. */
#include "map.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/view/filtering.h"
#include "stutterscope/view/screens.h"
#include "words.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *create(struct session *session)
{
    struct map_state *state = memory_take_zeroed(1, sizeof *state);

    state->session = session;
    state->came_for = SIZE_MAX;
    return state;
}

static void destroy(void *user)
{
    struct map_state *state = user;

    map_clear(state);
    free(state->what_if);
    finder_set(&state->finder, NULL);
    free(state);
}

/* Which build against which: "1.8.0(421) a1b2c3d  27 Nov 02:10  vs 1.7.9(418) pinned". */
static void where(const void *user, struct line *line)
{
    const struct map_state *state = user;
    const struct session *session = state->session;
    const struct build_row *build = model_build(session->model, session->build);
    const char *quality = session->quality < 0 ? NULL : model_quality_name(session->model, session->quality);

    if (!build) {
        line_add(line, LINE_KEEP, ROLE_CHROME, "no build");
        return;
    }
    line_add(line, LINE_KEEP, ROLE_CHROME | STYLE_BOLD, build->name)->least = 6;
    if (build->commit)
        line_print(line, 6, ROLE_CHROME, " %.*s", (int)text_fit(build->commit, 7, NULL), build->commit);
    line_print(line, 7, ROLE_CHROME, "  %s", word_date(build->built_at_ms).text);
    if (!state->baseline)
        line_add(line, 1, ROLE_BASELINE, "  no baseline");
    else {
        line_print(line, LINE_KEEP, ROLE_BASELINE, "  %s %s", session->shows_delta ? "Δ to" : "vs",
                   model_build_name(session->model, state->baseline))
            ->least = 6;
        if (session->baseline)
            line_add(line, 3, ROLE_BASELINE, " chosen");
        else if (model_pin(session->model, 0, 0) == state->baseline)
            line_add(line, 3, ROLE_BASELINE, " pinned");
    }
    filtering_show(session, line);
    line_add_right(line, 2, ROLE_CHROME, "  ");
    line_add_right(line, 2, ROLE_CHROME, metrics[session->metric].title);
    if (quality || session->quality == 0)
        line_print(line, 4, ROLE_CHROME, " · %s ", quality ? quality : "unknown quality")->right = true;
    else
        line_add_right(line, 4, ROLE_CHROME, state->qualities > 1 ? " · worst quality " : " ");
}

#define LEAST_OF_NAME 7

static void add_open(struct line *line, const struct map_open *open, int priority)
{
    const char *gap = line->count > 1 ? " · " : "   ";
    struct line_part *part;

    if (open->item.kind == OPEN_SILENT) {
        line_add(line, LINE_KEEP, ROLE_ANSWER, gap);
        line_print(line, LINE_KEEP, ROLE_MISSING, "%s silent", open->text);
        return;
    }
    if (open->item.kind == OPEN_STUTTER && open->item.devices > 1) {
        part = line_print(line, priority, ROLE_ANSWER, "%s%s %s ×%zu", gap, open->text,
                          verdict_name(open->item.verdict), open->item.devices);
        part->short_text = memory_print("%s%s ×%zu", gap, open->text, open->item.devices);
    } else if (open->item.kind == OPEN_STUTTER) {
        part = line_print(line, priority, ROLE_ANSWER, "%s%s %s", gap, open->text,
                          verdict_name(open->item.verdict));
        part->short_text = memory_print("%s%s", gap, open->text);
    } else
        part = line_print(line, priority, ROLE_ANSWER, "%s%s %s", gap, open->text,
                          open->item.kind == OPEN_DRIFT  ? "slower"
                          : open->item.kind == OPEN_SLOW ? "slow"
                                                         : "partial");
    part->least = LEAST_OF_NAME; /* a name that is cut says that there are more */
}

static void answer(const void *user, struct line *line)
{
    enum { NAMED_SILENT = 2 };
    const struct map_state *state = user;
    size_t silent = 0;

    if (state->empty) {
        line_add(line, LINE_KEEP, ROLE_ANSWER | STYLE_BOLD, "NO RUNS YET");
        return;
    }
    if (!state->open.count) {
        line_add(line, LINE_KEEP, ROLE_ANSWER | STYLE_BOLD, "NOTHING TO DECIDE");
        line_print(line, 1, ROLE_ANSWER, "   %lld stutter%s known or unclear", (long long)state->stutters,
                   text_plural(state->stutters));
    } else
        line_print(line, LINE_KEEP, ROLE_ANSWER | STYLE_BOLD, "%zu TO DECIDE", state->open.count);
    if (state->session->as_it_is)
        line_add(line, 1, ROLE_MISSING, " so far");
    for (size_t i = 0; i < state->open.count; i++) {
        silent += state->open.items[i].item.kind == OPEN_SILENT;
        if (state->open.items[i].item.kind != OPEN_SILENT || silent <= NAMED_SILENT)
            add_open(line, &state->open.items[i], i < 7 ? (int)i + 2 : 9);
    }
    if (silent > NAMED_SILENT)
        line_print(line, LINE_KEEP, ROLE_MISSING, " +%zu silent", silent - NAMED_SILENT);
}

static void status(const void *user, struct line *line)
{
    const struct map_state *state = user;
    int open = map_open_here(state);

    if (state->empty)
        return;
    if (state->rows_of != MAP_DEVICES)
        line_print(line, 1, ROLE_STATUS, "rows are %s (a) · ", map_rows_title(state->rows_of));
    line_print(line, 2, ROLE_STATUS, "%s%s", state->sort == MAP_BY_TIER ? "by tier" : "worst first",
               state->descending ? ", reversed" : "");
    if (!state->session->filter)
        line_add(line, 4, ROLE_STATUS, " · no filter");
    else
        line_add(line, 1, ROLE_STATUS,
                 state->hidden ? " · the filter hides some" : " · the filter hides nothing");
    if (state->transitions)
        line_print(line, 3, ROLE_STATUS, " · %lld transition window%s %s (z)", (long long)state->transitions,
                   text_plural(state->transitions), state->session->shows_folded ? "shown" : "folded");
    if (state->session->marked.count)
        line_print(line, 1, ROLE_MARKED, " · %zu marked", state->session->marked.count);
    if (open >= 0)
        line_print(line, 1, ROLE_STATUS, "  %d of %zu to decide ", open + 1, state->open.count)->right = true;
}

static const struct hint hints[] = {
    {{ACTION_LEFT, ACTION_DOWN, ACTION_UP, ACTION_RIGHT}, "move"},
    {{ACTION_ENTER}, "deeper"},
    {{ACTION_NEXT_OPEN}, "next to decide"},
    {{ACTION_WHAT}, "metric"},
    {{ACTION_WHY}, "why"},
    {{ACTION_COMPARE}, "Δ"},
    {{ACTION_FILTER}, "filter"},
    {{ACTION_NONE}, NULL},
};

const struct screen_type map_screen = {
    .kind = SCREEN_MAP,
    .name = "Map",
    .create = create,
    .destroy = destroy,
    .recompute = map_recompute,
    .draw = map_draw,
    .where = where,
    .answer = answer,
    .status = status,
    .hints = hints,
    .act = map_act,
    .work = map_work,
    .stop_work = map_stop_work,
    .keep = map_keep,
    .take = map_take,
};
