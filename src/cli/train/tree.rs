//! `trommel train tree`.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use trommel::extractor::TrainingPages;
use trommel::feature;
use trommel::gold::{Format, labelled_pages, pairs};
use trommel::html::{Charset, segment};
use trommel::training::instances::Problem;
use trommel::training::tree::{TreeOptions, train_tree};

use crate::cli::gold::{beside, parse_format};
use crate::cli::options::counted;
use crate::cli::output::{ForceArgs, Output, Reads, kinds};

/// Its flags.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Folder with the gold standard, a file a page
    #[arg(long, value_name = "DIR")]
    gold: PathBuf,
    /// Format of the gold standard: cleaneval, gn1, text, wcxb
    #[arg(long, value_name = "FORMAT", value_parser = parse_format)]
    format: Format,
    /// Folder with the pages, of the same names [default: html, beside the gold standard]
    #[arg(long, value_name = "DIR")]
    pages: Option<PathBuf>,
    /// Character encoding of the pages: auto, or a label like utf-8
    #[arg(long, value_name = "auto|LABEL", default_value = "auto")]
    charset: Charset,
    /// What it looks at: words, densities, local, context, or names of features (comma-separated)
    #[arg(
        long,
        value_name = "NAME,…",
        value_delimiter = ',',
        default_value = "words"
    )]
    features: Vec<String>,
    /// How many classes it tells apart: 2, or 4 (with headlines and supplemental text; gn1 only)
    #[arg(long, value_name = "2|4", default_value = "2", value_parser = parse_problem)]
    classes: Problem,
    /// The least leaf, in words
    #[arg(long, value_name = "WORDS", default_value_t = 1000.0)]
    min_leaf: f64,
    /// Prune by the errors on one of N parts of the blocks, which the tree is not grown from; 0: do not prune
    #[arg(long, value_name = "N", default_value_t = 3)]
    pruning_parts: usize,
    /// Seed of the division into parts
    #[arg(long, value_name = "N", default_value_t = 2010)]
    seed: u64,
    /// Where the model goes ('-' for standard output, without the rules)
    #[arg(long, short, value_name = "MODEL")]
    output: PathBuf,
    #[command(flatten)]
    force: ForceArgs,
}

fn parse_problem(text: &str) -> Result<Problem, String> {
    match text {
        "2" => Ok(Problem::TwoClasses),
        "4" => Ok(Problem::FourClasses),
        _ => Err("there are problems of 2 and of 4 classes".to_owned()),
    }
}

/// Trains, writes the model, and prints its rules.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if !args.min_leaf.is_finite() || args.min_leaf < 1.0 {
        bail!("--min-leaf {}: take 1 word or more", args.min_leaf);
    }
    let set = feature::by_name("wsdm").context("no set of features is called 'wsdm'")?;
    let segmenter = segment::by_name(set.segmenter).context("no such segmenter")?;
    let pages = args.pages.clone().unwrap_or_else(|| beside(&args.gold));
    let pairs = pairs(Some(&args.gold), &pages)?;
    if pairs.is_empty() {
        bail!("no page in {}", args.gold.display());
    }
    let mut reads = Reads::default();
    reads.add_pairs(&pairs);
    let output = Output::check(&args.output, &kinds::MODEL, args.force.force, &reads)?;
    let pages = labelled_pages(&pairs, &args.format, segmenter, args.charset, &|| {})?;
    let mut options = TreeOptions::default();
    options.features.clone_from(&args.features);
    options.problem = args.classes;
    options.growth.min_leaf = args.min_leaf;
    options.pruning_parts = args.pruning_parts;
    options.seed = args.seed;
    let model = train_tree(&pages, set, &options)?;
    let learnt = format!(
        "{} on {} of {}",
        counted(model.tree.num_leaves() as u64, "leaf").replace("leafs", "leaves"),
        counted(pages.len() as u64, "page"),
        args.format.name
    );
    let seen = pages.iter().filter_map(|page| page.fingerprint);
    let text = model.write(&learnt, &TrainingPages::new(seen))?;
    output.write(format!("{text}\n").as_bytes())?;
    if !output.is_stdout() {
        let mut out = io::stdout().lock();
        out.write_all(model.tree.rules().as_bytes())?;
        out.flush()?;
    }
    anstream::eprintln!("{}: {learnt}", args.output.display());
    Ok(ExitCode::SUCCESS)
}
