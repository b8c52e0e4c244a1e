"""Topics, judgments and runs, however somebody has them."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Iterator, Mapping
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
    if hasattr(paths, "columns") or hasattr(paths, "__arrow_c_stream__"):
        raise TypeError(
            f"a {type(paths).__name__} is no file: write it to one first, such as frame.to_parquet('pages.parquet') with the columns docid and html (or "
            "text), and name that; trommel.pt.Indexer(directory).index(documents) takes documents as they are"
        )
    if not isinstance(paths, Iterable):
        raise TypeError(f"a path or several are wanted, and this is {_kind(paths)}")
    return [os.fspath(path) for path in paths]


def count_of(count: int, name: str, least: int = 0) -> int:
    """A whole number that is not too small."""
    if isinstance(count, bool) or not hasattr(count, "__index__"):
        raise TypeError(f"{name}: a whole number is wanted, and this is {_kind(count)}")
    number = operator.index(count)
    if number < least:
        raise ValueError(f"{name}: {number} is too small; the least is {least}")
    return number


def text_of(value: object, name: str) -> str:
    """A text, and nothing that would be written as one: None, or the NaN that pandas has for it."""
    if isinstance(value, str):
        return str(value)
    raise TypeError(f"{name}: a text is wanted, and this is {_kind(value)}")


def _kind(value: object) -> str:
    if _is_missing(value):
        return str(value)
    return f"a {type(value).__name__}"


def name_of(values: object) -> str:
    """How topics or judgments are called in a report: by their file, if they have one."""
    return os.fspath(values) if isinstance(values, (str, os.PathLike)) else f"a {type(values).__name__}"


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


def write_run(run: Run, path: PathLike, tag: str = "trommel", *, force: bool = False) -> None:
    """Writes a run file as ``trommel run`` does: every evaluator sees the same order. It is there when it is whole. What is there already is replaced if
    it is empty or a run, or with ``force``, but never what is read or lies in an index."""
    read = os.fspath(run) if _is_path(run) else None
    _trommel.write_run(os.fspath(path), list(run_of(run).items()), tag, force, read)


class Demo(NamedTuple):
    """Files of a collection with topics and judgments."""

    pages: str
    topics: str
    qrels: str


def demo(directory: PathLike, *, force: bool = False) -> Demo:
    """Writes the built-in collection, 165 pages of six made-up blogs, with its 18 topics and their judgments into a directory, under the names that
    ``trommel demo --output`` gives them. The directory may be new, empty, or that of such a demo, whose files are replaced; with ``force`` any."""
    return Demo(*(os.fspath(path) for path in _trommel.write_demo(os.fspath(directory), force)))


def topics_of(topics: Topics, field: str) -> list[tuple[str, str]]:
    """Ids and texts."""
    if isinstance(topics, str) and topics.startswith(_IRDS):
        from . import irds

        return irds.topics(topics[len(_IRDS) :], field)
    if _is_path(topics):
        return _trommel.read_topics(os.fspath(topics), field)
    if isinstance(topics, Mapping):
        rows: Iterable[tuple[Any, ...]] = topics.items()
    else:
        rows = _rows(topics, (_TOPIC, (field, *_TEXT)), "topics")
    return [_topic(place, *row) for place, row in enumerate(rows)]


def _topic(place: int, topic: object, text: object) -> tuple[str, str]:
    """Words that stand for nothing, None and NaN, are not searched for."""
    if _is_missing(topic):
        raise ValueError(f"topics: row {place} has no id, but {topic}")
    if not isinstance(text, str):
        raise ValueError(f"topics: row {place}, topic {topic}: a text is wanted, and this is {_kind(text)}")
    return str(topic), text


def _is_missing(value: Any) -> bool:
    """None, NaN, or pandas' NA, which is neither equal to itself nor unequal."""
    return value is None or type(value).__name__ in ("NAType", "NaTType") or value != value


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
    for topic, document, grade in _whole(qrels, (_TOPIC, _DOCUMENT, _GRADE), "judgments"):
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
    for topic, document, score in _whole(run, (_TOPIC, _DOCUMENT, _SCORE), "a run"):
        by_topic.setdefault(str(topic), []).append((str(document), float(score)))
    return by_topic


def _is_path(value: object) -> bool:
    return isinstance(value, (str, os.PathLike))


def _whole(values: Any, wanted: tuple[tuple[str, ...], ...], what: str) -> Iterator[tuple[Any, ...]]:
    """As :func:`_rows`, of which none lacks a value."""
    for place, row in enumerate(_rows(values, wanted, what)):
        for value, names in zip(row, wanted):
            if _is_missing(value):
                raise ValueError(f"{what}: row {place} has no {names[0]}, but {value}")
        yield row


def _rows(values: Any, wanted: tuple[tuple[str, ...], ...], what: str) -> Iterable[tuple[Any, ...]]:
    """The wanted columns of a table, or attributes of objects, or items of tuples."""
    if not isinstance(values, Iterable):
        raise TypeError(f"{what}: a file, a mapping, pairs or a table are wanted, and this is {_kind(values)}")
    columns = getattr(values, "column_names", None)
    if columns is None:
        columns = getattr(values, "columns", None)
    if columns is not None:
        names = [_name(list(columns), names) for names in wanted]
        table: Any = values
        return zip(*(table[name] for name in names))
    return (_row(value, wanted, what) for value in values)


def _row(value: Any, wanted: tuple[tuple[str, ...], ...], what: str) -> tuple[Any, ...]:
    fields = getattr(value, "_fields", None)
    if fields is None and isinstance(value, (str, bytes, int, float, type(None))):
        raise TypeError(f"{what}: rows with {_shown(wanted)} are wanted, and this is {_kind(value)}: {value!r}")
    if fields is None and isinstance(value, (tuple, list)):
        if len(value) < len(wanted):
            raise ValueError(f"{what}: rows with {_shown(wanted)} are wanted, and this has {len(value)} values: {value!r}")
        return tuple(value[: len(wanted)])
    if isinstance(value, Mapping):
        return tuple(value[_name(list(value), names)] for names in wanted)
    return tuple(getattr(value, _name(list(fields or dir(value)), names)) for names in wanted)


def _shown(wanted: tuple[tuple[str, ...], ...]) -> str:
    return ", ".join("/".join(dict.fromkeys(names)) for names in wanted)


def _name(known: list[str], wanted: tuple[str, ...]) -> str:
    for name in wanted:
        if name in known:
            return name
    raise ValueError(f"none of the columns {', '.join(dict.fromkeys(wanted))} is there, but {', '.join(map(str, known))}")
