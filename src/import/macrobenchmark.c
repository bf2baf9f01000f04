#include "flat_json.h"
#include "stutterscope/base/hash.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/number.h"
#include "stutterscope/import/batch.h"
#include "stutterscope/import/columns.h"
#include "stutterscope/import/format.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Jetpack Macrobenchmark's JSON: per benchmark and iteration the frame times of FrameTimingMetric, in order,
 * without time stamps. Every iteration is a run; its id begins with a hash of the file, so that another
 * night's file of the same build does not look like the same run.
 */

#define LARGEST_DOCUMENT (64u << 20)

struct macrobenchmark {
    const struct import_reader *reader;
    struct frame_batch batch;
    struct import_context context; /* of the device */
    char id[12];
    struct dictionary *scenes; /* names of all benchmarks */
    struct {
        size_t *items;
        size_t count, capacity;
    } scene_counts; /* by id */
    int64_t frames; /* so far; stands for lines */
    int64_t benchmarks, without_frames, with_overrun, missed, worst_overrun;
};

/* ---- JSON ---- */

static bool find_object(const struct flat_value *object, const char *name, struct flat_value *ret)
{
    return flat_find(object, name, ret) && ret->kind == FLAT_OBJECT;
}

/* The next element of an array; *at begins after '['. */
static bool next_element(const char **at, const char *end, struct flat_value *ret)
{
    const char *begin = flat_skip_blanks(*at, end);

    if (begin < end && *begin == ',')
        begin = flat_skip_blanks(begin + 1, end);
    if (begin >= end || *begin == ']')
        return false;
    *at = flat_read_value(begin, end, ret);
    if (!*at)
        *at = end;
    return *at != end;
}

static char *plain_text(const struct flat_value *value)
{
    struct text_buffer text = {0};

    flat_unescape(value, &text);
    return text_take(&text);
}

static uint32_t add_text(struct macrobenchmark *macro, const char *text)
{
    return column_add_text(macro->reader->sink->texts, text, strlen(text), NULL);
}

/* ---- who ---- */

/* Android's version by API level; new ones are named by their level. */
static const char *android_version(int64_t level)
{
    static const char *const versions[] = {
        [23] = "6",  [24] = "7.0", [25] = "7.1", [26] = "8.0", [27] = "8.1", [28] = "9",  [29] = "10",
        [30] = "11", [31] = "12",  [32] = "12L", [33] = "13",  [34] = "14",  [35] = "15", [36] = "16"};

    return level >= 0 && level < (int64_t)(sizeof versions / sizeof *versions) ? versions[level] : NULL;
}

static void take_os(struct macrobenchmark *macro, const struct flat_value *version)
{
    struct flat_value sdk;
    int64_t level;
    char *text;

    if (!flat_find(version, "sdk", &sdk) ||
        number_parse_scaled(sdk.text, sdk.length, 1, false, &level) != NUMBER_OK)
        return;
    text = android_version(level) ? memory_print("Android %s", android_version(level))
                                  : memory_print("Android API %" PRId64, level);
    macro->context.field[CONTEXT_OS] = add_text(macro, text);
    free(text);
}

static void take_device(struct macrobenchmark *macro, const struct flat_value *document)
{
    struct flat_value context, build, value;
    char *text;

    if (!find_object(document, "context", &context) || !find_object(&context, "build", &build))
        return;
    if (flat_find(&build, "model", &value) && value.kind == FLAT_TEXT) {
        text = plain_text(&value);
        macro->context.field[CONTEXT_DEVICE] = add_text(macro, text);
        free(text);
    }
    if (find_object(&build, "version", &value))
        take_os(macro, &value);
}

/* "name (key=value, …)" of a benchmark: the scene. A new string. */
static char *scene_name(const struct flat_value *benchmark)
{
    struct text_buffer scene = {0};
    struct flat_value value, name;
    const char *at, *end;
    size_t count = 0;

    if (flat_find(benchmark, "name", &value) && value.kind == FLAT_TEXT)
        flat_unescape(&value, &scene);
    if (!find_object(benchmark, "params", &value))
        return text_take(&scene);
    end = value.text + value.length;
    at = flat_skip_blanks(value.text + 1, end);
    while (at && at < end && *at != '}') {
        at = flat_read_member(at, end, &name, &value);
        if (!at)
            break;
        text_add(&scene, count++ ? ", " : " (");
        flat_unescape(&name, &scene);
        text_add(&scene, "=");
        flat_unescape(&value, &scene);
        if (*at == ',')
            at++;
    }
    text_add(&scene, count ? ")" : "");
    return text_take(&scene);
}

/* ---- frames ---- */

