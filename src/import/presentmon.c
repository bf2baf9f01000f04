#include "presentmon.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/import/columns.h"
#include "stutterscope/import/format.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Rows kept until the stream is chosen: about 25 MB. Longer files: the leader by then is taken. */
#define MOST_WAITING 262144

static const char *const background[] = {"dwm.exe|*", "explorer.exe|*", NULL};

struct presentmon {
    const struct import_reader *reader;
    struct table_row row;
    struct pm_columns columns;
    char separator;
    size_t usual_fields; /* of the row before */
    size_t header_fields;
    int64_t header_line;
    struct import_context context;
    bool context_taken;
    bool from_capframex;
    struct stream_table streams;
    struct {
        struct pm_row *items;
        size_t count, capacity;
    } waiting;
    bool chosen;
    size_t stream;
    struct pm_frames frames;
    int64_t rows;
};

/* ---- who and where ---- */

static uint32_t add_text(struct presentmon *pm, const char *text, size_t length)
{
    return number_is_absent(text, length) ? 0 : column_add_text(pm->reader->sink->texts, text, length, NULL);
}

/* PCs have no model: processor and graphics card say what the device is. */
static void name_device(struct presentmon *pm, uint32_t cpu, uint32_t gpu)
{
    struct dictionary *texts = pm->reader->sink->texts;
    char *name;

    if (cpu && gpu) {
        name = memory_print("%s / %s", dictionary_text(texts, cpu), dictionary_text(texts, gpu));
        pm->context.field[CONTEXT_DEVICE] = dictionary_add(texts, name, strlen(name));
        free(name);
    } else {
        pm->context.field[CONTEXT_DEVICE] = cpu ? cpu : gpu;
    }
    pm->context.field[CONTEXT_GPU_NAME] = gpu;
}

static uint32_t field_text(struct presentmon *pm, enum pm_field field)
{
    int at = pm->columns.at[field];

    if (at < 0 || (size_t)at >= pm->row.count)
        return 0;
    return add_text(pm, pm->row.items[at].text, pm->row.items[at].length);
}

/* OCAT fills the system's columns in the first row only, FrameView in each. */
static void take_system(struct presentmon *pm)
{
    if (pm->context_taken)
        return;
    pm->context_taken = true;
    if (pm->columns.at[PM_GPU_NAME] >= 0 || pm->columns.at[PM_CPU_NAME] >= 0)
        name_device(pm, field_text(pm, PM_CPU_NAME), field_text(pm, PM_GPU_NAME));
    if (pm->columns.at[PM_OS] >= 0)
        pm->context.field[CONTEXT_OS] = field_text(pm, PM_OS);
    if (pm->columns.at[PM_COMMENT] >= 0)
        pm->context.field[CONTEXT_SCENE] = field_text(pm, PM_COMMENT);
}

/* "//Key=Value" lines of old CapFrameX. */
struct remarks {
    uint32_t cpu, gpu, date, time;
};

static void take_remark(struct presentmon *pm, const struct import_line *line, struct remarks *remarks)
{
    static const char *const keys[] = {
        "//OS=", "//Comment=", "//Processor=", "//GPU=", "//CreationDate=", "//CreationTime="};
    uint32_t *places[] = {&pm->context.field[CONTEXT_OS],
                          &pm->context.field[CONTEXT_SCENE],
                          &remarks->cpu,
                          &remarks->gpu,
                          &remarks->date,
                          &remarks->time};

    pm->from_capframex = true;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        size_t length = strlen(keys[i]);

        if (line->length > length && memcmp(line->text, keys[i], length) == 0)
            *places[i] = add_text(pm, line->text + length, line->length - length);
    }
}

static void use_remarks(struct presentmon *pm, const struct remarks *remarks)
{
    struct dictionary *texts = pm->reader->sink->texts;
    char *started;

    if (remarks->cpu || remarks->gpu)
        name_device(pm, remarks->cpu, remarks->gpu);
    if (!remarks->date)
        return;
    started = memory_print("%s%s%s", dictionary_text(texts, remarks->date), remarks->time ? "T" : "",
                           dictionary_text(texts, remarks->time));
    pm->context.field[CONTEXT_STARTED_AT] = dictionary_add(texts, started, strlen(started));
    free(started);
}

/* ---- the header ---- */

