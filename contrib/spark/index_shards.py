#!/usr/bin/env python3
"""Builds an index in shards with Spark: one task a shard, each of which runs the trommel program.

    spark-submit index_shards.py --index DIR --shards N [--merge DIR] [--trommel PROGRAM] PATH… [-- OPTION…]

PATH… are handed to 'trommel index' as they are, and so is what follows '--'. They and DIR must be the same place on all machines.
A task that is run again, or twice at the same time, does no harm: see README.md.
Prints a JSON object for each shard, and exits with 0, 1 (done, some records failed) or 2 (a shard is missing), as trommel does.
"""

import argparse
import json
import subprocess
import sys

from pyspark.sql import SparkSession


def arguments(words):
    own, _, options = words, None, []
    if "--" in words:
        at = words.index("--")
        own, options = words[:at], words[at + 1 :]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--index", required=True, metavar="DIR", help="directory of the shards")
    parser.add_argument("--shards", required=True, type=int, metavar="N")
    parser.add_argument("--merge", metavar="DIR", help="merge them to one index here, on the driver's machine")
    parser.add_argument("--trommel", default="trommel", metavar="PROGRAM")
    parser.add_argument("paths", nargs="+", metavar="PATH")
    args = parser.parse_args(own)
    args.options = options
    if args.shards < 1:
        parser.error("--shards is at least 1")
    return args


def build_shard(args, application, number):
    """Builds a shard, in a task. Gives trommel's report; raises where there is none, so that Spark tries again."""
    from pyspark import TaskContext

    task = TaskContext.get()
    # No two attempts may have the same name: not of a task, nor of two applications that know nothing of each other.
    attempt = f"{application}-{task.stageId()}-{task.taskAttemptId()}"
    command = [args.trommel, "index", "--index", args.index, "--shard", f"{number}/{args.shards}", "--attempt", attempt]
    # A dead attempt's parts are gone on with.
    command += ["--resume", "--json", "--progress", "none", *args.options, "--", *args.paths]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"shard {number}/{args.shards}, exit code {done.returncode}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def main(words):
    args = arguments(words)
    spark = SparkSession.builder.appName("trommel index").getOrCreate()
    context = spark.sparkContext
    application = context.applicationId
    try:
        # One partition a shard, so that each is a task of its own.
        numbers = context.parallelize(range(1, args.shards + 1), args.shards)
        reports = numbers.map(lambda number: build_shard(args, application, number)).collect()
    except Exception as error:  # The task's exception comes wrapped in several.
        print(f"error: {error}", file=sys.stderr)
        return 2
    finally:
        spark.stop()
    for report in reports:
        print(json.dumps(report))
    if args.merge:
        merged = subprocess.run([args.trommel, "merge", "--index", args.merge, "--", args.index])
        if merged.returncode != 0:
            return 2
    return 1 if any(report["failures"] for report in reports) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
