//! The tables.

use std::collections::BTreeMap;

use trommel_eval::measure::significance;
use trommel_extract::own::Convention;

use super::held_out::Probabilities;
use super::systems::{System, decided};
use crate::experiment::Figures;
use crate::score::{Counts, Summary, snippets_found};
use crate::scoring::{LEVEL, SEED};
use crate::training::own::{LearningPage, LearningParagraph};

/// A row a system: macro averages with their interval, and how many pages fail.
pub(super) fn figures(
    name: String,
    wanted: &dyn Fn(&LearningPage) -> bool,
    pages: &[LearningPage],
    groups: &[usize],
    systems: &[System],
) -> Figures {
    // Sites are drawn, not pages: pages of a site are alike.
    let mut of_group: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (page, of) in pages.iter().enumerate() {
        if of.is_measured() && wanted(of) {
            of_group.entry(groups[page]).or_default().push(page);
        }
    }
    let sites: Vec<Vec<usize>> = of_group.into_values().collect();
    let resamples = significance::Resamples::new(sites.len(), SEED);
    let row = |system: &System| {
        let counts: Vec<Counts> = sites
            .iter()
            .flatten()
            .flat_map(|page| system.pages[*page].iter().copied())
            .collect();
        let summary = Summary::of(&counts);
        let of_sites: Vec<(f64, f64)> = sites
            .iter()
            .map(|pages| {
                let counts = pages.iter().flat_map(|page| &system.pages[*page]);
                let f1: Vec<f64> = counts.map(Counts::f1).collect();
                (f1.iter().sum(), f1.len() as f64)
            })
            .collect();
        let interval = resamples.interval(LEVEL, |drawn| {
            let sums = drawn.iter().map(|site| of_sites[*site]);
            let (f1, pages) = sums.fold((0.0, 0.0), |sum, of| (sum.0 + of.0, sum.1 + of.1));
            f1 / pages
        });
        let figures = [
            summary.macro_average.f1,
            *interval.start(),
            *interval.end(),
            summary.macro_average.precision,
            summary.macro_average.recall,
            summary.micro_average.f1,
            summary.below_half,
        ];
        let figures = figures.map(|figure| Some(100.0 * figure)).to_vec();
        (system.name.clone(), figures)
    };
    Figures {
        name,
        of: "extractor".to_owned(),
        columns: [
            "macro F1",
            "95 % from",
            "to",
            "macro P",
            "macro R",
            "micro F1",
            "F1 < 0.5",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows: systems.iter().map(row).collect(),
        decimals: vec![2; 7],
        ..Figures::default()
    }
}

/// Of the snippets that must be kept how many are, of the others how many are not; means of the pages that have any.
pub(super) fn snippets(
    name: String,
    corpus: usize,
    pages: &[LearningPage],
    probabilities: &[Probabilities],
) -> Option<Figures> {
    let (mut sums, mut numbers) = ([0.0f64; 2], [0.0f64; 2]);
    let pages = pages.iter().zip(probabilities);
    for (page, of) in pages.filter(|(page, _)| page.corpus == corpus) {
        let (with, without) = (&page.snippets.with, &page.snippets.without);
        if with.is_empty() && without.is_empty() {
            continue;
        }
        let text = decided(page, &of.main).plain;
        let kept = snippets_found(&text, with);
        let left = without.len() - snippets_found(&text, without);
        for (place, (found, of)) in [(kept, with), (left, without)].into_iter().enumerate() {
            if !of.is_empty() {
                sums[place] += found as f64 / of.len() as f64;
                numbers[place] += 1.0;
            }
        }
    }
    let share = |place: usize| Some(100.0 * sums[place] / numbers[place]);
    (numbers[0] + numbers[1] > 0.0).then(|| Figures {
        name,
        of: "extractor".to_owned(),
        columns: ["with", "without"].map(str::to_owned).to_vec(),
        rows: vec![("trommel, held out".to_owned(), vec![share(0), share(1)])],
        decimals: vec![2; 2],
        ..Figures::default()
    })
}

/// How well each of the decisions tells paragraphs apart, each paragraph counting its words.
pub(super) fn decisions(pages: &[LearningPage], probabilities: &[Probabilities]) -> Figures {
    type Decision = (
        &'static str,
        fn(&LearningParagraph) -> Option<f32>,
        fn(&Probabilities) -> &[f32],
    );
    let decisions: [Decision; 4] = [
        (
            "main content (article)",
            |of| of.main_of(Convention::Article),
            |of| &of.main,
        ),
        (
            "main content (main)",
            |of| of.main_of(Convention::Main),
            |of| &of.main,
        ),
        ("comments", |of| of.comments, |of| &of.comments),
        ("related content", |of| of.related, |of| &of.related),
    ];
    let row = |&(name, label, probability): &Decision| {
        let (mut common, mut output, mut gold) = (0.0, 0.0, 0.0);
        let mut ranked: Vec<(f32, f64, bool)> = Vec::new();
        for (page, of) in pages
            .iter()
            .zip(probabilities)
            .filter(|(page, _)| page.counts())
        {
            for (paragraph, share) in page.paragraphs.iter().zip(probability(of)) {
                let Some(label) = label(paragraph) else {
                    continue;
                };
                let words = f64::from(paragraph.words);
                ranked.push((*share, words, label >= 0.5));
                output += words * f64::from(u8::from(*share >= 0.5));
                gold += words * f64::from(u8::from(label >= 0.5));
                common += words * f64::from(u8::from(*share >= 0.5 && label >= 0.5));
            }
        }
        let (precision, recall) = (common / output, common / gold);
        let f1 = 2.0 * common / (output + gold);
        let average = average_precision(&mut ranked);
        let figures = [precision, recall, f1, average].map(|figure| Some(100.0 * figure));
        (name.to_owned(), figures.to_vec())
    };
    Figures {
        name: "decisions on paragraphs at 0.5, by words, where the gold standard tells".to_owned(),
        of: "decision".to_owned(),
        columns: ["P", "R", "F1", "average P"].map(str::to_owned).to_vec(),
        rows: decisions.iter().map(row).collect(),
        decimals: vec![2; 4],
        ..Figures::default()
    }
}

/// What share of the words is main content where the model says so much.
pub(super) fn calibration(pages: &[LearningPage], probabilities: &[Probabilities]) -> Figures {
    // Words, their probabilities and their shares, in ten intervals.
    let mut sums = [[0.0f64; 3]; 10];
    let pages = pages.iter().zip(probabilities);
    for (page, of) in pages.filter(|(page, _)| page.counts()) {
        for (paragraph, probability) in page.paragraphs.iter().zip(&of.main) {
            let words = f64::from(paragraph.words);
            let sums = &mut sums[((probability * 10.0) as usize).min(9)];
            sums[0] += words;
            sums[1] += words * f64::from(*probability);
            sums[2] += words * f64::from(paragraph.main);
        }
    }
    let all: f64 = sums.iter().map(|[words, ..]| words).sum();
    let rows = sums.iter().enumerate().map(|(tenth, [words, says, is])| {
        let figures = [words / all, says / words, is / words];
        let figures = figures.map(|figure| Some(100.0 * figure)).to_vec();
        (format!("{} to {}", 10 * tenth, 10 * tenth + 10), figures)
    });
    Figures {
        name: "calibration: main content by what the model says, in percent".to_owned(),
        of: "it says".to_owned(),
        columns: ["share of all words", "mean of what it says", "main content"]
            .map(str::to_owned)
            .to_vec(),
        rows: rows.collect(),
        decimals: vec![1; 3],
        ..Figures::default()
    }
}

/// The mean of the precision over the words that are wanted, in the order of probabilities; paragraphs are probability, words, and
/// whether they are wanted.
fn average_precision(ranked: &mut [(f32, f64, bool)]) -> f64 {
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (mut seen, mut wanted, mut sum) = (0.0, 0.0, 0.0);
    for (_, words, is_wanted) in ranked.iter() {
        seen += words;
        if *is_wanted {
            wanted += words;
            sum += words * wanted / seen.max(1.0);
        }
    }
    sum / wanted
}
