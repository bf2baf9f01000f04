#include "assemble_private.h"

#include "stutterscope/base/json.h"
#include "stutterscope/base/memory.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GAP_NS            (500 * NS_PER_MS)
#define JUMP_NS           (3600 * NS_PER_S)          /* a gap that long is named as a jump of the clock */
#define RESTART_NS        NS_PER_S                   /* a fall to the first stamp + this begins a new run */
#define WRAP_TOLERANCE_NS (60 * NS_PER_S)
#define MOST_WRAPPED_NS   1000000000000000000LL
#define MOST_RUN_NOTES    20
#define EPOCH_FROM_NS                                                                                        \
    978307200000000000LL /* 2001-01-01: stamps from here on are dates, not times since start */
#define EPOCH_TO_NS 4102444800000000000LL /* 2100-01-01 */

/* ---- notes ---- */

__attribute__((format(printf, 3, 4))) static void note(struct assembler *assembler, struct run_state *run,
                                                       const char *format, ...)
{
    va_list arguments;
    char *text = NULL;

    if (run->notes.count >= MOST_RUN_NOTES)
        return;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        abort();
    va_end(arguments);
    import_log_note(assembler->log, text);
    array_push(&run->notes, text);
}

/* ---- facts ---- */

static const char *fact(const struct assembler *assembler, const struct lane *lane, enum context_field field)
{
    return lane->facts[field] ? dictionary_text(assembler->texts, lane->facts[field]) : NULL;
}

static int64_t numeric_fact(struct assembler *assembler, const struct lane *lane, enum context_field field)
{
    return context_number(assembler, field, lane->facts[field]);
}

static void collect_facts(struct assembler *assembler, struct run_state *run)
{
    struct lane *lane = run->lane;
    struct assembled_facts *facts = &run->public.facts;
    int64_t epoch_ms = facts->started_at_ms;
    const char *name = facts->name;

    *facts = (struct assembled_facts){
        .build = fact(assembler, lane, CONTEXT_BUILD),
        .commit = fact(assembler, lane, CONTEXT_COMMIT),
        .ci_run = fact(assembler, lane, CONTEXT_CI_RUN),
        .built_at_ms = numeric_fact(assembler, lane, CONTEXT_BUILT_AT),
        .device_model = fact(assembler, lane, CONTEXT_DEVICE),
        .soc = fact(assembler, lane, CONTEXT_SOC),
        .model_code = fact(assembler, lane, CONTEXT_MODEL_CODE),
        .name = name,
        .os = fact(assembler, lane, CONTEXT_OS),
        .gpu_name = fact(assembler, lane, CONTEXT_GPU_NAME),
        .series = fact(assembler, lane, CONTEXT_SERIES),
        .log_url = fact(assembler, lane, CONTEXT_LOG_URL),
        .outcome = fact(assembler, lane, CONTEXT_OUTCOME),
        .station = fact(assembler, lane, CONTEXT_STATION),
        .scenario = fact(assembler, lane, CONTEXT_SCENARIO),
        .conditions = run->conditions,
        .started_at_ms = numeric_fact(assembler, lane, CONTEXT_STARTED_AT),
        .sample_every = numeric_fact(assembler, lane, CONTEXT_SAMPLE_EVERY),
        .kept_over_ns = numeric_fact(assembler, lane, CONTEXT_KEPT_OVER_MS),
        .target_fps_milli = numeric_fact(assembler, lane, CONTEXT_TARGET_FPS),
        .refresh_milli_hz = numeric_fact(assembler, lane, CONTEXT_REFRESH_HZ),
        .interval = assembler->log->interval,
        .tests_holes = assembler->log->tests_holes,
        .has_clock = assembler->log->has_clock && run->public.facts.has_clock,
    };
    if (facts->started_at_ms == VALUE_UNKNOWN)
        facts->started_at_ms = epoch_ms;
    run->facts_changed = false;
}

static const char *run_name(struct assembler *assembler, const struct lane *lane)
{
    const char *name = fact(assembler, lane, CONTEXT_RUN);
    char *numbered;
    uint32_t id;

    if (!name || lane->runs == 1)
        return name;
    numbered = memory_print("%s#%zu", name, lane->runs);
    id = dictionary_add(assembler->texts, numbered, strlen(numbered));
    free(numbered);
    return dictionary_text(assembler->texts, id);
}

