//! `trommel train`: the model of an extractor that is trained on a gold standard. One file an extractor.

mod mss;
mod ncleaner;
mod own;
mod texts;
mod tree;
mod victor;
mod web2text;

use std::process::ExitCode;

/// Train extractors on a gold standard
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand, Debug)]
enum What {
    /// Maximum subsequence segmentation by single tokens (WWW 2009); use it as --extractor mss-unigram:model=MODEL
    MssUnigram(mss::Args),
    /// Maximum subsequence segmentation by three tokens (WWW 2009); use it as --extractor mss-trigram:model=MODEL
    MssTrigram(mss::Args),
    /// The two models of characters of NCleaner (LREC 2008); use them as --extractor ncleaner:model=MODEL
    Ncleaner(ncleaner::Args),
    /// A decision tree on shallow text features (WSDM 2010); use it as --extractor tree:MODEL
    Tree(tree::Args),
    /// Trommel's own remover; use it as --extractor trommel:model=MODEL
    Trommel(own::Args),
    /// The conditional random field of Victor (WAC 2007); use it as --extractor victor:model=MODEL
    Victor(victor::Args),
    /// The networks of Web2Text (ECIR 2018); use them as --extractor web2text:model=MODEL
    Web2text(web2text::Args),
}

/// Trains, writes the model, and prints what was learnt.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.what {
        What::MssUnigram(args) => mss::run(&args, 1),
        What::MssTrigram(args) => mss::run(&args, 3),
        What::Ncleaner(args) => ncleaner::run(&args),
        What::Tree(args) => tree::run(&args),
        What::Trommel(args) => own::run(&args),
        What::Victor(args) => victor::run(&args),
        What::Web2text(args) => web2text::run(&args),
    }
}
