"""PyTerrier's contract, and its experiments against the command line."""

import json
from pathlib import Path
from typing import Any

import pandas
import pytest
import trommel

from .conftest import Program

pt = pytest.importorskip("pyterrier")
import trommel.pt  # noqa: E402

FILTERS = ["unfiltered", "words >= 11", "justext", "confidence(trommel) >= 0.3"]


@pytest.fixture(scope="module")
def artifact(index_path: str) -> trommel.pt.TrommelIndex:
    return trommel.pt.TrommelIndex(index_path)


@pytest.fixture(scope="module")
def topics(demo: trommel.Demo) -> pandas.DataFrame:
    by_id = trommel.read_topics(demo.topics)
    return pandas.DataFrame({"qid": list(by_id), "query": list(by_id.values())})


@pytest.fixture(scope="module")
def qrels(demo: trommel.Demo) -> pandas.DataFrame:
    rows = [(topic, docno, grade) for topic, judged in trommel.read_qrels(demo.qrels).items() for docno, grade in judged.items()]
    return pandas.DataFrame(rows, columns=["qid", "docno", "label"])


def test_experiments_are_what_eval_says(
    artifact: trommel.pt.TrommelIndex,
    topics: pandas.DataFrame,
    qrels: pandas.DataFrame,
    index_path: str,
    demo: trommel.Demo,
    program: Program,
    tmp_path: Path,
) -> None:
    retrievers = [artifact.bm25(filter=filter) for filter in FILTERS]
    table = pt.Experiment(retrievers, topics, qrels, ["P.10", "ndcg_cut.10", "map"], names=FILTERS)
    for filter, row in zip(FILTERS, table.to_dict("records")):
        run = tmp_path / "one.run"
        program("run", "--index", index_path, "--topics", demo.topics, "--filter", filter, "--output", run, "--force")
        printed = program("eval", "-c", "-m", "P@10", "-m", "nDCG@10", "-m", "AP", demo.qrels, run)
        theirs = [line.split()[-1] for line in printed.splitlines()]
        assert row["name"] == filter
        assert [f"{row[name]:.4f}" for name in ("map", "P.10", "ndcg_cut.10")] == theirs


def test_retrievers_keep_to_the_contract(artifact: trommel.pt.TrommelIndex, topics: pandas.DataFrame) -> None:
    retriever: Any = artifact.bm25(filter="words >= 11")
    found = retriever.search("rain barrel")
    assert list(found.columns) == ["qid", "query", "docno", "score", "rank"]
    assert list(found["rank"]) == list(range(len(found))) and found["score"].is_monotonic_decreasing
    assert found["docno"].tolist() == artifact.index.run({"1": "rain barrel"}, filter="words >= 11")["doc_id"]
    with pytest.raises(pt.validate.InputValidationError):
        retriever(pandas.DataFrame({"qid": ["1"]}))
    empty = retriever(topics.head(0))
    assert len(empty) == 0 and list(empty.columns) == ["qid", "query", "docno", "score", "rank"]
    nothing = retriever.search("zzzzzz")
    assert len(nothing) == 0 and list(nothing.columns) == list(empty.columns)
    # The query's columns stay, those of documents go.
    odd = topics.head(2).assign(query_0="before", docno="x", score=1.0)
    kept = retriever(odd)
    assert set(kept.columns) == {"qid", "query", "query_0", "docno", "score", "rank"}
    assert (kept["query_0"] == "before").all() and "x" not in set(kept["docno"])
    assert pt.inspect.transformer_inputs(retriever) == [["qid", "query"]]
    assert pt.inspect.transformer_outputs(retriever, ["qid", "query"]) == ["qid", "query", "docno", "score", "rank"]
    cut = (retriever % 5).compile()
    assert isinstance(cut, trommel.pt.Retriever) and cut.num_results == 5
    assert retriever.fuse_rank_cutoff(5000) is retriever
    pandas.testing.assert_frame_equal(cut(topics), (retriever % 5)(topics).reset_index(drop=True))


def test_texts_and_passages(artifact: trommel.pt.TrommelIndex, topics: pandas.DataFrame) -> None:
    retriever = artifact.qld(filter="words >= 11", num_results=5)
    texts = (retriever >> artifact.text_loader(filter="words >= 11"))(topics)
    for row in texts.to_dict("records"):
        assert row["text"] == artifact.index.text(row["docno"], filter="words >= 11")
    length = pt.apply.doc_score(lambda row: len(row["text"]))
    pipeline = retriever >> artifact.blocks(filter="words >= 11") >> length >> pt.text.max_passage()
    scored = pipeline(topics)
    assert set(map(tuple, scored[["qid", "docno"]].values)) == set(map(tuple, texts[["qid", "docno"]].values))
    for row in scored.to_dict("records"):
        lines = artifact.index.text(row["docno"], filter="words >= 11").splitlines()
        assert row["score"] == max(map(len, lines))
    whole = artifact.blocks(filter="words >= 11", join=10**6)(texts)
    assert whole["text"].tolist() == texts["text"].str.replace("\n", " ").tolist()
    assert len(artifact.blocks()(texts.head(0))) == 0


