//! Blocks, titles and verdicts against the output of the original Java library.

use std::collections::HashMap;
use std::path::Path;

use serde::Deserialize;
use trommel::extractor::{self, Label, Subject};
use trommel::html::segment;
use trommel::page::{Block, Page, Segmentation};

use crate::support::{corpus_page, json_lines, shared};

#[derive(Deserialize)]
pub struct ReferencePage {
    pub page: String,
    pub title: Option<String>,
    pub blocks: Vec<ReferenceBlock>,
    /// The text of each extractor, under the original's name for it.
    #[serde(flatten)]
    pub texts: HashMap<String, String>,
}

#[derive(Deserialize)]
pub struct ReferenceBlock {
    pub text: String,
    words: u32,
    anchor_words: u32,
    words_in_wrapped_lines: u32,
    wrapped_lines: u32,
    numwords_rules: bool,
    pub density_rules: bool,
}

/// What makes two blocks the same: text up to white space, and the four counts.
pub type Key = (String, u32, u32, u32, u32);

impl ReferenceBlock {
    pub fn key(&self) -> Key {
        (
            normal(&self.text),
            self.words,
            self.anchor_words,
            self.words_in_wrapped_lines,
            self.wrapped_lines,
        )
    }

    pub fn block(&self) -> Block {
        Block {
            text: self.text.clone(),
            num_words: self.words,
            num_linked_words: self.anchor_words,
            num_words_in_full_lines: self.words_in_wrapped_lines,
            num_lines: self.wrapped_lines,
            ..Block::default()
        }
    }
}

pub fn our_key(block: &Block) -> Key {
    let b = block;
    (
        normal(&b.text),
        b.num_words,
        b.num_linked_words,
        b.num_words_in_full_lines,
        b.num_lines,
    )
}

