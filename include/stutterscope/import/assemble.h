/*
 * Between readers and the store: joins what the user said to what the file says, splits frames into runs,
 * visits and segments, checks the clock, measures holes. Memory stays flat however long or interleaved the
 * file is.
 */
#ifndef STUTTERSCOPE_IMPORT_ASSEMBLE_H
#define STUTTERSCOPE_IMPORT_ASSEMBLE_H

#include "stutterscope/import/log.h"
#include "stutterscope/import/options.h"

#define SEGMENT_FRAMES 65536

/* What is known of a run; the same fields as the store's run_facts. NULL, VALUE_UNKNOWN: not known. */
struct assembled_facts {
    const char *build, *commit, *ci_run;
    int64_t built_at_ms;
    const char *device_model, *soc, *model_code;
    const char *name; /* NULL: the file has no run id */
    const char *os, *gpu_name, *series, *log_url, *outcome, *station, *scenario;
    const char *conditions; /* "thermal_serious", "low_power_mode_on" at the first frame; NULL: nothing unusual */
    int64_t started_at_ms;
    int64_t sample_every, kept_over_ns;
    int64_t target_fps_milli, refresh_milli_hz;
    const char *interval;
    bool tests_holes, has_clock;
};
/* Definitions of holes, gaps and clock steps: see "Holes" and "Identities" in the man page on definitions. */
struct assembled_measures {
    int64_t dropped, rejected, holes_wide, holes_tested, gaps, gap_ns, clock_steps;
    const char *notes; /* JSON array of texts or NULL */
};
struct assembled_segment {
    const char *scene, *quality; /* quality NULL: unknown */
    int64_t visit;
    bool broken; /* a clock step lies before it */
    int64_t target_fps_milli, refresh_milli_hz;
};

/* A value beside frames; see struct import_value. */
struct assembled_sample {
    const char *scene; /* NULL: not known */
    const char *name, *unit;
    double value;
    int64_t stamp_ns;
    bool snapshot;
};

/* Where finished pieces go: the store's writer, or a test's recorder. */
struct segment_sink {
    void *user;
    bool (*add_run)(void *user, const struct assembled_facts *facts, size_t *ret_run, struct error *error);
    bool (*update_run)(void *user, size_t run, const struct assembled_facts *facts, struct error *error);
    /* The columns may be changed by the receiver; they are gone after the call. */
    bool (*add_segment)(void *user, size_t run, const struct assembled_segment *facts,
                        const struct frame_columns *columns, struct error *error);
    void (*set_measures)(void *user, size_t run, const struct assembled_measures *measures);
    /* NULL: samples are not taken. */
    bool (*add_sample)(void *user, size_t run, const struct assembled_sample *sample, struct error *error);
};

/* A finished run, for the report. */
struct assembled_run {
    struct assembled_facts facts;
    struct assembled_measures measures; /* notes is NULL here */
    int64_t frames, samples, visits, sum_ns, first_frame_ns, first_stamp_ns, last_stamp_ns, longest_gap_ns;
};

struct assembler;
/* texts, log, sink must outlive it. NULL with ERROR_USAGE when an option's value makes no sense ("--fps
 * abc"). */
struct assembler *assembler_create(const struct import_options *options, struct dictionary *texts,
                                   struct import_log *log, const struct segment_sink *sink,
                                   struct error *error);
void assembler_destroy(struct assembler *assembler);
/* The sink for a reader. */
const struct import_sink *assembler_sink(struct assembler *assembler);
/* Hands over what is open and all measures. false when there is no frame at all: the error says why. */
bool assembler_finish(struct assembler *assembler, struct error *error);
/* After assembler_finish(). */
const struct assembled_run *assembler_run(const struct assembler *assembler,
                                          size_t index); /* NULL after the last */
int64_t assembler_frames(const struct assembler *assembler);
int64_t assembler_samples(const struct assembler *assembler);
/* Whether some frames had display intervals beside their frame times. */
bool assembler_has_display(const struct assembler *assembler);
/* Of contexts and frames as numbers: encoding, line ends, column order do not matter. */
void assembler_fingerprint(const struct assembler *assembler, char hex[33]);

#endif
