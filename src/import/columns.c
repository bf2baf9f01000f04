#include "stutterscope/import/columns.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MS NS_PER_MS

struct named_target {
    const char *name;
    struct column_target target;
};

static const struct named_target names[] = {
    {"frame_time", {COLUMN_IS_NUMBER, COLUMN_FRAME_TIME, 0}},
    {"timestamp", {COLUMN_IS_NUMBER, COLUMN_STAMP, 0}},
    {"cpu_frame", {COLUMN_IS_NUMBER, COLUMN_CPU, 0}},
    {"gpu_frame", {COLUMN_IS_NUMBER, COLUMN_GPU, 0}},
    {"display_interval", {COLUMN_IS_NUMBER, COLUMN_DISPLAY, 0}},
    {"gc_alloc_bytes", {COLUMN_IS_NUMBER, COLUMN_GC, 1}},
    {"draw_calls", {COLUMN_IS_NUMBER, COLUMN_DRAW_CALLS, 1}},
    {"memory_bytes", {COLUMN_IS_NUMBER, COLUMN_MEMORY, 1}},
    {"event_name", {COLUMN_IS_TEXT, COLUMN_EVENT, 0}},
    {"step", {COLUMN_IS_TEXT, COLUMN_STEP, 0}},
    {"thermal_state", {COLUMN_IS_TEXT, COLUMN_THERMAL, 0}},
    {"screenshot", {COLUMN_IS_TEXT, COLUMN_SCREENSHOT, 0}},
    {"dropped", {COLUMN_IS_FLAG, FRAME_DROPPED, 0}},
    {"sample_name", {COLUMN_IS_SAMPLE, SAMPLE_NAME, 0}},
    {"sample_unit", {COLUMN_IS_SAMPLE, SAMPLE_UNIT, 0}},
    {"unit", {COLUMN_IS_SAMPLE, SAMPLE_UNIT, 0}},
    {"sample_value", {COLUMN_IS_SAMPLE, SAMPLE_VALUE, 0}},
    {"value", {COLUMN_IS_SAMPLE, SAMPLE_VALUE, 0}},
    {"snapshot_category", {COLUMN_IS_SAMPLE, SAMPLE_CATEGORY, 0}},
    {"snapshot.category", {COLUMN_IS_SAMPLE, SAMPLE_CATEGORY, 0}},
    {"category", {COLUMN_IS_SAMPLE, SAMPLE_CATEGORY, 0}},
    {"snapshot_bytes", {COLUMN_IS_SAMPLE, SAMPLE_BYTES, 0}},
    {"snapshot.bytes", {COLUMN_IS_SAMPLE, SAMPLE_BYTES, 0}},
    {"bytes", {COLUMN_IS_SAMPLE, SAMPLE_BYTES, 0}},
    {"snapshot_profiler", {COLUMN_IS_SAMPLE, SAMPLE_PROFILER, 0}},
    {"snapshot.profiler", {COLUMN_IS_SAMPLE, SAMPLE_PROFILER, 0}},
    {"profiler", {COLUMN_IS_SAMPLE, SAMPLE_PROFILER, 0}},
};

/* Scale 0 in the table above: the name goes on with one of these. */
static const struct {
    const char *suffix;
    int64_t scale;
} units[] = {{"_ms", MS}, {"_ns", 1}, {"_us", 1000}, {"_s", NS_PER_S}};

static const char *const personal_patterns[] = {
    "user",       "user_id",     "userid",       "user_name",  "username",       "user_*",
    "account*",   "*email*",     "*e_mail*",     "*e-mail*",   "login*",         "*_login",
    "*loginid*",  "*serial*",    "imei*",        "imsi*",      "*phone_number*", "*advertising_id*",
    "idfa",       "idfv",        "gaid",         "android_id", "*unique_id*",    "*uniqueid*",
    "deviceid",   "device_id",   "*ip_address*", "ip",         "mac_address*",   "player_id",
    "playerid",   "player_name", "nickname",     "*latitude*", "*longitude*",    "gps*",
    "*password*", "*token*",     "tester",       "tester_*",   "operator",
};

static void trim(const char **text, size_t *length)
{
    while (*length > 0 && (**text == ' ' || **text == '\t')) {
        (*text)++;
        (*length)--;
    }
    while (*length > 0 && ((*text)[*length - 1] == ' ' || (*text)[*length - 1] == '\t'))
        (*length)--;
}

/* ASCII only: the names are ours, and a Turkish locale must not change them. */
static bool equals(const char *text, size_t length, const char *name)
{
    if (strlen(name) != length)
        return false;
    for (size_t i = 0; i < length; i++) {
        char c = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] | 0x20) : text[i];

        if (c != (name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] | 0x20) : name[i]))
            return false;
    }
    return true;
}

