//! How much each block counts: a value passed to a search, as a filter is, which it stands beside.
//!
//! [`Weights`] are arithmetic over the attributes of a block: numbers, `+ - * /`, `min`, `max`, and `if FILTER then … else …`. They
//! are computed exactly, as quotients of integers, and rounded to hundredths at the end, halves up: from 0 to 100.00.
//!
//! ```
//! use trommel_page::weight::Weights;
//!
//! let weights: Weights = "max(confidence(trommel), 0.1) * (if tag in (h1, h2) then 4 else 1)".parse()?;
//! assert!(!weights.weigh_titles());
//! assert!("words >= 11".parse::<Weights>().is_err());
//! # Ok::<(), trommel_page::filter::ExpressionError>(())
//! ```

mod expression;
mod fraction;
mod parser;
mod sieve;
mod template;
#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use trommel_text::{Decimal, LineCounter, count_tokens, measured_tokens_of_white_space};

use crate::attribute::{Attribute, Kind, Place};
use crate::filter::error::{Problem, at};
use crate::filter::lexer::write_name;
use crate::filter::{Condition, ExpressionError, Facts, Literal, Test};
use crate::page::{Block, Tag};
use expression::{DivisionByZero, Writer};
use fraction::{Fraction, OutOfRange};

pub use expression::{Choice, Constant, Expression, Power, Sign};
pub use sieve::Sieve;
pub use template::{ParameterError, Template};

/// The weight 1, in hundredths.
pub const ONE: u16 = 100;

/// The greatest weight, in hundredths.
pub const MOST: u16 = 10_000;

/// How much each block counts. The default is 1 for all.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Weights {
    expression: Expression<Subject, Test>,
}

/// A value of a block: an attribute that is a number.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The attribute.
    pub attribute: &'static Attribute,
    /// Whose, where it is an extractor's; none for the one that is meant without a name.
    pub of: Option<Box<str>>,
}

impl PartialEq for Subject {
    fn eq(&self, other: &Subject) -> bool {
        (self.attribute.name, &self.of) == (other.attribute.name, &other.of)
    }
}

impl Eq for Subject {}

impl std::hash::Hash for Subject {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.attribute.name, &self.of).hash(state);
    }
}

impl Default for Weights {
    fn default() -> Self {
        Weights {
            expression: Expression::Number(Decimal::whole(1).into()),
        }
    }
}

/// Why a block has no weight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unweighable {
    /// The place in the expression: numbers of parts from the outside in.
    path: Vec<usize>,
    why: Why,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
    DividedByZero,
    Out(OutOfRange),
}

impl Weights {
    /// Returns whether all blocks count alike, as without weights.
    pub fn is_one(&self) -> bool {
        *self == Weights::default()
    }

    /// The expression.
    pub fn expression(&self) -> &Expression<Subject, Test> {
        &self.expression
    }

    /// Returns whether titles of pages count, each as a block of its own: whether the expression compares tags with `title`.
    pub fn weigh_titles(&self) -> bool {
        let mut found = false;
        let is_title = |literal: &Literal| matches!(literal, Literal::Word(word) if **word == *Tag::Title.name());
        self.expression.for_each(&mut |_| {}, &mut |test| {
            let Test::Compare(comparison) = test else {
                return;
            };
            found |= matches!(comparison.attribute.kind, Kind::Tag)
                && match &comparison.condition {
                    Condition::Is(_, literal) => is_title(literal),
                    Condition::In(items) => items.iter().any(|(literal, _)| is_title(literal)),
                };
        });
        found
    }

    /// The weight of a block that is no block of an index, in hundredths. What is not known of it, `facts` says; a confidence that
    /// is not known is 0.
    ///
    /// # Errors
    /// A division by 0, and a weight that is negative or above 100: [`Weights::error`] says it with the place.
    pub fn weight(&self, place: &Place, facts: &impl Facts) -> Result<u16, Unweighable> {
        weigh(
            &self.expression,
            &mut |subject| match &subject.attribute.kind {
                Kind::Number(number) => {
                    let [numerator, denominator] =
                        [number.numerator, number.denominator].map(|count| place.count(count));
                    (numerator, denominator)
                }
                _ => (facts.confidence(subject.of.as_deref()).unwrap_or(0), 100),
            },
            &mut |test| test.holds(place, facts),
        )
    }

