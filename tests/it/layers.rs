//! The layers of the crate: a module imports only modules of lower layers, and a crate that is one layer's business stays there.

use std::fs;
use std::path::{Path, PathBuf};

/// Every top-level module with its layer, as ARCHITECTURE.md has them.
const LAYERS: &[(&str, u8)] = &[
    ("page", 0),
    ("text", 0),
    ("trec", 0),
    ("attribute", 0),
    ("filter", 0),
    ("html", 1),
    ("collection", 1),
    ("measure", 1),
    ("score", 1),
    ("demo", 1),
    ("feature", 1),
    ("classifier", 1),
    ("extractor", 2),
    ("gold", 2),
    ("index", 3),
    ("experiment", 4),
    ("report", 5),
    ("serve", 5),
    ("cli", 6),
];

/// Imports that are allowed inside a layer, because one of the two is part of the other's vocabulary.
const WITHIN_LAYER: &[(&str, &str)] = &[
    ("attribute", "page"),
    ("attribute", "text"),
    ("filter", "attribute"),
    ("filter", "text"),
    ("page", "text"),
    ("trec", "text"),
];

/// Files of the extractors' folder that are no extractor.
const NO_ROW: &[&str] = &[
    "align",
    "arguments",
    "confidence",
    "error",
    "fingerprint",
    "learn",
    "mod",
    "model",
    "page_filter",
    "project",
    "rule",
    "site",
    "subject",
    "training_pages",
];

/// Crates that only one module may use, or only those of a list with bars.
const OWNERS: &[(&str, &str)] = &[
    ("tantivy", "index"),
    ("clap", "cli"),
    ("anyhow", "cli"),
    ("anstream", "cli"),
    ("indicatif", "cli"),
    ("html5ever", "html"),
    ("encoding_rs", "html"),
    ("flate2", "collection|trec"),
    ("zstd", "collection|trec"),
    ("brotli_decompressor", "collection"),
    ("unicode_segmentation", "text"),
    ("frostem", "text"),
    ("stop_words", "text"),
    ("psl", "text"),
    ("isolang", "text"),
    ("whatlang", "text"),
    ("justext", "extractor"),
    ("unicode_normalization", "score|text"),
    ("puruspe", "measure|experiment"),
    ("levenberg_marquardt", "experiment"),
    ("nalgebra", "experiment"),
    ("toml", "experiment"),
    ("axum", "serve"),
    ("hyper", "serve"),
    ("hyper_util", "serve"),
    ("rustix", "index"),
    ("tokio", "serve|cli"),
    ("form_urlencoded", "serve"),
];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// All Rust files of a module, with their text up to the unit tests, comments left out.
fn files(path: &Path) -> Vec<(PathBuf, String)> {
    if path.is_dir() {
        let mut entries: Vec<PathBuf> = fs::read_dir(path)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        entries.sort();
        return entries.iter().flat_map(|entry| files(entry)).collect();
    }
    if path.extension().is_none_or(|extension| extension != "rs") || path.ends_with("tests.rs") {
        return Vec::new();
    }
    let text = fs::read_to_string(path).unwrap();
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let lines = code
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    vec![(path.to_owned(), lines.collect::<Vec<_>>().join("\n"))]
}

fn layer(module: &str) -> Option<u8> {
    LAYERS
        .iter()
        .find(|(name, _)| *name == module)
        .map(|(_, layer)| *layer)
}

