/* Whether a thing fits. */
#include "filter_parts.h"
#include "internal.h"

#include "stutterscope/base/text.h"
#include <math.h>
#include <string.h>
#include <strings.h>

bool filter_value_fits(const char *value, const char *name)
{
    if (strpbrk(value, "*?"))
        return text_matches_glob(value, name);
    return strcasestr(name, value) != NULL;
}

static bool key_fits(const struct filter_term *term, const struct filter_subject *subject)
{
    for (size_t v = 0; v < term->values.count; v++) {
        const char *value = term->values.items[v];
        const char *const *names = subject->texts[term->key];

        if (!names[0] && strcasecmp(value, "none") == 0)
            return true;
        for (size_t i = 0; i < 3; i++)
            if (names[i] && (filter_fixed_word(term->key, 0) ? filter_fixed_fits(value, names[i]) : filter_value_fits(value, names[i])))
                return true;
    }
    return false;
}

static bool word_fits(const char *word, const struct filter_subject *subject)
{
    if (subject->also && filter_value_fits(word, subject->also))
        return true;
    /* Not in the build: it is the same for all that is shown. */
    static const enum filter_key named[] = {FILTER_DEVICE, FILTER_SCENE, FILTER_EVENT, FILTER_TIER, FILTER_OWNER, FILTER_TICKET};

    for (size_t k = 0; k < sizeof named / sizeof *named; k++)
        for (size_t i = 0; i < 3; i++)
            if (subject->texts[named[k]][i] && filter_value_fits(word, subject->texts[named[k]][i]))
                return true;
    return false;
}

static bool number_fits(const struct filter_term *term, double number)
{
    if (isnan(number))
        return false;
    switch (term->operator) {
    case FILTER_LESS:
        return number < term->number;
    case FILTER_LESS_EQUAL:
        return number <= term->number;
    case FILTER_GREATER:
        return number > term->number;
    case FILTER_GREATER_EQUAL:
        return number >= term->number;
    default:
        return fabs(number - term->number) < 0.05; /* as people read it, with one decimal */
    }
}

static bool term_fits(const struct filter_term *term, const struct filter_subject *subject)
{
    bool fits;

    if (!(subject->known & 1u << term->key))
        return true;
    fits = term->key == FILTER_WORD                ? word_fits(term->values.items[0], subject)
           : filter_key_info(term->key)->number    ? number_fits(term, subject->numbers[term->key])
                                                   : key_fits(term, subject);
    return fits != term->negated;
}

bool filter_fits(const struct filter *filter, const struct filter_subject *subject)
{
    for (size_t i = 0; filter && i < filter->count; i++)
        if (!term_fits(&filter->items[i], subject))
            return false;
    return true;
}

/* ---- what it is held against ---- */

void filter_subject_clear(struct filter_subject *subject)
{
    memset(subject, 0, sizeof *subject);
    subject->known = (1u << FILTER_KEY_COUNT) - 1;
    for (int key = 0; key < FILTER_KEY_COUNT; key++)
        subject->numbers[key] = NAN;
}

void filter_subject_set(struct filter_subject *subject, enum filter_key key, const char *text)
{
    for (size_t i = 0; text && *text && i < 3; i++)
        if (!subject->texts[key][i]) {
            subject->texts[key][i] = text;
            return;
        }
}

void filter_subject_device(struct filter_subject *subject, struct model *model, int64_t build, int64_t device)
{
    const struct device_row *row = model_device(model, device);
    const struct run_list *runs = build > 0 ? model_build_runs(model, build, NULL) : NULL;

    if (!row)
        return;
    filter_subject_set(subject, FILTER_DEVICE, model_device_title(row));
    filter_subject_set(subject, FILTER_DEVICE, row->model);
    filter_subject_set(subject, FILTER_DEVICE, row->chip);
    filter_subject_set(subject, FILTER_SOC, row->chip);
    filter_subject_set(subject, FILTER_TIER, row->tier);
    subject->numbers[FILTER_WEIGHT] = row->weight;
    for (size_t i = 0; runs && i < runs->count; i++)
        if (runs->items[i].device == device && runs->items[i].os) {
            filter_subject_set(subject, FILTER_OS, runs->items[i].os);
            break;
        }
}

void filter_subject_triage(struct filter_subject *subject, const struct triage_facts *facts)
{
    filter_subject_set(subject, FILTER_STATE, triage_state_name(facts->state));
    filter_subject_set(subject, FILTER_OWNER, facts->owner);
    filter_subject_set(subject, FILTER_TICKET, facts->ticket);
}

void filter_subject_entry(struct filter_subject *subject, struct model *model, const struct stutter_entry *entry)
{
    const struct stutter *stutter = &entry->stutter;

    filter_subject_clear(subject);
    filter_subject_device(subject, model, stutter->key.build, stutter->key.device);
    filter_subject_set(subject, FILTER_SCENE, model_scene_name(model, stutter->key.scene));
    filter_subject_set(subject, FILTER_QUALITY, model_quality_name(model, stutter->key.quality));
    filter_subject_set(subject, FILTER_BUILD, model_build_name(model, stutter->key.build));
    filter_subject_set(subject, FILTER_EVENT, model_text(model, stutter->event));
    filter_subject_set(subject, FILTER_KIND, finding_kind_name(FINDING_HITCH));
    filter_subject_set(subject, FILTER_VERDICT, verdict_name(entry->verdict));
    filter_subject_set(subject, FILTER_LABEL, frame_label_name(stutter->label));
    filter_subject_triage(subject, &entry->triage);
    if (entry->present) {
        subject->numbers[FILTER_SEVERITY] = entry->severity;
        subject->numbers[FILTER_PEAK] = (double)stutter->peak_ns / NS_PER_MS;
    }
}
