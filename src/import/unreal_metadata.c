#include "unreal.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/import/columns.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct slice {
    const char *text;
    size_t length;
};

enum key {
    KEY_PLATFORM,
    KEY_CONFIG,
    KEY_BUILD,
    KEY_ENGINE,
    KEY_OS,
    KEY_CPU,
    KEY_PROFILE,
    KEY_TARGET_FPS,
    KEY_STARTED,
    KEY_CAPTURE,
    KEY_COMMIT,
    KEY_SCENE,
    KEY_COMMAND_LINE,
    KEY_COUNT
};

/* Names as they stand between the brackets; the first found of a key counts. */
static const struct {
    const char *name;
    enum key key;
} keys[] = {
    {"platform", KEY_PLATFORM},
    {"config", KEY_CONFIG},
    {"buildversion", KEY_BUILD},
    {"engineversion", KEY_ENGINE},
    {"os", KEY_OS},
    {"cpu", KEY_CPU},
    {"deviceprofile", KEY_PROFILE},
    {"targetframerate", KEY_TARGET_FPS},
    {"starttimestamp", KEY_STARTED},
    {"csvid", KEY_CAPTURE},
    {"commit", KEY_COMMIT},
    {"commithash", KEY_COMMIT},
    {"commitid", KEY_COMMIT},
    {"gitcommit", KEY_COMMIT},
    {"revision", KEY_COMMIT},
    {"changelist", KEY_COMMIT},
    {"mapname", KEY_SCENE},
    {"map", KEY_SCENE},
    {"levelname", KEY_SCENE},
    {"level", KEY_SCENE},
    {"scene", KEY_SCENE},
    {"commandline", KEY_COMMAND_LINE},
};

bool unreal_is_metadata(const char *text, size_t length)
{
    static const char *const signs[] = {
        "[hasheaderrowatend],", "[platform],",    "[config],", "[buildversion],",
        "[deviceprofile],",     "[commandline],", "[os],",     "[engineversion],"};
    char start[4096];

    if (length == 0 || *text != '[')
        return false;
    length = length < sizeof start - 1 ? length : sizeof start - 1;
    memcpy(start, text, length);
    start[length] = '\0';
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (strcasestr(start, signs[i]))
            return true;
    }
    return false;
}

static struct slice trimmed(const char *text, const char *end)
{
    while (text < end && (*text == ' ' || *text == '\t'))
        text++;
    while (text < end && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    return (struct slice){text, (size_t)(end - text)};
}

/* Quotes around a value are rarely balanced: the next ",[" ends it. */
static struct slice read_value(const char *at, const char *end, const char **ret_after)
{
    const char *stop = memmem(at, (size_t)(end - at), ",[", 2);
    struct slice value;

    if (!stop)
        stop = end;
    *ret_after = stop < end ? stop + 1 : end;
    value = trimmed(at, stop);
    if (value.length >= 2 && value.text[0] == '"' && value.text[value.length - 1] == '"')
        value = trimmed(value.text + 1, value.text + value.length - 1);
    return value;
}

static void take_pair(const struct import_sink *sink, struct slice name, struct slice value,
                      struct slice values[KEY_COUNT])
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strlen(keys[i].name) != name.length || strncasecmp(keys[i].name, name.text, name.length) != 0)
            continue;
        if (values[keys[i].key].length == 0)
            values[keys[i].key] = value;
        return;
    }
    if (value.length > 0 && name.length > 0 && name.length < 64) {
        char *text = memory_copy_bytes(name.text, name.length);

        if (personal_column(text))
            sink->column_left_out(sink->user, text, true);
        free(text);
    }
}

static void read_pairs(const struct import_sink *sink, const struct import_line *line,
                       struct slice values[KEY_COUNT], bool *ret_cut)
{
    const char *at = line->text, *end = at + line->length;

    *ret_cut = false;
    while (at < end) {
        const char *close = *at == '[' ? memchr(at, ']', (size_t)(end - at)) : NULL, *after;
        struct slice name, value;

        if (!close || close + 1 >= end || close[1] != ',') {
            *ret_cut = *ret_cut || (line->cut && *at == '[');
            close = memmem(at, (size_t)(end - at), ",[", 2);
            at = close ? close + 1 : end;
            continue;
        }
        name = trimmed(at + 1, close);
        if (name.length == strlen("commandline") && strncasecmp(name.text, "commandline", name.length) == 0) {
            values[KEY_COMMAND_LINE] = trimmed(close + 2, end); /* whatever it holds */
            return;
        }
        value = read_value(close + 2, end, &after);
        if (after == end && line->cut)
            *ret_cut = true; /* half a value is worse than none */
        else
            take_pair(sink, name, value, values);
        at = after;
    }
}

/* "samsung|SM-S948U1|Adreno (TM) 840" on phones, "AuthenticAMD|AMD Ryzen 9 5900HX" on PCs. */
static void take_device(const struct import_sink *sink, const struct slice values[KEY_COUNT], bool is_ios,
                        struct import_context *context)
{
    const char *at = values[KEY_CPU].text, *end = at ? at + values[KEY_CPU].length : NULL;
    struct slice parts[3] = {0};
    size_t count = 0;

    while (at && count < 3) {
        const char *bar = count < 2 ? memchr(at, '|', (size_t)(end - at)) : NULL;

        parts[count++] = trimmed(at, bar ? bar : end);
        at = bar ? bar + 1 : NULL;
    }
    context->field[CONTEXT_DEVICE] = reading_text(sink, count > 1 ? parts[1].text : parts[0].text,
                                                  count > 1 ? parts[1].length : parts[0].length);
    if (count == 3)
        context->field[CONTEXT_GPU_NAME] = reading_text(sink, parts[2].text, parts[2].length);
    /* The profile is the quality tier, but on iOS it is named after the device. */
    if (!context->field[CONTEXT_DEVICE] || is_ios)
        context->field[CONTEXT_DEVICE] =
            reading_text(sink, values[KEY_PROFILE].text, values[KEY_PROFILE].length);
    else
        context->field[CONTEXT_QUALITY] =
            reading_text(sink, values[KEY_PROFILE].text, values[KEY_PROFILE].length);
}

