//! Each filter by hand: a list of blocks in, the list after the filter out.

use super::*;

/// Blocks in a line each: `+` for content or `-`, words, linked words, then the text. A block of more than 12 words has
/// them in full lines of 12.
fn segmentation(blocks: &str) -> Segmentation {
    let blocks = blocks.trim().lines().map(|line| {
        let mut parts = line.trim().splitn(4, ' ').skip(1);
        let words: u32 = parts.next().unwrap().parse().unwrap();
        let linked = parts.next().unwrap().parse().unwrap();
        let lines = (words / 12).max(1);
        Block {
            text: parts.next().unwrap_or_default().to_owned(),
            num_words: words,
            num_linked_words: linked,
            num_words_in_full_lines: if words > 12 { lines * 12 } else { words },
            num_lines: lines,
            ..Block::default()
        }
    });
    Segmentation {
        blocks: blocks.collect(),
        title: Some("Rain barrels - The Daily Barrel".to_owned()),
        ..Segmentation::default()
    }
}

/// The list as `+0`, `-1t`: verdict, the segmenter's blocks in it, and its marks (t title, e end of text, m might be
/// content).
#[track_caller]
fn check(filter: impl Fn(&mut Document), blocks: &str, expected: &str) {
    let segmentation = segmentation(blocks);
    let mut document = Document::new(&segmentation);
    for (block, line) in document.blocks.iter_mut().zip(blocks.trim().lines()) {
        block.is_content = line.trim().starts_with('+');
    }
    filter(&mut document);
    let shown: Vec<String> = document
        .blocks
        .iter()
        .map(|block| {
            let members: Vec<String> = document.members(block).map(|m| m.to_string()).collect();
            let mut shown = format!(
                "{}{}",
                if block.is_content { '+' } else { '-' },
                members.join(",")
            );
            let marks = block.marks;
            for (mark, letter) in [
                (marks.title, 't'),
                (marks.end_of_text, 'e'),
                (marks.might_be_content, 'm'),
            ] {
                shown.extend(mark.then_some(letter));
            }
            shown
        })
        .collect();
    assert_eq!(shown.join(" "), expected);
    // What the list says is what the segmenter's blocks get.
    let kept = document
        .labels()
        .iter()
        .filter(|label| **label == Label::Content)
        .count();
    let listed = document.blocks.iter().filter(|block| block.is_content);
    assert_eq!(
        kept,
        listed
            .map(|block| document.members(block).count())
            .sum::<usize>()
    );
}

#[test]
fn num_words_rules() {
    let rules = num_words_rules_classifier::apply;
    check(rules, "- 17 0", "+0");
    check(rules, "- 16 0", "-0");
    check(rules, "- 4 0\n - 16 0\n - 15 0", "+0 -1 +2");
    check(rules, "- 1 0\n - 16 0", "+0 -1");
    // A third is more than 0.333333.
    check(rules, "- 30 10\n - 30 9", "-0 +1");
    check(rules, "- 9 6\n - 40 0\n - 17 0", "-0 -1 +2");
    check(rules, "- 9 6\n - 41 0\n - 18 0", "-0 +1 +2");
}

#[test]
fn density_rules() {
    let rules = density_rules_classifier::apply;
    // Before a block without words nothing dense is content.
    check(rules, "- 10 0\n - 0 0", "-0 +1");
    check(rules, "- 9 0\n - 9 0", "-0 +1");
    check(rules, "- 4 0\n - 9 0\n - 11 0", "-0 +1 -2");
    check(rules, "- 9 6\n - 30 0\n - 11 0", "-0 -1 -2");
    check(rules, "- 9 6\n - 30 0\n - 12 0", "-0 +1 -2");
}

#[test]
fn canola() {
    let rules = canola_classifier::apply;
    check(rules, "- 20 20\n - 19 0", "+0 -1");
    check(rules, "- 5 1\n - 12 0", "+0 -1");
    check(rules, "- 5 0\n - 12 0", "-0 -1");
    check(rules, "- 7 0\n - 7 0", "+0 -1");
    check(rules, "- 8 0\n - 1 0\n - 7 0", "-0 +1 -2");
    check(rules, "- 8 1\n - 1 0\n - 7 0", "-0 -1 -2");
}

