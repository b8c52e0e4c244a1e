#!/usr/bin/env python3
"""Searches the shards of a collection with Spark, each in a task of its own, as one index of all is searched.

    spark-submit search_shards.py run --index DIR --topics FILE --output RUN [-k N] [-- OPTION…]
    spark-submit search_shards.py sweep --index DIR --topics FILE --output DIR [--qrels FILE] [-k N] [-- OPTION…]

OPTION… are those of 'trommel run' or 'trommel sweep' that say what is searched for: --min-words 11 --model qld, or --vary min-words=1..60.
Each DIR of --index is an index or a directory of shards, at the same place on all machines; topics and judgments are read by the driver.
The integers that scores are made of are counted in each shard and added up in the executors, as often as feedback asks for; then
each shard is ranked by the sums, and the best pages are kept, in the executors too. See README.md. Exit code 0, or 2 if it could not be done.
"""

import argparse
import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zlib


def arguments(words):
    own, options = words, []
    if "--" in words:
        at = words.index("--")
        own, options = words[:at], words[at + 1 :]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["run", "sweep"])
    parser.add_argument("--index", required=True, action="append", metavar="DIR")
    parser.add_argument("--topics", required=True, metavar="FILE")
    parser.add_argument("--qrels", metavar="FILE", help="of a sweep: report on it")
    parser.add_argument("--output", required=True, metavar="PATH", help="the run; of a sweep a new directory")
    parser.add_argument("-k", default="1000", metavar="N", help="pages for each topic")
    parser.add_argument("--tag", metavar="TAG", help="last column of the runs")
    parser.add_argument("--trommel", default="trommel", metavar="PROGRAM")
    args = parser.parse_args(own)
    args.options = options
    return args


def shards(directories):
    """The index directories: a directory of shards stands for all of them, in order."""
    found = []
    for directory in map(pathlib.Path, directories):
        if (directory / "manifest.json").exists():
            found.append(str(directory))
            continue
        names = {}
        for path in directory.glob("shard-*-of-*"):
            name = re.fullmatch(r"shard-(\d+)-of-(\d+)", path.name)
            if name:
                names[int(name[1])] = (int(name[2]), str(path))
        counts = {count for count, _ in names.values()}
        if not names:
            raise SystemExit(f"error: {directory} is no index, and has no shards")
        if len(counts) > 1:
            raise SystemExit(f"error: {directory} has shards of several divisions")
        missing = [number for number in range(1, counts.pop() + 1) if number not in names]
        if missing:
            raise SystemExit(f"error: {directory} has not all shards: {missing} missing")
        found += [names[number][1] for number in sorted(names)]
    return found


def trommel(program, *words):
    """What the program prints; raises where it fails, so that Spark tries again."""
    done = subprocess.run([program, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True)
    if done.returncode != 0:
        raise RuntimeError(f"exit code {done.returncode}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


class Work:
    """What a task does. Results are files by name, packed; nothing is left on the executor, so that a task may run any number of times."""

    def __init__(self, args, topics):
        self.args = args
        # Formats are told by their content, and whether they are packed.
        self.topics = topics

    def _in_directory(work):
        @functools.wraps(work)
        def done(self, *given):
            with tempfile.TemporaryDirectory(prefix="trommel-") as place:
                place = pathlib.Path(place)
                (place / "topics").write_bytes(self.topics)
                return work(self, place, *given)

        return done

    @_in_directory
    def count(self, place, index, counts):
        before = self._counts(place, counts)
        words = ["count", "--index", index, "--topics", place / "topics", *before, *self.args.options]
        return pack({"counts": trommel(self.args.trommel, *words)})

    @_in_directory
    def search(self, place, index, counts):
        words = [self.args.command, "--index", index, "--topics", place / "topics", *self._counts(place, counts)]
        words += ["-k", self.args.k, *(["--tag", self.args.tag] if self.args.tag else []), *self.args.options]
        if self.args.command == "run":
            return pack({"run": trommel(self.args.trommel, *words)})
        trommel(self.args.trommel, *words, "--runs", "--output", place / "sweep")
        return pack({path.name: path.read_bytes() for path in (place / "sweep" / "runs").iterdir()})

    @_in_directory
    def join(self, place, one, other):
        for name, files in (("one", one), ("other", other)):
            unpack(files, place / name)
        words = ["join", "-k", self.args.k, *(["--topics", place / "topics"] if "counts" not in one else [])]
        trommel(self.args.trommel, *words, "--output", place / "joined", place / "one", place / "other")
        return pack({path.name: path.read_bytes() for path in (place / "joined").iterdir()})

    def _counts(self, place, counts):
        if counts is None:
            return []
        (place / "counts").write_bytes(zlib.decompress(counts))
        return ["--counts", place / "counts"]


def pack(files):
    return {name: zlib.compress(content, 1) for name, content in files.items()}


def unpack(files, directory):
    directory.mkdir(parents=True)
    for name, content in files.items():
        (directory / name).write_bytes(zlib.decompress(content))


def searched(context, indexes, work):
    """Counts of the whole collection, and its runs by name, both packed."""
    each = context.parallelize(indexes, len(indexes))
    counts = None
    while True:
        before = context.broadcast(counts)
        counted = each.map(lambda index: work.count(index, before.value)).treeReduce(work.join)
        counts = counted["counts"]
        if json.loads(zlib.decompress(counts))["complete"]:
            break
    total = context.broadcast(counts)
    return counts, each.map(lambda index: work.search(index, total.value)).treeReduce(work.join)


def write(args, counts, runs):
    output = pathlib.Path(args.output)
    if args.command == "run":
        partial = output.with_name(f"{output.name}.{os.getpid()}.part")
        partial.write_bytes(zlib.decompress(runs["run"]))
        partial.rename(output)
        return 0
    unpack(runs, output / "runs")
    (output / "all.counts").write_bytes(zlib.decompress(counts))
    if not args.qrels:
        return 0
    words = ["sweep", "--joined", output / "runs", "--counts", output / "all.counts", "--topics", args.topics]
    words += ["--qrels", args.qrels, "-k", args.k, "--output", output / "report", *args.options]
    return subprocess.run([args.trommel, *map(str, words)]).returncode


def main(words):
    args = arguments(words)
    indexes = shards(args.index)
    output = pathlib.Path(args.output)
    if args.command == "sweep" and output.exists() and any(output.iterdir()):
        raise SystemExit(f"error: {output} is not empty")
    work = Work(args, pathlib.Path(args.topics).read_bytes())
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.appName(f"trommel {args.command}").getOrCreate()
    try:
        counts, runs = searched(spark.sparkContext, indexes, work)
    except Exception as error:  # The task's exception comes wrapped in several.
        print(f"error: {error}", file=sys.stderr)
        return 2
    finally:
        spark.stop()
    return write(args, counts, runs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
