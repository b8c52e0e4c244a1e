//! `trommel join`: what the indexes of a collection gave, as the whole gives it.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use trommel::index::{CountedIndex, Shard};
use trommel::trec::{JoinedRun, TopicIds, topics};

use super::counts::{self, bytes};
use super::options::{counted, parse_count, warn};
use super::output::{Directory, ForceArgs, Output, Reads, kinds, reports};

/// Join what the indexes of a collection gave: runs to one run, counts to one count
///
/// Of runs the best pages of each topic are kept; counts (of 'trommel count') are added up. Of directories, the files of each name
/// are joined: the directories 'runs' of sweeps. Any number of results can be joined, in any order, also step by step: what was
/// joined can be joined again.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Runs: pages for each topic, as many as 'trommel run' was asked for
    #[arg(short, value_name = "N", default_value = "1000", value_parser = parse_count)]
    k: NonZeroUsize,
    /// Runs: a file of topics, whose order the topics are to have; otherwise it is taken from the runs, as far as they tell
    #[arg(long, value_name = "FILE")]
    topics: Option<PathBuf>,
    /// Runs: last column [default: that of the runs]
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,
    /// File for the result, or directory if directories are joined; '-' is standard output
    #[arg(short, long, value_name = "PATH", default_value = "-")]
    output: PathBuf,
    #[command(flatten)]
    force: ForceArgs,
    /// Runs, counts, or directories of them
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

/// Joins.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let mut reads = Reads::default();
    for path in args.paths.iter().chain(&args.topics) {
        reads.add("what is read", path);
    }
    let order = match &args.topics {
        Some(file) => topic_order(file)?,
        None => Vec::new(),
    };
    let directories = args.paths.iter().filter(|path| path.is_dir()).count();
    if directories > 0 && directories < args.paths.len() {
        bail!("files and directories cannot be joined: give one kind or the other");
    }
    if directories == 0 {
        let kind = match is_counts(&args.paths[0])? {
            true => &kinds::COUNTS,
            false => &kinds::RUN,
        };
        let output = Output::check(&args.output, kind, args.force.force, &reads)?;
        let joined = joined(&args, &order, &args.paths)?;
        output.write(&joined)?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.output.as_os_str() == "-" {
        bail!("directories are joined to a directory: name it with --output");
    }
    let output = Directory::check(&args.output, &reports::RUNS, args.force.force, &reads)?;
    output.create("")?;
    let names = same_names(&args.paths)?;
    for name in &names {
        let files: Vec<PathBuf> = args.paths.iter().map(|path| path.join(name)).collect();
        output.write(&name.to_string_lossy(), &joined(&args, &order, &files)?)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The ids of topics as they are and without leading letters and zeros: runs may have either.
fn topic_order(file: &Path) -> anyhow::Result<Vec<String>> {
    let topics = topics::read_file(file)?.topics;
    let exact = topics.iter().map(|topic| topic.id.clone());
    let mut order: Vec<String> = exact.collect();
    let loose: Vec<String> = order
        .iter()
        .map(|id| TopicIds::Loose.of(id).to_owned())
        .collect();
    order.extend(loose);
    let mut seen = BTreeSet::new();
    order.retain(|id| seen.insert(id.clone()));
    Ok(order)
}

/// The names of the files in directories, which have to be the same in all.
fn same_names(directories: &[PathBuf]) -> anyhow::Result<BTreeSet<OsString>> {
    let mut names: Option<(&PathBuf, BTreeSet<OsString>)> = None;
    for directory in directories {
        let shown = || directory.display().to_string();
        let mut own = BTreeSet::new();
        for entry in fs::read_dir(directory).with_context(shown)? {
            let entry = entry.with_context(shown)?;
            if entry.path().is_dir() {
                bail!(
                    "{} is a directory within a directory: only files are joined",
                    entry.path().display()
                );
            }
            own.insert(entry.file_name());
        }
        match &names {
            None => names = Some((directory, own)),
            Some((_, known)) if *known == own => {}
            Some((first, known)) => {
                let odd = known.symmetric_difference(&own).next();
                let name = odd.map(|name| name.display().to_string());
                bail!(
                    "{} and {} have not the same files: only one of them has '{}'",
                    first.display(),
                    directory.display(),
                    name.unwrap_or_default()
                );
            }
        }
    }
    Ok(names.map(|(_, names)| names).unwrap_or_default())
}

/// Files that are one.
fn joined(args: &Args, order: &[String], files: &[PathBuf]) -> anyhow::Result<Vec<u8>> {
    let mut of_counts = Vec::with_capacity(files.len());
    for file in files {
        of_counts.push(is_counts(file)?);
    }
    if let Some(odd) = of_counts.iter().position(|own| *own != of_counts[0]) {
        bail!(
            "{} and {} cannot be joined: one is a run, and the other are counts",
            files[0].display(),
            files[odd].display()
        );
    }
    match of_counts.first() {
        Some(true) => joined_counts(files),
        _ => joined_runs(args, order, files),
    }
}

fn joined_counts(files: &[PathBuf]) -> anyhow::Result<Vec<u8>> {
    let mut files = files.iter();
    let Some(first) = files.next() else {
        bail!("nothing to join");
    };
    let mut joined = counts::read(first)?;
    for file in files {
        let shown = || format!("{} cannot be joined with those before it", file.display());
        joined.join(counts::read(file)?).with_context(shown)?;
    }
    if let Some(missing) = missing_shards(&joined.indexes) {
        warn(&missing);
    }
    if !joined.complete {
        warn(
            "the counts are not complete, since feedback takes more rounds: give them to 'trommel count --counts' \
             on each index, and join what that gives",
        );
    }
    bytes(&joined)
}

/// What to say where some shards of a collection were counted, and others not.
fn missing_shards(indexes: &[CountedIndex]) -> Option<String> {
    let shards: Vec<Shard> = indexes
        .iter()
        .map(|index| Shard::of_name(&index.name))
        .collect::<Option<_>>()?;
    let count = shards.first()?.count;
    let wanted = (1..=count).map(|number| Shard { number, count });
    let missing = wanted.filter(|shard| !shards.contains(shard));
    let missing: Vec<String> = missing.map(|shard| shard.name()).collect();
    let is_one = shards.iter().all(|shard| shard.count == count);
    (is_one && !missing.is_empty()).then(|| {
        format!(
            "of {} the counts are not among these, and scores by them are of a part of the collection: {}",
            counted(missing.len() as u64, "shard"),
            missing.join(", ")
        )
    })
}

fn joined_runs(args: &Args, order: &[String], files: &[PathBuf]) -> anyhow::Result<Vec<u8>> {
    let mut joined = JoinedRun::new(args.k.get(), order.to_vec());
    for path in files {
        let name = path.display().to_string();
        let file = File::open(path).with_context(|| name.clone())?;
        joined.add(BufReader::new(file), &name)?;
    }
    let tag = args.tag.as_deref().or(joined.tag()).unwrap_or("trommel");
    Ok(joined.write(Vec::new(), tag)?)
}

/// Are these counts, and no run? They may have been written anew by another program.
fn is_counts(path: &Path) -> anyhow::Result<bool> {
    let shown = || path.display().to_string();
    let file = File::open(path).with_context(shown)?;
    let mut file = BufReader::new(file);
    let head = file.fill_buf().with_context(shown)?;
    Ok(head.trim_ascii_start().starts_with(b"{"))
}
