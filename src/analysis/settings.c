#include "stutterscope/analysis/settings.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/number.h"
#include "stutterscope/base/telemetry.h"
#include "stutterscope/base/text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Part of the key: raise it whenever a definition changes, so that stores recompute what older programs
 * derived. */
#define ANALYSIS_VERSION 1

enum setting_kind { SETTING_RULE, SETTING_SCALED, SETTING_FPS, SETTING_SWITCH };

struct setting_entry {
    enum setting_kind kind;
    size_t offset; /* of an int64_t, of the rule or of a bool */
    int64_t scale; /* units of the field per unit of the text */
    int64_t lower, upper;
};

static const char *const rule_names[] = {"both", "budget", "mad", "either"};

#define FIELD(name) offsetof(struct analysis_settings, name)
/* Both tables have the same order: what people see, and how it is stored. */
static const struct analysis_setting descriptions[] = {
    {"rule", "", "both, budget, mad, either",
     "Which frames are candidates: threshold and robust z, or one of them."},
    {"factor", "x budget", "0.5 … 100",
     "Alert factor: a frame is over when it takes longer than this many budgets."},
    {"z", "", "0 … 1000", "Robust z from which a frame stands out of its group."},
    {"gap", "ms", "0 … 60000", "Candidates at most this far apart are one window."},
    {"mad-floor", "ms", "0 … 1000", "Smallest spread that the robust z divides by."},
    {"few", "frames", "1 … 1000000", "Groups with fewer frames are shown but never compared."},
    {"fps", "FPS", "auto, 1 … 1000", "Budget for all frames, instead of what the telemetry says."},
    {"labels", "", "on, off", "Whether pauses, loading and start-up are told from gameplay."},
};
static const struct setting_entry entries[] = {
    {SETTING_RULE, FIELD(rule), 0, 0, 0},
    {SETTING_SCALED, FIELD(factor_milli), 1000, 500, 100000},
    {SETTING_SCALED, FIELD(z_milli), 1000, 0, 1000000},
    {SETTING_SCALED, FIELD(gap_ns), NS_PER_MS, 0, 60000 * NS_PER_MS},
    {SETTING_SCALED, FIELD(mad_floor_ns), NS_PER_MS, 0, 1000 * NS_PER_MS},
    {SETTING_SCALED, FIELD(few_frames), 1, 1, 1000000},
    {SETTING_FPS, FIELD(fps_milli), 1000, 1000, 1000000},
    {SETTING_SWITCH, FIELD(labels), 0, 0, 0},
};
#define SETTING_COUNT (sizeof entries / sizeof *entries)
_Static_assert(sizeof descriptions / sizeof *descriptions == SETTING_COUNT, "one description per setting");

void analysis_settings_default(struct analysis_settings *settings)
{
    *settings = (struct analysis_settings){
        .rule = RULE_BOTH,
        .factor_milli = 2000,
        .z_milli = 3500,
        .gap_ns = 500 * NS_PER_MS,
        .mad_floor_ns = NS_PER_MS / 2,
        .few_frames = 30,
        .fps_milli = 0,
        .labels = true,
    };
}

const struct analysis_setting *analysis_settings_table(size_t *ret_count)
{
    *ret_count = SETTING_COUNT;
    return descriptions;
}

static size_t find_setting(const char *name)
{
    for (size_t i = 0; i < SETTING_COUNT; i++)
        if (text_equals_ignoring_case(descriptions[i].name, name))
            return i;
    return SETTING_COUNT;
}

static bool parse_rule(const char *value, enum candidate_rule *ret)
{
    for (size_t i = 0; i < sizeof rule_names / sizeof *rule_names; i++)
        if (text_equals_ignoring_case(rule_names[i], value)) {
            *ret = (enum candidate_rule)i;
            return true;
        }
    return false;
}

