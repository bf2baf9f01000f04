/* Any text as a filter: understood or refused with its place, completed, held against a thing; never worse than that. */
#include "fuzz.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/model/filter.h"

#include <stdlib.h>
#include <string.h>

static void hold_against_things(const struct filter *filter)
{
    struct filter_subject subject;

    filter_subject_clear(&subject);
    filter_fits(filter, &subject);
    filter_subject_set(&subject, FILTER_DEVICE, "Galaxy S23 Ultra");
    filter_subject_set(&subject, FILTER_VERDICT, "not exercised");
    subject.numbers[FILTER_PEAK] = 92.4;
    filter_fits(filter, &subject);
    subject.known = 1;
    if (!filter_fits(filter, &subject) && !filter_uses(filter, FILTER_WORD))
        abort(); /* what a thing cannot have does not count */
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static char device[] = "Galaxy \"S23\"", scene[] = "Battle_03";
    static char *devices[] = {device}, *scenes[] = {scene};
    struct filter_names names = {.keys = {[FILTER_DEVICE] = {devices, 1, 1}, [FILTER_SCENE] = {scenes, 1, 1}}};
    struct filter *filter = NULL;
    struct error error = {0};
    char *text = memory_copy_bytes((const char *)bytes, size), completed[128];
    size_t at = 0, length = 0;

    if (filter_parse(text, &filter, &at, &length, &error)) {
        hold_against_things(filter);
        filter_check_names(filter, &names, &at, &length, &error);
        filter_destroy(filter);
    } else if (!error.text[0]) {
        abort();
    }
    if (at + length > strlen(text))
        abort();
    for (size_t i = 0; i < 4 && filter_complete(&names, text, i, completed, sizeof completed); i++)
        if (strlen(completed) >= sizeof completed)
            abort();
    free(text);
    return 0;
}
