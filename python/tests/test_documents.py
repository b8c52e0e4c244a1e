"""The Python of the documents, run as it stands there, in order and in an empty directory."""

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import trommel

from .conftest import Program

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


@pytest.mark.parametrize("first", ["python", "program"])
def test_readmes_after_one_another(first: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: Program) -> None:
    """``trommel demo --output demo``, and then the lines of Python, or the other way around: they used the same directory for two indexes."""
    monkeypatch.chdir(tmp_path)
    if first == "program":
        program("demo", "--output", "demo")
    (block,) = blocks("README.md")
    exec(compile(block, "README.md", "exec"), {})
    if first == "python":
        program("demo", "--output", "demo")
    assert (tmp_path / "demo" / "index" / "manifest.json").exists()


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


@pytest.fixture(scope="module")
def shards(tmp_path_factory: pytest.TempPathFactory, program: Program) -> Path:
    """A directory with shards of the demo, topics and judgments, and with the run of one index of all."""
    place = tmp_path_factory.mktemp("apart")
    demo = trommel.demo(place / "demo")
    (place / "topics.xml").write_bytes(Path(demo.topics).read_bytes())
    (place / "qrels.txt").write_bytes(Path(demo.qrels).read_bytes())
    (place / "pages").mkdir()
    for number, page in enumerate(trommel.read(demo.pages)):
        (place / "pages" / f"{number:03}.html").write_bytes(page.content)
    for number in (1, 2, 3):
        program("index", "--index", place / "shards", "--shard", f"{number}/3", place / "pages")
    words = ["--index", place / "shards", "--topics", place / "topics.xml", "--min-words", "11"]
    program("run", *words, "--output", place / "expected.run")
    return place


def on_path(monkeypatch: pytest.MonkeyPatch, program: Program) -> None:
    """Puts the program where commands are looked for."""
    folder = str(Path(program.path).parent)
    monkeypatch.setenv("PATH", folder + os.pathsep + os.environ["PATH"])


def test_searches_apart_run_twice(shards: Path, monkeypatch: pytest.MonkeyPatch, program: Program) -> None:
    """Patterns matched what had been joined, so that the second time failed."""
    on_path(monkeypatch, program)
    monkeypatch.chdir(shards)
    text = (ROOT / "docs/apart.md").read_text(encoding="utf-8")
    run, sweep = re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S)[:2]
    for recipe in (run, sweep.replace("1..60", "1..5")):
        for _ in range(2):
            done = subprocess.run(["sh", "-ec", recipe], capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
    assert (shards / "all.run").read_bytes() == (shards / "expected.run").read_bytes()
    assert (shards / "report" / "sweep.json").exists()


def test_searches_by_ray_run_twice(shards: Path, monkeypatch: pytest.MonkeyPatch, program: Program) -> None:
    """Outputs beside the shards were taken for shards."""
    ray = pytest.importorskip("ray")
    on_path(monkeypatch, program)
    monkeypatch.chdir(shards)
    (block,) = blocks("docs/apart.md")
    if ray.is_initialized():
        # Its workers have the directory and the path of the first call.
        ray.shutdown()
    (shards / "all.run").unlink(missing_ok=True)
    for _ in range(2):
        exec(compile(block, "docs/apart.md", "exec"), {})
        assert (shards / "all.run").read_bytes() == (shards / "expected.run").read_bytes()
    ray.shutdown()
