//! What runs are called in their last column, if nobody names them.

use crate::index::{Model, Stats};
use crate::text::fnv1a;
use crate::weight::Sieve;

/// Bytes of a tag, with its hash: tables have room for it.
const LONGEST_TAG: usize = 60;

/// Digits of the hash of what a tag cannot say.
const DIGITS: usize = 8;

/// A run tag that says model and filter: `bm25`, `bm25.min-words=11`, `qld-mu=2500.justext`. It has letters, digits and `=.,_+-`, and
/// at most 60 of them. Where it cannot say all, a hash stands behind it, so that what ranks differently is called differently.
/// Parameters that are all a model's defaults are left out.
pub fn run_tag(sieve: &Sieve, model: &Model, stats: &Stats) -> String {
    let mut parts = vec![model_name(model)];
    parts.extend(sieve.filter.short_names());
    // What the unfiltered search is called says nothing beside a model.
    if sieve.filter.is_empty() {
        parts.truncate(1);
    }
    if !sieve.weights.is_one() {
        parts.push(format!("weights={}", sieve.weights));
    }
    if *stats != Stats::Subset {
        parts.push(format!("stats={stats}"));
    }
    let text = parts.join(" ");
    // The colon behind a model's name is no more than a mark between the two.
    let is_said = parts.iter().enumerate().all(|(at, part)| {
        let mut chars = part.chars();
        chars.all(|c| is_in_names(c) && c != '_' || at == 0 && c == ':')
    });
    let name: Vec<String> = parts
        .iter()
        .map(|part| part.chars().map(in_name).collect())
        .collect();
    let mut name = name.join(".");
    if !is_said || name.len() > LONGEST_TAG {
        name.truncate(LONGEST_TAG - DIGITS - 1);
        let hash = fnv1a(text.as_bytes()) >> (64 - 4 * DIGITS);
        name += &format!("-{hash:0DIGITS$x}");
    }
    name
}

/// A model by its name alone where its parameters are the defaults.
fn model_name(model: &Model) -> String {
    let printed = model.to_string();
    let formula = printed.split(':').next().unwrap_or_default();
    let names = [formula.to_owned(), format!("{formula}+rm3")];
    let is_default = |name: &String| name.parse::<Model>().is_ok_and(|other| other == *model);
    names.into_iter().find(is_default).unwrap_or(printed)
}

/// A character as names of files and tags have it.
pub(super) fn in_name(c: char) -> char {
    match c {
        c if is_in_names(c) => c,
        ' ' => '_',
        _ => '-',
    }
}

fn is_in_names(c: char) -> bool {
    c.is_ascii_alphanumeric() || "=.,_+-".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(filter: &str, weights: &str, model: &str, stats: &str) -> String {
        let sieve = Sieve {
            filter: filter.parse().unwrap(),
            weights: weights.parse().unwrap(),
        };
        run_tag(&sieve, &model.parse().unwrap(), &stats.parse().unwrap())
    }

    #[test]
    fn tags_say_model_and_filter() {
        for (filter, model, expected) in [
            ("unfiltered", "bm25", "bm25"),
            ("unfiltered", "bm25:k1=0.9,b=0.4", "bm25"),
            ("words >= 11", "bm25", "bm25.min-words=11"),
            ("words >= 11", "qld+rm3", "qld+rm3.min-words=11"),
            ("unfiltered", "bm25:k1=1.2", "bm25-k1=1.2,b=0.4"),
            (
                "words >= 11 and link-density <= 0.33",
                "tfidf",
                "tfidf.min-words=11.max-link-density=0.33",
            ),
            ("justext", "qld:mu=2500", "qld-mu=2500.extractor=justext"),
        ] {
            assert_eq!(tag(filter, "1", model, "subset"), expected);
        }
    }

    #[test]
    fn what_differs_is_called_differently() {
        let long = |last: u32| format!("{}words > {last}", "words > 1 or ".repeat(40));
        let tags = [
            tag("unfiltered", "1", "bm25", "subset"),
            tag("unfiltered", "1", "bm25", "collection"),
            tag("unfiltered", "1", "bm25", "words >= 2"),
            tag("unfiltered", "1", "bm25", "words <= 2"),
            tag("unfiltered", "words / 10", "bm25", "subset"),
            tag("unfiltered", "words * 10", "bm25", "subset"),
            tag("unfiltered", "1", "bm25+rm3:weight=0.4", "subset"),
            tag("unfiltered", "1", "bm25+rm3", "subset"),
            tag("words > 11", "1", "bm25", "subset"),
            tag("words < 11", "1", "bm25", "subset"),
            tag("words >= 11", "1", "bm25", "subset"),
            tag("\"a b\"", "1", "bm25", "subset"),
            tag("a_b", "1", "bm25", "subset"),
            tag(&long(7), "1", "bm25", "subset"),
            tag(&long(8), "1", "bm25", "subset"),
        ];
        for (number, one) in tags.iter().enumerate() {
            assert!(one.len() <= LONGEST_TAG, "{one}");
            assert!(one.chars().all(is_in_names), "{one}");
            assert!(!tags[..number].contains(one), "{one}");
        }
    }
}
