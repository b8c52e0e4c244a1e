//! How pages are divided.

use std::collections::HashSet;

use trommel_archive::sha256_of_file;
use trommel_text::SplitMix64;

use crate::LabError;
use crate::gold::Pair;

/// The same pages without those that are byte for byte like one before: CleanEval has one page in both of its sets.
///
/// # Errors
/// A page that cannot be read.
pub fn distinct(pairs: Vec<Pair>) -> Result<Vec<Pair>, LabError> {
    let mut seen = HashSet::new();
    let mut kept = Vec::with_capacity(pairs.len());
    for pair in pairs {
        let hash = sha256_of_file(&pair.page).map_err(|error| LabError::file(&pair.page, error))?;
        if seen.insert(hash) {
            kept.push(pair);
        }
    }
    Ok(kept)
}

/// Numbers of pages by what they are for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Division {
    /// What weights are learnt from.
    pub training: Vec<usize>,
    /// By what the best weights are chosen.
    pub validation: Vec<usize>,
    /// What is kept out.
    pub held_out: Vec<usize>,
}

impl Division {
    /// Divides `count` pages at random: so many are kept out, so many are for validation, the others for training. Each part is in the
    /// order of the pages. If there are not enough pages, those to keep out come first, then those for validation.
    pub fn of(count: usize, validation: usize, held_out: usize, seed: u64) -> Division {
        let mut order: Vec<usize> = (0..count).collect();
        shuffle(&mut order, &mut SplitMix64::new(seed));
        let mut rest = order.into_iter();
        let mut next = |count: usize| {
            let mut part: Vec<usize> = rest.by_ref().take(count).collect();
            part.sort_unstable();
            part
        };
        Division {
            held_out: next(held_out),
            validation: next(validation),
            training: next(count),
        }
    }
}

/// Fisher and Yates's shuffle.
pub(super) fn shuffle<T>(values: &mut [T], random: &mut SplitMix64) {
    for place in (1..values.len()).rev() {
        values.swap(place, random.below(place + 1));
    }
}
