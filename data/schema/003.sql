-- Values beside frames: what game SDKs and tools that write once a second measure, and memory snapshots.

CREATE TABLE sample (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    scene INTEGER REFERENCES scene (id), -- NULL: of the run as a whole, or not known
    name TEXT NOT NULL,
    unit TEXT NOT NULL,                  -- '': none
    value REAL NOT NULL,
    stamp_ns INTEGER                     -- on the clock of the run
);
-- The same row of a file that is read again is the same sample.
CREATE UNIQUE INDEX sample_identity ON sample (run, name, coalesce(scene, 0), coalesce(stamp_ns, -1), unit, value);

CREATE TABLE snapshot (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    scene INTEGER REFERENCES scene (id),
    category TEXT NOT NULL,              -- Textures, Meshes, ...
    profiler TEXT NOT NULL,              -- what was running while it was taken; '': nothing that is known of
    bytes INTEGER NOT NULL,
    stamp_ns INTEGER
);
CREATE UNIQUE INDEX snapshot_identity ON snapshot (run, category, coalesce(scene, 0), coalesce(stamp_ns, -1), profiler, bytes);

CREATE VIEW sample_report AS
SELECT b.name AS build, d.name AS device, r.name AS run, s.name AS scene, x.name, x.unit, x.value, x.stamp_ns / 1e6 AS timestamp_ms
FROM sample x
JOIN run r ON r.id = x.run
JOIN build b ON b.id = r.build
JOIN device_report d ON d.id = r.device
LEFT JOIN scene s ON s.id = x.scene;

CREATE VIEW snapshot_report AS
SELECT b.name AS build, d.name AS device, r.name AS run, s.name AS scene, x.category, x.profiler, x.bytes, x.stamp_ns / 1e6 AS timestamp_ms
FROM snapshot x
JOIN run r ON r.id = x.run
JOIN build b ON b.id = r.build
JOIN device_report d ON d.id = r.device
LEFT JOIN scene s ON s.id = x.scene;
