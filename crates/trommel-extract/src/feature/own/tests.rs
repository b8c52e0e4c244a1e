#![allow(clippy::unwrap_used)]
use super::row::{AROUND, around};
use super::*;
use trommel_page::html::segment;

struct Table {
    names: Vec<String>,
    rows: Vec<Vec<f32>>,
}

impl Table {
    fn of(html: &str) -> Table {
        let page = trommel_page::html::parse_text(html, &Default::default());
        let segmentation = (segment::by_name("paragraph").unwrap().segment)(&page);
        let mut rows = Vec::new();
        for_each_row(&page, &segmentation, |row| {
            assert_eq!(row.words, row.values[0]);
            // The title that stands in the head is no block.
            let wrapped = html.starts_with("<text>");
            assert_eq!(row.is_title, rows.is_empty() && wrapped);
            rows.push(row.values.to_vec());
        });
        assert_eq!(rows.len(), segmentation.blocks.len());
        Table {
            names: features().into_iter().map(|feature| feature.name).collect(),
            rows,
        }
    }

    #[track_caller]
    fn check(&self, block: usize, name: &str, expected: f32) {
        let place = self.names.iter().position(|of| of == name).unwrap();
        assert_eq!(self.rows[block][place], expected, "{name} of {block}");
    }
}

const SENTENCE: &str = "The council said on Monday that it would, after all, repair the old bridge over the river this year.";

#[test]
fn names_are_many_and_different() {
    let names: std::collections::BTreeSet<String> =
        features().into_iter().map(|feature| feature.name).collect();
    assert_eq!(names.len(), features().len());
    assert!(names.len() <= crate::classifier::boosting::WIDTH);
    for tag in &AROUND {
        assert_eq!(AROUND[around(tag)], *tag);
    }
    assert_eq!(around(&Tag::Div), AROUND.len());
}

/// Values counted by hand.
#[test]
fn a_small_page() {
    let table = Table::of(&format!(
        "<title>t</title><body><div id=nav><ul><li><a href=/>Home page</a><li><a href=/a>About us</a></ul></div>\
         <div class='story main'><h1>Bridge to be repaired</h1><p>{SENTENCE}</p><p>{SENTENCE} <a href=/more>Read more</a></p></div>\
         <div class=footer>© 2009</div>"
    ));
    assert_eq!(table.rows.len(), 6);
    let values = [
        // Home page.
        (0, "words", 2.0),
        (0, "link_density", 1.0),
        (0, "key_a", 1.0),
        (0, "host_li", 1.0),
        // From the anchor: a, li, ul, div.
        (0, "in_ul", 1.0 / 3.0),
        (0, "class_nav", 1.0 / 4.0),
        (0, "num_negative", 1.0),
        (0, "says_nav", 1.0 / 2f32.sqrt()),
        (0, "prev1_words", -1.0),
        (0, "next1_words", 2.0),
        (0, "next1_same_host", 0.0),
        (0, "from_first_headline", -2.0),
        (0, "look_blocks", 2.0),
        (0, "half_side", -1.0),
        // The first paragraph: 19 words, two commas.
        (3, "words", 19.0),
        (3, "commas", 2.0 / 19.0),
        (3, "ends_sentence", 1.0),
        (3, "class_article", 1.0 / 2.0),
        (3, "class_content", 1.0 / 2.0),
        (3, "num_positive", 1.0),
        (3, "prev1_headline", 1.0),
        (3, "since_headline", 1.0),
        (3, "position", 0.5),
        (3, "page_long_blocks", 2.0),
        // The second paragraph alone has 21 of the 40 long words: up from it to the division, and down to the first.
        (3, "half_up", 1.0),
        (3, "half_down", 1.0),
        (3, "half_side", -1.0),
        (4, "half_up", 0.0),
        (4, "half_down", 0.0),
        (4, "half_side", 0.0),
        (3, "level0_words", 19.0),
        // Headline and both paragraphs: 4 + 19 + 21.
        (3, "level1_words", 44.0),
        (3, "level1_blocks", 3.0),
        (3, "before_words", 8.0),
        (3, "after_words", 22.0),
        (3, "after_long", 1.0),
        (4, "from_largest", 0.0),
        (4, "link_density", 2.0 / 21.0),
        // The footer.
        (5, "copyright", 1.0),
        (5, "year", 1.0),
        (5, "class_foot", 1.0),
        // Paragraph, division; and down to the footer.
        (5, "half_up", 2.0),
        (5, "half_down", 1.0),
        (5, "half_side", 1.0),
        (5, "next2_words", -1.0),
        // Two brothers are no row of them.
        (0, "repeat_steps", 99.0),
        (0, "page_items", 2.0),
        (0, "page_paragraphs", 2.0),
        (2, "first_headline_up", 0.0),
        // From the headline to the division, and down to the paragraph.
        (3, "first_headline_up", 1.0),
        (3, "first_headline_down", 1.0),
    ];
    for (block, name, expected) in values {
        table.check(block, name, expected);
    }
}

/// Three posts of two words among seven words; values counted by hand.
#[test]
fn brothers_that_look_alike() {
    let post = "<article class=post><p>one two</p></article>";
    let table = Table::of(&format!("<body><div>{post}{post}{post}<p>end</p></div>"));
    for (block, name, expected) in [
        (1, "repeat_steps", 1.0),
        (1, "repeat_elements", 3.0),
        (1, "repeat_mean_words", 2.0),
        (1, "repeat_share", 6.0 / 7.0),
        (1, "outer_repeat_steps", 1.0),
        (3, "repeat_steps", 99.0),
        (3, "page_articles", 3.0),
    ] {
        table.check(block, name, expected);
    }
}

/// An element before the head puts the title into the body.
#[test]
fn a_title_in_the_body() {
    let table = Table::of(
        "<text><html><head><title>A title</title></head><body><p>Text</p></body></html></text>",
    );
    assert_eq!(table.rows.len(), 2);
}

#[test]
fn pages_with_nothing() {
    for html in ["", "<p>", "<p>-</p>", "<div> | </div><p>.</p>"] {
        for row in Table::of(html).rows {
            assert!(row.iter().all(|value| value.is_finite()), "{html}");
        }
    }
}
