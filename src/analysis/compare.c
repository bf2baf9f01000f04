#include "stutterscope/analysis/compare.h"
#include "stutterscope/analysis/apart.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/number.h"
#include "stutterscope/base/text.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_GROWTH  0.10
#define NOISE_FACTOR  (3 * 1.4826) /* 1.4826 MAD estimates a standard deviation */
#define LEAST_HISTORY 5
#define SLACK         1e-9 /* relative: 22 is 10 % above 20, whatever the last bit of the doubles says */

static const struct {
    const char *name, *unit;
    double step;
} compared_figures[COMPARED_COUNT] = {
    [COMPARED_P95] = {"p95_ms", "ms", 2},
    [COMPARED_P99] = {"p99_ms", "ms", 2},
    [COMPARED_MAX] = {"max_ms", "ms", 2},
    [COMPARED_HITCH_RATIO] = {"hitch_ratio_ms_per_s", "ms/s", 2},
    [COMPARED_PEAK] = {"peak_frame_ms", "ms", 2},
    [COMPARED_RATE] = {"rate_per_min", "per min", 0.5},
};

const char *compared_figure_name(enum compared_figure figure)
{
    return compared_figures[figure].name;
}

bool compared_figure_matters(enum compared_figure figure, double before, double after)
{
    double change = fabs(after - before), slack = SLACK * (fabs(before) + fabs(after));

    return change + slack >= LEAST_GROWTH * fabs(before) && change + slack >= compared_figures[figure].step;
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void swap_values(double *a, double *b)
{
    double kept = *a;
    *a = *b;
    *b = kept;
}

static double middle_of_three(double a, double b, double c)
{
    return a < b ? (b < c ? b : a < c ? c : a) : a < c ? a : b < c ? c : b;
}

/* Puts the value that sorting would put at `place` there, smaller ones before it. Whatever their order is: what is left
 * after many rounds is sorted. */
static void select_place(double *values, size_t count, size_t place)
{
    ptrdiff_t low = 0, high = (ptrdiff_t)count - 1, wanted = (ptrdiff_t)place;
    for (int rounds = 0; rounds < 60 && high - low > 16; rounds++) {
        double pivot = middle_of_three(values[low], values[low + (high - low) / 2], values[high]);
        ptrdiff_t left = low, right = high;
        while (left <= right) {
            while (values[left] < pivot)
                left++;
            while (values[right] > pivot)
                right--;
            if (left <= right)
                swap_values(&values[left++], &values[right--]);
        }
        if (right < wanted)
            low = left;
        if (left > wanted)
            high = right;
    }
    if (low < high)
        qsort(values + low, (size_t)(high - low + 1), sizeof *values, compare_doubles);
}

/* Their order is another one afterwards. */
static double median_of_own(double *values, size_t count)
{
    if (count == 0)
        return NAN;
    select_place(values, count, count / 2);
    double middle = values[count / 2];
    if (count % 2)
        return middle;
    double before = values[0];
    for (size_t i = 1; i < count / 2; i++)
        before = values[i] > before ? values[i] : before;
    return (before + middle) / 2;
}

/* The finite values; the caller frees them. */
static double *finite_copy(const double *values, size_t count, size_t *ret_count)
{
    double *copy = memory_resize(NULL, count + 1, sizeof *copy);
    *ret_count = 0;
    for (size_t i = 0; i < count; i++)
        if (isfinite(values[i]))
            copy[(*ret_count)++] = values[i];
    return copy;
}

double median_of(const double *values, size_t count)
{
    double *copy = finite_copy(values, count, &count);
    double median = median_of_own(copy, count);
    free(copy);
    return median;
}

double mad_of(const double *values, size_t count)
{
    double *copy = finite_copy(values, count, &count);
    double median = median_of_own(copy, count);
    for (size_t i = 0; i < count; i++)
        copy[i] = fabs(copy[i] - median);
    double mad = median_of_own(copy, count);
    free(copy);
    return mad;
}

static size_t count_finite(struct per_run runs)
{
    size_t count = 0;
    for (size_t i = 0; i < runs.count; i++)
        count += isfinite(runs.values[i]) != 0;
    return count;
}

static void write_reason(enum compared_figure figure, struct figure_comparison *ret)
{
    char before[40], after[40], delta[40], percent[40] = "", noise[60] = "history short";
    number_print_double(before, sizeof before, ret->before, 1);
    number_print_double(after, sizeof after, ret->after, 1);
    number_print_double(delta, sizeof delta, fabs(ret->delta), 1);
    if (!isnan(ret->delta_percent)) {
        char digits[30];
        number_print_double(digits, sizeof digits, fabs(ret->delta_percent), 0);
        snprintf(percent, sizeof percent, " (%s%s %%)", ret->delta < 0 ? "-" : "+", digits);
    }
    if (!ret->history_short) {
        char digits[40];
        number_print_double(digits, sizeof digits, ret->noise, 1);
        snprintf(noise, sizeof noise, "noise ±%s", digits);
    }
    snprintf(ret->reason, sizeof ret->reason, "%s → %s %s, %s%s%s, %s", before, after,
             compared_figures[figure].unit, ret->delta < 0 ? "-" : "+", delta, percent, noise);
}

void compare_figure(enum compared_figure figure, struct per_run before, struct per_run after,
                    struct per_run history, struct figure_comparison *ret)
{
    size_t history_count = count_finite(history);
    *ret = (struct figure_comparison){
        .verdict = VERDICT_NONE,
        .before = median_of(before.values, before.count),
        .after = median_of(after.values, after.count),
        .delta = NAN,
        .delta_percent = NAN,
        .noise = NAN,
        .history_short = history_count < LEAST_HISTORY,
    };
    if (isnan(ret->before) || isnan(ret->after)) {
        snprintf(
            ret->reason, sizeof ret->reason, "no figures of %s%s%s", isnan(ret->before) ? "the baseline" : "",
            isnan(ret->before) && isnan(ret->after) ? " and of " : "", isnan(ret->after) ? "this build" : "");
        return;
    }
    if (!ret->history_short)
        ret->noise = NOISE_FACTOR * mad_of(history.values, history.count);
    ret->delta = ret->after - ret->before;
    if (ret->before > 0)
        ret->delta_percent = 100 * ret->delta / ret->before;

    double change = fabs(ret->delta), slack = SLACK * (fabs(ret->before) + fabs(ret->after));
    bool matters = compared_figure_matters(figure, ret->before, ret->after);
    bool stands_out = ret->history_short || change > ret->noise + slack;
    ret->verdict = !matters || !stands_out ? VERDICT_SAME : ret->delta > 0 ? VERDICT_WORSE : VERDICT_BETTER;
    write_reason(figure, ret);
}

/* "4 of 5 runs above all 10 earlier" */
static void add_standing(const struct apart *apart, char *text, size_t room)
{
    text_print(text, room, "%zu of %zu run%s above all %zu earlier", apart->above, apart->runs, text_plural(apart->runs), apart->earlier);
}

void compare_weigh(const struct chance_test *test, struct figure_comparison *comparison)
{
    size_t length = strlen(comparison->reason);
    char *end = comparison->reason + length, standing[80], change[40];
    size_t room = sizeof comparison->reason - length;
    const struct rank_test *rank = test->rank;

    if (comparison->verdict != VERDICT_WORSE || !rank)
        return;

    bool tells = rank_test_tells(rank);

    add_standing(test->apart, standing, sizeof standing);
    if (apart_is_plain(test->apart) ||
        (tells ? rank_test_rules_out_chance(rank, test->limit) : apart_counts(test->apart, rank->p, test->looks))) {
        if (test->apart->runs)
            text_print(end, room, "; %s", standing);
        return;
    }
    comparison->verdict = VERDICT_SAME;
    if (!tells) {
        comparison->history_short = true;
        number_print_double(change, sizeof change, comparison->delta, 1);
        text_print(end, room, "; changed by %s, but history short: %s", change, standing);
    } else if (rank->least_p > test->limit) {
        text_print(end, room, "; %zu run%s cannot tell it from chance (%s)", rank->runs_after, text_plural(rank->runs_after), standing);
    } else {
        text_print(end, room, "; runs were as high before (chance %.2g; %s)", rank->p, standing);
    }
}
