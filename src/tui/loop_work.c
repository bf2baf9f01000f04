/* Work that takes longer than a key: in steps between keys, or reporting its progress. */
#include "loop_internal.h"

#include "stutterscope/base/clock.h"

#include <inttypes.h>
#include <stdio.h>

#define QUIET_MS  150 /* what is done by then needs no progress line */
#define REDRAW_MS 100

static void print_progress(const struct loop *loop, char *buffer, size_t size, const char *what, int64_t done, int64_t total)
{
    const char *keys = loop->finding ? "Esc or Ctrl-C stops" : "Ctrl-C stops";
    if (total > 0)
        snprintf(buffer, size, "%s  %" PRId64 " of %" PRId64 "  %s", what, done, total, keys);
    else
        snprintf(buffer, size, "%s  %" PRId64 "  %s", what, done, keys);
}

/* Whose work it is: an overlay's that has some, else that of the screen below. */
static struct screen *worker(const struct loop *loop)
{
    struct screen *top = loop_top(loop);
    return top->type->work ? top : loop_main(loop);
}

void loop_start_work(struct loop *loop)
{
    loop->screen_works = worker(loop)->type->work != NULL;
    loop->session_works = loop->options->work != NULL;
}

static void finish(struct loop *loop, const struct error *error)
{
    loop->work_text[0] = '\0';
    if (error->code != ERROR_NONE)
        loop_say(loop, ROLE_ERROR, error->text);
}

bool loop_work(struct loop *loop)
{
    bool changed = loop->work_text[0] != '\0';
    struct screen_progress progress = {0};
    struct error error = {0};
    enum screen_work left = WORK_NONE;
    struct screen *screen = worker(loop);
    if (loop->screen_works) {
        left = screen->type->work(screen->state, &progress, &error);
        loop->screen_works = left == WORK_MORE;
    } else if (loop->session_works) {
        left = loop->options->work(loop->options->session, &progress, &error);
        loop->session_works = left == WORK_MORE;
    }
    if (left == WORK_MORE && progress.what[0])
        print_progress(loop, loop->work_text, sizeof loop->work_text, progress.what, progress.done, progress.total);
    if (left != WORK_MORE)
        finish(loop, &error);
    changed = changed || left != WORK_NONE || error.code != ERROR_NONE;
    if (changed)
        loop_changes(loop);
    return changed;
}

bool loop_stop_work(struct loop *loop)
{
    bool worked = loop->work_text[0] != '\0';
    if (!worked)
        return false;
    struct screen *screen = worker(loop);
    if (loop->screen_works && screen->type->stop_work)
        screen->type->stop_work(screen->state);
    if (loop->session_works && loop->options->stop_work)
        loop->options->stop_work(loop->options->session);
    loop->screen_works = loop->session_works = false;
    loop->work_text[0] = '\0';
    return true;
}

/* While a screen is being worked out it cannot be drawn: only the status line is, on what was there. */
static void draw_progress(struct loop *loop, const char *what, int64_t done, int64_t total)
{
    char text[200];
    int rows = 0, columns = 0;
    terminal_size(loop->terminal, &rows, &columns);
    if (rows != canvas_rows(loop->canvas) || columns != canvas_columns(loop->canvas))
        canvas_resize(loop->canvas, rows, columns);
    print_progress(loop, text, sizeof text, what, done, total);
    int row = rows >= 2 ? rows - 2 : 0;
    canvas_put_field(loop->canvas, row, 0, columns, ROLE_STATUS, ALIGN_LEFT, CUT_END, "");
    canvas_put_field(loop->canvas, row, 1, columns - 2, ROLE_STATUS, ALIGN_LEFT, CUT_END, text);
    terminal_draw(loop->terminal, loop->canvas);
}

/* Looks at what was typed meanwhile; false when the work is to stop. Other keys are kept for afterwards. */
static bool look_at_keys(struct loop *loop)
{
    for (;;) {
        struct input_event event = input_wait(loop->terminal, 0);
        if (event.kind == INPUT_NONE)
            return true;
        if (event.kind == INPUT_END) {
            loop->quit = true;
            loop->status = event.signal ? 128 + event.signal : 129;
            return false;
        }
        if (event.kind == INPUT_STOP) {
            terminal_suspend(loop->terminal);
            continue;
        }
        enum action action =
            event.kind == INPUT_KEY ? keymap_find(loop->options->keymap, event.key).action : ACTION_NONE;
        if (action == ACTION_INTERRUPT || (loop->finding && action == ACTION_BACK))
            return false;
        if (action == ACTION_SUSPEND)
            terminal_suspend(loop->terminal);
        else if (loop->queued < QUEUE_SIZE)
            loop->queue[loop->queued++] = event;
    }
}

static bool report(void *user, const char *what, int64_t done, int64_t total)
{
    struct loop *loop = user;
    int64_t now = clock_steady_ms();
    if (now - loop->progress_since < QUIET_MS || now - loop->progress_drawn < REDRAW_MS)
        return true;
    loop->progress_drawn = now;
    if (!look_at_keys(loop))
        return false;
    draw_progress(loop, what, done, total);
    return true;
}

void loop_begin_progress(struct loop *loop)
{
    loop->progress = (struct progress){.report = report, .user = loop};
    loop->progress_since = clock_steady_ms();
    loop->progress_drawn = 0;
}
