#include "kept.h"

#include "stutterscope/base/memory.h"
#include <inttypes.h>
#include <stdlib.h>

#define REACH_NS (2000 * NS_PER_MS) /* how long an event owns what comes after it (windows.c) */

void remote_run_free(struct remote_run *run)
{
    char *texts[] = {run->device,   run->soc,        run->model_code, run->name,    run->os,
                     run->gpu_name, run->series,     run->scenario,   run->commit,  run->ci_run,
                     run->built_at, run->started_at, run->log_url,    run->outcome, run->station};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
    array_free(&run->kept);
}

static int64_t first_known(const int64_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (values[i] != VALUE_UNKNOWN && values[i] > 0)
            return values[i];
    return 60000;
}

int64_t remote_fps_milli(const struct remote_run *run, const struct remote_measure *measure,
                         int64_t target_fps_milli, int64_t refresh_milli_hz)
{
    const int64_t order[] = {measure->fixed_fps_milli,  target_fps_milli, run->target_fps_milli,
                             measure->device_fps_milli, refresh_milli_hz, run->refresh_milli_hz};

    return first_known(order, sizeof order / sizeof *order);
}

int64_t remote_highest_fps_milli(const struct remote_run *run, const struct remote_measure *measure)
{
    /* of the run the greatest is known */
    return remote_fps_milli(run, measure, VALUE_UNKNOWN, VALUE_UNKNOWN);
}

/* ---- ranges ---- */

static void add_number(struct text_buffer *list, int64_t value)
{
    text_add_print(list, "%s%" PRId64, list->count ? "," : "", value);
}

static int64_t frame_start(const struct kept_frame *frame)
{
    return frame->stamp_ns - frame->frame_ns;
}

static void add_list(struct text_buffer *rows, struct text_buffer *list)
{
    text_add_print(rows, "\t[%s]", list->count ? list->items : "");
    array_free(list);
}

void kept_add_ranges(const struct remote_run *run, int64_t limit_ns, int64_t gap_ns, struct text_buffer *rows)
{
    const struct kept_frame *frames = run->kept.items;
    struct text_buffer from = {0}, to = {0};
    size_t over = SIZE_MAX; /* the last one over the limit */

    for (size_t i = 0; i < run->kept.count; i++) {
        if (frames[i].frame_ns <= limit_ns)
            continue;
        if (over != SIZE_MAX && frames[over].visit == frames[i].visit &&
            frame_start(&frames[i]) - frames[over].stamp_ns <= gap_ns &&
            frames[i].ordinal - frames[over].ordinal > (int64_t)(i - over)) {
            add_number(&from, frames[over].stamp_ns);
            add_number(&to, frames[i].stamp_ns);
        }
        over = i;
    }
    if (from.count) {
        remote_add_field(rows, run->name);
        add_list(rows, &from);
        add_list(rows, &to);
        text_add(rows, "\n");
    }
    array_free(&from);
    array_free(&to);
}

/* How many of the frames lie strictly between two stamps, from *at on; *at moves to the first of them. */
static size_t count_between(const struct kept_frame *frames, size_t count, size_t *at, int64_t from_ns,
                            int64_t to_ns)
{
    size_t found = 0;

    while (*at < count && frames[*at].stamp_ns <= from_ns)
        ++*at;
    while (*at + found < count && frames[*at + found].stamp_ns < to_ns)
        found++;
    return found;
}

/* A visit is one scene at one quality: frames of another one are not those that are missing. */
static bool of_visit(const struct kept_frame *here, const struct kept_frame *frames, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (frames[i].scene != here->scene || frames[i].quality != here->quality)
            return false;
    return true;
}

void kept_insert(struct remote_run *run, const struct kept_frame *frames, size_t count)
{
    struct kept_frames all = {0};
    size_t at = 0;

    for (size_t i = 0; i < run->kept.count; i++) {
        const struct kept_frame *here = &run->kept.items[i], *next = here + 1;

        array_push(&all, *here);
        if (i + 1 == run->kept.count || next->visit != here->visit || next->ordinal <= here->ordinal + 1)
            continue;

        size_t found = count_between(frames, count, &at, here->stamp_ns, next->stamp_ns);

        if ((int64_t)found != next->ordinal - here->ordinal - 1 || !of_visit(here, &frames[at], found))
            continue;
        for (size_t k = 0; k < found; k++) {
            struct kept_frame frame = frames[at + k];

            frame.visit = here->visit;
            frame.ordinal = here->ordinal + 1 + (int64_t)k;
            array_push(&all, frame);
        }
    }
    array_free(&run->kept);
    run->kept.items = all.items;
    run->kept.count = all.count;
    run->kept.capacity = all.capacity;
}

/* ---- labels ---- */

