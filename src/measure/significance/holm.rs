//! Correction for several comparisons.

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
