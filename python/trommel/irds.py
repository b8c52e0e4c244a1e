"""Data sets of ir_datasets: documents with their bodies, topics, judgments.

What takes topics or judgments takes ``"irds:ID"`` in their place.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any, Optional

from ._trommel import DocumentsFile, TrommelError, decode
from .inputs import PathLike

BODIES = ("body", "html", "http_body")
"""Fields that are markup, in the order in which they are looked for."""
TEXTS = ("text", "contents", "abstract")
"""Fields that are text, likewise."""


def _dataset(dataset_id: str) -> Any:
    import ir_datasets

    try:
        return ir_datasets.load(dataset_id)
    except KeyError as error:
        raise TrommelError(f"irds:{dataset_id}: ir_datasets has no data set of this name") from error


def _part(dataset_id: str, name: str, what: str) -> Iterator[Any]:
    dataset = _dataset(dataset_id)
    try:
        iterator: Iterator[Any] = getattr(dataset, name)()
    except AttributeError as error:
        raise TrommelError(f"irds:{dataset_id}: this data set has no {what}") from error
    return iterator


def topics(dataset_id: str, field: str = "title") -> list[tuple[str, str]]:
    """Ids and texts of the topics: the field, where they have it, else what ir_datasets takes for the query."""
    return [(query.query_id, str(getattr(query, field, None) or query.default_text())) for query in _part(dataset_id, "queries_iter", "topics")]


def qrels(dataset_id: str) -> dict[str, dict[str, int]]:
    """The judgments; of several for a document (subtopics) the highest."""
    judged: dict[str, dict[str, int]] = {}
    for qrel in _part(dataset_id, "qrels_iter", "judgments"):
        of_topic = judged.setdefault(qrel.query_id, {})
        of_topic[qrel.doc_id] = max(qrel.relevance, of_topic.get(qrel.doc_id, qrel.relevance))
    return judged


def documents(dataset_id: str) -> Iterator[dict[str, str]]:
    """The documents as ``docno`` with ``html`` or ``text``, and ``url``, ``title`` and ``date`` where there are some: what the indexer for
    PyTerrier and JSONL files take."""
    for document in _part(dataset_id, "docs_iter", "documents"):
        fields = document._asdict() if hasattr(document, "_asdict") else vars(document)
        record = record_of(document.doc_id, fields)
        yield {"docno": document.doc_id, **(record or {"text": str(document.default_text())})}


def record_of(docno: object, fields: Mapping[str, Any]) -> Optional[dict[str, str]]:
    """The page of a document, and what is known of it; None where no field is its markup or text. Bytes are decoded as browsers do, with the
    character set that the document's HTTP header has."""
    found = next((name for name in (*BODIES, *TEXTS) if isinstance(fields.get(name), (str, bytes))), None)
    if found is None:
        return None
    body = fields[found]
    if isinstance(body, bytes):
        body = decode(body, "auto", _charset(fields))
    record = {"html" if found in BODIES else "text": body}
    record.update({name: str(fields[name]) for name in ("url", "title", "date") if fields.get(name)})
    return record


def _charset(fields: Mapping[str, Any]) -> Optional[str]:
    """The character set of a document's content type, or of its HTTP header's."""
    headers = fields.get("http_headers")
    text = headers.decode("latin-1") if isinstance(headers, bytes) else str(headers or "")
    lines = (line.partition(":") for line in text.splitlines())
    types = [value for name, _, value in lines if name.strip().lower() == "content-type"]
    for content_type in (str(fields.get("body_content_type") or ""), *types):
        charset = content_type.lower().partition("charset=")[2].partition(";")[0].strip("\"' ")
        if charset:
            return charset
    return None


def export(dataset_id: str, path: PathLike, *, force: bool = False) -> int:
    """Writes the documents as a gzipped JSONL file, which ``trommel index`` reads; gives their number. The file is there when it is whole. What is there
    already is replaced if it is empty or such a file, or with ``force``, but never what lies in an index."""
    found = documents(dataset_id)
    file: Any = DocumentsFile(os.fspath(path), force)
    count = 0
    try:
        count = _write(found, file)
    finally:
        # What is not finished is gone with the last name for it.
        del file
    return count


def _write(found: Iterator[dict[str, str]], file: Any) -> int:
    import gzip
    import json

    count = 0
    # The name in the header tells the file from others; without a time it is always the same.
    with gzip.GzipFile(DocumentsFile.NAME, "wb", compresslevel=1, fileobj=file, mtime=0) as out:
        for count, document in enumerate(found, 1):
            out.write(json.dumps(document, ensure_ascii=False).encode() + b"\n")
    file.finish()
    return count
