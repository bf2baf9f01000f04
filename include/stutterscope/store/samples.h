/*
 * Values beside frames as they are stored: samples (name, unit, value) and memory snapshots (category, bytes).
 */
#ifndef STUTTERSCOPE_STORE_SAMPLES_H
#define STUTTERSCOPE_STORE_SAMPLES_H

#include "stutterscope/store/store.h"

enum sample_kind { SAMPLE_VALUES, SAMPLE_SNAPSHOTS };

/* All values of one name in one scene of one run. Of snapshots the name is the category and the value bytes. */
struct sample_row {
    int64_t run, build, device, scene; /* scene 0: of the run as a whole */
    char *name;
    char *unit; /* of snapshots: the profiler that ran; "": none */
    int64_t count;
    double median, min, max;
};
struct sample_list {
    struct sample_row *items;
    size_t count, capacity;
};
/* By device, scene, name, unit, build, run. */
bool store_list_samples(struct store *store, enum sample_kind kind, const char *series, struct sample_list *ret, struct error *error);
/* Whether there is any snapshot. */
bool store_has_snapshots(struct store *store);
void sample_list_free(struct sample_list *list);

#endif
