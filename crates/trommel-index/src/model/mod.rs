//! Ranking models: a formula (one file, one row in [`all`] each), and feedback on top of any of them.
//!
//! A formula scores a page for a query in three steps, so that what depends on the page alone, or on the query alone, is computed
//! once: [`Formula::norm`] of each page's length; [`Formula::weigh`] for each query term, whose [`TermWeight::score`] of term
//! frequency and norm are summed in query order; [`Formula::finish`] of the sum.

pub mod bm25;
pub mod qld;
pub mod qljm;
pub mod tfidf;

use std::fmt;
use std::ops::RangeBounds;
use std::str::FromStr;

use serde::Serialize;

use super::{Rm3, Totals};
use trommel_text::nearest;

pub use bm25::Bm25;
pub use qld::Qld;
pub use qljm::Qljm;
pub use tfidf::Tfidf;

/// A ranking model: a formula, and feedback if the query is expanded. Parses and prints as in flags: `qld:mu=2500+rm3`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Model {
    /// What pages score.
    pub formula: Formula,
    /// How the query is expanded, if it is.
    pub feedback: Option<Rm3>,
}

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

/// What a formula knows of a query term.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TermTotals {
    /// df: pages (or blocks) with the term in a passing block.
    pub df: u64,
    /// cf: occurrences of the term in passing blocks.
    pub cf: u64,
}

/// What a formula knows of a query as a whole, gathered from its clauses one by one.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct QueryTotals {
    /// Clauses: occurrences of terms in the query, whether they occur in the collection or not.
    pub clauses: u32,
    /// |q|: the boosts of the clauses whose terms occur in the collection, summed. Each is 1 but in an expanded query.
    pub length: f64,
    /// Σ (idf · boost)² over all clauses, with [`tfidf::idf`].
    pub squared_idf: f64,
}

impl QueryTotals {
    /// Counts a clause.
    pub fn add(&mut self, boost: f64, term: &TermTotals, collection: &Totals) {
        self.clauses += 1;
        if term.cf > 0 {
            self.length += boost;
        }
        self.squared_idf += (tfidf::idf(term.df, collection) * boost).powi(2);
    }
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
    &[bm25::ROW, qld::ROW, qljm::ROW, tfidf::ROW]
}

/// A text that names no model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is no ranking model: {why}; models and their defaults: {known}")]
pub struct ModelError {
    text: String,
    why: String,
    known: String,
}

impl Default for Formula {
    fn default() -> Self {
        Formula::Bm25(Bm25::default())
    }
}

