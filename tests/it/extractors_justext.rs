//! Paragraphs, classes and text against the output of jusText 3.0.2, the original Python program.

use std::collections::HashMap;
use std::path::Path;

use serde::Deserialize;
use trommel::extractor::justext::{Class, Options, Paragraph, StopList, classify, paragraphs};
use trommel::extractor::{self, Label, Subject};
use trommel::html::segment;
use trommel::page::{Page, Segmentation};

use crate::boilerpipe_reference::align;
use crate::support::{corpus_page, json_lines, shared};

#[derive(Deserialize)]
pub struct ReferencePage {
    pub page: String,
    /// None where the original stopped with an error.
    #[serde(default)]
    pub paragraphs: Vec<ReferenceParagraph>,
    /// The error that the original stopped with.
    pub error: Option<String>,
}

#[derive(Deserialize)]
pub struct ReferenceParagraph {
    pub text: String,
    words: u64,
    stopwords: u64,
    chars_in_links: u64,
    heading: bool,
    cf_class: String,
    class: String,
    dom_path: String,
}

/// What makes two paragraphs the same: text up to white space, words, stop words, characters in links, heading.
pub type Key = (String, u64, u64, u64, bool);

impl ReferencePage {
    /// The text that the original keeps, a line a paragraph.
    pub fn good_text(&self) -> String {
        let good = self.paragraphs.iter().filter(|p| p.class == "good");
        let texts: Vec<&str> = good.map(|p| p.text.as_str()).collect();
        texts.join("\n")
    }
}

impl ReferenceParagraph {
    pub fn paragraph(&self) -> Paragraph {
        Paragraph {
            length: self.text.chars().count() as u64,
            chars_in_links: self.chars_in_links,
            words: self.words,
            stop_words: self.stopwords,
            heading: self.heading,
            copyright: self.text.contains('\u{a9}') || self.text.contains("&copy"),
            select: self.dom_path.contains("select"),
        }
    }
}

pub fn key(text: &str, p: &Paragraph) -> Key {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (text, p.words, p.stop_words, p.chars_in_links, p.heading)
}

fn class(name: &str) -> Class {
    match name {
        "good" => Class::Good,
        "neargood" => Class::NearGood,
        "short" => Class::Short,
        "bad" => Class::Bad,
        name => panic!("{name}"),
    }
}

pub fn reference(path: &Path) -> Vec<ReferencePage> {
    json_lines(path)
}

pub fn ours(corpus: &Path, page: &str) -> (Page, Segmentation) {
    let page = corpus_page(corpus, page);
    let blocks = (segment::by_name("paragraph").unwrap().segment)(&page);
    (page, blocks)
}

/// On the original's own paragraphs both passes give the original's classes, without exception.
#[test]
fn classes_of_reference_paragraphs() {
    for corpus in [
        "gn1",
        "cleaneval",
        "cleaneval-dev",
        "cleanportaleval",
        "dragnet",
    ] {
        let Some(outputs) = shared(&format!("reference/justext-3.0.2/{corpus}.jsonl.gz")) else {
            continue;
        };
        let (mut count, mut stop_words) = (0, 0);
        let english = StopList::of("English").unwrap();
        for reference in reference(&outputs) {
            let paragraphs: Vec<Paragraph> = reference
                .paragraphs
                .iter()
                .map(ReferenceParagraph::paragraph)
                .collect();
            let classes = classify(&paragraphs, &Options::default());
            for (i, (theirs, ours)) in reference.paragraphs.iter().zip(classes).enumerate() {
                let expected = (class(&theirs.cf_class), class(&theirs.class));
                let found = (ours.context_free, ours.last);
                assert_eq!(found, expected, "{corpus} {} {i}", reference.page);
                let words = theirs.text.split_whitespace();
                let in_list = words.filter(|word| english.contains(word)).count() as u64;
                stop_words += usize::from(in_list == theirs.stopwords);
                count += 1;
            }
        }
        assert_eq!(stop_words, count, "{corpus}: stop words");
    }
}

#[derive(Default, Debug)]
struct Score {
    pages: usize,
    identical_pages: usize,
    matched: usize,
    ours: usize,
    theirs: usize,
    same_context_free: usize,
    same_last: usize,
    text_f1: f64,
    same_text: usize,
    /// Without the pages on which the original finds no paragraph at all.
    text_f1_found: f64,
    found: usize,
}

impl Score {
    fn f1(&self) -> f64 {
        2.0 * self.matched as f64 / (self.ours + self.theirs) as f64
    }

    /// Mean over pages of the F1 of the text that is kept.
    fn text(&self) -> f64 {
        self.text_f1 / self.pages as f64
    }
}

