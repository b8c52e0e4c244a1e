//! The features of Trommel's own remover, on paragraphs: a block's text, where it stands in the page's tree, what its elements are
//! called, what stands around it.
//!
//! What tells the block is mostly its place among the elements that hold the long paragraphs: how far it stands from the deepest
//! element with half of their words, and from the element that Readability would take; and what the elements around it hold. The
//! rest are the shallow text features of WSDM 2010, with wider surroundings.
//!
//! Nothing here tells a collection from another: how deep a block stands and whether the page has a title would, for some gold
//! standards wrap their pages in an element of their own or drop the head.
//!
//! What is not there (a neighbour before the first block) is −1 where all values are 0 or more.

mod lexicon;
mod outline;
mod row;
mod text;

use std::fmt;

use trommel_page::{Block, Element, ElementId, Leaf, Page, Segmentation, Tag};

use self::lexicon::{COMMENT, NEGATIVE, POSITIVE};
use self::outline::{Outline, Unit, outline};
use super::{Feature, Frequencies, Set};

pub(super) const SET: Set = Set {
    name: "trommel",
    summary: "text, elements, classes, containers and neighbours of paragraphs (Trommel's own)",
    segmenter: "paragraph",
    features,
    counts_in_collection: false,
    measure: |page, segmentation, _: &Frequencies, each| {
        let mut values: Vec<f64> = Vec::new();
        for_each_row(page, segmentation, |row| {
            values.clear();
            values.extend(row.values.iter().copied().map(f64::from));
            each(&values);
        });
    },
};

/// A block's features.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    /// Its words: runs of letters and digits.
    pub words: f32,
    /// Whether it is the page's title. It stands in the body where markup stands before the head.
    pub is_title: bool,
    /// A value for each feature, in the order of [`Set::features`].
    pub values: &'a [f32],
}

/// The features of each block, one after the other; they are not kept: a page may have a million blocks.
pub fn for_each_row(page: &Page, segmentation: &Segmentation, mut each: impl FnMut(Row)) {
    let mut values: Vec<f32> = Vec::new();
    for_each(page, segmentation, |measured| {
        values.clear();
        measured.put_all(&mut values);
        each(Row {
            words: measured.unit.text.words,
            is_title: *page.tag(measured.unit.key) == Tag::Title,
            values: &values,
        });
    });
}

/// Their names: those that a page of one block gives.
fn features() -> Vec<Feature> {
    let page = Page {
        text: "x".to_owned(),
        leaves: vec![Leaf {
            text: 0..1,
            parent: 0,
            in_anchor: false,
        }],
        elements: vec![Element {
            tag: Tag::Body,
            parent: None,
            start_tag: true,
            end_tag: true,
            id: 0..0,
            class: 0..0,
        }],
        ..Page::default()
    };
    let segmentation = Segmentation {
        blocks: vec![Block {
            text: "x".to_owned(),
            ..Block::default()
        }],
        block_of_leaf: vec![Some(0)],
        ..Segmentation::default()
    };
    let mut names: Vec<Feature> = Vec::new();
    for_each(&page, &segmentation, |measured| {
        measured.put_all(&mut names)
    });
    names
}

/// Takes features one after the other: their values, or their names.
trait Sink {
    fn put(&mut self, name: fmt::Arguments, unit: &'static str, value: f32);
}

impl Sink for Vec<f32> {
    fn put(&mut self, _: fmt::Arguments, _: &'static str, value: f32) {
        self.push(value);
    }
}

impl Sink for Vec<Feature> {
    fn put(&mut self, name: fmt::Arguments, unit: &'static str, _: f32) {
        self.push(Feature {
            name: name.to_string(),
            unit,
            source: "Trommel",
        });
    }
}

/// A block about to be put down.
struct Measured<'a> {
    page: &'a Page,
    outline: &'a Outline,
    blocks: &'a [Block],
    unit: &'a Unit,
    number: usize,
    /// The element around its longest leaf and all that enclose it.
    path: &'a [ElementId],
    /// What all blocks of the page were found to be.
    near: &'a [Near],
    before: &'a Before,
    landmarks: &'a Landmarks,
}

