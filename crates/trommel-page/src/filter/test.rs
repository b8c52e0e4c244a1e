//! One test of a block: an extractor's verdict, or a comparison of an attribute.

use std::cmp::Ordering;
use std::fmt;

use trommel_text::Decimal;

use super::lexer::write_name;
use super::operator::Operator;
use crate::attribute::{Attribute, Date, Kind, Span};

/// A test of a block.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Test {
    /// The extractor takes it for content: the name of labels.
    Verdict(Box<str>),
    /// An attribute compares like this.
    Compare(Comparison),
}

/// An attribute and what its value must be.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// What is compared.
    pub attribute: &'static Attribute,
    /// Whose, where it is an extractor's; none for those that are meant without a name.
    pub of: Option<Box<str>>,
    /// What it must be.
    pub condition: Condition,
}

impl PartialEq for Comparison {
    fn eq(&self, other: &Comparison) -> bool {
        self.is_of_same(other) && self.condition == other.condition
    }
}

impl Eq for Comparison {}

impl std::hash::Hash for Comparison {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.attribute.name, &self.of, &self.condition).hash(state);
    }
}

/// What a value must be.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Condition {
    /// It compares with one value.
    Is(Operator, Literal),
    /// It is one of these values, or within one of these ranges, both ends included.
    In(Vec<(Literal, Option<Literal>)>),
}

/// A value that an attribute is compared with.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Literal {
    /// For numbers and confidences.
    Number(Decimal),
    /// For dates: a value within the span is equal to it.
    Span(Span),
    /// For tags and words about the page, in lower case.
    Word(Box<str>),
}

/// A value of an attribute, as a block has it.
#[derive(Debug, Clone, Copy)]
pub enum Value<'a> {
    /// Numerator and denominator; what is divided by 0 is 0.
    Quotient(u32, u32),
    /// A day.
    Date(Date),
    /// A word, in lower case.
    Word(&'a str),
    /// The page has none: whatever it is compared with, only `!=` holds.
    Missing,
}

impl Value<'_> {
    /// How the value compares with a literal; none if the two cannot be compared.
    fn compare(&self, literal: &Literal) -> Option<Ordering> {
        match (self, literal) {
            (Value::Quotient(numerator, denominator), Literal::Number(number)) => {
                Some(number.cmp_quotient(*numerator, *denominator))
            }
            (Value::Date(day), Literal::Span(span)) => Some(match day {
                day if *day < span.first => Ordering::Less,
                day if *day > span.last => Ordering::Greater,
                _ => Ordering::Equal,
            }),
            (Value::Word(word), Literal::Word(other)) => Some((*word).cmp(other)),
            _ => None,
        }
    }
}

impl Condition {
    /// Returns whether a value meets it.
    #[inline]
    pub fn holds(&self, value: &Value) -> bool {
        match self {
            Condition::Is(operator, literal) => match value.compare(literal) {
                Some(order) => operator.holds(order),
                None => *operator == Operator::Unequal,
            },
            Condition::In(items) => items.iter().any(|(from, to)| {
                let Some(order) = value.compare(from) else {
                    return false;
                };
                match to {
                    None => order.is_eq(),
                    Some(to) => order.is_ge() && value.compare(to).is_some_and(Ordering::is_le),
                }
            }),
        }
    }

    /// Are both bounds on the same side: both least values, or both greatest ones?
    pub(super) fn is_on_side_of(&self, other: &Condition) -> bool {
        use Operator::{AtLeast, AtMost, Greater, Less};
        let (Condition::Is(own, _), Condition::Is(its, _)) = (self, other) else {
            return false;
        };
        let least = |it: &Operator| matches!(it, AtLeast | Greater);
        let most = |it: &Operator| matches!(it, AtMost | Less);
        least(own) && least(its) || most(own) && most(its)
    }

    /// Does every value that meets this condition meet `other` too? It may say no where they do.
    pub(super) fn is_within(&self, other: &Condition) -> bool {
        use Operator::{AtLeast, AtMost, Equal, Greater, Less};
        if self == other {
            return true;
        }
        let (Condition::Is(own, value), Condition::Is(its, bound)) = (self, other) else {
            return match (self, other) {
                (Condition::In(own), Condition::In(its)) => own.iter().all(|it| its.contains(it)),
                _ => false,
            };
        };
        let (Literal::Number(value), Literal::Number(bound)) = (value, bound) else {
            return false;
        };
        match (own, its) {
            (AtLeast | Greater | Equal, AtLeast) | (Greater, Greater) => value >= bound,
            (AtLeast | Equal, Greater) => value > bound,
            (AtMost | Less | Equal, AtMost) | (Less, Less) => value <= bound,
            (AtMost | Equal, Less) => value < bound,
            _ => false,
        }
    }
}

impl Comparison {
    /// Returns whether it is of the same attribute as another, and of the same extractor's.
    pub fn is_of_same(&self, other: &Comparison) -> bool {
        self.attribute.name == other.attribute.name && self.of == other.of
    }
}

impl Attribute {
    /// Can its values only be equal or not, and not less or greater?
    pub(super) fn is_word(&self) -> bool {
        matches!(self.kind, Kind::Tag | Kind::Word(_))
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Test::Verdict(name) => write_name(f, name),
            Test::Compare(comparison) => comparison.fmt(f),
        }
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.attribute.name)?;
        if let Some(of) = &self.of {
            f.write_str("(")?;
            write_name(f, of)?;
            f.write_str(")")?;
        }
        self.condition.fmt(f)
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items = match self {
            Condition::Is(operator, literal) => {
                return write!(f, " {} {literal}", operator.symbol());
            }
            Condition::In(items) => items,
        };
        f.write_str(" in ")?;
        let item = |f: &mut fmt::Formatter<'_>, (from, to): &(Literal, Option<Literal>)| match to {
            None => from.fmt(f),
            Some(to) => write!(f, "{from}..{to}"),
        };
        if let [range @ (_, Some(_))] = items.as_slice() {
            return item(f, range);
        }
        for (number, it) in items.iter().enumerate() {
            f.write_str(if number == 0 { "(" } else { ", " })?;
            item(f, it)?;
        }
        f.write_str(")")
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Literal::Number(number) => number.fmt(f),
            Literal::Span(span) => span.fmt(f),
            Literal::Word(word) => write_name(f, word),
        }
    }
}
