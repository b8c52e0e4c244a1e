//! Parquet files as archives, written by Arrow's writer, and damaged by hand.

use std::fs::File;
use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, Date32Array, Float64Array, Int64Array, LargeStringArray,
    ListArray, RecordBatch, StringArray, StringViewArray, TimestampMicrosecondArray,
    TimestampNanosecondArray, UInt32Array, types::Int32Type,
};
use parquet::arrow::ArrowWriter;
use parquet::basic::{BrotliLevel, Compression, Encoding, GzipLevel, ZstdLevel};
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};
use parquet::file::reader::{FileReader, SerializedFileReader};
use trommel::collection::{
    Content, DocidSource, Document, Error, Format, Item, Options, Reader, inputs, open,
};
use trommel::text::SplitMix64;

use super::collection::summary;
use crate::cli::Place;

type Columns<'a> = &'a [(&'a str, ArrayRef)];

fn write(path: &Path, columns: Columns, properties: WriterPropertiesBuilder) {
    let columns = columns
        .iter()
        .map(|(name, column)| (*name, Arc::clone(column), true));
    let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
    let file = File::create(path).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties.build())).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

fn read(path: &Path, options: &Options) -> Vec<Item> {
    let input = &inputs(&[path.to_owned()]).unwrap()[0];
    let mut reader = open(input, options).unwrap();
    let items: Vec<Item> = reader.by_ref().collect();
    assert_eq!(Some(reader.bytes_read()), input.size, "the whole is read");
    let sum = trommel::collection::sha256_of_file(path).unwrap();
    assert_eq!(reader.sha256(), Some(sum));
    items
}

fn documents(path: &Path, options: &Options) -> Vec<Document> {
    let document = |item| match item {
        Item::Document(document) => document,
        Item::Skipped(line) => panic!("{line}"),
    };
    read(path, options).into_iter().map(document).collect()
}

fn strings(values: &[&str]) -> ArrayRef {
    Arc::new(StringArray::from(values.to_vec()))
}

fn plain() -> WriterPropertiesBuilder {
    WriterProperties::builder()
}

#[test]
fn columns_of_many_types() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("pages.parquet");
    let latin = b"<meta charset=iso-8859-1><p>\xe9t\xe9".to_vec();
    let binary: ArrayRef = Arc::new(BinaryArray::from_opt_vec(vec![
        Some(b"<p>one".as_slice()),
        Some(&latin),
        None,
        None,
    ]));
    let text: ArrayRef = Arc::new(LargeStringArray::from(vec![
        Some("not looked at"),
        None,
        Some("three"),
        None,
    ]));
    let lists = ListArray::from_iter_primitive::<Int32Type, _, _>(vec![Some(vec![Some(1)]); 4]);
    let view: ArrayRef = Arc::new(StringViewArray::from(vec!["A", "B", "C", "D"]));
    write(
        &path,
        &[
            ("other", Arc::new(lists)),
            ("text", text),
            ("id", Arc::new(Int64Array::from(vec![7, -1, 8, 9]))),
            ("html", binary),
            ("title", view),
            (
                "url",
                strings(&["http://a/", "http://b/", "http://c/", "http://d/"]),
            ),
            (
                "date",
                Arc::new(Date32Array::from(vec![0, 13_514, i32::MAX, -1])),
            ),
            ("lang", strings(&["en", "fr", "de", "el"])),
        ],
        plain(),
    );
    let items = read(&path, &Options::default());
    assert_eq!(summary(items[3..].to_vec()), ["!bad-line 9"]);
    let pages: Vec<Document> = items[..3]
        .iter()
        .map(|item| match item {
            Item::Document(page) => page.clone(),
            Item::Skipped(line) => panic!("{line}"),
        })
        .collect();
    let ids: Vec<&str> = pages.iter().map(|page| page.docid.as_str()).collect();
    assert_eq!(ids, ["7", "-1", "8"]);
    assert_eq!(pages[0].bytes, b"<p>one");
    // Bytes say themselves which charset they are in.
    assert_eq!((&pages[1].bytes, &pages[1].charset), (&latin, &None));
    let title = "C".to_owned();
    assert_eq!(pages[2].content, Content::Text { title });
    assert_eq!(pages[2].bytes, b"three");
    assert_eq!(pages[2].charset.as_deref(), Some("utf-8"));
    let dates: Vec<&str> = pages.iter().map(|page| page.date.as_str()).collect();
    assert_eq!(dates, ["1970-01-01", "2007-01-01", "2147483647"]);
    let last = &pages[2];
    assert_eq!((last.url.as_str(), last.offset), ("http://c/", 2));
    assert_eq!(last.language.as_deref(), Some("de"));
    let by_row = Options::default().with_docid(DocidSource::Path);
    let name = inputs(std::slice::from_ref(&path)).unwrap()[0].name.clone();
    assert_eq!(
        summary(read(&path, &by_row))[2],
        format!("{name}#2 three"),
        "a row is named by its number"
    );
    let by_url = Options::default().with_docid(DocidSource::Url);
    assert!(summary(read(&path, &by_url))[0].starts_with("http://a/ "));
}

