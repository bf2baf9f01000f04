#include "distribution.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "words.h"
#include <stdlib.h>
#include <string.h>

static void destroy(void *user)
{
    struct distribution_state *state = user;

    distribution_detail_destroy(state->detail);
    distribution_detail_destroy(state->other);
    free(state->title);
    free(state->name);
    free(state->other_name);
    free(state->note);
    free(state);
}

static bool act(void *user, const struct screen_event *event, struct screen_reply *reply)
{
    switch (event->action) {
    case ACTION_BACK:
    case ACTION_CLOSE:
    case ACTION_ENTER:
    case ACTION_DISTRIBUTION:
        reply->close = true;
        return true;
    case ACTION_PAYLOAD:
        distribution_show_json(user, reply);
        return true;
    default:
        return false;
    }
}

static const struct hint hints[] = {
    {{ACTION_BACK}, NULL},
    {{ACTION_PAYLOAD}, "JSON"},
    {{ACTION_COPY}, NULL},
    {{ACTION_WRITE}, NULL},
    {{ACTION_NONE}, NULL},
};

static const struct screen_type distribution_screen = {
    .kind = SCREEN_NONE,
    .name = "distribution",
    .overlay = true,
    .covers = true,
    .destroy = destroy,
    .draw = distribution_draw,
    .hints = hints,
    .act = act,
};

static char *title_of(struct model *model, const struct group_key *key)
{
    const struct device_row *device = model_device(model, key->device);
    const char *quality = model_quality_name(model, key->quality);

    return memory_print("%s × %s · %s", device ? model_device_title(device) : "?",
                        model_scene_name(model, key->scene), quality ? quality : "quality unknown");
}

/* What two sides differ in, of build, device, scene and quality: that is what they are called. */
static char *name_side(struct model *model, const struct group_key *key, const struct group_key *other)
{
    struct text_buffer name = {0};
    const struct device_row *device = model_device(model, key->device);
    const char *quality = model_quality_name(model, key->quality);

    if (!other || key->build != other->build)
        text_add(&name, word_short_build(model, key->build).text);
    if (other && key->device != other->device)
        text_add_print(&name, "%s%s", name.count ? " " : "", device ? model_device_title(device) : "?");
    if (other && key->scene != other->scene)
        text_add_print(&name, "%s%s", name.count ? " " : "", model_scene_name(model, key->scene));
    if (other && key->quality != other->quality)
        text_add_print(&name, "%s%s", name.count ? " " : "", quality ? quality : "quality unknown");
    if (!name.count)
        text_add(&name, word_short_build(model, key->build).text);
    return text_take(&name);
}

static void note_side(struct text_buffer *note, const char *name, const struct distribution_detail *detail,
                      int64_t few)
{
    if (!detail)
        return;
    if (!detail->count)
        text_add_print(note, "%s%s has no frames here", note->count ? "; " : "", name);
    else if (detail->figures.frames_kept < few)
        text_add_print(note, "%s%s: few frames", note->count ? "; " : "", name);
    if (detail->mixed_budgets)
        text_add_print(note, "%s%s has frames of several budgets", note->count ? "; " : "", name);
    if (detail->figures.frames != detail->figures.frames_kept)
        text_add_print(note, "%s%s is sampled, as declared", note->count ? "; " : "", name);
}

static void show(struct session *session, const struct group_key *key, const struct group_key *with,
                 const char *why_none, struct screen_reply *reply)
{
    struct model *model = session->model;
    struct distribution_state *state = memory_take_zeroed(1, sizeof *state);
    struct text_buffer note = {0};
    struct error error = {0};

    if (!model_distribution_detail(model, key, NULL, &state->detail, &error) ||
        (with && !model_distribution_detail(model, with, NULL, &state->other, &error)) ||
        !state->detail->count) {
        if (error.code != ERROR_NONE)
            reply_fail(reply, "%s", error.text);
        else
            reply_say(reply, "no gameplay frames here in %s", model_build_name(model, key->build));
        destroy(state);
        return;
    }
    state->title = title_of(model, key);
    state->name = name_side(model, key, with);
    state->other_name = with ? name_side(model, with, key) : memory_copy_text("");
    note_side(&note, state->name, state->detail, model_settings(model)->few_frames);
    note_side(&note, state->other_name, state->other, model_settings(model)->few_frames);
    if (!with)
        text_add_print(&note, "%sno baseline: %s", note.count ? "; " : "", why_none);
    if (state->other && !state->other->count) {
        distribution_detail_destroy(state->other);
        state->other = NULL;
    }
    state->note = text_take(&note);
    reply->open = screen_wrap(&distribution_screen, state);
}

void distribution_show(struct session *session, const struct group_key *key, struct screen_reply *reply)
{
    struct group_key with = *key;
    struct baseline baseline;
    struct error error = {0};

    if (key->quality < 0) {
        reply_say(reply, "no frames here in this build");
        return;
    }
    if (!model_baseline(session->model, key, session->baseline, &baseline, &error)) {
        reply_fail(reply, "%s", error.text);
        return;
    }
    with.build = baseline.build;
    show(session, key, baseline.build ? &with : NULL, baseline.reason, reply);
    baseline_free(&baseline);
}

void distribution_compare(struct session *session, const struct group_key *key, const struct group_key *with,
                          struct screen_reply *reply)
{
    show(session, key, with, "", reply);
}

static const struct stutter_entry *find_marked(const struct stutter_entries *entries, const char *id)
{
    for (size_t i = 0; entries && i < entries->count; i++)
        if (strcmp(entries->items[i].id, id) == 0)
            return &entries->items[i];
    return NULL;
}

bool distribution_compare_marked(struct session *session, struct screen_reply *reply)
{
    const struct stutter_entries *entries;
    const struct stutter_entry *a, *b;

    if (session->marked.count != 2)
        return false;
    entries =
        model_stutters(session->model, session->build, session->baseline, session->as_it_is, NULL, NULL);
    a = find_marked(entries, session->marked.items[0]);
    b = find_marked(entries, session->marked.items[1]);
    if (!a || !b || memcmp(&a->stutter.key, &b->stutter.key, sizeof a->stutter.key) == 0)
        return false;
    distribution_compare(session, &a->stutter.key, &b->stutter.key, reply);
    return true;
}
