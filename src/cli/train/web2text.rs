//! `trommel train web2text`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, ensure};
use serde_json::{Value, json};
use trommel::collection::{sha256_of, sha256_of_file};
use trommel::extractor::TrainingPages;
use trommel::gold::{Format, LabelledPage, Pair, labelled_pages};
use trommel::html::Charset;
use trommel::score::labels::Confusion;
use trommel::training::web2text::{
    Division, Progress, Sequence, Web2TextOptions, distinct, leaf, of_model, train_web2text,
};

use crate::cli::gold::{pairs_of_each, parse_format};
use crate::cli::options::counted;
use crate::cli::output::{ForceArgs, Output, Reads, kinds};

/// Its flags.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Folder with a gold standard, a file a page; may be given several times
    #[arg(long, value_name = "DIR", required = true)]
    gold: Vec<PathBuf>,
    /// Format of the gold standard: cleaneval, gn1, text, wcxb
    #[arg(long, value_name = "FORMAT", value_parser = parse_format)]
    format: Format,
    /// Folder with the pages, of the same names; one for each --gold [default: html, beside the gold standard]
    #[arg(long, value_name = "DIR")]
    pages: Vec<PathBuf>,
    /// Character encoding of the pages: auto, or a label like utf-8
    #[arg(long, value_name = "auto|LABEL", default_value = "auto")]
    charset: Charset,
    /// Pages by which the best weights are chosen [default: a tenth]
    #[arg(long, value_name = "N")]
    validation: Option<usize>,
    /// Pages that are kept out, so that the model can be tested on them; the manifest names them
    #[arg(long, value_name = "N", default_value_t = 0)]
    held_out: usize,
    /// Steps of the training
    #[arg(long, value_name = "N", default_value_t = 5000)]
    iterations: usize,
    /// Adam's step size
    #[arg(long, value_name = "RATE", default_value_t = 1e-3)]
    learning_rate: f64,
    /// Share of the weights that are left out in a step
    #[arg(long, value_name = "SHARE", default_value_t = 0.2)]
    dropout: f64,
    /// Weight decay
    #[arg(long, value_name = "RATE", default_value_t = 1e-4)]
    decay: f64,
    /// Seed of the division of the pages, and of all that is random in training
    #[arg(long, value_name = "N", default_value_t = 2018)]
    seed: u64,
    /// Where the model goes ('-' for standard output); a manifest goes beside it, as MODEL.manifest.json
    #[arg(long, short, value_name = "MODEL")]
    output: PathBuf,
    #[command(flatten)]
    force: ForceArgs,
}

/// λ of the paper, for the manifest's figures.
const LAMBDA: f64 = 0.1;

