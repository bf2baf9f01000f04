/* The keys of the filter and the words that some of them take. */
#include "filter_parts.h"

#include "stutterscope/base/text.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct filter_key_info keys[FILTER_KEY_COUNT] = {
    [FILTER_WORD] = {"", "a word alone: in any name that is shown", false},
    [FILTER_DEVICE] = {"device", "name, model or chip of the device", false},
    [FILTER_SCENE] = {"scene", "the scene", false},
    [FILTER_EVENT] = {"event", "the event of the stutter", false},
    [FILTER_BUILD] = {"build", "the build", false},
    [FILTER_QUALITY] = {"quality", "the quality level", false},
    [FILTER_TIER] = {"tier", "the tier of the device", false},
    [FILTER_OS] = {"os", "operating system of the device's runs", false},
    [FILTER_SOC] = {"soc", "the chip", false},
    [FILTER_KIND] = {"kind", "hitch, drift, slow, silent, partial", false},
    [FILTER_VERDICT] = {"verdict", "new, back, worse, better, same, sporadic, gone, not-exercised, missing, none", false},
    [FILTER_STATE] = {"state",
                      "undecided, investigating, filed, known, noise, environment, wont-fix, done", false},
    [FILTER_LABEL] = {"label", "gameplay, pause, interference, loading, start-up, scene-change", false},
    [FILTER_OWNER] = {"owner", "who has it; none: nobody", false},
    [FILTER_TICKET] = {"ticket", "number of its ticket; none: no ticket", false},
    [FILTER_SEVERITY] = {"severity", "severity, such as severity>50", true},
    [FILTER_PEAK] = {"peak", "longest frame in ms, such as peak>=100", true},
    [FILTER_WEIGHT] = {"weight", "weight of the device", true},
};

const struct filter_key_info *filter_key_info(enum filter_key key)
{
    return &keys[key];
}

enum filter_key filter_key_by_name(const char *name, size_t length)
{
    for (int key = FILTER_WORD + 1; key < FILTER_KEY_COUNT; key++)
        if (strlen(keys[key].name) == length && strncasecmp(keys[key].name, name, length) == 0)
            return (enum filter_key)key;
    return FILTER_KEY_COUNT;
}

const char *filter_fixed_word(enum filter_key key, size_t index)
{
    switch (key) {
    case FILTER_KIND:
        return index < FINDING_KIND_COUNT ? finding_kind_name((enum finding_kind)index) : NULL;
    case FILTER_VERDICT:
        return index < VERDICT_COUNT ? verdict_name((enum verdict)index) : NULL;
    case FILTER_STATE:
        return index < TRIAGE_STATE_COUNT ? triage_state_name((enum triage_state)index) : NULL;
    case FILTER_LABEL:
        return index < LABEL_COUNT ? frame_label_name((enum frame_label)index) : NULL;
    default:
        return NULL;
    }
}

/* As on the command line: exactly one of the words. */
bool filter_check_word(enum filter_key key, const char *word, struct error *error)
{
    struct text_buffer list = {0};

    for (size_t i = 0; filter_fixed_word(key, i); i++)
        if (text_equals_ignoring_case(word, filter_fixed_word(key, i)))
            return true;
    for (size_t i = 0; filter_fixed_word(key, i); i++)
        text_add_print(&list, "%s%s", i ? ", " : "", filter_fixed_word(key, i));
    char *clean = text_clean(word, strlen(word)), *all = text_take(&list);

    error_set(error, ERROR_USAGE, "there is no %s \"%s\"; there are: %s", keys[key].name, clean, all);
    free(clean);
    free(all);
    return false;
}

/* Fixed words are meant from their beginning, and "not-exercised" is written without a blank. */
bool filter_fixed_fits(const char *value, const char *word)
{
    for (; *value; value++, word++)
        if (strncasecmp(value, word, 1) != 0 && !(*value == '-' && *word == ' '))
            return false;
    return true;
}
