#include "data.h"

#include "copy.h"
#include "stutterscope/base/clock.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/number.h"
#include "stutterscope/base/telemetry.h"
#include "stutterscope/base/text.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *text_of(const struct json *object, const char *name)
{
    return json_text(json_member(object, name));
}

/* A value that is cut nowhere, or the command, the key or the address would be another one. */
static void put_whole(struct json *object, const struct json *from)
{
    static const char *const names[] = {"reopen", "id", "fingerprint", "log_url", "screenshot"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (json_member(from, names[i]))
            json_add(object, names[i], copy_value(json_member(from, names[i]), 0));
}

static void put_lists(const struct data_work *work, struct json *object, const struct json *from)
{
    const struct {
        const char *name, *has;
        size_t limit;
        void (*decorate)(struct json *item, const struct json *from);
    } lists[] = {
        {"events_before", "has_events_before", work->limits.events, data_decorate_event},
        {"events_during", "has_events_during", work->limits.events, data_decorate_event},
        {"events_after", "has_events_after", work->limits.events, data_decorate_event},
        {"causes", "has_causes", SIZE_MAX, data_decorate_cause},
        {"not_causes", "has_not_causes", SIZE_MAX, data_decorate_cause},
        {"worst_windows", "has_worst_windows", work->limits.windows, data_add_window},
        {"clean_devices", "has_clean_devices", work->limits.devices, data_decorate_device},
    };

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const struct json *list = json_member(from, lists[i].name);

        json_add(object, lists[i].name,
                 data_list(list, lists[i].limit, work->limits.columns, lists[i].decorate));
        json_add(object, lists[i].has, json_from_bool(json_first(list) && lists[i].limit));
    }
}

struct json *data_left(double whole, size_t limit)
{
    return whole > (double)limit ? json_from_double(whole - (double)limit, 0) : json_null();
}

static void put_counts(const struct data_work *work, struct json *object, const struct json *from)
{
    const struct json *devices = json_member(from, "clean_devices");
    size_t told = json_count(json_member(from, "worst_windows"));
    double windows = 0, seen, sum = 0;

    json_number(json_member(from, "windows"), &windows);
    for (const struct json *item = json_first(devices); item; item = json_next(item))
        if (json_number(json_member(item, "seen"), &seen))
            sum += seen;
    json_add(object, "clean_seen", json_from_double(sum, 0));
    json_add(object, "more_devices", data_left((double)json_count(devices), work->limits.devices));
    json_add(object, "more_windows",
             data_left(windows, told < work->limits.windows ? told : work->limits.windows));
    json_add(object, "many_windows", json_from_bool(windows > 1 && told && work->limits.windows));
}

/* "+60.8", "−3.2", "±0": the sign is no '-', which is markup here and there. */
struct json *data_signed(const struct json *number)
{
    char digits[64], text[80];
    double value;

    if (!json_number(number, &value))
        return json_null();
    number_print_double(digits, sizeof digits, fabs(value), 2);
    snprintf(text, sizeof text, "%s%s", strcmp(digits, "0") == 0 ? "±" : value > 0 ? "+" : "−", digits);
    return json_from_text(text);
}

static void put_numbers(struct json *object, const struct json *from)
{
    static const struct {
        const char *name, *from;
        int decimals;
    } rounded[] = {
        {"threshold", "threshold_ms", 2},     {"budget", "budget_ms", 2},
        {"severity_rounded", "severity", 1},  {"p95", "p95_per_run_ms", 2},
        {"p99", "p99_per_run_ms", 2},         {"max", "max_per_run_ms", 2},
        {"cpu_peak", "cpu_frame_ms_peak", 2}, {"gpu_peak", "gpu_frame_ms_peak", 2},
        {"cpu_at_peak", "cpu_at_peak_ms", 2}, {"gpu_at_peak", "gpu_at_peak_ms", 2},
    };
    static const char *const deltas[][2] = {{"delta_peak", "delta_peak_ms"},
                                            {"delta_p95", "delta_p95_ms"},
                                            {"delta_p99", "delta_p99_ms"},
                                            {"delta_max", "delta_max_ms"}};
    double peak, budget;
    bool known = json_number(json_member(from, "peak_frame_ms"), &peak) &&
                 json_number(json_member(from, "budget_ms"), &budget) && budget > 0;

    for (size_t i = 0; i < sizeof rounded / sizeof *rounded; i++)
        data_add_rounded(object, rounded[i].name, json_member(from, rounded[i].from), rounded[i].decimals);
    for (size_t i = 0; i < sizeof deltas / sizeof *deltas; i++)
        json_add(object, deltas[i][0], data_signed(json_member(from, deltas[i][1])));
    json_add(object, "times_budget", known ? json_from_double(peak / budget, 1) : json_null());
}

