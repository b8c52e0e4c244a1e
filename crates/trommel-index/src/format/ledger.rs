//! The ledger of a build: a line for each record that gave no page, or no whole one.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use trommel_archive::{Reason, Skipped};

use crate::format::error::IndexError;
use crate::format::file;

/// Name of the ledger in an index directory; each line is a JSON object.
pub const LEDGER: &str = "ledger.jsonl";

/// Writes the ledger and counts its lines. Lines of the reader come in input order; those of the workers, about pages that ran
/// into parse limits, stand where they come.
pub(crate) struct Ledger {
    path: PathBuf,
    state: Mutex<State>,
}

struct State {
    file: BufWriter<File>,
    bytes: u64,
    totals: Totals,
}

/// What a ledger holds, in sum.
#[derive(Debug, Default)]
pub(crate) struct Totals {
    /// Records by reason.
    pub records: BTreeMap<Reason, u64>,
    /// Records that failed.
    pub failures: u64,
    /// The first failure, in words.
    pub first_failure: Option<String>,
}

impl Totals {
    /// Records by the written form of their reasons.
    pub fn by_name(&self) -> BTreeMap<String, u64> {
        let records = self.records.iter();
        records
            .map(|(reason, n)| (reason.to_string(), *n))
            .collect()
    }

    fn read(file: &File) -> std::io::Result<Totals> {
        let mut totals = Totals::default();
        for line in BufReader::new(file).lines() {
            totals.add(&serde_json::from_str(&line?)?);
        }
        Ok(totals)
    }

    fn add(&mut self, skipped: &Skipped) {
        let records = self.records.entry(skipped.reason).or_default();
        *records = records.saturating_add(skipped.records);
        if skipped.reason.is_failure() {
            self.failures = self.failures.saturating_add(skipped.records);
            self.first_failure
                .get_or_insert_with(|| skipped.to_string());
        }
    }
}

impl Ledger {
    /// Opens the ledger of a directory, or begins one, after its first `bytes` bytes; what is behind them is dropped.
    pub fn go_on(directory: &Path, bytes: u64) -> Result<Ledger, IndexError> {
        let path = directory.join(LEDGER);
        let read = || {
            let mut file = file::open(&path)?;
            file.set_len(bytes)?;
            let totals = Totals::read(&file)?;
            file.seek(std::io::SeekFrom::End(0))?;
            Ok((file, totals))
        };
        let (file, totals) = read().map_err(IndexError::io(&path))?;
        Ok(Ledger::new(path, file, bytes, totals))
    }

    /// What the ledger of an index holds, in sum.
    pub fn totals(directory: &Path) -> Result<Totals, IndexError> {
        let path = directory.join(LEDGER);
        let totals = File::open(&path).and_then(|file| Totals::read(&file));
        totals.map_err(IndexError::io(&path))
    }

    fn new(path: PathBuf, file: File, bytes: u64, totals: Totals) -> Ledger {
        let state = State {
            file: BufWriter::new(file),
            bytes,
            totals,
        };
        Ledger {
            path,
            state: Mutex::new(state),
        }
    }

    /// Writes a line. Gives the number of failures so far.
    pub fn write(&self, skipped: &Skipped) -> Result<u64, IndexError> {
        let mut line = serde_json::to_vec(skipped)
            .map_err(|error| IndexError::io(&self.path)(error.into()))?;
        line.push(b'\n');
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.totals.add(skipped);
        state.bytes += line.len() as u64;
        let written = state.file.write_all(&line);
        written.map_err(IndexError::io(&self.path))?;
        Ok(state.totals.failures)
    }

    /// Records so far that failed.
    pub fn failures(&self) -> u64 {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.totals.failures
    }

    /// Makes what was written last. Gives the length of the ledger.
    pub fn sync(&self) -> Result<u64, IndexError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let synced = state.file.flush();
        let synced = synced.and_then(|()| state.file.get_ref().sync_data());
        synced.map_err(IndexError::io(&self.path))?;
        Ok(state.bytes)
    }

    /// Writes what is buffered and gives the totals.
    pub fn finish(self) -> Result<Totals, IndexError> {
        let State { file, totals, .. } = self
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let file = file.into_inner().map_err(|error| IndexError::Io {
            path: self.path.clone(),
            error: error.into_error(),
        })?;
        file.sync_all().map_err(IndexError::io(&self.path))?;
        Ok(totals)
    }
}
