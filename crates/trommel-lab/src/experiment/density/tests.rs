use super::beta_normal::{BetaNormal, Equation};
use super::mixture::Mixture;
use super::*;

/// Shares of blocks of 1 to 100 words.
fn words(share: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
    let places = (1..=LONGEST).map(|x| x as f64);
    places.map(|x| (x, share(x))).collect()
}

/// Shares of words of density 0 to 36.
fn densities(share: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
    let places = (0..=DENSEST).map(|x| x as f64);
    places.map(|x| (x, share(x))).collect()
}

fn goodness(points: &[(f64, f64)], curve: impl Fn(f64) -> f64, parameters: usize) -> Goodness {
    let observed: Vec<f64> = points.iter().map(|(_, share)| *share).collect();
    Goodness::of(&observed, &along(points, curve), parameters).unwrap()
}

#[track_caller]
fn near(found: f64, expected: f64, relative: f64) {
    let off = (found - expected).abs();
    assert!(off <= relative * expected.abs(), "{found} for {expected}");
}

fn equation(of: &Equation) -> [f64; 9] {
    [
        of.dense[0],
        of.dense[1],
        of.thin[0],
        of.thin[1],
        of.c,
        of.d,
        of.e,
        of.shift,
        of.sigma,
    ]
}

/// Equation 2's probabilities are a distribution, of the mean that §5.2 names; so are Equation 3's.
#[test]
fn published_words() {
    let short = |x| geometric::geometric(mixture::PUBLISHED.short_ends, x);
    let long = |x| geometric::geometric(mixture::PUBLISHED.long_ends, x);
    let mean = |of: &dyn Fn(f64) -> f64| (1..5000).map(f64::from).map(|x| x * of(x)).sum::<f64>();
    assert_eq!(format!("{:.2}", mean(&short)), "2.52");
    assert_eq!(format!("{:.2}", mean(&long)), "22.89");
    let sum: f64 = (1..5000)
        .map(f64::from)
        .map(|x| mixture::PUBLISHED.at(x))
        .sum();
    near(sum, 1.0, 1e-12);
    near(geometric::geometric(0.25, 1.0), 0.25, 1e-15);
    near(geometric::geometric(0.25, 3.0), 0.140_625, 1e-15);
}

#[test]
fn exact_probabilities_give_their_parameters() {
    for p in [0.3145, 0.05, 0.9] {
        let points = words(|x| geometric::geometric(p, x));
        near(geometric::fit(&points).unwrap(), p, 1e-9);
    }
    let other = Mixture {
        short: 0.35,
        short_ends: 0.6,
        long_ends: 0.1,
    };
    for of in [mixture::PUBLISHED, other] {
        let points = words(|x| of.at(x));
        let found = mixture::fit(&points).unwrap();
        near(found.short, of.short, 1e-7);
        near(found.short_ends, of.short_ends, 1e-7);
        near(found.long_ends, of.long_ends, 1e-7);
        near(goodness(&points, |x| found.at(x), 3).r2, 1.0, 1e-12);
    }
    let other = Equation {
        dense: [90.0, 150.0],
        thin: [3.0, 40.0],
        c: 0.02,
        d: 0.4,
        e: 120.0,
        shift: 24.0,
        sigma: 6.0,
    };
    for of in [beta_normal::PUBLISHED, other] {
        let curve = BetaNormal::from(of);
        let points = densities(|x| curve.at(x));
        let found = Equation::from(beta_normal::fit(&points).unwrap());
        for (found, expected) in equation(&found).iter().zip(equation(&of)) {
            near(*found, expected, 1e-4);
        }
    }
}

