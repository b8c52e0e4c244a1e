//! `trommel count`: what an index contributes to the statistics of a collection.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use trommel::index::{Series, SweepOptions};

use super::counts::{CountsArgs, bytes};
use super::options::{IndexArgs, parse_count, parse_size, threads};
use super::output::{ForceArgs, Output, Reads, kinds};
use super::run::{TopicArgs, TopicIdArgs};
use super::steps::StepArgs;

/// Count what the scores of a collection need that stands in several indexes
///
/// Writes the integers that this index contributes for these topics: the number of its pages and terms, and in how many pages and how
/// often each term stands, under the filter, or with --vary at every step of a sweep. 'trommel join' adds up what all indexes
/// contribute; 'trommel run --counts' and 'trommel sweep --counts' rank the pages of one index by the sums, with the scores that
/// they have in one index of all; 'trommel join' keeps the best of all.
///
/// Models with feedback (+rm3) take three rounds: in the second, --counts gives the joined result of the first, and so on, until
/// it says "complete": true.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Example, for two indexes:
  trommel count --index a --topics topics.xml --min-words 11 --output a.counts
  trommel count --index b --topics topics.xml --min-words 11 --output b.counts
  trommel join --output all.counts a.counts b.counts
  trommel run --index a --topics topics.xml --min-words 11 --counts all.counts --output a.run
  trommel run --index b --topics topics.xml --min-words 11 --counts all.counts --output b.run
  trommel join --topics topics.xml --output all.run a.run b.run")]
pub struct Args {
    #[command(flatten)]
    index: IndexArgs,
    #[command(flatten)]
    topics: TopicArgs,
    #[command(flatten)]
    topic_ids: TopicIdArgs,
    #[command(flatten)]
    steps: StepArgs,
    #[command(flatten)]
    counts: CountsArgs,
    /// Threads that count [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_count)]
    threads: Option<NonZeroUsize>,
    /// Memory for the postings of a sweep (K, M, G)
    #[arg(long, value_name = "SIZE", default_value = "2G", value_parser = parse_size)]
    memory: u64,
    /// File for the counts, as one JSON object; '-' is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    #[command(flatten)]
    force: ForceArgs,
}

/// Counts.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let mut reads = Reads::default();
    reads.add_indexes(&args.index.directories()?);
    reads.add("the file of topics", &args.topics.file);
    args.counts.add_to(&mut reads);
    let output = Output::check(&args.output, &kinds::COUNTS, args.force.force, &reads)?;
    let index = args.index.open()?;
    let topics = args.topics.queries(args.topic_ids.ids)?;
    let queries: Vec<Vec<String>> = topics
        .iter()
        .map(|(_, text)| index.analyzer().terms(text))
        .collect();
    let labels = index.manifest.extractors.iter();
    let labels: Vec<String> = labels.map(|set| set.name.clone()).collect();
    let plan = args.steps.plan(&labels)?;
    let series = match args.steps.vary.is_empty() {
        true => {
            let sieve = args.steps.sieve()?;
            vec![Series::new(vec![sieve.filter])?.with_weights(sieve.weights)]
        }
        false => plan.series(|_| true)?,
    };
    for one in &series {
        index.require_weights(one.weights())?;
        for filter in one.filters().iter().take(1) {
            index.require(filter)?;
        }
    }
    let options = SweepOptions::default()
        .with_models(plan.models.clone())
        .with_stats(plan.stats.clone())
        .with_shared(args.counts.read()?)
        .with_memory(usize::try_from(args.memory).unwrap_or(usize::MAX));
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads(args.threads))
        .build()?;
    let counted = pool.install(|| index.count(&queries, &series, &options))?;
    output.write(&bytes(&counted)?)?;
    Ok(ExitCode::SUCCESS)
}