bool begin_run(struct assembler *assembler, struct lane *lane, int64_t stamp, int64_t time, bool has_clock, int64_t line,
               struct error *error)
{
    struct run_state *run = memory_take_zeroed(1, sizeof *run);
    bool epoch = has_clock && stamp >= EPOCH_FROM_NS && stamp < EPOCH_TO_NS;

    array_push(&assembler->runs, run);
    if (lane->run)
        lane->run->next = run;
    lane->run = run;
    lane->first_run = lane->first_run ? lane->first_run : run;
    lane->runs++;
    run->lane = lane;
    run->first_frame = lane->placed;
    run->public.first_stamp_ns = stamp;
    run->public.last_stamp_ns = stamp;
    run->public.first_frame_ns = time;
    run->public.facts.name = run_name(assembler, lane);
    run->public.facts.started_at_ms = epoch ? (stamp - time) / NS_PER_MS : VALUE_UNKNOWN;
    run->public.facts.has_clock = has_clock;
    lane->rejected += assembler->rejected_before;
    assembler->rejected_before = 0;
    collect_facts(assembler, run);
    return limit_runs(assembler, line, error) && assembler->out->add_run(assembler->out->user, &run->public.facts, &run->number, error);
}

/* ---- segments ---- */

static bool all_unknown(const int64_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (values[i] != VALUE_UNKNOWN)
            return false;
    }
    return true;
}

static void hash_text(struct assembler *assembler, const char *text)
{
    hash_stream_add(assembler->hash, text ? text : "", text ? strlen(text) + 1 : 1);
}

static bool is_text_column(int column)
{
    return column == COLUMN_EVENT || column == COLUMN_STEP || column == COLUMN_THERMAL ||
           column == COLUMN_SCREENSHOT;
}

static void hash_segment(struct assembler *assembler, const struct run_state *run,
                         const struct assembled_segment *facts, const struct frame_columns *columns)
{
    const int64_t numbers[] = {(int64_t)run->number, (int64_t)columns->count, facts->visit,
                               facts->target_fps_milli, facts->refresh_milli_hz};

    hash_text(assembler, facts->scene);
    hash_text(assembler, facts->quality);
    hash_stream_add(assembler->hash, numbers, sizeof numbers);
    for (int column = 0; column < COLUMN_COUNT; column++) {
        const int64_t *values = columns->values[column];

        if (!values)
            continue;
        hash_stream_add(assembler->hash, &column, sizeof column);
        if (!is_text_column(column)) {
            hash_stream_add(assembler->hash, values, columns->count * sizeof *values);
            continue;
        }
        /* Ids depend on what else stands in the file: the words count. */
        for (size_t i = 0; i < columns->count; i++) {
            if (values[i] == VALUE_UNKNOWN)
                continue;
            hash_stream_add(assembler->hash, &i, sizeof i);
            hash_text(assembler, dictionary_text(assembler->texts, (uint32_t)values[i]));
        }
    }
}

bool run_flush(struct assembler *assembler, struct run_state *run, struct error *error)
{
    const struct joined_context *context = run->context;
    struct frame_columns columns = {.count = run->open.count};
    struct assembled_segment facts;

    if (columns.count == 0 || !context) /* without a context there are no frames yet */
        return true;
    facts = (struct assembled_segment){
        .scene = dictionary_text(assembler->texts, context->scene),
        .quality = context->quality ? dictionary_text(assembler->texts, context->quality) : NULL,
        .visit = run->public.visits - 1,
        .broken = run->broken,
        .target_fps_milli = context->target_fps_milli,
        .refresh_milli_hz = context->refresh_milli_hz,
    };
    for (int i = 0; i < COLUMN_COUNT; i++) {
        if (run->open.values[i] && !all_unknown(run->open.values[i], columns.count))
            columns.values[i] = run->open.values[i];
    }
    if (!run->begun) {
        run->begun = true;
        run->conditions = start_conditions(assembler->texts, &columns);
        run->facts_changed |= run->conditions != NULL;
        if (run->conditions)
            note(assembler, run, "The run began with %s: it may be capped or slowed down, and is compared with runs that began like it only.",
                 run->conditions);
    }
    hash_segment(assembler, run, &facts, &columns);
    assembler->buffered -= (int64_t)columns.count;
    run->broken = false;
    if (!assembler->out->add_segment(assembler->out->user, run->number, &facts, &columns, error))
        return false;
    frame_store_clear(&run->open);
    return true;
}

