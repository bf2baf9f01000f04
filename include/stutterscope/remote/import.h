/*
 * From a table of a ClickHouse server into the store: figures of all frames as the server computes them, and
 * the frames that decide about stutters. Build by build; what the store has already is not asked for again.
 */
#ifndef STUTTERSCOPE_REMOTE_IMPORT_H
#define STUTTERSCOPE_REMOTE_IMPORT_H

#include "stutterscope/analysis/settings.h"
#include "stutterscope/base/progress.h"
#include "stutterscope/store/store.h"

/* What became of one build. */
struct remote_build_report {
    const char *address, *build; /* clean; build NULL: of all rows that say none, which are left out */
    bool unchanged;
    int64_t runs, frames, rejected, frames_kept, bytes; /* rejected: rows that were left out */
};
/* What is wrong with rows that are left out. */
#define REMOTE_REJECTED "rows without a sound time stamp or frame time, a scene, a run or a device"
struct remote_import {
    const char *address;                      /* clickhouse://… */
    const struct analysis_settings *settings; /* labels and threshold are made with them */
    const char *const *maps;                  /* "frame_time_us=dauer" */
    size_t map_count;
    const char *build; /* only this one; NULL: all */
    int64_t target_fps_milli; /* of all runs, whatever the table says; 0: not given */
    bool dry_run;
    const struct progress *progress; /* NULL: nobody looks */
    void *user;
    void (*tell)(void *user, const struct remote_build_report *report); /* after every build */
};
/*
 * Every build is stored whole or not at all: after a failure or a stop the builds told of so far are stored,
 * and the next import goes on behind them. store NULL with a dry run.
 */
bool remote_import(struct store *store, const struct remote_import *import, struct error *error);

#endif
