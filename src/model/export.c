#include "stutterscope/model/export.h"

#include "internal.h"
#include "stutterscope/base/clock.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/number.h"
#include "stutterscope/base/text.h"
#include "stutterscope/store/frames.h"
#include <stdlib.h>
#include <string.h>

struct export_row {
    const struct model *model;
    const struct run_row *run;
    const struct build_row *build;
    const struct device_row *device;
    const struct segment_row *segment;
    const struct frame_columns *columns;
    size_t frame;
};

enum value_kind { VALUE_TEXT, VALUE_NUMBER };

struct export_value {
    const char *text; /* NULL: not known */
    char buffer[64];
};

static int64_t column_value(const struct export_row *row, enum frame_column column)
{
    const int64_t *values = row->columns->values[column];

    return values ? values[row->frame] : VALUE_UNKNOWN;
}

static void put_scaled(struct export_value *value, int64_t number, int64_t scale)
{
    if (number != VALUE_UNKNOWN)
        value->text = number_print_scaled(value->buffer, sizeof value->buffer, number, scale);
}

static void put_text_column(const struct export_row *row, enum frame_column column, struct export_value *value)
{
    int64_t id = column_value(row, column);

    value->text = id == VALUE_UNKNOWN ? NULL : model_text(row->model, id);
}

static void get_stamp(const struct export_row *row, struct export_value *value)
{
    put_scaled(value, column_value(row, COLUMN_STAMP), NS_PER_MS);
}

static void get_frame_time(const struct export_row *row, struct export_value *value)
{
    put_scaled(value, column_value(row, COLUMN_FRAME_TIME), NS_PER_MS);
}

static void get_cpu(const struct export_row *row, struct export_value *value)
{
    put_scaled(value, column_value(row, COLUMN_CPU), NS_PER_MS);
}

static void get_gpu(const struct export_row *row, struct export_value *value)
{
    put_scaled(value, column_value(row, COLUMN_GPU), NS_PER_MS);
}

static void get_gc(const struct export_row *row, struct export_value *value)
{
    put_scaled(value, column_value(row, COLUMN_GC), 1);
}

static void get_draw_calls(const struct export_row *row, struct export_value *value)
{
    put_scaled(value, column_value(row, COLUMN_DRAW_CALLS), 1);
}

static void get_memory(const struct export_row *row, struct export_value *value)
{
    put_scaled(value, column_value(row, COLUMN_MEMORY), 1);
}

static void get_event(const struct export_row *row, struct export_value *value)
{
    put_text_column(row, COLUMN_EVENT, value);
}

static void get_step(const struct export_row *row, struct export_value *value)
{
    put_text_column(row, COLUMN_STEP, value);
}

static void get_thermal(const struct export_row *row, struct export_value *value)
{
    put_text_column(row, COLUMN_THERMAL, value);
}

static void get_screenshot(const struct export_row *row, struct export_value *value)
{
    put_text_column(row, COLUMN_SCREENSHOT, value);
}

static void get_device(const struct export_row *row, struct export_value *value)
{
    value->text = row->device->model;
}

static void get_soc(const struct export_row *row, struct export_value *value)
{
    value->text = row->device->chip && *row->device->chip ? row->device->chip : NULL;
}

static void get_os(const struct export_row *row, struct export_value *value)
{
    value->text = row->run->os;
}

static void get_build(const struct export_row *row, struct export_value *value)
{
    value->text = row->build->name;
}

static void get_commit(const struct export_row *row, struct export_value *value)
{
    value->text = row->build->commit;
}

static void get_ci_run(const struct export_row *row, struct export_value *value)
{
    value->text = row->build->ci_run;
}

static void get_built_at(const struct export_row *row, struct export_value *value)
{
    if (row->build->built_at_ms != VALUE_UNKNOWN)
        value->text = clock_print(value->buffer, sizeof value->buffer, row->build->built_at_ms);
}

static void get_scene(const struct export_row *row, struct export_value *value)
{
    value->text = model_scene_name(row->model, row->segment->scene);
}

static void get_quality(const struct export_row *row, struct export_value *value)
{
    value->text = model_quality_name(row->model, row->segment->quality);
}

static void get_run(const struct export_row *row, struct export_value *value)
{
    value->text = row->run->name;
}

static void get_series(const struct export_row *row, struct export_value *value)
{
    value->text = row->run->series;
}

static void get_sample_every(const struct export_row *row, struct export_value *value)
{
    if (row->run->sampling.every > 1)
        put_scaled(value, row->run->sampling.every, 1);
}

static void get_kept_over(const struct export_row *row, struct export_value *value)
{
    put_scaled(value, row->run->sampling.kept_over_ns, NS_PER_MS);
}

static void get_target_fps(const struct export_row *row, struct export_value *value)
{
    put_scaled(value, row->segment->target_fps_milli, 1000);
}

static void get_refresh(const struct export_row *row, struct export_value *value)
{
    put_scaled(value, row->segment->refresh_milli_hz, 1000);
}

static void get_log_url(const struct export_row *row, struct export_value *value)
{
    value->text = row->run->log_url;
}

static void get_outcome(const struct export_row *row, struct export_value *value)
{
    value->text = row->run->outcome;
}