/* "++Game+Main-CL-40574608": the changelist. */
static struct slice changelist(struct slice build)
{
    const char *mark = memmem(build.text, build.length, "CL-", 3), *end = build.text + build.length;
    const char *stop;

    if (!mark)
        return (struct slice){0};
    mark += 3;
    for (stop = mark; stop < end && *stop >= '0' && *stop <= '9'; stop++)
        ;
    return (struct slice){mark, (size_t)(stop - mark)};
}

/* The map: an argument that is a package name ("/Game/Maps/Forest?listen"), by its last part. */
static struct slice map_argument(struct slice line)
{
    const char *at = line.text, *end = at + line.length;

    while (at < end) {
        const char *stop, *name;

        while (at < end && (*at == ' ' || *at == '"'))
            at++;
        for (stop = at; stop < end && *stop != ' ' && *stop != '"'; stop++)
            ;
        if (stop - at > 6 && memcmp(at, "/Game/", 6) == 0) {
            const char *last = at;

            for (const char *c = at; c < stop && *c != '?'; c++)
                last = *c == '/' ? c + 1 : last;
            for (name = last; name < stop && *name != '?' && *name != '.'; name++)
                ;
            return (struct slice){last, (size_t)(name - last)};
        }
        at = stop;
    }
    return (struct slice){0};
}

static void take_scene(const struct import_sink *sink, const struct slice values[KEY_COUNT],
                       struct import_context *context)
{
    struct slice scene = values[KEY_SCENE];

    if (scene.length == 0 && values[KEY_COMMAND_LINE].length > 0) {
        scene = map_argument(values[KEY_COMMAND_LINE]);
        if (scene.length > 0)
            reading_note(sink, "The scene \"%.*s\" is the map named on the game's command line.",
                         (int)(scene.length < 80 ? scene.length : 80), scene.text);
    }
    context->field[CONTEXT_SCENE] = reading_text(sink, scene.text, scene.length);
}

void unreal_metadata_read(const struct import_sink *sink, const struct import_line *line,
                          struct unreal_metadata *ret)
{
    static const struct {
        enum key key;
        enum context_field field;
    } plain[] = {{KEY_BUILD, CONTEXT_BUILD},           {KEY_OS, CONTEXT_OS},
                 {KEY_TARGET_FPS, CONTEXT_TARGET_FPS}, {KEY_COMMIT, CONTEXT_COMMIT},
                 {KEY_STARTED, CONTEXT_STARTED_AT},    {KEY_CAPTURE, CONTEXT_RUN}};
    struct slice values[KEY_COUNT] = {0};
    struct import_context *context = &ret->context;
    const struct slice *engine = &values[KEY_ENGINE], *config = &values[KEY_CONFIG],
                       *platform = &values[KEY_PLATFORM];

    unreal_metadata_free(ret);
    read_pairs(sink, line, values, &ret->cut);
    if (values[KEY_COMMIT].length == 0 && values[KEY_BUILD].length > 0)
        values[KEY_COMMIT] = changelist(values[KEY_BUILD]);
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        context->field[plain[i].field] =
            reading_text(sink, values[plain[i].key].text, values[plain[i].key].length);
    /* 0: the frame rate is not limited. */
    if (values[KEY_TARGET_FPS].length > 0 &&
        strspn(values[KEY_TARGET_FPS].text, "0.") >= values[KEY_TARGET_FPS].length)
        context->field[CONTEXT_TARGET_FPS] = 0;
    take_device(sink, values, platform->length == 3 && strncasecmp(platform->text, "ios", 3) == 0, context);
    take_scene(sink, values, context);
    if (engine->length + config->length > 0) {
        uint32_t text;

        ret->version = memory_print("%.*s%s%.*s", (int)engine->length, engine->text ? engine->text : "",
                                    engine->length && config->length ? " " : "", (int)config->length,
                                    config->text ? config->text : "");
        text = reading_text(sink, ret->version, strlen(ret->version));
        free(ret->version);
        ret->version = memory_copy_text(dictionary_text(sink->texts, text));
    }
}

void unreal_metadata_free(struct unreal_metadata *metadata)
{
    free(metadata->version);
    memset(metadata, 0, sizeof *metadata);
}

uint32_t unreal_read_events(const struct import_sink *sink, const char *text, size_t length,
                            int64_t *ret_count)
{
    const char *at = text, *end = text + length;
    struct text_buffer names = {0};
    uint32_t id;

    *ret_count = 0;
    while (at < end) {
        const char *stop = memchr(at, ';', (size_t)(end - at)), *mark, *next;
        int64_t ignored;

        stop = stop ? stop : end;
        next = stop < end ? stop + 1 : end;
        mark = memmem(at, (size_t)(stop - at), "##", 2);
        if (mark &&
            number_parse_scaled(mark + 2, (size_t)(stop - mark - 2), 1000, false, &ignored) == NUMBER_OK)
            stop = mark;
        while (at < stop && *at == ' ')
            at++;
        if (stop > at) {
            if (names.count > 0)
                text_add(&names, ";");
            text_add_bytes(&names, at, (size_t)(stop - at));
            (*ret_count)++;
        }
        at = next;
    }
    id = names.count > 0 ? reading_text(sink, names.items, names.count) : 0;
    free(text_take(&names));
    return id;
}
