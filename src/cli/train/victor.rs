//! `trommel train victor`.

use std::process::ExitCode;

use anyhow::ensure;
use trommel::extractor::victor::SEGMENTER;
use trommel::learning::crf::CrfOptions;
use trommel::training::victor::train_victor;

use super::texts::{self, Learnt};

/// Its flags.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    texts: texts::Args,
    /// What the sum of the squares of all weights counts
    #[arg(long, value_name = "FACTOR", default_value_t = 10.0)]
    c2: f64,
}

/// Trains and writes the model.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    ensure!(
        args.c2.is_finite() && args.c2 > 0.0,
        "--c2 {}: take a number above 0",
        args.c2
    );
    let mut options = CrfOptions::default();
    options.c2 = args.c2;
    texts::train(&args.texts, SEGMENTER, &|pages| {
        let model = train_victor(pages, &options)?;
        let weights = 2 * model.field.state.len() + 4;
        Ok(Learnt {
            words: format!("a field of {weights} weights"),
            write: Box::new(move |words, seen| model.write(words, seen)),
        })
    })
}
