//! `trommel extract`: the text that an extractor keeps.

use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use anyhow::bail;
use serde::Serialize;
use trommel::collection::{Document, Reason, Skipped, WarcPage, write_conversion, write_warcinfo};
use trommel::extractor::{self, Confidence, PageFilter, Subject};
use trommel::filter::Filter;
use trommel::index::facts_of;
use trommel::page::{Block, Page, Tag};
use trommel::text::escape_markup;

use super::DONE_WITH_FAILURES;
use super::input::{list, map_pages};
use super::options::{
    Inputs, ReadArgs, parse_count, printable_lines, threads, warn, warn_if_nothing_kept,
    warn_of_missing,
};
use super::output::{ForceArgs, Kind, Output, Reads, kinds};

/// Write the cleaned text of pages
///
/// For a file, a directory, or a whole collection: pages are read one after the other and dealt with in parallel; what comes
/// out is in their order.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// What decides on content: NAME, NAME:key=value,…, NAME:MODEL or external:NAME=DIR_OR_JSONL (an unknown name lists all)
    /// [default: boilerpipe-numwords, or with --filter keep-everything]
    #[arg(long, value_name = "NAME")]
    extractor: Option<String>,
    /// Of the blocks that the extractor keeps, keep those that pass an expression: 'words >= 11 and (link-density <= 0.33 or
    /// justext)'
    #[arg(long, value_name = "EXPR")]
    filter: Option<Filter>,
    /// Keep the blocks that are main content with at least this confidence (0 to 1, in hundredths), instead of those that the
    /// extractor takes for content; it must be one that gives confidences
    #[arg(long, value_name = "P")]
    min_confidence: Option<Confidence>,
    /// text: one block a line, an empty line between pages; html: a page of headings and paragraphs; json: one object a line;
    /// wet: a gzipped WARC file of conversion records
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// File to write; '-' is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    #[command(flatten)]
    force: ForceArgs,
    /// Threads that extract [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_count)]
    threads: Option<NonZeroUsize>,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    inputs: Inputs,
}

#[derive(clap::ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Text,
    Html,
    Json,
    Wet,
}

impl Format {
    /// What files of the format are told by.
    fn kind(self) -> &'static Kind {
        match self {
            Format::Text => &kinds::TEXT,
            Format::Html => &kinds::HTML,
            Format::Json => &kinds::JSON,
            Format::Wet => &kinds::WET,
        }
    }
}

#[derive(Serialize)]
struct Line<'a> {
    docid: &'a str,
    url: &'a str,
    title: &'a str,
    text: &'a str,
}

/// Prints the text of each page.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let filter = args.filter.clone().map(PageFilter::new).transpose()?;
    let default = match filter {
        None => "boilerpipe-numwords",
        Some(_) => "keep-everything",
    };
    let extractor = extractor::parse(args.extractor.as_deref().unwrap_or(default))?;
    if args.min_confidence.is_some() && !extractor.has_confidences() {
        let with = extractor::all().iter().filter(|row| row.has_confidences());
        let names: Vec<&str> = with.map(|row| row.name).collect();
        bail!(
            "{} gives no confidences, so that --min-confidence says nothing; those that do: {}",
            extractor.name,
            if names.is_empty() {
                "none".to_owned()
            } else {
                names.join(", ")
            }
        );
    }
    let inputs = list(&args.inputs.paths)?;
    let mut reads = Reads::default();
    reads.add_inputs(&inputs);
    reads.add_extractors(std::slice::from_ref(&extractor));
    let output = Output::check(&args.output, args.format.kind(), args.force.force, &reads)?;
    let mut out = output.begin()?;
    // A page must not take over the terminal; what goes elsewhere is as it is.
    let is_shown = output.is_stdout() && args.format == Format::Text && io::stdout().is_terminal();
    if args.format == Format::Wet {
        write_warcinfo(&mut out)?;
    }
    let (pages, kept) = (AtomicU64::new(0), AtomicU64::new(0));
    let render = |document: Document, page: Page| {
        let subject = Subject::new(&page, &document.docid, &document.url);
        let facts = facts_of(&document);
        let filter = filter.as_ref().map(|filter| (filter, &facts));
        let blocks = extractor.kept_blocks(&subject, args.min_confidence, filter);
        pages.fetch_add(1, Relaxed);
        let words: u64 = blocks.iter().map(|block| u64::from(block.num_words)).sum();
        kept.fetch_add(words, Relaxed);
        render(args.format, &document, &page.title, &blocks)
            .map_err(|error| unwritable(&document, &error))
    };
    let mut unwritten = 0;
    let mut first = true;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads(args.threads))
        .build()?;
    let failures = pool.install(|| {
        map_pages(&inputs, &args.read, render, |text| {
            let text = match text {
                Ok(text) => text,
                Err(skipped) => {
                    unwritten += 1;
                    warn(&skipped.to_string());
                    return Ok(());
                }
            };
            if args.format == Format::Text && !text.is_empty() && !std::mem::take(&mut first) {
                writeln!(out)?;
            }
            match is_shown {
                true => {
                    out.write_all(printable_lines(&String::from_utf8_lossy(&text)).as_bytes())?
                }
                false => out.write_all(&text)?,
            }
            Ok(())
        })
    })?;
    out.finish()?;
    warn_of_missing([&extractor]);
    warn_if_nothing_kept(&extractor, kept.into_inner(), pages.into_inner());
    Ok(match failures + unwritten {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::from(DONE_WITH_FAILURES),
    })
}

/// The line of a page that has something which the output's format cannot hold.
fn unwritable(document: &Document, error: &io::Error) -> Skipped {
    Skipped {
        file: document.file.clone(),
        offset: document.offset,
        docid: Some(document.docid.clone()),
        reason: Reason::Unwritable,
        records: 1,
        detail: error.to_string(),
    }
}

/// What is written for one page.
fn render(
    format: Format,
    document: &Document,
    title: &str,
    blocks: &[&Block],
) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    match format {
        Format::Text if blocks.is_empty() => {}
        Format::Text => writeln!(out, "{}", text(blocks))?,
        Format::Html => write_html(&mut out, document, title, blocks)?,
        Format::Json => {
            let line = Line {
                docid: &document.docid,
                url: &document.url,
                title,
                text: &text(blocks),
            };
            serde_json::to_writer(&mut out, &line)?;
            writeln!(out)?;
        }
        Format::Wet => {
            let text = text(blocks);
            let page = WarcPage {
                docid: &document.docid,
                url: &document.url,
                date: &document.date,
                html: text.as_bytes(),
            };
            write_conversion(&mut out, &page)?;
        }
    }
    Ok(out)
}

fn text(blocks: &[&Block]) -> String {
    blocks
        .iter()
        .map(|block| block.line())
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
}

fn write_html(
    out: &mut impl Write,
    document: &Document,
    title: &str,
    blocks: &[&Block],
) -> io::Result<()> {
    writeln!(
        out,
        "{}<title>{}</title>",
        kinds::HTML_HEAD,
        escape_markup(title)
    )?;
    if !document.url.is_empty() {
        writeln!(
            out,
            "<link rel=\"canonical\" href=\"{}\">",
            escape_markup(&document.url)
        )?;
    }
    writeln!(out, "</head>\n<body>")?;
    for block in blocks {
        let tag = match &block.tag {
            heading @ (Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6) => heading.name(),
            Tag::Pre => "pre",
            Tag::Blockquote => "blockquote",
            _ => "p",
        };
        writeln!(out, "<{tag}>{}</{tag}>", escape_markup(&block.text))?;
    }
    writeln!(out, "</body>\n</html>")
}
