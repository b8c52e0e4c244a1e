//! `trommel train ncleaner`.

use std::process::ExitCode;

use anyhow::ensure;
use trommel::extractor::ncleaner::SEGMENTER;
use trommel::training::ncleaner::{NCleanerOptions, train_ncleaner};

use super::texts::{self, Learnt};

/// Its flags.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    texts: texts::Args,
    /// Characters of a sequence, 1 to 8
    #[arg(long, value_name = "N", default_value_t = 3)]
    n: usize,
    /// Leave sequences out that stand there fewer times
    #[arg(long, value_name = "N", default_value_t = 2)]
    least: u32,
}

/// Trains and writes the model.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    ensure!((1..=8).contains(&args.n), "--n {}: take 1 to 8", args.n);
    let mut options = NCleanerOptions::default();
    options.n = args.n;
    options.least = args.least;
    texts::train(&args.texts, SEGMENTER, &|pages| {
        let model = train_ncleaner(pages, &options)?;
        let (clean, dirty) = (model.clean.counts.len(), model.dirty.counts.len());
        Ok(Learnt {
            words: format!("{clean} clean and {dirty} dirty {}-grams", options.n),
            write: Box::new(move |words, seen| model.write(words, seen)),
        })
    })
}
