//! Values computed by hand.

use trommel_page::html::{self, Limits, segment};

use super::*;

/// In the collapsed tree: body over div and p; two anchors under div, each one node with its text; text and b under p.
/// From the first leaf, without attributes: `Home</a> <a>News</a></div><p>Old text, 2008. <b>Bold`, 52 characters.
const PAGE: &str = "<body><div class=m><a href=x>Home</a> <a href=y>News</a></div><p>Old text, 2008. <b>Bold</b></p></body>";

fn rows(set: &Set, markup: &str) -> Vec<Vec<f64>> {
    let page = html::parse_text(markup, &Limits::default());
    let segmentation = (segment::by_name(set.segmenter).unwrap().segment)(&page);
    set.rows(&page, &segmentation, &Frequencies::default())
}

/// The values of some features, block by block.
#[track_caller]
fn check(set: &Set, markup: &str, feature: &str, expected: &[f64]) {
    let features = (set.features)();
    let place = features.iter().position(|of| of.name == feature);
    let place = place.unwrap_or_else(|| panic!("no feature {feature}"));
    let values: Vec<f64> = rows(set, markup).iter().map(|row| row[place]).collect();
    let is_close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-12;
    assert!(
        values.len() == expected.len() && values.iter().zip(expected).all(is_close),
        "{feature}: {values:?}, expected {expected:?}"
    );
}

/// 128 and 25, numbered in order, none twice.
#[test]
fn numbers_of_features() {
    for (set, letter, count) in [(&SET, 'b', 128), (&EDGES, 'e', 25)] {
        let names: Vec<String> = (set.features)().into_iter().map(|of| of.name).collect();
        assert_eq!(names.len(), count);
        for (number, name) in (1..).zip(&names) {
            assert!(name.starts_with(&format!("{letter}{number}_")), "{name}");
        }
        assert!(rows(set, PAGE).iter().all(|row| row.len() == count));
    }
    let names: Vec<String> = features().into_iter().map(|of| of.name).collect();
    // What the appendix says under these numbers.
    for name in [
        "b3_same_class_path_ratio",
        "b6_avg_word_length",
        "b20_capital_ratio",
        "b26_relative_position",
        "b28_has_parent",
        "b29_parent_body_percentage",
        "b48_parent_contains_form_element",
        "b69_has_grandparent",
        "b89_grandparent_contains_form_element",
        "b109_root_contains_form_element",
        "b110_tag_a",
        "b128_tag_blockquote",
    ] {
        assert!(names.iter().any(|of| of == name), "{name}");
    }
}

#[test]
fn of_the_text() {
    let ln = f64::ln;
    for (feature, expected) in [
        ("b3_same_class_path_ratio", [0.5, 0.5, 0.25, 0.25]),
        ("b4_has_word", [1., 1., 1., 1.]),
        ("b5_log_num_words", [0., 0., ln(3.), 0.]),
        ("b6_avg_word_length", [4., 4., 11. / 3., 4.]),
        ("b9_log_num_characters", [2.5, 2.5, ln(15.), 2.5]),
        // Two marks among 15 characters would be -2.01.
        ("b10_log_punctuation_ratio", [-4., -4., -2.5, -4.]),
        ("b12_numeric_ratio", [0., 0., 4. / 15., 0.]),
        ("b13_log_avg_sentence_length", [2., 2., ln(15.), 2.]),
        ("b14_ends_with_punctuation", [0., 0., 1., 0.]),
        ("b19_contains_year", [0., 0., 1., 0.]),
        ("b20_capital_ratio", [1., 1., 1. / 3., 1.]),
        ("b22_capital_ratio_3", [1., 1., 1. / 27., 1.]),
        ("b24_num_punctuation", [0., 0., 2., 0.]),
        (
            "b26_relative_position",
            [0., 12. / 52., 29. / 52., 48. / 52.],
        ),
        (
            "b27_relative_position_2",
            [0., 144. / 2704., 841. / 2704., 2304. / 2704.],
        ),
    ] {
        check(&SET, PAGE, feature, &expected);
    }
}

