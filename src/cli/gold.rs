//! Gold standards on the command line: their formats, and where their pages are.

use std::path::{Path, PathBuf};

use anyhow::ensure;
use trommel::gold::{self, Format, Pair, pairs};

use super::options::unknown;

/// The format of a name.
pub fn parse_format(name: &str) -> Result<Format, String> {
    let known = || gold::all().iter().map(|format| format.name);
    gold::by_name(name)
        .copied()
        .ok_or_else(|| unknown("format", name, known().collect()))
}

/// The folder `html` next to another.
pub fn beside(gold: &Path) -> PathBuf {
    let resolved = gold.canonicalize();
    let gold = resolved.as_deref().unwrap_or(gold);
    gold.parent().unwrap_or(Path::new(".")).join("html")
}

/// The pages of each gold standard with their gold texts. `pages` has a folder for each, or none: then they stand beside.
pub fn pairs_of_each(gold: &[PathBuf], pages: &[PathBuf]) -> anyhow::Result<Vec<Vec<Pair>>> {
    ensure!(
        pages.is_empty() || pages.len() == gold.len(),
        "--pages is given once for each --gold, in the same order, or not at all"
    );
    let of = |(number, gold): (usize, &PathBuf)| {
        let pages = pages.get(number).cloned();
        Ok(pairs(Some(gold), &pages.unwrap_or_else(|| beside(gold)))?)
    };
    gold.iter().enumerate().map(of).collect()
}
