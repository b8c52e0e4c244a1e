//! What texts have in common.

use std::collections::BTreeSet;

use trommel_text::{Fnv1a, fnv1a};

use crate::score;

/// Words of a shingle.
const SHINGLE: usize = 8;
/// The most shingles that are kept of a page: those of the least hashes, so that pages keep the same ones (Broder 1997).
const KEPT: usize = 80;

/// Hashes of the runs of eight words in a text, the least ones, ascending.
pub fn shingles(text: &str) -> Vec<u64> {
    let mut words: Vec<u64> = Vec::new();
    score::words(text, |word| words.push(fnv1a(word.as_bytes())));
    let run = |run: &[u64]| {
        let push = |hash: Fnv1a, word: &u64| hash.push(&word.to_le_bytes());
        run.iter().fold(Fnv1a::new(), push).finish()
    };
    let shingles: BTreeSet<u64> = words.windows(SHINGLE).map(run).collect();
    shingles.into_iter().take(KEPT).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: &str = "one two three four five six seven eight nine ten eleven twelve thirteen";

    #[test]
    fn shingles_are_runs_of_eight_words() {
        assert_eq!(shingles("one two three four five six seven").len(), 0);
        assert_eq!(shingles(LONG).len(), 6);
        assert_eq!(shingles(&LONG.replace(' ', "  - ")), shingles(LONG));
        assert_eq!(shingles(&format!("{LONG} {LONG} {LONG}")).len(), 13);
    }
}
