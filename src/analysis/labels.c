#include "stutterscope/analysis/labels.h"
#include "stutterscope/base/memory.h"
#include "scan.h"
#include <stdlib.h>

#define INTERVAL_MOST_NS (60 * NS_PER_S) /* an interval without an end is given up after this */
#define PAUSE_FRAME_NS   (10 * NS_PER_S) /* any longer frame is a pause */
#define RESUME_FRAME_NS  NS_PER_S        /* a pause without a resume event ends with the first longer frame */
#define LEADING_MOST     10

struct run_mark {
    size_t piece, frame; /* place */
    size_t at;           /* counted through all pieces */
    uint32_t class;
    bool begins;
};

struct labelling {
    const struct frame_piece *pieces;
    size_t count;
    size_t *offsets; /* count + 1: where each piece begins, counted through all pieces */
    int64_t *alert_ns;
    struct label_claims claims;
    struct {
        struct run_mark *items;
        size_t count, capacity;
    } marks;
};

struct interval_list {
    enum frame_label label;
    uint32_t begin, end; /* event classes */
    bool by_stem;        /* only the end with the begin's stem counts */
};
static const struct interval_list interval_lists[] = {
    {LABEL_PAUSE, EVENT_PAUSE_BEGIN, EVENT_PAUSE_END, false},
    {LABEL_INTERFERENCE, EVENT_INTERFERENCE_BEGIN, EVENT_INTERFERENCE_END, true},
    {LABEL_LOADING, EVENT_LOADING_BEGIN, EVENT_LOADING_END, false},
};

static void claim_until(struct labelling *run, size_t first, size_t end, enum frame_label label, int64_t latest_start_ns)
{
    if (first < end)
        array_push(&run->claims, (struct label_claim){first, end, label, latest_start_ns});
}

static void claim(struct labelling *run, size_t first, size_t end, enum frame_label label)
{
    claim_until(run, first, end, label, INT64_MAX);
}

/* One step forward in the run; false at its end. */
static bool step(const struct labelling *run, size_t *piece, size_t *frame)
{
    (*frame)++;
    while (*piece < run->count && *frame >= run->pieces[*piece].count) {
        (*piece)++;
        *frame = 0;
    }
    return *piece < run->count;
}

/*
 * Follows an interval from its begin event up to, but not including, `until`. Returns the first frame that it
 * does not reach: `until`, or where 60 s since the event have passed (then *ret_latest_ns is when a frame must have
 * started), or the one after the first frame over stop_ns.
 */
static size_t follow(const struct labelling *run, const struct run_mark *begin, size_t until, int64_t stop_ns,
                     int64_t *ret_latest_ns)
{
    *ret_latest_ns = INT64_MAX;
    size_t piece = begin->piece, frame = begin->frame, at = begin->at + 1;
    int64_t elapsed = 0; /* from the end of the event's frame to the start of the frame looked at */
    for (; at < until && step(run, &piece, &frame); at++) {
        int64_t frame_ns = run->pieces[piece].frame_ns[frame];
        int64_t between = time_before(run->pieces, piece, frame);
        if (between != VALUE_UNKNOWN)
            elapsed = ns_plus(elapsed, between);
        if (elapsed > INTERVAL_MOST_NS) {
            *ret_latest_ns = ns_minus(frame_start(&run->pieces[piece], frame), elapsed - INTERVAL_MOST_NS);
            return at;
        }
        if (frame_ns > stop_ns)
            return at + 1;
        elapsed = ns_plus(elapsed, frame_ns);
    }
    return at;
}

/* The end of the interval (exclusive); *ret_open: it ended otherwise than by its event. *ret_latest_ns as in follow(). */
static size_t find_interval_end(const struct labelling *run, const struct interval_list *list, size_t begin,
                                bool *ret_open, int64_t *ret_latest_ns)
{
    const struct run_mark *marks = run->marks.items, *start = &marks[begin];
    size_t until = run->offsets[run->count];

    *ret_open = false;
    for (size_t i = begin + 1; i < run->marks.count; i++) {
        bool same_stem =
            !list->by_stem || marks[i].class >> EVENT_STEM_SHIFT == start->class >> EVENT_STEM_SHIFT;
        if ((marks[i].class & list->end) && same_stem) {
            /* An end that comes first after a hole or a long frame still ends it: nothing was swallowed
             * between. */
            size_t reached = follow(run, start, marks[i].at, INT64_MAX, ret_latest_ns);
            if (reached == marks[i].at)
                return marks[i].at + 1;
            until = marks[i].at;
            break;
        }
        if ((marks[i].class & list->begin) && marks[i].begins) {
            until = marks[i].at + (list->label == LABEL_PAUSE);
            break;
        }
    }
    *ret_open = true;
    return follow(run, start, until, list->label == LABEL_PAUSE ? RESUME_FRAME_NS : INT64_MAX, ret_latest_ns);
}

