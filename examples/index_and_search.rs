#![allow(clippy::print_stdout, clippy::print_stderr)]
//! Indexes a collection and searches it twice: all of it, and only the blocks that pass a filter.
//!
//! `cargo run --example index_and_search -- [COLLECTION [FILTER [QUERY]]]`; without arguments the built-in collection.

use std::fs::File;
use std::path::PathBuf;

use trommel::collection;
use trommel::experiment::write_demo;
use trommel::filter::Filter;
use trommel::index::{BuildOptions, Index, Progress, Ranking, build};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let place = tempfile::tempdir()?;
    let collection = match args.next() {
        Some(path) => PathBuf::from(path),
        None => {
            let path = place.path().join("demo.warc.gz");
            write_demo(&mut File::create(&path)?)?;
            path
        }
    };
    let filter = args.next();
    let filter: Filter = filter.as_deref().unwrap_or("words >= 20").parse()?;
    let query = args.next().unwrap_or_else(|| "rain barrel".to_owned());

    // The filter is no part of the index: it is built once, for any number of them.
    let directory = place.path().join("index");
    let inputs = collection::inputs(&[collection])?;
    let report = build(
        &directory,
        &inputs,
        &BuildOptions::default(),
        &Progress::default(),
    )?;
    println!("{} pages", report.manifest.counts.pages);

    let index = Index::open(&directory)?;
    for filter in [Filter::default(), filter] {
        let ranking = Ranking {
            filter,
            ..Ranking::default()
        };
        println!("\n{query}, {}:", ranking.filter);
        for hit in index.search(&query, &ranking, 5)? {
            let page = index.page(hit.page)?;
            println!("{:8.4}  {}  {}", hit.score, page.docid, page.title);
        }
    }
    Ok(())
}
