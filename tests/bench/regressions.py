#!/usr/bin/env python3
"""How well regressions are named: on generated telemetry whose faults are known, night by night.

usage: regressions.py PROGRAM GENERATOR [--seeds 1-20] [--rows 33000000] [--builds 40] [--folder /tmp] [--keep] [--nights]

GENERATOR writes telemetry with regressions that begin at one build (--rows --builds --seed --out --truth --devices).
For every seed: is each regression named on the night of the first bad build, is the change point that build once all are
loaded, and how many other cells are named each night.  All builds are imported once and judged build by build: a verdict
looks at earlier builds only, so it is what that night would have said (--check imports up to that night and compares).
Beside it, on the same per-run figures: a flat rule (15 % over the build before) and mean + 2 sigma of the ten builds
before.  Telemetry is piped, the store deleted as soon as it is judged; --keep leaves it for judging again.
"""
import argparse
import collections
import json
import os
import statistics
import subprocess
import sys

FIGURES = ("p95_ms", "p99_ms", "hitch_ratio_ms_per_s")
KINDS = ("hitch", "drift", "slow")


def ask(program, store, *arguments):
    result = subprocess.run([program, *arguments, "--store", store, "--json"], capture_output=True, text=True)
    if result.returncode not in (0, 1, 3):
        sys.exit(f"{' '.join(arguments)}: {result.stderr}")
    return json.loads(result.stdout)


def named_cells(program, store):
    """{build: device x scene that the program names on that night}: its findings but those about uploads."""
    cells = collections.defaultdict(set)
    for row in ask(program, store, "findings", "--build", "all", "--limit", "0")["rows"]:
        if row["kind"] in KINDS:
            cells[row["id"].split("@", 1)[1]].add((row["device"], row["scene"]))
    return cells


def per_build_medians(runs):
    """{(device, scene, quality, figure): {build: median over its runs}}, sampled runs left out."""
    values = collections.defaultdict(lambda: collections.defaultdict(list))
    for row in runs:
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


def change_is(program, store, all_runs, builds, regression, first_bad):
    """Whether the change point of the regression's figure is the first bad build, all builds loaded."""
    device, scene, kind = regression["device_model"], regression["scene"], regression["kind"]
    event = {"shader_hitches": "shader_compile", "gc_hitches": "gc_collect"}.get(kind)
    runs = [row for row in all_runs if row["device"] == device and row["scene"] == scene]
    quality = collections.Counter(row["quality"] for row in runs).most_common(1)[0][0]
    arguments = ["trend", "--device", device, "--scene", scene, "--quality", quality, "--build", builds[-1]]
    arguments += ["--event", event, "--figure", "rate_per_min"] if event else ["--figure", "p95_ms"]
    change = ask(program, store, *arguments)["change"]
    found = change and change["first_bad_build"]
    # A quality that was not played on the first bad night cannot show it: the next night with runs is the first one seen.
    played = [b for b in builds[builds.index(first_bad):] if any(r["build"] == b and r["quality"] == quality for r in runs)]
    return bool(found) and bool(played) and found == played[0]


