//! The most probable labels of a sequence (Viterbi 1967), of two labels.

/// The labels that maximize Σ log u(lᵢ) + λ Σ log p(lᵢ, lᵢ₊₁): Web2Text's equation 3 in logarithms.
///
/// `unary` has for each place the shares of false and true; `pairwise` for each pair of neighbours the shares of false-false,
/// false-true, true-false and true-true, so it is one shorter. Of equally probable labels false is taken. Shares of 0 count as
/// the least positive number of single precision.
pub fn viterbi(unary: &[[f32; 2]], pairwise: &[[f32; 4]], lambda: f64) -> Vec<bool> {
    let log = |share: f32| f64::from(share.max(f32::MIN_POSITIVE)).ln();
    let Some(first) = unary.first() else {
        return Vec::new();
    };
    let mut best = first.map(log);
    // For each place but the first, and each label there, the best label before it.
    let mut from: Vec<[bool; 2]> = Vec::with_capacity(unary.len());
    for (unary, pair) in unary[1..].iter().zip(pairwise) {
        let mut next = [0.0; 2];
        let mut chosen = [false; 2];
        for label in 0..2 {
            let after_false = best[0] + lambda * log(pair[label]);
            let after_true = best[1] + lambda * log(pair[2 + label]);
            chosen[label] = after_true > after_false;
            next[label] = after_false.max(after_true) + log(unary[label]);
        }
        best = next;
        from.push(chosen);
    }
    let mut label = best[1] > best[0];
    let mut labels = vec![label];
    for chosen in from.iter().rev() {
        label = chosen[usize::from(label)];
        labels.push(label);
    }
    labels.reverse();
    labels
}

#[cfg(test)]
mod tests {
    use super::*;
    use trommel_text::SplitMix64;

    /// What is maximized, of some labels.
    fn objective(unary: &[[f32; 2]], pairwise: &[[f32; 4]], lambda: f64, labels: &[bool]) -> f64 {
        let own = unary.iter().zip(labels);
        let own: f64 = own.map(|(u, l)| f64::from(u[usize::from(*l)]).ln()).sum();
        let pairs = pairwise.iter().zip(labels.windows(2));
        let place = |pair: &[bool]| usize::from(pair[0]) * 2 + usize::from(pair[1]);
        let pairs: f64 = pairs.map(|(p, l)| f64::from(p[place(l)]).ln()).sum();
        own + lambda * pairs
    }

    /// No labels of short sequences are better than the ones found.
    #[test]
    fn all_labels_of_short_sequences() {
        let mut numbers = SplitMix64::new(1);
        let mut random = || numbers.below(1 << 24) as f32 / (1 << 24) as f32 + 0.001;
        let mut differs_from_unary = 0;
        for lambda in [0.0, 0.1, 1.0, 5.0] {
            for length in 1..=10usize {
                for _ in 0..10 {
                    let mut shares = |count: usize| {
                        let values: Vec<f32> = (0..count).map(|_| random()).collect();
                        let sum: f32 = values.iter().sum();
                        values.into_iter().map(|v| v / sum).collect::<Vec<f32>>()
                    };
                    let unary: Vec<[f32; 2]> =
                        (0..length).map(|_| shares(2).try_into().unwrap()).collect();
                    let pairwise: Vec<[f32; 4]> =
                        (1..length).map(|_| shares(4).try_into().unwrap()).collect();
                    let found = viterbi(&unary, &pairwise, lambda);
                    let own: Vec<bool> = unary.iter().map(|u| u[1] > u[0]).collect();
                    differs_from_unary += usize::from(own != found);
                    let value = objective(&unary, &pairwise, lambda, &found);
                    let most = (0..1u32 << length)
                        .map(|bits| {
                            let labels: Vec<bool> =
                                (0..length).map(|i| bits >> i & 1 == 1).collect();
                            objective(&unary, &pairwise, lambda, &labels)
                        })
                        .fold(f64::NEG_INFINITY, f64::max);
                    assert_eq!(found.len(), length);
                    assert!(value > most - 1e-9, "{value} {most}");
                }
            }
        }
        assert!(differs_from_unary > 50, "{differs_from_unary}");
    }

    /// A weak verdict is overruled by its neighbours if λ is large enough: log 4 = 2 λ log 5 at λ = .43.
    #[test]
    fn by_hand() {
        let unary = [[0.1, 0.9], [0.8, 0.2], [0.1, 0.9]];
        // Equal neighbours are five times as probable as others.
        let same = 5.0 / 12.0;
        let pair = [same, 1.0 / 12.0, 1.0 / 12.0, same];
        let labels = |lambda| viterbi(&unary, &[pair, pair], lambda);
        assert_eq!(labels(0.42), [true, false, true]);
        assert_eq!(labels(0.44), [true, true, true]);
        assert_eq!(viterbi(&[], &[], 0.1), [false; 0]);
        assert_eq!(viterbi(&[[0.0, 1.0]], &[], 0.1), [true]);
    }
}
