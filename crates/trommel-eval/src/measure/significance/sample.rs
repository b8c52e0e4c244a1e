//! Mean and deviation of a sample.

/// Mean of some numbers; 0 for none.
pub(super) fn mean(values: &[f64]) -> f64 {
    match values.len() {
        0 => 0.0,
        n => values.iter().sum::<f64>() / n as f64,
    }
}

/// What is equal but for rounding errors becomes equal: 0.7 − 0.6 and 0.3 − 0.2 differ in the 17th digit, and one difference
/// of precision is as large as the other. Twelve decimals are far below what a measure over a ranking can resolve.
pub fn rounded(value: f64) -> f64 {
    (value * 1e12).round() / 1e12
}

/// Standard deviation of a sample (with n − 1); 0 for fewer than two numbers, and exactly 0 for equal ones.
pub(super) fn deviation(values: &[f64]) -> f64 {
    if values.len() < 2 || values.windows(2).all(|pair| pair[0] == pair[1]) {
        return 0.0;
    }
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / (values.len() - 1) as f64).sqrt()
}
