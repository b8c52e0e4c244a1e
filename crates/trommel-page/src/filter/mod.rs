//! The block filter: a value passed to a search, never a state of the index.
//!
//! A [`Filter`] is a Boolean expression over attributes of a block, attributes of its page and the verdicts of extractors. Its
//! text is the same wherever one is given or shown: in flags, parameters of addresses, JSON, experiment files and reports.
//!
//! ```
//! use trommel_page::filter::Filter;
//!
//! let filter: Filter = "words >= 11 and (link-density <= 0.33 or justext)".parse()?;
//! assert_eq!(filter.to_string(), "words >= 11 and (link-density <= 0.33 or justext)");
//! assert!("words >= eleven".parse::<Filter>().is_err());
//! # Ok::<(), trommel_page::filter::ExpressionError>(())
//! ```

pub(crate) mod error;
pub(crate) mod lexer;
mod node;
mod operator;
pub(crate) mod parser;
mod short;
mod test;
#[cfg(test)]
pub(crate) mod tests;

use std::fmt;
use std::str::FromStr;

use node::and;
use trommel_text::Decimal;

use crate::attribute::{Attribute, Bound, Date, Kind, Place, Side};

pub use error::ExpressionError;
pub use lexer::UNFILTERED;
pub use node::Node;
pub use operator::Operator;
pub use short::{ShortError, ShortForms, Split};
pub use test::{Comparison, Condition, Literal, Test, Value};

/// Which blocks count. The default is all of them.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Filter {
    node: Node<Test>,
}

impl Default for Filter {
    fn default() -> Self {
        Filter {
            node: Node::And(Vec::new()),
        }
    }
}

impl Filter {
    /// The blocks that an extractor takes for content: the name of its labels.
    pub fn content(extractor: &str) -> Filter {
        Filter {
            node: Node::Test(Test::Verdict(extractor.into())),
        }
    }

    /// The blocks that keep a bound; of a confidence, of this extractor or of the one that the index has.
    pub fn bounded(bound: Bound, threshold: Decimal, of: Option<&str>) -> Filter {
        let operator = match bound.side {
            Side::Least => Operator::AtLeast,
            Side::Greatest => Operator::AtMost,
        };
        Filter {
            node: Node::Test(Test::Compare(Comparison {
                attribute: bound.attribute,
                of: of.map(Box::from),
                condition: Condition::Is(operator, Literal::Number(threshold)),
            })),
        }
    }

    /// The blocks whose attribute has a value; none if it is not one that the attribute can have.
    pub fn equal(attribute: &'static Attribute, value: &str) -> Option<Filter> {
        let literal = match &attribute.kind {
            Kind::Number(_) | Kind::Confidence => {
                Literal::Number(parser::number(attribute, value).ok()?)
            }
            Kind::Tag | Kind::Word(_) => Literal::Word(value.into()),
            Kind::Date => Literal::Span(value.parse().ok()?),
        };
        Some(Filter {
            node: Node::Test(Test::Compare(Comparison {
                attribute,
                of: None,
                condition: Condition::Is(Operator::Equal, literal),
            })),
        })
    }

    /// The blocks that pass all of these.
    pub fn all_of(parts: impl IntoIterator<Item = Node<Test>>) -> Filter {
        Filter {
            node: and(parts.into_iter().collect()),
        }
    }

    /// The blocks that pass both filters.
    #[must_use]
    pub fn and(self, other: Filter) -> Filter {
        Filter {
            node: and(vec![self.node, other.node]),
        }
    }

    /// Returns whether every block passes.
    pub fn is_empty(&self) -> bool {
        *self == Filter::default()
    }

    /// The expression.
    pub fn node(&self) -> &Node<Test> {
        &self.node
    }

    /// The comparisons and verdicts that every block must pass; none if the filter is more than a conjunction.
    pub fn conjunction(&self) -> Option<Vec<&Test>> {
        let tests = self.node.conjuncts().iter().map(|part| match part {
            Node::Test(test) => Some(test),
            _ => None,
        });
        tests.collect()
    }

    /// Returns whether one of the parts that must all hold is a comparison of the same attribute on the same side as `bound`, which is one.
    pub fn has_bound_like(&self, bound: &Filter) -> bool {
        let Node::Test(Test::Compare(wanted)) = &bound.node else {
            return false;
        };
        self.node.conjuncts().iter().any(|part| match part {
            Node::Test(Test::Compare(own)) => {
                own.is_of_same(wanted) && own.condition.is_on_side_of(&wanted.condition)
            }
            _ => false,
        })
    }

