//! `trommel index`: collection files to an index directory.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::{self, ExitCode};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use indicatif::{HumanBytes, HumanCount, HumanDuration};
use serde_json::json;
use trommel::collection::{self, Input};
use trommel::html::segment::{self, Segmenter};
use trommel::index::{
    BuildOptions, BuildReport, Estimate, IndexError, Manifest, Progress, Reading, Recorded, Shard,
    ShardReport, build, build_shard, estimate, recorded, recorded_shard,
};
use trommel::text::Analyzer;

use super::input::list;
use super::options::{
    ReadArgs, counted, parse_count, parse_segmenter, parse_size, printable, shared_extractors,
    threads, unknown, warn, warn_of_labels,
};
use super::progress::{Bar, Show, Todo};
use super::{DONE_WITH_FAILURES, interrupt};

/// Build an index of web archives (WARC, WET, ARC, WACZ), TREC web, JSONL, Parquet or HTML files
///
/// Every page is cut into text blocks; each block is indexed with its word count, text density and link density, so that any
/// threshold can be chosen when searching. Damaged records are skipped, counted, and named in the index's ledger.jsonl.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Directory of the index; must be empty or not exist, but with --resume and --shard
    #[arg(long, value_name = "DIR", required_unless_present = "dry_run")]
    index: Option<PathBuf>,
    /// How pages are cut into blocks: boilerpipe, atomic (as in WSDM 2010 §4.1), leaf (text nodes), paragraph (as in jusText),
    /// fusion-plain, fusion-smoothed or fusion-rulebased (Block Fusion)
    /// [default: boilerpipe]
    #[arg(long, value_name = "NAME", value_parser = parse_segmenter)]
    segmenter: Option<Segmenter>,
    /// How text becomes index terms: english (stop words, Porter's stemmer), another language (stop words, Snowball's stemmer), cjk
    /// (bigrams of scripts without spaces), plain (lower case), none (white space) [default: english]
    #[arg(long, value_name = "NAME", value_parser = parse_analyzer, long_help = analyzers())]
    analyzer: Option<Analyzer>,
    /// Store the verdicts of these extractors, to be chosen when searching; `all` stands for those that need nothing but the
    /// page
    #[arg(long, value_name = "NAME,…|all")]
    extractors: Vec<String>,
    /// Leave out the postings by page, about a tenth of the index: searches are as exact without them, and slower
    #[arg(long)]
    no_page_postings: bool,
    /// Threads that parse pages; no more of them work than --memory is enough for, at 32 MB each [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_count)]
    threads: Option<NonZeroUsize>,
    /// Bound on memory, but for 300 MB (K, M, G): when three quarters of it hold pages that are not on disk yet, a part of the index
    /// is written
    #[arg(long, value_name = "SIZE", default_value = "512M", value_parser = parse_size)]
    memory: u64,
    /// Give up when more records than this have failed [default: no limit]
    #[arg(long, value_name = "N")]
    max_bad: Option<u64>,
    /// Go on with a build that was interrupted, from the last part that it finished; options and files are those that it had,
    /// and others are refused
    #[arg(long)]
    resume: bool,
    /// Build the k-th of N shards of the files, in shard-k-of-N of the directory; nothing is done if it is there
    #[arg(long, value_name = "k/N")]
    shard: Option<Shard>,
    /// Name of this attempt at the shard, of which there may be several at the same time [default: the process's number]
    #[arg(long, value_name = "ID", requires = "shard", value_parser = parse_attempt)]
    attempt: Option<String>,
    /// Index the beginnings of some files in a temporary directory, and say what all of them would take: pages, time, disk, memory
    #[arg(long, conflicts_with = "resume")]
    dry_run: bool,
    /// How far the build has come, on standard error
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Show::Auto)]
    progress: Show,
    /// Print the index's manifest to standard output; of a shard a report with the manifest in it
    #[arg(long)]
    json: bool,
    /// Format of the files: auto, warc, arc, wet, wacz, trecweb, html, jsonl, parquet [default: auto]
    #[arg(
        long = "input-format",
        alias = "format",
        help_heading = "Reading",
        value_name = "FORMAT"
    )]
    format: Option<collection::Format>,
    #[command(flatten)]
    read: ReadArgs,
    /// Files, directories, or '-' for standard input; with --resume those that the build had
    #[arg(required_unless_present = "resume", value_name = "PATH")]
    paths: Vec<PathBuf>,
}

