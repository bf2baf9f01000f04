/* One build of a server: its runs, the frames that decide, and what is stored of them. */
#include "import_internal.h"
#include "stutterscope/base/clock.h"
#include "stutterscope/base/hash.h"
#include "stutterscope/base/memory.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS_MOST = 1000000, KEPT_MOST = 20000000, FRAMES_AT_ONCE = 500000 };
#define STILL_KEPT_NS NS_PER_S /* longer frames end pauses, whatever the threshold is */

char *clean_name(const char *text, size_t length)
{
    char *clean = text_clean(text, length);

    if (*clean)
        return clean;
    free(clean);
    return NULL;
}

uint32_t clean_id(struct build_work *work, uint32_t text)
{
    const char *raw = dictionary_text(work->texts, text);
    char *clean = text_clean(raw, strlen(raw));
    uint32_t id = dictionary_add(work->clean, clean, strlen(clean));

    free(clean);
    return id;
}

/* ---- runs ---- */

bool is_within(const struct answer_value *value, int64_t least, int64_t most)
{
    return value->integer >= least && value->integer <= most;
}

bool refuse_changed(struct error *error)
{
    return error_set(error, ERROR_INPUT,
                     "the server tells of other frames than before: its table changed meanwhile; try again");
}

static int64_t known(int64_t value)
{
    return value > 0 ? value : VALUE_UNKNOWN;
}

static char *known_text(const struct answer_value *value)
{
    return value->length ? memory_copy_text(value->text) : NULL;
}

static bool note_run(void *user, const struct answer_value *values, struct error *error)
{
    struct build_work *work = user;

    if (!is_within(&values[RUN_FRAMES], 0, FRAMES_MOST) || !is_within(&values[RUN_REJECTED], 0, FRAMES_MOST) ||
        !is_within(&values[RUN_SUM], 0, SUM_MOST_NS))
        return error_set(error, ERROR_INPUT, "the server tells of a run with impossible counts of frames");
    if (values[RUN_FRAMES].integer == 0 || !*values[RUN_NAME].text || !*values[RUN_DEVICE].text) {
        work->nameless += values[RUN_FRAMES].integer + values[RUN_REJECTED].integer;
        return true;
    }
    if (work->runs.count == RUNS_MOST)
        return error_set(error, ERROR_INPUT, "there are more than %d runs", RUNS_MOST);

    struct remote_run run = {
        .device = memory_copy_text(values[RUN_DEVICE].text),
        .soc = memory_copy_text(values[RUN_SOC].text),
        .model_code = memory_copy_text(values[RUN_MODEL_CODE].text),
        .name = memory_copy_text(values[RUN_NAME].text),
        .os = known_text(&values[RUN_OS]),
        .gpu_name = known_text(&values[RUN_GPU_NAME]),
        .series = known_text(&values[RUN_SERIES]),
        .scenario = known_text(&values[RUN_SCENARIO]),
        .commit = known_text(&values[RUN_COMMIT]),
        .ci_run = known_text(&values[RUN_CI_RUN]),
        .built_at = known_text(&values[RUN_BUILT_AT]),
        .started_at = known_text(&values[RUN_STARTED_AT]),
        .log_url = known_text(&values[RUN_LOG_URL]),
        .outcome = known_text(&values[RUN_OUTCOME]),
        .station = known_text(&values[RUN_STATION]),
        .frames = values[RUN_FRAMES].integer,
        .rejected = values[RUN_REJECTED].integer,
        .sum_ns = values[RUN_SUM].integer,
        .first_stamp_ns = values[RUN_FIRST].integer,
        .last_stamp_ns = values[RUN_LAST].integer,
        .target_fps_milli = known(values[RUN_TARGET].integer),
        .refresh_milli_hz = known(values[RUN_REFRESH].integer),
        .sample_every = known(values[RUN_EVERY].integer),
        .kept_over_ns = known(values[RUN_KEPT_OVER].integer),
    };

    array_push(&work->runs, run);
    return true;
}

struct remote_run *part_run(struct device_part *part, const char *name, struct error *error)
{
    size_t low = part->first, high = part->end;

