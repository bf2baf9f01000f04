#include "gfxinfo.h"

#include "overlap.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/number.h"
#include "stutterscope/base/text.h"
#include "stutterscope/import/batch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_INTERVALS 8
#define FEWEST_PER_CHANGE                                                                                    \
    16 /* frames; when the interval changes more often, the usual one is taken for all */

/* ---- refresh rates: intervals that differ by jitter only are one ---- */

struct intervals {
    struct {
        int64_t from, to, middle;
        uint32_t text;
        size_t frames;
    } items[MOST_INTERVALS];
    size_t count;
};

static int compare_integers(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

    return left < right ? -1 : left > right;
}

static uint32_t refresh_text(struct dictionary *texts, int64_t interval)
{
    char text[32];

    number_print_scaled(text, sizeof text, (1000 * NS_PER_S + interval / 2) / interval, 1000);
    return dictionary_add(texts, text, strlen(text));
}

static void find_intervals(struct dictionary *texts, const struct gfx_row *rows, size_t count,
                           struct intervals *ret)
{
    int64_t *sorted = memory_take((count + 1) * sizeof *sorted);
    size_t known = 0, end;

    ret->count = 0;
    for (size_t i = 0; i < count; i++) {
        if (rows[i].fault == REJECT_COUNT && rows[i].interval != VALUE_UNKNOWN)
            sorted[known++] = rows[i].interval;
    }
    qsort(sorted, known, sizeof *sorted, compare_integers);
    for (size_t i = 0; i < known && ret->count < MOST_INTERVALS; i = end) {
        for (end = i; end < known && (sorted[end] - sorted[i]) * 50 <= sorted[i];)
            end++;
        ret->items[ret->count].from = sorted[i];
        ret->items[ret->count].to = sorted[end - 1];
        ret->items[ret->count].middle = sorted[i + (end - i) / 2];
        ret->items[ret->count].frames = end - i;
        ret->items[ret->count].text = refresh_text(texts, ret->items[ret->count].middle);
        ret->count++;
    }
    free(sorted);
}

static size_t find_interval(const struct intervals *intervals, int64_t interval)
{
    for (size_t i = 0; i < intervals->count; i++) {
        if (interval >= intervals->items[i].from && interval <= intervals->items[i].to)
            return i;
    }
    return SIZE_MAX;
}

/* Keeps the most frequent one only, when rates change with almost every frame. */
static void calm_intervals(struct intervals *intervals, const struct gfx_row *rows, size_t count)
{
    size_t changes = 0, best = 0, before = SIZE_MAX;

    for (size_t i = 0; i < count; i++) {
        size_t now = rows[i].fault == REJECT_COUNT ? find_interval(intervals, rows[i].interval) : before;

        changes += now != before;
        before = now;
    }
    for (size_t i = 1; i < intervals->count; i++) {
        if (intervals->items[i].frames > intervals->items[best].frames)
            best = i;
    }
    if (intervals->count < 2 || changes * FEWEST_PER_CHANGE <= count + FEWEST_PER_CHANGE)
        return;
    intervals->items[0] = intervals->items[best];
    intervals->items[0].from = 0;
    intervals->items[0].to = NS_PER_S;
    intervals->count = 1;
}

static void note_intervals(const struct import_reader *reader, const struct intervals *intervals,
                           bool swapped)
{
    struct text_buffer note = {0};
    char *text;

    if (intervals->count == 0)
        return;
    text_add(&note, "The refresh rate comes from the frame interval in the file: ");
    for (size_t i = 0; i < intervals->count; i++)
        text_add_print(&note, "%s%s Hz", i ? ", " : "",
                       dictionary_text(reader->sink->texts, intervals->items[i].text));
    text_add(&note, swapped ? " (it stands under FrameStartTime: the two names are swapped)." : ".");
    text = text_take(&note);
    reader->sink->note(reader->sink->user, text);
    free(text);
}

/* ---- order ---- */