/// Points that no curve meets. The figures are scipy 1.17.1's: optimize.curve_fit on the same points, from the same formulas with
/// stats.beta.pdf and stats.norm.pdf, xtol = ftol = 1e-14; of Equation 1 from three starts, which agree to seven digits.
#[test]
fn fits_are_those_of_scipy() {
    let points = words(|x| {
        0.7 * 0.45 * 0.55f64.powf(x - 1.0)
            + 0.3 * 0.06 * 0.94f64.powf(x - 1.0)
            + 0.004 * x.sin() / x
    });
    let p = geometric::fit(&points).unwrap();
    near(p, 0.338_217_279_288_468_7, 1e-8);
    let good = goodness(&points, |x| geometric::geometric(p, x), 1);
    near(good.adjusted_r2, 0.970_653_278_458_498_9, 1e-9);
    near(good.rmse, 0.006_914_532_347_035_358, 1e-9);
    let found = mixture::fit(&points).unwrap();
    near(found.short, 0.702_797_191_086_009_4, 1e-7);
    near(found.short_ends, 0.452_995_766_689_866_74, 1e-7);
    near(found.long_ends, 0.061_220_480_046_499_32, 1e-7);
    let good = goodness(&points, |x| found.at(x), 3);
    near(good.adjusted_r2, 0.999_981_945_627_501, 1e-9);
    near(good.rmse, 0.000_171_503_985_294_865_8, 1e-7);

    let published = BetaNormal::from(beta_normal::PUBLISHED);
    let points = densities(|x| published.at(x) * (1.0 + 0.05 * (3.0 * x).sin()));
    let found = beta_normal::fit(&points).unwrap();
    let scipy = [
        62.076_820,
        120.711_278,
        3.971_955_15,
        53.299_921_2,
        0.015_777_740_8,
        0.654_870_402,
        84.424_893,
        21.824_842_5,
        6.706_294_31,
    ];
    for (found, expected) in equation(&found.into()).iter().zip(scipy) {
        near(*found, expected, 1e-5);
    }
    let good = goodness(&points, |x| found.at(x), beta_normal::FREE);
    near(good.r2, 0.997_170_336_665_661_1, 1e-9);
    near(good.adjusted_r2, 0.996_361_861_427_278_6, 1e-9);
    near(good.rmse, 0.002_454_076_029_484_506, 1e-7);
}

#[test]
fn a_page_is_counted() {
    let block = |text: &str, words: u32, lines: u32| Block {
        text: text.to_owned(),
        num_words: words,
        num_tokens: words + 1,
        num_words_in_full_lines: words - words % lines,
        num_lines: lines,
        ..Block::default()
    };
    let blocks = [
        block("Home", 1, 1),
        block("A storm swept.", 24, 2),
        block("Read more", 10, 1),
    ];
    let label = |class| Some(GoldLabel::Class(class));
    let labels = [label(Class::Boilerplate), label(Class::FullText), None];
    let mut counts = Counted::new(DensityOptions::default(), &classes());
    counts.add(&blocks, &labels);
    let found = counts.finish();
    assert_eq!(found.pages, 1);
    let all = Amount {
        blocks: 3,
        words: 35,
        tokens: 38,
    };
    assert_eq!(found.total, all);
    let of = |name: &str| found.classes.iter().find(|(it, _)| *it == name).unwrap().1;
    assert_eq!(of("boilerplate").words, 1);
    assert_eq!(of("full text").words, 24);
    assert_eq!(of("comments"), Amount::default());
    assert_eq!(found.by_words.bins[24].blocks, 1);
    assert_eq!(found.by_density.bins[12].tokens, 25);
    assert_eq!(found.by_density.bins[10].tokens, 11);
    let long = LongBlocks {
        long: 24,
        dense: 24,
        both: 24,
        longest: 24,
    };
    assert_eq!(found.long, long);
    assert_eq!(found.full_stops.with[12].blocks, 1);
    assert_eq!(found.full_stops.without[10].blocks, 1);
    // The unlabelled block is no part of the rule: with few blocks of each class there is one partition.
    let rule = found.one_rule.unwrap();
    assert_eq!((rule.splits.len(), rule.best_split), (0, 1.5));
    // Three values are enough for one parameter alone.
    let fitted: Vec<&str> = found.fits.iter().map(|fit| fit.source).collect();
    assert_eq!(fitted, ["WSDM 2010, Equation 2"]);
    // A page without blocks is one too, and nothing is nothing.
    let nothing = Counted::new(DensityOptions::default(), &[]).finish();
    assert_eq!(nothing.total, Amount::default());
    assert!(nothing.fits.is_empty() && nothing.one_rule.is_none());
}

/// §5.1 says 3.8 % of its two figures.
#[test]
fn published_difference() {
    assert_eq!(format!("{:.1}", 100.0 * PUBLISHED_LONG.difference()), "3.8");
}
