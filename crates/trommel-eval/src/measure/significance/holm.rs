//! Correction for several comparisons.

/// Corrects the p-values of comparisons with a baseline, each given with the measure that it is by, for how many there are: Holm's
/// correction within each family. A family is **all comparisons by one measure**, whatever runs, filters, thresholds, models or
/// extractors are compared; that other measures were asked for too changes nothing. This is the one rule for every table that
/// corrects (docs/significance.md).
pub fn corrected<M: PartialEq>(comparisons: &[(M, f64)]) -> Vec<Corrected> {
    let mut all = vec![Corrected::default(); comparisons.len()];
    for (first, (measure, _)) in comparisons.iter().enumerate() {
        if all[first].family > 0 {
            continue;
        }
        let family: Vec<usize> = (first..comparisons.len())
            .filter(|at| comparisons[*at].0 == *measure)
            .collect();
        let p_values: Vec<f64> = family.iter().map(|at| comparisons[*at].1).collect();
        for (at, p) in family.iter().zip(holm(&p_values)) {
            let family = family.len();
            all[*at] = Corrected { p, family };
        }
    }
    all
}

/// A corrected p-value.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Corrected {
    /// The p-value after the correction.
    pub p: f64,
    /// The size of its family: how many comparisons it was corrected for, this one included.
    pub family: usize,
}

/// Says what a family of some size is, for the table that shows its p-values: `the family of 6 runs compared by AP`.
pub fn family(size: usize, one: &str, measure: &str) -> String {
    let plural = if size == 1 { "" } else { "s" };
    format!("the family of {size} {one}{plural} compared by {measure}")
}

/// Holm's step-down correction (Scandinavian Journal of Statistics 6, 1979): adjusted p-values in the order of the given ones.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|a, b| p_values[*a].total_cmp(&p_values[*b]).then(a.cmp(b)));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut highest: f64 = 0.0;
    for (rank, &place) in order.iter().enumerate() {
        let comparisons = (p_values.len() - rank) as f64;
        highest = highest.max((p_values[place] * comparisons).min(1.0));
        adjusted[place] = highest;
    }
    adjusted
}
