/*
 * Between the readers of foreign formats and everything that follows: a reader turns bytes into contexts and
 * frames and hands them to a sink. No store here, so that every format is tested with a recording sink.
 */
#ifndef STUTTERSCOPE_IMPORT_SINK_H
#define STUTTERSCOPE_IMPORT_SINK_H

#include "stutterscope/base/dictionary.h"
#include "stutterscope/base/error.h"
#include "stutterscope/base/number.h"
#include "stutterscope/base/telemetry.h"
#include <stdbool.h>

/* Where frames come from. All are texts (ids of sink->texts); numbers among them are checked where they are
 * used. */
enum context_field {
    CONTEXT_BUILD,
    CONTEXT_DEVICE, /* device_model */
    CONTEXT_SCENE,
    CONTEXT_QUALITY,
    CONTEXT_RUN,
    CONTEXT_OS,
    CONTEXT_SERIES,
    CONTEXT_SCENARIO,
    CONTEXT_SOC,
    CONTEXT_MODEL_CODE,
    CONTEXT_GPU_NAME,
    CONTEXT_COMMIT,
    CONTEXT_CI_RUN,
    CONTEXT_BUILT_AT,
    CONTEXT_STARTED_AT,
    CONTEXT_LOG_URL,
    CONTEXT_OUTCOME,
    CONTEXT_STATION,
    CONTEXT_SAMPLE_EVERY,
    CONTEXT_KEPT_OVER_MS,
    CONTEXT_TARGET_FPS,
    CONTEXT_REFRESH_HZ,
    CONTEXT_COUNT
};
/* One table: canonical column name, option name, JSON name of each field. */
struct context_field_info {
    const char *column; /* "build_id" */
    const char *option; /* "--build", NULL: no option */
    const char *help;
};
extern const struct context_field_info context_fields[CONTEXT_COUNT];

struct import_context {
    uint32_t field[CONTEXT_COUNT]; /* ids in sink->texts; 0: the file does not say */
    /*
     * A reader that keeps a table of its contexts numbers them 1, 2, …: the same number always means the same
     * fields, which spares the receiver the comparison. 0: not numbered.
     */
    uint32_t number;
};

enum reject_reason {
    REJECT_EMPTY,
    REJECT_NOT_A_NUMBER,
    REJECT_HEXADECIMAL,
    REJECT_TRAILING_TEXT,
    REJECT_NOT_FINITE,
    REJECT_NEGATIVE,
    REJECT_ZERO, /* below 1 µs */
    REJECT_TOO_LARGE,
    REJECT_BAD_STAMP,
    REJECT_SHORT_ROW,  /* cut last line, or fewer fields than the needed columns */
    REJECT_LONG_ROW,   /* more fields than columns: what belongs where is not known */
    REJECT_UNFINISHED, /* pending, generated, repeated rows: counted, not frames */
    REJECT_GENERATED,
    REJECT_REPEATED,
    REJECT_NOT_DISPLAYED, /* with --interval display */
    REJECT_OTHER_STREAM,
    REJECT_OUTSIDE,    /* marked by the tool as not to be counted */
    REJECT_MALFORMED,  /* broken quoting, broken JSON line */
    REJECT_DUPLICATE,  /* the same frame again (overlapping dumps) */
    REJECT_NO_CONTEXT, /* build, device or scene is empty */
    REJECT_COUNT
};
extern const char *const reject_reason_names[REJECT_COUNT];
enum reject_reason reject_reason_of(enum number_fault fault);

/* What a reader says about its file once it knows (before the first frames). */
struct import_source_facts {
    const char *version;  /* of the format or tool; "" */
    const char *interval; /* "present", "display", "duration"; "samples": there are no frames */
    bool tests_holes;     /* frame time is an interval between frames */
    bool has_clock;
    bool unit_is_named;    /* frame times are in the unit that a column's name says; nothing else tells it */
};

/* A value beside frames. name, unit: clean texts that hold until the call returns; unit "" when there is none. */
struct import_value {
    const char *name, *unit;
    double value;     /* finite */
    int64_t stamp_ns; /* on the clock of the run; VALUE_UNKNOWN: of the run as a whole */
    bool snapshot;    /* a snapshot of memory: name is its category, value bytes, unit the profiler that ran or "" */
};

/* A stream inside a file that holds several ("process|pid|swapchain"). */
struct import_stream {
    const char *key;
    int64_t rows;
};

struct import_sink {
    void *user;
    struct dictionary *texts; /* contexts and text columns; clean texts only (base/text) */
    /* Once, before the first frames. */
    void (*facts)(void *user, const struct import_source_facts *facts);
    /*
     * Consecutive frames of one context, in the order of the file. stamps may lack (NULL): they are then
     * summed up. The arrays are read before the call returns. line: of the first frame, for messages; frame i
     * stands in line + i. Frames whose time or stamp is out of range are rejected by the receiver.
     */
    bool (*frames)(void *user, const struct import_context *context, const struct frame_columns *frames,
                   int64_t line, struct error *error);
    /* A row that is no frame. It is counted; text (may be NULL) is what stood there. */
    void (*reject)(void *user, enum reject_reason reason, int64_t line, const char *text, size_t length);
    /* The same for many rows at once of which single lines do not matter (other streams, repeated rows). */
    void (*reject_many)(void *user, enum reject_reason reason, int64_t count, int64_t first_line);
    /* One sentence for the report: what was guessed, left out, changed. */
    void (*note)(void *user, const char *text);
    void (*column_left_out)(void *user, const char *name, bool personal);
    void (*streams)(void *user, const struct import_stream *streams, size_t count, const char *chosen);
    /* NULL where nobody takes samples. They are never frames, whatever their name is. */
    bool (*sample)(void *user, const struct import_context *context, const struct import_value *value, int64_t line,
                   struct error *error);
};

#endif
