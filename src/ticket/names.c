/*
 * The names templates may use: those of the payload come from its schema, the others from the table below.
 * And the check of a template against them.
 */
#include "data.h"
#include "source.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/base/text.h"
#include "stutterscope/model/detail.h"
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *list, *name, *help;
} made_names[] = {
    {"", "single", "there is one stutter: its names are found everywhere"},
    {"", "several", "there are more than one"},
    {"", "one_bug", "all have the same scene and event"},
    {"", "scenes_differ", "they are in several scenes"},
    {"", "events_differ", "they have several events"},
    {"", "device_count", "number of devices"},
    {"", "several_devices", "there are more than one"},
    {"", "worst", "the first stutter, as a section"},
    {"", "shown", "stutters in the list"},
    {"", "more", "stutters that are not in the list; empty for none"},
    {"", "summary", "paragraph of the summary command, an estimate"},
    {"", "last", "in a list: this is its last item"},
    {"", "device_title", "name of the device, else its model"},
    {"", "verdict_is", "asks for a verdict: verdict_is.new, verdict_is.not_exercised"},
    {"", "label_is", "asks for a label: label_is.loading"},
    {"", "main_cause_is", "asks for the first cause: main_cause_is.cpu_bound, main_cause_is.none"},
    {"", "transition", "the frames are not gameplay"},
    {"", "present", "the stutter is in this build (else it is gone)"},
    {"", "times_budget", "peak by budget, one decimal"},
    {"", "threshold", "alert threshold in ms, two decimals"},
    {"", "budget", "frame budget in ms, two decimals"},
    {"", "severity_rounded", "severity, one decimal"},
    {"", "cpu_peak", "greatest CPU time in the window in ms, two decimals"},
    {"", "gpu_peak", "greatest GPU time in the window in ms, two decimals"},
    {"", "cpu_at_peak", "CPU time of the peak frame in ms, two decimals"},
    {"", "gpu_at_peak", "GPU time of the peak frame in ms, two decimals"},
    {"", "p95", "p95_per_run_ms, two decimals"},
    {"", "p99", "p99_per_run_ms, two decimals"},
    {"", "max", "max_per_run_ms, two decimals"},
    {"", "delta_peak", "difference of the peaks with its sign"},
    {"", "delta_p95", "difference with its sign"},
    {"", "delta_p99", "difference with its sign"},
    {"", "delta_max", "difference with its sign"},
    {"", "window_position", "start and end of the worst window as minutes and seconds"},
    {"", "many_windows", "there are more windows than one"},
    {"", "more_windows", "windows that are not in worst_windows; empty for none"},
    {"", "more_devices", "devices that are not in clean_devices; empty for none"},
    {"", "clean_seen", "occurrences of the event on all clean devices"},
    {"", "has_events_before", "the list has items"},
    {"", "has_events_during", "the list has items"},
    {"", "has_events_after", "the list has items"},
    {"", "has_causes", "the list has items"},
    {"", "has_not_causes", "the list has items"},
    {"", "has_worst_windows", "the list has items"},
    {"", "has_clean_devices", "the list has items"},
    {"", "has_tools", "the list has items"},
    {"", "tools", "profilers for the operating system, chip and first cause"},
    {"tools", "tool", "name of the profiler"},
    {"tools", "view", "its view or module; may be empty"},
    {"", "log_link", "log_url if it is an address that can stand anywhere"},
    {"", "screenshot_link", "screenshot if it is such an address"},
    {"", "commit_link", "address of the commits, from the setting"},
    {"", "commit_word", "commit if it can stand raw in code"},
    {"", "commits_word", "from..to if it can stand raw in code"},
    {"", "reopen_is_plain", "reopen can stand raw between {noformat}"},
    {"chart", "span_s", "span_ms in seconds"},
    {"events_before", "distance_s", "time to the start of the window in s"},
    {"causes", "is", "asks for the cause: is.gc_pressure"},
    {"causes", "cpu", "CPU time of the peak frame in ms, two decimals"},
    {"causes", "gpu", "GPU time of the peak frame in ms, two decimals"},
    {"causes", "limit", "alert threshold in ms, two decimals"},
    {"causes", "times", "the greater of the two by the smaller, one decimal"},
    {"causes", "explained", "CPU and GPU time in percent of the peak frame"},
    {"causes", "allocated_mb", "most MiB that one frame of the window allocated"},
};

static void add_name(struct ticket_names *names, const char *list, const char *name, const char *help,
                     bool made)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->items[i].list, list) == 0 && strcmp(names->items[i].name, name) == 0)
            return;
    array_push(names, (struct ticket_name){memory_copy_text(list), memory_copy_text(name),
                                           memory_copy_text(help ? help : ""), made});
}

/* The members of a schema's object, then those of the objects and lists in it, which are sections. */
static void add_properties(struct ticket_names *names, const char *list, const struct json *schema)
{
    const struct json *properties = json_member(schema, "properties");

    for (const struct json *item = json_first(properties); item; item = json_next(item)) {
        const struct json *items = json_member(item, "items");
        const char *name = json_name(item), *help = json_text(json_member(item, "description"));

        if (help)
            add_name(names, list, name, help, false);
        if (strcmp(data_list_name(name), name) == 0)
            add_properties(names, name, json_member(items, "properties") ? items : item);
    }
}

/* verdict_is.new and the like: one for every value that the schema allows. */
static void add_values(struct ticket_names *names, const char *list, const struct json *values)
{
    for (const struct json *value = json_first(values); value; value = json_next(value)) {
        char *key = data_key(json_text(value));

        if (*key)
            add_name(names, list, key, "true or empty", true);
        free(key);
    }
}

static void add_causes(struct ticket_names *names, const char *list)
{
    for (uint32_t bit = 1; bit <= CAUSE_UNKNOWN; bit <<= 1) {
        char *key = data_key(cause_name((enum cause)bit));

        add_name(names, list, key, "true or empty", true);
        free(key);
    }
}

static struct json *read_schema(struct error *error)
{
    enum { SCHEMA_LIMIT = 1 << 20 };
    char *path = path_data("ticket.schema.json", error), *text = NULL;
    size_t size;
    struct json *schema = NULL;

    if (path && path_read_all(path, SCHEMA_LIMIT, &text, &size, error))
        schema = json_parse(text, size, error);
    free(path);
    free(text);
    return schema;
}

bool ticket_list_names(struct ticket_names *ret, struct error *error)
{
    struct json *schema = read_schema(error);
    const struct json *stutter = json_member(json_member(schema, "$defs"), "stutter");
    const struct json *properties = json_member(stutter, "properties");

    memset(ret, 0, sizeof *ret);
    if (!schema)
        return false;
    add_properties(ret, "", schema);
    add_properties(ret, "", stutter);
    for (size_t i = 0; i < sizeof made_names / sizeof *made_names; i++)
        add_name(ret, made_names[i].list, made_names[i].name, made_names[i].help, true);
    add_values(ret, "verdict_is", json_member(json_member(properties, "verdict"), "enum"));
    add_values(ret, "label_is", json_member(json_member(properties, "label"), "enum"));
    add_causes(ret, "is");
    add_causes(ret, "main_cause_is");
    add_name(ret, "main_cause_is", "none", "there is no cause", true);
    json_destroy(schema);
    return true;
}

void ticket_names_free(struct ticket_names *names)
{
    for (size_t i = 0; i < names->count; i++) {
        free(names->items[i].list);
        free(names->items[i].name);
        free(names->items[i].help);
    }
    array_free(names);
}
