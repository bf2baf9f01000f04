#!/usr/bin/env python3
"""Does a store survive what can happen to it?

  faults.py PROGRAM SHIM [--quick] [--minutes M] [--seed N] [--only KIND,KIND...]

PROGRAM is stutterscope, SHIM the library made of shim.c beside this file. Every kind of fault is tried as often as the
table says; after each try the store has to be whole (SQLite's integrity check, the program's own check), to hold all
that was stored before, to hold of what was under way all or nothing, and to take the same work again. Prints a table
(kind, tried, lost, seconds, seed) and what was lost; exit status 1 if anything was, or if fewer tries were made than
asked for. What this machine cannot do is counted as skipped, with the reason.
"""

import argparse
import contextlib
import hashlib
import json
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import traceback

DERIVED = {"analysis", "distribution", "run_distribution", "event_figure", "window", "stutter", "sqlite_sequence"}
TIMES = {"imported_at_ms", "at_ms", "changed_at_ms", "decided_at_ms", "when_ms"}


class Lost(Exception):
    pass


class Skipped(Exception):
    pass


# --- telemetry -----------------------------------------------------------------------------------------------------

def write_night(path, build, seed, frames=1500, devices=("Phone A", "Tablet, B")):
    """Canonical CSV: per device one run of two scenes at 60 FPS with a hitch after an event."""
    chance = random.Random(seed)
    with open(path, "w", encoding="utf-8") as out:
        out.write("build_id,device_model,scene,run_id,timestamp_ms,frame_time_ms,cpu_frame_ms,gpu_frame_ms,event_name\n")
        for number, device in enumerate(devices):
            stamp = 1000.0
            for index in range(frames):
                scene = "Menu" if index < frames // 3 else "Battle"
                ms, event = 16.0 + chance.random(), ""
                if index in (frames // 2, frames // 2 + 200):
                    ms, event = 90.0 + 20 * chance.random(), "skill_cast"
                stamp += ms
                out.write(f'{build},"{device}",{scene},{build}-r{number},{stamp:.3f},{ms:.3f},{ms * .6:.3f},{ms * .4:.3f},{event}\n')


# --- the store, seen without the program ---------------------------------------------------------------------------

@contextlib.contextmanager
def database(path):
    connection = sqlite3.connect(path, timeout=30)
    connection.text_factory = bytes
    try:
        yield connection
    finally:
        connection.close()


def contents(path):
    """What is stored, without what can be computed again: {table: set of rows}, times of day left out."""
    if not os.path.exists(path) or os.path.getsize(path) == 0:
        return {}
    with database(path) as connection:
        answer = connection.execute("PRAGMA integrity_check").fetchall()
        if answer != [(b"ok",)]:
            raise Lost(f"integrity_check: {answer[:3]}")
        result = {}
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            name = name.decode()
            if name in DERIVED or name.startswith("sqlite_"):
                continue
            columns = [c[1].decode() for c in connection.execute(f"PRAGMA table_info({name})")]
            kept = [c for c in columns if c not in TIMES]
            rows = connection.execute(f"SELECT {', '.join(kept)} FROM {name}").fetchall()
            result[name] = {hashlib.sha1(repr(row).encode()).hexdigest() for row in rows}
        return result


def holds(after, before):
    """Is every row of before still there? Settings and counters may have changed."""
    for table, rows in before.items():
        if table in ("setting", "frame_group", "group_series"):
            continue
        if not rows <= after.get(table, set()):
            return table
    return None


# --- the program ---------------------------------------------------------------------------------------------------

class Bench:
    def __init__(self, options):
        self.program, self.shim = os.path.abspath(options.program), os.path.abspath(options.shim)
        self.quick, self.minutes, self.seed = options.quick, options.minutes, options.seed
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix="stutterscope-faults-"))
        self.chance = random.Random(options.seed)
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("STUTTERSCOPE")}
        self.environment |= {"HOME": self.folder, "XDG_CONFIG_HOME": self.folder + "/config", "XDG_STATE_HOME": self.folder + "/state",
                             "XDG_DATA_HOME": self.folder + "/data", "LC_ALL": "C.UTF-8", "USER": "tester",
                             "STUTTERSCOPE_DATA": os.environ.get("STUTTERSCOPE_DATA", "")}
        if not self.environment["STUTTERSCOPE_DATA"]:
            del self.environment["STUTTERSCOPE_DATA"]
        self.nights = []
        for night in range(4):
            path = f"{self.folder}/night{night}.csv"
            write_night(path, f"1.0.{night}", 100 + night)
            self.nights.append(path)

    def tries(self, number):
        """All of them, or a few to see whether it works at all."""
        return max(5, number // 25) if self.quick else number

    def run(self, *words, store=None, check=None, timeout=60, before=(), **faults):
        environment = dict(self.environment)
        if faults:
            environment |= {"LD_PRELOAD": self.shim, "FAULT_FOLDER": self.folder}
            environment |= {"FAULT_" + key.upper(): str(value) for key, value in faults.items()}
        arguments = [*before, self.program, *words] + (["--store", store] if store else [])
        process = subprocess.run(arguments, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout)
        process.stderr, process.stdout = process.stderr.decode(errors="replace"), process.stdout.decode(errors="replace")
        if check is not None and process.returncode not in check:
            raise Lost(f"{' '.join(words)} ended with {process.returncode}: {process.stderr.strip()[-300:]}")
        return process

    def fresh(self, name="store", nights=1, analysed=False):
        """A store that holds the first nights."""
        folder = f"{self.folder}/{name}"
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)
        store = folder + "/s.db"
        if nights:
            self.run("import", *self.nights[:nights], "--quiet", store=store, check=[0])
        if analysed:
            self.run("stats", store=store, check=[0])
        return store

    def copy(self, store, name="copy"):
        folder = f"{self.folder}/{name}"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(os.path.dirname(store), folder)
        return folder + "/s.db"

    def whole(self, store, before):
        """Everything that was there is there, and the program finds no damage."""
        after = contents(store)
        table = holds(after, before)
        if table:
            raise Lost(f"rows of {table} that were stored are gone")
        if after:
            self.run("check", "--json", store=store, check=[0])
        return after

    def count_changes(self, *words, store):
        path = self.folder + "/count"
        self.run(*words, store=store, count=path, check=[0])
        return int(open(path).read())


