/* The names that a filter can ask for: collected, checked, completed. */
#include "filter_parts.h"
#include "internal.h"

#include "stutterscope/base/dictionary.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Names while they are collected; each is kept once. */
struct collecting {
    struct model *model;
    struct filter_names *names;
    struct dictionary *met[FILTER_SEVERITY];
    bool all_texts; /* every text of the store counts as an event */
};

static void add_name(struct collecting *to, enum filter_key key, const char *name)
{
    struct dictionary *met = to->met[key];
    size_t before = dictionary_count(met);

    if (!name || !*name)
        return;
    dictionary_add(met, name, strlen(name));
    if (dictionary_count(met) > before)
        array_push(&to->names->keys[key], memory_copy_text(name));
}

static int compare_names(const void *a, const void *b)
{
    return text_compare_natural(*(char *const *)a, *(char *const *)b);
}

/* What is not analysed yet may have any event: those are among the texts of the store, with other words. */
static void add_of_build(struct collecting *to, int64_t build)
{
    struct model *model = to->model;
    const struct build_results *results = model_results(model, build, true, NULL, NULL);
    const struct run_list *runs = model_build_runs(model, build, NULL);
    int64_t last = 0;

    for (size_t i = 0; results && i < results->events.count; i++)
        if (results->events.items[i].event != last) {
            last = results->events.items[i].event;
            add_name(to, FILTER_EVENT, model_text(model, last));
        }
    for (size_t i = 0; results && i < results->stutters.count; i++)
        add_name(to, FILTER_EVENT, model_text(model, results->stutters.items[i].event));
    to->all_texts |= !results || !results->complete;
    for (size_t i = 0; runs && i < runs->count; i++)
        add_name(to, FILTER_OS, runs->items[i].os);
}

static void add_of_store(struct collecting *to)
{
    const struct model *model = to->model;

    for (size_t i = 0; i < model->devices.count; i++) {
        const struct device_row *device = &model->devices.items[i];

        add_name(to, FILTER_DEVICE, model_device_title(device));
        add_name(to, FILTER_DEVICE, device->model);
        add_name(to, FILTER_SOC, device->chip);
        add_name(to, FILTER_TIER, device->tier);
    }
    for (size_t i = 0; i < model->scenes.count; i++)
        add_name(to, FILTER_SCENE, model->scenes.items[i].text);
    for (size_t i = 0; i < model->qualities.count; i++)
        add_name(to, FILTER_QUALITY, model->qualities.items[i].text);
    for (size_t i = 0; i < model->triage.rows.count; i++) {
        add_name(to, FILTER_OWNER, model->triage.rows.items[i].owner);
        add_name(to, FILTER_TICKET, model->triage.rows.items[i].ticket);
    }
}

static void add_fixed_words(struct collecting *to)
{
    for (int key = FILTER_KIND; key <= FILTER_LABEL; key++)
        for (size_t i = 0; filter_fixed_word((enum filter_key)key, i); i++) {
            char word[64];

            snprintf(word, sizeof word, "%s", filter_fixed_word((enum filter_key)key, i));
            for (char *blank = strchr(word, ' '); blank; blank = strchr(blank, ' '))
                *blank = '-';
            add_name(to, (enum filter_key)key, word);
        }
}

void model_filter_names(struct model *model, int64_t build, struct filter_names *ret)
{
    struct collecting to = {.model = model, .names = ret};

    memset(ret, 0, sizeof *ret);
    for (int key = 0; key < FILTER_SEVERITY; key++)
        to.met[key] = dictionary_create();
    add_of_store(&to);
    for (size_t i = 0; i < model->builds.count; i++) {
        add_name(&to, FILTER_BUILD, model->builds.items[i].name);
        if (build == -1 || build == model->builds.items[i].id)
            add_of_build(&to, model->builds.items[i].id);
    }
    for (size_t i = 0; i < model->texts.count && to.all_texts; i++)
        add_name(&to, FILTER_EVENT, model->texts.items[i].text);
    add_fixed_words(&to);
    for (int key = 0; key < FILTER_SEVERITY; key++)
        dictionary_destroy(to.met[key]);
    for (int key = FILTER_DEVICE; key < FILTER_SEVERITY; key++)
        if (ret->keys[key].count > 1 && !filter_fixed_word((enum filter_key)key, 0)) /* those have an order of their own */
            qsort(ret->keys[key].items, ret->keys[key].count, sizeof(char *), compare_names);
}

void filter_names_free(struct filter_names *names)
{
    for (int key = 0; key < FILTER_SEVERITY; key++) {
        for (size_t i = 0; i < names->keys[key].count; i++)
            free(names->keys[key].items[i]);
        array_free(&names->keys[key]);
    }
}

/* ---- checking ---- */

static bool refuse_name(const struct filter_term *term, const char *value, const struct filter_name_list *list,
                        struct error *error)
{
    enum { SHOWN = 12, LONGEST = 40 };
    struct text_buffer there = {0};
    char *clean = text_clean(value, strlen(value)), *cut = text_cut_end(clean, LONGEST, "…");

    for (size_t i = 0; i < list->count && i < SHOWN; i++)
        text_add_print(&there, "%s%s", i ? ", " : "", list->items[i]);
    if (list->count > SHOWN)
        text_add_print(&there, " and %zu more", list->count - SHOWN);
    error_set(error, ERROR_USAGE, "no %s has \"%s\"; there are: %s", filter_key_info(term->key)->name, cut,
              list->count ? there.items : "none");
    free(clean);
    free(cut);
    array_free(&there);
    return false;
}

