#![allow(clippy::print_stdout, clippy::print_stderr)]
//! Reads archives and prints their pages, and a line for everything that gave none: the ledger.
//!
//! `cargo run --example read_warc -- FILE|DIRECTORY…`; without arguments the built-in collection with a torn end.

use std::path::PathBuf;

use trommel::collection::{self, Item, Options};
use trommel::experiment::write_demo;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let place = tempfile::tempdir()?;
    let mut paths: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    if paths.is_empty() {
        let mut archive = Vec::new();
        write_demo(&mut archive)?;
        archive.truncate(archive.len() / 2);
        paths.push(place.path().join("torn.warc.gz"));
        std::fs::write(&paths[0], archive)?;
    }
    let (mut pages, mut bytes) = (0, 0);
    for input in collection::inputs(&paths)? {
        for item in collection::open(&input, &Options::default())? {
            match item {
                Item::Document(document) => {
                    pages += 1;
                    bytes += document.bytes.len();
                    println!("{}\t{}", document.docid, document.url);
                }
                Item::Skipped(skipped) => eprintln!("{skipped}"),
            }
        }
    }
    println!("{pages} pages, {bytes} bytes of payload");
    Ok(())
}
