/*
 * How long work tells where it is and learns that it should stop.
 */
#ifndef STUTTERSCOPE_BASE_PROGRESS_H
#define STUTTERSCOPE_BASE_PROGRESS_H

#include "stutterscope/base/error.h"
#include <stdbool.h>
#include <stdint.h>

struct progress {
    /* Called now and then; returns false to stop. done and total in the unit of the work; total 0: not known. */
    bool (*report)(void *user, const char *what, int64_t done, int64_t total);
    void *user;
};

/* false with ERROR_STOPPED when the user wants to stop. progress may be NULL. */
bool progress_report(const struct progress *progress, const char *what, int64_t done, int64_t total, struct error *error);

#endif
