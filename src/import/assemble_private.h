/*
 * What the two halves of the assembler share: assemble.c takes batches, finds their lane and decides the unit
 * of its stamps; assemble_run.c turns the lane's frames into runs and segments.
 */
#ifndef IMPORT_ASSEMBLE_PRIVATE_H
#define IMPORT_ASSEMBLE_PRIVATE_H

#include "frame_store.h"
#include "stutterscope/base/hash.h"
#include "stutterscope/import/assemble.h"

/* Beyond these a value is no frame time (a day and more) and no time stamp (126 years); sums cannot overflow.
 */
#define LONGEST_FRAME_NS 100000000000000LL
#define LARGEST_STAMP_NS 4000000000000000000LL
#define WRAP_NS          (4294967296LL * NS_PER_MS) /* a 32-bit counter of milliseconds */

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
    struct run_state *next; /* of the same lane */
    int64_t first_frame;    /* among the frames of the lane, in the order in which they came */
    bool facts_changed, finished;
    bool ordinary;          /* has a frame that a capture of spikes would not have kept */
    const char *conditions; /* how it began; NULL: nothing unusual */
    bool begun;             /* its first segment was handed on, conditions are decided */
    int64_t wrap_ns; /* added to stamps after a counter wrapped */
    struct {
        int64_t *items; /* the first frame after each wrap, counted as first_frame */
        size_t count, capacity;
    } wraps;
    struct frame_store open;
    const struct joined_context *context; /* of the open segment */
    bool broken;                          /* the open segment begins after a clock step */
    struct {
        char **items;
        size_t count, capacity;
    } notes;
};

/* Frames of one (build, device, run id): a run, or several one after the other when the clock starts again.
 */
struct lane {
    uint32_t facts[CONTEXT_COUNT]; /* joined over all its contexts: the first that knows */
    bool decided;                  /* unit of the stamps; until then frames wait in early */
    int64_t multiply, divide;
    struct frame_store early;
    struct {
        struct early_span {
            const struct joined_context *context;
            size_t start;
        } * items;
        size_t count, capacity;
    } spans;
    struct {
        int64_t *items;
        size_t count, capacity;
    } early_lines;
    struct {
        struct early_sample {
            int64_t frames_before; /* of the lane */
            int64_t frame_stamp;   /* of the last of them, as stamp_ns is; VALUE_UNKNOWN */
            uint32_t scene, name, unit;
            double value;
            int64_t stamp_ns; /* as the file says */
            bool snapshot;
        } * items;
        size_t count, capacity;
    } samples;
    uint32_t first_mixed, last_mixed; /* rows of this lane in the mixed buffer; NO_ROW: none */
    int64_t rejected;                 /* rows rejected among its frames, not yet told to a run */
    int64_t came, placed;             /* frames: all that came, those that were given to runs */
    int64_t last_stamp;               /* of the last that came, as the file says; VALUE_UNKNOWN */
    size_t runs;                      /* begun so far */
    struct run_state *run, *first_run;
};

/*
 * Rows of files in which runs take turns: gathered, then handed to each lane together, which is far cheaper
 * than one by one. The order inside a lane is kept.
 */
#define MIXED_ROWS 4096
#define NO_ROW     UINT32_MAX
struct mixed_rows {
    struct frame_store frames;
    const struct joined_context *contexts[MIXED_ROWS];
    int64_t lines[MIXED_ROWS];
    uint32_t next[MIXED_ROWS]; /* of the same lane */
    struct {
        struct lane **items;
        size_t count, capacity;
    } lanes; /* in order of appearance */
    struct frame_store sorted;
    const struct joined_context *sorted_contexts[MIXED_ROWS];
    int64_t sorted_lines[MIXED_ROWS];
};

#define LIMITED_FIELDS 4 /* build, device, scene, quality */
struct assembler {
    struct import_sink sink; /* what readers call */
    const struct segment_sink *out;
    struct import_log *log;
    struct dictionary *texts;
    uint32_t overrides[CONTEXT_COUNT], fallbacks[CONTEXT_COUNT];

    struct joined_context **slots; /* hash table by fields */
    size_t slot_count, context_count;
    struct {
        struct joined_context **items;
        size_t count, capacity;
    } numbered;
    const struct joined_context *last_context;
    struct {
        struct lane **items;
        size_t count, capacity;
    } lanes;
    struct dictionary *lane_keys; /* id: position in lanes + 1 */
    struct dictionary *named[LIMITED_FIELDS]; /* ids of the names met: only their number counts */
    struct {
        struct run_state **items;
        size_t count, capacity;
    } runs;
    struct lane *last_lane;  /* whose frames came last: rejected rows are counted there */
    int64_t rejected_before; /* rows rejected before the first frame */

