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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OF_STUTTERS = 1 << TICKET_STUTTERS,
    OF_REGRESSIONS = 1 << TICKET_REGRESSIONS,
    OF_VERIFICATION = 1 << TICKET_VERIFICATION,
    OF_ALL = OF_STUTTERS | OF_REGRESSIONS | OF_VERIFICATION
};

static const struct {
    const char *list, *name, *help;
    unsigned kinds; /* 0: OF_STUTTERS */
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
    {"", "more", "how many are not in the list; empty for none", OF_ALL},
    {"", "payload_json", "the payload as one line, for verify; may be empty"},
    {"", "summary", "paragraph of the summary command, an estimate", OF_ALL},
    {"", "last", "in a list: this is its last item", OF_ALL},
    {"", "device_title", "name of the device, else its model", OF_ALL},
    {"", "verdict_is", "asks for a verdict: verdict_is.new, verdict_is.not_exercised",
     OF_STUTTERS | OF_REGRESSIONS},
    {"", "state_told", "there is a decision, or something to decide on", OF_REGRESSIONS},
    {"", "state_is", "asks for a state: state_is.filed, state_is.wont_fix", OF_REGRESSIONS},
    {"", "label_is", "asks for a label: label_is.loading"},
    {"", "main_cause_is", "asks for the first cause: main_cause_is.cpu_bound, main_cause_is.none",
     OF_STUTTERS | OF_REGRESSIONS},
    {"", "transition", "the frames are not gameplay"},
    {"", "present", "the stutter is in this build (else it is gone)", OF_STUTTERS | OF_REGRESSIONS},
    {"", "times_budget", "peak by budget, one decimal"},
    {"", "threshold", "alert threshold in ms, two decimals"},
    {"", "budget", "frame budget in ms, two decimals"},
    {"", "severity_rounded", "severity, one decimal", OF_STUTTERS | OF_REGRESSIONS},
    {"", "cpu_peak", "greatest CPU time in the window in ms, two decimals"},
    {"", "gpu_peak", "greatest GPU time in the window in ms, two decimals"},
    {"", "cpu_at_peak", "CPU time of the peak frame in ms, two decimals"},
    {"", "gpu_at_peak", "GPU time of the peak frame in ms, two decimals"},
    {"", "p95", "p95_per_run_ms, two decimals"},
    {"", "p99", "p99_per_run_ms, two decimals"},
    {"", "max", "max_per_run_ms, two decimals"},
    {"", "delta_peak", "difference of the peaks with its sign", OF_STUTTERS | OF_REGRESSIONS},
    {"", "delta_p95", "difference with its sign"},
    {"", "delta_p99", "difference with its sign"},
    {"", "delta_max", "difference with its sign"},
    {"", "window_position", "start and end of the worst window as minutes and seconds"},
    {"", "window_from_s", "start of the worst window in s since the begin of its run, rounded down; empty when its clock begins elsewhere"},
    {"", "window_to_s", "its end, rounded up"},
    {"worst_windows", "window_from_s", "the same of this window"},
    {"worst_windows", "window_to_s", "the same of this window"},
    {"", "many_windows", "there are more windows than one"},
    {"", "more_windows", "windows that are not in worst_windows; empty for none"},
    {"", "more_devices", "devices that are not in clean_devices; empty for none"},
    {"", "clean_seen", "occurrences of the event on all clean devices"},
    {"", "has_events_before", "the list has items"},
    {"", "has_events_during", "the list has items"},
    {"", "has_events_after", "the list has items"},
    {"", "has_causes", "the list has items"},
    {"", "causes_left_out", "the payload had no room for the causes: nothing is known of them"},
    {"", "has_not_causes", "the list has items"},
    {"", "has_worst_windows", "the list has items"},
    {"", "has_clean_devices", "the list has items"},
    {"", "has_tools", "the list has items"},
    {"", "tools", "profilers for the operating system, chip and first cause"},
    {"tools", "tool", "name of the profiler"},
    {"tools", "view", "its view or module; may be empty"},
    {"", "log_link", "log_url if it is an address that can stand anywhere"},
    {"", "screenshot_link", "screenshot if it is such an address"},
    {"", "commit_link", "address of the commits, from the setting", OF_ALL},
    {"", "commit_word", "commit if it can stand raw in code", OF_ALL},
    {"", "commits_word", "from..to if it can stand raw in code", OF_ALL},
    {"", "reopen_is_plain", "reopen can stand raw between {noformat}", OF_ALL},
    {"chart", "span_s", "span_ms in seconds"},
    {"events_before", "distance_s", "time to the start of the window in s"},
    {"", "baseline_build", "build of the ticket", OF_VERIFICATION},
    {"", "first", "the worst as a section", OF_REGRESSIONS | OF_VERIFICATION},
    {"", "lists", "a list of stutters for every verdict that there is", OF_REGRESSIONS},
    {"lists", "count", "stutters with this verdict", OF_REGRESSIONS},
    {"lists", "items", "the worst of them", OF_REGRESSIONS},
    {"", "to_check", "the worst that are new, back or worse", OF_REGRESSIONS},
    {"", "has_to_check", "the list has items", OF_REGRESSIONS},
    {"", "has_drifts", "the list has items", OF_REGRESSIONS},
    {"", "has_missing", "the list has items", OF_REGRESSIONS},
    {"", "has_fewer", "the list has items", OF_REGRESSIONS},
    {"", "drifts_count", "number of drifts; empty for none", OF_REGRESSIONS},
    {"", "missing_count", "number of what is missing; empty for none", OF_REGRESSIONS},
    {"", "fewer_count", "number of devices with fewer runs; empty for none", OF_REGRESSIONS},
    {"", "more_drifts", "drifts that are not in the list; empty for none", OF_REGRESSIONS},
    {"", "more_missing", "what is missing and not in the list; empty for none", OF_REGRESSIONS},
    {"", "more_fewer", "devices that are not in the list; empty for none", OF_REGRESSIONS},
    {"drifts", "worse_figures", "figures with what is made of them", OF_REGRESSIONS},
    {"figures", "figure_is", "asks for the figure: figure_is.p95_ms", OF_REGRESSIONS},
    {"figures", "before_rounded", "before, two decimals", OF_REGRESSIONS},
    {"figures", "after_rounded", "after, two decimals", OF_REGRESSIONS},
    {"figures", "delta_signed", "difference with its sign", OF_REGRESSIONS},
    {"", "result_is", "asks for a result: result_is.not_enough", OF_VERIFICATION},
    {"members", "now_present", "the stutter is there now", OF_VERIFICATION},
    {"members", "luck_percent", "luck in percent, two decimals", OF_VERIFICATION},
    {"causes", "is", "asks for the cause: is.gc_pressure"},
    {"causes", "cpu", "CPU time of the peak frame in ms, two decimals"},
    {"causes", "gpu", "GPU time of the peak frame in ms, two decimals"},
    {"causes", "limit", "alert threshold in ms, two decimals"},
    {"causes", "times", "the greater of the two by the smaller, one decimal"},
    {"causes", "explained", "CPU and GPU time in percent of the peak frame"},
    {"causes", "allocated_mb", "most MiB that one frame of the window allocated"},
};

