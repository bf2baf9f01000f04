#include "refused.h"

#include "stutterscope/import/import.h"

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

static const struct {
    bool (*matches)(const struct import_sample *sample);
    const char *advice;
} refusals[] = {
    {is_metrickit, "this is a MetricKit report: it holds sums over a day, no frames. Record the frames with "
                   "Instruments and export them with xctrace export."},
    {is_getprop,
     "this is a getprop dump: it holds no frames. It is read by itself when it lies beside a capture as "
     "getprop.txt or FILE.getprop."},
    {is_meta, "this describes another file: it is read by itself when FILE is imported."},
};

bool import_is_refused(const struct import_sample *sample, struct error *error)
{
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        if (!refusals[i].matches(sample))
            continue;
        error_set(error, ERROR_INPUT, "%s", refusals[i].advice);
        return true;
    }
    return false;
}
