#include "stutterscope/analysis/settings.h"
#include "stutterscope/base/hash.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <stdlib.h>
#include <string.h>

/*
 * What names mean. `whole` is the class of a name that matches the glob as it is; `begin` and `end` are the
 * classes of the glob followed by one of the endings below. A lone "scene_load" or "asset_load" is no loading
 * screen: it happens during play and may hitch there; only begin and end say that nobody plays.
 */
struct event_pattern {
    const char *glob;
    uint32_t whole, begin, end;
};
#define PAUSE_BEGIN(glob)                                                                                    \
    {                                                                                                        \
        glob, EVENT_PAUSE_BEGIN, 0, 0                                                                        \
    }
#define PAUSE_END(glob)                                                                                      \
    {                                                                                                        \
        glob, EVENT_PAUSE_END, 0, 0                                                                          \
    }
#define PAUSE(glob)                                                                                          \
    {                                                                                                        \
        glob, EVENT_PAUSE_BEGIN, EVENT_PAUSE_BEGIN, EVENT_PAUSE_END                                          \
    }
#define INTERFERENCE(glob)                                                                                   \
    {                                                                                                        \
        glob, EVENT_INTERFERENCE, EVENT_INTERFERENCE | EVENT_INTERFERENCE_BEGIN,                             \
            EVENT_INTERFERENCE | EVENT_INTERFERENCE_END                                                      \
    }
#define LOADING(glob)                                                                                        \
    {                                                                                                        \
        glob, 0, EVENT_LOADING_BEGIN, EVENT_LOADING_END                                                      \
    }
#define LOADS(glob)                                                                                          \
    {                                                                                                        \
        glob, EVENT_LOADS, 0, 0                                                                              \
    }
static const struct event_pattern patterns[] = {
    PAUSE("pause"),
    PAUSE("game_pause"),
    PAUSE("app_pause"),
    PAUSE("application_pause"),
    PAUSE_BEGIN("app_background"),
    PAUSE_BEGIN("app_backgrounded"),
    PAUSE_BEGIN("app_suspend"),
    PAUSE_BEGIN("app_paused"),
    PAUSE_BEGIN("enter_background"),
    PAUSE_BEGIN("background"),
    PAUSE_BEGIN("paused"),
    PAUSE_END("app_foreground"),
    PAUSE_END("app_foregrounded"),
    PAUSE_END("app_resume"),
    PAUSE_END("app_resumed"),
    PAUSE_END("application_resume"),
    PAUSE_END("game_resume"),
    PAUSE_END("enter_foreground"),
    PAUSE_END("foreground"),
    PAUSE_END("resume"),
    PAUSE_END("resumed"),
    PAUSE_END("unpause"),
    INTERFERENCE("memory_snapshot"),
    INTERFERENCE("memory_dump"),
    INTERFERENCE("heap_snapshot"),
    INTERFERENCE("heap_dump"),
    INTERFERENCE("gc_snapshot"),
    INTERFERENCE("screenshot"),
    INTERFERENCE("*_screenshot"),
    INTERFERENCE("screen_capture"),
    INTERFERENCE("profiler_flush"),
    INTERFERENCE("profiler_snapshot"),
    INTERFERENCE("profiler_dump"),
    INTERFERENCE("telemetry_flush"),
    INTERFERENCE("trace_flush"),
    LOADING("loading"),
    LOADING("load"),
    LOADING("loading_screen"),
    LOADING("level_load*"), /* level_load, level_loading */
    LOADING("scene_load*"),
    LOADING("map_load*"),
    LOADING("stage_load*"),
    LOADING("world_load*"),
    LOADS("*spawn*"),
    LOADS("*load*"),
    LOADS("*stream*"),
};

static const struct {
    const char *text;
    bool begins;
} endings[] = {
    {"_begin", true}, {"_start", true},     {"_end", false},
    {"_done", false}, {"_finished", false}, {"_complete", false},
};

/* Length of the name without its ending; the whole length when it has none. */
static size_t stem_length(const char *name, bool *ret_begins)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t tail = strlen(endings[i].text);
        if (length > tail && strcmp(name + length - tail, endings[i].text) == 0) {
            *ret_begins = endings[i].begins;
            return length - tail;
        }
    }
    return length;
}

static char *normal_name(const char *name)
{
    char *normal = memory_copy_text(name);
    for (char *at = normal; *at; at++) {
        if (strchr(" -.:", *at))
            *at = '_';
        else if (*at >= 'A' && *at <= 'Z')
            *at = (char)(*at - 'A' + 'a');
    }
    return normal;
}

uint32_t event_class_of(const char *name)
{
    bool begins = false;
    uint32_t class = 0, paired = 0;
    char *whole = normal_name(name);
    size_t length = stem_length(whole, &begins);
    char *stem = memory_copy_bytes(whole, length);
    bool has_ending = whole[length] != '\0';

    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        if (patterns[i].whole && text_matches_glob(patterns[i].glob, whole))
            class |= patterns[i].whole;
        if (has_ending && (patterns[i].begin | patterns[i].end) && text_matches_glob(patterns[i].glob, stem))
            paired |= begins ? patterns[i].begin : patterns[i].end;
    }
    class |= paired;
    if (paired & EVENT_INTERFERENCE)
        class |= (uint32_t)(hash_bytes(stem, length) << EVENT_STEM_SHIFT);
    free(stem);
    free(whole);
    return class;
}

bool event_class_is_silent(uint32_t event_class)
{
    return (event_class & (EVENT_PAUSE_BEGIN | EVENT_PAUSE_END | EVENT_INTERFERENCE | EVENT_LOADING_BEGIN |
                           EVENT_LOADING_END)) != 0;
}
