//! Information gain of numeric features (WSDM 2010, Figure 1): intervals by Fayyad and Irani's method, then
//! IG(C, A) = H(C) − H(C | A).
//!
//! *Multi-Interval Discretization of Continuous-Valued Attributes for Classification Learning* (IJCAI 1993): the cut with the
//! least class entropy, again in both parts, as long as the gain pays for its description. It is what Weka's
//! `InfoGainAttributeEval` does to numbers first; the paper names Weka, but no setting, and its defaults are these. A feature for which no
//! cut pays has the gain 0.

use super::{Instances, entropy};

/// Cut points, ascending; a value that equals a cut point lies below it.
pub fn cut_points(instances: &Instances, feature: usize, rows: &[u32]) -> Vec<f64> {
    let values = &instances.columns[feature];
    let mut rows = rows.to_vec();
    rows.sort_by(|a, b| values[*a as usize].total_cmp(&values[*b as usize]));
    let mut cuts = Vec::new();
    // Parts that are still to be cut; the order does not matter.
    let mut parts = vec![&rows[..]];
    while let Some(part) = parts.pop() {
        if let Some(at) = cut(instances, values, part) {
            let (below, above) = part.split_at(at);
            let edge = |row: u32| values[row as usize];
            cuts.push((edge(below[at - 1]) + edge(above[0])) / 2.0);
            parts.extend([below, above]);
        }
    }
    cuts.sort_by(f64::total_cmp);
    cuts
}

/// Where a part is cut best, if that pays: the number of rows below.
fn cut(instances: &Instances, values: &[f64], rows: &[u32]) -> Option<usize> {
    let whole = instances.class_weights(rows);
    let total: f64 = whole.iter().sum();
    let prior = entropy(&whole);
    let mut below = vec![0.0; whole.len()];
    let mut above = whole.clone();
    let mut best: Option<(f64, usize, Vec<f64>, Vec<f64>)> = None;
    let mut candidates = 0;
    for (at, pair) in rows.windows(2).enumerate() {
        let class = usize::from(instances.class_of[pair[0] as usize]);
        below[class] += instances.weights[pair[0] as usize];
        above[class] -= instances.weights[pair[0] as usize];
        if values[pair[0] as usize] >= values[pair[1] as usize] {
            continue;
        }
        candidates += 1;
        let weight: f64 = below.iter().sum();
        let rest = (weight * entropy(&below) + (total - weight) * entropy(&above))
            / total.max(f64::MIN_POSITIVE);
        if best.as_ref().is_none_or(|(least, ..)| rest < *least) {
            best = Some((rest, at + 1, below.clone(), above.clone()));
        }
    }
    let (rest, at, below, above) = best?;
    let gain = prior - rest;
    if gain <= 0.0 {
        return None;
    }
    // Equation of §3: what telling the cut costs, and what the classes of the parts do.
    let classes = |weights: &[f64]| weights.iter().filter(|weight| **weight > 0.0).count() as f64;
    let (k, k_below, k_above) = (classes(&whole), classes(&below), classes(&above));
    let delta = (3f64.powf(k) - 2.0).log2()
        - (k * prior - k_below * entropy(&below) - k_above * entropy(&above));
    (gain > (f64::from(candidates).log2() + delta) / total).then_some(at)
}

/// Information gain of a feature in bits, over the intervals between its cut points.
pub fn information_gain(instances: &Instances, feature: usize, rows: &[u32]) -> f64 {
    let cuts = cut_points(instances, feature, rows);
    let mut intervals = vec![vec![0.0; instances.classes.len()]; cuts.len() + 1];
    for &row in rows {
        let value = instances.columns[feature][row as usize];
        let interval = cuts.partition_point(|cut| *cut < value);
        intervals[interval][usize::from(instances.class_of[row as usize])] +=
            instances.weights[row as usize];
    }
    let whole = instances.class_weights(rows);
    let total: f64 = whole.iter().sum();
    let rest: f64 = intervals
        .iter()
        .map(|interval| interval.iter().sum::<f64>() * entropy(interval))
        .sum();
    match total > 0.0 {
        true => entropy(&whole) - rest / total,
        false => 0.0,
    }
}
