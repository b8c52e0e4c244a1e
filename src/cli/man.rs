//! `trommel man`: manual pages.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Command, CommandFactory};

/// Write a manual page for each command into a directory
///
/// Releases have them: `trommel.1`, `trommel-index.1`, and so on. Pages of the same names are replaced.
#[derive(clap::Args, Debug)]
#[command(hide = true)]
pub struct Args {
    /// The directory; it is made if need be
    directory: PathBuf,
}

/// Writes the pages of the program `C`.
pub fn run<C: CommandFactory>(args: Args) -> anyhow::Result<ExitCode> {
    let directory = &args.directory;
    fs::create_dir_all(directory).with_context(|| directory.display().to_string())?;
    let mut program = C::command();
    program.build();
    write(directory, &program, "trommel")?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the page of a command, and those of the commands below it.
fn write(directory: &Path, command: &Command, name: &str) -> anyhow::Result<()> {
    let shown = command.clone().name(name.to_owned());
    let mut page = Vec::new();
    clap_mangen::Man::new(shown).render(&mut page)?;
    let path = directory.join(format!("{name}.1"));
    trommel::collection::write_whole(&path, &page).with_context(|| path.display().to_string())?;
    let below = command.get_subcommands();
    for command in below.filter(|it| !it.is_hide_set() && it.get_name() != "help") {
        write(
            directory,
            command,
            &format!("{name}-{}", command.get_name()),
        )?;
    }
    Ok(())
}
