/*
 * Importing one file: segments are packed and spooled while the file is read; commit puts them into the store in one
 * transaction, or nothing.
 */
#ifndef STUTTERSCOPE_STORE_WRITER_H
#define STUTTERSCOPE_STORE_WRITER_H

#include "stutterscope/store/store.h"

/* What is known of a run. Strings are copied. NULL and VALUE_UNKNOWN: not known. */
struct run_facts {
    const char *build, *commit, *ci_run;
    int64_t built_at_ms;
    const char *device_model, *soc, *model_code;
    const char *name; /* run id; NULL: named after the content, and a grown file replaces it */
    const char *os, *gpu_name, *series, *log_url, *outcome, *station, *scenario;
    const char *conditions; /* thermal or power state at the start; NULL: nothing unusual */
    int64_t started_at_ms;
    int64_t sample_every, kept_over_ns; /* sample_every VALUE_UNKNOWN: not declared */
    int64_t target_fps_milli, refresh_milli_hz;
    const char *interval;
    bool tests_holes, has_clock;
};
/* Measured while reading; given once, after the run's last segment. */
struct run_measures {
    int64_t dropped, rejected, holes_wide, holes_tested, gaps, gap_ns, clock_steps;
    const char *notes; /* JSON array of texts or NULL */
};
struct segment_facts {
    const char *scene, *quality; /* quality NULL: unknown */
    int64_t visit;
    bool broken;
    int64_t target_fps_milli, refresh_milli_hz;
};

struct store_writer;
/* texts: ids in the text columns are positions in this list of the importer, resolved at commit. */
struct dictionary;
/* The dictionary must stay until commit or abort. */
bool store_writer_begin(struct store *store, const struct dictionary *texts, struct store_writer **ret, struct error *error);
/* Returns a number for the run, from 0 on, in *ret_run. */
bool store_writer_add_run(struct store_writer *writer, const struct run_facts *facts, size_t *ret_run, struct error *error);
/* Facts that became known later (a log link in the last line): replaces those given. */
bool store_writer_update_run(struct store_writer *writer, size_t run, const struct run_facts *facts, struct error *error);
/*
 * Packs and spools. Segments of one run come in run order; those of different runs in any. More than 1 048 576 frames
 * become several segments of the same visit. A column without any known value is not stored.
 */
bool store_writer_add_segment(struct store_writer *writer, size_t run, const struct segment_facts *facts,
                              const struct frame_columns *columns, struct error *error);
/* A value beside frames: a sample, or a snapshot of memory. Kept in memory until the commit. */
struct sample_facts {
    const char *scene; /* NULL: of the run as a whole */
    const char *name;  /* of a snapshot: its category */
    const char *unit;  /* of a snapshot: the profiler that ran; "": none */
    double value;      /* of a snapshot: bytes */
    int64_t stamp_ns;  /* VALUE_UNKNOWN */
    bool snapshot;
};
bool store_writer_add_sample(struct store_writer *writer, size_t run, const struct sample_facts *facts, struct error *error);
void store_writer_set_measures(struct store_writer *writer, size_t run, const struct run_measures *measures);

struct import_facts {
    const char *path, *format, *report; /* report: JSON */
    const char *fingerprint;            /* 32 hex digits, of the decoded content */
    int64_t bytes, rejected;
};
enum import_result {
    IMPORT_NEW,            /* stored */
    IMPORT_ALREADY_THERE,  /* the same content was imported before: nothing changed */
    IMPORT_GREW            /* some runs replaced or extended earlier content */
};
struct import_outcome {
    enum import_result result;
    int64_t runs_new, runs_replaced, runs_extended, runs_unchanged;
    int64_t frames_new, samples_new;
    char earlier_path[512];       /* ALREADY_THERE: the first import */
    int64_t earlier_at_ms;
    int64_t import;               /* id */
};
/*
 * One BEGIN IMMEDIATE transaction. Same (build, device, run id) as a stored run: its frames are a prefix of the new
 * ones: replaced; equal or the new ones are a prefix of them: unchanged; no common (scene, stamp): extended; else the
 * whole file is refused and both imports are named. The writer is destroyed either way.
 */
bool store_writer_commit(struct store_writer *writer, const struct import_facts *facts, struct import_outcome *ret,
                         struct error *error);
/* What a commit would say and do, refusals included; the store stays as it is. The writer is destroyed, too. */
bool store_writer_rehearse(struct store_writer *writer, const struct import_facts *facts, struct import_outcome *ret,
                           struct error *error);
void store_writer_abort(struct store_writer *writer);

#endif
