/* Frames as words of a place: run, window, cursor and zoom by the run's own clock, lanes, overlay. */
#include "frames.h"

#include "stutterscope/view/place.h"
#include <string.h>

enum { LANE_SETS = 3 };

/* What a window, or a run without one, looks like when it is gone to. */
static bool is_fitted(const struct frames *frames)
{
    struct frames fitted = *frames;

    if (!frames->has_window || frames->cursor != frames_peak_frame(frames))
        return false;
    frames_fit(&fitted);
    return fitted.view_from == frames->view_from && fitted.view_to == frames->view_to;
}

void frames_keep(const void *user, struct view_words *words)
{
    const struct frames *frames = user;
    const struct run_detail *detail = frames->detail;

    if (frames->lane != LANE_FRAME)
        view_words_put_number(words, "lane", frames->lane);
    if (frames->lanes_shown)
        view_words_put_number(words, "lanes", frames->lanes_shown);
    view_words_put_switch(words, "overlay", frames->wants_overlay);
    if (!detail || !detail->count)
        return;
    if (frames_run_number(frames))
        view_words_put_number(words, "run", (int64_t)frames_run_number(frames));
    if (frames->has_window)
        view_words_put_number(words, "window", frames->window.peak_stamp_ns);
    if (is_fitted(frames))
        return;
    view_words_put_number(words, "at", detail->stamp_ns[frames->cursor]);
    view_words_put_number(words, "from", frames->view_from);
    view_words_put_number(words, "to", frames->view_to);
}

/* A stutter that another build has is looked for in this one, as if one had come from there. */
static void take_absent(struct frames *frames, const char *build_name)
{
    struct session *session = frames->session;
    struct error ignored;
    int64_t build;
    const struct stutter_entry *entry;

    if (!build_name || !model_find_build(session->model, build_name, &build, &ignored))
        return;
    entry = place_find_entry(session, build, session->stutter, true, NULL, NULL);
    if (!entry)
        return;
    frames->entry = *entry;
    memset(&frames->entry.clean_devices, 0, sizeof frames->entry.clean_devices);
    frames->has_entry = true;
}

static void take_run(struct frames *frames, int64_t position)
{
    struct error ignored;

    if (frames->detail && frames->runs.items[position - 1].run == frames->detail->run->id)
        return;
    frames->session->run = frames->runs.items[position - 1].run;
    frames->session->window = 0;
    frames_load(frames, NULL, &ignored);
}

static void take_window(struct frames *frames, int64_t peak_stamp_ns)
{
    if (frames->has_window && frames->window.peak_stamp_ns == peak_stamp_ns)
        return;
    for (size_t i = 0; i < frames->detail->windows.count; i++)
        if (frames->detail->windows.items[i].peak_stamp_ns == peak_stamp_ns) {
            frames_choose_window(frames, &frames->detail->windows.items[i]);
            return;
        }
}

static void take_view(struct frames *frames, const struct view_words *words)
{
    const struct run_detail *detail = frames->detail;
    int64_t from, to, at;

    if (view_words_number(words, "from", detail->first_ns, detail->last_ns, &from) &&
        view_words_number(words, "to", from + 1, detail->last_ns, &to)) {
        frames->view_from = from;
        frames->view_to = to;
    }
    if (view_words_number(words, "at", detail->first_ns, detail->last_ns, &at))
        frames_set_cursor(frames, run_detail_frame_at(detail, at - 1));
    frames->view_run = detail->run->id;
    frames->view_window = frames->has_window ? frames->window.id : 0;
}

void frames_take(void *user, const struct view_words *words, bool filled)
{
    struct frames *frames = user;
    int64_t number;

    if (!filled) {
        if (view_words_number(words, "lane", 0, LANE_COUNT - 1, &number))
            frames->lane = (enum frames_lane)number;
        if (view_words_number(words, "lanes", 0, LANE_SETS - 1, &number))
            frames->lanes_shown = (int)number;
        frames->wants_overlay = view_words_has(words, "overlay");
        take_absent(frames, view_words_get(words, "of"));
        return;
    }
    if (view_words_number(words, "run", 1, (int64_t)frames->runs.count, &number))
        take_run(frames, number);
    if (!frames->detail || !frames->detail->count)
        return;
    if (view_words_number(words, "window", INT64_MIN, INT64_MAX, &number))
        take_window(frames, number);
    take_view(frames, words);
}
