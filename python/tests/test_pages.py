"""Single pages and archives, against the command line."""

import gzip
import json
from pathlib import Path

import pytest
import trommel

from .conftest import Program

PAGE = """<title>Barrels</title><ul><li><a href=/>Home</a><li><a href=/about>About</a></ul>
<p>A rain barrel under the downspout keeps water for dry weeks, and a lid keeps the gnats out of it all summer long.
<p>Empty it before the first frost of the year, or the ice will burst it, as we have learnt in two winters."""


def test_structure_is_the_programs(demo: trommel.Demo, program: Program) -> None:
    lines = [json.loads(line) for line in program("extract", "--format", "jsonl", demo.pages).splitlines()]
    markdown = program("extract", "--format", "markdown", "--links", demo.pages).split("\n<!-- next page -->\n\n")
    pages = list(trommel.read(demo.pages))
    for page, line, text in list(zip(pages, lines, markdown))[::7]:
        made = trommel.extract(page.content, format="dict", url=page.url, docid=page.docid)
        assert {**made, "language": line["language"]} == line
        assert trommel.extract(page.content, format="markdown", links=True, url=page.url) == text
    with pytest.raises(ValueError, match="markdown"):
        trommel.extract("<p>x", format="pdf")  # type: ignore[call-overload]


def test_extraction_is_the_programs(demo: trommel.Demo, program: Program) -> None:
    for extractor in ["trommel", "justext", "boilerpipe-article", "min-words-10"]:
        printed = program("extract", "--format", "json", "--extractor", extractor, demo.pages)
        lines = [json.loads(line) for line in printed.splitlines()]
        pages = list(trommel.read(demo.pages))
        assert len(lines) == len(pages) == 165
        for page, line in list(zip(pages, lines))[::7]:
            assert page.docid == line["docid"]
            assert trommel.extract(page.content, extractor, url=page.url) == line["text"]


def test_blocks_are_the_programs(tmp_path: Path, program: Program) -> None:
    (tmp_path / "page.html").write_text(PAGE)
    printed = program("blocks", "--json", "--extractors", "trommel,bte", tmp_path / "page.html")
    lines = [json.loads(line) for line in printed.splitlines()]
    rows = list(trommel.blocks(PAGE, extractors=["trommel", "bte"]))
    assert len(rows) == len(lines) > 2
    for row, line in zip(rows, lines):
        for name in ("block", "text", "tag", "num_words", "num_lines", "text_density", "link_density"):
            assert row[name] == line[name]
        for name in ("trommel", "bte"):
            assert row[f"content({name})"] == line["labels"][name]
        assert row["confidence(trommel)"] == line["confidences"]["trommel"]


def test_text_and_bytes() -> None:
    page = "<meta charset=iso-8859-2><p>" + "Zażółć gęślą jaźń i jeszcze kilka słów po polsku w tym samym akapicie. " * 3
    kept = trommel.extract(page, "keep-everything")
    assert kept.startswith("Zażółć gęślą jaźń")
    assert trommel.extract(page.encode("iso-8859-2"), "keep-everything") == kept
    assert trommel.extract(page.encode(), "keep-everything", charset="utf-8") == kept
    assert trommel.extract(PAGE, "keep-everything", filter="words >= 10").count("\n") == 1
    assert trommel.extract(PAGE, min_confidence=0.0).count("\n") >= 1
    with pytest.raises(trommel.ParseError, match="confidences"):
        trommel.extract(PAGE, "bte", min_confidence=0.5)


def test_halves_of_characters_are_no_error() -> None:
    """Such a text ended a job, as no other program takes it."""
    page = "<p>Rain \ud83d\udca7 and a lone \ud83d half, in some words."
    assert trommel.extract(page, "keep-everything") == "Rain 💧 and a lone \ufffd half, in some words."
    assert trommel.blocks(page)["text"] == ["Rain 💧 and a lone \ufffd half, in some words."]


def response(docid: str, declared: str, body: bytes, date: str = "2006-01-10") -> bytes:
    """A WARC record of a page."""
    http = f"HTTP/1.1 200 OK\r\nContent-Type: text/html{declared}\r\n\r\n".encode() + body
    header = f"WARC-Type: response\r\nWARC-Target-URI: http://example.org/{docid}\r\nWARC-Date: {date}T00:00:00Z\r\n"
    header += f"WARC-TREC-ID: {docid}\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n"
    return f"WARC/1.0\r\n{header}\r\n".encode() + http + b"\r\n\r\n"


@pytest.fixture()
def polish(tmp_path: Path) -> Path:
    """Pages whose character set the header has, and the page itself has not."""
    text = "<title>Beczka</title><p>" + "Zażółć gęślą jaźń i jeszcze kilka słów w tym samym akapicie, źdźbło. " * 3
    records = [
        response("header", "; charset=iso-8859-2", text.encode("iso-8859-2")),
        response("utf8", "", text.encode()),
        response("later", "; charset=windows-1250", text.encode("windows-1250"), "2007-05-01"),
    ]
    path = tmp_path / "polish.warc"
    path.write_bytes(b"".join(records))
    return path


