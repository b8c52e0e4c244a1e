//! The page as a tree: what its elements hold, which of them holds the main text, which look alike.
//!
//! An element's *host* is the innermost structural element at or around it. A block is *long* if it has 15 words or more and a link
//! density below a third.

use std::collections::HashMap;

use trommel_page::{ElementId, Page, Segmentation, Tag};

use super::lexicon::{Stems, stems};
use super::text::{TextCounts, count, num_tokens};

/// A block as the features see it.
pub struct Unit {
    pub text: TextCounts,
    /// The element around its longest leaf.
    pub key: ElementId,
    /// The host of that.
    pub host: ElementId,
    /// Tokens inside anchors.
    pub linked: f32,
    pub leaves: f32,
    /// Blocks of the page with the same text, itself included.
    pub same_text: f32,
    pub look: usize,
}

impl Unit {
    /// The share of tokens that are linked.
    pub fn link_density(&self) -> f32 {
        self.linked / self.text.tokens.max(1.0)
    }

    pub fn is_long(&self) -> bool {
        self.text.words >= 15.0 && self.link_density() < 0.34
    }
}

/// What stands below an element, sums over the blocks whose host it encloses.
#[derive(Debug, Clone, Copy)]
pub struct Holding {
    pub words: f32,
    pub linked: f32,
    pub commas: f32,
    pub blocks: f32,
    /// Words of long blocks.
    pub long_words: f32,
    /// Numbers of its first and last block; the first greater than the last if it has none.
    pub first: usize,
    pub last: usize,
    /// Readability's score of the paragraphs just below.
    score: f32,
}

const NOTHING: Holding = Holding {
    words: 0.0,
    linked: 0.0,
    commas: 0.0,
    blocks: 0.0,
    long_words: 0.0,
    first: usize::MAX,
    last: 0,
    score: 0.0,
};

/// Blocks whose hosts look alike: tag and class of the host, its parent and its grandparent.
#[derive(Debug, Clone, Copy, Default)]
pub struct Look {
    pub blocks: f32,
    pub words: f32,
    pub linked: f32,
    pub most_words: f32,
    pub stops: f32,
}

/// An element that holds much of the main text, and the elements around it.
pub struct Container {
    pub element: ElementId,
    /// For each element that encloses it, or is it, the structural elements on the way up; none for the others.
    pub steps: Vec<Option<u16>>,
}

/// All that is known of a page before its blocks are measured one by one.
pub struct Outline {
    pub units: Vec<Unit>,
    /// For each element its groups of [`super::lexicon::CLASSES`].
    pub groups: Vec<u32>,
    /// For each element.
    pub holdings: Vec<Holding>,
    pub looks: Vec<Look>,
    /// The deepest element with more than half of the words of long blocks.
    pub half: Container,
    /// The element that Readability would take.
    pub readable: Container,
    /// The element around the first headline of the first rank; the root without one.
    pub headline: Container,
    /// How much there is on the page of what tells its type, as [`KINDS`] names it.
    pub kinds: [f32; KINDS.len()],
    /// Elements that look alike.
    pub repeats: Repeats,
    /// Its score.
    pub best_score: f32,
    pub words: f32,
    pub linked: f32,
    pub long_words: f32,
    pub long_blocks: f32,
    /// The block with most words outside anchors.
    pub largest: usize,
}

pub fn outline(page: &Page, segmentation: &Segmentation) -> Outline {
    let (units, looks) = units(page, segmentation);
    let holdings = holdings(page, &units);
    let long = || units.iter().filter(|unit| unit.is_long());
    let long_words: f32 = long().map(|unit| unit.text.words).sum();
    let best = (0..holdings.len()).fold(0, |best, element| {
        if score(&holdings[element]) > score(&holdings[best]) {
            element
        } else {
            best
        }
    });
    let unlinked = |unit: &Unit| unit.text.words - unit.linked;
    let largest = (0..units.len()).fold(0, |best, unit| {
        if unlinked(&units[unit]) >= unlinked(&units[best]) {
            unit
        } else {
            best
        }
    });
    let groups = groups(page);
    let is_first = |unit: &&Unit| {
        let around = page.ancestors(unit.key).take(5);
        around.map(|of| page.tag(of)).any(|tag| *tag == Tag::H1)
    };
    let headline = units.iter().find(is_first).map_or(0, |unit| unit.host);
    Outline {
        headline: container(page, headline),
        kinds: kinds(page, &units, &looks, &groups),
        repeats: repeats(page, &holdings),
        groups,
        half: container(page, deepest_with(page, &holdings, 0.5 * long_words)),
        readable: container(page, best as ElementId),
        best_score: holdings.get(best).map_or(0.0, score),
        words: units.iter().map(|unit| unit.text.words).sum(),
        linked: units.iter().map(|unit| unit.linked).sum(),
        long_words,
        long_blocks: long().count() as f32,
        largest,
        units,
        holdings,
        looks,
    }
}

