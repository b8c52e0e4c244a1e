"""Tables, and indexes as Python's objects."""

import pickle

import pytest
import trommel


@pytest.mark.filterwarnings("ignore:nothing found")
def test_empty_tables_have_the_types_of_others(index: trommel.Index) -> None:
    """They were of objects alone, and joined to nothing."""
    full, empty = (index.search(query).to_pandas() for query in ("rain barrel", "xyzzy"))
    assert len(full) > 0 and len(empty) == 0
    assert full.dtypes.to_dict() == empty.dtypes.to_dict()
    assert full["score"].dtype == "float64" and full["rank"].dtype == "int64"
    docid = next(iter(index))
    blocks = index.blocks(docid).to_pandas()
    assert blocks["kept"].dtype == "bool" and blocks["num_words"].dtype == "int64"


def test_tables_are_read_by_people(index: trommel.Index) -> None:
    table = index.search("rain barrel", 7)
    assert table.columns == table.column_names and table.shape == (7, len(table.columns))
    assert table.head(2) == list(table)[:2]
    arrow = table.to_arrow()
    assert arrow.column_names == table.columns and arrow.num_rows == 7
    lines = repr(table).splitlines()
    assert len(lines) == 9 and lines[0].split()[:3] == ["rank", "docid", "score"]
    assert lines[1].split()[1] == table["docid"][0] and lines[-1] == f"[7 rows, {len(table.columns)} columns]"


def test_tables_are_shown(index: trommel.Index) -> None:
    table = index.search("rain barrel", 3, filter="words >= 11")
    assert "docid" in table and "nothing" not in table
    shown = table._repr_html_()
    assert "<mark>" in shown and "blocks_kept" in shown
    long = trommel.blocks("<p>" + "rain &lt;barrel&gt; " * 100)._repr_html_()
    assert "rain &lt;barrel&gt;" in long and "…</td>" in long and ">None<" not in long


def test_some_rows(index: trommel.Index, demo: trommel.Demo) -> None:
    table = index.run(demo.topics)
    rows = list(table)
    for place in (slice(2, 5), slice(None, 3), slice(-2, None), slice(10**6, None), slice(5, 2)):
        assert list(table[place]) == rows[place]
    assert table[2:5].to_arrow().column("doc_id").to_pylist() == table["doc_id"][2:5]
    with pytest.raises(ValueError, match="step"):
        table[::2]


def test_indexes_are_sent_to_other_processes(index: trommel.Index) -> None:
    sent = pickle.loads(pickle.dumps(index))
    assert len(sent) == len(index) == 165
    assert list(sent.search("rain barrel")) == list(index.search("rain barrel"))


def test_version() -> None:
    from importlib.metadata import version

    assert trommel.__version__ == version("trommel")
