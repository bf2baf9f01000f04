#include "refused.h"

#include "csv_guess.h"

#include "stutterscope/import/columns.h"
#include "stutterscope/import/import.h"
#include "stutterscope/import/table.h"

#include <string.h>

static bool is_metrickit(const struct import_sample *sample)
{
    static const char *const names[] = {"\"timeStampBegin\"",          "\"diagnosticMetaData\"",
                                        "\"crashDiagnostics\"",        "\"hangDiagnostics\"",
                                        "\"cpuExceptionDiagnostics\"", "\"diskWriteExceptionDiagnostics\""};
    const char *at = sample->text + strspn(sample->text, " \t\n");

    if (*at != '{' && *at != '[')
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strstr(at, names[i]))
            return true;
    }
    return false;
}

static bool is_getprop(const struct import_sample *sample)
{
    const char *at = sample->text + strspn(sample->text, " \t\n"), *end = strchr(at, '\n');
    const char *middle = strstr(at, "]: [");

    return *at == '[' && middle && (!end || middle < end) && strstr(at, "[ro.");
}

static bool is_meta(const struct import_sample *sample)
{
    return *sample->text == '{' && strstr(sample->path, ".meta.json") && import_is_sidecar(sample->path);
}

/* What "devices --load" takes: a model and what is said about it, and nothing that a frame has. */
static bool is_device_list(const struct import_sample *sample)
{
    static const char *const facts[] = {"name", "tier", "target_fps", "weight"};
    struct table_row header = {0};
    bool is_list = table_sample_header(sample, "#", &header) && table_find_column(&header, "device_model") >= 0, tells = false;

    for (size_t i = 0; i < sizeof facts / sizeof *facts && is_list; i++)
        tells |= table_find_column(&header, facts[i]) >= 0;
    for (size_t i = 0; i < header.count && is_list; i++) {
        struct column_target target;

        if (table_field_equals(&header.items[i], "device_model") || table_field_equals(&header.items[i], "name") ||
            table_field_equals(&header.items[i], "target_fps"))
            continue;
        is_list = !column_find(header.items[i].text, header.items[i].length, &target) || target.kind == COLUMN_IS_UNKNOWN;
    }
    is_list = is_list && tells && !csv_guess_has_frame_time(&header);
    table_row_free(&header);
    return is_list;
}

/* Somebody's mistake, unless it lies in a folder: there a list of devices belongs to its captures. */
static const struct {
    bool (*matches)(const struct import_sample *sample);
    const char *advice;
    enum error_code code;
} refusals[] = {
    {is_metrickit, "this is a MetricKit report: it holds sums over a day, no frames. Record the frames with "
                   "Instruments and export them with xctrace export.",
     ERROR_INPUT},
    {is_getprop,
     "this is a getprop dump: it holds no frames. It is read by itself when it lies beside a capture as "
     "getprop.txt or FILE.getprop.",
     ERROR_INPUT},
    {is_meta, "this describes another file: it is read by itself when FILE is imported.", ERROR_INPUT},
    {is_device_list, "a list of devices: devices --load takes it.", ERROR_FOREIGN},
};

bool import_is_refused(const struct import_sample *sample, struct error *error)
{
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        if (!refusals[i].matches(sample))
            continue;
        error_set(error, refusals[i].code, "%s", refusals[i].advice);
        return true;
    }
    return false;
}
