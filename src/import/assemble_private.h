/*
 * What the two halves of the assembler share: assemble.c takes batches, finds their lane and decides the unit of its
 * stamps; assemble_run.c turns the lane's frames into runs and segments.
 */
#ifndef IMPORT_ASSEMBLE_PRIVATE_H
#define IMPORT_ASSEMBLE_PRIVATE_H

#include "frame_store.h"
#include "stutterscope/base/hash.h"
#include "stutterscope/import/assemble.h"

/* Beyond these a value is no frame time (a day and more) and no time stamp (126 years); sums cannot overflow. */
#define LONGEST_FRAME_NS 100000000000000LL
#define LARGEST_STAMP_NS 4000000000000000000LL

/* A context of the file with the user's words joined. */
struct joined_context {
    struct import_context source;
    struct lane *lane; /* NULL: build, device or scene is missing */
    uint32_t scene, quality;
    int64_t target_fps_milli, refresh_milli_hz;
};

/* One run as it grows. */
struct run_state {
    struct assembled_run public;
    size_t number; /* in the sink */
    struct lane *lane;
    bool facts_changed, finished;
    int64_t wrap_ns; /* added to stamps after a counter wrapped */
    struct frame_store open;
    const struct joined_context *context; /* of the open segment */
    bool broken;                          /* the open segment begins after a clock step */
    struct { char **items; size_t count, capacity; } notes;
};

/* Frames of one (build, device, run id): a run, or several one after the other when the clock starts again. */
struct lane {
    uint32_t facts[CONTEXT_COUNT]; /* joined over all its contexts: the first that knows */
    bool decided;                  /* unit of the stamps; until then frames wait in early */
    int64_t multiply, divide;
    struct frame_store early;
    struct { struct early_span { const struct joined_context *context; size_t start; int64_t line; } *items;
             size_t count, capacity; } spans;
    size_t runs; /* begun so far */
    struct run_state *run;
};

struct assembler {
    struct import_sink sink; /* what readers call */
    const struct segment_sink *out;
    struct import_log *log;
    struct dictionary *texts;
    uint32_t overrides[CONTEXT_COUNT];

    struct joined_context **slots; /* hash table by fields */
    size_t slot_count, context_count;
    struct { struct joined_context **items; size_t count, capacity; } numbered;
    const struct joined_context *last_context;
    struct { struct lane **items; size_t count, capacity; } lanes;
    struct dictionary *lane_keys; /* id: position in lanes + 1 */
    struct { struct run_state **items; size_t count, capacity; } runs;
    struct run_state *current; /* whose frames came last: rejected rows are counted there */
    int64_t rejected_before;   /* rows rejected before the first run */

    int64_t frames, buffered;
    int missing_field; /* the first required field that some row lacked; -1 */
    int64_t missing_line;
    struct hash_stream *hash;
    int64_t *stamps; /* scratch of stamps_capacity */
    int64_t *flags;
    size_t scratch_capacity;
};

/* The sink's frames(). */
bool assembler_take(void *user, const struct import_context *context, const struct frame_columns *frames, int64_t line,
                    struct error *error);
/* Frames [start, start + count) of one context with stamps in ns (or none), in order. */
bool lane_take(struct assembler *assembler, struct lane *lane, const struct joined_context *context,
               const struct frame_columns *columns, size_t start, size_t count, int64_t line, struct error *error);
bool run_flush(struct assembler *assembler, struct run_state *run, struct error *error);
bool run_finish(struct assembler *assembler, struct run_state *run, struct error *error);
void run_destroy(struct run_state *run);

/* Numbers among the fields; VALUE_UNKNOWN when empty or wrong (noted). */
int64_t context_number(struct assembler *assembler, enum context_field field, uint32_t id);
bool context_check(enum context_field field, const char *text, int64_t *ret); /* false: makes no sense */

#endif
