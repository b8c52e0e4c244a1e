"""Single pages, and the pages of archives."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Literal, NamedTuple, Optional, Union, overload

from . import _trommel
from ._trommel import Page
from .inputs import PathLike, count_of, names_of, paths_of
from .table import Table

DEFAULT_EXTRACTOR = "trommel"
"""What decides on content where nobody says."""


Markup = Union[str, bytes, bytearray, memoryview, Page]
"""A page: its markup, decoded or not, or as :func:`read` gives it, with its address, docid, declared character set and date."""


@overload
def extract(
    html: Markup,
    extractor: str = ...,
    *,
    format: Literal["text", "markdown", "html"] = ...,
    filter: str = ...,
    min_confidence: Optional[float] = ...,
    url: str = ...,
    docid: str = ...,
    charset: str = ...,
    links: bool = ...,
    images: bool = ...,
    hidden: bool = ...,
    embedded: bool = ...,
) -> str: ...
@overload
def extract(
    html: Markup,
    extractor: str = ...,
    *,
    format: Literal["dict"],
    filter: str = ...,
    min_confidence: Optional[float] = ...,
    url: str = ...,
    docid: str = ...,
    charset: str = ...,
    links: bool = ...,
    images: bool = ...,
    hidden: bool = ...,
    embedded: bool = ...,
) -> dict[str, Any]: ...
def extract(
    html: Markup,
    extractor: str = DEFAULT_EXTRACTOR,
    *,
    format: Literal["text", "markdown", "html", "dict"] = "text",
    filter: str = "",
    min_confidence: Optional[float] = None,
    url: str = "",
    docid: str = "",
    charset: str = "auto",
    links: bool = False,
    images: bool = False,
    hidden: bool = True,
    embedded: bool = False,
) -> Union[str, dict[str, Any]]:
    """The main content of a page: as text, a block a line; as Markdown or HTML with its structure (``links`` and ``images`` if they are asked
    for); or as a ``dict`` of what ``trommel extract --format jsonl`` says: title, author, date, language, where the text stands, and more.

    ``extractor`` decides on it (``trommel``, ``justext``, ``boilerpipe-article``, ``min-words-10``, …, with parameters as on the command line);
    of what it keeps, what passes ``filter`` stays. With ``min_confidence``, from 0 to 1, the blocks are kept that are content
    with at least that confidence. Bytes are decoded as browsers do. ``hidden=False`` leaves out what the markup hides; ``embedded`` takes, of a
    page that shows almost no text, what its scripts have. ``url`` and ``docid`` are for filters, links and extractors that ask for them; a page of
    :func:`read` has its own.

    >>> extract(b"<h1>Barrels</h1><p>Rain barrels keep water for the dry weeks.", "keep-everything", filter="not tag = h1")
    'Rain barrels keep water for the dry weeks.'
    """
    if format != "text" or not hidden or embedded:
        kind = "jsonl" if format == "dict" else format
        options = (links, images, hidden, embedded)
        made = _trommel.extract_as(_markup(html), extractor, filter, min_confidence, url, docid, charset, kind, options)
        if format != "dict":
            return made
        record: dict[str, Any] = json.loads(made)
        return record
    return "\n".join(_trommel.extract(_markup(html), extractor, filter, min_confidence, url, docid, charset)[1])


def blocks(
    html: Markup,
    *,
    extractors: Union[str, Iterable[str]] = (),
    segmenter: str = "boilerpipe",
    url: str = "",
    docid: str = "",
    charset: str = "auto",
) -> Table:
    """The text blocks of a page with their values, and what extractors say of them: ``content(NAME)``, and ``confidence(NAME)`` of those
    that give it."""
    return Table(_trommel.blocks(_markup(html), names_of(extractors), segmenter, url, docid, charset))


def _markup(html: object) -> Union[str, bytes, Page]:
    if isinstance(html, str):
        return _whole(html)
    if isinstance(html, (bytes, Page)):
        return html
    if isinstance(html, (bytearray, memoryview)):
        return bytes(html)
    what = "None" if html is None else f"a {type(html).__name__}"
    raise TypeError(f"html: a page is text or bytes, and this is {what}")


def _whole(text: str) -> str:
    """A text as it is; where it has halves of characters, which no other program takes, those that belong together are joined, and others replaced."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


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


def read(
    paths: Union[PathLike, Iterable[PathLike]],
    *,
    format: str = "auto",
    docid: str = "auto",
    status: str = "200-299",
    max_record_bytes: Optional[int] = None,
) -> Reader:
    """The pages of files and directories in order, whatever their format: WARC, ARC, WET, WACZ, TREC web, JSONL, Parquet, HTML; packed or not.
    A page can be given to :func:`extract` and :func:`blocks` as it is."""
    most = None if max_record_bytes is None else count_of(max_record_bytes, "max_record_bytes", 1)
    return Reader(_trommel.Reader(paths_of(paths), format, docid, status, most))