/* "3:04.2–3:05.0" on the clock of the run. */
static struct json *position(const struct json *from)
{
    char start[32], end[32], text[80];
    double first, last;

    if (!json_number(json_member(from, "window_start_ms"), &first) ||
        !json_number(json_member(from, "window_end_ms"), &last) || fabs(first) > 1e12 || fabs(last) > 1e12)
        return json_null();
    clock_print_position(start, sizeof start, (int64_t)(first * NS_PER_MS));
    clock_print_position(end, sizeof end, (int64_t)(last * NS_PER_MS));
    snprintf(text, sizeof text, "%s–%s", start, end);
    return json_from_text(text);
}

static struct json *link_to(const char *address)
{
    return json_from_text(address && escape_is_safe_address(address) ? address : NULL);
}

/* The pattern with {from} and {to}; null unless the result is an address that can stand anywhere. */
static struct json *commit_link(const char *pattern, const struct json *range)
{
    const char *from = text_of(range, "from"), *to = text_of(range, "to");
    struct text_buffer address = {0};
    struct json *link;

    if (!pattern || !from || !to)
        return json_null();
    while (*pattern) {
        const char *word = strncmp(pattern, "{from}", 6) == 0 ? from
                           : strncmp(pattern, "{to}", 4) == 0 ? to
                                                              : NULL;

        if (word)
            text_add(&address, word);
        else
            text_add_bytes(&address, pattern, 1);
        pattern += word == NULL ? 1 : word == from ? 6 : 4;
    }
    link = link_to(address.items);
    array_free(&address);
    return link;
}

/* Text that can stand raw in code and be copied from there: "a1b2c3d..e4f5a6b"; null for anything else. */
static struct json *safe_word(const char *text)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    enum { LONGEST = 100 };

    return json_from_text(
        text && *text && strspn(text, safe) == strlen(text) && strlen(text) <= LONGEST ? text : NULL);
}

void data_add_commits(const struct data_work *work, struct json *object, const struct json *from)
{
    const struct json *range = json_member(from, "commit_range");
    const char *first = text_of(range, "from"), *last = text_of(range, "to");
    char *both = first && last ? memory_print("%s..%s", first, last) : NULL;

    json_add(object, "commit_link", commit_link(work->options->commit_link, range));
    json_add(object, "commit_word", safe_word(text_of(from, "commit")));
    json_add(object, "commits_word", safe_word(both));
    free(both);
}

/* The bars with the width of the chart in seconds. */
static struct json *chart_of(const struct json *from)
{
    const struct json *chart = json_member(from, "chart");
    struct json *object = copy_value(chart, 0);
    double span;

    if (json_number(json_member(chart, "span_ms"), &span))
        json_add(object, "span_s", json_from_double(span / 1000, 1));
    return object;
}

static struct json *tools_for(const struct data_work *work, const struct json *from)
{
    const struct json *cause = json_first(json_member(from, "causes"));
    const char *gpu = text_of(from, "gpu"), *chip = text_of(from, "chip");
    char *names = memory_print("%s %s", gpu ? gpu : "", chip ? chip : "");
    char *key = cause ? data_key(text_of(cause, "cause")) : memory_copy_text("none");
    struct json *found = tool_table_find(work->tools, text_of(from, "os"), names, key);
    struct json *list = data_list(found, SIZE_MAX, 0, NULL);

    json_destroy(found);
    free(names);
    free(key);
    return list;
}

/* A brace could end the block of Jira that the command stands in. */
void data_add_reopen(struct json *object, const struct json *from)
{
    const char *reopen = text_of(from, "reopen");

    json_add(object, "reopen_is_plain", json_from_bool(reopen && !strchr(reopen, '{')));
}