static bool parse_switch(const char *value, bool *ret)
{
    static const struct {
        const char *text;
        bool value;
    } words[] = {{"on", true},   {"yes", true}, {"true", true},   {"1", true},
                 {"off", false}, {"no", false}, {"false", false}, {"0", false}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (text_equals_ignoring_case(words[i].text, value)) {
            *ret = words[i].value;
            return true;
        }
    return false;
}

static bool parse_scaled(const struct setting_entry *entry, const char *value, int64_t *ret)
{
    int64_t parsed;
    if (entry->kind == SETTING_FPS && (text_equals_ignoring_case(value, "auto") || strcmp(value, "0") == 0)) {
        *ret = 0;
        return true;
    }
    if (number_parse_scaled(value, strlen(value), entry->scale, false, &parsed) != NUMBER_OK)
        return false;
    if (parsed < entry->lower || parsed > entry->upper)
        return false;
    *ret = parsed;
    return true;
}

bool analysis_settings_set(struct analysis_settings *settings, const char *name, const char *value,
                           struct error *error)
{
    size_t at = find_setting(name);
    if (at == SETTING_COUNT) {
        struct text_buffer known = {0};
        for (size_t i = 0; i < SETTING_COUNT; i++)
            text_add_print(&known, "%s%s", i ? ", " : "", descriptions[i].name);
        error_set(error, ERROR_USAGE, "There is no analysis setting \"%s\"; known are %s.", name,
                  known.items);
        array_free(&known);
        return false;
    }
    char *field = (char *)settings + entries[at].offset;
    bool ok = false;
    switch (entries[at].kind) {
    case SETTING_RULE:
        ok = parse_rule(value, (enum candidate_rule *)(void *)field);
        break;
    case SETTING_SWITCH:
        ok = parse_switch(value, (bool *)field);
        break;
    case SETTING_SCALED:
    case SETTING_FPS:
        ok = parse_scaled(&entries[at], value, (int64_t *)(void *)field);
        break;
    }
    if (!ok)
        return error_set(error, ERROR_USAGE, "\"%s\" is no value for %s: expected %s%s%s.", value,
                         descriptions[at].name, descriptions[at].values, *descriptions[at].unit ? " " : "",
                         descriptions[at].unit);
    return true;
}

static char *print_setting(const struct analysis_settings *settings, size_t at, char *buffer, size_t size)
{
    const char *field = (const char *)settings + entries[at].offset;
    int64_t number;
    switch (entries[at].kind) {
    case SETTING_RULE:
        snprintf(buffer, size, "%s", rule_names[settings->rule]);
        return buffer;
    case SETTING_SWITCH:
        snprintf(buffer, size, "%s", *(const bool *)field ? "on" : "off");
        return buffer;
    case SETTING_SCALED:
    case SETTING_FPS:
        break;
    }
    memcpy(&number, field, sizeof number);
    if (entries[at].kind == SETTING_FPS && number <= 0)
        snprintf(buffer, size, "auto");
    else
        number_print_scaled(buffer, size, number, entries[at].scale);
    return buffer;
}

char *analysis_settings_print(const struct analysis_settings *settings, const char *name, char *buffer,
                              size_t size)
{
    size_t at = find_setting(name);
    if (at < SETTING_COUNT)
        return print_setting(settings, at, buffer, size);
    if (size > 0)
        *buffer = '\0';
    return buffer;
}

char *analysis_settings_key(const struct analysis_settings *settings)
{
    struct text_buffer key = {0};
    char value[64];
    text_add_print(&key, "analysis=%d", ANALYSIS_VERSION);
    for (size_t i = 0; i < SETTING_COUNT; i++)
        text_add_print(&key, " %s=%s", descriptions[i].name, print_setting(settings, i, value, sizeof value));
    return text_take(&key);
}

char *analysis_labelling_text(const struct analysis_settings *settings, int64_t device_fps_milli)
{
    const struct analysis_settings of_device = {.fps_milli = settings->fps_milli > 0 ? 0 : device_fps_milli};
    static const char *const names[] = {"factor", "fps", "labels"};
    struct text_buffer text = {0};
    char value[64];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        text_add_print(&text, "%s%s=%s", i ? " " : "", names[i],
                       analysis_settings_print(settings, names[i], value, sizeof value));
    text_add_print(&text, ANALYSIS_DEVICE_WORD "%s",
                   analysis_settings_print(&of_device, "fps", value, sizeof value));
    return text_take(&text);
}

#define NS_PER_S_MILLI (NS_PER_S * 1000) /* budget = this / fps_milli */
#define US_PER_S_MILLI 1000000000LL      /* the same in µs */
#define NS_PER_US      1000LL

struct frame_limits frame_limits_of(const struct analysis_settings *settings, int64_t fps_milli)
{
    if (settings->fps_milli > 0)
        fps_milli = settings->fps_milli;
    if (fps_milli <= 0)
        fps_milli = 60000;
    /* x > floor(f * budget) is x * fps > f * 10^9 for integers x: nothing is lost by rounding down. */
    return (struct frame_limits){
        .budget_ns = NS_PER_US * ((US_PER_S_MILLI + fps_milli / 2) / fps_milli),
        .late_ns = 1050 * NS_PER_S / fps_milli,
        .slow_ns = 1500 * NS_PER_S / fps_milli,
        .alert_ns = settings->factor_milli * NS_PER_S / fps_milli,
        .start_up_ns = (6 * NS_PER_S_MILLI + fps_milli - 1) / fps_milli,
    };
}
