//! Exports: CIFF read by another program's reader and counted anew from the texts, Parquet and JSONL against the blocks of the command line.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt32Type};
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::properties::WriterProperties;
use serde_json::Value;
use trommel::demo;
use trommel::index::Index;

use crate::cli::Place;

const FILTERS: [&str; 5] = [
    "unfiltered",
    "words >= 11",
    "bte and link-density <= 0.2",
    "confidence(trommel) >= 0.6",
    "words >= 100000",
];

fn place() -> Place {
    let place = Place::of_demo();
    let pages = demo::pages().unwrap();
    let (one, other) = pages.split_at(70);
    for (name, pages) in [("one", one), ("other", other)] {
        place.demo_pages(&format!("{name}.warc.gz"), pages);
        let line = format!("index --index {name} --extractors trommel,bte {name}.warc.gz");
        place.check(&line, 0, "", "*");
    }
    place
}

/// The sequences of a file of PISA's: each is a length and so many numbers, of 32 bits.
fn sequences(path: &Path) -> Vec<Vec<u32>> {
    let bytes = fs::read(path).unwrap();
    let mut numbers = bytes
        .chunks_exact(4)
        .map(|it| u32::from_le_bytes(it.try_into().unwrap()));
    let mut sequences = Vec::new();
    while let Some(length) = numbers.next() {
        sequences.push(numbers.by_ref().take(length as usize).collect());
    }
    sequences
}

