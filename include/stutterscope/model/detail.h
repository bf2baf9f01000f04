/*
 * One window from close by: the frames around it, the whole run as a strip, the events, typical and worst frame.
 */
#ifndef STUTTERSCOPE_MODEL_DETAIL_H
#define STUTTERSCOPE_MODEL_DETAIL_H

#include "stutterscope/model/comparison.h"

struct run_event {
    int64_t stamp_ns; /* begin: start of the frame that carries it */
    int64_t event;
};
struct run_visit {
    int64_t scene, quality, start_ns, end_ns;
};
/* The frames of one run, whole, as arrays; times on the run's clock, starting at first_ns. */
struct run_detail {
    const struct run_row *run;
    struct run_list owned; /* holds run */
    size_t count;
    int64_t *stamp_ns, *frame_ns;           /* stamp: END of the frame */
    int64_t *cpu_ns, *gpu_ns, *gc, *draw_calls; /* VALUE_UNKNOWN; never NULL */
    bool has_cpu, has_gpu, has_gc, has_draw_calls;
    int64_t *screenshot;                    /* text ids, 0 none */
    uint8_t *labels;                        /* enum frame_label */
    int64_t *fps_milli;                     /* per frame */
    int64_t first_ns, last_ns;              /* start of the first, end of the last frame */
    int64_t elsewhere;                      /* frames of the run that stay in a server; 0: all are here */
    struct { struct run_event *items; size_t count, capacity; } events;
    struct { struct run_visit *items; size_t count, capacity; } visits;
    struct { struct stutter_window *items; size_t count, capacity; } windows; /* all of the run, by start */
};
bool model_run_detail(struct model *model, int64_t run, struct run_detail **ret, struct error *error);
void run_detail_destroy(struct run_detail *detail);
/* Index of the frame that contains the time (or the nearest one). */
size_t run_detail_frame_at(const struct run_detail *detail, int64_t ns);
/* Greatest value of a column among the frames that touch [from, to); VALUE_UNKNOWN without any. */
int64_t run_detail_peak(const struct run_detail *detail, const int64_t *column, int64_t from_ns, int64_t to_ns);
/* Frame nearest to the median of the gameplay frames of this scene and quality. */
size_t run_detail_typical(const struct run_detail *detail, const struct stutter_window *window);

/* The sentences "why picked" and "probable cause": lines, '\n' between them; new strings. */
char *window_why_text(struct model *model, const struct stutter_window *window);
/* Evidence per cause; also what it is not. Measured figures are in the text; the words are an estimate. */
char *window_cause_text(struct model *model, const struct stutter_window *window);
const char *cause_name(enum cause cause); /* "CPU-bound" */
/* "CPU-bound, GPU not recorded"; the first cause decides. Static buffer of the caller. */
char *causes_print(char *buffer, size_t size, const struct stutter_window *window);

/* Per run of the build, device: the peak of this stutter's event and whether it was hit; in run order. */
struct stutter_run {
    const char *name;
    int64_t run;
    bool can_show, hit;
    int64_t peak_ns; /* VALUE_UNKNOWN */
};
struct stutter_runs {
    struct stutter_run *items;
    size_t count, capacity;
    struct run_list owned;
};
bool model_stutter_runs(struct model *model, const struct stutter_entry *entry, struct stutter_runs *ret, struct error *error);
/* The same without asking the store again; its names hold until the model reads anything. For what is shown at once. */
bool model_stutter_hits(struct model *model, const struct stutter_entry *entry, struct stutter_runs *ret, struct error *error);
void stutter_runs_free(struct stutter_runs *runs);

#endif