static bool take_frame(struct macrobenchmark *macro, const struct flat_value *value, struct error *error)
{
    const struct import_sink *sink = macro->reader->sink;
    int64_t values[COLUMN_COUNT], time = VALUE_UNKNOWN;
    enum number_fault fault = NUMBER_NOT_A_NUMBER;

    macro->frames++;
    if (value->kind == FLAT_WORD)
        fault = number_parse_scaled(value->text, value->length, NS_PER_MS, false, &time);
    if (fault != NUMBER_OK) {
        sink->reject(sink->user, reject_reason_of(fault), macro->frames, value->text, value->length);
        return true;
    }
    for (int i = 0; i < COLUMN_COUNT; i++)
        values[i] = VALUE_UNKNOWN;
    values[COLUMN_FRAME_TIME] = time;
    values[COLUMN_CPU] = time;
    return frame_batch_add(&macro->batch, values, macro->frames, error);
}

static bool take_iteration(struct macrobenchmark *macro, const struct flat_value *run, const char *scene,
                           size_t iteration, struct error *error)
{
    const char *at = run->text + 1, *end = run->text + run->length;
    struct import_context context = macro->context;
    struct flat_value value;
    char *id = memory_print("%s %s #%zu", macro->id, scene, iteration);

    context.field[CONTEXT_RUN] = add_text(macro, id);
    context.field[CONTEXT_SCENE] = add_text(macro, scene);
    free(id);
    if (!frame_batch_set_context(&macro->batch, &context, error))
        return false;
    while (next_element(&at, end, &value)) {
        if (!take_frame(macro, &value, error))
            return false;
    }
    return true;
}

/* Deadlines are no frame times, but how many were missed is worth a sentence. */
static void count_overruns(struct macrobenchmark *macro, const struct flat_value *metrics)
{
    struct flat_value metric, runs, run, value;
    const char *outer, *inner;
    int64_t overrun;

    if (!find_object(metrics, "frameOverrunMs", &metric) || !flat_find(&metric, "runs", &runs) ||
        runs.kind != FLAT_ARRAY)
        return;
    for (outer = runs.text + 1; next_element(&outer, runs.text + runs.length, &run);) {
        if (run.kind != FLAT_ARRAY)
            continue;
        for (inner = run.text + 1; next_element(&inner, run.text + run.length, &value);) {
            if (number_parse_scaled(value.text, value.length, NS_PER_MS, false, &overrun) != NUMBER_OK)
                continue;
            macro->with_overrun++;
            macro->missed += overrun > 0;
            macro->worst_overrun = overrun > macro->worst_overrun ? overrun : macro->worst_overrun;
        }
    }
}

/* The arrays of one number per frame: [[…], […], …]; also under "metrics", where early versions put them. */
static bool find_runs(const struct flat_value *benchmark, struct flat_value *ret_metrics,
                      struct flat_value *ret_runs)
{
    static const char *const places[] = {"sampledMetrics", "metrics"};
    struct flat_value metric, first;

    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *at;

        if (!find_object(benchmark, places[i], ret_metrics) ||
            !find_object(ret_metrics, "frameDurationCpuMs", &metric) ||
            !flat_find(&metric, "runs", ret_runs) || ret_runs->kind != FLAT_ARRAY)
            continue;
        at = ret_runs->text + 1;
        if (next_element(&at, ret_runs->text + ret_runs->length, &first) && first.kind == FLAT_ARRAY)
            return true;
    }
    return false;
}

/* Benchmarks of two classes may have the same name: the class tells them apart. */
static void count_scenes(struct macrobenchmark *macro, const struct flat_value *benchmarks)
{
    const char *at = benchmarks->text + 1;
    struct flat_value benchmark;

    while (next_element(&at, benchmarks->text + benchmarks->length, &benchmark)) {
        char *scene = benchmark.kind == FLAT_OBJECT ? scene_name(&benchmark) : memory_copy_text("");
        uint32_t id = dictionary_add(macro->scenes, scene, strlen(scene));

        while (macro->scene_counts.count <= id)
            array_push(&macro->scene_counts, 0);
        macro->scene_counts.items[id]++;
        free(scene);
    }
}

static char *unique_scene(const struct macrobenchmark *macro, const struct flat_value *benchmark)
{
    char *scene = scene_name(benchmark), *class, *whole;
    struct flat_value value;

    if (macro->scene_counts.items[dictionary_find(macro->scenes, scene, strlen(scene))] < 2 ||
        !flat_find(benchmark, "className", &value) || value.kind != FLAT_TEXT)
        return scene;
    class = plain_text(&value);
    whole = memory_print("%s.%s", class, scene);
    free(class);
    free(scene);
    return whole;
}

static bool take_benchmark(struct macrobenchmark *macro, const struct flat_value *benchmark,
                           struct error *error)
{
    struct flat_value metrics, runs, run;
    size_t iteration = 0;
    const char *at;
    char *scene;
    bool fine = true;