/* Every version writes one: without it somebody cut columns out, and gaps cannot be seen. */
static bool check_clock(const struct presentmon *pm, int64_t line, struct error *error)
{
    if (pm->columns.clock != PM_CLOCK_NONE || column_is_mapped_to_none(pm->reader->options, "timestamp_ms"))
        return true;
    return error_set(error, ERROR_INPUT,
                     "line %" PRId64
                     ": no column with time stamps. Expected TimeInSeconds, QPCTime or CPUStartTime, which every version writes. If "
                     "the order of the rows is all that is known, say so with --map timestamp_ms=none.",
                     line);
}

static bool take_header(struct presentmon *pm, int64_t line, struct error *error)
{
    char *names;

    pm->header_line = line;
    pm->usual_fields = 0;
    pm->header_fields = pm->row.count;
    pm_columns_find(&pm->row, &pm->columns);
    if (pm->from_capframex)
        pm->columns.version = "CapFrameX";
    if (pm->columns.at[PM_FRAME_TIME] >= 0 || pm->columns.frame_time_sum)
        return check_clock(pm, line, error);
    names = table_names(&pm->row);
    error_set(error, ERROR_INPUT,
              "line %" PRId64
              ": no column with frame times. Expected MsBetweenPresents, FrameTime or CPUBusy and CPUWait; "
              "columns found: %s.",
              line, names);
    free(names);
    return false;
}

static bool find_header(struct presentmon *pm, struct error *error)
{
    struct remarks remarks = {0};
    struct import_line line;

    while (import_input_next_line(pm->reader->input, &line)) {
        if (table_line_is_blank(line.text, line.length, 0))
            continue;
        if (line.length >= 2 && memcmp(line.text, "//", 2) == 0) {
            take_remark(pm, &line, &remarks);
            continue;
        }
        use_remarks(pm, &remarks);
        pm->separator = table_find_separator(line.text, line.length);
        if (!pm->separator)
            pm->separator = ',';
        table_split(line.text, line.length, pm->separator, &pm->row);
        return take_header(pm, line.number, error);
    }
    return import_input_end(pm->reader->input, error) &&
           error_set(error, ERROR_INPUT, "there is no header row: expected Application, ProcessID, ….");
}

/* ---- streams ---- */

static size_t find_stream(struct presentmon *pm, int64_t line)
{
    static const enum pm_field parts[] = {PM_APPLICATION, PM_PROCESS, PM_CHAIN};
    char key[512];
    size_t length = 0;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        int at = pm->columns.at[parts[i]];
        size_t part = at >= 0 && (size_t)at < pm->row.count ? pm->row.items[at].length : 0;

        if (i > 0 && length < sizeof key)
            key[length++] = '|';
        if (part > sizeof key - length)
            part = sizeof key - length;
        if (part > 0)
            memcpy(key + length, pm->row.items[at].text, part);
        length += part;
    }
    return stream_table_count(&pm->streams, key, length, line);
}

static bool choose_stream(struct presentmon *pm, struct error *error)
{
    size_t kept = 0;

    if (!stream_table_choose(&pm->streams, pm->reader->options->stream, background, &pm->stream, error))
        return false;
    pm->chosen = true;
    for (size_t i = 0; i < pm->waiting.count; i++) {
        if (pm->waiting.items[i].stream == pm->stream)
            pm->waiting.items[kept++] = pm->waiting.items[i];
    }
    pm_frames_begin(&pm->frames, pm->reader, &pm->columns, &pm->context, pm->waiting.items, kept);
    for (size_t i = 0; i < kept; i++) {
        if (!pm_frames_take(&pm->frames, &pm->waiting.items[i], error))
            return false;
    }
    array_free(&pm->waiting);
    return true;
}

/* ---- rows ---- */

/* The last field of a line without a line end: whole only if it has the decimals that all have. */
static bool may_be_half(const struct presentmon *pm)
{
    size_t last = pm->row.count - 1;

    return !table_decimals_are_fixed(import_input_sample(pm->reader->input), pm->separator, pm->header_line, last, &pm->row.items[last]);
}

static bool is_whole(const struct table_field *field)
{
    return number_is_whole(field->text, field->length);
}

/* Names are not quoted and may hold commas ("my,game.exe"): then the process id stands that many fields further on. */
static void join_name(struct presentmon *pm)
{
    int process = pm->columns.at[PM_PROCESS], name = pm->columns.at[PM_GPU_NAME];
    size_t more = pm->row.count > pm->header_fields ? pm->row.count - pm->header_fields : 0;
    struct table_field *items = pm->row.items;

    if (name < 0 || name > process)
        name = pm->columns.at[PM_APPLICATION];
    if (more == 0 || name < 0 || process <= name || is_whole(&items[process]))
        return;
    while (more > 0 && !is_whole(&items[(size_t)process + more]))
        more--; /* what is too much behind it are commas at the end */
    if (more == 0 || items[(size_t)name + more].text < items[name].text)
        return;
    items[name].length = (size_t)(items[(size_t)name + more].text + items[(size_t)name + more].length - items[name].text);
    pm->row.count -= more;
    memmove(&items[name + 1], &items[(size_t)name + 1 + more], (pm->row.count - (size_t)name - 1) * sizeof *items);
}