#[test]
fn terminating_blocks() {
    let find = terminating_blocks_finder::apply;
    check(
        find,
        "- 1 0 Comments\n - 2 0 Comment\n - 14 0 Comments (3)\n - 15 0 Comments",
        "-0e -1 -2e -3",
    );
    check(
        find,
        "- 2 0 12 Comments\n - 2 0 12  comments\n - 3 0 x12 comments\n - 5 0 3 users responded in this post",
        "-0e -1 -2 -3e",
    );
    check(
        find,
        "- 2 0 © Reuters 2008\n - 3 0 Tell us what you think...\n - 9 0 Now HAVE YOUR SAY here\n - 2 0 RÄTTA ARTIKELN",
        "-0e -1e -2e -3e",
    );
    check(
        find,
        "- 9 0 Thanks for your comments - this feedback is now closed\n - 10 0 Thanks for your comments - this feedback is now closed.",
        "-0e -1",
    );
}

#[test]
fn title_match() {
    let find = document_title_match_classifier::apply;
    check(
        find,
        "- 5 0 Rain barrels - The Daily Barrel\n - 2 0 Rain barrels\n - 3 0 The Daily Barrel\n - 1 0 barrels",
        "-0t -1 -2t -3",
    );
}

#[test]
fn longest_parts_of_titles() {
    #[track_caller]
    fn part(title: &str, block: &str, matches: bool) {
        let mut segmentation = segmentation(&format!("- 1 0 {block}"));
        segmentation.title = Some(title.to_owned());
        let mut document = Document::new(&segmentation);
        document_title_match_classifier::apply(&mut document);
        assert_eq!(document.blocks[0].marks.title, matches, "{title}: {block}");
    }
    part("News | Rain: a story", "Rain: a story", false);
    part("News | Rain: a story", "a story", true);
    // Of equally long parts the first counts.
    part("abc | xyz", "abc", true);
    part("abc | xyz", "xyz", false);
    part("a-very-long-name.com | Rain", "Rain", true);
    part("Rain (and sun) » x", "and sun", true);
    part("Rain, wind and sun", "wind and sun", true);
    // Parts are not parts of parts: the delimiter has to be there.
    part("Rain |", "Rain", false);
    part("|", "", false);
    part(" Rain ", "Rain", true);
}

#[test]
fn nothing_after_the_end() {
    let ignore = |document: &mut Document| {
        terminating_blocks_finder::apply(document);
        ignore_blocks_after_content_filter::apply(document, 60);
    };
    check(
        ignore,
        "+ 60 0\n + 1 0 Comments\n + 99 0\n - 3 0",
        "+0 -1e -2 -3",
    );
    check(ignore, "+ 59 0\n + 1 0 Comments\n + 99 0", "+0 +1e +2");
    // Boilerplate and thin text are no full text.
    check(
        ignore,
        "- 60 0\n + 8 0\n + 8 0\n + 8 0\n + 8 0\n + 8 0\n + 8 0\n + 8 0\n + 8 0\n + 1 0 Comments",
        "-0 +1 +2 +3 +4 +5 +6 +7 +8 +9e",
    );
}

#[test]
fn proximity_fusion() {
    let fuse = |document: &mut Document| block_proximity_fusion::apply(document, 1, false);
    // A content block takes the block before it along, whatever that is.
    check(
        fuse,
        "- 1 0\n - 1 0\n + 9 0\n + 9 0\n - 1 0",
        "-0 +1,2,3 -4",
    );
    check(fuse, "+ 9 0\n - 1 0\n + 9 0", "+0 +1,2");
    check(fuse, "+ 9 0", "+0");
    let again = |document: &mut Document| {
        boilerplate_block_filter::apply(document);
        block_proximity_fusion::apply(document, 1, true);
    };
    // One block may be missing between the two.
    check(
        again,
        "+ 9 0\n - 1 0\n + 9 0\n - 1 0\n - 1 0\n + 9 0",
        "+0,2 +5",
    );
    let content_only = |document: &mut Document| block_proximity_fusion::apply(document, 1, true);
    check(
        content_only,
        "- 1 0\n + 9 0\n + 9 0\n - 1 0\n + 9 0",
        "-0 +1,2 -3 +4",
    );
    check(content_only, "- 1 0\n - 9 0", "-0 -1");
}

