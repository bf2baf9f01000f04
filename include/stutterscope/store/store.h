/*
 * The telemetry store: one SQLite file with facts as rows and frames as packed column segments. This header opens it
 * and lists facts; frames.h reads frames, writer.h imports, derived.h keeps what analysis computed.
 */
#ifndef STUTTERSCOPE_STORE_STORE_H
#define STUTTERSCOPE_STORE_STORE_H

#include "stutterscope/base/error.h"
#include "stutterscope/base/telemetry.h"
#include <stdbool.h>

struct store;

enum store_mode {
    STORE_READ,   /* never writes; the file may be read-only; it must exist */
    STORE_WRITE,  /* must exist */
    STORE_CREATE  /* made when it is not there (mode 0600) */
};

/* How long is waited for another program that writes, before ERROR_LOCKED. */
#define STORE_PATIENCE_MS 10000

/*
 * Migrates older stores (not with STORE_READ on a read-only file: then an error that says so). Folders above a new
 * store are made. An open store may be used by one thread at a time.
 */
bool store_open(const char *path, enum store_mode mode, struct store **ret, struct error *error);
void store_close(struct store *store);
const char *store_path(const struct store *store);
bool store_is_writable(const struct store *store);
void store_set_patience(struct store *store, int milliseconds);
/* For who reads all frames one after the other: hardly any page is asked for again, so few are kept in memory. */
void store_read_once(struct store *store);
/* Changes whenever anybody commits imports (not derived rows): for "2 new runs, R". */
int64_t store_generation(struct store *store);
/* Changes whenever another connection commits anything. */
int64_t store_version(struct store *store);

/*
 * What is read until store_release() is of one moment, and reading much is cheaper than statement by statement. False
 * when a transaction is open already: then there is nothing to release.
 */
bool store_hold(struct store *store);
void store_release(struct store *store);

/* Settings kept in the store ("analysis.factor", …): new string or NULL. */
char *store_get_setting(struct store *store, const char *name);
bool store_set_setting(struct store *store, const char *name, const char *value, struct error *error); /* NULL: removes it */

/* ---- facts: lists own their strings; free with the function beside ---- */

struct build_row {
    int64_t id;
    char *name, *commit, *ci_run; /* NULL: not known */
    int64_t built_at_ms;          /* VALUE_UNKNOWN */
    int64_t first_import;         /* ordinal of first sight */
    bool bad;
};
struct build_list {
    struct build_row *items;
    size_t count, capacity;
    const char *order; /* "build time" or "version": see the definitions */
};
/* Oldest first. Ordered by time when every build has one, else by natural version order, equal ones by first import. */
bool store_list_builds(struct store *store, struct build_list *ret, struct error *error);
void build_list_free(struct build_list *list);
bool store_update_build(struct store *store, const struct build_row *row, struct error *error); /* by id */
/* The build with this name, created when it is not there: builds may be declared before their first upload. */
bool store_find_or_add_build(struct store *store, const char *name, int64_t *ret_id, struct error *error);

struct device_row {
    int64_t id;
    char *model; /* device_model as the telemetry says */
    char *chip;  /* soc, else model_code, else "" */
    char *name, *tier; /* display text; NULL: not known */
    int64_t target_fps_milli; /* VALUE_UNKNOWN */
    double weight;            /* 1 unless told */
    bool declared;            /* in the devices file */
};
struct device_list {
    struct device_row *items;
    size_t count, capacity;
};
bool store_list_devices(struct store *store, struct device_list *ret, struct error *error); /* by id */
void device_list_free(struct device_list *list);
/*
 * Sets name, tier, target FPS and weight of all devices of this model (chip NULL) or of (model, chip), whether they
 * have uploaded yet or not. What is said for (model, chip) wins over what is said for the model.
 */
bool store_declare_device(struct store *store, const struct device_row *row, struct error *error);
/* What was declared, with chip NULL for a whole model, whether such devices have uploaded or not; without ids. */
bool store_list_declared_devices(struct store *store, struct device_list *ret, struct error *error);

struct text_row {
    int64_t id;
    char *text;
};
struct text_list {
    struct text_row *items;
    size_t count, capacity;
};
bool store_list_scenes(struct store *store, struct text_list *ret, struct error *error);
bool store_list_qualities(struct store *store, struct text_list *ret, struct error *error); /* unknown quality is id 0, not listed */
bool store_list_texts(struct store *store, struct text_list *ret, struct error *error); /* events, steps, thermal states, screenshots */
void text_list_free(struct text_list *list);

