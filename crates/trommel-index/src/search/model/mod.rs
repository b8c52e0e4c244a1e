//! Ranking models: a formula (one file, one row in [`all`] each), and feedback on top of any of them.
//!
//! A formula scores a page for a query in three steps, so that what depends on the page alone, or on the query alone, is computed
//! once: [`Formula::norm`] of each page's length; [`Formula::weigh`] for each query term, whose [`TermWeight::score`] of term
//! frequency and norm are summed in query order; [`Formula::finish`] of the sum.

pub mod bm25;
mod feedback;
mod formula;
mod parameters;
pub mod qld;
pub mod qljm;
pub mod tfidf;
pub(crate) mod totals;

use std::fmt;
use std::str::FromStr;

use trommel_text::{name_and_parameters, nearest};

use self::parameters::parse_parameters;

pub use self::bm25::Bm25;
pub use self::feedback::Rm3;
pub use self::formula::{Formula, FormulaRow, ParseFormula, Part, TermWeight, all};
pub use self::qld::Qld;
pub use self::qljm::Qljm;
pub use self::tfidf::Tfidf;
pub use self::totals::{QueryTotals, TermTotals, Totals, idf};

/// A ranking model: a formula, and feedback if the query is expanded. Parses and prints as in flags: `qld:mu=2500+rm3`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Model {
    /// What pages score.
    pub formula: Formula,
    /// How the query is expanded, if it is.
    pub feedback: Option<Rm3>,
}

/// A text that names no model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is no ranking model: {why}; models and their defaults: {known}")]
pub struct ModelError {
    text: String,
    why: String,
    known: String,
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
        let (name, parameters) = name_and_parameters(formula);
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
