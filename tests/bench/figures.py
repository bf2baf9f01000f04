#!/usr/bin/env python3
"""Compares what stutterscope finds with what SQL finds: figures.py PROGRAM STORE FOLDER

FOLDER holds groups.csv and windows.csv of duckdb.mjs.  With --no-labels both must be the same: frames, median, MAD, P95,
P99, maximum of every group; run, start, end, peak and frames of every window.  Prints what differs; exit status 1 then.
"""
import csv
import io
import subprocess
import sys
from fractions import Fraction


def table(program, store, verb):
    text = subprocess.run([program, verb, "--store", store, "--no-labels", "--build", "all", "--limit", "0", "--csv"],
                          check=True, capture_output=True, text=True).stdout
    return csv.DictReader(io.StringIO(text))


def number(text, decimals=4):
    """DuckDB computes with floating point: equal to a tenth of a microsecond is the same."""
    return round(Fraction(text), decimals)


def whole_us(text):
    return round(Fraction(text) * 1000)


def ours(program, store):
    key = ("build", "device", "scene", "quality")
    groups = {tuple(row[k] for k in key): tuple(number(row[k]) for k in ("frames", "median_ms", "mad_ms", "p95_ms", "p99_ms", "max_ms"))
              for row in table(program, store, "stats")}
    windows = sorted((*(row[k] for k in key), row["run"], whole_us(row["start_ms"]), whole_us(row["end_ms"]),
                      number(row["peak_frame_ms"]), int(row["over_budget_frames"])) for row in table(program, store, "windows"))
    return groups, windows


def theirs(folder):
    key = ("build_id", "device_model", "scene", "quality_level")
    with open(f"{folder}/groups.csv", newline="") as file:
        groups = {tuple(row[k] for k in key): tuple(number(row[k]) for k in ("frames", "median_ms", "mad_ms", "p95_ms", "p99_ms", "max_ms"))
                  for row in csv.DictReader(file)}
    with open(f"{folder}/windows.csv", newline="") as file:
        windows = sorted((*(row[k] for k in key), row["run_id"], int(row["start_us"]), whole_us(row["end_ms"]),
                          number(row["peak_ms"]), int(row["frames"])) for row in csv.DictReader(file))
    return groups, windows


def main():
    (groups, windows), (other_groups, other_windows) = ours(*sys.argv[1:3]), theirs(sys.argv[3])
    differing = [key for key in groups.keys() | other_groups.keys() if groups.get(key) != other_groups.get(key)]
    for key in differing[:5]:
        print(f"group {key}: here {groups.get(key)}, there {other_groups.get(key)}")
    alone = [*(set(windows) - set(other_windows)), *(set(other_windows) - set(windows))]
    for window in alone[:5]:
        print(f"window {window}: {'here' if window in set(windows) else 'there'} only")
    print(f"{len(groups)} groups, {len(windows)} windows: {len(differing)} groups and {len(alone)} windows differ")
    sys.exit(1 if differing or alone or not groups or not windows or len(windows) != len(other_windows) else 0)


if __name__ == "__main__":
    main()
