#include "embed.h"

#include "copy.h"
#include "stutterscope/base/text.h"
#include <stdlib.h>
#include <string.h>

static bool is_one_of(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}
#define IS_ONE_OF(name, names) is_one_of(name, names, sizeof names / sizeof *names)

/* Lists and the chart are null, for an empty list would say that there is nothing; every field stays, as the schema has it. */
static struct json *lean(const struct json *object)
{
    static const char *const evidence[] = {"events_before", "events_during", "events_after",  "causes",
                                           "not_causes",    "worst_windows", "clean_devices", "chart"};
    struct json *copy = json_object();

    for (const struct json *item = json_first(object); item; item = json_next(item)) {
        const char *name = json_name(item);

        if (IS_ONE_OF(name, evidence))
            json_add(copy, name, json_null());
        else if (strcmp(name, "stutters") != 0)
            json_add(copy, name, copy_value(item, 0));
    }
    return copy;
}

static struct json *lean_payload(const struct json *payload)
{
    struct json *copy = lean(payload), *list = json_array();

    for (const struct json *item = json_first(json_member(payload, "stutters")); item; item = json_next(item))
        json_append(list, lean(item));
    json_add(copy, "stutters", list);
    return copy;
}

static struct json *core(const struct json *object, const char *const *names, size_t count)
{
    struct json *copy = json_object();

    for (size_t i = 0; i < count; i++)
        if (json_member(object, names[i]))
            json_add(copy, names[i], copy_value(json_member(object, names[i]), 0));
    return copy;
}

static struct json *core_payload(const struct json *payload, size_t members)
{
    static const char *const head[] = {"schema", "series", "settings", "stutter_count", "build", "reopen"};
    static const char *const fields[] = {
        "id",    "fingerprint",   "build",   "device",   "chip", "scene",      "quality", "label",
        "event", "peak_frame_ms", "windows", "runs_hit", "runs", "occurrence", "seen",    "verdict"};
    struct json *copy = core(payload, head, sizeof head / sizeof *head), *list = json_array();
    size_t at = 0;

    for (const struct json *item = json_first(json_member(payload, "stutters")); item && at++ < members;
         item = json_next(item))
        json_append(list, core(item, fields, sizeof fields / sizeof *fields));
    json_add(copy, "shortened", json_from_bool(true));
    json_add(copy, "stutters", list);
    return copy;
}

/* JSON text with what could be read as markup escaped; outside of texts everything stays. */
static char *harmless(const char *json)
{
    struct text_buffer out = {0};
    bool inside = false;

    for (; *json; json++) {
        if (inside && *json == '\\') {
            text_add_bytes(&out, json++, 2);
        } else if (inside && strchr("{}[]<>`@", *json)) {
            text_add_print(&out, "\\u%04x", (unsigned)*json);
        } else {
            inside ^= *json == '"';
            text_add_bytes(&out, json, 1);
        }
    }
    return text_take(&out);
}

char *embed_payload(const struct json *payload, enum embed_level level, size_t members)
{
    struct json *copy = level == EMBED_WHOLE   ? copy_value(payload, 0)
                        : level == EMBED_LEAN  ? lean_payload(payload)
                        : level == EMBED_CORE  ? core_payload(payload, SIZE_MAX)
                        : level == EMBED_SHOWN ? core_payload(payload, members)
                                               : NULL;
    char *text = copy ? json_print(copy) : NULL, *result = text ? harmless(text) : NULL;

    json_destroy(copy);
    free(text);
    return result;
}
