/*
 * From options to a model and a request.
 */
#include "invocation.h"
#include "stutterscope/base/clock.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/number.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/model/filter.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *invocation_store(const struct invocation *invocation)
{
    const char *path = invocation_value(invocation, OPTION_STORE);

    if (!path || !*path)
        path = getenv("STUTTERSCOPE_STORE");
    return path && *path ? memory_copy_text(path) : path_default_store();
}

bool invocation_settings(const struct invocation *invocation, struct analysis_settings *settings, bool *ret_changed, struct error *error)
{
    static const struct {
        enum option option;
        const char *name;
    } names[] = {
        {OPTION_RULE, "rule"}, {OPTION_FACTOR, "factor"}, {OPTION_Z, "z"}, {OPTION_GAP, "gap"}, {OPTION_MAD_FLOOR, "mad-floor"}, {OPTION_FPS, "fps"},
    };

    *ret_changed = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = invocation_value(invocation, names[i].option);

        if (!value)
            continue;
        if (!analysis_settings_set(settings, names[i].name, value, error))
            return error_prefix(error, "--%s", names[i].name);
        *ret_changed = true;
    }
    if (invocation_has(invocation, OPTION_NO_LABELS)) {
        settings->labels = false;
        *ret_changed = true;
    }
    return true;
}

/* Results are written where that is possible; a store that only can be read is read. */
static enum store_mode mode_for(const char *path)
{
    return access(path, W_OK) == 0 ? STORE_WRITE : STORE_READ;
}

bool invocation_open_model(struct invocation *invocation, struct model **ret, struct error *error)
{
    char *path = invocation_store(invocation);
    struct model_options options = {.mode = mode_for(path), .series = invocation_value(invocation, OPTION_SERIES)};
    struct analysis_settings settings;
    bool changed = false, good;

    good = access(path, F_OK) == 0 ||
           error_set(error, ERROR_IO, "%s: there is no store yet; \"stutterscope import FILE\" makes one, --store or $STUTTERSCOPE_STORE names another", path);
    good = good && model_open(path, &options, ret, error);
    if (good) {
        settings = *model_settings(*ret);
        good = model_check_series(*ret, error) && invocation_settings(invocation, &settings, &changed, error) && (!changed || model_change_settings(*ret, &settings, error));
        if (!good)
            model_close(*ret);
    }
    free(path);
    return good;
}

bool invocation_create_model(struct invocation *invocation, bool lists_later, struct model **ret, struct error *error)
{
    char *path = invocation_store(invocation);
    struct model_options options = {.mode = STORE_CREATE, .series = invocation_value(invocation, OPTION_SERIES), .lists_later = lists_later};
    bool good = path_make_parents(path, error) && model_open(path, &options, ret, error);

    free(path);
    return good;
}

static bool parse_percentiles(const char *text, struct table_request *request, struct error *error)
{
    struct {
        int64_t *items;
        size_t count, capacity;
    } list = {0};

    while (*text) {
        size_t length = strcspn(text, ",");
        int64_t percent;

        if (number_parse_scaled(text, length, 1000, false, &percent) != NUMBER_OK || percent < 0 || percent > 100000) {
            array_free(&list);
            return error_set(error, ERROR_USAGE, "--percentiles: expected numbers from 0 to 100 with commas between them, such as 7,50,99.9; found \"%s\"", text);
        }
        array_push(&list, percent);
        text += length + (text[length] == ',');
    }
    request->percentiles_milli = list.items;
    request->percentile_count = list.count;
    return true;
}

static bool parse_ms(const struct invocation *invocation, enum option option, int64_t *ret, struct error *error)
{
    const char *value = invocation_value(invocation, option);

    if (!value || number_parse_scaled(value, strlen(value), NS_PER_MS, false, ret) == NUMBER_OK)
        return true;
    return error_set(error, ERROR_USAGE, "--%s: expected milliseconds, found \"%s\"", option_table[option].name, value);
}

static bool parse_within(const struct invocation *invocation, struct table_request *ret, struct error *error)
{
    return parse_ms(invocation, OPTION_WITHIN, &ret->within_ns, error) &&
           (ret->within_ns >= 0 || error_set(error, ERROR_USAGE, "--within: expected a time that is not negative"));
}

