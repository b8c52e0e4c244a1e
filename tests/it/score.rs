//! Measures on texts, against published figures and reference outputs.

use std::fs::File;
use std::io::Read;

use rayon::prelude::*;
use trommel::gold;
use trommel::html::Charset;
use trommel::score::{self, Counts, Summary, Text};

use crate::support::{shared, tar_gz};

/// Evert's metric of published outputs: F, precision and recall in percent, and pages.
fn published(corpus: &str, tool: &str) -> Option<(Summary, usize)> {
    let archive = shared(&format!("reference/published/{corpus}/{tool}.tar.gz"))?;
    let gold = shared(&format!("corpora/{corpus}/gold"))?;
    let evert = score::by_name("evert").unwrap();
    let marked = |bytes: Vec<u8>| Text {
        plain: String::new(),
        marked: bytes,
    };
    let files = tar_gz(&archive);
    let pages: Vec<Counts> = files
        .into_par_iter()
        .filter_map(|(name, output)| {
            let gold = std::fs::read(gold.join(name)).ok()?;
            Some((evert.compare)(&marked(output), &marked(gold)))
        })
        .collect();
    Some((Summary::of(&pages), pages.len()))
}

#[track_caller]
fn check_published(corpus: &str, tool: &str, f: f64, tolerance: f64, pages: usize) {
    let Some((summary, n)) = published(corpus, tool) else {
        return;
    };
    let average = summary.micro_average;
    eprintln!(
        "{corpus} {tool}: F {:.4} P {:.4} R {:.4} on {n} pages",
        100.0 * average.f1,
        100.0 * average.precision,
        100.0 * average.recall
    );
    assert!((100.0 * average.f1 - f).abs() <= tolerance, "{tool}");
    assert_eq!(n, pages, "{tool}");
}

/// GoldMiner, Table III, to two decimals.
#[test]
fn evert_on_cleanportaleval() {
    for (tool, f, pages) in [
        ("justext", 87.26, 70),
        ("justext+onion", 91.16, 70),
        ("goldminer", 98.32, 70),
        ("goldminer+onion", 97.77, 70),
        ("boilerpipe", 90.68, 71),
        ("bte", 81.63, 70),
    ] {
        check_published("cleanportaleval", tool, f, 0.005, pages);
    }
}

/// GoldMiner, Table II: F, precision and recall in percent. The gold texts of pages 100 to 102, which the authors had (§IV.A
/// speaks of them), are not in the corpus here, so every tool is scored on three pages less than it answered. What is left lies
/// within .025 of the published figures. And one length of the three missing texts makes all 18 figures come out to two
/// decimals, if only each tool's output of these pages matches a fitting number of their words.
///
/// With the gold texts that the authors published beside their outputs (github.com/ppke-nlpg/boilerplateResults, 684 files) in
/// place of the corpus's, all figures are exact; the test then asks for that.
#[test]
fn evert_on_cleaneval() {
    let tools = [
        ("justext", [93.61, 95.29, 91.99], 665),
        ("justext+onion", [93.24, 95.51, 91.08], 665),
        ("goldminer", [93.40, 95.32, 91.55], 602),
        ("goldminer+onion", [93.08, 95.49, 90.78], 602),
        ("boilerpipe", [83.49, 95.15, 74.38], 671),
        ("bte", [91.09, 90.50, 91.68], 665),
    ];
    let mut scored = Vec::new();
    for (tool, figures, pages) in tools {
        if shared("corpora/cleaneval/gold/100.txt").is_some() {
            check_published("cleaneval", tool, figures[0], 0.005, pages + 3);
            continue;
        }
        check_published("cleaneval", tool, figures[0], 0.025, pages);
        let Some((known, missing)) = sums(tool) else {
            return;
        };
        scored.push((figures, known, missing));
    }
    if scored.is_empty() {
        return;
    }
    let close = |value: f64, figure: f64| (100.0 * value - figure).abs() <= 0.005;
    let fits = |gold: u64| {
        scored.iter().all(|(figures, known, missing)| {
            (0..=*missing.min(&gold)).any(|common| {
                let counts = Counts {
                    common: known.common + common,
                    output: known.output + missing,
                    gold: known.gold + gold,
                };
                close(counts.f1(), figures[0])
                    && close(counts.precision(), figures[1])
                    && close(counts.recall(), figures[2])
            })
        })
    };
    let lengths: Vec<u64> = (0..10_000).filter(|gold| fits(*gold)).collect();
    eprintln!(
        "words of the missing gold texts: {:?} to {:?}",
        lengths.first(),
        lengths.last()
    );
    assert!(!lengths.is_empty());
}

