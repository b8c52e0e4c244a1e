//! `trommel train`: the model of an extractor that is trained on a gold standard. One file an extractor.

mod own;
mod tree;
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
    /// A decision tree on shallow text features (WSDM 2010); use it as --extractor tree:MODEL
    Tree(tree::Args),
    /// Trommel's own remover; use it as --extractor trommel:model=MODEL
    Trommel(own::Args),
    /// The networks of Web2Text (ECIR 2018); use them as --extractor web2text:model=MODEL
    Web2text(web2text::Args),
}

/// Trains, writes the model, and prints what was learnt.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.what {
        What::Tree(args) => tree::run(&args),
        What::Trommel(args) => own::run(&args),
        What::Web2text(args) => web2text::run(&args),
    }
}
