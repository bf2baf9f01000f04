#include "sample_row.h"

#include "stutterscope/base/text.h"

#include <stdlib.h>
#include <string.h>

bool sample_row_is_one(const struct sample_row *row)
{
    return row->parts[SAMPLE_NAME].length > 0 || row->parts[SAMPLE_CATEGORY].length > 0;
}

static char *part_text(const struct sample_row *row, enum sample_part part)
{
    return text_clean(row->parts[part].length ? row->parts[part].text : "", row->parts[part].length);
}

bool sample_row_give(const struct sample_row *row, const struct import_sink *sink, const struct import_context *context,
                     bool comma, int64_t line, struct error *error)
{
    bool snapshot = row->parts[SAMPLE_NAME].length == 0, fine;
    enum sample_part of_value = snapshot ? SAMPLE_BYTES : SAMPLE_VALUE;
    const char *text = row->parts[of_value].length ? row->parts[of_value].text : "";
    double value = 0;
    enum number_fault fault = number_parse_decimal(text, row->parts[of_value].length, comma, &value);
    char *name, *unit;

    if (fault != NUMBER_OK || (snapshot && (value < 0 || value > 9e15))) {
        sink->reject(sink->user, fault != NUMBER_OK ? reject_reason_of(fault) : value < 0 ? REJECT_NEGATIVE : REJECT_TOO_LARGE, line,
                     text, row->parts[of_value].length);
        return true;
    }
    if (!sink->sample)
        return true;
    name = part_text(row, snapshot ? SAMPLE_CATEGORY : SAMPLE_NAME);
    unit = part_text(row, snapshot ? SAMPLE_PROFILER : SAMPLE_UNIT);
    fine = sink->sample(sink->user, context, &(struct import_value){name, unit, value, row->stamp_ns, snapshot}, line, error);
    free(name);
    free(unit);
    return fine;
}
