//! A formula with its parameters, and the registry of formulas.

use serde::Serialize;

use super::bm25::{self, Bm25};
use super::qld::{self, Qld};
use super::qljm::{self, Qljm};
use super::tfidf::{self, Tfidf};
use super::totals::{QueryTotals, TermTotals, Totals};

/// A formula with its parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Formula {
    /// Okapi BM25.
    Bm25(Bm25),
    /// Query likelihood, smoothed with a Dirichlet prior.
    Qld(Qld),
    /// Query likelihood with Jelinek-Mercer smoothing.
    Qljm(Qljm),
    /// Lucene's classic TF-IDF.
    Tfidf(Tfidf),
}

/// A formula with the statistics of one query term.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TermWeight {
    /// Of BM25.
    Bm25(bm25::Weight),
    /// Of query likelihood with a Dirichlet prior.
    Qld(qld::Weight),
    /// Of query likelihood with Jelinek-Mercer smoothing.
    Qljm(qljm::Weight),
    /// Of TF-IDF.
    Tfidf(tfidf::Weight),
}

/// A number with its name in a formula.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Part {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: f64,
}

/// Makes a formula of its parameters; the error says which of them is wrong.
pub type ParseFormula = fn(&[(&str, f64)]) -> Result<Formula, String>;

/// A row of the registry of formulas.
#[derive(Debug, Clone, Copy)]
pub struct FormulaRow {
    /// Its name in flags.
    pub name: &'static str,
    /// Its parameters as in a flag, with their defaults.
    pub usage: &'static str,
    /// The formula of a list of `name=value` parameters.
    pub parse: ParseFormula,
}

/// All formulas, the default first.
pub fn all() -> &'static [FormulaRow] {
    &[
        FormulaRow {
            name: "bm25",
            usage: bm25::USAGE,
            parse: |parameters| Bm25::from_parameters(parameters).map(Formula::Bm25),
        },
        FormulaRow {
            name: "qld",
            usage: qld::USAGE,
            parse: |parameters| Qld::from_parameters(parameters).map(Formula::Qld),
        },
        FormulaRow {
            name: "qljm",
            usage: qljm::USAGE,
            parse: |parameters| Qljm::from_parameters(parameters).map(Formula::Qljm),
        },
        FormulaRow {
            name: "tfidf",
            usage: tfidf::USAGE,
            parse: |parameters| Tfidf::from_parameters(parameters).map(Formula::Tfidf),
        },
    ]
}

impl Default for Formula {
    fn default() -> Self {
        Formula::Bm25(Bm25::default())
    }
}

impl Formula {
    /// What a page's length in indexed terms contributes, whatever the term.
    pub fn norm(&self, length: f64, collection: &Totals) -> f64 {
        match self {
            Formula::Bm25(bm25) => bm25.norm(length, collection),
            Formula::Qld(qld) => qld.norm(length),
            Formula::Qljm(_) => length,
            Formula::Tfidf(tfidf) => tfidf.norm(length),
        }
    }

    /// What a clause of the query is worth, given the statistics of its term and of the collection. None for terms that the
    /// formula leaves out.
    pub fn weigh(&self, term: &TermTotals, collection: &Totals) -> Option<TermWeight> {
        Some(match self {
            Formula::Bm25(bm25) => TermWeight::Bm25(bm25.weigh(term, collection)),
            Formula::Qld(qld) => TermWeight::Qld(qld.weigh(term, collection)?),
            Formula::Qljm(qljm) => TermWeight::Qljm(qljm.weigh(term, collection)?),
            Formula::Tfidf(_) => TermWeight::Tfidf(tfidf::weigh(term, collection)),
        })
    }

    /// The score of a page, from its clauses' sum, the number of clauses that it has, and its norm.
    pub fn finish(&self, sum: f64, matched: u32, norm: f64, query: &QueryTotals) -> f64 {
        match self {
            Formula::Bm25(_) | Formula::Qljm(_) => sum,
            Formula::Qld(_) => sum + query.length * norm,
            Formula::Tfidf(_) => sum * tfidf::coord(matched, query) * tfidf::query_norm(query),
        }
    }

    /// What [`Formula::finish`] multiplies the sum by, and what it adds then.
    pub fn parts(&self, matched: u32, norm: f64, query: &QueryTotals) -> (Vec<Part>, Vec<Part>) {
        let part = |name, value| Part { name, value };
        match self {
            Formula::Bm25(_) | Formula::Qljm(_) => (Vec::new(), Vec::new()),
            Formula::Qld(_) => {
                let lengths = part("|q| ln(μ/(length + μ))", query.length * norm);
                (Vec::new(), vec![lengths])
            }
            Formula::Tfidf(_) => {
                let coord = part("coord", tfidf::coord(matched, query));
                let query_norm = part("queryNorm", tfidf::query_norm(query));
                (vec![coord, query_norm], Vec::new())
            }
        }
    }

    /// Is the norm of a page added to its score, rather than a part of what each clause adds?
    pub(crate) fn grows_with_norm(&self) -> bool {
        matches!(self, Formula::Qld(_))
    }

    /// Are scores logarithms of a likelihood?
    pub fn is_log_likelihood(&self) -> bool {
        matches!(self, Formula::Qld(_) | Formula::Qljm(_))
    }
}

impl TermWeight {
    /// More than one clause with the boost 1 can add, whatever the page; none where there is no such number.
    pub(crate) fn bound(&self) -> Option<f64> {
        match self {
            // tf / (tf + norm) ≤ 1.
            TermWeight::Bm25(weight) => Some(weight.idf),
            TermWeight::Qld(_) | TermWeight::Qljm(_) | TermWeight::Tfidf(_) => None,
        }
    }

    /// What one clause with the boost 1 adds to a page in which its term stands `tf` times, given the page's norm.
    pub fn score(&self, tf: f64, norm: f64) -> f64 {
        match self {
            TermWeight::Bm25(weight) => weight.score(tf, norm),
            TermWeight::Qld(weight) => weight.score(tf),
            TermWeight::Qljm(weight) => weight.score(tf, norm),
            TermWeight::Tfidf(weight) => weight.score(tf, norm),
        }
    }

    /// The number that the formula makes of a term's statistics.
    pub fn part(&self) -> Part {
        let (name, value) = match self {
            TermWeight::Bm25(weight) => ("idf", weight.idf),
            TermWeight::Qld(weight) => ("1/(μp)", weight.scale),
            TermWeight::Qljm(weight) => ("(1 − λ)/(λp)", weight.scale),
            TermWeight::Tfidf(weight) => ("idf²", weight.squared_idf),
        };
        Part { name, value }
    }
}