fn units(page: &Page, segmentation: &Segmentation) -> (Vec<Unit>, Vec<Look>) {
    struct Leaves {
        longest: usize,
        key: ElementId,
        number: f32,
        linked: f32,
    }
    let mut leaves: Vec<Leaves> = Vec::with_capacity(segmentation.blocks.len());
    leaves.resize_with(segmentation.blocks.len(), || Leaves {
        longest: 0,
        key: 0,
        number: 0.0,
        linked: 0.0,
    });
    for (number, block) in segmentation.block_of_leaf.iter().enumerate() {
        let Some(block) = block else { continue };
        let (leaf, text) = (&page.leaves[number], page.leaf_text(number as u32));
        let of = &mut leaves[*block as usize];
        of.number += 1.0;
        if text.len() >= of.longest {
            of.longest = text.len();
            of.key = leaf.parent;
        }
        if leaf.in_anchor {
            of.linked += num_tokens(text);
        }
    }
    let mut same: HashMap<&str, f32> = HashMap::with_capacity(segmentation.blocks.len());
    for block in &segmentation.blocks {
        *same.entry(&block.text).or_default() += 1.0;
    }
    let mut seen = Looks::default();
    let units = segmentation.blocks.iter().zip(leaves).map(|(block, of)| {
        let host = host(page, of.key);
        let text = count(&block.text);
        let linked = of.linked.min(text.tokens);
        let look = seen.number(page, host);
        let sums = &mut seen.sums[look];
        sums.blocks += 1.0;
        sums.words += text.words;
        sums.linked += linked;
        sums.most_words = sums.most_words.max(text.words);
        sums.stops += text.stops;
        Unit {
            text,
            key: of.key,
            host,
            linked,
            leaves: of.number,
            same_text: same[block.text.as_str()],
            look,
        }
    });
    (units.collect(), seen.sums)
}

fn host(page: &Page, element: ElementId) -> ElementId {
    let mut host = element;
    for above in page.ancestors(element) {
        host = above;
        if page.tag(above).is_structural() {
            break;
        }
    }
    host
}

/// Tag and class of an element.
type Name<'p> = (&'p Tag, &'p str);

#[derive(Default)]
struct Looks<'p> {
    numbers: HashMap<[Option<Name<'p>>; 3], usize>,
    /// The host that was asked for last, with its number: neighbours often share it.
    last: Option<(ElementId, usize)>,
    sums: Vec<Look>,
}

impl<'p> Looks<'p> {
    fn number(&mut self, page: &'p Page, host: ElementId) -> usize {
        if let Some((element, number)) = self.last
            && element == host
        {
            return number;
        }
        let mut names = [None; 3];
        for (name, element) in names.iter_mut().zip(page.ancestors(host)) {
            *name = Some((page.tag(element), page.class(element)));
        }
        let next = self.numbers.len();
        let number = *self.numbers.entry(names).or_insert(next);
        if number == next {
            self.sums.push(Look::default());
        }
        self.last = Some((host, number));
        number
    }
}

fn holdings(page: &Page, units: &[Unit]) -> Vec<Holding> {
    let mut holdings = vec![NOTHING; page.elements.len()];
    for (number, unit) in units.iter().enumerate() {
        let holding = &mut holdings[unit.host as usize];
        holding.words += unit.text.words;
        holding.linked += unit.linked;
        holding.commas += unit.text.commas;
        holding.blocks += 1.0;
        if unit.is_long() {
            holding.long_words += unit.text.words;
        }
        holding.first = holding.first.min(number);
        holding.last = holding.last.max(number);
        // Readability (Arc90, grabArticle): a point for a paragraph of 25 characters, one for each comma, one for each 100
        // characters up to 3, less its link density; to the parent whole, to the grandparent by half.
        if unit.text.characters >= 25.0 {
            let points = 1.0 + unit.text.commas + (unit.text.characters / 100.0).min(3.0);
            let points = points * (1.0 - unit.link_density());
            for (element, part) in page.ancestors(unit.host).skip(1).zip([1.0, 0.5]) {
                holdings[element as usize].score += points * part;
            }
        }
    }
    // Elements stand behind those that enclose them.
    for element in (0..holdings.len()).rev() {
        let below = holdings[element];
        if let Some(parent) = page.elements[element].parent {
            let above = &mut holdings[parent as usize];
            above.words += below.words;
            above.linked += below.linked;
            above.commas += below.commas;
            above.blocks += below.blocks;
            above.long_words += below.long_words;
            above.first = above.first.min(below.first);
            above.last = above.last.max(below.last);
        }
    }
    holdings
}

/// Readability's score of an element: its paragraphs' points, less its link density.
pub fn score(holding: &Holding) -> f32 {
    let whole = holding.words.max(holding.linked).max(1.0);
    holding.score * (1.0 - holding.linked / whole)
}

