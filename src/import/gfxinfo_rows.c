#include "gfxinfo.h"

#include "stutterscope/base/number.h"
#include "stutterscope/base/telemetry.h"

#include <string.h>

#define LONGEST_NS (60 * NS_PER_S) /* beyond it a stamp is left-over memory, as unfinished rows hold it */

bool gfx_is_header(const char *line, size_t length)
{
    return (length > 20 && memcmp(line, "Flags,IntendedVsync,", 20) == 0) ||
           (length > 20 && memcmp(line, "Flags,FrameTimeline", 19) == 0);
}

void gfx_columns_find(const struct table_row *header, struct gfx_columns *ret)
{
    static const char *const names[GFX_FIELD_COUNT] = {
        [GFX_FLAGS] = "Flags",
        [GFX_INTENDED_VSYNC] = "IntendedVsync",
        [GFX_HANDLE_INPUT] = "HandleInputStart",
        [GFX_SYNC_QUEUED] = "SyncQueued",
        [GFX_SYNC_START] = "SyncStart",
        [GFX_SWAP_BUFFERS] = "SwapBuffers",
        [GFX_COMPLETED] = "FrameCompleted",
        [GFX_FRAME_INTERVAL] = "FrameInterval",
        [GFX_FRAME_START] = "FrameStartTime",
        [GFX_GPU_COMPLETED] = "GpuCompleted",
        [GFX_SUBMITTED] = "CommandSubmissionCompleted",
    };

    for (int i = 0; i < GFX_FIELD_COUNT; i++)
        ret->at[i] = table_find_column(header, names[i]);
    ret->count = header->count;
    if (ret->count > 0 && header->items[ret->count - 1].length == 0)
        ret->count--; /* lines end with a comma */
    ret->version = table_find_column(header, "WorkloadTarget") >= 0          ? "Android 14 or later"
                   : table_find_column(header, "FrameDeadline") >= 0         ? "Android 12 or 13"
                   : table_find_column(header, "DequeueBufferDuration") >= 0 ? "Android 8 to 11"
                                                                             : "Android 6 or 7";
}

static int64_t field(const struct gfx_columns *columns, const struct table_row *fields, enum gfx_field which)
{
    int at = columns->at[which];
    int64_t value;

    if (at < 0 || (size_t)at >= fields->count ||
        number_parse_scaled(fields->items[at].text, fields->items[at].length, 1, false, &value) != NUMBER_OK)
        return VALUE_UNKNOWN;
    return value;
}

/* end − start where both are stamps of this frame, else unknown. */
static int64_t span(int64_t start, int64_t end)
{
    if (start <= 0 || end < start || end - start > LONGEST_NS)
        return VALUE_UNKNOWN;
    return end - start;
}

/*
 * Android 12 and 13 write start time and interval under each other's name: what is shorter than a second is
 * the interval.
 */
static void take_interval(const struct gfx_columns *columns, const struct table_row *fields,
                          struct gfx_row *ret)
{
    int64_t named = field(columns, fields, GFX_FRAME_INTERVAL),
            other = field(columns, fields, GFX_FRAME_START);

    ret->swapped = !(named > 0 && named < NS_PER_S) && other > 0 && other < NS_PER_S;
    ret->interval = ret->swapped ? other : named > 0 && named < NS_PER_S ? named : VALUE_UNKNOWN;
}

void gfx_row_parse(const struct gfx_columns *columns, const struct table_row *fields, struct gfx_row *ret)
{
    int64_t flags = field(columns, fields, GFX_FLAGS), gpu_start = field(columns, fields, GFX_SUBMITTED);
    int64_t ui = span(field(columns, fields, GFX_HANDLE_INPUT), field(columns, fields, GFX_SYNC_QUEUED));
    int64_t swap = field(columns, fields, GFX_SWAP_BUFFERS);
    int64_t render = span(field(columns, fields, GFX_SYNC_START), swap);

    ret->start = field(columns, fields, GFX_INTENDED_VSYNC);
    ret->end = field(columns, fields, GFX_COMPLETED);
    /* The two threads work one after the other on a frame: what it cost is the sum. */
    ret->cpu = ui != VALUE_UNKNOWN && render != VALUE_UNKNOWN ? ui + render : VALUE_UNKNOWN;
    /* As Android's own GPU histogram counts: from the hand-over of the commands on. */
    ret->gpu = span(gpu_start > 0 ? gpu_start : swap, field(columns, fields, GFX_GPU_COMPLETED));
    take_interval(columns, fields, ret);
    ret->fault = REJECT_COUNT;
    if (flags == VALUE_UNKNOWN)
        ret->fault = REJECT_MALFORMED;
    else if (ret->start <= 0)
        ret->fault = REJECT_BAD_STAMP;
    else if (flags != 0)
        ret->fault = REJECT_OUTSIDE;
    else if (span(ret->start, ret->end) == VALUE_UNKNOWN)
        ret->fault = REJECT_UNFINISHED;
}
