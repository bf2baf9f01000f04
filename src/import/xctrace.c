#include "xctrace.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/import/format.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ROWS 4000000
#define LATEST_NS (INT64_MAX / 4)

static void take_display(struct xct_data *data, const struct xct_value *values)
{
    bool is_main = values[XCT_IS_MAIN].number == 1;
    int64_t rate = values[XCT_REFRESH].number;

    if (rate < 1 || rate > 1000 || (data->max_refresh != VALUE_UNKNOWN && (data->main_display || !is_main)))
        return;
    data->max_refresh = rate;
    data->main_display = is_main;
}

static bool take_row(void *user, enum xct_table table, const struct xct_value *values, int64_t line, struct error *error)
{
    struct xct_data *data = user;
    const struct import_sink *sink = data->reader->sink;
    struct xct_row row = {.start = values[XCT_START].number,
                          .duration = values[XCT_DURATION].number,
                          .line = line,
                          .process = values[XCT_PROCESS].process,
                          .display = values[XCT_DISPLAY].text,
                          .narrative = values[XCT_NARRATIVE].text,
                          .is_system = values[XCT_IS_SYSTEM].number == 1};

    if (table == XCT_DISPLAYS)
        take_display(data, values);
    if (table == XCT_OTHER || table == XCT_DISPLAYS)
        return true;
    if (data->tables[table].count >= MOST_ROWS)
        return error_set(error, ERROR_INPUT, "line %" PRId64 ": more than %d rows in one table. Export shorter traces.", line,
                         MOST_ROWS);
    if (row.start < 0 || row.start > LATEST_NS || row.duration > LATEST_NS) {
        if (table != XCT_VSYNCS)
            sink->reject(sink->user, REJECT_BAD_STAMP, line, NULL, 0);
        return true;
    }
    if (!row.process)
        row.process = values[XCT_LABEL].process;
    array_push(&data->tables[table], row);
    return true;
}

static void note_faults(const struct xct_data *data)
{
    const struct import_sink *sink = data->reader->sink;
    const struct xct_rows *rows = &data->rows;
    char *note;

    if (rows->fault) {
        note = memory_print("The file is cut or damaged (%s): complete rows were taken.", rows->fault);
        sink->note(sink->user, note);
        free(note);
    }
    if (rows->lost_references > 0) {
        note = memory_print("%" PRId64 " cells refer to values that are not in the file.", rows->lost_references);
        sink->note(sink->user, note);
        free(note);
    }
}

static bool xctrace_read(const struct import_reader *reader, struct error *error)
{
    struct xct_data data = {.reader = reader, .max_refresh = VALUE_UNKNOWN};
    bool fine;

    data.rows = (struct xct_rows){.user = &data, .row = take_row, .texts = dictionary_create()};
    fine = xct_read_rows(&data.rows, reader->input, error);
    if (fine) {
        note_faults(&data);
        fine = xct_give(&data, error);
    }
    for (size_t i = 0; i < XCT_TABLE_COUNT; i++)
        array_free(&data.tables[i]);
    free(text_take(&data.rows.tables));
    free(data.rows.device);
    free(data.rows.os);
    free(data.rows.fault);
    dictionary_destroy(data.rows.texts);
    return fine;
}

static int xctrace_detect(const struct import_sample *sample, const struct import_options *options, struct error *refusal)
{
    (void)options;
    (void)refusal;
    return strstr(sample->text, "<trace-query-result") || strstr(sample->text, "<trace-toc") ? 95 : 0;
}

const struct import_format import_format_xctrace = {
    .name = "xctrace",
    .title = "Apple Instruments, xctrace export (XML)",
    .recognised_by = "<trace-query-result>",
    .detect = xctrace_detect,
    .read = xctrace_read,
};