/// A tool's counts on the pages of CleanEval that have gold texts, and the words of its output for those that have none.
fn sums(tool: &str) -> Option<(Counts, u64)> {
    let archive = shared(&format!("reference/published/cleaneval/{tool}.tar.gz"))?;
    let gold_folder = shared("corpora/cleaneval/gold")?;
    let evert = score::by_name("evert").unwrap();
    let marked = |bytes: Vec<u8>| Text {
        plain: String::new(),
        marked: bytes,
    };
    let files = tar_gz(&archive);
    let missing = ["100.txt", "101.txt", "102.txt"];
    let words = missing.iter().map(|name| {
        let output = marked(files[*name].clone());
        (evert.compare)(&output, &Text::default()).output
    });
    let words = words.sum();
    let known = files
        .into_par_iter()
        .filter_map(|(name, output)| {
            let gold = std::fs::read(gold_folder.join(name)).ok()?;
            Some((evert.compare)(&marked(output), &marked(gold)))
        })
        .collect::<Vec<_>>();
    Some((known.into_iter().sum(), words))
}

/// The measure of the peers' table on the original's output.
fn peer(
    corpus: &str,
    format: &str,
    text: impl Fn(&serde_json::Value) -> String + Sync,
) -> Option<Summary> {
    let reference = shared(&format!("reference/boilerpipe-1.2.0/{corpus}.jsonl.gz"))?;
    let folder = if format == "gn1" { "annotated" } else { "gold" };
    let extension = if format == "gn1" { "html" } else { "txt" };
    let gold_folder = shared(&format!("corpora/{corpus}/{folder}"))?;
    let mut lines = String::new();
    flate2::read::MultiGzDecoder::new(File::open(reference).unwrap())
        .read_to_string(&mut lines)
        .unwrap();
    let words = score::by_name("words").unwrap();
    let format = gold::by_name(format).unwrap();
    let pages: Vec<Counts> = lines
        .par_lines()
        .filter_map(|line| {
            let page: serde_json::Value = serde_json::from_str(line).unwrap();
            let name = format!("{}.{extension}", page["page"].as_str().unwrap());
            let gold = (format.read)(
                &std::fs::read(gold_folder.join(name)).unwrap(),
                Charset::Auto,
            )
            .unwrap();
            let output = Text {
                plain: text(&page),
                marked: Vec::new(),
            };
            Some((words.compare)(&output, &gold.text)).filter(|counts| counts.gold > 0)
        })
        .collect();
    Some(Summary::of(&pages))
}

#[track_caller]
fn check_peer(
    corpus: &str,
    format: &str,
    key: &str,
    pages: usize,
    macro_f1: f64,
    micro_f1: f64,
    tolerance: f64,
) {
    // The pages of CleanEval and CleanPortalEval stand in an element `text`, which makes their title the first block. The
    // peers' figures are of pages without this wrapper.
    let wrapped = format == "cleaneval";
    let text = |page: &serde_json::Value| {
        let text = page[key].as_str().unwrap_or_default();
        let rest = text.split_once('\n').map_or("", |(_, rest)| rest);
        if wrapped && key == "keepeverything" {
            rest.to_owned()
        } else {
            text.to_owned()
        }
    };
    let Some(summary) = peer(corpus, format, text) else {
        return;
    };
    let (a, b) = (
        100.0 * summary.macro_average.f1,
        100.0 * summary.micro_average.f1,
    );
    eprintln!(
        "{corpus} {key}: {} pages, {a:.2}/{b:.2}, peers {macro_f1}/{micro_f1}",
        summary.pages
    );
    assert_eq!(summary.pages, pages);
    assert!(
        (a - macro_f1).abs() <= tolerance && (b - micro_f1).abs() <= tolerance,
        "{corpus} {key}"
    );
}

#[test]
fn words_on_reference_outputs() {
    for (key, macro_f1, micro_f1) in [
        ("keepeverything", 58.35, 62.77),
        ("canola", 83.06, 86.61),
        ("largest", 88.96, 90.92),
    ] {
        check_peer(
            "cleanportaleval",
            "cleaneval",
            key,
            70,
            macro_f1,
            micro_f1,
            0.015,
        );
    }
    for (key, macro_f1, micro_f1) in [
        ("keepeverything", 70.61, 74.69),
        ("article", 94.00, 89.94),
        ("default", 91.30, 93.45),
        ("numwordsrules", 91.92, 93.75),
        ("canola", 87.64, 89.88),
        ("largest", 91.38, 87.73),
    ] {
        check_peer("gn1", "gn1", key, 621, macro_f1, micro_f1, 0.025);
    }
    // The reference outputs are of pages decoded as UTF-8, whatever they are: a third of CleanEval's have wrong letters.
    for (key, macro_f1, micro_f1) in [
        ("keepeverything", 90.03, 94.35),
        ("numwordsrules", 90.61, 95.27),
        ("canola", 90.19, 94.54),
        ("largest", 71.05, 72.03),
    ] {
        check_peer("cleaneval", "cleaneval", key, 675, macro_f1, micro_f1, 0.15);
    }
}
