//! `trommel demo`: the main job on the built-in collection.

use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use trommel::demo::made::{self, language::Language};
use trommel::experiment::evaluate_rankings;
use trommel::filter::Filter;
use trommel::html::segment;
use trommel::index::{BuildOptions, Index, Progress, Ranking, Reading, build};
use trommel::measure::{Evaluation, Selection};
use trommel::output::{write_demo_files, write_made_files};
use trommel::text::{Analyzer, Decimal};
use trommel::trec::{qrels, topics};
use trommel::{attribute, collection, demo};

use super::options::{BOLD, DIM, counted, printable, threads};
use super::output::{Directory, ForceArgs, Reads, reports};

/// Do the main job on a small built-in collection, or make a large one
///
/// Writes a WARC file of made-up blogs, indexes it, searches its topics without a filter and at several thresholds, and
/// evaluates the results. The collection was made to show the effect; it is no evidence for it.
///
/// With --pages N it makes a collection of that size instead, of the same layouts and of words by Zipf's law, with topics and judgments,
/// for trying out how long things take. The same options give the same bytes.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  trommel demo\n  trommel demo --pages 100000 --seed 7 --output large"
)]
pub struct Args {
    /// Keep the collection, topics, qrels and index in this directory [default: a temporary one, removed in the end]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
    /// Make a collection of so many pages, and do nothing else
    #[arg(long, value_name = "N", requires = "output", value_parser = clap::value_parser!(u64).range(1..=u64::from(u32::MAX)))]
    pages: Option<u64>,
    #[command(flatten)]
    made: MadeArgs,
}

/// What a made collection is like.
#[derive(clap::Args, Debug)]
struct MadeArgs {
    /// Number from which all else follows: another one makes another collection
    #[arg(long, value_name = "S", default_value_t = 0, requires = "pages", help_heading = MADE)]
    seed: u64,
    /// Languages of the blogs, each as likely as another: en, de, fr, es, pl, ru, el, ja, zh
    #[arg(long, value_name = "CODE,…", value_delimiter = ',', default_value = "en", value_parser = language, requires = "pages", help_heading = MADE)]
    languages: Vec<&'static Language>,
    /// Share of the blogs that are not in UTF-8 but in an older encoding of their language
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = share, requires = "pages", help_heading = MADE)]
    charsets: u32,
    /// Share of the pages that are damaged: cut off, with wrong bytes, behind half a record or zeros
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = share, requires = "pages", help_heading = MADE)]
    damage: u32,
    /// Topics at most; those without a relevant page are left out
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..=1000), requires = "pages", help_heading = MADE)]
    topics: u16,
    /// Threads [default: one a core]
    #[arg(long, value_name = "N", requires = "pages", help_heading = MADE)]
    threads: Option<NonZeroUsize>,
}

/// Heading of the flags of made collections.
const MADE: &str = "With --pages";

fn language(code: &str) -> Result<&'static Language, String> {
    let codes: Vec<&str> = made::language::all()
        .iter()
        .map(|language| language.code)
        .collect();
    Language::of(code).ok_or_else(|| format!("there are {}", codes.join(", ")))
}

/// A share in millionths.
fn share(text: &str) -> Result<u32, String> {
    let share: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    match (0.0..=1.0).contains(&share) {
        true => Ok((share * 1e6).round() as u32),
        false => Err("a share is between 0 and 1".to_owned()),
    }
}

/// Thresholds that the demo compares; 0 stands for no filter.
const MIN_WORDS: [u32; 7] = [0, 2, 5, 10, 15, 20, 40];
const MEASURES: [&str; 4] = ["P@10", "nDCG@10", "AP", "Judged@10"];

/// Makes a collection and says what it is.
fn make(args: &Args, place: &Path, num_pages: u64) -> anyhow::Result<ExitCode> {
    let reads = Reads::default();
    let directory = Directory::check(place, &reports::DEMO, args.force.force, &reads)?;
    let mut options = made::MadeOptions::default();
    options.seed = args.made.seed;
    options.languages.clone_from(&args.made.languages);
    options.legacy = args.made.charsets;
    options.damage = args.made.damage;
    options.topics = args.made.topics.into();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads(args.made.threads))
        .build()?;
    let bar = match io::stderr().is_terminal() {
        true => ProgressBar::new(num_pages),
        false => ProgressBar::hidden(),
    };
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} pages, {eta} left") {
        bar.set_style(style);
    }
    let begun = Instant::now();
    let made = pool.install(|| {
        write_made_files(&directory, options, num_pages, &|written| {
            bar.set_position(written)
        })
    })?;
    let seconds = begun.elapsed().as_secs_f64();
    bar.finish_and_clear();

    let mut out = anstream::stdout().lock();
    let mb = |bytes: u64| bytes as f64 / 1e6;
    writeln!(
        out,
        "{} pages, {:.1} MB, in WARC files of {:.1} MB; {} topics",
        made.num_pages,
        mb(made.html_bytes),
        mb(made.stored_bytes),
        made.num_topics,
    )?;
    if made.num_broken > 0 {
        writeln!(
            out,
            "{} of half records and zeros between them, which an index has in its ledger",
            counted(made.num_broken, "case")
        )?;
    }
    writeln!(out, "\nIndex it, and try thresholds:")?;
    let place = printable(&place.display().to_string());
    writeln!(out, "  trommel index --index {place}/index {place}/pages")?;
    writeln!(
        out,
        "  trommel sweep --index {place}/index --topics {place}/demo.topics.xml \\\n    --qrels {place}/demo.qrels.txt --vary min-words=1..60",
    )?;
    anstream::eprintln!(
        "{DIM}{seconds:.1} s, {:.0} MB of pages a second{DIM:#}",
        mb(made.html_bytes) / seconds
    );
    Ok(ExitCode::SUCCESS)
}

/// Runs the demo and prints its table.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    if let (Some(num_pages), Some(place)) = (args.pages, &args.output) {
        return make(&args, place, num_pages);
    }
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
