//! `trommel stats`: the densitometric analysis of a collection's text blocks.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use trommel::collection::{Document, Input};
use trommel::experiment::density::{Analysis, Counted, DensityOptions, classes, two_classes};
use trommel::extractor::{PageFilter, Subject};
use trommel::filter::Filter;
use trommel::gold::{Format, GoldLabel, Pair, labelled_pages, pairs};
use trommel::html::segment::Segmenter;
use trommel::index::{self, Index, facts_of};
use trommel::page::{Block, Page};
use trommel::report::density::{diagrams, html, text};

use super::DONE_WITH_FAILURES;
use super::filter::FilterArgs;
use super::gold::{beside, parse_format};
use super::input::{list, map_pages};
use super::options::{ReadArgs, counted, parse_segmenter, printable, printable_lines};
use super::output::{Directory, ForceArgs, Reads, reports};
use super::progress::page_bar;

/// Analyse how text is spread over blocks by number of words and by text density
///
/// Histograms of blocks, words and tokens, in all and by the classes of a gold standard; the distributions that WSDM 2010 and WWW
/// 2009 fit to them, with their parameters beside the papers'; blocks of 11 words against blocks of density 11; words that are
/// typical of thin and of dense text; full stops and frequent templates by density. Tables go to standard output; --output
/// also writes an HTML report with diagrams. A filter leaves blocks, and pages without any, out of all of it. Distinct words, and a hash of each distinct text, are kept in memory.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  trommel stats --index indexes/my --output my-stats
  trommel stats --gold gn1/annotated --format gn1")]
pub struct Args {
    /// Directory of an index, or of its shards; may be given several times
    #[arg(long = "index", value_name = "DIR", conflicts_with_all = ["paths", "gold"])]
    indexes: Vec<PathBuf>,
    /// Folder with a gold standard, a file a page: its pages are read, and blocks have classes
    #[arg(
        long,
        value_name = "DIR",
        requires = "format",
        conflicts_with = "paths"
    )]
    gold: Option<PathBuf>,
    /// Format of the gold standard: cleaneval, gn1, text, wcxb
    #[arg(long, value_name = "FORMAT", requires = "gold", value_parser = parse_format)]
    format: Option<Format>,
    /// Folder with the pages of the gold standard, of the same names [default: html, beside it]
    #[arg(long, value_name = "DIR", requires = "gold")]
    pages: Option<PathBuf>,
    /// How pages are cut into blocks [default: boilerpipe; an index has its own]
    #[arg(long, value_name = "NAME", value_parser = parse_segmenter, conflicts_with = "indexes")]
    segmenter: Option<Segmenter>,
    /// Pages that a word must stand on to be called typical or not
    #[arg(long, value_name = "N", default_value_t = DensityOptions::default().min_pages, value_parser = clap::value_parser!(u32).range(1..))]
    min_pages: u32,
    /// Occurrences that make a text a frequent template
    #[arg(long, value_name = "N", default_value_t = DensityOptions::default().min_repeats, value_parser = clap::value_parser!(u32).range(2..))]
    min_repeats: u32,
    /// Typical words that are shown of each kind
    #[arg(long, value_name = "N", default_value_t = DensityOptions::default().top)]
    top: usize,
    /// Directory for report.html, stats.json and diagrams
    #[arg(short, long, value_name = "DIR", help_heading = "Output")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
    /// Heading of the report
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "Densitometric analysis",
        help_heading = "Output"
    )]
    title: String,
    /// Print everything as one JSON object
    #[arg(long, help_heading = "Output")]
    json: bool,
    #[command(flatten)]
    filter: FilterArgs,
    #[command(flatten)]
    read: ReadArgs,
    /// Files, directories, '-' for standard input, or FILE.warc.gz#DOCID for one page
    #[arg(required_unless_present_any = ["indexes", "gold"], value_name = "INPUT")]
    paths: Vec<PathBuf>,
}

/// Counts, fits and reports.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let filter = args.filter.filter();
    if args.gold.is_some() && !filter.is_empty() {
        bail!("a gold standard is analysed whole: leave the filter ({filter}) out");
    }
    let mut failures = 0;
    let mut reads = Reads::default();
    reads.add_indexes(&index::directories(&args.indexes)?);
    let inputs = list(&args.paths)?;
    reads.add_inputs(&inputs);
    let pairs = match &args.gold {
        Some(gold) => {
            let pages = args.pages.clone().unwrap_or_else(|| beside(gold));
            pairs(Some(gold), &pages)?
        }
        None => Vec::new(),
    };
    reads.add_pairs(&pairs);
    let output = match &args.output {
        Some(output) => Some(Directory::check(
            output,
            &reports::STATS,
            args.force.force,
            &reads,
        )?),
        None => None,
    };
    let (counts, segmenter, source) = match (&args.gold, &args.format) {
        _ if !args.indexes.is_empty() => of_index(&args, &filter)?,
        (Some(gold), Some(format)) => of_gold(&args, gold, format, &pairs)?,
        _ => of_inputs(&args, filter.clone(), &inputs, &mut failures)?,
    };
    let analysis = counts.finish();
    let facts = [
        ("source", source),
        ("filter", filter.to_string()),
        ("pages", counted(analysis.pages, "page")),
        ("blocks", counted(analysis.total.blocks, "block")),
        ("segmenter", segmenter),
        ("program", format!("trommel {}", env!("CARGO_PKG_VERSION"))),
    ]
    .map(|(name, value)| (name.to_owned(), value));
    if let Some(output) = &output {
        write_report(output, &args.title, &facts, &analysis)?;
    }
    let mut out = io::stdout().lock();
    match args.json {
        true => writeln!(out, "{}", serde_json::to_string(&analysis)?)?,
        false => out.write_all(printable_lines(&text(&analysis)).as_bytes())?,
    }
    out.flush()?;
    Ok(match failures {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::from(DONE_WITH_FAILURES),
    })
}

