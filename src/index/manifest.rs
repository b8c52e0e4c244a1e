//! `manifest.json`: what an index was made of and how.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::IndexError;
use super::labels::LabelSet;
use super::part::PartEntry;
use super::schema::SCHEMA_VERSION;
use super::state::STATE;
use crate::text::{Analyzer, AnalyzerDescription};

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
    /// What was counted.
    pub counts: Counts,
    /// Ledger lines by reason.
    pub ledger: BTreeMap<String, u64>,
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
    pub(super) fn add(&mut self, other: &Counts) {
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
    pub fn new(segmenter: &str, analyzer: Analyzer, counts: Counts) -> Manifest {
        Manifest {
            trommel_version: env!("CARGO_PKG_VERSION").to_owned(),
            schema_version: SCHEMA_VERSION,
            tantivy_version: tantivy::version_string().to_owned(),
            segmenter: segmenter.to_owned(),
            analyzer: analyzer.describe(),
            extractors: Vec::new(),
            options: BTreeMap::new(),
            inputs: Vec::new(),
            counts,
            ledger: BTreeMap::new(),
            parts: Vec::new(),
        }
    }

    /// The manifest of several indexes as one: inputs, parts and ledgers in a row, counts added up (repeated docids included),
    /// labels that all have.
    ///
    /// # Errors
    /// [`IndexError::Differs`] if segmenter or analyzer are not the same.
    pub(super) fn joined(
        paths: &[PathBuf],
        manifests: &[Manifest],
    ) -> Result<Manifest, IndexError> {
        let mut rest = paths.iter().zip(manifests);
        let Some((other, first)) = rest.next() else {
            return Err(IndexError::Empty("no index directory".to_owned()));
        };
        let mut joined = first.clone();
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
                set.confidences_sha256 = None;
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
    pub fn read(index: &Path) -> Result<Manifest, IndexError> {
        let path = index.join(MANIFEST);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(match index.join(STATE).exists() {
                    true => IndexError::Unfinished(index.to_owned()),
                    false => IndexError::Missing(index.to_owned()),
                });
            }
            other => other.map_err(IndexError::io(&path))?,
        };
        let damaged = |why: serde_json::Error| IndexError::Damaged {
            path: path.clone(),
            why: why.to_string(),
        };
        let value: serde_json::Value = serde_json::from_str(&text).map_err(damaged)?;
        let found = value["schema_version"].as_u64().unwrap_or(0) as u32;
        if found != SCHEMA_VERSION {
            return Err(IndexError::Version {
                path: index.to_owned(),
                found,
                expected: SCHEMA_VERSION,
            });
        }
        serde_json::from_value(value).map_err(damaged)
    }

    /// Writes the manifest: whole or not at all.
    pub fn write(&self, index: &Path) -> Result<(), IndexError> {
        write_json(&index.join(MANIFEST), self)
    }
}

/// What a file of JSON is called until it is whole.
pub(super) fn temporary(path: &Path) -> PathBuf {
    path.with_extension("json.tmp")
}

/// Writes a file of JSON: whole or not at all.
pub(super) fn write_json(path: &Path, value: &impl Serialize) -> Result<(), IndexError> {
    let temporary = temporary(path);
    let text = serde_json::to_string_pretty(value).map_err(|error| IndexError::Damaged {
        path: path.to_owned(),
        why: error.to_string(),
    })?;
    let write = || {
        let mut file = fs::File::create(&temporary)?;
        file.write_all(text.as_bytes())?;
        file.write_all(b"\n")?;
        file.sync_all()?;
        fs::rename(&temporary, path)?;
        path.parent()
            .map_or(Ok(()), |folder| fs::File::open(folder)?.sync_all())
    };
    write().map_err(IndexError::io(path))
}
