//! Short forms of filters: bounds by name (`min-words`, `max-link-density`, …), an extractor, and an expression, joined by and.

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use trommel_text::{Decimal, choice};

use super::parser::number;
use super::{Comparison, Condition, ExpressionError, Filter, Literal, Node, Operator, Test};
use crate::attribute::{self, Bound, Kind, Side};

/// What was given of a filter, name by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShortForms {
    expression: Filter,
    extractor: Option<String>,
    bounds: Vec<(Bound, Decimal)>,
}

/// A short form that is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShortError {
    /// The expression.
    #[error(transparent)]
    Filter(#[from] ExpressionError),
    /// A threshold that the attribute cannot be compared with.
    #[error("{name}: {what}")]
    Threshold {
        /// The name of the bound.
        name: String,
        /// What is wrong with the value.
        what: String,
    },
    /// There is no short form of this name.
    #[error("there is no bound '{name}'; {known}")]
    Unknown {
        /// The name.
        name: String,
        /// What was perhaps meant, and all names.
        known: String,
    },
}

impl ShortError {
    /// Says what is wrong, without the name of the bound.
    pub fn what(&self) -> String {
        match self {
            ShortError::Threshold { what, .. } => what.clone(),
            other => other.to_string(),
        }
    }
}

impl ShortForms {
    /// Sets the expression that the others are joined to.
    ///
    /// # Errors
    /// A text that is no filter.
    pub fn expression(&mut self, text: &str) -> Result<(), ExpressionError> {
        self.expression = text.parse()?;
        Ok(())
    }

    /// Sets the extractor that must take blocks for content.
    pub fn extractor(&mut self, name: &str) {
        self.extractor = Some(name.to_owned());
    }

    /// Adds a bound.
    ///
    /// # Errors
    /// A value that is no number, or none that the attribute can have.
    pub fn bound(&mut self, bound: Bound, value: &str) -> Result<(), ShortError> {
        let threshold = number(bound.attribute, value);
        let threshold = threshold.map_err(|what| ShortError::Threshold {
            name: bound.name(),
            what,
        })?;
        self.bounds.push((bound, threshold));
        Ok(())
    }

    /// Adds what a name says: `filter`, `extractor`, or a bound with hyphens or underscores.
    ///
    /// # Errors
    /// An unknown name, and a value that is none.
    pub fn add(&mut self, name: &str, value: &str) -> Result<(), ShortError> {
        match name {
            "filter" => Ok(self.expression(value)?),
            "extractor" => {
                self.extractor(value);
                Ok(())
            }
            name => match attribute::bound(name) {
                Some(bound) => self.bound(bound, value),
                None => Err(unknown(name)),
            },
        }
    }

    /// The filter that all of them make together.
    pub fn filter(self) -> Filter {
        let of = self.extractor.as_deref();
        let mut filter = self.expression;
        if let Some(name) = of {
            filter = filter.and(Filter::content(name));
        }
        for (bound, threshold) in self.bounds {
            let of = of.filter(|_| matches!(bound.attribute.kind, Kind::Confidence));
            filter = filter.and(Filter::bounded(bound, threshold, of));
        }
        filter
    }
}

impl Filter {
    /// The parts that must all hold, as short forms where there are some (`min-words=11`, `extractor=bte`), else as they are;
    /// `unfiltered` where there is none.
    pub fn short_names(&self) -> Vec<String> {
        let parts = self.node().conjuncts();
        let name = |part: &Node<Test>| match part {
            Node::Test(Test::Verdict(name)) => format!("extractor={name}"),
            Node::Test(Test::Compare(Comparison {
                attribute,
                condition: Condition::Is(operator, Literal::Number(number)),
                ..
            })) => match operator {
                Operator::AtLeast => format!("min-{}={number}", attribute.name),
                Operator::AtMost => format!("max-{}={number}", attribute.name),
                _ => part_text(part),
            },
            part => part_text(part),
        };
        match parts {
            [] => vec![super::UNFILTERED.to_owned()],
            parts => parts.iter().map(name).collect(),
        }
    }
}

