//! `trommel tune`: parameters of weights and thresholds chosen together.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use trommel::experiment::agreement;
use trommel::experiment::sweep::{Plan, Setting, Tuned, Vary, tune, unmatched};
use trommel::index::Model;
use trommel::report::notes::some_ids;
use trommel::weight::Template;

use super::judging::{JudgingArgs, refuse_two_stdin};
use super::options::{
    IndexArgs, SieveArgs, counted, parse_count, parse_size, printable_lines, threads, warn,
};
use super::run::TopicArgs;

/// The measure, if none is asked for.
const MEASURE: [&str; 1] = ["nDCG@10"];

/// Choose parameters of weights and thresholds by their effect on retrieval
///
/// Coordinate ascent: one parameter after another is set to its best value while the others stand, until nothing changes;
/// begun with the least, the middle and the greatest values, of which the best end counts. The choice is also made without each
/// fold of the topics, and measured on that fold: what it is worth on topics that it was not made on. Only the first -m counts
/// (nDCG@10, unless it names another).
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Example:
  trommel tune --index indexes/my --topics topics.xml --qrels qrels.txt \\
      --weights 'max(confidence(trommel), $floor) * (if tag in (h1, h2) then $head else 1)' \\
      --vary floor=0..0.5:0.05 --vary head=1,2,3,4,6,8")]
pub struct Args {
    #[command(flatten)]
    index: IndexArgs,
    #[command(flatten)]
    topics: TopicArgs,
    /// Relevance judgments, also packed with gzip or zstd
    #[arg(long, value_name = "FILE")]
    qrels: PathBuf,
    /// Values: NAME=A..B, NAME=A..B:STEP or NAME=A,B,… of a $NAME in --weights, or of a threshold such as min-words; once for
    /// each parameter
    #[arg(long, value_name = "NAME=A..B[:STEP]", required = true)]
    vary: Vec<Vary>,
    #[command(flatten)]
    sieve: SieveArgs<Template>,
    /// Ranking model: bm25, qld, qljm or tfidf with its parameters, and +rm3 behind it for feedback: qld:mu=2500+rm3
    #[arg(long, value_name = "MODEL", default_value_t, help_heading = "Ranking")]
    model: Model,
    /// Pages for each topic
    #[arg(short, value_name = "N", default_value = "1000", value_parser = parse_count, help_heading = "Ranking")]
    k: NonZeroUsize,
    #[command(flatten, next_help_heading = "Evaluation")]
    judging: JudgingArgs,
    /// Folds of the topics
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = clap::value_parser!(u32).range(2..), help_heading = "Evaluation")]
    folds: u32,
    /// Threads that search [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_count)]
    threads: Option<NonZeroUsize>,
    /// Memory for postings; topics that do not fit together are searched in batches (K, M, G)
    #[arg(long, value_name = "SIZE", default_value = "2G", value_parser = parse_size)]
    memory: u64,
    /// Print the figures as one JSON object
    #[arg(long, help_heading = "Output")]
    json: bool,
}

/// Tunes and reports.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    refuse_two_stdin([&args.topics.file, &args.qrels].into_iter())?;
    let index = args.index.open()?;
    let topics = args.topics.queries(args.judging.topic_ids())?;
    let mut warnings = Vec::new();
    let qrels = args.judging.read_qrels(&args.qrels, &mut warnings)?;
    warnings.extend(agreement(&index, &topics, &qrels)?);
    let (not_searched, _) = unmatched(&topics, &qrels);
    if !not_searched.is_empty() {
        warnings.push(format!(
            "judged, but not among the topics, and counted as empty: topics {}",
            some_ids(&not_searched)
        ));
    }
    warnings.iter().for_each(|text| warn(text));
    let mut plan = Plan::default();
    plan.models = vec![args.model];
    plan.stats = args.sieve.stats.clone();
    plan.k = args.k.get();
    plan.measures = args.judging.selection(&MEASURE)?.measures;
    plan.options = args.judging.options(true);
    plan.folds = args.folds as usize;
    plan.memory = usize::try_from(args.memory).unwrap_or(usize::MAX);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads(args.threads))
        .build()?;
    let tuned = pool.install(|| {
        tune(
            &index,
            &topics,
            &qrels,
            &plan,
            &args.sieve.base(),
            &args.vary,
        )
    })?;
    if tuned.mean <= tuned.unfiltered {
        warn("no setting that was tried is better than the search without filter and weights");
    }
    let mut out = io::stdout().lock();
    if args.json {
        serde_json::to_writer(&mut out, &tuned)?;
        writeln!(out)?;
    } else {
        out.write_all(printable_lines(&text(&tuned)).as_bytes())?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// The figures as a person reads them.
fn text(tuned: &Tuned) -> String {
    let topics: usize = tuned.folds.iter().map(|fold| fold.topics.len()).sum();
    let values = |setting: &Setting| {
        let values = setting
            .values
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        values.collect::<Vec<_>>().join(" ")
    };
    let mut text = format!(
        "{} on {}, {}; {} of {} settings ranked\n\n",
        tuned.measure,
        counted(topics as u64, "topic"),
        tuned.model,
        tuned.ranked,
        tuned.settings
    );
    let difference = tuned.validated - tuned.unfiltered;
    text += &format!(
        "unfiltered                              {:.4}\n\
         chosen without the topics measured      {:.4}  {difference:+.4}, {} up, {} down\n\
         chosen on these same topics             {:.4}  no estimate for others\n\n",
        tuned.unfiltered, tuned.validated, tuned.up, tuned.down, tuned.mean
    );
    let all = [("all topics".to_owned(), &tuned.chosen, None)];
    let folds = tuned.folds.iter().enumerate().map(|(number, fold)| {
        let figures = format!("{:.4}, unfiltered {:.4}", fold.mean, fold.unfiltered);
        (
            format!("without fold {}", number + 1),
            &fold.chosen,
            Some(figures),
        )
    });
    let rows: Vec<(String, String, Option<String>)> = all
        .into_iter()
        .chain(folds)
        .map(|(name, setting, figures)| (name, values(setting), figures))
        .collect();
    let width = rows
        .iter()
        .map(|(_, values, _)| values.len())
        .max()
        .unwrap_or(0);
    text += "chosen on\n";
    for (name, values, figures) in &rows {
        let line = match figures {
            None => format!("  {name:<15}  {values}"),
            Some(figures) => format!("  {name:<15}  {values:<width$}  that fold {figures}"),
        };
        text += &format!("{}\n", line.trim_end());
    }
    let sieve = &tuned.chosen.sieve;
    if !sieve.filter.is_empty() {
        text += &format!("\n--filter '{}'", sieve.filter);
    }
    if !sieve.weights.is_one() {
        text += &format!("\n--weights '{}'", sieve.weights);
    }
    text + "\n"
}
