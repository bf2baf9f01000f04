/*
 * What a build was found to be against its baseline, kept beside what analysis computed, so that the next who opens the
 * store need not read the earlier runs again. Verdicts are numbers here: what they mean is not for the store to know.
 */
#ifndef STUTTERSCOPE_STORE_VERDICTS_H
#define STUTTERSCOPE_STORE_VERDICTS_H

#include "stutterscope/base/figures.h"
#include "stutterscope/store/store.h"

struct stutter_verdict_row {
    struct stutter stutter; /* key.build is that of the comparison */
    bool present;
    unsigned verdict; /* enum verdict */
    bool history_short, doubted;
    char *reason;
    int64_t baseline_build; /* VALUE_UNKNOWN: none; the builds below likewise */
    bool baseline_pinned;
    int64_t baseline_peak_ns, delta_peak_ns;
    int64_t first_seen_build, last_clean_build;
};
struct clean_device_row {
    int64_t place; /* of the stutter in its list */
    int64_t device;
};
struct group_verdict_row {
    struct group_key key;
    unsigned figure, verdict; /* enum compared_figure, enum verdict */
    int64_t baseline_build;
    double before, after, delta, delta_percent, noise;
    bool history_short;
    char *reason;
};
/* Rows in the order they were kept in. Owns the reasons. */
struct build_verdicts {
    struct { struct stutter_verdict_row *items; size_t count, capacity; } stutters;
    struct { struct clean_device_row *items; size_t count, capacity; } clean; /* by place */
    struct { struct group_verdict_row *items; size_t count, capacity; } groups;
};
void build_verdicts_free(struct build_verdicts *verdicts);

/*
 * What was kept for the build with this stamp (see store_keep_verdicts). *ret_found false: nothing, or with another stamp.
 * Everything is of one moment.
 */
bool store_read_verdicts(struct store *store, const char *settings_key, int64_t build, const char *stamp, struct build_verdicts *ret,
                         bool *ret_found, struct error *error);
/*
 * Replaces what was kept for the build. The stamp names everything that the verdicts were made from; with the results of the
 * settings they go by themselves, also when these change. Those of the eight builds used last are kept. Does not wait: false
 * when the store is read-only or somebody else is writing to it; then nothing is lost but time.
 */
bool store_keep_verdicts(struct store *store, const char *settings_key, int64_t build, const char *stamp, const struct build_verdicts *verdicts);

#endif