impl Args {
    /// What the build that is to be gone on with was asked for.
    fn recorded(&self, attempt: &str) -> Result<Option<Recorded>, IndexError> {
        match (&self.index, self.shard) {
            (Some(directory), None) if self.resume => recorded(directory),
            (Some(directory), Some(shard)) if self.resume => {
                recorded_shard(directory, shard, attempt)
            }
            _ => Ok(None),
        }
    }

    /// What is asked for now, and for the rest what was asked for then.
    fn options(&self, recorded: Option<Recorded>) -> anyhow::Result<BuildOptions> {
        let page_postings = recorded.as_ref().is_none_or(|then| then.page_postings);
        let (reading, segmenter, analyzer, extractors) = match recorded {
            Some(then) => (then.reading, then.segmenter, then.analyzer, then.extractors),
            None => (
                Reading::default(),
                segment::all()[0],
                Analyzer::English,
                Vec::new(),
            ),
        };
        let extractors = match self.extractors.as_slice() {
            [] => extractors,
            given => given.to_vec(),
        };
        Ok(BuildOptions::default()
            .with_reading(self.read.reading_over(reading, self.format))
            .with_segmenter(self.segmenter.unwrap_or(segmenter))
            .with_analyzer(self.analyzer.unwrap_or(analyzer))
            .with_extractors(shared_extractors(&extractors)?)
            .with_page_postings(page_postings && !self.no_page_postings)
            .with_threads(threads(self.threads))
            .with_memory(usize::try_from(self.memory).unwrap_or(usize::MAX))
            .with_max_bad(self.max_bad)
            .with_allow_empty(false)
            .with_resume(self.resume))
    }
}

/// Builds the index and says on standard error what is in it.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let attempt = args.attempt.clone();
    let attempt = attempt.unwrap_or_else(|| process::id().to_string());
    let recorded = args.recorded(&attempt)?;
    let inputs = match (&recorded, args.paths.as_slice()) {
        (_, []) if args.shard.is_some() => bail!("--shard needs the files of all shards"),
        (Some(recorded), []) => recorded.inputs.clone(),
        (None, []) => bail!("there is no build to go on with: name the files"),
        (_, paths) => list(paths)?,
    };
    let options = args.options(recorded)?;
    let working = options.threads_within_memory();
    if working < options.threads {
        warn(&format!(
            "--memory is enough for {} at work, and not for {}",
            counted(working as u64, "thread"),
            options.threads
        ));
    }
    let progress = Arc::new(Progress::default());
    if args.dry_run {
        let files = args.shard.map_or(&inputs[..], |shard| shard.files(&inputs));
        return dry_run(files, &options, args.json);
    }
    let directory = args.index.context("--index is missing")?;
    if inputs.iter().all(|input| input.size.is_some()) {
        interrupt::say(format!(
            "stopped; the parts that are finished stay: go on with 'trommel index --index {} --resume{}",
            printable(&directory.display().to_string()),
            match args.shard {
                Some(shard) => format!(" --shard {shard}' and the same files"),
                None => "'".to_owned(),
            }
        ));
    }
    let bar = |inputs: &[Input]| {
        let todo = Todo {
            inputs: inputs.len(),
            bytes: inputs.iter().map(|input| input.size).sum(),
        };
        Bar::follow(&progress, todo, args.progress)
    };
    let start = Instant::now();
    let mut out = io::stdout().lock();
    let report = match args.shard {
        None => {
            let bar = bar(&inputs);
            let report = build(&directory, &inputs, &options, &progress);
            bar.end(report.is_ok());
            let report = report?;
            if args.json {
                serde_json::to_writer_pretty(&mut out, &report.manifest)?;
                writeln!(out)?;
            }
            describe(&directory, &report, start, args.progress);
            report
        }
        Some(shard) => {
            let bar = bar(shard.files(&inputs));
            let built = build_shard(&directory, shard, &attempt, &inputs, &options, &progress);
            bar.end(built.is_ok());
            let ShardReport {
                directory,
                already_built,
                report,
            } = built?;
            if args.json {
                let line = json!({
                    "shard": shard.number,
                    "shards": shard.count,
                    "index": directory,
                    "attempt": attempt,
                    "already_built": already_built,
                    "seconds": start.elapsed().as_secs_f64(),
                    "failures": report.failures,
                    "manifest": report.manifest,
                });
                writeln!(out, "{line}")?;
            }
            match already_built {
                true if args.progress == Show::Json => {}
                true => anstream::eprintln!("{} is there already", directory.display()),
                false => describe(&directory, &report, start, args.progress),
            }
            report
        }
    };
    warn_of_labels(options.extractors.iter().map(Arc::as_ref), &report.manifest);
    Ok(match report.failures {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::from(DONE_WITH_FAILURES),
    })
}

