//! `trommel label`: extractors' verdicts for an index that is there.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use anyhow::bail;
use trommel::index::{Existing, IndexError, LabelOptions, LabelReport, Manifest, Progress, label};

use super::DONE_WITH_FAILURES;
use super::input::list;
use super::options::{counted, extractors, parse_count, threads, warn, warn_of_labels};
use super::progress::{Bar, Show, Todo};

/// Add an extractor's verdicts to an index
///
/// The sources are read again, and must be what they were: every page has to give the blocks that are in the index. Its text is
/// not touched. A search then takes the verdicts by name: --extractor NAME.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Directory of the index
    #[arg(long, value_name = "DIR")]
    index: PathBuf,
    /// Extractor with its parameters, model or outputs; may be given several times; `all` stands for those that need nothing
    /// but the page
    #[arg(long, value_name = "NAME", required = true)]
    extractor: Vec<String>,
    /// Name of the labels [default: the extractor's]
    #[arg(long = "as", value_name = "NAME")]
    name: Option<String>,
    /// Replace labels of the same name
    #[arg(long)]
    replace: bool,
    /// Threads that parse pages [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_count)]
    threads: Option<NonZeroUsize>,
    /// The directory that has the files that were indexed [default: where they were, as seen from the index or from here, and the
    /// directory that the index is in]
    #[arg(long, value_name = "DIR", conflicts_with = "paths")]
    sources: Option<PathBuf>,
    /// The files and directories that were indexed, in the same order, if they are not found
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
}

/// Adds the labels and says on standard error what they keep.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let mut extractors = extractors(&args.extractor)?;
    let all = args.extractor.iter().any(|name| name == "all");
    match (args.name, extractors.as_mut_slice()) {
        (Some(name), _) if name.trim().is_empty() || name.contains(char::is_control) => {
            bail!("--as takes a name of one line")
        }
        (None, []) => bail!("--extractor names no extractor"),
        (Some(name), [only]) => only.name = name,
        (Some(_), _) => bail!("--as names the labels of one extractor"),
        (None, _) => {}
    }
    let mut options = LabelOptions::default()
        .with_extractors(extractors.into_iter().map(Arc::new).collect())
        .with_existing(match (args.replace, all) {
            (true, _) => Existing::Replace,
            // What the index has already is not asked for again.
            (false, true) => Existing::Keep,
            (false, false) => Existing::Refuse,
        })
        .with_threads(threads(args.threads))
        .with_sources(args.sources);
    let inputs = list(&args.paths)?;
    let progress = Arc::new(Progress::default());
    let before = Manifest::read(&args.index)?;
    let sizes: Vec<Option<u64>> = match inputs.as_slice() {
        [] => before.inputs.iter().map(|input| input.bytes).collect(),
        inputs => inputs.iter().map(|input| input.size).collect(),
    };
    let todo = Todo {
        inputs: sizes.len(),
        bytes: sizes.into_iter().sum(),
    };
    let bar = Bar::follow(&progress, todo, Show::Auto);
    let start = Instant::now();
    let mut report = label(&args.index, &inputs, &options, &progress);
    if let Err(error @ IndexError::Busy(_)) = &report {
        anstream::eprintln!("{error}; this goes on then");
        options.wait = true;
        report = label(&args.index, &inputs, &options, &progress);
    }
    drop(bar);
    let LabelReport { manifest, added } = report?;
    warn_of_labels(options.extractors.iter().map(Arc::as_ref), &manifest);
    if added.is_empty() {
        anstream::eprintln!("the index has the labels of all extractors");
        return Ok(ExitCode::SUCCESS);
    }
    for set in manifest
        .extractors
        .iter()
        .filter(|set| added.contains(&set.name))
    {
        anstream::eprintln!(
            "{}: {} of {} are content",
            set.name,
            indicatif::HumanCount(set.content_blocks),
            counted(manifest.counts.blocks, "block")
        );
    }
    anstream::eprintln!("in {:.1} s", start.elapsed().as_secs_f64());
    let failures = progress.failures.load(Relaxed);
    if failures > 0 {
        let pages = counted(failures, "page");
        warn(&format!(
            "an extractor gave up on {pages}, whose blocks count as boilerplate for it"
        ));
        return Ok(ExitCode::from(DONE_WITH_FAILURES));
    }
    Ok(ExitCode::SUCCESS)
}
