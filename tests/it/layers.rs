//! The house: crates as layers, rooms in them, no circles of files, and crates of others that stay with their owners.
//!
//! Cargo sees to it that no crate imports a higher one. Here the rest is looked after.

use std::fs;
use std::path::Path;

use crate::imports::{FileId, Files, circles, crates, longest_chain, shown};

/// The rooms of a crate, each importing only those before it: modules at its root, or paths of modules.
const ROOMS: &[(&str, &[&str])] = &[
    (
        "trommel_page",
        &["page", "attribute", "filter", "weight", "html"],
    ),
    ("trommel_archive", &["head", "bytes", "format"]),
    ("trommel_eval", &["trec", "measure"]),
    (
        "trommel_extract",
        &[
            "classifier",
            "feature",
            "structure",
            "metadata",
            "embedded",
            "removers",
        ],
    ),
    ("trommel_index", &["format", "search", "build", "check"]),
    (
        "trommel_lab",
        &[
            "score",
            "gold",
            "learning",
            "scoring",
            "training",
            "experiment",
        ],
    ),
    (
        "trommel",
        &[
            "demo",
            "experiment",
            "provenance",
            "output",
            "report",
            "serve",
            "cli",
        ],
    ),
];

/// Crates that only one of ours may use, or only those of a list with bars.
const OWNERS: &[(&str, &str)] = &[
    ("tantivy", "trommel_index"),
    ("clap", "trommel"),
    ("anyhow", "trommel"),
    ("anstream", "trommel"),
    ("indicatif", "trommel"),
    ("encoding_rs", "trommel_page|trommel_eval|trommel"),
    ("flate2", "trommel_archive|trommel_eval|trommel_lab"),
    ("zstd", "trommel_archive|trommel_eval|trommel_index"),
    ("brotli_decompressor", "trommel_archive"),
    ("parquet", "trommel_archive|trommel_export"),
    ("warc", "trommel_archive"),
    ("unicode_segmentation", "trommel_text"),
    ("frostem", "trommel_text"),
    ("psl", "trommel_text"),
    ("isolang", "trommel_text"),
    ("num_bigint", "trommel_page"),
    ("bitpacking", "trommel_index"),
    ("whatlang", "trommel_text"),
    ("justext", "trommel_extract"),
    ("unicode_normalization", "trommel_text|trommel_lab"),
    ("puruspe", "trommel_eval|trommel_lab"),
    ("levenberg_marquardt", "trommel_lab"),
    ("nalgebra", "trommel_lab"),
    ("toml", "trommel_lab"),
    ("axum", "trommel"),
    ("rustix", "trommel_index"),
    ("tokio", "trommel"),
];

fn manifest_of(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = match name {
        "trommel" => root.to_owned(),
        name => root.join("crates").join(name.replace('_', "-")),
    };
    fs::read_to_string(folder.join("Cargo.toml")).unwrap()
}

/// What a crate depends on in what it ships, by the name that its code uses.
fn dependencies(manifest: &str) -> Vec<String> {
    let mut in_dependencies = false;
    let mut found = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            let section = line.trim_matches(['[', ']']);
            in_dependencies = section == "dependencies" || section.ends_with(".dependencies");
            in_dependencies &= !section.starts_with("workspace");
            continue;
        }
        let name: String = line
            .chars()
            .take_while(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
            .collect();
        if in_dependencies && !name.is_empty() {
            found.push(name.replace('-', "_"));
        }
    }
    found
}

#[test]
fn crates_stay_with_their_owners() {
    for (name, _) in crates() {
        let depends = dependencies(&manifest_of(&name));
        assert!(!depends.is_empty(), "{name}");
        for (other, owner) in OWNERS {
            let may = owner.split('|').any(|it| it == name);
            assert!(
                may || !depends.iter().any(|it| it == other),
                "{name} uses {other}"
            );
        }
    }
    for (other, owner) in OWNERS {
        for name in owner.split('|') {
            let depends = dependencies(&manifest_of(name));
            assert!(
                depends.iter().any(|it| it == other),
                "{name} does not use {other}"
            );
        }
    }
}

