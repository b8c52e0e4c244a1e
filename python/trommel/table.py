"""Tables that other libraries read without a copy."""

from __future__ import annotations

import html
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas
    import pyarrow

    from ._trommel import Table as NativeTable

ROWS_SHOWN = 20
"""Rows that a notebook or a terminal shows."""

WIDTH_SHOWN = 40
"""Characters of a value that a terminal shows."""

MARKUP = frozenset({"snippet"})
"""Columns that are markup already."""


class Table:
    """Columns of the same length.

    It gives itself to whatever reads the Arrow PyCapsule interface, without a copy: ``pyarrow.table(t)``, ``polars.DataFrame(t)``,
    DuckDB, ``pandas.DataFrame.from_arrow(t)``. Iterating goes through the rows as dictionaries; ``t["name"]`` is a column as a list.
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

    def __getitem__(self, name: str) -> list[Any]:
        return self._native.column(name)

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
        return list(islice(self, rows))

    def to_arrow(self) -> pyarrow.Table:
        """A table of pyarrow, without a copy."""
        import pyarrow

        return pyarrow.table(self)

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas data frame of the columns, which are of the same types whether there are rows or not."""
        import pandas

        types = dict(zip(self.column_names, self._native.column_types))
        columns = {name: pandas.Series(self[name], dtype=_dtype(types[name], self[name])) for name in self.column_names}
        return pandas.DataFrame(columns)

    def __repr__(self) -> str:
        """The first rows, with columns as wide as what is in them, as far as a line goes."""
        rows = self.head(ROWS_SHOWN)
        columns = [[name, *(_text(row[name]) for row in rows)] for name in self.column_names]
        widths = [min(max(map(len, column)), WIDTH_SHOWN) for column in columns]
        lines = [
            "  ".join(_cut(cell, width) for cell, width in zip(cells, widths)).rstrip() for cells in zip(*columns)
        ]
        return "\n".join([*lines, f"[{len(self)} rows, {len(self.column_names)} columns]"])

    def _repr_html_(self) -> str:
        names = self.column_names
        rows = [row for row, _ in zip(self, range(ROWS_SHOWN))]
        head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
        body = "".join("<tr>" + "".join(_cell(name, row[name]) for name in names) + "</tr>" for row in rows)
        more = f"<p>{len(self) - len(rows)} more rows</p>" if len(self) > len(rows) else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _dtype(arrow: str, values: list[Any]) -> str:
    """What pandas has for a type of Arrow; where a number is missing, the type that has a place for it."""
    known = {"Boolean": "bool", "UInt32": "int64", "UInt64": "int64", "Float32": "float64", "Float64": "float64"}
    dtype = known.get(arrow, "object")
    if dtype in ("bool", "int64") and any(value is None for value in values):
        return "object" if dtype == "bool" else "float64"
    return dtype


def _text(value: object) -> str:
    text = f"{value:.4f}" if isinstance(value, float) else str(value)
    return " ".join(text.split())


def _cut(text: str, width: int) -> str:
    return text.ljust(width) if len(text) <= width else text[: width - 1] + "…"


def _cell(name: str, value: object) -> str:
    if isinstance(value, float):
        return f'<td style="text-align: right">{value:.4f}</td>'
    if isinstance(value, bool) or not isinstance(value, int):
        text = str(value) if name in MARKUP else html.escape(str(value))
        return f'<td style="text-align: left">{text}</td>'
    return f'<td style="text-align: right">{value}</td>'
