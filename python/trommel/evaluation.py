"""Measures of runs, as trec_eval computes them, and comparisons between runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Optional, Union

from . import _trommel
from .inputs import Qrels, Run, names_of, qrels_of, run_of

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Evaluation:
    """The measures of one run."""

    measures: list[str]
    """Their names, as ir_measures writes them."""
    means: dict[str, float]
    """By measure the value for the run: for most the mean over topics."""
    topics: dict[str, dict[str, float]]
    """By topic and measure."""

    def __getitem__(self, measure: str) -> float:
        return self.means[measure]

    def to_pandas(self) -> pandas.DataFrame:
        """A row a topic, a column a measure."""
        import pandas

        return pandas.DataFrame.from_dict(self.topics, orient="index", columns=self.measures)


def evaluate(
    qrels: Qrels,
    run: Run,
    measures: Union[str, Sequence[str]] = ("P@10", "nDCG@10", "AP"),
    *,
    complete: bool = False,
    relevance_level: int = 1,
    max_docs: Optional[int] = None,
    judged_only: bool = False,
) -> Evaluation:
    """Evaluates a run as trec_eval does, over the topics that it has judgments for; with ``complete`` over all judged topics. Measures have
    the names of ir_measures (``nDCG@10``) or of trec_eval (``ndcg_cut_10``).

    >>> evaluate({"851": {"a": 1, "b": 0, "c": 2}}, {"851": {"c": 3.0, "b": 2.0, "a": 1.0}}, ["P@2", "AP"]).means
    {'P@2': 0.5, 'AP': 0.8333333333333333}
    """
    known, means, topics = _trommel.evaluate(
        qrels_of(qrels),
        run_of(run),
        names_of(measures),
        complete=complete,
        relevance_level=relevance_level,
        max_docs=max_docs,
        judged_only=judged_only,
    )
    return Evaluation(
        measures=known,
        means=dict(zip(known, means)),
        topics={topic: dict(zip(known, scores)) for topic, scores in topics},
    )


@dataclass(frozen=True)
class Comparison:
    """A run against a baseline by one measure, topic by topic."""

    run: str
    measure: str
    baseline: float
    mean: float
    difference: float
    low: float
    """The end of Student's 95 % interval of the difference."""
    high: float
    effect_size: float
    """Cohen's d_z."""
    wins: int
    ties: int
    losses: int
    p: float
    """Two-sided, of this comparison alone."""
    p_holm: float
    """Corrected by Holm for all comparisons by this measure."""


def compare(
    qrels: Qrels,
    baseline: Run,
    runs: Mapping[str, Run],
    measures: Union[str, Sequence[str]] = ("P@10", "nDCG@10", "AP"),
    *,
    test: str = "randomization",
    relevance_level: int = 1,
    seed: int = 2010,
) -> list[Comparison]:
    """Compares runs with a baseline over all judged topics; what a run has not found counts 0. Tests are those of ``trommel compare``."""
    judged = qrels_of(qrels)

    def scores(run: Run) -> tuple[list[str], list[list[float]]]:
        found = evaluate(judged, run, measures, complete=True, relevance_level=relevance_level)
        return found.measures, [[topic[name] for topic in found.topics.values()] for name in found.measures]

    names, base = scores(baseline)
    systems = [scores(run)[1] for run in runs.values()]
    compared = _trommel.compare(base, systems, test, seed)
    return [
        Comparison(run, name, *figures)
        for name, by_run in zip(names, compared)
        for run, figures in zip(runs, by_run)
    ]
