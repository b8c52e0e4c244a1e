"""Steps of corpus pipelines: what is left of each page by an extractor. One function does it, and each of these calls it: on a Spark partition,
on a batch of Ray Data, as a step of datatrove."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Optional, Union

from .pages import DEFAULT_EXTRACTOR, extract

if TYPE_CHECKING:
    import numpy


class Extract:
    """Pages to their main content. It holds names alone, so that it can be sent to any worker."""

    def __init__(
        self,
        extractor: str = DEFAULT_EXTRACTOR,
        *,
        filter: str = "",
        min_confidence: Optional[float] = None,
        html: str = "html",
        url: str = "url",
        text: str = "text",
    ) -> None:
        self.extractor = extractor
        self.filter = filter
        self.min_confidence = min_confidence
        self.html = html
        self.url = url
        self.text = text

    def page(self, html: Union[str, bytes], url: str = "") -> str:
        """The main content of a page."""
        return extract(html, self.extractor, filter=self.filter, min_confidence=self.min_confidence, url=url)

    def record(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """A record with its text in the place of its markup."""
        rest = {name: value for name, value in record.items() if name != self.html}
        return {**rest, self.text: self.page(record[self.html], str(record.get(self.url) or ""))}

    def partition(self, rows: Iterable[Any]) -> Iterator[dict[str, Any]]:
        """Rows of Spark (or mappings) to records: ``frame.rdd.mapPartitions(Extract().partition).toDF()``."""
        for row in rows:
            yield self.record(row.asDict() if hasattr(row, "asDict") else row)

    def __call__(self, batch: dict[str, numpy.ndarray[Any, Any]]) -> dict[str, Any]:
        """A batch of Ray Data: ``dataset.map_batches(Extract())``."""
        urls = batch.get(self.url)
        pages = batch[self.html]
        texts = [self.page(page, str(urls[at]) if urls is not None else "") for at, page in enumerate(pages)]
        rest: dict[str, Any] = {name: values for name, values in batch.items() if name != self.html}
        return {**rest, self.text: texts}
