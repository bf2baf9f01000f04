/* What the tests of the store share: a folder of their own, and imports written in a line. */
#ifndef TESTS_STORE_FIXTURE_H
#define TESTS_STORE_FIXTURE_H

#include "stutterscope/base/dictionary.h"
#include "stutterscope/store/derived.h"
#include "stutterscope/store/frames.h"
#include "stutterscope/store/store.h"
#include "stutterscope/store/writer.h"

#define MS 1000000LL

/* A path in a new folder under /tmp; removed by scratch_remove(). */
const char *scratch_path(const char *name);
void scratch_make(void);
void scratch_remove(void);

struct store *open_store(const char *path, enum store_mode mode); /* asserts */

/* One visit: `count` frames, each frame_ns long and ending at first_end_ns, first_end_ns + frame_ns, … */
struct visit {
    const char *scene, *quality;
    int64_t first_end_ns, frame_ns;
    size_t count;
    const char *event; /* on the third frame */
};
struct run_facts plain_facts(const char *build, const char *device, const char *run);
/* Imports the visits as one run; false with the store's error. */
bool import_visits(struct store *store, const char *path, const char *fingerprint,
                   const struct run_facts *facts, const struct visit *visits, size_t count,
                   struct import_outcome *ret, struct error *error);
int64_t count_rows(struct store *store, const char *table); /* by a connection of its own */

#endif