#[test]
fn times_and_the_first_of_several_columns() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x");
    let micros = 1_141_171_200_123_456;
    for (column, expected) in [
        (
            Arc::new(TimestampMicrosecondArray::from(vec![micros])) as ArrayRef,
            "2006-03-01 00:00:00.123 +00:00",
        ),
        (
            Arc::new(TimestampNanosecondArray::from(vec![micros * 1000]).with_timezone("UTC")),
            "2006-03-01 00:00:00.123 +00:00",
        ),
        (
            Arc::new(TimestampMicrosecondArray::from(vec![i64::MAX])),
            "9223372036854775",
        ),
        (Arc::new(UInt32Array::from(vec![20_060_301])), "20060301"),
        (strings(&["2006-03"]), "2006-03"),
    ] {
        // The table's order counts, not the file's.
        let columns = [
            ("contents", strings(&["second"])),
            ("text", strings(&["first"])),
            ("_id", strings(&["b"])),
            ("docid", strings(&["a"])),
            ("date", column),
        ];
        write(&path, &columns, plain());
        let page = &documents(&path, &Options::default())[0];
        assert_eq!(page.date, expected);
        assert_eq!((page.docid.as_str(), &page.bytes[..]), ("a", &b"first"[..]));
    }
}

/// Each compression and encoding, several row groups and pages: the documents of the same table as JSONL.
#[test]
fn compressions_and_groups() {
    let dir = tempfile::tempdir().unwrap();
    let rows = 500;
    let ids: Vec<String> = (0..rows).map(|row| format!("d{row}")).collect();
    let html = |row: usize| {
        (!row.is_multiple_of(7)).then(|| format!("<p>{}</p>", "x ".repeat(row * row % 999)))
    };
    let texts = (0..rows).map(|row| Some(["a", "b", "c"][row % 3]));
    let columns: [(&str, ArrayRef); 3] = [
        ("docid", Arc::new(StringArray::from(ids.clone()))),
        (
            "html",
            Arc::new((0..rows).map(html).collect::<StringArray>()),
        ),
        ("text", Arc::new(texts.collect::<StringArray>())),
    ];
    let jsonl = dir.path().join("x.jsonl");
    let lines: Vec<String> = (0..rows)
        .map(|row| {
            let text = ["a", "b", "c"][row % 3];
            serde_json::json!({ "docid": ids[row], "html": html(row), "text": text }).to_string()
        })
        .collect();
    std::fs::write(&jsonl, lines.join("\n")).unwrap();
    let of = |path: &Path| -> Vec<(String, Content, Vec<u8>, Option<String>)> {
        let pages = documents(path, &Options::default()).into_iter();
        pages
            .map(|page| (page.docid, page.content, page.bytes, page.charset))
            .collect()
    };
    let expected = of(&jsonl);
    let path = dir.path().join("x.parquet");
    for compression in [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::BROTLI(BrotliLevel::default()),
        Compression::LZ4,
        Compression::LZ4_RAW,
        Compression::ZSTD(ZstdLevel::default()),
    ] {
        let properties = plain()
            .set_compression(compression)
            .set_data_page_row_count_limit(50)
            .set_write_batch_size(10)
            .set_max_row_group_row_count(Some(120));
        write(&path, &columns, properties);
        assert_eq!(of(&path), expected, "{compression}");
    }
    for encoding in [
        Encoding::DELTA_LENGTH_BYTE_ARRAY,
        Encoding::DELTA_BYTE_ARRAY,
    ] {
        let properties = plain().set_dictionary_enabled(false).set_encoding(encoding);
        write(&path, &columns, properties);
        assert_eq!(of(&path), expected, "{encoding}");
    }
}

