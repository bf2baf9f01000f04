/*
 * The answer for the cell at the cursor, as lines of parts: beside the map one fact per line, below it a few
 * full lines, in little room the two that matter most.
 */
#include "map.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/view/chart.h"
#include "words.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PANE_LINES 24

struct pane {
    const struct map_state *state;
    const struct map_detail *detail;
    const struct map_row *row;
    const struct map_column *column;
    const struct map_cell *cell;
    const struct stutter_entry *entry;
    bool side;
    struct line lines[PANE_LINES];
    size_t count;
    int trend_line; /* begins with the sparkline; -1: none does */
};

static struct line *next_line(struct pane *pane)
{
    if (pane->count < PANE_LINES)
        pane->count++;
    return &pane->lines[pane->count - 1];
}

/* Goes on in the same line where lines are long, and in a new one where they are short. */
static struct line *same_line(struct pane *pane)
{
    return pane->side ? next_line(pane) : &pane->lines[pane->count - 1];
}

static const char *gap(const struct line *line)
{
    return line->count ? "   " : "";
}

static char *runs_strip(const struct map_detail *detail)
{
    enum { MOST = 24 };
    struct text_buffer strip = {0};
    size_t first = detail->hits.count > MOST ? detail->hits.count - MOST : 0;

    for (size_t i = first; i < detail->hits.count; i++)
        text_add(&strip, detail->hits.items[i] ? "▪" : "▫");
    return text_take(&strip);
}

static const char *event_name(const struct pane *pane)
{
    const char *event = model_text(pane->state->session->model, pane->entry->stutter.event);

    return event ? event : "no event";
}

static unsigned verdict_style(enum verdict verdict)
{
    return verdict == VERDICT_NEW || verdict == VERDICT_BACK || verdict == VERDICT_WORSE
               ? ROLE_DECIDE | STYLE_BOLD
               : ROLE_CHROME;
}

static char *verdict_capitals(enum verdict verdict)
{
    char *name = memory_copy_text(verdict == VERDICT_NONE ? "no verdict" : verdict_name(verdict));

    for (char *at = name; *at; at++)
        if (*at >= 'a' && *at <= 'z')
            *at = (char)(*at - 'a' + 'A');
    return name;
}

/* severity = peak x occurrence x weight */
static void add_formula(struct line *line, const struct pane *pane, bool brief)
{
    const struct stutter_entry *entry = pane->entry;
    double weight = pane->row->what_if,
           severity = entry->weight > 0 ? entry->severity * weight / entry->weight : entry->severity;
    struct word peak = word_ms(entry->stutter.peak_ns), factor = word_number(weight, 2);
    long long hit = entry->stutter.runs_hit, runs = entry->stutter.runs;

    line_print(line, LINE_KEEP, ROLE_CHROME | STYLE_BOLD, "%s%s", gap(line), word_number(severity, 1).text);
    if (brief)
        line_print(line, LINE_KEEP, ROLE_CHROME, " = %s × %lld/%lld × %s", peak.text, hit, runs, factor.text);
    else {
        struct line_part *part =
            line_print(line, LINE_KEEP, ROLE_CHROME, " = peak %s ms × %lld of %lld runs × weight %s",
                       peak.text, hit, runs, factor.text);

        part->short_text = memory_print(" = %s × %lld/%lld × %s", peak.text, hit, runs, factor.text);
    }
    if (weight != entry->weight)
        line_print(line, 2, ROLE_WARNING, " (what if; it is %s)", word_number(entry->weight, 2).text);
}

static void add_strip(struct line *line, const struct pane *pane, int priority)
{
    char *strip = runs_strip(pane->detail);

    if (*strip)
        line_print(line, priority, ROLE_CHROME, "%s%s%s", gap(line), pane->side ? "runs " : "", strip);
    free(strip);
}

static void add_change(struct line *line, const struct pane *pane)
{
    const struct stutter_entry *entry = pane->entry;

    if (entry->baseline_peak_ns == VALUE_UNKNOWN) {
        line_print(line, 1, ROLE_CHROME, "%speak %s", gap(line), word_ms(entry->stutter.peak_ns).text);
        line_add(line, 5, ROLE_CHROME,
                 entry->baseline_build ? " (event not in the baseline)" : " (no baseline)");
        return;
    }
    line_print(line, 1, ROLE_CHROME, "%speak %s → %s", gap(line), word_ms(entry->baseline_peak_ns).text,
               word_ms(entry->stutter.peak_ns).text);
    line_print(line, LINE_KEEP, ROLE_CHROME | STYLE_BOLD, "  (%s)",
               word_signed((double)entry->delta_peak_ns / NS_PER_MS, 1).text);
}

