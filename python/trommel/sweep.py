"""What a sweep gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .table import ROWS_SHOWN, markup, plain

if TYPE_CHECKING:
    import pandas


class Sweep:
    """Measures against thresholds. ``data`` is what ``trommel sweep`` writes as ``sweep.json``: all scores by topic, cross-validated choices."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data

    @property
    def measures(self) -> list[str]:
        """The measures, by name."""
        return list(self.data["measures"])

    def rows(self) -> list[dict[str, Any]]:
        """A row for each step and measure: what varies, the threshold, its number, model, filter, weights, measure, mean and the ends of its
        95 % bootstrap interval. References (the unfiltered search, extractors) vary nothing, and have no number."""
        rows = []
        for line in self.data["lines"]:
            for point in line["points"]:
                named = {"dimension": line["dimension"], "threshold": point["threshold"], "x": point["x"], "model": line["model"]}
                rows.extend(self._rows(named, point["result"]))
        for reference in self.data["references"]:
            named = {"dimension": reference["name"], "threshold": "", "x": None, "model": reference["model"]}
            rows.extend(self._rows(named, reference["result"]))
        return rows

    def _rows(self, named: dict[str, Any], result: dict[str, Any]) -> list[dict[str, Any]]:
        figures = zip(self.measures, result["means"], result["intervals"])
        known = {"filter": result["filter"], "weights": result.get("weights", "")}
        return [
            {**named, **known, "measure": measure, "mean": mean, "low": low, "high": high}
            for measure, mean, (low, high) in figures
        ]

    def chosen(self) -> list[dict[str, Any]]:
        """For each series, model and measure what choosing the threshold by cross-validation gives: the mean over topics that the choice was not
        made on, the difference to the unfiltered search and its p, and the thresholds that were chosen."""
        rows = []
        for line in self.data["lines"]:
            for measure, choice in zip(self.measures, line["chosen"]):
                # How much was judged is nothing to choose by.
                if not choice["thresholds"]:
                    continue
                rows.append({
                    "dimension": line["dimension"],
                    "model": line["model"],
                    "measure": measure,
                    "mean": choice["mean"],
                    "difference": choice["difference"],
                    "p": choice["p"],
                    "thresholds": choice["thresholds"],
                })
        return rows

    def to_pandas(self) -> pandas.DataFrame:
        """:meth:`rows` as a pandas data frame."""
        import pandas

        return pandas.DataFrame(self.rows())

    def _table(self) -> tuple[tuple[str, ...], list[list[object]]]:
        """A row a step, with the means of all measures."""
        rows: list[list[object]] = []
        for row in self.rows():
            if row["measure"] == self.measures[0]:
                rows.append([row["dimension"], row["threshold"], row["model"]])
            rows[-1].append(row["mean"])
        return ("varied", "threshold", "model", *self.measures), rows

    def __repr__(self) -> str:
        names, rows = self._table()
        more = [f"[{len(rows) - ROWS_SHOWN} more]"] if len(rows) > ROWS_SHOWN else []
        return "\n".join([f"Sweep of {len(self.data['topics'])} topics:", *plain(names, rows[:ROWS_SHOWN]), *more])

    def _repr_html_(self) -> str:
        return markup(*self._table())
