/* Any text as a filter: understood or refused with its place, completed, held against a thing; never worse than that. */
#include "fuzz.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/model/filter.h"

#include <stdlib.h>
#include <string.h>

/* Which of three things fit, as bits. */
static unsigned hold_against_things(const struct filter *filter)
{
    struct filter_subject subject;
    unsigned fits;

    filter_subject_clear(&subject);
    fits = filter_fits(filter, &subject);
    filter_subject_set(&subject, FILTER_DEVICE, "Galaxy S23 Ultra");
    filter_subject_set(&subject, FILTER_VERDICT, "not exercised");
    subject.numbers[FILTER_PEAK] = 92.4;
    fits |= (unsigned)filter_fits(filter, &subject) << 1;
    subject.known = 1u << FILTER_WORD;
    fits |= (unsigned)filter_fits(filter, &subject) << 2;
    if (!(fits & 4) && !filter_uses(filter, FILTER_WORD))
        abort(); /* what a thing cannot have does not count */
    if (filter_is_empty(filter) && fits != 7)
        abort(); /* everything fits nothing said */
    return fits;
}

/* What is kept of a filter means the same as what was given. */
static void read_again(const struct filter *filter)
{
    struct filter *again = NULL;
    struct error error = {0};

    if (!filter_parse(filter_text(filter), &again, NULL, NULL, &error) || strcmp(filter_text(again), filter_text(filter)) != 0 ||
        hold_against_things(again) != hold_against_things(filter))
        abort();
    filter_destroy(again);
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
        read_again(filter);
        if (!filter_check_names(filter, &names, &at, &length, &error) && !error.text[0])
            abort();
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
