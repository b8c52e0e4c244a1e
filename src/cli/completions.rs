//! `trommel completions`: completion scripts.

use std::io;
use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;

/// Print a completion script for a shell
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The shell
    shell: Shell,
}

/// Prints the script for the program `C`.
pub fn run<C: CommandFactory>(args: Args) -> anyhow::Result<ExitCode> {
    clap_complete::generate(args.shell, &mut C::command(), "trommel", &mut io::stdout());
    Ok(ExitCode::SUCCESS)
}
