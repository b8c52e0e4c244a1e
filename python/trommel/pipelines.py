"""Steps of corpus pipelines: what is left of each page by an extractor. One function does it, and each of these calls it: on a Spark partition,
on a batch of Ray Data, as a step of datatrove."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Optional, Union

from .pages import DEFAULT_EXTRACTOR, extract

if TYPE_CHECKING:
    import numpy
    import pyarrow


class Extract:
    """Pages to their main content. It holds names alone, so that it can be sent to any worker; they are looked at where it is made, so that no job
    fails on a wrong one. A row without a page, whose markup is null or no text, has a null for its text and in the column ``text_error`` the reason; that column
    is left out with ``error=None``."""

    def __init__(
        self,
        extractor: str = DEFAULT_EXTRACTOR,
        *,
        filter: str = "",
        min_confidence: Optional[float] = None,
        html: str = "html",
        url: str = "url",
        text: str = "text",
        error: Optional[str] = "text_error",
    ) -> None:
        extract("<p>x", extractor, filter=filter, min_confidence=min_confidence)
        self.extractor = extractor
        self.filter = filter
        self.min_confidence = min_confidence
        self.html = html
        self.url = url
        self.text = text
        self.error = error

    def page(self, html: Union[str, bytes], url: str = "") -> str:
        """The main content of a page."""
        return extract(html, self.extractor, filter=self.filter, min_confidence=self.min_confidence, url=url)

    def record(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """A record with its text in the place of its markup."""
        rest = {name: value for name, value in record.items() if name != self.html}
        url = record.get(self.url)
        text, error = self._try(record[self.html], url)
        return {**rest, self.text: text, **self._errors(error)}

    def partition(self, rows: Iterable[Any]) -> Iterator[dict[str, Any]]:
        """Rows of Spark (or mappings) to records: ``frame.rdd.mapPartitions(Extract().partition).toDF()``."""
        for row in rows:
            yield self.record(row.asDict() if hasattr(row, "asDict") else row)

    def __call__(self, batch: Any) -> Any:
        """A batch of Ray Data, of numpy's arrays or a table of pyarrow: ``dataset.map_batches(Extract())``."""
        if hasattr(batch, "column_names"):
            return self._arrow(batch)
        urls = batch.get(self.url)
        pages = batch[self.html]
        made = [self._try(page, urls[at] if urls is not None else None) for at, page in enumerate(pages)]
        rest: dict[str, Any] = {name: values for name, values in batch.items() if name != self.html}
        return {**rest, self.text: _objects(text for text, _ in made), **self._errors(_objects(error for _, error in made))}

    def _arrow(self, batch: pyarrow.Table) -> pyarrow.Table:
        import pyarrow

        urls = batch.column(self.url).to_pylist() if self.url in batch.column_names else None
        pages = batch.column(self.html).to_pylist()
        made = [self._try(page, urls[at] if urls is not None else None) for at, page in enumerate(pages)]
        table = batch.drop_columns([self.html])
        table = table.append_column(self.text, pyarrow.array([text for text, _ in made], pyarrow.string()))
        for name, errors in self._errors([error for _, error in made]).items():
            table = table.append_column(name, pyarrow.array(errors, pyarrow.string()))
        return table

    def _try(self, html: Any, url: Any) -> tuple[Optional[str], str]:
        """The text of a page and nothing, or no text and why."""
        if not isinstance(html, (str, bytes, bytearray, memoryview)):
            missing = html is None or html != html
            return None, "no page: null" if missing else f"no page: a {type(html).__name__}"
        page = html if isinstance(html, str) else bytes(html)
        return self.page(page, url if isinstance(url, str) else ""), ""

    def _errors(self, errors: Any) -> dict[str, Any]:
        return {} if self.error is None else {self.error: errors}


def _objects(values: Iterable[Any]) -> numpy.ndarray[Any, Any]:
    """An array of texts and None."""
    import numpy

    listed = list(values)
    array = numpy.empty(len(listed), dtype=object)
    array[:] = listed
    return array