/* Adds what is made of a stutter's fields; the fields themselves follow. */
static void put_stutter(const struct data_work *work, struct json *object, const struct json *from)
{
    const struct json *name = json_member(from, "device_name");
    const char *label = text_of(from, "label");
    const struct json *causes = json_member(from, "causes"), *cause = json_first(causes);
    bool causes_left_out = json_kind(causes) != JSON_ARRAY;

    put_whole(object, from);
    put_lists(work, object, from);
    put_counts(work, object, from);
    put_numbers(object, from);
    json_add(object, "device_title",
             copy_value(json_text(name) ? name : json_member(from, "device"), work->limits.columns));
    json_add(object, "verdict_is", data_is(text_of(from, "verdict")));
    json_add(object, "label_is", data_is(label));
    json_add(object, "main_cause_is", data_is(cause ? text_of(cause, "cause") : causes_left_out ? "left_out" : "none"));
    json_add(object, "causes_left_out", json_from_bool(causes_left_out));
    json_add(object, "transition", json_from_bool(label && strcmp(label, "gameplay") != 0));
    json_add(object, "present", json_from_bool(json_kind(json_member(from, "peak_frame_ms")) == JSON_NUMBER));
    json_add(object, "window_position", position(from));
    data_add_window(object, from);
    json_add(object, "log_link", link_to(text_of(from, "log_url")));
    json_add(object, "screenshot_link", link_to(text_of(from, "screenshot")));
    data_add_commits(work, object, from);
    json_add(object, "chart", chart_of(from));
    data_add_reopen(object, from);
    json_add(object, "tools", tools_for(work, from));
    json_add(object, "has_tools", json_from_bool(json_first(json_member(object, "tools"))));
    copy_members(object, from, work->limits.columns);
}

static bool is_null(const struct json *object, const char *name)
{
    return json_kind(json_member(object, name)) == JSON_NULL;
}

/* Whether the value is not the same in all stutters. */
static bool differs(const struct json *stutters, const char *name)
{
    const struct json *first = json_first(stutters);

    for (const struct json *item = json_next(first); item; item = json_next(item)) {
        const char *a = text_of(first, name), *b = text_of(item, name);

        if (strcmp(a ? a : "", b ? b : "") != 0)
            return true;
    }
    return false;
}

static int64_t count_devices(const struct json *stutters)
{
    int64_t count = 0;

    for (const struct json *item = json_first(stutters); item; item = json_next(item)) {
        const struct json *other = json_first(stutters);

        while (other != item && strcmp(text_of(other, "device") ? text_of(other, "device") : "",
                                       text_of(item, "device") ? text_of(item, "device") : "") != 0)
            other = json_next(other);
        count += other == item;
    }
    return count;
}

static struct json *stutter_list(const struct data_work *work, const struct json *stutters)
{
    struct json *list = json_array();
    size_t count = json_count(stutters), shown = count < work->limits.members ? count : work->limits.members,
           at = 0;

    for (const struct json *from = json_first(stutters); from && at < shown; from = json_next(from)) {
        struct json *item = json_object();

        json_add(item, "last", json_from_bool(++at == shown));
        put_stutter(work, item, from);
        json_append(list, item);
    }
    return list;
}

struct json *data_of_stutters(const struct data_work *work, const struct json *payload)
{
    const struct json *stutters = json_member(payload, "stutters"), *first = json_first(stutters);
    size_t count = json_count(stutters);
    struct json *data = json_object(), *worst = json_object();
    bool scenes = differs(stutters, "scene"), events = differs(stutters, "event");

    json_add(data, "single", json_from_bool(count == 1));
    json_add(data, "several", json_from_bool(count > 1));
    json_add(data, "scenes_differ", json_from_bool(scenes));
    json_add(data, "events_differ", json_from_bool(events));
    json_add(data, "one_bug", json_from_bool(!scenes && !events));
    json_add(data, "device_count", json_from_integer(count_devices(stutters)));
    json_add(data, "several_devices", json_from_bool(count_devices(stutters) > 1));
    json_add(data, "more", data_left((double)count, work->limits.members));
    json_add(data, "shown",
             json_from_integer((int64_t)(count < work->limits.members ? count : work->limits.members)));
    json_add(data, "stutters", stutter_list(work, stutters));
    put_stutter(work, worst, first);
    json_add(data, "worst", worst);
    if (count == 1) {
        put_stutter(work, data, first);
    } else {
        json_add(data, "verdict_is", data_is(text_of(payload, "verdict")));
        data_add_commits(work, data, payload);
        data_add_reopen(data, payload);
        json_add(data, "device_title",
                 is_null(payload, "device") ? json_null()
                                            : copy_value(json_member(worst, "device_title"), 0));
    }
    copy_members(data, payload, work->limits.columns);
    return data;
}

struct json *data_create(const struct data_work *work, enum ticket_kind kind, const struct json *payload)
{
    struct json *data = kind == TICKET_REGRESSIONS    ? data_of_regressions(work, payload)
                        : kind == TICKET_VERIFICATION ? data_of_verification(work, payload)
                                                      : data_of_stutters(work, payload);
    bool embedded = kind == TICKET_STUTTERS && !work->options->without_payload;
    char *json = embedded ? embed_payload(payload, work->limits.embed, work->limits.members) : NULL;

    json_add(data, "payload_json", json_from_text(json));
    json_add(data, "summary", json_from_text(work->options->summary));
    free(json);
    return data;
}
