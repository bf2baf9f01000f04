/*
 * What the files of Cover share: runs per device and build, as numbers and names of its own.
 */
#ifndef STUTTERSCOPE_VIEW_SCREENS_COVER_H
#define STUTTERSCOPE_VIEW_SCREENS_COVER_H

#include "stutterscope/model/coverage.h"
#include "stutterscope/view/finder.h"
#include "stutterscope/view/session.h"

struct cover_cell {
    int64_t runs, sampled; /* sampled: with missing frames, or declared */
    int64_t spikes;        /* kept spikes only */
    bool interfered;       /* measuring disturbed it, as far as the build is analysed */
};

struct cover_row {
    int64_t device;
    char *title, *tier;
    int64_t fps_milli;
    double weight;
    struct coverage_cell cell; /* of the whole device, in the build looked at */
    int64_t play_ns, sampled, interfered, spikes;
    char *outcomes; /* how its runs ended; "" */
    enum coverage_state *scenes; /* one per scene */
    size_t scenes_here, scenes_missing;
};

struct cover_build {
    int64_t build;
    char *name; /* short */
    int64_t night_ms; /* earliest start of its runs; VALUE_UNKNOWN */
};

struct cover_device {
    int64_t device;
    enum coverage_state coverage;
};

/* Reads the frames of the device's runs: kept, and worked out ahead for the cells that one key reaches. */
struct cover_heat {
    int64_t build, device;
    char *text;
};

struct cover_state {
    struct session *session;
    struct { struct cover_device *items; size_t count, capacity; } devices; /* before the filter */
    struct { struct cover_row *items; size_t count, capacity; } rows;
    struct { struct cover_build *items; size_t count, capacity; } builds; /* with runs, oldest first */
    struct { char **items; size_t count, capacity; } scenes;              /* that occur */
    struct cover_cell *cells;                                             /* rows x builds */
    int64_t runs, expected_runs;
    size_t silent, partial, sampled;
    int64_t expected;       /* what most devices have; 0 unknown */
    const char *heat;       /* of the device at the cursor, by quarter of its runs; "" not known; in heats */
    struct { struct cover_heat *items; size_t count, capacity; } heats; /* what was worked out so far */
    bool heat_stopped;      /* nothing is worked out ahead any more */
    struct session_nights nights;
    int64_t last_import_ms, files, rejected; /* of the day of the last import */
    bool empty;
    struct scroll row, column;
    bool placed;
    struct finder finder;
    char *other_names; /* of scenes and events, one a line */
};

size_t cover_count_fitting(const void *state, const struct filter *filter, size_t *ret_of);
bool cover_recompute(void *state, const struct progress *progress, struct error *error);
void cover_find_heat(struct cover_state *state); /* after the cursor moved */
void cover_clear(struct cover_state *state);
const struct cover_cell *cover_cell_at(const struct cover_state *state, size_t row, size_t column);

struct cover_layout {
    struct area heads, grid, legend, pane, import;
    int name_columns, first_column, page_columns, first_row, scene_columns, minute_columns, note_columns;
    bool boxed;
};
void cover_lay_out(const struct cover_state *state, struct area area, struct cover_layout *ret);
void cover_draw(const void *state, struct canvas *canvas, struct area area);
bool cover_act(void *state, const struct screen_event *event, struct screen_reply *reply);

#define COVER_EXPECTED_COLUMNS 4
#define COVER_CELL_COLUMNS     4

#endif
