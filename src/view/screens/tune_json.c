/* What Tune shows as JSON: the settings, the counts, what is lost; the small map as rows. */
#include "tune.h"

#include "stutterscope/base/json.h"
#include "stutterscope/view/pager.h"
#include <stdlib.h>

static struct json *settings_of(const struct tune_state *state)
{
    struct json *object = json_object();
    size_t count;
    const struct analysis_setting *table = analysis_settings_table(&count);

    for (size_t i = 0; i < count; i++) {
        struct json *setting = json_object();
        char value[64];

        json_add(setting, "value", json_from_text(analysis_settings_print(model_settings(state->session->model), table[i].name, value, sizeof value)));
        json_add(setting, "store", json_from_text(analysis_settings_print(&state->stored, table[i].name, value, sizeof value)));
        json_add(object, table[i].name, setting);
    }
    return object;
}

static struct json *counts_of(int64_t was, int64_t now, int64_t lost)
{
    struct json *object = json_object();

    json_add(object, "was", json_from_integer(was));
    json_add(object, "now", json_from_integer(now));
    json_add(object, "lost", json_from_integer(lost));
    return object;
}

static struct json *classes_of(const struct tune_state *state)
{
    struct json *object = json_object();

    for (int class = 0; class < TUNE_CLASSES; class++)
        json_add(object, tune_class_title((enum tune_class)class),
                 counts_of((int64_t)tune_count(&state->was, (enum tune_class)class), (int64_t)tune_count(&state->now, (enum tune_class)class),
                           (int64_t)tune_count_lost(state, (enum tune_class)class)));
    return object;
}

static struct json *lost_of(const struct tune_state *state)
{
    struct model *model = state->session->model;
    struct json *array = json_array();

    for (size_t i = 0; i < state->lost.count; i++) {
        const struct tune_stutter *lost = &state->lost.items[i];
        const struct device_row *device = model_device(model, lost->device);
        struct json *object = json_object();

        json_add(object, "fingerprint", json_from_text(lost->fingerprint));
        json_add(object, "class", json_from_text(tune_class_title(lost->class)));
        json_add(object, "device", json_from_text(device ? model_device_title(device) : NULL));
        json_add(object, "scene", json_from_text(model_scene_name(model, lost->scene)));
        json_add(object, "event", json_from_text(model_text(model, lost->event)));
        json_add(object, "peak_ms", json_from_scaled(lost->peak_ns, NS_PER_MS));
        json_append(array, object);
    }
    return array;
}

static struct json *rows_of(const struct tune_state *state)
{
    struct json *array = json_array();

    for (size_t d = 0; d < state->devices.count; d++)
        for (size_t s = 0; s < state->scenes.count; s++) {
            const struct tune_cell *cell = &state->cells[d * state->scenes.count + s];
            bool known = cell->has_frames && !state->devices.items[d].waits;
            struct json *object = json_object();

            json_add(object, "device", json_from_text(state->devices.items[d].title));
            json_add(object, "scene", json_from_text(state->scenes.items[s]));
            json_add(object, "kept", json_from_integer(known ? (int64_t)cell->kept : VALUE_UNKNOWN));
            json_add(object, "lost", json_from_integer(known ? (int64_t)cell->lost : VALUE_UNKNOWN));
            json_add(object, "gained", json_from_integer(known ? (int64_t)cell->gained : VALUE_UNKNOWN));
            json_append(array, object);
        }
    return array;
}

void tune_show_json(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    struct tune_state *state = user;
    struct json *document;
    char *text;

    (void)event;
    if (!state->session->build) {
        reply_say(reply, "there are no runs yet");
        return;
    }
    document = json_object();
    json_add(document, "schema", json_from_text("stutterscope.tune/1"));
    json_add(document, "build", json_from_text(model_build_name(state->session->model, state->session->build)));
    json_add(document, "settings", settings_of(state));
    json_add(document, "windows", counts_of(state->was.windows, state->now.windows, VALUE_UNKNOWN));
    json_add(document, "stutters", counts_of((int64_t)state->was.count, (int64_t)state->now.count, (int64_t)state->lost.count));
    json_add(document, "gained", json_from_integer((int64_t)state->gained));
    json_add(document, "classes", classes_of(state));
    json_add(document, "lost", lost_of(state));
    json_add(document, "rows", rows_of(state));
    text = json_print_pretty(document);
    reply->open = pager_open("What is kept, lost and gained, as JSON", text);
    free(text);
    json_destroy(document);
}
