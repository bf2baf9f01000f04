#include "sample_row.h"

#include "reading.h"
#include "stutterscope/base/text.h"

#include <inttypes.h>
#include <stdlib.h>

#define SHORTEST_FRAME_NS 1000
#define MOST_BYTES        9e15

enum sample_row_time sample_row_time(enum number_fault fault, int64_t value_ns)
{
    if (fault == NUMBER_EMPTY)
        return SAMPLE_ROW_NO_TIME;
    return fault == NUMBER_OK && value_ns >= 0 && value_ns < SHORTEST_FRAME_NS ? SAMPLE_ROW_ZERO_TIME : SAMPLE_ROW_TIME;
}

bool sample_row_is_one(unsigned present, enum sample_row_time time, int64_t line, struct sample_rows_left *left)
{
    static const unsigned named = 1u << SAMPLE_NAME | 1u << SAMPLE_CATEGORY, value = 1u << SAMPLE_NAME | 1u << SAMPLE_VALUE,
                          snapshot = 1u << SAMPLE_CATEGORY | 1u << SAMPLE_BYTES;
    bool complete = (present & value) == value || (present & snapshot) == snapshot;

    if (!(present & named))
        return false;
    if (time == SAMPLE_ROW_NO_TIME || (time == SAMPLE_ROW_ZERO_TIME && complete))
        return true;
    if (left->count++ == 0)
        left->first_line = line;
    return false;
}

void sample_rows_tell_left(const struct sample_rows_left *left, const struct import_sink *sink)
{
    if (left->count > 0)
        reading_note(sink,
                     "%" PRId64 " row%s (first in line %" PRId64 ") %s a frame time and a sample's name or category, too: read as "
                     "frame%s, not as value%s beside frames. A value has a row of its own, without a frame time.",
                     left->count, text_plural(left->count), left->first_line, left->count == 1 ? "has" : "have",
                     text_plural(left->count), text_plural(left->count));
}

static char *part_text(const struct sample_row *row, enum sample_part part)
{
    return text_clean(row->parts[part].length ? row->parts[part].text : "", row->parts[part].length);
}

static bool give(const struct sample_row *row, const struct import_sink *sink, const struct import_context *context, bool comma,
                 bool snapshot, int64_t line, struct error *error)
{
    enum sample_part of_value = snapshot ? SAMPLE_BYTES : SAMPLE_VALUE;
    const char *text = row->parts[of_value].length ? row->parts[of_value].text : "";
    double value = 0;
    enum number_fault fault = number_parse_decimal(text, row->parts[of_value].length, comma, &value);
    char *name, *unit;
    bool fine;

    if (fault != NUMBER_OK || (snapshot && (value < 0 || value > MOST_BYTES))) {
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

bool sample_row_give(const struct sample_row *row, const struct import_sink *sink, const struct import_context *context,
                     bool comma, int64_t line, struct error *error)
{
    bool named = row->parts[SAMPLE_NAME].length > 0;
    bool snapshot = row->parts[SAMPLE_CATEGORY].length > 0 && (!named || row->parts[SAMPLE_BYTES].length > 0);

    if (row->bad_stamp) {
        sink->reject(sink->user, REJECT_BAD_STAMP, line, row->bad_stamp, row->bad_stamp_length);
        return true;
    }
    return (!named || give(row, sink, context, comma, false, line, error)) &&
           (!snapshot || give(row, sink, context, comma, true, line, error));
}