bool invocation_today(const struct invocation *invocation, int64_t *ret_ms, struct error *error)
{
    const char *today = invocation_value(invocation, OPTION_TODAY);

    *ret_ms = VALUE_UNKNOWN;
    return !today || clock_parse(today, ret_ms) ||
           error_set(error, ERROR_USAGE, "--today: expected a date such as 2025-11-27, found \"%s\"", today);
}

/* A misspelt word would list nothing, which reads as good news. */
static bool check_words(const struct table_request *request, struct error *error)
{
    const struct {
        enum filter_key key;
        const char *word;
    } words[] = {{FILTER_VERDICT, request->verdict}, {FILTER_STATE, request->state}, {FILTER_LABEL, request->label}, {FILTER_KIND, request->kind}};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].word && !filter_check_word(words[i].key, words[i].word, error))
            return error_prefix(error, "--%s", filter_key_info(words[i].key)->name);
    return true;
}

bool invocation_request(struct invocation *invocation, struct model *model, struct table_request *ret, struct error *error)
{
    const char *build = invocation_value(invocation, OPTION_BUILD), *baseline = invocation_value(invocation, OPTION_BASELINE);
    const char *device = invocation_value(invocation, OPTION_DEVICE), *scene = invocation_value(invocation, OPTION_SCENE);
    const char *quality = invocation_value(invocation, OPTION_QUALITY), *metric = invocation_value(invocation, OPTION_METRIC);
    const char *percentiles = invocation_value(invocation, OPTION_PERCENTILES);

    table_request_default(ret);
    ret->event = invocation_value(invocation, OPTION_EVENT);
    ret->verdict = invocation_value(invocation, OPTION_VERDICT);
    ret->state = invocation_value(invocation, OPTION_STATE);
    ret->label = invocation_value(invocation, OPTION_LABEL);
    ret->kind = invocation_value(invocation, OPTION_KIND);
    ret->name = invocation_value(invocation, OPTION_NAME);
    ret->figure = invocation_value(invocation, OPTION_FIGURE);
    ret->fetch = invocation_has(invocation, OPTION_FETCH);
    ret->run_name = invocation_value(invocation, OPTION_RUN);
    ret->with_transitions = !invocation_has(invocation, OPTION_NO_TRANSITIONS);
    ret->progress = invocation->shows_progress ? &invocation->progress : NULL;
    if (build && strcmp(build, "all") == 0)
        ret->build = -1;
    else if (build && !model_find_build(model, build, &ret->build, error))
        return false;
    if (!check_words(ret, error))
        return false;
    return (!baseline || model_find_build(model, baseline, &ret->baseline, error)) &&
           (!device || model_find_device(model, device, &ret->device, error)) && (!scene || model_find_scene(model, scene, &ret->scene, error)) &&
           (!ret->event || model_check_event(model, ret->event, error)) && (!quality || model_find_quality(model, quality, &ret->quality, error)) && (!metric || metric_find(metric, &ret->metric, error)) &&
           (!percentiles || parse_percentiles(percentiles, ret, error)) && parse_within(invocation, ret, error) && parse_ms(invocation, OPTION_FROM, &ret->from_ns, error) &&
           parse_ms(invocation, OPTION_TO, &ret->to_ns, error) && invocation_today(invocation, &ret->today_ms, error);
}

bool filter_rows(const struct invocation *invocation, struct model *model, struct table *table, struct error *error)
{
    const char *text = invocation_value(invocation, OPTION_FILTER);
    struct filter_names names;
    struct filter *filter;
    bool good;

    if (!text)
        return true;
    if (!filter_parse(text, &filter, NULL, NULL, error))
        return error_prefix(error, "--filter");
    model_filter_names(model, -1, &names);
    good = (filter_check_names(filter, &names, NULL, NULL, error) && filter_table(filter, model, table, error)) || error_prefix(error, "--filter");
    filter_names_free(&names);
    filter_destroy(filter);
    return good;
}
