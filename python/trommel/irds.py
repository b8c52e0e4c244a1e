"""Data sets of ir_datasets: documents with their bodies, topics, judgments.

What takes topics or judgments takes ``"irds:ID"`` in their place.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Optional

BODIES = ("body", "html", "http_body")
"""Fields that are markup, in the order in which they are looked for."""
TEXTS = ("text", "contents", "abstract", "default_text")


def _dataset(dataset_id: str) -> Any:
    import ir_datasets

    return ir_datasets.load(dataset_id)


def topics(dataset_id: str, field: str = "title") -> list[tuple[str, str]]:
    """Ids and texts of the topics: the field, where they have it, else what ir_datasets takes for the query."""
    return [(query.query_id, str(getattr(query, field, None) or query.default_text())) for query in _dataset(dataset_id).queries_iter()]


def qrels(dataset_id: str) -> dict[str, dict[str, int]]:
    """The judgments; of several for a document (subtopics) the highest."""
    judged: dict[str, dict[str, int]] = {}
    for qrel in _dataset(dataset_id).qrels_iter():
        of_topic = judged.setdefault(qrel.query_id, {})
        of_topic[qrel.doc_id] = max(qrel.relevance, of_topic.get(qrel.doc_id, qrel.relevance))
    return judged


def documents(dataset_id: str) -> Iterator[dict[str, str]]:
    """The documents as ``docno`` with ``html`` or ``text``, and ``url`` and ``title`` where there are some: what the indexer for PyTerrier and
    JSONL files take."""
    for document in _dataset(dataset_id).docs_iter():
        record = {"docno": document.doc_id}
        body, is_markup = _body(document)
        record["html" if is_markup else "text"] = body
        for name in ("url", "title"):
            value = getattr(document, name, None)
            if value:
                record[name] = str(value)
        yield record


def _body(document: Any) -> tuple[str, bool]:
    for name in BODIES:
        body: Optional[object] = getattr(document, name, None)
        if isinstance(body, bytes):
            content_type = getattr(document, "body_content_type", "") or ""
            encoding = content_type.partition("charset=")[2].strip("\"' ;") or "utf-8"
            try:
                return body.decode(encoding, errors="replace"), True
            except LookupError:
                return body.decode("utf-8", errors="replace"), True
        if isinstance(body, str):
            return body, True
    for name in TEXTS:
        text = getattr(document, name, None)
        if isinstance(text, str):
            return text, False
    return str(document.default_text()), False


def export(dataset_id: str, path: str) -> int:
    """Writes the documents as a gzipped JSONL file, which ``trommel index`` reads; gives their number."""
    import gzip
    import json

    count = 0
    with gzip.open(path, "wt", compresslevel=1, encoding="utf-8") as out:
        for count, document in enumerate(documents(dataset_id), 1):
            out.write(json.dumps(document, ensure_ascii=False) + "\n")
    return count
