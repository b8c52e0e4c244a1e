//! What has been learnt: decision trees, boosted trees, networks and random fields over sequences, and what they say of rows of numbers. Pure: knows
//! nothing of pages. How they are learnt is another crate's business, which makes them of their parts: all fields are public.

pub mod boosting;
pub mod crf;
pub mod network;
pub mod standardize;
pub mod tree;
pub mod viterbi;

/// The place of the greatest value, the first of several; 0 for none.
pub fn greatest(values: &[f64]) -> usize {
    let mut best = 0;
    for (place, value) in values.iter().enumerate() {
        if *value > values[best] {
            best = place;
        }
    }
    best
}
