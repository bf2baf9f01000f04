// Polars, in memory, two threads: node polars.cjs PEERS FRAMES DEVICES
// Loads and analyses as duckdb.mjs does; windows are put together here, severity is left out.  Seconds as JSON.
process.env.POLARS_MAX_THREADS = '2';
const { createRequire } = require('node:module');
const { resolve } = require('node:path');
const [peers, frames, devices] = process.argv.slice(2);
const pl = createRequire(resolve(peers) + '/')('nodejs-polars');
const seconds = {};
let from = performance.now();

function lap(name) {
  const now = performance.now();
  seconds[name] = (now - from) / 1000;
  from = now;
}

const text = pl.Utf8, real = pl.Float64, whole = pl.Int64;
const frame = pl.readCSV(frames, { hasHeader: true, schema: {
  timestamp_ms: whole, frame_time_ms: real, cpu_frame_ms: real, gpu_frame_ms: real, device_model: text, os_version: text,
  build_id: text, scene: text, event_name: text, quality_level: text, run_id: text, sample_every: whole, kept_over_ms: real,
  gc_alloc_bytes: whole } });
const device = pl.readCSV(devices);
lap('load');

const group = ['build_id', 'device_model', 'scene', 'quality_level'];
const x = pl.col('frame_time_ms');
// Sampled frames count as often as frames were left out: the samples here are all of one in four.
const kept = frame.select(...group, 'frame_time_ms');
const sampled = frame.filter(pl.col('sample_every').gt(1).and(x.ltEq(pl.col('kept_over_ms')))).select(...group, 'frame_time_ms');
const counted = pl.concat([kept, sampled, sampled, sampled]);
const figures = counted.groupBy(...group).agg(
  x.count().alias('frames'), x.median().alias('median'), x.quantile(0.95, 'higher').alias('p95'),
  x.quantile(0.99, 'higher').alias('p99'), x.max().alias('max'), x.sub(x.median()).abs().median().alias('mad'));
lap('groups');

const candidates = frame.join(device.select('device_model', 'target_fps'), { on: 'device_model' })
  .filter(x.mul(pl.col('target_fps')).gt(2000))
  .join(figures.select(...group, 'median', 'mad'), { on: group })
  .filter(x.sub(pl.col('median')).mul(0.6745).gtEq(pl.col('mad').mul(3.5)).and(x.sub(pl.col('median')).mul(0.6745).gtEq(1.75)))
  .select('build_id', 'run_id', 'scene', 'timestamp_ms', 'frame_time_ms').sort(['build_id', 'run_id', 'scene', 'timestamp_ms']);
lap('candidates');

let windows = 0, last = null;
for (const [build, run, scene, stamp, time] of candidates.rows()) {
  const joins = last && last.build === build && last.run === run && last.scene === scene && Number(stamp) - time - last.end <= 500;
  if (!joins) windows++;
  last = { build, run, scene, end: Number(stamp) };
}
lap('windows');
seconds.all = Object.values(seconds).reduce((sum, part) => sum + part, 0);
seconds.cpu = (process.cpuUsage().user + process.cpuUsage().system) / 1e6;
console.log(JSON.stringify({ ...seconds, counted: { groups: figures.height, windows } }));
