"""How far long calls have come: told to a function, or shown as a bar."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Optional, Union

BuildProgress = Callable[[int, Optional[int], int, int], object]
"""Called with the bytes that were read, of how many (None if that is not known), the pages, and the records that failed."""
Progress = Callable[[int, int], object]
"""Called with what is done, and of how much (0 where that is not known)."""


def _bar(what: str, **options: Any) -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError as error:
        raise ImportError("progress=True shows a bar of tqdm, which is not installed: pip install tqdm, or give a function to be called") from error
    return tqdm(desc=what, **options)


@contextmanager
def counting(progress: Union[bool, Progress, None], what: str, unit: str) -> Iterator[Optional[Progress]]:
    """What is to be called; for True it moves a bar, which is gone on with until the call ends."""
    if not isinstance(progress, bool):
        yield progress
    elif not progress:
        yield None
    else:
        with _bar(what, unit=unit) as bar:

            def show(done: int, size: int) -> None:
                bar.total = size or None
                bar.update(done - bar.n)

            yield show


@contextmanager
def building(progress: Union[bool, BuildProgress, None], what: str) -> Iterator[Optional[BuildProgress]]:
    """As :func:`counting`, for what reads files: the bar is of bytes, and says pages and failures."""
    if not isinstance(progress, bool):
        yield progress
    elif not progress:
        yield None
    else:
        with _bar(what, unit="B", unit_scale=True) as bar:

            def show(read: int, size: Optional[int], pages: int, failures: int) -> None:
                bar.total = size
                bar.set_postfix({"pages": pages, **({"failed": failures} if failures else {})}, refresh=False)
                bar.update(read - bar.n)

            yield show
