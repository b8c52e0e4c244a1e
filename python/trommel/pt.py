"""Trommel in PyTerrier: an artifact, retrievers, texts and passages of what a filter leaves.

>>> import pyterrier as pt                                        # doctest: +SKIP
>>> index = trommel.pt.TrommelIndex("my-index")                   # doctest: +SKIP
>>> plain, filtered = index.bm25(), index.bm25(filter="words >= 11 and trommel")  # doctest: +SKIP
>>> pt.Experiment([plain, filtered], topics, qrels, ["P.10", "ndcg_cut.10"])      # doctest: +SKIP
"""

from __future__ import annotations

import gzip
import json
import os
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Optional, Union

import pandas
import pyterrier

from . import _trommel
from . import indexes as indexing
from .inputs import PathLike
from .irds import BODIES, TEXTS, record_of
from .progress import counting

META = "pt_meta.json"
_META = {"type": "sparse_index", "format": "trommel", "package_hint": "trommel"}


class TrommelIndex(pyterrier.Artifact):  # type: ignore[misc]
    """An index as an artifact: to be searched, and to be shared as PyTerrier shares artifacts."""

    ARTIFACT_TYPE = _META["type"]
    ARTIFACT_FORMAT = _META["format"]
    ARTIFACT_PACKAGE_HINT = _META["package_hint"]

    def __init__(self, path: PathLike, **options: Any) -> None:
        """``options`` are those of :class:`trommel.Index`."""
        super().__init__(os.fspath(path))
        self._options = options
        self._index: Optional[indexing.Index] = None

    @property
    def index(self) -> indexing.Index:
        """The index, opened when it is first asked for."""
        if self._index is None:
            self._index = indexing.Index(self.path, **self._options)
        return self._index

    def __len__(self) -> int:
        """The number of pages."""
        return len(self.index)

    def __repr__(self) -> str:
        return f"TrommelIndex({str(self.path)!r})"

    def __bool__(self) -> bool:
        return True

    def built(self) -> bool:
        """Is there an index in the directory?"""
        return (Path(self.path) / "manifest.json").exists()

    def retriever(self, model: str = "bm25", **options: Any) -> Retriever:
        """A retriever by any model that Trommel knows, with its parameters: ``qld:mu=2500+rm3``."""
        return Retriever(self, model, **options)

    def bm25(self, *, k1: float = 0.9, b: float = 0.4, **options: Any) -> Retriever:
        """BM25; ``filter`` and whatever else :class:`Retriever` takes."""
        return self.retriever(f"bm25:k1={k1},b={b}", **options)

    def qld(self, *, mu: float = 1000, **options: Any) -> Retriever:
        """Query likelihood with Dirichlet smoothing."""
        return self.retriever(f"qld:mu={mu}", **options)

    def qljm(self, *, lambda_: float = 0.1, **options: Any) -> Retriever:
        """Query likelihood with Jelinek-Mercer smoothing."""
        return self.retriever(f"qljm:lambda={lambda_}", **options)

    def tfidf(self, **options: Any) -> Retriever:
        """TF-IDF as Lucene's classic similarity has it."""
        return self.retriever("tfidf", **options)

    def text_loader(self, *, filter: str = indexing.UNFILTERED) -> TextLoader:
        """Adds the text of what a filter leaves of each page."""
        return TextLoader(self, filter)

    def blocks(self, *, filter: str = indexing.UNFILTERED, join: int = 1) -> Blocks:
        """Makes a passage of each block that passes a filter, or of so many that follow each other: to be scored, and then to be joined by
        ``pt.text.max_passage()``."""
        return Blocks(self, filter, join)

    def indexer(self, **options: Any) -> Indexer:
        """Indexes documents into the artifact's directory."""
        return Indexer(self.path, **options)


class Retriever(pyterrier.Transformer):  # type: ignore[misc]
    """Queries to the pages that are ranked for them under a filter."""

    def __init__(
        self,
        index: TrommelIndex,
        model: str = "bm25",
        *,
        filter: str = indexing.UNFILTERED,
        weights: str = "1",
        stats: str = "subset",
        num_results: int = 1000,
        threads: int = 0,
        verbose: bool = False,
    ) -> None:
        self.index = index
        self.model = model
        self.filter = filter
        self.weights = weights
        self.stats = stats
        self.num_results = num_results
        self.threads = threads
        self.verbose = verbose

    def transform(self, inp: pandas.DataFrame) -> pandas.DataFrame:
        """A row for each page, with the query's columns, ``docno``, ``score`` and ``rank``."""
        with pyterrier.validate.any(inp, context=self) as validation:
            validation.columns(includes=["qid", "query"])
        queries = inp[pyterrier.model.query_columns(inp)].reset_index(drop=True)
        # By place: a query id may come twice, with other columns.
        topics = [(str(place), _query(qid, query)) for place, (qid, query) in enumerate(zip(queries["qid"], queries["query"]))]
        ranking = (self.filter, self.weights, self.model, self.stats)
        with counting(self.verbose, str(self), "q") as tick:
            # A pipeline takes a query without results as it is, and a warning that names places would tell nobody anything.
            table = self.index.index._ranked(topics, ranking, self.num_results, self.threads, tick, warns=False)
        places = [int(place) for place in table["query_id"]]
        found: pandas.DataFrame = queries.iloc[places].reset_index(drop=True)
        found["docno"] = pandas.Series(table["doc_id"], dtype=object)
        found["score"] = pandas.Series(table["score"], dtype="float64")
        found["rank"] = pandas.Series(table["rank"], dtype="int64") - 1 + pyterrier.model.FIRST_RANK
        return found

    def fuse_rank_cutoff(self, k: int) -> Retriever:
        """The retriever of so many results."""
        if k >= self.num_results:
            return self
        return Retriever(
            self.index,
            self.model,
            filter=self.filter,
            weights=self.weights,
            stats=self.stats,
            num_results=k,
            threads=self.threads,
            verbose=self.verbose,
        )

    def __repr__(self) -> str:
        return f"Retriever({self.index}, {self.model}, {self.filter})"


