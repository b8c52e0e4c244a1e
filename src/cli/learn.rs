//! `trommel learn`: the model of a remover that needs a collection.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};

use super::DONE_WITH_FAILURES;
use super::input::for_each_page;
use super::options::{Inputs, ReadArgs};
use crate::extractor::{self, Subject};

/// Learn from the pages of a collection what some extractors need
#[derive(clap::Args, Debug)]
pub struct Args {
    /// What to learn, with its parameters, such as onion:n=5,threshold=0.5
    #[arg(value_name = "NAME[:key=value,…]", long_help = long_help())]
    learner: String,
    /// Where the model goes ('-' for standard output); use it as --extractor NAME:MODEL
    #[arg(long, short, value_name = "MODEL")]
    output: PathBuf,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    inputs: Inputs,
}

fn long_help() -> String {
    let mut text =
        "What to learn, with its parameters, such as onion:n=5,threshold=0.5:\n".to_owned();
    for row in extractor::learners() {
        text.push_str(&format!("\n{}: {}\n", row.name, row.summary));
        if let extractor::Takes::Parameters(known) = row.takes {
            for parameter in known {
                let (name, default) = (parameter.name, parameter.default);
                text.push_str(&format!("  {name}={default}  {}\n", parameter.summary));
            }
        }
    }
    text
}

/// Reads the pages and writes the model.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let mut learner = extractor::learner(&args.learner)?;
    let mut pages = 0u64;
    let failures = for_each_page(&args.inputs.paths, &args.read, |document, page| {
        pages += 1;
        learner.add(&Subject::new(page, &document.docid, &document.url));
        Ok(())
    })?;
    if pages == 0 {
        bail!("there is nothing to learn from: give files or directories with pages");
    }
    let model = learner.finish()?;
    if args.output == Path::new("-") {
        writeln!(io::stdout().lock(), "{model}")?;
    } else {
        write(&args.output, &model).with_context(|| args.output.display().to_string())?;
    }
    anstream::eprintln!("{}: {}", args.output.display(), extractor::learnt(&model));
    Ok(match failures {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::from(DONE_WITH_FAILURES),
    })
}

/// Writes a file: whole or not at all. What is no file, such as a pipe, is written to and not replaced; so is what a link
/// leads to.
pub(super) fn write(path: &Path, text: &str) -> io::Result<()> {
    let resolved = fs::canonicalize(path);
    let path = resolved.as_deref().unwrap_or(path);
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        let mut file = File::options().write(true).open(path)?;
        return writeln!(file, "{text}");
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".tmp");
    let temporary = path.with_file_name(name);
    let written = || {
        let mut file = File::create(&temporary)?;
        writeln!(file, "{text}")?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    written().inspect_err(|_| {
        // What could not be written is of no use; that it cannot be removed is not the error to tell.
        let _ = fs::remove_file(&temporary);
    })
}
