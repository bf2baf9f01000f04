#include "presentmon.h"

#include "stutterscope/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_TICK_NS 100.0 /* 10 MHz, in every file seen */

static int compare_doubles(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;

    return left < right ? -1 : left > right;
}

/* The usual ns per unit of the clock: the median of frame time against the step of the clock; 0: cannot be
 * told. */
static double measure_unit(const struct pm_row *rows, size_t count)
{
    double *ratios = memory_take((count + 1) * sizeof *ratios), middle;
    size_t found = 0;

    for (size_t i = 1; i < count; i++) {
        if (rows[i].time > rows[i - 1].time && rows[i - 1].time != VALUE_UNKNOWN && rows[i].frame_time != VALUE_UNKNOWN)
            ratios[found++] = (double)rows[i].frame_time / (double)(rows[i].time - rows[i - 1].time);
    }
    qsort(ratios, found, sizeof *ratios, compare_doubles);
    middle = found >= 3 ? ratios[found / 2] : 0;
    free(ratios);
    return middle;
}

static bool is_near(double value, double wanted)
{
    return value > wanted * 0.95 && value < wanted * 1.05;
}

static void decide_unit(struct pm_frames *frames, const struct pm_row *rows, size_t count)
{
    double measured = measure_unit(rows, count);
    char *note;

    frames->ns_per_unit = 1;
    if (frames->columns->clock == PM_CLOCK_UNSURE && is_near(measured, 1000))
        frames->ns_per_unit = 1000;
    if (frames->columns->clock != PM_CLOCK_TICKS)
        return;
    frames->ns_per_unit = USUAL_TICK_NS;
    if (measured == 0 || is_near(measured, USUAL_TICK_NS))
        return;
    frames->ns_per_unit = is_near(measured, 1) ? 1 : measured;
    note = memory_print(
        "The ticks of the time stamps do not fit 10 MHz: %.6g ns per tick, measured by the frame times, "
        "was used.",
        frames->ns_per_unit);
    frames->reader->sink->note(frames->reader->sink->user, note);
    free(note);
}

/* Stamps with few digits repeat; the frame times are exact, so they are summed up instead. */
static bool is_coarse(const struct pm_row *rows, size_t count)
{
    size_t repeated = 0;

    for (size_t i = 1; i < count; i++)
        repeated += rows[i].time == rows[i - 1].time && rows[i].time != VALUE_UNKNOWN;
    return count >= 20 && repeated * 20 > count;
}

static bool has_dates(const struct pm_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (rows[i].time_is_date)
            return true;
    }
    return false;
}

void pm_frames_begin(struct pm_frames *frames, const struct import_reader *reader,
                     const struct pm_columns *columns, const struct import_context *context,
                     const struct pm_row *rows, size_t count)
{
    const char *interval = reader->options->interval;
    bool has_clock = columns->clock != PM_CLOCK_NONE;

    memset(frames, 0, sizeof *frames);
    frames->reader = reader;
    frames->columns = columns;
    frames->display = interval && strcmp(interval, "display") == 0;
    frames->in_present_before = VALUE_UNKNOWN;
    frames->shown_until = VALUE_UNKNOWN;
    frame_batch_init(&frames->batch, reader->sink);
    frames->batch.context = *context;
    decide_unit(frames, rows, count);
    frames->integrate = has_clock && is_coarse(rows, count);
    if (frames->integrate)
        reader->sink->note(reader->sink->user,
                           "The time stamps are too coarse (many are equal): they were replaced by the "
                           "running sum of the frame times.");
    if (has_dates(rows, count))
        reader->sink->note(reader->sink->user,
                           "The time stamps are dates in the local time of the computer, without its zone: they were taken as UTC.");
    reader->sink->facts(reader->sink->user,
                        &(struct import_source_facts){.version = columns->version,
                                                      .interval = frames->display ? "display" : "present",
                                                      .tests_holes = has_clock && !frames->integrate,
                                                      .has_clock = has_clock});
}