/// Collapses white space and maps the C1 controls to what windows-1252 has there: `&#146;` is a control character for the
/// original and an apostrophe for the HTML standard.
pub fn normal(text: &str) -> String {
    let mapped: String = text
        .chars()
        .map(|c| match c {
            '\u{80}'..='\u{9f}' => encoding_rs::WINDOWS_1252
                .decode(&[c as u32 as u8])
                .0
                .chars()
                .next()
                .unwrap(),
            c => c,
        })
        .collect();
    mapped.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub fn reference(path: &Path) -> Vec<ReferencePage> {
    json_lines(path)
}

pub fn ours(corpus: &Path, page: &str) -> (Page, Segmentation) {
    let page = corpus_page(corpus, page);
    let blocks = (segment::by_name("boilerpipe").unwrap().segment)(&page);
    (page, blocks)
}

/// Pairs of equal blocks in the same order on both sides, as many as there can be (longest common subsequence).
pub fn align<T: PartialEq>(ours: &[T], theirs: &[T]) -> Vec<(usize, usize)> {
    let equal = |i: usize, j: usize| ours[i] == theirs[j];
    let shorter = ours.len().min(theirs.len());
    let prefix = (0..shorter).take_while(|&k| equal(k, k)).count();
    let suffix = (0..shorter - prefix)
        .take_while(|&k| equal(ours.len() - 1 - k, theirs.len() - 1 - k))
        .count();
    let (n, m) = (ours.len() - prefix - suffix, theirs.len() - prefix - suffix);
    let mut longest = vec![vec![0u32; m + 1]; n + 1];
    for i in (0..n).rev() {
        for j in (0..m).rev() {
            longest[i][j] = if equal(prefix + i, prefix + j) {
                longest[i + 1][j + 1] + 1
            } else {
                longest[i + 1][j].max(longest[i][j + 1])
            };
        }
    }
    let mut pairs: Vec<(usize, usize)> = (0..prefix).map(|k| (k, k)).collect();
    let (mut i, mut j) = (0, 0);
    while i < n && j < m {
        if equal(prefix + i, prefix + j) {
            pairs.push((prefix + i, prefix + j));
            (i, j) = (i + 1, j + 1);
        } else if longest[i + 1][j] >= longest[i][j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs.extend(
        (0..suffix)
            .rev()
            .map(|k| (ours.len() - 1 - k, theirs.len() - 1 - k)),
    );
    pairs
}

#[derive(Default, Debug)]
struct Score {
    pages: usize,
    identical_pages: usize,
    matched: usize,
    ours: usize,
    theirs: usize,
    titles: usize,
    verdicts: usize,
    same_numwords: usize,
    same_density: usize,
}

impl Score {
    fn f1(&self) -> f64 {
        2.0 * self.matched as f64 / (self.ours + self.theirs) as f64
    }
}

fn score(corpus: &str) -> Option<Score> {
    let corpora = shared(&format!("corpora/{corpus}"))?;
    let outputs = shared(&format!("reference/boilerpipe-1.2.0/{corpus}.jsonl.gz"))?;
    let show = std::env::var("TROMMEL_SHOW").is_ok_and(|c| c == corpus);
    let mut score = Score::default();
    for reference in reference(&outputs) {
        let (page, blocks) = ours(&corpora, &reference.page);
        let numwords = verdicts("boilerpipe-numwords", &page, &blocks);
        let density = verdicts("boilerpipe-density", &page, &blocks);
        let theirs: Vec<Key> = reference.blocks.iter().map(ReferenceBlock::key).collect();
        let ours: Vec<Key> = blocks.blocks.iter().map(our_key).collect();
        let pairs = align(&ours, &theirs);
        let matched = pairs.len();
        for &(i, j) in &pairs {
            score.verdicts += 1;
            score.same_numwords += usize::from(numwords[i] == reference.blocks[j].numwords_rules);
            score.same_density += usize::from(density[i] == reference.blocks[j].density_rules);
        }
        if show {
            let (mine, its): (Vec<usize>, Vec<usize>) = pairs.iter().copied().unzip();
            let extra = (0..ours.len())
                .filter(|i| !mine.contains(i))
                .map(|i| ('+', i, &ours[i]));
            let missing = (0..theirs.len())
                .filter(|j| !its.contains(j))
                .map(|j| ('-', j, &theirs[j]));
            extra
                .chain(missing)
                .for_each(|(sign, at, key)| println!("{} {sign}{at} {key:?}", reference.page));
        }
        let (n, m) = (blocks.blocks.len(), reference.blocks.len());
        score.pages += 1;
        score.identical_pages += usize::from(matched == n && matched == m);
        score.matched += matched;
        score.ours += n;
        score.theirs += m;
        let same_title =
            blocks.title.as_deref().map(normal) == reference.title.as_deref().map(normal);
        score.titles += usize::from(same_title);
        if show && !same_title {
            println!(
                "{} title {:?} {:?}",
                reference.page, reference.title, blocks.title
            );
        }
    }
    eprintln!("{corpus}: micro F1 {:.4} {score:?}", score.f1());
    Some(score)
}

fn verdicts(name: &str, page: &Page, blocks: &Segmentation) -> Vec<bool> {
    extractor::parse(name)
        .unwrap()
        .label(&Subject::new(page, "", ""), blocks)
        .into_iter()
        .map(|label| label == Label::Content)
        .collect()
}

/// The bars lie just below what is reached (see `docs/boilerpipe.md`).
#[track_caller]
fn check(corpus: &str, f1: f64, titles: f64) {
    let Some(score) = score(corpus) else { return };
    assert!(
        score.f1() >= f1,
        "{corpus}: micro F1 {:.4} is below {f1}",
        score.f1()
    );
    let share = |n: usize, of: usize| n as f64 / of as f64;
    assert!(
        share(score.titles, score.pages) >= titles,
        "{corpus}: {} titles of {}",
        score.titles,
        score.pages
    );
    for same in [score.same_numwords, score.same_density] {
        assert!(
            share(same, score.verdicts) >= 0.9998,
            "{corpus}: {same} verdicts of {}",
            score.verdicts
        );
    }
}

#[test]
fn gn1_blocks() {
    check("gn1", 0.9975, 0.99);
}

#[test]
fn cleaneval_blocks() {
    check("cleaneval", 0.9985, 1.0);
}

#[test]
fn cleanportaleval_blocks() {
    check("cleanportaleval", 1.0, 1.0);
}

#[test]
fn dragnet_blocks() {
    check("dragnet", 0.9998, 0.99);
}

/// On the original's own blocks the two decision trees give the original's verdicts, without exception.
#[test]
fn verdicts_on_reference_blocks() {
    for corpus in [
        "gn1",
        "cleaneval",
        "cleaneval-dev",
        "cleanportaleval",
        "dragnet",
    ] {
        let Some(outputs) = shared(&format!("reference/boilerpipe-1.2.0/{corpus}.jsonl.gz")) else {
            continue;
        };
        for reference in reference(&outputs) {
            let blocks = Segmentation {
                blocks: reference.blocks.iter().map(ReferenceBlock::block).collect(),
                ..Segmentation::default()
            };
            let numwords: Vec<bool> = reference
                .blocks
                .iter()
                .map(|block| block.numwords_rules)
                .collect();
            let density: Vec<bool> = reference
                .blocks
                .iter()
                .map(|block| block.density_rules)
                .collect();
            let page = Page::default();
            assert_eq!(
                verdicts("boilerpipe-numwords", &page, &blocks),
                numwords,
                "{corpus} {}",
                reference.page
            );
            assert_eq!(
                verdicts("boilerpipe-density", &page, &blocks),
                density,
                "{corpus} {}",
                reference.page
            );
        }
    }
}