def bring_in(options, seed, store, truth, devices, until=None):
    """Generates and imports in one pipe; with a build, only the rows up to it."""
    generate = [options.generator, "--builds", str(options.builds), "--seed", str(seed)]
    subprocess.run([*generate, "--rows", "1", "--out", os.devnull, "--devices", devices], check=True, stderr=subprocess.DEVNULL)
    subprocess.run([options.program, "devices", "--store", store, "--load", devices, "--quiet"], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    source = subprocess.Popen([*generate, "--rows", str(options.rows), "--truth", truth], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    rows = source
    if until is not None:  # the build is the sixth column from the end
        rows = subprocess.Popen(["awk", "-F,", "-v", f"until={until}", 'NR > 1 && $(NF - 5) > until { exit } { print }'], stdin=source.stdout,
                                stdout=subprocess.PIPE)
        source.stdout.close()
    subprocess.run([options.program, "import", "--store", store, "--quiet", "-"], stdin=rows.stdout, check=True, stdout=subprocess.DEVNULL)
    rows.stdout.close()
    source.wait()


def run_seed(options, seed, totals):
    store, truth, devices = (os.path.join(options.folder, f"regressions-{seed}.{e}") for e in ("db", "json", "devices.csv"))
    part = os.path.join(options.folder, f"regressions-{seed}-part.db")
    try:
        if not os.path.exists(store):
            bring_in(options, seed, store, truth, devices)
        with open(truth, encoding="utf-8") as file:
            facts = json.load(file)
        judge_seed(options.program, store, facts, totals)
        if options.check:
            night = facts["first_bad_build"]
            bring_in(options, seed, part, truth, devices, night)
            same = named_cells(options.program, part)[night] == named_cells(options.program, store)[night]
            print(f"seed {seed}: with data up to {night} only the same cells are named: {'yes' if same else 'NO'}", flush=True)
    finally:
        for path in (part, *(() if options.keep else (store, truth, devices))):
            for end in ("", "-wal", "-shm"):
                if os.path.exists(path + end):
                    os.unlink(path + end)


def judge_seed(program, store, facts, totals):
    builds = [row["build"] for row in ask(program, store, "builds")["rows"]]
    first_bad = facts["first_bad_build"]
    bad = {(r["device_model"], r["scene"]) for r in facts["regressions"]}
    runs = ask(program, store, "runs", "--build", "all", "--limit", "0")["rows"]
    medians = per_build_medians(runs)
    named = named_cells(program, store)
    for night in range(1, len(builds)):
        found = {"stutterscope": named[builds[night]], "flat 15 %": rule_cells(medians, builds, night, flat),
                 "mean + 2 sigma": rule_cells(medians, builds, night, sigma)}
        for name, cells in found.items():
            totals[name][night].append(len(cells - bad) if night >= builds.index(first_bad) else len(cells))
            if builds[night] == first_bad:
                for r in facts["regressions"]:
                    totals[name][r["kind"]].append((r["device_model"], r["scene"]) in cells)
    for r in facts["regressions"]:
        totals["stutterscope"]["change point"].append(change_is(program, store, runs, builds, r, first_bad))


def share(hits):
    return f"{sum(hits)}/{len(hits)} ({100 * sum(hits) / len(hits):.0f} %)" if hits else "-"


def report(options, totals, seeds):
    print(f"\n{seeds} seeds, {options.rows} rows x {options.builds} builds")
    print("| rule | hitches named on the first night | slower base | change point | other cells named a night | nights 2 to 7 | later |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name, figures in totals.items():
        nights = {night: statistics.mean(figures[night]) for night in range(1, options.builds)}
        early = [nights[n] for n in nights if n <= 6]
        late = [nights[n] for n in nights if n > 6]
        print(f"| {name} | {share(figures['shader_hitches'] + figures['gc_hitches'])} | {share(figures['slower_base'])} | {share(figures['change point'])} "
              f"| {statistics.mean(nights.values()):.2f} | {statistics.mean(early):.2f} | {statistics.mean(late) if late else 0:.2f} |")
        if options.nights:
            print("  night by night: " + " ".join(f"{night + 1}:{value:.1f}" for night, value in nights.items()))
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("generator")
    parser.add_argument("--seeds", default="1-20")
    parser.add_argument("--rows", type=int, default=33000000)
    parser.add_argument("--builds", type=int, default=40)
    parser.add_argument("--folder", default="/tmp")
    parser.add_argument("--keep", action="store_true", help="leave the stores, and use those that are there")
    parser.add_argument("--nights", action="store_true", help="print the other cells of every night")
    parser.add_argument("--check", action="store_true", help="judge the first bad night once more with data up to it only")
    options = parser.parse_args()
    low, _, high = options.seeds.partition("-")
    totals = collections.defaultdict(lambda: collections.defaultdict(list))
    for count, seed in enumerate(range(int(low), int(high or low) + 1), 1):
        run_seed(options, seed, totals)
        report(options, totals, count)


if __name__ == "__main__":
    main()
