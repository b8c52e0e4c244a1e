"""Measures of runs, as trec_eval computes them, and comparisons between runs."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Optional, Union

from . import _trommel
from .inputs import Qrels, Run, count_of, names_of, qrels_of, run_of
from .table import markup as table

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, repr=False)
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

        frame = pandas.DataFrame.from_dict(self.topics, orient="index", columns=self.measures)
        return frame.rename_axis(index="query_id")

    def __repr__(self) -> str:
        means = ", ".join(f"{name}={self.means[name]:.4f}" for name in self.measures)
        return f"Evaluation({means}; {len(self.topics)} topics)"

    def _repr_html_(self) -> str:
        rows = [("all", self.means), *self.topics.items()]
        return table(("topic", *self.measures), ([topic, *(scores[name] for name in self.measures)] for topic, scores in rows))


@dataclass(frozen=True)
class Judged:
    """An evaluation, and what there is to say of it."""

    evaluation: Evaluation
    notes: list[str]
    unknown: Optional[str]
    """Why no topic or document of the run is judged, if that is so."""


def judge(
    qrels: dict[str, dict[str, int]],
    run: dict[str, list[tuple[str, float]]],
    measures: Union[str, Sequence[str]],
    *,
    name: str = "the run",
    complete: bool = False,
    relevance_level: int = 1,
    max_docs: Optional[int] = None,
    judged_only: bool = False,
) -> Judged:
    """Evaluates a run, and tells nobody."""
    known, means, topics, (notes, unknown) = _trommel.evaluate(
        qrels,
        run,
        names_of(measures),
        name=name,
        complete=complete,
        relevance_level=relevance_level,
        max_docs=max_docs,
        judged_only=judged_only,
    )
    evaluation = Evaluation(
        measures=known,
        means=dict(zip(known, means)),
        topics={topic: dict(zip(known, scores)) for topic, scores in topics},
    )
    return Judged(evaluation, notes, unknown)


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
    the names of ir_measures (``nDCG@10``) or of trec_eval (``ndcg_cut_10``). Topics that are left out are named in a warning; a run of which
    nothing is judged is an error.

    >>> evaluate({"851": {"a": 1, "b": 0, "c": 2}}, {"851": {"c": 3.0, "b": 2.0, "a": 1.0}}, ["P@2", "AP"]).means
    {'P@2': 0.5, 'AP': 0.8333333333333333}
    """
    judged = judge(
        qrels_of(qrels),
        run_of(run),
        measures,
        complete=complete,
        relevance_level=relevance_level,
        max_docs=None if max_docs is None else count_of(max_docs, "max_docs", 1),
        judged_only=judged_only,
    )
    if judged.unknown is not None:
        raise _trommel.TrommelError(judged.unknown)
    if not judged.evaluation.topics:
        raise _trommel.TrommelError("no topic of the run is judged: there is none in it, or in the judgments")
    for note in judged.notes:
        warnings.warn(note, _trommel.TrommelWarning, stacklevel=2)
    return judged.evaluation


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
    """Compares runs with a baseline over all judged topics; what a run has not found counts 0. Tests are those of ``trommel compare``:
    ``randomization``, ``t``, ``wilcoxon``. ``pandas.DataFrame(compare(…))`` is a table of it."""
    judgments = qrels_of(qrels)

    def judged(run: Run, name: str) -> Judged:
        return judge(judgments, run_of(run), measures, name=name, complete=True, relevance_level=relevance_level)

    base, *systems = all_runs = [judged(baseline, "the baseline"), *(judged(run, name) for name, run in runs.items())]
    unknown = [run.unknown for run in all_runs if run.unknown is not None]
    if len(unknown) == len(all_runs):
        raise _trommel.TrommelError(unknown[-1])
    if not base.evaluation.topics:
        raise _trommel.TrommelError("there are no judgments")
    for note in dict.fromkeys([*unknown, *(note for run in all_runs for note in run.notes)]):
        warnings.warn(note, _trommel.TrommelWarning, stacklevel=2)
    names = base.evaluation.measures
    compared = _trommel.compare(_scores(base), [_scores(run) for run in systems], test, seed)
    return [
        Comparison(run, name, *figures)
        for name, by_run in zip(names, compared)
        for run, figures in zip(runs, by_run)
    ]


def _scores(judged: Judged) -> list[list[float]]:
    """By measure those of the topics, in their order."""
    found = judged.evaluation
    return [[topic[name] for topic in found.topics.values()] for name in found.measures]
