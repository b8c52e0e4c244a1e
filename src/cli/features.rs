//! `trommel features`: the feature vectors of a page's blocks.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use trommel::feature::{self, Feature, Frequencies, Set};
use trommel::gold::{Format, GoldLabel, LabelledPage, labelled_pages, pairs};
use trommel::html::segment::{self, Segmenter};

use super::DONE_WITH_FAILURES;
use super::gold::{beside, parse_format};
use super::input::{list, map_pages};
use super::options::{ReadArgs, unknown};

/// Show the features of text blocks that learned classifiers look at
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Which features
    #[arg(long, value_name = "NAME", default_value = "wsdm", value_parser = parse_set, long_help = long_help())]
    set: Set,
    /// How they are written, a row a block
    #[arg(
        long,
        value_name = "csv|json",
        default_value = "csv",
        hide_possible_values = true
    )]
    format: Written,
    /// Folder with a gold standard, a file a page: its pages are read, and blocks have labels
    #[arg(
        long,
        value_name = "DIR",
        requires = "gold_format",
        conflicts_with = "paths"
    )]
    gold: Option<PathBuf>,
    /// Format of the gold standard: cleaneval, gn1, text, wcxb
    #[arg(long, value_name = "FORMAT", requires = "gold", value_parser = parse_format)]
    gold_format: Option<Format>,
    /// Folder with the pages of the gold standard, of the same names [default: html, beside it]
    #[arg(long, value_name = "DIR", requires = "gold")]
    pages: Option<PathBuf>,
    #[command(flatten)]
    read: ReadArgs,
    /// Files, directories, or FILE.warc.gz#DOCID for one page
    #[arg(required_unless_present = "gold", value_name = "INPUT")]
    paths: Vec<PathBuf>,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Written {
    Csv,
    Json,
}

fn parse_set(name: &str) -> Result<Set, String> {
    let known = || feature::all().iter().map(|set| set.name);
    feature::by_name(name)
        .copied()
        .ok_or_else(|| unknown("set of features", name, known().collect()))
}

fn long_help() -> String {
    let mut text = "Which features:\n".to_owned();
    for set in feature::all() {
        text.push_str(&format!(
            "\n{}: {}, of {} blocks",
            set.name, set.summary, set.segmenter
        ));
    }
    text
}

/// Prints a row for each block.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let Some(segmenter) = segment::by_name(args.set.segmenter) else {
        bail!("no segmenter is called '{}'", args.set.segmenter);
    };
    let writer = Writer {
        features: (args.set.features)(),
        written: args.format,
        labelled: args.gold.is_some(),
    };
    let mut out = io::BufWriter::new(anstream::stdout().lock());
    writer.head(&mut out)?;
    let failures = match (&args.gold, &args.gold_format) {
        (Some(gold), Some(format)) => {
            let pages = args.pages.clone().unwrap_or_else(|| beside(gold));
            let pairs = pairs(Some(gold), &pages)?;
            if pairs.is_empty() {
                bail!("no page in {}", gold.display());
            }
            let pages = labelled_pages(&pairs, format, segmenter, args.read.charset(), &|| {})?;
            of_gold(&pages, &args.set, &writer, &mut out)?;
            0
        }
        _ => of_inputs(&args, segmenter, &writer, &mut out)?,
    };
    out.flush()?;
    Ok(match failures {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::from(DONE_WITH_FAILURES),
    })
}

fn of_gold(
    pages: &[LabelledPage],
    set: &Set,
    writer: &Writer,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut frequencies = Frequencies::default();
    for page in pages {
        frequencies.add(&page.segmentation);
    }
    for page in pages {
        let rows = set.rows(&page.page, &page.segmentation, &frequencies);
        for (block, row) in rows.iter().enumerate() {
            let label = page.labels.get(block).copied().flatten();
            writer.row(out, &page.name, block, label, row)?;
        }
    }
    Ok(())
}

/// The number of records that failed.
fn of_inputs(
    args: &Args,
    segmenter: &Segmenter,
    writer: &Writer,
    out: &mut impl Write,
) -> anyhow::Result<u64> {
    let inputs = list(&args.paths)?;
    let mut frequencies = Frequencies::default();
    if args.set.counts_in_collection {
        if args.paths.iter().any(|path| path == Path::new("-")) {
            bail!(
                "the set {} counts texts in all pages first, and standard input can be read only once; give files",
                args.set.name
            );
        }
        let cut = |_, page| (segmenter.segment)(&page);
        map_pages(&inputs, &args.read, cut, |segmentation| {
            frequencies.add(&segmentation);
            Ok(())
        })?;
    }
    let render = |document: trommel::collection::Document, page| -> anyhow::Result<Vec<u8>> {
        let segmentation = (segmenter.segment)(&page);
        let mut text = Vec::new();
        let (mut block, mut written) = (0, Ok(()));
        (args.set.measure)(&page, &segmentation, &frequencies, &mut |row| {
            if written.is_ok() {
                written = writer.row(&mut text, &document.docid, block, None, row);
            }
            block += 1;
        });
        written?;
        Ok(text)
    };
    map_pages(&inputs, &args.read, render, |text| {
        Ok(out.write_all(&text?)?)
    })
}

/// Writes rows as CSV (RFC 4180, line feeds) or JSON.
struct Writer {
    features: Vec<Feature>,
    written: Written,
    labelled: bool,
}

impl Writer {
    fn head(&self, out: &mut impl Write) -> io::Result<()> {
        if matches!(self.written, Written::Json) {
            return Ok(());
        }
        let label = if self.labelled { ",label" } else { "" };
        write!(out, "docid,block{label}")?;
        for feature in &self.features {
            write!(out, ",{}", feature.name)?;
        }
        writeln!(out)
    }

    fn row(
        &self,
        out: &mut impl Write,
        docid: &str,
        block: usize,
        label: Option<GoldLabel>,
        values: &[f64],
    ) -> anyhow::Result<()> {
        let label = label.map_or("", GoldLabel::name);
        match self.written {
            Written::Csv => {
                write!(out, "{},{block}", quoted(docid))?;
                if self.labelled {
                    write!(out, ",{label}")?;
                }
                for value in values {
                    write!(out, ",{value}")?;
                }
                writeln!(out)?;
            }
            Written::Json => {
                let docid = serde_json::to_string(docid).context("docid")?;
                write!(out, "{{\"docid\":{docid},\"block\":{block}")?;
                if self.labelled {
                    write!(out, ",\"label\":\"{label}\"")?;
                }
                for (feature, value) in self.features.iter().zip(values) {
                    write!(out, ",\"{}\":{value}", feature.name)?;
                }
                writeln!(out, "}}")?;
            }
        }
        Ok(())
    }
}

fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