static void add_p99(struct line *line, const struct pane *pane, int priority)
{
    const struct map_detail *detail = pane->detail;

    if (!detail->has_now)
        return;
    if (detail->has_p99)
        line_print(line, priority, ROLE_CHROME, "%sP99 per run %s → %s", gap(line),
                   word_number(detail->p99.before, 1).text, word_number(detail->p99.after, 1).text);
    else
        line_print(line, priority, ROLE_CHROME, "%sP99 pooled %s", gap(line), word_ms(detail->now.p99_ns).text);
}

static void add_lost(struct line *line, const struct pane *pane, int priority)
{
    if (isnan(pane->detail->lost_now))
        return;
    if (isnan(pane->detail->lost_before))
        line_print(line, priority, ROLE_CHROME, "%slost %s ms/s", gap(line),
                   word_number(pane->detail->lost_now, 1).text);
    else
        line_print(line, priority, ROLE_CHROME, "%slost %s → %s ms/s", gap(line),
                   word_number(pane->detail->lost_before, 1).text,
                   word_number(pane->detail->lost_now, 1).text);
}

/* Measured CPU and GPU, then the estimate in its own role. */
static void add_cause(struct line *line, const struct pane *pane, int priority)
{
    const struct stutter_window *window = &pane->detail->window;
    char causes[160];

    if (!pane->detail->has_window)
        return;
    if (window->cpu_at_peak_ns != VALUE_UNKNOWN)
        line_print(line, priority, ROLE_CHROME, "%sCPU %s", gap(line),
                   word_number((double)window->cpu_at_peak_ns / NS_PER_MS, 0).text);
    if (window->gpu_at_peak_ns != VALUE_UNKNOWN)
        line_print(line, priority, ROLE_CHROME, "%s GPU %s", line->count ? "" : gap(line),
                   word_number((double)window->gpu_at_peak_ns / NS_PER_MS, 0).text);
    line_print(line, priority + 1, ROLE_ESTIMATE, "%s%s (est.)", line->count ? "  " : "",
               causes_print(causes, sizeof causes, window));
}

static void add_list(struct line *line, int priority, const char *what, const char *names)
{
    if (!names || !*names)
        return;
    line_print(line, priority, ROLE_TITLE, "%s%s ", gap(line), what);
    line_add(line, priority, ROLE_CHROME, names)->least = 8;
}

static void add_since(struct line *line, const struct pane *pane)
{
    struct model *model = pane->state->session->model;

    if (pane->entry->first_seen_build)
        line_print(line, 2, ROLE_CHROME, "%ssince %s", gap(line),
                   word_short_build(model, pane->entry->first_seen_build).text);
    if (pane->entry->last_clean_build && pane->side)
        line_print(line, 4, ROLE_CHROME, ", last clean %s",
                   word_short_build(model, pane->entry->last_clean_build).text);
}

static void add_trend(struct pane *pane)
{
    struct line *line;
    size_t known = 0;

    for (size_t i = 0; i < pane->detail->trend_count; i++)
        known += !isnan(pane->detail->trend[i]);
    if (known < 2)
        return;
    line = next_line(pane);
    pane->trend_line = (int)pane->count - 1;
    line_print(line, LINE_KEEP, ROLE_MUTED, " %zu builds%s", pane->detail->trend_count,
               pane->entry ? "" : ", P99");
}

static const char *figure_title(enum compared_figure figure)
{
    static const char *const titles[] = {[COMPARED_P95] = "P95",
                                         [COMPARED_P99] = "P99",
                                         [COMPARED_MAX] = "max",
                                         [COMPARED_HITCH_RATIO] = "hitch ratio"};

    return figure < sizeof titles / sizeof *titles ? titles[figure] : "?";
}

static void add_drift(struct pane *pane)
{
    const struct figure_comparison *drift = &pane->detail->drift;
    struct line *line = next_line(pane);

    line_add(line, LINE_KEEP, ROLE_CHROME | STYLE_BOLD, figure_title(pane->cell->drift));
    line_add(line, LINE_KEEP, ROLE_DECIDE | STYLE_BOLD, " WORSE");
    line_print(line, LINE_KEEP, ROLE_CHROME, "   %s → %s", word_number(drift->before, 1).text,
               word_number(drift->after, 1).text);
    line_print(line, 1, ROLE_CHROME, "  (%s)", word_signed(drift->delta, 1).text);
    if (drift->history_short)
        line_add(line, 3, ROLE_CHROME, "   history short");
    else
        line_print(line, 3, ROLE_CHROME, "   noise ±%s", word_number(drift->noise, 1).text);
    line_add(line, 4, ROLE_CHROME, "   whole scene, no stutter of its own");
}

