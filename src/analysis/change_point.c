#include "stutterscope/analysis/change_point.h"

#include "stutterscope/base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Continued fraction of the incomplete beta function, evaluated from the front (modified Lentz); converges quickly for
 * x < (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
    enum { STEPS = 300 };
    const double tiny = 1e-300, enough = 1e-14;
    double c = 1, d = 1 - (a + b) * x / (a + 1), result;

    d = 1 / (fabs(d) < tiny ? tiny : d);
    result = d;
    for (int m = 1; m <= STEPS; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));

        d = 1 + even * d;
        c = 1 + even / c;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        result *= d * c;
        d = 1 + odd * d;
        c = 1 + odd / c;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;

        double step = d * c;

        result *= step;
        if (fabs(step - 1) < enough)
            break;
    }
    return result;
}

static double incomplete_beta(double a, double b, double x)
{
    if (x <= 0 || x >= 1)
        return x <= 0 ? 0 : 1;

    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));

    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double student_p(double t, double degrees_of_freedom)
{
    if (isnan(t) || !(degrees_of_freedom > 0))
        return NAN;
    if (isinf(t))
        return 0;
    return incomplete_beta(degrees_of_freedom / 2, 0.5, degrees_of_freedom / (degrees_of_freedom + t * t));
}

/* Sums of one side. Values are taken relative to a common origin, so that large figures keep their variance. */
struct side {
    double n, sum, squares;
    size_t builds;
};

static double side_mean(const struct side *side)
{
    return side->sum / side->n;
}

static double side_variance(const struct side *side)
{
    double variance = (side->squares - side->sum * side->sum / side->n) / (side->n - 1);

    return variance > 0 ? variance : 0;
}

static void add_build(struct side *side, const struct per_run *build, double origin, int sign)
{
    for (size_t i = 0; i < build->count; i++) {
        double value = build->values[i] - origin;

        side->n += sign;
        side->sum += sign * value;
        side->squares += sign * value * value;
    }
    side->builds += build->count ? (size_t)sign : 0;
}

/* Welch's t and its degrees of freedom (Welch-Satterthwaite). */
static double welch(const struct side *a, const struct side *b, double *ret_freedom)
{
    double x = side_variance(a) / a->n, y = side_variance(b) / b->n, difference = side_mean(b) - side_mean(a);

    *ret_freedom = a->n + b->n - 2;
    if (x + y <= 0)
        return difference == 0 ? 0 : copysign(INFINITY, difference);
    *ret_freedom = (x + y) * (x + y) / (x * x / (a->n - 1) + y * y / (b->n - 1));
    return difference / sqrt(x + y);
}

static double median_of_builds(const struct per_run *builds, size_t from, size_t to)
{
    struct {
        double *items;
        size_t count, capacity;
    } values = {0};
    double median;

    for (size_t b = from; b < to; b++)
        for (size_t i = 0; i < builds[b].count; i++)
            array_push(&values, builds[b].values[i]);
    median = median_of(values.items, values.count);
    array_free(&values);
    return median;
}

void change_point_find(const struct per_run *builds, size_t count, struct change_point *ret)
{
    struct side before = {0}, after = {0};
    double origin = 0, best_freedom = 0;

    memset(ret, 0, sizeof *ret);
    ret->before = ret->after = ret->t = ret->p = NAN;
    for (size_t b = 0; b < count; b++)
        if (builds[b].count) {
            origin = builds[b].values[0];
            break;
        }
    for (size_t b = 0; b < count; b++)
        add_build(&after, &builds[b], origin, 1);
    for (size_t b = 0; b + 1 < count; b++) {
        double freedom, t;

        add_build(&before, &builds[b], origin, 1);
        add_build(&after, &builds[b], origin, -1);
        /* The change lies before the next build that has runs. */
        if (before.n < CHANGE_POINT_RUNS || after.n < CHANGE_POINT_RUNS || !builds[b + 1].count)
            continue;
        t = welch(&before, &after, &freedom);
        if (!isnan(ret->t) && fabs(t) <= fabs(ret->t))
            continue;
        ret->t = t;
        best_freedom = freedom;
        ret->first_after = b + 1;
        ret->runs_before = (size_t)before.n;
        ret->runs_after = (size_t)after.n;
        ret->builds_before = before.builds;
        ret->builds_after = after.builds;
    }
    if (isnan(ret->t))
        return;
    ret->p = student_p(ret->t, best_freedom);
    ret->before = median_of_builds(builds, 0, ret->first_after);
    ret->after = median_of_builds(builds, ret->first_after, count);
    ret->found = ret->p < CHANGE_POINT_P;
}

double slope_p(const double *values, size_t count, int *ret_direction)
{
    double n = 0, score = 0, variance;

    for (size_t i = 0; i < count; i++) {
        n += !isnan(values[i]);
        for (size_t j = 0; j < i; j++) /* comparisons with NaN are false */
            score += (values[i] > values[j]) - (values[i] < values[j]);
    }
    *ret_direction = (score > 0) - (score < 0);
    if (n < SLOPE_VALUES)
        return NAN;
    variance = n * (n - 1) * (2 * n + 5) / 18;
    return fabs(score) < 1 ? 1 : erfc((fabs(score) - 1) / sqrt(2 * variance));
}

const char *change_point_trust(const struct change_point *change)
{
    size_t nights = change->builds_before < change->builds_after ? change->builds_before : change->builds_after;

    return nights >= 6 ? "sure" : nights >= 3 ? "fair, not sure (< 6 nights)" : "weak (< 3 nights)";
}
