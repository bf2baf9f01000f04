#include "mangohud.h"

#include "stutterscope/base/memory.h"

#include <math.h>
#include <stdlib.h>

#define FEWEST_TO_JUDGE_FIRST 5
#define BOGUS_SHARE           4 /* shorter than a quarter of the usual frame */

static const struct {
    int64_t ns;
    const char *name;
} units[] = {{1, "ns"}, {1000, "µs"}, {NS_PER_MS, "ms"}, {NS_PER_S, "s"}};
#define UNIT_COUNT (sizeof units / sizeof *units)

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;

    return left < right ? -1 : left > right;
}

static double median(double *values, size_t count)
{
    if (count == 0)
        return NAN;
    qsort(values, count, sizeof *values, compare);
    return values[count / 2];
}

static double median_product(const struct mango_row *rows, size_t count)
{
    double *values = memory_take((count + 1) * sizeof *values), middle;
    size_t found = 0;

    for (size_t i = 0; i < count; i++) {
        if (rows[i].fps > 0 && rows[i].frame_time > 0)
            values[found++] = rows[i].fps * rows[i].frame_time;
    }
    middle = median(values, found);
    free(values);
    return middle;
}

static double median_step(const struct mango_row *rows, size_t count)
{
    double *values = memory_take((count + 1) * sizeof *values), middle;
    size_t found = 0;

    for (size_t i = 1; i < count; i++) {
        double step = rows[i].elapsed - rows[i - 1].elapsed;

        if (step > 0)
            values[found++] = step;
    }
    middle = median(values, found);
    free(values);
    return middle;
}

static double median_frame(const struct mango_units *found, const struct mango_row *rows, size_t count)
{
    double *values = memory_take((count + 1) * sizeof *values), middle;
    size_t known = 0;

    for (size_t i = 0; i < count; i++) {
        int64_t time = mango_frame_time(found, &rows[i]);

        if (time > 0)
            values[known++] = (double)time;
    }
    middle = median(values, known);
    free(values);
    return middle;
}

/* fps × frame time is one second. */
static size_t frame_unit(double product)
{
    for (size_t i = 0; i < UNIT_COUNT; i++) {
        double ratio = product * (double)units[i].ns / 1e9;

        if (ratio > 0.1 && ratio < 10)
            return i;
    }
    return 2; /* ms, as all versions since 0.6.9 */
}

/*
 * Logs of every frame step by one frame. Sampled ones step by more: then the usual unit of the version holds
 * as long as the step is no shorter than the frame.
 */
static size_t elapsed_unit(double step, double frame, size_t usual)
{
    if (isnan(step) || isnan(frame))
        return usual;
    for (size_t i = 0; i < UNIT_COUNT; i++) {
        double ratio = step * (double)units[i].ns / frame;

        if (ratio > 0.5 && ratio < 2)
            return i;
    }
    if (step * (double)units[usual].ns > frame * 0.5)
        return usual;
    for (size_t i = usual + 1; i < UNIT_COUNT; i++) {
        if (step * (double)units[i].ns > frame * 0.5)
            return i;
    }
    return usual;
}

struct mango_units mango_find_units(const struct mango_row *rows, size_t count, bool has_frame_time)
{
    struct mango_units found = {.from_fps = !has_frame_time};
    size_t frame = has_frame_time ? frame_unit(median_product(rows, count)) : 2, elapsed;

    found.frame_ns = units[frame].ns;
    found.frame_name = units[frame].name;
    elapsed =
        elapsed_unit(median_step(rows, count), median_frame(&found, rows, count), has_frame_time ? 0 : 1);
    found.elapsed_ns = units[elapsed].ns;
    found.elapsed_name = units[elapsed].name;
    return found;
}

/* value / parts in units of unit_ns, as ns. */
static int64_t to_ns(int64_t value, int64_t unit_ns, int64_t parts)
{
    int64_t product, divide = parts / unit_ns;

    if (value == VALUE_UNKNOWN)
        return value;
    if (divide > 1)
        return value / divide + (value % divide) * 2 / divide;
    return __builtin_mul_overflow(value, unit_ns / parts, &product) ? VALUE_UNKNOWN : product;
}

int64_t mango_frame_time(const struct mango_units *found, const struct mango_row *row)
{
    if (!found->from_fps)
        return to_ns(row->frame_millionths, found->frame_ns, 1000000);
    return row->fps > 1e-5 && isfinite(row->fps) ? (int64_t)llround(1e9 / row->fps) : VALUE_UNKNOWN;
}

int64_t mango_elapsed(const struct mango_units *found, const struct mango_row *row)
{
    return to_ns(row->elapsed_thousandths, found->elapsed_ns, 1000);
}

bool mango_first_is_bogus(const struct mango_units *found, const struct mango_row *rows, size_t count)
{
    int64_t first = count > 0 ? mango_frame_time(found, &rows[0]) : VALUE_UNKNOWN;

    if (count <= FEWEST_TO_JUDGE_FIRST || first == VALUE_UNKNOWN)
        return false;
    return (double)first * BOGUS_SHARE < median_frame(found, rows + 1, count - 1);
}