#[test]
fn what_is_no_archive() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.parquet");
    let error = |options: &Options| {
        let input = &inputs(std::slice::from_ref(&path)).unwrap()[0];
        open(input, options).err().unwrap().to_string()
    };
    write(
        &path,
        &[("body", strings(&["a"])), ("id", strings(&["b"]))],
        plain(),
    );
    let got = error(&Options::default());
    assert!(got.ends_with("x.parquet: a Parquet file without a column html, text or contents of text or bytes; its columns are body, id"), "{got}");
    // In a directory that is a line of the ledger.
    let inputs_of_dir = inputs(&[dir.path().to_owned()]).unwrap();
    let items = open(&inputs_of_dir[0], &Options::default()).unwrap();
    assert_eq!(summary(items), ["!unsupported-file"]);
    // Numbers are no pages.
    let numbers: ArrayRef = Arc::new(Int64Array::from(vec![1]));
    write(&path, &[("html", numbers)], plain());
    assert!(error(&Options::default()).ends_with("its columns are html (INT64)"));
    let columns = [("text", strings(&["a"])), ("id", strings(&["b"]))];
    write(&path, &columns, plain());
    let whole = std::fs::read(&path).unwrap();
    let stream = Reader::from_read(
        "-",
        Box::new(Cursor::new(whole.clone())),
        &Options::default(),
    );
    assert!(matches!(stream.err(), Some(Error::Stream { .. })));
    for cut in [5, whole.len() / 2, whole.len() - 1] {
        std::fs::write(&path, &whole[..cut]).unwrap();
        let got = error(&Options::default());
        assert!(got.contains("no Parquet file that can be read"), "{got}");
    }
    std::fs::write(&path, b"<p>x").unwrap();
    let got = error(&Options::default().with_format(Format::Parquet));
    assert!(got.contains("does not begin as one does"), "{got}");
    let small = Options::default().with_max_record_bytes(3);
    let columns = [
        ("text", strings(&["abc", "abcd", "e"])),
        ("id", strings(&["1", "2", ""])),
    ];
    write(&path, &columns, plain());
    assert_eq!(
        summary(read(&path, &small)),
        ["1 abc", "!too-large 2", "!no-docid"]
    );
}

/// A file of five row groups of 20 rows each, and where the data of its columns stand.
fn five_groups(path: &Path) -> Vec<std::ops::Range<usize>> {
    let ids: Vec<String> = (0..100).map(|row| format!("d{row}")).collect();
    let texts: Vec<String> = (0..100)
        .map(|row| format!("text {row} ").repeat(30))
        .collect();
    let columns: [(&str, ArrayRef); 2] = [
        ("docid", Arc::new(StringArray::from(ids))),
        ("text", Arc::new(StringArray::from(texts))),
    ];
    let properties = plain()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_max_row_group_row_count(Some(20));
    write(path, &columns, properties);
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let groups = reader.metadata().row_groups().iter();
    groups
        .map(|group| {
            let (start, length) = group.column(1).byte_range();
            start as usize..(start + length) as usize
        })
        .collect()
}

#[test]
fn a_damaged_group_costs_its_rows() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.parquet");
    let ranges = five_groups(&path);
    let whole = summary(read(&path, &Options::default()));
    assert_eq!(whole.len(), 100);
    let mut bytes = std::fs::read(&path).unwrap();
    let range = ranges[2].clone();
    bytes[range.start + 60..range.end].fill(0xaa);
    std::fs::write(&path, &bytes).unwrap();
    let items = read(&path, &Options::default());
    let line = items.iter().find_map(|item| match item {
        Item::Skipped(line) => Some(line.clone()),
        Item::Document(_) => None,
    });
    let line = line.unwrap();
    assert_eq!((line.offset, line.records), (40, 20));
    assert!(line.detail.starts_with("row group 2: "), "{line}");
    assert!(line.detail.ends_with("; 20 rows are lost"), "{line}");
    let rest: Vec<String> = summary(items)
        .into_iter()
        .filter(|line| !line.starts_with('!'))
        .collect();
    assert_eq!(rest, [&whole[..40], &whole[60..]].concat());
}

/// Whatever bytes are wrong, reading ends, and each row is a page or told to be lost.
#[test]
fn damage_anywhere() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.parquet");
    five_groups(&path);
    let whole = std::fs::read(&path).unwrap();
    let mut random = SplitMix64::new(4711);
    let mut read_through = 0;
    for round in 0..1500 {
        let mut bytes = whole.clone();
        // Half of the damage strikes the directory at the end.
        let from = if round % 2 == 0 {
            0
        } else {
            whole.len() * 4 / 5
        };
        for _ in 0..1 + random.below(4) {
            let at = from + random.below(bytes.len() - from);
            bytes[at] = random.below(256) as u8;
        }
        if round % 10 == 0 {
            let at = random.below(bytes.len());
            bytes.drain(at..(at + 1 + random.below(9)).min(bytes.len()));
        }
        std::fs::write(&path, &bytes).unwrap();
        let input = &inputs(std::slice::from_ref(&path)).unwrap()[0];
        let Ok(reader) = open(input, &Options::default()) else {
            continue;
        };
        read_through += 1;
        // Lost rows may be as many as the damaged file says; items may not.
        assert!(reader.take(1000).count() < 1000);
    }
    assert!(read_through > 500, "{read_through}");
}

