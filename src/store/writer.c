/* Packing and spooling while a file is read. */
#include "stutterscope/base/memory.h"
#include "writer_internal.h"
#include <stdlib.h>
#include <string.h>

#define SPOOL_IN_MEMORY (8u << 20)

static const size_t fact_texts[] = {
    offsetof(struct run_facts, build),    offsetof(struct run_facts, commit),
    offsetof(struct run_facts, ci_run),   offsetof(struct run_facts, device_model),
    offsetof(struct run_facts, soc),      offsetof(struct run_facts, model_code),
    offsetof(struct run_facts, name),     offsetof(struct run_facts, os),
    offsetof(struct run_facts, gpu_name), offsetof(struct run_facts, series),
    offsetof(struct run_facts, log_url),  offsetof(struct run_facts, outcome),
    offsetof(struct run_facts, station),  offsetof(struct run_facts, scenario),
    offsetof(struct run_facts, interval), offsetof(struct run_facts, conditions),
};
#define FACT_TEXTS (sizeof fact_texts / sizeof *fact_texts)

static char **fact_text(struct run_facts *facts, size_t i)
{
    return (char **)((char *)facts + fact_texts[i]);
}

static void copy_facts(const struct run_facts *from, struct run_facts *to)
{
    *to = *from;
    for (size_t i = 0; i < FACT_TEXTS; i++) {
        char **text = fact_text(to, i);
        *text = *text && **text ? memory_copy_text(*text) : NULL;
    }
}

static void free_facts(struct run_facts *facts)
{
    for (size_t i = 0; i < FACT_TEXTS; i++)
        free(*fact_text(facts, i));
}

bool store_writer_begin(struct store *store, const struct dictionary *texts, struct store_writer **ret,
                        struct error *error)
{
    if (!store->writable)
        return error_set(error, ERROR_IO, "%s was opened for reading only: nothing can be imported into it.",
                         store->path);
    struct store_writer *writer = memory_take_zeroed(1, sizeof *writer);
    writer->store = store;
    writer->texts = texts;
    writer->names = dictionary_create();
    writer->spool = spool_create(store->path, SPOOL_IN_MEMORY);
    *ret = writer;
    return true;
}

void store_writer_abort(struct store_writer *writer)
{
    if (!writer)
        return;
    writer_pack_finish(writer, NULL);
    for (size_t i = 0; i < writer->runs.count; i++) {
        struct writer_run *run = &writer->runs.items[i];
        free_facts(&run->facts);
        free(run->notes);
        free(run->name);
        run_summary_clear(&run->summary);
        if (run->hash)
            hash_stream_destroy(run->hash);
        if (run->sample_hash)
            hash_stream_destroy(run->sample_hash);
    }
    array_free(&writer->runs);
    array_free(&writer->segments);
    array_free(&writer->samples);
    array_free(&writer->packed);
    writer_free_summaries(writer);
    free(writer->order);
    free(writer->scene_ids);
    free(writer->quality_ids);
    free(writer->text_ids);
    dictionary_destroy(writer->names);
    spool_destroy(writer->spool);
    free(writer);
}

static bool check_facts(const struct run_facts *facts, struct error *error)
{
    if (!facts->build || !*facts->build)
        return error_set(error, ERROR_INPUT, "The build is not known. Name it with --build.");
    if (!facts->device_model || !*facts->device_model)
        return error_set(error, ERROR_INPUT, "The device is not known. Name it with --device.");
    return true;
}

bool store_writer_add_run(struct store_writer *writer, const struct run_facts *facts, size_t *ret_run,
                          struct error *error)
{
    if (!check_facts(facts, error))
        return false;
    struct writer_run run = {.first_stamp_ns = VALUE_UNKNOWN, .last_stamp_ns = VALUE_UNKNOWN};
    copy_facts(facts, &run.facts);
    if (!run.facts.name)
        run.hash = hash_stream_create();
    *ret_run = writer->runs.count;
    array_push(&writer->runs, run);
    return true;
}

bool store_writer_update_run(struct store_writer *writer, size_t run, const struct run_facts *facts,
                             struct error *error)
{
    if (!check_facts(facts, error))
        return false;
    struct run_facts old = writer->runs.items[run].facts;
    copy_facts(facts, &writer->runs.items[run].facts); /* before freeing: they may be the same texts */
    free_facts(&old);
    return true;
}

