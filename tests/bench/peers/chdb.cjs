// chDB, the engine of ClickHouse as a library, two threads: node chdb.cjs PEERS FOLDER FRAMES DEVICES
// Loads into a table in FOLDER and analyses as duckdb.mjs does.  Seconds as JSON.
const { createRequire } = require('node:module');
const { resolve } = require('node:path');
const fs = require('node:fs');
const [peers, folder, frames, devices] = process.argv.slice(2);
const { Session } = createRequire(resolve(peers) + '/')('chdb');
fs.rmSync(folder, { recursive: true, force: true });
const session = new Session(folder);
const run = (sql) => session.query(sql, 'TSV').toString();
const seconds = {};

function lap(name, sql) {
  const from = performance.now();
  run(sql);
  seconds[name] = (performance.now() - from) / 1000;
}

const word = 'LowCardinality(String)';
const columns = `timestamp_ms Int64, frame_time_ms Float64, cpu_frame_ms Float64, gpu_frame_ms Float64, device_model ${word},
  os_version ${word}, build_id ${word}, scene ${word}, event_name ${word}, quality_level ${word}, run_id ${word},
  sample_every Nullable(UInt32), kept_over_ms Nullable(Float64), gc_alloc_bytes Int64`;
const group = 'build_id, device_model, scene, quality_level';
const threads = 'SETTINGS max_threads = 2, max_parsing_threads = 2, max_insert_threads = 2';

run('CREATE DATABASE t ENGINE = Atomic');
run(`CREATE TABLE t.device ENGINE = Memory AS SELECT * FROM file('${resolve(devices)}', CSVWithNames,
  'device_model String, target_fps UInt32, weight Float64')`);
run(`CREATE TABLE t.frame (${columns}) ENGINE = MergeTree ORDER BY (${group}, run_id, timestamp_ms)`);
lap('load', `INSERT INTO t.frame SELECT * FROM file('${resolve(frames)}', CSVWithNames, '${columns.replace(/\n/g, ' ')}') ${threads}`);
lap('groups', `CREATE TABLE t.figure ENGINE = Memory AS
  WITH if(sample_every > 1 AND frame_time_ms <= kept_over_ms, assumeNotNull(sample_every), 1) AS times
  SELECT ${group}, sum(times) AS frames, quantileExactWeighted(0.5)(frame_time_ms, times) AS middle,
    quantilesExactWeighted(0.95, 0.99)(frame_time_ms, times) AS high, max(frame_time_ms) AS most
  FROM t.frame GROUP BY ${group} ${threads}`);
lap('spread', `CREATE TABLE t.spread ENGINE = Memory AS
  WITH if(sample_every > 1 AND frame_time_ms <= kept_over_ms, assumeNotNull(sample_every), 1) AS times
  SELECT ${group}, quantileExactWeighted(0.5)(abs(frame_time_ms - middle), times) AS mad, middle
  FROM t.frame INNER JOIN t.figure AS f USING (${group}) GROUP BY ${group}, middle ${threads}`);
lap('candidates', `CREATE TABLE t.candidate ENGINE = Memory AS
  SELECT build_id, device_model, scene, quality_level, run_id, timestamp_ms, frame_time_ms FROM t.frame
  INNER JOIN (SELECT * FROM t.spread INNER JOIN t.device AS d USING (device_model)) AS s USING (${group})
  WHERE frame_time_ms * target_fps > 2000 AND 0.6745 * (frame_time_ms - middle) / greatest(mad, 0.5) >= 3.5 ${threads}`);
lap('windows', `CREATE TABLE t.found ENGINE = Memory AS
  WITH marked AS (SELECT *, timestamp_ms - frame_time_ms - lagInFrame(timestamp_ms, 1, -1000000) OVER
      (PARTITION BY build_id, run_id, scene ORDER BY timestamp_ms ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) > 500 AS first
    FROM t.candidate),
  numbered AS (SELECT *, sum(first) OVER (PARTITION BY build_id, run_id, scene ORDER BY timestamp_ms
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS nth FROM marked)
  SELECT ${group}, run_id, max(frame_time_ms) AS peak, count() AS frames FROM numbered GROUP BY ${group}, run_id, nth ${threads}`);
lap('severity', `CREATE TABLE t.severity ENGINE = Memory AS
  SELECT ${group}, peak * runs_hit / runs * weight AS severity FROM
    (SELECT ${group}, uniqExact(run_id) AS runs FROM t.frame GROUP BY ${group}) AS p
  INNER JOIN (SELECT ${group}, uniqExact(run_id) AS runs_hit, max(peak) AS peak FROM t.found GROUP BY ${group}) AS h USING (${group})
  INNER JOIN t.device AS d USING (device_model) ${threads}`);
seconds.all = Object.values(seconds).reduce((sum, part) => sum + part, 0);
seconds.cpu = (process.cpuUsage().user + process.cpuUsage().system) / 1e6;
console.log(JSON.stringify({ ...seconds, counted: { groups: +run('SELECT count() FROM t.figure'), windows: +run('SELECT count() FROM t.found') } }));
session.cleanup?.();
