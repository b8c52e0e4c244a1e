//! `trommel extract`: the text that an extractor keeps.

use std::io::{self, Write};
use std::process::ExitCode;

use serde::Serialize;

use super::DONE_WITH_FAILURES;
use super::input::for_each_page;
use super::options::{Inputs, ReadArgs, warn_of_missing};
use crate::collection::Document;
use crate::extractor::{self, Label, Labeler, Subject};
use crate::html::segment;
use crate::page::{Block, Page, Tag};

/// Write the cleaned text of pages
#[derive(clap::Args, Debug)]
pub struct Args {
    /// What decides on content: keep-everything, min-words-10, boilerpipe-numwords, boilerpipe-density
    #[arg(long, value_name = "NAME", default_value = "boilerpipe-numwords")]
    extractor: String,
    /// text: one block a line, an empty line between pages; html: a page of headings and paragraphs; json: one object a line
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    inputs: Inputs,
}

#[derive(clap::ValueEnum, Debug, Clone, Copy)]
enum Format {
    Text,
    Html,
    Json,
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
    let extractor = extractor::parse(&args.extractor)?;
    let mut out = io::stdout().lock();
    let mut first = true;
    let failures = for_each_page(&args.inputs.paths, &args.read, |document, page| {
        let blocks = content(
            &extractor,
            Subject::new(page, &document.docid, &document.url),
        );
        match args.format {
            Format::Text if blocks.is_empty() => {}
            Format::Text => {
                if !std::mem::take(&mut first) {
                    writeln!(out)?;
                }
                writeln!(out, "{}", text(&blocks))?;
            }
            Format::Html => write_html(&mut out, document, page, &blocks)?,
            Format::Json => {
                let line = Line {
                    docid: &document.docid,
                    url: &document.url,
                    title: &page.title,
                    text: &text(&blocks),
                };
                serde_json::to_writer(&mut out, &line)?;
                writeln!(out)?;
            }
        }
        Ok(())
    })?;
    warn_of_missing(std::slice::from_ref(&extractor));
    Ok(match failures {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::from(DONE_WITH_FAILURES),
    })
}

/// The blocks that an extractor keeps, on the segmentation that it is defined on.
fn content(extractor: &Labeler, subject: Subject) -> Vec<Block> {
    let segmenter = extractor.segmenter.unwrap_or(&segment::all()[0]);
    let labels = extractor.labels(&subject, segmenter);
    let kept = subject
        .into_blocks(segmenter)
        .blocks
        .into_iter()
        .zip(labels);
    kept.filter(|(block, label)| *label == Label::Content && block.num_tokens > 0)
        .map(|(block, _)| block)
        .collect()
}

fn text(blocks: &[Block]) -> String {
    let line = |block: &Block| block.text.split_whitespace().collect::<Vec<_>>().join(" ");
    blocks
        .iter()
        .map(line)
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
}

fn write_html(
    out: &mut impl Write,
    document: &Document,
    page: &Page,
    blocks: &[Block],
) -> io::Result<()> {
    writeln!(
        out,
        "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n<title>{}</title>",
        escape(&page.title)
    )?;
    if !document.url.is_empty() {
        writeln!(
            out,
            "<link rel=\"canonical\" href=\"{}\">",
            escape(&document.url)
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
        writeln!(out, "<{tag}>{}</{tag}>", escape(&block.text))?;
    }
    writeln!(out, "</body>\n</html>")
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c => escaped.push(c),
        }
    }
    escaped
}
