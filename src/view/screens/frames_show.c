/* What Frames shows on top of itself: the table, why, the runs, JSON, the distribution. */
#include "frames.h"

#include "distribution.h"
#include "figure_text.h"
#include "lift_text.h"
#include "runs_text.h"
#include "stutterscope/base/json.h"
#include "stutterscope/base/text.h"
#include "stutterscope/model/tables.h"
#include "stutterscope/view/pager.h"
#include <stdlib.h>

static void table(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct frames *frames = state;
    (void)event;
    if (frames_has_frames(frames))
        reply->open = frames_open_table(frames);
    else
        reply_say(reply, "there are no frames here");
}

static void add_run(struct text_buffer *text, const struct run_row *run)
{
    text_add_print(text, "\n# The run\n%s, %s frames", run->name, figure_grouped(run->frames).text);
    if (run->os)
        text_add_print(text, ", %s", run->os);
    if (run->gaps)
        text_add_print(text, ", %s gaps over 500 ms", figure_grouped(run->gaps).text);
    if (run->dropped)
        text_add_print(text, ", %s dropped", figure_grouped(run->dropped).text);
    if (run->sampling.every > 1)
        text_add_print(text, "\nsampled: every %s. frame was kept", figure_grouped(run->sampling.every).text);
    text_add_print(text, "\na frame time is a %s interval\n", run->interval ? run->interval : "present");
    if (run->log_url)
        text_add_print(text, "log %s\n", run->log_url);
}

static void why(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct frames *frames = state;
    const struct stutter_entry *entry = &frames->entry;
    struct text_buffer text = {0};
    (void)event;
    if (!frames_has_frames(frames)) {
        reply_say(reply, "there are no frames here");
        return;
    }
    if (frames->has_window)
        text_add_print(&text, "# Why picked\n%s\n\n# Probable cause (estimate)\n%s\n", frames->why,
                       frames->cause);
    if (frames->has_entry && entry->present)
        text_add_print(
            &text,
            "\n# Severity\n%s = peak %s ms × occurrence %s (%s runs) × weight %s\n\n# Verdict\n%s: %s\n",
            figure_number(entry->severity, 1).text, figure_ms(entry->stutter.peak_ns).text,
            figure_number(entry->occurrence, 2).text,
            figure_share(entry->stutter.runs_hit, entry->stutter.runs).text,
            figure_number(entry->weight, 2).text, verdict_name(entry->verdict), entry->reason);
    if (frames->has_entry && entry->present) {
        text_add(&text, "\n\n# Events of this scene\n");
        lift_text_add(&text, frames->session, &entry->stutter.key, entry->stutter.event, "");
    }
    add_run(&text, frames->detail->run);
    char *whole = text_take(&text);
    reply->open = pager_open("why", whole);
    free(whole);
}

static void payload(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct frames *frames = state;
    struct table_request request;
    struct error error = {0};
    (void)event;
    if (!frames_has_frames(frames)) {
        reply_say(reply, "there are no frames here");
        return;
    }
    table_request_default(&request);
    request.build = frames->session->build;
    request.device = frames->detail->run->device;
    request.run = frames->detail->run->id;
    request.with_transitions = true;
    struct table *windows = table_windows(frames->session->model, &request, &error);
    if (windows == NULL) {
        reply_fail(reply, "%s", error.text);
        return;
    }
    struct json *json = table_to_json(windows);
    char *text = json_print_pretty(json);
    reply->open = pager_open("JSON: windows of the run", text);
    free(text);
    json_destroy(json);
    table_destroy(windows);
}

static void runs(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct frames *frames = state;
    struct error error = {0};
    (void)event;
    if (!frames_has_frames(frames)) {
        reply_say(reply, "there are no runs here");
        return;
    }
    char *text =
        runs_text(frames->session->model, frames->session->build, frames->detail->run->device, &error);
    if (text)
        reply->open = pager_open("runs", text);
    else
        reply_fail(reply, "%s", error.text);
    free(text);
}

/* Of the device, scene and quality of the stutter. */
static void show_distribution(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct frames *frames = state;
    struct group_key key = frames->entry.stutter.key;
    (void)event;
    if (!frames->has_entry) {
        reply_say(reply, "no stutter was chosen, so no scene");
        return;
    }
    key.build = frames->session->build;
    distribution_show(frames->session, &key, reply);
}

const struct screen_handler frames_show_handlers[] = {
    {ACTION_ENTER, table}, {ACTION_WHY, why},         {ACTION_RUNS, runs}, {ACTION_DISTRIBUTION, show_distribution},
    {ACTION_PAYLOAD, payload}, {ACTION_NONE, NULL},
};
