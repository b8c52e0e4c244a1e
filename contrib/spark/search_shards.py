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
        return zlib.compress(trommel(self.args.trommel, *words), 1)

    @_in_directory
    def search(self, place, index, counts):
        """Runs by name."""
        words = [self.args.command, "--index", index, "--topics", place / "topics", *self._counts(place, counts)]
        words += ["-k", self.args.k, *(["--tag", self.args.tag] if self.args.tag else []), *self.args.options]
        if self.args.command == "run":
            return [("run", zlib.compress(trommel(self.args.trommel, *words), 1))]
        trommel(self.args.trommel, *words, "--runs", "--output", place / "sweep")
        return [(path.name, zlib.compress(path.read_bytes(), 1)) for path in (place / "sweep" / "runs").iterdir()]

    @_in_directory
    def add(self, place, one, other):
        """Counts of two parts of the collection, together."""
        return self._joined(place, [one, other])

    @_in_directory
    def join(self, place, runs):
        """The best of one search on all parts."""
        return self._joined(place, runs, "-k", self.args.k, "--topics", place / "topics")

    def _joined(self, place, packed, *words):
        files = [place / str(number) for number in range(len(packed))]
        for file, content in zip(files, packed):
            file.write_bytes(zlib.decompress(content))
        return zlib.compress(trommel(self.args.trommel, "join", *words, *files), 1)

    def _counts(self, place, counts):
        if counts is None:
            return []
        (place / "counts").write_bytes(zlib.decompress(counts))
        return ["--counts", place / "counts"]


def searched(context, indexes, work):
    """Counts of the whole collection, packed, and its runs by name: joined where the executors are, and fetched one after the other, so
    that neither they nor the driver hold more than one run of all parts at a time."""
    from pyspark import StorageLevel

    each = context.parallelize(indexes, len(indexes))
    counts = None
    while True:
        before = context.broadcast(counts)
        counts = each.map(lambda index: work.count(index, before.value)).treeReduce(work.add)
        if json.loads(zlib.decompress(counts))["complete"]:
            break
    total = context.broadcast(counts)
    parts = each.flatMap(lambda index: work.search(index, total.value)).groupByKey()
    runs = parts.mapValues(lambda runs: work.join(list(runs))).persist(StorageLevel.DISK_ONLY)
    # All of them, side by side, before the first is fetched.
    runs.count()
    return counts, runs.toLocalIterator()


def write(args, counts, runs):
    """What is not whole has another name."""
    output = pathlib.Path(args.output)
    partial = output.with_name(f"{output.name}.{os.getpid()}.part")
    if args.command == "run":
        for _, run in runs:
            partial.write_bytes(zlib.decompress(run))
        partial.rename(output)
        return
    (partial / "runs").mkdir(parents=True)
    for name, run in runs:
        (partial / "runs" / name).write_bytes(zlib.decompress(run))
    (partial / "all.counts").write_bytes(zlib.decompress(counts))
    partial.replace(output)


def report(args):
    """What `trommel sweep` says of the runs; gives its exit code."""
    output = pathlib.Path(args.output)
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
        write(args, *searched(spark.sparkContext, indexes, work))
    except Exception as error:  # The task's exception comes wrapped in several.
        print(f"error: {error}", file=sys.stderr)
        return 2
    finally:
        spark.stop()
    return report(args) if args.command == "sweep" and args.qrels else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
