/* Tables that hold no frames, but figures of the display and of rendering: samples. */
#include "reading.h"
#include "xctrace.h"

#include "stutterscope/base/memory.h"

static bool give(const struct xct_data *data, const char *name, const char *unit, double value, int64_t stamp, int64_t line,
                 struct error *error)
{
    static const struct import_context unknown;

    return reading_sample(data->reader->sink, &unknown, name, unit, value, stamp, line, error);
}

bool xct_has_values(const struct xct_data *data)
{
    return data->max_refresh != VALUE_UNKNOWN || data->tables[XCT_VSYNCS].count > 1 || data->tables[XCT_RENDERS].count > 0;
}

bool xct_give_values(const struct xct_data *data, struct error *error)
{
    const struct xct_row_list *vsyncs = &data->tables[XCT_VSYNCS], *renders = &data->tables[XCT_RENDERS];
    const struct import_sink *sink = data->reader->sink;
    bool fine = true;

    sink->facts(sink->user, &(struct import_source_facts){.version = "no frames", .interval = "samples", .has_clock = true});
    reading_note(sink, "These tables hold no frames: refresh rate, vsyncs and render times are taken as samples. The frames are in "
                       "displayed-surfaces-interval (xctrace export --xpath '//table[@schema=\"displayed-surfaces-interval\"]').");
    if (data->max_refresh != VALUE_UNKNOWN)
        fine = give(data, "max refresh rate", "Hz", (double)data->max_refresh, VALUE_UNKNOWN, 0, error);
    for (size_t i = 1; i < vsyncs->count && fine; i++) {
        const struct xct_row *row = &vsyncs->items[i];
        int64_t step = row->start - vsyncs->items[i - 1].start;

        if (row->display == vsyncs->items[i - 1].display && step > 0)
            fine = give(data, "vsync interval", "ms", (double)step / NS_PER_MS, row->start, row->line, error);
    }
    for (size_t i = 0; i < renders->count && fine; i++) {
        const struct xct_row *row = &renders->items[i];

        if (row->duration > 0)
            fine = give(data, "render time of a hitch", "ms", (double)row->duration / NS_PER_MS, row->start, row->line, error);
    }
    return fine;
}
