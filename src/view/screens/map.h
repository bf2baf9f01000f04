/*
 * What the files of the Map share: the state that recompute fills and draw reads. Names and figures are copies, so that
 * analysis that goes on in the background cannot pull them away.
 */
#ifndef STUTTERSCOPE_VIEW_SCREENS_MAP_H
#define STUTTERSCOPE_VIEW_SCREENS_MAP_H

#include "stutterscope/model/coverage.h"
#include "stutterscope/model/detail.h"
#include "stutterscope/view/finder.h"
#include "stutterscope/view/session.h"

#define MAP_NO_DRIFT COMPARED_COUNT
#define MAP_TREND_BUILDS 24

struct map_row {
    int64_t device;
    char *title, *tier;        /* never NULL */
    int64_t fps_milli;         /* VALUE_UNKNOWN */
    double weight, what_if;    /* equal unless somebody tries another weight */
    char *sentence;            /* in place of the cells, behind the word MISSING; NULL: cells */
    bool sampled;
    int open;                  /* cells with something to decide */
    enum coverage_state coverage;
    int64_t runs, expected, last, since;
    char *group;               /* the row that it is a part of, or is; NULL while rows are devices */
    size_t devices, missing;   /* in a row of several: all, those that show no cells */
};
struct map_rows {
    struct map_row *items;
    size_t count, capacity;
};

/* What a row stands for. */
enum map_rows_of { MAP_DEVICES, MAP_TIERS, MAP_SYSTEMS, MAP_CHIPS, MAP_ROWS_COUNT };

struct map_column {
    int64_t scene;
    char *name;
    char mark; /* of the cells below, what is to decide; ' ' none */
};

struct map_cell {
    struct heat_cell heat;      /* its `stutter` is NULL here */
    size_t entry;               /* what the cell is about, in state->entries; SIZE_MAX: no stutter */
    enum compared_figure drift; /* the figure that is worse without a stutter; MAP_NO_DRIFT */
    size_t member;              /* in a row of several devices: the one that is shown, in state->members */
};

/* What a filter asks of a cell beside its stutters. */
struct map_place_facts {
    int64_t device, scene;
    enum coverage_state coverage;
    bool drift, slow, decide, shown;
};

struct map_open {
    struct open_item item; /* its `worst` is NULL here */
    char *text;            /* "boss_spawn" */
    char mark;
    double severity; /* NaN when it has none */
};

/* Filed or done, and to be looked at in this build: the worst of its line. */
struct map_verify {
    char id[192];
    int64_t device, scene;
};

/* What is known about the cell at the cursor. */
struct map_detail {
    bool known;
    int64_t fps_milli, budget_ns, alert_ns;
    struct { bool *items; size_t count, capacity; } hits; /* runs in order */
    double trend[MAP_TREND_BUILDS];                       /* peak per build, oldest first; NaN: no data */
    size_t trend_count;
    bool has_now, has_before;
    struct distribution now, before; /* of the group, of its baseline */
    int64_t baseline_build;
    int64_t runs, play_ns;
    double lost_now, lost_before; /* ms per s; NaN */
    bool has_window;
    struct stutter_window window;
    char *qualities, *also, *clean, *unclear, *others; /* "" without */
    struct figure_comparison drift;                     /* when the cell has one */
    bool has_p99;
    struct figure_comparison p99; /* of the group: medians over the runs, which pooled P99s are not */
};

enum map_sort { MAP_BY_TIER, MAP_WORST_FIRST };

/* What a row or a column comes to. */
struct map_sum {
    size_t hit, of; /* cells with a stutter, worse or slow, of those with data */
    double median;  /* of their values, where those are no stutters; NaN without one */
};

/* What tells which entry somebody looks for. */
struct map_entry_key {
    int64_t scene, device, event;
    enum frame_label label;
    bool present;
    size_t entry; /* in state->entries */
};

struct map_state {
    struct session *session;

    struct map_rows rows;
    enum map_rows_of rows_of;
    struct map_rows members;       /* the devices, while rows are something else */
    struct map_cell *member_cells; /* members x columns */
    bool regrouped;                /* the rows are of another kind than before */
    size_t came_for;               /* the member that somebody went to; SIZE_MAX: the one that the cell shows */
    struct { struct map_column *items; size_t count, capacity; } columns;
    struct map_cell *cells; /* rows x columns */
    struct map_sum *row_sums, *column_sums; /* as rows and columns lie */
    struct { struct stutter_entry *items; size_t count, capacity; } entries; /* clean_devices are copies, too */
    struct { struct map_entry_key *items; size_t count, capacity; } entry_keys; /* of the entries, by scene */
    struct { struct group_comparison *items; size_t count, capacity; } comparisons; /* by scene, device, quality, figure */
    struct { struct map_place_facts *items; size_t count, capacity; } places; /* all, row by row */
    size_t place_columns;
    struct { struct map_open *items; size_t count, capacity; } open;
    struct { struct map_verify *items; size_t count, capacity; } verify; /* what Tab goes to behind what is open */
    int verify_at;           /* the one the cursor was brought to; -1: none */
    double quantiles[4];
    double greatest;         /* value of a cell */
    int64_t baseline;        /* the usual one */
    size_t qualities;        /* that occur */
    int64_t transitions, stutters;
    int64_t runs, expected_runs;
    struct session_nights nights;
    bool empty;              /* the store has no runs */
    bool hidden;             /* the filter hides something */

