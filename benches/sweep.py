#!/usr/bin/env python3
"""What a sweep costs beside the runs that it replaces: CPU time (user + sys) of `trommel sweep` over min-words 1..100 and
min-density 1..20 against 120 `trommel run` commands, and whether every step's run file is the run's, byte for byte.

usage: sweep.py [--trommel PROGRAM] [--threads N] [--rounds N] [--qrels FILE] [--every N] INDEX TOPICS DIR
DIR is for the runs. Without qrels the sweep can only be timed with --runs. The sweeps are repeated `rounds` times, spread over
the runs, and the median counts; every run is made once. `--every N` makes every Nth of the 120 runs only and multiplies.
"""

import argparse
import filecmp
import os
import shutil
import statistics
import subprocess

SERIES = [("min-words", 100), ("min-density", 20)]
MODEL = "bm25:k1=0.9,b=0.4"

parser = argparse.ArgumentParser()
parser.add_argument("--trommel", default="trommel")
parser.add_argument("--threads", default="1")
parser.add_argument("--rounds", type=int, default=3)
parser.add_argument("--qrels")
parser.add_argument("--every", type=int, default=1)
parser.add_argument("index")
parser.add_argument("topics")
parser.add_argument("dir")
options = parser.parse_args()

inputs = ["--index", options.index, "--topics", options.topics, "-k", "1000", "--threads", options.threads]


def cpu(*arguments):
    """Runs trommel; CPU seconds and MB of memory."""
    command = [options.trommel, *arguments]
    with open(os.path.join(options.dir, "talk"), "w") as talk:
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=talk)
        _, status, usage = os.wait4(child.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(command)}: {open(talk.name).read()}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / 1e6


def sweep(*more):
    output = os.path.join(options.dir, "sweep")
    shutil.rmtree(output, ignore_errors=True)
    vary = [part for name, last in SERIES for part in ("--vary", f"{name}=1..{last}")]
    return cpu("sweep", *inputs, *vary, "--model", MODEL, "--output", output, *more)


os.makedirs(options.dir, exist_ok=True)
variants = {"with --runs": ["--runs"]}
if options.qrels:
    judged = ["--qrels", options.qrels]
    variants = {"with --qrels": judged, "with --qrels and --runs": ["--runs", *judged]}
costs = {name: [] for name in variants}

steps = [(name, threshold) for name, last in SERIES for threshold in range(1, last + 1)][:: options.every]
runs, singles, memory = [], 0.0, 0.0
for number, (name, threshold) in enumerate(steps):
    if number % -(-len(steps) // options.rounds) == 0:
        for variant, more in variants.items():
            costs[variant].append(sweep(*more))
    run = os.path.join(options.dir, f"{name}={threshold}.run")
    seconds, peak = cpu("run", *inputs, "--model", MODEL, f"--{name}", str(threshold), "--output", run)
    singles += seconds * options.every
    memory = max(memory, peak)
    runs.append(run)

# The last variant writes run files.
suffix = MODEL.replace(":", "-")
written = os.path.join(options.dir, "sweep", "runs")
same = sum(
    filecmp.cmp(run, os.path.join(written, os.path.basename(run)[:-4] + f".{suffix}.run"), shallow=False) for run in runs
)

print("| | CPU s | separate runs over it | runs' worth | peak MB |\n|---|---|---|---|---|")
print(f"| {len(steps) * options.every} x `trommel run` | {singles:.2f} | 1 | {len(steps) * options.every} | {memory:.0f} |")
for variant, all_costs in costs.items():
    seconds = statistics.median(seconds for seconds, _ in all_costs)
    worth = seconds / (singles / len(steps) / options.every)
    print(f"| `trommel sweep` {variant} | {seconds:.2f} | {singles / seconds:.1f} | {worth:.1f} | {max(m for _, m in all_costs):.0f} |")
print(f"\n{same} of {len(runs)} run files are the same, byte for byte; sweeps: median of {options.rounds}")
