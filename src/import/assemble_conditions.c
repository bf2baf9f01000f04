/*
 * Under what conditions a run began: a hot or throttled device makes another run of it, and only like is compared with
 * like.
 */
#include "assemble_private.h"
#include "stutterscope/base/text.h"
#include <string.h>

/* Words for a cool device: the same as nothing said. */
static const char *const normal_states[] = {"nominal", "none", "normal", "0", "thermal_nominal", "thermal_none", "thermal_normal"};
static const char *const condition_events[] = {"thermal_*", "low_power*", "lowpower*", "power_save*", "battery_saver*"};

static bool is_normal(const char *text)
{
    for (size_t i = 0; i < sizeof normal_states / sizeof *normal_states; i++)
        if (text_equals_ignoring_case(normal_states[i], text))
            return true;
    return false;
}

static bool is_condition(const char *event)
{
    size_t length = strlen(event);

    if (length > 4 && text_equals_ignoring_case(event + length - 4, "_off"))
        return false;
    for (size_t i = 0; i < sizeof condition_events / sizeof *condition_events; i++)
        if (text_matches_glob(condition_events[i], event))
            return true;
    return false;
}

static const char *first_text(const struct dictionary *texts, const struct frame_columns *columns, enum frame_column column)
{
    const int64_t *values = columns->values[column];

    return values && values[0] > 0 ? dictionary_text(texts, (uint32_t)values[0]) : "";
}

const char *start_conditions(const struct dictionary *texts, const struct frame_columns *columns)
{
    const char *thermal = first_text(texts, columns, COLUMN_THERMAL), *event = first_text(texts, columns, COLUMN_EVENT);

    if (*event && is_condition(event) && !is_normal(event))
        return event;
    return *thermal && !is_normal(thermal) ? thermal : NULL;
}