fn options(args: &Args) -> DensityOptions {
    let mut options = DensityOptions::default();
    options.min_pages = args.min_pages;
    options.min_repeats = args.min_repeats;
    options.top = args.top;
    options
}

fn segmenter(args: &Args) -> anyhow::Result<Segmenter> {
    let default = || trommel::html::segment::all().first().copied();
    let segmenter = args.segmenter.or_else(default);
    segmenter.context("there is no segmenter")
}

fn shown(paths: &[PathBuf]) -> String {
    let names = paths
        .iter()
        .map(|path| printable(&path.display().to_string()));
    names.collect::<Vec<_>>().join(", ")
}

/// What was counted, the segmenter's name, and where the pages came from.
type Source = (Counted, String, String);

fn of_index(args: &Args, filter: &Filter) -> anyhow::Result<Source> {
    let index = Index::open_all(&index::directories(&args.indexes)?)?;
    let mut counts = Counted::new(options(args), &[]);
    let bar = page_bar(index.pages().count());
    for page in index.pages() {
        let passing = index.passing(page, filter)?;
        if passing.contains(&true) || filter.is_empty() {
            counts.add(&kept(index.page_blocks(page)?, &passing), &[]);
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let segmenter = index.manifest.segmenter.clone();
    Ok((counts, segmenter, format!("index {}", shown(&args.indexes))))
}

fn kept(blocks: Vec<Block>, passing: &[bool]) -> Vec<Block> {
    let both = blocks.into_iter().zip(passing);
    both.filter(|(_, passes)| **passes)
        .map(|(block, _)| block)
        .collect()
}

fn of_gold(args: &Args, gold: &Path, format: &Format, pairs: &[Pair]) -> anyhow::Result<Source> {
    let segmenter = segmenter(args)?;
    if pairs.is_empty() {
        bail!("no page in {}", gold.display());
    }
    let bar = page_bar(pairs.len());
    let done = || bar.inc(1);
    let pages = labelled_pages(pairs, format, &segmenter, args.read.charset(), &done)?;
    bar.finish_and_clear();
    let mut labels = pages.iter().flat_map(|page| page.labels.iter().flatten());
    let labels = match labels.next() {
        Some(GoldLabel::Class(_)) => classes(),
        _ => two_classes(),
    };
    let mut counts = Counted::new(options(args), &labels);
    for page in &pages {
        counts.add(&page.segmentation.blocks, &page.labels);
    }
    let source = format!(
        "gold standard {} ({})",
        shown(&[gold.to_owned()]),
        format.name
    );
    Ok((counts, segmenter.name.to_owned(), source))
}

fn of_inputs(
    args: &Args,
    filter: Filter,
    inputs: &[Input],
    failures: &mut u64,
) -> anyhow::Result<Source> {
    let segmenter = segmenter(args)?;
    let is_filtered = !filter.is_empty();
    let filter = PageFilter::new(filter)?;
    let mut counts = Counted::new(options(args), &[]);
    let cut = |document: Document, page: Page| {
        let subject = Subject::new(&page, &document.docid, &document.url);
        let passing = filter.passing(&subject, &segmenter, &facts_of(&document));
        kept(subject.into_blocks(&segmenter).blocks, &passing)
    };
    *failures = map_pages(inputs, &args.read, cut, |blocks| {
        if !blocks.is_empty() || !is_filtered {
            counts.add(&blocks, &[]);
        }
        Ok(())
    })?;
    Ok((counts, segmenter.name.to_owned(), shown(&args.paths)))
}

fn write_report(
    output: &Directory,
    title: &str,
    facts: &[(String, String)],
    analysis: &Analysis,
) -> anyhow::Result<()> {
    output.create("")?;
    // First what the report is known by.
    let json = format!("{}\n", serde_json::to_string_pretty(analysis)?);
    output.write(reports::STATS.data, json.as_bytes())?;
    for diagram in diagrams(analysis) {
        output.write(&format!("{}.svg", diagram.file), diagram.wide.as_bytes())?;
    }
    Ok(output.write("report.html", html(title, facts, analysis).as_bytes())?)
}