/* The frames as analysis wants them, and what it says. */
struct labelled {
    size_t count; /* pieces */
    struct frame_piece *pieces;
    struct label_spans *spans;
    struct label_claims claims;
    struct event_mark *marks;
    int64_t *stamps, *times;
    uint32_t *classes; /* of the event of every frame */
    bool *begins;      /* every frame: its event begins there */
    enum frame_label *labels;
};

static bool starts_piece(const struct kept_frame *frames, size_t i)
{
    return i == 0 || frames[i].ordinal != frames[i - 1].ordinal + 1 ||
           frames[i].visit != frames[i - 1].visit ||
           frames[i].target_fps_milli != frames[i - 1].target_fps_milli ||
           frames[i].refresh_milli_hz != frames[i - 1].refresh_milli_hz;
}

static void make_piece(const struct remote_run *run, const struct remote_measure *measure,
                       struct labelled *ret, size_t first, size_t end, size_t mark, size_t mark_end)
{
    const struct kept_frame *frames = run->kept.items;

    ret->pieces[ret->count] = (struct frame_piece){
        .scene = frames[first].scene,
        .quality = frames[first].quality,
        .visit = frames[first].visit,
        .fps_milli =
            remote_fps_milli(run, measure, frames[first].target_fps_milli, frames[first].refresh_milli_hz),
        .skipped = first > 0 ? frames[first].ordinal - frames[first - 1].ordinal - 1 : 0,
        .count = end - first,
        .frame_ns = ret->times + first,
        .stamp_ns = ret->stamps + first,
        .events = ret->marks + mark,
        .event_count = mark_end - mark,
    };
    ret->count++;
}

static void label_frames(const struct remote_run *run, const struct analysis_settings *settings,
                         const struct remote_measure *measure, const struct dictionary *texts,
                         struct labelled *ret)
{
    const struct kept_frame *frames = run->kept.items;
    size_t count = run->kept.count, first = 0, mark = 0, marks = 0;
    struct label_report report;

    ret->pieces = memory_take_zeroed(count + 1, sizeof *ret->pieces);
    ret->spans = memory_take_zeroed(count + 1, sizeof *ret->spans);
    ret->marks = memory_take_zeroed(count + 1, sizeof *ret->marks);
    ret->stamps = memory_take_zeroed(count + 1, sizeof *ret->stamps);
    ret->times = memory_take_zeroed(count + 1, sizeof *ret->times);
    ret->classes = memory_take_zeroed(count + 1, sizeof *ret->classes);
    ret->begins = memory_take_zeroed(count + 1, sizeof *ret->begins);
    ret->labels = memory_take_zeroed(count + 1, sizeof *ret->labels);
    for (size_t i = 0; i < count; i++) {
        bool follows = i > 0 && frames[i].ordinal == frames[i - 1].ordinal + 1;

        if (i > 0 && starts_piece(frames, i)) {
            make_piece(run, measure, ret, first, i, mark, marks);
            first = i;
            mark = marks;
        }
        ret->stamps[i] = frames[i].stamp_ns;
        ret->times[i] = frames[i].frame_ns;
        if (!frames[i].event)
            continue;
        ret->classes[i] = event_class_of(dictionary_text(texts, frames[i].event));
        ret->begins[i] = !follows || frames[i - 1].event != frames[i].event;
        ret->marks[marks++] =
            (struct event_mark){i - first, frames[i].event, ret->classes[i], ret->begins[i]};
    }
    if (count > 0)
        make_piece(run, measure, ret, first, count, mark, marks);
    label_run_claims(ret->pieces, ret->count, settings, ret->spans, &report, &ret->claims);
    for (size_t i = 0, at = 0; i < ret->count; at += ret->pieces[i++].count)
        for (size_t k = 0; k < ret->spans[i].count; k++)
            for (size_t f = 0; f < ret->spans[i].items[k].count; f++)
                ret->labels[at + ret->spans[i].items[k].first + f] = ret->spans[i].items[k].label;
}

static void labelled_free(struct labelled *labelled)
{
    for (size_t i = 0; i < labelled->count; i++)
        array_free(&labelled->spans[i]);
    array_free(&labelled->claims);
    free(labelled->pieces);
    free(labelled->spans);
    free(labelled->marks);
    free(labelled->stamps);
    free(labelled->times);
    free(labelled->classes);
    free(labelled->begins);
    free(labelled->labels);
}

struct spans {
    struct text_buffer from, to, start, what;
};

static void add_span(struct spans *spans, int64_t from_ns, int64_t to_ns, int64_t latest_start_ns,
                     int64_t what)
{
    add_number(&spans->from, from_ns);
    add_number(&spans->to, to_ns);
    add_number(&spans->start, latest_start_ns);
    add_number(&spans->what, what);
}

