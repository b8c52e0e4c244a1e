//! The blur against scipy and against a Gaussian.

use trommel_page::html::{Limits, parse_text};

use super::*;
use crate::parse;

/// scipy 1.x: three times `convolve1d(v, ones(17) / 17, mode="constant")` of `v = (arange(40) % 7 < 4)`.
#[test]
fn blur_as_scipy_has_it() {
    let entries: Vec<f64> = (0..40).map(|at| f64::from(u8::from(at % 7 < 4))).collect();
    let found = blurred(&entries, 8);
    for (at, expected) in [
        (0, 0.20883370649297786),
        (3, 0.3061266028902911),
        (10, 0.5084469774068797),
        (20, 0.5682882149399551),
        (39, 0.19967433340118057),
    ] {
        assert!((found[at] - expected).abs() < 1e-12, "{at}: {}", found[at]);
    }
}

/// A single entry of 1 is spread nearly as a Gaussian of deviation radius / 3 spreads it: nowhere further off than a tenth of its top
/// (scipy: .0037 of .0442), and nothing of it lies beyond the radius.
#[test]
fn nearly_a_gaussian() {
    let radius = 25;
    let mut entries = vec![0.0; 101];
    entries[50] = 1.0;
    let found = blurred(&entries, radius / 3);
    let deviation = radius as f64 / 3.0;
    let weights: Vec<f64> = (0..101)
        .map(|at| (-(at as f64 - 50.0).powi(2) / (2.0 * deviation * deviation)).exp())
        .collect();
    let sum: f64 = weights.iter().sum();
    for (at, (found, weight)) in found.iter().zip(&weights).enumerate() {
        assert!(
            (found - weight / sum).abs() < 0.004,
            "{at}: {found} {}",
            weight / sum
        );
        assert!(
            at.abs_diff(50) <= radius || found.abs() < 1e-15,
            "{at}: {found}"
        );
    }
}

#[test]
fn text_is_kept_and_menus_are_not() {
    let menu = "<li><a href=x>Home page</a></li>".repeat(20);
    let text = "<p>It has rained for three days and the barrel at the <a href=y>corner</a> of the <b>house</b> is full \
        again to the lid so that we gave some of it to the people next door who have none at all.</p>";
    let markup = format!(
        "<body><ul>{menu}</ul>{}<ul>{menu}</ul></body>",
        text.repeat(6)
    );
    let page = parse_text(&markup, &Limits::default());
    let subject = Subject::new(&page, "", "");
    let kept = |spec: &str| -> (usize, usize) {
        let extractor = parse(spec).unwrap();
        let kept: Vec<&str> = extractor
            .content(&subject)
            .map(|it| it.text.as_str())
            .collect();
        let menus = kept.iter().filter(|text| **text == "Home page").count();
        (kept.len() - menus, menus)
    };
    // Six paragraphs of five text nodes, of which one may be lost at either end. Where tags of links are no code, menus still have those of
    // their items: two tags for two words.
    for spec in ["code-blurring", "code-blurring:anchors=no"] {
        let (texts, menus) = kept(spec);
        assert!(texts >= 28 && menus == 0, "{spec} {texts} {menus}");
    }
    assert_eq!(kept("code-blurring:threshold=0"), (30, 40));
    for wrong in [
        "code-blurring:radius=2",
        "code-blurring:threshold=2",
        "code-blurring:anchors=1",
    ] {
        assert!(parse(wrong).is_err(), "{wrong}");
    }
}