/* Names of several kinds are listed once. */
static void add_name(struct ticket_names *names, const char *list, const char *name, const char *help,
                     bool made, unsigned kinds)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->items[i].list, list) == 0 && strcmp(names->items[i].name, name) == 0) {
            names->items[i].kinds |= kinds;
            return;
        }
    array_push(names, (struct ticket_name){memory_copy_text(list), memory_copy_text(name),
                                           memory_copy_text(help ? help : ""), made, kinds});
}

/* The members of a schema's object, then those of the objects and lists in it, which are sections. */
static void add_properties(struct ticket_names *names, const char *list, const struct json *schema,
                           unsigned kinds)
{
    const struct json *properties = json_member(schema, "properties");

    for (const struct json *item = json_first(properties); item; item = json_next(item)) {
        const struct json *items = json_member(item, "items");
        const char *name = json_name(item), *help = json_text(json_member(item, "description"));

        if (help)
            add_name(names, list, name, help, false, kinds);
        if (strcmp(data_list_name(name), name) == 0)
            add_properties(names, name, json_member(items, "properties") ? items : item, kinds);
    }
}

/* verdict_is.new and the like: one for every value that the schema allows. */
static void add_values(struct ticket_names *names, const char *list, const struct json *property,
                       unsigned kinds)
{
    for (const struct json *value = json_first(json_member(property, "enum")); value;
         value = json_next(value)) {
        char *key = data_key(json_text(value));

        if (*key)
            add_name(names, list, key, "true or empty", true, kinds);
        free(key);
    }
}

static void add_causes(struct ticket_names *names, const char *list, unsigned kinds)
{
    for (uint32_t bit = 1; bit <= CAUSE_UNKNOWN; bit <<= 1) {
        char *key = data_key(cause_name((enum cause)bit));

        add_name(names, list, key, "true or empty", true, kinds);
        free(key);
    }
}

