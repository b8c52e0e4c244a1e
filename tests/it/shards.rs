//! Shards: parted, built by whoever comes, searched as one and merged to what one build gives.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;
use trommel::index::Index;

use crate::cli::Place;
use crate::made::{self, PAD, assert_same_index, results};
use crate::support::shared;

const FILES: &str = "c0.warc.gz c1.warc.gz c2.warc.gz c3.warc.gz c4.warc.gz";
const EXTRACTORS: &str = "--extractors boilerpipe-article,min-words-10";
const EXTRACTOR: Option<&str> = Some("boilerpipe-article");

/// Builds all shards in a directory, and gives the reports.
#[track_caller]
fn build_shards(place: &Place, directory: &str, count: u32, more: &str) -> Vec<Value> {
    let build = |number: u32| {
        let line = format!("index --index {directory} --shard {number}/{count} --json {more}");
        let done = place.run(&line);
        assert!(done.code < 2, "{line}: {}", done.err);
        serde_json::from_str(&done.out).unwrap()
    };
    (1..=count).map(build).collect()
}

/// Two indexes have the same blocks, texts and all.
#[track_caller]
fn assert_same_blocks(place: &Place, one: &str, other: &str) {
    let [one, other] = [one, other].map(|index| Index::open(&place.path(index)).unwrap());
    assert_eq!(one.num_pages(), other.num_pages());
    for page in 0..one.num_pages() as u32 {
        let blocks = one.page_blocks(page).unwrap();
        assert_eq!(blocks, other.page_blocks(page).unwrap(), "{page}");
    }
}