    struct scroll row, column; /* the cursor */
    struct scroll list;        /* where there is no room for a map: in the list of what is to decide */
    enum map_sort sort;
    bool descending;           /* false: as the sort order says; true: the other way round */
    struct map_detail detail;
    struct finder finder;
    bool placed;               /* the cursor was put somewhere */
    int64_t waited;            /* devices that waited for analysis when it began; 0: it does not go on */
    int64_t shown_ms, took_ms; /* when the map was worked out last, and how long that took */
    bool stopped;              /* somebody wants no more analysis in the background */
    struct { int64_t device; double weight; } *what_if; /* weights tried */
    size_t what_if_count, what_if_capacity;
};

/* map_data.c */
bool map_recompute(void *state, const struct progress *progress, struct error *error);
void map_clear(struct map_state *state); /* everything that recompute fills */
const struct map_cell *map_cell_at(const struct map_state *state, int row, int column); /* NULL outside */
const struct map_cell *map_cell_here(const struct map_state *state);
const struct map_row *map_row_here(const struct map_state *state);
const struct map_column *map_column_here(const struct map_state *state);
const struct stutter_entry *map_entry_of(const struct map_state *state, const struct map_cell *cell); /* NULL */
/* map_index.c: once the entries are there. NULL where there are none. */
void map_index_make(struct map_state *state, const struct group_comparisons *comparisons);
void map_index_clear(struct map_state *state);
const struct map_entry_key *map_entry_keys(const struct map_state *state, int64_t scene, size_t *ret_count); /* worst first */
const struct group_comparison *map_comparisons(const struct map_state *state, int64_t device, int64_t scene, size_t *ret_count);
/* With the weight that is tried. */
double map_value(const struct map_state *state, const struct map_row *row, const struct map_cell *cell);
int map_step(const struct map_state *state, double value); /* heat 0 … 4 */
double map_shown(const struct map_state *state, double value); /* in the metric's shown unit */
bool map_is_measured(enum metric metric); /* beside frame times: where it is not, nothing is clean */
bool map_is_open(const struct stutter_entry *entry);
double map_lost(const struct stutter *stutter); /* ms of excess per second of play; NaN */

/* map_filter.c */
void map_note_places(struct map_state *state); /* before anything is hidden */
void map_filter(struct map_state *state);
void map_ask_filter(void *state, const struct screen_event *event, struct screen_reply *reply);

/* map_order.c */
void map_arrange(struct map_state *state); /* filter, then sort */
void map_place(struct map_state *state);   /* the cursor: where the session says, else at the first thing to decide */
void map_choose(struct map_state *state);  /* after the cursor moved: tells the session, works out the detail */
bool map_go_to(struct map_state *state, int64_t device, int64_t scene); /* scene 0: the column stays */
int map_open_here(const struct map_state *state); /* which thing to decide the cursor is on; -1 */

/* map_collapse.c */
void map_collapse(struct map_state *state); /* rows of devices become rows of what is asked for */
const char *map_rows_title(enum map_rows_of rows_of); /* "tiers" */
const struct map_rows *map_devices(const struct map_state *state); /* whatever the rows are */
const struct map_cell *map_device_cell(const struct map_state *state, size_t device, int column);
bool map_row_holds(const struct map_state *state, const struct map_row *row, const struct map_row *device);
size_t map_member_here(const struct map_state *state);
/* map_detail.c */
void map_find_detail(struct map_state *state);
void map_clear_detail(struct map_detail *detail);

/* map_layout.c */
struct map_layout {
    bool list;       /* too small for a map: what is to decide, line by line */
    struct area coverage, heads, grid, summary, legend, pane, open; /* rows 0: not there */
    bool boxed, side, separators, two_heads;
    int tier_columns, name_columns, fps_columns, weight_columns, todo_columns, sum_columns; /* 0: left out */
    int head_columns; /* all that stays at the left */
    int slot;         /* columns of a cell with its brackets */
    int digits;       /* of its figure */
    int page_rows, page_columns, first_row, first_column;
};
void map_lay_out(const struct map_state *state, struct area area, struct map_layout *ret);
/* The canvas row of a row of the map; -1 when it is not seen. */
int map_canvas_row(const struct map_state *state, const struct map_layout *layout, int row);
bool map_starts_tier(const struct map_state *state, int row);

/* map_draw.c, map_pane.c, map_list.c */
void map_draw(const void *state, struct canvas *canvas, struct area area);
void map_draw_pane(const struct map_state *state, struct canvas *canvas, const struct map_layout *layout);
void map_draw_open(const struct map_state *state, struct canvas *canvas, struct area area, int selected);
/* map_sums.c */
void map_add_up(struct map_state *state); /* what is drawn at the ends of rows and columns */
const char *map_sum_title(const struct map_state *state);
void map_draw_row_sum(const struct map_state *state, struct canvas *canvas, const struct map_layout *layout,
                      int index, int row);
void map_draw_sums(const struct map_state *state, struct canvas *canvas, const struct map_layout *layout);
void map_draw_coverage(const struct map_state *state, struct canvas *canvas, struct area area);

/* map_keep.c */
void map_keep(const void *state, struct view_words *words);
void map_take(void *state, const struct view_words *words, bool filled);

/* map_work.c: analysis of what is missing, device by device, while the screen shows what is there */
enum screen_work map_work(void *state, struct screen_progress *ret, struct error *error);
void map_stop_work(void *state);

/* map_act.c, map_show.c, map_find.c, map_why.c */
extern const struct screen_handler map_show_handlers[];
bool map_act(void *state, const struct screen_event *event, struct screen_reply *reply);
void map_find(void *state, const struct screen_event *event, struct screen_reply *reply);
char *map_why(const struct map_state *state);
void map_try_weight(struct map_state *state, int64_t device, double weight); /* what if it weighed that */

#endif