/* The canonical columns, in the order in which they are written. */
static const struct export_column {
    const char *name;
    enum value_kind kind;
    void (*get)(const struct export_row *row, struct export_value *value);
} export_columns[] = {
    {"timestamp_ms", VALUE_NUMBER, get_stamp},      {"frame_time_ms", VALUE_NUMBER, get_frame_time}, {"cpu_frame_ms", VALUE_NUMBER, get_cpu},
    {"gpu_frame_ms", VALUE_NUMBER, get_gpu},        {"device_model", VALUE_TEXT, get_device},        {"os_version", VALUE_TEXT, get_os},
    {"build_id", VALUE_TEXT, get_build},            {"scene", VALUE_TEXT, get_scene},                {"event_name", VALUE_TEXT, get_event},
    {"quality_level", VALUE_TEXT, get_quality},     {"run_id", VALUE_TEXT, get_run},                 {"series", VALUE_TEXT, get_series},
    {"soc", VALUE_TEXT, get_soc},                   {"sample_every", VALUE_NUMBER, get_sample_every}, {"kept_over_ms", VALUE_NUMBER, get_kept_over},
    {"refresh_hz", VALUE_NUMBER, get_refresh},      {"target_fps", VALUE_NUMBER, get_target_fps},    {"commit_hash", VALUE_TEXT, get_commit},
    {"ci_run_id", VALUE_TEXT, get_ci_run},          {"built_at", VALUE_TEXT, get_built_at},          {"step", VALUE_TEXT, get_step},
    {"gc_alloc_bytes", VALUE_NUMBER, get_gc},       {"draw_calls", VALUE_NUMBER, get_draw_calls},    {"memory_bytes", VALUE_NUMBER, get_memory},
    {"thermal_state", VALUE_TEXT, get_thermal},     {"screenshot", VALUE_TEXT, get_screenshot},      {"log_url", VALUE_TEXT, get_log_url},
    {"run_outcome", VALUE_TEXT, get_outcome},
};
enum { EXPORT_COLUMNS = sizeof export_columns / sizeof *export_columns };

/* Quoted when it has to be. Canonical CSV is read by this program again, so the text is not changed. */
static void add_csv_text(struct text_buffer *out, const char *text)
{
    if (!strpbrk(text, ",\"\r\n;")) {
        text_add(out, text);
        return;
    }
    text_add(out, "\"");
    for (; *text; text++)
        text_add_print(out, "%s%c", *text == '"' ? "\"" : "", *text);
    text_add(out, "\"");
}

static void add_json_text(struct text_buffer *out, const char *text)
{
    struct json *value = json_from_text(text);
    char *printed = json_print(value);

    text_add(out, printed);
    free(printed);
    json_destroy(value);
}

static void add_row(struct text_buffer *out, const struct export_row *row, enum export_format format)
{
    bool first = true;

    text_add(out, format == EXPORT_NDJSON ? "{" : "");
    for (size_t c = 0; c < EXPORT_COLUMNS; c++) {
        struct export_value value = {0};

        export_columns[c].get(row, &value);
        if (format == EXPORT_CSV) {
            text_add(out, c ? "," : "");
            if (value.text && export_columns[c].kind == VALUE_TEXT)
                add_csv_text(out, value.text);
            else if (value.text)
                text_add(out, value.text);
        } else if (value.text) {
            text_add_print(out, "%s\"%s\":", first ? "" : ",", export_columns[c].name);
            first = false;
            if (export_columns[c].kind == VALUE_TEXT)
                add_json_text(out, value.text);
            else
                text_add(out, value.text);
        }
    }
    text_add(out, format == EXPORT_NDJSON ? "}\n" : "\n");
}

static bool export_segment(struct export_row *row, enum export_format format, export_write *write, void *user, struct error *error)
{
    enum { FLUSH_AT = 1 << 16 };
    struct frame_columns columns = {0};
    struct text_buffer out = {0};
    bool good = store_read_columns(row->model->store, row->segment, row->segment->columns, &columns, error);

    row->columns = &columns;
    for (row->frame = 0; row->frame < columns.count && good; row->frame++) {
        add_row(&out, row, format);
        if (out.count >= FLUSH_AT || row->frame + 1 == columns.count) {
            good = write(user, out.items, out.count, error);
            out.count = 0;
        }
    }
    array_free(&out);
    row->columns = NULL;
    frame_columns_free(&columns);
    return good;
}

static bool export_run(struct model *model, const struct run_row *run, const struct table_request *request, enum export_format format,
                       export_write *write, void *user, struct error *error)
{
    struct segment_filter filter = {.run = run->id, .scene = request->scene, .quality = request->quality};
    struct segment_list segments = {0};
    struct export_row row = {.model = model, .run = run, .build = model_build(model, run->build), .device = model_device(model, run->device)};
    bool good = store_list_segments(model->store, &filter, &segments, error);

    for (size_t i = 0; i < segments.count && good; i++) {
        row.segment = &segments.items[i];
        good = export_segment(&row, format, write, user, error);
    }
    segment_list_free(&segments);
    return good;
}

bool model_export(struct model *model, const struct table_request *request, enum export_format format, export_write *write, void *user,
                  struct error *error)
{
    struct run_list runs = {0};
    struct text_buffer header = {0};
    bool good = model_list_runs(model, request->build == -1 ? 0 : request->build, request->device, &runs, error);

    for (size_t c = 0; c < EXPORT_COLUMNS && format == EXPORT_CSV; c++)
        text_add_print(&header, "%s%s", c ? "," : "", export_columns[c].name);
    text_add(&header, format == EXPORT_CSV ? "\n" : "");
    good = good && (!header.count || write(user, header.items, header.count, error));
    for (size_t i = 0; i < runs.count && good; i++)
        /* a part of a run must not look like a run */
        if (!runs.items[i].summarised && (!request->run_name || strcmp(request->run_name, runs.items[i].name) == 0))
            good = export_run(model, &runs.items[i], request, format, write, user, error);
    array_free(&header);
    run_list_free(&runs);
    return good;
}
