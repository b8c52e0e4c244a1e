//! `trommel demo`: the main job on the built-in collection.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use trommel::experiment::evaluate_rankings;
use trommel::filter::Filter;
use trommel::html::segment;
use trommel::index::{BuildOptions, Index, Progress, Ranking, Reading, build};
use trommel::measure::{Evaluation, Selection};
use trommel::output::write_demo_files;
use trommel::text::{Analyzer, Decimal};
use trommel::trec::{qrels, topics};
use trommel::{attribute, collection, demo};

use super::options::{BOLD, DIM, threads};
use super::output::{Directory, ForceArgs, Reads, reports};

/// Do the main job on a small built-in collection
///
/// Writes a WARC file of made-up blogs, indexes it, searches its topics without a filter and at several thresholds, and
/// evaluates the results. The collection was made to show the effect; it is no evidence for it.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Keep the collection, topics, qrels and index in this directory [default: a temporary one, removed in the end]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
}

/// Thresholds that the demo compares; 0 stands for no filter.
const MIN_WORDS: [u32; 7] = [0, 2, 5, 10, 15, 20, 40];
const MEASURES: [&str; 4] = ["P@10", "nDCG@10", "AP", "Judged@10"];

/// Runs the demo and prints its table.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let temporary;
    let place = match &args.output {
        Some(directory) => directory.as_path(),
        None => {
            temporary = tempfile::tempdir().context("cannot make a temporary directory")?;
            temporary.path()
        }
    };
    let reads = Reads::default();
    let directory = Directory::check(place, &reports::DEMO, args.force.force, &reads)?;
    let warc = write_demo_files(&directory)?.pages;
    let index_directory = place.join("index");
    build_index(&index_directory, &warc)?;
    let index = Index::open(&index_directory)?;

    let queries = topics::parse(demo::TOPICS, "demo.xml")?.queries("title")?;
    let qrels = qrels::parse(demo::QRELS.as_bytes(), "demo.txt")?;
    let measures = Selection::parse(MEASURES)?.measures;
    let rankings = MIN_WORDS.map(|min_words| Ranking {
        filter: at_least(min_words),
        ..Ranking::default()
    });
    let evaluations = evaluate_rankings(&index, &queries, &qrels, &rankings, &measures, 1000)?;

    let mut out = anstream::stdout().lock();
    let counts = &index.manifest.counts;
    writeln!(
        out,
        "{} pages of 6 made-up blogs, {} blocks; {} topics, ranked by {}\n",
        counts.pages,
        counts.blocks,
        queries.len(),
        rankings[0].model,
    )?;
    print_table(&mut out, &evaluations)?;
    writeln!(out, "\n{}", in_a_sentence(&evaluations))?;
    if args.output.is_some() {
        let index = index_directory.display();
        writeln!(
            out,
            "\nSearch it by hand:\n  trommel search --index {index} --min-words 10 rain barrel"
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

fn build_index(directory: &Path, warc: &Path) -> anyhow::Result<()> {
    let options = BuildOptions::default()
        .with_reading(Reading::default())
        .with_segmenter(segment::all()[0])
        .with_analyzer(Analyzer::English)
        .with_extractors(Vec::new())
        .with_threads(threads(None))
        .with_memory(64 << 20)
        .with_max_bad(Some(0))
        .with_allow_empty(false)
        .with_resume(false);
    let inputs = collection::inputs(&[warc.to_owned()])?;
    build(directory, &inputs, &options, &Arc::new(Progress::default()))?;
    Ok(())
}

fn print_table(out: &mut impl Write, evaluations: &[Evaluation]) -> std::io::Result<()> {
    let width = evaluations
        .iter()
        .map(|e| e.run_tag.len())
        .max()
        .unwrap_or(0);
    write!(out, "{DIM}{:width$}", "blocks kept")?;
    for name in MEASURES {
        write!(out, "  {name:>9}")?;
    }
    writeln!(out, "{DIM:#}")?;
    let best = best(evaluations);
    for (row, evaluation) in evaluations.iter().enumerate() {
        let style = if row == best {
            BOLD
        } else {
            Default::default()
        };
        write!(out, "{style}{:width$}", evaluation.run_tag)?;
        for mean in &evaluation.means {
            write!(out, "  {mean:>9.3}")?;
        }
        writeln!(out, "{style:#}")?;
    }
    Ok(())
}

/// The row with the highest nDCG@10; the first of several.
fn best(evaluations: &[Evaluation]) -> usize {
    let ndcg = |row: usize| evaluations[row].means[1];
    (0..evaluations.len())
        .rev()
        .max_by(|a, b| ndcg(*a).total_cmp(&ndcg(*b)))
        .unwrap_or(0)
}

fn in_a_sentence(evaluations: &[Evaluation]) -> String {
    let row = best(evaluations);
    let best = &evaluations[row];
    let unfiltered = &evaluations[0];
    let change = |measure: usize| {
        format!(
            "{:.2} to {:.2}",
            unfiltered.means[measure], best.means[measure]
        )
    };
    let gains = |pick: fn(f64, f64) -> bool| {
        let pairs = unfiltered.topics.iter().zip(&best.topics);
        pairs
            .filter(|(before, after)| pick(before.scores[1], after.scores[1]))
            .count()
    };
    format!(
        "Searching only blocks with at least {} words moves P@10 from {} and nDCG@10 from {}: {} of {} topics gain, {} lose.\n\
         The collection was made to show this effect and is no evidence for it.",
        MIN_WORDS[row],
        change(0),
        change(1),
        gains(|before, after| after > before),
        unfiltered.topics.len(),
        gains(|before, after| after < before),
    )
}

/// The blocks of at least so many words; for 0 all of them.
fn at_least(words: u32) -> Filter {
    let bound = attribute::bound("min-words").filter(|_| words > 0);
    let filter = bound.map(|bound| Filter::bounded(bound, Decimal::whole(words), None));
    filter.unwrap_or_default()
}