bool model_check_event(struct model *model, const char *name, struct error *error)
{
    struct filter_names names;
    struct filter_term term = {.key = FILTER_EVENT};

    for (size_t i = 0; i < model->texts.count; i++)
        if (text_equals_ignoring_case(name, model->texts.items[i].text))
            return true;
    model_filter_names(model, -1, &names);
    refuse_name(&term, name, &names.keys[FILTER_EVENT], error);
    filter_names_free(&names);
    return false;
}

bool model_check_series(struct model *model, struct error *error)
{
    struct filter_name_list series = {0};
    struct run_list runs = {0};
    struct text_buffer there = {0};
    bool good = model->groups.count > 0;

    if (good || !store_list_runs(model->store, &(struct run_filter){0}, &runs, error))
        return good;
    for (size_t i = 0; i < runs.count && !good; i++) {
        const char *name = runs.items[i].series ? runs.items[i].series : "nightly";
        size_t at = 0;

        good = strcmp(name, model->series) == 0;
        while (at < series.count && strcmp(series.items[at], name) != 0)
            at++;
        if (at == series.count) {
            array_push(&series, (char *)name);
            text_add_print(&there, "%s%s", at ? ", " : "", name);
        }
    }
    good |= runs.count == 0;
    if (!good) {
        char *clean = text_clean(model->series, strlen(model->series));

        error_set(error, ERROR_USAGE, "no run has the series \"%s\"; there are: %s (--series)", clean, there.items);
        free(clean);
    }
    array_free(&series);
    array_free(&there);
    run_list_free(&runs);
    return good;
}


static bool is_there(const char *value, const struct filter_name_list *list)
{
    if (strcasecmp(value, "none") == 0)
        return true;
    for (size_t i = 0; i < list->count; i++)
        if (filter_value_fits(value, list->items[i]))
            return true;
    return false;
}

bool filter_check_names(const struct filter *filter, const struct filter_names *names, size_t *ret_at, size_t *ret_length,
                        struct error *error)
{
    for (size_t i = 0; filter && i < filter->count; i++) {
        const struct filter_term *term = &filter->items[i];

        if (term->key == FILTER_WORD || term->key > FILTER_SOC)
            if (term->key != FILTER_OWNER && term->key != FILTER_TICKET)
                continue;
        for (size_t v = 0; v < term->values.count; v++) {
            if (is_there(term->values.items[v], &names->keys[term->key]))
                continue;
            if (ret_at)
                *ret_at = term->at;
            if (ret_length)
                *ret_length = term->length;
            return refuse_name(term, term->values.items[v], &names->keys[term->key], error);
        }
    }
    return true;
}

/* ---- completing ---- */

/* Where the last word begins; blanks in quotes do not end a word. */
static size_t last_word(const char *text)
{
    size_t begin = 0;
    bool quoted = false;

    for (size_t i = 0; text[i]; i++) {
        quoted ^= text[i] == '"';
        if (!quoted && (text[i] == ' ' || text[i] == '\t'))
            begin = i + 1;
    }
    return begin;
}

static bool offer(const char *text, size_t kept, const char *name, bool value, char *buffer, size_t size)
{
    const char *quote = value && strpbrk(name, " \t,:<>=\"") ? "\"" : "";

    if (strchr(name, '"')) /* cannot be written in the language */
        return false;
    return snprintf(buffer, size, "%.*s%s%s%s", (int)kept, text, quote, name, quote) < (int)size;
}

static bool begins_or_has(const char *name, const char *part, bool begins)
{
    bool at_begin = strncasecmp(name, part, strlen(part)) == 0;

    return begins ? at_begin : !at_begin && strcasestr(name, part) != NULL;
}

/* Names that begin with the part come first, then, in a second round, those that have it inside. */
static bool complete_name(const struct filter_name_list *list, const char *text, size_t kept, const char *part, int rounds,
                          size_t *index, char *buffer, size_t size)
{
    for (int round = 0; round < rounds; round++)
        for (size_t i = 0; i < list->count; i++)
            if (begins_or_has(list->items[i], part, round == 0) && offer(text, kept, list->items[i], true, buffer, size) &&
                (*index)-- == 0)
                return true;
    return false;
}

static bool complete_key(const char *text, size_t kept, const char *part, size_t *index, char *buffer, size_t size)
{
    for (int key = FILTER_WORD + 1; key < FILTER_KEY_COUNT; key++) {
        const struct filter_key_info *info = filter_key_info((enum filter_key)key);
        char name[32];

        if (strncasecmp(info->name, part, strlen(part)) != 0)
            continue;
        snprintf(name, sizeof name, "%s%s", info->name, info->number ? ">" : ":");
        if (offer(text, kept, name, false, buffer, size) && (*index)-- == 0)
            return true;
    }
    return false;
}

bool filter_complete(const struct filter_names *names, const char *text, size_t index, char *buffer, size_t size)
{
    static const enum filter_key named[] = {FILTER_DEVICE, FILTER_SCENE, FILTER_EVENT};
    size_t word = last_word(text);
    const char *part, *colon;

    word += text[word] == '-';
    colon = strpbrk(text + word, ":\"");
    if (colon && *colon == ':') {
        enum filter_key key = filter_key_by_name(text + word, (size_t)(colon - text - (ptrdiff_t)word));
        const char *comma = strrchr(colon, ',');

        part = comma ? comma + 1 : colon + 1;
        size_t kept = (size_t)(part - text);
        return key < FILTER_SEVERITY &&
               complete_name(&names->keys[key], text, kept, part + (*part == '"'), filter_fixed_word(key, 0) ? 1 : 2, &index, buffer, size);
    }
    part = text + word + (text[word] == '"');
    if (!colon && complete_key(text, word, part, &index, buffer, size))
        return true;
    for (size_t k = 0; *part && k < sizeof named / sizeof *named; k++)
        if (complete_name(&names->keys[named[k]], text, word, part, 2, &index, buffer, size))
            return true;
    return false;
}
