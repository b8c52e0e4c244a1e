//! Weights: an expression that is computed for each block.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use trommel_text::Decimal;

use super::expression::{DivisionByZero, Expression, Writer};
use super::fraction::{Fraction, OutOfRange};
use super::parser;
use super::subject::Subject;
use crate::attribute::{Kind, Place};
use crate::filter::error::{Problem, at};
use crate::filter::{Condition, ExpressionError, Facts, Literal, Test};
use crate::page::Tag;

/// How much each block counts. The default is 1 for all.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Weights {
    expression: Expression<Subject, Test>,
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

    #[cfg(test)]
    pub(super) fn of(expression: Expression<Subject, Test>) -> Weights {
        Weights { expression }
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

    /// What is wrong with an attribute of an extractor, as an index says it, and what to do; with the place in the expression.
    pub fn error_of(&self, extractor: Option<&str>, what: String, hint: &str) -> ExpressionError {
        let text = self.to_string();
        let place = extractor.and_then(|name| text.find(name).map(|at| at..at + name.len()));
        let place = place.or_else(|| text.find("confidence").map(|at| at..at + 10));
        let place = place.unwrap_or(0..text.len());
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