/* A cell without a stutter: the state in words, with the figures that say so. */
static void add_state(struct pane *pane)
{
    const struct map_detail *detail = pane->detail;
    struct model *model = pane->state->session->model;
    struct line *line = next_line(pane);

    switch (pane->cell->heat.state) {
    case STATE_NONE:
        line_add(line, LINE_KEEP, ROLE_CHROME, "no frames here, and none are expected");
        return;
    case STATE_MISSING:
        line_add(line, LINE_KEEP, ROLE_MISSING, "MISSING");
        line_print(line, LINE_KEEP, ROLE_CHROME, " expected here, no run in this build");
        if (pane->row->sentence)
            line_print(line, 1, ROLE_CHROME, "   last upload %s, missing since %s",
                       model_build_name(model, pane->row->last),
                       word_short_build(model, pane->row->since).text);
        return;
    case STATE_SLOW:
        line_add(line, LINE_KEEP, ROLE_WARNING, "SLOW");
        line_print(line, LINE_KEEP, ROLE_CHROME,
                   " more than half of the frames over 1.5 × budget: median %s ms, budget %s",
                   word_number(detail->now.median_ns / NS_PER_MS, 1).text, word_ms(detail->budget_ns).text);
        break;
    case STATE_FEW:
        line_print(line, LINE_KEEP, ROLE_WARNING, "few frames");
        line_print(line, LINE_KEEP, ROLE_CHROME, " (%lld kept): shown, never compared",
                   (long long)detail->now.frames_kept);
        break;
    case STATE_SAMPLED:
        line_add(line, LINE_KEEP, ROLE_WARNING, "sampled ~");
        line_add(line, LINE_KEEP, ROLE_CHROME,
                 " frames are missing everywhere: figures of the samples, no stutters, no verdict");
        break;
    case STATE_CLEAN:
    case STATE_DATA:
        line_add(line, LINE_KEEP, ROLE_GOOD, "clean");
        line_add(line, LINE_KEEP, ROLE_CHROME, " no gameplay stutter");
        break;
    }
    line_print(line, 2, ROLE_CHROME, "   %lld run%s, %s", (long long)detail->runs, text_plural(detail->runs),
               word_duration(detail->play_ns).text);
}

static void add_figures(struct pane *pane)
{
    const struct map_detail *detail = pane->detail;
    struct line *line;

    if (pane->cell->heat.flags & FIGURE_SPIKE_ONLY)
        line_add(next_line(pane), LINE_KEEP, ROLE_WARNING, "spikes only: windows, no percentiles, no median");

    if (!detail->has_now)
        return;
    line = next_line(pane);
    line_print(line, 3, ROLE_CHROME, "median %s", word_number(detail->now.median_ns / NS_PER_MS, 1).text);
    add_p99(line, pane, LINE_KEEP);
    line_print(line, 2, ROLE_CHROME, "   max %s", word_ms(detail->now.max_ns).text);
    line_print(line, 4, ROLE_CHROME, "   over %s ms: %s of %lld frames", word_ms(detail->alert_ns).text,
               word_count(detail->now.over).text, (long long)detail->now.frames);
}

static void build_stutter(struct pane *pane)
{
    struct line *line = next_line(pane);
    char *verdict = verdict_capitals(pane->entry->verdict);

    line_add(line, LINE_KEEP, ROLE_CHROME | STYLE_BOLD, event_name(pane))->least = 8;
    line_print(line, LINE_KEEP, verdict_style(pane->entry->verdict), "  %s", verdict);
    free(verdict);
    add_formula(same_line(pane), pane, false);
    line = same_line(pane);
    add_strip(line, pane, 1);
    add_list(line, 6, "", pane->detail->qualities);

    line = next_line(pane);
    add_change(line, pane);
    line = same_line(pane);
    add_p99(line, pane, 3);
    add_lost(line, pane, 4);
    add_cause(same_line(pane), pane, 5);

    if (pane->cell->heat.flags & FIGURE_SPIKE_ONLY)
        line_add(line, 1, ROLE_WARNING, "   spikes only: no percentiles");
    add_trend(pane);
    line = pane->trend_line >= 0 ? &pane->lines[pane->trend_line] : next_line(pane);
    add_since(line, pane);
    add_list(same_line(pane), 3, "also", pane->detail->also);
    add_list(same_line(pane), 4, "clean", pane->detail->clean);
    add_list(same_line(pane), 5, "unclear", pane->detail->unclear);
    if (pane->entry->reason[0])
        add_list(next_line(pane), 1, "why", pane->entry->reason);
}

