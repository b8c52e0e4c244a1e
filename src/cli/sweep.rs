//! `trommel sweep`: measures against thresholds, in one pass over the postings.

use std::collections::BTreeMap;
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
    Base, Existing, FinishedStep, Plan, RUNS, STEPS, Store, StoreError, Swept, Vary, check, lines,
    run_name, sweep, unmatched,
};
use trommel::filter::Filter;
use trommel::index::{Index, Model, Stats};
use trommel::measure::Options;
use trommel::report::sweep::{Width, diagrams, html, markdown, plot, summary, table};
use trommel::trec::Qrels;
use trommel::weight::{Sieve, Template};

use super::filter::FilterArgs;
use super::judging::{JudgingArgs, refuse_two_stdin, some_ids};
use super::options::{
    IndexArgs, counted, names_of_list, parse_count, parse_size, printable, printable_lines,
    threads, warn,
};
use super::output::{Directory, ForceArgs, Reads, reports};
use super::run::TopicArgs;

/// Measures, if none are asked for.
pub(super) const DEFAULT_MEASURES: [&str; 4] = ["P@10", "nDCG@10", "AP", "Judged@10"];

/// Show what each threshold of the block filter does to retrieval
///
/// Searches the topics at every threshold and with every model, reading each posting once, and evaluates against relevance
/// judgments: P@10, nDCG@10, AP and Judged@10, unless -m names others. Each step is exactly what 'trommel run' gives under that
/// filter. All judged topics count, those without results as empty (as with trec_eval -c). The table goes to standard output;
/// --output also keeps the figures, diagrams and a report.
#[derive(clap::Args, Debug)]
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
    /// Thresholds: NAME=A..B, NAME=A..B:STEP or NAME=A,B,… with min-words, max-link-density or any other bound of the filter, or
    /// with a $NAME in --weights. May be given for several NAMEs: each is a series of its own, or with --grid all are one
    #[arg(long, value_name = "NAME=A..B[:STEP]", required = true)]
    vary: Vec<Vary>,
    /// Sweep the first --vary at every combination of the others, instead of each by itself; several $NAMEs need it
    #[arg(long)]
    grid: bool,
    /// Threads that search [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_count)]
    threads: Option<NonZeroUsize>,
    /// Memory for postings; topics that do not fit together are swept in batches (K, M, G)
    #[arg(long, value_name = "SIZE", default_value = "2G", value_parser = parse_size)]
    memory: u64,
    #[command(flatten)]
    filter: FilterArgs,
    /// How much each block counts, with $NAMEs that vary: --weights 'max(confidence(trommel), $floor)' --vary floor=0..0.5:0.05
    #[arg(
        long,
        value_name = "EXPR",
        default_value_t,
        hide_default_value = true,
        allow_hyphen_values = true,
        help_heading = "Ranking"
    )]
    weights: Template,
    /// Also search with these extractors as filters, for comparison; 'all' stands for those that the index has labels of
    #[arg(long, value_name = "NAME,…", help_heading = "Ranking")]
    extractors: Vec<String>,
    /// Ranking model: bm25, qld, qljm or tfidf with its parameters, and +rm3 behind it for feedback: qld:mu=2500+rm3. May be
    /// given several times [default: bm25]
    #[arg(long = "model", value_name = "MODEL", help_heading = "Ranking")]
    models: Vec<Model>,
    /// Collection statistics from the blocks that pass the filter (subset), or from all (collection)
    #[arg(
        long,
        value_name = "subset|collection",
        default_value = "subset",
        help_heading = "Ranking"
    )]
    stats: Stats,
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
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
    /// Also write each step's run file, to the directory 'runs' of the output
    #[arg(long, requires = "output", help_heading = "Output")]
    runs: bool,
    /// Last column of the runs
    #[arg(
        long,
        value_name = "TAG",
        default_value = "trommel",
        help_heading = "Output"
    )]
    tag: String,
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
    /// Print the figures as one JSON object
    #[arg(long, help_heading = "Output")]
    json: bool,
}

/// Sweeps and reports.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
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
    let output = match &args.output {
        Some(output) => Some(Directory::check(
            output,
            &reports::SWEEP,
            args.force,
            &reads,
        )?),
        None => None,
    };
    let index = args.index.open()?;
    let topics = args.topics.queries(args.judging.topic_ids())?;
    let mut warnings = Vec::new();
    let judgments = match &args.qrels {
        Some(path) => Some(args.judging.read_qrels(path, &mut warnings)?),
        None => None,
    };
    warnings.iter().for_each(|text| warn(text));
    let plan = plan(&args, &index)?;
    // Before anything is written: what cannot be swept shall not leave a directory that seems to hold a sweep.
    check(&index, &topics, judgments.as_ref(), &plan)?;
    if let Some(judgments) = &judgments {
        warn_of_unmatched(&topics, judgments);
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
                match &mut store {
                    Some(store) => Ok(store.add(step, run)?),
                    None => Ok(()),
                }
            },
        )
    })?;
    bar.finish_and_clear();
    swept.title.clone_from(&args.title);
    swept.facts = facts(&args, &index, &topics, judgments.as_ref(), &plan)?;
    if let Some(output) = &output {
        write_report(output, &swept)?;
    }
    let mut out = io::stdout().lock();
    if args.json {
        serde_json::to_writer(&mut out, &swept)?;
        writeln!(out)?;
    } else if judgments.is_some() {
        out.write_all(printable_lines(&table(&swept)).as_bytes())?;
        out.write_all(printable_lines(&summary(&swept)).as_bytes())?;
    }
    out.flush()?;
    if let Some(runs) = store.as_ref().and_then(Store::runs) {
        anstream::eprintln!(
            "the run files are in {}",
            printable(&runs.display().to_string())
        );
    }
    Ok(ExitCode::SUCCESS)
}

