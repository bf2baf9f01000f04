-- The first schema of a telemetry store. Times: *_ns are integers of nanoseconds, *_ms milliseconds since 1970
-- (UTC); NULL is "not known", never 0. Frames are no rows: they lie packed in the segment_* tables, one blob
-- a column.

CREATE TABLE setting (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE build (
    id INTEGER PRIMARY KEY,         -- in the order of first sight
    name TEXT NOT NULL UNIQUE,
    commit_id TEXT,
    ci_run TEXT,
    built_at_ms INTEGER,
    bad INTEGER NOT NULL DEFAULT 0  -- never a baseline
);

CREATE TABLE device (
    id INTEGER PRIMARY KEY,
    model TEXT NOT NULL,
    chip TEXT NOT NULL,             -- soc, else model code, else ''
    UNIQUE (model, chip)
);

-- What the devices file says, also of devices that have not uploaded yet. chip NULL: all of the model.
CREATE TABLE declared_device (
    model TEXT NOT NULL,
    chip TEXT,
    name TEXT,
    tier TEXT,
    target_fps_milli INTEGER,
    weight REAL NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX declared_device_identity ON declared_device (model, chip) WHERE chip IS NOT NULL;
CREATE UNIQUE INDEX declared_device_model ON declared_device (model) WHERE chip IS NULL;

CREATE TABLE scene (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);

CREATE TABLE quality (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);
INSERT INTO quality (id, name) VALUES (0, ''); -- unknown

-- Events, steps, thermal states, screenshots: what the text columns of the segments refer to.
CREATE TABLE text (
    id INTEGER PRIMARY KEY,
    text TEXT NOT NULL UNIQUE
);

CREATE TABLE import (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    path TEXT NOT NULL,
    format TEXT NOT NULL,
    fingerprint TEXT NOT NULL,      -- of the decoded content
    imported_at_ms INTEGER NOT NULL,
    bytes INTEGER,
    frames INTEGER NOT NULL,
    rejected INTEGER NOT NULL,
    runs INTEGER NOT NULL,
    report TEXT                     -- JSON
);
CREATE INDEX import_fingerprint ON import (fingerprint);

CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    build INTEGER NOT NULL REFERENCES build (id),
    device INTEGER NOT NULL REFERENCES device (id),
    name TEXT NOT NULL,
    anonymous INTEGER NOT NULL,     -- 1: the name is the hash of the frames
    os TEXT,
    gpu_name TEXT,
    series TEXT NOT NULL,
    log_url TEXT,
    outcome TEXT,
    station TEXT,
    scenario TEXT,
    conditions TEXT,                -- thermal or power state at the start, NULL: nothing unusual
    started_at_ms INTEGER,
    sample_every INTEGER,           -- NULL: no sampling declared
    kept_over_ns INTEGER,
    target_fps_milli INTEGER,
    refresh_milli_hz INTEGER,
    interval TEXT NOT NULL,         -- what a frame time is: present, display, duration
    tests_holes INTEGER NOT NULL,
    has_clock INTEGER NOT NULL,
    import INTEGER NOT NULL REFERENCES import (id),
    frames INTEGER NOT NULL,
    dropped INTEGER NOT NULL,
    rejected INTEGER NOT NULL,
    holes_wide INTEGER NOT NULL,
    holes_tested INTEGER NOT NULL,
    gaps INTEGER NOT NULL,
    gap_ns INTEGER NOT NULL,
    clock_steps INTEGER NOT NULL,
    first_stamp_ns INTEGER,
    last_stamp_ns INTEGER,
    first_frame_ns INTEGER NOT NULL,
    sum_ns INTEGER NOT NULL,
    notes TEXT,                     -- JSON array
    UNIQUE (build, device, name)
);
CREATE INDEX run_device ON run (device);

-- Which runs came with which file.
CREATE TABLE import_run (
    import INTEGER NOT NULL REFERENCES import (id) ON DELETE CASCADE,
    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    outcome TEXT NOT NULL,          -- new, replaced, extended, unchanged
    PRIMARY KEY (import, run)
) WITHOUT ROWID;
CREATE INDEX import_run_run ON import_run (run);

-- Consecutive frames of one run in one scene at one quality without a clock step. Order in the run:
-- visit, id.
CREATE TABLE segment (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    scene INTEGER NOT NULL REFERENCES scene (id),
    quality INTEGER NOT NULL REFERENCES quality (id),
    visit INTEGER NOT NULL,
    broken INTEGER NOT NULL,        -- 1: a clock step lies before it
    target_fps_milli INTEGER,
    refresh_milli_hz INTEGER,
    frames INTEGER NOT NULL,
    min_ns INTEGER NOT NULL,
    max_ns INTEGER NOT NULL,
    sum_ns INTEGER NOT NULL,
    first_stamp_ns INTEGER,
    last_stamp_ns INTEGER,
    columns INTEGER NOT NULL,       -- bit n: column n is stored
    import INTEGER NOT NULL REFERENCES import (id)
);
CREATE INDEX segment_run ON segment (run, visit);

CREATE TABLE segment_stamp (
    segment INTEGER PRIMARY KEY REFERENCES segment (id) ON DELETE CASCADE,
    data BLOB NOT NULL
);
CREATE TABLE segment_frame_time (
    segment INTEGER PRIMARY KEY REFERENCES segment (id) ON DELETE CASCADE,
    data BLOB NOT NULL
);
CREATE TABLE segment_cpu (
    segment INTEGER PRIMARY KEY REFERENCES segment (id) ON DELETE CASCADE,
    data BLOB NOT NULL
);
CREATE TABLE segment_gpu (
    segment INTEGER PRIMARY KEY REFERENCES segment (id) ON DELETE CASCADE,
    data BLOB NOT NULL
);
CREATE TABLE segment_display (
    segment INTEGER PRIMARY KEY REFERENCES segment (id) ON DELETE CASCADE,
    data BLOB NOT NULL
);
CREATE TABLE segment_gc (
    segment INTEGER PRIMARY KEY REFERENCES segment (id) ON DELETE CASCADE,
    data BLOB NOT NULL
);
CREATE TABLE segment_draw_calls (
    segment INTEGER PRIMARY KEY REFERENCES segment (id) ON DELETE CASCADE,
    data BLOB NOT NULL
);
CREATE TABLE segment_memory (
    segment INTEGER PRIMARY KEY REFERENCES segment (id) ON DELETE CASCADE,
    data BLOB NOT NULL
);
CREATE TABLE segment_event (
    segment INTEGER PRIMARY KEY REFERENCES segment (id) ON DELETE CASCADE,
    data BLOB NOT NULL
);
CREATE TABLE segment_step (
    segment INTEGER PRIMARY KEY REFERENCES segment (id) ON DELETE CASCADE,
    data BLOB NOT NULL
);
CREATE TABLE segment_thermal (
    segment INTEGER PRIMARY KEY REFERENCES segment (id) ON DELETE CASCADE,
    data BLOB NOT NULL
);
CREATE TABLE segment_screenshot (
    segment INTEGER PRIMARY KEY REFERENCES segment (id) ON DELETE CASCADE,
    data BLOB NOT NULL
);
CREATE TABLE segment_flags (
    segment INTEGER PRIMARY KEY REFERENCES segment (id) ON DELETE CASCADE,
    data BLOB NOT NULL
);

-- The frames that share one distribution.
CREATE TABLE frame_group (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    build INTEGER NOT NULL REFERENCES build (id),
    device INTEGER NOT NULL REFERENCES device (id),
    scene INTEGER NOT NULL REFERENCES scene (id),
    quality INTEGER NOT NULL REFERENCES quality (id),
    frames INTEGER NOT NULL,
    changed INTEGER NOT NULL,       -- the last import that touched its frames
    UNIQUE (build, device, scene, quality)
);

-- The same by series, so that opening a store costs the number of groups.
CREATE TABLE group_series (
    frame_group INTEGER NOT NULL REFERENCES frame_group (id) ON DELETE CASCADE,
    series TEXT NOT NULL,
    frames INTEGER NOT NULL,
    runs INTEGER NOT NULL,
    PRIMARY KEY (frame_group, series)
) WITHOUT ROWID;

CREATE TABLE baseline (
    device INTEGER NOT NULL,        -- device and scene 0: the whole store
    scene INTEGER NOT NULL,
    build INTEGER NOT NULL REFERENCES build (id),
    PRIMARY KEY (device, scene)
) WITHOUT ROWID;

CREATE TABLE expectation (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,             -- expected, retired, skipped
    device_model TEXT NOT NULL,
    scene TEXT,                     -- NULL: all
    build TEXT,
    note TEXT
);

-- What analysis computed: a cache, dropped and rebuilt at will. One set of rows for each of the settings used
-- last.
CREATE TABLE analysis (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,       -- the settings it was computed with
    used INTEGER NOT NULL           -- grows: the greatest is the latest
);

CREATE TABLE distribution (
    frame_group INTEGER NOT NULL REFERENCES frame_group (id) ON DELETE CASCADE,
    analysis INTEGER NOT NULL REFERENCES analysis (id) ON DELETE CASCADE,
    version INTEGER,                -- frame_group.changed when the frames were read
    runs INTEGER, runs_windows INTEGER, windows INTEGER, transitions INTEGER, gaps INTEGER,
    gap_ns INTEGER, flags INTEGER,
    frames INTEGER, frames_kept INTEGER, duration_ns INTEGER, median_ns REAL, mad_ns REAL,
    p95_ns INTEGER, p99_ns INTEGER,
    min_ns INTEGER, max_ns INTEGER, mean_ns REAL, low1_ns REAL, late INTEGER, over INTEGER,
    slow_frames INTEGER, excess_ns INTEGER,
    pause_frames INTEGER, pause_ns INTEGER, pause_over INTEGER,
    interference_frames INTEGER, interference_ns INTEGER, interference_over INTEGER,
    loading_frames INTEGER, loading_ns INTEGER, loading_over INTEGER,
    start_up_frames INTEGER, start_up_ns INTEGER, start_up_over INTEGER,
    scene_change_frames INTEGER, scene_change_ns INTEGER, scene_change_over INTEGER,
    PRIMARY KEY (frame_group, analysis)
) WITHOUT ROWID;

CREATE TABLE run_distribution (
    frame_group INTEGER NOT NULL REFERENCES frame_group (id) ON DELETE CASCADE,
    analysis INTEGER NOT NULL REFERENCES analysis (id) ON DELETE CASCADE,
    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
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
CREATE INDEX run_distribution_run ON run_distribution (run);

CREATE TABLE event_figure (
    frame_group INTEGER NOT NULL REFERENCES frame_group (id) ON DELETE CASCADE,
    analysis INTEGER NOT NULL REFERENCES analysis (id) ON DELETE CASCADE,
    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    event INTEGER NOT NULL,         -- 0: frames of no event
    occurrences INTEGER, peak_ns INTEGER, windows INTEGER, excess_ns INTEGER,
    PRIMARY KEY (frame_group, analysis, run, event)
) WITHOUT ROWID;
CREATE INDEX event_figure_run ON event_figure (run);

CREATE TABLE window (
    id INTEGER PRIMARY KEY,
    frame_group INTEGER NOT NULL REFERENCES frame_group (id) ON DELETE CASCADE,
    analysis INTEGER NOT NULL REFERENCES analysis (id) ON DELETE CASCADE,
    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    label INTEGER NOT NULL,         -- 0 gameplay, 2 interference, 3 loading, 4 start-up, 5 scene change
    event INTEGER, event_before INTEGER, event_after INTEGER, event_offset_ns INTEGER,
    start_ns INTEGER, end_ns INTEGER, peak_ns INTEGER, peak_stamp_ns INTEGER, frames INTEGER,
    over INTEGER, excess_ns INTEGER,
    cpu_peak_ns INTEGER, gpu_peak_ns INTEGER, gc_peak INTEGER, cpu_at_peak_ns INTEGER, gpu_at_peak_ns INTEGER,
    draw_calls_at_peak INTEGER, limit_ns INTEGER, budget_ns INTEGER, z REAL, floor_used INTEGER,
    causes INTEGER,
    segment INTEGER, first_frame INTEGER, last_frame INTEGER, peak_frame INTEGER
);
CREATE INDEX window_group ON window (frame_group, analysis);
CREATE INDEX window_run ON window (run);

CREATE TABLE stutter (
    frame_group INTEGER NOT NULL REFERENCES frame_group (id) ON DELETE CASCADE,
    analysis INTEGER NOT NULL REFERENCES analysis (id) ON DELETE CASCADE,
    label INTEGER NOT NULL,
    event INTEGER NOT NULL,         -- 0: none
    peak_ns INTEGER, runs_hit INTEGER, runs INTEGER, seen INTEGER, windows INTEGER, over INTEGER,
    excess_ns INTEGER,
    play_ns INTEGER, worst_window INTEGER, causes INTEGER,
    PRIMARY KEY (frame_group, analysis, label, event)
) WITHOUT ROWID;

-- For people with sqlite3: names instead of ids, milliseconds instead of nanoseconds, the latest analysis
-- only.

CREATE VIEW device_report AS
SELECT d.id, d.model, d.chip, coalesce(e.name, m.name, d.model) AS name, coalesce(e.tier, m.tier) AS tier,
       coalesce(e.target_fps_milli, m.target_fps_milli) / 1000.0 AS target_fps,
       coalesce(e.weight, m.weight, 1.0) AS weight
FROM device d
LEFT JOIN declared_device e ON e.model = d.model AND e.chip = d.chip
LEFT JOIN declared_device m ON m.model = d.model AND m.chip IS NULL;

CREATE VIEW run_report AS
SELECT r.id, b.name AS build, d.name AS device, r.name AS run, r.series, r.os,
       strftime('%Y-%m-%dT%H:%M:%SZ', r.started_at_ms / 1000, 'unixepoch') AS started_at,
       r.frames, r.sum_ns / 1e9 AS play_s, r.dropped, r.rejected, r.gaps, r.log_url, i.path AS imported_from
FROM run r
JOIN build b ON b.id = r.build
JOIN device_report d ON d.id = r.device
JOIN import i ON i.id = r.import;

CREATE VIEW group_report AS
SELECT b.name AS build, v.name AS device, s.name AS scene, q.name AS quality, d.runs, d.frames,
       d.median_ns / 1e6 AS median_ms, d.mad_ns / 1e6 AS mad_ms, d.p95_ns / 1e6 AS p95_ms,
       d.p99_ns / 1e6 AS p99_ms,
       d.max_ns / 1e6 AS max_ms, 1e3 * d.excess_ns / nullif(d.duration_ns, 0) AS hitch_ratio, d.windows,
       d.version < g.changed AS stale
FROM distribution d
JOIN frame_group g ON g.id = d.frame_group
JOIN build b ON b.id = g.build
JOIN device_report v ON v.id = g.device
JOIN scene s ON s.id = g.scene
JOIN quality q ON q.id = g.quality
WHERE d.analysis = (SELECT id FROM analysis ORDER BY used DESC LIMIT 1);

CREATE VIEW stutter_report AS
SELECT b.name AS build, v.name AS device, s.name AS scene, q.name AS quality,
       CASE t.label WHEN 0 THEN 'gameplay' WHEN 1 THEN 'pause'
                    WHEN 2 THEN 'interference' WHEN 3 THEN 'loading'
                    WHEN 4 THEN 'start-up' WHEN 5 THEN 'scene change' END AS label,
       e.text AS event, t.peak_ns / 1e6 AS peak_ms, t.runs_hit, t.runs, t.windows,
       6e10 * t.windows / nullif(t.play_ns, 0) AS windows_per_minute,
       CASE t.label WHEN 0 THEN t.peak_ns / 1e6 * t.runs_hit / nullif(t.runs, 0) * v.weight END AS severity
FROM stutter t
JOIN frame_group g ON g.id = t.frame_group
JOIN build b ON b.id = g.build
JOIN device_report v ON v.id = g.device
JOIN scene s ON s.id = g.scene
JOIN quality q ON q.id = g.quality
LEFT JOIN text e ON e.id = t.event
WHERE t.analysis = (SELECT id FROM analysis ORDER BY used DESC LIMIT 1);
