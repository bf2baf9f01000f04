/* Frames: one window from close by, and the run around it. Opens on the answer. */
#include "frames.h"

#include "figure_text.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/model/summary.h"
#include "stutterscope/view/filtering.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void *create(struct session *session)
{
    struct frames *frames = memory_take_zeroed(1, sizeof *frames);
    frames->session = session;
    return frames;
}

bool frames_has_frames(const struct frames *frames)
{
    return frames->detail != NULL && frames->detail->count > 0;
}

static void destroy(void *state)
{
    struct frames *frames = state;
    frames_unload(frames);
    finder_set(&frames->finder, NULL);
    free(frames->opened);
    free(frames);
}

/* Frames that stay in a server, when somebody wants to see them; without them the screen is what it was. */
static void frames_fetch(struct frames *frames, const struct progress *progress)
{
    if (!frames->wants_fetch || frames->detail == NULL)
        return;
    frames->wants_fetch = false;
    frames->not_fetched = (struct error){0};
    frames->not_fetched_of = frames->detail->run->id;
    model_fetch_frames(frames->session->model, frames->detail->run->id, frames->view_from, frames->view_to, progress,
                       &frames->not_fetched);
}

static void add_elsewhere(const struct frames *frames, struct line *line)
{
    const struct run_detail *detail = frames->detail;
    if (frames->not_fetched.code != ERROR_NONE && frames->not_fetched_of == detail->run->id)
        line_print(line, 2, ROLE_MISSING, " · not fetched: %s", frames->not_fetched.text)->least = 30;
    else if (detail->elsewhere > 0)
        line_print(line, 2, ROLE_MISSING, " · %s of %s frames are here, a fetches those shown", figure_grouped((int64_t)detail->count).text,
                   figure_grouped(detail->run->frames).text);
}

static bool recompute(void *state, const struct progress *progress, struct error *error)
{
    struct frames *frames = state;
    session_check_results(frames->session);
    frames_fetch(frames, progress);
    return frames_load(frames, progress, error);
}

static enum screen_work work(void *state, struct screen_progress *ret, struct error *error)
{
    struct frames *frames = state;
    return analysis_steps_work(&frames->steps, frames->session, frames, recompute, ret, error);
}

static void stop_work(void *state)
{
    struct frames *frames = state;
    frames->steps.stopped = true;
}

size_t frames_run_number(const struct frames *frames)
{
    for (size_t i = 0; frames->detail && i < frames->runs.count; i++)
        if (frames->runs.items[i].run == frames->detail->run->id)
            return i + 1;
    return 0;
}

/* "runs ▪▪▫▪▪" at the right end. */
static void add_strip(const struct frames *frames, struct line *line)
{
    enum { MOST = 24 };
    struct text_buffer strip = {0};
    if (!frames->has_entry || frames->runs.count < 2 || frames->runs.count > MOST)
        return;
    text_add(&strip, "  runs ");
    for (size_t i = 0; i < frames->runs.count; i++)
        text_add(&strip, frames->runs.items[i].hit ? "▪" : "▫");
    char *text = text_take(&strip);
    line_add_right(line, 5, ROLE_CHROME, text);
    line->items[line->count - 1].short_text = memory_print("  %s", text + strlen("  runs "));
    free(text);
}

static void where(const void *state, struct line *line)
{
    const struct frames *frames = state;
    struct session *session = frames->session;
    const char *build = model_build_name(session->model, session->build);
    line_add(line, LINE_KEEP, ROLE_CHROME, build ? build : "no build")->least = 8;
    if (frames->has_entry) {
        const struct group_key *key = &frames->entry.stutter.key;
        const struct device_row *device = model_device(session->model, key->device);
        const char *quality = model_quality_name(session->model, key->quality);
        const char *event = model_text(session->model, frames->entry.stutter.event);
        line_print(line, 1, ROLE_CHROME, " ▸ %s", device ? model_device_title(device) : "?")->least = 8;
        line_print(line, 1, ROLE_CHROME, " × %s", model_scene_name(session->model, key->scene))->least = 8;
        if (quality)
            line_print(line, 4, ROLE_CHROME, " · %s", quality);
        if (frames->entry.stutter.label != LABEL_GAMEPLAY)
            line_print(line, 2, ROLE_WAIT, " ▸ %s", frame_label_name(frames->entry.stutter.label));
        line_print(line, 2, ROLE_CHROME, " ▸ %s", event ? event : "(no event)")->least = 8;
    } else if (frames->detail) {
        const struct device_row *device = model_device(session->model, frames->detail->run->device);
        line_print(line, 1, ROLE_CHROME, " ▸ %s", device ? model_device_title(device) : "?")->least = 8;
    }
    filtering_show(session, line);
    if (frames_run_number(frames))
        line_print(line, 3, ROLE_CHROME, " ▸ run %zu of %zu", frames_run_number(frames), frames->runs.count);
    add_strip(frames, line);
}