/// The room of a file: the longest of the crate's rooms that its path begins with.
fn room(rooms: &[&str], file: &FileId) -> Option<usize> {
    let module = file.1.join("::");
    let is_in = |room: &&str| module == **room || module.starts_with(&format!("{room}::"));
    rooms.iter().rposition(is_in)
}

#[test]
fn rooms_import_only_those_before_them() {
    let files = Files::read();
    let imports = files.imports();
    for (name, rooms) in ROOMS {
        let own = imports.keys().filter(|file| file.0 == *name);
        let mut seen = vec![0; rooms.len()];
        for file in own {
            let Some(own) = room(rooms, file) else {
                // The face of the crate, the program, and what is for all rooms.
                assert!(file.1.len() <= 1, "{} is in no room", shown(file));
                continue;
            };
            seen[own] += 1;
            for other in imports[file].iter().filter(|it| it.0 == *name) {
                let other_room = room(rooms, other);
                // What stands in no room is for all of them.
                let is_common = other_room.is_none() && other.1.len() == 1;
                assert!(
                    is_common || other_room.is_some_and(|it| it <= own),
                    "{} imports {}",
                    shown(file),
                    shown(other)
                );
            }
        }
        for (room, files) in rooms.iter().zip(seen) {
            assert!(files > 0, "{name}::{room} has no file");
        }
    }
}

#[test]
fn no_files_import_each_other() {
    let files = Files::read();
    let imports = files.imports();
    assert!(
        imports.len() > 300,
        "{} files were looked at",
        imports.len()
    );
    let found = circles(&imports);
    let circles: Vec<String> = found
        .iter()
        .map(|circle| circle.iter().map(shown).collect::<Vec<_>>().join(", "))
        .collect();
    assert!(circles.is_empty(), "{circles:#?}");
    let chain = longest_chain(&imports);
    let chain: Vec<String> = chain.iter().map(shown).collect();
    println!(
        "the longest of {} files: {}",
        chain.len(),
        chain.join(" -> ")
    );
}

/// What computes: no clock, no environment, no threads. Files are read by the archive, and by a reader of topics, judgments or
/// runs, and by an extractor whose model is one.
#[test]
fn lower_crates_are_pure() {
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
    let pure = [
        "trommel_text",
        "trommel_page",
        "trommel_archive",
        "trommel_eval",
        "trommel_extract",
    ];
    for (file, code) in Files::read()
        .code
        .iter()
        .filter(|it| pure.contains(&it.0.0.as_str()))
    {
        // Names of files that are not whole yet have the number of the process in them.
        let is_whole = shown(file) == "trommel_archive::whole";
        for name in forbidden
            .iter()
            .filter(|it| !(is_whole && **it == "std::process"))
        {
            assert!(!code.contains(name), "{} uses {name}", shown(file));
        }
    }
}

/// Each file is a module of its folder, so that nothing is written and then forgotten. That each row stands in its registry, the
/// compiler sees: what nothing uses is a warning.
#[test]
fn every_file_is_a_module() {
    let files = Files::read();
    for (name, module) in files.code.keys() {
        let Some((last, parent)) = module.split_last().filter(|(last, _)| *last != "main") else {
            continue;
        };
        let parent = (name.clone(), parent.to_vec());
        // The program declares what is its own.
        let program = (name.clone(), vec!["main".to_owned()]);
        let declared = [&parent, &program].into_iter().any(|file| {
            let text = files.code.get(file).map_or("", String::as_str);
            text.contains(&format!("mod {last};"))
        });
        assert!(
            declared,
            "{} is declared nowhere",
            shown(&(name.clone(), module.clone()))
        );
    }
}

/// All texts of the program and its web page, without comments and tests.
fn texts() -> Vec<(String, String)> {
    let files = Files::read().code.into_iter();
    let mut texts: Vec<(String, String)> = files.map(|(file, code)| (shown(&file), code)).collect();
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/serve/assets");
    for entry in fs::read_dir(assets).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        texts.push((path.display().to_string(), text));
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
        let most = if path.ends_with("cli::sweep") { 2 } else { 1 };
        assert!(named.len() <= most, "{path}: {named:?}");
    }
    assert!(seen > 0, "nothing was looked at");
}
