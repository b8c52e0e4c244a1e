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
from ir_measures.providers.base import Any as AnyValue, Choices, register

from .evaluation import judge
from .inputs import qrels_of, run_of


class TrommelEvaluator(Evaluator):  # type: ignore[misc]
    """Scores runs by measures of ir_measures."""

    def __init__(self, measures: list[Any], qrels: dict[str, dict[str, int]]) -> None:
        super().__init__(measures, set(qrels))
        self._qrels = qrels
        self._wanted = {str(measure): measure for measure in measures}

    def _iter_calc(self, run: Any) -> Iterator[Any]:
        retrieved = run_of(run)
        found = judge(self._qrels, retrieved, list(self._wanted)).evaluation
        # In the order in which they are asked for; some have other names with us.
        measures = dict(zip(found.measures, self._wanted.values()))
        for topic, scores in found.topics.items():
            for name, value in scores.items():
                yield ir_measures.Metric(query_id=topic, measure=measures[name], value=value)


class TrommelProvider(Provider):  # type: ignore[misc]
    """Measures as trec_eval computes them, without it."""

    NAME = "trommel"
    SUPPORTED_MEASURES = [
        names._P(cutoff=AnyValue(), rel=AnyValue(), judged_only=AnyValue()),
        names._RR(cutoff=AnyValue(), rel=AnyValue(), judged_only=AnyValue()),
        names._Rprec(rel=AnyValue(), judged_only=AnyValue()),
        names._AP(cutoff=AnyValue(), rel=AnyValue(), judged_only=AnyValue()),
        names._nDCG(cutoff=AnyValue(), dcg=AnyValue(), gains=AnyValue(), judged_only=AnyValue()),
        names._R(cutoff=AnyValue(), rel=AnyValue(), judged_only=AnyValue()),
        names._Bpref(rel=AnyValue()),
        names._Success(cutoff=AnyValue(), rel=AnyValue(), judged_only=AnyValue()),
        names._NumQ(),
        names._NumRet(rel=AnyValue()),
        names._NumRel(rel=AnyValue()),
        names._SetP(rel=AnyValue(), relative=AnyValue(), judged_only=AnyValue()),
        names._SetR(rel=AnyValue()),
        names._SetF(rel=AnyValue(), beta=AnyValue(), judged_only=AnyValue()),
        names._SetAP(rel=AnyValue(), judged_only=AnyValue()),
        names._IPrec(recall=AnyValue(), rel=AnyValue(), judged_only=AnyValue()),
        names._infAP(rel=AnyValue()),
        names._ERR(cutoff=AnyValue()),
        names._RBP(cutoff=AnyValue(), p=AnyValue(), rel=AnyValue()),
        names._Compat(p=AnyValue(), normalize=AnyValue()),
        names._INST(T=AnyValue(), min_rel=AnyValue(), max_rel=AnyValue(required=True)),
        names._INSQ(T=AnyValue(), min_rel=AnyValue(), max_rel=AnyValue(required=True)),
        names._BPM(cutoff=AnyValue(required=True), T=AnyValue(), min_rel=AnyValue(), max_rel=AnyValue(required=True)),
        names._SDCG(cutoff=AnyValue(required=True), dcg=Choices("log2"), min_rel=AnyValue(), max_rel=AnyValue(required=True)),
        names._NERR8(cutoff=AnyValue(required=True), min_rel=AnyValue(), max_rel=AnyValue(required=True)),
        names._NERR9(cutoff=AnyValue(required=True), min_rel=AnyValue(), max_rel=AnyValue(required=True)),
        names._NERR10(p=AnyValue(), min_rel=AnyValue(), max_rel=AnyValue(required=True)),
        names._NERR11(T=AnyValue(), min_rel=AnyValue(), max_rel=AnyValue(required=True)),
        names._Judged(cutoff=AnyValue()),
    ]

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> TrommelEvaluator:
        wanted = list(measures)
        for measure in wanted:
            if not self.supports(measure):
                raise ValueError(f"{measure} is not computed by trommel; ir_measures.calc_aggregate finds a provider that computes it")
        return TrommelEvaluator(wanted, qrels_of(ir_measures.util.QrelsConverter(qrels).as_dict_of_dict()))


provider = register(TrommelProvider())