static void add_verdict(const struct frames *frames, struct line *line)
{
    const struct stutter_entry *entry = &frames->entry;
    char word[40];
    size_t length = 0;
    if (!frames->has_entry || entry->stutter.label != LABEL_GAMEPLAY)
        return;
    for (const char *at = verdict_name(entry->verdict); *at && length + 1 < sizeof word; at++)
        word[length++] = (char)toupper((unsigned char)*at);
    word[length] = '\0';
    if (entry->verdict == VERDICT_NONE)
        line_add(line, 1, ROLE_MISSING, " · NOT COMPARABLE");
    else
        line_print(line, 1, ROLE_ANSWER | STYLE_BOLD, " · %s", word);
    if (entry->baseline_peak_ns != VALUE_UNKNOWN && frames->baseline)
        line_print(line, 2, ROLE_BASELINE, " (%s in %s)", figure_ms(entry->baseline_peak_ns).text,
                   figure_build(frames->baseline).text);
}

static void answer(const void *state, struct line *line)
{
    const struct frames *frames = state;
    const struct stutter_window *window = &frames->window;
    if (!frames_has_frames(frames)) {
        line_add(line, LINE_KEEP, ROLE_MISSING, frames->waits ? "NOT ANALYSED YET" : "NOTHING TO SHOW");
        return;
    }
    if (!frames->has_window) {
        const char *event =
            frames->has_entry ? model_text(frames->session->model, frames->entry.stutter.event) : NULL;
        line_add(line, LINE_KEEP, ROLE_ANSWER | STYLE_BOLD,
                 frames->has_entry ? "CLEAN IN THIS RUN" : "NO STUTTER HERE");
        for (size_t i = 0; event && i < frames->runs.count; i++)
            if (frames->runs.items[i].run == frames->detail->run->id &&
                frames->runs.items[i].peak_ns != VALUE_UNKNOWN)
                line_print(line, 1, ROLE_CHROME, "  largest frame at %s: %s ms", event,
                           figure_ms(frames->runs.items[i].peak_ns).text);
        return;
    }
    line_print(line, LINE_KEEP, ROLE_ANSWER | STYLE_BOLD, "%s ms", figure_ms(window->peak_ns).text);
    line_print(line, LINE_KEEP, ROLE_ANSWER | STYLE_BOLD, " at %s",
               figure_time(frames_shown_time(frames, window->peak_stamp_ns)).text);
    if (window->budget_ns > 0)
        line_print(line, 1, ROLE_ANSWER, " = %s × budget",
                   figure_number((double)window->peak_ns / (double)window->budget_ns, 1).text);
    line_print(line, 3, ROLE_CHROME, " · %s frame%s over in %s", figure_grouped(window->over).text,
               text_plural(window->over), figure_seconds(window->end_ns - window->start_ns).text);
    line_print(line, 4, ROLE_CHROME, " · %s ms lost",
               figure_number((double)window->excess_ns / NS_PER_MS, 0).text);
    add_verdict(frames, line);
}

static void status(const void *state, struct line *line)
{
    const struct frames *frames = state;
    size_t number = 0, count = 0;
    if (frames->detail == NULL)
        return;
    for (size_t i = 0; i < frames->detail->windows.count; i++) {
        const struct stutter_window *window = &frames->detail->windows.items[i];
        if (!frames_window_is_listed(frames, window))
            continue;
        count++;
        if (frames->has_window && window->id == frames->window.id)
            number = count;
    }
    if (number)
        line_print(line, LINE_KEEP, ROLE_STATUS, "window %zu of %zu in this run", number, count);
    else
        line_print(line, LINE_KEEP, ROLE_STATUS, "%zu window%s in this run", count, text_plural(count));
    line_print(line, 1, ROLE_STATUS, " · %s shown, highest frame drawn",
               figure_seconds(frames->view_to - frames->view_from).text);
    add_elsewhere(frames, line);
    if (frames->overlay.detail)
        line_print(line, 2, ROLE_BASELINE, " · baseline %s", frames->overlay.title)->least = 20;
    else
        line_add(line, 3, ROLE_STATUS, " · baseline overlay off (c)");
}

static const struct hint hints[] = {
    {{ACTION_LEFT, ACTION_RIGHT}, "cursor"},
    {{ACTION_MORE, ACTION_LESS}, "zoom"},
    {{ACTION_DEFAULT}, "fit"},
    {{ACTION_PREVIOUS_SIBLING, ACTION_NEXT_SIBLING}, "window"},
    {{ACTION_PREVIOUS_RUN, ACTION_NEXT_RUN}, "run"},
    {{ACTION_OLDER_BUILD, ACTION_NEWER_BUILD}, "build"},
    {{ACTION_TICKET}, "ticket"},
    {{ACTION_NONE}, NULL},
};

const struct screen_type frames_screen = {
    .kind = SCREEN_FRAMES,
    .name = "frames",
    .create = create,
    .destroy = destroy,
    .recompute = recompute,
    .draw = frames_draw,
    .where = where,
    .answer = answer,
    .status = status,
    .hints = hints,
    .act = frames_act,
    .ran = frames_opened,
    .work = work,
    .stop_work = stop_work,
    .keep = frames_keep,
    .take = frames_take,
};
