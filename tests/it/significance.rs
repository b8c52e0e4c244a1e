//! Tests and intervals against values that scipy gives, or that can be computed by hand.

use std::io::Write;
use std::process::{Command, Stdio};

use trommel::measure::significance::{LEVEL, bootstrap, by_name, compare, effect_size, holm};
use trommel::text::SplitMix64;

const SMALL: [f64; 10] = [
    0.12, -0.05, 0.30, 0.08, 0.01, -0.02, 0.17, 0.22, 0.04, -0.11,
];
const TIED: [f64; 12] = [
    1.0, 2.0, -1.0, 3.0, 0.0, -2.0, 2.0, 4.0, 1.0, 1.0, 5.0, -1.0,
];

fn wave(n: usize) -> Vec<f64> {
    (1..=n).map(|i| (i as f64 * 1.7).sin() + 0.3).collect()
}

/// Tenths from -4 to 6 with many ties and zeros, as differences of P@10 are.
fn tenths(n: usize) -> Vec<i32> {
    (0..n as i32).map(|i| i * 7 % 11 - 4).collect()
}

fn steps(n: usize) -> Vec<f64> {
    tenths(n).into_iter().map(|d| f64::from(d) / 10.0).collect()
}

fn p_value(test: &str, differences: &[f64]) -> f64 {
    (by_name(test).unwrap().p_value)(differences, 7)
}

/// p of t and of Wilcoxon, and the ends of the interval, of scipy 1.17.1 with numpy 2.4.6:
/// ```python
/// from math import inf, sin; from scipy.stats import ttest_1samp, wilcoxon
/// wave = lambda n: [sin(i * 1.7) + .3 for i in range(1, n + 1)]
/// steps = lambda n: [(i * 7 % 11 - 4) / 10 for i in range(n)]
/// t = ttest_1samp(d, 0); print(t.pvalue, *t.confidence_interval(.95))
/// print(wilcoxon(d, zero_method="wilcox", correction=False, method="asymptotic").pvalue)
/// ```
#[test]
fn scipys_values() {
    for (name, differences, t, wilcoxon, interval) in [
        (
            "small",
            SMALL.to_vec(),
            0.09276832461064571,
            0.11412832776223863,
            [-0.01543643107484588, 0.1674364310748459],
        ),
        (
            "tied",
            TIED.to_vec(),
            0.06304294427778721,
            0.07191037786834,
            [-0.08069586579452781, 2.580695865794528],
        ),
        (
            "wave 40",
            wave(40),
            0.013743948356862773,
            0.02153551737775828,
            [0.06375377498977014, 0.5260935809245895],
        ),
        (
            "wave 100",
            wave(100),
            4.912983302790253e-05,
            0.00012446005056465921,
            [0.16087954249998168, 0.4431316543828764],
        ),
        (
            "wave 1000",
            wave(1000),
            5.822968386285961e-38,
            2.8774510687053873e-33,
            [0.2567445726824697, 0.3445556712027286],
        ),
        (
            "steps 34",
            steps(34),
            0.13855511432378803,
            0.14267531717359735,
            [-0.02902752994401933, 0.19961576523813698],
        ),
        (
            "steps 150",
            steps(150),
            0.0001487230863934216,
            0.0002277310843942774,
            [0.04990408397015434, 0.15276258269651233],
        ),
    ] {
        let baseline = vec![0.0; differences.len()];
        let compared = compare(&baseline, &differences, by_name("t").unwrap(), 7);
        for (what, ours, scipys) in [
            ("t", p_value("t", &differences), t),
            ("wilcoxon", p_value("wilcoxon", &differences), wilcoxon),
            ("compare, t", compared.p, t),
            ("low", compared.interval[0], interval[0]),
            ("high", compared.interval[1], interval[1]),
        ] {
            let relative = (ours - scipys).abs() / scipys.abs();
            assert!(relative < 1e-7, "{name}, {what}: {ours}, scipy {scipys}");
        }
    }
}

/// Two, three, and many: where quantiles are hard. From the same script.
#[test]
fn intervals_of_few_and_many() {
    for (differences, p, interval) in [
        (
            vec![0.5, -0.2],
            0.7422378831816868,
            [-4.297171657661142, 4.597171657661143],
        ),
        (
            vec![0.1, 0.2, 0.4],
            0.11808289631180313,
            [-0.1461249700263426, 0.6127916366930093],
        ),
        (
            wave(3000),
            6.082914014459583e-110,
            [0.27472378763165334, 0.325366388813119],
        ),
    ] {
        let baseline = vec![0.0; differences.len()];
        let compared = compare(&baseline, &differences, by_name("t").unwrap(), 7);
        assert!((compared.p - p).abs() < 1e-9, "{compared:?}");
        for (ours, scipys) in compared.interval.iter().zip(interval) {
            assert!((ours - scipys).abs() < 1e-7, "{compared:?}");
        }
    }
    let one = compare(&[0.2], &[0.5], by_name("t").unwrap(), 7);
    assert_eq!(one.interval, [f64::NEG_INFINITY, f64::INFINITY]);
    assert_eq!((one.wins, one.p), (1, 1.0));
}

