//! `trommel eval`: runs against relevance judgments.

use crate::measure::{
    Evaluation, FormatOptions, Measure, Options, Selection, evaluate, trec_eval_format,
};
use crate::report::Table;
use crate::trec::{GradeMap, GradeRule, Qrels, Run, TrecError, qrels, run as run_file};
use super::options::some_ids;
use anstyle::{AnsiColor, Style};
use anyhow::bail;
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

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
    /// Drop unjudged documents from the rankings before anything else
    #[arg(short = 'J', long)]
    judged_only: bool,
    /// Lowest grade that is relevant
    #[arg(short = 'l', long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(i32).range(0..))]
    level: i32,
    /// Evaluate only the first N documents of each topic
    #[arg(short = 'M', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_docs: Option<u32>,
    /// Replace grades FROM to TO (inclusive) by G; the first rule that takes a grade decides
    #[arg(long, value_name = "FROM..TO=G", allow_hyphen_values = true)]
    grades: Vec<GradeRule>,
    /// Measure as by ir_measures (nDCG@10) or trec_eval (ndcg_cut_10, P.5,10, official)
    #[arg(short = 'm', long = "measure", value_name = "MEASURE")]
    measures: Vec<String>,
    /// Output format [default: trec_eval for one run, table for several]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Relevance judgments; `-` reads standard input
    qrels: PathBuf,
    /// Run files; `-` reads standard input
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// As trec_eval prints it, byte for byte
    #[value(name = "trec_eval", alias = "trec-eval")]
    TrecEval,
    /// A row a run, a column a measure
    Table,
    /// A JSON object a line for each run
    Json,
}

/// Runs the subcommand: scores to standard output, warnings to standard error.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let report = report(&args)?;
    let mut stderr = anstream::stderr().lock();
    let style: Style = AnsiColor::Yellow.on_default().bold();
    for warning in &report.warnings {
        writeln!(stderr, "{style}warning:{style:#} {warning}")?;
    }
    let mut stdout = io::stdout().lock();
    let written = stdout
        .write_all(report.text.as_bytes())
        .and_then(|()| stdout.flush());
    match written {
        // Whoever reads has read enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        written => written.map(|()| ExitCode::SUCCESS).map_err(Into::into),
    }
}

struct Report {
    text: String,
    warnings: Vec<String>,
}

