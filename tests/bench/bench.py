#!/usr/bin/env python3
"""Measures stutterscope beside other programs and prints the table of goals; started by scripts/bench.

Everything that a row compares is measured in the same rounds, one after the other in turn, and the medians are compared:
what else the machine does meets both sides.  Our side is measured as whole processes, from the start to the end; the peers
inside of theirs, without their start.
"""
import argparse
import datetime
import json
import math
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
KNOWN_PEERS = {"duckdb": "@duckdb/node-api", "polars": "nodejs-polars", "chdb": "chdb"}


class Bench:
    def __init__(self, options):
        self.options = options
        self.program = os.path.join(options.build, "src/stutterscope")
        self.steps = os.path.join(options.build, "tests/bench/steps")
        self.maker = os.path.join(options.build, "tests/bench/make_telemetry")
        self.times = {}  # what: list of (wall, cpu)
        self.rows = []
        self.peak_mb = {}
        modules = os.path.join(options.peers, "node_modules")
        self.peers = {name for name, package in KNOWN_PEERS.items()
                      if options.peers and shutil.which("node") and os.path.isdir(os.path.join(modules, package))}
        self.sqlite = shutil.which("sqlite3")

    # ---- files ----

    def path(self, name):
        return os.path.join(self.options.folder, name)

    def make(self, name, rows, *more):
        """Telemetry of so many rows, made once."""
        path = self.path(f"{rows}-{name}")
        if not os.path.exists(path):
            with open(path + ".new", "wb") as file:
                subprocess.run([self.maker, "--rows", str(rows), "--builds", str(self.builds(rows)), *more], stdout=file, check=True)
            os.rename(path + ".new", path)
        return path

    def builds(self, rows):
        return 4 if rows <= 1000000 else 12

    def fresh_store(self, name):
        """A new store that knows the devices."""
        path = self.drop(name)
        subprocess.run([self.program, "devices", "--quiet", "--store", path, "--load", self.path("devices.csv")],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return path

    def drop(self, name):
        for ending in ("", "-wal", "-shm", ".wal"):
            if os.path.exists(self.path(name) + ending):
                os.unlink(self.path(name) + ending)
        return self.path(name)

    def copy(self, store, name):
        """On the disk when it is given: whoever writes to it next would wait for all of it otherwise."""
        shutil.copyfile(store, self.drop(name))
        with open(self.path(name), "rb") as file:
            os.fsync(file.fileno())
        return self.path(name)

    # ---- time ----

    def run(self, what, argv):
        """A whole process: time, processor time and peak memory."""
        begun = time.perf_counter()
        pid = os.fork()
        if pid == 0:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            try:
                os.execv(argv[0], argv)
            finally:
                os._exit(127)
        _, status, used = os.wait4(pid, 0)
        wall = time.perf_counter() - begun
        if os.waitstatus_to_exitcode(status) != 0:
            raise RuntimeError(f"{' '.join(argv[:4])} … ended with {os.waitstatus_to_exitcode(status)}")
        self.note(what, wall, used.ru_utime + used.ru_stime)
        self.peak_mb[what] = max(self.peak_mb.get(what, 0), used.ru_maxrss / 1024)

    def note(self, what, wall, cpu):
        self.times.setdefault(what, []).append((wall, cpu))

    def add(self, what, *parts):
        """The sum of what was measured last."""
        if any(part not in self.times for part in parts):
            return
        last = [self.times[part][-1] for part in parts]
        self.note(what, sum(wall for wall, _ in last), sum(cpu for _, cpu in last))

    def node(self, what, part, script, *arguments):
        """A peer; `part` of its own account (`all`: all of it).  One that does not work here is absent from then on."""
        done = subprocess.run(["node", os.path.join(HERE, "peers", script), self.options.peers, *arguments], capture_output=True, text=True)
        if done.returncode == 0:
            seconds = json.loads(done.stdout.strip().splitlines()[-1])
            self.note(what, seconds[part], seconds["cpu"])
            return
        print(f"absent: {what} does not work here: {(done.stderr.strip().splitlines() or ['no reason given'])[-1]}", flush=True)
        name = os.path.splitext(script)[0]
        self.peers.discard(name)
        self.times = {key: value for key, value in self.times.items() if not key.startswith(name)}

    def median(self, what):
        return statistics.median(wall for wall, _ in self.times[what]) if what in self.times else None

    def cpu(self, what):
        return statistics.median(cpu for _, cpu in self.times[what]) if what in self.times else float("nan")

    # ---- rows ----

    def row(self, what, must, aim, value, reference, unit="x", detail=""):
        """value None: not measured."""
        state = "absent" if value is None else "pass" if value <= must else "FAIL"
        self.rows.append((what, must, aim, value, reference, unit, state, detail))
        shown = "not measured" if value is None else f"{value:.3g} {unit}"
        print(f"  {state:6} {what}: {shown}, must {must:g}{f', aim {aim:g}' if aim else ''}  {detail}", flush=True)

    def ratio(self, what, must, aim, ours, theirs, reference):
        mine, peer = self.median(ours), self.median(theirs) if theirs else None
        if mine is None or peer is None:
            self.row(what, must, aim, None, reference)
            return
        self.row(what, must, aim, mine / peer, reference,
                 detail=f"{mine:.3f} s against {peer:.3f} s (processor {self.cpu(ours):.2f} s against {self.cpu(theirs):.2f} s)")


# ---- what is measured ----

def load_and_analyse(bench):
    """The first rows: the whole way, import, analysis, in turn with the peers."""
    options = bench.options
    frames, mixed = bench.make("frames.csv", options.rows), bench.make("mixed.csv", options.rows, "--interleaved")
    devices = bench.path("devices.csv")
    for round_ in range(options.rounds):
        print(f"round {round_ + 1} of {options.rounds}", flush=True)
        store = bench.fresh_store("whole.db")
        bench.run("whole", [bench.program, "import", "--quiet", "--store", store, frames])
        bench.run("severity", [bench.program, "sql", "--store", store, "--csv", "--limit", "0",
                               "SELECT build, device, scene, quality, event, severity FROM stutter_report"])
        bench.add("csv to stutters", "whole", "severity")
        filled = bench.fresh_store("filled.db")
        bench.run("import", [bench.steps, "import", filled, frames])
        if "duckdb" in bench.peers:
            bench.node("duckdb load", "load", "duckdb.mjs", "load", bench.drop("frames.duckdb"), frames)
        bench.run("analyse", [bench.steps, "analyse", bench.copy(filled, "analysed.db")])
        if "duckdb" in bench.peers:
            folder = bench.path("figures")
            os.makedirs(folder, exist_ok=True)
            bench.node("duckdb analyse", "all", "duckdb.mjs", "analyse", bench.path("frames.duckdb"), devices, *([folder] if round_ == 0 else []))
            bench.add("duckdb", "duckdb load", "duckdb analyse")
        if "polars" in bench.peers:
            bench.node("polars", "all", "polars.cjs", frames, devices)
        if "chdb" in bench.peers:
            bench.node("chdb", "all", "chdb.cjs", bench.path("chdb"), frames, devices)
        bench.run("import interleaved", [bench.steps, "import", bench.fresh_store("mixed.db"), mixed])
        if "duckdb" in bench.peers:
            bench.node("duckdb load interleaved", "load", "duckdb.mjs", "load", bench.drop("mixed.duckdb"), mixed)


def sql_on_rows(bench):
    if not bench.sqlite:
        return
    small = bench.make("small.csv", min(bench.options.rows, 1000000))
    database, store = bench.drop("rows.sqlite"), bench.fresh_store("small-filled.db")
    subprocess.run([bench.steps, "import", store, small], check=True, stdout=subprocess.DEVNULL)
    columns = ("timestamp_ms INT, frame_time_ms REAL, cpu_frame_ms REAL, gpu_frame_ms REAL, device_model TEXT, os_version TEXT, "
               "build_id TEXT, scene TEXT, event_name TEXT, quality_level TEXT, run_id TEXT, sample_every INT, kept_over_ms REAL, "
               "gc_alloc_bytes INT")
    load = (f"PRAGMA journal_mode = OFF;\nPRAGMA synchronous = OFF;\nCREATE TABLE frame ({columns});\n"
            f"CREATE TABLE device (device_model TEXT PRIMARY KEY, target_fps INT, weight REAL);\n"
            f".import --csv --skip 1 {small} frame\n.import --csv --skip 1 {bench.path('devices.csv')} device\n"
            f"UPDATE frame SET sample_every = NULL, kept_over_ms = NULL WHERE sample_every = '';\n")
    subprocess.run([bench.sqlite, database], input=load, text=True, check=True, stdout=subprocess.DEVNULL)
    for _ in range(min(bench.options.rounds, 3)):
        bench.run("analyse small", [bench.steps, "analyse", bench.copy(store, "small-analysed.db")])
        rows = bench.copy(database, "rows-analysed.sqlite")
        bench.run("sqlite analyse", [bench.sqlite, rows, f".read {HERE}/peers/sqlite.sql"])


def compare_figures(bench):
    if "duckdb" not in bench.peers:
        bench.row("figures with --no-labels", 0, None, None, "DuckDB")
        return
    done = subprocess.run([sys.executable, os.path.join(HERE, "figures.py"), bench.program, bench.path("analysed.db"),
                           bench.path("figures")], capture_output=True, text=True)
    last = (done.stdout.strip().splitlines() or ["nothing was compared"])[-1]
    counts = re.search(r": (\d+) groups and (\d+) windows differ$", last)
    differing = sum(map(int, counts.groups())) if counts else math.inf
    if done.returncode != 0 and differing == 0:
        differing = math.inf  # there was nothing to compare, or one window twice
    trouble = f" ({done.stderr.strip().splitlines()[-1]})" if done.stderr.strip() else ""
    bench.row("figures with --no-labels", 0, None, differing, "DuckDB", "differences", last + trouble)


def other_inputs(bench):
    """NDJSON beside DuckDB; packed files beside plain ones."""
    options = bench.options
    rows = max(options.rows // 5, 100000)
    ndjson, plain = bench.make("frames.ndjson", rows, "--format", "ndjson"), bench.make("plain.csv", rows)
    packed = {}
    for name, argv in {"gzip": ["gzip", "-6", "-c"], "zstd": ["zstd", "-3", "-q", "-c"]}.items():
        if not shutil.which(argv[0]):
            continue
        packed[name] = f"{plain}.{'gz' if name == 'gzip' else 'zst'}"
        if not os.path.exists(packed[name]):
            with open(plain, "rb") as source, open(packed[name], "wb") as file:
                subprocess.run(argv, stdin=source, stdout=file, check=True)
    for _ in range(options.rounds):
        bench.run("ndjson", [bench.steps, "import", bench.fresh_store("ndjson.db"), ndjson])
        if "duckdb" in bench.peers:
            bench.node("duckdb ndjson", "load", "duckdb.mjs", "ndjson", bench.drop("ndjson.duckdb"), ndjson)
        bench.run("plain", [bench.program, "import", "--quiet", "--store", bench.fresh_store("plain.db"), plain])
        for name, path in packed.items():
            bench.run(f"unpack {name}", [bench.steps, "unpack", path])
            bench.run(name, [bench.program, "import", "--quiet", "--store", bench.fresh_store("packed.db"), path])


def one_run_more(bench):
    run = bench.make("one-run.csv", bench.options.rows, "--extra-run")
    full = bench.path("whole.db")
    for _ in range(max(bench.options.rounds, 5)):
        bench.run("run to full", [bench.program, "import", "--quiet", "--store", bench.copy(full, "more.db"), run])
        bench.run("run to empty", [bench.program, "import", "--quiet", "--store", bench.fresh_store("less.db"), run])


def growth(bench):
    """Cost by size; every size at least twice."""
    sizes = [rows for rows in (1000000, 10000000) if rows <= bench.options.rows] + ([100000000] if bench.options.huge else [])
    for rows in sizes:
        path = bench.make("frames.csv", rows)
        for _ in range(1 if rows > 10000000 else bench.options.rounds):
            store = bench.fresh_store("growth.db")
            bench.run(f"import {rows}", [bench.steps, "import", store, path])
            bench.run(f"analyse {rows}", [bench.steps, "analyse", store])
        if rows > bench.options.rows:
            os.unlink(path)
    return sizes


def screens(bench):
    """What is seen from the terminal's side: another program measures it."""
    script = os.path.join(HERE, "latency.py")
    large, small = bench.path("whole.db"), bench.fresh_store("small.db")
    subprocess.run([bench.program, "import", "--quiet", "--store", small, bench.make("small.csv", min(bench.options.rows, 1000000))],
                   check=True, stdout=subprocess.DEVNULL)
    found = {}
    if os.path.exists(script):
        done = subprocess.run([sys.executable, script, bench.program, "--store", large, "--small-store", small,
                               "--folder", bench.path("latency"), "--keys", "60"], capture_output=True, text=True)
        for what, value in re.findall(r"^  (?:met   |MISSED) (.+?): ([0-9.]+|nan) ", done.stdout, re.MULTILINE):
            found[what] = float(value)
        if not re.search(r"^\d+ goals missed", done.stdout, re.MULTILINE):
            raise RuntimeError(f"latency.py did not come to its end: {done.stderr.strip()[-300:]}")
    return found


# ---- the table ----

def judge(bench, sizes, found):
    whole = [name for name in ("duckdb", "polars", "chdb") if bench.median(name)]
    fastest = min(whole, key=bench.median) if len(whole) == len(KNOWN_PEERS) else None
    bench.ratio("CSV to stutters with severity", 0.30, 0.22, "csv to stutters", fastest, f"fastest peer ({fastest})" if fastest else "fastest peer")
    bench.ratio("import into the store", 0.30, 0.18, "import", "duckdb load", "DuckDB, 2 threads, unordered")
    bench.ratio("the same, rows of the runs interleaved", 0.40, 0.25, "import interleaved", "duckdb load interleaved", "DuckDB likewise")
    bench.ratio("analysis of a filled store, own process", 0.12, 0.08, "analyse", "duckdb analyse", "DuckDB on its own file")
    bench.ratio("the same against SQL on SQLite rows", 0.04, 0.025, "analyse small", "sqlite analyse", "sqlite3, 1 M rows")
    compare_figures(bench)
    bench.row("store size", 7, 6, os.path.getsize(bench.path("whole.db")) / bench.options.rows, "", "bytes/frame",
              f"DuckDB {os.path.getsize(bench.path('frames.duckdb')) / bench.options.rows:.1f}" if "duckdb" in bench.peers else "")
    bench.row("peak memory of import and analysis", 96, 64, max(peak for what, peak in bench.peak_mb.items() if not what.startswith("sqlite")), "any size", "MB")
    bench.row("thresholds changed to heatmap repainted", 120, 80, found.get("changed thresholds"), "", "ms")
    bench.row("open to first complete screen", 50, 20, found.get("start on the large store"), "", "ms")
    bench.row("the same, large to small store", 1.2, None, found.get("start, large to small store"), "store of 1 M frames")
    bench.row("the same against tig", 1, None, found.get("start against tig"), "tig on 3 000 commits")
    bench.row("one run added and analysed", 60, None, bench.median("run to full") * 1000, "", "ms")
    bench.ratio("the same, full to empty store", 1.5, None, "run to full", "run to empty", "an empty store")
    bench.ratio("NDJSON", 0.7, 0.5, "ndjson", "duckdb ndjson", "DuckDB's NDJSON load")
    for name in ("gzip", "zstd"):
        parts = [bench.median(what) for what in (name, "plain", f"unpack {name}")]
        bench.row(f"{name} input", 1.15, None, parts[0] / (parts[1] + parts[2]) if None not in parts else None, "plain import + decompression")
    for step in ("import", "analyse"):
        for small, large in zip(sizes, sizes[1:]):
            cost = [bench.median(f"{step} {rows}") / rows for rows in (small, large)]
            bench.row(f"{step}: cost per frame, {large // 1000000} M to {small // 1000000} M", 1.2, None, cost[1] / cost[0], "linear growth",
                      detail=", ".join(f"{rows // 1000000} M: {bench.median(f'{step} {rows}'):.2f} s" for rows in (small, large)))


def table_text(bench):
    lines = ["| what | must | aim | measured | reference | |", "| --- | --- | --- | --- | --- | --- |"]
    for what, must, aim, value, reference, unit, state, _ in bench.rows:
        shown = "not measured" if value is None else f"{value:.3g} {unit}".replace(" x", " ×")
        lines.append(f"| {what} | ≤ {must:g} | {f'{aim:g}' if aim else ''} | {shown} | {reference} | {state} |")
    return "\n".join(lines)


def write_readme(bench, command):
    path = os.path.join(HERE, "../../README.md")
    with open(path) as file:
        text = file.read()
    begin, end = "<!-- speed: written by scripts/bench -->\n", "<!-- end of speed -->\n"
    machine = f"{os.cpu_count()} processors, {platform.machine()}"
    body = (f"{begin}`{command}`, {datetime.date.today().isoformat()}, {bench.options.rows // 1000000} M frames, median of {bench.options.rounds} rounds in turn, "
            f"{machine}:\n\n{table_text(bench)}\n{end}")
    if begin in text:
        text = text[:text.index(begin)] + body + text[text.index(end) + len(end):]
    else:
        text = text.rstrip("\n") + "\n\n## Speed\n\n" + body
    with open(path, "w") as file:
        file.write(text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--peers", default="")
    parser.add_argument("--rows", type=int, default=10000000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--huge", action="store_true")
    parser.add_argument("--partial", action="store_true")
    parser.add_argument("--write-readme", action="store_true")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    bench = Bench(options)
    subprocess.run([bench.maker, "--rows", "1", "--devices", bench.path("devices.csv")], check=True, stdout=subprocess.DEVNULL)
    absent = [name for name in KNOWN_PEERS if name not in bench.peers] + ([] if bench.sqlite else ["sqlite3"])
    if absent:
        print(f"absent: {', '.join(absent)}")
    load_and_analyse(bench)
    sql_on_rows(bench)
    other_inputs(bench)
    one_run_more(bench)
    sizes = growth(bench)
    found = screens(bench)
    print(f"\n{options.rows} frames, medians of {options.rounds} rounds")
    judge(bench, sizes, found)
    print("\n" + table_text(bench))
    failed = [row[0] for row in bench.rows if row[6] == "FAIL"]
    missing = [row[0] for row in bench.rows if row[6] == "absent"]
    print(f"\n{len(bench.rows) - len(failed) - len(missing)} passed, {len(failed)} failed, {len(missing)} not measured")
    if options.write_readme:
        command = "scripts/bench" + (f" --rows {options.rows}" if options.rows != 10000000 else "") + (" --huge" if options.huge else "")
        write_readme(bench, command)
    sys.exit(1 if failed or (missing and not options.partial) else 0)


if __name__ == "__main__":
    main()
