#!/usr/bin/env python3
"""How well regressions are named: on generated telemetry whose faults are known, night by night.

usage: regressions.py PROGRAM GENERATOR [--seeds 1-20] [--rows 33000000] [--builds 40] [--folder /tmp]

GENERATOR writes telemetry with regressions that begin at one build (--rows --builds --seed --out --truth --devices).
For every seed: is each regression named on the night of the first bad build (with data up to that night only), is the
change point that build once all are loaded, and how many other cells are named each night.  Beside it, on the same
per-run figures: a flat rule (15 % over the build before) and mean + 2 sigma of the ten builds before.  Nights before the
sixth build are counted apart: they have too little history for anybody.  Files are deleted as soon as they are used.
"""
import argparse
import collections
import json
import os
import statistics
import subprocess
import sys

ALARMS = ("new", "worse", "back")
EARLY = 6
FIGURES = ("p95_ms", "p99_ms", "hitch_ratio_ms_per_s")


def ask(program, store, *arguments):
    result = subprocess.run([program, *arguments, "--store", store, "--json"], capture_output=True, text=True)
    if result.returncode not in (0, 1, 3):
        sys.exit(f"{' '.join(arguments)}: {result.stderr}")
    return json.loads(result.stdout)


def named_cells(program, store, build):
    """Device x scene that the program names on this night, as findings would list them."""
    cells = set()
    for row in ask(program, store, "stutters", "--build", build)["rows"]:
        if row["label"] == "gameplay" and row["verdict"] in ALARMS:
            cells.add((row["device"], row["scene"]))
    for row in ask(program, store, "compare", "--build", build)["rows"]:
        if row["stutter"] is None and row["verdict"] == "worse" and row["figure"] != "max_ms":
            cells.add((row["device"], row["scene"]))
    return cells


def per_build_medians(program, store):
    """{(device, scene, quality, figure): {build: median over its runs}}, sampled runs left out."""
    values = collections.defaultdict(lambda: collections.defaultdict(list))
    for row in ask(program, store, "runs", "--build", "all", "--limit", "0")["rows"]:
        if "sampled" in row["flags"]:
            continue
        key = (row["device"], row["scene"], row["quality"])
        for figure in FIGURES:
            if row[figure] is not None:
                values[key + (figure,)][row["build"]].append(row[figure])
        if row["windows"] is not None and row["duration_ms"]:
            values[key + ("windows_per_min",)][row["build"]].append(row["windows"] * 60000 / row["duration_ms"])
    return {key: {b: statistics.median(v) for b, v in builds.items()} for key, builds in values.items()}


def rule_cells(medians, builds, night, rule):
    cells = set()
    for (device, scene, _, _), series in medians.items():
        past = [series[b] for b in builds[:night] if b in series]
        if builds[night] in series and past and rule(series[builds[night]], past):
            cells.add((device, scene))
    return cells


def flat(now, past):
    return now > past[-1] * 1.15 and now - past[-1] > 1e-9


def sigma(now, past):
    past = past[-10:]
    return len(past) >= 3 and now > statistics.mean(past) + 2 * statistics.pstdev(past)


def change_is(program, store, builds, regression, first_bad):
    """Whether the change point of the regression's figure is the first bad build, all builds loaded."""
    device, scene, kind = regression["device_model"], regression["scene"], regression["kind"]
    event = {"shader_hitches": "shader_compile", "gc_hitches": "gc_collect"}.get(kind)
    runs = ask(program, store, "runs", "--build", "all", "--device", device, "--scene", scene, "--limit", "0")["rows"]
    quality = collections.Counter(row["quality"] for row in runs).most_common(1)[0][0]
    arguments = ["trend", "--device", device, "--scene", scene, "--quality", quality, "--build", builds[-1]]
    arguments += ["--event", event, "--figure", "rate_per_min"] if event else ["--figure", "p95_ms"]
    change = ask(program, store, *arguments)["change"]
    found = change and change["first_bad_build"]
    # A quality that was not played on the first bad night cannot show it: the next night with runs is the first one seen.
    played = [b for b in builds[builds.index(first_bad):] if any(r["build"] == b and r["quality"] == quality for r in runs)]
    return bool(found) and bool(played) and found == played[0]


def run_seed(options, seed, totals):
    csv, store, truth, devices = (os.path.join(options.folder, f"regressions-{seed}.{e}") for e in ("csv", "db", "json", "devices.csv"))
    try:
        subprocess.run([options.generator, "--rows", str(options.rows), "--builds", str(options.builds), "--seed", str(seed), "--out", csv,
                        "--truth", truth, "--devices", devices], check=True, stderr=subprocess.DEVNULL)
        subprocess.run([options.program, "devices", "--store", store, "--load", devices, "--quiet"], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        subprocess.run([options.program, "import", "--store", store, "--quiet", csv], check=True)
        os.unlink(csv)
        facts = json.load(open(truth))
        judge_seed(options.program, store, facts, totals)
    finally:
        for path in (csv, store, store + "-wal", store + "-shm", truth, devices):
            if os.path.exists(path):
                os.unlink(path)


def judge_seed(program, store, facts, totals):
    builds = [row["build"] for row in ask(program, store, "builds")["rows"]]
    first_bad = facts["first_bad_build"]
    bad = {(r["device_model"], r["scene"]) for r in facts["regressions"]}
    medians = per_build_medians(program, store)
    for night in range(1, len(builds)):
        found = {"ours": named_cells(program, store, builds[night]), "flat 15 %": rule_cells(medians, builds, night, flat),
                 "mean + 2 sigma": rule_cells(medians, builds, night, sigma)}
        for name, cells in found.items():
            others = len(cells - bad) if night >= builds.index(first_bad) else len(cells)
            totals[name]["early" if night < EARLY else "false"].append(others)
            if builds[night] == first_bad:
                for r in facts["regressions"]:
                    totals[name][r["kind"]].append((r["device_model"], r["scene"]) in cells)
    for r in facts["regressions"]:
        totals["ours"]["change point"].append(change_is(program, store, builds, r, first_bad))


def share(hits):
    return f"{sum(hits)}/{len(hits)} = {100 * sum(hits) / len(hits):.0f} %" if hits else "-"


def report(totals, seeds):
    print(f"after {seeds} seeds:")
    for name, figures in totals.items():
        hitches = figures["shader_hitches"] + figures["gc_hitches"]
        print(f"  {name:15} hitches named on the first night {share(hitches)}, slower base {share(figures['slower_base'])}, "
              f"other cells named a night {statistics.mean(figures['false']):.2f} (nights 2 to {EARLY}: {statistics.mean(figures['early']):.1f})"
              + (f", change point {share(figures['change point'])}" if figures["change point"] else ""), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("generator")
    parser.add_argument("--seeds", default="1-20")
    parser.add_argument("--rows", type=int, default=33000000)
    parser.add_argument("--builds", type=int, default=40)
    parser.add_argument("--folder", default="/tmp")
    options = parser.parse_args()
    low, _, high = options.seeds.partition("-")
    totals = collections.defaultdict(lambda: collections.defaultdict(list))
    for count, seed in enumerate(range(int(low), int(high or low) + 1), 1):
        run_seed(options, seed, totals)
        report(totals, count)


if __name__ == "__main__":
    main()
