"""Topics, judgments and runs, however somebody has them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Union

from . import _trommel

PathLike = Union[str, "os.PathLike[str]"]
Topics = Any
"""A file, ``irds:ID`` for a data set of ir_datasets, a mapping of ids to texts, pairs, a data frame with ``qid``/``query_id`` and ``query``/``text``/``title``, or such objects as
ir_datasets has them."""
Qrels = Any
"""A file, ``irds:ID``, a mapping ``{topic: {docid: grade}}``, a data frame, or such objects as ir_datasets and ir_measures have them."""
Run = Any
"""A file, a mapping ``{topic: {docid: score}}``, a data frame or table, or such objects as ir_measures has them."""

_IRDS = "irds:"
_TOPIC = ("query_id", "qid", "topic")
_TEXT = ("query", "text", "title")
_DOCUMENT = ("doc_id", "docid", "docno")
_GRADE = ("relevance", "label", "grade")
_SCORE = ("score",)


def paths_of(paths: Union[PathLike, Iterable[PathLike]]) -> list[str]:
    """One path or several."""
    if isinstance(paths, (str, os.PathLike)):
        return [os.fspath(paths)]
    return [os.fspath(path) for path in paths]


def names_of(names: Union[str, Iterable[str]]) -> list[str]:
    """One name or several."""
    return [names] if isinstance(names, str) else list(names)


def read_topics(path: PathLike, field: str = "title") -> dict[str, str]:
    """The topics of a file (TREC SGML, web-track or NTCIR XML, ``qid:text``, TSV or JSONL, packed or not) by id; ``field`` is what is
    searched for: ``title``, ``desc``, ``narr``, …"""
    return dict(_trommel.read_topics(os.fspath(path), field))


def read_qrels(path: PathLike) -> dict[str, dict[str, int]]:
    """The judgments of a file: ``{topic: {docid: grade}}``."""
    return _trommel.read_qrels(os.fspath(path))


def read_run(path: PathLike) -> dict[str, dict[str, float]]:
    """What a run file retrieved: ``{topic: {docid: score}}``, best first."""
    return {topic: dict(docs) for topic, docs in _trommel.read_run(os.fspath(path))[1].items()}


def write_run(run: Run, path: PathLike, tag: str = "trommel") -> None:
    """Writes a run file as ``trommel run`` does: every evaluator sees the same order."""
    _trommel.write_run(os.fspath(path), list(run_of(run).items()), tag)


class Demo(NamedTuple):
    """Files of a collection with topics and judgments."""

    pages: str
    topics: str
    qrels: str


def demo(directory: PathLike) -> Demo:
    """Writes the built-in collection, 165 pages of six made-up blogs, with its 18 topics and their judgments into a directory."""
    _trommel.write_demo_files(os.fspath(directory))
    return Demo(*(os.path.join(directory, name) for name in ("demo.warc.gz", "topics.xml", "qrels.txt")))


def topics_of(topics: Topics, field: str) -> list[tuple[str, str]]:
    """Ids and texts."""
    if isinstance(topics, str) and topics.startswith(_IRDS):
        from . import irds

        return irds.topics(topics[len(_IRDS) :], field)
    if _is_path(topics):
        return _trommel.read_topics(os.fspath(topics), field)
    if isinstance(topics, Mapping):
        return [(str(topic), str(text)) for topic, text in topics.items()]
    return [(str(topic), str(text)) for topic, text in _rows(topics, (_TOPIC, (field, *_TEXT)))]


def qrels_of(qrels: Qrels) -> dict[str, dict[str, int]]:
    """Judgments by topic."""
    if isinstance(qrels, str) and qrels.startswith(_IRDS):
        from . import irds

        return irds.qrels(qrels[len(_IRDS) :])
    if _is_path(qrels):
        return read_qrels(qrels)
    if isinstance(qrels, Mapping):
        return {str(topic): {str(d): int(g) for d, g in judged.items()} for topic, judged in qrels.items()}
    by_topic: dict[str, dict[str, int]] = {}
    for topic, document, grade in _rows(qrels, (_TOPIC, _DOCUMENT, _GRADE)):
        by_topic.setdefault(str(topic), {})[str(document)] = int(grade)
    return by_topic


def run_of(run: Run) -> dict[str, list[tuple[str, float]]]:
    """Documents with scores by topic."""
    if _is_path(run):
        return _trommel.read_run(os.fspath(run))[1]
    by_topic: dict[str, list[tuple[str, float]]] = {}
    if isinstance(run, Mapping):
        for topic, docs in run.items():
            pairs = docs.items() if isinstance(docs, Mapping) else docs
            by_topic[str(topic)] = [(str(document), float(score)) for document, score in pairs]
        return by_topic
    for topic, document, score in _rows(run, (_TOPIC, _DOCUMENT, _SCORE)):
        by_topic.setdefault(str(topic), []).append((str(document), float(score)))
    return by_topic


def _is_path(value: object) -> bool:
    return isinstance(value, (str, os.PathLike))


def _rows(values: Any, wanted: tuple[tuple[str, ...], ...]) -> Iterable[tuple[Any, ...]]:
    """The wanted columns of a table, or attributes of objects, or items of tuples."""
    columns = getattr(values, "column_names", None)
    if columns is None:
        columns = getattr(values, "columns", None)
    if columns is not None:
        names = [_name(list(columns), names) for names in wanted]
        return zip(*(values[name] for name in names))
    return (_row(value, wanted) for value in values)


def _row(value: Any, wanted: tuple[tuple[str, ...], ...]) -> tuple[Any, ...]:
    fields = getattr(value, "_fields", None)
    if fields is None and isinstance(value, (tuple, list)):
        return tuple(value[: len(wanted)])
    if isinstance(value, Mapping):
        return tuple(value[_name(list(value), names)] for names in wanted)
    return tuple(getattr(value, _name(list(fields or dir(value)), names)) for names in wanted)


def _name(known: list[str], wanted: tuple[str, ...]) -> str:
    for name in wanted:
        if name in known:
            return name
    raise ValueError(f"none of the columns {', '.join(dict.fromkeys(wanted))} is there, but {', '.join(map(str, known))}")
