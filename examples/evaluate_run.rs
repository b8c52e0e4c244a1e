#![allow(clippy::print_stdout, clippy::print_stderr)]
//! Evaluates a run against judgments, as trec_eval does.
//!
//! `cargo run --example evaluate_run -- QRELS RUN [MEASURES]`; without arguments a small run.

use std::path::Path;

use trommel::measure::{Options, Selection, evaluate};
use trommel::trec::{qrels, run};

const QRELS: &str = "\
851 0 a 1
851 0 b 0
851 0 c 2
852 0 d 1
";
const RUN: &str = "\
851 Q0 c 1 12.5 example
851 Q0 b 2 11.0 example
851 Q0 a 3 9.75 example
852 Q0 e 1 4.5 example
852 Q0 d 2 4.25 example
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (qrels, run) = match args.as_slice() {
        [qrels, run, ..] => (
            qrels::read_file(Path::new(qrels))?,
            run::read_file(Path::new(run))?,
        ),
        _ => (
            qrels::parse(QRELS.as_bytes(), "qrels")?,
            run::parse(RUN.as_bytes(), "run")?,
        ),
    };
    let names = args.get(2).map_or("P@10 nDCG@10 AP RR", String::as_str);
    let selection = Selection::parse(names.split_whitespace())?;
    let evaluation = evaluate(&qrels, &run, &selection.measures, &Options::default())?;
    for (measure, mean) in evaluation.measures.iter().zip(&evaluation.means) {
        println!("{measure}\t{mean:.4}");
    }
    Ok(())
}