impl Formula {
    /// What a page's length in indexed terms contributes, whatever the term.
    pub fn norm(&self, length: u32, collection: &Totals) -> f64 {
        match self {
            Formula::Bm25(bm25) => bm25.norm(length, collection),
            Formula::Qld(qld) => qld.norm(length),
            Formula::Qljm(_) => f64::from(length),
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

    /// Are scores logarithms of a likelihood?
    pub fn is_log_likelihood(&self) -> bool {
        matches!(self, Formula::Qld(_) | Formula::Qljm(_))
    }
}

impl TermWeight {
    /// More than one clause with the boost 1 can add, whatever the page; none where there is no such number.
    pub(super) fn bound(&self) -> Option<f64> {
        match self {
            // tf / (tf + norm) ≤ 1.
            TermWeight::Bm25(weight) => Some(weight.idf),
            TermWeight::Qld(_) | TermWeight::Qljm(_) | TermWeight::Tfidf(_) => None,
        }
    }

    /// What one clause with the boost 1 adds to a page in which its term stands `tf` times, given the page's norm.
    pub fn score(&self, tf: u32, norm: f64) -> f64 {
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

impl From<Formula> for Model {
    fn from(formula: Formula) -> Self {
        Model {
            formula,
            feedback: None,
        }
    }
}

impl FromStr for Model {
    type Err = ModelError;

    fn from_str(text: &str) -> Result<Self, ModelError> {
        let wrong = |why: String| ModelError {
            text: text.to_owned(),
            why,
            known: all()
                .iter()
                .map(|row| row.usage)
                .chain([concat_feedback()])
                .collect::<Vec<_>>()
                .join(" "),
        };
        // Numbers may hold a sign (`1e+3`), so that what follows a '+' is feedback only where it names it.
        let (formula, feedback) = match text.split_once("+rm3") {
            Some((formula, parameters)) => (formula, Some(parameters)),
            None => (text, None),
        };
        let (name, parameters) = formula.split_once(':').unwrap_or((formula, ""));
        let row = all().iter().find(|row| row.name == name).ok_or_else(|| {
            let names: Vec<&str> = all().iter().map(|row| row.name).collect();
            wrong(match nearest(name, &names) {
                Some(nearest) => format!("no model is called '{name}', did you mean '{nearest}'?"),
                None => format!("no model is called '{name}'"),
            })
        })?;
        let parameters = parse_parameters(parameters).map_err(wrong)?;
        let formula = (row.parse)(&parameters).map_err(wrong)?;
        let feedback = feedback
            .map(|parameters| match parameters.strip_prefix(':') {
                Some(parameters) => Rm3::from_parameters(&parse_parameters(parameters)?),
                None if parameters.is_empty() => Ok(Rm3::default()),
                None => Err(format!("'rm3{parameters}' is no feedback")),
            })
            .transpose()
            .map_err(wrong)?;
        Ok(Model { formula, feedback })
    }
}

fn concat_feedback() -> &'static str {
    "and behind any of them +rm3:terms=10,docs=10,weight=0.5"
}

/// `name=value,…` as pairs.
fn parse_parameters(text: &str) -> Result<Vec<(&str, f64)>, String> {
    text.split(',')
        .filter(|parameter| !parameter.is_empty())
        .map(|parameter| {
            let (name, value) = parameter
                .split_once('=')
                .ok_or_else(|| format!("'{parameter}' is not of the form name=value"))?;
            let value = value
                .parse()
                .map_err(|_| format!("'{value}' is not a number"))?;
            Ok((name, value))
        })
        .collect()
}

/// The value of a parameter, if it is in the range that the parameter has.
pub(super) fn within(
    name: &str,
    value: f64,
    range: impl RangeBounds<f64> + fmt::Debug,
) -> Result<f64, String> {
    match range.contains(&value) {
        true => Ok(value),
        false => Err(format!("{name}={value:?} is not in {range:?}")),
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.formula {
            Formula::Bm25(Bm25 { k1, b }) => write!(f, "bm25:k1={k1},b={b}")?,
            Formula::Qld(Qld { mu }) => write!(f, "qld:mu={mu}")?,
            Formula::Qljm(Qljm { lambda }) => write!(f, "qljm:lambda={lambda}")?,
            Formula::Tfidf(Tfidf { norm_byte }) => {
                write!(f, "tfidf:norm-byte={}", u8::from(norm_byte))?;
            }
        }
        match self.feedback {
            Some(feedback) => write!(f, "+{feedback}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_and_prints() {
        for (text, printed) in [
            ("bm25", "bm25:k1=0.9,b=0.4"),
            ("bm25:k1=1.2,b=0.75", "bm25:k1=1.2,b=0.75"),
            ("qld", "qld:mu=1000"),
            ("qld:mu=2.5e+3", "qld:mu=2500"),
            ("qljm", "qljm:lambda=0.1"),
            ("tfidf", "tfidf:norm-byte=0"),
            ("tfidf:norm-byte=1", "tfidf:norm-byte=1"),
            ("qld+rm3", "qld:mu=1000+rm3:terms=10,docs=10,weight=0.5"),
            (
                "bm25:b=0+rm3:terms=20,weight=0.6",
                "bm25:k1=0.9,b=0+rm3:terms=20,docs=10,weight=0.6",
            ),
        ] {
            let model: Model = text.parse().unwrap();
            assert_eq!(model.to_string(), printed);
            assert_eq!(printed.parse::<Model>().unwrap(), model);
        }
        for wrong in [
            "bm26",
            "bm25:k1",
            "bm25:k1=x",
            "bm25:b=2",
            "bm25:mu=3",
            "bm25:k1=-1",
            "bm25:k1=inf",
            "bm25:k1=nan",
            "bm25:k1=1e308",
            "bm25:k1=1000.1",
            "bm25:b=nan",
            "qld:mu=0",
            "qld:mu=1e-320",
            "qld:mu=1e300",
            "qld:mu=nan",
            "qljm:lambda=0",
            "qljm:lambda=1e-320",
            "qljm:lambda=1",
            "tfidf:norm-byte=0.5",
            "rm3",
            "bm25+rm4",
            "bm25+rm3x",
            "bm25+rm3:terms=0",
            "bm25+rm3:docs=1.5",
            "bm25+rm3:weight=1.1",
        ] {
            assert!(wrong.parse::<Model>().is_err(), "{wrong}");
        }
    }
}