static bool find_number(const char *name, size_t length, struct column_target *ret)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t suffix = strlen(units[i].suffix);

        if (length <= suffix || !equals(name + length - suffix, suffix, units[i].suffix))
            continue;
        for (size_t j = 0; j < sizeof names / sizeof *names; j++) {
            if (names[j].target.kind == COLUMN_IS_NUMBER && names[j].target.scale == 0 &&
                equals(name, length - suffix, names[j].name)) {
                *ret = names[j].target;
                ret->scale = units[i].scale;
                return true;
            }
        }
    }
    return false;
}

bool column_find(const char *name, size_t length, struct column_target *ret)
{
    trim(&name, &length);
    if (find_number(name, length, ret))
        return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        bool needs_unit = names[i].target.kind == COLUMN_IS_NUMBER && names[i].target.scale == 0;

        if (!needs_unit && equals(name, length, names[i].name)) {
            *ret = names[i].target;
            return true;
        }
    }
    for (int i = 0; i < CONTEXT_COUNT; i++) {
        if (equals(name, length, context_fields[i].column)) {
            *ret = (struct column_target){COLUMN_IS_CONTEXT, i, 0};
            return true;
        }
    }
    *ret = (struct column_target){COLUMN_IS_UNKNOWN, 0, 0};
    return false;
}

bool column_find_mapped(const struct import_options *options, const char *name, size_t length,
                        struct column_target *ret)
{
    trim(&name, &length);
    for (size_t i = 0; options && i < options->map_count; i++) {
        const char *theirs = strchr(options->maps[i], '=');

        if (theirs && equals(name, length, theirs + 1))
            return column_find(options->maps[i], (size_t)(theirs - options->maps[i]), ret);
    }
    if (!column_find(name, length, ret))
        return false;
    /* Somebody else's column of that name must not be read twice when the user mapped another one to it. */
    for (size_t i = 0; options && i < options->map_count; i++) {
        const char *theirs = strchr(options->maps[i], '=');
        struct column_target mapped;

        if (theirs && column_find(options->maps[i], (size_t)(theirs - options->maps[i]), &mapped) &&
            mapped.kind == ret->kind && mapped.index == ret->index) {
            *ret = (struct column_target){COLUMN_IS_UNKNOWN, 0, 0};
            return false;
        }
    }
    return true;
}

bool column_is_named(const char *text, size_t length, const char *name)
{
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        length -= 3;
    }
    trim(&text, &length);
    return equals(text, length, name);
}

bool column_is_mapped_to_none(const struct import_options *options, const char *canonical)
{
    for (size_t i = 0; options && i < options->map_count; i++) {
        const char *theirs = strchr(options->maps[i], '=');

        if (theirs && equals(options->maps[i], (size_t)(theirs - options->maps[i]), canonical) &&
            equals(theirs + 1, strlen(theirs + 1), "none"))
            return true;
    }
    return false;
}

bool column_check_maps(const struct import_options *options, struct error *error)
{
    for (size_t i = 0; options && i < options->map_count; i++) {
        const char *theirs = strchr(options->maps[i], '=');
        struct column_target target;

        if (!theirs || theirs[1] == '\0' ||
            !column_find(options->maps[i], (size_t)(theirs - options->maps[i]), &target))
            return error_set(
                error, ERROR_USAGE,
                "--map %s: expected CANONICAL=COLUMN, for example frame_time_ms=Dauer, with one of the "
                "canonical column names (timestamp_ms, frame_time_ms, build_id, device_model, scene, …).",
                options->maps[i]);
    }
    return true;
}

const char *column_map_without_column(const struct import_options *options, bool (*has)(const void *user, const char *name),
                                      const void *user)
{
    for (size_t i = 0; options && i < options->map_count; i++) {
        const char *theirs = strchr(options->maps[i], '=') + 1;

        if (!equals(theirs, strlen(theirs), "none") && !has(user, theirs))
            return options->maps[i];
    }
    return NULL;
}

bool personal_column(const char *name)
{
    for (size_t i = 0; i < sizeof personal_patterns / sizeof *personal_patterns; i++) {
        if (text_matches_glob(personal_patterns[i], name))
            return true;
    }
    return false;
}

uint32_t column_add_text(struct dictionary *texts, const char *text, size_t length, bool *broken)
{
    struct text_buffer marked = {0};
    uint32_t id;
    char *clean;

    if (length == 0)
        return 0;
    if (broken && !text_is_valid_utf8(text, length))
        *broken = true;
    for (const char *end = text + length, *line = text; line <= end;) {
        const char *next = memchr(line, '\n', (size_t)(end - line));

        text_add_bytes(&marked, line, (size_t)((next ? next : end) - line));
        if (!next)
            break;
        text_add(&marked, "↵");
        line = next + 1;
    }
    clean = text_clean(marked.items, marked.count);
    id = dictionary_add(texts, clean, strlen(clean));
    free(clean);
    free(text_take(&marked));
    return id;
}
