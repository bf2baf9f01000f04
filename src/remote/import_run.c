/* Facts and kept frames of a run, on their way into the store. */
#include "import_internal.h"
#include "stutterscope/base/clock.h"
#include "stutterscope/base/memory.h"
#include <stdlib.h>
#include <string.h>

#define EPOCH_FROM_NS 978307200000000000LL /* 2001-01-01: later stamps are dates */
#define EPOCH_TO_NS   4102444800000000000LL

static int64_t time_of(const char *text)
{
    int64_t ms;

    return text && clock_parse(text, &ms) ? ms : VALUE_UNKNOWN;
}

static int64_t start_of(const struct remote_run *run)
{
    int64_t told = time_of(run->started_at), first = run->first_stamp_ns;

    if (told != VALUE_UNKNOWN || first < EPOCH_FROM_NS || first >= EPOCH_TO_NS || run->kept.count == 0)
        return told;
    return (first - run->kept.items[0].frame_ns) / NS_PER_MS;
}

/* The texts of the facts that are to be freed: all but the interval. */
static char *clean_fact(const char *text)
{
    return text ? clean_name(text, strlen(text)) : NULL;
}

bool part_add_run(struct device_part *part, struct remote_run *run, struct error *error)
{
    const char *raw[] = {part->work->build->name,
                         run->device,
                         run->soc,
                         run->model_code,
                         run->name,
                         run->os,
                         run->gpu_name,
                         run->series,
                         run->scenario,
                         run->commit,
                         run->ci_run,
                         run->log_url,
                         run->outcome,
                         run->station};
    enum { TEXTS = sizeof raw / sizeof *raw };
    char *clean[TEXTS],
        *settings = analysis_labelling_text(part->work->work->import->settings, part->measure.device_fps_milli);

    for (size_t i = 0; i < TEXTS; i++)
        clean[i] = clean_fact(raw[i]);

    struct run_facts facts = {
        .build = clean[0],
        .device_model = clean[1],
        .soc = clean[2],
        .model_code = clean[3],
        .name = clean[4],
        .os = clean[5],
        .gpu_name = clean[6],
        .series = clean[7],
        .scenario = clean[8],
        .commit = clean[9],
        .ci_run = clean[10],
        .log_url = clean[11],
        .outcome = clean[12],
        .station = clean[13],
        .built_at_ms = time_of(run->built_at),
        .started_at_ms = start_of(run),
        .sample_every = run->sample_every,
        .kept_over_ns = run->kept_over_ns,
        .target_fps_milli = run->target_fps_milli,
        .refresh_milli_hz = run->refresh_milli_hz,
        .interval = "present",
        .tests_holes = true,
        .has_clock = true,
    };
    struct run_measures measures = {.rejected = run->rejected,
                                    .holes_wide = run->holes_wide,
                                    .holes_tested = run->frames - 1,
                                    .gaps = run->gaps,
                                    .gap_ns = run->gap_ns};
    struct run_summary summary = {
        .build = part->work->build->name,
        .device = run->device,
        .soc = run->soc,
        .model_code = run->model_code,
        .name = run->name,
        .maps = part->work->work->maps,
        .settings = settings,
        .frames = run->frames,
        .sum_ns = run->sum_ns,
        .first_stamp_ns = run->first_stamp_ns,
        .last_stamp_ns = run->last_stamp_ns,
        .limit_ns = part->limit_ns,
    };
    bool good = facts.name ? store_writer_add_run(part->work->writer, &facts, &run->number, error)
                           : error_set(error, ERROR_INPUT, "a run has no readable name");

    if (good) {
        store_writer_set_measures(part->work->writer, run->number, &measures);
        store_writer_set_summary(part->work->writer, run->number, &summary);
    }
    for (size_t i = 0; i < TEXTS; i++)
        free(clean[i]);
    free(settings);
    return good;
}

static bool same_segment(const struct kept_frame *a, const struct kept_frame *b)
{
    return a->visit == b->visit && a->target_fps_milli == b->target_fps_milli &&
           a->refresh_milli_hz == b->refresh_milli_hz;
}

static bool add_segment(struct device_part *part, const struct remote_run *run, size_t first, size_t end,
                        struct error *error)
{
    const struct kept_frame *frames = run->kept.items;
    struct build_work *work = part->work;
    const char *scene = dictionary_text(work->texts, frames[first].scene),
               *quality = dictionary_text(work->texts, frames[first].quality);
    char *clean_scene = text_clean(scene, strlen(scene)),
         *clean_quality = clean_name(quality, strlen(quality));
    struct segment_facts facts = {clean_scene,
                                  clean_quality,
                                  frames[first].visit,
                                  false,
                                  frames[first].target_fps_milli,
                                  frames[first].refresh_milli_hz};
    struct frame_columns columns = {.count = end - first};
    static const enum frame_column used[] = {COLUMN_STAMP, COLUMN_FRAME_TIME, COLUMN_CPU,   COLUMN_GPU,
                                             COLUMN_GC,    COLUMN_DRAW_CALLS, COLUMN_EVENT, COLUMN_FLAGS};

    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
        columns.values[used[i]] = memory_take(columns.count * sizeof(int64_t));
    for (size_t i = 0; i < columns.count; i++) {
        const struct kept_frame *frame = &frames[first + i];
        int64_t skipped = first + i > 0 ? frame->ordinal - frame[-1].ordinal - 1 : 0;

        columns.values[COLUMN_STAMP][i] = frame->stamp_ns;
        columns.values[COLUMN_FRAME_TIME][i] = frame->frame_ns;
        columns.values[COLUMN_CPU][i] = frame->cpu_ns;
        columns.values[COLUMN_GPU][i] = frame->gpu_ns;
        columns.values[COLUMN_GC][i] = frame->gc;
        columns.values[COLUMN_DRAW_CALLS][i] = frame->draw_calls;
        columns.values[COLUMN_EVENT][i] = frame->event ? clean_id(work, frame->event) : 0;
        columns.values[COLUMN_FLAGS][i] = skipped << FRAME_SKIPPED_SHIFT;
    }

    bool good = store_writer_add_segment(work->writer, run->number, &facts, &columns, error);

    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
        free(columns.values[used[i]]);
    free(clean_scene);
    free(clean_quality);
    return good;
}

bool part_add_frames(struct device_part *part, const struct remote_run *run, struct error *error)
{
    bool good = true;

    for (size_t first = 0, end; first < run->kept.count && good; first = end) {
        for (end = first + 1;
             end < run->kept.count && same_segment(&run->kept.items[first], &run->kept.items[end]); end++)
            ;
        good = add_segment(part, run, first, end, error);
    }
    return good;
}