/* What the cells show when it is no frame time, since nothing else of the pane says it. */
static void add_measured(struct pane *pane)
{
    const struct heat_cell *heat = &pane->cell->heat;
    const struct metric_info *metric = &metrics[pane->state->session->metric];
    struct line *line = next_line(pane);

    line_add(line, LINE_KEEP, ROLE_TITLE, metric->title);
    if (isnan(heat->value)) {
        line_add(line, LINE_KEEP, ROLE_CHROME, " not recorded here");
        return;
    }
    line_print(line, LINE_KEEP, ROLE_CHROME | STYLE_BOLD, " %s %s",
               word_number(map_shown(pane->state, heat->value), 1).text, metric->shown_unit);
    if (isnan(heat->delta))
        line_add(line, 2, ROLE_CHROME, "  nothing alike to compare with");
    else
        line_print(line, 1, ROLE_CHROME, "  (%s)", word_signed(map_shown(pane->state, heat->delta), 1).text);
    if (pane->state->session->metric == METRIC_MEMORY)
        line_add(line, 3, ROLE_MUTED, "   8 shows its categories");
}

static void build(struct pane *pane)
{
    if (map_is_measured(pane->state->session->metric))
        add_measured(pane);
    if (pane->entry && pane->cell->drift == MAP_NO_DRIFT)
        build_stutter(pane);
    else {
        if (pane->cell->drift != MAP_NO_DRIFT) {
            add_drift(pane);
            if (pane->detail->drift.reason[0])
                add_list(next_line(pane), 1, "why", pane->detail->drift.reason);
        } else
            add_state(pane);
        add_figures(pane);
        add_trend(pane);
    }
    if (pane->detail->others[0])
        add_list(next_line(pane), 1, "also here", pane->detail->others);
}

/* "peak +60.8  P99 +0.8  lost 1.9 ms/s  CPU 76 GPU 15: CPU-bound (est.)  ▪▪▫▪▪" */
static void build_brief_figures(struct pane *pane, struct line *line)
{
    const struct map_detail *detail = pane->detail;
    const struct stutter_window *window = &detail->window;
    char causes[160], *strip = runs_strip(detail);

    if (pane->entry->delta_peak_ns != VALUE_UNKNOWN)
        line_print(line, LINE_KEEP, ROLE_CHROME | STYLE_BOLD, "peak %s",
                   word_signed((double)pane->entry->delta_peak_ns / NS_PER_MS, 1).text);
    else
        line_print(line, LINE_KEEP, ROLE_CHROME, "peak %s", word_ms(pane->entry->stutter.peak_ns).text);
    if (pane->cell->heat.flags & FIGURE_SPIKE_ONLY)
        line_add(line, 1, ROLE_WARNING, "  spikes only");
    if (detail->has_p99)
        line_print(line, 3, ROLE_CHROME, "  P99 %s%s", detail->p99.delta == 0 ? "±" : "",
                   word_signed(detail->p99.delta, 1).text);
    if (!isnan(detail->lost_now))
        line_print(line, 5, ROLE_CHROME, "  lost %s ms/s", word_number(detail->lost_now, 1).text);
    if (detail->has_window && window->cpu_at_peak_ns != VALUE_UNKNOWN)
        line_print(line, 4, ROLE_CHROME, "  CPU %s",
                   word_number((double)window->cpu_at_peak_ns / NS_PER_MS, 0).text);
    if (detail->has_window && window->gpu_at_peak_ns != VALUE_UNKNOWN)
        line_print(line, 4, ROLE_CHROME, "  GPU %s",
                   word_number((double)window->gpu_at_peak_ns / NS_PER_MS, 0).text);
    if (detail->has_window)
        line_print(line, 2, ROLE_ESTIMATE, "  %s (est.)", causes_print(causes, sizeof causes, window))
            ->least = 12;
    line_print(line, 1, ROLE_CHROME, "  %s", strip);
    free(strip);
}

