-- Runs whose frames stay in a database server: here are their figures, and the frames over a limit.

ALTER TABLE run ADD COLUMN summarised INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run ADD COLUMN limit_ns INTEGER;      -- all frames over it are here
ALTER TABLE run ADD COLUMN summary_settings TEXT; -- what labels and budgets the figures were made with

-- Addresses without credentials.
CREATE TABLE source (
    id INTEGER PRIMARY KEY,
    address TEXT NOT NULL UNIQUE
);

-- What was taken from a server, so that only what is new or changed is asked for again.
CREATE TABLE source_build (
    source INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    build TEXT NOT NULL,            -- as the server has it
    content TEXT NOT NULL,          -- another text when its frames or the settings are others
    imported_at_ms INTEGER NOT NULL,
    PRIMARY KEY (source, build)
) WITHOUT ROWID;

-- How the server finds a run again: texts as it has them.
CREATE TABLE source_run (
    run INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
    source INTEGER NOT NULL REFERENCES source (id),
    build TEXT NOT NULL,
    device TEXT NOT NULL,
    soc TEXT NOT NULL,
    model_code TEXT NOT NULL,
    name TEXT NOT NULL,
    maps TEXT NOT NULL,             -- JSON: columns that were named by hand
    frames_kept INTEGER NOT NULL    -- rows in its segments
);

-- Figures of gameplay frames as the server computed them: of one run, or (run 0) of all of a series.
CREATE TABLE summary_distribution (
    build INTEGER NOT NULL REFERENCES build (id),
    device INTEGER NOT NULL REFERENCES device (id),
    scene INTEGER NOT NULL REFERENCES scene (id),
    quality INTEGER NOT NULL REFERENCES quality (id),
    series TEXT NOT NULL,
    run INTEGER NOT NULL,
    hot INTEGER NOT NULL,           -- the last quarter of play is slower than the first
    half_ns INTEGER,                -- stamp of the first frame of the second half of play
    frames INTEGER, frames_kept INTEGER, duration_ns INTEGER, median_ns REAL, mad_ns REAL,
    p95_ns INTEGER, p99_ns INTEGER,
    min_ns INTEGER, max_ns INTEGER, mean_ns REAL, low1_ns REAL, late INTEGER, over INTEGER,
    slow_frames INTEGER, excess_ns INTEGER,
    pause_frames INTEGER, pause_ns INTEGER, pause_over INTEGER,
    interference_frames INTEGER, interference_ns INTEGER, interference_over INTEGER,
    loading_frames INTEGER, loading_ns INTEGER, loading_over INTEGER,
    start_up_frames INTEGER, start_up_ns INTEGER, start_up_over INTEGER,
    scene_change_frames INTEGER, scene_change_ns INTEGER, scene_change_over INTEGER,
    PRIMARY KEY (build, device, scene, quality, series, run)
) WITHOUT ROWID;

-- The greatest gameplay frame that an event owns, also where it is below the limit. event 0: frames of no event.
CREATE TABLE summary_peak (
    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    scene INTEGER NOT NULL REFERENCES scene (id),
    quality INTEGER NOT NULL REFERENCES quality (id),
    event INTEGER NOT NULL,
    peak_ns INTEGER NOT NULL,
    PRIMARY KEY (run, scene, quality, event)
) WITHOUT ROWID;