static void hash_facts(struct assembler *assembler, const struct assembled_facts *facts)
{
    const char *texts[] = {facts->build,    facts->commit,     facts->ci_run,  facts->device_model,
                           facts->soc,      facts->model_code, facts->name,    facts->os,
                           facts->gpu_name, facts->series,     facts->log_url, facts->outcome,
                           facts->station,  facts->scenario,   facts->interval};
    const int64_t numbers[] = {facts->built_at_ms,  facts->started_at_ms,    facts->sample_every,
                               facts->kept_over_ns, facts->target_fps_milli, facts->refresh_milli_hz};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        hash_text(assembler, texts[i]);
    hash_stream_add(assembler->hash, numbers, sizeof numbers);
}

static void declare_spikes(struct assembler *assembler, struct run_state *run)
{
    run->public.facts.kept_over_ns = RUN_SPIKE_NS;
    note(assembler, run,
         "Every frame takes over 300 ms or allocates 2 MB or more, and frames are missing between them: taken as a capture "
         "that kept spikes only. It has windows, no percentiles. --sample-every 1 says that all frames are there.");
}

bool run_finish(struct assembler *assembler, struct run_state *run, struct error *error)
{
    struct assembled_measures measures;
    char *notes = NULL;

    if (run->finished)
        return true;
    run->finished = true;
    run->public.measures.rejected += run->lane->rejected;
    run->lane->rejected = 0;
    if (!run_flush(assembler, run, error))
        return false;
    frame_store_free(&run->open);
    bool changed = run->facts_changed;

    if (changed)
        collect_facts(assembler, run);
    if (run_kept_spikes_only(run)) {
        declare_spikes(assembler, run);
        changed = true;
    }
    if (changed) {
        if (!assembler->out->update_run(assembler->out->user, run->number, &run->public.facts, error))
            return false;
    }
    hash_facts(assembler, &run->public.facts);
    if (run->notes.count > 0) {
        struct json *list = json_array();

        for (size_t i = 0; i < run->notes.count; i++)
            json_append(list, json_from_text(run->notes.items[i]));
        notes = json_print(list);
        json_destroy(list);
    }
    measures = run->public.measures;
    measures.notes = notes;
    assembler->out->set_measures(assembler->out->user, run->number, &measures);
    free(notes);
    return true;
}

void run_destroy(struct run_state *run)
{
    frame_store_free(&run->open);
    for (size_t i = 0; i < run->notes.count; i++)
        free(run->notes.items[i]);
    array_free(&run->notes);
    array_free(&run->wraps);
    free(run);
}

/* ---- frames ---- */

static bool same_visit(const struct joined_context *a, const struct joined_context *b)
{
    return a->scene == b->scene && a->quality == b->quality;
}

/* Closes the open segment when the frames that follow belong to another visit or have another target. */
static bool enter_context(struct assembler *assembler, struct run_state *run,
                          const struct joined_context *context, struct error *error)
{
    const struct joined_context *before = run->context;

    if (before == context)
        return true;
    if (before && same_visit(before, context) && before->target_fps_milli == context->target_fps_milli &&
        before->refresh_milli_hz == context->refresh_milli_hz) {
        run->context = context;
        return true;
    }
    if (!run_flush(assembler, run, error))
        return false;
    if (!before || !same_visit(before, context))
        run->public.visits++;
    run->context = context;
    return true;
}

static bool append_frames(struct assembler *assembler, struct run_state *run,
                          const struct frame_columns *columns, size_t start, size_t count,
                          struct error *error)
{
    const int64_t *times = columns->values[COLUMN_FRAME_TIME] + start;
    const int64_t *flags = columns->values[COLUMN_FLAGS];
    int64_t sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += times[i];
    /* 10^14 ns per frame: saturates only after a century of play. */
    if (__builtin_add_overflow(run->public.sum_ns, sum, &run->public.sum_ns))
        run->public.sum_ns = INT64_MAX;
    for (size_t i = 0; flags && i < count; i++)
        run->public.measures.dropped +=
            flags[start + i] != VALUE_UNKNOWN && (flags[start + i] & FRAME_DROPPED);
    run->public.frames += (int64_t)count;
    run->lane->placed += (int64_t)count;
    run_look_for_ordinary(run, columns, start, count);
    while (count > 0) {
        size_t room = SEGMENT_FRAMES - run->open.count, take = count < room ? count : room;

        frame_store_append(&run->open, columns, start, take);
        assembler->buffered += (int64_t)take;
        start += take;
        count -= take;
        if (run->open.count >= SEGMENT_FRAMES && !run_flush(assembler, run, error))
            return false;
    }
    return true;
}

