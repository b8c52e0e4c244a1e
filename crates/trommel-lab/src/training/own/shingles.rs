//! What texts have in common.

use std::collections::BTreeSet;

use crate::score;

/// Words of a shingle.
const SHINGLE: usize = 8;
/// The most shingles that are kept of a page: those of the least hashes, so that pages keep the same ones (Broder 1997).
const KEPT: usize = 80;
/// Hashes of the runs of eight words in a text, the least ones, ascending.
pub fn shingles(text: &str) -> Vec<u64> {
    let mut words: Vec<u64> = Vec::new();
    score::words(text, |word| words.push(hash(word.bytes())));
    let run = |run: &[u64]| hash(run.iter().flat_map(|word| word.to_le_bytes()));
    let shingles: BTreeSet<u64> = words.windows(SHINGLE).map(run).collect();
    shingles.into_iter().take(KEPT).collect()
}

/// FNV-1a, 64 bits: the same everywhere, and that is all that is asked of it.
pub fn hash(bytes: impl IntoIterator<Item = u8>) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, step)
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