/// What neighbours see of a block.
struct Near {
    /// Is it (a part of) a headline?
    headline: f32,
    /// Elements around it with a negative and with a positive class.
    called: [f32; 2],
    /// Is its host that of the block before?
    same_host: f32,
}

/// Counts up to a block.
#[derive(Default)]
struct Before {
    /// Words before it.
    words: f32,
    /// Blocks so far inside something called comments, itself included.
    in_comments: f32,
    /// Blocks since the last headline; 99 before the first.
    since_headline: f32,
    /// Which of the first four groups of texts that headline speaks of, the last of them; 0 for none.
    headline_speaks_of: f32,
}

/// Blocks by which positions are told.
struct Landmarks {
    first_headline: Option<usize>,
    first_long: usize,
    last_long: usize,
    /// For each block, words, linked tokens and long blocks before it; one more at the end.
    sums: Vec<[f32; 3]>,
}

const HEADLINES: [Tag; 6] = [Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6];
/// The most elements around a block that are looked at: more than pages that mean well have, and no more work for those that do not.
const MOST_AROUND: usize = 100;
fn for_each(page: &Page, segmentation: &Segmentation, mut each: impl FnMut(&Measured)) {
    if page.elements.is_empty() || segmentation.blocks.is_empty() {
        return;
    }
    let outline = outline(page, segmentation);
    let units = &outline.units;
    let mut path: Vec<ElementId> = Vec::new();
    let mut near: Vec<Near> = Vec::with_capacity(units.len());
    for (number, unit) in units.iter().enumerate() {
        let around = || page.ancestors(unit.key).take(8);
        let called = |mask: u32| {
            let groups = around().map(|element| outline.groups[element as usize]);
            groups.filter(|groups| groups & mask != 0).count() as f32
        };
        let headline = around().take(6).any(|of| HEADLINES.contains(page.tag(of)));
        let previous = &units[number.saturating_sub(1)];
        near.push(Near {
            headline: yes(headline),
            called: [called(NEGATIVE), called(POSITIVE)],
            same_host: yes(unit.host == previous.host),
        });
    }
    let landmarks = landmarks(page, units);
    let mut before = Before {
        since_headline: 99.0,
        ..Before::default()
    };
    for (number, unit) in units.iter().enumerate() {
        path.clear();
        path.extend(page.ancestors(unit.key).take(MOST_AROUND));
        let commented = |element: &ElementId| outline.groups[*element as usize] & COMMENT != 0;
        before.in_comments += yes(path.iter().take(5).any(commented));
        before.since_headline += 1.0;
        if near[number].headline > 0.0 {
            before.since_headline = 0.0;
            let said = unit.text.groups[..4].iter().rposition(|words| *words > 0.0);
            before.headline_speaks_of = said.map_or(0.0, |group| group as f32 + 1.0);
        }
        each(&Measured {
            page,
            outline: &outline,
            blocks: &segmentation.blocks,
            unit,
            number,
            path: &path,
            near: &near,
            before: &before,
            landmarks: &landmarks,
        });
        before.words += unit.text.words;
    }
}

fn landmarks(page: &Page, units: &[Unit]) -> Landmarks {
    let is_first = |unit: &Unit| {
        let around = page.ancestors(unit.key).take(5);
        around.map(|of| page.tag(of)).any(|tag| *tag == Tag::H1)
    };
    let mut sums = vec![[0.0f32; 3]];
    let mut sum = [0.0f32; 3];
    for unit in units {
        sum[0] += unit.text.words;
        sum[1] += unit.linked;
        sum[2] += yes(unit.is_long());
        sums.push(sum);
    }
    Landmarks {
        first_headline: units.iter().position(is_first),
        first_long: units.iter().position(Unit::is_long).unwrap_or(0),
        last_long: units.iter().rposition(Unit::is_long).unwrap_or(units.len()),
        sums,
    }
}

fn yes(condition: bool) -> f32 {
    f32::from(u8::from(condition))
}

#[cfg(test)]
mod tests;
