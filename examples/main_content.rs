#![allow(clippy::print_stdout, clippy::print_stderr)]
//! The main content of a page that is a string, by a remover and by a filter expression.
//!
//! `cargo run --example main_content -- [FILE.html]`

use trommel::extractor::{self, PageFacts, PageFilter, Subject};
use trommel::html::{self, Charset, Limits, segment};

const PAGE: &str = "<html lang=en><title>Rain barrels</title>
<ul><li><a href=/>Home</a><li><a href=/garden>Garden</a><li><a href=/kitchen>Kitchen</a></ul>
<h1>Rain barrels</h1>
<p>A rain barrel under the downspout keeps water for dry weeks, and a lid keeps the gnats out of it all summer.
<p>Clean the gutter before you set it up, or its leaves will end in the barrel with the first heavy rain of the year.
<p><a href=/next>Next: how to make compost of kitchen scraps and dry leaves</a>
<p>Copyright 2007";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bytes = match std::env::args().nth(1) {
        Some(path) => std::fs::read(path)?,
        None => PAGE.as_bytes().to_vec(),
    };
    // Parsing cannot fail: there is a page for any bytes.
    let page = html::parse(&bytes, Charset::Auto, None, &Limits::default());
    let subject = Subject::new(&page, "page", "");

    for name in ["boilerpipe-article", "justext", "trommel"] {
        let extractor = extractor::parse(name)?;
        println!("{name}:");
        for block in extractor.content(&subject) {
            println!("  {}", block.text);
        }
    }

    let filter = "words >= 10 and link-density <= 0.33 or tag = h1";
    println!("{filter}:");
    let segmenter = &segment::all()[0];
    let passing = PageFilter::new(filter.parse()?)?;
    let passing = passing.passing(&subject, segmenter, &PageFacts::default());
    let blocks = subject.blocks(segmenter).blocks.iter();
    for (block, _) in blocks.zip(passing).filter(|(_, passes)| *passes) {
        println!("  {}", block.text);
    }
    Ok(())
}
