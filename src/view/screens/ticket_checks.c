/* What whoever gets the ticket will ask for, and whether it is there. */
#include "ticket_view.h"

#include "figure_text.h"
#include "stutterscope/base/json.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <stdlib.h>

static void add_check(struct ticket_view *view, bool good, char *text)
{
    array_push(&view->checks, (struct ticket_check){good, text});
}

/* In every stutter of the ticket a text, number or object stands there. */
static bool all_have(const struct json *stutters, const char *name)
{
    for (const struct json *item = json_first(stutters); item; item = json_next(item))
        if (json_kind(json_member(item, name)) == JSON_NULL)
            return false;
    return true;
}

static bool any_is_true(const struct json *stutters, const char *name)
{
    for (const struct json *item = json_first(stutters); item; item = json_next(item))
        if (json_is_true(json_member(item, name)))
            return true;
    return false;
}

static bool any_has(const struct json *stutters, const char *name)
{
    for (const struct json *item = json_first(stutters); item; item = json_next(item))
        if (json_kind(json_member(item, name)) != JSON_NULL)
            return true;
    return false;
}

/* "build, commit, CI run", or what of these is missing. */
struct wanted {
    const char *name, *title;
};

static void check_names(struct ticket_view *view, const struct json *stutters, const struct wanted *wanted,
                        size_t count)
{
    struct text_buffer present = {0}, missing = {0};
    for (size_t i = 0; i < count; i++) {
        struct text_buffer *to = all_have(stutters, wanted[i].name) ? &present : &missing;
        text_add_print(to, "%s%s", to->count ? ", " : to == &missing ? "no " : "", wanted[i].title);
    }
    bool good = missing.count == 0;
    char *texts[2] = {text_take(&present), text_take(&missing)};
    add_check(view, good, memory_copy_text(texts[!good]));
    free(texts[0]);
    free(texts[1]);
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void check_facts(struct ticket_view *view, const struct json *stutters)
{
    static const struct wanted build[] = {{"build", "build"}, {"commit", "commit"}, {"ci_run", "CI run"}};
    static const struct wanted device[] = {{"device", "device"}, {"os", "OS"}, {"quality", "quality"}};
    static const struct wanted place[] = {{"stutter_window", "window"}, {"event", "event"}};
    static const struct wanted log[] = {{"log_url", "log"}};
    static const struct wanted screenshot[] = {{"screenshot", "screenshot"}};
    static const struct wanted baseline[] = {{"baseline_build", "baseline"}};
    check_names(view, stutters, build, COUNT(build));
    check_names(view, stutters, device, COUNT(device));
    check_names(view, stutters, place, COUNT(place));
    check_names(view, stutters, baseline, COUNT(baseline));
    check_names(view, stutters, log, COUNT(log));
    check_names(view, stutters, screenshot, COUNT(screenshot));
}

static void check_figures(struct ticket_view *view, const struct json *stutters)
{
    if (any_is_true(stutters, "few_frames"))
        add_check(view, false, memory_copy_text("few frames"));
    if (any_has(stutters, "sampling"))
        add_check(view, false, memory_copy_text("figures rest on samples"));
    if (any_is_true(stutters, "history_short"))
        add_check(view, false, memory_copy_text("history short: noise not tested"));
}

static void check_text(struct ticket_view *view)
{
    const struct ticket_format *format = view->ticket.format;
    if (view->edited)
        add_check(view, true, memory_copy_text("edited by hand"));
    if (format == NULL)
        return;
    bool fits = view->units <= format->body_limit;
    add_check(view, fits,
              memory_print("%s of %s characters", figure_grouped((int64_t)view->units).text,
                           figure_grouped((int64_t)format->body_limit).text));
    if (view->ticket.shortened && !view->edited)
        add_check(view, false, memory_copy_text("shortened to fit"));
}

void ticket_check(struct ticket_view *view, const struct json *payload)
{
    const struct json *stutters = json_member(payload, "stutters");
    check_facts(view, stutters);
    check_figures(view, stutters);
    check_text(view);
}

size_t ticket_warnings(const struct ticket_view *view)
{
    size_t count = 0;
    for (size_t i = 0; i < view->checks.count; i++)
        count += !view->checks.items[i].good;
    return count;
}
