"""What is taken for topics, judgments, runs and pages, and what is not."""

import math
from pathlib import Path
from typing import Any

import pytest
import trommel


@pytest.mark.parametrize("missing", [None, math.nan, "NA"])
def test_missing_queries_are_no_words(index: trommel.Index, missing: Any) -> None:
    """They were searched for as the words None and nan."""
    pandas = pytest.importorskip("pandas")
    value = pandas.NA if missing == "NA" else missing
    frame = pandas.DataFrame({"qid": ["1", "2"], "query": ["rain", value]})
    for topics in (frame, {"1": "rain", "2": value}, [("1", "rain"), ("2", value)]):
        with pytest.raises(ValueError, match="row 1, topic 2"):
            index.run(topics)
    with pytest.raises(ValueError, match="row 0 has no id"):
        index.run([(value, "rain")])
    with pytest.raises(ValueError, match="judgments: row 0 has no doc_id"):
        trommel.evaluate([("1", value, 1)], {"1": {"a": 1.0}})
    with pytest.raises(ValueError, match="a run: row 0 has no score"):
        trommel.evaluate({"1": {"a": 1}}, [("1", "a", value)])


def test_texts_alone_are_no_topics(index: trommel.Index) -> None:
    pandas = pytest.importorskip("pandas")
    for topics in (["rain", "barrel"], pandas.Series(["rain", "barrel"])):
        with pytest.raises(TypeError, match="topics: rows with query_id/qid/topic, title/query/text are wanted.*'rain'"):
            index.run(topics)
    with pytest.raises(TypeError, match="this is None"):
        index.run(None)


def test_what_is_no_page_or_number(index: trommel.Index) -> None:
    for wrong in (None, 3, ["<p>"]):
        with pytest.raises(TypeError, match="a page is text or bytes"):
            trommel.extract(wrong)  # type: ignore[call-overload]
    assert trommel.extract(bytearray(b"<p>rain"), "keep-everything") == "rain"
    for k in (-1, 0):
        with pytest.raises(ValueError, match="k: "):
            index.search("rain", k=k)
        with pytest.raises(ValueError, match="k: "):
            index.run({"1": "rain"}, k=k)
    with pytest.raises(TypeError, match="k: a whole number"):
        index.search("rain", k=1.5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="query: a text is wanted, and this is None"):
        index.search(None)  # type: ignore[arg-type]
    assert index.search("rain barrel", 3)["docid"] == index.search("rain barrel", k=3)["docid"]


def test_frames_are_no_files(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"docid": ["a"], "html": ["<p>rain"]})
    with pytest.raises(TypeError, match="to_parquet"):
        trommel.index(frame, tmp_path / "ix")
    with pytest.raises(TypeError, match="to_parquet"):
        trommel.read(frame)


def test_errors_name_what_is_not_there(tmp_path: Path) -> None:
    missing = tmp_path / "nonesuch"
    for read in (trommel.read_topics, trommel.read_qrels, trommel.read_run, trommel.Index, trommel.read):
        with pytest.raises(trommel.TrommelError, match="nonesuch"):
            read(missing)
    with pytest.raises(trommel.TrommelError, match="nonesuch"):
        trommel.write_run({"1": {"a": 1.0}}, missing / "a.run")
    with pytest.raises(trommel.TrommelError, match="nonesuch"):
        trommel.index(missing, tmp_path / "ix")


def test_data_sets_that_are_not_there(index: trommel.Index) -> None:
    pytest.importorskip("ir_datasets")
    with pytest.raises(trommel.TrommelError, match="irds:nonesuch"):
        index.run("irds:nonesuch")


def test_hints(demo: trommel.Demo, tmp_path: Path) -> None:
    index = trommel.index(demo.pages, tmp_path / "ix")
    with pytest.raises(trommel.TrommelError, match=r"hint: trommel\.label\('.*ix', 'justext'\)"):
        index.search("rain", filter="justext")
    with pytest.raises(trommel.TrommelError, match=r"hint: trommel\.Index\('.*ix'\) opens it"):
        trommel.index(demo.pages, tmp_path / "ix")


def test_a_filter_that_lets_nothing_pass_is_told(index: trommel.Index) -> None:
    with pytest.warns(UserWarning, match="nothing found under words >= 9999; [0-9]+ without the filter"):
        assert len(index.search("rain", filter="words >= 9999")) == 0
    with pytest.warns(UserWarning, match="no page has a word of 'xyzzy'"):
        index.search("xyzzy")
