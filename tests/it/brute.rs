//! Ranking models written from their definitions over bags of terms, without any of the shortcuts of the index.

use std::collections::{BTreeMap, HashMap};

use trommel::index::model::{Bm25, Qld, Qljm, Tfidf};
use trommel::index::{Formula, Model, Rm3};

/// A collection as bags of terms.
#[derive(Default)]
pub struct Bags {
    /// By docid the term frequencies and the length of each page.
    pages: BTreeMap<String, (HashMap<String, f64>, f64)>,
    /// By term df and cf.
    terms: HashMap<String, (f64, f64)>,
    /// Pages with a term.
    num: f64,
    /// Terms of all pages.
    size: f64,
}

impl Bags {
    /// Has no page a term?
    pub fn is_empty(&self) -> bool {
        self.num == 0.0
    }

    pub fn new(pages: impl IntoIterator<Item = (String, Vec<String>)>) -> Bags {
        Bags::weighted(pages.into_iter().map(|(docid, terms)| {
            let once = terms.into_iter().map(|term| (term, 1.0));
            (docid, once.collect())
        }))
    }

    /// Of terms that count so much each, above 0.
    pub fn weighted(pages: impl IntoIterator<Item = (String, Vec<(String, f64)>)>) -> Bags {
        let mut bags = Bags::default();
        for (docid, terms) in pages {
            // Weights are hundredths, and so are their sums but for rounding errors.
            let exact = |sum: f64| (sum * 100.0).round() / 100.0;
            let length = exact(terms.iter().map(|(_, weight)| weight).sum());
            bags.num += if terms.is_empty() { 0.0 } else { 1.0 };
            bags.size += length;
            let mut counts: HashMap<String, f64> = HashMap::new();
            for (term, weight) in terms {
                let count = counts.entry(term).or_default();
                *count = exact(*count + weight);
            }
            for (term, count) in &counts {
                let (df, cf) = bags.terms.entry(term.clone()).or_default();
                *df += 1.0;
                *cf += count;
            }
            bags.pages.insert(docid, (counts, length));
        }
        bags
    }

    fn df(&self, term: &str) -> f64 {
        self.terms.get(term).map_or(0.0, |(df, _)| *df)
    }

    fn p(&self, term: &str) -> f64 {
        self.terms.get(term).map_or(0.0, |(_, cf)| *cf / self.size)
    }

    fn idf_of_lucene_2(&self, term: &str) -> f64 {
        1.0 + (self.num / (self.df(term) + 1.0)).ln()
    }

    /// The scores of all pages with a term of the query, with statistics from `all`. Clauses are terms with their boosts.
    fn of_clauses(
        &self,
        all: &Bags,
        query: &[(String, f64)],
        formula: &Formula,
    ) -> HashMap<String, f64> {
        let mut scores = HashMap::new();
        for (docid, (counts, length)) in &self.pages {
            let matching = query.iter().filter(|(term, _)| counts.contains_key(term));
            if matching.clone().count() == 0 {
                continue;
            }
            // A term that the collection does not have is dropped from a query likelihood, and finds nothing.
            let likelihood = matches!(formula, Formula::Qld(_) | Formula::Qljm(_));
            if likelihood && matching.clone().all(|(term, _)| all.p(term) == 0.0) {
                continue;
            }
            let tf = |term: &String| counts.get(term).copied().unwrap_or(0.0);
            let score: f64 = match formula {
                Formula::Bm25(Bm25 { k1, b }) => {
                    let average = all.size / all.num;
                    let of_clause = |(term, boost): &(String, f64)| {
                        let df = all.df(term);
                        let idf = (1.0 + (all.num - df + 0.5) / (df + 0.5)).ln();
                        let saturation = k1 * (1.0 - b + b * length / average);
                        boost * idf * tf(term) / (tf(term) + saturation)
                    };
                    matching.map(of_clause).sum()
                }
                // ln P(q|d) as Zhai and Lafferty have it, less what all pages have in common, Σ ln p.
                Formula::Qld(Qld { mu }) => {
                    let known = query.iter().filter(|(term, _)| all.p(term) > 0.0);
                    let of_clause = |(term, boost): &(String, f64)| {
                        let p = all.p(term);
                        boost * (((tf(term) + mu * p) / (length + mu)).ln() - p.ln())
                    };
                    known.map(of_clause).sum()
                }
                Formula::Qljm(Qljm { lambda }) => {
                    let known = query.iter().filter(|(term, _)| all.p(term) > 0.0);
                    let of_clause = |(term, boost): &(String, f64)| {
                        let p = all.p(term);
                        let smoothed = (1.0 - lambda) * tf(term) / length + lambda * p;
                        boost * (smoothed.ln() - (lambda * p).ln())
                    };
                    known.map(of_clause).sum()
                }
                Formula::Tfidf(Tfidf { norm_byte }) => {
                    let squares = query
                        .iter()
                        .map(|(term, boost)| (all.idf_of_lucene_2(term) * boost).powi(2));
                    let query_norm = 1.0 / squares.sum::<f64>().sqrt();
                    let coord = matching.clone().count() as f64 / query.len() as f64;
                    let mut norm = 1.0 / length.sqrt();
                    if *norm_byte {
                        // One of 1, 1.25, 1.5 and 1.75 times a power of two, rounded down.
                        let power = norm.log2().floor().exp2();
                        norm = (norm / power * 4.0).floor() / 4.0 * power;
                    }
                    let of_clause = |(term, boost): &(String, f64)| {
                        tf(term).sqrt() * all.idf_of_lucene_2(term).powi(2) * boost * norm
                    };
                    coord * query_norm * matching.map(of_clause).sum::<f64>()
                }
            };
            scores.insert(docid.clone(), score);
        }
        scores
    }

