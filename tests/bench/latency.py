#!/usr/bin/env python3
"""How fast the screens answer, seen from the terminal's side, beside other programs in the same run.

usage: latency.py PROGRAM GENERATOR [--rows 10000000] [--small 1000000] [--builds 12] [--folder /tmp/latency] [--keys 200]
       latency.py PROGRAM --store STORE [--small-store STORE] [--folder ...]

GENERATOR is make_telemetry; with --store nothing is generated.  On a pseudo
terminal of 240 x 60: from the start of a program to the last byte of its first complete screen, from a key to the last byte
of its repaint (both: the last byte before a silence), bytes per key, every screen by itself; htop, tig (a repository of 3000
commits made here) and vim the same way, and cat, which only sends back what it gets: what terminal and scheduler take of
every key.  Then what changed thresholds cost on Tune, and that an idle program does nothing:
no context switch, no processor time, and under strace one system call that is waiting.

With --realtime everything measured, this script included, goes before all other work of the machine (needs the privilege).
Exit status 1 when a goal is missed.  A busy machine is seen in the figures of the others: compare the ratios.
"""
import argparse
import fcntl
import os
import pty
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import termios
import time

ROWS, COLUMNS = 60, 240
KEY_SILENCE_MS, START_SILENCE_MS = 25, 400
COMMITS = 3000
SPECIAL = {"Down": b"\033OB", "Up": b"\033OA", "Enter": b"\r", "Esc": b"\033", "Tab": b"\t", "Space": b" ",
           "Ctrl-D": b"\x04", "Ctrl-U": b"\x15"}
# What terminals are asked at the start, and what an xterm says.
QUERIES = ((b"\033[c", b"\033[?62;22c"), (b"\033[>c", b"\033[>41;354;0c"), (b"\033[6n", b"\033[1;1R"),
           (b"\033]10;?", b"\033]10;rgb:ffff/ffff/ffff\033\\"), (b"\033]11;?", b"\033]11;rgb:0000/0000/0000\033\\"))


class Terminal:
    """A program on a pseudo terminal; ends with close()."""

    def __init__(self, argv, environment):
        self.begun = time.perf_counter_ns()
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
            os.execvpe(argv[0], argv, environment)
        self.poll = select.poll()
        self.poll.register(self.descriptor, select.POLLIN)

    def settle(self, begun, silence_ms, limit_ms=20000):
        """Milliseconds from `begun` to the last byte before a silence, and how many bytes came; (None, 0) when none did."""
        last, size, self.received = None, 0, b""
        limit = begun + limit_ms * 1000000
        while True:
            wait = limit - time.perf_counter_ns() if last is None else silence_ms * 1000000
            if wait <= 0 or not self.poll.poll(wait / 1e6):
                return (last, size)
            try:
                data = os.read(self.descriptor, 1 << 16)
            except OSError:
                return (last, size)
            last = (time.perf_counter_ns() - begun) / 1e6
            size += len(data)
            self.received += data
            for question, answer in QUERIES:
                if question in data:
                    os.write(self.descriptor, answer)

    def start(self):
        return self.settle(self.begun, START_SILENCE_MS)

    def key(self, name, silence_ms=KEY_SILENCE_MS, limit_ms=500):
        begun = time.perf_counter_ns()
        os.write(self.descriptor, SPECIAL.get(name, name.encode()))
        return self.settle(begun, silence_ms, limit_ms)

    def close(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.descriptor)


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


def measure_keys(terminal, keys, count):
    times, sizes = [], []
    for i in range(count):
        took, size = terminal.key(keys[i % len(keys)])
        if took is not None:
            times.append(took)
            sizes.append(size)
    return times, sizes


class Report:
    def __init__(self):
        self.missed = []

    def goal(self, what, value, limit, unit="ms"):
        good = value <= limit
        print(f"  {'met   ' if good else 'MISSED'} {what}: {value:.2f} {unit}, goal {limit:g}")
        if not good:
            self.missed.append(what)


def environment_of(folder):
    kept = {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "TZ": "UTC", "HOME": folder, "USER": "bench"}
    for name in ("CONFIG", "STATE", "DATA", "CACHE"):
        kept[f"XDG_{name}_HOME"] = folder
    return kept


def make_repository(folder):
    """3000 commits of one file, from a stream: git commit by commit would take minutes."""
    path = os.path.join(folder, "repository")
    subprocess.run(["git", "init", "-q", "-b", "main", path], check=True)
    lines = []
    for i in range(COMMITS):
        text, subject = f"value {i * 7919 % 104729}\n", f"Change number {i + 1} of the file\n"
        lines.append(f"commit refs/heads/main\ncommitter Bench <bench@example.com> {1700000000 + i * 600} +0000\n"
                     f"data {len(subject)}\n{subject}M 100644 inline file.txt\ndata {len(text)}\n{text}\n")
    subprocess.run(["git", "-C", path, "fast-import", "--quiet"], input="".join(lines).encode(), check=True)
    subprocess.run(["git", "-C", path, "reset", "-q", "--hard"], check=True)
    return path