def test_indexing_and_sharing(demo: trommel.Demo, artifact: trommel.pt.TrommelIndex, tmp_path: Path) -> None:
    pages = [{"docno": page.docid, "html": page.content.decode(), "url": page.url} for page in trommel.read(demo.pages)]
    built = trommel.pt.Indexer(tmp_path / "ix").index(pages)
    ours, theirs = ([row for row in one.index.run(demo.topics, filter="words >= 11")] for one in (built, artifact))
    assert ours == theirs
    loaded = pt.Artifact.load(str(tmp_path / "ix"))
    assert isinstance(loaded, trommel.pt.TrommelIndex) and loaded.built()
    assert json.loads((tmp_path / "ix" / "pt_meta.json").read_text())["format"] == "trommel"
    package = tmp_path / "ix.tar.lz4"
    loaded.build_package(str(package))
    assert package.stat().st_size > 100_000
    texts = [{"docno": "a", "text": "Rain falls on the barrel.\nHome"}, {"docno": "b", "text": "Compost"}]
    text_index = trommel.pt.Indexer(tmp_path / "texts").index(iter(texts))
    assert text_index.bm25().search("rain")["docno"].tolist() == ["a"]
    with pytest.raises(trommel.TrommelError, match="neither"):
        trommel.pt.Indexer(tmp_path / "none").index([{"docno": "a"}])


def test_documents_of_ir_datasets_are_taken_as_they_come(tmp_path: Path) -> None:
    """``pt.get_dataset("irds:…").get_corpus_iter()`` gives bytes, and fields of other names."""
    body = "<title>Fass</title><p>Ein Regenfass für trockene Wochen".encode("iso-8859-1")
    headers = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=iso-8859-1\r\n"
    documents: list[dict[str, Any]] = [
        {"docno": "a", "url": "http://example.org/a", "date": "2009-03-65", "http_headers": headers, "body": body, "body_content_type": "text/html"},
        {"docno": "b", "url": "http://example.org/b", "body": "<p>Zweites Fass", "body_content_type": "text/html; charset=utf-8"},
        {"docno": "c", "title": "Drittes", "abstract": "Ein drittes Fass"},
    ]
    built = trommel.pt.Indexer(tmp_path / "ix", analyzer="plain").index(documents)
    assert built.index.text("a") == "Ein Regenfass für trockene Wochen"
    assert built.bm25().search("für")["docno"].tolist() == ["a"]
    assert built.index.page("a")["date"] == "2009-03-65" and built.index.page("c")["title"] == "Drittes"
    assert sorted(built.bm25().search("fass")["docno"]) == ["b", "c"]
    with pytest.raises(ValueError, match="docno is a text, and this is 3"):
        trommel.pt.Indexer(tmp_path / "numbers").index([{"docno": 3, "text": "a"}])


def test_inspection(artifact: trommel.pt.TrommelIndex, tmp_path: Path) -> None:
    retriever = artifact.bm25(filter="words >= 11")
    loader, blocks = artifact.text_loader(), artifact.blocks()
    assert pt.inspect.transformer_inputs(loader) == pt.inspect.transformer_inputs(blocks) == [["docno"]]
    assert pt.inspect.transformer_outputs(loader, ["qid", "docno"]) == ["qid", "docno", "text"]
    assert pt.inspect.transformer_outputs(blocks, ["qid", "docno", "text"]) == ["qid", "docno", "text"]
    assert pt.inspect.transformer_outputs(retriever >> loader, ["qid", "query"])[-1] == "text"
    assert pt.inspect.artifact_type_format(artifact) == ("sparse_index", "trommel")
    assert pt.inspect.indexer_inputs(trommel.pt.Indexer(tmp_path / "ix"))[0] == ["docno", "html"]
    attributes = {attribute.name: attribute.value for attribute in pt.inspect.transformer_attributes(retriever)}
    assert attributes["filter"] == "words >= 11" and attributes["num_results"] == 1000
    other = pt.inspect.transformer_apply_attributes(retriever, filter="unfiltered")
    assert other.filter == "unfiltered" and retriever.filter == "words >= 11"
    assert "words >= 11" in repr(retriever) and "TrommelIndex(" in repr(retriever)
    with pytest.raises(KeyError, match="nonesuch"):
        loader(pandas.DataFrame({"docno": ["nonesuch"]}))


def test_queries_without_results_are_no_noise(artifact: trommel.pt.TrommelIndex, recwarn: pytest.WarningsRecorder) -> None:
    found = artifact.bm25()(pandas.DataFrame({"qid": ["1", "2"], "query": ["rain", "xyzzy"]}))
    assert set(found["qid"]) == {"1"} and not [one for one in recwarn if issubclass(one.category, trommel.TrommelWarning)]


def test_any_index_is_an_artifact(demo: trommel.Demo, tmp_path: Path, topics: pandas.DataFrame) -> None:
    """``pt.Artifact.load`` took those alone that the indexer of ``trommel.pt`` has made."""
    trommel.index(demo.pages, tmp_path / "ix")
    around = sorted(path.name for path in (tmp_path / "ix").iterdir())
    loaded = pt.Artifact.load(str(tmp_path / "ix"))
    assert isinstance(loaded, trommel.pt.TrommelIndex) and len(loaded) == 165
    assert len(loaded.tfidf()(topics)) > 0
    assert sorted(path.name for path in (tmp_path / "ix").iterdir()) == around
    (tmp_path / "other").mkdir()
    with pytest.raises(ValueError, match="No implementation"):
        pt.Artifact.load(str(tmp_path / "other"))


def test_missing_queries_are_no_words(artifact: trommel.pt.TrommelIndex) -> None:
    for missing in (None, float("nan")):
        with pytest.raises(ValueError, match="qid 2: a query is a text"):
            artifact.bm25()(pandas.DataFrame({"qid": ["1", "2"], "query": ["rain", missing]}))