static void add_spans(struct text_buffer *rows, struct spans *spans)
{
    add_list(rows, &spans->from);
    add_list(rows, &spans->to);
    add_list(rows, &spans->start);
    add_list(rows, &spans->what);
}

/*
 * What covers the frames that are missing between frame i and the next one, by the order of the labels: the
 * first claim that reaches a frame gives its label. An interval that ended after frame i, but by no frame,
 * ended among them.
 */
static size_t find_covering(const struct labelled *labelled, size_t i,
                            struct label_claim covering[LABEL_COUNT])
{
    size_t count = 0;

    for (int label = LABEL_GAMEPLAY + 1; label < LABEL_COUNT; label++) {
        struct label_claim best = {.latest_start_ns = INT64_MIN};

        for (size_t k = 0; k < labelled->claims.count; k++) {
            const struct label_claim *claim = &labelled->claims.items[k];
            bool whole = claim->end > i + 1,
                 part = claim->end == i + 1 && claim->latest_start_ns != INT64_MAX;
            int64_t latest_ns = whole ? INT64_MAX : claim->latest_start_ns;

            if (claim->label == (enum frame_label)label && claim->first <= i && (whole || part) &&
                latest_ns > best.latest_start_ns)
                best = (struct label_claim){claim->first, claim->end, claim->label, latest_ns};
        }
        if (best.latest_start_ns != INT64_MIN)
            covering[count++] = best;
        if (best.latest_start_ns == INT64_MAX)
            break; /* nothing behind it is reached */
    }
    return count;
}

/* Stretches of one label: of the kept frames, and of those that are missing between them. */
static void find_labelled(const struct remote_run *run, const struct labelled *labelled, struct spans *ret)
{
    const struct kept_frame *frames = run->kept.items;
    size_t count = run->kept.count;

    for (size_t i = 0, first = 0; i < count; i++) {
        struct label_claim covering[LABEL_COUNT];
        enum frame_label label = labelled->labels[i];
        bool last = i + 1 == count, missing = !last && frames[i + 1].ordinal > frames[i].ordinal + 1;
        size_t covers = missing ? find_covering(labelled, i, covering) : 0;
        bool goes_on = covers > 0 && covering[0].label == label && covering[0].latest_start_ns == INT64_MAX;

        if (!last && labelled->labels[i + 1] == label && (goes_on || !missing))
            continue;
        if (label != LABEL_GAMEPLAY)
            add_span(ret, frames[first].stamp_ns - 1, frames[i].stamp_ns + 1, INT64_MAX, label);
        for (size_t k = 0; k < covers; k++)
            add_span(ret, frames[i].stamp_ns, frames[i + 1].stamp_ns, covering[k].latest_start_ns,
                     covering[k].label);
        first = i + 1;
    }
}

/* What every occurrence of an event that names windows owns: up to the next one, the end of the visit, or its
 * reach. */
static void find_owned(const struct remote_run *run, const struct labelled *labelled, struct spans *ret)
{
    const struct kept_frame *frames = run->kept.items;
    size_t count = run->kept.count, owner = SIZE_MAX;

    for (size_t i = 0; i <= count; i++) {
        bool begins = i < count && labelled->begins[i] && !event_class_is_silent(labelled->classes[i]);
        bool leaves = owner != SIZE_MAX && (i == count || frames[i].visit != frames[owner].visit);

        if (owner != SIZE_MAX && (begins || leaves)) {
            int64_t end = i < count ? frames[i].stamp_ns : INT64_MAX;

            add_span(ret, frames[owner].stamp_ns - 1, end, frame_start(&frames[owner]) + REACH_NS,
                     frames[owner].event);
            owner = SIZE_MAX;
        }
        if (begins)
            owner = i;
    }
}

void kept_add_spans(const struct remote_run *run, const struct analysis_settings *settings,
                    const struct remote_measure *measure, const struct dictionary *texts,
                    struct text_buffer *rows)
{
    struct labelled labelled = {0};
    struct spans labels = {0}, owners = {0};
    const int64_t numbers[] = {run->target_fps_milli, run->refresh_milli_hz, run->sample_every,
                               run->kept_over_ns};

    label_frames(run, settings, measure, texts, &labelled);
    find_labelled(run, &labelled, &labels);
    find_owned(run, &labelled, &owners);
    remote_add_field(rows, run->name);
    text_add(rows, "\t");
    remote_add_field(rows, run->series ? run->series : "");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        text_add_print(rows, "\t%" PRId64, numbers[i] == VALUE_UNKNOWN ? -1 : numbers[i]);
    add_spans(rows, &labels);
    add_spans(rows, &owners);
    text_add(rows, "\n");
    labelled_free(&labelled);
}
