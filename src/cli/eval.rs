//! `trommel eval`: runs against relevance judgments.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use trommel::measure::{
    Agreement, Evaluation, FormatOptions, Measure, Needs, evaluate, ndeval_format, trec_eval_format,
};
use trommel::report::eval::{json, table};
use trommel::report::notes::topic_notes;

use super::judging::{JudgingArgs, print, refuse_two_stdin, run_names};
use super::options::{screen_width, warn};
use super::tables::written;

/// Measures of the formats that show runs side by side, if none are asked for.
const DEFAULT_MEASURES: [&str; 7] = [
    "P@10",
    "nDCG@10",
    "AP",
    "RR",
    "Bpref",
    "R@1000",
    "Judged@10",
];

/// Evaluate runs against relevance judgments, with trec_eval's semantics.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Print each topic too
    #[arg(short = 'q', long)]
    per_topic: bool,
    /// Average over all judged topics; those missing from a run count as empty
    #[arg(short = 'c', long)]
    complete: bool,
    #[command(flatten)]
    judging: JudgingArgs,
    /// Output format [default: trec_eval for one run, table for several]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Relevance judgments, also packed with gzip or zstd; `-` reads standard input
    qrels: PathBuf,
    /// Run files, also packed; `-` reads standard input
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// As trec_eval prints it, byte for byte
    #[value(name = "trec_eval", alias = "trec-eval")]
    TrecEval,
    /// A row a run, a column a measure
    #[value(alias = "text")]
    Table,
    /// A JSON object a line for each run
    Json,
    /// As ndeval prints it: a CSV file with a line a topic
    Ndeval,
    /// Comma-separated values
    Csv,
    /// A LaTeX table, for papers
    Latex,
    /// A table of Markdown
    Markdown,
}

/// Measures that ndeval prints.
const NDEVAL_MEASURES: [&str; 9] = [
    "ERR_IA@5,ERR_IA@10,ERR_IA@20",
    "nERR_IA@5,nERR_IA@10,nERR_IA@20",
    "alpha_DCG@5,alpha_DCG@10,alpha_DCG@20",
    "alpha_nDCG@5,alpha_nDCG@10,alpha_nDCG@20",
    "NRBP",
    "nNRBP",
    "AP_IA",
    "P_IA@5,P_IA@10,P_IA@20",
    "StRecall@5,StRecall@10,StRecall@20",
];

/// Runs the subcommand: scores to standard output, warnings to standard error.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let report = report(&args)?;
    for warning in &report.warnings {
        warn(warning);
    }
    print(&report.text)
}

struct Report {
    text: String,
    warnings: Vec<String>,
}

fn report(args: &Args) -> anyhow::Result<Report> {
    refuse_two_stdin(args.runs.iter().chain([&args.qrels]))?;
    let format = args.format.unwrap_or(match args.runs.as_slice() {
        [_] => Format::TrecEval,
        _ => Format::Table,
    });
    let selection = args.judging.selection(match format {
        Format::TrecEval => &["official"],
        Format::Ndeval => &NDEVAL_MEASURES,
        _ => &DEFAULT_MEASURES,
    })?;
    let options = args.judging.options(args.complete);
    let mut warnings = Vec::new();
    let qrels = args.judging.read_qrels(&args.qrels, &mut warnings)?;
    let of_groups = |measure: &&Measure| measure.family().needs == Needs::Groups;
    if qrels.groups.is_empty()
        && let Some(measure) = selection.measures.iter().find(of_groups)
    {
        warnings.push(format!(
            "{}: the second column is the same all through; each topic is the one subtopic of itself for {measure}",
            args.qrels.display()
        ));
    }
    let mut evaluations = Vec::new();
    let mut agreement = Agreement::default();
    for path in &args.runs {
        let run = args.judging.read_run(path)?;
        warnings.extend(agreement.add(&run, &qrels, &path.display().to_string())?);
        let evaluation = evaluate(&qrels, &run, &selection.measures, &options)?;
        if evaluation.topics.is_empty() {
            bail!(
                "no topic of {} is judged in {}",
                path.display(),
                args.qrels.display()
            );
        }
        warnings.extend(topic_warnings(path, &evaluation, args.complete));
        evaluations.push((path.as_path(), evaluation));
    }
    warnings.extend(agreement.finish()?);
    let text = match format {
        Format::TrecEval => {
            let options = FormatOptions::default()
                .with_per_topic(args.per_topic)
                .with_run_tag(selection.run_tag);
            let texts = evaluations
                .iter()
                .map(|(_, evaluation)| trec_eval_format(evaluation, options));
            texts.collect()
        }
        Format::Ndeval => evaluations
            .iter()
            .map(|(_, evaluation)| ndeval_format(evaluation))
            .collect(),
        Format::Json => evaluations
            .iter()
            .map(|(path, evaluation)| json(path, evaluation, args.per_topic))
            .collect(),
        Format::Table | Format::Csv | Format::Latex | Format::Markdown => {
            let names = run_names(&evaluations).into_iter();
            let named = names.zip(evaluations.iter().map(|(_, evaluation)| evaluation));
            let named: Vec<_> = named.collect();
            let decimals = (format != Format::Csv).then_some(4);
            let table = table(&selection.measures, &named, args.per_topic, decimals);
            match format {
                Format::Csv => written("csv", &[table]),
                Format::Latex => written("latex", &[table]),
                Format::Markdown => written("markdown", &[table]),
                _ => table.fitted(screen_width()),
            }
        }
    };
    Ok(Report { text, warnings })
}

fn topic_warnings(path: &Path, evaluation: &Evaluation, complete: bool) -> Vec<String> {
    let fate = match complete {
        true => "counted as empty",
        false => "left out (-c counts them as empty)",
    };
    topic_notes(&path.display().to_string(), evaluation, fate)
}

#[cfg(test)]
mod tests;
