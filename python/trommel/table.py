"""Tables that other libraries read without a copy."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas

    from ._trommel import Table as NativeTable

ROWS_SHOWN = 20
"""Rows that a notebook shows."""

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

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas data frame of the columns."""
        import pandas

        columns = {name: self[name] for name in self.column_names}
        return pandas.DataFrame(columns)

    def __repr__(self) -> str:
        return f"Table({len(self)} rows: {', '.join(self.column_names)})"

    def _repr_html_(self) -> str:
        names = self.column_names
        rows = [row for row, _ in zip(self, range(ROWS_SHOWN))]
        head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
        body = "".join("<tr>" + "".join(_cell(name, row[name]) for name in names) + "</tr>" for row in rows)
        more = f"<p>{len(self) - len(rows)} more rows</p>" if len(self) > len(rows) else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _cell(name: str, value: object) -> str:
    if isinstance(value, float):
        return f'<td style="text-align: right">{value:.4f}</td>'
    if isinstance(value, bool) or not isinstance(value, int):
        text = str(value) if name in MARKUP else html.escape(str(value))
        return f'<td style="text-align: left">{text}</td>'
    return f'<td style="text-align: right">{value}</td>'