/// The modules that `crate::…` paths in a code text begin with, `crate::{a, b}` included.
fn imported(code: &str) -> Vec<String> {
    let name = |text: &str| {
        text.chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect::<String>()
    };
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        match rest.strip_prefix('{') {
            None => found.push(name(rest)),
            Some(group) => {
                let mut depth = 0;
                let mut begins = true;
                for (i, c) in group.char_indices() {
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => begins = true,
                        c if begins && c.is_alphabetic() => {
                            found.push(name(&group[i..]));
                            begins = false;
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    found
}

#[test]
fn every_module_has_a_layer() {
    let lib = fs::read_to_string(source().join("lib.rs")).unwrap();
    let mut declared: Vec<&str> = lib
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'))
        .collect();
    let mut listed: Vec<&str> = LAYERS.iter().map(|(name, _)| *name).collect();
    declared.sort_unstable();
    listed.sort_unstable();
    assert_eq!(declared, listed);
}

#[test]
fn imports_point_downwards() {
    for (module, own) in LAYERS {
        for (path, code) in files(&source().join(module)) {
            for import in imported(&code) {
                let Some(other) = layer(&import) else {
                    panic!(
                        "{} imports crate::{import}, which has no layer",
                        path.display()
                    );
                };
                let allowed =
                    other < *own || import == *module || WITHIN_LAYER.contains(&(module, &import));
                assert!(
                    allowed,
                    "{} (layer {own}) imports {import} (layer {other})",
                    path.display()
                );
            }
        }
    }
}

#[test]
fn crates_stay_with_their_owners() {
    for (module, _) in LAYERS {
        for (path, code) in files(&source().join(module)) {
            for (name, owner) in OWNERS {
                let uses =
                    code.contains(&format!("{name}::")) || code.contains(&format!("use {name};"));
                assert!(
                    !uses || owner.split('|').any(|it| it == *module),
                    "{} uses {name}, which is {owner}'s",
                    path.display()
                );
            }
        }
    }
}

/// Layers 0 to 2 compute: no clock, no environment, no threads, no files but the collection's and those that a reader of topics,
/// qrels or runs is given.
#[test]
fn lower_layers_are_pure() {
    let forbidden = [
        "std::time",
        "std::env",
        "std::process",
        "TcpStream",
        "TcpListener",
        "UdpSocket",
        "std::thread",
        "SystemTime",
        "rand::",
    ];
    for (module, _) in LAYERS.iter().filter(|(_, layer)| *layer <= 2) {
        for (path, code) in files(&source().join(module)) {
            for name in forbidden {
                assert!(!code.contains(name), "{} uses {name}", path.display());
            }
        }
    }
}

#[test]
fn imports_are_found() {
    assert_eq!(
        imported("use crate::a::B; use crate::{c::{D, E}, f}; crate::g::h()"),
        ["a", "c", "f", "g"]
    );
}

/// Each file of a registry's folder has its row, so that nothing is written and then forgotten.
#[test]
fn registries_are_complete() {
    let rows = |folder: &str, except: &[&str]| -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(source().join(folder))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter_map(|name| name.strip_suffix(".rs").map(str::to_owned))
            .filter(|name| !except.contains(&name.as_str()))
            .collect();
        names.sort();
        names
    };
    let extractors = fs::read_to_string(source().join("extractor/mod.rs")).unwrap();
    for name in rows("extractor", NO_ROW) {
        assert!(
            extractors.contains(&format!("{name}::EXTRACTOR,")),
            "extractor {name} has no row"
        );
    }
    // The variants of one algorithm share a file: what stands before the hyphen.
    let mut segmenters: Vec<&str> = trommel::html::segment::all()
        .iter()
        .filter_map(|s| s.name.split('-').next())
        .collect();
    segmenters.sort_unstable();
    segmenters.dedup();
    assert_eq!(rows("html/segment", &["mod"]), segmenters);
    assert_eq!(rows("html/segment", &["mod"]).len(), segmenters.len());
    let tests = trommel::measure::significance::all().len();
    let helpers = ["mod", "bootstrap", "compare", "effect", "holm", "random"];
    assert_eq!(rows("measure/significance", &helpers).len(), tests);
    let measures = trommel::score::all().len();
    let helpers = [
        "mod",
        "counts",
        "duplicates",
        "labels",
        "sequence_matcher",
        "summary",
    ];
    assert_eq!(rows("score", &helpers).len(), measures);
    let formats = trommel::gold::all().len();
    assert_eq!(rows("gold", &["mod", "class"]).len(), formats);
    let models: Vec<&str> = trommel::index::model::all()
        .iter()
        .map(|m| m.name)
        .collect();
    assert_eq!(rows("index/model", &["mod"]), models);
}

/// All texts of the program and its web page, without comments and tests.
fn texts() -> Vec<(PathBuf, String)> {
    let mut texts = files(&source());
    for entry in fs::read_dir(source().join("serve/assets")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        texts.push((path, text));
    }
    texts
}

/// The table of attributes is the one list of bounds: whatever needs them reads it. So no other file names two of them.
#[test]
fn no_file_lists_bounds() {
    let bounds: Vec<String> = trommel::attribute::bounds()
        .map(|bound| bound.name())
        .collect();
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let mut seen = 0;
    for (path, text) in texts() {
        let words: Vec<String> = text
            .split(|c| !is_part(c))
            .map(|word| word.replace('_', "-"))
            .collect();
        let named = bounds.iter().filter(|bound| words.contains(bound));
        let named: Vec<&String> = named.collect();
        seen += named.len();
        // An example in a help text may vary two of them.
        let most = if path.ends_with("cli/sweep.rs") { 2 } else { 1 };
        assert!(named.len() <= most, "{}: {named:?}", path.display());
    }
    assert!(seen > 0, "nothing was looked at");
}
