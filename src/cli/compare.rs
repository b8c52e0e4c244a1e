//! `trommel compare`: runs against a baseline, topic by topic.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use trommel::experiment::{CompareOptions, Compared, ComparedRun};
use trommel::measure::significance::Test;
use trommel::measure::{Aggregate, Agreement, Evaluation, Measure, evaluate};
use trommel::report::compare::{by_topic, data, data_by_topic, json, table, text};
use trommel::report::notes::some_ids;

use super::judging::{JudgingArgs, print, refuse_two_stdin, run_names};
use super::options::{parse_test, screen_width, warn};
use super::tables::{TableArgs, TableFormat, in_format};

/// Measures, if none are asked for.
const DEFAULT_MEASURES: [&str; 3] = ["P@10", "nDCG@10", "AP"];

/// Compare runs with a baseline, topic by topic, with paired tests
///
/// For each measure (P@10, nDCG@10 and AP, unless -m names others) and run: the mean difference with its 95 % interval, effect size
/// (d_z), topics won, tied and lost, and p, also corrected for the number of runs (Holm). All runs are measured on the same topics; one
/// that lacks a topic counts as empty there.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Example:
  trommel compare -m AP --folds 10 qrels.txt unfiltered.run min-words-11.run min-words-20.run")]
pub struct Args {
    /// Count all judged topics, not only those that any of the runs has
    #[arg(short = 'c', long)]
    complete: bool,
    #[command(flatten)]
    judging: JudgingArgs,
    /// Paired test: randomization, t, wilcoxon
    #[arg(long, value_name = "TEST", default_value = "randomization", value_parser = parse_test)]
    test: Test,
    /// Also estimate what choosing among the RUNs gives: the best on K-1 of K folds of the topics, measured on the other one
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(2..))]
    folds: Option<u32>,
    /// Seed of random signs and folds
    #[arg(long, value_name = "N", default_value_t = 2010)]
    seed: u64,
    /// Show the scores of each topic, too
    #[arg(short = 'q', long)]
    per_topic: bool,
    #[command(flatten)]
    tables: TableArgs,
    /// Relevance judgments, also packed with gzip or zstd; `-` reads standard input
    qrels: PathBuf,
    /// The run that the others are compared with
    #[arg(value_name = "BASELINE-RUN")]
    baseline: PathBuf,
    /// Run files, also packed; `-` reads standard input
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
}

/// Compares, and prints tables or JSON.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    if args.folds.is_some() && args.runs.len() < 2 {
        bail!("--folds chooses among runs; name two or more after the baseline");
    }
    let paths: Vec<&PathBuf> = std::iter::once(&args.baseline).chain(&args.runs).collect();
    refuse_two_stdin(paths.iter().copied().chain([&args.qrels]))?;
    let mut warnings = Vec::new();
    let measures = measures(&args.judging, &mut warnings)?;
    let qrels = args.judging.read_qrels(&args.qrels, &mut warnings)?;
    // All judged topics, in the same order for each run; those that no run has go below.
    let options = args.judging.options(true);
    let mut evaluations: Vec<(&Path, Evaluation)> = Vec::new();
    let mut agreement = Agreement::default();
    for path in paths {
        let run = args.judging.read_run(path)?;
        warnings.extend(agreement.add(&run, &qrels, &path.display().to_string())?);
        let evaluation = evaluate(&qrels, &run, &measures, &options)?;
        evaluations.push((path, evaluation));
    }
    warnings.extend(agreement.finish()?);
    let topics = same_topics(&mut evaluations, args.complete, &mut warnings);
    if topics.is_empty() {
        bail!("no topic of the runs is judged in {}", args.qrels.display());
    }
    for warning in &warnings {
        warn(warning);
    }
    let names = run_names(&evaluations);
    let systems: Vec<ComparedRun> = names
        .iter()
        .zip(&evaluations)
        .map(|(name, (path, evaluation))| ComparedRun {
            name,
            path,
            evaluation,
        })
        .collect();
    let Some((baseline, systems)) = systems.split_first() else {
        bail!("no run is given");
    };
    let mut options = CompareOptions::default();
    options.test = args.test;
    options.folds = args.folds.map(|folds| folds as usize);
    options.seed = args.seed;
    let all: Vec<Compared> = measures
        .iter()
        .enumerate()
        .map(|(at, measure)| Compared::new(measure, at, baseline, systems, &options))
        .collect();
    let test = args.test.name;
    let format = args.tables.format();
    if format == TableFormat::Json {
        let texts = all.iter().enumerate().map(|(at, compared)| {
            let by_topic = args.per_topic.then_some(at);
            json(compared, &topics, test, by_topic)
        });
        return print(&texts.collect::<String>());
    }
    let width = screen_width();
    let by_topic = || {
        all.iter()
            .enumerate()
            .map(|(at, it)| by_topic(it, at, &topics))
    };
    print(&in_format(
        format,
        || match args.per_topic {
            true => data_by_topic(&all, &topics),
            false => data(&all, &topics, test),
        },
        || {
            let mut tables = vec![table(&all, &topics, test)];
            if args.per_topic {
                tables.extend(by_topic());
            }
            tables
        },
        || {
            let mut texts: Vec<String> = all
                .iter()
                .map(|it| text(it, &topics, test, width))
                .collect();
            if args.per_topic {
                let tables = by_topic().map(|it| format!("{}\n{}", it.caption, it.fitted(width)));
                texts.extend(tables);
            }
            texts.join("\n")
        },
    ))
}

