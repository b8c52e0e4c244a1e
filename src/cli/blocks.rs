//! `trommel blocks`: what a segmenter makes of a page, block by block.

use std::io::{self, Write};
use std::process::ExitCode;

use serde::Serialize;
use trommel::collection::Document;
use trommel::extractor::{BlockNumbers, BlockVerdicts, Extractor, Label, Subject, Verdicts};
use trommel::html::segment::Segmenter;
use trommel::page::{Block, DensityUnit, Page};
use trommel::report::wrap;
use unicode_width::UnicodeWidthChar;

use super::DONE_WITH_FAILURES;
use super::input::{list, map_pages};
use super::options::{
    BOLD, DIM, Inputs, ReadArgs, extractors, parse_segmenter, printable, screen_width,
    warn_of_missing,
};

/// Show the text blocks of pages, with their values and verdicts
#[derive(clap::Args, Debug)]
pub struct Args {
    /// How pages are cut into blocks: boilerpipe, atomic (as in WSDM 2010 §4.1), leaf (text nodes), paragraph (as in jusText),
    /// fusion-plain, fusion-smoothed or fusion-rulebased (Block Fusion)
    #[arg(long, value_name = "NAME", default_value = "boilerpipe", value_parser = parse_segmenter)]
    segmenter: Segmenter,
    /// Show the verdicts of these extractors (comma-separated, or all)
    #[arg(long, value_name = "NAME,…|all")]
    extractors: Vec<String>,
    /// One JSON object for each block, one a line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    inputs: Inputs,
}

#[derive(Serialize)]
struct Line<'a> {
    docid: &'a str,
    block: usize,
    text: &'a str,
    #[serde(flatten)]
    numbers: BlockNumbers,
    tag: &'a str,
    #[serde(flatten)]
    verdicts: BlockVerdicts,
}

/// Prints the blocks.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let extractors = extractors(&args.extractors)?;
    let mut out = anstream::stdout().lock();
    let render = |document: Document, page: Page| -> anyhow::Result<Vec<u8>> {
        let mut out = Vec::new();
        let subject = Subject::new(&page, &document.docid, &document.url);
        let segmentation = subject.blocks(&args.segmenter);
        let verdicts: Vec<Verdicts> = extractors
            .iter()
            .map(|extractor| extractor.verdicts(&subject, &args.segmenter))
            .collect();
        let expected = verdicts
            .iter()
            .map(|of| of.expected_f1(&segmentation.blocks));
        let expected: Vec<Option<f64>> = expected.collect();
        if !args.json {
            let (docid, title) = (&document.docid, &page.title);
            print_heading(&mut out, docid, title, &extractors, &expected)?;
        }
        for (number, block) in segmentation.blocks.iter().enumerate() {
            if args.json {
                let names = || extractors.iter().map(|e| e.name.as_str());
                let named = names().zip(&verdicts);
                let line = Line {
                    docid: &document.docid,
                    block: number,
                    text: &block.text,
                    numbers: BlockNumbers::of(block, args.segmenter.unit),
                    tag: block.tag.name(),
                    verdicts: BlockVerdicts::of(number, named)
                        .expecting(names().zip(expected.iter().copied())),
                };
                serde_json::to_writer(&mut out, &line)?;
                writeln!(out)?;
            } else {
                print_row(&mut out, number, block, args.segmenter.unit, &verdicts)?;
            }
        }
        Ok(out)
    };
    let failures = map_pages(&list(&args.inputs.paths)?, &args.read, render, |text| {
        Ok(out.write_all(&text?)?)
    })?;
    out.flush()?;
    warn_of_missing(&extractors);
    Ok(match failures {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::from(DONE_WITH_FAILURES),
    })
}

fn print_heading(
    out: &mut impl Write,
    docid: &str,
    title: &str,
    extractors: &[Extractor],
    expected: &[Option<f64>],
) -> io::Result<()> {
    writeln!(
        out,
        "{BOLD}{}{BOLD:#}  {}",
        printable(docid),
        printable(title)
    )?;
    for (column, extractor) in extractors.iter().enumerate() {
        let expected = match expected.get(column).copied().flatten() {
            Some(f1) => format!("; expected F1 {f1:.2}"),
            None => String::new(),
        };
        let text = format!("{}: {}{expected}", extractor.name, extractor.row.summary);
        let lines = match screen_width() {
            Some(width) => wrap(&text, width.saturating_sub(2)),
            None => vec![text],
        };
        writeln!(out, "{DIM}{}{DIM:#} {}", letter(column), lines.join("\n  "))?;
    }
    let columns: String = (0..extractors.len())
        .map(|column| match extractors[column].has_confidences() {
            true => format!("{} conf ", letter(column)),
            false => letter(column).to_string(),
        })
        .collect();
    let columns = columns.trim_end();
    let space = if columns.is_empty() { "" } else { "  " };
    let heads = match Rows::of(columns.chars().count(), screen_width()) {
        Rows::One => format!("density  links  {columns}{space}tag         text"),
        Rows::TextBelow => format!("density  links  {columns}{space}tag"),
        Rows::AllBelow => columns.to_owned(),
    };
    writeln!(out, "{DIM}block  words  {heads}{DIM:#}")
}

/// How a block stands in its lines, for which there may be too many verdicts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rows {
    /// All in a line.
    One,
    /// Its text in a line below.
    TextBelow,
    /// Densities, tag and text in a line below.
    AllBelow,
}

/// Columns that numbers and tag take in a line.
const HEAD: usize = 43;

/// The least that is shown of a text beside them.
const LEAST_TEXT: usize = 20;

