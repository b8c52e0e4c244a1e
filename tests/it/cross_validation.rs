//! Choosing on some topics, measuring on the others.

use trommel::measure::{CrossValidated, cross_validate, cross_validated_p};
use trommel::text::SplitMix64;

/// Random scores of some candidates.
fn candidates(random: &mut SplitMix64, count: usize, topics: usize) -> Vec<Vec<f64>> {
    let mut score = || random.below(11) as f64 / 10.0;
    (0..count)
        .map(|_| (0..topics).map(|_| score()).collect())
        .collect()
}

fn validate(candidates: &[Vec<f64>], folds: usize, seed: u64) -> CrossValidated {
    let candidates: Vec<&[f64]> = candidates.iter().map(Vec::as_slice).collect();
    cross_validate(&candidates, folds, seed)
}

/// Three topics, each left out once. Without topic 0 the sums are 0 and 1.2, without 1 or 2 they are 1 and .6: what is chosen is
/// always what fails on the topic left out. The best candidate has a mean of .4; the estimate of choosing it is 0.
#[test]
fn leave_one_out_by_hand() {
    let scores = [vec![1.0, 0.0, 0.0], vec![0.0, 0.6, 0.6]];
    let result = validate(&scores, 3, 1);
    let mut chosen: Vec<(Vec<usize>, usize)> = result
        .folds
        .into_iter()
        .map(|fold| (fold.topics, fold.chosen))
        .collect();
    chosen.sort();
    assert_eq!(chosen, [(vec![0], 1), (vec![1], 0), (vec![2], 0)]);
    assert_eq!(result.scores, [0.0, 0.0, 0.0]);
}

/// One candidate is better everywhere: it is always chosen, and its scores are the result, under any seed.
#[test]
fn the_better_everywhere_is_chosen() {
    let scores = [vec![0.1; 7], vec![0.3, 0.2, 0.9, 0.4, 0.5, 0.6, 0.8]];
    for seed in 0..5 {
        let result = validate(&scores, 3, seed);
        assert!(result.folds.iter().all(|fold| fold.chosen == 1));
        assert_eq!(result.scores, scores[1]);
    }
}

/// Equal candidates: the first, and .1 + .2 + .3 is no more than .3 + .2 + .1.
#[test]
fn ties_go_to_the_first() {
    let sums = [vec![0.3, 0.2, 0.1, 0.5], vec![0.1, 0.2, 0.3, 0.5]];
    let result = validate(&sums, 4, 1);
    let last = result.folds.iter().find(|fold| fold.topics == [3]).unwrap();
    assert_eq!(last.chosen, 0);
    let equal = [vec![0.5; 6], vec![0.5; 6]];
    assert!(
        validate(&equal, 2, 1)
            .folds
            .iter()
            .all(|fold| fold.chosen == 0)
    );
}

/// What is chosen for a fold does not depend on the fold's own scores: other scores there, the same choice.
#[test]
fn choices_do_not_see_their_own_topics() {
    let mut random = SplitMix64::new(11);
    for case in 0..60 {
        let (topics, folds) = (3 + case % 20, 2 + case % 7);
        let scores = candidates(&mut random, 5, topics);
        let result = validate(&scores, folds, case as u64);
        for (number, fold) in result.folds.iter().enumerate() {
            let mut changed = scores.clone();
            for candidate in &mut changed {
                for &topic in &fold.topics {
                    candidate[topic] = random.below(1000) as f64;
                }
            }
            let again = validate(&changed, folds, case as u64);
            assert_eq!(&again.folds[number], fold, "case {case}");
        }
    }
}