/* Claims [first, end) for interference together with the frames over the threshold that follow directly. */
static void claim_interference(struct labelling *run, size_t first, size_t end, int64_t latest_ns)
{
    size_t low = 0, high = run->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (run->offsets[middle] < end)
            low = middle;
        else
            high = middle;
    }
    size_t piece = low, frame = end - 1 - run->offsets[low];
    while (step(run, &piece, &frame) && (frame > 0 || run->pieces[piece].skipped <= 0) &&
           run->pieces[piece].frame_ns[frame] > run->alert_ns[piece]) {
        end++;
        latest_ns = INT64_MAX;
    }
    claim_until(run, first, end, LABEL_INTERFERENCE, latest_ns);
}

static void label_intervals(struct labelling *run, const struct interval_list *list, int64_t *ret_open)
{
    size_t claimed = 0;
    for (size_t i = 0; i < run->marks.count; i++) {
        const struct run_mark *mark = &run->marks.items[i];
        if ((mark->class & list->begin) && mark->begins) {
            bool open;
            int64_t latest_ns;
            size_t end = find_interval_end(run, list, i, &open, &latest_ns);
            *ret_open += open;
            if (list->label == LABEL_INTERFERENCE)
                claim_interference(run, mark->at, end, latest_ns);
            else
                claim_until(run, list->label == LABEL_PAUSE ? mark->at + 1 : mark->at, end, list->label, latest_ns);
            claimed = end;
        } else if (list->label == LABEL_INTERFERENCE && (mark->class & EVENT_INTERFERENCE) &&
                   mark->at >= claimed) {
            claim_interference(run, mark->at, mark->at + 1, INT64_MAX);
        }
    }
}

/* Start-up and scene change: the leading frames of a visit, pieces [first, end). */
static void label_leading(struct labelling *run, size_t first, size_t end,
                          const struct analysis_settings *settings)
{
    size_t all = run->offsets[end] - run->offsets[first], leading = 0;
    size_t piece = first, frame = 0;
    if (all == 0)
        return;
    while (run->pieces[piece].count == 0)
        piece++;
    if (run->pieces[piece].frame_ns[0] < frame_limits_of(settings, run->pieces[piece].fps_milli).start_up_ns)
        return;
    do {
        if (run->pieces[piece].frame_ns[frame] <= run->alert_ns[piece])
            break;
        leading++;
    } while (leading <= LEADING_MOST && step(run, &piece, &frame) && piece < end);
    if (leading <= LEADING_MOST && leading < all)
        claim(run, run->offsets[first], run->offsets[first] + leading,
              first == 0 ? LABEL_START_UP : LABEL_SCENE_CHANGE);
}

static void label_without_events(struct labelling *run, const struct analysis_settings *settings)
{
    for (size_t i = 0; i < run->count; i++) {
        const struct frame_piece *piece = &run->pieces[i];
        for (size_t k = 0; (k = scan_over(piece->frame_ns, k, piece->count, PAUSE_FRAME_NS)) < piece->count; k++)
            claim(run, run->offsets[i] + k, run->offsets[i] + k + 1, LABEL_PAUSE);
        if (piece->loading_scene)
            claim(run, run->offsets[i], run->offsets[i + 1], LABEL_LOADING);
    }
    for (size_t first = 0, end; first < run->count; first = end) {
        for (end = first + 1; end < run->count && run->pieces[end].visit == run->pieces[first].visit;)
            end++;
        label_leading(run, first, end, settings);
    }
}

struct boundary {
    size_t at;
    enum frame_label label;
    int change;
};

static int compare_boundaries(const void *left, const void *right)
{
    const struct boundary *a = left, *b = right;
    return (a->at > b->at) - (a->at < b->at);
}

