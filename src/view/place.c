#include "stutterscope/view/place.h"

#include "place_parts.h"
#include "state_file.h"
#include "stutterscope/base/json.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/ticket/payload.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DIGITS = 10, MOST_REMEMBERED = 64 };
static const char special[] = "@:/%?&=";

/* ---- words ---- */

static void add_name(struct text_buffer *key, const char *name)
{
    for (; name && *name; name++)
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

/* The stutter is what the view is about; on Cover the cursor may have gone on to other devices. */
static bool is_about_stutter(struct session *session, const char **ret_build)
{
    const struct stutter_entry *entry = place_find_entry(session, session->build, session->stutter, true, NULL, NULL);
    const char *at = strchr(session->stutter, '@');

    *ret_build = NULL;
    if (entry)
        return entry->stutter.key.device == session->device && entry->stutter.key.scene == session->scene;
    *ret_build = at ? at + 1 : NULL; /* it is of another build, and not in this one */
    return at != NULL;
}

static void add_subject(struct text_buffer *key, struct session *session, const char **ret_build)
{
    const struct device_row *device = model_device(session->model, session->device);

    *ret_build = NULL;
    if (session->stutter[0] && is_about_stutter(session, ret_build)) {
        text_add_print(key, ":%.*s", DIGITS, session->stutter);
        return;
    }
    if (!device)
        return;
    text_add(key, ":");
    add_name(key, device->model);
    if (session->scene) {
        text_add(key, "/");
        add_name(key, model_scene_name(session->model, session->scene));
    }
}

static void add_words(struct text_buffer *key, const struct view_words *words, bool *first)
{
    for (size_t i = 0; words && i < words->count; i++) {
        text_add(key, *first ? "?" : "&");
        *first = false;
        add_name(key, words->items[i].name);
        if (*words->items[i].value) {
            text_add(key, "=");
            add_name(key, words->items[i].value);
        }
    }
}

char *place_print(struct session *session, enum screen_kind kind, const struct view_words *words)
{
    struct text_buffer key = {0};
    struct view_words shared = {0};
    const char *build = model_build_name(session->model, session->build), *other_build;
    bool first = true;

    add_screen(&key, kind);
    add_subject(&key, session, &other_build);
    if (build) {
        text_add(&key, "@");
        add_name(&key, build);
    }
    if (other_build)
        view_words_put(&shared, "of", other_build);
    place_keep_session(session, &shared);
    add_words(&key, &shared, &first);
    add_words(&key, words, &first);
    view_words_free(&shared);
    return text_take(&key);
}

char *place_of_screen(struct session *session, const struct screen *screen, const char *overlay)
{
    struct view_words words = {0};
    char *key;

    if (!session->model)
        return NULL;
    if (screen->type->keep)
        screen->type->keep(screen->state, &words);
    if (overlay)
        view_words_put(&words, "show", overlay);
    key = place_print(session, screen->type->kind, &words);
    view_words_free(&words);
    return key;
}

/* ---- and how to get there ---- */

struct place {
    enum screen_kind kind;
    int64_t build, device, scene;
    char digits[DIGITS + 1];
    struct view_words words;
};

/* What stands behind the question mark. */
static void read_words(const char *text, struct view_words *ret)
{
    while (*text) {
        size_t length = strcspn(text, "&"), name_length;
        const char *equals = memchr(text, '=', length);
        char *name, *value;

        name_length = equals ? (size_t)(equals - text) : length;
        name = plain_name(text, name_length);
        value = equals ? plain_name(equals + 1, length - name_length - 1) : NULL;
        if (*name)
            view_words_put(ret, name, value);
        free(name);
        free(value);
        text += length + (text[length] == '&');
    }
}

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
    error_set(error, ERROR_USAGE, "\"%s\" opens nothing: expected the id of a stutter, or %s, with :DEVICE/SCENE, @BUILD and ?WORD=VALUE behind it where wanted",
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

const struct stutter_entry *place_find_entry(struct session *session, int64_t build, const char *digits, bool as_it_is,
                                             const struct progress *progress, struct error *error)
{
    const struct stutter_entries *entries =
        build ? model_stutters(session->model, build, build == session->build ? session->baseline : 0, as_it_is, progress, error)
              : NULL;

    for (size_t i = 0; entries && i < entries->count; i++)
        if (strncmp(entries->items[i].fingerprint, digits, DIGITS) == 0)
            return &entries->items[i];
    if (entries && error)
        error_set(error, ERROR_USAGE,
                  "there is no stutter %.*s in build %s; \"stutterscope stutters\" lists the ids",
                  DIGITS, digits, model_build_name(session->model, build));
    return NULL;
}

/* A key that is the id of a stutter alone, whole or shortened, as the other verbs take it. */
static bool go_to_stutter(struct session *session, const char *key, const struct progress *progress,
                          enum screen_kind *ret, struct error *error)
{
    const char *at = strchr(key, '@');
    int64_t build = model_newest_build(session->model);
    const struct stutter_entry *entry;

    if (at && !model_find_build(session->model, at + 1, &build, error))
        return false;
    /* Finding does not report how far it is: what it needs is worked out before. */
    if (build && !model_stutters(session->model, build, 0, false, progress, error))
        return false;
    entry = model_find_stutter(session->model, key, error);

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

/* The stutter where it was seen; its build may be another than the one that is shown. */
static bool find_stutter(struct session *session, const struct place *place, const struct progress *progress,
                         const struct stutter_entry **ret, struct error *error)
{
    const char *of = view_words_get(&place->words, "of");
    int64_t build = place->build;

    *ret = NULL;
    if (!place->digits[0])
        return true;
    if (of && !model_find_build(session->model, of, &build, error))
        return false;
    *ret = place_find_entry(session, build, place->digits, false, progress, error);
    return *ret != NULL;
}

static bool go(struct session *session, struct place *place, const struct progress *progress, struct error *error)
{
    const struct stutter_entry *entry;

    if (!place_take_session(session, place->build, &place->words, progress, error) ||
        !find_stutter(session, place, progress, &entry, error)) {
        place_take_session(session, place->build, &(struct view_words){0}, NULL, NULL);
        return false;
    }
    session->build = place->build;
    session->run = session->window = 0;
    session->stutter[0] = '\0';
    session->device = place->device;
    session->scene = place->scene;
    if (entry)
        session_choose_stutter(session, entry);
    view_words_free(&session->opened.words);
    session->opened.words = place->words;
    session->opened.kind = place->kind;
    place->words = (struct view_words){0};
    return true;
}

bool place_go(struct session *session, const char *key, const struct progress *progress, enum screen_kind *ret,
              struct error *error)
{
    const char *question = strchr(key, '?');
    char *subject = memory_copy_bytes(key, question ? (size_t)(question - key) : strlen(key));
    struct place place = {.kind = SCREEN_MAP};
    bool good;

    if (looks_like_id(subject) && !question)
        good = go_to_stutter(session, subject, progress, ret, error);
    else {
        good = read_place(session, subject, &place, error);
        if (good && question)
            read_words(question + 1, &place.words);
        good = good && go(session, &place, progress, error);
        if (good)
            *ret = place.kind;
    }
    view_words_free(&place.words);
    free(subject);
    return good;
}

char *place_command(const struct session *session, const char *key)
{
    return ticket_reopen_command(session->model, key);
}

void place_screen(const char *key, enum screen_kind *ret)
{
    if (!find_screen(key, strcspn(key, ":@?"), ret))
        *ret = looks_like_id(key) ? SCREEN_FRAMES : SCREEN_MAP;
}

bool place_is_near(const struct session *session, const char *key)
{
    const char *at = strchr(key, '@');
    size_t length = at ? strcspn(at + 1, "?") : 0;
    char *name = at ? plain_name(at + 1, length) : NULL;
    int64_t build = model_newest_build(session->model);
    bool near = (name && !model_find_build(session->model, name, &build, NULL)) || !build ||
                model_comparison_is_complete(session->model, build);

    free(name);
    return near;
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

/* Words begin behind '?' and '&'. */
static char *without_settings(const char *key)
{
    struct text_buffer text = {0};
    size_t length = strcspn(key, "?");
    bool first = true;

    text_add(&text, "");
    text_add_bytes(&text, key, length);
    for (const char *word = key + length; *word; word += length) {
        length = 1 + strcspn(word + 1, "&");
        if (strncmp(word + 1, PLACE_SETTING_PREFIX, strlen(PLACE_SETTING_PREFIX)) == 0)
            continue;
        text_add(&text, first ? "?" : "&");
        text_add_bytes(&text, word + 1, length - 1);
        first = false;
    }
    return text_take(&text);
}

void place_remember(const struct session *session, const char *key)
{
    char *store = state_store_name(model_path(session->model)), *lasting = without_settings(key);

    state_file_put(places_file, store, json_from_text(lasting), MOST_REMEMBERED);
    free(lasting);
    free(store);
}