# --- kinds of faults -----------------------------------------------------------------------------------------------

def work_import(bench, store):
    return ["import", *bench.nights[1:3], "--quiet"]


def work_triage(bench, store):
    rows = json.loads(bench.run("stutters", "--json", store=store, check=[0]).stdout)["rows"]
    return ["triage", rows[0]["id"], "known", "--note", "seen before", "--owner", "me"]


def work_analysis(bench, store):
    return ["stats"]


def decisions(bench, store):
    """Every decision that was ever made, without the time of day."""
    rows = json.loads(bench.run("triage", "--log", "--json", "--limit", "0", store=store, check=[0]).stdout)["rows"]
    return [{name: value for name, value in row.items() if name != "at"} for row in rows]


def results_equal(bench, first, second):
    """The same frames and decisions, told by the program."""
    for words in (["export", "--build", "all"], ["stats", "--csv", "--build", "all"], ["stutters", "--csv", "--build", "all"]):
        one, two = (bench.run(*words, store=s, check=[0]).stdout for s in (first, second))
        if sorted(one.splitlines()) != sorted(two.splitlines()):
            raise Lost(f"{words[0]} differs from a store that nothing happened to")
    if decisions(bench, first) != decisions(bench, second):
        raise Lost("the log of decisions differs from that of a store that nothing happened to")


def try_work(bench, base, goal, words, before, **faults):
    """Once, with a fault; then again without it."""
    store = bench.copy(base)
    done = bench.run(*words, store=store, **faults)
    bench.whole(store, before)
    if words[0] == "import":
        # each file is there whole or not at all
        with database(store) as connection:
            for (fingerprint, frames, held) in connection.execute(
                    "SELECT i.fingerprint, i.frames, (SELECT total(r.frames) FROM run r WHERE r.import = i.id) FROM import i"):
                if frames != held:
                    raise Lost(f"an import of {frames} frames holds {held}")
    bench.run(*words, store=store, check=[0])
    bench.whole(store, before)
    results_equal(bench, store, goal)
    return done


def goal_of(bench, base, words):
    goal = bench.copy(base, "goal")
    bench.run(*words, store=goal, check=[0])
    return goal


def killed(bench, work, tries, base):
    words = work(bench, base)
    before = contents(base)
    goal = goal_of(bench, base, words)
    changes = bench.count_changes(*words, store=bench.copy(base, "counted"))
    hit = 0
    for number in range(tries):
        # every change once, as far as there are enough tries; then by chance
        at = number + 1 if changes <= tries and number < changes else bench.chance.randint(1, changes)
        done = try_work(bench, base, goal, words, before, kill_at=at)
        hit += done.returncode == -signal.SIGKILL
    if not hit:
        raise Lost(f"no try of {tries} hit the program ({changes} changes)")
    return tries, f"{hit} died at one of {changes} changes"


