//! The command line of Trommel: its subcommands at a glance. Each has its flags and its body in one file of `cli`.

mod cli;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[cfg(feature = "serve")]
use self::cli::serve;
use self::cli::{
    blocks, check, compare, completions, demo, eval, experiment, extract, features, index, label,
    learn, merge, run, score, search, stats, sweep, train,
};

/// Search web archives without the boilerplate
///
/// Trommel indexes the text blocks of web pages with their word counts and densities, and leaves the choice of what counts as
/// content to the search: `--min-words 11` searches as if shorter blocks (menus, teasers, footers) had never been indexed.
#[derive(Parser)]
#[command(version, arg_required_else_help = true, after_help = cli::AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// What each says of itself, in short and at length, stands with its flags.
#[derive(Subcommand)]
enum Command {
    // Build an index of WARC, TREC web or HTML files
    Index(index::Args),
    // Add an extractor's verdicts to an index
    Label(label::Args),
    // Merge indexes into one
    Merge(merge::Args),
    // Verify an index against its manifest
    Check(check::Args),
    // Search an index by hand
    Search(search::Args),
    // Search TREC topics and write a run file
    Run(run::Args),
    // Show what each threshold of the block filter does to retrieval
    Sweep(sweep::Args),
    // Evaluate runs against relevance judgments, as trec_eval does
    Eval(eval::Args),
    // Compare runs with a baseline, topic by topic, with paired tests
    Compare(compare::Args),
    // Show the text blocks of pages, with their values and verdicts
    Blocks(blocks::Args),
    // Show the features of text blocks that learned classifiers look at
    Features(features::Args),
    // Write the cleaned text of pages
    Extract(extract::Args),
    // Learn from the pages of a collection what some extractors need
    Learn(learn::Args),
    // Train extractors on a gold standard
    Train(train::Args),
    // Score extractors against a gold standard
    Score(score::Args),
    // Analyse how text is spread over blocks by number of words and by text density
    Stats(stats::Args),
    // Run an experiment file and compare with published figures
    Experiment(experiment::Args),
    // Search an index by hand in a web browser
    #[cfg(feature = "serve")]
    Serve(serve::Args),
    // Do the main job on a small built-in collection
    Demo(demo::Args),
    // Print a completion script for a shell
    Completions(completions::Args),
}

fn main() -> ExitCode {
    cli::finish(match Cli::parse().command {
        Command::Index(args) => index::run(args),
        Command::Label(args) => label::run(args),
        Command::Merge(args) => merge::run(args),
        Command::Check(args) => check::run(args),
        Command::Search(args) => search::run(args),
        Command::Run(args) => run::run(args),
        Command::Sweep(args) => sweep::run(args),
        Command::Eval(args) => eval::run(args),
        Command::Compare(args) => compare::run(args),
        Command::Blocks(args) => blocks::run(args),
        Command::Features(args) => features::run(args),
        Command::Extract(args) => extract::run(args),
        Command::Learn(args) => learn::run(args),
        Command::Train(args) => train::run(args),
        Command::Score(args) => score::run(args),
        Command::Stats(args) => stats::run(args),
        Command::Experiment(args) => experiment::run(args),
        #[cfg(feature = "serve")]
        Command::Serve(args) => serve::run(args),
        Command::Demo(args) => demo::run(args),
        Command::Completions(args) => completions::run::<Cli>(args),
    })
}
