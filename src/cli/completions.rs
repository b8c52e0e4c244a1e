//! `trommel completions`: completion scripts.

use std::io::{self, Write};
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
    // Written to memory first: generate panics where a reader has seen enough.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut C::command(), "trommel", &mut script);
    io::stdout().lock().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}
