//! How large a difference is, in units of its own spread.

use super::sample::{deviation, mean};

/// Cohen's d for paired samples (d_z: mean of the differences by their standard deviation); 0 where the differences do not
/// vary.
pub fn effect_size(differences: &[f64]) -> f64 {
    match deviation(differences) {
        0.0 => 0.0,
        deviation => mean(differences) / deviation,
    }
}
