/* How much one file may name, so that memory stays bounded whatever it holds; see limits.h. */
#include "assemble_private.h"
#include "stutterscope/import/limits.h"

#include <inttypes.h>
#include <string.h>

static const struct {
    enum context_field field;
    const char *what;
} limited[LIMITED_FIELDS] = {
    {CONTEXT_BUILD, "builds"}, {CONTEXT_DEVICE, "devices"}, {CONTEXT_SCENE, "scenes"}, {CONTEXT_QUALITY, "quality levels"}};

static bool too_many(int64_t line, size_t most, const char *what, const char *column, const char *option, struct error *error)
{
    return error_set(error, ERROR_INPUT,
                     "line %" PRId64 ": more than %zu different %s in one file. If \"%s\" holds something else here (a serial number, a "
                     "counter, a position), name the right column with --map %s=COLUMN or give it with %s; else split the file.",
                     line, most, what, column, column, option);
}

bool limit_names(struct assembler *assembler, const uint32_t facts[CONTEXT_COUNT], int64_t line, struct error *error)
{
    for (size_t i = 0; i < LIMITED_FIELDS; i++) {
        const uint32_t *id = &facts[limited[i].field];
        const struct context_field_info *field = &context_fields[limited[i].field];

        if (!*id)
            continue;
        dictionary_add(assembler->named[i], (const char *)id, sizeof *id);
        if (dictionary_count(assembler->named[i]) > IMPORT_MOST_NAMES)
            return too_many(line, IMPORT_MOST_NAMES, limited[i].what, field->column, field->option, error);
    }
    return assembler->lanes.count <= IMPORT_MOST_RUNS || limit_runs(assembler, line, error);
}

bool limit_runs(const struct assembler *assembler, int64_t line, struct error *error)
{
    if (assembler->lanes.count <= IMPORT_MOST_RUNS && assembler->runs.count <= IMPORT_MOST_RUNS)
        return true;
    if (assembler->runs.count > assembler->lanes.count)
        return error_set(error, ERROR_INPUT,
                         "line %" PRId64 ": more than %d runs in one file; most of them begin because the time stamps start again. If "
                         "\"timestamp_ms\" is not the time since the start of the run, leave it out with --map timestamp_ms=none or name the "
                         "right column; else split the file.",
                         line, IMPORT_MOST_RUNS);
    return too_many(line, IMPORT_MOST_RUNS, "runs", context_fields[CONTEXT_RUN].column, context_fields[CONTEXT_RUN].option, error);
}

bool limit_samples(const struct assembler *assembler, int64_t line, struct error *error)
{
    if (assembler->samples < IMPORT_MOST_SAMPLES)
        return true;
    return error_set(error, ERROR_INPUT,
                     "line %" PRId64 ": more than %d values beside frames in one file. They are meant for what is measured now and then; "
                     "write them less often, or split the file.",
                     line, IMPORT_MOST_SAMPLES);
}

bool limit_texts(const struct assembler *assembler, int64_t line, struct error *error)
{
    if (dictionary_count(assembler->texts) <= IMPORT_MOST_TEXTS && assembler->context_count <= IMPORT_MOST_TEXTS)
        return true;
    return error_set(error, ERROR_INPUT,
                     "line %" PRId64 ": more than %d different texts (names of events, steps, scenes, links, …) in one file. An event's name "
                     "is the same every time it happens: keep counters, positions and times out of it, leave the column out with --map "
                     "event_name=none or split the file.",
                     line, IMPORT_MOST_TEXTS);
}