static void note_gap(struct assembler *assembler, struct run_state *run, int64_t hole, int64_t line)
{
    struct assembled_measures *measures = &run->public.measures;
    char ms[32];

    measures->gaps++;
    if (__builtin_add_overflow(measures->gap_ns, hole, &measures->gap_ns))
        measures->gap_ns = INT64_MAX;
    if (hole > run->public.longest_gap_ns)
        run->public.longest_gap_ns = hole;
    if (hole >= JUMP_NS)
        note(assembler, run,
             "Clock jump of +%s ms before line %" PRId64 " (frame %" PRId64 " of the run): counted as a gap.",
             number_print_scaled(ms, sizeof ms, hole, NS_PER_MS), line, run->public.frames + 1);
}

/* How many of the frames follow without a fall of the stamps; counts the holes between them. */
static size_t steady_stretch(struct assembler *assembler, struct run_state *run, const int64_t *stamps,
                             const int64_t *times, const int64_t *lines, size_t count)
{
    bool tests = assembler->log->tests_holes, first = run->public.frames == 0;
    int64_t before = run->public.last_stamp_ns, wide = 0;
    size_t i = 0;

    if (first)
        before = stamps[i++];
    for (; i < count && stamps[i] >= before; i++) {
        int64_t hole = stamps[i] - times[i] - before;

        wide += hole > times[i] / 2;
        before = stamps[i];
        if (hole > GAP_NS && tests) {
            run->public.frames += (int64_t)i; /* for the note's frame number only */
            note_gap(assembler, run, hole, lines[i]);
            run->public.frames -= (int64_t)i;
        }
    }
    run->public.last_stamp_ns = before;
    if (tests) {
        run->public.measures.holes_tested += (int64_t)i - first;
        run->public.measures.holes_wide += wide;
    }
    return i;
}

static bool is_wrap(const struct run_state *run, int64_t fall)
{
    return fall >= WRAP_NS - WRAP_TOLERANCE_NS && fall <= WRAP_NS + WRAP_TOLERANCE_NS &&
           run->wrap_ns < MOST_WRAPPED_NS;
}

/* The stamps fall: a wrapped counter, a new run, or a step of the clock. *ret_shift is added to the later
 * stamps. */
static bool meet_fall(struct assembler *assembler, struct lane *lane, int64_t stamp, int64_t time,
                      int64_t line, int64_t *ret_shift, struct error *error)
{
    struct run_state *run = lane->run;
    char ms[32];

    *ret_shift = 0;
    if (is_wrap(run, run->public.last_stamp_ns - stamp)) {
        *ret_shift = WRAP_NS;
        run->wrap_ns += WRAP_NS;
        array_push(&run->wraps, lane->placed);
        note(assembler, run,
             "The 32-bit millisecond counter of the time stamps wraps before line %" PRId64 ".", line);
        return true;
    }
    if (stamp - run->public.first_stamp_ns <= RESTART_NS) {
        const struct joined_context *context = run->context;

        note(assembler, run, "The time stamps start again at line %" PRId64 ": a new run begins there.",
             line);
        *ret_shift = -run->wrap_ns;
        if (!run_finish(assembler, run, error) ||
            !begin_run(assembler, lane, stamp - run->wrap_ns, time, true, line, error))
            return false;
        return enter_context(assembler, lane->run, context, error);
    }
    note(assembler, run, "Clock step of %s ms before line %" PRId64 " (frame %" PRId64 " of the run).",
         number_print_scaled(ms, sizeof ms, stamp - time - run->public.last_stamp_ns, NS_PER_MS), line,
         run->public.frames + 1);
    if (!run_flush(assembler, run, error))
        return false;
    run->broken = true;
    run->public.measures.clock_steps++;
    run->public.last_stamp_ns = stamp;
    return true;
}

int64_t lane_scale_stamp(const struct lane *lane, int64_t stamp)
{
    int64_t limit = LARGEST_STAMP_NS / lane->multiply;

    stamp = stamp > limit ? limit : stamp < -limit ? -limit : stamp;
    return stamp * lane->multiply / lane->divide;
}

