#!/usr/bin/env python3
"""Kills a Spark executor in the middle of a task, twice, and compares what comes of it with a single build.

    python3 test_index_shards.py TROMMEL COLLECTION.warc.gz TOPICS

Needs PySpark (pip install pyspark), Java 17 and Linux. A cluster of two executors runs on this machine. COLLECTION is cut into twelve
files and indexed in eight shards. Once the executor alone is killed with SIGKILL, so that the programs that it started go on beside
the next attempt; once all of its processes, as if the machine were gone. Each time the job must end well, no attempt be left over,
every shard be sound, and the run files of all shards together and of the merged index be those of a single build, byte for byte.
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import zlib

HERE = pathlib.Path(__file__).resolve().parent
FILES, SHARDS = 12, 8


def split(collection, directory):
    """Cuts a WARC file of gzip members, one a record, into files of about as many bytes."""
    data = collection.read_bytes()
    ends, at = [], 0
    while at < len(data):
        member = zlib.decompressobj(31)
        member.decompress(data[at:])
        at = len(data) - len(member.unused_data)
        ends.append(at)
    start, number = 0, 0
    for end in ends:
        if end >= len(data) * (number + 1) // FILES:
            (directory / f"part-{number:02}.warc.gz").write_bytes(data[start:end])
            start, number = end, number + 1
    return sorted(directory.iterdir())


def processes():
    """Parent and command line of each process."""
    found = {}
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parent = int(path.joinpath("stat").read_text().rsplit(")", 1)[1].split()[1])
            found[int(path.name)] = (parent, path.joinpath("cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace"))
        except (OSError, ValueError):
            pass
    return found


def ancestors(table, pid):
    while pid in table:
        yield pid
        pid = table[pid][0]


def descendants(table, pid):
    return [other for other in table if pid in list(ancestors(table, other))]


def kill_executor(driver, index, whole_machine):
    """Waits for a shard to be in the making when others are done, and kills its executor. Gives what was killed."""
    while driver.poll() is None:
        time.sleep(0.02)
        made = list(index.glob("shard-*")) if index.exists() else []
        if len(made) < 2 or not list(index.glob(".shard-*/parts/*/blocks.*")):
            continue
        table = processes()
        builds = [pid for pid, (_, line) in table.items() if " --shard " in line and str(index) in line]
        for build in builds:
            line = list(ancestors(table, build))
            if driver.pid not in line:
                continue
            executors = [pid for pid in line if "CoarseGrainedExecutorBackend" in table[pid][1]]
            if not executors:
                continue
            executor = executors[0]
            victims = [executor] + (descendants(table, executor) if whole_machine else [])
            for victim in victims:
                try:
                    os.kill(victim, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            shard = table[build][1].split(" --shard ")[1].split()[0]
            return {"executor": executor, "processes": len(set(victims)), "shard": shard, "finished_before": len(made)}
    raise SystemExit("FAILED: the job ended before an executor could be killed")


def main(trommel, collection, topics):
    trommel = str(pathlib.Path(trommel).resolve())
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        (place / "warc").mkdir()
        files = split(pathlib.Path(collection), place / "warc")

        def run(*words, **more):
            return subprocess.run([trommel, *map(str, words)], check=True, capture_output=True, **more).stdout

        run("index", "--index", place / "one", *files)
        filters = [[], ["--min-words", "11"], ["--model", "qld", "--min-density", "8.5"]]

        def runs(index):
            return b"".join(run("run", "--index", index, "--topics", topics, *filter) for filter in filters)

        one = runs(place / "one")
        environment = dict(os.environ, SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable)
        import pyspark

        environment.setdefault("SPARK_HOME", os.path.dirname(pyspark.__file__))
        for whole_machine in (False, True):
            shards, merged = place / f"shards-{whole_machine}", place / f"merged-{whole_machine}"
            script = HERE / "index_shards.py"
            command = [os.path.join(environment["SPARK_HOME"], "bin", "spark-submit"), "--master", "local-cluster[2,1,1024]"]
            command += ["--conf", "spark.ui.enabled=false", "--driver-memory", "512m", "--conf", "spark.executor.memory=1024m"]
            command += [str(script), "--trommel", trommel, "--index", str(shards), "--shards", str(SHARDS), "--merge", str(merged)]
            log = open(place / "spark.log", "w")
            start = time.time()
            driver = subprocess.Popen(
                [*command, str(place / "warc"), "--", "--threads", "1"],
                env=environment, stdout=subprocess.PIPE, stderr=log, text=True, cwd=place,
            )
            killed = kill_executor(driver, shards, whole_machine)
            out, _ = driver.communicate()
            took = time.time() - start
            if driver.returncode != 0:
                sys.exit(f"FAILED: exit code {driver.returncode}\n{(place / 'spark.log').read_text()[-5000:]}")
            reports = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
            assert len(reports) == SHARDS, out
            # A program that outlived its executor may still be at it; it gives way when it is done.
            deadline = time.time() + 300
            while list(shards.glob(".shard-*")) and time.time() < deadline:
                time.sleep(0.2)
            names = sorted(path.name for path in shards.iterdir())
            assert names == [f"shard-{n}-of-{SHARDS}" for n in range(1, SHARDS + 1)], names
            for index in (shards, merged):
                run("check", "--index", index)
                assert runs(index) == one, f"the runs of {index} differ"
            attempts = {report["shard"]: report["attempt"] for report in reports}
            pages = sum(report["manifest"]["counts"]["pages"] for report in reports)
            print(json.dumps({
                "killed": "executor and all it started" if whole_machine else "executor",
                **killed,
                "attempt_that_counts": attempts[int(killed["shard"].split("/")[0])],
                "already_built": [report["shard"] for report in reports if report["already_built"]],
                "pages": pages,
                "seconds": round(took, 1),
            }), flush=True)
        print(f"ok: {len(one.splitlines())} lines of runs are the same in all")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