    /// Whose confidences are compared first: none if none are, or those that the index chooses.
    pub fn confidences_of(&self) -> Option<Option<&str>> {
        let mut found = None;
        self.node.for_each(&mut |test| {
            if let Test::Compare(it) = test
                && matches!(it.attribute.kind, Kind::Confidence)
            {
                found.get_or_insert(it.of.as_deref());
            }
        });
        found
    }

    /// Returns whether a block that is no block of an index passes. What is not known of it, `facts` says.
    pub fn passes(&self, place: &Place, facts: &impl Facts) -> bool {
        self.node.holds(&mut |test| test.holds(place, facts))
    }

    /// The extractor whose verdict every block must pass, if there is just one.
    pub fn extractor(&self) -> Option<&str> {
        let mut names = self.node.conjuncts().iter().filter_map(|part| match part {
            Node::Test(Test::Verdict(name)) => Some(&**name),
            _ => None,
        });
        let first = names.next();
        first.filter(|_| names.next().is_none())
    }

    /// Returns whether every block that passes this filter passes `other` too, whatever the collection. What is not plain is denied: each
    /// part of `other` must stand here as well, or a stricter one.
    pub fn is_within(&self, other: &Filter) -> bool {
        let own = self.node.conjuncts();
        let implied = |part: &Node<Test>| own.iter().any(|own| implies(own, part));
        self.node == other.node || other.node.conjuncts().iter().all(implied)
    }
}

impl Test {
    /// Returns whether a block that is no block of an index passes. What is not known of it, `facts` says.
    pub fn holds(&self, place: &Place, facts: &impl Facts) -> bool {
        let comparison = match self {
            Test::Verdict(name) => return facts.is_content(name),
            Test::Compare(comparison) => comparison,
        };
        let attribute = comparison.attribute;
        let word;
        let value = match &attribute.kind {
            Kind::Number(number) => {
                let [numerator, denominator] =
                    [number.numerator, number.denominator].map(|count| place.count(count));
                Value::Quotient(numerator, denominator)
            }
            Kind::Confidence => match facts.confidence(comparison.of.as_deref()) {
                Some(hundredths) => Value::Quotient(hundredths, 100),
                None => Value::Missing,
            },
            Kind::Tag => Value::Word(place.block.tag.name()),
            Kind::Word(_) => {
                word = facts.word(attribute);
                word.as_deref().map_or(Value::Missing, Value::Word)
            }
            Kind::Date => facts.date().map_or(Value::Missing, Value::Date),
        };
        comparison.condition.holds(&value)
    }
}

/// What a filter asks of a block besides the block itself and its place on the page.
pub trait Facts {
    /// Returns whether the extractor takes the block for content.
    fn is_content(&self, extractor: &str) -> bool;
    /// The confidence of an extractor, or of the one that is meant without a name, in hundredths.
    fn confidence(&self, extractor: Option<&str>) -> Option<u32>;
    /// A word about the page.
    fn word(&self, attribute: &Attribute) -> Option<String>;
    /// The day of the page.
    fn date(&self) -> Option<Date>;
}

/// Nothing is known besides.
impl Facts for () {
    fn is_content(&self, _: &str) -> bool {
        false
    }

    fn confidence(&self, _: Option<&str>) -> Option<u32> {
        None
    }

    fn word(&self, _: &Attribute) -> Option<String> {
        None
    }

    fn date(&self) -> Option<Date> {
        None
    }
}

fn implies(own: &Node<Test>, other: &Node<Test>) -> bool {
    match (own, other) {
        (Node::Test(Test::Compare(own)), Node::Test(Test::Compare(other))) => {
            own.is_of_same(other) && own.condition.is_within(&other.condition)
        }
        (own, Node::Or(parts)) => own == other || parts.iter().any(|part| implies(own, part)),
        (own, other) => own == other,
    }
}

impl FromStr for Filter {
    type Err = ExpressionError;

    fn from_str(text: &str) -> Result<Filter, ExpressionError> {
        let node = parser::parse(text).map_err(|problem| ExpressionError::new(text, problem))?;
        Ok(Filter { node })
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.node.fmt(f)
    }
}

impl fmt::Debug for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Filter({self})")
    }
}

impl serde::Serialize for Filter {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
