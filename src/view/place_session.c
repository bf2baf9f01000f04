/* The words of a place that all screens share. What is not named is as it is at the start. */
#include "place_parts.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 10 };

/* ---- what is chosen ---- */

static void keep_only(const struct session *session, struct view_words *words)
{
    const struct device_row *device = model_device(session->model, session->only_device);

    if (device)
        view_words_put(words, "only-device", device->model);
    if (session->only_scene)
        view_words_put(words, "only-scene", model_scene_name(session->model, session->only_scene));
}

static void keep_marks(const struct session *session, struct view_words *words)
{
    struct text_buffer list = {0};

    for (size_t i = 0; i < session->marked.count; i++)
        text_add_print(&list, "%s%.*s", i ? "," : "", DIGITS, session->marked.items[i]);
    if (list.count)
        view_words_put(words, "marked", list.items);
    array_free(&list);
}

/* What is tried on Tune differs from what the store says. */
static void keep_settings(const struct session *session, struct view_words *words)
{
    struct analysis_settings stored;
    size_t count;
    const struct analysis_setting *table = analysis_settings_table(&count);

    if (!model_is_tuned(session->model) || !model_stored_settings(session->model, &stored, NULL))
        return;
    for (size_t i = 0; i < count; i++) {
        char here[64], there[64], *name;

        analysis_settings_print(model_settings(session->model), table[i].name, here, sizeof here);
        analysis_settings_print(&stored, table[i].name, there, sizeof there);
        if (strcmp(here, there) == 0)
            continue;
        name = memory_print("%s%s", PLACE_SETTING_PREFIX, table[i].name);
        view_words_put(words, name, here);
        free(name);
    }
}

void place_keep_session(struct session *session, struct view_words *words)
{
    const char *quality = session->quality > 0 ? model_quality_name(session->model, session->quality) : NULL;

    if (session->metric != METRIC_SEVERITY)
        view_words_put(words, "metric", metrics[session->metric].name);
    if (session->quality >= 0)
        view_words_put(words, "quality", quality ? quality : "");
    view_words_put_switch(words, "delta", session->shows_delta);
    view_words_put_switch(words, "unfolded", session->shows_folded);
    if (session->baseline)
        view_words_put(words, "baseline", model_build_name(session->model, session->baseline));
    if (session->filter)
        view_words_put(words, "filter", filter_text(session->filter));
    keep_only(session, words);
    keep_marks(session, words);
    keep_settings(session, words);
}

/* ---- and chosen again ---- */

struct choice {
    enum metric metric;
    int64_t quality, baseline, only_device, only_scene;
};

static bool read_choice(struct session *session, const struct view_words *words, struct choice *ret, struct error *error)
{
    struct model *model = session->model;
    const char *metric = view_words_get(words, "metric"), *quality = view_words_get(words, "quality"),
               *baseline = view_words_get(words, "baseline"), *device = view_words_get(words, "only-device"),
               *scene = view_words_get(words, "only-scene");

    *ret = (struct choice){.metric = METRIC_SEVERITY, .quality = quality ? 0 : -1};
    return (!metric || metric_find(metric, &ret->metric, error)) &&
           (!quality || !*quality || model_find_quality(model, quality, &ret->quality, error)) &&
           (!baseline || model_find_build(model, baseline, &ret->baseline, error)) &&
           (!device || model_find_device(model, device, &ret->only_device, error)) &&
           (!scene || model_find_scene(model, scene, &ret->only_scene, error));
}

static bool take_settings(struct session *session, const struct view_words *words, struct error *error)
{
    struct analysis_settings settings = *model_settings(session->model);
    bool any = false;

    for (size_t i = 0; i < words->count; i++) {
        const char *name = words->items[i].name;

        if (strncmp(name, PLACE_SETTING_PREFIX, strlen(PLACE_SETTING_PREFIX)) != 0)
            continue;
        if (!analysis_settings_set(&settings, name + strlen(PLACE_SETTING_PREFIX), words->items[i].value, error))
            return false;
        any = true;
    }
    return !any || model_try_settings(session->model, &settings, error);
}

/* Marks of what is no longer there are left out. */
static bool take_marks(struct session *session, int64_t build, const char *list, const struct progress *progress,
                       struct error *error)
{
    session_clear_marks(session);
    while (list && *list) {
        size_t length = strcspn(list, ",");
        const struct stutter_entry *entry = NULL;

        if (!model_stutters(session->model, build, session->baseline, false, progress, error))
            return false;
        if (length == DIGITS)
            entry = place_find_entry(session, build, list, true, NULL, NULL);
        if (entry && !session_is_marked(session, entry->id))
            session_toggle_mark(session, entry->id);
        list += length + (list[length] == ',');
    }
    return true;
}

bool place_take_session(struct session *session, int64_t build, const struct view_words *words,
                        const struct progress *progress, struct error *error)
{
    struct choice choice;
    const char *filter = view_words_get(words, "filter");

    if (!read_choice(session, words, &choice, error) || !session_set_filter(session, filter ? filter : "", error) ||
        !take_settings(session, words, error))
        return false;
    session->metric = choice.metric;
    session->quality = choice.quality;
    session->baseline = choice.baseline;
    session->only_device = choice.only_device;
    session->only_scene = choice.only_scene;
    session->shows_delta = view_words_has(words, "delta");
    session->shows_folded = view_words_has(words, "unfolded");
    return take_marks(session, build, view_words_get(words, "marked"), progress, error);
}
