/*
 * An import on its way: what the parts of the writer share. Nobody else includes this.
 *   writer.c         takes runs and segments while the file is read
 *   writer_pack.c    packs and spools segments, in a thread of its own when there are many
 *   writer_plan.c    finds out, for every run, what is already stored of it
 *   writer_match.c   compares frames on their way with stored ones
 *   writer_apply.c   the rows of builds, devices, runs
 *   writer_commit.c  the transaction, and the packed columns
 */
#ifndef STUTTERSCOPE_STORE_WRITER_INTERNAL_H
#define STUTTERSCOPE_STORE_WRITER_INTERNAL_H

#include "runs.h"
#include "segments.h"
#include "spool.h"
#include "stutterscope/base/dictionary.h"
#include "stutterscope/base/hash.h"
#include "stutterscope/store/summary.h"
#include "stutterscope/store/writer.h"

enum run_plan { PLAN_NEW, PLAN_REPLACED, PLAN_EXTENDED, PLAN_UNCHANGED };

struct writer_run {
    struct run_facts facts; /* texts owned */
    struct run_measures measures;
    char *notes;
    struct hash_stream *hash; /* NULL: the run has a name */
    struct hash_stream *sample_hash; /* the same of its samples: its name when it has no frames */
    int64_t samples;
    int64_t frames, sum_ns, first_stamp_ns, last_stamp_ns, first_frame_ns;
    size_t first_segment, segment_count; /* in writer->order, from the commit on */
    /* the plan */
    enum run_plan plan;
    char *name; /* the given one or the hash */
    int64_t build, device;
    int64_t stored; /* id of the run in the store; 0: none */
    int64_t stored_frames, stored_import;
    struct run_summary summary; /* texts owned; name NULL: an ordinary run */
};

struct writer_summary {
    size_t run, of; /* run SIZE_MAX: of a series */
    uint32_t scene, quality; /* in writer->names */
    uint32_t event;          /* of a peak */
    struct summary_row row;  /* of a peak: only distribution.max_ns */
};

struct writer_sample {
    size_t run;
    uint32_t scene, name, unit; /* in writer->names; 0: none */
    bool snapshot, there;       /* there: stored before */
    double value;
    int64_t stamp_ns, scene_id;
};

struct packed_segment {
    size_t run;
    uint32_t scene, quality; /* in writer->names */
    struct segment_row row;  /* id, run, scene, quality: from the commit on */
    uint64_t at;             /* in the spool: its columns one after the other */
    uint32_t sizes[COLUMN_COUNT];
};

struct packer;

/* packed, spool and segments belong to the packer until writer_pack_finish(). */
struct store_writer {
    struct store *store;
    const struct dictionary *texts; /* of the importer */
    struct dictionary *names;       /* scenes and qualities */
    struct spool *spool;
    struct {
        struct writer_run *items;
        size_t count, capacity;
    } runs;
    struct {
        struct packed_segment *items;
        size_t count, capacity;
    } segments;
    struct {
        struct writer_sample *items;
        size_t count, capacity;
    } samples;
    int64_t new_samples;
    char *source, *source_build, *source_content; /* source NULL: frames, not summaries */
    struct {
        struct writer_summary *items;
        size_t count, capacity;
    } summaries, peaks;
    struct byte_buffer packed;
    struct packer *packer; /* NULL: no thread */
    int64_t frames;        /* packed without one */
    size_t *order;      /* segments by run, then as they came */
    int64_t *scene_ids; /* by id in names; 0: not looked up */
    int64_t *quality_ids;
    int64_t *text_ids; /* by id in texts */
};

/*
 * Packs the columns that row.columns says, frames [first, first + row.count), now or soon; they are not needed
 * afterwards. False also when an earlier one could not be spooled.
 */
bool writer_pack(struct store_writer *writer, const struct packed_segment *segment, const struct frame_columns *columns,
                 size_t first, struct error *error);
/* Everything is packed and the thread has ended. */
bool writer_pack_finish(struct store_writer *writer, struct error *error);

bool writer_identify(struct store_writer *writer,
                     struct error *error); /* builds, devices, scenes, qualities */
bool writer_plan(struct store_writer *writer, const struct import_facts *facts, struct error *error);

enum frames_relation {
    FRAMES_NEW_IS_LONGER,  /* the stored frames are a true prefix of the new ones */
    FRAMES_NEW_IS_SHORTER, /* the new ones are a prefix of the stored ones, or the same */
    FRAMES_DISJOINT,       /* no common (scene, stamp) */
    FRAMES_CONFLICT
};
bool writer_relate(struct store_writer *writer, const struct writer_run *run, int64_t stored,
                   enum frames_relation *ret, struct error *error);
/* Whether one of the two is a prefix of the other; *ret is FRAMES_CONFLICT when not. */
bool writer_relate_prefix(struct store_writer *writer, const struct writer_run *run, int64_t stored,
                          enum frames_relation *ret, struct error *error);

/* Rows of the run and its segments, without their columns. */
bool writer_apply_run(struct store_writer *writer, struct writer_run *run, int64_t import,
                      struct error *error);

/* samples.c: which of them are stored already; writing the others. */
bool writer_plan_samples(struct store_writer *writer, struct error *error);
bool writer_apply_samples(struct store_writer *writer, struct error *error);

/* writer_summary.c: a build of a server, in place of what was stored of it. */
bool writer_replace_build(struct store_writer *writer, int64_t import, struct error *error);
bool writer_plan_summarised(struct store_writer *writer, struct writer_run *run, struct error *error);
/* Files do not mix with summaries: the pooled figures of a group come from one side. */
bool writer_refuse_mixture(struct store_writer *writer, const struct writer_run *run, const struct import_facts *facts,
                           struct error *error);
bool writer_apply_summaries(struct store_writer *writer, struct error *error);
bool writer_apply_source(struct store_writer *writer, const struct writer_run *run, struct error *error);
void writer_free_summaries(struct store_writer *writer);
void run_summary_clear(struct run_summary *summary);
bool writer_find_name(struct store_writer *writer, bool quality, uint32_t name, int64_t *ret, struct error *error);
bool writer_find_text(struct store_writer *writer, int64_t local, int64_t *ret, struct error *error);

int64_t sum_frame_times(const int64_t *frame_times, size_t count); /* stays at the greatest number */

#endif