def test_pages_bring_what_their_records_say(polish: Path, program: Program) -> None:
    """An extraction of bytes alone knows no HTTP header, and no docid."""
    pages = list(trommel.read(polish))
    lines = [json.loads(line) for line in program("extract", "--format", "json", "--extractor", "keep-everything", polish).splitlines()]
    assert [line["docid"] for line in lines] == [page.docid for page in pages] == ["header", "utf8", "later"]
    assert all("źdźbło" in line["text"] for line in lines)
    assert [trommel.extract(page, "keep-everything") for page in pages] == [line["text"] for line in lines]
    assert all("<p>Zażółć gęślą" in page.html for page in pages)
    assert all("Zażółć" in trommel.blocks(page)["text"][0] for page in pages)
    for filter in ["date in 2006-01-01..2006-12-31", "host = example.org", "host = example.com"]:
        kept = program("extract", "--format", "json", "--filter", filter, polish).splitlines()
        ours = [trommel.extract(page, "keep-everything", filter=filter) for page in pages]
        assert ours == [json.loads(line)["text"] for line in kept]
        assert any(ours) == (filter != "host = example.com")


def test_extractors_that_ask_for_docids(tmp_path: Path, polish: Path) -> None:
    """What others have extracted is found by docid, which could not be given."""
    (tmp_path / "texts").mkdir()
    page = next(iter(trommel.read(polish)))
    (tmp_path / "texts" / "header.txt").write_text(page.html.partition("<p>")[2], encoding="utf-8")
    extractor = f"external:theirs={tmp_path / 'texts'}"
    assert trommel.extract(page, extractor).startswith("Zażółć")
    assert trommel.extract(page.html, extractor, docid="header") == trommel.extract(page, extractor)
    assert trommel.extract(page.html, extractor, docid="another") == ""


def test_parquet_of_others_is_an_archive(demo: trommel.Demo, tmp_path: Path) -> None:
    """Files of pyarrow, DuckDB and polars give the index that the WARC file gives."""
    pandas = pytest.importorskip("pandas")
    duckdb = pytest.importorskip("duckdb")
    polars = pytest.importorskip("polars")
    pages = [(page.docid, page.url, page.date, page.content) for page in trommel.read(demo.pages)]
    frame = pandas.DataFrame(pages, columns=["docid", "url", "date", "html"])
    frame.to_parquet(tmp_path / "pyarrow.parquet", row_group_size=50, compression="snappy")
    polars.DataFrame(pages, schema=list(frame.columns), orient="row").write_parquet(tmp_path / "polars.parquet", compression="lz4")
    duckdb.sql(f"COPY frame TO '{tmp_path / 'duckdb.parquet'}' (FORMAT parquet, COMPRESSION gzip)")
    expected = trommel.index(demo.pages, tmp_path / "warc").run(demo.topics)
    for writer in ("pyarrow", "polars", "duckdb"):
        path = tmp_path / f"{writer}.parquet"
        assert [(page.docid, page.url, page.date, page.content) for page in trommel.read(path)] == pages, writer
        run = trommel.index(path, tmp_path / writer).run(demo.topics)
        assert all(run[name] == expected[name] for name in run.column_names), writer


def test_the_ledger_has_what_is_damaged(demo: trommel.Demo, tmp_path: Path) -> None:
    whole = Path(demo.pages).read_bytes()
    torn = tmp_path / "torn.warc.gz"
    torn.write_bytes(whole[: len(whole) * 2 // 3])
    reader = trommel.read(torn)
    pages = list(reader)
    assert 50 < len(pages) < 165
    failures = [line for line in reader.ledger if line.is_failure]
    assert failures and failures[0].file == str(torn) and failures[0].offset > 0
    # What is no page is there, too.
    assert any(not line.is_failure for line in reader.ledger)
    (tmp_path / "page.html.gz").write_bytes(gzip.compress(PAGE.encode()))
    (page,) = trommel.read(tmp_path / "page.html.gz")
    assert page.content == PAGE.encode() and not page.truncated


def test_check_sums_of_parquet_pages_are_compared(tmp_path: Path) -> None:
    """A page of other bytes than were written was indexed."""
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pyarrow.table({"docid": [f"d{row}" for row in range(30)], "html": [f"<p>barrel {row:02}" for row in range(30)]})
    path = tmp_path / "pages.parquet"
    parquet.write_table(table, path, row_group_size=10, compression="none", use_dictionary=False, write_page_checksum=True)
    assert len(list(trommel.read(path))) == 30
    whole = path.read_bytes()
    # In the pages, before the statistics at the end.
    assert whole.count(b"barrel 15") == 1
    path.write_bytes(whole.replace(b"barrel 15", b"barrel 51"))
    reader = trommel.read(path)
    assert [page.docid for page in reader] == [f"d{row}" for row in (*range(10), *range(20, 30))]
    (line,) = reader.ledger
    assert line.is_failure and line.records == 10 and "row group 1" in line.detail and "CRC" in line.detail


def test_whole_numbers_with_a_null_are_docids(tmp_path: Path) -> None:
    """pandas makes doubles of them, and all rows were lost."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"docid": [1, None, 3], "html": ["<p>a", "<p>b", "<p>c"]})
    assert frame["docid"].dtype == "float64"
    frame.to_parquet(tmp_path / "pages.parquet")
    reader = trommel.read(tmp_path / "pages.parquet")
    assert [page.docid for page in reader] == ["1", "3"]
    assert [line.reason for line in reader.ledger] == ["no-docid"]
    pandas.DataFrame({"docid": ["a"], "html": [3]}).to_parquet(tmp_path / "numbers.parquet")
    with pytest.raises(trommel.TrommelError, match=r"its columns are docid, html \(INT64\)\nhint: "):
        list(trommel.read(tmp_path / "numbers.parquet"))
