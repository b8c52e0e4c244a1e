"""Measures against trec_eval's own code, and sweeps and comparisons against the command line."""

import json
from pathlib import Path

import pytest
import pytrec_eval
import trommel

from .conftest import Program

MEASURES = [
    "map", "Rprec", "bpref", "recip_rank", "ndcg", "ndcg_cut_10", "ndcg_cut_20", "P_5", "P_10", "P_20",
    "recall_10", "recall_100", "map_cut_10", "success_1", "num_rel_ret",
]  # fmt: skip


@pytest.mark.parametrize("filter", ["unfiltered", "words >= 11", "justext", "trommel and words >= 5"])
def test_measures_by_topic_are_trec_evals(index: trommel.Index, demo: trommel.Demo, filter: str) -> None:
    run = index.run(demo.topics, filter=filter)
    by_topic: dict[str, dict[str, float]] = {}
    for row in run:
        by_topic.setdefault(row["query_id"], {})[row["doc_id"]] = row["score"]
    qrels = trommel.read_qrels(demo.qrels)
    theirs = pytrec_eval.RelevanceEvaluator(qrels, set(MEASURES)).evaluate(by_topic)
    ours = trommel.evaluate(demo.qrels, run, MEASURES)
    assert len(ours.topics) == len(theirs) == 18
    assert len(ours.measures) == len(MEASURES)
    for topic, values in theirs.items():
        for name, trec_name in zip(ours.measures, MEASURES):
            assert ours.topics[topic][name] == pytest.approx(values[trec_name], abs=1e-9), (topic, name)
    assert trommel.evaluate(qrels, by_topic, MEASURES) == ours


def test_ir_measures_reads_a_run(index: trommel.Index, demo: trommel.Demo) -> None:
    import ir_measures

    run = index.run(demo.topics, filter="words >= 11").to_pandas()
    qrels = ir_measures.read_trec_qrels(demo.qrels)
    theirs = ir_measures.calc_aggregate([ir_measures.nDCG @ 10, ir_measures.AP], qrels, run)
    ours = trommel.evaluate(ir_measures.read_trec_qrels(demo.qrels), run, ["nDCG@10", "AP"])
    assert {str(measure): value for measure, value in theirs.items()} == pytest.approx(ours.means)


def test_sweeps_are_the_programs(index: trommel.Index, index_path: str, demo: trommel.Demo, program: Program) -> None:
    printed = program(
        "sweep", "--index", index_path, "--topics", demo.topics, "--qrels", demo.qrels, "--json",
        "--vary", "min-words=5..40:5", "--model", "bm25", "--model", "qld", "--extractors", "trommel",
        "-m", "P@10", "-m", "AP",
    )  # fmt: skip
    theirs = json.loads(printed)
    steps: list[tuple[int, int]] = []
    sweep = index.sweep(
        demo.topics,
        demo.qrels,
        "min-words=5..40:5",
        model=["bm25", "qld"],
        extractors="trommel",
        measures=["P@10", "AP"],
        progress=lambda done, of: steps.append((done, of)),
    )
    for name in ("title", "facts", "lines", "references", "topics", "measures"):
        assert sweep.data[name] == theirs[name], name
    rows = sweep.rows()
    assert len(rows) == 2 * 2 * (8 + 2)
    assert {row["dimension"] for row in rows} == {"min-words", "unfiltered", "trommel"}
    assert len(sweep.chosen()) == 4 and len(sweep.to_pandas()) == len(rows)
    assert steps[-1][0] == 20
    assert "<table>" in sweep._repr_html_()


def test_sweeps_have_the_programs_measures(
    index: trommel.Index, index_path: str, demo: trommel.Demo, program: Program
) -> None:
    """Python's lacked Judged@10."""
    words = ["--index", index_path, "--topics", demo.topics, "--qrels", demo.qrels, "--vary", "min-words=5,10"]
    theirs = json.loads(program("sweep", "--json", *words))
    sweep = index.sweep(demo.topics, demo.qrels, "min-words=5,10")
    assert sweep.data == theirs
    assert "Judged@10" in sweep.measures and all(row["measure"] != "Judged@10" for row in sweep.chosen())


def test_comparisons_are_the_programs(
    index: trommel.Index, demo: trommel.Demo, program: Program, tmp_path: Path
) -> None:
    filters = {"unfiltered": "unfiltered", "long": "words >= 15", "trommel": "trommel"}
    runs = {name: index.run(demo.topics, filter=filter) for name, filter in filters.items()}
    for name, run in runs.items():
        trommel.write_run(run, tmp_path / f"{name}.run")
    files = [tmp_path / f"{name}.run" for name in runs]
    printed = program("compare", "-c", "--json", "-m", "P@10", "-m", "AP", demo.qrels, *files)
    theirs = [json.loads(line) for line in printed.splitlines()]
    baseline = runs.pop("unfiltered")
    ours = trommel.compare(demo.qrels, baseline, runs, ["P@10", "AP"])
    assert len(ours) == 4
    assert len(theirs) == 4
    for comparison, line in zip(ours, theirs):
        assert comparison.measure == line["measure"] and f"{comparison.run}.run" in line["file"]
        for name in ("difference", "p", "p_holm", "effect_size"):
            assert getattr(comparison, name) == line[name]
        assert [comparison.wins, comparison.ties, comparison.losses] == [line[name] for name in ("wins", "ties", "losses")]


def test_runs_that_are_none() -> None:
    qrels = {"1": {"a": 1}}
    with pytest.raises(trommel.TrommelError, match="twice"):
        trommel.evaluate(qrels, [("1", "a", 1.0), ("1", "a", 2.0)])
    with pytest.raises(trommel.TrommelError, match="no number"):
        trommel.evaluate(qrels, {"1": {"a": float("nan")}})
    with pytest.raises(trommel.ParseError, match="nDGC"):
        trommel.evaluate(qrels, {"1": {"a": 1.0}}, "nDGC@10")
