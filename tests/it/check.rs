//! `trommel check`: whatever is changed in an index is found, by name, and nothing makes it panic.

use std::fs;
use std::path::{Path, PathBuf};

use trommel::index::{CheckReport, IndexError, check};

use crate::cli::Place;
use crate::made::{self, PAD};

/// A place with an index `ix` of two parts or more, with labels and a ledger.
fn indexed() -> Place {
    let place = made::place(2, 20, PAD);
    made::damage(&place.path("c1.warc.gz"));
    let line = "index --index ix --memory 24M --threads 1 --extractors min-words-10,bte c0.warc.gz c1.warc.gz";
    assert_eq!(place.run(line).code, 1);
    assert!(made::parts(&place.path("ix")) > 1);
    place.check("check --index ix --sources", 0, "", "ix: sound (40 pages");
    place
}

fn problems(index: &Path) -> Vec<String> {
    let report: CheckReport = check(index, false).unwrap();
    let problem = |p: &trommel::index::Problem| format!("{}: {}", p.path.display(), p.what);
    report.problems.iter().map(problem).collect()
}

/// The kind of a file: its name, or its ending where the name is a segment's.
fn kind(path: &Path) -> String {
    let name = path.file_name().unwrap().to_str().unwrap();
    // A label's has a hash.
    let name: Vec<&str> = name.split('.').filter(|part| part.len() != 16).collect();
    match name.as_slice() {
        [stem, ending] if stem.len() == 32 => format!("*.{ending}"),
        name => name.join("."),
    }
}

/// A byte more or less, anywhere in any file: a problem that names the file, or an error where it is the manifest.
#[test]
fn flipped_bytes() {
    let place = indexed();
    let index = place.path("ix");
    let mut kinds: Vec<String> = Vec::new();
    let found = |path: &Path| match check(&index, false) {
        Ok(report) => {
            let names = |problem: &trommel::index::Problem| problem.path == path;
            report.problems.iter().any(names)
        }
        Err(error) => path.ends_with("manifest.json") && error.to_string().contains("damaged"),
    };
    for path in made::files(&index) {
        let kind = kind(&path);
        let bytes = fs::read(&path).unwrap();
        // Two of each kind, those of parts that are not the last.
        let seen = kinds.iter().filter(|other| **other == kind).count();
        if seen >= 4 || bytes.is_empty() {
            continue;
        }
        let step = (bytes.len() / 7).max(1);
        for at in (0..bytes.len()).step_by(step).chain([bytes.len() - 1]) {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << (at % 8);
            fs::write(&path, &changed).unwrap();
            assert!(found(&path), "byte {at} of {}", path.display());
        }
        for shorter in [0, bytes.len() / 2, bytes.len() - 1] {
            fs::write(&path, &bytes[..shorter]).unwrap();
            assert!(
                found(&path) || kind == "manifest.json",
                "{}",
                path.display()
            );
            assert!(
                check(&index, false).is_ok_and(|it| !it.problems.is_empty())
                    || kind == "manifest.json"
            );
        }
        fs::write(&path, [&bytes[..], b"x"].concat()).unwrap();
        assert!(found(&path), "longer {}", path.display());
        fs::remove_file(&path).unwrap();
        assert!(
            found(&path) || kind == "manifest.json",
            "without {}",
            path.display()
        );
        fs::write(&path, &bytes).unwrap();
        kinds.push(kind);
    }
    let names: std::collections::BTreeSet<&str> = kinds.iter().map(String::as_str).collect();
    let expected = [
        "*.fast",
        "*.fieldnorm",
        "*.idx",
        "*.pos",
        "*.store",
        "*.term",
        ".managed.json",
        "bte.bits",
        "docids.bin",
        "extents.bin",
        "ledger.jsonl",
        "manifest.json",
        "meta.json",
        "min-words-10.bits",
        "page-postings.0",
        "texts.0",
    ];
    assert_eq!(names.into_iter().collect::<Vec<_>>(), expected);
    assert_eq!(problems(&index), [""; 0]);
}

/// What the program prints, and its exit codes.
#[test]
fn problems_are_printed() {
    let place = indexed();
    let path = place.path("ix/parts/00000/docids.bin");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, [&bytes[..], b"x"].concat()).unwrap();
    let (now, then) = (bytes.len() + 1, bytes.len());
    let expected = format!("ix/parts/00000/docids.bin: it has {now} bytes, and had {then}\n");
    let expected = expected.as_str();
    place.check("check --index ix", 1, expected, "ix: 1 problem (");
    let done = place.check("check --index ix --json", 1, "\"problems\":[{", "");
    let report: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(
        report["report"]["problems"][0]["path"],
        "ix/parts/00000/docids.bin"
    );
    fs::write(&path, &bytes).unwrap();
    made::write(&place.path("c0.warc.gz"), 0..20, 7);
    place.check("check --index ix", 0, "", "sound");
    place.check(
        "check --index ix --sources",
        1,
        "c0.warc.gz: it has other bytes than those that were indexed",
        "1 problem",
    );
    fs::remove_file(place.path("c0.warc.gz")).unwrap();
    place.check(
        "check --index ix --sources",
        1,
        "c0.warc.gz: No such file",
        "1 problem",
    );
    place.check("check --index nowhere", 2, "", "nowhere holds no index");
}