/* Two lines say what matters most. */
static void build_brief(struct pane *pane, const char *name)
{
    struct model *model = pane->state->session->model;
    const char *quality =
        model_quality_name(model, pane->entry ? pane->entry->stutter.key.quality : pane->cell->heat.quality);
    struct line *line = next_line(pane);

    line_print(line, LINE_KEEP, ROLE_TITLE, "%s × %s", name, pane->column->name);
    if (quality)
        line_print(line, 3, ROLE_CHROME, " %s", quality);
    line_print(line, 4, ROLE_CHROME, " %s FPS", word_number((double)pane->detail->fps_milli / 1000, 0).text);
    line_add(line, LINE_KEEP, ROLE_CHROME, "   ");
    if (!pane->entry || pane->cell->drift != MAP_NO_DRIFT) {
        pane->count = 0; /* its first line goes on behind what is there */
        build(pane);
        return;
    }

    char *verdict = verdict_capitals(pane->entry->verdict);

    line_add(line, 1, ROLE_CHROME | STYLE_BOLD, event_name(pane))->least = 8;
    line_print(line, LINE_KEEP, verdict_style(pane->entry->verdict), " %s", verdict);
    free(verdict);
    add_formula(line, pane, true);
    build_brief_figures(pane, next_line(pane));
}

static void draw_lines(struct pane *pane, struct canvas *canvas, struct area area)
{
    for (int i = 0; i < area.rows && i < (int)pane->count; i++) {
        int at = area.column;

        if (i == pane->trend_line) {
            double high = 0;
            size_t shown = pane->detail->trend_count, room = (size_t)(area.columns / 3) * 2;
            const double *values = pane->detail->trend + (shown > room ? shown - room : 0);

            shown = shown > room ? room : shown;
            for (size_t b = 0; b < shown; b++)
                high = values[b] > high ? values[b] : high;
            at += chart_put_sparkline(canvas, area.row + i, at, ROLE_LANE_1, values, shown, 0, high);
        }
        line_draw(canvas, area.row + i, at, area.column + area.columns - at, &pane->lines[i]);
    }
}

/* With the budget where there is room for all of it. */
static char *title_of(const struct pane *pane, int columns)
{
    struct model *model = pane->state->session->model;
    const char *quality =
        model_quality_name(model, pane->entry ? pane->entry->stutter.key.quality : pane->cell->heat.quality);
    struct word fps = word_number((double)pane->detail->fps_milli / 1000, 0),
                budget = word_ms(pane->detail->budget_ns);
    char *title = memory_print("%s × %s%s%s · %s FPS", pane->row->title, pane->column->name,
                               quality ? " · " : "", quality ? quality : "", fps.text);
    char *whole = memory_print("%s · budget %s · alert %s ms", title, budget.text,
                               word_ms(pane->detail->alert_ns).text);

    if ((int)text_width(whole) <= columns) {
        free(title);
        return whole;
    }
    free(whole);
    return title;
}

static void draw_boxed(struct pane *pane, struct canvas *canvas, struct area area)
{
    struct area inside = {area.row + 1, area.column + 2, area.rows - 2, area.columns - 4};
    char *title = title_of(pane, area.columns - 8);
    char *fitting = text_cut_end(title, (size_t)(area.columns > 8 ? area.columns - 8 : 0), "…");

    canvas_box(canvas, area, ROLE_BORDER, fitting);
    build(pane);
    draw_lines(pane, canvas, inside);
    free(fitting);
    free(title);
}

void map_draw_pane(const struct map_state *state, struct canvas *canvas, const struct map_layout *layout)
{
    struct pane pane = {.state = state,
                        .detail = &state->detail,
                        .row = map_row_here(state),
                        .column = map_column_here(state),
                        .cell = map_cell_here(state),
                        .side = layout->side,
                        .trend_line = -1};
    struct area area = layout->pane;

    if (!state->detail.known || !pane.cell || area.rows <= 0)
        return;
    pane.entry = map_entry_of(state, pane.cell);
    if (layout->boxed)
        draw_boxed(&pane, canvas, area);
    else {
        if (area.rows > 1)
            canvas_horizontal(canvas, area.row, area.column, area.columns, ROLE_BORDER, "─");
        if (area.rows > 1)
            area_take_top(&area, 1);
        area_take_left(&area, 1);
        build_brief(&pane, pane.row->title);
        draw_lines(&pane, canvas, area);
    }
    for (size_t i = 0; i < PANE_LINES; i++)
        line_clear(&pane.lines[i]);
}