    int64_t frames, samples, buffered;
    bool missing[CONTEXT_COUNT]; /* required fields that some row lacked */
    int64_t missing_line;        /* the first such row; 0: none */
    struct hash_stream *hash;
    struct mixed_rows *mixed;
    int64_t *lines; /* scratch of scratch_capacity, as are the next two */
    int64_t *stamps;
    int64_t *flags;
    size_t scratch_capacity;
};

/* The sink's frames(). */
bool assembler_take(void *user, const struct import_context *context, const struct frame_columns *frames,
                    int64_t line, struct error *error);
/* assemble_samples.c: the sink's sample(), and handing over what was collected, before runs are finished. */
bool assembler_take_sample(void *user, const struct import_context *context, const struct import_value *value,
                           int64_t line, struct error *error);
bool lane_give_samples(struct assembler *assembler, struct lane *lane, struct error *error);
uint32_t joined_field(const struct assembler *assembler, const struct import_context *context, int field);
struct lane *find_lane(struct assembler *assembler, const uint32_t facts[CONTEXT_COUNT]);
void complete_facts(struct lane *lane, const uint32_t facts[CONTEXT_COUNT]);
bool begin_run(struct assembler *assembler, struct lane *lane, int64_t stamp, int64_t time, bool has_clock, int64_t line,
               struct error *error);
/* assemble_limits.c: false with an error when the file names more than one import takes. */
bool limit_names(struct assembler *assembler, const uint32_t facts[CONTEXT_COUNT], int64_t line, struct error *error);
bool limit_runs(const struct assembler *assembler, int64_t line, struct error *error);
bool limit_samples(const struct assembler *assembler, int64_t line, struct error *error);
bool limit_texts(const struct assembler *assembler, int64_t line, struct error *error);
/* Frames [start, start + count) of one context with stamps in ns (or none), in order; lines[i] is that of
 * frame i. */
bool lane_take(struct assembler *assembler, struct lane *lane, const struct joined_context *context,
               const struct frame_columns *columns, const int64_t *lines, size_t start, size_t count,
               struct error *error);
/* Sound frames of one context; frames whose unit is not decided wait. */
bool take_sound(struct assembler *assembler, const struct joined_context *context,
                const struct frame_columns *columns, const int64_t *lines, size_t start, size_t count,
                struct error *error);
/* A stamp of the file in the unit that the lane's stamps have, in ns. */
int64_t lane_scale_stamp(const struct lane *lane, int64_t stamp);
/* A few sound frames of a context, for later; flushes when it is full. */
bool mixed_add(struct assembler *assembler, const struct joined_context *context,
               const struct frame_columns *columns, const int64_t *lines, size_t start, size_t count,
               struct error *error);
bool mixed_flush(struct assembler *assembler, struct error *error);
void make_scratch(struct assembler *assembler, size_t count);
/* assemble_conditions.c: what the first frame says of thermal and power state; NULL: nothing unusual. */
const char *start_conditions(const struct dictionary *texts, const struct frame_columns *columns);
bool run_flush(struct assembler *assembler, struct run_state *run, struct error *error);
bool run_finish(struct assembler *assembler, struct run_state *run, struct error *error);
void run_destroy(struct run_state *run);

/* A row lacks a field that must be known; missing_words() names all of them and what to do (a new string; NULL: none). */
void note_missing(struct assembler *assembler, enum context_field field, int64_t line);
char *missing_words(const struct assembler *assembler);

/* Numbers among the fields; VALUE_UNKNOWN when empty or wrong (noted). */
int64_t context_number(struct assembler *assembler, enum context_field field, uint32_t id);
bool context_check(enum context_field field, const char *text, int64_t *ret); /* false: makes no sense */

/* assemble_spikes.c: frames over this, or with 2 MB or more of allocations, are what profilers keep when they keep
 * spikes only. */
#define RUN_SPIKE_NS (300 * NS_PER_MS)
void run_look_for_ordinary(struct run_state *run, const struct frame_columns *columns, size_t start, size_t count);
bool run_kept_spikes_only(const struct run_state *run);

#endif