def kill_import(bench):
    return killed(bench, work_import, bench.tries(200), bench.fresh())


def kill_triage(bench):
    return killed(bench, work_triage, bench.tries(200), bench.fresh(nights=2, analysed=True))


def kill_analysis(bench):
    return killed(bench, work_analysis, bench.tries(200), bench.fresh(nights=3))


def kill_by_clock(bench):
    """From outside, at random moments of an import."""
    base, tries = bench.fresh(), bench.tries(200)
    words, before = work_import(bench, base), contents(base)
    goal = goal_of(bench, base, words)
    start = time.monotonic()
    bench.run(*words, store=bench.copy(base), check=[0])
    whole_time = time.monotonic() - start
    hit = 0
    for _ in range(tries):
        store = bench.copy(base)
        process = subprocess.Popen([bench.program, *words, "--store", store], env=bench.environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(bench.chance.uniform(0, whole_time))
        except subprocess.TimeoutExpired:
            process.kill()
            hit += 1
        process.wait()
        bench.whole(store, before)
        bench.run(*words, store=store, check=[0])
        results_equal(bench, store, goal)
    return tries, f"{hit} died under way"


def older_store(bench, name="older"):
    """A store as the first version of the schema had it, with frames: made of a new one by taking away what is newer."""
    store = bench.fresh(name, nights=2)
    schema = bench.environment.get("STUTTERSCOPE_DATA") or os.path.join(os.path.dirname(__file__), "../../data")
    old = os.path.dirname(store) + "/old.db"
    with database(old) as connection:
        connection.execute("PRAGMA page_size = 16384")
        connection.executescript(open(f"{schema}/schema/001.sql", encoding="utf-8").read())
        connection.execute("ATTACH ? AS new", (store,))
        for (table,) in connection.execute("SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").fetchall():
            table = table.decode()
            if table in DERIVED:
                continue
            columns = ", ".join(c[1].decode() for c in connection.execute(f"PRAGMA main.table_info({table})"))
            connection.execute(f"INSERT OR REPLACE INTO main.{table} ({columns}) SELECT {columns} FROM new.{table}")
        application = connection.execute("PRAGMA new.application_id").fetchone()[0]
        connection.commit()
        connection.execute(f"PRAGMA application_id = {application}")
        connection.execute("PRAGMA user_version = 1")
        connection.commit()
    for suffix in ("", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(store + suffix)
    os.rename(old, store)
    return store


def kill_migration(bench):
    base = older_store(bench)
    before = contents(base)
    words = ["builds"]
    goal = goal_of(bench, base, words)
    changes = bench.count_changes(*words, store=bench.copy(base, "counted"))
    tries, hit = bench.tries(200), 0
    for number in range(tries):
        store = bench.copy(base)
        done = bench.run(*words, store=store, kill_at=number % changes + 1)
        hit += done.returncode == -signal.SIGKILL
        with database(store) as connection:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version == 1 and set(contents(store)) != set(before):
            raise Lost("half a migration")
        bench.run(*words, store=store, check=[0])
        bench.whole(store, {k: v for k, v in before.items() if k == "segment_frame_time"})
        results_equal(bench, store, goal)
    if not hit:
        raise Lost("no try hit the migration")
    return tries, f"{hit} died at one of {changes} changes"


def disk_full(bench):
    tries = 0
    told = []
    for work, base in ((work_import, bench.fresh()), (work_triage, bench.fresh("s2", 2, True)), (work_analysis, bench.fresh("s3", 3))):
        words, before = work(bench, base), contents(base)
        goal = goal_of(bench, base, words)
        changes = bench.count_changes(*words, store=bench.copy(base, "counted"))
        told.append(f"{words[0]} {changes}")
        for at in range(1, changes + 1, 31 if bench.quick else 1):
            done = try_work(bench, base, goal, words, before, full_at=at)
            tries += 1
            # what is derived need not be kept; what was asked to be stored has to be, or it is said that it was not
            if done.returncode == 0 and words[0] != "stats":
                kept = bench.copy(base)
                bench.run(*words, store=kept, full_at=at)
                results_equal(bench, kept, goal)
            elif done.returncode != 0 and not any(word in done.stderr.lower() for word in ("full", "space", "room")):
                raise Lost(f"{words[0]}, change {at} without room: the message does not say so: {done.stderr.strip()[-300:]}")
            elif done.returncode < 0:
                raise Lost(f"{words[0]}, change {at} without room: ended by signal {-done.returncode}")
    return tries, "every change without room: " + ", ".join(told)


def read_only(bench):
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        raise Skipped("needs root and setpriv, to become nobody")
    nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    os.chmod(bench.folder, 0o755)
    tries = 0
    for what in ("file", "folder", "file system"):
        store = bench.fresh("readonly", 2, True)
        folder = os.path.dirname(store)
        want = bench.run("stats", "--csv", store=store, check=[0]).stdout
        before = contents(store)
        mounted = False
        os.chmod(store, 0o644)
        if what == "file system":
            if subprocess.run(["mount", "--bind", folder, folder], capture_output=True).returncode or \
                    subprocess.run(["mount", "-o", "remount,ro,bind", folder], capture_output=True).returncode:
                subprocess.run(["umount", folder], capture_output=True)
                raise Skipped("a read-only file system cannot be mounted here (file and folder passed)")
            mounted = True
        else:
            os.chmod(store, 0o444)
            os.chmod(folder, 0o555)
            if what == "file":
                os.chmod(folder, 0o777)
        try:
            os.chmod(bench.nights[3], 0o644)
            seen = bench.run("stats", "--csv", store=store, before=nobody)
            if seen.returncode != 0 or seen.stdout != want:
                raise Lost(f"read-only {what}: browsing fails: {seen.stderr.strip()[-300:]}")
            refused = bench.run("import", bench.nights[3], store=store, before=nobody)
            if refused.returncode == 0 or not refused.stderr.strip():
                raise Lost(f"read-only {what}: an import that cannot be is not refused")
        finally:
            if mounted:
                subprocess.run(["umount", folder], capture_output=True)
        bench.whole(store, before)
        tries += 2
    return tries, "file, folder and file system, as nobody"


def locked(bench):
    store = bench.fresh()
    before = contents(store)
    with database(store) as connection:
        connection.isolation_level = None
        connection.execute("BEGIN IMMEDIATE")
        process = subprocess.Popen([bench.program, "import", bench.nights[1], "--quiet", "--store", store], env=bench.environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        pause(1)
        if process.poll() is not None:
            raise Lost(f"an import into a locked store ended with {process.returncode}, before the lock did")
        connection.execute("ROLLBACK")
        if process.wait(60) != 0:
            raise Lost("a short lock was not waited for: " + process.stderr.read().decode()[-300:])
        connection.execute("BEGIN IMMEDIATE")
        refused = bench.run("import", bench.nights[2], "--quiet", store=store, timeout=120)
        if refused.returncode == 0 or not any(word in refused.stderr for word in ("locked", "another program", "busy", "in use")):
            raise Lost("a long lock is not told: " + refused.stderr.strip()[-300:])
        seen = bench.run("stats", store=store)
        if seen.returncode != 0:
            raise Lost("reading waits for a writer: " + seen.stderr.strip()[-300:])
        connection.execute("ROLLBACK")
    bench.whole(store, before)
    bench.run("import", bench.nights[2], "--quiet", store=store, check=[0])
    return 3, "short lock waited for, long one told, reading goes on"


def damaged(bench):
    """Cut, zeroed, flipped: the program never dies of it, and finds what changes frames."""
    base = bench.fresh("damage", 2, True)
    with database(base) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    original = open(base, "rb").read()
    frames = bench.run("export", "--build", "all", store=base, check=[0]).stdout
    tries, found, harmless, texts = bench.tries(500), 0, 0, 0
    for number in range(tries):
        at, how = bench.chance.randrange(len(original)), ("cut", "zero", "flip")[number % 3]
        data = bytearray(original)
        if how == "cut":
            data = data[:at]
        elif how == "zero":
            length = min(bench.chance.choice((16, 512, 4096, 16384)), len(data) - at)
            data[at:at + length] = bytes(length)
        else:
            data[at] ^= 1 << bench.chance.randrange(8)
        folder = bench.folder + "/damaged"
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)
        store = folder + "/s.db"
        with open(store, "wb") as out:
            out.write(data)
        where = f"{how} at byte {at}"
        checked = bench.run("check", store=store)
        for words in (["stats"], ["heatmap"], ["findings"], ["check", "--repair"]):
            done = bench.run(*words, store=store)
            if done.returncode < 0:
                raise Lost(f"{where}: {words[0]} died of signal {-done.returncode}")
            if done.returncode not in (0, 1, 2, 3):
                raise Lost(f"{where}: {words[0]} ended with {done.returncode}")
            if done.returncode == 2 and not done.stderr.strip():
                raise Lost(f"{where}: {words[0]} says nothing")
        if checked.returncode < 0:
            raise Lost(f"{where}: check died of signal {-checked.returncode}")
        if checked.returncode != 0:
            found += 1
            continue
        again = bench.run("export", "--build", "all", store=store)
        if again.returncode == 0 and again.stdout == frames:
            harmless += 1
        elif strip_names(again.stdout) == strip_names(frames):
            texts += 1 # a letter of a name: only its writer could tell
        else:
            raise Lost(f"{where}: other frames, and check finds nothing")
    return tries, f"{found} found, {harmless} without effect, {texts} in names (which nothing tells apart)"


def strip_names(text):
    """The numbers of an export."""
    return sorted(",".join(part for part in line.split(",") if part.replace(".", "", 1).isdigit()) for line in text.splitlines()[1:])


def schema_versions(bench):
    store = bench.fresh("versions", 2)
    with database(store) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA user_version = 99")
        connection.commit()
    digest = hashlib.sha1(open(store, "rb").read()).hexdigest()
    for words in (["stats"], ["import", bench.nights[2]], ["check"], ["check", "--repair"], ["triage", "x", "known"]):
        done = bench.run(*words, store=store)
        if done.returncode == 0 or "99" not in done.stderr:
            raise Lost(f"{words[0]} on a newer store: {done.stderr.strip()[-300:]}")
        if hashlib.sha1(open(store, "rb").read()).hexdigest() != digest:
            raise Lost(f"{words[0]} wrote to a newer store")
    old = older_store(bench)
    want = bench.run("export", "--build", "all", store=bench.fresh("young", 2), check=[0]).stdout
    if sorted(bench.run("export", "--build", "all", store=old, check=[0]).stdout.splitlines()) != sorted(want.splitlines()):
        raise Lost("an older store has other frames after its migration")
    bench.run("check", store=old, check=[0])
    return 7, "newer refused and untouched, older migrated"


def clock_back(bench):
    store = bench.fresh("clock", 2, True)
    words = work_triage(bench, store)
    bench.run(*words, store=store, check=[0])
    back = -400 * 86400
    bench.run(words[0], words[1], "noise", "--note", "earlier, by the clock", store=store, clock=back, check=[0])
    bench.run("import", bench.nights[2], "--quiet", store=store, clock=back, check=[0])
    log = bench.run("triage", "--log", "--csv", store=store, check=[0]).stdout
    if "seen before" not in log or "earlier, by the clock" not in log:
        raise Lost("a decision is gone from the log")
    bench.run("triage", "--undo", store=store, clock=back, check=[0])
    state = [row["state"] for row in json.loads(bench.run("stutters", "--build", "1.0.1", "--json", store=store, check=[0]).stdout)["rows"]
             if row["id"] == words[1]]
    if state != ["known"]:
        raise Lost(f"undo with the clock set back took back another decision: {state}")
    bench.whole(store, {})
    return 4, "decisions, undo and an import with the clock 400 days back"


def together(bench):
    """Two browsers, three importers and somebody who decides, at once."""
    store = bench.fresh("together", 2, True)
    until = time.monotonic() + (20 if bench.quick else bench.minutes * 60)
    trouble, imported, decided = [], [], []
    finding = work_triage(bench, store)[1]

    def guard(work):
        def run():
            try:
                work()
            except Exception as error:  # pylint: disable=broad-except
                trouble.append(str(error))
        return run

    def importer(number):
        def work():
            night = 0
            while time.monotonic() < until and not trouble:
                build = f"2.{number}.{night}"
                path = f"{bench.folder}/import{number}.csv"
                write_night(path, build, night, frames=300, devices=(f"Phone {number}",))
                bench.run("import", path, "--quiet", store=store, check=[0], timeout=120)
                imported.append(build)
                night += 1
                pause(2 if not bench.quick else 0.3)
        return work

    def decider():
        number = 0
        while time.monotonic() < until and not trouble:
            note = f"note {number}"
            bench.run("triage", finding, "known", "--note", note, store=store, check=[0], timeout=120)
            decided.append(note)
            number += 1
            pause(0.5)

    figures = []

    def browser():
        import pty as terminal
        process, side = terminal.fork()
        if process == 0:
            os.execve(bench.program, [bench.program, store], bench.environment | {"TERM": "xterm-256color", "LINES": "24", "COLUMNS": "80"})
        drain = threading.Thread(target=drain_terminal, args=(side,), daemon=True)
        drain.start()
        keys = b"1jkhl2jk3+-4jk5j7 1\x0c"
        number, first = 0, None
        try:
            while time.monotonic() < until and not trouble:
                os.write(side, keys[number % len(keys):number % len(keys) + 1])
                number += 1
                pause(0.1)
                if number % 50 == 0:
                    first = first or usage(process)
                    figures.append((first, usage(process)))
            os.write(side, b"\x03")
            for _ in range(600):
                ended, status = os.waitpid(process, os.WNOHANG)
                if ended:
                    if status != 0:
                        trouble.append(f"a browser ended with status {status}")
                    return
                pause(0.1)
            trouble.append("a browser does not end")
        finally:
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(process, signal.SIGKILL)

    threads = [threading.Thread(target=guard(work)) for work in (browser, browser, importer(0), importer(1), importer(2), decider)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if trouble:
        raise Lost(trouble[0])
    contents(store)
    bench.run("check", store=store, check=[0], timeout=600)
    builds = bench.run("builds", "--csv", store=store, check=[0]).stdout
    for build in imported:
        if build not in builds:
            raise Lost(f"build {build} was imported and is not there")
    log = bench.run("triage", "--log", "--csv", "--limit", "0", store=store, check=[0]).stdout
    for note in decided:
        if note not in log:
            raise Lost(f"the decision \"{note}\" is not in the log")
    grown = max(last[0] / first[0] for first, last in figures) if figures else 1
    descriptors = max(last[1] - first[1] for first, last in figures) if figures else 0
    if descriptors > 8:
        raise Lost(f"a browser holds {descriptors} more files open than at its start")
    return len(imported) + len(decided), f"{len(imported)} imports, {len(decided)} decisions; a browser's memory x{grown:.2f}, +{descriptors} files"


def pause(seconds):
    threading.Event().wait(seconds)


def usage(process):
    """Resident KiB, open files."""
    with open(f"/proc/{process}/statm", encoding="ascii") as file:
        pages = int(file.read().split()[1])
    return pages * resource.getpagesize() // 1024, len(os.listdir(f"/proc/{process}/fd"))


def drain_terminal(side):
    with contextlib.suppress(OSError):
        while os.read(side, 65536):
            pass


KINDS = [
    ("killed during an import", kill_import, 200),
    ("killed by the clock during an import", kill_by_clock, 200),
    ("killed during a decision", kill_triage, 200),
    ("killed during an analysis", kill_analysis, 200),
    ("killed during a migration", kill_migration, 200),
    ("disk full at every change", disk_full, 100),
    ("read-only", read_only, 6),
    ("locked by another program", locked, 3),
    ("cut, zeroed, bits flipped", damaged, 500),
    ("newer and older schema", schema_versions, 7),
    ("clock set back", clock_back, 4),
    ("browsers, importers, a decider at once", together, 100),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("shim")
    parser.add_argument("--quick", action="store_true", help="fewer tries, to see whether it works at all")
    parser.add_argument("--minutes", type=float, default=10, help="of everything at once (10)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="kinds by function name")
    options = parser.parse_args()
    bench = Bench(options)
    bad = passed = skipped = 0
    print("| kind | tried | lost | seconds | seed | remarks |\n| --- | ---: | ---: | ---: | ---: | --- |", flush=True)
    try:
        for name, kind, least in KINDS:
            if options.only and kind.__name__ not in options.only.split(","):
                continue
            start, lost, tried, remark = time.monotonic(), 0, 0, ""
            try:
                tried, remark = kind(bench)
                if tried < least and not bench.quick:
                    lost, remark = 1, f"only {tried} tries of {least}: {remark}"
            except Lost as error:
                lost, remark = 1, str(error)
            except Skipped as error:
                skipped += 1
                remark = "skipped: " + str(error)
            except Exception as error:  # pylint: disable=broad-except
                traceback.print_exc()
                lost, remark = 1, f"this script failed: {type(error).__name__}: {error}"
            bad += bool(lost)
            passed += not lost
            print(f"| {name} | {tried} | {lost} | {time.monotonic() - start:.0f} | {bench.seed} | {' '.join(remark.split())} |", flush=True)
    finally:
        shutil.rmtree(bench.folder, ignore_errors=True)
    if skipped:
        print(f"\n{skipped} skipped")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
