/* A run of the baseline under the shown one, moved so that the same event lies at the same place. */
#include "frames.h"

#include "figure_text.h"
#include "stutterscope/base/memory.h"
#include <stdlib.h>
#include <string.h>

void frames_drop_overlay(struct frames *frames)
{
    run_detail_destroy(frames->overlay.detail);
    free(frames->overlay.title);
    memset(&frames->overlay, 0, sizeof frames->overlay);
}

static bool is_in_scene(const struct run_detail *detail, int64_t scene, int64_t ns)
{
    for (size_t i = 0; i < detail->visits.count; i++) {
        const struct run_visit *visit = &detail->visits.items[i];
        if (visit->scene == scene && visit->start_ns <= ns && ns <= visit->end_ns)
            return true;
    }
    return false;
}

bool frames_find_event(const struct run_detail *detail, int64_t scene, int64_t event, size_t index,
                       int64_t *ret_ns)
{
    size_t found = 0;
    for (size_t i = 0; i < detail->events.count; i++) {
        const struct run_event *item = &detail->events.items[i];
        if (item->event != event || !is_in_scene(detail, scene, item->stamp_ns))
            continue;
        if (found == 0 || found == index)
            *ret_ns = item->stamp_ns;
        if (found++ == index)
            return true;
    }
    return found > 0;
}

/* Which occurrence of its event in the scene the window belongs to: counted from 0. */
static size_t occurrence_of_window(const struct frames *frames)
{
    const struct run_detail *detail = frames->detail;
    size_t index = 0;
    for (size_t i = 0; i < detail->events.count; i++) {
        const struct run_event *item = &detail->events.items[i];
        if (item->event == frames->window.event &&
            is_in_scene(detail, frames->window.scene, item->stamp_ns) &&
            item->stamp_ns <= frames->window.peak_stamp_ns)
            index++;
    }
    return index > 0 ? index - 1 : 0;
}

static bool find_visit(const struct run_detail *detail, int64_t scene, int64_t *ret_ns)
{
    for (size_t i = 0; i < detail->visits.count; i++)
        if (detail->visits.items[i].scene == scene) {
            *ret_ns = detail->visits.items[i].start_ns;
            return true;
        }
    return false;
}

/* At the event, else at the begin of the scene, else at the begin of the run. */
static void align(struct frames *frames, const char *build)
{
    struct frames_overlay *overlay = &frames->overlay;
    const struct run_detail *here = frames->detail, *there = overlay->detail;
    int64_t scene = frames->has_window ? frames->window.scene : frames->entry.stutter.key.scene;
    int64_t event = frames->has_window ? frames->window.event : frames->entry.stutter.event;
    size_t index = frames->has_window ? occurrence_of_window(frames) : 0;
    int64_t mine = 0, its = 0;
    const char *name = model_text(frames->session->model, event), *at = "the start of the run";
    if (event && name && frames_find_event(here, scene, event, index, &mine) &&
        frames_find_event(there, scene, event, index, &its)) {
        at = name;
    } else if (find_visit(here, scene, &mine) && find_visit(there, scene, &its)) {
        at = "the start of the scene";
    } else {
        mine = here->first_ns;
        its = there->first_ns;
    }
    overlay->shift_ns = mine - its;
    free(overlay->title);
    overlay->title = memory_print("%s run %s at %s", build, there->run->name, at);
}

static bool has_scene(const struct run_detail *detail, int64_t scene, int64_t quality)
{
    for (size_t i = 0; i < detail->visits.count; i++)
        if (detail->visits.items[i].scene == scene && detail->visits.items[i].quality == quality)
            return true;
    return false;
}

bool frames_load_overlay(struct frames *frames, struct error *error)
{
    struct session *session = frames->session;
    int64_t build = frames->has_entry && frames->entry.baseline_build
                        ? frames->entry.baseline_build
                        : model_usual_baseline(session->model, session->build, session->baseline);
    int64_t scene = frames->has_window ? frames->window.scene : frames->entry.stutter.key.scene;
    int64_t quality = frames->has_window ? frames->window.quality : frames->entry.stutter.key.quality;
    struct run_list runs = {0};
    frames_drop_overlay(frames);
    if (frames->detail == NULL)
        return error_set(error, ERROR_USAGE, "there is no run to compare with the baseline");
    if (!build)
        return error_set(error, ERROR_USAGE, "there is no baseline: no earlier build has runs of this");
    if (!model_list_runs(session->model, build, frames->detail->run->device, &runs, error))
        return false;
    bool good = true;
    for (size_t i = 0; good && i < runs.count && frames->overlay.detail == NULL; i++) {
        good = model_run_detail(session->model, runs.items[i].id, &frames->overlay.detail, error);
        if (good && !has_scene(frames->overlay.detail, scene, quality))
            frames_drop_overlay(frames);
    }
    run_list_free(&runs);
    const char *name = model_build_name(session->model, build);
    if (good && frames->overlay.detail == NULL)
        return error_set(error, ERROR_USAGE, "%s has no run of this device in this scene at this quality",
                         name ? name : "the baseline");
    if (good)
        align(frames, name ? name : "?");
    return good;
}