    /// What is wrong with the weight of a block that is called so, with the place in the expression.
    pub fn error(&self, unweighable: &Unweighable, block: &str) -> ExpressionError {
        let mut writer = Writer {
            text: String::new(),
            path: &unweighable.path,
            found: 0..0,
        };
        writer.write(&self.expression, Some(writer.path));
        let (what, hint) = match unweighable.why {
            Why::DividedByZero => (
                format!("this is 0 for {block}, and something is divided by it"),
                "divide by max(…, 1), or choose: if words > 0 then … else …",
            ),
            Why::Out(OutOfRange::Negative) => (
                format!("the weight of {block} is negative"),
                "weights are from 0 to 100: max(0, …) has no less",
            ),
            Why::Out(OutOfRange::TooGreat) => (
                format!("the weight of {block} is above 100"),
                "weights are from 0 to 100: min(100, …) has no more",
            ),
        };
        let found = writer.found.clone();
        ExpressionError::new(&writer.text, at(found, what).hint(hint))
    }

    /// What is wrong with an attribute of an extractor, as an index says it, with the place in the expression.
    pub fn error_of(&self, extractor: Option<&str>, what: String) -> ExpressionError {
        let text = self.to_string();
        let place = extractor.and_then(|name| text.find(name).map(|at| at..at + name.len()));
        let place = place.or_else(|| text.find("confidence").map(|at| at..at + 10));
        let place = place.unwrap_or(0..text.len());
        let hint = "take another extractor, or add its verdicts to the index first";
        ExpressionError::new(&text, at(place, what).hint(hint))
    }
}

/// The weight that an expression gives, in hundredths; `value` gives numerators and denominators.
pub fn weigh<V, T>(
    expression: &Expression<V, T>,
    value: &mut impl FnMut(&V) -> (u32, u32),
    test: &mut impl FnMut(&T) -> bool,
) -> Result<u16, Unweighable> {
    let mut value = |leaf: &V| {
        let (numerator, denominator) = value(leaf);
        Fraction::quotient(numerator.into(), denominator.into())
    };
    let weight = expression.evaluate(&mut value, test);
    let weight = weight.map_err(|DivisionByZero { mut reversed_path }| {
        reversed_path.reverse();
        Unweighable {
            path: reversed_path,
            why: Why::DividedByZero,
        }
    })?;
    weight.to_hundredths().map_err(|out| Unweighable {
        path: Vec::new(),
        why: Why::Out(out),
    })
}

/// The title of a page as a block: its words, tokens, and wrapped lines; the tag `title`; no links.
pub fn title_block(title: &str) -> Block {
    let (num_tokens, num_words) = count_tokens(title);
    let mut lines = LineCounter::default();
    measured_tokens_of_white_space(title)
        .filter(|token| token.is_word)
        .for_each(|token| lines.push_length(token.length));
    let lines = lines.finish();
    Block {
        text: title.to_owned(),
        tag: Tag::Title,
        num_words,
        num_tokens,
        num_linked_words: 0,
        num_words_in_full_lines: lines.units_in_full_lines,
        num_lines: lines.lines,
    }
}

impl FromStr for Weights {
    type Err = ExpressionError;

    fn from_str(text: &str) -> Result<Weights, ExpressionError> {
        let wrong = |problem: Problem| ExpressionError::new(text, problem);
        let expression = parser::parse(text).map_err(wrong)?;
        Ok(Weights { expression })
    }
}

impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut writer = Writer {
            text: String::new(),
            path: &[],
            found: 0..0,
        };
        writer.write(&self.expression, None);
        f.write_str(&writer.text)
    }
}

impl fmt::Debug for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Weights({self})")
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.attribute.name)?;
        let Some(of) = &self.of else {
            return Ok(());
        };
        f.write_str("(")?;
        write_name(f, of)?;
        f.write_str(")")
    }
}

impl Serialize for Weights {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Weights {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Weights, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
