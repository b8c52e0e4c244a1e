from collections.abc import Callable
from typing import Any, Optional, Union, final

__all__ = [
    "DocumentsFile",
    "Index",
    "Page",
    "ParseError",
    "Reader",
    "Table",
    "TrommelError",
    "TrommelWarning",
    "__version__",
    "blocks",
    "compare",
    "decode",
    "evaluate",
    "extract",
    "extract_as",
    "index",
    "label",
    "merge",
    "read_qrels",
    "read_run",
    "read_topics",
    "sweep",
    "write_demo",
    "write_run",
]

_Ranking = tuple[str, str, str, str]
_BuildProgress = Callable[[int, Optional[int], int, int], object]
_Progress = Callable[[int, int], object]
_Judgments = dict[str, dict[str, int]]
_Retrieved = dict[str, list[tuple[str, float]]]

__version__: str

class TrommelError(Exception):
    """What Trommel could not do, and why."""

class ParseError(TrommelError):
    """A filter, model, weight, measure or query that says nothing: the text names the place and what is expected."""

class TrommelWarning(UserWarning):
    """What was done, and may not be what was meant."""

@final
class Table:
    @property
    def column_names(self) -> list[str]: ...
    @property
    def column_types(self) -> list[str]: ...
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...
    def __len__(self) -> int: ...
    def slice(self, start: int, count: int) -> Table: ...
    def column(self, name: str) -> list[Any]: ...

@final
class Index:
    def __new__(cls, paths: list[str], cache: Optional[str], verify: bool) -> Index: ...
    @property
    def num_pages(self) -> int: ...
    def manifest(self) -> str: ...
    def contains(self, docid: str) -> bool: ...
    def docids(self) -> list[str]: ...
    def terms(self, text: str) -> list[str]: ...
    def search(self, query: str, texts: _Ranking, unit: str, k: int, literal: bool, snippets: bool) -> Table: ...
    def run(
        self,
        topics: list[tuple[str, str]],
        texts: _Ranking,
        k: int,
        threads: int,
        progress: Optional[_Progress],
        warns: bool,
    ) -> Table: ...
    def blocks(self, docid: str, filter: str) -> Table: ...
    def text(self, docid: str, filter: str) -> list[str]: ...
    def page(self, docid: str) -> tuple[str, str, str, str, str, str, str, int]: ...
    def statistics(
        self, terms: list[str], texts: _Ranking, unit: str
    ) -> tuple[int, float, list[tuple[int, float]]]: ...
    def export(
        self, path: str, format: str, filter: str, unit: str, force: bool, progress: Optional[_Progress]
    ) -> int: ...
    def explain(self, query: str, texts: _Ranking, unit: str, k: int, literal: bool) -> list[tuple[str, str]]: ...

@final
class DocumentsFile:
    """A gzip file of documents that is being written. What is not finished leaves what was there as it was."""

    NAME: str
    def __new__(cls, path: str, force: bool) -> DocumentsFile: ...
    def write(self, bytes: bytes) -> int: ...
    def flush(self) -> None: ...
    def finish(self) -> None: ...

@final
class Page:
    """A page as it was stored."""

    @property
    def docid(self) -> str:
        """Its identifier."""
    @property
    def url(self) -> str:
        """Its address; empty where the collection has none."""
    @property
    def date(self) -> str:
        """Its date as the record has it; may be empty."""
    @property
    def charset(self) -> Optional[str]:
        """The character set that HTTP declared."""
    @property
    def media_type(self) -> Optional[str]:
        """The media type that the record declares."""
    @property
    def language(self) -> Optional[str]:
        """The language that the record declares."""
    @property
    def html(self) -> str:
        """The page as text, decoded as `trommel index` does."""
    @property
    def content(self) -> bytes:
        """The bytes of the page, without transfer and content encodings."""
    @property
    def is_text(self) -> bool:
        """Is it text without markup?"""
    @property
    def truncated(self) -> bool:
        """Is it known to be cut short?"""
    @property
    def file(self) -> str:
        """The file that it comes from."""
    @property
    def offset(self) -> int:
        """Where its record begins."""

@final
class Reader:
    def __new__(
        cls, paths: list[str], format: str, docid: str, status: str, max_record_bytes: Optional[int]
    ) -> Reader: ...
    def __iter__(self) -> Reader: ...
    def __next__(self) -> Page: ...
    @property
    def ledger(self) -> list[tuple[str, int, Optional[str], str, str, bool, int]]: ...

def index(
    paths: list[str],
    directory: str,
    *,
    extractors: list[str],
    segmenter: str,
    analyzer: str,
    format: str,
    docid: str,
    charset: str,
    status: str,
    max_record_bytes: Optional[int],
    threads: int,
    memory: int,
    max_bad: Optional[int],
    page_postings: bool,
    resume: bool,
    progress: Optional[_BuildProgress],
) -> tuple[str, int]: ...
def label(
    directory: str,
    extractors: list[str],
    replace: bool,
    sources: Optional[str],
    threads: int,
    progress: Optional[_BuildProgress],
) -> list[str]: ...
def write_demo(directory: str, force: bool) -> tuple[str, str, str]: ...
def merge(directory: str, sources: list[str]) -> str: ...
def sweep(
    index: Index,
    topics: list[tuple[str, str]],
    qrels: _Judgments,
    *,
    vary: list[str],
    grid: bool,
    filter: str,
    weights: str,
    models: list[str],
    stats: str,
    extractors: list[str],
    measures: list[str],
    relevance_level: int,
    k: int,
    folds: int,
    threads: int,
    memory: int,
    title: str,
    names: tuple[str, str, str],
    progress: Optional[_Progress],
) -> str: ...
def decode(bytes: bytes, charset: str, declared: Optional[str]) -> str: ...
def extract(
    html: Union[str, bytes, Page],
    extractor: str,
    filter: str,
    min_confidence: Optional[float],
    url: str,
    docid: str,
    charset: str,
) -> tuple[str, list[str]]: ...
def extract_as(
    html: Union[str, bytes, Page],
    extractor: str,
    filter: str,
    min_confidence: Optional[float],
    url: str,
    docid: str,
    charset: str,
    format: str,
    options: tuple[bool, bool, bool, bool],
) -> str: ...
def blocks(
    html: Union[str, bytes, Page], extractors: list[str], segmenter: str, url: str, docid: str, charset: str
) -> Table: ...
def evaluate(
    qrels: _Judgments,
    run: _Retrieved,
    measures: list[str],
    *,
    name: str,
    complete: bool,
    relevance_level: int,
    max_docs: Optional[int],
    judged_only: bool,
) -> tuple[list[str], list[float], list[tuple[str, list[float]]], tuple[list[str], Optional[str]]]: ...
def compare(
    baseline: list[list[float]],
    systems: list[list[list[float]]],
    test: str,
    seed: int,
) -> list[list[tuple[float, float, float, float, float, float, int, int, int, float, float]]]: ...
def read_topics(path: str, field: str) -> list[tuple[str, str]]: ...
def read_qrels(path: str) -> _Judgments: ...
def read_run(path: str) -> tuple[str, _Retrieved]: ...
def write_run(
    path: str, topics: list[tuple[str, list[tuple[str, float]]]], tag: str, force: bool, read: Optional[str]
) -> None: ...
