"""The Python of the documents, run as it stands there, in order and in an empty directory."""

import re
from pathlib import Path
from typing import Any

import pytest
import trommel

ROOT = Path(__file__).parents[2]


def blocks(document: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", (ROOT / document).read_text(encoding="utf-8"), re.M | re.S)


@pytest.mark.parametrize("document", ["README.md", "python/README.md"])
def test_readmes(document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (block,) = blocks(document)
    names: dict[str, Any] = {}
    exec(compile(block, document, "exec"), names)
    assert len(names["index"]) == 165


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the blocks of docs/python.md have made so far, in this directory."""
    return {"directory": tmp_path_factory.mktemp("documents")}


@pytest.mark.parametrize("number", range(len(blocks("docs/python.md"))))
def test_documentation(
    number: int, names: dict[str, Any], request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the blocks take for granted, a scorer and frames of Spark and Ray, is made here."""
    monkeypatch.chdir(names["directory"])
    block = blocks("docs/python.md")[number]
    if number > 0:
        pages = list(trommel.read(names["demo"].pages))[:5]
        rows = [{"docid": page.docid, "url": page.url, "html": page.content.decode()} for page in pages]
    if "frame.rdd" in block:
        names["frame"] = request.getfixturevalue("spark").createDataFrame(rows)
    if "dataset.map_batches" in block:
        names["dataset"] = pytest.importorskip("ray.data").from_items(rows)
    if ">> scorer" in block:
        names["scorer"] = pytest.importorskip("pyterrier").apply.doc_score(lambda row: len(row["text"]))
    for package in ("pyterrier", "datatrove"):
        if f"import {package}" in block or f"trommel.{package}" in block:
            pytest.importorskip(package)
    exec(compile(block, "docs/python.md", "exec"), names)
