/* The answer in lines: the range, what to run next, how sure it is, what changed beside it, the build at the
 * cursor. */
#include "trend.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "words.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 40, MOST_NOT_RUN = 3, COMMIT_COLUMNS = 7 };

struct side {
    const struct trend_state *state;
    struct line lines[MOST_LINES];
    size_t count;
    bool titles; /* there is room for headings */
    bool brief;  /* there is room for next to nothing */
};

static struct line *next_line(struct side *side)
{
    if (side->count < MOST_LINES)
        side->count++;
    return &side->lines[side->count - 1];
}

static void add_title(struct side *side, const char *title, const char *more)
{
    if (!side->titles)
        return;
    if (side->count)
        next_line(side);

    struct line *line = next_line(side);

    line_add(line, LINE_KEEP, ROLE_TITLE, title);
    line_print(line, 1, ROLE_MUTED, "  %s", more);
}

static int commit_length(const char *commit)
{
    return (int)text_fit(commit, COMMIT_COLUMNS, NULL);
}

/* "last good (413) 77aa0e2  19 Nov" */
static void add_build(struct side *side, const char *what, size_t build, unsigned style)
{
    const struct trend_build *row = &side->state->builds.items[build];
    struct line *line = next_line(side);
    struct word date = word_date(row->night_ms);

    line_print(line, LINE_KEEP, style, "%-9s ", what);
    line_add(line, LINE_KEEP, ROLE_CHROME, row->name)->least = 6;
    if (row->commit)
        line_print(line, 2, ROLE_CHROME, " %.*s", commit_length(row->commit), row->commit);
    if (strlen(date.text) > 6) /* without its time */
        line_print(line, 4, ROLE_MUTED, "  %.*s", (int)strlen(date.text) - 6, date.text);
}

static void add_commits(struct side *side)
{
    const struct trend_state *state = side->state;
    const char *from = state->builds.items[state->range.last_good].commit,
               *to = state->builds.items[state->range.first_bad].commit;

    if (!from || !to)
        return;

    char *text = memory_print("commits   %.*s..%.*s", commit_length(from), from, commit_length(to), to);

    line_add_two(next_line(side), LINE_KEEP, ROLE_CHROME, text, text + strlen("commits   "));
    free(text);
}

static void add_next(struct side *side)
{
    const struct trend_state *state = side->state;
    struct line *line = next_line(side);

    if (state->range.next == SIZE_MAX) {
        line_add_two(line, LINE_KEEP, ROLE_CHROME, "next: nothing between, it is this build",
                     "next: it is this build");
        return;
    }
    line_print(line, LINE_KEEP, ROLE_DECIDE | STYLE_BOLD, "next: run %s here",
               trend_build_name(state, state->range.next));
    line_add(line, 3, ROLE_CHROME, state->range.not_run > 1 ? ", halves it" : ", settles it");
}

static void add_range(struct side *side)
{
    const struct trend_state *state = side->state;
    const struct change_point *change = &state->history->change;
    bool worse = !change->found || change->after > change->before;

    if (!state->has_range)
        return;
    if (side->brief) { /* the one line that leads to something */
        add_next(side);
        return;
    }
    add_title(side, "RANGE", state->range_moved ? "moved by hand, = puts it back" : "on this device");
    if (state->range.last_good == SIZE_MAX) {
        line_add(next_line(side), LINE_KEEP, ROLE_MISSING, "no build with runs before it");
        return;
    }
    add_build(side, worse ? "last good" : "before", state->range.last_good, ROLE_GOOD);
    for (size_t b = state->range.last_good + 1; b < state->range.first_bad; b++) {
        if (state->range.not_run > MOST_NOT_RUN && b == state->range.last_good + MOST_NOT_RUN) {
            line_print(next_line(side), LINE_KEEP, ROLE_MUTED, "not run   %zu more",
                       state->range.not_run - MOST_NOT_RUN + 1);
            break;
        }
        add_build(side, "not run", b, ROLE_MUTED);
    }
    add_build(side, worse ? "first bad" : "after", state->range.first_bad, worse ? ROLE_BAD : ROLE_GOOD);
    add_commits(side);
    add_next(side);
}

/* "OS 13 → 14 at (417): later" */
static void add_lane(struct side *side, enum trend_lane lane, size_t at)
{
    const struct trend_state *state = side->state;
    const char *when = "", *before = "";
    unsigned style = ROLE_CHROME;
    struct line *line = next_line(side);
    const char *after = state->builds.items[at].lanes[lane];
    size_t skipped = trend_lane_start(state, lane);

    for (size_t b = 0; b < at; b++)
        if (state->history->builds[b].has_frames)
            before = state->builds.items[b].lanes[lane];
    if (state->has_range && at > state->range.first_bad)
        when = ": later";
    else if (state->has_range && (state->range.last_good == SIZE_MAX || at <= state->range.last_good))
        when = ": earlier";
    else if (state->has_range) {
        when = ": at the step";
        style = ROLE_WARNING;
    }
    line_add(line, LINE_KEEP, style, trend_lane_title(lane, INT_MAX));
    line_print(line, 3, style, " %s → %s", *before ? before + skipped : "none",
               *after ? after + skipped : "none")
        ->least = 8;
    line_print(line, LINE_KEEP, style, " at %s%s", trend_build_name(state, at), when);
}

static void add_lanes(struct side *side)
{
    struct text_buffer equal = {0};
    int count = 0;

    for (int lane = 0; lane < TREND_LANES; lane++) {
        size_t at = trend_lane_change(side->state, (enum trend_lane)lane);

        if (at == SIZE_MAX)
            text_add_print(&equal, "%s%s", equal.count ? ", " : "",
                           trend_lane_title((enum trend_lane)lane, INT_MAX));
        else
            add_lane(side, (enum trend_lane)lane, at);
        count += at == SIZE_MAX;
    }
    if (equal.count)
        line_print(next_line(side), LINE_KEEP, ROLE_CHROME, "%s: equal", equal.items)->short_text =
            memory_copy_text(count == TREND_LANES ? "OS, heat, …: equal" : "else equal");
    array_free(&equal);
}