/// The same for 40 random vectors, with ties and zeros, computed now by the python3 on the path if it has scipy; and the exact
/// permutation test, where all sign patterns are counted on both sides.
#[test]
fn agrees_with_the_scipy_on_this_machine() {
    const SCRIPT: &str = r#"
import sys, warnings
import numpy as np
from scipy.stats import permutation_test, ttest_1samp, wilcoxon
warnings.simplefilter("ignore")
for line in sys.stdin:
    d = np.array([float(x) for x in line.split()])
    exact = -1.0
    if len(d) <= 12:
        exact = permutation_test((d,), np.mean, permutation_type="samples", n_resamples=np.inf).pvalue
    w = wilcoxon(d, zero_method="wilcox", correction=False, method="asymptotic").pvalue
    print(repr(float(ttest_1samp(d, 0).pvalue)), repr(float(w)), repr(float(exact)))
"#;
    let mut random = SplitMix64::new(3);
    let vectors: Vec<Vec<f64>> = (0..40)
        .map(|case| {
            let digits = [10, 1_000_000][case % 2];
            let mut difference =
                || (random.below(2 * digits + 1) as f64 - 0.8 * digits as f64) / digits as f64;
            (0..4 + case * case % 90).map(|_| difference()).collect()
        })
        .collect();
    let lines: Vec<String> = vectors
        .iter()
        .map(|vector| {
            let numbers: Vec<String> = vector.iter().map(|d| format!("{d:?}")).collect();
            numbers.join(" ") + "\n"
        })
        .collect();
    let imports = Command::new("python3")
        .args(["-c", "import scipy.stats"])
        .stderr(Stdio::null())
        .status();
    if !imports.is_ok_and(|status| status.success()) {
        eprintln!("skipped: python3 with scipy is not there");
        return;
    }
    let mut python = Command::new("python3")
        .args(["-c", SCRIPT])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = python.stdin.take().unwrap();
    stdin.write_all(lines.concat().as_bytes()).unwrap();
    drop(stdin);
    let output = python.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), vectors.len());
    for (line, vector) in text.lines().zip(&vectors) {
        let scipys = line.split(' ').map(|p| p.parse::<f64>().unwrap());
        for (test, scipys) in ["t", "wilcoxon", "randomization"].into_iter().zip(scipys) {
            // No exact value of the longer ones.
            if scipys < 0.0 {
                continue;
            }
            let ours = p_value(test, vector);
            assert!(
                (ours - scipys).abs() < 1e-9,
                "{test} {vector:?}: {ours}, scipy {scipys}"
            );
        }
    }
}

/// The exact p of whole numbers under random signs, by counting the ways to each sum.
fn exact_p(differences: &[i32]) -> f64 {
    let most: i32 = differences.iter().map(|d| d.abs()).sum();
    let mut probability = vec![0.0; 2 * most as usize + 1];
    probability[most as usize] = 1.0;
    for d in differences {
        let mut next = vec![0.0; probability.len()];
        for (sum, p) in probability.iter().enumerate().filter(|(_, p)| **p > 0.0) {
            next[(sum as i32 + d) as usize] += p / 2.0;
            next[(sum as i32 - d) as usize] += p / 2.0;
        }
        probability = next;
    }
    let observed = differences.iter().sum::<i32>().abs();
    let as_large = |sum: usize| (sum as i32 - most).abs() >= observed;
    let sums = probability.iter().enumerate();
    sums.filter(|(sum, _)| as_large(*sum)).map(|(_, p)| p).sum()
}

/// Against exact enumeration: equal while all patterns are counted, and within four standard errors of 100,000 draws beyond.
#[test]
fn randomization() {
    // `permutation_test((d,), mean, permutation_type="samples", n_resamples=inf)`
    assert_eq!(p_value("randomization", &SMALL), 0.1015625);
    for n in [2, 5, 9, 14, 16] {
        let (ours, exact) = (p_value("randomization", &steps(n)), exact_p(&tenths(n)));
        assert!((ours - exact).abs() < 1e-12, "{n}: {ours}, exact {exact}");
    }
    for n in [24, 34, 50, 63, 64, 65, 100, 150] {
        let (ours, exact) = (p_value("randomization", &steps(n)), exact_p(&tenths(n)));
        let error = (exact * (1.0 - exact) / 100_000.0).sqrt();
        assert!(
            (ours - exact).abs() < 4.0 * error + 1e-5,
            "{n}: {ours}, exact {exact}"
        );
    }
    assert_eq!(
        p_value("randomization", &wave(100)),
        p_value("randomization", &wave(100))
    );
}

