#include "stutterscope/import/import.h"

#include "path_pattern.h"
#include "report.h"
#include "sidecar.h"
#include "stutterscope/base/clock.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"

#include <stdlib.h>
#include <string.h>

/* ---- the segment sink that writes into the store; writer NULL: nothing is stored ---- */

struct store_sink {
    struct store_writer *writer;
    size_t runs;
};

static struct run_facts store_facts(const struct assembled_facts *facts)
{
    return (struct run_facts){
        .build = facts->build,
        .commit = facts->commit,
        .ci_run = facts->ci_run,
        .built_at_ms = facts->built_at_ms,
        .device_model = facts->device_model,
        .soc = facts->soc,
        .model_code = facts->model_code,
        .name = facts->name,
        .os = facts->os,
        .gpu_name = facts->gpu_name,
        .series = facts->series,
        .log_url = facts->log_url,
        .outcome = facts->outcome,
        .station = facts->station,
        .scenario = facts->scenario,
        .conditions = facts->conditions,
        .started_at_ms = facts->started_at_ms,
        .sample_every = facts->sample_every,
        .kept_over_ns = facts->kept_over_ns,
        .target_fps_milli = facts->target_fps_milli,
        .refresh_milli_hz = facts->refresh_milli_hz,
        .interval = facts->interval,
        .tests_holes = facts->tests_holes,
        .has_clock = facts->has_clock,
    };
}

static bool sink_add_run(void *user, const struct assembled_facts *facts, size_t *ret_run,
                         struct error *error)
{
    struct store_sink *sink = user;
    struct run_facts stored = store_facts(facts);

    *ret_run = sink->runs++;
    return !sink->writer || store_writer_add_run(sink->writer, &stored, ret_run, error);
}

static bool sink_update_run(void *user, size_t run, const struct assembled_facts *facts, struct error *error)
{
    struct store_sink *sink = user;
    struct run_facts stored = store_facts(facts);

    return !sink->writer || store_writer_update_run(sink->writer, run, &stored, error);
}

static bool sink_add_segment(void *user, size_t run, const struct assembled_segment *facts,
                             const struct frame_columns *columns, struct error *error)
{
    struct store_sink *sink = user;
    const struct segment_facts stored = {.scene = facts->scene,
                                         .quality = facts->quality,
                                         .visit = facts->visit,
                                         .broken = facts->broken,
                                         .target_fps_milli = facts->target_fps_milli,
                                         .refresh_milli_hz = facts->refresh_milli_hz};

    return !sink->writer || store_writer_add_segment(sink->writer, run, &stored, columns, error);
}

static bool sink_add_sample(void *user, size_t run, const struct assembled_sample *sample, struct error *error)
{
    struct store_sink *sink = user;
    const struct sample_facts stored = {.scene = sample->scene,
                                        .name = sample->name,
                                        .unit = sample->unit,
                                        .value = sample->value,
                                        .stamp_ns = sample->stamp_ns,
                                        .snapshot = sample->snapshot};

    return !sink->writer || store_writer_add_sample(sink->writer, run, &stored, error);
}

static void sink_set_measures(void *user, size_t run, const struct assembled_measures *measures)
{
    struct store_sink *sink = user;
    const struct run_measures stored = {.dropped = measures->dropped,
                                        .rejected = measures->rejected,
                                        .holes_wide = measures->holes_wide,
                                        .holes_tested = measures->holes_tested,
                                        .gaps = measures->gaps,
                                        .gap_ns = measures->gap_ns,
                                        .clock_steps = measures->clock_steps,
                                        .notes = measures->notes};

    if (sink->writer)
        store_writer_set_measures(sink->writer, run, &stored);
}

/* ---- one file ---- */

static const char *result_word(enum import_result result, bool rehearsed)
{
    static const char *const words[][2] = {
        [IMPORT_NEW] = {"new", "dry run"}, [IMPORT_ALREADY_THERE] = {"already there", "already there"}, [IMPORT_GREW] = {"grew", "would grow"}};

    return words[result][rehearsed];
}

static struct json *result_json(const char *state, const struct import_outcome *outcome)
{
    struct json *result = json_object();
    char when[40];

    json_add(result, "state", json_from_text(state));
    json_add(result, "frames_new", json_from_integer(outcome->frames_new));
    json_add(result, "samples_new", json_from_integer(outcome->samples_new));
    json_add(result, "runs_new", json_from_integer(outcome->runs_new));
    json_add(result, "runs_replaced", json_from_integer(outcome->runs_replaced));
    json_add(result, "runs_extended", json_from_integer(outcome->runs_extended));
    json_add(result, "runs_unchanged", json_from_integer(outcome->runs_unchanged));
    json_add(result, "earlier_file", json_from_text(*outcome->earlier_path ? outcome->earlier_path : NULL));
    json_add(result, "earlier_at",
             json_from_text(*outcome->earlier_path ? clock_print(when, sizeof when, outcome->earlier_at_ms)
                                                   : NULL));
    return result;
}

static bool commit(struct store_writer *writer, bool rehearse, const char *path, const struct import_reading *reading,
                   const struct json *report, struct import_outcome *ret, struct error *error)
{
    char fingerprint[33], *text = json_print(report);
    struct import_facts facts = {.path = path,
                                 .format = reading->format->name,
                                 .report = text,
                                 .fingerprint = fingerprint,
                                 .bytes = reading->bytes,
                                 .rejected = reading->log ? reading->log->rejected : 0};
    bool fine;

    assembler_fingerprint(reading->assembler, fingerprint);
    fine = (rehearse ? store_writer_rehearse : store_writer_commit)(writer, &facts, ret, error);
    free(text);
    return fine;
}

