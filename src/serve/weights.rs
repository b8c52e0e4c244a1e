//! `/api/weights`: what weights are, in their own words, and as the controls of the web page have them.

use serde::Serialize;

use super::parameters::Parameters;
use super::problem::Problem;
use super::site::Site;
use crate::attribute::Kind;
use crate::filter::{Condition, Literal, Node, Operator, Test};
use crate::text::Decimal;
use crate::weight::{Expression, Power, Subject, Weights};

#[derive(Serialize)]
pub struct Answer {
    /// As they are written; none where all blocks count alike.
    weights: Option<Weights>,
    /// None if they are not of the form that the controls write.
    panel: Option<Panel>,
}

/// A factor by a confidence times a factor by the tag, of which each may be missing:
/// `max(confidence(NAME), FLOOR) * (if tag in (h1, h2) then N else if tag = li then M else 1)`.
#[derive(Debug, Default, Serialize)]
struct Panel {
    /// The extractor whose confidence is a factor.
    confidence_of: Option<String>,
    /// The least that this factor is.
    floor: Option<Decimal>,
    /// Factors of tags; that of all others is 1. No tag stands in two of them, so that their order says nothing.
    tags: Vec<TagFactor>,
}

#[derive(Debug, Serialize)]
struct TagFactor {
    tags: Vec<String>,
    weight: Decimal,
}

pub fn weights(site: &Site, mut parameters: Parameters) -> Result<Answer, Problem> {
    let weights: Weights = parameters.value("weights")?.unwrap_or_default();
    parameters.finish()?;
    site.index().require_weights(&weights)?;
    Ok(Answer {
        panel: panel(weights.expression()),
        weights: (!weights.is_one()).then_some(weights),
    })
}

fn panel(expression: &Expression<Subject, Test>) -> Option<Panel> {
    if is_one(expression) {
        return Some(Panel::default());
    }
    let factors = match expression {
        Expression::Product(factors) => factors
            .iter()
            .map(|(power, factor)| matches!(power, Power::Times).then_some(factor))
            .collect::<Option<Vec<_>>>()?,
        other => vec![other],
    };
    let (by_confidence, by_tag) = match factors[..] {
        [both, by_tag] => (Some(confidence(both)?), tag_factors(by_tag)?),
        [only] => match confidence(only) {
            Some(confidence) => (Some(confidence), Vec::new()),
            None => (None, tag_factors(only)?),
        },
        _ => return None,
    };
    let (confidence_of, floor) = by_confidence.unzip();
    Some(Panel {
        confidence_of,
        floor,
        tags: by_tag,
    })
}

fn is_one(expression: &Expression<Subject, Test>) -> bool {
    matches!(expression, Expression::Number(number) if number.decimal == Decimal::whole(1))
}

/// `confidence(NAME)`, or the greater of that and a number up to 1.
fn confidence(factor: &Expression<Subject, Test>) -> Option<(String, Decimal)> {
    let (subject, floor) = match factor {
        Expression::Value(subject) => (subject, Decimal::whole(0)),
        Expression::Greatest(parts) => match &parts[..] {
            [Expression::Value(subject), Expression::Number(floor)] => (subject, floor.decimal),
            _ => return None,
        },
        _ => return None,
    };
    let is_confidence = matches!(subject.attribute.kind, Kind::Confidence);
    let of = subject.of.as_deref().filter(|_| is_confidence)?;
    (floor <= Decimal::whole(1)).then(|| (of.to_owned(), floor))
}

/// `if tag in (h1, h2) then N else if tag = li then M else 1`.
fn tag_factors(factor: &Expression<Subject, Test>) -> Option<Vec<TagFactor>> {
    let mut factors: Vec<TagFactor> = Vec::new();
    let mut rest = factor;
    while let Expression::If(choice) = rest {
        let Expression::Number(weight) = &choice.then else {
            return None;
        };
        let tags = tags(&choice.test)?;
        let known = factors.iter().flat_map(|factor| &factor.tags);
        if known.clone().any(|tag| tags.contains(tag)) {
            return None;
        }
        factors.push(TagFactor {
            tags,
            weight: weight.decimal,
        });
        rest = &choice.otherwise;
    }
    (is_one(rest) && !factors.is_empty()).then_some(factors)
}

/// The tags that a test is true of, if it is `tag = …` or `tag in (…)`.
fn tags(test: &Node<Test>) -> Option<Vec<String>> {
    let Node::Test(Test::Compare(comparison)) = test else {
        return None;
    };
    if !matches!(comparison.attribute.kind, Kind::Tag) {
        return None;
    }
    let word = |literal: &Literal| match literal {
        Literal::Word(word) => Some(word.to_string()),
        _ => None,
    };
    match &comparison.condition {
        Condition::Is(Operator::Equal, literal) => Some(vec![word(literal)?]),
        Condition::Is(..) => None,
        Condition::In(items) => {
            let single = items.iter().map(|(from, to)| match to {
                None => word(from),
                Some(_) => None,
            });
            let mut tags = Vec::new();
            for tag in single {
                let tag = tag?;
                if !tags.contains(&tag) {
                    tags.push(tag);
                }
            }
            Some(tags)
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &Value) {
        let weights: Weights = text.parse().unwrap_or_else(|error| panic!("{error}"));
        let found = serde_json::to_value(panel(weights.expression())).unwrap();
        assert_eq!(found, *expected, "{text}");
    }

    #[test]
    fn what_the_panel_writes_is_read_back() {
        let none = json!({"confidence_of": null, "floor": null, "tags": []});
        check("1", &none);
        check("1.0", &none);
        check(
            "confidence(trommel)",
            &json!({"confidence_of": "trommel", "floor": "0", "tags": []}),
        );
        check(
            "max(confidence(justext:language=German), .10)",
            &json!({"confidence_of": "justext:language=German", "floor": "0.1", "tags": []}),
        );
        check(
            "if tag = TITLE then 3 else 1",
            &json!({"confidence_of": null, "floor": null, "tags": [{"tags": ["title"], "weight": "3"}]}),
        );
        check(
            "max(confidence(trommel), 0.1) * (if tag in (h1, h2) then 4 else if tag = title then 2.5 else 1)",
            &json!({
                "confidence_of": "trommel",
                "floor": "0.1",
                "tags": [{"tags": ["h1", "h2"], "weight": "4"}, {"tags": ["title"], "weight": "2.5"}],
            }),
        );
    }

    #[test]
    fn other_expressions_are_not_the_panels() {
        for text in [
            "2",
            "words",
            "confidence",
            "max(confidence, 0.1)",
            "max(0.1, confidence(a))",
            "max(confidence(a), 1.5)",
            "min(confidence(a), 0.1)",
            "max(words, 1)",
            "confidence(a) / 2",
            "confidence(a) + (if tag = p then 2 else 1)",
            "(if tag = p then 2 else 1) * confidence(a)",
            "confidence(a) * confidence(b)",
            "confidence(a) * (if tag = p then 2 else 1) * 1",
            "confidence(a) / (if tag = p then 2 else 1)",
            "if tag = p then 2 else 0",
            "if tag = p then words else 1",
            "if tag != p then 2 else 1",
            "if not tag = p then 2 else 1",
            "if tag = p or tag = li then 2 else 1",
            "if host = p then 2 else 1",
            "if words >= 5 then 2 else 1",
            "if a then 2 else 1",
            "if tag = p then (if tag = li then 2 else 1) else 1",
            // The second choice says nothing of the tag that both name.
            "if tag = h1 then 4 else if tag in (h1, h2) then 2 else 1",
        ] {
            check(text, &Value::Null);
        }
    }
}