/// The measures that are means over topics: others cannot be compared topic by topic.
fn measures(judging: &JudgingArgs, warnings: &mut Vec<String>) -> anyhow::Result<Vec<Measure>> {
    let selection = judging.selection(&DEFAULT_MEASURES)?;
    let is_mean = |measure: &Measure| measure.family().aggregate == Aggregate::Mean;
    let (means, others): (Vec<Measure>, Vec<Measure>) =
        selection.measures.into_iter().partition(is_mean);
    let others: Vec<String> = others.iter().map(Measure::to_string).collect();
    let others = others.join(", ");
    if means.is_empty() {
        bail!("no mean over topics, which is what can be compared: {others}");
    }
    if !others.is_empty() {
        warnings.push(format!(
            "left out, as they are no means over topics: {others}"
        ));
    }
    Ok(means)
}

/// Leaves the same topics in all evaluations, and gives their ids: the judged ones that some run has, or with `complete` all. Says
/// what was left out or counted as empty.
fn same_topics(
    evaluations: &mut [(&Path, Evaluation)],
    complete: bool,
    warnings: &mut Vec<String>,
) -> Vec<String> {
    // All of these lists are sorted.
    let in_no_run: Vec<String> = match evaluations.split_first() {
        None => Vec::new(),
        Some(((_, first), others)) => {
            let missing = |topic: &&String| {
                let mut others = others.iter();
                others.all(|(_, other)| other.missing_topics.binary_search(topic).is_ok())
            };
            first
                .missing_topics
                .iter()
                .filter(missing)
                .cloned()
                .collect()
        }
    };
    let unjudged = evaluations.iter().flat_map(|(_, e)| &e.unjudged_topics);
    let mut unjudged: Vec<String> = unjudged.cloned().collect();
    unjudged.sort();
    unjudged.dedup();
    let mut say = |path: Option<&Path>, what: &str, topics: &[String]| {
        if !topics.is_empty() {
            let path = path.map_or(String::new(), |path| format!("{}: ", path.display()));
            warnings.push(format!("{path}{what}: topics {}", some_ids(topics)));
        }
    };
    say(None, "left out, as they are not judged", &unjudged);
    let fate = match complete {
        true => "judged, but in no run, and counted as empty",
        false => "judged, but in no run, and left out (-c counts them as empty)",
    };
    say(None, fate, &in_no_run);
    for (path, evaluation) in evaluations.iter_mut() {
        let missing = &mut evaluation.missing_topics;
        missing.retain(|topic| in_no_run.binary_search(topic).is_err());
        let fate = "not in the run, but in another, and counted as empty";
        say(Some(path), fate, missing);
        if !complete {
            let topics = &mut evaluation.topics;
            topics.retain(|topic| in_no_run.binary_search(&topic.topic).is_err());
        }
    }
    evaluations.first().map_or_else(Vec::new, |(_, first)| {
        first.topics.iter().map(|t| t.topic.clone()).collect()
    })
}
