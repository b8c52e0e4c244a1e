//! `trommel compare`: runs against a baseline, topic by topic.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use serde_json::{Value, json};

use super::judging::{Agreement, JudgingArgs, print, refuse_two_stdin, run_names, some_ids};
use super::options::{counted, p_value, parse_test, printable, warn};
use trommel::measure::significance::{
    Comparison, Corrected, LEVEL, Test, compare, corrected, family,
};
use trommel::measure::{
    Aggregate, CrossValidated, Evaluation, Measure, cross_validate, cross_validated_p, evaluate,
};
use trommel::report::Table;

/// Measures, if none are asked for.
const DEFAULT_MEASURES: [&str; 3] = ["P@10", "nDCG@10", "AP"];

/// The row of a choice by cross-validation.
const CROSS_VALIDATED: &str = "cross-validated";

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
    /// A JSON object a line for each measure and run
    #[arg(long)]
    json: bool,
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
        agreement.add(&run, path, &qrels, &mut warnings)?;
        let evaluation = evaluate(&qrels, &run, &measures, &options)?;
        evaluations.push((path, evaluation));
    }
    agreement.finish(&mut warnings)?;
    let topics = same_topics(&mut evaluations, args.complete, &mut warnings);
    if topics.is_empty() {
        bail!("no topic of the runs is judged in {}", args.qrels.display());
    }
    for warning in &warnings {
        warn(warning);
    }
    let names = run_names(&evaluations);
    let systems: Vec<System> = names
        .iter()
        .zip(&evaluations)
        .map(|(name, (path, evaluation))| System {
            name,
            path,
            evaluation,
        })
        .collect();
    let Some((baseline, systems)) = systems.split_first() else {
        bail!("no run is given");
    };
    let texts = measures.iter().enumerate().map(|(at, measure)| {
        let compared = Compared::new(measure, at, baseline, systems, &args);
        match args.json {
            true => compared.json(&topics, &args),
            false => compared.text(&topics, &args),
        }
    });
    let texts: Vec<String> = texts.collect();
    print(&texts.join(if args.json { "" } else { "\n" }))
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

/// A run.
struct System<'a> {
    name: &'a str,
    path: &'a Path,
    evaluation: &'a Evaluation,
}

impl System<'_> {
    fn scores(&self, measure: usize) -> Vec<f64> {
        let topics = self.evaluation.topics.iter();
        topics.map(|topic| topic.scores[measure]).collect()
    }
}

/// All runs by one measure.
struct Compared<'a> {
    measure: &'a Measure,
    baseline: &'a System<'a>,
    /// Each run with its comparison and the p-value corrected for all of them.
    runs: Vec<(&'a System<'a>, Comparison, Corrected)>,
    /// What was chosen by cross-validation, compared with the baseline; p is that of the whole procedure.
    chosen: Option<(CrossValidated, Comparison)>,
}

