/*
 * What stands around the window of a stutter: events, picture, scenario, a small chart; and its probable
 * causes.
 */
#include "payload_parts.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <stdlib.h>

enum { CHART_COLUMNS = 40, EVENTS_TOLD = 5 };
#define CHART_SHORTEST_NS (1600 * NS_PER_MS)
#define EVENTS_REACH_NS   (10 * NS_PER_S)

static int64_t floor_ms(int64_t ns)
{
    return ns / NS_PER_MS - (ns % NS_PER_MS < 0);
}

struct json *payload_window_text(const struct stutter_window *window)
{
    char *text = memory_print("%lld-%lldms", (long long)floor_ms(window->start_ns),
                              (long long)-floor_ms(-window->end_ns));
    struct json *value = json_from_text(text);

    free(text);
    return value;
}

static bool load_run(struct payload_work *work, int64_t run)
{
    if (work->detail && work->detail->run->id == run)
        return true;
    run_detail_destroy(work->detail);
    work->detail = NULL;
    return model_run_detail(work->model, run, &work->detail, work->error);
}

static struct json *event_list(struct payload_work *work, const struct stutter_window *window,
                               int64_t from_ns, int64_t to_ns, bool nearest_last)
{
    const struct run_detail *detail = work->detail;
    struct json *list = json_array();
    size_t first = 0, end = 0;

    while (first < detail->events.count && detail->events.items[first].stamp_ns < from_ns)
        first++;
    for (end = first; end < detail->events.count && detail->events.items[end].stamp_ns < to_ns;)
        end++;
    if (end - first > EVENTS_TOLD) {
        if (nearest_last)
            first = end - EVENTS_TOLD;
        else
            end = first + EVENTS_TOLD;
    }
    for (; first < end; first++) {
        struct json *item = json_object();

        payload_add_text(item, "event", model_text(work->model, detail->events.items[first].event));
        payload_add_ms(item, "offset_ms", detail->events.items[first].stamp_ns - window->start_ns);
        json_append(list, item);
    }
    return list;
}

/* The picture taken nearest to the peak, inside the window or up to a second behind it. */
static const char *screenshot(struct payload_work *work, const struct stutter_window *window)
{
    const struct run_detail *detail = work->detail;
    int64_t found = 0, distance = INT64_MAX;

    for (size_t i = run_detail_frame_at(detail, window->start_ns); i < detail->count; i++) {
        int64_t away = detail->stamp_ns[i] - window->peak_stamp_ns;

        if (detail->stamp_ns[i] > window->end_ns + NS_PER_S)
            break;
        if (detail->screenshot[i] && llabs(away) < distance) {
            distance = llabs(away);
            found = detail->screenshot[i];
        }
    }
    return model_text(work->model, found);
}

/* The smallest of 10, 20, 50, 100 … ms that is not below the greatest frame. */
static int64_t chart_top(int64_t peak_ns)
{
    static const int64_t steps[] = {10, 20, 50};

    for (int64_t decade = NS_PER_MS; decade < INT64_MAX / 100; decade *= 10)
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
            if (steps[i] * decade >= peak_ns)
                return steps[i] * decade;
    return peak_ns;
}

/* Each column shows its longest frame; a dot stands for a time without frames. The window is in the middle.
 */
static struct json *chart(const struct run_detail *detail, const struct stutter_window *window)
{
    static const char *const bars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const int64_t levels = sizeof bars / sizeof *bars;
    int64_t length = window->end_ns - window->start_ns;
    int64_t span = 2 * length > CHART_SHORTEST_NS ? 2 * length : CHART_SHORTEST_NS;
    int64_t from = window->start_ns - (span - length) / 2, top = chart_top(window->peak_ns);
    struct text_buffer text = {0};
    struct json *object = json_object();

