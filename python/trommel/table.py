"""Tables that other libraries read without a copy."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Union, overload

if TYPE_CHECKING:
    import pandas
    import pyarrow

    from ._trommel import Table as NativeTable

ROWS_SHOWN = 20
"""Rows that a notebook or a terminal shows."""

WIDTH_SHOWN = 40
"""Characters of a value that a terminal shows."""

TEXT_SHOWN = 300
"""Characters of a text that a notebook shows."""

MARKUP = frozenset({"snippet"})
"""Columns that are markup already."""


class Table:
    """Columns of the same length.

    It gives itself to whatever reads the Arrow PyCapsule interface, without a copy: ``pyarrow.table(t)``, ``polars.DataFrame(t)``,
    DuckDB, ``pandas.DataFrame.from_arrow(t)``. Iterating goes through the rows as dictionaries; ``t["name"]`` is a column as a list, and ``t[10:20]`` are some of the rows,
    without a copy.
    """

    __slots__ = ("_native",)

    def __init__(self, native: NativeTable) -> None:
        self._native = native

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._native.__arrow_c_stream__(requested_schema)

    @property
    def column_names(self) -> list[str]:
        """The names of the columns, in order."""
        return self._native.column_names

    def __len__(self) -> int:
        return len(self._native)

    def __contains__(self, name: object) -> bool:
        """Is there a column of this name? As a data frame has it."""
        return name in self.column_names

    @overload
    def __getitem__(self, name: str) -> list[Any]: ...

    @overload
    def __getitem__(self, name: slice) -> Table: ...

    def __getitem__(self, name: Union[str, slice]) -> Union[list[Any], Table]:
        if not isinstance(name, slice):
            return self._native.column(name)
        start, stop, step = name.indices(len(self))
        if step != 1:
            raise ValueError("rows of a table follow each other: the step of a slice is 1")
        return Table(self._native.slice(start, max(stop - start, 0)))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        names = self.column_names
        for values in zip(*(self[name] for name in names)):
            yield dict(zip(names, values))

    @property
    def columns(self) -> list[str]:
        """The names of the columns, in order, as a data frame calls them."""
        return self.column_names

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows, and that of columns."""
        return len(self), len(self.column_names)

    def head(self, rows: int = 5) -> list[dict[str, Any]]:
        """The first rows."""
        return list(self[:rows])

    def to_arrow(self) -> pyarrow.Table:
        """A table of pyarrow, without a copy."""
        import pyarrow

        return pyarrow.table(self)

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas data frame of the columns, which are of the same types whether there are rows or not."""
        import pandas

        types = dict(zip(self.column_names, self._native.column_types))
        columns = {name: self[name] for name in self.column_names}
        series = {name: pandas.Series(values, dtype=_dtype(types[name], values)) for name, values in columns.items()}
        return pandas.DataFrame(series)

    def __repr__(self) -> str:
        """The first rows, with columns as wide as what is in them, as far as a line goes."""
        lines = plain(self.column_names, [list(row.values()) for row in self.head(ROWS_SHOWN)])
        return "\n".join([*lines, f"[{len(self)} rows, {len(self.column_names)} columns]"])

    def _repr_html_(self) -> str:
        names = self.column_names
        rows = [list(row.values()) for row in self.head(ROWS_SHOWN)]
        more = f"<p>{len(self) - len(rows)} more rows</p>" if len(self) > len(rows) else ""
        return markup(names, rows) + more


def plain(names: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """The lines of a table as a terminal shows it."""
    cells = [list(names), *([_text(value) for value in row] for row in rows)]
    widths = [min(max(map(len, column)), WIDTH_SHOWN) for column in zip(*cells)]
    return ["  ".join(_cut(cell, width) for cell, width in zip(row, widths)).rstrip() for row in cells]


def markup(names: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as a notebook shows it: texts to the left, numbers to the right."""
    head = "".join(f'<th style="text-align: left">{html.escape(name)}</th>' for name in names)
    body = "".join("<tr>" + "".join(map(_cell, names, row)) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _dtype(arrow: str, values: list[Any]) -> str:
    """What pandas has for a type of Arrow; where a number is missing, the type that has a place for it."""
    known = {"Boolean": "bool", "UInt32": "int64", "UInt64": "int64", "Float32": "float64", "Float64": "float64"}
    dtype = known.get(arrow, "object")
    if dtype in ("bool", "int64") and any(value is None for value in values):
        return "object" if dtype == "bool" else "float64"
    return dtype


def _text(value: object) -> str:
    text = f"{value:.4f}" if isinstance(value, float) else "" if value is None else str(value)
    return " ".join(text.split())


def _cut(text: str, width: int) -> str:
    return text.ljust(width) if len(text) <= width else text[: width - 1] + "…"


def _cell(name: str, value: object) -> str:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        shown = f"{value:.4f}" if isinstance(value, float) else str(value)
        return f'<td style="text-align: right; vertical-align: top">{shown}</td>'
    if name in MARKUP:
        shown = str(value)
    else:
        text = "" if value is None else str(value)
        shown = html.escape(text if len(text) <= TEXT_SHOWN else text[: TEXT_SHOWN - 1] + "…")
    return f'<td style="text-align: left; vertical-align: top">{shown}</td>'