/// A filter as controls have it: what has a slider or a field of its own, and the rest.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Split {
    /// Bounds of attributes that have an axis, each once, by their names (`min-words`) with their thresholds; and `extractor`.
    pub short: Vec<(String, String)>,
    /// The other parts, which must all hold.
    pub rest: Vec<Filter>,
}

impl Filter {
    /// Splits a filter, so that short forms and rest, joined by and, are the filter again.
    pub fn split(&self) -> Split {
        let extractor = self.extractor();
        let mut split = Split::default();
        for part in self.node().conjuncts() {
            let short = short_form(part, extractor);
            let taken = |name: &str| split.short.iter().any(|(known, _)| known == name);
            match short.filter(|(name, _)| !taken(name)) {
                Some(short) => split.short.push(short),
                None => split.rest.push(Filter { node: part.clone() }),
            }
        }
        split
    }
}

/// The short form of a part, where the extractor that blocks must pass is known.
fn short_form(part: &Node<Test>, extractor: Option<&str>) -> Option<(String, String)> {
    let comparison = match part {
        Node::Test(Test::Verdict(name)) => {
            let is_it = extractor == Some(name);
            return is_it.then(|| ("extractor".to_owned(), name.to_string()));
        }
        Node::Test(Test::Compare(comparison)) => comparison,
        _ => return None,
    };
    // A short form of a confidence means that of the extractor, if there is one.
    let means_it = !matches!(comparison.attribute.kind, Kind::Confidence)
        || comparison.of.as_deref() == extractor;
    let Condition::Is(operator, Literal::Number(threshold)) = &comparison.condition else {
        return None;
    };
    let side = match operator {
        Operator::AtLeast => Side::Least,
        Operator::AtMost => Side::Greatest,
        _ => return None,
    };
    let attribute = comparison.attribute;
    let bound = Bound { attribute, side };
    let has_control = means_it && attribute.axis.is_some();
    has_control.then(|| (bound.name(), threshold.to_string()))
}

fn part_text(part: &Node<Test>) -> String {
    Filter { node: part.clone() }.to_string()
}

fn unknown(name: &str) -> ShortError {
    let known: Vec<String> = attribute::bounds().map(|bound| bound.name()).collect();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    ShortError::Unknown {
        name: name.to_owned(),
        known: choice(name, &known),
    }
}

/// A filter is a text, or a table of short forms: `{ min_words = 11, extractor = "justext" }`.
impl<'de> Deserialize<'de> for Filter {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Filter, D::Error> {
        deserializer.deserialize_any(FilterVisitor)
    }
}

struct FilterVisitor;

impl<'de> Visitor<'de> for FilterVisitor {
    type Value = Filter;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a filter like \"words >= 11\", or a table of bounds like { min_words = 11 }")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Filter, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Filter, A::Error> {
        let mut forms = ShortForms::default();
        while let Some(name) = map.next_key::<String>()? {
            let Scalar(value) = map.next_value()?;
            forms.add(&name, &value).map_err(A::Error::custom)?;
        }
        Ok(forms.filter())
    }
}

/// A text or a number, as it is written.
struct Scalar(String);

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Scalar, D::Error> {
        struct ScalarVisitor;
        impl Visitor<'_> for ScalarVisitor {
            type Value = Scalar;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a text or a number")
            }
            fn visit_str<E>(self, text: &str) -> Result<Scalar, E> {
                Ok(Scalar(text.to_owned()))
            }
            fn visit_u64<E>(self, number: u64) -> Result<Scalar, E> {
                Ok(Scalar(number.to_string()))
            }
            fn visit_i64<E>(self, number: i64) -> Result<Scalar, E> {
                Ok(Scalar(number.to_string()))
            }
            fn visit_f64<E>(self, number: f64) -> Result<Scalar, E> {
                // The shortest decimal that is this number: what was written, for any that was.
                Ok(Scalar(number.to_string()))
            }
        }
        deserializer.deserialize_any(ScalarVisitor)
    }
}
