-- The analysis of duckdb.mjs on rows in SQLite, tuned: values sorted once, so that a rank is a row id.
-- Expects the tables frame and device; figures are written to frame_group, candidate, stutter_window, severity.
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -1000000;
PRAGMA temp_store = MEMORY;
PRAGMA threads = 2;

CREATE TABLE frame_group (
  id INTEGER PRIMARY KEY, build_id TEXT, device_model TEXT, scene TEXT, quality_level TEXT, frames INT, first INT,
  median_ms REAL, mad_ms REAL, p95_ms REAL, p99_ms REAL, max_ms REAL, UNIQUE (build_id, device_model, scene, quality_level));
INSERT INTO frame_group (build_id, device_model, scene, quality_level, max_ms)
  SELECT build_id, device_model, scene, quality_level, max(frame_time_ms) FROM frame GROUP BY 1, 2, 3, 4;
CREATE TEMP TABLE copy AS WITH RECURSIVE n (nth) AS (VALUES (1) UNION ALL SELECT nth + 1 FROM n WHERE nth < 63) SELECT nth FROM n;
CREATE TEMP TABLE value AS
  SELECT g.id AS id, frame_time_ms AS x FROM frame JOIN frame_group g USING (build_id, device_model, scene, quality_level)
  UNION ALL
  SELECT g.id, frame_time_ms FROM frame JOIN frame_group g USING (build_id, device_model, scene, quality_level)
    JOIN copy ON nth < sample_every WHERE sample_every > 1 AND frame_time_ms <= kept_over_ms
  ORDER BY 1, 2;
CREATE TEMP TABLE place AS SELECT id, count(*) AS frames, min(rowid) AS first FROM value GROUP BY id;
UPDATE frame_group SET (frames, first) = (SELECT frames, first FROM place WHERE place.id = frame_group.id);
UPDATE frame_group SET
  median_ms = ((SELECT x FROM value WHERE rowid = first + (frames - 1) / 2) + (SELECT x FROM value WHERE rowid = first + frames / 2)) / 2,
  p95_ms = (SELECT x FROM value WHERE rowid = first + (95 * frames + 99) / 100 - 1),
  p99_ms = (SELECT x FROM value WHERE rowid = first + (99 * frames + 99) / 100 - 1);
CREATE TEMP TABLE distance AS
  SELECT value.id AS id, abs(x - median_ms) AS x FROM value JOIN frame_group g ON g.id = value.id ORDER BY 1, 2;
UPDATE frame_group SET mad_ms =
  ((SELECT x FROM distance WHERE rowid = first + (frames - 1) / 2) + (SELECT x FROM distance WHERE rowid = first + frames / 2)) / 2;
CREATE TABLE candidate AS
  SELECT g.build_id, g.device_model, g.scene, g.quality_level, run_id, timestamp_ms, frame_time_ms,
    timestamp_ms * 1000 - CAST(round(frame_time_ms * 1000) AS INT) AS start_us
  FROM frame JOIN device d USING (device_model) JOIN frame_group g USING (build_id, device_model, scene, quality_level)
  WHERE frame_time_ms * target_fps > 2000 AND 0.6745 * (frame_time_ms - median_ms) / max(mad_ms, 0.5) >= 3.5;
CREATE TABLE stutter_window AS
  WITH marked AS (
    SELECT *, coalesce(start_us - lag(timestamp_ms) OVER visit * 1000 > 500000, 1) AS first FROM candidate
    WINDOW visit AS (PARTITION BY build_id, run_id, scene ORDER BY timestamp_ms)),
  numbered AS (SELECT *, sum(first) OVER (PARTITION BY build_id, run_id, scene ORDER BY timestamp_ms ROWS UNBOUNDED PRECEDING) AS nth
    FROM marked)
  SELECT build_id, device_model, scene, quality_level, run_id, min(start_us) AS start_us, max(timestamp_ms) AS end_ms,
    max(frame_time_ms) AS peak_ms, count(*) AS frames FROM numbered GROUP BY 1, 2, 3, 4, 5, nth;
CREATE TABLE severity AS
  WITH played AS (SELECT build_id, device_model, scene, quality_level, count(DISTINCT run_id) AS runs FROM frame GROUP BY 1, 2, 3, 4),
  hit AS (SELECT build_id, device_model, scene, quality_level, count(DISTINCT run_id) AS runs_hit, max(peak_ms) AS peak_ms
    FROM stutter_window GROUP BY 1, 2, 3, 4)
  SELECT h.*, runs, peak_ms * runs_hit / runs * weight AS severity
  FROM hit h JOIN played USING (build_id, device_model, scene, quality_level) JOIN device USING (device_model);
