//! `trommel train trommel`: the model of Trommel's own remover.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use trommel::experiment::own::{self, OwnSettings};
use trommel::extractor::TrainingPages;
use trommel::gold::{self, Format};
use trommel::html::Charset;
use trommel::training::own::{BOOSTING, Corpus, learning_pages, train, training};

use crate::cli::definition;
use crate::cli::gold::{pairs_of_each, parse_format};
use crate::cli::options::counted;
use crate::cli::output::{ForceArgs, Output, Reads, kinds};
use crate::cli::progress::page_bar;

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Folder with a gold standard, a file a page; may be given several times
    #[arg(long, value_name = "DIR", required_unless_present = "corpora")]
    gold: Vec<PathBuf>,
    /// Format of each gold standard: cleaneval, gn1, text, wcxb; given once, it is that of all
    #[arg(long, value_name = "FORMAT", value_parser = parse_format, required_unless_present = "corpora")]
    format: Vec<Format>,
    /// Folder with the pages of each gold standard, of the same names [default: html, beside it]
    #[arg(long, value_name = "DIR")]
    pages: Vec<PathBuf>,
    /// An experiment of the kind own-remover, whose corpora, charset and seed are taken
    #[arg(long, value_name = "FILE", conflicts_with_all = ["gold", "format", "pages", "charset", "seed"])]
    corpora: Option<PathBuf>,
    /// Character encoding of the pages: auto, or a label like utf-8
    #[arg(long, value_name = "auto|LABEL", default_value = "auto")]
    charset: Charset,
    /// Seed of what is drawn
    #[arg(long, value_name = "N", default_value_t = 2010)]
    seed: u64,
    /// Where the model goes ('-' for standard output); use it as --extractor trommel:model=MODEL
    #[arg(long, short, value_name = "MODEL")]
    output: PathBuf,
    #[command(flatten)]
    force: ForceArgs,
}

/// What is learnt from, and how it is read.
struct Source {
    corpora: Vec<Corpus>,
    charset: Charset,
    seed: u64,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut source = match &args.corpora {
        Some(file) => of_experiment(file)?,
        None => of_flags(args)?,
    };
    source.corpora.retain(|corpus| corpus.format.is_some());
    let mut reads = Reads::default();
    if let Some(file) = &args.corpora {
        reads.add("the file of the experiment", file);
    }
    for corpus in &source.corpora {
        reads.add_pairs(&corpus.pairs);
    }
    let output = Output::check(&args.output, &kinds::MODEL, args.force.force, &reads)?;
    let total: usize = source.corpora.iter().map(|corpus| corpus.pairs.len()).sum();
    let bar = page_bar(total);
    let pages = learning_pages(&source.corpora, source.charset, &|| bar.inc(1))?;
    bar.finish_and_clear();
    let learnt_from: Vec<_> = pages.iter().filter(|page| page.counts()).collect();
    if learnt_from.iter().all(|page| page.paragraphs.is_empty()) {
        bail!("no page has a gold text; is the gold standard of another format?");
    }
    let mut model = train(&learnt_from, &BOOSTING, source.seed);
    model.training = training(&source.corpora, &pages, source.seed)?;
    let leaves = [&model.article, &model.main, &model.comments, &model.related]
        .map(|head| head.num_leaves());
    let names: Vec<&str> = source
        .corpora
        .iter()
        .map(|corpus| corpus.name.as_str())
        .collect();
    let learnt = format!(
        "{} leaves on {} of {}",
        leaves.iter().sum::<usize>(),
        counted(learnt_from.len() as u64, "page"),
        names.join(", ")
    );
    let seen = learnt_from.iter().filter_map(|page| page.fingerprint);
    let text = model.write(&learnt, &TrainingPages::new(seen))?;
    output.write(format!("{text}\n").as_bytes())?;
    anstream::eprintln!("{}: {learnt}", args.output.display());
    Ok(ExitCode::SUCCESS)
}

fn of_experiment(file: &Path) -> anyhow::Result<Source> {
    let shown = || file.display().to_string();
    let definition = definition::read(file)?;
    let settings: OwnSettings = definition.options().with_context(shown)?;
    Ok(Source {
        corpora: own::corpora(&definition, &settings).with_context(shown)?,
        charset: own::charset(&settings).with_context(shown)?,
        seed: settings.seed,
    })
}

fn of_flags(args: &Args) -> anyhow::Result<Source> {
    if args.format.len() != 1 && args.format.len() != args.gold.len() {
        bail!("--format is given once, or once for each --gold, in the same order");
    }
    let pairs = pairs_of_each(&args.gold, &args.pages)?;
    let formats = args.format.iter().cycle();
    let of_each = args.gold.iter().zip(formats).zip(pairs);
    let corpora = of_each.map(|((gold, format), pairs)| {
        let format = gold::by_name(format.name);
        Corpus::new(&gold.display().to_string(), format, pairs)
    });
    Ok(Source {
        corpora: corpora.collect(),
        charset: args.charset,
        seed: args.seed,
    })
}