void store_writer_set_measures(struct store_writer *writer, size_t run, const struct run_measures *measures)
{
    struct writer_run *to = &writer->runs.items[run];
    char *notes = memory_copy_text(measures->notes);
    free(to->notes);
    to->measures = *measures;
    to->measures.notes = to->notes = notes;
}

int64_t sum_frame_times(const int64_t *frame_times, size_t count)
{
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        if (__builtin_add_overflow(sum, frame_times[i], &sum))
            return INT64_MAX;
    return sum;
}

static bool has_values(enum frame_column column, const int64_t *values, size_t count)
{
    if (segment_column_is_text(column) || column == COLUMN_FRAME_TIME)
        return true;
    for (size_t i = 0; i < count; i++)
        if (values[i] != VALUE_UNKNOWN && (values[i] != 0 || column != COLUMN_FLAGS))
            return true;
    return false;
}

static void measure_segment(struct segment_row *row, const int64_t *stamps, const int64_t *frame_times,
                            size_t count)
{
    row->count = (int64_t)count;
    row->min_ns = row->max_ns = frame_times[0];
    for (size_t i = 1; i < count; i++) {
        row->min_ns = frame_times[i] < row->min_ns ? frame_times[i] : row->min_ns;
        row->max_ns = frame_times[i] > row->max_ns ? frame_times[i] : row->max_ns;
    }
    row->sum_ns = sum_frame_times(frame_times, count);
    row->first_stamp_ns = stamps ? stamps[0] : VALUE_UNKNOWN;
    row->last_stamp_ns = stamps ? stamps[count - 1] : VALUE_UNKNOWN;
}

static void measure_run(struct writer_run *run, const char *scene, const struct segment_row *row,
                        const int64_t *stamps, const int64_t *frame_times)
{
    if (run->frames == 0) {
        run->first_stamp_ns = row->first_stamp_ns;
        run->first_frame_ns = frame_times[0];
    }
    run->last_stamp_ns = row->last_stamp_ns;
    run->frames += row->count;
    if (__builtin_add_overflow(run->sum_ns, row->sum_ns, &run->sum_ns))
        run->sum_ns = INT64_MAX;
    if (!run->hash)
        return;
    hash_stream_add(run->hash, scene, strlen(scene) + 1);
    if (stamps)
        hash_stream_add(run->hash, stamps, (size_t)row->count * sizeof *stamps);
    hash_stream_add(run->hash, frame_times, (size_t)row->count * sizeof *frame_times);
}

static bool add_piece(struct store_writer *writer, size_t run, const struct segment_facts *facts,
                      const struct frame_columns *columns, size_t first, size_t count, struct error *error)
{
    const int64_t *frame_times = columns->values[COLUMN_FRAME_TIME] + first;
    struct packed_segment segment = {.run = run};
    segment.row.visit = facts->visit;
    segment.row.broken = facts->broken && first == 0;
    segment.row.target_fps_milli = facts->target_fps_milli;
    segment.row.refresh_milli_hz = facts->refresh_milli_hz;
    for (int column = 0; column < COLUMN_COUNT; column++)
        if (columns->values[column] && has_values(column, columns->values[column] + first, count))
            segment.row.columns |= 1u << column;
    const int64_t *stamps =
        segment.row.columns & 1u << COLUMN_STAMP ? columns->values[COLUMN_STAMP] + first : NULL;
    measure_segment(&segment.row, stamps, frame_times, count);
    const char *scene = facts->scene ? facts->scene : "", *quality = facts->quality ? facts->quality : "";
    segment.scene = dictionary_add(writer->names, scene, strlen(scene));
    segment.quality = dictionary_add(writer->names, quality, strlen(quality));
    measure_run(&writer->runs.items[run], scene, &segment.row, stamps, frame_times);
    return writer_pack(writer, &segment, columns, first, error);
}

bool store_writer_add_segment(struct store_writer *writer, size_t run, const struct segment_facts *facts,
                              const struct frame_columns *columns, struct error *error)
{
    for (size_t first = 0; first < columns->count; first += SEGMENT_FRAMES_MAX) {
        size_t left = columns->count - first;
        if (!add_piece(writer, run, facts, columns, first,
                       left < SEGMENT_FRAMES_MAX ? left : SEGMENT_FRAMES_MAX, error))
            return false;
    }
    return true;
}
