//! `trommel sweep`: measures against thresholds, in one pass over the postings.

use std::collections::HashSet;
use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use trommel::collection::{sha256_of, sha256_of_file};
use trommel::experiment::agreement;
use trommel::experiment::sweep::{
    Existing, FinishedStep, METADATA, Plan, RUNS, RunTag, STEPS, Store, StoreError, Swept, check,
    run_name, sweep, sweep_of_runs,
};
use trommel::index::{Index, Model, Ranking};
use trommel::measure::Options;
use trommel::provenance::sidecar;
use trommel::report::notes::unmatched_notes;
use trommel::report::sweep::{
    Width, data, diagrams, difference_plot, fitted_summary, fitted_table, html, markdown, plot,
    tables,
};
use trommel::report::{Searched, SweepInputs, sweep_facts};
use trommel::trec::{Qrels, run};
use trommel::weight::{Sieve, Template};

use super::counts::CountsArgs;
use super::judging::{JudgingArgs, refuse_two_stdin};
use super::metadata::RunsOf;
use super::options::{
    IndexArgs, parse_count, parse_size, printable, printable_lines, screen_width, threads, warn,
};
use super::output::{Directory, ForceArgs, Reads, reports};
use super::run::TopicArgs;
use super::steps::StepArgs;
use super::tables::{TableArgs, TableFormat, in_format};

/// Measures, if none are asked for.
pub(super) const DEFAULT_MEASURES: [&str; 4] = ["P@10", "nDCG@10", "AP", "Judged@10"];

/// Show what each threshold of the block filter does to retrieval
///
/// Searches the topics at every threshold and with every model, reading each posting once, and evaluates against relevance
/// judgments: P@10, nDCG@10, AP and Judged@10, unless -m names others. Each step is exactly what 'trommel run' gives under that
/// filter. All judged topics count, those without results as empty (as with trec_eval -c). The table goes to standard output;
/// --output also keeps the figures, diagrams and a report.
#[derive(clap::Args, Debug)]
#[command(mut_arg("vary", |vary| vary.required(true)))]
#[command(mut_arg("directories", |index| index.required(false).required_unless_present("joined")))]
#[command(after_help = "\
Example:
  trommel sweep --index indexes/my --topics topics.xml --qrels qrels.txt \\
      --vary min-words=1..100 --vary min-density=1..20 --model bm25 --model qld --output my-sweep")]
pub struct Args {
    #[command(flatten)]
    index: IndexArgs,
    #[command(flatten)]
    topics: TopicArgs,
    /// Relevance judgments, also packed with gzip or zstd; without them nothing is measured, and --runs must be given
    #[arg(long, value_name = "FILE")]
    qrels: Option<PathBuf>,
    #[command(flatten)]
    steps: StepArgs,
    #[command(flatten)]
    counts: CountsArgs,
    /// Search nothing: report on the runs of such a sweep, joined from those of several indexes by 'trommel join'
    #[arg(long, value_name = "DIR", conflicts_with_all = ["directories", "runs", "resume"], requires = "qrels")]
    joined: Option<PathBuf>,
    /// Threads that search [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_count)]
    threads: Option<NonZeroUsize>,
    /// Memory for postings; topics that do not fit together are swept in batches (K, M, G)
    #[arg(long, value_name = "SIZE", default_value = "2G", value_parser = parse_size)]
    memory: u64,
    /// Pages for each topic
    #[arg(
        short,
        value_name = "N",
        default_value = "1000",
        value_parser = parse_count,
        help_heading = "Ranking"
    )]
    k: NonZeroUsize,
    #[command(flatten, next_help_heading = "Evaluation")]
    judging: JudgingArgs,
    /// Folds of the cross-validated choice of a threshold
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = clap::value_parser!(u32).range(2..), help_heading = "Evaluation")]
    folds: u32,
    /// Directory for sweep.json, report.html, report.md and diagrams; finished steps are written as they come
    #[arg(short, long, value_name = "DIR", help_heading = "Output")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
    /// Also write each step's run file, to the directory 'runs' of the output
    #[arg(long, requires = "output", help_heading = "Output")]
    runs: bool,
    /// Last column of the runs [default: made of model and filter of each, like bm25.min-words=11]
    #[arg(long, value_name = "TAG", help_heading = "Output")]
    tag: Option<String>,
    /// Write no directory 'metadata' that says what each run was made of
    #[arg(long, requires = "runs", help_heading = "Output")]
    no_metadata: bool,
    /// Go on with the sweep of that output directory: only steps that it lacks are ranked
    #[arg(long, requires = "output", help_heading = "Output")]
    resume: bool,
    /// Heading of the report
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "Threshold sweep",
        help_heading = "Output"
    )]
    title: String,
    #[command(flatten, next_help_heading = "Output")]
    tables: TableArgs,
}

