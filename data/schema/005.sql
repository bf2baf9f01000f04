-- What builds were found to be against their baselines: a cache, too, so that opening a store costs the number of cells
-- and not that of earlier runs. Dropped with the analysis, and whenever its rows change.

CREATE TABLE comparison (
    analysis INTEGER NOT NULL REFERENCES analysis (id) ON DELETE CASCADE,
    build INTEGER NOT NULL REFERENCES build (id) ON DELETE CASCADE,
    stamp TEXT NOT NULL,            -- of everything the verdicts were made from
    used INTEGER NOT NULL,          -- grows: the greatest is the latest
    PRIMARY KEY (analysis, build)
) WITHOUT ROWID;

CREATE TABLE stutter_verdict (
    analysis INTEGER NOT NULL,
    build INTEGER NOT NULL,
    place INTEGER NOT NULL,         -- in the list: worst first
    device INTEGER NOT NULL, scene INTEGER NOT NULL, quality INTEGER NOT NULL,
    label INTEGER NOT NULL,
    event INTEGER NOT NULL,         -- 0: none
    present INTEGER NOT NULL,       -- 0: one of the baseline that is not here any more
    peak_ns INTEGER, runs_hit INTEGER, runs INTEGER, seen INTEGER, windows INTEGER, over INTEGER,
    excess_ns INTEGER,
    play_ns INTEGER, worst_window INTEGER, causes INTEGER,
    verdict INTEGER NOT NULL,
    history_short INTEGER NOT NULL, doubted INTEGER NOT NULL,
    reason TEXT NOT NULL,
    baseline_build INTEGER,
    baseline_pinned INTEGER NOT NULL,
    baseline_peak_ns INTEGER, delta_peak_ns INTEGER,
    first_seen_build INTEGER, last_clean_build INTEGER,
    PRIMARY KEY (analysis, build, place),
    FOREIGN KEY (analysis, build) REFERENCES comparison (analysis, build) ON DELETE CASCADE
) WITHOUT ROWID;

-- Devices that met the event of a stutter and stayed clean.
CREATE TABLE clean_device (
    analysis INTEGER NOT NULL,
    build INTEGER NOT NULL,
    place INTEGER NOT NULL,
    device INTEGER NOT NULL,
    PRIMARY KEY (analysis, build, place, device),
    FOREIGN KEY (analysis, build) REFERENCES comparison (analysis, build) ON DELETE CASCADE
) WITHOUT ROWID;

CREATE TABLE group_verdict (
    analysis INTEGER NOT NULL,
    build INTEGER NOT NULL,
    place INTEGER NOT NULL,
    device INTEGER NOT NULL, scene INTEGER NOT NULL, quality INTEGER NOT NULL,
    figure INTEGER NOT NULL,        -- 0 P95, 1 P99, 2 max, 3 hitch ratio
    baseline_build INTEGER,
    verdict INTEGER NOT NULL,
    before REAL, after REAL, delta REAL, delta_percent REAL, noise REAL,
    history_short INTEGER NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (analysis, build, place),
    FOREIGN KEY (analysis, build) REFERENCES comparison (analysis, build) ON DELETE CASCADE
) WITHOUT ROWID;
