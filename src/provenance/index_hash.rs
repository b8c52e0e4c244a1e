//! What of an index decides on a ranking, in one hash.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde_json::{Value, json};
use trommel_archive::sha256_of;
use trommel_index::{IndexError, Manifest, Ranking, Stats};
use trommel_page::attribute::Kind;
use trommel_page::filter::{Filter, Test};
use trommel_page::weight::Weights;

/// SHA-256, in hexadecimal, over segmenter, analyzer and the check sums of all files that a ranking reads, of each directory in the order
/// given. Labels of other extractors do not count, so that adding some leaves it as it was; confidences that no name says whose they are
/// depend on what labels there are.
///
/// # Errors
/// A manifest that cannot be read.
pub fn index_hash(directories: &[PathBuf], ranking: &Ranking) -> Result<String, IndexError> {
    let wanted = Wanted::of(ranking);
    let mut all = Vec::new();
    for directory in directories {
        let manifest = Manifest::read(directory)?;
        let labels = manifest.extractors.iter().filter(|set| {
            wanted.names.contains(&set.name) || wanted.any_confidence && set.confidences
        });
        let labels: BTreeMap<&str, Value> = labels
            .map(|set| (set.name.as_str(), json!(set.files)))
            .collect();
        // Names of parts are no content: a merged index numbers its own.
        let parts = manifest.parts.iter();
        let parts: Vec<Value> = parts
            .map(|part| json!([part.pages, part.segments, part.files]))
            .collect();
        all.push(json!([
            manifest.schema_version,
            manifest.segmenter,
            manifest.analyzer,
            parts,
            labels
        ]));
    }
    let text = Value::Array(all).to_string();
    sha256_of(text.as_bytes()).map_err(|error| IndexError::Io {
        path: directories.first().cloned().unwrap_or_default(),
        error,
    })
}

/// The labels that a ranking asks for.
#[derive(Default)]
struct Wanted {
    names: BTreeSet<String>,
    /// Confidences of which no name says whose they are.
    any_confidence: bool,
}

impl Wanted {
    fn of(ranking: &Ranking) -> Wanted {
        let mut wanted = Wanted::default();
        wanted.add_filter(&ranking.filter);
        wanted.add_weights(&ranking.weights);
        if let Stats::Of(filter) = &ranking.stats {
            wanted.add_filter(filter);
        }
        wanted
    }

    fn add_filter(&mut self, filter: &Filter) {
        filter.node().for_each(&mut |test| self.add_test(test));
    }

    fn add_weights(&mut self, weights: &Weights) {
        let mut subjects = Vec::new();
        let mut tests = Vec::new();
        weights
            .expression()
            .for_each(&mut |subject| subjects.push(subject), &mut |test| {
                tests.push(test)
            });
        for subject in subjects {
            self.add_subject(&subject.attribute.kind, subject.of.as_deref());
        }
        for test in tests {
            self.add_test(test);
        }
    }

    fn add_test(&mut self, test: &Test) {
        match test {
            Test::Verdict(name) => {
                self.names.insert(name.to_string());
            }
            Test::Compare(it) => self.add_subject(&it.attribute.kind, it.of.as_deref()),
        }
    }

    fn add_subject(&mut self, kind: &Kind, of: Option<&str>) {
        match (kind, of) {
            (_, Some(name)) => {
                self.names.insert(name.to_owned());
            }
            (Kind::Confidence, None) => self.any_confidence = true,
            _ => {}
        }
    }
}
