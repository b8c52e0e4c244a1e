//! `trommel index`: collection files to an index directory.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use indicatif::HumanBytes;

use super::DONE_WITH_FAILURES;
use super::options::{
    ReadArgs, counted, parse_segmenter, parse_size, shared_extractors, threads, warn,
    warn_of_missing,
};
use super::progress::Bar;
use crate::collection;
use crate::html::segment::Segmenter;
use crate::index::{BuildOptions, BuildReport, Progress, build};
use crate::text::Analyzer;

/// Build an index of web archives (WARC, WET, ARC, WACZ), TREC web, JSONL or HTML files
///
/// Every page is cut into text blocks; each block is indexed with its word count, text density and link density, so that any
/// threshold can be chosen when searching. Damaged records are skipped, counted, and named in the index's ledger.jsonl.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Directory of the index; must be empty or not exist
    #[arg(long, value_name = "DIR")]
    index: PathBuf,
    /// How pages are cut into blocks: boilerpipe, atomic (as in WSDM 2010 §4.1), leaf (text nodes), paragraph (as in jusText),
    /// fusion-plain, fusion-smoothed or fusion-rulebased (Block Fusion)
    #[arg(long, value_name = "NAME", default_value = "boilerpipe", value_parser = parse_segmenter)]
    segmenter: Segmenter,
    /// How text becomes index terms: english (stop words, Porter's stemmer), plain (lower case), none (white space)
    #[arg(long, value_name = "NAME", default_value = "english", value_parser = parse_analyzer)]
    analyzer: Analyzer,
    /// Store the verdicts of these extractors, to be chosen when searching; `all` stands for those that need nothing but the
    /// page
    #[arg(long, value_name = "NAME,…|all")]
    extractors: Vec<String>,
    /// Threads that parse pages [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Memory for the index segments that are being built (K, M, G)
    #[arg(long, value_name = "SIZE", default_value = "512M", value_parser = parse_size)]
    memory: u64,
    /// Give up when more records than this have failed [default: no limit]
    #[arg(long, value_name = "N")]
    max_bad: Option<u64>,
    /// Print the index's manifest to standard output
    #[arg(long)]
    json: bool,
    /// Format of the files: auto, warc, arc, wet, wacz, trecweb, html, jsonl
    #[arg(long, help_heading = "Reading", value_name = "FORMAT", default_value_t)]
    format: collection::Format,
    #[command(flatten)]
    read: ReadArgs,
    /// Files, directories, or '-' for standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

/// Builds the index and says on standard error what is in it.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let inputs = collection::inputs(&args.paths)?;
    let options = BuildOptions {
        reading: args.read.reading(args.format),
        segmenter: args.segmenter,
        analyzer: args.analyzer,
        extractors: shared_extractors(&args.extractors)?,
        threads: threads(args.threads),
        memory: usize::try_from(args.memory).unwrap_or(usize::MAX),
        max_bad: args.max_bad,
    };
    let progress = Arc::new(Progress::default());
    let bar = Bar::follow(&progress, inputs.iter().map(|input| input.size).sum());
    let start = Instant::now();
    let report = build(&args.index, &inputs, &options, &progress);
    drop(bar);
    let report = report?;
    warn_of_missing(options.extractors.iter().map(Arc::as_ref));
    if args.json {
        let mut out = io::stdout().lock();
        serde_json::to_writer_pretty(&mut out, &report.manifest)?;
        writeln!(out)?;
    }
    describe(&args.index, &report, start);
    Ok(match report.failures {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::from(DONE_WITH_FAILURES),
    })
}

fn describe(index: &std::path::Path, report: &BuildReport, start: Instant) {
    let counts = &report.manifest.counts;
    anstream::eprintln!(
        "{}: {}, {}, {}, from {} of HTML, in {:.1} s",
        index.display(),
        counted(counts.pages, "page"),
        counted(counts.blocks, "block"),
        counted(counts.terms, "term"),
        HumanBytes(counts.payload_bytes),
        start.elapsed().as_secs_f64(),
    );
    let lines: Vec<String> = report
        .manifest
        .ledger
        .iter()
        .map(|(reason, n)| format!("{n} {reason}"))
        .collect();
    if !lines.is_empty() {
        anstream::eprintln!("not pages, or not whole: {}", lines.join(", "));
    }
    if report.failures > 0 {
        let ledger = index.join(crate::index::LEDGER);
        let failed = counted(report.failures, "record");
        warn(&format!("{failed} failed; see {}", ledger.display()));
    }
}

fn parse_analyzer(name: &str) -> Result<Analyzer, String> {
    Analyzer::by_name(name).ok_or_else(|| {
        let known = Analyzer::ALL.map(|(name, _)| name).join(", ");
        format!("no analyzer is called '{name}'; there are: {known}")
    })
}
