/* The Queue: everything that waits for a decision, one line per probable bug, and what was found beside it.
 */
#include "queue.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/model/coverage.h"
#include "stutterscope/view/filtering.h"
#include <stdlib.h>

static void *create(struct session *session)
{
    struct queue *queue = memory_take_zeroed(1, sizeof *queue);
    queue->session = session;
    return queue;
}

static void destroy(void *state)
{
    struct queue *queue = state;
    queue_pane_clear(&queue->pane);
    queue_clear_lines(queue);
    coverage_destroy(queue->coverage);
    free(queue->summary);
    free(queue->menu_builds);
    finder_set(&queue->finder, NULL);
    free(queue);
}

static bool recompute(void *state, const struct progress *progress, struct error *error)
{
    struct queue *queue = state;
    session_check_results(queue->session);
    return queue_build(queue, progress, error);
}

static enum screen_work work(void *state, struct screen_progress *ret, struct error *error)
{
    struct queue *queue = state;
    return analysis_steps_work(&queue->steps, queue->session, queue, recompute, ret, error);
}

static void stop_work(void *state)
{
    struct queue *queue = state;
    queue->steps.stopped = true;
}

static const char *scope_text(const struct session *session)
{
    return session->only_device && session->only_scene ? "this cell"
           : session->only_device                      ? "this device"
           : session->only_scene                       ? "this scene"
                                                       : "whole build";
}

static void where(const void *state, struct line *line)
{
    const struct queue *queue = state;
    struct session *session = queue->session;
    const char *build = model_build_name(session->model, session->build);
    const char *baseline_name = model_build_name(session->model, queue->baseline);
    const struct device_row *device = model_device(session->model, session->only_device);
    line_add(line, LINE_KEEP, ROLE_CHROME, build ? build : "no build")->least = 8;
    if (baseline_name)
        line_print(line, 2, ROLE_BASELINE, " vs %s", baseline_name);
    else if (build)
        line_add(line, LINE_KEEP, ROLE_MISSING, " no baseline");
    line_print(line, 1, ROLE_CHROME, "  ▸  %s", scope_text(session));
    if (session->only_device)
        line_print(line, 1, ROLE_CHROME, " %s", device ? model_device_title(device) : "?")->least = 6;
    if (session->only_scene)
        line_print(line, 1, ROLE_CHROME, " × %s", model_scene_name(session->model, session->only_scene))
            ->least = 6;
    if (session->quality >= 0) {
        const char *quality = model_quality_name(session->model, session->quality);
        line_print(line, 3, ROLE_CHROME, " · %s", quality ? quality : "quality not known");
    } else {
        line_add(line, 7, ROLE_CHROME, " · all qualities");
    }
    line_add(line, 8, ROLE_CHROME, " · grouped by event × scene");
    filtering_show(session, line);
}

static void add_count(struct line *line, int priority, const char *format_word, size_t count)
{
    if (count)
        line_print(line, priority, ROLE_CHROME, " · %zu %s", count, format_word);
}

static void answer(const void *state, struct line *line)
{
    const struct queue *queue = state;
    if (queue->session->build == 0) {
        line_add(line, LINE_KEEP, ROLE_MISSING, "NO DATA YET");
        return;
    }
    if (queue->to_decide)
        line_print(line, LINE_KEEP, ROLE_ANSWER | STYLE_BOLD, "%zu TO DECIDE", queue->to_decide);
    else
        line_add(line, LINE_KEEP, ROLE_ANSWER | STYLE_BOLD, "NOTHING TO DECIDE");
    if (queue->waits)
        line_add(line, LINE_KEEP, ROLE_MISSING, "  not all devices analysed yet");
    line_print(line, 1, ROLE_CHROME, "   %zu stutter%s", queue->stutters,
               text_plural((int64_t)queue->stutters));
    if (queue->to_verify)
        line_print(line, LINE_KEEP, ROLE_ANSWER, "  %zu to verify", queue->to_verify);
    add_count(line, 2, "decided", queue->counts[SECTION_DECIDED]);
    add_count(line, 2, "unclear", queue->counts[SECTION_UNCLEAR]);
    add_count(line, 3, "once", queue->counts[SECTION_ONCE]);
    add_count(line, 4, "same or better", queue->counts[SECTION_SAME]);
    add_count(line, 5, "gone", queue->counts[SECTION_GONE]);
    add_count(line, 6, "not exercised", queue->counts[SECTION_NOT_EXERCISED]);
    add_count(line, 7, "transitions", queue->counts[SECTION_TRANSITIONS]);
}

static void status(const void *state, struct line *line)
{
    const struct queue *queue = state;
    if (queue->session->marked.count)
        line_print(line, LINE_KEEP, ROLE_MARKED, "%zu marked", queue->session->marked.count);
    else
        line_print(line, LINE_KEEP, ROLE_STATUS, "%zu line%s", queue->lines.count,
                   text_plural((int64_t)queue->lines.count));
    line_add(line, 2, ROLE_STATUS, "  I F O X E W D decide");
    line_add(line, 4, ROLE_STATUS, "  A assign  C comment");
    line_add(line, 3, ROLE_STATUS, "  V verify");
    line_add(line, 2, ROLE_STATUS, "  u undo");
    if (queue->filtered)
        line_print(line, 1, ROLE_WARNING, " · %zu hidden by the filter", queue->filtered);
}

static const struct hint hints[] = {
    {{ACTION_DOWN, ACTION_UP}, "move"}, {{ACTION_ENTER}, "frames"},
    {{ACTION_RIGHT}, "unfold"},         {{ACTION_MARK}, "mark"},
    {{ACTION_NEXT_OPEN}, "next"},       {{ACTION_FOLD}, "unfold all"},
    {{ACTION_TICKET}, "ticket"},        {{ACTION_NONE}, NULL},
};

const struct screen_type queue_screen = {
    .kind = SCREEN_QUEUE,
    .name = "queue",
    .create = create,
    .destroy = destroy,
    .recompute = recompute,
    .draw = queue_draw,
    .where = where,
    .answer = answer,
    .status = status,
    .hints = hints,
    .act = queue_act,
    .work = work,
    .stop_work = stop_work,
    .keep = queue_keep,
    .take = queue_take,
};