/// What is exported can be indexed again: runs over the texts are the same.
#[test]
fn exports_are_archives() {
    let place = Place::of_demo();
    place.demo_pages("all.warc.gz", &trommel::demo::pages().unwrap());
    place.check("index --index one all.warc.gz", 0, "", "*");
    place.check(
        "export --index one --format parquet --min-words 5 --output texts.parquet",
        0,
        "",
        "*",
    );
    place.check(
        "export --index one --format jsonl --min-words 5 --output texts.jsonl",
        0,
        "",
        "*",
    );
    for name in ["parquet", "jsonl"] {
        place.check(&format!("index --index of-{name} texts.{name}"), 0, "", "*");
        place.check(
            &format!("run --index of-{name} --topics topics.xml --tag t --output {name}.run"),
            0,
            "",
            "*",
        );
    }
    let run = |name: &str| std::fs::read_to_string(place.path(name)).unwrap();
    assert!(run("parquet.run").lines().count() > 100);
    assert_eq!(run("parquet.run"), run("jsonl.run"));
}

/// A lost group of rows counted as one record.
#[test]
fn lost_rows_are_counted() {
    let place = Place::empty();
    let path = place.path("x.parquet");
    let range = five_groups(&path)[2].clone();
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[range.start + 60..range.end].fill(0xaa);
    std::fs::write(&path, &bytes).unwrap();
    place.check("index --index ix x.parquet", 1, "", "20 records");
    let manifest = std::fs::read_to_string(place.path("ix/manifest.json")).unwrap();
    assert!(manifest.contains("\"corrupt-member\": 20"), "{manifest}");
    place.check("index --index other --max-bad 19 x.parquet", 2, "", "*");
    place.check("index --index third --max-bad 20 x.parquet", 1, "", "*");
}

/// A column of whole numbers with a null in it is one of doubles where pandas writes it: all rows were lost, as if they had none.
#[test]
fn identifiers_may_be_doubles() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.parquet");
    let ids: ArrayRef = Arc::new(Float64Array::from(vec![
        Some(7.0),
        None,
        Some(-3.0),
        Some(9_007_199_254_740_992.0),
        Some(1.5),
        Some(f64::NAN),
    ]));
    let columns = [("text", strings(&["a"; 6])), ("id", ids)];
    write(&path, &columns, plain());
    assert_eq!(
        summary(read(&path, &Options::default())),
        [
            "7 a",
            "!no-docid",
            "-3 a",
            "9007199254740992 a",
            "1.5 a",
            "!no-docid"
        ]
    );
    let flags: ArrayRef = Arc::new(BooleanArray::from(vec![true, false]));
    write(
        &path,
        &[("text", strings(&["a", "b"])), ("id", flags)],
        plain(),
    );
    let items = read(&path, &Options::default());
    let Some(Item::Skipped(line)) = items.first() else {
        panic!("{items:?}");
    };
    assert!(
        line.detail
            .ends_with("; the column id is of the type BOOLEAN, and text or numbers are wanted"),
        "{line}"
    );
}

/// What Spark keeps beside its files was a failure each, and indexing a directory of Spark's ended with status 1.
#[test]
fn directories_of_spark() {
    let place = Place::empty();
    place.write("pages/_SUCCESS", "");
    place.write("pages/._SUCCESS.crc", "crc\0\0\0\u{2}\0");
    let path = place.path("pages/part-00000-a1.snappy.parquet");
    five_groups(&path);
    std::fs::copy(&path, place.path("pages/_metadata")).unwrap();
    place.write(
        "pages/.part-00000-a1.snappy.parquet.crc",
        "crc\0\0\0\u{2}\0",
    );
    place.write("pages/_committed_42", "{}");
    let done = place.check("index --index ix pages", 0, "", "ix: 100 pages");
    assert!(!done.err.contains("failed"), "{}", done.err);
    let ledger = std::fs::read_to_string(place.path("ix/ledger.jsonl")).unwrap();
    assert_eq!(
        ledger.matches("\"reason\":\"other-file\"").count(),
        5,
        "{ledger}"
    );
}
