//! What the subcommands that train on one kind of blocks have in common: their flags, reading the pages, writing the model with its manifest.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, ensure};
use serde_json::json;
use trommel::collection::sha256_of;
use trommel::extractor::{ExtractorError, TrainingPages};
use trommel::gold::{Format, LabelledPage, labelled_pages};
use trommel::html::{Charset, segment};

use crate::cli::gold::{pairs_of_each, parse_format};
use crate::cli::options::counted;
use crate::cli::output::{ForceArgs, Output, Reads, kinds};
use crate::cli::progress::page_bar;

/// Where pages come from, and where the model goes.
#[derive(clap::Args, Debug)]
// Their commands have a group of that name already.
#[group(skip)]
pub struct Args {
    /// Folder with a gold standard, a file a page; may be given several times
    #[arg(long, value_name = "DIR", required = true)]
    gold: Vec<PathBuf>,
    /// Format of the gold standard: cleaneval, gn1, text
    #[arg(long, value_name = "FORMAT", value_parser = parse_format)]
    format: Format,
    /// Folder with the pages, of the same names; one for each --gold [default: html, beside the gold standard]
    #[arg(long, value_name = "DIR")]
    pages: Vec<PathBuf>,
    /// Character encoding of the pages: auto, or a label like utf-8
    #[arg(long, value_name = "auto|LABEL", default_value = "auto")]
    charset: Charset,
    /// Where the model goes ('-' for standard output); a manifest goes beside it, as MODEL.manifest.json
    #[arg(long, short, value_name = "MODEL")]
    output: PathBuf,
    #[command(flatten)]
    force: ForceArgs,
}

/// Writes the text of a model's file, given what was learnt in words and the pages.
type Write = dyn Fn(&str, &TrainingPages) -> Result<String, ExtractorError>;

/// What was learnt, in words, and what writes the model's file.
pub struct Learnt {
    pub words: String,
    pub write: Box<Write>,
}

/// Reads the pages as a segmenter cuts them, trains, and writes the model.
pub fn train(
    args: &Args,
    segmenter: &str,
    learn: &dyn Fn(&[LabelledPage]) -> anyhow::Result<Learnt>,
) -> anyhow::Result<ExitCode> {
    let segmenter = segment::by_name(segmenter).context("no such segmenter")?;
    let pairs: Vec<_> = pairs_of_each(&args.gold, &args.pages)?
        .into_iter()
        .flatten()
        .collect();
    let mut reads = Reads::default();
    reads.add_pairs(&pairs);
    let force = args.force.force;
    let output = Output::check(&args.output, &kinds::MODEL, force, &reads)?;
    let beside = match output.is_stdout() {
        true => None,
        false => {
            let mut beside = args.output.clone().into_os_string();
            beside.push(".manifest.json");
            let beside = PathBuf::from(beside);
            Some(Output::check(&beside, &kinds::TRAINING, force, &reads)?)
        }
    };
    let bar = page_bar(pairs.len());
    let pages = labelled_pages(&pairs, &args.format, segmenter, args.charset, &|| {
        bar.inc(1)
    })?;
    bar.finish_and_clear();
    ensure!(
        !pages.is_empty(),
        "no page has a gold text; is the gold standard of another format?"
    );
    let learnt = learn(&pages)?;
    let words = format!(
        "{} on {} of {}",
        learnt.words,
        counted(pages.len() as u64, "page"),
        args.format.name
    );
    let seen = TrainingPages::new(pages.iter().filter_map(|page| page.fingerprint));
    let text = format!("{}\n", (learnt.write)(&words, &seen)?);
    output.write(text.as_bytes())?;
    if let Some(beside) = beside {
        let names: Vec<&str> = pages.iter().map(|page| page.name.as_str()).collect();
        let manifest = json!({
            "trommel": env!("CARGO_PKG_VERSION"),
            "model_sha256": sha256_of(text.as_bytes())?,
            "learnt": words,
            "format": args.format.name,
            "charset": match args.charset {
                Charset::Auto => "auto",
                Charset::Fixed(encoding) => encoding.name(),
            },
            "training": { "pages": pages.len(), "names": names.join(" ") },
        });
        let manifest = format!("{}\n", serde_json::to_string_pretty(&manifest)?);
        beside.write(manifest.as_bytes())?;
    }
    anstream::eprintln!("{}: {words}", args.output.display());
    Ok(ExitCode::SUCCESS)
}