/* Reads, reports and commits; the writer and the source are gone afterwards. */
static bool take_file(struct store_writer *writer, struct dictionary *texts, const char *path,
                      struct byte_source *source, const struct import_options *options,
                      const struct progress *progress, struct import_summary *ret, struct error *error)
{
    struct store_sink sink = {.writer = writer};
    const struct segment_sink segments = {&sink, sink_add_run, sink_update_run, sink_add_segment,
                                          sink_set_measures, sink_add_sample};
    struct import_reading reading = {0};
    const char *state = "failed";
    bool fine = import_read(source, path, options, texts, &segments, progress, &reading, error);

    ret->report = report_make(path, &reading);
    ret->frames = reading.assembler ? assembler_frames(reading.assembler) : 0;
    ret->rejected = reading.log ? reading.log->rejected : 0;
    ret->runs = (int64_t)sink.runs;
    if (fine && writer) {
        fine = commit(writer, options->dry_run, path, &reading, ret->report, &ret->outcome, error);
        state = fine ? result_word(ret->outcome.result, options->dry_run) : "failed";
    } else {
        store_writer_abort(writer);
        state = fine ? "dry run" : "failed";
    }
    json_add(ret->report, "result", result_json(state, &ret->outcome));
    json_add(ret->report, "error", json_from_text(fine ? NULL : error->text));
    import_reading_free(&reading);
    return fine;
}

static bool check_interval(const struct import_options *options, struct error *error)
{
    if (!options->interval || strcmp(options->interval, "present") == 0 ||
        strcmp(options->interval, "display") == 0)
        return true;
    return error_set(error, ERROR_USAGE, "--interval %s: expected present or display.", options->interval);
}

/* Options win, then what lies beside the file, then its path. */
static void join_context(struct import_options *options, char *const of_path[CONTEXT_COUNT],
                         const struct import_sidecar *sidecar)
{
    for (int i = 0; i < CONTEXT_COUNT; i++) {
        if (!options->context[i])
            options->context[i] = sidecar->said[i] ? sidecar->said[i] : of_path[i];
        if (!options->fallback[i])
            options->fallback[i] = sidecar->device[i];
    }
    if (!options->beside)
        options->beside = sidecar->note;
}

/* "run.csv.gz" is for patterns and for what lies beside it also "run.csv". A new string. */
static char *unpacked_name(const char *path)
{
    static const char *const endings[] = {".gz", ".zst", ".xz", ".bz2", ".lz4"};
    size_t length = strlen(path);

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t ending = strlen(endings[i]);

        if (length > ending && text_equals_ignoring_case(path + length - ending, endings[i]))
            return memory_copy_bytes(path, length - ending);
    }
    return memory_copy_text(path);
}

static bool read_sidecar(const struct import_item *item, const char *unpacked, struct import_sidecar *ret,
                         struct error *error)
{
    if (!import_sidecar_read(item->path, item->beside, ret, error))
        return false;
    if (*ret->note || strcmp(item->path, unpacked) == 0)
        return true;
    import_sidecar_free(ret);
    return import_sidecar_read(unpacked, item->beside, ret, error);
}

/* Nobody named the file: one that does not fit the pattern is only worth a word when it is telemetry. */
static void tell_misfit(const struct import_item *item, const struct import_options *options, struct error *error)
{
    struct error foreign = {0};
    struct import_input *input = import_input_open(item->source, item->path, options->encoding, NULL, &foreign);
    const struct import_sample *sample = input ? import_input_sample(input) : NULL;
    const struct import_format *format = input ? import_format_find(sample, options, &foreign) : NULL;

    if (format ? format->detect(sample, options, &foreign) <= DETECT_ANY_TABLE : foreign.code == ERROR_FOREIGN)
        error->code = ERROR_FOREIGN;
    import_input_close(input);
}

bool import_item(struct store *store, const struct import_item *item, const struct import_options *options,
                 const struct progress *progress, struct import_summary *ret, struct error *error)
{
    struct import_options joined = options ? *options : (struct import_options){0};
    struct error own = {0}, *place = error ? error : &own;
    struct store_writer *writer = NULL;
    struct import_sidecar sidecar = {0};
    struct dictionary *texts = dictionary_create();
    char *of_path[CONTEXT_COUNT] = {0}, *unpacked = unpacked_name(item->path);
    bool fine, fits;

    memset(ret, 0, sizeof *ret);
    fine = check_interval(&joined, place);
    fits = fine && (!joined.path_pattern || path_pattern_match(joined.path_pattern, unpacked, of_path, place));
    fine = fits && read_sidecar(item, unpacked, &sidecar, place);
    join_context(&joined, of_path, &sidecar);
    fine = fine && ((joined.dry_run && !store) || store_writer_begin(store, texts, &writer, place));
    if (fine)
        fine = take_file(writer, texts, item->path, item->source, &joined, progress, ret, place);
    else if (!fits && item->found && place->code == ERROR_INPUT)
        tell_misfit(item, &joined, place);
    else
        source_close(item->source);
    dictionary_destroy(texts);
    import_sidecar_free(&sidecar);
    path_pattern_free(of_path);
    free(unpacked);
    return fine;
}

bool import_file(struct store *store, const char *path, const struct import_options *options,
                 const struct progress *progress, struct import_summary *ret, struct error *error)
{
    const struct import_item item = {.path = path, .source = source_open_file(path, error)};

    memset(ret, 0, sizeof *ret);
    return item.source && import_item(store, &item, options, progress, ret, error);
}