    macro->benchmarks++;
    if (!find_runs(benchmark, &metrics, &runs)) {
        macro->without_frames++;
        return true;
    }
    count_overruns(macro, &metrics);
    scene = unique_scene(macro, benchmark);
    for (at = runs.text + 1; fine && next_element(&at, runs.text + runs.length, &run); iteration++) {
        if (run.kind == FLAT_ARRAY)
            fine = take_iteration(macro, &run, scene, iteration, error);
    }
    free(scene);
    return fine;
}

/* ---- the document ---- */

static void note_print(struct macrobenchmark *macro, char *note)
{
    macro->reader->sink->note(macro->reader->sink->user, note);
    free(note);
}

static void tell_notes(struct macrobenchmark *macro)
{
    char worst[32];

    note_print(macro, memory_copy_text(
                          "A frame time is frameDurationCpuMs (UI and render thread, without the GPU). "
                          "There are no time stamps: frames are in order, windows join by the summed frame "
                          "times, idle time between frames is not known."));
    if (macro->without_frames > 0)
        note_print(macro, memory_print("%" PRId64 " of %" PRId64
                                       " benchmarks have no frame times (start-up, traces): left out.",
                                       macro->without_frames, macro->benchmarks));
    if (macro->with_overrun > 0)
        note_print(macro,
                   memory_print("%" PRId64 " of %" PRId64
                                " frames missed their deadline (frameOverrunMs over 0), the worst by %s ms.",
                                macro->missed, macro->with_overrun,
                                number_print_scaled(worst, sizeof worst, macro->worst_overrun, NS_PER_MS)));
}

static bool take_document(struct macrobenchmark *macro, const char *text, size_t length, struct error *error)
{
    struct flat_value document, benchmarks, benchmark;
    const char *end = text + length, *at = flat_skip_blanks(text, end);

    if (at == end || *at != '{' || !flat_read_value(at, end, &document) ||
        !flat_find(&document, "benchmarks", &benchmarks) || benchmarks.kind != FLAT_ARRAY)
        return error_set(
            error, ERROR_INPUT,
            "the JSON document is cut or malformed: expected {\"context\": {…}, \"benchmarks\": [{…}, …]} "
            "as Macrobenchmark writes it. Nothing was taken: copy the file again.");
    macro->reader->sink->facts(
        macro->reader->sink->user,
        &(struct import_source_facts){
            .version = "", .interval = "duration", .tests_holes = false, .has_clock = false});
    take_device(macro, &document);
    count_scenes(macro, &benchmarks);
    for (at = benchmarks.text + 1; next_element(&at, benchmarks.text + benchmarks.length, &benchmark);) {
        if (benchmark.kind == FLAT_OBJECT && !take_benchmark(macro, &benchmark, error))
            return false;
    }
    if (macro->frames == 0)
        return error_set(error, ERROR_INPUT,
                         "no frames: none of the %" PRId64
                         " benchmarks has sampledMetrics.frameDurationCpuMs.runs. Measure with "
                         "FrameTimingMetric().",
                         macro->benchmarks);
    tell_notes(macro);
    return frame_batch_flush(&macro->batch, error);
}

static bool macrobenchmark_read(const struct import_reader *reader, struct error *error)
{
    struct macrobenchmark macro = {.reader = reader};
    char *text;
    size_t length;
    bool fine;

    if (!import_input_read_all(reader->input, LARGEST_DOCUMENT,
                               "Macrobenchmark writes some megabytes at most.", &text, &length, error))
        return false;
    snprintf(macro.id, sizeof macro.id, "%08" PRIx32, (uint32_t)hash_bytes(text, length));
    macro.scenes = dictionary_create();
    frame_batch_init(&macro.batch, reader->sink);
    fine = take_document(&macro, text, length, error);
    frame_batch_free(&macro.batch);
    array_free(&macro.scene_counts);
    dictionary_destroy(macro.scenes);
    free(text);
    return fine;
}

static int macrobenchmark_detect(const struct import_sample *sample, const struct import_options *options,
                                 struct error *refusal)
{
    const char *at = flat_skip_blanks(sample->text, sample->text + sample->length);

    (void)options;
    (void)refusal;
    if (*at != '{' || !strstr(at, "\"benchmarks\""))
        return 0;
    return strstr(at, "\"context\"") ? 90 : 0;
}

const struct import_format import_format_macrobenchmark = {
    .name = "macrobenchmark",
    .title = "Jetpack Macrobenchmark (JSON)",
    .recognised_by = "a JSON object with context and benchmarks",
    .detect = macrobenchmark_detect,
    .read = macrobenchmark_read,
};
