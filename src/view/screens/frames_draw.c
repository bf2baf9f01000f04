/* Puts the parts of the Frames screen together. */
#include "frames.h"

#include "figure_text.h"
#include "stutterscope/view/line.h"

static unsigned run_style(const struct stutter_run *run, bool here)
{
    if (run->hit)
        return ROLE_DECIDE | (here ? STYLE_CURSOR : 0u);
    return here ? ROLE_CURSOR : ROLE_CHROME;
}

static const char *run_word(const struct frames *frames, const struct stutter_run *run)
{
    if (run->hit || !frames->has_entry || !frames->entry.present)
        return " ";
    return run->can_show ? " clean " : " no windows ";
}

/* "runs 1 92.4   2 71.0   3 clean 30.1": the shown one reversed. */
static void draw_runs(const struct frames *frames, struct canvas *canvas, struct area area)
{
    struct line line = {0};
    line_add(&line, LINE_KEEP, ROLE_HEAD, "runs");
    for (size_t i = 0; i < frames->runs.count; i++) {
        const struct stutter_run *run = &frames->runs.items[i];
        bool here = frames->detail && run->run == frames->detail->run->id;
        int priority = here ? LINE_KEEP : 1 + (int)(i * 8 / frames->runs.count);
        line_print(&line, priority, ROLE_CHROME, "  %s", here ? "" : " ");
        line_print(&line, priority, run_style(run, here), "%s%zu%s%s%s", here ? "[" : "", i + 1,
                   run_word(frames, run), figure_ms(run->peak_ns).text, here ? "]" : "");
    }
    line_draw(canvas, area.row, area.column, area.columns, &line);
    line_clear(&line);
}

/* How often the event was met, here and in the baseline. */
static void draw_seen(const struct frames *frames, struct canvas *canvas, struct area area)
{
    const struct stutter_entry *entry = &frames->entry;
    const char *event = model_text(frames->session->model, entry->stutter.event);
    struct line line = {0};
    if (!frames->has_entry)
        return;
    if (entry->present && event)
        line_print(&line, LINE_KEEP, ROLE_CHROME, "%s seen %s×, hit in %s runs", event,
                   figure_grouped(entry->stutter.seen).text,
                   figure_share(entry->stutter.runs_hit, entry->stutter.runs).text);
    else if (entry->present)
        line_print(&line, LINE_KEEP, ROLE_CHROME, "no event, hit in %s runs",
                   figure_share(entry->stutter.runs_hit, entry->stutter.runs).text);
    if (!entry->present)
        line_print(&line, LINE_KEEP, ROLE_CHROME, "%s: no such stutter in this build",
                   event ? event : "no event");
    else if (frames->baseline && entry->baseline_peak_ns != VALUE_UNKNOWN)
        line_print(&line, 1, ROLE_BASELINE, " · %s: %s ms at most", frames->baseline,
                   figure_ms(entry->baseline_peak_ns).text);
    else if (frames->baseline)
        line_print(&line, 1, ROLE_BASELINE, " · %s: event not met", frames->baseline);
    else
        line_add(&line, 1, ROLE_MISSING, " · no baseline");
    line_draw(canvas, area.row, area.column, area.columns, &line);
    line_clear(&line);
}

static void draw_nothing(const struct frames *frames, struct canvas *canvas, struct area area)
{
    const char *text =
        !frames->session->build ? "The store is empty: `stutterscope import FILE` puts telemetry into it."
        : frames->waits         ? "Not analysed yet: this is shown as soon as it is."
                                : "There is nothing to show here: no run of this device in this build. "
                                  "1 Map chooses another cell.";
    area_take_left(&area, 2);
    canvas_put_wrapped(canvas, area, ROLE_CHROME, text);
}

void frames_draw(const void *state, struct canvas *canvas, struct area area)
{
    const struct frames *frames = state;
    struct frames_layout layout;
    if (area.rows < 1 || area.columns < 8)
        return;
    if (frames->detail == NULL || frames->detail->count == 0) {
        draw_nothing(frames, canvas, area);
        return;
    }
    frames_lay(frames, area, &layout);
    frames_draw_strip(frames, canvas, layout.strip);
    frames_draw_chart(frames, canvas, &layout);
    frames_draw_marks(frames, canvas, &layout);
    for (int lane = LANE_CPU; lane < LANE_COUNT; lane++)
        frames_draw_lane(frames, canvas, layout.lanes[lane], layout.label_columns, (enum frames_lane)lane);
    if (layout.runs.rows)
        draw_runs(frames, canvas, layout.runs);
    if (layout.seen.rows)
        draw_seen(frames, canvas, layout.seen);
    frames_draw_readout(frames, canvas, layout.readout);
    frames_draw_side(frames, canvas, layout.side);
}