impl Rows {
    /// The first of these ways that fits, if verdicts take so many columns.
    fn of(verdicts: usize, width: Option<usize>) -> Rows {
        match width {
            Some(width) if HEAD + verdicts > width => Rows::AllBelow,
            Some(width) if HEAD + verdicts + LEAST_TEXT > width => Rows::TextBelow,
            _ => Rows::One,
        }
    }
}

/// Head of the column of an extractor; columns past 26 share the last letter.
fn letter(column: usize) -> char {
    char::from(b'A' + column.min(25) as u8)
}

/// One line a block. What a reader would call boilerplate at a glance (short, or mostly links) is dimmed; a verdict is a
/// full dot where the block is content, so that it can be told without colour, with the confidence behind it if the extractor has one.
/// A block without words has none: it cannot be content.
fn print_row(
    out: &mut impl Write,
    number: usize,
    block: &Block,
    unit: DensityUnit,
    verdicts: &[Verdicts],
) -> io::Result<()> {
    let link_density = block.link_density(unit);
    let style = if block.num_words < 10 || link_density > 1.0 / 3.0 {
        DIM
    } else {
        Default::default()
    };
    let marks: String = verdicts
        .iter()
        .map(|of| {
            let mark = match of.labels[number] {
                // Whatever it is taken for, there is nothing to keep.
                _ if block.num_words == 0 => ' ',
                Label::Content => '●',
                Label::Boilerplate => '·',
            };
            match &of.confidences {
                Some(_) if block.num_words == 0 => "       ".to_owned(),
                Some(confidences) => format!("{mark} {:.2} ", confidences[number].to_f64()),
                None => mark.to_string(),
            }
        })
        .collect();
    // The column of the last one ends with its number, not with the space behind it.
    let is_scored = verdicts.last().is_some_and(|of| of.confidences.is_some());
    let marks = &marks[..marks.len() - usize::from(is_scored)];
    let space = if marks.is_empty() { "" } else { "  " };
    let (words, density, tag) = (block.num_words, block.text_density(), block.tag.name());
    let width = screen_width();
    let rows = Rows::of(marks.chars().count(), width);
    let head = match rows {
        Rows::AllBelow => format!("{number:>5}  {words:>5}  {marks}"),
        _ => format!(
            "{number:>5}  {words:>5}  {density:>7.2}  {link_density:>5.2}  {marks}{space}{tag:<10}  "
        ),
    };
    let room = width.unwrap_or(120);
    let shown = printable(&block.text);
    let below = match rows {
        Rows::One => {
            let room = room.saturating_sub(head.chars().count()).max(LEAST_TEXT);
            let text = clip(&shown, room);
            return writeln!(out, "{style}{head}{text}{style:#}");
        }
        Rows::TextBelow => shown,
        Rows::AllBelow => format!("{density:.2} dense, {link_density:.2} linked, {tag}: {shown}"),
    };
    let text = clip(&below, room.saturating_sub(7).max(LEAST_TEXT));
    writeln!(out, "{style}{}\n       {text}{style:#}", head.trim_end())
}

/// The beginning of a text that fits into so many columns.
fn clip(text: &str, columns: usize) -> String {
    let mut used = 0;
    let mut clipped = String::new();
    for c in text
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
    {
        used += c.width().unwrap_or(0);
        if used >= columns {
            clipped.push('…');
            break;
        }
        clipped.push(c);
    }
    clipped
}

#[cfg(test)]
mod tests {
    use super::*;
    use trommel::extractor::{self, ExtractorRow, Make, Takes, Verdict};
    use trommel::html::{self, segment};

    /// Ever surer the more words there are.
    static SURE: ExtractorRow = ExtractorRow {
        name: "sure",
        summary: "by words",
        source: "",
        segmenter: None,
        takes: Takes::Parameters(&[]),
        make: Make::Scored(|_| {
            Ok(Box::new(|_, segmentation| {
                let verdict = |block: &Block| Verdict {
                    label: Label::content_if(block.num_words > 1),
                    probability: block.num_words as f32 / 8.0,
                };
                segmentation.blocks.iter().map(verdict).collect()
            }))
        }),
    };

    #[test]
    fn confidences_stand_behind_marks() {
        let page = html::parse_text("<p>one</p><p>one two</p><p>...</p>", &Default::default());
        let subject = Subject::new(&page, "d", "");
        let segmenter = &segment::all()[0];
        let extractors = [
            Extractor::new(&SURE, "").unwrap(),
            extractor::parse("keep-everything").unwrap(),
        ];
        let verdicts = extractors
            .each_ref()
            .map(|of| of.verdicts(&subject, segmenter));
        let mut out = Vec::new();
        print_heading(&mut out, "d", "t", &extractors, &[]).unwrap();
        let blocks = &subject.blocks(segmenter).blocks;
        for (number, block) in blocks.iter().enumerate() {
            print_row(&mut out, number, block, segmenter.unit, &verdicts).unwrap();
            let named = extractors.iter().map(|e| e.name.as_str()).zip(&verdicts);
            let line = serde_json::to_value(BlockVerdicts::of(number, named)).unwrap();
            let expected = [0.13, 0.25, 0.0][number];
            assert_eq!(line["confidences"], serde_json::json!({ "sure": expected }));
        }
        let out = String::from_utf8(out).unwrap();
        let plain = anstream::adapter::strip_str(&out).to_string();
        let lines: Vec<&str> = plain.lines().skip(3).collect();
        assert_eq!(
            lines,
            [
                "block  words  density  links  A conf B  tag         text",
                "    0      1     1.00   0.00  · 0.13 ●  p           one",
                "    1      2     2.00   0.00  ● 0.25 ●  p           one two",
                "    2      0     0.00   0.00            p           ...",
            ]
        );
    }
}
