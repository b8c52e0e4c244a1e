//! Division of pages into folds, so that nothing that is tested was seen in learning: pages of a site, and pages with much of the
//! same gold text, stay together.

use std::collections::{BTreeMap, HashMap};

use trommel_text::SplitMix64;

use crate::training::own::LearningPage;

/// Two pages are near-duplicates if they share so many kept shingles, and this share of the fewer.
const SHARED: usize = 4;
const SHARED_PERCENT: usize = 15;
/// A shingle on more pages than this is a phrase of the web.
const MOST_PAGES: usize = 30;

/// For each page a number that is that of all pages which must stay with it: pages of the same site, the same page twice, and
/// near-duplicates.
pub fn groups(pages: &[LearningPage]) -> Vec<usize> {
    let mut groups = Union((0..pages.len()).collect());
    let mut of_site: BTreeMap<&str, usize> = BTreeMap::new();
    let mut of_markup: HashMap<u64, usize> = HashMap::new();
    for (page, of) in pages.iter().enumerate() {
        let first = *of_site.entry(&of.site).or_insert(page);
        groups.join(first, page);
        let first = *of_markup.entry(of.markup).or_insert(page);
        groups.join(first, page);
    }
    for (a, b) in near_duplicates(pages) {
        groups.join(a, b);
    }
    (0..pages.len()).map(|page| groups.find(page)).collect()
}

/// Pairs of pages whose gold texts have much in common.
pub fn near_duplicates(pages: &[LearningPage]) -> Vec<(usize, usize)> {
    let mut with: HashMap<u64, Vec<usize>> = HashMap::new();
    for (page, of) in pages.iter().enumerate() {
        for shingle in &of.shingles {
            with.entry(*shingle).or_default().push(page);
        }
    }
    let mut shared: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for pages in with.values().filter(|pages| pages.len() <= MOST_PAGES) {
        for (at, &b) in pages.iter().enumerate() {
            for &a in &pages[..at] {
                *shared.entry((a, b)).or_default() += 1;
            }
        }
    }
    let much = |&(&(a, b), &shared): &(&(usize, usize), &usize)| {
        let fewer = pages[a].shingles.len().min(pages[b].shingles.len());
        shared >= SHARED && shared * 100 >= fewer * SHARED_PERCENT
    };
    shared.iter().filter(much).map(|(pair, _)| *pair).collect()
}

/// Sets of numbers, each by the number at its root.
struct Union(Vec<usize>);

impl Union {
    fn find(&mut self, mut number: usize) -> usize {
        while self.0[number] != number {
            self.0[number] = self.0[self.0[number]];
            number = self.0[number];
        }
        number
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b)] = a.min(b);
    }
}

/// For each page its fold. Groups go one after the other, the largest first and else in an order that the seed decides, to the fold
/// that needs them most: each is to have the same share of each corpus.
pub fn folds(pages: &[LearningPage], groups: &[usize], folds: usize, seed: u64) -> Vec<usize> {
    let corpora = pages.iter().map(|page| page.corpus + 1).max().unwrap_or(0);
    let mut totals = vec![0.0f64; corpora];
    for page in pages {
        totals[page.corpus] += 1.0;
    }
    let mut sizes: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for (page, group) in pages.iter().zip(groups) {
        let size = sizes.entry(*group).or_insert_with(|| vec![0.0; corpora]);
        size[page.corpus] += 1.0 / totals[page.corpus];
    }
    let mut order: Vec<(usize, Vec<f64>)> = sizes.into_iter().collect();
    let mut random = SplitMix64::new(seed);
    for place in (1..order.len()).rev() {
        order.swap(place, random.below(place + 1));
    }
    let largest = |size: &[f64]| size.iter().copied().fold(0.0, f64::max);
    order.sort_by(|a, b| largest(&b.1).total_cmp(&largest(&a.1)));
    let mut filled = vec![vec![0.0f64; corpora]; folds];
    let mut of_group: BTreeMap<usize, usize> = BTreeMap::new();
    for (group, size) in order {
        // By how much the sum of squares grows: least where least is.
        let growth = |filled: &[f64]| -> f64 {
            let pairs = filled.iter().zip(&size);
            pairs
                .map(|(has, gets)| (has + gets).powi(2) - has * has)
                .sum()
        };
        let mut best = 0;
        for fold in 1..folds {
            if growth(&filled[fold]) < growth(&filled[best]) {
                best = fold;
            }
        }
        for (has, gets) in filled[best].iter_mut().zip(&size) {
            *has += gets;
        }
        of_group.insert(group, best);
    }
    groups.iter().map(|group| of_group[group]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gold::Snippets;
    use crate::score::Text;
    use crate::training::own::shingles;
    use trommel_extract::own::Convention;
    use trommel_text::fnv1a;

    fn page(corpus: usize, site: &str, gold: &str) -> LearningPage {
        LearningPage {
            corpus,
            name: String::new(),
            path: "".into(),
            site: site.to_owned(),
            markup: fnv1a(format!("{site} {gold}").as_bytes()),
            fingerprint: None,
            shingles: shingles(gold),
            gold: Text::default(),
            convention: Convention::Article,
            page_type: None,
            snippets: Snippets::default(),
            paragraphs: Vec::new(),
            features: Vec::new(),
        }
    }

    const LONG: &str = "one two three four five six seven eight nine ten eleven twelve thirteen";

    #[test]
    fn what_belongs_together_has_one_group() {
        let mut pages = vec![
            page(0, "a.org", "x"),
            page(0, "b.org", LONG),
            page(1, "a.org", "y"),
            page(1, "c.org", &format!("{LONG} and more")),
            page(
                1,
                "d.org",
                "nothing in common with the others but few words of it",
            ),
            page(2, "e.org", "z"),
        ];
        pages[5].markup = pages[0].markup;
        assert_eq!(groups(&pages), [0, 1, 0, 1, 4, 0]);
        assert_eq!(near_duplicates(&pages), [(1, 3)]);
    }

    #[test]
    fn folds_keep_groups_whole_and_corpora_even() {
        let pages: Vec<LearningPage> = (0..300)
            .map(|number| {
                let site = match number % 3 {
                    0 => format!("s{}", number % 20),
                    _ => format!("p{number}"),
                };
                page(number % 2, &site, "")
            })
            .collect();
        let groups = groups(&pages);
        let divided = folds(&pages, &groups, 5, 1);
        for a in 0..pages.len() {
            for b in 0..a {
                assert!(groups[a] != groups[b] || divided[a] == divided[b]);
            }
        }
        for fold in 0..5 {
            for corpus in 0..2 {
                let of = |page: &usize| divided[*page] == fold && pages[*page].corpus == corpus;
                let number = (0..pages.len()).filter(of).count();
                assert!((28..=32).contains(&number), "{number}");
            }
        }
        assert_ne!(divided, folds(&pages, &groups, 5, 2));
    }
}
