/*
 * The PresentMon family (PresentMon 1 and 2, OCAT, FrameView, old CapFrameX): presentmon_columns.c knows the
 * names of all generations, presentmon.c reads rows and chooses the stream, presentmon_frames.c makes frames
 * of them.
 */
#ifndef IMPORT_PRESENTMON_H
#define IMPORT_PRESENTMON_H

#include "stutterscope/import/batch.h"
#include "stutterscope/import/streams.h"
#include "stutterscope/import/table.h"

enum pm_field {
    PM_APPLICATION,
    PM_PROCESS,
    PM_CHAIN,
    PM_FRAME_TIME,
    PM_CPU_BUSY,
    PM_CPU_WAIT,
    PM_IN_PRESENT,
    PM_GPU,
    PM_DISPLAY_CHANGE, /* time since the frame displayed before */
    PM_DISPLAYED_TIME, /* how long this frame stayed on the screen */
    PM_UNTIL_DISPLAYED,
    PM_DISPLAY_LATENCY, /* from the start of the frame */
    PM_DROPPED,
    PM_FRAME_TYPE,
    PM_TIME,
    PM_OS,
    PM_GPU_NAME,
    PM_CPU_NAME,
    PM_COMMENT,
    PM_MOTHERBOARD,
    PM_FIELD_COUNT
};

enum pm_clock {
    PM_CLOCK_NONE,
    PM_CLOCK_TICKS, /* of a counter whose frequency the file does not tell */
    PM_CLOCK_UNSURE /* CPUStartTime: ms in one tool, s in another */,
    PM_CLOCK_NS
};

struct pm_columns {
    int at[PM_FIELD_COUNT]; /* column; -1 */
    enum pm_clock clock;
    int64_t time_scale;  /* of PM_TIME to ns, or ticks */
    bool time_is_start;  /* of the frame; else of the present, which ends it */
    bool frame_time_sum; /* CPUBusy + CPUWait */
    const char *version;
};

/* Times in ns, VALUE_UNKNOWN where absent; time in ns or ticks. */
struct pm_row {
    int64_t line, time, frame_time, cpu_busy, in_present, gpu, display_change, displayed_time,
        until_displayed, display_latency;
    uint32_t stream;
    bool dropped, generated, repeated;
    bool display_known; /* the file tells whether the frame was shown */
    bool time_is_date;  /* of a calendar, without a zone */
};

struct pm_frames {
    const struct import_reader *reader;
    const struct pm_columns *columns;
    struct frame_batch batch;
    bool display;   /* --interval display */
    bool integrate; /* the stamps are too coarse: sum the frame times */
    int64_t tick_base, first_time, sum, in_present_before;
    int64_t shown_until; /* end of the frame before; VALUE_UNKNOWN */
    double ns_per_unit; /* 1 for PM_CLOCK_NS */
    bool started;
};

void pm_columns_find(const struct table_row *header, struct pm_columns *ret);
bool pm_row_parse(const struct pm_columns *columns, const struct table_row *fields, struct pm_row *ret,
                  enum reject_reason *ret_fault);

/* rows: those of the chosen stream that are known when it is chosen; units of the clock are judged by them.
 */
void pm_frames_begin(struct pm_frames *frames, const struct import_reader *reader,
                     const struct pm_columns *columns, const struct import_context *context,
                     const struct pm_row *rows, size_t count);
bool pm_frames_take(struct pm_frames *frames, const struct pm_row *row, struct error *error);

#endif
