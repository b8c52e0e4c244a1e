//! Our extractors and their originals against the same gold standards: as good as the originals, page for page.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use trommel::extractor::{self, Extractor, Subject};
use trommel::gold::{self, pairs};
use trommel::html::{self, Charset, Limits};
use trommel::score::{self, Counts, Summary, Text};
use trommel::scoring::extracted;

use crate::boilerpipe_reference::reference;
use crate::extractors_justext;
use crate::support::shared;

/// Each extractor with the name of its text in the original's output.
const BOILERPIPE: [(&str, &str); 7] = [
    ("keep-everything", "keepeverything"),
    ("boilerpipe-numwords", "numwordsrules"),
    ("boilerpipe-default", "default"),
    ("boilerpipe-article", "article"),
    ("boilerpipe-sentences", "articlesentences"),
    ("boilerpipe-largest", "largest"),
    ("boilerpipe-canola", "canola"),
];

/// How far from the original an average may be, in points of F1.
const TOLERANCE: f64 = 0.7;

/// The text of each page as an original gave it; none where it gave none.
type Outputs = BTreeMap<String, String>;

/// The originals' outputs by our names of the extractors.
fn originals(corpus: &str) -> Option<Vec<(&'static str, Outputs)>> {
    let boilerpipe = shared(&format!("reference/boilerpipe-1.2.0/{corpus}.jsonl.gz"))?;
    let justext = shared(&format!("reference/justext-3.0.2/{corpus}.jsonl.gz"))?;
    let pages = reference(&boilerpipe);
    let mut originals: Vec<(&str, Outputs)> = BOILERPIPE
        .iter()
        .map(|(ours, theirs)| {
            let text = |page: &crate::boilerpipe_reference::ReferencePage| {
                (page.page.clone(), page.texts[*theirs].clone())
            };
            (*ours, pages.iter().map(text).collect())
        })
        .collect();
    let justext = extractors_justext::reference(&justext);
    let text = |page: &extractors_justext::ReferencePage| (page.page.clone(), page.good_text());
    originals.push(("justext", justext.iter().map(text).collect()));
    Some(originals)
}

/// For each extractor the counts of our output and the original's against the gold text, for each page that has one.
fn compare(
    corpus: &Path,
    folder: &str,
    format: &str,
    originals: &[(&str, Outputs)],
) -> Vec<Vec<(Counts, Counts)>> {
    let measure = score::by_name("words").unwrap();
    let format = gold::by_name(format).unwrap();
    let plain = |plain: &str| Text {
        plain: plain.to_owned(),
        marked: Vec::new(),
    };
    let extractors: Vec<Extractor> = originals
        .iter()
        .map(|(name, _)| extractor::parse(name).unwrap())
        .collect();
    let mut counts = vec![Vec::new(); originals.len()];
    for pair in pairs(Some(&corpus.join(folder)), &corpus.join("html")).unwrap() {
        let gold = (format.read)(&fs::read(pair.gold.unwrap()).unwrap(), Charset::Auto)
            .unwrap()
            .text;
        if (measure.compare)(&gold, &gold).gold == 0 {
            continue;
        }
        let utf8 = Charset::Fixed(encoding_rs::UTF_8);
        let markup = fs::read(pair.page).unwrap();
        let page = html::parse(&markup, utf8, None, &Limits::default());
        let subject = Subject::new(&page, &pair.name, "");
        for (at, (_, outputs)) in originals.iter().enumerate() {
            let ours = extracted(&extractors[at], &subject);
            let theirs = plain(&outputs[&pair.name]);
            let ours = (measure.compare)(&ours, &gold);
            counts[at].push((ours, (measure.compare)(&theirs, &gold)));
        }
    }
    counts
}

/// Macro and micro F1 in percent, ours and the original's.
fn averages(counts: &[(Counts, Counts)]) -> [(f64, f64); 2] {
    let (ours, theirs): (Vec<Counts>, Vec<Counts>) = counts.iter().copied().unzip();
    let (ours, theirs) = (Summary::of(&ours), Summary::of(&theirs));
    let percent = |get: fn(&Summary) -> f64| (100.0 * get(&ours), 100.0 * get(&theirs));
    [
        percent(|summary| summary.macro_average.f1),
        percent(|summary| summary.micro_average.f1),
    ]
}

/// No average lies more than [`TOLERANCE`] below the original's; where one lies more than that above it, this comes from
/// pages of which the original gives no text, or a part of the text only: on the others the two agree.
#[track_caller]
fn check(corpus: &str, folder: &str, format: &str) {
    let Some(path) = shared(&format!("corpora/{corpus}")) else {
        return;
    };
    let Some(originals) = originals(corpus) else {
        return;
    };
    let counts = compare(&path, folder, format, &originals);
    for ((name, _), all) in originals.iter().zip(counts) {
        let answered: Vec<(Counts, Counts)> = all
            .iter()
            .copied()
            .filter(|(ours, theirs)| theirs.output > 0 || ours.output == 0)
            .collect();
        let [macro_f1, micro_f1] = averages(&all);
        eprintln!(
            "{corpus} {name}: macro {:.2} (original {:.2}), micro {:.2} (original {:.2}); {} of {} pages without output of the original",
            macro_f1.0,
            macro_f1.1,
            micro_f1.0,
            micro_f1.1,
            all.len() - answered.len(),
            all.len(),
        );
        for (average, (ours, theirs)) in averages(&all).iter().zip(averages(&answered)) {
            assert!(average.0 - average.1 >= -TOLERANCE, "{corpus} {name}");
            assert!(
                (ours - theirs).abs() <= TOLERANCE,
                "{corpus} {name}: {ours} {theirs}"
            );
        }
    }
}

#[test]
fn gn1() {
    check("gn1", "annotated", "gn1");
}

#[test]
fn cleaneval() {
    check("cleaneval", "gold", "cleaneval");
}

#[test]
fn cleanportaleval() {
    check("cleanportaleval", "gold", "cleaneval");
}

#[test]
fn dragnet() {
    check("dragnet", "gold", "text");
}
