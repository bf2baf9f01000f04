#include "stutterscope/view/place.h"

#include "state_file.h"
#include "stutterscope/base/json.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DIGITS = 10, MOST_REMEMBERED = 64 };
static const char special[] = "@:/%";

/* ---- words ---- */

static void add_name(struct text_buffer *key, const char *name)
{
    for (; *name; name++)
        if (strchr(special, *name))
            text_add_print(key, "%%%02X", (unsigned)(unsigned char)*name);
        else
            text_add_bytes(key, name, 1);
}

static int digit_of(char sign)
{
    return isdigit((unsigned char)sign)    ? sign - '0'
           : isxdigit((unsigned char)sign) ? tolower((unsigned char)sign) - 'a' + 10
                                           : -1;
}

/* Takes the escapes of a name back; a percent sign without two digits stays what it is. */
static char *plain_name(const char *text, size_t length)
{
    struct text_buffer name = {0};

    text_add(&name, "");
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '%' && i + 2 < length && digit_of(text[i + 1]) >= 0 && digit_of(text[i + 2]) >= 0) {
            char byte = (char)(digit_of(text[i + 1]) * 16 + digit_of(text[i + 2]));

            if (byte)
                text_add_bytes(&name, &byte, 1);
            i += 2;
        } else
            text_add_bytes(&name, &text[i], 1);
    }
    return text_take(&name);
}

static bool is_digits(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (digit_of(text[i]) < 0)
            return false;
    return length == DIGITS;
}

static void add_screen(struct text_buffer *key, enum screen_kind kind)
{
    for (const char *at = screen_kind_name(kind); *at; at++)
        text_add_print(key, "%c", tolower((unsigned char)*at));
}

static bool find_screen(const char *text, size_t length, enum screen_kind *ret)
{
    for (int kind = 0; kind < SCREEN_COUNT; kind++) {
        const char *name = screen_kind_name((enum screen_kind)kind);

        if (strlen(name) == length && strncasecmp(name, text, length) == 0) {
            *ret = (enum screen_kind)kind;
            return true;
        }
    }
    return false;
}

/* ---- where one is ---- */

char *place_print(const struct session *session, enum screen_kind kind)
{
    struct text_buffer key = {0};
    const struct device_row *device = model_device(session->model, session->device);
    const char *build = model_build_name(session->model, session->build);

    add_screen(&key, kind);
    if (session->stutter[0])
        text_add_print(&key, ":%.*s", DIGITS, session->stutter);
    else if (device) {
        text_add(&key, ":");
        add_name(&key, device->model);
        if (session->scene) {
            text_add(&key, "/");
            add_name(&key, model_scene_name(session->model, session->scene));
        }
    }
    if (build) {
        text_add(&key, "@");
        add_name(&key, build);
    }
    return text_take(&key);
}

/* ---- and how to get there ---- */

struct place {
    enum screen_kind kind;
    int64_t build, device, scene;
    char digits[DIGITS + 1];
};

static bool read_subject(struct model *model, const char *text, size_t length, struct place *place,
                         struct error *error)
{
    const char *slash = memchr(text, '/', length);
    size_t device_length = slash ? (size_t)(slash - text) : length;
    char *device, *scene;
    bool good;

    if (is_digits(text, length)) {
        memcpy(place->digits, text, DIGITS);
        return true;
    }
    device = plain_name(text, device_length);
    scene = slash ? plain_name(slash + 1, length - device_length - 1) : NULL;
    good = model_find_device(model, device, &place->device, error) &&
           (!scene || model_find_scene(model, scene, &place->scene, error));
    free(device);
    free(scene);
    return good;
}

static bool refuse(const char *key, struct error *error)
{
    char *clean = text_clean(key, strlen(key));
    struct text_buffer names = {0};

    for (int kind = 0; kind < SCREEN_COUNT; kind++) {
        text_add(&names, kind == 0 ? "" : kind + 1 < SCREEN_COUNT ? ", " : " or ");
        add_screen(&names, (enum screen_kind)kind);
    }
    error_set(error, ERROR_USAGE, "\"%s\" opens nothing: expected the id of a stutter, or %s, with :DEVICE/SCENE and @BUILD behind it where wanted",
              clean, names.items);
    array_free(&names);
    free(clean);
    return false;
}

static bool read_place(struct session *session, const char *key, struct place *place, struct error *error)
{
    const char *at = strchr(key, '@');
    size_t length = at ? (size_t)(at - key) : strlen(key);
    const char *colon = memchr(key, ':', length);
    size_t screen_length = colon ? (size_t)(colon - key) : length;

    if (!find_screen(key, screen_length, &place->kind))
        return refuse(key, error);
    place->build = model_newest_build(session->model);
    if (at) {
        char *build = plain_name(at + 1, strlen(at + 1));
        bool good = model_find_build(session->model, build, &place->build, error);

        free(build);
        if (!good)
            return false;
    }
    return !colon || read_subject(session->model, colon + 1, length - screen_length - 1, place, error);
}

static const struct stutter_entry *find_entry(struct session *session, const struct place *place,
                                              struct error *error)
{
    const struct stutter_entries *entries =
        model_stutters(session->model, place->build, session->baseline, false, NULL, error);

    for (size_t i = 0; entries && i < entries->count; i++)
        if (strncmp(entries->items[i].fingerprint, place->digits, DIGITS) == 0)
            return &entries->items[i];
    if (entries)
        error_set(error, ERROR_USAGE,
                  "there is no stutter %s in build %s; \"stutterscope stutters\" lists the ids",
                  place->digits, model_build_name(session->model, place->build));
    return NULL;
}

/* A key that is the id of a stutter alone, whole or shortened, as the other verbs take it. */
static bool go_to_stutter(struct session *session, const char *key, enum screen_kind *ret,
                          struct error *error)
{
    const struct stutter_entry *entry = model_find_stutter(session->model, key, error);

    if (!entry)
        return false;
    session->build = entry->stutter.key.build;
    session_choose_stutter(session, entry);
    *ret = SCREEN_FRAMES;
    return true;
}

static bool looks_like_id(const char *key)
{
    size_t length = strcspn(key, "@");

    for (size_t i = 0; i < length; i++)
        if (digit_of(key[i]) < 0)
            return false;
    return length > 0;
}

bool place_go(struct session *session, const char *key, enum screen_kind *ret, struct error *error)
{
    struct place place = {.kind = SCREEN_MAP};
    const struct stutter_entry *entry = NULL;

    if (looks_like_id(key))
        return go_to_stutter(session, key, ret, error);
    if (!read_place(session, key, &place, error) ||
        (place.digits[0] && !(entry = find_entry(session, &place, error))))
        return false;
    session->build = place.build;
    session->run = session->window = 0;
    session->stutter[0] = '\0';
    session->device = place.device;
    session->scene = place.scene;
    if (entry)
        session_choose_stutter(session, entry);
    *ret = place.kind;
    return true;
}

/* ---- the last one ---- */

static const char places_file[] = "places.json";

char *place_recall(const struct session *session)
{
    struct json *places = state_file_read(places_file);
    char *store = state_store_name(model_path(session->model));
    const char *key = places ? json_text(json_member(places, store)) : NULL;
    char *copy = key ? memory_copy_text(key) : NULL;

    json_destroy(places);
    free(store);
    return copy;
}

void place_remember(const struct session *session, enum screen_kind kind)
{
    char *store = state_store_name(model_path(session->model)), *key = place_print(session, kind);

    state_file_put(places_file, store, json_from_text(key), MOST_REMEMBERED);
    free(key);
    free(store);
}
