//! What Victor looks at: for each block the numbers of the features that are there.

use std::collections::HashMap;

use trommel_page::{ElementId, Event, Page, Segmentation, Tag};

/// Name and number of bins of each feature of a block.
const FEATURES: &[(&str, u32)] = &[
    // Markup: what encloses the block's first text node.
    ("container.p", 2),
    ("container.a", 2),
    ("container.heading", 2),
    ("container.bold", 2),
    ("container.italic", 2),
    ("container.list", 2),
    ("container.form", 2),
    ("container.table", 2),
    ("container.div", 2),
    ("container.depth", LOG),
    // What stands between it and the block before.
    ("split.p", 2),
    ("split.br", 2),
    ("split.hr", 2),
    ("split.img", 2),
    ("split.inline", 2),
    ("split.block", 2),
    // Characters.
    ("char.letter-share", SHARE),
    ("char.digit-share", SHARE),
    ("char.punctuation-share", SHARE),
    ("char.white-share", SHARE),
    ("char.upper-share", SHARE),
    ("char.letters", LOG),
    ("char.digits", LOG),
    ("char.punctuation", LOG),
    // Tokens.
    ("token.count", LOG),
    ("token.letters-share", SHARE),
    ("token.digits-share", SHARE),
    ("token.mixed-share", SHARE),
    ("token.other-share", SHARE),
    ("token.linked-share", SHARE),
    // Sentences.
    ("sentence.count", LOG),
    ("sentence.length", LOG),
    ("sentence.begins", 2),
    ("sentence.ends", 2),
    // Texts that stand there more than once.
    ("duplicate.first", 2),
    ("duplicate.count", LOG),
    // Patterns.
    ("pattern.address", 2),
    ("pattern.date", 2),
    ("pattern.time", 2),
    ("pattern.copyright", 2),
    ("pattern.bullet", 2),
    // Where it stands.
    ("group.div-share", SHARE),
    ("group.td-share", SHARE),
    ("document.words", LOG),
    ("document.blocks", LOG),
    ("document.div-share", SHARE),
    ("document.td-share", SHARE),
    ("position", SHARE),
];

/// Bins of a share: tenths, with 0 and 1 apart.
const SHARE: u32 = 12;
/// Bins of a count: 0, 1, 2–3, 4–7 …, 1024 and more.
const LOG: u32 = 12;
/// A block has its own features, and those of the block before and of the one behind.
const PLACES: u32 = 3;

/// The names of the features with the number of their bins.
pub fn names() -> Vec<(String, u32)> {
    let all = FEATURES.iter();
    all.map(|(name, bins)| ((*name).to_owned(), *bins))
        .collect()
}

/// How many features there are, each bin of the block and of both neighbours being one.
pub fn count() -> usize {
    (PLACES * bins()) as usize
}

fn bins() -> u32 {
    FEATURES.iter().map(|(_, bins)| bins).sum()
}

/// For each block the numbers of its features, below [`count`].
pub fn of_blocks(page: &Page, segmentation: &Segmentation) -> Vec<Vec<u32>> {
    let own = of_each(page, segmentation);
    let bins = bins();
    (0..own.len())
        .map(|at| {
            let neighbours = [Some(at), at.checked_sub(1), Some(at + 1)];
            let mut all = Vec::with_capacity(3 * FEATURES.len());
            for (place, of) in neighbours.into_iter().enumerate() {
                let of = of.and_then(|of| own.get(of)).into_iter().flatten();
                all.extend(of.map(|feature| place as u32 * bins + feature));
            }
            all
        })
        .collect()
}

