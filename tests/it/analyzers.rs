//! Analyzers of languages through the program itself, and what the documents say of them.

use std::fs;

use serde_json::Value;
use trommel::text::Analyzer;

use crate::cli::{Place, objects, values};

/// Indexes `pages` with an analyzer.
fn index(place: &Place, analyzer: &str) {
    let line = format!("index --index {analyzer} --analyzer {analyzer} pages");
    place.check(&line, 0, "", "*");
}

/// The pages that a query finds, in alphabetical order.
#[track_caller]
fn check(place: &Place, index: &str, query: &str, expected: &[&str]) {
    let line = format!("search --index {index} --json {query}");
    let found = objects(&place.check(&line, 0, "*", "*").out);
    let mut docids = values(&found, "docid");
    docids.sort_unstable();
    assert_eq!(docids, expected, "{line}");
}

#[test]
fn german_pages() {
    let place = Place::empty();
    for (name, text) in [
        (
            "haus",
            "Das alte Haus steht in einem Garten, und die Regentonne ist voll.",
        ),
        (
            "haeuser",
            "Die Häuser am Wald haben Gärten und viele Regentonnen aus Holz.",
        ),
        ("strasse", "Eine Straße führt an den Feldern vorbei."),
    ] {
        place.write(&format!("pages/{name}.html"), format!("<p>{text}"));
    }
    index(&place, "german");
    index(&place, "english");
    check(&place, "german", "Garten", &["haeuser", "haus"]);
    check(&place, "english", "Garten", &["haus"]);
    check(&place, "german", "HÄUSER", &["haeuser", "haus"]);
    check(&place, "english", "Hauses", &[]);
    check(&place, "german", "Strassen", &["strasse"]);
    // Stop words keep their places in phrases.
    let phrase = "search --index german --literal und";
    place.check(phrase, 2, "", "(german)");
    let args = ["search", "--index", "german", "\"Häuser am Walde\""];
    let found = place.run_with(&args, b"");
    assert!(found.out.contains("haeuser"), "{}", found.out);

    let manifest = fs::read(place.path("german/manifest.json")).unwrap();
    let manifest: Value = serde_json::from_slice(&manifest).unwrap();
    let analyzer = &manifest["analyzer"];
    assert_eq!(analyzer["name"], "german");
    assert_eq!(analyzer["stop_list"], "NLTK stopwords, german");
    let stop_words = analyzer["stop_words"].as_array().unwrap();
    assert!(stop_words.contains(&Value::from("und")));
    let stemmer = analyzer["stemmer"].as_str().unwrap();
    assert!(stemmer.starts_with("Snowball german, "), "{stemmer}");
}

#[test]
fn japanese_pages() {
    let place = Place::empty();
    for (name, text) in [
        ("wide", "大阪のパナソニックは東京都にも工場がある。"),
        ("narrow", "ﾊﾟﾅｿﾆｯｸの新しいテレビ。"),
        ("apart", "都の北に住む人は京に上る。"),
    ] {
        place.write(
            &format!("pages/{name}.html"),
            format!("<meta charset=utf-8><p>{text}"),
        );
    }
    index(&place, "cjk");
    index(&place, "english");
    // Inside a word, and of the other width.
    check(&place, "cjk", "ソニック", &["narrow", "wide"]);
    check(&place, "english", "ソニック", &[]);
    // Two characters that stand side by side, not each somewhere.
    check(&place, "cjk", "京都", &["wide"]);
    check(&place, "english", "京都", &["apart", "wide"]);
    // Bigrams overlap; their marks do not.
    place.check(
        "search --index cjk パナソニック",
        0,
        "大阪のパナソニックは",
        "*",
    );
    place.check("check --index cjk", 0, "*", "*");
}

#[test]
fn names_are_listed_and_suggested() {
    let place = Place::empty();
    place.write("pages/a.html", "<p>one");
    place.check(
        "index --index ix --analyzer germna pages",
        2,
        "",
        "did you mean 'german'?",
    );
    let help = place.check("index --help", 0, "*", "").out;
    let help: Vec<&str> = help.split([' ', '\n', ',', ':']).collect();
    for analyzer in Analyzer::all() {
        assert!(help.contains(&analyzer.name()), "{}", analyzer.name());
    }
}

/// docs/analyzers.md has a row for each analyzer, made of what a manifest says of it.
#[test]
fn the_table_in_the_documents() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/analyzers.md");
    let document = fs::read_to_string(path).unwrap();
    let rows: Vec<&str> = (document.lines())
        .filter(|line| line.starts_with("| `"))
        .collect();
    let of = |analyzer: Analyzer| {
        let description = analyzer.describe();
        let stemmer = description.stemmer.unwrap_or_default();
        let list = description.stop_list.unwrap_or_default();
        let count = match description.stop_words.len() {
            0 => String::new(),
            count => format!("{count}: "),
        };
        format!(
            "| `{}` | {} | {count}{list} |",
            analyzer.name(),
            stemmer.split(',').next().unwrap(),
        )
    };
    let expected: Vec<String> = Analyzer::all().map(of).collect();
    assert_eq!(rows, expected, "\n{}\n", expected.join("\n"));
}