/* The stamps of the batch in the lane's unit, into the scratch array. */
static void scale_stamps(struct assembler *assembler, const struct lane *lane, const int64_t *stamps,
                         size_t count)
{
    int64_t wrap = lane->run ? lane->run->wrap_ns : 0;

    if (lane->multiply == 1 && lane->divide == 1) { /* nearly always: without divisions (they are sound, so within the limit) */
        for (size_t i = 0; i < count; i++)
            assembler->stamps[i] = stamps[i] + wrap;
        return;
    }
    for (size_t i = 0; i < count; i++)
        assembler->stamps[i] = lane_scale_stamp(lane, stamps[i]) + wrap;
}

static void sum_stamps(struct assembler *assembler, const struct lane *lane,
                       const struct frame_columns *columns, size_t start, size_t count)
{
    int64_t stamp = lane->run ? lane->run->public.last_stamp_ns : 0;

    for (size_t i = 0; i < count; i++) {
        int64_t flags = columns->values[COLUMN_FLAGS] ? columns->values[COLUMN_FLAGS][start + i] : 0;

        stamp += columns->values[COLUMN_FRAME_TIME][start + i];
        if (stamp > LARGEST_STAMP_NS)
            stamp = LARGEST_STAMP_NS;
        assembler->stamps[i] = stamp;
        assembler->flags[i] = (flags == VALUE_UNKNOWN ? 0 : flags) | FRAME_ORDER_ONLY;
    }
}

void make_scratch(struct assembler *assembler, size_t count)
{
    if (count <= assembler->scratch_capacity)
        return;
    assembler->scratch_capacity = count < 4096 ? 4096 : count;
    assembler->lines = memory_resize(assembler->lines, assembler->scratch_capacity, sizeof(int64_t));
    assembler->stamps = memory_resize(assembler->stamps, assembler->scratch_capacity, sizeof(int64_t));
    assembler->flags = memory_resize(assembler->flags, assembler->scratch_capacity, sizeof(int64_t));
}

static bool take_steady(struct assembler *assembler, struct lane *lane, const struct frame_columns *columns,
                        const int64_t *lines, struct error *error)
{
    int64_t *stamps = columns->values[COLUMN_STAMP];
    const int64_t *times = columns->values[COLUMN_FRAME_TIME];
    size_t at = 0;

    for (;;) {
        struct run_state *run = lane->run;
        size_t count =
            steady_stretch(assembler, run, stamps + at, times + at, lines + at, columns->count - at);
        int64_t shift;

        if (!append_frames(assembler, run, columns, at, count, error))
            return false;
        at += count;
        if (at == columns->count)
            return true;
        if (!meet_fall(assembler, lane, stamps[at], times[at], lines[at], &shift, error))
            return false;
        for (size_t i = at; i < columns->count && shift != 0; i++)
            stamps[i] += shift;
        if (run == lane->run && shift == 0) {
            /* After a step nothing is tested against the frame before it. */
            if (!append_frames(assembler, run, columns, at, 1, error))
                return false;
            at++;
        }
        if (at == columns->count)
            return true;
    }
}

bool lane_take(struct assembler *assembler, struct lane *lane, const struct joined_context *context,
               const struct frame_columns *columns, const int64_t *lines, size_t start, size_t count,
               struct error *error)
{
    struct frame_columns slice = {.count = count};
    bool has_clock = columns->values[COLUMN_STAMP] != NULL;

    make_scratch(assembler, count);
    for (int i = 0; i < COLUMN_COUNT; i++)
        slice.values[i] = columns->values[i] ? columns->values[i] + start : NULL;
    if (has_clock) {
        scale_stamps(assembler, lane, slice.values[COLUMN_STAMP], count);
    } else {
        sum_stamps(assembler, lane, columns, start, count);
        slice.values[COLUMN_FLAGS] = assembler->flags;
    }
    slice.values[COLUMN_STAMP] = assembler->stamps;
    if (!lane->run && !begin_run(assembler, lane, assembler->stamps[0], slice.values[COLUMN_FRAME_TIME][0],
                                 has_clock, lines[start], error))
        return false;
    if (!enter_context(assembler, lane->run, context, error))
        return false;
    return take_steady(assembler, lane, &slice, lines + start, error);
}