    /// The scores of a model, with statistics from `all`.
    pub fn scores(&self, all: &Bags, query: &[String], model: &Model) -> HashMap<String, f64> {
        let mut clauses: Vec<(String, f64)> = query.iter().map(|t| (t.clone(), 1.0)).collect();
        if let Some(rm3) = &model.feedback {
            let first = self.of_clauses(all, &clauses, &model.formula);
            let logarithms = matches!(model.formula, Formula::Qld(_) | Formula::Qljm(_));
            clauses = self.expanded(all, query, &first, rm3, logarithms);
        }
        self.of_clauses(all, &clauses, &model.formula)
    }

    fn expanded(
        &self,
        all: &Bags,
        query: &[String],
        first: &HashMap<String, f64>,
        rm3: &Rm3,
        logarithms: bool,
    ) -> Vec<(String, f64)> {
        // As in a run: by score in single precision, then by docid, both descending.
        let mut ranked: Vec<(f32, &String)> = first.iter().map(|(d, s)| (*s as f32, d)).collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| b.1.cmp(a.1)));
        ranked.truncate(rm3.docs as usize);
        let likelihood: f64 = ranked
            .iter()
            .map(|(score, _)| f64::from(*score).exp())
            .sum();
        let mut relevance: BTreeMap<&String, f64> = BTreeMap::new();
        for (score, docid) in ranked {
            let weight = match logarithms {
                true => f64::from(score).exp() / likelihood,
                false => f64::from(score),
            };
            let plain = |term: &str| {
                let fits = |c: char| c.is_ascii_digit() || c.is_ascii_lowercase();
                (2..=20).contains(&term.chars().count()) && term.chars().all(fits)
            };
            let counts = self.pages[docid].0.iter();
            let mut vector: Vec<(&String, f64)> = counts
                .filter(|(term, _)| plain(term) && all.df(term) / all.num <= 0.1)
                .map(|(term, tf)| (term, *tf))
                .collect();
            vector.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(b.0)));
            vector.truncate(rm3.terms as usize);
            let sum: f64 = vector.iter().map(|(_, tf)| tf).sum();
            for (term, tf) in vector {
                *relevance.entry(term).or_default() += weight * tf / sum;
            }
        }
        let mut relevance: Vec<(&String, f64)> = relevance.into_iter().collect();
        relevance.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        relevance.truncate(rm3.terms as usize);
        let sum: f64 = relevance.iter().map(|(_, weight)| weight).sum();
        let mut merged: BTreeMap<&String, f64> = BTreeMap::new();
        for term in query {
            *merged.entry(term).or_default() += rm3.weight / query.len() as f64;
        }
        for (term, weight) in relevance {
            *merged.entry(term).or_default() += (1.0 - rm3.weight) * weight / sum;
        }
        let positive = merged.into_iter().filter(|(_, weight)| *weight > 0.0);
        positive
            .map(|(term, weight)| (term.clone(), weight))
            .collect()
    }
}