/// Names of what is in a directory.
fn names(place: &Place, directory: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(place.path(directory)).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[test]
fn merged_and_federated_are_one_build() {
    let place = made::place(5, 9, PAD);
    made::damage(&place.path("c1.warc.gz"));
    let more = format!("{EXTRACTORS} --memory 24M --threads 1 {FILES}");
    assert_eq!(place.run(&format!("index --index one {more}")).code, 1);
    let reports = build_shards(&place, "shards", 3, &more);
    let inputs: Vec<&str> = reports
        .iter()
        .flat_map(|report| report["manifest"]["inputs"].as_array().unwrap())
        .map(|input| input["path"].as_str().unwrap())
        .collect();
    assert_eq!(inputs, FILES.split(' ').collect::<Vec<_>>());
    let failures: Vec<u64> = reports
        .iter()
        .map(|report| report["failures"].as_u64().unwrap())
        .collect();
    assert_eq!(failures.iter().sum::<u64>(), 1);
    assert_eq!(
        names(&place, "shards"),
        BTreeSet::from(["shard-1-of-3", "shard-2-of-3", "shard-3-of-3"].map(str::to_owned))
    );

    let one = results(&place, &["one"], EXTRACTOR);
    assert!(
        results(&place, &["shards"], EXTRACTOR) == one,
        "all shards of a directory"
    );
    let each = [
        "shards/shard-1-of-3",
        "shards/shard-2-of-3",
        "shards/shard-3-of-3",
    ];
    assert!(results(&place, &each, EXTRACTOR) == one, "each by its name");
    place.check("merge --index merged shards", 0, "", "merged: 45 pages");
    assert_same_index(&place.path("one"), &place.path("merged"));
    assert!(results(&place, &["merged"], EXTRACTOR) == one);
    let merged = ["merge", "--index", "again"]
        .into_iter()
        .chain(each)
        .collect::<Vec<_>>()
        .join(" ");
    place.check(&merged, 0, "", "again: 45 pages");
    assert_same_index(&place.path("one"), &place.path("again"));
    assert_same_blocks(&place, "one", "merged");
    assert_same_blocks(&place, "one", "again");
    assert_eq!(made::parts(&place.path("merged")), 1);
    for index in ["one", "shards", "merged", "again"] {
        place.check(&format!("check --index {index} --sources"), 0, "", "sound");
    }
    // A merged index is one to merge, to label and to refuse to write over.
    place.check(
        "merge --index merged shards",
        2,
        "",
        "merged already holds an index",
    );
    place.check("label --index merged --extractor bte", 0, "", "*");
    place.check("label --index one --extractor bte", 0, "", "*");
    assert_same_index(&place.path("one"), &place.path("merged"));
    place.check(
        "merge --index mixed merged shards",
        2,
        "",
        "'trommel label' adds them",
    );
    assert!(
        !names(&place, ".")
            .iter()
            .any(|name| name.starts_with(".mixed"))
    );
    place.write("full/note", "mine");
    place.check(
        "merge --index full shards",
        2,
        "",
        "full is not empty and holds no index",
    );
}

/// The same pages in several shards: the first one counts.
#[test]
fn overlapping_shards() {
    let place = made::place(0, 0, 0);
    for (file, numbers) in [(0, 0..30), (1, 20..50), (2, 10..60)] {
        made::write(&place.path(&format!("c{file}.warc.gz")), numbers, 0);
    }
    let files = "c0.warc.gz c1.warc.gz c2.warc.gz";
    let line = format!("index --index one {EXTRACTORS} {files}");
    // Pages that come again are failures of a build.
    place.check(&line, 1, "", "one: 60 pages");
    for file in 0..3 {
        place.check(
            &format!("index --index s{file} {EXTRACTORS} c{file}.warc.gz"),
            0,
            "",
            "*",
        );
    }
    let one = results(&place, &["one"], EXTRACTOR);
    assert!(results(&place, &["s0", "s1", "s2"], EXTRACTOR) == one);
    place.check("merge --index merged s0 s1 s2", 0, "", "merged: 60 pages");
    assert_same_blocks(&place, "one", "merged");
    assert!(results(&place, &["merged"], EXTRACTOR) == one);
    let (one, merged) = (place.path("one"), place.path("merged"));
    assert_eq!(made::ledger(&one), made::ledger(&merged));
    assert_eq!(
        made::ledger(&one)
            .iter()
            .filter(|line| line.contains("duplicate-docid"))
            .count(),
        50
    );
    assert!(made::labels(&one) == made::labels(&merged));
    // What was decoded of the pages that are left out was decoded.
    let (mut one, mut merged) = (made::manifest(&one), made::manifest(&merged));
    for manifest in [&mut one, &mut merged] {
        manifest["counts"]
            .as_object_mut()
            .unwrap()
            .remove("payload_bytes")
            .unwrap();
    }
    assert_eq!(one, merged);
    place.check("check --index merged", 0, "", "sound (60 pages");
    // In another order other pages are first, of the same text.
    place.check("merge --index turned s2 s0 s1", 0, "", "turned: 60 pages");
    place.check("check --index turned", 0, "", "sound (60 pages");
}

#[test]
fn indexes_of_other_options_are_refused() {
    let place = made::place(2, 4, 0);
    place.check("index --index a c0.warc.gz", 0, "", "*");
    for (options, together, merged) in [
        (
            "--segmenter atomic",
            "its segmenter is atomic, that of the other boilerpipe",
            "",
        ),
        (
            "--analyzer plain",
            "its analyzer is plain, that of the other english",
            "",
        ),
        (
            "--docid url",
            "",
            "its option docid was url, that of the other auto",
        ),
        ("--extractors bte", "", "not both have labels of 'bte'"),
    ] {
        let _ = fs::remove_dir_all(place.path("b"));
        place.check(&format!("index --index b {options} c1.warc.gz"), 0, "", "*");
        let merged = if merged.is_empty() { together } else { merged };
        let done = place.check("merge --index m a b", 2, "", merged);
        assert!(
            done.err.contains("b cannot go together with a: "),
            "{}",
            done.err
        );
        let code = if together.is_empty() { 0 } else { 2 };
        place.check(
            "search --index a --index b rain",
            code,
            "*",
            if code == 0 { "*" } else { together },
        );
        assert!(!place.path("m").exists());
    }
    place.check("merge --index m a nowhere", 2, "", "nowhere holds no index");
}

/// More shards than files: those without any are indexes without pages.
#[test]
fn empty_shards() {
    let place = made::place(2, 10, 0);
    let more = format!("{EXTRACTORS} c0.warc.gz c1.warc.gz");
    place.check(&format!("index --index one {more}"), 0, "", "*");
    let reports = build_shards(&place, "shards", 5, &more);
    let pages = reports
        .iter()
        .map(|report| report["manifest"]["counts"]["pages"].as_u64().unwrap());
    assert_eq!(pages.clone().sum::<u64>(), 20);
    assert_eq!(pages.filter(|pages| *pages == 0).count(), 3);
    let one = results(&place, &["one"], EXTRACTOR);
    assert!(results(&place, &["shards"], EXTRACTOR) == one);
    place.check("merge --index merged shards", 0, "", "*");
    assert_same_index(&place.path("one"), &place.path("merged"));
    assert!(results(&place, &["merged"], EXTRACTOR) == one);
    place.check("check --index shards --index merged", 0, "", "sound");
    let empty: Vec<String> = (1..=5)
        .map(|n| format!("shards/shard-{n}-of-5"))
        .filter(|name| made::parts(&place.path(name)) == 0)
        .collect();
    assert_eq!(empty.len(), 3);
    place.check(
        &format!("merge --index nothing {}", empty.join(" ")),
        0,
        "",
        "warning: the index has no pages",
    );
    place.check("check --index nothing", 0, "", "sound (0 pages");
    place.check("search --index nothing rain", 0, "", "*");
}

/// A shard that is there is left alone, and is not taken for one of other files or options.
#[test]
fn shards_are_built_once() {
    let place = made::place(4, 6, 0);
    let files = "c0.warc.gz c1.warc.gz c2.warc.gz c3.warc.gz";
    build_shards(&place, "shards", 2, files);
    let stamp = |file| {
        fs::metadata(place.path("shards/shard-1-of-2").join(file))
            .unwrap()
            .modified()
            .unwrap()
    };
    let before = (stamp("manifest.json"), stamp("trommel.lock"));
    let line = format!("index --index shards --shard 1/2 --json {files}");
    let done = place.check(
        &line,
        0,
        "\"already_built\":true",
        "shard-1-of-2 is there already",
    );
    let report: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(report["manifest"]["counts"]["pages"], 12);
    assert_eq!((stamp("manifest.json"), stamp("trommel.lock")), before);
    for (line, why) in [
        (
            format!("index --index shards --shard 1/2 --analyzer none {files}"),
            "the analyzer was english, and is none",
        ),
        (
            format!("index --index shards --shard 1/2 c0.warc.gz {files}"),
            "cannot resume shards/shard-1-of-2: ",
        ),
        (
            "index --index shards --shard 3/2 c0.warc.gz".to_owned(),
            "'3/2' is no shard: write 3/8",
        ),
        (
            "index --index shards --shard 1/2 --attempt a/b c0.warc.gz".to_owned(),
            "an attempt's name is up to 100",
        ),
        (
            "index --index shards --attempt a c0.warc.gz".to_owned(),
            "--shard",
        ),
    ] {
        place.check(&line, 2, "", why);
    }
    fs::remove_dir_all(place.path("shards/shard-1-of-2")).unwrap();
    for line in [
        "search --index shards rain",
        "merge --index m shards",
        "check --index shards",
    ] {
        place.check(
            line,
            2,
            "",
            "shards has not all shards: shard-1-of-2 missing",
        );
    }
    place.check(
        &format!("index --index shards --shard 2/3 {files}"),
        0,
        "",
        "*",
    );
    place.check(
        "search --index shards rain",
        2,
        "",
        "shard-1-of-3, shard-3-of-3, (and it has a shard-2-of-2) missing",
    );
}

/// Of several who build a shard at the same time one wins, and all have a shard when they are done.
#[test]
fn attempts_at_the_same_time() {
    let place = made::place(2, 20, 1000);
    let files = ["c0.warc.gz", "c1.warc.gz"];
    place.check(
        &format!("index --index one {}", files.join(" ")),
        0,
        "",
        "*",
    );
    for round in 0..3 {
        let directory = format!("shards-{round}");
        let attempts: Vec<_> = (0..5)
            .map(|attempt| {
                let name = format!("a{attempt}");
                let words = [
                    "index",
                    "--index",
                    &directory,
                    "--shard",
                    "1/1",
                    "--attempt",
                    &name,
                    "--json",
                ];
                place
                    .command(&[&words[..], &files].concat())
                    .spawn()
                    .unwrap()
            })
            .collect();
        let mut built = 0;
        for attempt in attempts {
            let done = attempt.wait_with_output().unwrap();
            let err = String::from_utf8_lossy(&done.stderr).into_owned();
            assert!(done.status.success(), "{err}");
            let report: Value = serde_json::from_slice(&done.stdout).unwrap();
            built += u32::from(report["already_built"] == false);
            assert_eq!(report["manifest"]["counts"]["pages"], 40);
        }
        assert_eq!(built, 1, "one wins");
        assert_eq!(
            names(&place, &directory),
            BTreeSet::from(["shard-1-of-1".to_owned()])
        );
        assert_same_index(
            &place.path("one"),
            &place.path(&directory).join("shard-1-of-1"),
        );
        place.check(&format!("check --index {directory}"), 0, "", "sound");
    }
}

/// What dead attempts left is removed, or gone on with; what is no attempt stays.
#[test]
fn dead_attempts() {
    let place = made::place(3, 12, PAD);
    made::damage(&place.path("c2.warc.gz"));
    let more = "--memory 24M --threads 1 c0.warc.gz c1.warc.gz c2.warc.gz";
    assert_eq!(place.run(&format!("index --index one {more}")).code, 1);
    let stop = |attempt: &str| {
        let line =
            format!("index --index shards --shard 1/1 --attempt {attempt} --max-bad 0 {more}");
        place.check(&line, 2, "", "--max-bad");
    };
    stop("first");
    place.write("shards/.shard-1-of-1.note", "a file");
    place.write("shards/.shard-1-of-1.young/something", "not locked yet");
    place.write("shards/.shard-2-of-2.other/trommel.lock", "");
    stop("second");
    let others = [
        ".shard-1-of-1.note",
        ".shard-1-of-1.young",
        ".shard-2-of-2.other",
    ]
    .map(str::to_owned);
    let with = |name: &str| {
        others
            .iter()
            .cloned()
            .chain([name.to_owned()])
            .collect::<BTreeSet<_>>()
    };
    assert_eq!(names(&place, "shards"), with(".shard-1-of-1.second"));
    let second = place.path("shards/.shard-1-of-1.second");
    let segment = |index: &std::path::Path| {
        let files = made::files(&index.join("parts/00000/pages"));
        files
            .into_iter()
            .map(|path| path.file_name().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let before = segment(&second);
    assert!(!before.is_empty());
    place.check("search --index shards rain", 2, "", "shards holds no index");
    let line = format!("index --index shards --shard 1/1 --attempt third --resume {more}");
    assert_eq!(place.run(&line).code, 1);
    assert_eq!(names(&place, "shards"), with("shard-1-of-1"));
    let built = place.path("shards/shard-1-of-1");
    assert_eq!(segment(&built), before, "another attempt's parts");
    assert_same_index(&place.path("one"), &built);
    // A merge that died is known by its name as well, and nothing else is.
    place.write(".merged.merge-1/trommel.lock", "");
    place.write(".merged.backup/trommel.lock", "");
    place.check("merge --index merged shards", 0, "", "*");
    assert!(!place.path(".merged.merge-1").exists() && place.path(".merged.backup").exists());
}

/// The judged collection in shards: federated and merged it gives the run of one build.
#[test]
fn shards_of_the_news_collection() {
    let Some(news) = shared("retrieval/news") else {
        return;
    };
    let place = made::place(0, 0, 0);
    let files = split(&news.join("collection.warc.gz"), &place, 4, 400);
    let topics = news.join("topics.A.xml");
    place.check(&format!("index --index one {files}"), 0, "", "*");
    build_shards(&place, "shards", 3, &files);
    place.check("merge --index merged shards", 0, "", "*");
    let run = |index: &str, filter: &str| {
        let line = format!("run --index {index} --topics {} {filter}", topics.display());
        let done = place.run(&line);
        assert_eq!(done.code, 0, "{}", done.err);
        assert!(done.out.lines().count() > 500);
        done.out
    };
    for filter in ["", "--min-words 11", "--model qld --min-density 8.5"] {
        let one = run("one", filter);
        assert!(run("shards", filter) == one, "{filter}");
        assert!(run("merged", filter) == one, "{filter}");
    }
    assert_same_index(&place.path("one"), &place.path("merged"));
    place.check("check --index merged", 0, "", "sound");
}

/// Writes the first pages of a collection to several files. Gives their names.
fn split(collection: &std::path::Path, place: &Place, files: usize, pages: usize) -> String {
    let input = trommel::collection::inputs(&[collection.to_owned()]).unwrap();
    let reader = trommel::collection::open(&input[0], &Default::default()).unwrap();
    let documents: Vec<_> = reader
        .filter_map(|item| match item {
            trommel::collection::Item::Document(document) => Some(document),
            _ => None,
        })
        .take(pages)
        .collect();
    let mut names = Vec::new();
    for (number, some) in documents.chunks(pages.div_ceil(files)).enumerate() {
        let name = format!("n{number}.warc.gz");
        let records = some.iter().map(|document| trommel::collection::WarcPage {
            docid: &document.docid,
            url: &document.url,
            date: &document.date,
            html: &document.bytes,
        });
        trommel::collection::write_warc(fs::File::create(place.path(&name)).unwrap(), records)
            .unwrap();
        names.push(name);
    }
    names.join(" ")
}

/// Of two who merge to one directory one is told before the work, and nothing is left of it.
#[test]
fn merged_twice_to_one_directory() {
    let place = made::place(2, 20, 0);
    for file in 0..2 {
        let line = format!("index --index s{file} c{file}.warc.gz");
        assert_eq!(place.run(&line).code, 0);
    }
    let start = || {
        let words = ["merge", "--index", "m", "s0", "s1"];
        place.command(&words).spawn().unwrap()
    };
    let children: Vec<_> = (0..4).map(|_| start()).collect();
    let mut codes: Vec<Option<i32>> = Vec::new();
    for child in children {
        let done = child.wait_with_output().unwrap();
        let err = String::from_utf8_lossy(&done.stderr);
        codes.push(done.status.code());
        let told = [
            "m already holds an index",
            "m is being written to by another process",
        ];
        assert!(
            done.status.success() || told.iter().any(|told| err.contains(told)),
            "{err}"
        );
    }
    codes.sort_unstable();
    assert_eq!(codes, [Some(0), Some(2), Some(2), Some(2)]);
    // What a merge that was killed has left goes with the next.
    place.write(".other.merge-99/trommel.lock", "");
    place.check("merge --index other/. s0 s1", 0, "", "40 pages");
    place.check("check --index m --index other", 0, "", "sound");
    for path in [".", "..", "/"] {
        place.check(
            &format!("merge --index {path} s0"),
            2,
            "",
            "names no new directory",
        );
    }
    place.check(
        "merge --index bad s0 nowhere",
        2,
        "",
        "nowhere holds no index",
    );
    let mut names: Vec<String> = fs::read_dir(place.path("."))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let expected = [
        "c0.warc.gz",
        "c1.warc.gz",
        "m",
        "other",
        "s0",
        "s1",
        "topics.xml",
    ];
    assert_eq!(names, expected);
}

/// Damage in a shard does not get into a merged index as what is sound.
#[test]
fn damaged_shards_are_not_merged() {
    let place = made::place(1, 40, 0);
    assert_eq!(place.run("index --index s c0.warc.gz").code, 0);
    let files = made::files(&place.path("s"));
    let path = files.iter().find(|file| file.ends_with("texts.0")).unwrap();
    let mut bytes = fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(path, &bytes).unwrap();
    place.check(
        "merge --index m s",
        2,
        "",
        "texts.0 is damaged: it has other bytes",
    );
    assert!(!place.path("m").exists());
}
