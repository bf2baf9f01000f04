#include "reading.h"

#include "stutterscope/base/hash.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/import/columns.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t reading_text(const struct import_sink *sink, const char *text, size_t length)
{
    while (length > 0 && (*text == ' ' || *text == '\t')) {
        text++;
        length--;
    }
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        length--;
    if (length == 0) /* text may be NULL then */
        return 0;
    return number_is_absent(text, length) ? 0 : column_add_text(sink->texts, text, length, NULL);
}

void reading_name_pc(const struct import_sink *sink, struct import_context *context, uint32_t cpu,
                     uint32_t gpu)
{
    char *name;

    context->field[CONTEXT_GPU_NAME] = gpu;
    if (!cpu || !gpu) {
        context->field[CONTEXT_DEVICE] = cpu ? cpu : gpu;
        return;
    }
    name = memory_print("%s / %s", dictionary_text(sink->texts, cpu), dictionary_text(sink->texts, gpu));
    context->field[CONTEXT_DEVICE] = dictionary_add(sink->texts, name, strlen(name));
    free(name);
}

void reading_note(const struct import_sink *sink, const char *format, ...)
{
    va_list arguments;
    char *text = NULL;

    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        abort();
    va_end(arguments);
    sink->note(sink->user, text);
    free(text);
}

bool reading_reject(struct frame_batch *batch, enum reject_reason reason, int64_t line, const char *text,
                    size_t length, struct error *error)
{
    if (!frame_batch_flush(batch, error))
        return false;
    batch->sink->reject(batch->sink->user, reason, line, text, length);
    return true;
}

void reading_clear_values(int64_t values[COLUMN_COUNT])
{
    for (int i = 0; i < COLUMN_COUNT; i++)
        values[i] = VALUE_UNKNOWN;
}

int64_t reading_field(const struct table_row *row, int at, int64_t scale)
{
    int64_t value;

    if (at < 0 || (size_t)at >= row->count ||
        number_parse_scaled(row->items[at].text, row->items[at].length, scale, false, &value) != NUMBER_OK)
        return VALUE_UNKNOWN;
    return value;
}

bool reading_path_ends(const char *path, const char *end)
{
    size_t length = path ? strlen(path) : 0, wanted = strlen(end);

    return length >= wanted && text_equals_ignoring_case(path + length - wanted, end);
}

uint32_t reading_part_name(const struct import_sink *sink, const char *what, const char *text, size_t length)
{
    char *name = memory_print("%s %016" PRIx64, what, hash_bytes(text, length));
    uint32_t id = dictionary_add(sink->texts, name, strlen(name));

    free(name);
    return id;
}

bool reading_sample(const struct import_sink *sink, const struct import_context *context, const char *name,
                    const char *unit, double value, int64_t stamp_ns, int64_t line, struct error *error)
{
    size_t length = strlen(name);
    const char *open = !unit && length > 2 && name[length - 1] == ')' ? strrchr(name, '(') : NULL;
    char *own_unit, *own_name;
    bool fine;

    if (!sink->sample || !isfinite(value))
        return true;
    own_name = text_clean(name, open && open > name ? (size_t)(open - name) : length);
    own_unit = open && open > name ? text_clean(open + 1, (size_t)(name + length - 1 - open - 1))
                                   : text_clean(unit ? unit : "", unit ? strlen(unit) : 0);
    for (length = strlen(own_name); length > 0 && own_name[length - 1] == ' '; length--)
        own_name[length - 1] = '\0';
    fine = sink->sample(sink->user, context, &(struct import_value){own_name, own_unit, value, stamp_ns},
                        line, error);
    free(own_name);
    free(own_unit);
    return fine;
}

void reading_samples_facts(const struct import_sink *sink, const char *version, bool has_clock)
{
    sink->facts(sink->user,
                &(struct import_source_facts){
                    .version = version, .interval = "samples", .has_clock = has_clock});
    reading_note(
        sink,
        "This tool writes one row a second: its values are taken as samples for the trend and the coverage. "
        "They are no frames: no distribution of frame times and no stutter windows come of them.");
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void reading_note_duplicates(const struct import_sink *sink, const struct table_row *header)
{
    char **names = memory_take_zeroed(header->count + 1, sizeof *names);
    struct text_buffer found = {0};
    size_t kinds = 0;

    for (size_t i = 0; i < header->count; i++)
        names[i] = text_clean(header->items[i].text, header->items[i].length);
    qsort(names, header->count, sizeof *names, compare_names);
    for (size_t i = 1; i < header->count; i++) {
        if (!*names[i] || strcmp(names[i], names[i - 1]) != 0 ||
            (i > 1 && strcmp(names[i], names[i - 2]) == 0))
            continue;
        if (kinds++ < 5)
            text_add_print(&found, "%s%s", kinds > 1 ? ", " : "", names[i]);
    }
    if (kinds > 0)
        reading_note(sink, "%zu column name%s more than once (%s%s): the first column of a name counts.",
                     kinds, kinds == 1 ? " stands" : "s stand", found.items, kinds > 5 ? ", …" : "");
    for (size_t i = 0; i < header->count; i++)
        free(names[i]);
    free(names);
    free(text_take(&found));
}
