/* A distribution as JSON: one row per side; percentiles and times over limits are what the screen shows of them. */
#include "distribution.h"

#include "stutterscope/base/json.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/view/pager.h"
#include <inttypes.h>
#include <stdlib.h>

static void add_percentiles(struct json *row, const struct distribution_detail *detail)
{
    static const struct {
        const char *name;
        int64_t percent_milli;
    } shown[] = {{"p50_ms", 50000}, {"p95_ms", 95000}, {"p99_ms", 99000}, {"p99_9_ms", 99900}};

    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        json_add(row, shown[i].name, json_from_scaled(distribution_detail_percentile(detail, shown[i].percent_milli), NS_PER_MS));
    json_add(row, "max_ms", json_from_scaled(detail->figures.max_ns, NS_PER_MS));
}

static void add_over(struct json *row, const char *name, struct time_over over)
{
    char *frames = memory_print("frames_over_%s", name), *time = memory_print("ms_over_%s", name);

    json_add(row, frames, json_from_integer(over.frames));
    json_add(row, time, json_from_scaled(over.ns, NS_PER_MS));
    free(frames);
    free(time);
}

static struct json *side(const char *name, const struct distribution_detail *detail)
{
    static const int64_t limits_ms[] = {50, 100, 700};
    struct json *row = json_object();

    json_add(row, "side", json_from_text(name));
    json_add(row, "runs", json_from_integer((int64_t)detail->runs));
    json_add(row, "frames", json_from_integer(detail->figures.frames));
    json_add(row, "duration_ms", json_from_scaled(detail->figures.duration_ns, NS_PER_MS));
    json_add(row, "budget_ms", json_from_scaled(detail->budget_ns, NS_PER_MS));
    add_percentiles(row, detail);
    add_over(row, "budget", distribution_detail_over(detail, detail->budget_ns));
    add_over(row, "alert", distribution_detail_over(detail, detail->alert_ns));
    for (size_t i = 0; i < sizeof limits_ms / sizeof *limits_ms; i++) {
        char name_of[24];

        text_print(name_of, sizeof name_of, "%" PRId64, limits_ms[i]);
        add_over(row, name_of, distribution_detail_over(detail, limits_ms[i] * NS_PER_MS));
    }
    return row;
}

/* Every distinct frame time with the frames up to and with it: what both charts are drawn from. */
static struct json *curve(const struct distribution_detail *detail)
{
    struct json *array = json_array();

    for (size_t i = 0; i < detail->count; i++) {
        struct json *point = json_object();

        json_add(point, "ms", json_from_scaled(detail->frame_ns[i], NS_PER_MS));
        json_add(point, "frames_to", json_from_integer(detail->frames_to[i]));
        json_append(array, point);
    }
    return array;
}

void distribution_show_json(const struct distribution_state *state, struct screen_reply *reply)
{
    struct json *document = json_object(), *rows = json_array();
    char *text;

    json_add(document, "schema", json_from_text("stutterscope.distribution/1"));
    json_add(document, "title", json_from_text(state->title));
    json_add(document, "note", json_from_text(*state->note ? state->note : NULL));
    json_append(rows, side(state->name, state->detail));
    if (state->other)
        json_append(rows, side(state->other_name, state->other));
    json_add(document, "rows", rows);
    json_add(document, "curve", curve(state->detail));
    if (state->other)
        json_add(document, "other_curve", curve(state->other));
    text = json_print_pretty(document);
    reply->open = pager_open("The distribution as JSON", text);
    free(text);
    json_destroy(document);
}