/// For each block its own features.
fn of_each(page: &Page, segmentation: &Segmentation) -> Vec<Vec<u32>> {
    let blocks = &segmentation.blocks;
    let splits = splits(page, segmentation);
    let containers = containers(page);
    let groups = Groups::of(page, segmentation);
    let mut texts: HashMap<&str, u32> = HashMap::new();
    for block in blocks {
        *texts.entry(&block.text).or_default() += 1;
    }
    let mut seen: HashMap<&str, u32> = HashMap::new();
    let words: u64 = blocks.iter().map(|block| u64::from(block.num_tokens)).sum();
    let mut first_leaf = vec![None; blocks.len()];
    for (leaf, block) in segmentation.block_of_leaf.iter().enumerate() {
        if let Some(block) = block {
            first_leaf[*block as usize].get_or_insert(leaf);
        }
    }
    let mut all = Vec::with_capacity(blocks.len());
    for (number, block) in blocks.iter().enumerate() {
        let mut row = Row::default();
        let parent = first_leaf[number].map(|leaf| page.leaves[leaf].parent);
        let inside = parent.map_or([0; 10], |parent| containers[parent as usize]);
        inside[..9].iter().for_each(|it| row.flag(*it > 0));
        row.count(u64::from(inside[9]));
        splits[number].iter().for_each(|it| row.flag(*it));
        text(
            &mut row,
            &block.text,
            block.num_linked_words,
            block.num_tokens,
        );
        let before = seen.entry(&block.text).or_default();
        row.flag(*before == 0);
        *before += 1;
        row.count(u64::from(texts[block.text.as_str()]) - 1);
        patterns(&mut row, &block.text);
        let (div, td) = parent.map_or((0, 0), |parent| groups.around(parent));
        row.share(div, words);
        row.share(td, words);
        row.count(words);
        row.count(blocks.len() as u64);
        row.share(groups.most_div, words);
        row.share(groups.most_td, words);
        row.share(number as u64, blocks.len() as u64);
        all.push(row.features);
    }
    all
}

/// The features of a block, as they are found one after the other.
#[derive(Default)]
struct Row {
    features: Vec<u32>,
    next: usize,
    offset: u32,
}

impl Row {
    fn push(&mut self, bin: u32) {
        let bins = FEATURES.get(self.next).map_or(1, |(_, bins)| *bins);
        self.features.push(self.offset + bin.min(bins - 1));
        self.offset += bins;
        self.next += 1;
    }

    fn flag(&mut self, flag: bool) {
        self.push(u32::from(flag));
    }

    fn count(&mut self, count: u64) {
        self.push(u64::BITS - count.leading_zeros());
    }

    fn share(&mut self, part: u64, all: u64) {
        self.push(match (part, all) {
            (0, _) | (_, 0) => 0,
            (part, all) if part >= all => SHARE - 1,
            (part, all) => 1 + (10 * part / all) as u32,
        });
    }
}

/// Features of characters, tokens and sentences.
fn text(row: &mut Row, text: &str, linked: u32, num_tokens: u32) {
    let (mut letters, mut digits, mut punctuation, mut white, mut upper, mut all) =
        (0, 0, 0, 0, 0, 0);
    for c in text.chars() {
        all += 1;
        upper += u64::from(c.is_uppercase());
        if c.is_alphabetic() {
            letters += 1;
        } else if c.is_numeric() {
            digits += 1;
        } else if c.is_whitespace() {
            white += 1;
        } else {
            punctuation += 1;
        }
    }
    for part in [letters, digits, punctuation, white, upper] {
        row.share(part, all);
    }
    for count in [letters, digits, punctuation] {
        row.count(count);
    }
    let mut kinds = [0u64; 4];
    let (mut tokens, mut sentences) = (0u64, 0u64);
    for token in text.split_whitespace() {
        tokens += 1;
        let core = token.trim_matches(|c: char| !c.is_alphanumeric());
        let has_letter = core.chars().any(char::is_alphabetic);
        let has_digit = core.chars().any(char::is_numeric);
        kinds[match (has_letter, has_digit) {
            (true, false) => 0,
            (false, true) => 1,
            (true, true) => 2,
            (false, false) => 3,
        }] += 1;
        sentences += u64::from(ends_sentence(token));
    }
    row.count(tokens);
    for kind in kinds {
        row.share(kind, tokens);
    }
    row.share(u64::from(linked), u64::from(num_tokens));
    row.count(sentences);
    row.count(tokens / sentences.max(1));
    row.flag(text.trim_start().starts_with(char::is_uppercase));
    row.flag(
        text.split_whitespace()
            .next_back()
            .is_some_and(ends_sentence),
    );
}

