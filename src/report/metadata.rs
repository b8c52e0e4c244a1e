//! How often titles, authors and days are right, as tables and JSON.

use crate::scoring::{FIELDS, FieldScore, MetadataScore};
use serde_json::{Value, json as object};

use super::table::{Align, Table};

fn share(part: usize, of: usize) -> String {
    match of {
        0 => "-".to_owned(),
        of => format!("{:.1}", 100.0 * part as f64 / of as f64),
    }
}

/// A table of all, and one of the sources of what `trommel` reads.
pub fn text(scores: &[MetadataScore]) -> String {
    let pages = scores.first().map_or(0, |score| score.pages);
    let mut table = Table::new([
        "",
        "field",
        "gold",
        "right %",
        "of found %",
        "none",
        "extra %",
    ]);
    table.align = vec![Align::Left, Align::Left];
    let mut sources = Table::new(["source", "field", "found", "right %"]);
    sources.align = vec![Align::Left, Align::Left];
    for score in scores {
        for (name, it) in FIELDS.iter().zip(&score.fields) {
            table.push([
                score.name.clone(),
                (*name).to_owned(),
                it.gold.to_string(),
                share(it.right, it.gold),
                share(it.right, it.found),
                it.none.to_string(),
                share(it.extra, it.none),
            ]);
            for (source, (found, right)) in &it.by_source {
                sources.push([
                    source.clone(),
                    (*name).to_owned(),
                    found.to_string(),
                    share(*right, *found),
                ]);
            }
        }
    }
    format!(
        "{pages} pages. gold: pages of which the gold standard has the value; right: of these,\n\
         pages with the right one; of found: of the values found on these; extra: of the\n\
         pages of which it has none, those where one was found.\n\n{}\n{}",
        table.text(),
        sources.text()
    )
}

/// One object for each.
pub fn json(score: &MetadataScore) -> Value {
    let field = |it: &FieldScore| {
        let sources = it.by_source.iter();
        let sources = sources.map(|(name, (found, right))| {
            (name.clone(), object!({"found": found, "right": right}))
        });
        object!({
            "gold": it.gold, "found": it.found, "right": it.right, "none": it.none, "extra": it.extra,
            "sources": sources.collect::<serde_json::Map<String, Value>>(),
        })
    };
    let fields = FIELDS
        .iter()
        .zip(&score.fields)
        .map(|(name, it)| ((*name).to_owned(), field(it)));
    object!({
        "name": score.name, "pages": score.pages,
        "fields": fields.collect::<serde_json::Map<String, Value>>(),
    })
}
