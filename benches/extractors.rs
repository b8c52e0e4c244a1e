//! What extractors cost: pages per second of one thread for parsing, for each segmenter, and for each extractor on the page
//! that is parsed and cut.
//!
//! `cargo bench --bench extractors -- DIR…` takes the HTML files below the directories. Times are of one thread, the median
//! of several rounds over all pages.
#![allow(clippy::print_stdout, clippy::expect_used)]

use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use trommel::collection::{self, Item};
use trommel::extractor::{self, Subject};
use trommel::html::{self, Charset, Limits, segment};
use trommel::page::Page;

const ROUNDS: usize = 5;

fn main() {
    let arguments = std::env::args().skip(1).filter(|a| !a.starts_with("--"));
    let paths: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    if paths.is_empty() {
        // As a part of `cargo bench` or `cargo test --benches`, where nobody named pages.
        println!("no pages: cargo bench --bench extractors -- DIR…");
        return;
    }
    let documents: Vec<(String, Vec<u8>)> = collection::inputs(&paths)
        .expect("paths")
        .iter()
        .flat_map(|input| collection::open(input, &Default::default()).expect("a readable file"))
        .filter_map(|item| match item {
            Item::Document(document) => Some((document.docid, document.bytes)),
            Item::Skipped(_) => None,
        })
        .collect();
    let bytes: usize = documents.iter().map(|(_, bytes)| bytes.len()).sum();
    println!("{} pages, {bytes} bytes\n", documents.len());
    println!("| stage | pages per second | share of parsing |\n|---|---|---|");

    let parse = |bytes: &[u8]| html::parse(bytes, Charset::Auto, None, &Limits::default());
    let parsing = median(|| {
        timed(|| {
            for (_, bytes) in &documents {
                black_box(parse(bytes));
            }
        })
    });
    let row = |name: &str, time: Duration| {
        println!(
            "| {name} | {:.0} | {:.1} % |",
            documents.len() as f64 / time.as_secs_f64(),
            100.0 * time.as_secs_f64() / parsing.as_secs_f64()
        );
    };
    row("decode and parse", parsing);

    let pages: Vec<(&str, Page)> = documents
        .iter()
        .map(|(docid, bytes)| (docid.as_str(), parse(bytes)))
        .collect();
    for segmenter in segment::all() {
        let time = median(|| {
            timed(|| {
                for (_, page) in &pages {
                    black_box((segmenter.segment)(page));
                }
            })
        });
        row(&format!("segmenter `{}`", segmenter.name), time);
    }

    // An index asks for labels on the blocks of the default segmenter.
    let target = &segment::all()[0];
    let extractors = extractor::all_of_page();
    for extractor in &extractors {
        let time = median(|| {
            let timed_page = |(docid, page): &(&str, Page)| {
                let subject = Subject::new(page, docid, "");
                subject.blocks(target);
                subject.leaf_words();
                if let Some(own) = extractor.segmenter {
                    subject.blocks(own);
                }
                timed(|| drop(black_box(extractor.labels(&subject, target))))
            };
            pages.iter().map(timed_page).sum()
        });
        row(&format!("`{}`", extractor.name), time);
    }
    let time = median(|| {
        let timed_page = |(docid, page): &(&str, Page)| {
            let subject = Subject::new(page, docid, "");
            subject.blocks(target);
            timed(|| {
                for extractor in &extractors {
                    black_box(extractor.labels(&subject, target));
                }
            })
        };
        pages.iter().map(timed_page).sum()
    });
    row("**all extractors, with the blocks they need**", time);
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// The median of several rounds, after one that is not counted.
fn median(mut round: impl FnMut() -> Duration) -> Duration {
    round();
    let mut times: Vec<Duration> = (0..ROUNDS).map(|_| round()).collect();
    times.sort();
    times[ROUNDS / 2]
}