    for (int64_t i = 0; i < CHART_COLUMNS; i++) {
        int64_t peak = run_detail_peak(detail, detail->frame_ns, from + span * i / CHART_COLUMNS,
                                       from + span * (i + 1) / CHART_COLUMNS);
        int64_t level = peak / (top / levels);

        text_add(&text, peak == VALUE_UNKNOWN ? "·" : bars[level >= levels ? levels - 1 : level]);
    }
    json_add(object, "text", json_from_text(text.items));
    payload_add_ms(object, "top_ms", top);
    payload_add_ms(object, "from_ms", from);
    payload_add_ms(object, "span_ms", span);
    array_free(&text);
    return object;
}

/* Frames per second that the budget rests on, at the peak. */
static struct json *fps(const struct run_detail *detail, const struct stutter_window *window)
{
    size_t frame = run_detail_frame_at(detail, window->peak_stamp_ns - 1);

    return json_from_scaled(frame < detail->count ? detail->fps_milli[frame] : VALUE_UNKNOWN, 1000);
}

bool payload_put_surroundings(struct payload_work *work, struct json *object,
                              const struct stutter_window *window)
{
    if (window && !load_run(work, window->run))
        return false;
    json_add(object, "fps", window ? fps(work->detail, window) : json_null());
    json_add(object, "step", json_null()); /* the model does not tell it yet */
    json_add(object, "events_before",
             window ? event_list(work, window, window->start_ns - EVENTS_REACH_NS, window->start_ns + 1, true)
                    : json_array());
    json_add(object, "events_during",
             window ? event_list(work, window, window->start_ns + 1, window->end_ns, false) : json_array());
    json_add(object, "events_after",
             window ? event_list(work, window, window->end_ns, window->end_ns + EVENTS_REACH_NS, false)
                    : json_array());
    payload_add_text(object, "screenshot", window ? screenshot(work, window) : NULL);
    json_add(object, "chart", window ? chart(work->detail, window) : json_null());
    return true;
}

/* The figures an estimate rests on, the same for every cause. */
static struct json *cause(enum cause cause, const struct stutter_window *window)
{
    int64_t cpu = window->cpu_at_peak_ns, gpu = window->gpu_at_peak_ns;
    bool both = cpu != VALUE_UNKNOWN && gpu != VALUE_UNKNOWN;
    int64_t more = cpu > gpu ? cpu : gpu, less = cpu > gpu ? gpu : cpu;
    struct json *object = json_object(), *evidence = json_object();

    json_add(object, "cause", json_from_text(cause_name(cause)));
    payload_add_ms(evidence, "cpu_at_peak_ms", cpu);
    payload_add_ms(evidence, "gpu_at_peak_ms", gpu);
    payload_add_ms(evidence, "threshold_ms", window->limit_ns);
    json_add(evidence, "ratio",
             both && less > 0 ? json_from_double((double)more / (double)less, 6) : json_null());
    json_add(evidence, "explained_percent",
             both && window->peak_ns > 0
                 ? json_from_double(100.0 * (double)(cpu + gpu) / (double)window->peak_ns, 1)
                 : json_null());
    json_add(evidence, "gc_alloc_bytes", json_from_integer(window->gc_peak));
    json_add(object, "evidence", evidence);
    return object;
}

void payload_put_causes(struct json *object, const struct stutter_window *window)
{
    struct json *causes = json_array(), *others = json_array();
    bool sides = window && window->cpu_at_peak_ns != VALUE_UNKNOWN && window->gpu_at_peak_ns != VALUE_UNKNOWN;

    for (uint32_t bit = 1; window && bit <= CAUSE_UNKNOWN; bit <<= 1)
        if (window->causes & bit)
            json_append(causes, cause((enum cause)bit, window));
    if (window && window->gc_peak != VALUE_UNKNOWN && !(window->causes & CAUSE_GC_PRESSURE))
        json_append(others, cause(CAUSE_GC_PRESSURE, window));
    if (sides && !(window->causes & CAUSE_ASSET_LOADING))
        json_append(others, cause(CAUSE_ASSET_LOADING, window));
    json_add(object, "causes", causes);
    json_add(object, "not_causes", others);
}
