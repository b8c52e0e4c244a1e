//! Alignment of another tool's text, and the remover that is made of it.

use std::fs;
use std::io::BufRead;

use tempfile::TempDir;
use trommel::extractor::align::align;
use trommel::extractor::{self, Label, Subject};
use trommel::html::{self, Limits};
use trommel::page::Page;

use crate::bags;
use crate::support::shared;

/// Characters found in each leaf; white space does not count.
#[track_caller]
fn check(leaves: &[&str], text: &str, expected: &[u32]) {
    let found: Vec<u32> = align(leaves.iter().copied(), text)
        .iter()
        .map(|aligned| aligned.found)
        .collect();
    assert_eq!(found, expected, "{leaves:?}\n{text}");
}

const STORM: &str = "A storm swept the coast on Friday and took roofs along";
const ROOFS: &str = "Nobody was hurt when the roofs came down, the mayor said";

fn size(text: &str) -> u32 {
    text.chars().filter(|c| !c.is_whitespace()).count() as u32
}

#[test]
fn unique_snippets() {
    let both = format!("{STORM}\n\n{ROOFS}");
    check(
        &["Home", STORM, "Read on", ROOFS, "About"],
        &both,
        &[0, size(STORM), 0, size(ROOFS), 0],
    );
    check(
        &["Home", STORM, "Read on", ROOFS, "About"],
        ROOFS,
        &[0, 0, 0, size(ROOFS), 0],
    );
    // Case and white space may differ.
    check(
        &[STORM],
        &STORM.to_uppercase().replace(' ', "\u{a0}\n"),
        &[size(STORM)],
    );
    check(&[STORM], "", &[0]);
    check(&[], STORM, &[]);
}

/// A text that stands on the page twice is found once, between what surrounds it in the text.
#[test]
fn repeated_snippets() {
    let text = format!("{STORM} {ROOFS}");
    check(
        &[STORM, ROOFS, STORM],
        &text,
        &[size(STORM), size(ROOFS), 0],
    );
    let text = format!("{ROOFS} {STORM}");
    check(
        &[STORM, ROOFS, STORM],
        &text,
        &[0, size(ROOFS), size(STORM)],
    );
    let text = format!("{STORM} {ROOFS} {STORM}");
    check(
        &[STORM, ROOFS, STORM],
        &text,
        &[size(STORM), size(ROOFS), size(STORM)],
    );
    // Twice on both sides: unique on none, and still aligned in order.
    check(
        &[STORM, STORM],
        &format!("{STORM}{STORM}"),
        &[size(STORM); 2],
    );
}

/// What is too short for a snippet is aligned by dynamic programming: "Ann" stands between two matches in the text.
#[test]
fn short_leaves_between_matches() {
    let text = format!("{STORM} Ann {ROOFS}");
    check(
        &[STORM, "Ann", "Bob", ROOFS],
        &text,
        &[size(STORM), 3, 0, size(ROOFS)],
    );
    check(&["Ann", "Bob", "Cid"], "Bob", &[0, 3, 0]);
    check(&["Ann", "Bob", "Cid"], "Ann Cid", &[3, 0, 3]);
    check(&["one two", "three"], "onetwo", &[6, 0]);
}

/// Part of a leaf, words that are not on the page, and text in another order than the page's.
#[test]
fn partial_and_foreign() {
    check(&[STORM], &STORM[..27], &[size(&STORM[..27])]);
    check(
        &[STORM],
        &format!("Exclusive!!! {STORM} (more soon)"),
        &[size(STORM)],
    );
    let swapped = format!("{ROOFS} {STORM}");
    let found = align([STORM, ROOFS], &swapped);
    assert!(found.iter().filter(|aligned| aligned.is_content()).count() == 1);
}

/// A page made to have no unique snippet at all, far too long for dynamic programming, is still aligned.
#[test]
fn hostile_repetition() {
    let page = "the same words again and ".repeat(40_000);
    let text = "the same words again and ".repeat(20_000);
    let found = align([page.as_str()], &text);
    assert_eq!(found[0].found, size(&text));
    let noise = "ab".repeat(300_000);
    let found = align([noise.as_str(), "x"], &"ba".repeat(300_000));
    assert!(found[0].found >= size(&noise) - 2);
    align([noise.as_str()], &"c".repeat(1_000_000));
}

const PAGE: &str =
    "<body><p>Home<p>A storm swept the coast<p>on Friday and took roofs along<p>About";

fn kept(spec: &str, docid: &str, html: &str) -> (String, u64) {
    let page = html::parse_text(html, &Limits::default());
    let extractor = extractor::parse(spec).unwrap();
    let text = kept_by(&extractor, &page, docid);
    (text, extractor.arguments.missing.pages())
}

fn kept_by(extractor: &extractor::Extractor, page: &Page, docid: &str) -> String {
    let subject = Subject::new(page, docid, "");
    let segmenter = extractor.segmenter.unwrap();
    let labels = extractor.labels(&subject, segmenter);
    let blocks = subject.blocks(segmenter).blocks.iter().zip(labels);
    let kept = blocks.filter(|(_, label)| *label == Label::Content);
    let kept: Vec<&str> = kept.map(|(block, _)| block.text.as_str()).collect();
    kept.join("|")
}