fn ends_sentence(token: &str) -> bool {
    let token = token.trim_end_matches(['"', '\'', ')', '”', '’', '»']);
    token.ends_with(['.', '!', '?', '…'])
}

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// Features of patterns.
fn patterns(row: &mut Row, text: &str) {
    let mut address = false;
    let (mut month, mut number, mut numeric_date, mut time) = (false, false, false, false);
    for token in text.split_whitespace() {
        address |= token.contains("://") || token.contains("www.") || token.contains('@');
        let core = token.trim_matches(|c: char| !c.is_alphanumeric());
        let start: String = core.chars().take(3).flat_map(char::to_lowercase).collect();
        month |= core.len() >= 3 && MONTHS.contains(&start.as_str());
        let is_number = !core.is_empty() && core.bytes().all(|it| it.is_ascii_digit());
        number |= is_number && core.len() <= 4;
        numeric_date |= parts(core, &['/', '-', '.']) == 3;
        time |= matches!(
            parts(core.trim_end_matches(|c: char| c.is_alphabetic()), &[':']),
            2 | 3
        );
    }
    row.flag(address);
    row.flag(month && number || numeric_date);
    row.flag(time);
    row.flag(text.contains('©') || text.to_lowercase().contains("copyright"));
    row.flag(
        text.trim_start()
            .starts_with(['•', '·', '*', '-', '»', '>', '|']),
    );
}

/// The number of parts of one to four digits that a word is made of, between separators; 0 if it has others.
fn parts(word: &str, separators: &[char]) -> usize {
    let mut count = 0;
    for part in word.split(separators) {
        if part.is_empty() || part.len() > 4 || !part.bytes().all(|it| it.is_ascii_digit()) {
            return 0;
        }
        count += 1;
    }
    count
}

/// For each element how many elements of nine kinds are around or at it, and all.
fn containers(page: &Page) -> Vec<[u32; 10]> {
    let mut all: Vec<[u32; 10]> = Vec::with_capacity(page.elements.len());
    for element in &page.elements {
        let mut own = element.parent.map_or([0; 10], |it| all[it as usize]);
        use Tag::*;
        let kind = match element.tag {
            P => Some(0),
            A => Some(1),
            H1 | H2 | H3 | H4 | H5 | H6 => Some(2),
            B | Strong => Some(3),
            I | Em => Some(4),
            Ul | Ol | Dl => Some(5),
            Form | Select | Label => Some(6),
            Table => Some(7),
            Div => Some(8),
            _ => std::option::Option::None,
        };
        if let Some(kind) = kind {
            own[kind] += 1;
        }
        own[9] += 1;
        all.push(own);
    }
    all
}

/// For each block which kinds of tags stand between its first text node and the last one of the block before: p, br, hr, img, other inline tags,
/// other tags.
fn splits(page: &Page, segmentation: &Segmentation) -> Vec<[bool; 6]> {
    let mut all = vec![[false; 6]; segmentation.blocks.len()];
    let mut current = [false; 6];
    let mut last = None;
    for event in &page.events {
        match *event {
            Event::Start(id) | Event::End(id) => {
                use Tag::*;
                current[match page.tag(id) {
                    P => 0,
                    Br => 1,
                    Hr => 2,
                    Img => 3,
                    A | B | Strong | I | Em | Font | Span | U | Small | Big => 4,
                    _ => 5,
                }] = true;
            }
            Event::Leaf(leaf) => {
                if let Some(block) = segmentation.block_of_leaf[leaf as usize] {
                    if last != Some(block) {
                        all[block as usize] = current;
                        last = Some(block);
                    }
                    current = [false; 6];
                }
            }
            Event::Blank(_) | Event::Hidden => {}
        }
    }
    all
}

/// Tokens that stand in each `div` and each `td`, not in an inner one of the same kind.
struct Groups {
    /// For each element the innermost `div` and `td` around or at it.
    inside: Vec<(Option<ElementId>, Option<ElementId>)>,
    tokens: Vec<u64>,
    most_div: u64,
    most_td: u64,
}