/// Sweeps and reports.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    if let Some(joined) = &args.joined {
        return report_joined(&args, joined);
    }
    if args.qrels.is_none() && !args.runs {
        bail!(
            "nothing to do: without --qrels there are no measures; give them, or write run files with --runs"
        );
    }
    refuse_two_stdin([&args.topics.file].into_iter().chain(&args.qrels))?;
    let mut reads = Reads::default();
    reads.add_indexes(&args.index.directories()?);
    reads.add("the file of topics", &args.topics.file);
    if let Some(qrels) = &args.qrels {
        reads.add("the file of judgments", qrels);
    }
    args.counts.add_to(&mut reads);
    let place = |output| Directory::check(output, &reports::SWEEP, args.force.force, &reads);
    let output = args.output.as_deref().map(place).transpose()?;
    let index = args.index.open()?;
    let topics = args.topics.queries(args.judging.topic_ids())?;
    let mut warnings = Vec::new();
    let judgments = match &args.qrels {
        Some(path) => Some(args.judging.read_qrels(path, &mut warnings)?),
        None => None,
    };
    warnings.iter().for_each(|text| warn(text));
    let labels = index.manifest.extractors.iter();
    let labels: Vec<String> = labels.map(|set| set.name.clone()).collect();
    let mut plan = plan(&args, &labels)?;
    plan.shared = args.counts.read_complete()?;
    // Before anything is written: what cannot be swept shall not leave a directory that seems to hold a sweep.
    check(&index, &topics, judgments.as_ref(), &plan)?;
    if let Some(judgments) = &judgments {
        let notes = unmatched_notes(&topics, judgments);
        notes.iter().for_each(|note| warn(note));
        for warning in agreement(&index, &topics, judgments)? {
            warn(&warning);
        }
    }
    let (mut store, finished) = match &output {
        None => (None, Vec::new()),
        Some(output) => {
            let settings = settings(&args, &plan, &topics, judgments.as_ref())?;
            let (store, finished) = open_store(output, &settings, &plan, &args)?;
            (Some(store), finished)
        }
    };

    let bar = progress_bar(&plan, finished.len());
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads(args.threads))
        .build()?;
    let mut swept = pool.install(|| {
        sweep(
            &index,
            &topics,
            judgments.as_ref(),
            &plan,
            finished,
            &mut |step, run| {
                bar.inc(1);
                if let Some(store) = &mut store {
                    store.add(step, run)?;
                }
                Ok(())
            },
        )
    })?;
    bar.finish_and_clear();
    if let (Some(output), false) = (&output, args.no_metadata) {
        write_metadata(&args, output, &index, &topics, &plan)?;
    }
    let size = index.size()?;
    let searched = Searched {
        name: args.index.to_string(),
        pages: size.pages,
        blocks: size.blocks,
        segmenter: &index.manifest.segmenter,
    };
    swept.title.clone_from(&args.title);
    swept.facts = facts(&args, Some(&searched), &topics, judgments.as_ref(), &plan);
    report(&args, &swept, output.as_ref(), judgments.is_some())?;
    if let Some(runs) = store.as_ref().and_then(Store::runs) {
        anstream::eprintln!(
            "the run files are in {}",
            printable(&runs.display().to_string())
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes what the runs were made of, apart from them: whoever takes all files of that folder for runs shall be right.
fn write_metadata(
    args: &Args,
    output: &Directory,
    index: &Index,
    topics: &[(String, String)],
    plan: &Plan,
) -> anyhow::Result<()> {
    let Some(tag) = &plan.run_tag else {
        return Ok(());
    };
    output.create(METADATA)?;
    let runs = RunsOf::new(
        (args.index.directories()?, &index.manifest),
        (&args.topics.file, &args.topics.field),
        (topics, args.judging.topic_ids()),
        &args.counts,
        plan.k,
    )?;
    for (sieve, model) in runs_of(plan) {
        let ranking = Ranking {
            filter: sieve.filter.clone(),
            weights: sieve.weights.clone(),
            model: *model,
            stats: plan.stats.clone(),
            ..Ranking::default()
        };
        let name = sidecar(Path::new(&run_name(&sieve, &model.to_string())));
        let name = format!("{METADATA}/{}", name.display());
        let tag = tag.of(&sieve, &ranking.model, &plan.stats);
        let text = runs.metadata(&ranking, &tag, &output.path().join(&name), None)?;
        output.write(&name, text.as_bytes())?;
    }
    Ok(())
}

/// What is written and printed of a sweep.
fn report(
    args: &Args,
    swept: &Swept,
    output: Option<&Directory>,
    is_judged: bool,
) -> anyhow::Result<()> {
    if let Some(output) = output {
        write_report(output, swept)?;
    }
    let mut out = io::stdout().lock();
    let format = args.tables.format();
    if format == TableFormat::Json {
        serde_json::to_writer(&mut out, swept)?;
        writeln!(out)?;
    } else if is_judged {
        let width = screen_width();
        let text = || {
            // What one wants to know first; the steps may be hundreds.
            let summary = fitted_summary(swept, width);
            format!("{summary}\n{}", fitted_table(swept, width))
        };
        let text = in_format(format, || data(swept), || tables(swept), text);
        out.write_all(printable_lines(&text).as_bytes())?;
    }
    Ok(out.flush()?)
}

/// Reports on runs that were made before.
fn report_joined(args: &Args, runs: &Path) -> anyhow::Result<ExitCode> {
    let Some(qrels) = &args.qrels else {
        bail!("--joined needs --qrels");
    };
    refuse_two_stdin([&args.topics.file, qrels].into_iter())?;
    let mut reads = Reads::default();
    reads.add("the file of topics", &args.topics.file);
    reads.add("the file of judgments", qrels);
    reads.add("the runs", runs);
    args.counts.add_to(&mut reads);
    let place = |output| Directory::check(output, &reports::SWEEP, args.force.force, &reads);
    let output = args.output.as_deref().map(place).transpose()?;
    let topics = args.topics.queries(args.judging.topic_ids())?;
    let mut warnings = Vec::new();
    let judgments = args.judging.read_qrels(qrels, &mut warnings)?;
    warnings.iter().for_each(|text| warn(text));
    let notes = unmatched_notes(&topics, &judgments);
    notes.iter().for_each(|note| warn(note));
    let mut plan = plan(args, &[])?;
    plan.shared = args.counts.read_complete()?;
    let ids = args.judging.topic_ids();
    let run_of = |sieve: &Sieve, model: &str| {
        let path = runs.join(run_name(sieve, model));
        let mut run = run::read_file(&path)?;
        ids.rename_run(&mut run, &path.display().to_string())?;
        anyhow::Ok(run)
    };
    let mut swept = sweep_of_runs(&topics, &judgments, &plan, run_of)?;
    let searched = plan.shared.as_ref().map(|shared| Searched {
        name: match &args.counts.file {
            Some(file) => printable(&file.display().to_string()),
            None => String::new(),
        },
        pages: shared.pages,
        blocks: shared.blocks,
        segmenter: shared.segmenter(),
    });
    swept.title.clone_from(&args.title);
    let searched = searched.as_ref();
    swept.facts = facts(args, searched, &topics, Some(&judgments), &plan);
    report(args, &swept, output.as_ref(), true)?;
    Ok(ExitCode::SUCCESS)
}

fn plan(args: &Args, labels: &[String]) -> anyhow::Result<Plan> {
    let selection = args.judging.selection(&DEFAULT_MEASURES)?;
    let mut plan = args.steps.plan(labels)?;
    plan.k = args.k.get();
    plan.measures = selection.measures;
    plan.options = args.judging.options(true);
    plan.folds = args.folds as usize;
    plan.memory = usize::try_from(args.memory).unwrap_or(usize::MAX);
    let tag = args.tag.clone().map_or(RunTag::OfStep, RunTag::Fixed);
    plan.run_tag = args.runs.then_some(tag);
    Ok(plan)
}

/// What a step's figures depend on besides filter and model: what must be the same for a sweep to be resumed.
fn settings(
    args: &Args,
    plan: &Plan,
    topics: &[(String, String)],
    judgments: Option<&Qrels>,
) -> anyhow::Result<Value> {
    let manifests = args.index.directories()?.into_iter().map(|index| {
        let manifest = index.join(trommel::index::MANIFEST);
        sha256_of_file(&manifest).with_context(|| manifest.display().to_string())
    });
    let index = manifests.collect::<anyhow::Result<Vec<_>>>()?.join(" ");
    // As they were read, with their grades replaced: standard input cannot be read again.
    let qrels = judgments.map(|qrels| serde_json::to_vec(&qrels.topics));
    let qrels = qrels.transpose()?.map(|bytes| sha256_of(&bytes[..]));
    let counts = args.counts.file.as_ref().map(|file| sha256_of_file(file));
    let measures = plan.measures.iter().map(ToString::to_string);
    let Options {
        complete: _,
        relevance_level,
        max_docs,
        judged_only,
        ..
    } = plan.options;
    Ok(json!({
        "trommel": env!("CARGO_PKG_VERSION"),
        "index": index,
        "topics": topics,
        "qrels": qrels.transpose()?,
        "measures": judgments.map(|_| measures.collect::<Vec<_>>()),
        "level": relevance_level,
        "max-docs": max_docs,
        "judged-only": judged_only,
        "stats": plan.stats,
        "counts": counts.transpose()?,
        "k": plan.k,
        "runs": plan.run_tag.is_some(),
        "tag": plan.run_tag,
    }))
}

/// The runs that a plan asks for, each once.
fn runs_of(plan: &Plan) -> Vec<(Sieve, &Model)> {
    let of_lines = plan.lines.iter().flat_map(|line| &line.steps);
    let of_lines = of_lines.map(|(_, sieve)| sieve.clone());
    let references = plan.all_references().into_iter();
    let references = references.map(|(_, sieve)| sieve);
    let mut seen = HashSet::new();
    let sieves = references.chain(of_lines);
    let sieves = sieves.filter(|sieve| seen.insert(sieve.clone()));
    let with_models = |sieve: Sieve| plan.models.iter().map(move |model| (sieve.clone(), model));
    sieves.flat_map(with_models).collect()
}

/// Opens the directory for the finished steps, where nothing may be that is read.
fn open_store(
    output: &Directory,
    settings: &Value,
    plan: &Plan,
    args: &Args,
) -> anyhow::Result<(Store, Vec<FinishedStep>)> {
    output.refuse_read(STEPS)?;
    if plan.run_tag.is_some() {
        for (sieve, model) in runs_of(plan) {
            let name = run_name(&sieve, &model.to_string());
            output.refuse_read(&format!("{RUNS}/{name}"))?;
        }
    }
    let existing = match (args.resume, args.force.force) {
        (true, _) => Existing::Resume,
        (false, true) => Existing::Replace,
        (false, false) => Existing::Refuse,
    };
    Store::open(output.path(), settings, plan, existing).map_err(|error| match error {
        StoreError::HoldsSweep(_) => anyhow!(
            "{error}; --resume goes on with it, --force replaces it, or choose another directory"
        ),
        error => error.into(),
    })
}

fn facts(
    args: &Args,
    searched: Option<&Searched>,
    topics: &[(String, String)],
    judgments: Option<&Qrels>,
    plan: &Plan,
) -> Vec<(String, String)> {
    let path = |path: &Path| printable(&path.display().to_string());
    let weights = &args.steps.sieve.weights;
    let inputs = SweepInputs {
        searched: searched.cloned(),
        topics: path(&args.topics.file),
        num_topics: topics.len(),
        field: &args.topics.field,
        qrels: args.qrels.as_deref().map(path).zip(judgments),
        weights: (*weights != Template::default()).then(|| weights.to_string()),
    };
    sweep_facts(&inputs, plan)
}

fn progress_bar(plan: &Plan, finished: usize) -> ProgressBar {
    let steps: usize = plan.lines.iter().map(|line| line.steps.len()).sum();
    let all = (steps + plan.references.len() + 1) * plan.models.len();
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(all as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos} of {len} steps, {eta} left") {
        bar.set_style(style);
    }
    bar.set_position(finished as u64);
    bar
}

fn write_report(output: &Directory, swept: &Swept) -> anyhow::Result<()> {
    output.create("")?;
    let mut figures = Vec::new();
    for diagram in diagrams(swept) {
        let file = format!("{}.svg", diagram.file);
        if let Some(difference) = difference_plot(swept, &diagram, Width::Wide) {
            let file = format!("{}-difference.svg", diagram.file);
            output.write(&file, difference.as_bytes())?;
            figures.push(file);
        }
        output.write(&file, plot(swept, &diagram, Width::Wide).as_bytes())?;
        figures.push(file);
    }
    let json = format!("{}\n", serde_json::to_string_pretty(swept)?);
    output.write("sweep.json", json.as_bytes())?;
    output.write("report.md", markdown(swept, &figures).as_bytes())?;
    Ok(output.write("report.html", html(swept).as_bytes())?)
}