/// 0.7 − 0.6 and 0.3 − 0.2 are one difference, not two: three tied ranks, W+ = 4, mean 3, variance 3·4·7/24 − (3³ − 3)/48 = 3,
/// so z = 1/√3 and p = 2·(1 − Φ(0.57735)) = 0.56370.
#[test]
fn compared_by_hand() {
    let (baseline, system) = ([0.6, 0.2, 0.5, 0.5], [0.7, 0.3, 0.5, 0.4]);
    let test = by_name("wilcoxon").unwrap();
    let compared = compare(&baseline, &system, test, 7);
    assert_eq!((compared.wins, compared.ties, compared.losses), (2, 1, 1));
    for (value, expected) in [
        (compared.baseline, 0.45),
        (compared.mean, 0.475),
        (compared.difference, 0.025),
        // Differences .1, .1, 0, −.1: deviation √(.0275/3) = .0957427.
        (compared.effect_size, 0.261116),
        (compared.p, 0.563703),
    ] {
        assert!((value - expected).abs() < 1e-6, "{compared:?}");
    }
    // The same everywhere is no spread, whatever the last digits are.
    let everywhere = compare(&baseline, &baseline.map(|x| x + 0.1), test, 7);
    assert_eq!(everywhere.effect_size, 0.0);
    assert_eq!(everywhere.interval, [0.1, 0.1]);
    assert_eq!(LEVEL, 0.95);
}

#[test]
fn nothing_to_tell() {
    for test in trommel::measure::significance::all() {
        for differences in [&[][..], &[0.0; 5], &[0.0]] {
            assert_eq!((test.p_value)(differences, 1), 1.0, "{}", test.name);
        }
    }
}

/// Holm's procedure by hand. Sorted p-values times 4, 3, 2, 1; each at least as large as the one before; none above 1.
#[test]
fn holm_correction() {
    #[track_caller]
    fn check(p: &[f64], expected: &[f64]) {
        let adjusted = holm(p);
        assert_eq!(adjusted.len(), expected.len());
        for (ours, expected) in adjusted.iter().zip(expected) {
            assert!((ours - expected).abs() < 1e-12, "{p:?}: {adjusted:?}");
        }
    }
    // .01·4 = .04, .02·3 = .06, .03·2 = .06, .04·1 = .04 is raised to .06.
    check(&[0.03, 0.01, 0.04, 0.02], &[0.06, 0.04, 0.06, 0.06]);
    // .005·4 = .02, .011·3 = .033, .02·2 = .04, .04·1.
    check(&[0.04, 0.005, 0.02, 0.011], &[0.04, 0.02, 0.04, 0.033]);
    // .4·3 is cut at 1, and so are those that follow.
    check(&[0.4, 0.6, 0.5], &[1.0, 1.0, 1.0]);
    check(&[0.02, 0.02], &[0.04, 0.04]);
    check(&[0.03], &[0.03]);
    check(&[], &[]);
}

/// Whoever rejects adjusted p-values of at most α rejects what Holm's step-down rejects at α: from the smallest p on, as long as
/// p ≤ α / (number of hypotheses left).
#[test]
fn holm_is_the_step_down() {
    let mut random = SplitMix64::new(5);
    for case in 0..500 {
        let n = case % 9 + 1;
        let p: Vec<f64> = (0..n).map(|_| random.below(60) as f64 / 200.0).collect();
        let adjusted = holm(&p);
        for alpha in [0.011, 0.052, 0.103, 0.21] {
            let mut sorted = p.clone();
            sorted.sort_by(f64::total_cmp);
            let left = |step: usize| (n - step) as f64;
            let rejected = (0..n)
                .take_while(|step| sorted[*step] <= alpha / left(*step))
                .count();
            assert_eq!(
                adjusted.iter().filter(|p| **p <= alpha).count(),
                rejected,
                "{p:?} at {alpha}"
            );
        }
        // And never more than Bonferroni's, never less than the p-value, in the same order.
        for (i, a) in adjusted.iter().enumerate() {
            assert!(p[i] <= *a && *a <= (p[i] * n as f64).min(1.0));
            for (j, b) in adjusted.iter().enumerate() {
                assert!(p[i] > p[j] || a <= b);
            }
        }
    }
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