#[test]
fn outputs_of_a_directory() {
    let folder = TempDir::new().unwrap();
    let outputs = folder.path().join("outputs");
    fs::create_dir_all(outputs.join("site")).unwrap();
    fs::write(
        outputs.join("site/a.txt"),
        "A storm swept the coast on Friday",
    )
    .unwrap();
    fs::write(outputs.join("empty.txt"), "").unwrap();
    fs::write(folder.path().join("secret.txt"), "A storm swept the coast").unwrap();
    let spec = format!("external:tool={}", outputs.display());
    assert_eq!(extractor::parse(&spec).unwrap().name, "external:tool");
    // Two thirds of the second leaf are not there: it is boilerplate.
    assert_eq!(
        kept(&spec, "site/a", PAGE),
        ("A storm swept the coast".to_owned(), 0)
    );
    assert_eq!(kept(&spec, "empty", PAGE), (String::new(), 0));
    // No output: boilerplate, and counted. A docid leads nowhere outside.
    assert_eq!(kept(&spec, "b", PAGE), (String::new(), 1));
    assert_eq!(kept(&spec, "../secret", PAGE), (String::new(), 1));
    assert_eq!(
        kept(&spec, folder.path().join("secret").to_str().unwrap(), PAGE),
        (String::new(), 1)
    );
}

#[test]
fn outputs_of_a_file() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("outputs.jsonl");
    let spec = format!("external:tool={}", path.display());
    let lines = "{\"docid\":\"x\",\"text\":\"About\"}\n\n{\"text\":\"Home A storm swept the coast\",\"docid\":\"a/1\",\"n\":3}";
    fs::write(&path, lines).unwrap();
    assert_eq!(
        kept(&spec, "a/1", PAGE),
        ("Home|A storm swept the coast".to_owned(), 0)
    );
    assert_eq!(kept(&spec, "x", PAGE), ("About".to_owned(), 0));
    let extractor = extractor::parse(&spec).unwrap();
    let page = html::parse_text(PAGE, &Limits::default());
    for docid in ["p", "q"] {
        assert_eq!(kept_by(&extractor, &page, docid), "");
    }
    let missing = &extractor.arguments.missing;
    assert_eq!(missing.pages(), 2);
    assert_eq!(
        missing.first().unwrap(),
        "p: no line of the file has the docid"
    );
    for (lines, why) in [
        ("{\"docid\":\"x\"}\n", "line 1: missing field `text`"),
        (
            "{\"docid\":\"x\",\"text\":\"\"}\nx\n",
            "line 2: expected value",
        ),
        (
            "{\"docid\":\"x\",\"text\":\"\"}\n{\"docid\":\"x\",\"text\":\"\"}\n",
            "line 2: there is an output for x already",
        ),
    ] {
        fs::write(&path, lines).unwrap();
        let error = extractor::parse(&spec).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
    let error = extractor::parse("external:tool=nowhere")
        .map(|_| ())
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("give a directory with DOCID.txt files")
    );
}

/// Words of each text that stand in the leaves that its alignment keeps: the mean share over all pages.
#[track_caller]
fn check_texts(
    corpus: &str,
    tool: &str,
    texts: impl IntoIterator<Item = (String, String)>,
    bar: f64,
) {
    let folder = shared(&format!("corpora/{corpus}")).unwrap();
    let (mut recall, mut f1, mut pages) = (0.0, 0.0, 0.0);
    for (name, text) in texts {
        let Some(page) = bags::page(&folder, &name) else {
            continue;
        };
        let leaves = (0..page.leaves.len() as u32).map(|leaf| page.leaf_text(leaf));
        let aligned = align(leaves, &text);
        let content =
            (0..page.leaves.len() as u32).filter(|leaf| aligned[*leaf as usize].is_content());
        let kept: String = content
            .map(|leaf| format!("{} ", page.leaf_text(leaf)))
            .collect();
        let (_, r, f) = bags::compare(&kept, &text);
        (recall, f1, pages) = (recall + r, f1 + f, pages + 1.0);
    }
    eprintln!(
        "{corpus} {tool}: recall {:.4}, F1 {:.4} on {pages} pages",
        recall / pages,
        f1 / pages
    );
    assert!(recall / pages >= bar, "{corpus} {tool}");
}

#[test]
fn texts_of_boilerpipe() {
    for (corpus, tool) in [
        ("cleaneval", "numwordsrules"),
        ("cleanportaleval", "numwordsrules"),
        ("cleanportaleval", "article"),
        ("gn1", "numwordsrules"),
        ("dragnet", "article"),
    ] {
        let Some(path) = shared(&format!("reference/boilerpipe-1.2.0/{corpus}.jsonl.gz")) else {
            return;
        };
        let file = flate2::read::MultiGzDecoder::new(fs::File::open(&path).unwrap());
        let texts = std::io::BufReader::new(file).lines().map(|line| {
            let value: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
            let text = |key: &str| value[key].as_str().unwrap().to_owned();
            (text("page"), text(tool))
        });
        check_texts(corpus, tool, texts, 0.997);
    }
}

#[test]
fn texts_that_were_published() {
    for corpus in ["cleaneval", "cleanportaleval"] {
        for tool in ["bte", "justext", "goldminer"] {
            if let Some(texts) = bags::published(corpus, tool) {
                check_texts(corpus, tool, texts, 0.985);
            }
        }
    }
}
