//! Onion against the published run of jusText and Onion: on the same text that the authors of GoldMiner gave theirs.

use std::collections::BTreeMap;
use std::fs;

use tempfile::TempDir;
use trommel::extractor::{self, Subject};
use trommel::html::{Limits, parse_text};
use trommel::page::Page;
use trommel::score::{self, Counts, Summary, Text};
use trommel::scoring::extracted;

use crate::support::{shared, tar_gz};

/// A page of the paragraphs, headings and list items of a published output, which `<p>`, `<h>` and `<l>` begin. Bytes become the
/// characters of their numbers, so that what comes back can be compared with the gold text byte by byte.
fn page(output: &[u8]) -> Page {
    let text: String = output.iter().map(|byte| char::from(*byte)).collect();
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("URL"));
    let text = lines.collect::<Vec<_>>().join("\n");
    let mut markup = String::from("<body>");
    for part in text.split('<') {
        let (tag, text) = match part.split_at_checked(2) {
            Some(("p>", text)) => ("p", text),
            Some(("h>", text)) => ("h1", text),
            Some(("l>", text)) => ("li", text),
            _ => ("p", part),
        };
        let text = text.replace('&', "&amp;");
        markup += &format!("<{tag}>{text}</{tag}>\n");
    }
    parse_text(&markup, &Limits::default())
}

fn bytes(text: &str) -> Vec<u8> {
    text.chars().map(|c| c as u32 as u8).collect()
}

/// GoldMiner, Table III: F 91.16 of jusText and Onion, here on the text of their jusText, so that nothing but Onion differs. A page
/// may repeat itself, as it does in their outputs.
#[test]
fn onion_on_published_justext() {
    let Some(archive) = shared("reference/published/cleanportaleval/justext.tar.gz") else {
        return;
    };
    let Some(gold) = shared("corpora/cleanportaleval/gold") else {
        return;
    };
    let pages: BTreeMap<String, Page> = tar_gz(&archive)
        .into_iter()
        .map(|(name, output)| (name, page(&output)))
        .collect();
    let mut learner = extractor::learner("onion:base=keep-everything,same-page=no").unwrap();
    for (name, page) in &pages {
        learner.add(&Subject::new(page, name, ""));
    }
    let directory = TempDir::new().unwrap();
    let model = directory.path().join("model.json");
    fs::write(&model, learner.finish().unwrap()).unwrap();
    let onion = extractor::parse(&format!("onion:{}", model.display())).unwrap();
    let evert = score::by_name("evert").unwrap();
    let mut counts: Vec<Counts> = Vec::new();
    for (name, page) in &pages {
        let Ok(gold) = fs::read(gold.join(name)) else {
            continue;
        };
        let output = extracted(&onion, &Subject::new(page, name, ""));
        let marked = |marked: Vec<u8>| Text {
            plain: String::new(),
            marked,
        };
        let output = bytes(std::str::from_utf8(&output.marked).unwrap());
        counts.push((evert.compare)(&marked(output), &marked(gold)));
    }
    let average = Summary::of(&counts).micro_average;
    let [f, p, r] = [average.f1, average.precision, average.recall].map(|x| 100.0 * x);
    eprintln!(
        "onion on published jusText: F {f:.2} P {p:.2} R {r:.2}, published 91.16 86.48 96.38"
    );
    assert!((f - 91.16).abs() <= 1.0, "{f}");
}
