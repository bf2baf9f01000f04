-- What people decide. Nothing here is derived: it survives every import, repair and change of settings, because it
-- hangs on names (of the device, scene, quality, event), not on the ids of what was imported.

CREATE TABLE triage (
    fingerprint TEXT PRIMARY KEY,   -- 16 hex digits: the hash of the six names below
    kind TEXT NOT NULL,             -- hitch, drift, slow, silent, partial
    device_model TEXT NOT NULL,
    chip TEXT NOT NULL,
    scene TEXT NOT NULL,            -- '': none
    quality TEXT NOT NULL,          -- '': unknown
    label TEXT NOT NULL,
    event TEXT NOT NULL,            -- '': none; (scene) for drift and slow, (uploads) for silent and partial
    state TEXT,                     -- undecided, investigating, filed, known, noise, environment, wont-fix, done;
                                    -- NULL: nothing was decided, or it was taken back
    owner TEXT,
    note TEXT,
    ticket TEXT,                    -- its reference, as MG-1211 or a link
    build TEXT,                     -- the build in which the state was decided
    verified TEXT,                  -- the build in which it was found gone
    first_build TEXT,               -- the build in which something was decided first
    first_at_ms INTEGER NOT NULL,   -- first triaged
    at_ms INTEGER NOT NULL,
    who TEXT NOT NULL
) WITHOUT ROWID;

-- Every change, one row a field, never altered. Rows of one decision (one key, one command) share its number.
CREATE TABLE triage_log (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    decision INTEGER NOT NULL,
    undoes INTEGER,                 -- the decision that this one takes back
    subject TEXT NOT NULL,          -- a fingerprint; of a rename the old name
    what TEXT NOT NULL,             -- state, owner, note, ticket, build, verified; rename scene, rename event
    before TEXT,                    -- NULL: nothing
    after TEXT,
    members INTEGER NOT NULL,       -- how many subjects the decision was for
    at_ms INTEGER NOT NULL,
    who TEXT NOT NULL
);
CREATE INDEX triage_log_decision ON triage_log (decision);
CREATE INDEX triage_log_undoes ON triage_log (undoes) WHERE undoes IS NOT NULL;
CREATE INDEX triage_log_subject ON triage_log (subject);
CREATE TRIGGER triage_log_is_not_altered BEFORE UPDATE ON triage_log
BEGIN
    SELECT RAISE(ABORT, 'the log of decisions is only added to');
END;
CREATE TRIGGER triage_log_is_not_shortened BEFORE DELETE ON triage_log
BEGIN
    SELECT RAISE(ABORT, 'the log of decisions is only added to');
END;

-- Tickets as they were written, for verifying later builds against their figures.
CREATE TABLE ticket (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    reference TEXT,                 -- NULL: not known yet
    build TEXT,
    payload TEXT NOT NULL,          -- JSON, stutterscope.ticket/1
    written_at_ms INTEGER NOT NULL,
    who TEXT NOT NULL
);
CREATE TABLE ticket_stutter (
    ticket INTEGER NOT NULL REFERENCES ticket (id) ON DELETE CASCADE,
    fingerprint TEXT NOT NULL,
    PRIMARY KEY (ticket, fingerprint)
) WITHOUT ROWID;
CREATE INDEX ticket_stutter_fingerprint ON ticket_stutter (fingerprint);

-- Scenes and events that were given another name: decisions go on under the new one.
CREATE TABLE rename (
    kind TEXT NOT NULL,             -- scene, event
    old TEXT NOT NULL,
    new TEXT NOT NULL,
    PRIMARY KEY (kind, old)
) WITHOUT ROWID;

CREATE VIEW triage_report AS
SELECT coalesce(e.name, m.name, t.device_model) AS device, t.scene, t.quality, t.event, t.kind, t.state, t.owner, t.ticket,
       t.note, t.build, strftime('%Y-%m-%dT%H:%M:%SZ', t.first_at_ms / 1000, 'unixepoch') AS first_triaged,
       strftime('%Y-%m-%dT%H:%M:%SZ', t.at_ms / 1000, 'unixepoch') AS decided_at, t.who
FROM triage t
LEFT JOIN declared_device e ON e.model = t.device_model AND e.chip = t.chip
LEFT JOIN declared_device m ON m.model = t.device_model AND m.chip IS NULL;
