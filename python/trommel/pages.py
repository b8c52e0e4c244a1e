"""Single pages, and the pages of archives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Optional, Union

from . import _trommel
from ._trommel import Page
from .inputs import PathLike, names_of, paths_of
from .table import Table

DEFAULT_EXTRACTOR = "trommel"
"""What decides on content where nobody says."""


def extract(
    html: Union[str, bytes, bytearray],
    extractor: str = DEFAULT_EXTRACTOR,
    *,
    filter: str = "",
    min_confidence: Optional[float] = None,
    url: str = "",
    charset: str = "auto",
) -> str:
    """The main content of a page as text, a block a line.

    ``extractor`` decides on it (``trommel``, ``justext``, ``boilerpipe-article``, ``min-words-10``, …, with parameters as on the command line);
    of what it keeps, what passes ``filter`` stays. With ``min_confidence``, from 0 to 1, the blocks are kept that are content
    with at least that confidence. Bytes are decoded as browsers do.
    """
    return "\n".join(_trommel.extract(_markup(html), extractor, filter, min_confidence, url, "", charset)[1])


def blocks(
    html: Union[str, bytes, bytearray],
    *,
    extractors: Union[str, Iterable[str]] = (),
    segmenter: str = "boilerpipe",
    url: str = "",
    charset: str = "auto",
) -> Table:
    """The text blocks of a page with their values, and what extractors say of them: ``content(NAME)``, and ``confidence(NAME)`` of those
    that give it."""
    return Table(_trommel.blocks(_markup(html), names_of(extractors), segmenter, url, charset))


def _markup(html: object) -> Union[str, bytes]:
    if isinstance(html, (str, bytes)):
        return html
    if isinstance(html, (bytearray, memoryview)):
        return bytes(html)
    what = "None" if html is None else f"a {type(html).__name__}"
    raise TypeError(f"html: a page is text or bytes, and this is {what}")


class Ledger(NamedTuple):
    """A record that gave no page, or gave one only after repair."""

    file: str
    offset: int
    docid: Optional[str]
    reason: str
    detail: str
    is_failure: bool
    records: int
    """The records that it stands for: more than one where the rows of a table are lost together."""


class Reader:
    """Goes through the pages of files, each once; :attr:`ledger` has what was no page, so far. A damaged record never ends it."""

    def __init__(self, native: _trommel.Reader) -> None:
        self._native = native

    def __iter__(self) -> Iterator[Page]:
        return self

    def __next__(self) -> Page:
        return self._native.__next__()

    @property
    def ledger(self) -> list[Ledger]:
        """The records so far that gave no page, or gave one only after repair."""
        return [Ledger(*line) for line in self._native.ledger]


def read(paths: Union[PathLike, Iterable[PathLike]], *, format: str = "auto", docid: str = "auto") -> Reader:
    """The pages of files and directories in order, whatever their format: WARC, ARC, WET, WACZ, TREC web, JSONL, Parquet, HTML; packed or not."""
    return Reader(_trommel.Reader(paths_of(paths), format, docid))
