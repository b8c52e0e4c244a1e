//! The row of the table: a paired test.

/// A paired two-sided test.
#[derive(Debug, Clone, Copy)]
pub struct Test {
    /// Its name in flags and tables.
    pub name: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// Where it is described.
    pub source: &'static str,
    /// The two-sided p-value of the differences, in 0..=1; 1 where there is nothing to tell (no pairs, or none that differ).
    /// The seed matters only to tests that draw random numbers.
    pub p_value: fn(differences: &[f64], seed: u64) -> f64,
}