static bool take_row(struct presentmon *pm, const struct import_line *line, struct error *error)
{
    const struct import_sink *sink = pm->reader->sink;
    enum reject_reason fault;
    struct pm_row row;
    int time_at = pm->columns.at[PM_FRAME_TIME];

    if (line->cut && (pm->row.count < pm->usual_fields || may_be_half(pm))) {
        sink->note(sink->user, "The last line is cut: it was left out, complete frames were taken.");
        sink->reject(sink->user, REJECT_SHORT_ROW, line->number, line->text, line->length);
        return true;
    }
    join_name(pm);
    pm->usual_fields = pm->row.count;
    if (!pm_row_parse(&pm->columns, &pm->row, &row, &fault)) {
        const struct table_field *field =
            time_at >= 0 && (size_t)time_at < pm->row.count ? &pm->row.items[time_at] : NULL;

        sink->reject(sink->user, field ? fault : REJECT_SHORT_ROW, line->number, field ? field->text : NULL,
                     field ? field->length : 0);
        return true;
    }
    take_system(pm);
    row.line = line->number;
    row.stream = (uint32_t)find_stream(pm, line->number);
    if (pm->chosen)
        return row.stream != pm->stream || pm_frames_take(&pm->frames, &row, error);
    array_push(&pm->waiting, row);
    return pm->waiting.count < MOST_WAITING || choose_stream(pm, error);
}

static bool read_rows(struct presentmon *pm, struct error *error)
{
    struct import_line line;

    while (import_input_next_line(pm->reader->input, &line)) {
        if (table_line_is_blank(line.text, line.length, pm->separator))
            continue;
        table_split(line.text, line.length, pm->separator, &pm->row);
        if (pm->row.count > 2 && table_field_equals(&pm->row.items[0], "Application")) {
            if (!take_header(pm, line.number, error)) /* a second recording was appended */
                return false;
            continue;
        }
        pm->rows++;
        if (!take_row(pm, &line, error))
            return false;
    }
    if (!import_input_end(pm->reader->input, error))
        return false;
    if (pm->rows == 0)
        return error_set(error, ERROR_INPUT,
                         "line %" PRId64 ": there is a header but no rows: no frames to import.",
                         pm->header_line);
    if (pm->streams.rows.count == 0)
        return true; /* all rejected: the assembler says why */
    if (!pm->chosen && !choose_stream(pm, error))
        return false;
    stream_table_report(&pm->streams, pm->stream, pm->reader->sink);
    return frame_batch_flush(&pm->frames.batch, error);
}

static bool presentmon_read(const struct import_reader *reader, struct error *error)
{
    struct presentmon *pm = memory_take_zeroed(1, sizeof *pm);
    bool fine;

    pm->reader = reader;
    stream_table_init(&pm->streams);
    fine = find_header(pm, error) && read_rows(pm, error);
    stream_table_free(&pm->streams);
    array_free(&pm->waiting);
    frame_batch_free(&pm->frames.batch);
    table_row_free(&pm->row);
    free(pm);
    return fine;
}

static int presentmon_detect(const struct import_sample *sample, const struct import_options *options,
                             struct error *refusal)
{
    struct table_row header = {0};
    struct pm_columns columns;
    int score = 0;

    (void)options;
    (void)refusal;
    if (table_sample_header(sample, "//", &header)) {
        pm_columns_find(&header, &columns);
        if (columns.at[PM_APPLICATION] >= 0 && columns.at[PM_PROCESS] >= 0)
            score = columns.at[PM_FRAME_TIME] >= 0 || columns.frame_time_sum ? 92 : 60;
    }
    table_row_free(&header);
    return score;
}

const struct import_format import_format_presentmon = {
    .name = "presentmon",
    .title = "PresentMon 1 and 2, OCAT, FrameView, CapFrameX (CSV)",
    .recognised_by = "a header with Application, ProcessID and MsBetweenPresents, FrameTime or CPUBusy",
    .detect = presentmon_detect,
    .read = presentmon_read,
    .lines = true,
};
