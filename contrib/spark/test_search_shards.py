#!/usr/bin/env python3
"""Searches shards with Spark, kills an executor in the middle of it, and compares what comes of it with the search of one index.

    python3 test_search_shards.py TROMMEL TOPICS QRELS FILE.warc.gz…

Needs PySpark (pip install pyspark), Java 17 and Linux. A cluster of two executors runs on this machine. The files are indexed in eight
shards (a single file is cut into twelve before), and merged to one index. A run and a sweep (--min-words 1..60), then a run with feedback,
must be those of the merged index, byte for byte; and so must they be when one executor is killed with SIGKILL, with all that it
started, while it counts, and when one is killed while it ranks.
"""

import filecmp
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from test_index_shards import ancestors, descendants, processes, split

HERE = pathlib.Path(__file__).resolve().parent
SHARDS = 8
SEARCHES = {
    "run": ["--min-words", "11"],
    "feedback": ["--min-words", "11", "--model", "qld:mu=1000+rm3"],
    "sweep": ["--vary", "min-words=1..60"],
}


def kill_executor(driver, command):
    """Kills an executor with all that it started while it runs the program with a command. Gives the number of processes."""
    while driver.poll() is None:
        time.sleep(0.01)
        table = processes()
        for pid, (_, line) in table.items():
            above = list(ancestors(table, pid))
            executors = [other for other in above if "CoarseGrainedExecutorBackend" in table[other][1]]
            if f" {command} --index " not in line or driver.pid not in above or not executors:
                continue
            victims = {executors[0], *descendants(table, executors[0])}
            for victim in victims:
                try:
                    os.kill(victim, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            return len(victims)
    raise SystemExit(f"FAILED: the job ended before an executor could be killed at 'trommel {command}'")


def same_files(one, other):
    compared = filecmp.dircmp(one, other)
    assert not compared.left_only and not compared.right_only, (compared.left_only, compared.right_only)
    for name in compared.common_files:
        assert (one / name).read_bytes() == (other / name).read_bytes(), f"{name} differs"
    return len(compared.common_files)


def main(trommel, topics, qrels, *files):
    trommel, topics, qrels = (str(pathlib.Path(path).resolve()) for path in (trommel, topics, qrels))
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        (place / "warc").mkdir()
        files = split(pathlib.Path(files[0]), place / "warc") if len(files) == 1 else files

        def run(*words):
            start = time.time()
            done = subprocess.run([trommel, *map(str, words)], capture_output=True)
            assert done.returncode in (0, 1), done.stderr.decode()
            return round(time.time() - start, 1)

        for number in range(1, SHARDS + 1):
            run("index", "--index", place / "shards", "--shard", f"{number}/{SHARDS}", *files)
        run("merge", "--index", place / "one", place / "shards")
        whole = ["--index", place / "one", "--topics", topics]
        one = {name: run("run", *whole, *SEARCHES[name], "--output", place / f"one.{name}") for name in ("run", "feedback")}
        one["sweep"] = run("sweep", *whole, *SEARCHES["sweep"], "--runs", "--output", place / "one.sweep")
        run("sweep", *whole, *SEARCHES["sweep"], "--qrels", qrels, "--output", place / "one.report")

        import pyspark

        environment = dict(os.environ, SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable)
        environment.setdefault("SPARK_HOME", os.path.dirname(pyspark.__file__))
        for killed_at in (None, "count", "rank"):
            for name, options in SEARCHES.items():
                output = place / f"{name}-{killed_at}"
                kind = "sweep" if name == "sweep" else "run"
                command = [os.path.join(environment["SPARK_HOME"], "bin", "spark-submit"), "--master", "local-cluster[2,1,1024]"]
                command += ["--conf", "spark.ui.enabled=false", "--driver-memory", "512m", "--conf", "spark.executor.memory=1024m"]
                command += [str(HERE / "search_shards.py"), kind, "--trommel", trommel, "--index", str(place / "shards")]
                command += ["--topics", topics, "--output", str(output), *(["--qrels", qrels] if kind == "sweep" else [])]
                log = open(place / "spark.log", "w")
                start = time.time()
                driver = subprocess.Popen(
                    [*command, "--", *options], env=environment, stdout=subprocess.DEVNULL, stderr=log, cwd=place
                )
                killed = kill_executor(driver, kind if killed_at == "rank" else killed_at) if killed_at else 0
                if driver.wait() != 0:
                    told = [line for line in (place / "spark.log").read_text().splitlines() if " INFO " not in line]
                    sys.exit("\n".join([f"FAILED: exit code {driver.returncode}", *told[-60:]]))
                if kind == "run":
                    same = output.read_bytes()
                    assert same == (place / f"one.{name}").read_bytes(), f"{name} differs"
                    compared = {"lines": len(same.splitlines())}
                else:
                    compared = {"runs": same_files(output / "runs", place / "one.sweep" / "runs")}
                    joined, single = (
                        json.loads((report / "sweep.json").read_text()) for report in (output / "report", place / "one.report")
                    )
                    # Only the name of what was searched is another.
                    assert {**joined, "facts": None} == {**single, "facts": None}, "sweep.json differs"
                print(json.dumps({
                    "search": name, "killed_at": killed_at, "processes_killed": killed, **compared,
                    "seconds": round(time.time() - start, 1), "seconds_of_one_process": one[name],
                }), flush=True)
    print("ok: all are the same, byte for byte")


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
