"""Indexes are built, broken off, gone on with, labelled, merged; searches run side by side."""

import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import trommel

COPIES = 40

BUILD = """
import sys, trommel
def tick(read, size, pages, failures):
    print(read, size, pages, failures, flush=True)
try:
    trommel.index(sys.argv[1], sys.argv[2], memory=128 << 20, threads=1, progress=tick)
except KeyboardInterrupt:
    sys.exit(42)
"""


@pytest.fixture(scope="module")
def large(demo: trommel.Demo, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of the demo as files, many times, so that a build takes some seconds."""
    directory = tmp_path_factory.mktemp("large")
    pages = [page.content for page in trommel.read(demo.pages)]
    for number in range(COPIES):
        folder = directory / f"{number:02}"
        folder.mkdir()
        for at, page in enumerate(pages):
            (folder / f"{at:03}.html").write_bytes(page)
    return directory


def test_a_build_is_broken_off_and_gone_on_with(large: Path, tmp_path: Path) -> None:
    child = subprocess.Popen([sys.executable, "-c", BUILD, large, tmp_path / "ix"], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    ticks = []
    for line in child.stdout:
        ticks.append([int(word) for word in line.split()])
        if len(ticks) == 4:
            child.send_signal(signal.SIGINT)
    start = time.monotonic()
    assert child.wait(30) == 42
    assert time.monotonic() - start < 5
    assert not (tmp_path / "ix" / "manifest.json").exists()
    assert ticks[0][1] == sum(file.stat().st_size for file in large.glob("*/*")) and ticks[-1][0] < ticks[0][1]
    with pytest.raises(trommel.TrommelError, match="hint: resume=True goes on"):
        trommel.index(large, tmp_path / "ix")
    gone_on = trommel.index(large, tmp_path / "ix", memory=128 << 20, resume=True)
    whole = trommel.index(large, tmp_path / "whole")
    assert gone_on.manifest["counts"] == whole.manifest["counts"]
    assert len(whole) == 165 * COPIES


def test_other_threads_get_on_while_it_builds(large: Path, tmp_path: Path) -> None:
    """With the lock held, the other thread would wait from the call's beginning to its end."""
    moments: list[float] = []
    ended = threading.Event()

    def tick() -> None:
        while not ended.wait(0.01):
            moments.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.monotonic()
    trommel.index(large, tmp_path / "ix")
    end = time.monotonic()
    ended.set()
    thread.join()
    middle = [moment for moment in moments if start + (end - start) / 3 < moment < end - (end - start) / 3]
    assert len(middle) > 3


def test_labelling_can_be_broken_off(large: Path, tmp_path: Path) -> None:
    class Enough(Exception):
        pass

    def enough(*numbers: object) -> None:
        raise Enough

    index = trommel.index(large, tmp_path / "ix")
    with pytest.raises(Enough):
        trommel.label(tmp_path / "ix", "trommel", threads=1, progress=enough)
    assert trommel.Index(tmp_path / "ix").extractors == index.extractors == []


def test_what_progress_raises_ends_the_build(large: Path, tmp_path: Path) -> None:
    class Enough(Exception):
        pass

    def enough(*numbers: object) -> None:
        raise Enough

    with pytest.raises(Enough):
        trommel.index(large, tmp_path / "ix", progress=enough)
    assert not (tmp_path / "ix" / "manifest.json").exists()


def test_an_export_can_be_broken_off(large: Path, tmp_path: Path) -> None:
    """Ctrl-C waited for its end."""

    class Enough(Exception):
        pass

    seen = []

    def enough(done: int, size: int) -> None:
        seen.append((done, size))
        raise Enough

    index = trommel.index(large, tmp_path / "ix")
    for format in ("jsonl", "parquet", "ciff"):
        path = tmp_path / f"export.{format}"
        path.write_bytes(b"")
        with pytest.raises(Enough):
            index.export(path, format, progress=enough)
        assert path.read_bytes() == b""
    assert all(size in (0, len(index)) for _, size in seen)
    far: list[tuple[int, int]] = []
    assert index.export(tmp_path / "whole.jsonl", "jsonl", progress=lambda *numbers: far.append(numbers)) == len(index)
    assert far[-1] == (len(index), len(index))


def test_a_merge_can_be_broken_off(large: Path, tmp_path: Path) -> None:
    """Ctrl-C waited for its end."""

    class Enough(Exception):
        pass

    def enough(*_: object) -> None:
        raise Enough

    trommel.index(large, tmp_path / "ix", extractors="min-words-10", memory=64 << 20)
    before = signal.signal(signal.SIGALRM, enough)
    signal.setitimer(signal.ITIMER_REAL, 0.02)
    try:
        with pytest.raises(Enough):
            trommel.merge(tmp_path / "merged", tmp_path / "ix")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ix"]


def test_progress_is_shown(demo: trommel.Demo, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("tqdm")
    index = trommel.index(demo.pages, tmp_path / "ix", progress=True)
    shown = capsys.readouterr().err
    assert "index: 100%" in shown and "pages=165" in shown
    index.run(demo.topics, progress=True)
    assert "run: 100%" in (shown := capsys.readouterr().err) and "18/18" in shown
    index.sweep(demo.topics, demo.qrels, "min-words=1..3", progress=True)
    index.export(tmp_path / "pages.jsonl", "jsonl", progress=True)
    assert "165/165" in capsys.readouterr().err
    index.run(demo.topics, progress=False)
    assert capsys.readouterr().err == ""
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(ImportError, match="pip install tqdm"):
        index.run(demo.topics, progress=True)


def test_records_that_failed_are_told(demo: trommel.Demo, tmp_path: Path) -> None:
    """They were in the ledger alone."""
    torn = tmp_path / "torn.warc.gz"
    whole = Path(demo.pages).read_bytes()
    torn.write_bytes(whole[: len(whole) * 2 // 3])
    with pytest.warns(trommel.TrommelWarning, match=r"^[0-9]+ records? failed; see .*ledger\.jsonl$"):
        index = trommel.index(torn, tmp_path / "ix")
    assert 50 < len(index) < 165
    with pytest.raises(trommel.TrommelError, match="hint: a greater max_bad"):
        trommel.index(torn, tmp_path / "other", max_bad=0)
    with pytest.warns(trommel.TrommelWarning, match="an index, which is left out"):
        assert len(list(trommel.read(tmp_path))) == len(index)
    with pytest.warns(trommel.TrommelWarning, match="justext:language=Greek: nothing kept of 165 pages: its language is Greek"):
        trommel.index(demo.pages, tmp_path / "greek", extractors="justext:language=Greek")
    with pytest.raises(trommel.ParseError, match="status"):
        trommel.index(demo.pages, tmp_path / "x", status="ok")
    with pytest.raises(trommel.TrommelError, match="no page"):
        trommel.index(demo.pages, tmp_path / "x", status="404")


def test_labels_and_shards(demo: trommel.Demo, tmp_path: Path) -> None:
    index = trommel.index(demo.pages, tmp_path / "ix")
    assert index.extractors == []
    assert trommel.label(tmp_path / "ix", ["bte", "justext"]) == ["bte", "justext"]
    labelled = trommel.Index(tmp_path / "ix")
    assert labelled.extractors == ["bte", "justext"]
    assert len(labelled.search("rain", filter="bte and justext")) > 0
    with pytest.raises(trommel.TrommelError, match="bte"):
        trommel.label(tmp_path / "ix", "bte")
    merged = trommel.merge(tmp_path / "merged", [tmp_path / "ix"])
    assert merged.run(demo.topics, filter="bte")["score"] == labelled.run(demo.topics, filter="bte")["score"]
    several = trommel.Index([tmp_path / "ix", tmp_path / "merged"])
    assert len(several) == 165


def test_a_sweep_can_be_broken_off(index: trommel.Index, demo: trommel.Demo) -> None:
    class Enough(Exception):
        pass

    def enough(done: int, steps: int) -> None:
        assert steps > 60
        raise Enough

    with pytest.raises(Enough):
        index.sweep(demo.topics, demo.qrels, "min-words=1..60", progress=enough)


def test_threads_search_at_the_same_time(index: trommel.Index) -> None:
    """Each gets what one alone gets."""
    found = []
    threads = [threading.Thread(target=lambda: found.append(index.search("rain barrel")["docid"])) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 16 and all(docids == found[0] for docids in found)