class TextLoader(pyterrier.Transformer):  # type: ignore[misc]
    """Adds a column with the text of what a filter leaves of each page, a block a line."""

    def __init__(self, index: TrommelIndex, filter: str = indexing.UNFILTERED, field: str = "text") -> None:
        self.index = index
        self.filter = filter
        self.field = field

    def transform(self, inp: pandas.DataFrame) -> pandas.DataFrame:
        """The rows with their texts."""
        with pyterrier.validate.any(inp, context=self) as validation:
            validation.columns(includes=["docno"])
        texts = {docno: self.index.index.text(docno, filter=self.filter) for docno in inp["docno"].unique()}
        return inp.assign(**{self.field: pandas.Series([texts[docno] for docno in inp["docno"]], index=inp.index, dtype=object)})


class Blocks(pyterrier.Transformer):  # type: ignore[misc]
    """Pages to passages: the blocks that pass a filter, each with the page's columns. Their ``docno`` is ``PAGE%pNUMBER``."""

    def __init__(self, index: TrommelIndex, filter: str = indexing.UNFILTERED, join: int = 1) -> None:
        if join < 1:
            raise ValueError("join: the least is 1")
        self.index = index
        self.filter = filter
        self.join = join

    def transform(self, inp: pandas.DataFrame) -> pandas.DataFrame:
        """A row for each passage."""
        with pyterrier.validate.any(inp, context=self) as validation:
            validation.columns(includes=["docno"])
        passages = {docno: self._passages(docno) for docno in inp["docno"].unique()}
        places = [place for place, docno in enumerate(inp["docno"]) for _ in passages[docno]]
        rows = inp.drop(columns=["text"], errors="ignore").iloc[places].reset_index(drop=True)
        both = [(f"{docno}%p{number}", text) for docno in inp["docno"] for number, text in passages[docno]]
        rows["docno"] = pandas.Series([docno for docno, _ in both], dtype=object)
        rows["text"] = pandas.Series([text for _, text in both], dtype=object)
        return rows

    def _passages(self, docno: str) -> list[tuple[int, str]]:
        kept = [(row["block"], row["text"]) for row in self.index.index.blocks(docno, filter=self.filter) if row["kept"]]
        groups = [kept[first : first + self.join] for first in range(0, len(kept), self.join)]
        return [(group[0][0], " ".join(" ".join(text.split()) for _, text in group)) for group in groups]


class Indexer(pyterrier.Indexer):  # type: ignore[misc]
    """Indexes documents with ``docno`` and ``html`` (or ``text``, of which each line is a block); ``url``, ``title`` and ``date`` are kept. Documents
    of ir_datasets are taken with the fields that it has for them, such as ``body``; bytes are decoded as browsers do."""

    def __init__(
        self,
        path: PathLike,
        *,
        extractors: Union[str, Sequence[str]] = (),
        segmenter: str = "boilerpipe",
        analyzer: str = "english",
        threads: int = 0,
        memory: int = 512 << 20,
        verbose: bool = False,
    ) -> None:
        self.path = os.fspath(path)
        self.extractors = extractors
        self.segmenter = segmenter
        self.analyzer = analyzer
        self.threads = threads
        self.memory = memory
        self.verbose = verbose

    def index(self, iter: Iterable[dict[str, Any]], **_: Any) -> TrommelIndex:
        """Indexes the documents."""
        with tempfile.TemporaryDirectory() as place:
            file = Path(place) / "documents.jsonl.gz"
            with gzip.open(file, "wt", compresslevel=1, encoding="utf-8") as out:
                for document in iter:
                    out.write(json.dumps(_record(document), ensure_ascii=False) + "\n")
            built = indexing.index(
                file,
                self.path,
                extractors=self.extractors,
                segmenter=self.segmenter,
                analyzer=self.analyzer,
                format="jsonl",
                threads=self.threads,
                memory=self.memory,
                progress=self.verbose,
            )
        (Path(self.path) / META).write_text(json.dumps(_META))
        artifact = TrommelIndex(self.path)
        artifact._index = built
        return artifact

    def index_inputs(self) -> list[list[str]]:
        """What :meth:`index` takes."""
        return [["docno", "html"], ["docno", "text"]]


def _query(qid: object, query: object) -> str:
    """A query that is none, None or NaN, is not searched for as a word."""
    if isinstance(query, str):
        return query
    raise ValueError(f"qid {qid}: a query is a text, and this is {query!r}")


def metadata(path: str, listing: list[str]) -> Optional[dict[str, str]]:
    """What ``pt.Artifact.load`` wants to know of a directory without ``pt_meta.json``, given what is in it; None if it is no index."""
    names = {"manifest.json", "ledger.jsonl", "parts"}
    return dict(_META) if names <= set(listing) else None


def _record(document: dict[str, Any]) -> dict[str, Any]:
    """A document as Trommel reads it."""
    docno = document.get("docno")
    if not isinstance(docno, str):
        raise ValueError(f"a document's docno is a text, and this is {docno!r}")
    record = record_of(docno, document)
    if record is None:
        raise _trommel.TrommelError(f"the document {docno!r} has neither {', '.join(BODIES)} nor {', '.join(TEXTS)}")
    return {"docid": docno, **record}
