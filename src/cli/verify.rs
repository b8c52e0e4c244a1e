//! `trommel verify`: a run made again from what is known of it.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use serde_json::json;
use trommel::collection::sha256_of_file;
use trommel::index::{self, Index, Ranking, Verify};
use trommel::provenance::{Against, Difference, Recipe, index_hash, queries_hash, read_recipe};
use trommel::trec::{RunWriter, TopicIds};

use super::DONE_WITH_FAILURES;
use super::cannot::Cannot;
use super::counts;
use super::options::{parse_count, printable, threads, warn};
use super::run::TopicArgs;

/// Make a run again from its metadata, and compare the two byte for byte
///
/// 'trommel run' and 'trommel sweep --runs' write down what a run was made of. Here that is read; index and topics have to be what
/// they were; the topics are searched again, and what comes out is compared with the file. Nothing is written. Exit status 0: the
/// run is the same; 1: it is different, and the first line that differs is shown; 2: it cannot be made again.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// What the run was made of [default: RUN.ir_metadata.yml, or that name in the directory 'metadata' of a sweep]
    #[arg(long, value_name = "FILE")]
    metadata: Option<PathBuf>,
    /// Directory of the index, where it is not where it was; as often as the run names one
    #[arg(long = "index", value_name = "DIR")]
    directories: Vec<PathBuf>,
    /// Topics, where they are not where they were
    #[arg(long, value_name = "FILE")]
    topics: Option<PathBuf>,
    /// Counts of the collection, where they are not where they were
    #[arg(long, value_name = "FILE")]
    counts: Option<PathBuf>,
    /// Compare even if index, topics or counts are not what they were: an index that was built anew may give the same run
    #[arg(long)]
    anyway: bool,
    /// Threads that search [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_count)]
    threads: Option<NonZeroUsize>,
    /// Print what was found as one JSON object
    #[arg(long)]
    json: bool,
    /// Run file
    #[arg(value_name = "RUN")]
    run: PathBuf,
}

/// Makes the run again, and says what differs.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let shown = || args.run.display().to_string();
    let file = File::open(&args.run).with_context(shown)?;
    let (recipe, metadata) = read_recipe(&args.run, args.metadata.as_deref())?;
    let version = env!("CARGO_PKG_VERSION");
    if recipe.version != version {
        warn(&format!(
            "the run is of trommel {}, and this is {version}: scores may have changed",
            recipe.version
        ));
    }
    let mut ranking = recipe.ranking()?;
    let index = open(&args, &recipe, &metadata, &ranking)?;
    let queries = queries(&args, &recipe, &metadata)?;
    if let Some(file) = &recipe.counts {
        let path = match &args.counts {
            Some(path) => path.clone(),
            None => recipe.find(&file.path, &metadata),
        };
        require("the file of counts", "--counts", &path)?;
        let now = sha256_of_file(&path).with_context(|| path.display().to_string())?;
        args.allow(
            "the file of counts",
            "--counts names the one that was read then",
            now,
            &file.sha256,
        )?;
        ranking.shared = Some(Arc::new(counts::read(&path)?));
    }
    let against = Against::new(BufReader::new(file));
    let mut writer = RunWriter::new(against, &recipe.tag)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads(args.threads))
        .build()?;
    pool.install(|| index::run(&index, &queries, &ranking, recipe.k, &mut writer))?;
    let (same, difference) = writer.finish()?.finish().with_context(shown)?;
    report(&args, same, difference.as_ref())?;
    Ok(match difference {
        None => ExitCode::SUCCESS,
        Some(_) => ExitCode::from(DONE_WITH_FAILURES),
    })
}

impl Args {
    /// Is something what it was, or to be taken anyway?
    fn allow(
        &self,
        what: &'static str,
        hint: &'static str,
        now: String,
        then: &str,
    ) -> Result<(), Cannot> {
        if now == then {
            return Ok(());
        }
        let changed = Cannot::Changed {
            what,
            hint,
            now,
            then: then.to_owned(),
        };
        match self.anyway {
            true => {
                warn(&changed.to_string());
                Ok(())
            }
            false => Err(changed),
        }
    }
}

fn require(what: &'static str, flag: &'static str, path: &Path) -> Result<(), Cannot> {
    match path.exists() {
        true => Ok(()),
        false => Err(Cannot::Missing {
            what,
            flag,
            path: path.to_owned(),
        }),
    }
}

fn open(args: &Args, recipe: &Recipe, metadata: &Path, ranking: &Ranking) -> anyhow::Result<Index> {
    let named = recipe.indexes.iter();
    let directories: Vec<PathBuf> = match args.directories.is_empty() {
        true => named.map(|path| recipe.find(path, metadata)).collect(),
        false => args.directories.clone(),
    };
    for directory in &directories {
        require("the index", "--index", directory)?;
    }
    let directories = index::directories(&directories)?;
    args.allow(
        "the index",
        "--index names the one that was searched then; --anyway compares with what this one gives",
        index_hash(&directories, ranking)?,
        &recipe.index_sha256,
    )?;
    Ok(Index::open_verified(&directories, Verify::Ends)?)
}

fn queries(args: &Args, recipe: &Recipe, metadata: &Path) -> anyhow::Result<Vec<(String, String)>> {
    let recorded = &recipe.topics.path;
    let file = match &args.topics {
        Some(path) => path.clone(),
        None if recorded == "-" => return Err(Cannot::Stdin.into()),
        None if recorded.starts_with("irds:") => PathBuf::from(recorded),
        None => {
            let path = recipe.find(recorded, metadata);
            require("the file of topics", "--topics", &path)?;
            path
        }
    };
    let topics = TopicArgs {
        file,
        field: recipe.topic_field.clone(),
    };
    let ids: TopicIds = recipe.topic_ids.parse()?;
    let queries = topics.queries(ids)?;
    args.allow(
        "what is asked for in the topics",
        "--topics names the file that was read then; --anyway compares with what these topics give",
        queries_hash(&queries),
        &recipe.topics.sha256,
    )?;
    Ok(queries)
}

fn report(args: &Args, same: u64, difference: Option<&Difference>) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    let run = printable(&args.run.display().to_string());
    if args.json {
        let difference = difference.map(
            |it| json!({"line": it.line, "topic": it.topic(), "file": it.file, "made": it.made}),
        );
        let object = json!({
            "run": args.run.to_string_lossy(),
            "same": difference.is_none(),
            "lines": same,
            "difference": difference,
        });
        writeln!(out, "{object}")?;
        return Ok(out.flush()?);
    }
    let Some(it) = difference else {
        writeln!(out, "{run}: the same, byte for byte ({same} lines)")?;
        return Ok(out.flush()?);
    };
    let line = |text: &Option<String>| match text {
        Some(text) => printable(text),
        None => "(nothing: it ends before)".to_owned(),
    };
    writeln!(
        out,
        "{run}: different from line {} on, topic {}",
        it.line,
        printable(it.topic())
    )?;
    writeln!(out, "  in the file: {}", line(&it.file))?;
    writeln!(out, "  made again:  {}", line(&it.made))?;
    Ok(out.flush()?)
}
