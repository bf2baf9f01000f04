#include "derived_tables.h"

#define TOTAL(row, name, label)                                                                              \
    {#name "_frames", ROW_INTEGER, offsetof(struct row, distribution.labelled[label].frames)},               \
        {#name "_ns", ROW_INTEGER, offsetof(struct row, distribution.labelled[label].ns)},                   \
    {                                                                                                        \
#name "_over", ROW_INTEGER, offsetof(struct row, distribution.labelled[label].over)                  \
    }
#define DISTRIBUTION(row, column, kind)                                                                      \
    {                                                                                                        \
#column, kind, offsetof(struct row, distribution.column)                                             \
    }
#define DISTRIBUTION_FIELDS(row)                                                                             \
    DISTRIBUTION(row, frames, ROW_INTEGER), DISTRIBUTION(row, frames_kept, ROW_INTEGER),                     \
        DISTRIBUTION(row, duration_ns, ROW_INTEGER), DISTRIBUTION(row, median_ns, ROW_REAL),                 \
        DISTRIBUTION(row, mad_ns, ROW_REAL), DISTRIBUTION(row, p95_ns, ROW_INTEGER),                         \
        DISTRIBUTION(row, p99_ns, ROW_INTEGER), DISTRIBUTION(row, min_ns, ROW_INTEGER),                      \
        DISTRIBUTION(row, max_ns, ROW_INTEGER), DISTRIBUTION(row, mean_ns, ROW_REAL),                        \
        DISTRIBUTION(row, low1_ns, ROW_REAL), DISTRIBUTION(row, late, ROW_INTEGER),                          \
        DISTRIBUTION(row, over, ROW_INTEGER), DISTRIBUTION(row, slow_frames, ROW_INTEGER),                   \
        DISTRIBUTION(row, excess_ns, ROW_INTEGER), TOTAL(row, pause, LABEL_PAUSE),                           \
        TOTAL(row, interference, LABEL_INTERFERENCE), TOTAL(row, loading, LABEL_LOADING),                    \
        TOTAL(row, start_up, LABEL_START_UP), TOTAL(row, scene_change, LABEL_SCENE_CHANGE)

#define PLACE(row, column, member)                                                                           \
    {                                                                                                        \
        "g." column, ROW_INTEGER, offsetof(struct row, member)                                               \
    }

static const struct row_field group_fields[] = {
    ROW_FIELD(group_figures, runs, ROW_INTEGER),    ROW_FIELD(group_figures, runs_windows, ROW_INTEGER),
    ROW_FIELD(group_figures, windows, ROW_INTEGER), ROW_FIELD(group_figures, transitions, ROW_INTEGER),
    ROW_FIELD(group_figures, gaps, ROW_INTEGER),    ROW_FIELD(group_figures, gap_ns, ROW_INTEGER),
    ROW_FIELD(group_figures, flags, ROW_INT),       DISTRIBUTION_FIELDS(group_figures),
};
static const struct row_field group_place[] = {
    PLACE(group_figures, "build", key.build),
    PLACE(group_figures, "device", key.device),
    PLACE(group_figures, "scene", key.scene),
    PLACE(group_figures, "quality", key.quality),
};

static const struct row_field run_figures_fields[] = {
    ROW_FIELD(run_figures, run, ROW_INTEGER),
    ROW_FIELD(run_figures, windows, ROW_INTEGER),
    ROW_FIELD(run_figures, transitions, ROW_INTEGER),
    ROW_FIELD(run_figures, gaps, ROW_INTEGER),
    ROW_FIELD(run_figures, gap_ns, ROW_INTEGER),
    ROW_FIELD(run_figures, flags, ROW_INT),
    DISTRIBUTION_FIELDS(run_figures),
};
static const struct row_field run_figures_place[] = {
    PLACE(run_figures, "scene", scene),
    PLACE(run_figures, "quality", quality),
};

static const struct row_field event_fields[] = {
    ROW_FIELD(event_figures, run, ROW_INTEGER),         ROW_FIELD(event_figures, event, ROW_INTEGER),
    ROW_FIELD(event_figures, occurrences, ROW_INTEGER), ROW_FIELD(event_figures, peak_ns, ROW_INTEGER),
    ROW_FIELD(event_figures, windows, ROW_INTEGER),     ROW_FIELD(event_figures, excess_ns, ROW_INTEGER),
};
static const struct row_field event_place[] = {
    PLACE(event_figures, "scene", scene),
    PLACE(event_figures, "quality", quality),
};

static const struct row_field window_fields[] = {
    ROW_FIELD(stutter_window, run, ROW_INTEGER),
    ROW_FIELD(stutter_window, label, ROW_INT),
    ROW_FIELD(stutter_window, event, ROW_INTEGER),
    ROW_FIELD(stutter_window, event_before, ROW_INTEGER),
    ROW_FIELD(stutter_window, event_after, ROW_INTEGER),
    ROW_FIELD(stutter_window, event_offset_ns, ROW_INTEGER),
    ROW_FIELD(stutter_window, start_ns, ROW_INTEGER),
    ROW_FIELD(stutter_window, end_ns, ROW_INTEGER),
    ROW_FIELD(stutter_window, peak_ns, ROW_INTEGER),
    ROW_FIELD(stutter_window, peak_stamp_ns, ROW_INTEGER),
    ROW_FIELD(stutter_window, frames, ROW_INTEGER),
    ROW_FIELD(stutter_window, over, ROW_INTEGER),
    ROW_FIELD(stutter_window, excess_ns, ROW_INTEGER),
    ROW_FIELD(stutter_window, cpu_peak_ns, ROW_INTEGER),
    ROW_FIELD(stutter_window, gpu_peak_ns, ROW_INTEGER),
    ROW_FIELD(stutter_window, gc_peak, ROW_INTEGER),
    ROW_FIELD(stutter_window, cpu_at_peak_ns, ROW_INTEGER),
    ROW_FIELD(stutter_window, gpu_at_peak_ns, ROW_INTEGER),
    ROW_FIELD(stutter_window, draw_calls_at_peak, ROW_INTEGER),
    ROW_FIELD(stutter_window, limit_ns, ROW_INTEGER),
    ROW_FIELD(stutter_window, budget_ns, ROW_INTEGER),
    ROW_FIELD(stutter_window, z, ROW_REAL),
    ROW_FIELD(stutter_window, floor_used, ROW_BOOL),
    ROW_FIELD(stutter_window, causes, ROW_INT),
    ROW_FIELD(stutter_window, segment, ROW_INTEGER),
    ROW_FIELD(stutter_window, first_frame, ROW_INTEGER),
    ROW_FIELD(stutter_window, last_frame, ROW_INTEGER),
    ROW_FIELD(stutter_window, peak_frame, ROW_INTEGER),
};
static const struct row_field window_place[] = {
    {"t.id", ROW_INTEGER, offsetof(struct stutter_window, id)},
    PLACE(stutter_window, "scene", scene),
    PLACE(stutter_window, "quality", quality),
};

static const struct row_field stutter_fields[] = {
    ROW_FIELD(stutter, label, ROW_INT),
    ROW_FIELD(stutter, event, ROW_INTEGER),
    ROW_FIELD(stutter, peak_ns, ROW_INTEGER),
    ROW_FIELD(stutter, runs_hit, ROW_INTEGER),
    ROW_FIELD(stutter, runs, ROW_INTEGER),
    ROW_FIELD(stutter, seen, ROW_INTEGER),
    ROW_FIELD(stutter, windows, ROW_INTEGER),
    ROW_FIELD(stutter, over, ROW_INTEGER),
    ROW_FIELD(stutter, excess_ns, ROW_INTEGER),
    ROW_FIELD(stutter, play_ns, ROW_INTEGER),
    ROW_FIELD(stutter, worst_window, ROW_INTEGER),
    ROW_FIELD(stutter, causes, ROW_INT),
};
static const struct row_field stutter_place[] = {
    PLACE(stutter, "build", key.build),
    PLACE(stutter, "device", key.device),
    PLACE(stutter, "scene", key.scene),
    PLACE(stutter, "quality", key.quality),
};

static const struct row_field summary_fields[] = {
    ROW_FIELD(summary_row, build, ROW_INTEGER),
    ROW_FIELD(summary_row, device, ROW_INTEGER),
    ROW_FIELD(summary_row, scene, ROW_INTEGER),
    ROW_FIELD(summary_row, quality, ROW_INTEGER),
    ROW_FIELD(summary_row, run, ROW_INTEGER),
    ROW_FIELD(summary_row, hot, ROW_BOOL),
    ROW_FIELD(summary_row, half_ns, ROW_INTEGER),
    DISTRIBUTION_FIELDS(summary_row),
};

#define TABLE(name, fields, place)                                                                           \
    {                                                                                                        \
        name, fields, ROW_COUNT(fields), place, ROW_COUNT(place)                                             \
    }
const struct derived_table derived_groups = TABLE("distribution", group_fields, group_place);
const struct derived_table derived_runs = TABLE("run_distribution", run_figures_fields, run_figures_place);
const struct derived_table derived_events = TABLE("event_figure", event_fields, event_place);
const struct derived_table derived_windows = TABLE("window", window_fields, window_place);
const struct derived_table derived_stutters = TABLE("stutter", stutter_fields, stutter_place);
/* No derived one, but of the same make. */
const struct derived_table summary_table = {"summary_distribution", summary_fields, ROW_COUNT(summary_fields), NULL, 0};

void derived_complete_labels(struct distribution *distribution)
{
    distribution->labelled[LABEL_GAMEPLAY] =
        (struct label_total){distribution->frames, distribution->duration_ns, distribution->over};
}