struct run_row {
    int64_t id, build, device;
    char *name;                     /* run id */
    char *os, *gpu_name, *series, *log_url, *outcome, *station, *scenario; /* NULL: not known; series "nightly" unless said */
    char *conditions;               /* thermal or power state at the start; NULL: nothing unusual */
    int64_t started_at_ms;
    struct { int64_t every, kept_over_ns; } sampling; /* every 1: full log; unknown: only frames over kept_over_ns */
    int64_t target_fps_milli, refresh_milli_hz;       /* of the run; VALUE_UNKNOWN */
    char *interval;                 /* "present", "display", "duration": what a frame time is */
    bool tests_holes;               /* frame time is an interval: holes say whether frames are missing */
    bool has_clock;
    int64_t import;                 /* of its latest content */
    /* measured at import, over the run */
    int64_t frames, dropped, rejected;
    int64_t holes_wide;             /* holes longer than half of the frame that follows them */
    int64_t holes_tested;           /* holes looked at */
    int64_t gaps, gap_ns;           /* holes over 500 ms */
    int64_t clock_steps;
    int64_t first_stamp_ns, last_stamp_ns, first_frame_ns, sum_ns;
    char *notes;                    /* JSON array of texts: what import changed or guessed about this run; NULL */
    /*
     * Summarised: the frames stay in a database server (summary.h); here are those over limit_ns, with an event, and
     * around these. frames and sum_ns are those of the whole run.
     */
    bool summarised;
    int64_t limit_ns;
    char *summary_settings;         /* labels and budgets that its figures were made with: analysis_labelling_text() */
};
struct run_list {
    struct run_row *items;
    size_t count, capacity;
    struct run_place { int64_t id; size_t at; } *by_id; /* for run_list_find() */
};
struct run_filter {
    int64_t build, device; /* 0: all */
    const char *series;    /* NULL: all */
    const char *name;      /* NULL: all */
    int64_t run;           /* 0: all */
};
bool store_list_runs(struct store *store, const struct run_filter *filter, struct run_list *ret, struct error *error); /* by start, then id */
void run_list_free(struct run_list *list);
/* The run of that id in a list that store_list_runs() made; NULL: it is not in it. */
const struct run_row *run_list_find(const struct run_list *list, int64_t run);

/* Where and when a run was: what those need who count runs of all builds. */
struct run_start {
    int64_t build, device, started_at_ms; /* VALUE_UNKNOWN: it does not say when */
};
struct run_start_list {
    struct run_start *items;
    size_t count, capacity;
};
/* Of a series, NULL: of all; in no order. */
bool store_list_run_starts(struct store *store, const char *series, struct run_start_list *ret, struct error *error);
void run_start_list_free(struct run_start_list *list);

struct import_row {
    int64_t id;
    char *path, *format, *fingerprint;
    int64_t imported_at_ms, bytes, frames, rejected;
    char *report; /* JSON: see import */
};
struct import_list {
    struct import_row *items;
    size_t count, capacity;
};
bool store_list_imports(struct store *store, struct import_list *ret, struct error *error);
void import_list_free(struct import_list *list);

/* ---- pins, expectations ---- */

/* A pinned baseline: device and scene 0 for the whole store. */
struct baseline_pin {
    int64_t device, scene, build;
};
struct baseline_pin_list {
    struct baseline_pin *items;
    size_t count, capacity;
};
/* By device, then scene; free with array_free(). */
bool store_list_baselines(struct store *store, struct baseline_pin_list *ret, struct error *error);

enum expectation_kind { EXPECTATION_EXPECTED, EXPECTATION_RETIRED, EXPECTATION_SKIPPED };
struct expectation_row {
    enum expectation_kind kind;
    char *device_model, *scene, *build, *note; /* scene NULL: all; build only for skipped */
};
struct expectation_list {
    struct expectation_row *items;
    size_t count, capacity;
};
bool store_list_expectations(struct store *store, struct expectation_list *ret, struct error *error);
bool store_add_expectation(struct store *store, const struct expectation_row *row, struct error *error);
bool store_clear_expectations(struct store *store, enum expectation_kind kind, struct error *error);
void expectation_list_free(struct expectation_list *list);

/* ---- integrity ---- */

/* Calls problem() for each fault found (segment checksums, counts, foreign keys, SQLite's own check); *ret_problems their number. */
bool store_check(struct store *store, void (*problem)(void *user, const char *text), void *user, int64_t *ret_problems, struct error *error);
bool store_drop_derived(struct store *store, struct error *error);

#endif
