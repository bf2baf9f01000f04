// DuckDB: the same work in SQL.
//
//   node duckdb.mjs PEERS load DATABASE FRAMES       frames into its file, two threads, order not kept
//   node duckdb.mjs PEERS analyse DATABASE DEVICES [FOLDER]   distributions, candidates, windows, severity of all groups
//   node duckdb.mjs PEERS ndjson DATABASE FRAMES     as load, from NDJSON
//
// PEERS is the folder with node_modules.  Prints seconds as JSON; with FOLDER also writes groups.csv and windows.csv.
// The definitions are those of stutterscope(1), without labels, events and verdicts, which the peers are let off.
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [peers, step, database, input, folder] = process.argv.slice(2);
const { DuckDBInstance } = createRequire(resolve(peers) + '/')('@duckdb/node-api');
const instance = await DuckDBInstance.create(database, { threads: '2' });
const connection = await instance.connect();
const run = (sql) => connection.run(sql);
const seconds = {};

async function lap(name, statements) {
  const from = performance.now();
  for (const sql of [].concat(statements)) await run(sql);
  seconds[name] = (performance.now() - from) / 1000;
}

const columns = {
  timestamp_ms: 'BIGINT', frame_time_ms: 'DOUBLE', cpu_frame_ms: 'DOUBLE', gpu_frame_ms: 'DOUBLE',
  device_model: 'VARCHAR', os_version: 'VARCHAR', build_id: 'VARCHAR', scene: 'VARCHAR', event_name: 'VARCHAR',
  quality_level: 'VARCHAR', run_id: 'VARCHAR', sample_every: 'INTEGER', kept_over_ms: 'DOUBLE', gc_alloc_bytes: 'BIGINT',
};
const types = Object.entries(columns).map(([name, type]) => `'${name}': '${type}'`).join(', ');
const group = 'build_id, device_model, scene, quality_level';

await run('SET preserve_insertion_order = false');
if (step === 'load' || step === 'ndjson') {
  const reader = step === 'load' ? `read_csv('${input}', header = true, auto_detect = false, columns = {${types}})`
    : `read_json('${input}', format = 'newline_delimited', columns = {${types}})`;
  await lap('load', [`CREATE TABLE frame AS SELECT * FROM ${reader}`, 'CHECKPOINT']);
} else {
  await run(`CREATE OR REPLACE TEMP TABLE device AS SELECT * FROM read_csv('${input}')`);
  // A sampled run keeps every n-th frame and all above a limit: the others count n times.
  await lap('groups', [
    'CREATE TEMP TABLE copy AS SELECT unnest(range(1, 64)) AS nth',
    `CREATE OR REPLACE TABLE frame_group AS
     WITH counted AS (
       SELECT ${group}, frame_time_ms AS x FROM frame
       UNION ALL
       SELECT ${group}, frame_time_ms FROM frame JOIN copy ON nth < sample_every
       WHERE sample_every > 1 AND frame_time_ms <= kept_over_ms)
     SELECT ${group}, count(*) AS frames, median(x) AS median_ms, mad(x) AS mad_ms,
       quantile_disc(x, [0.95, 0.99]) AS percentiles, max(x) AS max_ms
     FROM counted GROUP BY ALL`]);
  await lap('candidates', `CREATE OR REPLACE TABLE candidate AS
     SELECT ${group}, run_id, timestamp_ms, frame_time_ms,
       timestamp_ms * 1000 - round(frame_time_ms * 1000)::BIGINT AS start_us
     FROM frame JOIN frame_group USING (${group}) JOIN device USING (device_model)
     WHERE frame_time_ms * target_fps > 2000 AND
       0.6745 * (frame_time_ms - median_ms) / greatest(mad_ms, 0.5) >= 3.5`);
  await lap('windows', `CREATE OR REPLACE TABLE stutter_window AS
     WITH marked AS (
       SELECT *, coalesce(start_us - lag(timestamp_ms) OVER visit * 1000 > 500000, true) AS first
       FROM candidate WINDOW visit AS (PARTITION BY build_id, run_id, scene ORDER BY timestamp_ms)),
     numbered AS (
       SELECT *, count(*) FILTER (first) OVER (PARTITION BY build_id, run_id, scene ORDER BY timestamp_ms
         ROWS UNBOUNDED PRECEDING) AS nth FROM marked)
     SELECT ${group}, run_id, min(start_us) AS start_us, max(timestamp_ms) AS end_ms, max(frame_time_ms) AS peak_ms,
       count(*) AS frames FROM numbered GROUP BY ${group}, run_id, nth`);
  await lap('severity', `CREATE OR REPLACE TABLE severity AS
     WITH played AS (SELECT ${group}, count(DISTINCT run_id) AS runs FROM frame GROUP BY ALL),
     hit AS (SELECT ${group}, count(DISTINCT run_id) AS runs_hit, max(peak_ms) AS peak_ms FROM stutter_window GROUP BY ALL)
     SELECT ${group}, peak_ms, runs_hit, runs, peak_ms * runs_hit / runs * weight AS severity
     FROM hit JOIN played USING (${group}) JOIN device USING (device_model)`);
  if (folder) {
    await run(`COPY (SELECT build_id, device_model, scene, quality_level, frames, median_ms, mad_ms,
      percentiles[1] AS p95_ms, percentiles[2] AS p99_ms, max_ms FROM frame_group ORDER BY ALL) TO '${folder}/groups.csv'`);
    await run(`COPY (SELECT build_id, device_model, scene, quality_level, run_id, start_us, end_ms, peak_ms, frames
      FROM stutter_window ORDER BY ALL) TO '${folder}/windows.csv'`);
  }
}
seconds.all = Object.values(seconds).reduce((sum, part) => sum + part, 0);
seconds.cpu = (process.cpuUsage().user + process.cpuUsage().system) / 1e6;
console.log(JSON.stringify(seconds));
connection.closeSync();
instance.closeSync();