static void put_stretch(const struct labelling *run, size_t first, size_t end, enum frame_label label,
                        size_t *piece, struct label_spans *ret)
{
    while (first < end) {
        while (run->offsets[*piece + 1] <= first)
            (*piece)++;
        size_t start = run->offsets[*piece],
               stop = run->offsets[*piece + 1] < end ? run->offsets[*piece + 1] : end;
        struct label_spans *spans = &ret[*piece];
        struct label_span *last = spans->count ? &spans->items[spans->count - 1] : NULL;
        if (last && last->label == label && last->first + last->count == first - start)
            last->count += stop - first;
        else
            array_push(spans, (struct label_span){first - start, stop - first, label});
        first = stop;
    }
}

/* Where claims overlap, the label that stands first in the list of labels wins: their order in enum
 * frame_label. */
static void settle_claims(const struct labelling *run, struct label_spans *ret)
{
    size_t count = 2 * run->claims.count, piece = 0;
    int active[LABEL_COUNT] = {0};
    if (count == 0)
        return;
    struct boundary *boundaries = memory_resize(NULL, count, sizeof *boundaries);
    for (size_t i = 0; i < run->claims.count; i++) {
        const struct label_claim *wish = &run->claims.items[i];
        boundaries[2 * i] = (struct boundary){wish->first, wish->label, 1};
        boundaries[2 * i + 1] = (struct boundary){wish->end, wish->label, -1};
    }
    qsort(boundaries, count, sizeof *boundaries, compare_boundaries);
    for (size_t i = 0; i + 1 < count; i++) {
        active[boundaries[i].label] += boundaries[i].change;
        for (int label = LABEL_GAMEPLAY + 1; label < LABEL_COUNT; label++)
            if (active[label] > 0) {
                put_stretch(run, boundaries[i].at, boundaries[i + 1].at, (enum frame_label)label, &piece,
                            ret);
                break;
            }
    }
    free(boundaries);
}

static void open_run(struct labelling *run, const struct analysis_settings *settings)
{
    run->offsets = memory_resize(NULL, run->count + 1, sizeof *run->offsets);
    run->alert_ns = memory_resize(NULL, run->count + 1, sizeof *run->alert_ns);
    run->offsets[0] = 0;
    for (size_t i = 0; i < run->count; i++) {
        const struct frame_piece *piece = &run->pieces[i];
        run->offsets[i + 1] = run->offsets[i] + piece->count;
        run->alert_ns[i] = frame_limits_of(settings, piece->fps_milli).alert_ns;
        for (size_t k = 0; k < piece->event_count; k++) {
            const struct event_mark *mark = &piece->events[k];
            uint32_t class = mark->class & ~(uint32_t)EVENT_LOADS;
            if (class && mark->frame < piece->count)
                array_push(&run->marks, (struct run_mark){i, mark->frame, run->offsets[i] + mark->frame,
                                                          class, mark->begins});
        }
    }
}

void label_run(const struct frame_piece *pieces, size_t count, const struct analysis_settings *settings,
               struct label_spans *ret, struct label_report *report)
{
    label_run_claims(pieces, count, settings, ret, report, NULL);
}

void label_run_claims(const struct frame_piece *pieces, size_t count, const struct analysis_settings *settings,
                      struct label_spans *ret, struct label_report *report, struct label_claims *claims)
{
    struct labelling run = {.pieces = pieces, .count = count};
    *report = (struct label_report){0};
    if (!settings->labels || count == 0)
        return;
    int64_t *open[] = {&report->open_pauses, &report->open_interferences, &report->open_loadings};
    open_run(&run, settings);
    for (size_t i = 0; i < sizeof interval_lists / sizeof *interval_lists; i++)
        label_intervals(&run, &interval_lists[i], open[i]);
    label_without_events(&run, settings);
    settle_claims(&run, ret);
    if (claims)
        *claims = run.claims;
    else
        array_free(&run.claims);
    array_free(&run.marks);
    free(run.offsets);
    free(run.alert_ns);
}

enum frame_label label_at(const struct label_spans *spans, size_t frame)
{
    size_t low = 0, high = spans ? spans->count : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (spans->items[middle].first + spans->items[middle].count <= frame)
            low = middle + 1;
        else
            high = middle;
    }
    return spans && low < spans->count && spans->items[low].first <= frame ? spans->items[low].label
                                                                           : LABEL_GAMEPLAY;
}
