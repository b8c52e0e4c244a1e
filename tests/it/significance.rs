//! Tests and intervals against values that scipy 1.x gives, or that can be computed by hand.

use trommel::measure::significance::{bootstrap, by_name, effect_size, holm};

const SMALL: [f64; 10] = [
    0.12, -0.05, 0.30, 0.08, 0.01, -0.02, 0.17, 0.22, 0.04, -0.11,
];
const TIED: [f64; 12] = [
    1.0, 2.0, -1.0, 3.0, 0.0, -2.0, 2.0, 4.0, 1.0, 1.0, 5.0, -1.0,
];

fn wave(n: usize) -> Vec<f64> {
    (1..=n).map(|i| (i as f64 * 1.7).sin() + 0.3).collect()
}

#[track_caller]
fn check(test: &str, differences: &[f64], expected: f64, tolerance: f64) {
    let p = (by_name(test).unwrap().p_value)(differences, 7);
    assert!(
        (p - expected).abs() <= tolerance * expected,
        "{test}: {p}, expected {expected}"
    );
}

/// `scipy.stats.ttest_1samp(d, 0)`.
#[test]
fn t_test() {
    check("t", &SMALL, 0.09276832461064571, 1e-7);
    check("t", &TIED, 0.06304294427778721, 1e-7);
    check("t", &wave(40), 0.013743948356862773, 1e-7);
    check("t", &wave(100), 4.912983302790253e-05, 1e-6);
}

/// `scipy.stats.wilcoxon(d)`; with ties `method='approx', zero_method='wilcox', correction=False`.
#[test]
fn wilcoxon() {
    check("wilcoxon", &SMALL, 0.130859375, 1e-12);
    check("wilcoxon", &TIED, 0.07191037786834, 1e-6);
    check("wilcoxon", &wave(40), 0.020754569575728965, 1e-9);
    check("wilcoxon", &wave(100), 0.00012446005056465921, 1e-5);
}

/// `scipy.stats.permutation_test` of the mean: exact, and with 400,000 resamples.
#[test]
fn randomization() {
    check("randomization", &SMALL, 0.1015625, 1e-12);
    check("randomization", &wave(100), 0.000105, 0.4);
    let p = by_name("randomization").unwrap().p_value;
    assert_eq!(p(&wave(100), 1), p(&wave(100), 1));
    assert_eq!(p(&[0.0, 0.0], 1), 1.0);
    assert_eq!(p(&[], 1), 1.0);
}

#[test]
fn nothing_to_tell() {
    for test in trommel::measure::significance::all() {
        for differences in [&[][..], &[0.0; 5], &[0.0]] {
            assert_eq!((test.p_value)(differences, 1), 1.0, "{}", test.name);
        }
    }
}

/// Holm's own procedure by hand: .01·4, .03·3 and so on, never falling.
#[test]
fn holm_correction() {
    let adjusted = holm(&[0.03, 0.01, 0.04, 0.02]);
    for (a, b) in adjusted.iter().zip([0.06, 0.04, 0.06, 0.06]) {
        assert!((a - b).abs() < 1e-12, "{adjusted:?}");
    }
    assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
    assert!(holm(&[]).is_empty());
}

#[test]
fn effect() {
    assert!((effect_size(&SMALL) - 0.5945893142883929).abs() < 1e-12);
    assert_eq!(effect_size(&[1.0, 1.0]), 0.0);
}

/// The interval of a mean is close to the normal one: mean ± 1.96 standard errors.
#[test]
fn intervals() {
    let values = wave(400);
    let mean = |drawn: &[usize]| drawn.iter().map(|i| values[*i]).sum::<f64>() / 400.0;
    let interval = bootstrap(400, 0.95, 1, mean);
    let all: Vec<usize> = (0..400).collect();
    let error = (0.5f64 / 400.0).sqrt();
    assert!((interval.start() - (mean(&all) - 1.96 * error)).abs() < 0.01);
    assert!((interval.end() - (mean(&all) + 1.96 * error)).abs() < 0.01);
    assert_eq!(interval, bootstrap(400, 0.95, 1, mean));
    assert_eq!(bootstrap(0, 0.95, 1, |_| 1.0), 0.0..=0.0);
}