static struct json *read_schema(const char *name, struct error *error)
{
    enum { SCHEMA_LIMIT = 1 << 20 };
    char *path = path_data(name, error), *text = NULL;
    size_t size;
    struct json *schema = NULL;

    if (path && path_read_all(path, SCHEMA_LIMIT, &text, &size, error))
        schema = json_parse(text, size, error);
    free(path);
    free(text);
    return schema;
}

static void add_of_stutters(struct ticket_names *names, const struct json *schema)
{
    const struct json *stutter = json_member(json_member(schema, "$defs"), "stutter");
    const struct json *properties = json_member(stutter, "properties");

    add_properties(names, "", schema, OF_STUTTERS);
    add_properties(names, "", stutter, OF_STUTTERS);
    add_values(names, "verdict_is", json_member(properties, "verdict"), OF_STUTTERS);
    add_values(names, "label_is", json_member(properties, "label"), OF_STUTTERS);
    add_causes(names, "is", OF_STUTTERS);
    add_causes(names, "main_cause_is", OF_STUTTERS);
    add_name(names, "main_cause_is", "none", "there is no cause", true, OF_STUTTERS);
    add_name(names, "main_cause_is", "left_out", "the payload had no room for the causes", true, OF_STUTTERS);
}

static const struct json *item_property(const struct json *schema, const char *list, const char *name)
{
    const struct json *items = json_member(json_member(json_member(schema, "properties"), list), "items");

    return json_member(json_member(items, "properties"), name);
}

static void add_of_regressions(struct ticket_names *names, const struct json *schema)
{
    const struct json *figure = json_member(item_property(schema, "drifts", "figures"), "items");

    add_properties(names, "", schema, OF_REGRESSIONS);
    add_properties(names, "", json_member(json_member(json_member(schema, "properties"), "stutters"), "items"),
                   OF_REGRESSIONS);
    add_values(names, "verdict_is", item_property(schema, "stutters", "verdict"), OF_REGRESSIONS);
    add_values(names, "state_is", item_property(schema, "stutters", "state"), OF_REGRESSIONS);
    add_properties(names, "figures", figure, OF_REGRESSIONS);
    add_values(names, "figure_is", json_member(json_member(figure, "properties"), "figure"), OF_REGRESSIONS);
    add_causes(names, "main_cause_is", OF_REGRESSIONS);
    add_name(names, "main_cause_is", "none", "there is no cause", true, OF_REGRESSIONS);
}

static void add_of_verification(struct ticket_names *names, const struct json *schema)
{
    add_properties(names, "", schema, OF_VERIFICATION);
    add_values(names, "result_is", json_member(json_member(schema, "properties"), "result"), OF_VERIFICATION);
}

static int compare_names(const void *a, const void *b)
{
    const struct ticket_name *x = a, *y = b;
    int lists = strcmp(x->list, y->list);

    return lists ? lists : strcmp(x->name, y->name);
}

bool ticket_list_names(struct ticket_names *ret, struct error *error)
{
    static const struct {
        const char *schema;
        void (*add)(struct ticket_names *names, const struct json *schema);
    } kinds[] = {{"ticket.schema.json", add_of_stutters},
                 {"regressions.schema.json", add_of_regressions},
                 {"verification.schema.json", add_of_verification}};

    memset(ret, 0, sizeof *ret);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct json *schema = read_schema(kinds[i].schema, error);

        if (!schema) {
            ticket_names_free(ret);
            return false;
        }
        kinds[i].add(ret, schema);
        json_destroy(schema);
    }
    for (size_t i = 0; i < sizeof made_names / sizeof *made_names; i++)
        add_name(ret, made_names[i].list, made_names[i].name, made_names[i].help, true,
                 made_names[i].kinds ? made_names[i].kinds : OF_STUTTERS);
    qsort(ret->items, ret->count, sizeof *ret->items, compare_names);
    return true;
}

const char *ticket_print_kinds(unsigned kinds, char *buffer, size_t size)
{
    snprintf(buffer, size, "%s%s%s%s%s", kinds & OF_STUTTERS ? "ticket" : "",
             kinds & OF_STUTTERS && kinds & (OF_REGRESSIONS | OF_VERIFICATION) ? ", " : "",
             kinds & OF_REGRESSIONS ? "regressions" : "",
             kinds & OF_REGRESSIONS && kinds & OF_VERIFICATION ? ", " : "",
             kinds & OF_VERIFICATION ? "verification" : "");
    return buffer;
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