fn lines(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// By term the documents with their frequencies.
type Postings = BTreeMap<String, Vec<(u32, u32)>>;

/// Documents with their lengths, and postings, counted in the texts of the blocks that pass.
fn counted(index: &Index, filter: &str) -> (Vec<(String, u32)>, Postings) {
    let filter = filter.parse().unwrap();
    let mut documents = Vec::new();
    let mut postings = Postings::new();
    for page in index.pages() {
        let blocks = index.page_blocks(page).unwrap();
        let passing = index.passing(page, &filter).unwrap();
        let kept = blocks.iter().zip(passing).filter(|(_, passes)| *passes);
        let terms: Vec<String> = kept
            .flat_map(|(block, _)| index.analyzer().terms(&block.text))
            .collect();
        if terms.is_empty() {
            continue;
        }
        let number = documents.len() as u32;
        documents.push((index.docid(page).to_owned(), terms.len() as u32));
        let mut frequencies: HashMap<String, u32> = HashMap::new();
        terms
            .into_iter()
            .for_each(|term| *frequencies.entry(term).or_default() += 1);
        for (term, frequency) in frequencies {
            postings.entry(term).or_default().push((number, frequency));
        }
    }
    (documents, postings)
}

#[test]
fn ciff_is_read_by_others() {
    let place = place();
    let paths = ["one", "other"].map(|name| place.path(name));
    let index = Index::open_all(&paths).unwrap();
    for filter in FILTERS {
        let both = ["export", "--index", "one", "--index", "other"];
        let how = [
            "--format", "ciff", "--filter", filter, "--output", "x.ciff", "--force",
        ];
        let done = place.run_with(&[&both[..], &how].concat(), b"");
        assert_eq!(done.code, 0, "{}", done.err);
        let (documents, postings) = counted(&index, filter);
        if documents.is_empty() {
            assert!(done.err.contains("nothing passes"), "{}", done.err);
            continue;
        }
        let base = place.path("pisa");
        let mut converter = ciff::CiffToPisa::default();
        let converter = converter.input_path(place.path("x.ciff"));
        converter
            .output_paths(&base)
            .skip_lexicons()
            .convert()
            .unwrap();
        let sizes = sequences(&base.with_extension("sizes"));
        let lengths: Vec<u32> = documents.iter().map(|(_, length)| *length).collect();
        assert_eq!(sizes, [lengths], "{filter}");
        let names: Vec<&str> = documents.iter().map(|(docid, _)| docid.as_str()).collect();
        assert_eq!(lines(&base.with_extension("documents")), names);
        let terms: Vec<&str> = postings.keys().map(String::as_str).collect();
        assert_eq!(lines(&base.with_extension("terms")), terms);
        let docs = sequences(&base.with_extension("docs"));
        let freqs = sequences(&base.with_extension("freqs"));
        // The first is the number of documents.
        assert_eq!(docs[0], [documents.len() as u32]);
        let read = docs[1..].iter().zip(&freqs).map(|(docs, freqs)| {
            let pairs = docs.iter().copied().zip(freqs.iter().copied());
            pairs.collect::<Vec<(u32, u32)>>()
        });
        assert!(read.eq(postings.into_values()), "{filter}");
    }
    let done = place.run("export --index one --format ciff --unit block --output y.ciff");
    assert_eq!(done.code, 2);
    assert!(done.err.contains("blocks"), "{}", done.err);
}

fn objects(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn rows_are_the_blocks_that_pass() {
    let place = place();
    let printed = place.check(
        "blocks --json --extractors trommel,bte one.warc.gz",
        0,
        "*",
        "",
    );
    let blocks = objects(&printed.out);
    let line = "export --index one --format jsonl --unit block --min-words 11 --output -";
    let exported = objects(&place.check(line, 0, "*", "*").out);
    let long = blocks
        .iter()
        .filter(|block| block["num_words"].as_u64() >= Some(11));
    let long: Vec<&Value> = long.collect();
    assert!(long.len() > 300);
    assert_eq!(exported.len(), long.len());
    for (exported, block) in exported.iter().zip(&long) {
        for (name, value) in block.as_object().unwrap() {
            let (of, prefix) = match name.as_str() {
                "labels" => (value.as_object().unwrap(), "content"),
                "confidences" => (value.as_object().unwrap(), "confidence"),
                // Said of a page when it is read, and not kept in an index.
                "expected_f1" => continue,
                name => {
                    assert_eq!(exported[name], *value, "{name}");
                    continue;
                }
            };
            for (name, value) in of {
                assert_eq!(exported[&format!("{prefix}({name})")], *value);
            }
        }
        // What a filter can ask for is there, too.
        let text = block["text"].as_str().unwrap();
        let chars = text.chars().filter(|c| !c.is_whitespace()).count();
        assert_eq!(exported["num_chars"], chars);
        assert_eq!(exported["num_commas"], text.matches(',').count());
        let share = exported["position_share"].as_f64().unwrap();
        let page_words: u64 = blocks
            .iter()
            .filter(|other| other["docid"] == block["docid"])
            .map(|other| other["num_words"].as_u64().unwrap())
            .sum();
        assert!((0.0..1.0).contains(&share));
        assert_eq!(exported["page_words"], page_words);
    }
    let line = "export --index one --format jsonl --filter trommel --output pages.jsonl";
    place.check(line, 0, "", "pages.jsonl: 70 pages");
    let pages = objects(&fs::read_to_string(place.path("pages.jsonl")).unwrap());
    let mut texts: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for block in &blocks {
        let lines = texts.entry(block["docid"].as_str().unwrap()).or_default();
        if block["labels"]["trommel"] == true {
            let words = block["text"].as_str().unwrap().split_whitespace();
            lines.push(words.collect::<Vec<_>>().join(" "));
        }
    }
    assert_eq!(pages.len(), texts.len());
    for page in &pages {
        assert_eq!(
            page["text"],
            texts[page["docid"].as_str().unwrap()].join("\n")
        );
    }
    // What was cleaned is a collection itself.
    place.check(
        "index --index cleaned pages.jsonl",
        0,
        "",
        "cleaned: 70 pages",
    );
}

#[test]
fn parquet_has_the_rows_of_jsonl() {
    let place = place();
    for (unit, rows) in [("page", 70), ("block", 300)] {
        let line = format!("export --index one --unit {unit} --filter bte");
        let json = place.check(&format!("{line} --format jsonl --output -"), 0, "*", "*");
        let json = objects(&json.out);
        assert!(json.len() >= rows);
        place.check(
            &format!("{line} --format parquet --output rows.parquet"),
            0,
            "",
            "*",
        );
        let file = File::open(place.path("rows.parquet")).unwrap();
        let reader = ParquetRecordBatchReaderBuilder::try_new(file)
            .unwrap()
            .build()
            .unwrap();
        let mut at = 0;
        for batch in reader {
            let batch = batch.unwrap();
            let strings = |name: &str| {
                batch
                    .column_by_name(name)
                    .unwrap()
                    .as_string::<i32>()
                    .clone()
            };
            let (docids, texts) = (strings("docid"), strings("text"));
            let schema = batch.schema();
            let columns: BTreeSet<&String> = schema.fields().iter().map(|it| it.name()).collect();
            let keys = json[0].as_object().unwrap();
            assert!(columns.into_iter().eq(keys.keys().collect::<BTreeSet<_>>()));
            for row in 0..batch.num_rows() {
                assert_eq!(json[at]["docid"], docids.value(row));
                assert_eq!(json[at]["text"], texts.value(row));
                if unit == "block" {
                    let numbers = batch.column_by_name("num_words").unwrap();
                    let words = numbers.as_primitive::<UInt32Type>().value(row);
                    assert_eq!(json[at]["num_words"], words);
                    let confidences = batch.column_by_name("confidence(trommel)").unwrap();
                    let confidence = confidences.as_primitive::<Float64Type>().value(row);
                    assert_eq!(json[at]["confidence(trommel)"], confidence);
                    assert!(
                        batch
                            .column_by_name("content(bte)")
                            .unwrap()
                            .as_boolean()
                            .value(row)
                    );
                    assert!(batch.column_by_name("confidence(bte)").is_none());
                }
                at += 1;
            }
        }
        assert_eq!(at, json.len());
        fs::remove_file(place.path("rows.parquet")).unwrap();
    }
    let line = "export --index one --format parquet --min-words 100000 --unit block --output empty.parquet";
    place.check(line, 0, "", "nothing passes");
    let file = File::open(place.path("empty.parquet")).unwrap();
    assert_eq!(
        ParquetRecordBatchReaderBuilder::try_new(file)
            .unwrap()
            .build()
            .unwrap()
            .count(),
        0
    );
}

/// What others wrote is not replaced without being asked for.
#[test]
fn only_its_own_is_replaced() {
    let place = place();
    for (format, unit) in [
        ("jsonl", "page"),
        ("jsonl", "block"),
        ("ciff", "page"),
        ("parquet", "page"),
        ("parquet", "block"),
    ] {
        let line =
            format!("export --index one --format {format} --unit {unit} --output {format}-{unit}");
        place.check(&line, 0, "", "*");
        place.check(&line, 0, "", "*");
        place.write("theirs", "Something else");
        let line = format!("export --index one --format {format} --unit {unit} --output theirs");
        assert_eq!(place.run(&line).code, 2);
    }
}

/// A second export onto one's own Parquet file was refused, and others were told from it by nothing.
#[test]
fn parquet_of_others_is_not_replaced() {
    let place = place();
    let line = "export --index one --format parquet --output rows.parquet";
    // As a table of programs and their versions would have it in its statistics.
    let values = ["trommel 0.1.0", "a", "trommel 0.1.0\0"];
    let column: ArrayRef = Arc::new(StringArray::from(values.to_vec()));
    let batch = RecordBatch::try_from_iter([("trommel 0.1.0", column)]).unwrap();
    for created_by in ["parquet-rs version 1", "trommelfell 2.0", "not trommel 0.1"] {
        let properties = WriterProperties::builder().set_created_by(created_by.to_owned());
        let file = File::create(place.path("rows.parquet")).unwrap();
        let mut writer =
            ArrowWriter::try_new(file, batch.schema(), Some(properties.build())).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        let before = fs::read(place.path("rows.parquet")).unwrap();
        place.check(
            line,
            2,
            "",
            "does not end as a Parquet file of trommel does",
        );
        assert!(fs::read(place.path("rows.parquet")).unwrap() == before);
    }
    place.check(&format!("{line} --force"), 0, "", "*");
    place.check(line, 0, "", "rows.parquet: 70 pages");
    // Cut short it is nobody's.
    let own = fs::read(place.path("rows.parquet")).unwrap();
    fs::write(place.path("rows.parquet"), &own[..own.len() - 1]).unwrap();
    place.check(line, 2, "", "hint: name another output; --force replaces");
}