fn report(args: &Args) -> anyhow::Result<Report> {
    let inputs = args.runs.iter().chain([&args.qrels]);
    if inputs.filter(|path| is_stdin(path)).count() > 1 {
        bail!("standard input (`-`) can be only one of the files");
    }
    let format = args.format.unwrap_or(match args.runs.as_slice() {
        [_] => Format::TrecEval,
        _ => Format::Table,
    });
    let selection = match (args.measures.is_empty(), format) {
        (false, _) => Selection::parse(args.measures.iter().map(String::as_str))?,
        (true, Format::TrecEval) => Selection::parse(["official"])?,
        (true, Format::Table | Format::Json) => Selection::parse(DEFAULT_MEASURES)?,
    };
    let options = Options {
        complete: args.complete,
        relevance_level: args.level,
        max_docs: args.max_docs.map(|docs| docs as usize),
        judged_only: args.judged_only,
    };

    let mut qrels = read_qrels(&args.qrels)?;
    let rules = args.grades.clone();
    qrels.map_grades(&GradeMap { rules });
    let mut warnings = Vec::new();
    if qrels.subtopics {
        warnings.push(format!(
            "{}: judgments of subtopics; a document has the highest of its grades",
            args.qrels.display()
        ));
    }
    let mut evaluations = Vec::new();
    for path in &args.runs {
        let evaluation = evaluate(&qrels, &read_run(path)?, &selection.measures, &options)?;
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
    let text = match format {
        Format::TrecEval => {
            let options = FormatOptions {
                per_topic: args.per_topic,
                run_tag: selection.run_tag,
            };
            let texts = evaluations
                .iter()
                .map(|(_, evaluation)| trec_eval_format(evaluation, options));
            texts.collect()
        }
        Format::Table => table(&rows(&selection.measures, &evaluations, args.per_topic)),
        Format::Json => evaluations
            .iter()
            .map(|(path, evaluation)| json_line(path, evaluation, args.per_topic))
            .collect(),
    };
    Ok(Report { text, warnings })
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

fn read_qrels(path: &Path) -> Result<Qrels, TrecError> {
    match is_stdin(path) {
        true => qrels::parse(io::stdin().lock(), "standard input"),
        false => qrels::read_file(path),
    }
}

fn read_run(path: &Path) -> Result<Run, TrecError> {
    match is_stdin(path) {
        true => run_file::parse(io::stdin().lock(), "standard input"),
        false => run_file::read_file(path),
    }
}

fn topic_warnings(path: &Path, evaluation: &Evaluation, complete: bool) -> Vec<String> {
    let path = path.display();
    let mut warnings = Vec::new();
    let (unjudged, missing) = (&evaluation.unjudged_topics, &evaluation.missing_topics);
    if !unjudged.is_empty() {
        let ids = some_ids(unjudged);
        warnings.push(format!(
            "{path}: left out, as they are not judged: topics {ids}"
        ));
    }
    if !missing.is_empty() {
        let ids = some_ids(missing);
        let fate = match complete {
            true => "counted as empty",
            false => "left out (-c counts them as empty)",
        };
        warnings.push(format!(
            "{path}: judged, but not in the run, and {fate}: topics {ids}"
        ));
    }
    warnings
}

/// The cells of the table, header first: run, topics averaged over (or topic), then the measures.
fn rows(
    measures: &[Measure],
    evaluations: &[(&Path, Evaluation)],
    per_topic: bool,
) -> Vec<Vec<String>> {
    let names = measures.iter().map(Measure::to_string);
    let count_header = if per_topic { "topic" } else { "topics" };
    let mut rows = vec![
        [String::from("run"), String::from(count_header)]
            .into_iter()
            .chain(names)
            .collect(),
    ];
    for (path, evaluation) in evaluations {
        let same_tag = |(_, other): &&(&Path, Evaluation)| other.run_tag == evaluation.run_tag;
        let label = match evaluations.iter().filter(same_tag).count() {
            1 => evaluation.run_tag.clone(),
            _ => path.display().to_string(),
        };
        let row = |topic: String, scores: &[f64]| -> Vec<String> {
            let cells = measures.iter().zip(scores).map(|(measure, score)| {
                match measure.family().integer {
                    true => format!("{score:.0}"),
                    false => format!("{score:.4}"),
                }
            });
            [label.clone(), topic].into_iter().chain(cells).collect()
        };
        let num_topics = evaluation.topics.len();
        if per_topic {
            let topics = evaluation.topics.iter();
            rows.extend(topics.map(|topic| row(topic.topic.clone(), &topic.scores)));
            rows.push(row(format!("all ({num_topics})"), &evaluation.means));
        } else {
            rows.push(row(num_topics.to_string(), &evaluation.means));
        }
    }
    rows
}

/// Aligns cells; the first row is the header.
fn table(rows: &[Vec<String>]) -> String {
    let Some((header, rows)) = rows.split_first() else {
        return String::new();
    };
    let mut table = Table::new(header.iter().cloned());
    table.rows = rows.to_vec();
    table.text()
}

fn json_line(path: &Path, evaluation: &Evaluation, per_topic: bool) -> String {
    let scores = |scores: &[f64]| -> Value {
        let pairs = evaluation
            .measures
            .iter()
            .zip(scores)
            .map(|(measure, &score)| {
                let value = match measure.family().integer {
                    true => json!(score as u64),
                    false => json!(score),
                };
                (measure.to_string(), value)
            });
        Value::Object(pairs.collect())
    };
    let mut object = Map::new();
    object.insert("file".into(), json!(path.display().to_string()));
    object.insert("run".into(), json!(evaluation.run_tag));
    object.insert("num_topics".into(), json!(evaluation.topics.len()));
    object.insert("missing_topics".into(), json!(evaluation.missing_topics));
    object.insert("unjudged_topics".into(), json!(evaluation.unjudged_topics));
    object.insert("scores".into(), scores(&evaluation.means));
    if per_topic {
        let topics = evaluation.topics.iter();
        let topics = topics.map(|topic| (topic.topic.clone(), scores(&topic.scores)));
        object.insert("topics".into(), Value::Object(topics.collect()));
    }
    format!("{}\n", Value::Object(object))
}

#[cfg(test)]
mod tests;
