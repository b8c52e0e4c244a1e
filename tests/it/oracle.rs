//! A second reading of filters, for tests: as plain as it can be, and sharing nothing with the program's but the expression.

use trommel::filter::{Comparison, Condition, Literal, Node, Operator, Test};
use trommel::page::{Block, DensityUnit};

/// A page with all that a filter may ask of it.
pub struct Seen<'a> {
    pub blocks: &'a [Block],
    pub unit: DensityUnit,
    /// Host, site, media type, language, date; empty where there is none.
    pub facts: [String; 5],
    /// Does an extractor take a block for content?
    pub verdict: &'a dyn Fn(&str, usize) -> bool,
    /// The confidence of an extractor, or of the one that is meant without a name, in hundredths.
    pub confidence: &'a dyn Fn(Option<&str>, usize) -> u32,
}

/// A value as the tests see it.
enum Value {
    /// Billionths, rounded down, and whether something was left.
    Number(i128, bool),
    Word(String),
    None,
}

/// Does a block of a page pass?
pub fn holds(node: &Node<Test>, page: &Seen, at: usize) -> bool {
    let passes = |part: &Node<Test>| holds(part, page, at);
    match node {
        Node::And(parts) => parts.iter().filter(|part| passes(part)).count() == parts.len(),
        Node::Or(parts) => parts.iter().filter(|part| passes(part)).count() > 0,
        Node::AtLeast(least, parts) => {
            parts.iter().filter(|part| passes(part)).count() >= *least as usize
        }
        Node::Not(part) => !passes(part),
        Node::Test(Test::Verdict(name)) => (page.verdict)(name, at),
        Node::Test(Test::Compare(comparison)) => {
            meets(&comparison.condition, &value(comparison, page, at))
        }
    }
}

fn value(comparison: &Comparison, page: &Seen, at: usize) -> Value {
    let block = &page.blocks[at];
    let before: u32 = page.blocks[..at].iter().map(|block| block.num_words).sum();
    let all: u32 = page.blocks.iter().map(|block| block.num_words).sum();
    let units = match page.unit {
        DensityUnit::Words => block.num_words,
        DensityUnit::Tokens => block.num_tokens,
    };
    let [host, site, media_type, language, date] = &page.facts;
    let word = |word: &str| match word {
        "" => Value::None,
        word => Value::Word(word.to_owned()),
    };
    match comparison.attribute.name {
        "words" => quotient(block.num_words, 1),
        "tokens" => quotient(block.num_tokens, 1),
        "linked-words" => quotient(block.num_linked_words, 1),
        "link-density" => quotient(block.num_linked_words, units),
        "density" => quotient(block.num_words_in_full_lines, block.num_lines),
        "lines" => quotient(block.num_lines, 1),
        "chars" => {
            let chars = block
                .text
                .split_whitespace()
                .map(|word| word.chars().count());
            quotient(chars.sum::<usize>() as u32, 1)
        }
        "commas" => {
            let is_comma = |c: &char| matches!(c, ',' | '、' | '，' | '،');
            quotient(block.text.chars().filter(is_comma).count() as u32, 1)
        }
        "position" => quotient(at as u32, 1),
        "position-share" => quotient(before, all),
        "page-words" => quotient(all, 1),
        "tag" => Value::Word(block.tag.name().to_owned()),
        "confidence" => quotient((page.confidence)(comparison.of.as_deref(), at), 100),
        "host" => word(host),
        "site" => word(site),
        "media-type" => word(media_type),
        "language" => word(language),
        "date" => word(date.get(..10).unwrap_or_default()),
        other => panic!("the oracle does not know '{other}'"),
    }
}

fn quotient(numerator: u32, denominator: u32) -> Value {
    let (numerator, denominator) = match denominator {
        0 => (0, 1),
        denominator => (
            i128::from(numerator) * 1_000_000_000,
            i128::from(denominator),
        ),
    };
    Value::Number(numerator / denominator, numerator % denominator != 0)
}

/// Less, equal or greater than a literal, as -1, 0 and 1; none if there is no value.
fn compared(value: &Value, literal: &Literal) -> Option<i32> {
    let sign = |less: bool, greater: bool| i32::from(greater) - i32::from(less);
    match (value, literal) {
        (Value::None, _) => None,
        (Value::Number(billionths, more), Literal::Number(number)) => {
            let text = number.to_string();
            let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
            let other: i128 = format!("{whole}{fraction:0<9}").parse().unwrap();
            Some(sign(
                *billionths < other,
                *billionths > other || *billionths == other && *more,
            ))
        }
        (Value::Word(day), Literal::Span(span)) => Some(sign(
            *day < span.first.to_string(),
            *day > span.last.to_string(),
        )),
        (Value::Word(word), Literal::Word(other)) => Some(sign(**word < **other, **word > **other)),
        _ => panic!("these are not compared"),
    }
}

fn meets(condition: &Condition, value: &Value) -> bool {
    match condition {
        Condition::Is(operator, literal) => {
            let order = compared(value, literal);
            match operator {
                Operator::Equal => order == Some(0),
                Operator::Unequal => order != Some(0),
                Operator::Less => order == Some(-1),
                Operator::AtMost => matches!(order, Some(-1 | 0)),
                Operator::Greater => order == Some(1),
                Operator::AtLeast => matches!(order, Some(0 | 1)),
            }
        }
        Condition::In(items) => items.iter().any(|(from, to)| match to {
            None => compared(value, from) == Some(0),
            Some(to) => {
                matches!(compared(value, from), Some(0 | 1))
                    && matches!(compared(value, to), Some(-1 | 0))
            }
        }),
    }
}