/* What stands in brackets can be left out. */
static void add_trust(struct side *side)
{
    const struct change_point *change = &side->state->history->change;
    const char *text = change->found ? change_point_trust(change) : "no step (it would have p < 0.001)";
    char *brief = memory_copy_bytes(text, strcspn(text, "("));

    line_add_two(next_line(side), LINE_KEEP, ROLE_CHROME, text, brief);
    free(brief);
}

static void add_evidence(struct side *side)
{
    const struct change_point *change = &side->state->history->change;

    add_title(side, "EVIDENCE", "");
    if (isnan(change->t))
        line_add_two(next_line(side), LINE_KEEP, ROLE_MISSING, "history short: under 5 runs on a side",
                     "history short (< 5 runs)");
    else {
        struct line *line = next_line(side);

        line_print(line, LINE_KEEP, ROLE_CHROME, "%zu night%s | %zu", change->builds_before,
                   text_plural((int64_t)change->builds_before), change->builds_after);
        line_print(line, LINE_KEEP, ROLE_CHROME, ": p %s",
                   change->p < 0.0001 ? "< 0.0001" : word_number(change->p, 4).text);
        add_trust(side);
    }
    add_lanes(side);
}

static unsigned verdict_style(enum verdict verdict)
{
    return verdict == VERDICT_NEW || verdict == VERDICT_BACK || verdict == VERDICT_WORSE ? ROLE_BAD
           : verdict == VERDICT_BETTER || verdict == VERDICT_GONE                        ? ROLE_GOOD
                                                                                         : ROLE_CHROME;
}

static void add_comparisons(struct side *side)
{
    const struct trend_state *state = side->state;

    if (state->now == SIZE_MAX)
        return;
    add_title(side, "COMPARED", trend_build_name(state, state->now));
    for (size_t i = 0; i < state->comparisons.count; i++) {
        const struct trend_comparison *comparison = &state->comparisons.items[i];
        struct line *line = next_line(side);

        line_print(line, LINE_KEEP, ROLE_BASELINE, "vs %s",
                   word_short_build(state->session->model, comparison->build).text)
            ->least = 8;
        if (!isnan(comparison->delta))
            line_print(line, LINE_KEEP, ROLE_CHROME, " %s", trend_signed(comparison->delta).text);
        line_print(line, LINE_KEEP, verdict_style(comparison->verdict), " %s",
                   comparison->verdict == VERDICT_NONE ? "not comparable"
                                                       : verdict_name(comparison->verdict));
        if (*comparison->what)
            line_print(line, 2, ROLE_MUTED, " %s", comparison->what);
    }
    if (!state->comparisons.count)
        line_add(next_line(side), LINE_KEEP, ROLE_MISSING, "no baseline");
    if (!isnan(state->alert) && state->history->builds[state->now].median <= state->alert)
        line_add_two(next_line(side), 1, ROLE_CHROME,
                     state->subject.event < 0 ? "under the alert threshold: no stutter"
                                              : "median under the alert threshold",
                     "under alert");
}

/* The build at the cursor, run by run. */
static void add_cursor(struct side *side)
{
    const struct trend_state *state = side->state;
    size_t b = (size_t)state->cursor.selected;
    const struct history_build *build = &state->history->builds[b];
    struct line *line;
    struct text_buffer runs = {0};

    add_title(side, "AT THE CURSOR", trend_build_name(state, b));
    line = next_line(side);
    if (!side->titles)
        line_print(line, LINE_KEEP, ROLE_HEAD, "%s ", trend_build_name(state, b));
    if (!build->runs.count) {
        line_add(line, LINE_KEEP, ROLE_MISSING,
                 build->waits        ? "not analysed yet"
                 : build->sampled    ? "sampled"
                 : build->has_frames ? "few frames"
                                     : "not run");
        return;
    }
    line_print(line, LINE_KEEP, ROLE_CHROME, "median %s", trend_number(build->median).text);
    for (size_t i = 0; i < build->runs.count; i++)
        text_add_print(&runs, "%s%s%s", i ? " " : "", trend_number(build->runs.items[i].value).text,
                       build->runs.items[i].odd ? "!" : "");
    line_print(side->titles ? next_line(side) : line, 1, ROLE_CHROME, "%sruns %s", side->titles ? "" : " · ",
               runs.items)
        ->least = 12;
    array_free(&runs);
}

void trend_draw_side(const struct trend_state *state, struct canvas *canvas,
                     const struct trend_layout *layout)
{
    enum { TITLES_FROM = 17 };
    struct side side = {.state = state,
                        .titles = layout->separate && layout->side.rows >= TITLES_FROM,
                        .brief = layout->side.rows < 3};
    struct area area = layout->side;
    int at = 0;

    if (layout->separate) {
        canvas_vertical(canvas, area.row, area.column, area.rows, ROLE_BORDER, "│");
        area_take_left(&area, 2);
    } else
        area_take_left(&area, 1);
    add_range(&side);
    add_comparisons(&side);
    add_evidence(&side);
    add_cursor(&side);

    bool dense = side.count > (size_t)area.rows;

    for (size_t i = 0; i < side.count; i++) {
        bool blank = side.lines[i].count == 0;

        if (at < area.rows && !(blank && dense))
            line_draw(canvas, area.row + at++, area.column, area.columns, &side.lines[i]);
        line_clear(&side.lines[i]);
    }
}