#[test]
fn simple_fusion() {
    let fuse = simple_block_fusion_processor::apply;
    check(
        fuse,
        "- 3 0\n - 3 0\n - 4 0\n - 24 0\n - 36 0\n - 0 0\n - 0 0",
        "-0,1 -2 -3,4 -5,6",
    );
    // 3 and 3 words in a line each have the density of 3.
    check(fuse, "- 3 0\n - 3 0\n - 6 0", "-0,1 -2");
}

#[test]
fn largest_block() {
    let keep = keep_largest_block_filter::apply;
    check(keep, "- 99 0\n + 9 0\n + 9 0", "-0m +1 -2m");
    check(keep, "- 99 0\n - 9 0", "-0m -1m");
    check(keep, "+ 0 0\n - 9 0", "+0 -1m");
    check(keep, "- 99 0", "-0");
}

#[test]
fn from_title_to_content() {
    let expand = |document: &mut Document| {
        document_title_match_classifier::apply(document);
        keep_largest_block_filter::apply(document);
        expand_title_to_content_filter::apply(document);
    };
    check(
        expand,
        "- 1 0\n - 3 0 The Daily Barrel\n - 1 0\n - 3 0 The Daily Barrel\n + 1 0\n + 9 0\n - 3 0 The Daily Barrel",
        "-0m -1tm -2m +3tm +4m +5 -6tm",
    );
    check(
        expand,
        "- 1 0\n + 9 0 The Daily Barrel\n - 1 0",
        "-0m +1t -2m",
    );
    check(expand, "- 3 0 The Daily Barrel\n - 1 0", "-0tm -1m");
}

#[test]
fn above_the_title() {
    let cut = |document: &mut Document| {
        document_title_match_classifier::apply(document);
        cut_above_title::apply(document);
    };
    check(
        cut,
        "+ 3 0 The Daily Barrel\n + 5 0\n - 3 0 The Daily Barrel\n + 9 0\n + 3 0 The Daily Barrel",
        "-2t +3 +4t",
    );
    check(cut, "+ 9 0\n + 3 0 The Daily Barrel", "+0 +1t");
    check(cut, "- 9 0\n - 3 0 The Daily Barrel", "-0 -1t");
}

#[test]
fn paragraphs_part_again() {
    let split = |document: &mut Document| {
        block_proximity_fusion::apply(document, 1, false);
        assert_eq!(document.text(&document.blocks[0]), "a\nb");
        split_paragraph_blocks_filter::apply(document);
    };
    check(split, "- 1 0 a\n + 1 0 b\n - 1 0 c", "+0 +1 -2");
}

#[test]
fn clauses() {
    #[track_caller]
    fn clause(text: &str, kept: bool) {
        check(
            |document| min_clause_words_filter::apply(document, 5),
            &format!("+ 9 0 {text}"),
            if kept { "+0" } else { "-0" },
        );
    }
    clause("it rains and it pours.", true);
    clause("it rains and it pours", false);
    clause("it rains and pours.", false);
    clause("well: it rains, and it pours.", false);
    clause("well, it rains and it really pours?! so", true);
    clause("well ,it rains and it really pours;", true);
    // The delimiter has to follow a letter or digit and to stand before white space.
    clause("it rains and it pours (a lot).", false);
    clause("it rains and it pours in www.example", false);
    clause("it rains for days in 1999.", true);
    clause("it rains for days in ٣.", false);
    clause("one two, three four, five six, seven", false);
}

#[test]
fn everything() {
    check(
        mark_everything_content_filter::apply,
        "- 0 0\n + 9 9",
        "+0 +1",
    );
}
