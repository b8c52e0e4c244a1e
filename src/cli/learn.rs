//! `trommel learn`: the model of a remover that needs a collection.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use trommel::extractor::{self, Subject};

use super::DONE_WITH_FAILURES;
use super::input::{for_each_page, list};
use super::options::{Inputs, ReadArgs};
use super::output::{ForceArgs, Output, Reads, kinds};

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
    force: ForceArgs,
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
    let inputs = list(&args.inputs.paths)?;
    let mut reads = Reads::default();
    reads.add_inputs(&inputs);
    let output = Output::check(&args.output, &kinds::MODEL, args.force.force, &reads)?;
    let mut pages = 0u64;
    let failures = for_each_page(&inputs, &args.read, |document, page| {
        pages += 1;
        learner.add(&Subject::new(page, &document.docid, &document.url));
        Ok(())
    })?;
    if pages == 0 {
        bail!("there is nothing to learn from: give files or directories with pages");
    }
    let model = learner.finish()?;
    output.write(format!("{model}\n").as_bytes())?;
    anstream::eprintln!("{}: {}", args.output.display(), extractor::learnt(&model));
    Ok(match failures {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::from(DONE_WITH_FAILURES),
    })
}
