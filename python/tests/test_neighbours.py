"""ir_measures, ir_datasets, and steps of pipelines."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import trommel


def test_provider_of_ir_measures(index: trommel.Index, demo: trommel.Demo) -> None:
    ir_measures = pytest.importorskip("ir_measures")
    import trommel.measures
    from ir_measures import AP, RR, NumRel, NumRet, P, R, Rprec, SetF, SetP, SetR, Success, nDCG

    run = index.run(demo.topics, filter="words >= 5").to_pandas()
    qrels = list(ir_measures.read_trec_qrels(demo.qrels))
    measures = [nDCG @ 10, nDCG, AP, AP(rel=2), P(rel=2) @ 5, P(judged_only=True) @ 10, RR, Rprec, AP @ 100]
    measures += [NumRel, NumRet, R @ 20, SetP(relative=True), SetP(rel=2), SetR, SetF(beta=2.0), Success(rel=2) @ 3]
    ours = trommel.measures.provider.calc_aggregate(measures, qrels, run)
    theirs = ir_measures.pytrec_eval.calc_aggregate(measures, qrels, run)
    assert ours.keys() == theirs.keys()
    for measure, value in theirs.items():
        assert ours[measure] == pytest.approx(value, abs=1e-9), measure
    for name in ("Compat(p=0.8)", "INST(T=2.0,max_rel=2)", "BPM(max_rel=2)@10", "RBP(rel=1)", "ERR@10", "Judged@10"):
        assert 0 <= trommel.measures.provider.calc_aggregate([ir_measures.parse_measure(name)], qrels, run).popitem()[1] <= 1, name
    assert not trommel.measures.provider.supports(ir_measures.Accuracy @ 10)
    with pytest.raises(ValueError, match="Accuracy@10"):
        trommel.measures.provider.calc_aggregate([ir_measures.Accuracy @ 10], qrels, run)
    assert "trommel" in ir_measures.providers.registry


def test_parameters_of_ir_measures(index: trommel.Index, demo: trommel.Demo) -> None:
    """NumRet(rel=1) counted what was retrieved, relevant or not, and gains were passed over."""
    ir_measures = pytest.importorskip("ir_measures")
    import trommel.measures
    from ir_measures import NumRet, nDCG

    run = index.run(demo.topics, filter="words >= 5").to_pandas()
    qrels = list(ir_measures.read_trec_qrels(demo.qrels))
    measures = [NumRet, NumRet(rel=1), NumRet(rel=2), nDCG(gains={1: 7, 2: 8}) @ 10, nDCG @ 10, nDCG(judged_only=True) @ 10]
    ours = trommel.measures.provider.calc_aggregate(measures, qrels, run)
    # One by one: of several with different parameters theirs makes one.
    for measure in measures:
        theirs = ir_measures.pytrec_eval.calc_aggregate([measure], qrels, run)
        assert ours[measure] == pytest.approx(theirs[measure], abs=1e-9), measure
    assert ours[NumRet(rel=1)] < ours[NumRet] and ours[measures[3]] != ours[measures[4]]


def test_exports(index: trommel.Index, tmp_path: Path) -> None:
    """Read by pyarrow and DuckDB, and compared with the blocks themselves."""
    parquet = pytest.importorskip("pyarrow.parquet")
    duckdb = pytest.importorskip("duckdb")

    path = tmp_path / "blocks.parquet"
    filter = "words >= 11"
    rows = [row for docid in index for row in index.blocks(docid, filter=filter) if row["kept"]]
    assert index.export(path, "parquet", filter=filter, unit="block") == len(rows)
    table = parquet.read_table(path)
    for name in ("text", "num_words", "link_density", "content(trommel)", "confidence(trommel)", "content(justext)"):
        assert table.column(name).to_pylist() == [row[name] for row in rows], name
    counted = duckdb.sql(f"select count(*), sum(num_words) from '{path}'").fetchall()
    assert counted == [(len(rows), sum(row["num_words"] for row in rows))]
    assert index.export(tmp_path / "pages.jsonl", "jsonl", filter=filter) == len(index)
    pages = [json.loads(line) for line in (tmp_path / "pages.jsonl").read_text().splitlines()]
    assert {page["docid"]: page["text"] for page in pages} == {docid: index.text(docid, filter=filter) for docid in index}
    assert index.export(tmp_path / "index.ciff", "ciff", filter=filter) == index.stats(filter).num_docs
    with pytest.raises(trommel.ParseError, match="parquet"):
        index.export(tmp_path / "x", "parqet")
    with pytest.raises(trommel.TrommelError, match="blocks"):
        index.export(tmp_path / "x", "ciff", unit="block")


class Document(NamedTuple):
    doc_id: str
    url: str
    body: bytes
    body_content_type: str


def test_datasets(demo: trommel.Demo, index: trommel.Index, tmp_path: Path) -> None:
    """A data set that is made here: nothing is fetched."""
    ir_datasets = pytest.importorskip("ir_datasets")
    import trommel.irds
    from ir_datasets.formats import BaseDocs, BaseQrels, BaseQueries, GenericQuery, TrecQrel

    class Docs(BaseDocs):  # type: ignore[misc]
        def docs_iter(self) -> Any:
            for page in trommel.read(demo.pages):
                yield Document(page.docid, page.url, page.content, "text/html; charset=utf-8")

        def docs_cls(self) -> Any:
            return Document

    class Queries(BaseQueries):  # type: ignore[misc]
        def queries_iter(self) -> Any:
            return (GenericQuery(topic, text) for topic, text in trommel.read_topics(demo.topics).items())

        def queries_cls(self) -> Any:
            return GenericQuery

    class Judged(BaseQrels):  # type: ignore[misc]
        def qrels_iter(self) -> Any:
            for topic, judged in trommel.read_qrels(demo.qrels).items():
                for docid, grade in judged.items():
                    yield TrecQrel(topic, docid, grade, "0")

        def qrels_cls(self) -> Any:
            return TrecQrel

        def qrels_defs(self) -> Any:
            return {}

    ir_datasets.registry.register("trommel-demo", ir_datasets.Dataset(Docs(), Queries(), Judged()))
    assert trommel.irds.export("trommel-demo", str(tmp_path / "documents.jsonl.gz")) == 165
    built = trommel.index(tmp_path / "documents.jsonl.gz", tmp_path / "ix")
    ours = built.run("irds:trommel-demo", filter="words >= 11")
    assert list(ours) == list(index.run(demo.topics, filter="words >= 11"))
    evaluated = trommel.evaluate("irds:trommel-demo", ours)
    assert evaluated == trommel.evaluate(demo.qrels, ours)


def test_spark(demo: trommel.Demo, spark: Any) -> None:
    from trommel.pipelines import Extract

    pages = [(page.docid, page.url, page.content.decode()) for page in trommel.read(demo.pages)][:20]
    frame = spark.createDataFrame(pages, ["docid", "url", "html"])
    rows = frame.rdd.mapPartitions(Extract("justext").partition).toDF().collect()
    assert {row["docid"]: row["text"] for row in rows} == {
        docid: trommel.extract(html, "justext", url=url) for docid, url, html in pages
    }
    with_null = spark.createDataFrame([("none", "", None), *pages[:2]], ["docid", "url", "html"])
    found = with_null.rdd.mapPartitions(Extract("justext").partition).toDF().collect()
    assert [(row["text"] is None, row["text_error"]) for row in found] == [(True, "no page: null"), (False, ""), (False, "")]


def test_ray(demo: trommel.Demo) -> None:
    """What Ray Data does with a batch, with its own blocks where it is installed."""
    numpy = pytest.importorskip("numpy")
    from trommel.pipelines import Extract

    pages = [(page.docid, page.url, page.content.decode()) for page in trommel.read(demo.pages)][:20]
    batch = {name: numpy.array(values, dtype=object) for name, values in zip(("docid", "url", "html"), zip(*pages))}
    expected = [trommel.extract(html, url=url) for _, url, html in pages]
    made = Extract()(batch)
    assert list(made["text"]) == expected and list(made) == ["docid", "url", "text", "text_error"]
    pyarrow = pytest.importorskip("pyarrow")
    table = Extract(error=None)(pyarrow.table({name: list(values) for name, values in batch.items()}))
    assert table.column_names == ["docid", "url", "text"] and table.column("text").to_pylist() == expected
    ray_data = pytest.importorskip("ray.data")
    rows = ray_data.from_items([dict(zip(("docid", "url", "html"), page)) for page in pages])
    texts = {row["docid"]: row["text"] for row in rows.map_batches(Extract()).take_all()}
    assert texts == {page[0]: text for page, text in zip(pages, expected)}
    arrow = {row["docid"]: row["text"] for row in rows.map_batches(Extract(), batch_format="pyarrow").take_all()}
    assert arrow == texts


def test_a_page_that_is_none_ends_no_job() -> None:
    """A null ended the job, and so did a wrong name, on the worker."""
    numpy = pytest.importorskip("numpy")
    pyarrow = pytest.importorskip("pyarrow")
    from trommel.pipelines import Extract

    with pytest.raises(trommel.ParseError, match="nonesuch"):
        Extract("nonesuch")
    with pytest.raises(trommel.ParseError, match="wrds"):
        Extract(filter="wrds >= 3")
    step = Extract("keep-everything")
    pages = ["<p>rain", None, b"<p>barrel", 3]
    errors = ["", "no page: null", "", "no page: a int"]
    assert [step.record({"html": page})["text_error"] for page in pages] == errors
    batch = {"html": numpy.array([*pages[:3], float("nan")], dtype=object)}
    made = step(batch)
    assert list(made["text"]) == ["rain", None, "barrel", None]
    assert list(made["text_error"]) == ["", "no page: null", "", "no page: null"]
    table = step(pyarrow.table({"html": ["<p>rain", None]}))
    assert table.to_pydict() == {"text": ["rain", None], "text_error": ["", "no page: null"]}


def test_datatrove(demo: trommel.Demo) -> None:
    data = pytest.importorskip("datatrove.data")
    from trommel.datatrove import TrommelExtractor

    pages = [(page.docid, page.content.decode()) for page in trommel.read(demo.pages)][:20]
    documents = [data.Document(text=html, id=docid) for docid, html in pages]
    step = TrommelExtractor("justext", timeout=10)
    made = {document.id: document.text for document in step.run(iter(documents))}
    expected = {docid: trommel.extract(html, "justext") for docid, html in pages}
    assert made == {docid: text for docid, text in expected.items() if text}
    assert json.dumps(made)