#[test]
fn of_the_tree() {
    let ln = f64::ln;
    for (feature, expected) in [
        ("b28_has_parent", [1., 1., 1., 1.]),
        (
            "b29_parent_body_percentage",
            [16. / 52., 16. / 52., 23. / 52., 23. / 52.],
        ),
        ("b30_parent_link_density", [1., 1., 0., 0.]),
        // Home and News; Old, text, 2008 and Bold.
        ("b31_parent_avg_word_length", [4., 4., 15. / 4., 15. / 4.]),
        (
            "b34_parent_log_num_characters",
            [2.5, 2.5, ln(19.), ln(19.)],
        ),
        ("b39_parent_ends_with_punctuation", [0., 0., 0., 0.]),
        ("b44_parent_contains_year", [0., 0., 1., 1.]),
        ("b50_parent_tag_div", [1., 1., 0., 0.]),
        ("b51_parent_tag_p", [0., 0., 1., 1.]),
        ("b69_has_grandparent", [1., 1., 1., 1.]),
        ("b70_grandparent_body_percentage", [1., 1., 1., 1.]),
        ("b91_root_link_density", [8. / 27.; 4]),
        ("b110_tag_a", [1., 1., 0., 0.]),
        ("b113_tag_b", [0., 0., 0., 1.]),
    ] {
        check(&SET, PAGE, feature, &expected);
    }
}

#[test]
fn of_edges() {
    for (feature, expected) in [
        ("e1_tree_distance_2", [1., 0., 1.]),
        ("e3_tree_distance_4", [0., 1., 0.]),
        ("e4_tree_distance_more", [0., 0., 0.]),
        ("e5_line_break", [0., 1., 0.]),
        (
            "e6_common_ancestor_body_percentage",
            [16. / 52., 1., 23. / 52.],
        ),
        ("e7_common_ancestor_link_density", [1., 8. / 27., 0.]),
    ] {
        check(&EDGES, PAGE, feature, &expected);
    }
}

/// Chains of single children are one node, whatever is empty or skipped beside them.
#[test]
fn collapsing() {
    let markup = "<body><div><br><p></p><ul><li><b>one</b></li></ul></div><img></body>";
    check(&SET, markup, "b28_has_parent", &[0.]);
    check(&SET, markup, "b114_tag_li", &[1.]);
    check(&SET, markup, "b118_tag_div", &[1.]);
    check(&SET, markup, "b90_root_body_percentage", &[1.]);
    check(&EDGES, markup, "e1_tree_distance_2", &[]);
    // body over text and ul/li; li over i and text.
    let markup = "<body>a<ul><li><i>b</i>c</li></ul></body>";
    check(&SET, markup, "b69_has_grandparent", &[0., 1., 1.]);
    check(&SET, markup, "b57_parent_tag_li", &[0., 1., 1.]);
    check(&SET, markup, "b55_parent_tag_ul", &[0., 1., 1.]);
    check(&EDGES, markup, "e2_tree_distance_3", &[1., 0.]);
    for nothing in ["", "<body>", "<frameset><frame></frameset>"] {
        assert!(rows(&SET, nothing).is_empty() && rows(&EDGES, nothing).is_empty());
    }
}

#[test]
fn duplicates_forms_and_patterns() {
    let twelve = format!("<body>{}<p>other</p>", "<p>same</p>".repeat(12));
    let mut expected = vec![1.; 12];
    expected.push(0.);
    check(&SET, &twelve, "b1_has_duplicate", &expected);
    check(&SET, &twelve, "b2_has_10_duplicates", &expected);
    let two = "<body><p>same</p><p>same</p>";
    check(&SET, two, "b2_has_10_duplicates", &[0., 0.]);
    let form = "<body><form><p>Name</p><p>Mail<input></p></form><p>text</p>";
    check(
        &SET,
        form,
        "b48_parent_contains_form_element",
        &[1., 1., 1.],
    );
    let beside = "<body><div>a<b>b</b></div><div>c<b>d</b><select></select></div>";
    check(
        &SET,
        beside,
        "b48_parent_contains_form_element",
        &[0., 0., 1., 1.],
    );
    for (text, feature, expected) in [
        ("the end of it", "b8_stopword_ratio", 3. / 4.),
        ("the end of it", "b7_has_stopword", 1.),
        ("Really?", "b15_ends_with_question_mark", 1.),
        ("\u{a9} us", "b16_contains_copyright", 1.),
        ("me@example.org", "b17_contains_email", 1.),
        ("@ home", "b17_contains_email", 0.),
        ("see http://x.org now", "b18_contains_url", 1.),
        ("http:// is a scheme", "b18_contains_url", 0.),
        ("One. Two! three; Four", "b25_has_multiple_sentences", 1.),
        ("one. two", "b25_has_multiple_sentences", 0.),
        ("20081", "b19_contains_year", 0.),
        ("- | -", "b4_has_word", 0.),
        ("- | -", "b6_avg_word_length", 3.),
    ] {
        check(&SET, &format!("<body><p>{text}</p>"), feature, &[expected]);
    }
}