fn warn_of_unmatched(topics: &[(String, String)], judgments: &Qrels) {
    let (not_searched, not_judged) = unmatched(topics, judgments);
    if !not_searched.is_empty() {
        warn(&format!(
            "judged, but not among the topics, and counted as empty: topics {}",
            some_ids(&not_searched)
        ));
    }
    if !not_judged.is_empty() {
        warn(&format!(
            "left out of the measures, as they are not judged: topics {}",
            some_ids(&not_judged)
        ));
    }
}

fn plan(args: &Args, index: &Index) -> anyhow::Result<Plan> {
    let filter = args.filter.filter();
    let mut models: Vec<Model> = Vec::new();
    for model in &args.models {
        if !models.contains(model) {
            models.push(*model);
        }
    }
    if models.is_empty() {
        models.push(Model::default());
    }
    let selection = args.judging.selection(&DEFAULT_MEASURES)?;
    let mut references = Vec::new();
    if !filter.is_empty() {
        references.push((filter.to_string(), Sieve::from(filter.clone())));
    }
    let labels = || index.manifest.extractors.iter().map(|set| set.name.clone());
    let lists = args.extractors.iter();
    for name in lists.flat_map(|list| names_of_list(list)) {
        let names: Vec<String> = match name.as_str() {
            "all" => labels().collect(),
            _ => vec![name],
        };
        if names.is_empty() {
            bail!("--extractors all: the index has no labels; add some with 'trommel label'");
        }
        for name in names {
            let by_extractor = Sieve::from(Filter::content(&name));
            if references.iter().all(|(_, known)| *known != by_extractor) {
                references.push((name, by_extractor));
            }
        }
    }
    let mut plan = Plan::default();
    let base = Base {
        filter,
        weights: args.weights.clone(),
        ..Base::default()
    };
    plan.grid = args.grid;
    plan.lines = lines(&args.vary, &base, args.grid)?;
    plan.references = references;
    plan.models = models;
    plan.stats = args.stats.clone();
    plan.k = args.k.get();
    plan.measures = selection.measures;
    plan.options = args.judging.options(true);
    plan.folds = args.folds as usize;
    plan.memory = usize::try_from(args.memory).unwrap_or(usize::MAX);
    plan.run_tag = args.runs.then(|| args.tag.clone());
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
        "k": plan.k,
        "runs": plan.run_tag.is_some(),
        "tag": plan.run_tag,
    }))
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
        let of_lines = plan.lines.iter().flat_map(|line| &line.steps);
        let of_lines = of_lines.map(|(_, sieve)| sieve);
        let unfiltered = Sieve::default();
        let references = plan.references.iter().map(|(_, sieve)| sieve);
        for sieve in of_lines.chain(references).chain([&unfiltered]) {
            for model in &plan.models {
                let name = run_name(sieve, &model.to_string());
                output.refuse_read(&format!("{RUNS}/{name}"))?;
            }
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
    index: &Index,
    topics: &[(String, String)],
    judgments: Option<&Qrels>,
    plan: &Plan,
) -> anyhow::Result<Vec<(String, String)>> {
    let path = |path: &Path| printable(&path.display().to_string());
    let models: Vec<String> = plan.models.iter().map(Model::to_string).collect();
    let size = index.size()?;
    let mut facts = vec![
        (
            "index",
            format!(
                "{}: {}, {}, segmenter {}",
                args.index,
                counted(size.pages, "page"),
                counted(size.blocks, "block"),
                index.manifest.segmenter
            ),
        ),
        (
            "topics",
            format!(
                "{}: {}, field {}",
                path(&args.topics.file),
                topics.len(),
                args.topics.field
            ),
        ),
    ];
    if let (Some(file), Some(judgments)) = (&args.qrels, judgments) {
        let pairs: usize = judgments.topics.values().map(BTreeMap::len).sum();
        let text = format!(
            "{}: {} of {}; relevant from grade {}",
            path(file),
            counted(pairs as u64, "judgment"),
            counted(judgments.topics.len() as u64, "topic"),
            plan.options.relevance_level
        );
        facts.push(("judgments", text));
    }
    facts.push(("models", models.join(", ")));
    facts.push((
        "statistics",
        match &plan.stats {
            Stats::Subset => "of the blocks that pass each filter".to_owned(),
            Stats::Collection => "of all blocks".to_owned(),
            Stats::Of(filter) => format!("of the blocks that pass '{filter}'"),
        },
    ));
    if args.weights != Template::default() {
        facts.push(("weights", args.weights.to_string()));
    }
    facts.push(("depth", format!("{} pages for each topic", plan.k)));
    facts.push(("program", format!("trommel {}", env!("CARGO_PKG_VERSION"))));
    let owned = facts
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value));
    Ok(owned.collect())
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
    let mut figures = Vec::new();
    for diagram in diagrams(swept) {
        let file = format!("{}.svg", diagram.file);
        output.write(&file, plot(swept, &diagram, Width::Wide).as_bytes())?;
        figures.push(file);
    }
    let json = format!("{}\n", serde_json::to_string_pretty(swept)?);
    output.write("sweep.json", json.as_bytes())?;
    output.write("report.md", markdown(swept, &figures).as_bytes())?;
    output.write("report.html", html(swept).as_bytes())
}
