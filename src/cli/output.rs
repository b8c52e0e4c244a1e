//! Where commands write: the library's one place for that, and the flag that is theirs.

pub use trommel::output::{Directory, Folder, Kind, Output, OutputError, Reads, kinds, reports};

/// Whether what is there may be replaced whatever it is.
#[derive(clap::Args, Debug, Clone, Copy, Default)]
pub struct ForceArgs {
    /// Replace what is there already, whatever it is. Without this, only an empty file or directory is replaced, and what this
    /// command wrote itself; never what it reads
    #[arg(long, help_heading = "Output")]
    pub force: bool,
}
