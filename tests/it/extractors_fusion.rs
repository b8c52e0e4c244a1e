//! Block Fusion: the three segmenters and the density rule.

use trommel::extractor::{self, Label, Subject};
use trommel::html::{self, Limits, segment};

/// Paragraphs of one line each, whose density is their number of words.
fn page(densities: &[usize]) -> String {
    let paragraph = |(number, words): (usize, &usize)| {
        let word = char::from(b'a' + number as u8).to_string();
        format!("<p>{}</p>", vec![word; *words].join(" "))
    };
    densities.iter().enumerate().map(paragraph).collect()
}

/// The blocks of a page: `letters words/lines`, each letter standing for a paragraph.
#[track_caller]
fn check(segmenter: &str, html: &str, expected: &[&str]) {
    let page = html::parse_text(&format!("<body>{html}"), &Limits::default());
    let cut = (segment::by_name(segmenter).unwrap().segment)(&page);
    let shown: Vec<String> = cut
        .blocks
        .iter()
        .map(|block| {
            let mut letters: Vec<&str> = block.text.split(' ').collect();
            assert_eq!(letters.len() as u32, block.num_tokens);
            letters.dedup();
            let (full, lines) = (block.num_words_in_full_lines, block.num_lines);
            format!("{} {full}/{lines}", letters.concat())
        })
        .collect();
    assert_eq!(shown, expected, "{segmenter} {html}");
    let block_of_leaf: Vec<u32> = cut.block_of_leaf.iter().flatten().copied().collect();
    assert!(block_of_leaf.is_sorted());
    assert_eq!(
        block_of_leaf.last().map_or(0, |last| last + 1),
        cut.blocks.len() as u32
    );
}

/// 5 and 8 differ by 3/8 = 0.375 of the greater, 3 and 5 by 0.4; ϑ_max is 0.38.
#[test]
fn plain_fuses_what_is_alike() {
    check("fusion-plain", &page(&[5, 8]), &["ab 13/2"]);
    check("fusion-plain", &page(&[8, 5]), &["ab 13/2"]);
    check("fusion-plain", &page(&[3, 5]), &["a 3/1", "b 5/1"]);
    check(
        "fusion-plain",
        &page(&[1, 2, 4]),
        &["a 1/1", "b 2/1", "c 4/1"],
    );
    check("fusion-plain", "", &[]);
}

/// The next block is compared with what was fused; another round sees what the first left.
#[test]
fn plain_goes_on_with_the_fused_block() {
    // 6 and 9 are alike, 5 (the density of 4 and 6 together) and 9 are not.
    check("fusion-plain", &page(&[4, 6, 9]), &["ab 10/2", "c 9/1"]);
    // 5 and 9 are not alike; once 9 and 6 are one of 7.5, it is like 5.
    check("fusion-plain", &page(&[5, 9, 6]), &["abc 20/3"]);
}

/// 40 words of one letter fill a line of 80 characters, and the last line does not count: 60 words have the density 40.
#[test]
fn lines_are_summed() {
    check("fusion-plain", &page(&[60, 30]), &["ab 70/2"]);
    check("fusion-plain", &page(&[60, 20]), &["a 40/1", "b 20/1"]);
}

#[test]
fn smoothed_fills_dents() {
    check(
        "fusion-plain",
        &page(&[10, 2, 10]),
        &["a 10/1", "b 2/1", "c 10/1"],
    );
    check("fusion-smoothed", &page(&[10, 2, 10]), &["abc 22/3"]);
    // Not where the sides differ, nor where the middle is higher.
    check(
        "fusion-smoothed",
        &page(&[10, 2, 9]),
        &["a 10/1", "b 2/1", "c 9/1"],
    );
    check(
        "fusion-smoothed",
        &page(&[2, 10, 2]),
        &["a 2/1", "b 10/1", "c 2/1"],
    );
}

#[test]
fn rules_part_and_join() {
    check("fusion-rulebased", "<p>a a a</p><p>b b b</p>", &["ab 6/2"]);
    check(
        "fusion-rulebased",
        "<p>a a a</p><hr><p>b b b</p>",
        &["a 3/1", "b 3/1"],
    );
    check(
        "fusion-rulebased",
        "<h2>a a a</h2><p>b b b</p>",
        &["a 3/1", "b 3/1"],
    );
    check(
        "fusion-rulebased",
        "<p>a <b>b b b b b b</b> c</p>",
        &["abc 8/3"],
    );
    // 0.6 of the greater is not too much, 0.8 is.
    check("fusion-rulebased", &page(&[2, 5]), &["ab 7/2"]);
    check("fusion-rulebased", &page(&[1, 5]), &["a 1/1", "b 5/1"]);
}

/// A block of 8 tokens a line is not dense enough alone; fused with one of 10 it is.
#[test]
fn density_rule() {
    let html = page(&[8, 10, 1]);
    let page = html::parse_text(&html, &Limits::default());
    let subject = Subject::new(&page, "", "");
    for (name, expected) in [
        ("block-fusion", [true, false]),
        ("block-fusion:min-density=10.5", [false, false]),
        ("block-fusion:min-density=1", [true, true]),
    ] {
        let extractor = extractor::parse(name).unwrap();
        let labels = extractor.labels(&subject, extractor.segmenter.unwrap());
        assert_eq!(labels, expected.map(Label::content_if), "{name}");
    }
}

/// Each round fuses one pair alone: rounds are bounded, and the page is cut all the same.
#[test]
fn many_rounds() {
    // From the right, each block is as dense as all behind it together, so that it fuses with them a round later.
    let densities: Vec<usize> = (0..12).rev().map(|i| 1usize << i).collect();
    let html: String = densities
        .iter()
        .map(|words| format!("<p>{}", vec!["x"; *words].join(" ")))
        .collect();
    let html = html.repeat(100);
    let page = html::parse_text(&html, &Limits::default());
    let cut = (segment::by_name("fusion-plain").unwrap().segment)(&page);
    let tokens: u32 = cut.blocks.iter().map(|block| block.num_tokens).sum();
    assert_eq!(tokens, 100 * 4095);
}