/// Each topic is in one fold, folds differ by a topic at most, scores are those of what was chosen, and it is what is best on
/// the other topics.
#[test]
fn folds_part_the_topics() {
    let mut random = SplitMix64::new(12);
    for (topics, folds, expected) in [
        (10, 2, 2),
        (10, 3, 3),
        (34, 10, 10),
        (5, 5, 5),
        (5, 50, 5),
        (5, 0, 2),
        (5, 1, 2),
        (1, 3, 1),
        (0, 3, 0),
    ] {
        let scores = candidates(&mut random, 4, topics);
        let result = validate(&scores, folds, 9);
        assert_eq!(result.folds.len(), expected);
        assert_eq!(result, validate(&scores, folds, 9));
        let mut all: Vec<usize> = result.folds.iter().flat_map(|f| f.topics.clone()).collect();
        all.sort_unstable();
        assert_eq!(all, (0..topics).collect::<Vec<_>>());
        for fold in &result.folds {
            assert!(fold.topics.is_sorted());
            let size = fold.topics.len();
            assert!(size == topics / expected || size == topics / expected + 1);
            let tenths = |candidate: &Vec<f64>| -> i64 {
                let others = (0..topics).filter(|topic| !fold.topics.contains(topic));
                others
                    .map(|topic| (candidate[topic] * 10.0).round() as i64)
                    .sum()
            };
            let best = scores.iter().map(tenths).max().unwrap();
            let first = scores.iter().position(|c| tenths(c) == best);
            assert_eq!(first, Some(fold.chosen));
            for &topic in &fold.topics {
                assert_eq!(result.scores[topic], scores[fold.chosen][topic]);
            }
        }
    }
    assert_eq!(cross_validate(&[], 3, 1), CrossValidated::default());
    let seeds: Vec<_> = (0..4)
        .map(|seed| validate(&[vec![0.0; 40]], 4, seed))
        .collect();
    assert!(seeds.windows(2).all(|pair| pair[0] != pair[1]));
}

/// With nothing to choose the test is the randomization test: two differences of the same sign have p = 1/2, and so on; a
/// candidate that stands there twice changes nothing; and where nothing differs p is 1.
#[test]
fn p_without_a_choice() {
    for (differences, exact) in [
        (&[0.1, 0.2][..], 0.5),
        (&[0.1, 0.2, 0.3, 0.4, 0.5], 0.0625),
        // Sums of at least .8 in amount: .4 and .5 have the same sign.
        (&[-0.1, 0.4, 0.5], 0.5),
        (&[0.0, 0.0, 0.0], 1.0),
        (&[], 1.0),
    ] {
        let baseline = vec![0.3; differences.len()];
        let system: Vec<f64> = differences.iter().map(|d| d + 0.3).collect();
        for candidates in [&[system.as_slice()][..], &[&system, &system]] {
            let p = cross_validated_p(&baseline, candidates, 3, 1);
            let error = (exact * (1.0 - exact) / 10_000f64).sqrt();
            assert!(
                (p - exact).abs() < 4.0 * error + 2e-4,
                "{differences:?}: {p}"
            );
        }
    }
}

/// Six systems that are no better than the baseline: at .1 the test rejects about a tenth of the time. (A plain test of the
/// chosen scores rejects more than twice as often, for each topic helps to choose for the others.)
#[test]
fn p_keeps_its_level() {
    let mut random = SplitMix64::new(13);
    let mut rejected = 0;
    for seed in 0..400 {
        let baseline = vec![0.0; 20];
        let shared: Vec<i32> = (0..20).map(|_| random.below(21) as i32 - 10).collect();
        let mut system = || -> Vec<f64> {
            let own = |common: &i32| f64::from(common + random.below(31) as i32 - 15);
            shared.iter().map(own).collect()
        };
        let systems: Vec<Vec<f64>> = (0..6).map(|_| system()).collect();
        let systems: Vec<&[f64]> = systems.iter().map(Vec::as_slice).collect();
        rejected += u32::from(cross_validated_p(&baseline, &systems, 10, seed) <= 0.1);
    }
    // 400 · .1, four standard errors of 6 around.
    assert!((16..=64).contains(&rejected), "{rejected} of 400");
}

/// A steady gain stands beside a system that does great harm: the choice is clear, and so is that it helps.
#[test]
fn harm_elsewhere_hides_no_gain() {
    let baseline = vec![0.5; 30];
    let good: Vec<f64> = (0..30)
        .map(|topic| 0.55 + f64::from(topic % 3) / 50.0)
        .collect();
    let bad: Vec<f64> = (0..30).map(|topic| f64::from(topic % 5) / 10.0).collect();
    let p = cross_validated_p(&baseline, &[&good, &bad], 10, 1);
    assert!(p < 0.01, "{p}");
}