    while (low < high) { /* the server sorted them by bytes */
        size_t middle = low + (high - low) / 2;

        if (strcmp(part->work->runs.items[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < part->end && strcmp(part->work->runs.items[low].name, name) == 0)
        return &part->work->runs.items[low];
    error_set(error, ERROR_INPUT,
              "the server tells of a run that was not there before: its table changed meanwhile; try again");
    return NULL;
}

static bool list_runs(struct build_work *work, struct error *error)
{
    struct remote_scope scope = {.address = remote_server_address(work->work->server),
                                 .columns = &work->work->columns,
                                 .build = work->build->name};
    struct text_buffer sql = {0};
    struct remote_question question = {
        .columns = run_columns, .column_count = RUN_COLUMNS, .row = note_run, .user = work};
    bool good;

    statement_runs(&sql, &scope);
    question.sql = sql.items;
    good = remote_server_ask(work->work->server, &question, error);
    array_free(&sql);
    return good;
}

/* ---- the frames that decide ---- */

/* As the question asked for them. */
static bool is_sound(const struct answer_value *stamp, const struct answer_value *frame)
{
    return is_within(frame, SHORTEST_FRAME_NS, LONGEST_FRAME_NS) && is_within(stamp, -LARGEST_STAMP_NS, LARGEST_STAMP_NS);
}

static bool note_kept(void *user, const struct answer_value *values, struct error *error)
{
    struct device_part *part = user;
    struct remote_run *run = part_run(part, values[KEPT_RUN].text, error);
    struct dictionary *texts = part->work->texts;

    if (!run)
        return false;
    if (++part->work->kept > KEPT_MOST)
        return error_set(error, ERROR_INPUT,
                         "more than %d frames of the build are over the limit: a higher --factor is needed",
                         KEPT_MOST);
    if (values[KEPT_COUNT].integer != run->frames ||
        (run->kept.count > 0 &&
         run->kept.items[run->kept.count - 1].ordinal >= values[KEPT_ORDINAL].integer) ||
        values[KEPT_ORDINAL].integer < 1 || values[KEPT_ORDINAL].integer > run->frames ||
        values[KEPT_VISIT].integer < 1 || !is_sound(&values[KEPT_STAMP], &values[KEPT_FRAME]))
        return refuse_changed(error);
    run->holes_wide = values[KEPT_WIDE].integer;
    run->gaps = values[KEPT_GAPS].integer;
    run->gap_ns = values[KEPT_GAP_NS].integer;
    array_push(&run->kept,
               (struct kept_frame){
                   .ordinal = values[KEPT_ORDINAL].integer,
                   .visit = values[KEPT_VISIT].integer - 1,
                   .stamp_ns = values[KEPT_STAMP].integer,
                   .frame_ns = values[KEPT_FRAME].integer,
                   .scene = dictionary_add(texts, values[KEPT_SCENE].text, values[KEPT_SCENE].length),
                   .quality = dictionary_add(texts, values[KEPT_QUALITY].text, values[KEPT_QUALITY].length),
                   .event = dictionary_add(texts, values[KEPT_EVENT].text, values[KEPT_EVENT].length),
                   .cpu_ns = values[KEPT_CPU].integer < 0 ? VALUE_UNKNOWN : values[KEPT_CPU].integer,
                   .gpu_ns = values[KEPT_GPU].integer < 0 ? VALUE_UNKNOWN : values[KEPT_GPU].integer,
                   .gc = values[KEPT_GC].integer < 0 ? VALUE_UNKNOWN : values[KEPT_GC].integer,
                   .draw_calls =
                       values[KEPT_DRAW_CALLS].integer < 0 ? VALUE_UNKNOWN : values[KEPT_DRAW_CALLS].integer,
                   .target_fps_milli = known(values[KEPT_TARGET].integer),
                   .refresh_milli_hz = known(values[KEPT_REFRESH].integer),
               });
    return true;
}

static bool ask(struct device_part *part, const char *sql, const struct remote_table *table,
                const struct answer_column *columns, size_t count,
                bool (*row)(void *user, const struct answer_value *values, struct error *error), void *user,
                struct error *error)
{
    struct remote_question question = {sql, table, columns, count, row, user};

    return remote_server_ask(part->work->work->server, &question, error);
}

static bool take_kept(struct device_part *part, struct error *error)
{
    struct remote_run *runs = part->work->runs.items;
    const char **names = memory_take_zeroed(part->end - part->first + 1, sizeof *names);
    bool good = true;

    for (size_t first = part->first, end; first < part->end && good; first = end) {
        struct remote_scope scope = part->scope;
        struct text_buffer sql = {0};
        int64_t frames = 0;

        for (end = first; end < part->end && (end == first || frames + runs[end].frames <= FRAMES_AT_ONCE);
             end++) {
            names[end - first] = runs[end].name;
            frames += runs[end].frames;
        }
        scope.runs = names;
        scope.run_count = end - first;
        statement_kept(&sql, &scope, part->limit_ns);
        good = ask(part, sql.items, NULL, kept_columns, KEPT_COLUMNS, note_kept, part, error);
        array_free(&sql);
    }
    free(names);
    return good;
}

/* Frames between those over the limit, run by run as they come. */
struct filling {
    struct device_part *part;
    struct remote_run *run;
    struct kept_frames frames;
};

static void fill(struct filling *filling)
{
    if (filling->run)
        kept_insert(filling->run, filling->frames.items, filling->frames.count);
    filling->frames.count = 0;
}

static bool note_inside(void *user, const struct answer_value *values, struct error *error)
{
    struct filling *filling = user;
    struct remote_run *run = part_run(filling->part, values[INSIDE_RUN].text, error);
    struct dictionary *texts = filling->part->work->texts;

    if (!run)
        return false;
    if (run < filling->run || !is_sound(&values[INSIDE_STAMP], &values[INSIDE_FRAME]))
        return refuse_changed(error); /* they come run by run, in the order of the runs */
    if (run != filling->run) {
        fill(filling);
        filling->run = run;
    }
    if (filling->frames.count > 0 &&
        filling->frames.items[filling->frames.count - 1].stamp_ns > values[INSIDE_STAMP].integer)
        return refuse_changed(error);
    if (++filling->part->work->kept > KEPT_MOST)
        return error_set(error, ERROR_INPUT,
                         "more than %d frames of the build are near the limit: a higher --factor is needed",
                         KEPT_MOST);
    array_push(
        &filling->frames,
        (struct kept_frame){
            .stamp_ns = values[INSIDE_STAMP].integer,
            .frame_ns = values[INSIDE_FRAME].integer,
            .scene = dictionary_add(texts, values[INSIDE_SCENE].text, values[INSIDE_SCENE].length),
            .quality = dictionary_add(texts, values[INSIDE_QUALITY].text, values[INSIDE_QUALITY].length),
            .event = dictionary_add(texts, values[INSIDE_EVENT].text, values[INSIDE_EVENT].length),
            .cpu_ns = values[INSIDE_CPU].integer < 0 ? VALUE_UNKNOWN : values[INSIDE_CPU].integer,
            .gpu_ns = values[INSIDE_GPU].integer < 0 ? VALUE_UNKNOWN : values[INSIDE_GPU].integer,
            .gc = values[INSIDE_GC].integer < 0 ? VALUE_UNKNOWN : values[INSIDE_GC].integer,
            .draw_calls =
                values[INSIDE_DRAW_CALLS].integer < 0 ? VALUE_UNKNOWN : values[INSIDE_DRAW_CALLS].integer,
            .target_fps_milli = known(values[INSIDE_TARGET].integer),
            .refresh_milli_hz = known(values[INSIDE_REFRESH].integer),
        });
    return true;
}

static bool take_inside(struct device_part *part, struct error *error)
{
    struct text_buffer rows = {0}, sql = {0};
    struct filling filling = {.part = part};
    bool good = true;

    for (size_t i = part->first; i < part->end; i++)
        kept_add_ranges(&part->work->runs.items[i], part->limit_ns,
                        part->work->work->import->settings->gap_ns, &rows);
    if (rows.count) {
        char *structure = range_structure(&part->work->work->columns);
        struct remote_table table = {REMOTE_SPANS, structure, rows.items, rows.count};

        statement_inside(&sql, &part->scope);
        good = ask(part, sql.items, &table, inside_columns, INSIDE_COLUMNS, note_inside, &filling, error);
        if (good)
            fill(&filling);
        free(structure);
    }
    array_free(&filling.frames);
    array_free(&rows);
    array_free(&sql);
    return good;
}

/* ---- one device, one build ---- */

/* As store_list_devices() finds it: the declaration with the chip before that of the whole model. */
static int64_t device_fps(const struct remote_work *work, const struct remote_run *run)
{
    char *model = text_clean(run->device, strlen(run->device));
    const char *raw = *run->soc ? run->soc : run->model_code;
    char *chip = text_clean(raw, strlen(raw));
    int64_t of_chip = VALUE_UNKNOWN, of_model = VALUE_UNKNOWN;

    for (size_t i = 0; i < work->devices.count; i++) {
        const struct device_row *device = &work->devices.items[i];

        if (strcmp(device->model, model) != 0)
            continue;
        if (!device->chip)
            of_model = device->target_fps_milli;
        else if (strcmp(device->chip, chip) == 0)
            of_chip = device->target_fps_milli;
    }
    free(model);
    free(chip);
    return of_chip != VALUE_UNKNOWN ? of_chip : of_model;
}

static void measure_part(struct device_part *part)
{
    const struct remote_work *work = part->work->work;
    const struct analysis_settings *settings = work->import->settings;
    const struct remote_run *runs = part->work->runs.items;
    int64_t fps = device_fps(work, &runs[part->first]);

    part->measure =
        (struct remote_measure){settings->factor_milli, settings->fps_milli, fps == VALUE_UNKNOWN ? 0 : fps};
    part->limit_ns = STILL_KEPT_NS;
    for (size_t i = part->first; i < part->end; i++) {
        int64_t alert_ns =
            frame_limits_of(settings, remote_highest_fps_milli(&runs[i], &part->measure)).alert_ns;

        part->limit_ns = alert_ns < part->limit_ns ? alert_ns : part->limit_ns;
    }
}

static bool take_device(struct build_work *work, size_t first, size_t end, struct error *error)
{
    struct remote_run *runs = work->runs.items;
    struct device_part part = {
        .work = work,
        .first = first,
        .end = end,
        .scope = {remote_server_address(work->work->server), &work->work->columns, work->build->name,
                  runs[first].device, runs[first].soc, runs[first].model_code, NULL, 0},
    };

    measure_part(&part);

    bool good = take_kept(&part, error) && take_inside(&part, error);

    for (size_t i = first; i < end && good; i++) {
        kept_add_spans(&runs[i], work->work->import->settings, &part.measure, work->texts, &part.spans);
        good = part_add_run(&part, &runs[i], error) && part_add_frames(&part, &runs[i], error);
    }
    good = good && take_figures(&part, error);
    for (size_t i = first; i < end; i++)
        array_free(&runs[i].kept);
    array_free(&part.spans);
    return good;
}

static bool same_device(const struct remote_run *a, const struct remote_run *b)
{
    return strcmp(a->device, b->device) == 0 && strcmp(a->soc, b->soc) == 0 &&
           strcmp(a->model_code, b->model_code) == 0;
}

static bool take_devices(struct build_work *work, struct error *error)
{
    bool good = true;

    for (size_t first = 0, end; first < work->runs.count && good; first = end) {
        for (end = first + 1;
             end < work->runs.count && same_device(&work->runs.items[first], &work->runs.items[end]); end++)
            ;
        good = take_device(work, first, end, error);
    }
    return good;
}

static void report_build(const struct build_work *work, struct remote_build_report *report)
{
    report->runs = (int64_t)work->runs.count;
    report->frames = 0;
    report->rejected = work->nameless;
    for (size_t i = 0; i < work->runs.count; i++) {
        report->frames += work->runs.items[i].frames;
        report->rejected += work->runs.items[i].rejected;
    }
    report->frames_kept = work->kept;
}

/* By reason, as the reports of files have it. The server only counts: which reason a row has it does not say. */
static struct json *rejected_json(const struct remote_build_report *report)
{
    struct json *all = json_object(), *one;

    if (report->rejected > 0) {
        one = json_object();
        json_add(one, "count", json_from_integer(report->rejected));
        json_add(all, REMOTE_REJECTED, one);
    }
    return all;
}

static bool store_build(struct build_work *work, const char *content,
                        const struct remote_build_report *report, struct error *error)
{
    struct json *facts = json_object();
    const char *address = remote_server_address(work->work->server)->shown;
    char *path = memory_print("%s %s", address, report->build);

    json_add(facts, "file", json_from_text(address));
    json_add(facts, "build", json_from_text(report->build));
    json_add(facts, "frames", json_from_integer(report->frames));
    json_add(facts, "frames_kept", json_from_integer(report->frames_kept));
    json_add(facts, "rejected_rows", json_from_integer(report->rejected));
    json_add(facts, "rejected", rejected_json(report));

    char *text = json_print(facts);
    struct import_facts import = {.path = path,
                                  .format = "clickhouse",
                                  .report = text,
                                  .fingerprint = content,
                                  .rejected = report->rejected};
    struct import_outcome outcome;

    store_writer_replace_build(work->writer, address, work->build->name, content);

    bool good = store_writer_commit(work->writer, &import, &outcome, error);

    work->writer = NULL;
    free(text);
    free(path);
    json_destroy(facts);
    return good;
}

bool take_build(struct remote_work *work, const struct remote_build *build, const char *content,
                struct remote_build_report *report, struct error *error)
{
    struct build_work here = {
        .work = work, .build = build, .texts = dictionary_create(), .clean = dictionary_create()};
    bool good = true;

    remote_server_set_progress(work->server, work->import->progress, "asking the server", work->done,
                               (int64_t)work->builds.count);
    if (work->store)
        good = store_writer_begin(work->store, here.clean, &here.writer, error);
    good = good && list_runs(&here, error);
    if (good && work->store)
        good = take_devices(&here, error);
    report_build(&here, report);
    if (good && work->store)
        good = store_build(&here, content, report, error);
    store_writer_abort(here.writer);
    for (size_t i = 0; i < here.runs.count; i++)
        remote_run_free(&here.runs.items[i]);
    array_free(&here.runs);
    dictionary_destroy(here.texts);
    dictionary_destroy(here.clean);
    return good;
}
