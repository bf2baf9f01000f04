/*
 * What the files of Memory share: the snapshots of one device, scene by category, in the build looked at and before.
 */
#ifndef STUTTERSCOPE_VIEW_SCREENS_MEMORY_H
#define STUTTERSCOPE_VIEW_SCREENS_MEMORY_H

#include "stutterscope/model/snapshots.h"
#include "stutterscope/view/finder.h"
#include "stutterscope/view/session.h"

struct memory_device {
    int64_t device;
    char *title;
};
struct memory_row {
    int64_t scene;
    char *name;
    struct snapshot_total total;
    struct snapshot_range series;
};
/* A scene that grew more than measuring moves it: by 1 MB and 2 %. */
struct memory_growth {
    int64_t device, scene; /* 0: none */
    double delta, percent;
    size_t devices, of;    /* on how many of the devices with snapshots there */
};

struct memory_state {
    struct session *session;
    struct snapshots *snapshots; /* NULL: none */
    struct { struct memory_device *items; size_t count, capacity; } devices;
    struct { struct memory_row *items; size_t count, capacity; } rows;      /* scenes of the device */
    struct { char **items; size_t count, capacity; } categories;            /* of the device, the greatest first */
    const struct snapshot_series **cells;                                   /* rows x categories; NULL: not measured in this build */
    size_t device;                                                          /* in devices */
    struct memory_growth most;
    bool compared;                                                          /* at least one scene has a baseline */
    struct scroll row, column;                                              /* column 0: the total, then categories */
    bool placed;
    struct finder finder;
};

bool memory_recompute(void *state, const struct progress *progress, struct error *error);
void memory_clear(struct memory_state *state);
/* The series of a row's category, with the profiler of the row's total; NULL: not measured in this build. */
const struct snapshot_series *memory_series(const struct memory_state *state, size_t row, size_t category);
bool memory_has_grown(double delta, double before);
/* The bytes of a column (0: total) of a row in the build at `position`; NaN. */
double memory_bytes_in(const struct memory_state *state, size_t row, size_t column, size_t position);
const char *memory_column_name(const struct memory_state *state, size_t column);

struct memory_layout {
    struct area heads, grid, legend, pane;
    int name_columns, percent_columns, spark_columns, page_columns, first_column, first_row;
    bool boxed;
};
void memory_lay_out(const struct memory_state *state, struct area area, struct memory_layout *ret);
void memory_draw(const void *state, struct canvas *canvas, struct area area);
bool memory_act(void *state, const struct screen_event *event, struct screen_reply *reply);

#define MEMORY_TOTAL_COLUMNS    9
#define MEMORY_CHANGE_COLUMNS   9
#define MEMORY_CATEGORY_COLUMNS 11

#endif