def make_text(folder):
    path = os.path.join(folder, "text.csv")
    with open(path, "w") as file:
        for i in range(100000):
            file.write(f"{i},{16.6 + i % 37 / 10:.1f},scene_{i % 7},device_{i % 11}\n")
    return path


def make_store(options, rows, name):
    store, csv, devices = (os.path.join(options.folder, f"{name}.{e}") for e in ("db", "csv", "devices.csv"))
    quiet = {"check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with open(csv, "wb") as file:
        subprocess.run([options.generator, "--rows", str(rows), "--builds", str(options.builds), "--devices", devices], stdout=file, check=True)
    subprocess.run([options.program, "devices", "--store", store, "--load", devices], **quiet)
    subprocess.run([options.program, "import", "--store", store, csv], **quiet)
    os.unlink(csv)
    return store


# Every screen: the keys that lead there from the Map, and those that are measured there.
SCREENS = (
    ("Map", "", "l j h k l l j j h h k k"),
    ("Queue", "2", "j k j j k k"),
    ("Frames", "Tab 3", "l l h l j k h h"),
    ("Frames, zoom", "Tab 3", "+ + - -"),
    ("Trend", "Tab 4", "h h l l"),
    ("Cover", "5", "j l k h"),
    ("Ticket", "Tab 6", "j k j j k k"),
    ("Tune", "7", "j k"),
    ("Distribution", "Tab d", "j k"),
    ("help", "?", "j j k k"),
)
HTOP = (["htop"], "Down Up")
CAT = (["sh", "-c", "stty raw -echo && printf ready && exec cat"], "j k")
BESIDE = 20  # keys of each of them before and after every screen
# Opening a screen works out what it shows: measured apart.
SWITCHES = ("1", "2", "3", "4", "5", "6", "7", "1", "d")


def side_by_side(options, environment, report):
    vim = ["vim", "-u", "NONE", make_text(options.folder)]
    tig = ["sh", "-c", 'cd "$1" && exec tig', "sh", make_repository(options.folder)]
    ours = [options.program, options.store, "--open", ""]
    others = {"htop": HTOP, "tig": (tig, "Down Down Up"), "vim": (vim, "j j k"), "cat": CAT}
    programs = {"stutterscope": (ours, "j k")}
    programs.update({name: entry for name, entry in others.items() if shutil.which(name)})
    if options.small_store:
        programs["stutterscope, small store"] = ([options.program, options.small_store, "--open", ""], "j k")
    starts, keys, sizes = ({name: [] for name in programs} for _ in range(3))
    for _ in range(options.rounds):
        for name, (argv, moves) in programs.items():
            terminal = Terminal(argv, environment)
            took, _ = terminal.start()
            starts[name].append(took if took is not None else float("nan"))
            times, size = measure_keys(terminal, moves.split(), 30)
            keys[name] += times
            sizes[name] += size
            terminal.close()
    print(f"start to complete screen and key to complete repaint, {options.rounds} rounds in turn, {COLUMNS} x {ROWS}")
    for name in programs:
        print(f"  {name:26} start {statistics.median(starts[name]):7.1f} ms   key median {statistics.median(keys[name]):6.2f}, "
              f"P99 {percentile(keys[name], .99):6.2f} ms   {statistics.mean(sizes[name]):6.0f} bytes")
    start = statistics.median(starts["stutterscope"])
    report.goal("start on the large store", start, 50)
    if options.small_store:
        report.goal("start, large to small store", start / statistics.median(starts["stutterscope, small store"]), 1.2, "x")
    if "tig" in programs:
        report.goal("start against tig", start / statistics.median(starts["tig"]), 1, "x")
    if "htop" in programs:
        report.goal("key against htop", statistics.median(keys["stutterscope"]) / statistics.median(keys["htop"]), 2, "x")


def open_screen(options, environment, way):
    terminal = Terminal([options.program, options.store, "--open", ""], environment)
    terminal.start()
    for key in way.split():
        terminal.key(key, START_SILENCE_MS, 5000)
    return terminal


class Beside:
    """Programs whose keys are measured before and after those of every screen: a machine has faster and slower moments."""

    def __init__(self, environment):
        self.programs = {name: program for name, program in (("htop", HTOP), ("cat", CAT)) if shutil.which(name)}
        self.terminals = {name: Terminal(argv, environment) for name, (argv, _) in self.programs.items()}
        for terminal in self.terminals.values():
            terminal.start()

    def measure(self):
        return {name: measure_keys(self.terminals[name], moves.split(), BESIDE)[0] for name, (_, moves) in self.programs.items()}

    def close(self):
        for terminal in self.terminals.values():
            terminal.close()


def every_screen(options, environment, report):
    """The goals in ms are for a machine where a key of htop takes half a millisecond."""
    print(f"\nkey to complete repaint, {options.keys} keys on every screen; htop and cat just before and after it")
    beside = Beside(environment)
    for name, way, keys in SCREENS:
        terminal = open_screen(options, environment, way)
        before = beside.measure()
        times, sizes = measure_keys(terminal, keys.split(), options.keys)
        after = beside.measure()
        terminal.close()
        if not times:
            print(f"  {name:14} answers to none of {keys}")
            report.missed.append(name)
            continue
        others = {other: statistics.median(before[other] + after[other]) for other in before}
        print(f"  {name:14} median {statistics.median(times):6.2f}  P99 {percentile(times, .99):6.2f} ms  "
              f"{statistics.mean(sizes):6.0f} bytes, at most {max(sizes)}  ({len(times)} of {options.keys} keys changed something)  "
              + "  ".join(f"{other} {median:.2f}" for other, median in others.items()))
        report.goal(f"{name}: median", statistics.median(times), 1)
        report.goal(f"{name}: P99", percentile(times, .99), 4)
        if "htop" in others:
            report.goal(f"{name}: against htop", statistics.median(times) / others["htop"], 2, "x")
    beside.close()
    print("\nopening a screen (no goal): key to complete screen, first time and again")
    terminal = open_screen(options, environment, "Tab")
    rounds = [[terminal.key(key, START_SILENCE_MS, 5000) for key in SWITCHES] for _ in range(2)]
    for key, first, again in zip(SWITCHES, *rounds):
        print(f"  {key:3} {first[0] or 0:8.1f} {again[0] or 0:8.1f} ms   {first[1]} bytes")
    terminal.close()


def thresholds(options, environment, report):
    """The small map of the shown build, in one repaint; cells that still wait show an ellipsis.  What it is compared with follows."""
    terminal = open_screen(options, environment, "7")
    maps, wholes, waiting = [], [], 0
    for key in "llhhlllhh":
        begun = time.perf_counter_ns()
        maps.append(terminal.key(key, KEY_SILENCE_MS, 5000)[0])
        waiting += terminal.received.count(b"\xe2\x80\xa6  ") > 2
        rest = terminal.settle(time.perf_counter_ns(), START_SILENCE_MS, 20000)[0]
        wholes.append((time.perf_counter_ns() - begun) / 1e6 - START_SILENCE_MS if rest else maps[-1])
    terminal.close()
    print(f"\nthresholds changed to heatmap repainted: {', '.join(f'{took:.0f}' for took in maps)} ms, {waiting} of them not complete;"
          f" to all of it compared: {', '.join(f'{took:.0f}' for took in wholes)} ms")
    report.goal("changed thresholds", statistics.median(maps), 120)
    report.goal("incomplete maps", waiting, 0, "")


def switches_of(pid):
    with open(f"/proc/{pid}/status") as file:
        switches = sum(int(line.split()[1]) for line in file if "ctxt_switches" in line)
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return switches, int(fields[11]) + int(fields[12])


def idle(options, environment, report):
    terminal = Terminal([options.program, options.store], environment)
    terminal.start()
    before = switches_of(terminal.pid)
    terminal.settle(time.perf_counter_ns(), 1000, 2000)
    after = switches_of(terminal.pid)
    print(f"\nidle for 2 s: {after[0] - before[0]} context switches, {after[1] - before[1]} ticks of processor time")
    report.goal("context switches when idle", after[0] - before[0], 0, "")
    report.goal("processor time when idle", after[1] - before[1], 0, "ticks")
    trace = os.path.join(options.folder, "strace.txt")
    if shutil.which("strace"):
        open(trace, "w").close()
        done = subprocess.run(["timeout", "-s", "INT", "2", "strace", "-f", "-o", trace, "-p", str(terminal.pid)],
                              stderr=subprocess.PIPE, text=True, check=False)
        with open(trace) as file:
            calls = [line.split(None, 1)[1].strip() for line in file if "(" in line]
        print(f"under strace for 2 s: {'; '.join(calls) or 'nothing, not even the wait: ' + done.stderr.strip()[-200:]}")
        # A trace without the wait is none: strace was not let in.
        report.goal("system calls when idle, the wait included", len(calls) or float("nan"), 1, "")
    terminal.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("generator", nargs="?")
    parser.add_argument("--rows", type=int, default=10000000)
    parser.add_argument("--small", type=int, default=1000000)
    parser.add_argument("--builds", type=int, default=12)
    parser.add_argument("--store")
    parser.add_argument("--small-store")
    parser.add_argument("--folder", default="/tmp/latency")
    parser.add_argument("--keys", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--realtime", action="store_true")
    options = parser.parse_args()
    if not options.generator and not options.store:
        parser.error("either GENERATOR or --store is needed")
    if options.realtime:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    options.program = os.path.abspath(options.program)
    shutil.rmtree(os.path.join(options.folder, "repository"), ignore_errors=True)
    os.makedirs(options.folder, exist_ok=True)
    if not options.store:
        options.store = make_store(options, options.rows, "large")
        options.small_store = make_store(options, options.small, "small")
    environment, report = environment_of(options.folder), Report()
    side_by_side(options, environment, report)
    every_screen(options, environment, report)
    thresholds(options, environment, report)
    idle(options, environment, report)
    print(f"\n{len(report.missed)} goals missed" + (": " + "; ".join(report.missed) if report.missed else ""))
    sys.exit(1 if report.missed else 0)


if __name__ == "__main__":
    main()
