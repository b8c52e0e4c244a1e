"""A step of datatrove: the main content of each document, in the place of its markup."""

from __future__ import annotations

from typing import Any, Optional

from datatrove.pipeline.extractors.base import BaseExtractor

from .pages import DEFAULT_EXTRACTOR
from .pipelines import Extract


class TrommelExtractor(BaseExtractor):  # type: ignore[misc]
    """Like datatrove's own extractors: ``TrommelExtractor("trommel", filter="words >= 5")`` between a reader of WARC files and filters."""

    name = "⛏ Trommel"

    def __init__(
        self,
        extractor: str = DEFAULT_EXTRACTOR,
        *,
        filter: str = "",
        min_confidence: Optional[float] = None,
        timeout: float = 1,
        **options: Any,
    ) -> None:
        super().__init__(timeout, **options)
        self._extract = Extract(extractor, filter=filter, min_confidence=min_confidence)

    def extract(self, text: str) -> str:
        """The main content of a document."""
        return self._extract.page(text)
