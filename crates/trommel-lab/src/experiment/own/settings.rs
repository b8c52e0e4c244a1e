//! What the file of such an experiment says of the corpora and of learning.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use trommel_page::html::Charset;

use crate::LabError;
use crate::experiment::Definition;
use crate::gold::{self, pairs};
use crate::training::own::Corpus;

/// What the file says of the corpora and of learning; whoever trains the remover reads it too.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct OwnSettings {
    /// The corpora; each with its inputs `NAME-gold` and `NAME-pages`, and `NAME-urls` if there is such a list.
    pub corpora: Vec<CorpusSettings>,
    /// How many folds.
    pub folds: usize,
    /// How often all is done anew, with other folds and trees: what is drawn by lot makes some tenths of a point of difference.
    #[serde(default = "once")]
    pub repeats: usize,
    /// Seed of the folds and of the trees.
    pub seed: u64,
    /// How pages are decoded.
    #[serde(default = "auto")]
    pub charset: String,
    /// The extractors beside.
    #[serde(default)]
    pub extractors: Vec<String>,
    /// Outputs of other tools, by their names: inputs that are folders with a file CORPUS.jsonl each.
    #[serde(default)]
    pub outputs: Vec<String>,
}

/// A corpus, as the file names it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CorpusSettings {
    /// Its name in tables, and in the names of its inputs.
    pub name: String,
    /// Format of the gold standard; a corpus without is labelled, and not learnt from nor measured.
    pub format: Option<String>,
    /// Is the site what stands before the first `_` of a page's name?
    #[serde(default)]
    pub site_by_name: bool,
    /// Is it only learnt from?
    #[serde(default)]
    pub only_learnt: bool,
}

fn once() -> usize {
    1
}

fn auto() -> String {
    "auto".to_owned()
}

/// The corpora that an experiment's file names.
///
/// # Errors
/// Inputs that are missing, and formats that there are not.
pub fn corpora(definition: &Definition, settings: &OwnSettings) -> Result<Vec<Corpus>, LabError> {
    let of = |settings: &CorpusSettings| {
        let name = &settings.name;
        let format = settings.format.as_ref().map(|format| {
            gold::by_name(format).ok_or_else(|| {
                LabError::Definition(format!("no gold standard has the format '{format}'"))
            })
        });
        let format = format.transpose()?;
        let gold = match format {
            Some(_) => Some(definition.input(&format!("{name}-gold"))?),
            None => None,
        };
        let urls = match definition.input.contains_key(&format!("{name}-urls")) {
            true => urls(definition.input(&format!("{name}-urls"))?)?,
            false => BTreeMap::new(),
        };
        let pages = definition.input(&format!("{name}-pages"))?;
        let (pairs, collection) = match gold {
            Some(gold) => (pairs(Some(gold), pages)?, None),
            None => (Vec::new(), Some(pages.to_owned())),
        };
        Ok(Corpus {
            collection,
            urls,
            site_by_name: settings.site_by_name,
            ..Corpus::new(name, format, pairs)
        })
    };
    settings.corpora.iter().map(of).collect()
}

/// Addresses by name: lines of a name, which may be a URN, and an address.
fn urls(path: &Path) -> Result<BTreeMap<String, String>, LabError> {
    let bytes = std::fs::read(path).map_err(|error| LabError::file(path, error))?;
    let text = String::from_utf8_lossy(&bytes);
    let lines = text.lines().filter_map(|line| line.split_once('\t'));
    let name = |name: &str| {
        let name = name.trim_matches(['<', '>']);
        name.rsplit(':').next().unwrap_or(name).to_owned()
    };
    Ok(lines
        .map(|(of, url)| (name(of), url.trim().to_owned()))
        .collect())
}

/// How the file of an experiment says that pages are decoded.
///
/// # Errors
/// A charset that there is not.
pub fn charset(settings: &OwnSettings) -> Result<Charset, LabError> {
    settings
        .charset
        .parse()
        .map_err(|error| LabError::Definition(format!("charset: {error}")))
}
