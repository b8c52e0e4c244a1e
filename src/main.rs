//! The command line of Trommel: its subcommands at a glance. Each has its flags and its body in one file of `cli`.

mod cli;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use self::cli::{
    blocks, check, compare, completions, count, demo, eval, experiment, export, extract, features,
    index, info, join, label, learn, list, man, merge, run, score, search, stats, sweep, train,
    tune, verify,
};

#[cfg(feature = "serve")]
use self::cli::serve;

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
    // Indexes.
    Index(index::Args),
    Label(label::Args),
    Merge(merge::Args),
    Check(check::Args),
    Info(info::Args),

    // Searches.
    Search(search::Args),
    Run(run::Args),
    Sweep(sweep::Args),
    Tune(tune::Args),

    // Searches of many indexes apart.
    Count(count::Args),
    Join(join::Args),

    // Runs and judgments.
    Eval(eval::Args),
    Compare(compare::Args),
    Verify(verify::Args),

    // Pages and what is content in them.
    Blocks(blocks::Args),
    Features(features::Args),
    Export(export::Args),
    Extract(extract::Args),
    Learn(learn::Args),
    Train(train::Args),
    Score(score::Args),
    Stats(stats::Args),

    // What is written down in a file.
    Experiment(experiment::Args),

    // The web page, a first look, the shell.
    #[cfg(feature = "serve")]
    Serve(serve::Args),
    Demo(demo::Args),
    List(list::Args),
    Completions(completions::Args),
    Man(man::Args),
}

fn main() -> ExitCode {
    cli::finish(match parse().command {
        Command::Index(args) => index::run(args),
        Command::Label(args) => label::run(args),
        Command::Merge(args) => merge::run(args),
        Command::Check(args) => check::run(args),
        Command::Info(args) => info::run(args),
        Command::Search(args) => search::run(args),
        Command::Run(args) => run::run(args),
        Command::Sweep(args) => sweep::run(args),
        Command::Tune(args) => tune::run(args),
        Command::Count(args) => count::run(args),
        Command::Join(args) => join::run(args),
        Command::Eval(args) => eval::run(args),
        Command::Compare(args) => compare::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Blocks(args) => blocks::run(args),
        Command::Features(args) => features::run(args),
        Command::Export(args) => export::run(args),
        Command::Extract(args) => extract::run(args),
        Command::Learn(args) => learn::run(args),
        Command::Train(args) => train::run(args),
        Command::Score(args) => score::run(args),
        Command::Stats(args) => stats::run(args),
        Command::Experiment(args) => experiment::run(args),
        #[cfg(feature = "serve")]
        Command::Serve(args) => serve::run(args),
        Command::Demo(args) => demo::run(args),
        Command::List(args) => list::run(args),
        Command::Completions(args) => completions::run::<Cli>(args),
        Command::Man(args) => man::run::<Cli>(args),
    })
}

/// What the command line asks for; what it asks wrongly ends the program.
fn parse() -> Cli {
    let mut program = cli::brief(Cli::command());
    let matches = program.get_matches_mut();
    let parsed = Cli::from_arg_matches(&matches);
    parsed.unwrap_or_else(|error| error.format(&mut program).exit())
}
