"""Indexes: built, opened, searched."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Optional, Union

from . import _trommel
from .inputs import PathLike, Qrels, Topics, count_of, name_of, names_of, paths_of, qrels_of, text_of, topics_of
from .progress import BuildProgress, Progress, building, counting
from .sweep import Sweep
from .table import Table

UNFILTERED = "unfiltered"
"""The filter that everything passes."""


def index(
    paths: Union[PathLike, Iterable[PathLike]],
    directory: PathLike,
    *,
    extractors: Union[str, Iterable[str]] = (),
    segmenter: str = "boilerpipe",
    analyzer: str = "english",
    format: str = "auto",
    docid: str = "auto",
    charset: str = "auto",
    status: str = "200-299",
    max_record_bytes: Optional[int] = None,
    threads: int = 0,
    memory: int = 512 << 20,
    max_bad: Optional[int] = None,
    page_postings: bool = True,
    resume: bool = False,
    progress: Union[bool, BuildProgress, None] = None,
) -> Index:
    """Indexes the pages of files and directories (WARC, ARC, WET, WACZ, TREC web, JSONL, Parquet, HTML) in a new directory, and opens it.

    ``extractors`` store their verdicts, to be chosen when searching; ``"all"`` are those that need nothing but the page. A damaged record is
    counted in ``Index.manifest["ledger"]`` and named in the directory's ``ledger.jsonl``, and a warning says how many there are; with more than
    ``max_bad`` the build ends. Ctrl-C ends it too: the parts that are finished stay, and the same call with ``resume=True`` goes on after
    them. ``status`` are the HTTP status codes of pages; ``threads=0`` is one a core; ``memory`` and ``max_record_bytes`` are in bytes.
    ``progress=True`` shows a bar (of tqdm), and a function is called with the bytes read, those there are, pages and failures.
    """
    with building(progress, "index") as tick:
        _trommel.index(
            paths_of(paths),
            os.fspath(directory),
            extractors=names_of(extractors),
            segmenter=segmenter,
            analyzer=analyzer,
            format=format,
            docid=docid,
            charset=charset,
            status=status,
            max_record_bytes=None if max_record_bytes is None else count_of(max_record_bytes, "max_record_bytes", 1),
            threads=count_of(threads, "threads"),
            memory=count_of(memory, "memory", 1),
            max_bad=None if max_bad is None else count_of(max_bad, "max_bad"),
            page_postings=page_postings,
            resume=resume,
            progress=tick,
        )
    return Index(directory)


def label(
    directory: PathLike,
    extractors: Union[str, Iterable[str]],
    *,
    replace: bool = False,
    sources: Optional[PathLike] = None,
    threads: int = 0,
    progress: Union[bool, BuildProgress, None] = None,
) -> list[str]:
    """Adds the verdicts of extractors to an index, and gives the names of those that were added. The files that were indexed are read
    again; ``sources`` is where they are, if they have moved."""
    source = None if sources is None else os.fspath(sources)
    with building(progress, "label") as tick:
        return _trommel.label(os.fspath(directory), names_of(extractors), replace, source, count_of(threads, "threads"), tick)


def merge(directory: PathLike, sources: Union[PathLike, Iterable[PathLike]]) -> Index:
    """Makes one index of several that were built alike, or of shards, in a new directory, and opens it."""
    _trommel.merge(os.fspath(directory), paths_of(sources))
    return Index(directory)


def _opened(paths: list[str], cache: Optional[str]) -> Index:
    """An index that was sent from another process."""
    return Index(paths, cache=cache)


@dataclass(frozen=True)
class Statistics:
    """What a ranking knows of a collection under a filter."""

    num_docs: int
    """N: pages (or blocks) with a term in a passing block."""
    num_terms: float
    """|C|: terms in passing blocks, each by the weight of its block."""
    df: dict[str, int]
    """By term the pages (or blocks) that have it in a passing block."""
    cf: dict[str, float]
    """By term its occurrences in passing blocks, each by the weight of its block."""

    @property
    def average_length(self) -> float:
        """|C| / N; 0 where nothing passes."""
        return self.num_terms / self.num_docs if self.num_docs else 0.0


class Index:
    """An index, open to be searched; several directories, or those of shards, are searched as one.

    Filters are expressions (``"words >= 11 and (link-density <= 0.33 or justext)"``), models are named with their parameters
    (``"bm25:k1=0.9,b=0.4"``, ``"qld:mu=2500+rm3"``), ``weights`` say how much each block counts, and ``stats`` where N, df, cf and the
    average length come from: ``"subset"`` (what passes), ``"collection"``, or another filter. Whatever they are, the result is that of an index of what
    the filter leaves. Threads may search at the same time; each search is one thread's.
    """

    def __init__(
        self,
        path: Union[PathLike, Iterable[PathLike]],
        *,
        cache: Optional[PathLike] = None,
        verify: bool = False,
    ) -> None:
        self._paths = paths_of(path)
        self._cache = None if cache is None else os.fspath(cache)
        self._native = _trommel.Index(self._paths, self._cache, verify)

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process opens it anew, where the paths lead to the same directories."""
        return _opened, ([os.path.abspath(path) for path in self._paths], self._cache and os.path.abspath(self._cache))

    @property
    def manifest(self) -> dict[str, Any]:
        """What the index was made of and with."""
        manifest: dict[str, Any] = json.loads(self._native.manifest())
        return manifest

    @property
    def extractors(self) -> list[str]:
        """The extractors whose verdicts are stored."""
        return [str(labels["name"]) for labels in self.manifest["extractors"]]

    def __len__(self) -> int:
        return self._native.num_pages

    def __contains__(self, docid: object) -> bool:
        return isinstance(docid, str) and self._native.contains(docid)

    def __iter__(self) -> Iterator[str]:
        return iter(self._native.docids())

    def __repr__(self) -> str:
        return f"Index({', '.join(self._paths)}: {len(self)} pages)"

    def terms(self, text: str) -> list[str]:
        """The terms that the index's analyzer makes of a text."""
        return self._native.terms(text)

    def search(
        self,
        query: str,
        k: int = 10,
        *,
        filter: str = UNFILTERED,
        model: str = "bm25",
        weights: str = "1",
        stats: str = "subset",
        unit: str = "page",
        literal: bool = False,
        snippets: bool = True,
    ) -> Table:
        """The first ``k`` pages (or, with ``unit="block"``, blocks) for a query: rank, docid, score, title, URL, a snippet as HTML, and how
        many of the page's blocks pass; without ``snippets`` neither of the last two, which saves most of the time where ``k`` is large.
        The query may have operators, phrases and fields; with ``literal`` it is a bag of words. Where nothing is found, a warning says whether the
        filter left nothing."""
        ranking = (filter, weights, model, stats)
        wanted = count_of(k, "k", 1)
        return Table(self._native.search(text_of(query, "query"), ranking, unit, wanted, literal, snippets))

    def run(
        self,
        topics: Topics,
        *,
        field: str = "title",
        filter: str = UNFILTERED,
        model: str = "bm25",
        weights: str = "1",
        stats: str = "subset",
        k: int = 1000,
        threads: int = 0,
        progress: Union[bool, Progress, None] = None,
    ) -> Table:
        """Ranks pages for topics, whose texts are bags of words: ``query_id``, ``doc_id``, ``rank`` and ``score``, in the order and with the
        numbers of the file that ``trommel run`` writes. The columns are called as ir_measures calls them. A warning names topics for which
        nothing is found. ``progress=True`` shows a bar (of tqdm), and a function is called with the number of topics done, and of all."""
        queries = topics_of(topics, field)
        with counting(progress, "run", "topic") as tick:
            return self._ranked(queries, (filter, weights, model, stats), k, threads, tick, warns=True)

    def _ranked(
        self,
        topics: list[tuple[str, str]],
        ranking: tuple[str, str, str, str],
        k: int,
        threads: int,
        tick: Optional[Progress],
        *,
        warns: bool,
    ) -> Table:
        wanted = count_of(k, "k", 1)
        return Table(self._native.run(topics, ranking, wanted, count_of(threads, "threads"), tick, warns))

    def sweep(
        self,
        topics: Topics,
        qrels: Qrels,
        vary: Union[str, Sequence[str]],
        *,
        field: str = "title",
        filter: str = UNFILTERED,
        model: Union[str, Sequence[str]] = "bm25",
        weights: str = "1",
        stats: str = "subset",
        extractors: Union[str, Iterable[str]] = (),
        measures: Union[str, Sequence[str]] = ("P@10", "nDCG@10", "AP", "Judged@10"),
        relevance_level: int = 1,
        grid: bool = False,
        k: int = 1000,
        folds: int = 5,
        threads: int = 0,
        memory: int = 2 << 30,
        title: str = "Threshold sweep",
        progress: Union[bool, Progress, None] = None,
    ) -> Sweep:
        """Ranks topics at every step of a series of thresholds in one pass, and evaluates all: ``vary="min-words=1..60"``,
        ``"max-link-density=0..1:0.05"``, or a ``$NAME`` of the weights. Several series each by itself, or with ``grid`` each with each."""
        queries, judged = topics_of(topics, field), qrels_of(qrels)
        with counting(progress, "sweep", "step") as tick:
            swept = _trommel.sweep(
                self._native,
                queries,
                judged,
                vary=names_of(vary),
                grid=grid,
                filter=filter,
                weights=weights,
                models=names_of(model),
                stats=stats,
                extractors=names_of(extractors),
                measures=names_of(measures),
                relevance_level=relevance_level,
                k=count_of(k, "k", 1),
                folds=count_of(folds, "folds", 2),
                threads=count_of(threads, "threads"),
                memory=count_of(memory, "memory", 1),
                title=title,
                names=(name_of(topics), field, name_of(qrels)),
                progress=tick,
            )
        return Sweep(json.loads(swept))

    def export(
        self,
        path: PathLike,
        format: str,
        *,
        filter: str = UNFILTERED,
        unit: str = "page",
        force: bool = False,
        progress: Union[bool, Progress, None] = None,
    ) -> int:
        """Writes what a filter leaves into a file: ``jsonl`` or ``parquet`` with a row a page or, with ``unit="block"``, a row a block with all
        its values and verdicts; or ``ciff``, the inverted index for other engines. The file is there when it is whole. What is there already is
        replaced if it is empty or an export of the format, or with ``force``, but never a file of an index. Gives the number of rows. Ctrl-C ends it,
        and leaves what was there as it was."""
        with counting(progress, "export", "term" if format == "ciff" else "page") as tick:
            return self._native.export(os.fspath(path), format, filter, unit, force, tick)

    def blocks(self, docid: str, *, filter: str = UNFILTERED) -> Table:
        """The blocks of a page: text, values, whether each passes the filter (``kept``), and the verdicts that the index has. KeyError
        for a docid that it has not."""
        return Table(self._native.blocks(docid, filter))

    def text(self, docid: str, *, filter: str = UNFILTERED) -> str:
        """The text of a page as the filter leaves it, a block a line. KeyError for a docid that the index has not."""
        return "\n".join(self._native.text(docid, filter))

    def page(self, docid: str) -> dict[str, Union[str, int]]:
        """What is known of a page: docid, URL, title, date, media type, language, and the file and offset of its record. KeyError for a docid
        that the index has not."""
        names = ("docid", "url", "title", "date", "media_type", "language", "file", "offset")
        return dict(zip(names, self._native.page(docid)))

    def stats(
        self,
        filter: str = UNFILTERED,
        terms: Union[str, Sequence[str]] = (),
        *,
        weights: str = "1",
        unit: str = "page",
    ) -> Statistics:
        """N, |C|, and df and cf of terms under a filter: what scorers of texts want. ``terms`` are as the analyzer makes them, or a text that
        it is to make terms of."""
        wanted = self.terms(terms) if isinstance(terms, str) else list(terms)
        wanted = list(dict.fromkeys(wanted))
        ranking = (filter, weights, "bm25", "subset")
        num_docs, num_terms, totals = self._native.statistics(wanted, ranking, unit)
        return Statistics(
            num_docs=num_docs,
            num_terms=num_terms,
            df={term: df for term, (df, _) in zip(wanted, totals)},
            cf={term: cf for term, (_, cf) in zip(wanted, totals)},
        )

    def explain(
        self,
        query: str,
        docid: Optional[str] = None,
        *,
        filter: str = UNFILTERED,
        model: str = "bm25",
        weights: str = "1",
        stats: str = "subset",
        k: int = 10,
        unit: str = "page",
        literal: bool = False,
    ) -> dict[str, dict[str, Any]]:
        """By docid the parts of the scores of the first ``k`` hits, or of one page that is among them (KeyError if it is not)."""
        ranking = (filter, weights, model, stats)
        parts = self._native.explain(text_of(query, "query"), ranking, unit, count_of(k, "k", 1), literal)
        explained = {name: json.loads(text) for name, text in parts}
        return explained if docid is None else {docid: explained[docid]}
