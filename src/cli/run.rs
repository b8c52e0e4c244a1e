//! `trommel run`: TREC topics to a run file.

use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use trommel::experiment::run_tag;
use trommel::index::{self, Ranking, Unit};
use trommel::report::notes;
use trommel::trec::{RunWriter, TopicIds, topics};

use super::counts::CountsArgs;
use super::irds;
use super::metadata::{RunsOf, beside};
use super::options::{IndexArgs, RankingArgs, parse_count, threads, warn};
use super::output::{ForceArgs, Output, Reads, kinds};

/// Search TREC topics and write a run file
///
/// A topic's text is a bag of words; nothing in it is query syntax. Scores tie-break by docid, descending, as trec_eval reads
/// them, and are written so that any evaluator sees the same order.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    index: IndexArgs,
    #[command(flatten)]
    topics: TopicArgs,
    #[command(flatten)]
    topic_ids: TopicIdArgs,
    #[command(flatten)]
    ranking: RankingArgs,
    #[command(flatten)]
    counts: CountsArgs,
    /// Pages for each topic
    #[arg(short, value_name = "N", default_value = "1000", value_parser = parse_count)]
    k: NonZeroUsize,
    /// Threads that search [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_count)]
    threads: Option<NonZeroUsize>,
    /// Score every page that has a word of a topic, and not only those that can be among the first; the run is the same
    #[arg(long)]
    exhaustive: bool,
    /// Last column of the run [default: made of model and filter, like bm25.min-words=11]
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,
    /// Run file; '-' is standard output. Beside a file, RUN.ir_metadata.yml says what it was made of, and 'trommel verify' makes it
    /// again from that
    #[arg(short, long, value_name = "RUN", default_value = "-")]
    output: PathBuf,
    /// Write no file beside the run
    #[arg(long)]
    no_metadata: bool,
    #[command(flatten)]
    force: ForceArgs,
}

/// What is searched for.
#[derive(clap::Args, Debug)]
pub struct TopicArgs {
    /// Topics: TREC SGML, web-track or NTCIR XML, qid:text, TSV or JSONL, also packed with gzip or zstd; '-' is standard input; irds:ID is a data
    /// set of ir_datasets, where Python has it
    #[arg(long = "topics", value_name = "FILE")]
    pub file: PathBuf,
    /// Field of the topics to search with: title, desc, narr, …
    #[arg(long = "topic-field", value_name = "FIELD", default_value = "title")]
    pub field: String,
}

/// How topics are named.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct TopicIdArgs {
    /// Topic ids as the files have them (exact), or without leading letters and zeros (loose): MB001 is 1, and 051 is 51
    #[arg(
        long = "topic-ids",
        value_name = "exact|loose",
        default_value = "exact"
    )]
    pub ids: TopicIds,
}

impl TopicArgs {
    /// Reads the topics, from a file or standard input: ids and query texts. Says what was not as it should be.
    pub fn queries(&self, ids: TopicIds) -> anyhow::Result<Vec<(String, String)>> {
        let mut topics = match irds::id(&self.file) {
            Some(id) => topics::read(&irds::topics(id)?[..], &self.file.to_string_lossy()),
            None if self.file.as_os_str() == "-" => {
                topics::read(io::stdin().lock(), "standard input")
            }
            None => topics::read_file(&self.file),
        }?;
        let shown = self.file.display();
        for note in &topics.notes {
            warn(&format!("{shown}: {note}"));
        }
        ids.rename_topics(&mut topics.topics, &shown.to_string())?;
        Ok(topics.queries(&self.field)?)
    }
}

/// Writes the run.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let mut reads = Reads::default();
    reads.add_indexes(&args.index.directories()?);
    reads.add("the file of topics", &args.topics.file);
    args.counts.add_to(&mut reads);
    let output = Output::check(&args.output, &kinds::RUN, args.force.force, &reads)?;
    let beside = match args.no_metadata {
        true => None,
        false => beside(&output, args.force.force, &reads)?,
    };
    let begun = Instant::now();
    let index = args.index.open()?.exhaustive(args.exhaustive);
    let queries = args.topics.queries(args.topic_ids.ids)?;
    let ranking = Ranking {
        shared: args.counts.read_complete()?,
        ..args.ranking.ranking(Unit::Page)
    };
    let tag = args
        .tag
        .unwrap_or_else(|| run_tag(&ranking.sieve(), &ranking.model, &ranking.stats));
    let mut writer = RunWriter::new(output.begin()?, &tag)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads(args.threads))
        .build()?;
    let empty =
        pool.install(|| index::run(&index, &queries, &ranking, args.k.get(), &mut writer))?;
    writer.finish()?.finish()?;
    if let Some((beside, file)) = beside.as_ref().and_then(|it| Some((it, it.file()?))) {
        let runs = RunsOf::new(
            (args.index.directories()?, &index.manifest),
            (&args.topics.file, &args.topics.field),
            (&queries, args.topic_ids.ids),
            &args.counts,
            args.k.get(),
        )?;
        let text = runs.metadata(&ranking, &tag, file, Some(begun.elapsed()))?;
        beside.write(text.as_bytes())?;
    }
    if let Some(note) = notes::nothing_found(&empty, queries.len()) {
        warn(&note);
    }
    Ok(ExitCode::SUCCESS)
}