/* Marks rows of frames that another dump holds too; the best row of each stays. */
static void drop_repeated(const struct import_reader *reader, struct gfx_row *rows, size_t *count)
{
    struct overlap_row *overlap = memory_take_zeroed(*count + 1, sizeof *overlap);
    size_t kept = 0, repeated = 0;
    int64_t first_line = 0;

    for (size_t i = 0; i < *count; i++) {
        bool has_key = rows[i].start > 0;

        overlap[i].key = has_key ? rows[i].start : -(int64_t)i - 1;
        overlap[i].complete = rows[i].fault == REJECT_COUNT;
    }
    overlap_mark(overlap, *count);
    for (size_t i = 0; i < *count; i++) {
        if (overlap[i].repeated) {
            first_line = repeated++ ? first_line : rows[i].line;
            continue;
        }
        rows[kept++] = rows[i];
    }
    if (repeated > 0)
        reader->sink->reject_many(reader->sink->user, REJECT_DUPLICATE, (int64_t)repeated, first_line);
    *count = kept;
    free(overlap);
}

static int compare_rows(const void *a, const void *b)
{
    const struct gfx_row *left = a, *right = b;

    if (left->block != right->block)
        return left->block < right->block ? -1 : 1;
    if (left->end != right->end)
        return left->end < right->end ? -1 : 1;
    return left->line < right->line ? -1 : left->line > right->line;
}

/*
 * By the end of the frames, in each life of the clock: a dump that lies wholly before all others was made
 * after the device was started again.
 */
static void put_in_order(struct gfx_row *rows, size_t count)
{
    uint32_t life = 0;
    int64_t first = INT64_MAX;
    size_t end;

    for (size_t i = 0; i < count; i = end) {
        uint32_t block = rows[i].block;
        int64_t least = INT64_MAX, most = 0;

        for (end = i; end < count && rows[end].block == block; end++) {
            if (rows[end].fault != REJECT_COUNT)
                continue;
            least = rows[end].end < least ? rows[end].end : least;
            most = rows[end].end > most ? rows[end].end : most;
        }
        if (least != INT64_MAX && first != INT64_MAX && most < first) {
            life++;
            first = INT64_MAX;
        }
        first = least < first ? least : first;
        for (size_t j = i; j < end; j++)
            rows[j].block = life;
    }
    qsort(rows, count, sizeof *rows, compare_rows);
}

/* ---- frames ---- */

static bool give_row(const struct import_reader *reader, const struct gfx_row *row,
                     const struct intervals *intervals, struct frame_batch *batch, struct error *error)
{
    struct import_context context = {0};
    int64_t values[COLUMN_COUNT];
    size_t interval;

    if (row->fault != REJECT_COUNT) {
        reader->sink->reject(reader->sink->user, row->fault, row->line, NULL, 0);
        return true;
    }
    interval = find_interval(intervals, row->interval);
    if (interval != SIZE_MAX)
        context.field[CONTEXT_REFRESH_HZ] = intervals->items[interval].text;
    for (int i = 0; i < COLUMN_COUNT; i++)
        values[i] = VALUE_UNKNOWN;
    values[COLUMN_STAMP] = row->end;
    values[COLUMN_FRAME_TIME] = row->end - row->start;
    values[COLUMN_CPU] = row->cpu;
    values[COLUMN_GPU] = row->gpu;
    return frame_batch_set_context(batch, &context, error) &&
           frame_batch_add(batch, values, row->line, error);
}

bool gfx_frames_give(const struct import_reader *reader, const char *version, struct gfx_row *rows,
                     size_t count, struct error *error)
{
    struct frame_batch batch;
    struct intervals intervals;
    bool fine = true, swapped = false;

    reader->sink->facts(reader->sink->user, &(struct import_source_facts){.version = version,
                                                                          .interval = "duration",
                                                                          .tests_holes = false,
                                                                          .has_clock = true});
    reader->sink->note(reader->sink->user,
                       "A frame time is how long Android worked on the frame (FrameCompleted − "
                       "IntendedVsync); between frames nothing may have been drawn.");
    drop_repeated(reader, rows, &count);
    put_in_order(rows, count);
    find_intervals(reader->sink->texts, rows, count, &intervals);
    calm_intervals(&intervals, rows, count);
    for (size_t i = 0; i < count; i++)
        swapped = swapped || (rows[i].swapped && rows[i].fault == REJECT_COUNT);
    note_intervals(reader, &intervals, swapped);
    frame_batch_init(&batch, reader->sink);
    for (size_t i = 0; i < count && fine; i++)
        fine = give_row(reader, &rows[i], &intervals, &batch, error);
    fine = fine && frame_batch_flush(&batch, error);
    frame_batch_free(&batch);
    return fine;
}
