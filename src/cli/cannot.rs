//! Why a run cannot be made again.

use std::path::PathBuf;

/// Why a run cannot be made again.
#[derive(Debug, thiserror::Error)]
pub enum Cannot {
    /// Something is not where it was.
    #[error("{what} is not there: {}", path.display())]
    Missing {
        /// What it is, and how it is named.
        what: &'static str,
        /// The flag that says where it is.
        flag: &'static str,
        /// Where it should be.
        path: PathBuf,
    },
    /// The topics were read from standard input.
    #[error("the topics came from standard input, which is gone")]
    Stdin,
    /// Something is not what it was.
    #[error("{what} changed since the run was made: SHA-256 {now}, and was {then}")]
    Changed {
        /// What it is.
        what: &'static str,
        /// What to do about it.
        hint: &'static str,
        /// Its hash now.
        now: String,
        /// Its hash then.
        then: String,
    },
}

impl Cannot {
    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            Cannot::Missing { flag, .. } => format!("{flag} says where it is now"),
            Cannot::Stdin => "--topics names a file with the same topics".to_owned(),
            Cannot::Changed { hint, .. } => (*hint).to_owned(),
        }
    }
}