impl Groups {
    fn of(page: &Page, segmentation: &Segmentation) -> Groups {
        let mut inside: Vec<(Option<ElementId>, Option<ElementId>)> =
            Vec::with_capacity(page.elements.len());
        for (id, element) in page.elements.iter().enumerate() {
            let mut own = element
                .parent
                .map_or((None, None), |it| inside[it as usize]);
            match element.tag {
                Tag::Div => own.0 = Some(id as ElementId),
                Tag::Td => own.1 = Some(id as ElementId),
                _ => {}
            }
            inside.push(own);
        }
        let mut groups = Groups {
            tokens: vec![0; page.elements.len()],
            inside,
            most_div: 0,
            most_td: 0,
        };
        for (leaf, block) in page.leaves.iter().zip(&segmentation.block_of_leaf) {
            if block.is_none() {
                continue;
            }
            let text = &page.text[leaf.text.clone()];
            let tokens = text.split_whitespace().count() as u64;
            let (div, td) = groups.inside[leaf.parent as usize];
            for group in [div, td].into_iter().flatten() {
                groups.tokens[group as usize] += tokens;
            }
        }
        for (id, tokens) in groups.tokens.iter().enumerate() {
            match page.elements[id].tag {
                Tag::Div => groups.most_div = groups.most_div.max(*tokens),
                Tag::Td => groups.most_td = groups.most_td.max(*tokens),
                _ => {}
            }
        }
        groups
    }

    /// The tokens of the innermost `div` and `td` around an element.
    fn around(&self, element: ElementId) -> (u64, u64) {
        let (div, td) = self.inside[element as usize];
        let tokens = |group: Option<ElementId>| group.map_or(0, |it| self.tokens[it as usize]);
        (tokens(div), tokens(td))
    }
}

#[cfg(test)]
mod tests {
    use trommel_page::html::{Limits, parse_text, segment};

    use super::*;

    /// The names of a block's features with their bins.
    fn shown(markup: &str, block: usize) -> Vec<String> {
        let page = parse_text(markup, &Limits::default());
        let segmenter = segment::by_name("paragraph").unwrap();
        let rows = of_each(&page, &(segmenter.segment)(&page));
        let mut shown = Vec::new();
        let mut offset = 0;
        for ((name, bins), feature) in FEATURES.iter().zip(&rows[block]) {
            shown.push(format!("{name}={}", feature - offset));
            offset += bins;
        }
        assert_eq!(rows[block].len(), FEATURES.len());
        shown
    }

    /// Counted by hand: "Rain at 10:30 on May 5." is 23 characters: 11 letters, 5 digits, 2 marks, 5 spaces; 6 tokens.
    #[test]
    fn by_hand() {
        let markup = "<div><ul><li><a href=x>Home</a></li></ul></div><hr><div><p>Rain at 10:30 on May 5.</p></div>";
        let home = shown(markup, 0);
        let rain = shown(markup, 1);
        for expected in [
            "container.a=1",
            "container.list=1",
            "container.p=0",
            "token.linked-share=11",
            "sentence.ends=0",
            "position=0",
            "pattern.date=0",
        ] {
            assert!(home.iter().any(|it| it == expected), "{expected} {home:?}");
        }
        for expected in [
            "container.p=1",
            "container.list=0",
            "split.hr=1",
            "split.p=1",
            "split.br=0",
            // 11 letters of 23 characters: 4 tenths; 5 digits: 2 tenths.
            "char.letter-share=5",
            "char.digit-share=3",
            "char.letters=4",
            "char.digits=3",
            "token.count=3",
            "sentence.count=1",
            "sentence.begins=1",
            "sentence.ends=1",
            "pattern.date=1",
            "pattern.time=1",
            "pattern.address=0",
            "duplicate.first=1",
            "duplicate.count=0",
            "document.blocks=2",
            "document.words=3",
            // 6 of 7 tokens: 8 tenths.
            "group.div-share=9",
            "position=6",
        ] {
            assert!(rain.iter().any(|it| it == expected), "{expected} {rain:?}");
        }
    }

    #[test]
    fn neighbours_features_are_others() {
        let markup = "<p>one</p><p>two three.</p><p>4</p>";
        let page = parse_text(markup, &Limits::default());
        let segmenter = segment::by_name("paragraph").unwrap();
        let rows = of_blocks(&page, &(segmenter.segment)(&page));
        let bins = bins();
        assert_eq!(rows.iter().map(Vec::len).collect::<Vec<_>>(), [96, 144, 96]);
        let own = |row: &[u32], place: u32| -> Vec<u32> {
            let of = row.iter().filter(|it| **it / bins == place);
            of.map(|it| it % bins).collect()
        };
        assert_eq!(own(&rows[1], 1), own(&rows[0], 0));
        assert_eq!(own(&rows[1], 2), own(&rows[2], 0));
        assert!(rows.iter().flatten().all(|it| (*it as usize) < count()));
    }
}