/// Says what an index of the files would take.
fn dry_run(inputs: &[Input], options: &BuildOptions, json: bool) -> anyhow::Result<ExitCode> {
    let directory = tempfile::TempDir::new()?;
    let estimate = estimate(directory.path(), inputs, options, &Progress::default())?;
    let mut out = io::stdout().lock();
    if json {
        serde_json::to_writer_pretty(&mut out, &estimate)?;
        writeln!(out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let Estimate {
        bytes,
        sample_bytes,
        pages,
        blocks,
        seconds,
        index_bytes,
        memory_bytes,
        ..
    } = estimate;
    let lines = [
        ("pages", format!("about {}", HumanCount(pages))),
        ("blocks", format!("about {}", HumanCount(blocks))),
        (
            "time",
            format!(
                "about {} with {}",
                HumanDuration(Duration::from_secs_f64(seconds)),
                counted(options.threads_within_memory() as u64, "thread")
            ),
        ),
        ("disk", format!("about {}", HumanBytes(index_bytes))),
        (
            "memory",
            format!("at most {} and 300 MB more", HumanBytes(memory_bytes)),
        ),
        (
            "sample",
            format!(
                "{} of {}, from {} of {}: {}, {:.1} s",
                HumanBytes(sample_bytes),
                HumanBytes(bytes),
                estimate.sample_inputs,
                counted(estimate.inputs as u64, "file"),
                counted(estimate.sample_pages, "page"),
                estimate.sample_seconds,
            ),
        ),
    ];
    for (what, amount) in lines {
        writeln!(out, "{what:<7} {amount}")?;
    }
    if estimate.sample_failures > 0 {
        let failed = counted(estimate.sample_failures, "record");
        warn(&format!("{failed} of the sample failed"));
    }
    Ok(ExitCode::SUCCESS)
}

/// A name that is part of a file's.
fn parse_attempt(name: &str) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    match !name.is_empty() && name.len() <= 100 && name.chars().all(plain) {
        true => Ok(name.to_owned()),
        false => Err("an attempt's name is up to 100 letters, digits, '-', '_' and '.'".to_owned()),
    }
}

/// Says what was built, and warns of what failed.
fn describe(index: &std::path::Path, report: &BuildReport, start: Instant, show: Show) {
    // The last object has the figures for programs.
    if show != Show::Json {
        summary(index, &report.manifest, start);
    }
    if report.failures > 0 {
        let ledger = index.join(trommel::index::LEDGER);
        let failed = counted(report.failures, "record");
        warn(&format!("{failed} failed; see {}", ledger.display()));
    }
}

fn summary(index: &std::path::Path, manifest: &Manifest, start: Instant) {
    let counts = &manifest.counts;
    anstream::eprintln!(
        "{}: {}, {}, {}, from {} of HTML, in {:.1} s",
        index.display(),
        counted(counts.pages, "page"),
        counted(counts.blocks, "block"),
        counted(counts.terms, "term"),
        HumanBytes(counts.payload_bytes),
        start.elapsed().as_secs_f64(),
    );
    let lines: Vec<String> = manifest
        .ledger
        .iter()
        .map(|(reason, n)| format!("{n} {reason}"))
        .collect();
    if !lines.is_empty() {
        anstream::eprintln!("not pages, or not whole: {}", lines.join(", "));
    }
}

/// What `--help` says of the analyzers.
fn analyzers() -> String {
    let languages = Analyzer::all().filter(|analyzer| matches!(analyzer, Analyzer::Snowball(_)));
    let languages: Vec<&str> = languages.map(Analyzer::name).collect();
    format!(
        "How text becomes index terms [default: english]\n\n\
         english: without Lucene's stop words, Porter's stemmer\n\
         cjk: pairs of characters of scripts that are written without spaces (Chinese, Japanese, Korean, Thai), lower case\n\
         plain: lower case\n\
         none: what stands between white space, as it is\n\n\
         Without the stop words of a language, with Snowball's stemmer: {}",
        languages.join(", ")
    )
}

fn parse_analyzer(name: &str) -> Result<Analyzer, String> {
    Analyzer::by_name(name).ok_or_else(|| {
        let known = Analyzer::all().map(Analyzer::name);
        unknown("analyzer", name, known.collect())
    })
}
