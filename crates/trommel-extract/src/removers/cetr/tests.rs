//! CETR against scipy, and its k-means against all ways to make clusters.

use trommel_page::html::{Limits, parse_text};
use trommel_text::SplitMix64;

use super::*;
use crate::parse;

/// scipy 1.x: `e = convolve1d(x, k, mode="nearest")` with `k = [e^-.5, 1, e^-.5]` divided by its sum;
/// `g[i] = mean(e[i+1:i+4]) - e[i]`, 0 for the last; `abs(convolve1d(g, k, mode="nearest"))`.
#[test]
fn smoothing_and_derivative_as_scipy_has_them() {
    let ratios = [
        0.0, 3.0, 5.0, 2.0, 80.0, 120.0, 95.5, 4.0, 1.0, 0.0, 60.0, 2.0,
    ];
    let smooth = [
        0.8222058571835911,
        2.7259313809388033,
        3.629656904694015,
        24.19955814395696,
        69.58539247567452,
        102.3225740705528,
        77.1374025228998,
        28.255072786915935,
        1.5481372381223941,
        16.718185762733018,
        27.659902950778758,
        17.895979905549428,
    ];
    let derivatives = [
        14.94911825178254,
        32.92785686135022,
        52.1696265002185,
        43.40231451656489,
        2.311032925940894,
        47.11430407031958,
        49.6703251975851,
        17.47606111852935,
        6.792837840312893,
        5.327019853939377,
        2.7511643669047716,
        2.6759849056258,
    ];
    let found = points(&ratios, 1, 3);
    for (found, expected) in found.iter().zip(smooth.into_iter().zip(derivatives)) {
        assert!(
            (found[0] - expected.0).abs() < 1e-12,
            "{found:?} {expected:?}"
        );
        assert!(
            (found[1] - expected.1).abs() < 1e-12,
            "{found:?} {expected:?}"
        );
    }
    assert_eq!(found.len(), ratios.len());
}

/// What k-means makes smaller: the squares of the distances to the centres, one of which is the origin.
fn inertia(points: &[[f64; 2]], of: &[usize], clusters: usize) -> f64 {
    let mut sum = 0.0;
    for cluster in 0..clusters {
        let own: Vec<&[f64; 2]> = points
            .iter()
            .zip(of)
            .filter(|(_, of)| **of == cluster)
            .map(|(point, _)| point)
            .collect();
        let mean = |axis: usize| own.iter().map(|it| it[axis]).sum::<f64>() / own.len() as f64;
        let centre = if cluster == 0 {
            [0.0; 2]
        } else {
            [mean(0), mean(1)]
        };
        sum += own
            .iter()
            .map(|point| distance(point, &centre))
            .sum::<f64>();
    }
    sum
}

/// All 3ⁿ ways to make clusters of up to 8 points. None is better than the best of them, and on three clouds that lie apart (at the origin, below and
/// above the diagonal) the best is found.
#[test]
fn clusters_against_all_ways_to_make_them() {
    let mut random = SplitMix64::new(2010);
    let mut draw = |most: f64| random.below(1 << 20) as f64 / (1 << 20) as f64 * most;
    let (mut best_found, mut all) = (0, 0);
    for apart in [false, true] {
        for _ in 0..150 {
            let points: Vec<[f64; 2]> = (0..8)
                .map(|place| match (apart, place % 3) {
                    (false, _) => [draw(100.0), draw(100.0)],
                    (true, 0) => [draw(8.0), draw(8.0)],
                    (true, 1) => [90.0 + draw(10.0), draw(10.0)],
                    (true, _) => [40.0 + draw(10.0), 70.0 + draw(10.0)],
                })
                .collect();
            let mut least = f64::INFINITY;
            for code in 0..3usize.pow(8) {
                let of: Vec<usize> = (0..8).map(|place| code / 3usize.pow(place) % 3).collect();
                least = least.min(inertia(&points, &of, 3));
            }
            let found = inertia(&points, &cluster(&points, 3), 3);
            assert!(found > least - 1e-9, "{found} {least}");
            let is_best = found < least + 1e-9;
            assert!(is_best || !apart, "{points:?}");
            best_found += usize::from(is_best);
            all += 1;
        }
    }
    assert!(2 * best_found > all, "{best_found} of {all}");
}

/// Lines and their ratios, worked out by hand.
#[test]
fn lines_by_hand() {
    let markup = "<html><head><title>no</title>\n<script>\nvar a = 1;\n</script>\n</head><body>\n\n<p>one two\n\
        three</p><b>4</b>\n   plain  text \n<ul>\n<li><a href=x>x</a></li></ul></body></html>";
    let page = parse_text(markup, &Limits::default());
    let lines = lines(&Subject::new(&page, "", ""));
    let counts: Vec<(u64, u64)> = lines
        .counts
        .iter()
        .map(|it| (it.characters, it.tags))
        .collect();
    // html, head, title and its end; the end of head and body's start; "one two" with p; "three4"; "plain text"; ul; the rest: li, a, /a, /li, /ul, /body, /html.
    assert_eq!(
        counts,
        [(0, 4), (0, 2), (7, 1), (6, 3), (10, 0), (0, 1), (1, 7)]
    );
    assert_eq!(lines.counts[4].ratio(), 10.0);
    assert_eq!(lines.counts[3].ratio(), 2.0);
}

#[test]
fn text_is_kept_and_menus_are_not() {
    let menu = "<li><a href=x>Home page</a></li>\n".repeat(80);
    let text = "<p>It has rained for three days, and the barrel at the corner of the house is full again to the lid.</p>\n";
    let markup = format!(
        "<body><ul>\n{menu}</ul>\n{}<ul>\n{menu}</ul></body>",
        text.repeat(8)
    );
    for markup in [markup.clone(), markup.replace('\n', "")] {
        let page = parse_text(&markup, &Limits::default());
        let subject = Subject::new(&page, "", "");
        let extractor = parse("cetr").unwrap();
        let kept: Vec<&str> = extractor
            .content(&subject)
            .map(|it| it.text.as_str())
            .collect();
        let rain = kept
            .iter()
            .filter(|text| text.starts_with("It has rained"))
            .count();
        assert_eq!(rain, 8, "{kept:?}");
        // Smoothed ratios and derivatives rise on the lines beside the text as well.
        assert!(kept.len() <= 8 + 160 / 4, "{kept:?}");
    }
    for wrong in [
        "cetr:radius=0",
        "cetr:ahead=21",
        "cetr:clusters=1",
        "cetr:clusters=x",
    ] {
        assert!(parse(wrong).is_err(), "{wrong}");
    }
}
