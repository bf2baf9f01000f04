/*
 * What the files of the Queue share: its lines (one per probable bug), the rows that are shown of them, and
 * the pane with everything about the line at the cursor. Plain data, made by recompute and by moves, read by
 * drawing.
 */
#ifndef STUTTERSCOPE_VIEW_SCREENS_QUEUE_H
#define STUTTERSCOPE_VIEW_SCREENS_QUEUE_H

#include "analysis_steps.h"
#include "stutterscope/model/findings.h"
#include "stutterscope/view/list.h"
#include "stutterscope/view/pager.h"
#include "stutterscope/view/screens.h"
#include "stutterscope/view/session.h"

enum queue_section {
    SECTION_DECIDE,
    SECTION_VERIFY,
    SECTION_DECIDED,
    SECTION_UNCLEAR,
    SECTION_ONCE,
    SECTION_SAME,
    SECTION_GONE,
    SECTION_NOT_EXERCISED,
    SECTION_TRANSITIONS,
    SECTION_COUNT
};

enum queue_kind { QUEUE_STUTTER, QUEUE_DRIFT, QUEUE_SLOW, QUEUE_SILENT, QUEUE_PARTIAL, QUEUE_VERIFY };

/* Members' entries are copies without their lists of clean devices: the model's own may be gone while this is
 * drawn. */
struct queue_members {
    struct stutter_entry *items;
    size_t count, capacity;
};
struct queue_drifts {
    struct group_comparison *items;
    size_t count, capacity;
};

struct queue_line {
    enum queue_kind kind;
    enum queue_section section;
    enum verdict verdict;
    enum frame_label label;
    int64_t event, scene, device; /* event, scene: 0 for silent, partial; device: the worst one */
    struct queue_members members; /* stutters, worst first; the first is the one that the line speaks of */
    struct queue_drifts drifts;
    struct {
        struct triage_subject *items;
        size_t count, capacity;
    } subjects;   /* what is decided on; of stutters the members are */
    struct triage_facts triage; /* of the worst member; its texts are the model's until the next decision */
    bool gone;    /* to verify: none of it is there any more */
    size_t order; /* in what is to decide */
    double severity;
    int64_t peak_ns, delta_ns; /* VALUE_UNKNOWN */
    int64_t runs_hit, runs;
    char *what, *where, *devices, *why;
    bool unfolded;
};

enum queue_row_kind { ROW_SECTION, ROW_LINE, ROW_MEMBER };
struct queue_row {
    enum queue_row_kind kind;
    enum queue_section section;
    size_t line, member;
};

/* Where a row stands: folded sections share a row of the screen. */
struct queue_place {
    int row, column;
};

#define QUEUE_BUILDS 12
struct pane_member {
    const struct stutter_entry *entry;
    char device[96], quality[48], strip[160], cause[160];
    int64_t cpu_ns, gpu_ns;
    double history[QUEUE_BUILDS]; /* peak of the event per build, oldest first; NAN: no data */
};
struct pane_text {
    const char *label;
    char *text;
    unsigned style;
};
struct queue_pane {
    char *title;
    struct {
        struct pane_member *items;
        size_t count, capacity;
    } members;
    struct {
        struct pane_text *items;
        size_t count, capacity;
    } texts;
    double highest; /* of all histories */
};

enum queue_order {
    ORDER_SEVERITY,
    ORDER_PEAK,
    ORDER_CHANGE,
    ORDER_RUNS,
    ORDER_WHAT,
    ORDER_WHERE,
    ORDER_COUNT
};

struct queue {
    struct session *session;
    struct {
        struct queue_line *items;
        size_t count, capacity;
    } lines;
    struct {
        struct queue_row *items;
        size_t count, capacity;
    } rows;
    size_t selected;                                   /* of the rows */
    int first;                                         /* row of the list at the top of the screen */
    size_t to_decide, to_verify, stutters, counts[SECTION_COUNT]; /* before the filter */
    size_t filtered;
    bool waits; /* some devices are not analysed yet */
    bool open[SECTION_COUNT];
    bool hides_delta;
    enum queue_order order;
    bool reversed;
    struct finder finder;
    int64_t cell_device, cell_scene; /* where the scope began, for `a` */
    size_t summarised;               /* decisions that a summary was shown for */
    int64_t *menu_builds;            /* what the menu of baselines offers */
    struct queue_pane pane;
    int64_t baseline; /* what the build is compared with, by rule or choice; 0: nothing */
    struct coverage *coverage; /* NULL: not asked for since the lines were made */
    char *summary; /* for the chat, once everything is decided; NULL: not asked for since the model was */
    struct analysis_steps steps;
};

/* ---- queue_lines.c ---- */

/* Asks the model and makes lines and rows; keeps what was unfolded and where the cursor was. */
bool queue_build(struct queue *queue, const struct progress *progress, struct error *error);
void queue_clear_lines(struct queue *queue);
const char *queue_figure_title(enum compared_figure figure); /* "P95" */
/* ---- queue_rows.c ---- */

size_t queue_count_fitting(const void *state, const struct filter *filter, size_t *ret_of);
void queue_make_rows(struct queue *queue); /* after folding, filtering, sorting */
/* To decide and to verify are always open. */
bool queue_section_is_open(const struct queue *queue, enum queue_section section);
const char *queue_section_title(enum queue_section section);
bool queue_line_contains(const struct queue_line *line, const char *text);
/* The line at the cursor; NULL on the heading of a section. */
struct queue_line *queue_line_at(const struct queue *queue, size_t row);
/* The entry at the cursor: a member, or the one the line speaks of; NULL where there is none. */
const struct stutter_entry *queue_entry_at(const struct queue *queue, size_t row);
/* One character for a line. */
const char *queue_line_mark(const struct queue_line *line);

/* ---- queue_pane.c ---- */

void queue_describe(struct queue *queue); /* fills the pane for the row at the cursor */
void queue_pane_clear(struct queue_pane *pane);
/* ---- queue_pane_draw.c, queue_why.c ---- */

int queue_pane_rows(const struct queue *queue, struct area area); /* rows that it wants, without border */
void queue_pane_draw(const struct queue *queue, struct canvas *canvas, struct area area);
char *queue_why_text(struct queue *queue); /* new string */

/* ---- queue_draw.c ---- */

void queue_draw(const void *state, struct canvas *canvas, struct area area);
/* The part of the body with the list of lines. */
struct area queue_list_area(const struct queue *queue, struct area body);
/* Fills one place per row; returns the rows of the screen that all need. */
int queue_lay(const struct queue *queue, int columns, struct queue_place *places);
/* The row of the queue at a place of the canvas, -1. */
int queue_row_at(const struct queue *queue, struct area body, int row, int column);
/* Moves `first` so that the selected row is seen. */
void queue_show_selected(struct queue *queue, struct area body);

/* ---- queue_keep.c ---- */

void queue_keep(const void *state, struct view_words *words);
void queue_take(void *state, const struct view_words *words, bool filled);

/* ---- queue_act.c ---- */

bool queue_act(void *state, const struct screen_event *event, struct screen_reply *reply);

#endif