/// Trains, writes the model and its manifest.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let pairs = all_pairs(args)?;
    let mut reads = Reads::default();
    reads.add_pairs(&pairs);
    let output = Output::check(&args.output, &kinds::MODEL, args.force.force, &reads)?;
    let beside = match output.is_stdout() {
        true => None,
        false => {
            let mut beside = args.output.clone().into_os_string();
            beside.push(".manifest.json");
            let beside = PathBuf::from(beside);
            Some(Output::check(
                &beside,
                &kinds::TRAINING,
                args.force.force,
                &reads,
            )?)
        }
    };
    let pages = labelled_pages(&pairs, &args.format, leaf()?, args.charset, &|| {})?;
    let validation = args.validation.unwrap_or(pages.len() / 10);
    let division = Division::of(pages.len(), validation, args.held_out, args.seed);
    ensure!(
        !division.training.is_empty(),
        "{} with a gold text: none is left for training",
        counted(pages.len() as u64, "page")
    );
    let sequences = Sequence::of_all(&pages);
    let mut options = Web2TextOptions::default();
    options.iterations = args.iterations;
    options.learning_rate = args.learning_rate;
    options.dropout = args.dropout;
    options.decay = args.decay;
    options.seed = args.seed;
    let of = |part: &[usize]| {
        part.iter()
            .map(|page| &sequences[*page])
            .collect::<Vec<_>>()
    };
    let trained = train_web2text(
        &of(&division.training),
        &of(&division.validation),
        &options,
        &show,
    )?;
    let learnt = format!(
        "2 networks of {} weights on {} of {}",
        trained.model.unary.network.num_parameters()
            + trained.model.pairwise.network.num_parameters(),
        counted(division.training.len() as u64, "page"),
        args.format.name
    );
    // The weights were chosen by the pages for validation: they are no test either.
    let seen = division.training.iter().chain(&division.validation);
    let seen = TrainingPages::new(seen.filter_map(|page| pages[*page].fingerprint));
    let text = trained.model.write(&learnt, &seen)?;
    output.write(format!("{text}\n").as_bytes())?;
    if let Some(beside) = beside {
        let part = |pages_of: &[usize]| -> anyhow::Result<Value> {
            let figures = of_model(&trained.model, &sequences, pages_of, LAMBDA);
            part(&pages, &pairs, pages_of, &seen, figures)
        };
        let manifest = json!({
            "trommel": env!("CARGO_PKG_VERSION"),
            "model_sha256": sha256_of(format!("{text}\n").as_bytes())?,
            "learnt": learnt,
            "format": args.format.name,
            "charset": match args.charset {
                Charset::Auto => "auto",
                Charset::Fixed(encoding) => encoding.name(),
            },
            "seed": args.seed,
            "options": options,
            "chosen": trained.chosen,
            "figures_with_lambda": LAMBDA,
            "training": part(&division.training)?,
            "validation": part(&division.validation)?,
            "held_out": part(&division.held_out)?,
        });
        let manifest = format!("{}\n", serde_json::to_string_pretty(&manifest)?);
        beside.write(manifest.as_bytes())?;
    }
    anstream::eprintln!("{}: {learnt}", args.output.display());
    Ok(ExitCode::SUCCESS)
}

/// How far it has come, a line each time.
fn show(progress: &Progress) {
    let validation = match progress.validation {
        None => String::new(),
        Some(loss) => format!(", validation {loss:.4}"),
    };
    anstream::eprintln!(
        "{}: step {}, cross-entropy: training {:.4}{validation}",
        progress.network,
        progress.iteration,
        progress.training
    );
}

/// Pages and gold files of all folders, each page once. Where there are several, the folder that a gold standard is in stands before the names.
fn all_pairs(args: &Args) -> anyhow::Result<Vec<Pair>> {
    let mut all = Vec::new();
    let folders = pairs_of_each(&args.gold, &args.pages)?;
    for (gold, mut of_folder) in args.gold.iter().zip(folders) {
        if args.gold.len() > 1 {
            let resolved = gold.canonicalize()?;
            let folder = resolved
                .parent()
                .and_then(Path::file_name)
                .unwrap_or_default();
            for pair in &mut of_folder {
                pair.name = format!("{}/{}", folder.to_string_lossy(), pair.name);
            }
        }
        all.extend(of_folder);
    }
    Ok(distinct(all)?)
}

/// What the manifest says of a part of the pages: which, a hash of them, how many have the text of one that was trained on or chosen by,
/// and how well the model labels their text nodes.
///
/// The hash is the SHA-256 of a line a page: the SHA-256 of page and of gold file, and the name, with spaces between.
fn part(
    pages: &[LabelledPage],
    pairs: &[Pair],
    part: &[usize],
    seen: &TrainingPages,
    figures: Confusion,
) -> anyhow::Result<Value> {
    let mut lines = String::new();
    let mut names = Vec::new();
    for page in part {
        let name = &pages[*page].name;
        let pair = pairs.iter().find(|pair| pair.name == *name);
        let pair = pair.context("a page without files")?;
        let hash = |path: &Path| sha256_of_file(path).with_context(|| path.display().to_string());
        let gold = pair
            .gold
            .as_deref()
            .context("a page without gold standard")?;
        lines.push_str(&format!("{} {} {name}\n", hash(&pair.page)?, hash(gold)?));
        names.push(name.as_str());
    }
    let rates = figures.rates();
    let seen = part
        .iter()
        .filter(|page| seen.contains(pages[**page].fingerprint));
    Ok(json!({
        "pages": part.len(),
        "seen_pages": seen.count(),
        "sha256": sha256_of(lines.as_bytes())?,
        "accuracy": rates.accuracy,
        "precision": rates.precision,
        "recall": rates.recall,
        "f1": rates.f1,
        "names": names.join(" "),
    }))
}
