"""Trommel's measures as a provider of ir_measures.

>>> import ir_measures, trommel.measures                                      # doctest: +SKIP
>>> trommel.measures.provider.calc_aggregate([nDCG @ 10, AP(rel=2)], qrels, run)   # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import ir_measures
from ir_measures import measures as names
from ir_measures.providers import Evaluator, Provider
from ir_measures.providers.base import NOT_PROVIDED, Any as AnyValue, Choices, register

from .evaluation import evaluate
from .inputs import qrels_of, run_of


Options = tuple[int, bool, tuple[tuple[int, int], ...]]
"""The least grade that is relevant, whether judged documents alone count, and what grades become."""


class TrommelEvaluator(Evaluator):  # type: ignore[misc]
    """Scores runs by measures that are asked for with the same options together."""

    def __init__(self, measures: list[Any], qrels: dict[str, dict[str, int]]) -> None:
        super().__init__(measures, set(qrels))
        self._qrels = qrels
        self._groups: dict[Options, dict[str, Any]] = {}
        for measure in measures:
            gains = _parameter(measure, "gains", {})
            options = (_parameter(measure, "rel", 1), _parameter(measure, "judged_only", False), tuple(sorted(gains.items())))
            self._groups.setdefault(options, {})[_plain(measure)] = measure

    def _iter_calc(self, run: Any) -> Iterator[Any]:
        retrieved = run_of(run)
        for (level, judged_only, gains), group in self._groups.items():
            qrels = _regraded(self._qrels, dict(gains))
            found = evaluate(qrels, retrieved, list(group), relevance_level=level, judged_only=judged_only)
            # In the order in which they are asked for; some have other names with us.
            measures = dict(zip(found.measures, group.values()))
            for topic, scores in found.topics.items():
                for name, value in scores.items():
                    yield ir_measures.Metric(query_id=topic, measure=measures[name], value=value)


class TrommelProvider(Provider):  # type: ignore[misc]
    """Measures as trec_eval computes them, without it."""

    NAME = "trommel"
    SUPPORTED_MEASURES = [
        names._P(cutoff=AnyValue(), rel=AnyValue(), judged_only=AnyValue()),
        names._RR(cutoff=Choices(NOT_PROVIDED), rel=AnyValue(), judged_only=AnyValue()),
        names._Rprec(rel=AnyValue(), judged_only=AnyValue()),
        names._AP(cutoff=AnyValue(), rel=AnyValue(), judged_only=AnyValue()),
        names._nDCG(cutoff=AnyValue(), dcg=Choices("log2"), gains=AnyValue(), judged_only=AnyValue()),
        names._R(cutoff=AnyValue(), rel=AnyValue(), judged_only=AnyValue()),
        names._Bpref(rel=AnyValue()),
        names._Success(cutoff=AnyValue(), rel=AnyValue(), judged_only=AnyValue()),
        names._NumRet(rel=AnyValue()),
    ]

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> TrommelEvaluator:
        wanted = list(measures)
        for measure in wanted:
            if not self.supports(measure):
                raise ValueError(f"{measure} is not computed by trommel; ir_measures.calc_aggregate finds a provider that computes it")
        return TrommelEvaluator(wanted, qrels_of(ir_measures.util.QrelsConverter(qrels).as_dict_of_dict()))


def _parameter(measure: Any, name: str, default: Any) -> Any:
    if name not in measure.SUPPORTED_PARAMS:
        return default
    value = measure[name]
    return default if value is NOT_PROVIDED else value


def _regraded(qrels: dict[str, dict[str, int]], gains: dict[int, int]) -> dict[str, dict[str, int]]:
    """Judgments with other grades; those that are not named stay."""
    if not gains:
        return qrels
    return {topic: {document: gains.get(grade, grade) for document, grade in judged.items()} for topic, judged in qrels.items()}


def _plain(measure: Any) -> str:
    """The name without the options that are given otherwise."""
    if measure.NAME == "NumRet" and _parameter(measure, "rel", None) is not None:
        return "num_rel_ret"
    cutoff = _parameter(measure, "cutoff", None)
    return str(measure.NAME) if cutoff is None else f"{measure.NAME}@{cutoff}"


provider = register(TrommelProvider())