/// Multisets of words: runs of letters, digits and `_`.
pub fn bag(text: &str) -> HashMap<&str, usize> {
    let mut bag = HashMap::new();
    for word in text.split(|c: char| !(c.is_alphanumeric() || c == '_')) {
        if !word.is_empty() {
            *bag.entry(word).or_default() += 1;
        }
    }
    bag
}

/// F1 of two multisets; 1 if both are empty.
pub fn bag_f1(a: &HashMap<&str, usize>, b: &HashMap<&str, usize>) -> f64 {
    let size = |bag: &HashMap<&str, usize>| bag.values().sum::<usize>();
    let common: usize = a
        .iter()
        .map(|(word, n)| n.min(b.get(word).unwrap_or(&0)))
        .sum();
    match size(a) + size(b) {
        0 => 1.0,
        all => 2.0 * common as f64 / all as f64,
    }
}

fn score(corpus: &str) -> Option<Score> {
    let corpora = shared(&format!("corpora/{corpus}"))?;
    let outputs = shared(&format!("reference/justext-3.0.2/{corpus}.jsonl.gz"))?;
    let show = std::env::var("TROMMEL_SHOW").is_ok_and(|c| c == corpus);
    let english = StopList::of("English").unwrap();
    let extractor = extractor::parse("justext").unwrap();
    let mut score = Score::default();
    for reference in reference(&outputs) {
        let (page, blocks) = ours(&corpora, &reference.page);
        let measured = paragraphs(&page, &blocks, &english);
        let classes = classify(&measured, &Options::default());
        let ours: Vec<Key> = blocks
            .blocks
            .iter()
            .zip(&measured)
            .map(|(block, p)| key(&block.text, p))
            .collect();
        let theirs: Vec<Key> = reference
            .paragraphs
            .iter()
            .map(|p| key(&p.text, &p.paragraph()))
            .collect();
        let pairs = align(&ours, &theirs);
        for &(i, j) in &pairs {
            let theirs = &reference.paragraphs[j];
            score.same_context_free +=
                usize::from(classes[i].context_free == class(&theirs.cf_class));
            score.same_last += usize::from(classes[i].last == class(&theirs.class));
        }
        let labels = extractor.label(&Subject::new(&page, "", ""), &blocks);
        let kept = blocks.blocks.iter().zip(labels);
        let kept: Vec<&str> = kept
            .filter(|(_, label)| *label == Label::Content)
            .map(|(block, _)| block.text.as_str())
            .collect();
        let good: Vec<&str> = reference
            .paragraphs
            .iter()
            .filter(|p| p.class == "good")
            .map(|p| p.text.as_str())
            .collect();
        let (kept, good) = (kept.join("\n"), good.join("\n"));
        let f1 = bag_f1(&bag(&kept), &bag(&good));
        score.text_f1 += f1;
        if !theirs.is_empty() {
            score.text_f1_found += f1;
            score.found += 1;
        }
        score.same_text += usize::from(f1 == 1.0);
        if show {
            let (mine, its): (Vec<usize>, Vec<usize>) = pairs.iter().copied().unzip();
            println!("{} F1 {f1:.3}", reference.page);
            (0..ours.len())
                .filter(|i| !mine.contains(i))
                .for_each(|i| println!("{} +{i} {:?}", reference.page, ours[i]));
            (0..theirs.len())
                .filter(|j| !its.contains(j))
                .for_each(|j| println!("{} -{j} {:?}", reference.page, theirs[j]));
        }
        let (n, m) = (ours.len(), theirs.len());
        score.pages += 1;
        score.identical_pages += usize::from(pairs.len() == n && n == m);
        score.matched += pairs.len();
        score.ours += n;
        score.theirs += m;
    }
    eprintln!(
        "{corpus}: paragraphs F1 {:.4}, text F1 {:.4} {score:?}",
        score.f1(),
        score.text()
    );
    Some(score)
}

/// The bars lie just below what is reached (see `docs/justext.md`).
#[track_caller]
fn check(corpus: &str, paragraphs: f64, text: f64) {
    let Some(score) = score(corpus) else { return };
    assert!(
        score.f1() >= paragraphs,
        "{corpus}: paragraphs F1 {:.4} is below {paragraphs}",
        score.f1()
    );
    assert!(
        score.text() >= text,
        "{corpus}: text F1 {:.4} is below {text}",
        score.text()
    );
    assert_eq!(score.same_context_free, score.matched, "{corpus}");
}

#[test]
fn gn1_paragraphs() {
    check("gn1", 0.99, 0.983);
}

#[test]
fn cleaneval_paragraphs() {
    check("cleaneval", 0.991, 0.99);
}

#[test]
fn cleanportaleval_paragraphs() {
    check("cleanportaleval", 0.999, 1.0);
}

#[test]
fn dragnet_paragraphs() {
    check("dragnet", 0.995, 0.999);
}
