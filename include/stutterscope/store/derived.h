/*
 * What analysis computed, kept so that opening costs the number of cells. Everything here can be dropped and rebuilt.
 * Rows belong to an analysis (a settings key); a group whose frames changed after its rows were written is stale.
 */
#ifndef STUTTERSCOPE_STORE_DERIVED_H
#define STUTTERSCOPE_STORE_DERIVED_H

#include "stutterscope/base/figures.h"
#include "stutterscope/store/store.h"

/* All results of one group for one settings key. Arrays in no particular order. */
struct group_results {
    struct group_figures group;
    int64_t version; /* of the group_state whose frames were read; 0: as of now */
    struct { struct run_figures *items; size_t count, capacity; } runs;
    struct { struct event_figures *items; size_t count, capacity; } events;
    struct { struct stutter_window *items; size_t count, capacity; } windows;
    struct { struct stutter *items; size_t count, capacity; } stutters; /* worst_window: index into windows while in memory, id from the store */
};
void group_results_free(struct group_results *results); /* the arrays */

/* The groups of a build (0: all) that have frames in the series (NULL: any), as they came in; stale: no current rows exist for the key. */
struct group_state {
    struct group_key key;
    int64_t frames, runs;
    int64_t version; /* changes with its frames */
    bool stale;
};
struct group_state_list {
    struct group_state *items;
    size_t count, capacity;
};
bool store_list_groups(struct store *store, const char *settings_key, const char *series, int64_t build, struct group_state_list *ret, struct error *error);
void group_state_list_free(struct group_state_list *list);

/*
 * Replaces the rows of these groups. Call between store_derived_begin() and store_derived_end() (one transaction, many groups).
 * Results of frames that an import changed meanwhile (by version) are not kept: the group stays stale. When putting
 * fails, nothing since begin is kept and end fails too. Results for the three settings used last are kept.
 */
bool store_derived_begin(struct store *store, const char *settings_key, struct error *error);
bool store_derived_put(struct store *store, const struct group_results *results, size_t count, struct error *error);
bool store_derived_end(struct store *store, struct error *error);
/*
 * For results so many that writing them takes its time: from here on they go into the store's own file, once, instead of into
 * the log and from there, if nobody else has the store open now. Then whoever reads meanwhile keeps a transaction from
 * ending, those of the same program, too. false: it stays as it is.
 */
bool store_derived_go_direct(struct store *store);
/* Back to the log, which needs to be alone with the store again; it stays as it is otherwise, and is right with either. */
void store_derived_leave_direct(struct store *store);

/*
 * Reading: every filter field 0 (quality -1) means all; run does not narrow groups and stutters. Rows appended to the
 * lists, stale ones too. Settings without results give no rows.
 */
struct derived_filter {
    int64_t build, device, scene, quality, run;
};
struct group_figures_list { struct group_figures *items; size_t count, capacity; };
struct run_figures_list { struct run_figures *items; size_t count, capacity; };
struct event_figures_list { struct event_figures *items; size_t count, capacity; };
struct stutter_window_list { struct stutter_window *items; size_t count, capacity; };
struct stutter_list { struct stutter *items; size_t count, capacity; };
bool store_read_groups(struct store *store, const char *settings_key, const struct derived_filter *filter, struct group_figures_list *ret, struct error *error);
bool store_read_run_figures(struct store *store, const char *settings_key, const struct derived_filter *filter, struct run_figures_list *ret, struct error *error);
bool store_read_event_figures(struct store *store, const char *settings_key, const struct derived_filter *filter, struct event_figures_list *ret, struct error *error);
bool store_read_windows(struct store *store, const char *settings_key, const struct derived_filter *filter, struct stutter_window_list *ret, struct error *error);
bool store_read_stutters(struct store *store, const char *settings_key, const struct derived_filter *filter, struct stutter_list *ret, struct error *error);

#endif
