//! `manifest.json`: what an index was made of and how.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use trommel_text::{Analyzer, AnalyzerDescription};

use crate::format::error::IndexError;
use crate::format::labels::LabelSet;
use crate::format::part::PartEntry;
use crate::format::schema::SCHEMA_VERSION;
use crate::format::sealed::{self, Seal};
use crate::format::sum::FileSum;

/// Name of the manifest in an index directory. It is written last: a directory without one holds no finished index.
pub const MANIFEST: &str = "manifest.json";

/// What an index was made of and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of the program that wrote the index.
    pub trommel_version: String,
    /// Format of the index directory.
    pub schema_version: u32,
    /// Version of tantivy that wrote the segments.
    pub tantivy_version: String,
    /// Name of the segmenter.
    pub segmenter: String,
    /// The analyzer with all that decides on its terms.
    pub analyzer: AnalyzerDescription,
    /// Extractors whose labels are stored.
    pub extractors: Vec<LabelSet>,
    /// How docids and charsets were chosen and what else bears on the content, as the options were given.
    pub options: BTreeMap<String, String>,
    /// The files that were read, in order.
    pub inputs: Vec<InputEntry>,
    /// The directory that their paths start from, as seen from the index directory, with `/` between the parts; none where it is
    /// not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inputs_from: Option<String>,
    /// What was counted.
    pub counts: Counts,
    /// Records of the ledger by reason.
    pub ledger: BTreeMap<String, u64>,
    /// What the file of the ledger is to be; none where there is none, and of several directories as one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ledger_file: Option<FileSum>,
    /// The parts that the index consists of, in the order of their pages.
    pub parts: Vec<PartEntry>,
}

/// One input file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputEntry {
    /// As the user named it.
    pub path: String,
    /// Its path inside the directory that the user named, if it was found in one: docids of HTML files are made of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relative: Option<String>,
    /// The only document of the file that was read, if the user asked for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    /// Stored size in bytes; none for standard input.
    pub bytes: Option<u64>,
    /// SHA-256 of the stored bytes, in hexadecimal; none for standard input.
    pub sha256: Option<String>,
}

/// Totals of an index.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Pages, those without text included.
    pub pages: u64,
    /// Blocks.
    pub blocks: u64,
    /// Indexed terms.
    pub terms: u64,
    /// Words in blocks.
    pub words: u64,
    /// Bytes of decoded payload.
    pub payload_bytes: u64,
    /// Pages that ran into a limit of the HTML parser.
    pub pages_over_parse_limits: u64,
}

impl Counts {
    pub(crate) fn add(&mut self, other: &Counts) {
        self.pages += other.pages;
        self.blocks += other.blocks;
        self.terms += other.terms;
        self.words += other.words;
        self.payload_bytes += other.payload_bytes;
        self.pages_over_parse_limits += other.pages_over_parse_limits;
    }
}

impl Manifest {
    /// The manifest of an index that this program writes; inputs, options and ledger are left empty.
    pub(crate) fn new(segmenter: &str, analyzer: Analyzer, counts: Counts) -> Manifest {
        Manifest {
            trommel_version: env!("CARGO_PKG_VERSION").to_owned(),
            schema_version: SCHEMA_VERSION,
            tantivy_version: tantivy::version_string().to_owned(),
            segmenter: segmenter.to_owned(),
            analyzer: analyzer.describe(),
            extractors: Vec::new(),
            options: BTreeMap::new(),
            inputs: Vec::new(),
            inputs_from: None,
            counts,
            ledger: BTreeMap::new(),
            ledger_file: None,
            parts: Vec::new(),
        }
    }

    /// The manifest of several indexes as one: inputs, parts and ledgers in a row, counts added up (repeated docids included),
    /// labels that all have.
    ///
    /// # Errors
    /// [`IndexError::Differs`] if segmenter or analyzer are not the same.
    pub(crate) fn joined(
        paths: &[PathBuf],
        manifests: &[Manifest],
    ) -> Result<Manifest, IndexError> {
        let mut rest = paths.iter().zip(manifests);
        let Some((other, first)) = rest.next() else {
            return Err(IndexError::Empty("no index directory".to_owned()));
        };
        let mut joined = first.clone();
        if paths.len() > 1 {
            // What is said of files is said of those of one directory.
            (joined.inputs_from, joined.ledger_file) = (None, None);
            joined
                .extractors
                .iter_mut()
                .for_each(|set| set.files.clear());
        }
        for (path, manifest) in rest {
            let differs = |what: &str, own: &str, others: &str| {
                Err(IndexError::Differs {
                    path: path.clone(),
                    other: other.clone(),
                    why: format!("its {what} is {own}, that of the other {others}"),
                })
            };
            if manifest.segmenter != first.segmenter {
                return differs("segmenter", &manifest.segmenter, &first.segmenter);
            }
            if manifest.analyzer != first.analyzer {
                let (own, others) = (&manifest.analyzer, &first.analyzer);
                return differs("analyzer", own.name.name(), others.name.name());
            }
            joined
                .options
                .retain(|name, value| manifest.options.get(name) == Some(value));
            joined.extractors.retain_mut(|set| {
                let own = manifest.extractors.iter().find(|own| own.is_like(set));
                set.content_blocks += own.map_or(0, |own| own.content_blocks);
                own.is_some()
            });
            joined.inputs.extend_from_slice(&manifest.inputs);
            joined.parts.extend_from_slice(&manifest.parts);
            joined.counts.add(&manifest.counts);
            for (reason, count) in &manifest.ledger {
                *joined.ledger.entry(reason.clone()).or_default() += count;
            }
        }
        Ok(joined)
    }

    /// Reads the manifest of an index directory.
    ///
    /// # Errors
    /// [`IndexError::Missing`] and [`IndexError::Unfinished`] if there is none, [`IndexError::Version`] for one of another format,
    /// [`IndexError::Damaged`] if it is not what was written.
    pub fn read(index: &Path) -> Result<Manifest, IndexError> {
        let path = index.join(MANIFEST);
        let bytes = match fs::read(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(match index.join(STATE).exists() {
                    true => IndexError::Unfinished(index.to_owned()),
                    false => IndexError::Missing(index.to_owned()),
                });
            }
            Err(_) if index.is_file() => return Err(IndexError::IsFile(index.to_owned())),
            other => other.map_err(IndexError::io(&path))?,
        };
        let damaged = |why: String| IndexError::Damaged {
            path: path.clone(),
            why,
        };
        let seal = sealed::seal(&bytes);
        if seal == Seal::Broken {
            return Err(damaged("it has other bytes than it had".to_owned()));
        }
        let unreadable = |error: serde_json::Error| damaged(error.to_string());
        let value: serde_json::Value = serde_json::from_slice(&bytes).map_err(unreadable)?;
        let found = value["schema_version"].as_u64().unwrap_or(0) as u32;
        if found != SCHEMA_VERSION {
            return Err(IndexError::Version {
                path: index.to_owned(),
                found,
                expected: SCHEMA_VERSION,
            });
        }
        match seal {
            Seal::Whole => serde_json::from_value(value).map_err(unreadable),
            _ => Err(damaged("it has no check sum".to_owned())),
        }
    }

    /// Writes the manifest: whole or not at all.
    pub fn write(&self, index: &Path) -> Result<(), IndexError> {
        sealed::write(&index.join(MANIFEST), self)
    }
}

/// Name of the state in an index directory.
pub(crate) const STATE: &str = "build.json";
