//! Blocks and what extractors say of them as columns of Arrow.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, StringArray, UInt32Array};
use trommel_extract::Verdicts;
use trommel_page::Block;
use trommel_page::attribute::{self, Attribute, Count, Kind, Number, Place};

/// A column and its name.
pub type Column = (String, ArrayRef);

/// `block` (the number of a block on its page), `text`, `tag`, and every number of the table of attributes: its integers, and the quotients of them.
pub fn of_blocks(places: &[Place<'_>]) -> Vec<Column> {
    let strings = |of: fn(&Block) -> &str| -> ArrayRef {
        let values = places.iter().map(|place| of(place.block));
        Arc::new(StringArray::from_iter_values(values))
    };
    let mut columns: Vec<Column> = vec![
        ("block".to_owned(), integers(places, Count::Position)),
        ("text".to_owned(), strings(|block| &block.text)),
        ("tag".to_owned(), strings(|block| block.tag.name())),
    ];
    for attribute in attribute::all() {
        let Kind::Number(number) = &attribute.kind else {
            continue;
        };
        // Its number is the first column.
        if number.numerator == Count::Position {
            continue;
        }
        for count in [number.numerator, number.denominator] {
            if let Count::Stored(column) = count
                && columns.iter().all(|(name, _)| name != column.field)
            {
                columns.push((column.field.to_owned(), integers(places, count)));
            }
        }
        let name = name_of(attribute);
        if columns.iter().all(|(known, _)| *known != name) {
            columns.push((name, numbers(places, number)));
        }
    }
    columns
}

/// The name of an attribute's column, which is a word of many languages.
fn name_of(attribute: &Attribute) -> String {
    match &attribute.kind {
        Kind::Number(Number {
            numerator: Count::Stored(column),
            denominator: Count::One,
            ..
        }) => column.field.to_owned(),
        // As it is called where it comes from.
        _ if attribute.name == "density" => "text_density".to_owned(),
        _ => attribute.name.replace('-', "_"),
    }
}

fn integers(places: &[Place<'_>], count: Count) -> ArrayRef {
    let values = places.iter().map(|place| place.count(count));
    Arc::new(UInt32Array::from_iter_values(values))
}

fn numbers(places: &[Place<'_>], number: &Number) -> ArrayRef {
    if number.denominator == Count::One {
        return integers(places, number.numerator);
    }
    let quotient = |place: &Place| match place.count(number.denominator) {
        0 => 0.0,
        below => f64::from(place.count(number.numerator)) / f64::from(below),
    };
    Arc::new(Float64Array::from_iter_values(places.iter().map(quotient)))
}

/// What an extractor says of some blocks of some pages: `content(NAME)`, and `confidence(NAME)` if it gives confidences. Each block is
/// given by what the extractor says of its page, and by its number there.
pub fn of_verdicts(
    name: &str,
    gives_confidences: bool,
    blocks: &[(&Verdicts, usize)],
) -> Vec<Column> {
    let content = blocks.iter().map(|(of, at)| Some(of.is_content(*at)));
    let content: BooleanArray = content.collect();
    let mut columns: Vec<Column> = vec![(format!("content({name})"), Arc::new(content))];
    if gives_confidences {
        let confidences = blocks.iter().map(|(of, at)| of.confidence(*at));
        let confidences: Float64Array = confidences.map(|it| it.map(|it| it.to_f64())).collect();
        columns.push((format!("confidence({name})"), Arc::new(confidences)));
    }
    columns
}
