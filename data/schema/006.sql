-- What was computed of a group goes with the group: it needs no index by run, which cost a third of keeping it. Runs go only
-- after what was computed of their groups.

CREATE TABLE run_distribution_of_groups (
    frame_group INTEGER NOT NULL REFERENCES frame_group (id) ON DELETE CASCADE,
    analysis INTEGER NOT NULL REFERENCES analysis (id) ON DELETE CASCADE,
    run INTEGER NOT NULL,
    windows INTEGER, transitions INTEGER, gaps INTEGER, gap_ns INTEGER, flags INTEGER,
    frames INTEGER, frames_kept INTEGER, duration_ns INTEGER, median_ns REAL, mad_ns REAL,
    p95_ns INTEGER, p99_ns INTEGER,
    min_ns INTEGER, max_ns INTEGER, mean_ns REAL, low1_ns REAL, late INTEGER, over INTEGER,
    slow_frames INTEGER, excess_ns INTEGER,
    pause_frames INTEGER, pause_ns INTEGER, pause_over INTEGER,
    interference_frames INTEGER, interference_ns INTEGER, interference_over INTEGER,
    loading_frames INTEGER, loading_ns INTEGER, loading_over INTEGER,
    start_up_frames INTEGER, start_up_ns INTEGER, start_up_over INTEGER,
    scene_change_frames INTEGER, scene_change_ns INTEGER, scene_change_over INTEGER,
    PRIMARY KEY (frame_group, analysis, run)
) WITHOUT ROWID;
INSERT INTO run_distribution_of_groups SELECT * FROM run_distribution;
DROP TABLE run_distribution;
ALTER TABLE run_distribution_of_groups RENAME TO run_distribution;

CREATE TABLE event_figure_of_groups (
    frame_group INTEGER NOT NULL REFERENCES frame_group (id) ON DELETE CASCADE,
    analysis INTEGER NOT NULL REFERENCES analysis (id) ON DELETE CASCADE,
    run INTEGER NOT NULL,
    event INTEGER NOT NULL,         -- 0: frames of no event
    occurrences INTEGER, peak_ns INTEGER, windows INTEGER, excess_ns INTEGER,
    PRIMARY KEY (frame_group, analysis, run, event)
) WITHOUT ROWID;
INSERT INTO event_figure_of_groups SELECT * FROM event_figure;
DROP TABLE event_figure;
ALTER TABLE event_figure_of_groups RENAME TO event_figure;

CREATE TABLE window_of_groups (
    id INTEGER PRIMARY KEY,
    frame_group INTEGER NOT NULL REFERENCES frame_group (id) ON DELETE CASCADE,
    analysis INTEGER NOT NULL REFERENCES analysis (id) ON DELETE CASCADE,
    run INTEGER NOT NULL,
    label INTEGER NOT NULL,         -- 0 gameplay, 2 interference, 3 loading, 4 start-up, 5 scene change
    event INTEGER, event_before INTEGER, event_after INTEGER, event_offset_ns INTEGER,
    start_ns INTEGER, end_ns INTEGER, peak_ns INTEGER, peak_stamp_ns INTEGER, frames INTEGER,
    over INTEGER, excess_ns INTEGER,
    cpu_peak_ns INTEGER, gpu_peak_ns INTEGER, gc_peak INTEGER, cpu_at_peak_ns INTEGER, gpu_at_peak_ns INTEGER,
    draw_calls_at_peak INTEGER, limit_ns INTEGER, budget_ns INTEGER, z REAL, floor_used INTEGER,
    causes INTEGER,
    segment INTEGER, first_frame INTEGER, last_frame INTEGER, peak_frame INTEGER
);
INSERT INTO window_of_groups SELECT * FROM window;
DROP TABLE window;
ALTER TABLE window_of_groups RENAME TO window;
CREATE INDEX window_group ON window (frame_group, analysis);

-- What an import touched is found without looking through the groups of all builds.
CREATE INDEX frame_group_changed ON frame_group (changed);
