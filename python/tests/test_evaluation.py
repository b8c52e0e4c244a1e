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
    lines = repr(sweep).splitlines()
    assert lines[0] == "Sweep of 18 topics:" and lines[1].split() == ["varied", "threshold", "model", "P@10", "AP"]
    assert len(lines) == 2 + 2 * (8 + 2) and lines[2].split()[:2] == ["min-words", "5"]


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


def test_judgments_of_something_else() -> None:
    """Measures were 0, and nobody was told why."""
    qrels = {"1": {"a": 1, "b": 0}, "2": {"c": 1}}
    with pytest.raises(trommel.TrommelError, match="no document of the run is judged: it has x, y, the judgments have a, b, c"):
        trommel.evaluate(qrels, {"1": {"x": 2.0}, "2": {"y": 1.0}})
    with pytest.raises(trommel.TrommelError, match="no topic of the run is judged"):
        trommel.evaluate(qrels, {"MB001": {"a": 1.0}})
    with pytest.raises(trommel.TrommelError, match="no topic of the run is judged"):
        trommel.evaluate(qrels, {})
    with pytest.warns(trommel.TrommelWarning, match=r"judged, but not in the run, and left out \(complete=True counts them as empty\): topics 2"):
        assert trommel.evaluate(qrels, {"1": {"a": 1.0}}, "P@1")["P@1"] == 1
    with pytest.warns(trommel.TrommelWarning, match="counted as empty: topics 2"):
        assert trommel.evaluate(qrels, {"1": {"a": 1.0}}, "P@1", complete=True)["P@1"] == 0.5
    runs = {"good": {"1": {"a": 1.0}, "2": {"c": 1.0}}, "bad": {"1": {"x": 1.0}, "2": {"y": 1.0}}}
    with pytest.warns(trommel.TrommelWarning, match="no document of bad is judged"):
        compared = trommel.compare(qrels, runs["good"], runs, "P@1")
    assert [(one.run, one.mean) for one in compared] == [("good", 1.0), ("bad", 0.0)]
    with pytest.raises(trommel.TrommelError, match="is judged"):
        trommel.compare(qrels, runs["bad"], {"bad": runs["bad"]}, "P@1")


def test_evaluations_are_read_by_people() -> None:
    found = trommel.evaluate({"<1>": {"a": 1}, "2": {"b": 1}}, {"<1>": {"a": 1.0}, "2": {"c": 1.0}}, ["P@1", "AP"])
    assert repr(found) == "Evaluation(P@1=0.5000, AP=0.5000; 2 topics)"
    assert "<th" in found._repr_html_() and "&lt;1&gt;" in found._repr_html_() and "0.5000" in found._repr_html_()
    frame = found.to_pandas()
    assert list(frame.columns) == ["P@1", "AP"] and frame.index.name == "query_id" and frame["AP"].mean() == found["AP"]


def test_topics_without_results_are_told(index: trommel.Index, demo: trommel.Demo) -> None:
    with pytest.warns(trommel.TrommelWarning, match="nothing found for 2 of 3 topics: 7 9"):
        index.run({"5": "rain", "7": "xyzzy", "9": "plugh"})
    with pytest.warns(trommel.TrommelWarning, match="left out of the measures, as they are not judged: topics new"):
        topics = {**trommel.read_topics(demo.topics), "new": "rain"}
        index.sweep(topics, demo.qrels, "min-words=1,2")


def test_runs_that_are_none() -> None:
    qrels = {"1": {"a": 1}}
    with pytest.raises(ValueError, match="max_docs"):
        trommel.evaluate(qrels, {"1": {"a": 1.0}}, max_docs=0)
    with pytest.raises(trommel.TrommelError, match="twice"):
        trommel.evaluate(qrels, [("1", "a", 1.0), ("1", "a", 2.0)])
    with pytest.raises(trommel.TrommelError, match="no number"):
        trommel.evaluate(qrels, {"1": {"a": float("nan")}})
    with pytest.raises(trommel.ParseError, match="nDGC"):
        trommel.evaluate(qrels, {"1": {"a": 1.0}}, "nDGC@10")
