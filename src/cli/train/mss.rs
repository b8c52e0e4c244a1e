//! `trommel train mss-unigram` and `mss-trigram`.

use std::process::ExitCode;

use trommel::training::mss::{MssOptions, train_mss};

use super::texts::{self, Learnt};
use crate::cli::options::counted;

/// Their flags.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    texts: texts::Args,
    /// Leave features out that are seen fewer times [default: 3 for unigrams, 7 for trigrams]
    #[arg(long, value_name = "N")]
    least: Option<u32>,
}

/// Trains with features of `n` tokens and writes the model.
pub fn run(args: &Args, n: usize) -> anyhow::Result<ExitCode> {
    let mut options = MssOptions::of(n);
    options.least = args.least.unwrap_or(options.least);
    texts::train(&args.texts, "leaf", &|pages| {
        let model = train_mss(pages, &options)?;
        Ok(Learnt {
            words: counted(model.tokens.of.len() as u64, "feature"),
            write: Box::new(move |words, seen| model.write(words, seen)),
        })
    })
}
