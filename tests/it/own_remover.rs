//! The own remover's cross-validation: nothing that a figure is of was seen in learning for it.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use trommel::experiment::Definition;
use trommel::experiment::own::corpus::{Corpus, LearningPage};
use trommel::experiment::own::{self, Settings, folds, held_out};
use trommel::experiment::score::pairs;
use trommel::html::Charset;
use trommel::{gold, score};

use crate::support::shared;

fn experiment() -> Option<(Settings, Vec<LearningPage>)> {
    let shared = shared("corpora/gn1")?;
    let root = shared.parent()?.parent()?.to_string_lossy().into_owned();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/own-remover.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let variable = |name: &str| (name == "TROMMEL_SHARED").then(|| root.clone());
    let definition = Definition::parse(&text, file.parent().unwrap(), variable).unwrap();
    let settings: Settings = definition.options().unwrap();
    let corpora = own::corpora(&definition, &settings).unwrap();
    let pages = own::learning_pages(&corpora, Charset::Auto, &|| {}).unwrap();
    Some((settings, pages))
}

fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    score::words(text, |word| words.push(word.to_lowercase()));
    words
}

/// Pages of different folds differ in site, file and gold text, looked at from outside: sites as the page has them, files byte for
/// byte, gold texts by all of their runs of ten words.
#[test]
fn no_page_site_or_gold_text_is_in_two_folds() {
    let Some((settings, pages)) = experiment() else {
        return;
    };
    assert_eq!(pages.len(), 621 + 681 + 71 + 716 + 58);
    let groups = folds::groups(&pages);
    let of = folds::folds(&pages, &groups, settings.folds, settings.seed);
    assert_eq!(of.iter().collect::<HashSet<_>>().len(), settings.folds);
    let mut sites: HashMap<&str, usize> = HashMap::new();
    let mut files: HashMap<Vec<u8>, usize> = HashMap::new();
    let mut golds: HashMap<Vec<String>, usize> = HashMap::new();
    let mut runs: HashMap<Vec<String>, HashSet<usize>> = HashMap::new();
    let mut lengths = Vec::new();
    for (number, page) in pages.iter().enumerate() {
        assert_eq!(
            *sites.entry(&page.site).or_insert(of[number]),
            of[number],
            "{}",
            page.site
        );
        let file = std::fs::read(&page.path).unwrap();
        assert_eq!(
            *files.entry(file).or_insert(of[number]),
            of[number],
            "{}",
            page.name
        );
        let words = words(&page.gold.plain);
        if words.len() >= 10 {
            assert_eq!(
                *golds.entry(words.clone()).or_insert(of[number]),
                of[number],
                "{}",
                page.name
            );
        }
        let of_page: HashSet<&[String]> = words.windows(10).collect();
        lengths.push(of_page.len());
        for run in of_page {
            runs.entry(run.to_vec()).or_default().insert(number);
        }
    }
    let mut shared: HashMap<(usize, usize), usize> = HashMap::new();
    for pages in runs.values().filter(|pages| pages.len() > 1) {
        for a in pages {
            for b in pages.iter().filter(|b| a < *b && of[*a] != of[**b]) {
                *shared.entry((*a, *b)).or_default() += 1;
            }
        }
    }
    // An agency's report may be quoted on two sites; a third of a text in common would be the same text.
    for ((a, b), common) in shared {
        let fewer = lengths[a].min(lengths[b]);
        assert!(
            common * 3 <= fewer || common < 20,
            "{} and {} have {common} of {fewer} runs of ten words in common",
            pages[a].name,
            pages[b].name
        );
    }
}

/// What a fold's gold texts say makes no difference to what is said of the fold's pages, and all the difference to the others.
#[test]
fn labels_of_the_pages_that_are_judged_are_not_looked_at() {
    let Some(corpus) = shared("corpora/cleaneval-dev") else {
        return;
    };
    let pairs = pairs(Some(&corpus.join("gold")), &corpus.join("html")).unwrap();
    let corpus = Corpus::new("dev", gold::by_name("cleaneval"), pairs);
    let mut pages = own::learning_pages(&[corpus], Charset::Auto, &|| {}).unwrap();
    let of: Vec<usize> = (0..pages.len()).map(|page| page % 2).collect();
    let before = held_out(&pages, &of, 2, 1, &|| {});
    for (page, _) in pages.iter_mut().zip(&of).filter(|(_, fold)| **fold == 1) {
        for paragraph in &mut page.paragraphs {
            paragraph.main = 1.0 - paragraph.main;
            paragraph.weight += 0.5;
        }
    }
    let after = held_out(&pages, &of, 2, 1, &|| {});
    for (page, fold) in of.iter().enumerate() {
        match fold {
            1 => assert_eq!(before[page], after[page]),
            _ => assert_ne!(before[page].main, after[page].main),
        }
    }
}
