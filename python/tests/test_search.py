"""Searches, runs and statistics, against the command line and against the blocks themselves."""

import json
from pathlib import Path

import pytest
import trommel

from .conftest import Program

FILTERS = {
    "unfiltered": ["--filter", "unfiltered"],
    "words >= 11": ["--min-words", "11"],
    "justext or link-density <= 0.2": ["--filter", "justext or link-density <= 0.2"],
    "confidence(trommel) >= 0.6 and not tag in (li, td)": [
        "--filter",
        "confidence(trommel) >= 0.6 and not tag in (li, td)",
    ],
}


@pytest.mark.parametrize("filter", FILTERS)
@pytest.mark.parametrize("model", ["bm25:k1=0.9,b=0.4", "qld:mu=1000+rm3"])
def test_runs_are_those_of_the_program(
    index: trommel.Index, index_path: str, demo: trommel.Demo, program: Program, tmp_path: Path, filter: str, model: str
) -> None:
    run = index.run(demo.topics, filter=filter, model=model).to_pandas()
    assert list(run.columns) == ["query_id", "doc_id", "rank", "score"]
    run.insert(1, "Q0", "Q0")
    run["tag"] = "trommel"
    ours = tmp_path / "ours.run"
    run.to_csv(ours, sep=" ", header=False, index=False)
    theirs = tmp_path / "theirs.run"
    program("run", "--index", index_path, "--topics", demo.topics, "--model", model, *FILTERS[filter], "--tag", "trommel", "--output", theirs)
    assert ours.read_bytes() == theirs.read_bytes()
    written = tmp_path / "written.run"
    trommel.write_run(index.run(demo.topics, filter=filter, model=model), written)
    assert written.read_bytes() == theirs.read_bytes()


@pytest.mark.parametrize("topics", ["file", "mapping", "pairs", "frame", "objects"])
def test_topics_in_every_form(index: trommel.Index, demo: trommel.Demo, topics: str) -> None:
    import pandas
    from ir_datasets.formats import GenericQuery

    by_id = trommel.read_topics(demo.topics)
    assert len(by_id) == 18
    forms = {
        "file": Path(demo.topics),
        "mapping": by_id,
        "pairs": list(by_id.items()),
        "frame": pandas.DataFrame({"qid": list(by_id), "query": list(by_id.values())}),
        "objects": [GenericQuery(topic, text) for topic, text in by_id.items()],
    }
    expected = index.run(demo.topics, k=5)["doc_id"]
    assert index.run(forms[topics], k=5)["doc_id"] == expected


def test_hits(index: trommel.Index, index_path: str, program: Program) -> None:
    query = 'rain "water barrel" -title:frost'
    hits = list(index.search(query, filter="words >= 11", k=5))
    printed = program("search", "--index", index_path, "--json", "--min-words", "11", "-k", "5", "--", query)
    lines = [json.loads(line) for line in printed.splitlines()]
    assert len(hits) == len(lines) > 0
    for hit, line in zip(hits, lines):
        for name in ("rank", "docid", "score", "title", "url", "blocks_kept", "blocks_total"):
            assert hit[name] == line[name]
        assert "<mark>" in hit["snippet"]
    bare = index.search(query, filter="words >= 11", k=5, snippets=False)
    assert bare.column_names == ["rank", "docid", "score", "title", "url"]
    assert [bare["docid"], bare["score"]] == [[hit[name] for hit in hits] for name in ("docid", "score")]
    blocks = index.search("rain barrel", unit="block", k=3)
    assert blocks.column_names[3] == "block" and len(blocks) == 3


def test_blocks_and_text(index: trommel.Index) -> None:
    docid = next(iter(index))
    blocks = index.blocks(docid, filter="words >= 11")
    assert [row["kept"] for row in blocks] == [row["num_words"] >= 11 for row in blocks]
    assert {"content(trommel)", "confidence(trommel)", "content(justext)"} <= set(blocks.column_names)
    kept = [" ".join(row["text"].split()) for row in blocks if row["kept"]]
    assert index.text(docid, filter="words >= 11") == "\n".join(kept)
    assert docid in index and "no such page" not in index
    assert index.page(docid)["docid"] == docid
    for call in (index.blocks, index.text, index.page):
        with pytest.raises(KeyError):
            call("no such page")


def test_statistics_are_those_of_the_kept_blocks(index: trommel.Index) -> None:
    """Counted anew from the texts of the blocks."""
    for filter in ["unfiltered", "words >= 11", "justext"]:
        words = ["rain", "barrel", "compost", "nowhere"]
        stats = index.stats(filter, " ".join(words))
        terms = index.terms(" ".join(words))
        pages = [index.terms(index.text(docid, filter=filter)) for docid in index]
        pages = [page for page in pages if page]
        assert stats.num_docs == len(pages)
        assert stats.num_terms == sum(map(len, pages))
        assert stats.average_length == pytest.approx(stats.num_terms / stats.num_docs)
        assert stats.df == {term: sum(term in page for page in pages) for term in terms}
        assert stats.cf == {term: sum(page.count(term) for page in pages) for term in terms}


def test_explanations_add_up(index: trommel.Index) -> None:
    hits = {hit["docid"]: hit["score"] for hit in index.search("rain barrel", filter="words >= 11")}
    explained = index.explain("rain barrel", filter="words >= 11")
    assert explained.keys() == hits.keys()
    for docid, parts in explained.items():
        assert sum(clause["score"] for clause in parts["clauses"]) == pytest.approx(hits[docid], rel=1e-5)
    one = next(iter(hits))
    assert index.explain("rain barrel", one, filter="words >= 11") == {one: explained[one]}


def test_tables_are_read_by_others(index: trommel.Index, demo: trommel.Demo) -> None:
    import duckdb
    import pandas
    import polars
    import pyarrow

    table = index.run(demo.topics, k=20)
    arrow = pyarrow.table(table)
    assert arrow.num_rows == len(table) and arrow.column("doc_id").to_pylist() == table["doc_id"]
    assert polars.DataFrame(table)["score"].to_list() == table["score"]
    counted = duckdb.sql("select count(*), sum(score) from arrow").fetchall()
    assert counted == [(len(table), pytest.approx(sum(table["score"])))]
    pandas.testing.assert_frame_equal(table.to_pandas(), arrow.to_pandas(), check_dtype=False)
    assert "<table>" in table._repr_html_() and f"{len(table) - 20} more rows" in table._repr_html_()


def test_errors_say_what_is_wrong(index: trommel.Index, tmp_path: Path) -> None:
    with pytest.raises(trommel.ParseError, match="words"):
        index.search("rain", filter="wrds >= 11")
    with pytest.raises(trommel.ParseError, match="bm25"):
        index.search("rain", model="bm52")
    with pytest.warns(UserWarning, match="quote"):
        index.search('"rain')
    with pytest.raises(trommel.TrommelError, match="bte"):
        index.search("rain", filter="bte")
    with pytest.raises(trommel.TrommelError, match="nothing"):
        trommel.Index(tmp_path / "nothing")
    with pytest.raises(ValueError, match="query_id"):
        index.run([{"number": "1", "words": "rain"}])