static int64_t clock_ns(struct pm_frames *frames, int64_t time)
{
    if (time == VALUE_UNKNOWN || frames->ns_per_unit == 1)
        return time;
    if (!frames->started)
        frames->tick_base = time;
    /* Exact for 100 ns ticks and seconds; the base keeps the double's digits for the differences. */
    return (int64_t)llround((double)frames->tick_base * frames->ns_per_unit) +
           (int64_t)llround((double)(time - frames->tick_base) * frames->ns_per_unit);
}

static bool reject(struct pm_frames *frames, enum reject_reason reason, int64_t line, struct error *error)
{
    if (!frame_batch_flush(&frames->batch, error))
        return false;
    frames->reader->sink->reject(frames->reader->sink->user, reason, line, NULL, 0);
    return true;
}

static int64_t sum_or(int64_t a, int64_t b, int64_t otherwise)
{
    return a == VALUE_UNKNOWN || b == VALUE_UNKNOWN ? otherwise : a + b;
}

/* The end of the present interval or of the display interval, in ns. */
static int64_t end_stamp(struct pm_frames *frames, const struct pm_row *row, int64_t time)
{
    const struct pm_columns *columns = frames->columns;

    if (time == VALUE_UNKNOWN || (frames->integrate && row->frame_time == VALUE_UNKNOWN))
        return VALUE_UNKNOWN;
    if (frames->integrate) {
        if (!frames->started)
            frames->first_time = time - row->frame_time;
        frames->sum += row->frame_time;
        return frames->first_time + frames->sum;
    }
    if (!frames->display)
        return columns->time_is_start ? time + row->frame_time : time;
    if (row->displayed_time != VALUE_UNKNOWN)
        return sum_or(sum_or(time, row->display_latency, time), row->displayed_time, time);
    return sum_or(time, row->until_displayed, time);
}

static int64_t display_interval(const struct pm_row *row)
{
    int64_t interval = row->displayed_time != VALUE_UNKNOWN ? row->displayed_time : row->display_change;

    return row->dropped || interval <= 0 ? VALUE_UNKNOWN : interval;
}

/* Version 1 tells the CPU's work only as what the present interval holds beside the call of Present() before.
 */
static int64_t cpu_time(const struct pm_frames *frames, const struct pm_row *row)
{
    int64_t cpu;

    if (row->cpu_busy != VALUE_UNKNOWN || frames->columns->at[PM_CPU_BUSY] >= 0)
        return row->cpu_busy;
    if (frames->in_present_before == VALUE_UNKNOWN)
        return VALUE_UNKNOWN;
    if (row->frame_time == VALUE_UNKNOWN)
        return VALUE_UNKNOWN;
    cpu = row->frame_time - frames->in_present_before;
    return cpu >= 0 ? cpu : VALUE_UNKNOWN;
}

bool pm_frames_take(struct pm_frames *frames, const struct pm_row *row, struct error *error)
{
    int64_t values[COLUMN_COUNT], time = clock_ns(frames, row->time), shown = display_interval(row);

    for (int i = 0; i < COLUMN_COUNT; i++)
        values[i] = VALUE_UNKNOWN;
    if (!frames->display && (row->repeated || row->generated))
        return reject(frames, row->repeated ? REJECT_REPEATED : REJECT_GENERATED, row->line, error);
    values[COLUMN_STAMP] = end_stamp(frames, row, time);
    values[COLUMN_CPU] = cpu_time(frames, row);
    values[COLUMN_GPU] = row->gpu;
    frames->in_present_before = row->in_present;
    frames->started = true;
    if (frames->display && shown == VALUE_UNKNOWN)
        return reject(frames, REJECT_NOT_DISPLAYED, row->line, error);
    if (values[COLUMN_STAMP] == VALUE_UNKNOWN) /* a generated frame: it follows the frame on the screen */
        values[COLUMN_STAMP] = sum_or(frames->shown_until, shown, VALUE_UNKNOWN);
    frames->shown_until = values[COLUMN_STAMP];
    values[COLUMN_FRAME_TIME] = frames->display ? shown : row->frame_time;
    values[COLUMN_DISPLAY] = frames->display ? row->frame_time : shown;
    if (row->display_known)
        values[COLUMN_FLAGS] = row->dropped ? FRAME_DROPPED : 0;
    return frame_batch_add(&frames->batch, values, row->line, error);
}