/// The deepest element with more than so many words of long blocks, the last of several; the root if there is none.
fn deepest_with(page: &Page, holdings: &[Holding], words: f32) -> ElementId {
    let mut depths: Vec<u16> = Vec::with_capacity(holdings.len());
    let mut deepest = 0;
    for (element, holding) in holdings.iter().enumerate() {
        let above = page.elements[element].parent;
        let depth = above.map_or(0, |above| depths[above as usize].saturating_add(1));
        depths.push(depth);
        if holding.long_words > words && depth >= depths[deepest] {
            deepest = element;
        }
    }
    deepest as ElementId
}

fn container(page: &Page, element: ElementId) -> Container {
    let mut steps = vec![None; page.elements.len()];
    if !steps.is_empty() {
        let mut up = 0u16;
        for above in page.ancestors(element) {
            steps[above as usize] = Some(up);
            up = up.saturating_add(u16::from(page.tag(above).is_structural()));
        }
    }
    Container { element, steps }
}

/// What tells the type of a page: numbers of elements, of elements of a class, of signs.
pub const KINDS: [&str; 19] = [
    "inputs",
    "images",
    "code",
    "rows",
    "items",
    "articles",
    "times",
    "paragraphs",
    "headlines",
    "buttons",
    "money",
    "look_blocks",
    "look_share",
    "class_product",
    "class_review",
    "class_thread",
    "class_document",
    "class_card",
    "class_comment",
];

fn kinds(page: &Page, units: &[Unit], looks: &[Look], groups: &[u32]) -> [f32; KINDS.len()] {
    let mut kinds = [0.0f32; KINDS.len()];
    for (element, groups) in page.elements.iter().zip(groups) {
        let place = match element.tag {
            Tag::Input | Tag::Select | Tag::Textarea => 0,
            Tag::Img | Tag::Picture => 1,
            Tag::Code | Tag::Pre => 2,
            Tag::Tr => 3,
            Tag::Li => 4,
            Tag::Article => 5,
            Tag::Time => 6,
            Tag::P => 7,
            Tag::H2 | Tag::H3 => 8,
            Tag::Button => 9,
            _ => KINDS.len(),
        };
        if let Some(kind) = kinds.get_mut(place) {
            *kind += 1.0;
        }
        // Groups of CLASSES by their numbers there.
        for (place, group) in [(13, 20), (14, 21), (15, 24), (16, 26), (17, 23), (18, 0)] {
            kinds[place] += (groups >> group & 1) as f32;
        }
    }
    kinds[10] = units.iter().map(|unit| unit.text.money).sum();
    let words: f32 = units.iter().map(|unit| unit.text.words).sum();
    for look in looks.iter().filter(|look| look.blocks >= 4.0) {
        kinds[11] = kinds[11].max(look.blocks);
        kinds[12] = kinds[12].max(look.words / words.max(1.0));
    }
    kinds
}

/// Elements of one parent with the same tag and class that hold text.
#[derive(Debug, Clone, Copy, Default)]
pub struct Repeat {
    pub elements: f32,
    pub words: f32,
    pub linked: f32,
}

#[derive(Default)]
pub struct Repeats {
    /// For each element the number of its group; `u32::MAX` for one without text.
    pub of_element: Vec<u32>,
    pub groups: Vec<Repeat>,
}

fn repeats(page: &Page, holdings: &[Holding]) -> Repeats {
    let mut numbers: HashMap<(ElementId, &Tag, &str), u32> = HashMap::new();
    let mut repeats = Repeats::default();
    for (element, holding) in page.elements.iter().zip(holdings) {
        let Some(parent) = element.parent.filter(|_| holding.blocks > 0.0) else {
            repeats.of_element.push(u32::MAX);
            continue;
        };
        let class = page.class(repeats.of_element.len() as ElementId);
        let next = repeats.groups.len() as u32;
        let number = *numbers.entry((parent, &element.tag, class)).or_insert(next);
        if number == next {
            repeats.groups.push(Repeat::default());
        }
        let group = &mut repeats.groups[number as usize];
        group.elements += 1.0;
        group.words += holding.words;
        group.linked += holding.linked;
        repeats.of_element.push(number);
    }
    repeats
}

fn groups(page: &Page) -> Vec<u32> {
    let stems: &Stems = stems();
    let mut part = String::new();
    let mut of_classes: HashMap<&str, u32> = HashMap::new();
    (0..page.elements.len() as ElementId)
        .map(|element| {
            // What a whole page is called says nothing of its parts.
            if matches!(page.tag(element), Tag::Html | Tag::Body) {
                return 0;
            }
            let (id, class) = (page.id(element), page.class(element));
            let mut groups = 0;
            if !id.is_empty() {
                groups |= stems.groups(id, &mut part);
            }
            // Classes are much the same all over a page.
            if !class.is_empty() {
                let of_class = of_classes.entry(class);
                groups |= *of_class.or_insert_with(|| stems.groups(class, &mut part));
            }
            groups
        })
        .collect()
}