impl<'a> Compared<'a> {
    fn new(
        measure: &'a Measure,
        at: usize,
        baseline: &'a System<'a>,
        systems: &'a [System<'a>],
        args: &Args,
    ) -> Self {
        let base = baseline.scores(at);
        let scores: Vec<Vec<f64>> = systems.iter().map(|system| system.scores(at)).collect();
        let compare = |scores: &Vec<f64>| compare(&base, scores, &args.test, args.seed);
        let comparisons: Vec<Comparison> = scores.iter().map(compare).collect();
        let tested: Vec<(usize, f64)> = comparisons.iter().map(|c| (at, c.p)).collect();
        let chosen = args.folds.map(|folds| {
            let candidates: Vec<&[f64]> = scores.iter().map(Vec::as_slice).collect();
            let chosen = cross_validate(&candidates, folds as usize, args.seed);
            let comparison = Comparison {
                // A plain test takes the choices for given, and so does a plain interval.
                p: cross_validated_p(&base, &candidates, folds as usize, args.seed),
                interval: [f64::NEG_INFINITY, f64::INFINITY],
                ..compare(&chosen.scores)
            };
            (chosen, comparison)
        });
        let runs = systems.iter().zip(comparisons).zip(corrected(&tested));
        Compared {
            measure,
            baseline,
            runs: runs.map(|((run, c), holm)| (run, c, holm)).collect(),
            chosen,
        }
    }

    fn text(&self, topics: &[String], args: &Args) -> String {
        let mut table = Table::new([
            "run",
            "mean",
            "Δ",
            "95% interval of Δ",
            "d_z",
            "wins",
            "ties",
            "losses",
            "p",
            "p (Holm)",
        ]);
        let name = |system: &System| printable(system.name);
        let mean = self.runs.first().map_or(0.0, |(_, c, _)| c.baseline);
        table.push([format!("{} (baseline)", name(self.baseline)), four(mean)]);
        for (run, comparison, holm) in &self.runs {
            table.push(cells(name(run), comparison, p_value(holm.p)));
        }
        let mut notes = String::new();
        if let Some((chosen, comparison)) = &self.chosen {
            let row = cells(CROSS_VALIDATED.to_owned(), comparison, "–".to_owned());
            table.push(row);
            let times = |number| chosen.folds.iter().filter(|f| f.chosen == number).count();
            let counts: Vec<String> = (0..self.runs.len())
                .filter(|number| times(*number) > 0)
                .map(|number| format!("{} ({})", name(self.runs[number].0), times(number)))
                .collect();
            notes = format!(
                "{CROSS_VALIDATED}: each topic under the run that is best on the other folds (chosen in {}: {}); \
                 p: randomization of the whole choice\n",
                counted(chosen.folds.len() as u64, "fold"),
                counts.join(", ")
            );
        }
        format!(
            "{}: {}, {} test; p (Holm) is corrected for {}\n{}{notes}",
            self.measure,
            counted(topics.len() as u64, "topic"),
            args.test.name,
            family(self.runs.len(), "run", &self.measure.to_string()),
            table.text()
        )
    }

    fn json(&self, topics: &[String], args: &Args) -> String {
        let object = |name: &str, path: Option<&Path>, c: &Comparison, holm: Option<&Corrected>| {
            json!({
                "measure": self.measure.to_string(),
                "run": name,
                "file": path.map(|path| path.display().to_string()),
                "baseline": self.baseline.name,
                "num_topics": topics.len(),
                "baseline_mean": c.baseline,
                "mean": c.mean,
                "difference": c.difference,
                "interval": c.interval,
                "interval_level": LEVEL,
                "effect_size": c.effect_size,
                "wins": c.wins,
                "ties": c.ties,
                "losses": c.losses,
                "test": args.test.name,
                "p": c.p,
                "p_holm": holm.map(|holm| holm.p),
                "holm_family": holm.map(|holm| holm.family),
            })
        };
        let runs = self.runs.iter();
        let mut lines: Vec<Value> = runs
            .map(|(run, c, holm)| object(run.name, Some(run.path), c, Some(holm)))
            .collect();
        if let Some((chosen, comparison)) = &self.chosen {
            let folds = chosen.folds.iter().map(|fold| {
                let ids: Vec<&String> = fold.topics.iter().map(|topic| &topics[*topic]).collect();
                json!({"topics": ids, "chosen": self.runs[fold.chosen].0.name})
            });
            let folds: Vec<Value> = folds.collect();
            let mut line = object(CROSS_VALIDATED, None, comparison, None);
            line["test"] = "randomization".into();
            line["folds"] = folds.into();
            lines.push(line);
        }
        lines.iter().map(|line| format!("{line}\n")).collect()
    }
}

fn four(value: f64) -> String {
    format!("{value:.4}")
}

/// The cells of a comparison, name and corrected p-value given.
fn cells(name: String, comparison: &Comparison, p_holm: String) -> [String; 10] {
    let signed = |value: f64| format!("{value:+.4}");
    let [low, high] = comparison.interval;
    let interval = match low.is_finite() {
        true => format!("{} to {}", signed(low), signed(high)),
        false => "–".to_owned(),
    };
    [
        name,
        four(comparison.mean),
        signed(comparison.difference),
        interval,
        format!("{:+.2}", comparison.effect_size),
        comparison.wins.to_string(),
        comparison.ties.to_string(),
        comparison.losses.to_string(),
        p_value(comparison.p),
        p_holm,
    ]
}
