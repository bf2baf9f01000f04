/*
 * Why a window was picked, and what probably caused it: figures in sentences.
 */
#include "internal.h"
#include "stutterscope/analysis/windows.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/number.h"
#include "stutterscope/base/text.h"
#include "stutterscope/model/detail.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const struct {
    enum cause cause;
    const char *name;
} cause_names[] = {
    /* In the order in which one of several is named first. */
    {CAUSE_GC_PRESSURE, "GC pressure"},    {CAUSE_ASSET_LOADING, "asset loading"}, {CAUSE_CPU_BOUND, "CPU-bound"},
    {CAUSE_GPU_BOUND, "GPU-bound"},        {CAUSE_CONTESTED, "CPU and GPU contested"}, {CAUSE_THERMAL, "thermal"},
    {CAUSE_WAITING, "waiting"},            {CAUSE_UNKNOWN, "unknown"},
};

const char *cause_name(enum cause cause)
{
    for (size_t i = 0; i < sizeof cause_names / sizeof *cause_names; i++)
        if (cause_names[i].cause == cause)
            return cause_names[i].name;
    return "unknown";
}

char *causes_print(char *buffer, size_t size, const struct stutter_window *window)
{
    size_t used = 0;

    snprintf(buffer, size, "none stands out");
    for (size_t i = 0; i < sizeof cause_names / sizeof *cause_names && used < size; i++)
        if (window->causes & cause_names[i].cause)
            used += (size_t)snprintf(buffer + used, size - used, "%s%s", used ? ", " : "", cause_names[i].name);
    if (used < size && (window->causes & CAUSE_CPU_BOUND) && window->gpu_at_peak_ns == VALUE_UNKNOWN)
        snprintf(buffer + used, size - used, ", GPU not recorded");
    else if (used < size && (window->causes & CAUSE_GPU_BOUND) && window->cpu_at_peak_ns == VALUE_UNKNOWN)
        snprintf(buffer + used, size - used, ", CPU not recorded");
    return buffer;
}

struct ms_text {
    char text[32];
};

static struct ms_text ms(int64_t ns)
{
    struct ms_text result = {""};

    if (ns == VALUE_UNKNOWN)
        snprintf(result.text, sizeof result.text, "?");
    else
        number_print_scaled(result.text, sizeof result.text, ns, NS_PER_MS);
    return result;
}

static struct ms_text rounded(double value, int decimals)
{
    struct ms_text result = {""};

    number_print_double(result.text, sizeof result.text, value, decimals);
    return result;
}

char *window_why_text(struct model *model, const struct stutter_window *window)
{
    const struct analysis_settings *settings = model_settings(model);
    struct text_buffer text = {0};
    const struct build_results *results = NULL;
    struct run_list runs = {0};
    const struct run_row *run = NULL;
    const struct group_figures *group = NULL;

    if (model_list_runs(model, 0, 0, &runs, NULL))
        run = run_list_find(&runs, window->run);
    if (run)
        results = model_results(model, run->build, true, NULL, NULL);
    if (results) {
        struct group_key key = {run->build, run->device, window->scene, window->quality};

        group = results_group(results, &key);
    }
    text_add_print(&text, "%s > %s ms (%s × %s)", ms(window->peak_ns).text, rounded((double)window->limit_ns / NS_PER_MS, 2).text,
                   rounded((double)settings->factor_milli / 1000, 3).text, rounded((double)window->budget_ns / NS_PER_MS, 2).text);
    if (isnan(window->z))
        text_add(&text, "\nthe threshold alone decides here");
    else
        text_add_print(&text, "\nz %s, limit %s", rounded(window->z, 1).text, rounded((double)settings->z_milli / 1000, 3).text);
    if (group && group->distribution.frames) {
        text_add_print(&text, "\nmedian %s, MAD %s", rounded(group->distribution.median_ns / NS_PER_MS, 2).text,
                       rounded(group->distribution.mad_ns / NS_PER_MS, 2).text);
        if (window->floor_used)
            text_add_print(&text, ", floor %s used", rounded((double)settings->mad_floor_ns / NS_PER_MS, 2).text);
    }
    text_add_print(&text, "\n%lld merged, gap %s ms", (long long)window->over, rounded((double)settings->gap_ns / NS_PER_MS, 1).text);
    if (window->label != LABEL_GAMEPLAY)
        text_add_print(&text, "\n%s: in no severity or verdict", frame_label_name(window->label));
    run_list_free(&runs);
    return text_take(&text);
}

static void add_line(struct text_buffer *text, const char *line)
{
    if (text->count)
        text_add(text, "\n");
    text_add(text, line);
}

static void add_balance(struct text_buffer *text, const struct stutter_window *window)
{
    int64_t cpu = window->cpu_at_peak_ns, gpu = window->gpu_at_peak_ns;

    if (cpu == VALUE_UNKNOWN && gpu == VALUE_UNKNOWN) {
        add_line(text, "neither CPU nor GPU time was recorded");
        return;
    }
    add_line(text, "");
    text_add_print(text, "at the peak CPU %s, GPU %s ms", ms(cpu).text, ms(gpu).text);
    if (cpu != VALUE_UNKNOWN && gpu != VALUE_UNKNOWN && cpu > 0 && gpu > 0)
        text_add_print(text, ": %s = %s × %s", cpu >= gpu ? "CPU" : "GPU",
                       rounded(cpu >= gpu ? (double)cpu / (double)gpu : (double)gpu / (double)cpu, 1).text, cpu >= gpu ? "GPU" : "CPU");
}

/* What speaks against the other causes: people should not look there. */
static void add_not(struct text_buffer *text, const struct stutter_window *window)
{
    enum { MB = 1024 * 1024 };

    if (!(window->causes & CAUSE_GC_PRESSURE)) {
        if (window->gc_peak == VALUE_UNKNOWN)
            add_line(text, "GC not recorded");
        else {
            add_line(text, "");
            text_add_print(text, "not GC: %s < 2 MB", rounded((double)window->gc_peak / MB, 2).text);
        }
    }
    if (!(window->causes & CAUSE_ASSET_LOADING) && window->cpu_at_peak_ns != VALUE_UNKNOWN && window->gpu_at_peak_ns != VALUE_UNKNOWN && window->peak_ns > 0) {
        add_line(text, "");
        text_add_print(text, "not loading: CPU + GPU explain %s %% of the frame",
                       rounded(100.0 * (double)(window->cpu_at_peak_ns + window->gpu_at_peak_ns) / (double)window->peak_ns, 0).text);
    }
}

char *window_cause_text(struct model *model, const struct stutter_window *window)
{
    struct text_buffer text = {0};
    char names[160];

    (void)model;
    text_add(&text, causes_print(names, sizeof names, window));
    add_balance(&text, window);
    if (window->causes & CAUSE_GC_PRESSURE) {
        add_line(&text, "");
        text_add_print(&text, "a frame allocated %s MB", rounded((double)window->gc_peak / (1024 * 1024), 2).text);
    }
    if (window->causes & CAUSE_ASSET_LOADING)
        add_line(&text, "close to a scene change or a load, and CPU + GPU do not explain the frame");
    if (window->causes & CAUSE_THERMAL)
        add_line(&text, "the run slowed down by 15 % or more towards its end");
    if (window->causes & CAUSE_WAITING)
        add_line(&text, "neither CPU nor GPU was busy for half of the frame");
    add_not(&text, window);
    return text_take(&text);
}
