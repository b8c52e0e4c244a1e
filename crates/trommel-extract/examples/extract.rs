//! The main content of a page as Markdown, with what the page says of itself: `extract FILE.html [URL]`.

#![allow(clippy::print_stdout)]

use trommel_extract::structure::StructureOptions;
use trommel_extract::{ExtractionOptions, PREFERRED, Subject, parse};
use trommel_page::html::{Charset, Limits, parse_with_source};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("usage: extract FILE.html [URL]")?;
    let url = arguments.next().unwrap_or_default();
    let bytes = std::fs::read(&file)?;
    let (page, source) = parse_with_source(&bytes, Charset::Auto, None, &Limits::default());
    let subject = Subject::new(&page, &file, &url);
    let options = ExtractionOptions::default()
        .with_structure(StructureOptions::default().with_links(true))
        .with_embedded(true);
    let extraction = parse(PREFERRED)?.extraction(&subject, &source, None, &options);
    let said = &extraction.metadata;
    for (name, found) in [
        ("title", &said.title),
        ("author", &said.author),
        ("date", &said.date),
    ] {
        if let Some(found) = found {
            println!("<!-- {name}, by {}: {} -->", found.source, found.value);
        }
    }
    println!("{}", extraction.markdown(&page, &source, &url));
    Ok(())
}
