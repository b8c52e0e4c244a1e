"""What is written: never over what is read, whole or not at all, and over nothing that is not ours."""

import json
from pathlib import Path
from typing import Any

import pytest
import trommel

from .conftest import Program

FORMATS = [("jsonl", "page"), ("jsonl", "block"), ("parquet", "page"), ("parquet", "block"), ("ciff", "page")]


@pytest.fixture()
def own(demo: trommel.Demo, tmp_path: Path) -> trommel.Index:
    return trommel.index(demo.pages, tmp_path / "ix")


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


@pytest.mark.parametrize(("format", "unit"), FORMATS)
def test_exports_replace_their_own_alone(own: trommel.Index, tmp_path: Path, format: str, unit: str) -> None:
    """They emptied whatever file was named."""
    theirs = tmp_path / "notes"
    theirs.write_text("my own notes\n")
    with pytest.raises(trommel.TrommelError, match="force=True"):
        own.export(theirs, format, unit=unit)
    assert theirs.read_text() == "my own notes\n"
    assert own.export(theirs, format, unit=unit, force=True) > 0
    written = theirs.read_bytes()
    own.export(theirs, format, unit=unit)
    assert theirs.read_bytes() == written
    assert names(tmp_path) == ["ix", "notes"]


def test_the_files_of_an_index_stay(own: trommel.Index, demo: trommel.Demo, tmp_path: Path) -> None:
    """manifest.json could be replaced by a run."""
    manifest = tmp_path / "ix" / "manifest.json"
    before = manifest.read_bytes()
    around = names(tmp_path / "ix")
    run = own.run(demo.topics, k=3)
    for path in (manifest, tmp_path / "ix" / "new.run", tmp_path / "ix" / "parts" / "new.run"):
        with pytest.raises(trommel.TrommelError, match="lies in the index"):
            own.export(path, "jsonl", force=True)
        with pytest.raises(trommel.TrommelError, match="lies in the index"):
            trommel.write_run(run, path, force=True)
    linked = tmp_path / "linked"
    linked.hardlink_to(manifest)
    with pytest.raises(trommel.TrommelError, match="is a file of the index"):
        own.export(linked, "jsonl", force=True)
    with pytest.raises(trommel.TrommelError, match="lies in the index"):
        trommel.demo(tmp_path / "ix", force=True)
    assert manifest.read_bytes() == before and names(tmp_path / "ix") == around


def test_archives_and_topics_are_no_place_for_runs(own: trommel.Index, tmp_path: Path) -> None:
    demo = trommel.demo(tmp_path / "demo")
    run = own.run(demo.topics, k=3)
    for path in demo:
        before = Path(path).read_bytes()
        with pytest.raises(trommel.TrommelError, match="the file is there already"):
            trommel.write_run(run, path)
        with pytest.raises(trommel.TrommelError, match="the file is there already"):
            own.export(path, "parquet")
        assert Path(path).read_bytes() == before


def test_runs_are_whole_or_not_there(own: trommel.Index, demo: trommel.Demo, tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    run = own.run(demo.topics, k=3)
    trommel.write_run(run, path)
    before = path.read_bytes()
    with pytest.raises(trommel.TrommelError):
        trommel.write_run({"1": {"a": 1.0}}, path, tag="two words")
    with pytest.raises(trommel.TrommelError, match="is the run that is read"):
        trommel.write_run(path, path, force=True)
    assert path.read_bytes() == before and names(tmp_path) == ["a.run", "ix"]
    trommel.write_run({"1": {"a": 1.0}}, path)
    assert path.read_text() == "1 Q0 a 1 1 trommel\n"


def test_demos_of_both_are_one(tmp_path: Path, program: Program) -> None:
    """They had other names, and the README's lines collided."""
    program("demo", "--output", tmp_path / "demo")
    theirs = {path.name: path.read_bytes() for path in (tmp_path / "demo").iterdir() if path.is_file()}
    demo = trommel.demo(tmp_path / "demo")
    assert {path.name: path.read_bytes() for path in (tmp_path / "demo").iterdir() if path.is_file()} == theirs
    assert {Path(path).name for path in demo} == set(theirs)
    trommel.demo(tmp_path / "other")
    program("demo", "--output", tmp_path / "other")
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "mine").write_text("mine")
    with pytest.raises(trommel.TrommelError, match="force=True"):
        trommel.demo(tmp_path / "notes")
    trommel.demo(tmp_path / "notes", force=True)
    assert (tmp_path / "notes" / "mine").read_text() == "mine"


class Broken:
    """A data set that ends in the middle."""

    def docs_iter(self) -> Any:
        from ir_datasets.formats import GenericDoc

        yield GenericDoc("a", "Rain falls on the barrel.")
        raise RuntimeError("the connection was closed")


def test_documents_are_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A half file was left."""
    pytest.importorskip("ir_datasets")
    import trommel.irds
    from ir_datasets.formats import GenericDoc

    monkeypatch.setattr(trommel.irds, "_dataset", lambda _: Broken())
    path = tmp_path / "documents.jsonl.gz"
    with pytest.raises(RuntimeError):
        trommel.irds.export("broken", path)
    assert names(tmp_path) == []

    class Whole:
        def docs_iter(self) -> Any:
            return iter([GenericDoc("a", "Rain falls on the barrel.")])

    monkeypatch.setattr(trommel.irds, "_dataset", lambda _: Whole())
    assert trommel.irds.export("whole", path) == 1
    before = path.read_bytes()
    assert [page.docid for page in trommel.read(path)] == ["a"]
    monkeypatch.setattr(trommel.irds, "_dataset", lambda _: Broken())
    with pytest.raises(RuntimeError):
        trommel.irds.export("broken", path)
    assert path.read_bytes() == before and names(tmp_path) == [path.name]
    monkeypatch.setattr(trommel.irds, "_dataset", lambda _: Whole())
    assert trommel.irds.export("whole", path) == 1 and path.read_bytes() == before
    path.write_bytes(b"mine")
    with pytest.raises(trommel.TrommelError, match="force=True"):
        trommel.irds.export("whole", path)
    assert trommel.irds.export("whole", path, force=True) == 1 and path.read_bytes() == before


def test_exports_have_what_blocks_have(index: trommel.Index, tmp_path: Path) -> None:
    """Exports lacked values, and JSONL called verdicts otherwise than Parquet did."""
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [{"docid": docid, **row} for docid in index for row in index.blocks(docid)]
    for row in rows:
        del row["kept"]
    assert {"num_chars", "num_commas", "position_share", "page_words", "content(justext)"} <= rows[0].keys()
    index.export(tmp_path / "blocks.parquet", "parquet", unit="block")
    index.export(tmp_path / "blocks.jsonl", "jsonl", unit="block")
    assert parquet.read_table(tmp_path / "blocks.parquet").to_pylist() == rows
    lines = (tmp_path / "blocks.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == rows
