//! What `run` and `sweep` say of the runs that they write.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs};

use anyhow::Context;
use trommel::collection::sha256_of_file;
use trommel::index::{Manifest, Ranking, seen_from};
use trommel::provenance::{
    Machine, Made, Recipe, RecordedFile, index_hash, metadata, queries_hash, sidecar,
};
use trommel::text::text_of_bytes;
use trommel::trec::TopicIds;

use super::counts::CountsArgs;
use super::output::{Output, OutputError, Reads, kinds};

/// What all runs of a command have in common.
pub struct RunsOf<'a> {
    command: String,
    machine: Machine,
    manifest: &'a Manifest,
    directories: Vec<PathBuf>,
    recipe: Recipe,
}

impl<'a> RunsOf<'a> {
    /// Runs over an index, of topics whose queries were read from a field of a file.
    ///
    /// # Errors
    /// A file of counts that cannot be read.
    pub fn new(
        (directories, manifest): (Vec<PathBuf>, &'a Manifest),
        (topics, field): (&Path, &str),
        (queries, ids): (&[(String, String)], TopicIds),
        counts: &CountsArgs,
        k: usize,
    ) -> anyhow::Result<RunsOf<'a>> {
        let counts = counts.file.as_ref().map(|file| {
            let sha256 = sha256_of_file(file).with_context(|| file.display().to_string())?;
            let path = text_of(file);
            anyhow::Ok(RecordedFile { path, sha256 })
        });
        let recipe = Recipe {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            from: None,
            indexes: directories.iter().map(|path| text_of(path)).collect(),
            index_sha256: String::new(),
            topics: RecordedFile {
                path: text_of(topics),
                sha256: queries_hash(queries),
            },
            topic_field: field.to_owned(),
            topic_ids: match ids {
                TopicIds::Loose => "loose".to_owned(),
                _ => "exact".to_owned(),
            },
            counts: counts.transpose()?,
            sieve: Default::default(),
            model: String::new(),
            stats: Default::default(),
            k,
            tag: String::new(),
        };
        Ok(RunsOf {
            command: command_line(),
            machine: Machine::this(),
            manifest,
            directories,
            recipe,
        })
    }

    /// The metadata of one of the runs, which will stand in a file.
    ///
    /// # Errors
    /// A manifest that cannot be read again.
    pub fn metadata(
        &self,
        ranking: &Ranking,
        tag: &str,
        file: &Path,
        time: Option<Duration>,
    ) -> anyhow::Result<String> {
        let recipe = Recipe {
            from: start(file),
            index_sha256: index_hash(&self.directories, ranking)?,
            sieve: ranking.sieve(),
            model: ranking.model.to_string(),
            stats: ranking.stats.clone(),
            tag: tag.to_owned(),
            ..self.recipe.clone()
        };
        let before = fs::read_to_string(file).ok();
        let made = Made {
            command: &self.command,
            manifest: self.manifest,
            machine: &self.machine,
            time,
            before: before.as_deref(),
        };
        Ok(metadata(&recipe, &made)?)
    }
}

/// The file beside a run, as far as can be known before the search; none if the run is no file.
pub fn beside(run: &Output, force: bool, reads: &Reads) -> Result<Option<Output>, OutputError> {
    let check = |run: &Path| Output::check(&sidecar(run), &kinds::METADATA, force, reads);
    run.file().map(check).transpose()
}

/// The directory that the program runs in, as seen from that of a file.
fn start(file: &Path) -> Option<String> {
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let here = env::current_dir().and_then(fs::canonicalize).ok()?;
    seen_from(&fs::canonicalize(folder).ok()?, &here)
}

fn text_of(path: &Path) -> String {
    text_of_bytes(path.as_os_str().as_encoded_bytes()).into_owned()
}

/// The command line, as a shell takes it.
fn command_line() -> String {
    let arguments = env::args_os().skip(1);
    let words = arguments.map(|word| quoted(&word));
    ["trommel".to_owned()]
        .into_iter()
        .chain(words)
        .collect::<Vec<_>>()
        .join(" ")
}

/// A word as a POSIX shell takes it.
fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=+.,:/@%^".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.into_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_shell() {
        for (word, expected) in [
            ("--k", "--k"),
            ("bm25:k1=0.9,b=0.4", "bm25:k1=0.9,b=0.4"),
            ("", "''"),
            ("words >= 11", "'words >= 11'"),
            ("don't", "'don'\\''t'"),
            ("$HOME", "'$HOME'"),
        ] {
            assert_eq!(quoted(OsStr::new(word)), expected);
        }
    }
}
