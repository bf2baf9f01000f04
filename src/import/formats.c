#include "stutterscope/import/format.h"

#include "refused.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"

#include <stdlib.h>
#include <string.h>

extern const struct import_format import_format_csv, import_format_json, import_format_ndjson, import_format_presentmon;
extern const struct import_format import_format_gfxinfo, import_format_surfaceflinger,
    import_format_macrobenchmark, import_format_jankstats;
extern const struct import_format import_format_unreal, import_format_mangohud, import_format_capframex;
extern const struct import_format import_format_unity_profile, import_format_unity_tests, import_format_unity_nunit;
extern const struct import_format import_format_perfdog, import_format_gamebench, import_format_afterburner;
extern const struct import_format import_format_perfetto, import_format_xctrace;

const struct import_format *const import_formats[] = {
    &import_format_csv,
    &import_format_ndjson,
    &import_format_json,
    &import_format_presentmon,
    &import_format_gfxinfo,
    &import_format_surfaceflinger,
    &import_format_macrobenchmark,
    &import_format_jankstats,
    &import_format_unreal,
    &import_format_mangohud,
    &import_format_capframex,
    &import_format_unity_profile,
    &import_format_unity_tests,
    &import_format_unity_nunit,
    &import_format_perfdog,
    &import_format_afterburner,
    &import_format_gamebench,
    &import_format_perfetto,
    &import_format_xctrace,
    NULL,
};

static const struct import_format *find_named(const char *name, struct error *error)
{
    struct text_buffer names = {0};
    char *list;

    for (size_t i = 0; import_formats[i]; i++) {
        if (text_equals_ignoring_case(import_formats[i]->name, name)) {
            free(text_take(&names));
            return import_formats[i];
        }
        text_add_print(&names, "%s%s", i ? ", " : "", import_formats[i]->name);
    }
    list = text_take(&names);
    error_set(error, ERROR_USAGE, "--format %s: there is no such format. Known are %s.", name, list);
    free(list);
    return NULL;
}

static bool is_empty(const struct import_sample *sample)
{
    for (size_t i = 0; i < sample->length; i++) {
        if (!strchr(" \t\n\r", sample->text[i]))
            return false;
    }
    return sample->whole;
}

const struct import_format *import_format_find(const struct import_sample *sample,
                                               const struct import_options *options, struct error *error)
{
    const struct import_format *best = NULL;
    int best_score = 0;

    if (sample->size == 0 || is_empty(sample)) {
        error_set(error, ERROR_INPUT, "the file is empty%s: expected frame telemetry.",
                  sample->size ? " (blanks only)" : "");
        return NULL;
    }
    if (options && options->format)
        return find_named(options->format, error);
    if (!(options && options->map_count) && import_is_refused(sample, error))
        return NULL;
    for (size_t i = 0; import_formats[i]; i++) {
        struct error refusal = {0};
        int score = import_formats[i]->detect(sample, options, &refusal);

        if (score == DETECT_REFUSED) {
            if (error)
                *error = refusal;
            return NULL;
        }
        if (score > best_score) {
            best = import_formats[i];
            best_score = score;
        }
    }
    if (!best)
        error_set(error, ERROR_FOREIGN,
                  "line 1: not a format that is known here. Expected canonical CSV, NDJSON or JSON, or a "
                  "recording of "
                  "one of the tools listed by --formats; --format NAME says which it is.");
    return best;
}
