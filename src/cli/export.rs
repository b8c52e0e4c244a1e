//! `trommel export`: an index as a filter leaves it, in the formats of others.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use trommel::export::{self, ExportOptions, Format};
use trommel::index::Unit;
use trommel::output::kind_of_export;

use super::filter::FilterArgs;
use super::options::{IndexArgs, counted, parse_count, threads, unknown, warn};
use super::output::{ForceArgs, Output, Reads};

/// Write an index as a filter leaves it, for other programs
///
/// jsonl and parquet have a row for each page, with the text that passes, or with --unit block for each block that passes, with its values and
/// the verdicts that the index has. ciff is the inverted index itself (terms, frequencies, lengths, all exact), for PISA, Terrier and other engines that read
/// the Common Index File Format.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  trommel export --index indexes/my --format parquet --min-words 11 --output my.parquet
  trommel export --index indexes/my --format ciff --filter 'words >= 11 and trommel' --output my.ciff")]
pub struct Args {
    #[command(flatten)]
    index: IndexArgs,
    /// jsonl, parquet or ciff
    #[arg(long, value_name = "FORMAT", value_parser = parse_format)]
    format: Format,
    #[command(flatten)]
    filter: FilterArgs,
    /// What rows are of: page or block
    #[arg(long, value_name = "page|block", default_value = "page")]
    unit: Unit,
    /// Threads that read [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_count)]
    threads: Option<NonZeroUsize>,
    /// File to write; '-' is standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    force: ForceArgs,
}

/// Writes the file and says on standard error what is in it.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let mut reads = Reads::default();
    reads.add_indexes(&args.index.directories()?);
    let kind = kind_of_export(args.format.name, args.unit);
    let output = Output::check(&args.output, kind, args.force.force, &reads)?;
    let index = args.index.open()?;
    let options = ExportOptions::default()
        .with_filter(args.filter.filter())
        .with_unit(args.unit);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads(args.threads))
        .build()?;
    let mut out = output.begin()?;
    let exported = pool.install(|| (args.format.write)(&index, &options, &mut out))?;
    out.finish()?;
    let rows = match (args.format.name, args.unit) {
        ("ciff", _) => format!(
            "{}, {}",
            counted(exported.rows, "document"),
            counted(exported.lists, "term")
        ),
        (_, Unit::Page) => counted(exported.rows, "page"),
        (_, Unit::Block) => counted(exported.rows, "block"),
    };
    anstream::eprintln!(
        "{}: {rows}, in {:.1} s",
        args.output.display(),
        start.elapsed().as_secs_f64()
    );
    if exported.rows == 0 {
        warn("nothing passes the filter");
    }
    Ok(ExitCode::SUCCESS)
}

fn parse_format(name: &str) -> Result<Format, String> {
    let known = || export::all().iter().map(|format| format.name);
    let found = export::by_name(name).copied();
    found.ok_or_else(|| unknown("format", name, known().collect()))
}