#[test]
fn parts_that_are_swapped_or_strange() {
    let place = indexed();
    let index = place.path("ix");
    let (one, other, aside) = (
        index.join("parts/00000"),
        index.join("parts/00001"),
        index.join("parts/aside"),
    );
    let swap = |a: &Path, b: &Path| {
        fs::rename(a, &aside).unwrap();
        fs::rename(b, a).unwrap();
        fs::rename(&aside, b).unwrap();
    };
    swap(&one, &other);
    assert!(
        problems(&index)
            .iter()
            .any(|problem| problem.contains("parts/00000/docids.bin"))
    );
    swap(&one, &other);
    let (pages, others) = (one.join("pages"), other.join("pages"));
    swap(&pages, &others);
    assert!(!problems(&index).is_empty());
    swap(&pages, &others);
    let (blocks, others) = (one.join("blocks.0"), other.join("blocks.0"));
    swap(&blocks, &others);
    assert!(!problems(&index).is_empty());
    swap(&blocks, &others);
    fs::create_dir(&aside).unwrap();
    let expected = "parts/aside: it is left from a build and not part of the index";
    assert!(
        problems(&index)[0].contains(expected),
        "{:?}",
        problems(&index)
    );
    fs::remove_dir(&aside).unwrap();
    assert_eq!(problems(&index), [""; 0]);
}

/// Numbers in the manifest, lines of the ledger.
#[test]
fn edited_manifests_and_ledgers() {
    let place = indexed();
    let index = place.path("ix");
    let path = index.join("manifest.json");
    let original: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    for (pointer, word) in [
        ("/counts/pages", "pages"),
        ("/counts/blocks", "blocks"),
        ("/counts/terms", "terms"),
        ("/counts/words", "words"),
        ("/counts/pages_over_parse_limits", "parse limits"),
        (
            "/extractors/0/content_blocks",
            "content blocks of 'min-words-10'",
        ),
        ("/ledger/warcinfo", "ledger.jsonl"),
        ("/parts/0/pages", "parts/00000"),
        ("/parts/1/segments/0", "parts/00001"),
    ] {
        let mut edited = original.clone();
        let value = edited.pointer_mut(pointer).unwrap();
        *value = (value.as_u64().unwrap() + 1).into();
        made::write_sealed(&path, &edited);
        assert!(
            problems(&index)
                .iter()
                .any(|problem| problem.contains(word)),
            "{pointer}: {:?}",
            problems(&index)
        );
    }
    for pointer in [
        "/parts/0/files/blocks.0~1meta.json/sha256",
        "/parts/0/files/docids.bin/ends",
        "/parts/0/files/extents.bin/sha256",
        "/ledger_file/sha256",
        "/parts/0/name",
        "/segmenter",
    ] {
        let mut edited = original.clone();
        *edited.pointer_mut(pointer).unwrap() = "other".into();
        made::write_sealed(&path, &edited);
        assert!(!problems(&index).is_empty(), "{pointer}");
    }
    let mut edited = original.clone();
    edited["parts"].as_array_mut().unwrap().pop();
    made::write_sealed(&path, &edited);
    assert!(
        problems(&index)
            .iter()
            .any(|problem| problem.contains("not part of the index"))
    );
    let mut edited = original.clone();
    edited["schema_version"] = 999.into();
    made::write_sealed(&path, &edited);
    assert!(matches!(
        check(&index, false),
        Err(IndexError::Version { .. })
    ));
    fs::write(&path, "{").unwrap();
    assert!(matches!(
        check(&index, false),
        Err(IndexError::Damaged { .. })
    ));
    fs::remove_file(&path).unwrap();
    assert!(matches!(check(&index, false), Err(IndexError::Missing(_))));
    fs::write(&path, original.to_string()).unwrap();
    let error = check(&index, false).unwrap_err().to_string();
    assert!(error.contains("it has no check sum"), "{error}");
    made::write_sealed(&path, &original);

    let path: PathBuf = index.join("ledger.jsonl");
    let ledger = fs::read_to_string(&path).unwrap();
    let (first, rest) = ledger.split_once('\n').unwrap();
    for changed in [
        rest.to_owned(),
        format!("{ledger}{first}\n"),
        format!("{ledger}{{"),
        ledger.replacen("warcinfo", "not-html", 1),
    ] {
        fs::write(&path, changed).unwrap();
        assert!(
            problems(&index)[0].contains("ledger.jsonl"),
            "{:?}",
            problems(&index)
        );
    }
    fs::remove_file(&path).unwrap();
    assert!(problems(&index)[0].contains("ledger.jsonl"));
}
