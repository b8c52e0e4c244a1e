//! The ledger of a build: a line for each record that gave no page, or no whole one.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::IndexError;
use crate::collection::{Reason, Skipped};

/// Name of the ledger in an index directory; each line is a JSON object.
pub const LEDGER: &str = "ledger.jsonl";

/// Writes the ledger and counts its lines. Lines of the reader come in input order; those of the workers, about pages that ran
/// into parse limits, stand where they come.
pub(super) struct Ledger {
    path: PathBuf,
    state: Mutex<State>,
}

struct State {
    file: BufWriter<File>,
    totals: Totals,
}

/// What a ledger holds, in sum.
#[derive(Debug, Default)]
pub(super) struct Totals {
    /// Lines by reason.
    pub lines: BTreeMap<Reason, u64>,
    /// Lines that are failures.
    pub failures: u64,
    /// The first failure, in words.
    pub first_failure: Option<String>,
}

impl Ledger {
    pub fn create(directory: &Path) -> Result<Ledger, IndexError> {
        let path = directory.join(LEDGER);
        let file = File::create(&path).map_err(IndexError::io(&path))?;
        let state = State {
            file: BufWriter::new(file),
            totals: Totals::default(),
        };
        Ok(Ledger {
            path,
            state: Mutex::new(state),
        })
    }

    /// Writes a line. Gives the number of failures so far.
    pub fn write(&self, skipped: &Skipped) -> Result<u64, IndexError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let State { file, totals } = &mut *state;
        *totals.lines.entry(skipped.reason).or_default() += 1;
        if skipped.reason.is_failure() {
            totals.failures += 1;
            totals
                .first_failure
                .get_or_insert_with(|| skipped.to_string());
        }
        serde_json::to_writer(&mut *file, skipped)
            .map_err(std::io::Error::from)
            .and_then(|()| file.write_all(b"\n"))
            .map_err(IndexError::io(&self.path))?;
        Ok(totals.failures)
    }

    /// Writes what is buffered and gives the totals.
    pub fn finish(self) -> Result<Totals, IndexError> {
        let State { file, totals } = self
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let file = file.into_inner().map_err(|error| IndexError::Io {
            path: self.path.clone(),
            source: error.into_error(),
        })?;
        file.sync_all().map_err(IndexError::io(&self.path))?;
        Ok(totals)
    }
}
