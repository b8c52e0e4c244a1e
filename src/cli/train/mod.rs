//! `trommel train`: the model of an extractor that is trained on a gold standard. One file an extractor.

mod tree;
mod trommel;
mod web2text;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::ensure;

use super::score::beside;
use crate::experiment::score::{Pair, pairs};

/// Train extractors on a gold standard
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand, Debug)]
enum What {
    /// A decision tree on shallow text features (WSDM 2010); use it as --extractor tree:MODEL
    Tree(tree::Args),
    /// Trommel's own remover; use it as --extractor trommel:model=MODEL
    Trommel(trommel::Args),
    /// The networks of Web2Text (ECIR 2018); use them as --extractor web2text:model=MODEL
    Web2text(web2text::Args),
}

/// The pages of each gold standard with their gold texts. `pages` has a folder for each, or none: then they stand beside.
fn pairs_of_each(gold: &[PathBuf], pages: &[PathBuf]) -> anyhow::Result<Vec<Vec<Pair>>> {
    ensure!(
        pages.is_empty() || pages.len() == gold.len(),
        "--pages is given once for each --gold, in the same order, or not at all"
    );
    let of = |(number, gold): (usize, &PathBuf)| {
        let pages = pages.get(number).cloned();
        Ok(pairs(Some(gold), &pages.unwrap_or_else(|| beside(gold)))?)
    };
    gold.iter().enumerate().map(of).collect()
}

/// Trains, writes the model, and prints what was learnt.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.what {
        What::Tree(args) => tree::run(&args),
        What::Trommel(args) => trommel::run(&args),
        What::Web2text(args) => web2text::run(&args),
    }
}
