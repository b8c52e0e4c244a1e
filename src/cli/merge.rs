//! `trommel merge`: several indexes to one.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use trommel::index::{directories, merge};

use super::options::{counted, warn};

/// Merge indexes into one
///
/// The result is the index that all their files would have given in one build: runs are the same, byte for byte. Each segment is
/// read and written once. Of pages with the same docid the first one stays. The shards are left as they are.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Directory of the merged index; must be empty or not exist
    #[arg(long, value_name = "DIR")]
    index: PathBuf,
    /// Print the index's manifest to standard output
    #[arg(long)]
    json: bool,
    /// Index directories in the order of their files, or a directory that 'trommel index --shard' made
    #[arg(required = true, value_name = "SHARD")]
    shards: Vec<PathBuf>,
}

/// Merges and says on standard error what came of it.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let sources = directories(&args.shards)?;
    let manifest = merge(&args.index, &sources)?;
    if args.json {
        let mut out = io::stdout().lock();
        serde_json::to_writer_pretty(&mut out, &manifest)?;
        writeln!(out)?;
    }
    anstream::eprintln!(
        "{}: {}, {}, of {}, in {:.1} s",
        args.index.display(),
        counted(manifest.counts.pages, "page"),
        counted(manifest.counts.blocks, "block"),
        counted(sources.len() as u64, "index directory").replace("directorys", "directories"),
        start.elapsed().as_secs_f64(),
    );
    if manifest.counts.pages == 0 {
        warn("the index has no pages");
    }
    Ok(ExitCode::SUCCESS)
}
