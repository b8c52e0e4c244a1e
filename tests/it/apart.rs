//! Indexes of one collection that are searched apart: counts are added up, runs joined, and what comes out is what one index of all
//! gives, byte for byte.

use std::fs;

use serde_json::Value;
use trommel::demo;

use crate::cli::Place;
use crate::cli_sweep::files;

/// Indexes apart, of so many of the demo's pages.
const SHARES: [(&str, usize); 4] = [("a", 70), ("b", 1), ("c", 0), ("d", 94)];

const EXTRACTORS: &str = "--extractors trommel,bte";

/// A place with the demo's pages in one index, `ix`, and in the indexes of [`SHARES`].
fn place() -> Place {
    let place = Place::of_demo();
    let pages = demo::pages().unwrap();
    let mut rest = pages.as_slice();
    for (name, count) in SHARES {
        let (own, others) = rest.split_at(count);
        rest = others;
        place.demo_pages(&format!("{name}.warc.gz"), own);
        match count {
            // A shard may be without files.
            0 => {
                let line = format!("index --index none --shard 2/2 {EXTRACTORS} {name}.warc.gz");
                place.check(&line, 0, "", "*");
                fs::rename(place.path("none/shard-2-of-2"), place.path(name)).unwrap();
            }
            _ => index(&place, name),
        }
    }
    assert!(rest.is_empty());
    place.demo_pages("ix.warc.gz", &pages);
    index(&place, "ix");
    place
}

fn index(place: &Place, name: &str) {
    let line = format!("index --index {name} {EXTRACTORS} {name}.warc.gz");
    place.check(&line, 0, "", "*");
}

/// Runs the program, which says nothing on standard output.
#[track_caller]
fn done(place: &Place, arguments: &[&str]) -> String {
    let done = place.run_with(arguments, b"");
    assert_eq!(done.code, 0, "{arguments:?}: {}", done.err);
    done.err
}

/// A command in each index, with an output for each, whose names it gives.
fn each(place: &Place, command: &[&str], more: &[&str], output: &str) -> Vec<String> {
    let outputs = SHARES.map(|(name, _)| format!("{name}.{output}"));
    for ((name, _), output) in SHARES.iter().zip(&outputs) {
        let ends = ["--index", name, "--output", output, "--force"];
        let topics = ["--topics", "topics.xml"];
        done(place, &[command, &topics, &ends, more].concat());
    }
    outputs.to_vec()
}

/// Counts in each index, round by round, until all is known; gives the number of rounds.
fn count(place: &Place, search: &[&str]) -> usize {
    let mut before: Vec<&str> = Vec::new();
    for round in 1..9 {
        let counted = each(place, &["count"], &[search, &before].concat(), "counts");
        join(place, &counted, &["--output", "all.counts", "--force"]);
        let counts: Value =
            serde_json::from_slice(&fs::read(place.path("all.counts")).unwrap()).unwrap();
        if counts["complete"] == true {
            return round;
        }
        before = vec!["--counts", "all.counts"];
    }
    panic!("{search:?}: the counts never are complete");
}

fn join(place: &Place, paths: &[String], more: &[&str]) -> String {
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    done(place, &[&["join"], more, &paths].concat())
}

const FEEDBACK: [&str; 3] = [
    "bm25+rm3",
    "qld:mu=500+rm3:docs=5,terms=20,weight=0.3",
    "tfidf+rm3",
];

#[test]
fn runs_of_parts_are_those_of_the_whole() {
    let place = place();
    let sieves: [&[&str]; 5] = [
        &[],
        &["--min-words", "11"],
        &[
            "--filter",
            "trommel and (words >= 5 or tag in (h1, title)) and not bte",
        ],
        &[
            "--weights",
            "max(confidence(trommel), 0.13) * (if tag = title then 2.5 else 1)",
        ],
        &["--min-words", "5000"],
    ];
    let mut runs = 0;
    for sieve in sieves {
        for (stats, models) in [
            (
                "subset",
                &[
                    "bm25",
                    "qld",
                    "qljm",
                    "tfidf",
                    FEEDBACK[0],
                    FEEDBACK[1],
                    FEEDBACK[2],
                ][..],
            ),
            ("collection", &["bm25", FEEDBACK[1]]),
            ("words >= 3", &["qljm", FEEDBACK[0]]),
        ] {
            for model in models {
                let search = [sieve, &["--model", model, "--stats", stats]].concat();
                let rounds = count(&place, &search);
                // Where nothing is found there is nothing to count of it.
                let expected = match (model.contains("rm3"), sieve.contains(&"5000")) {
                    (false, _) => 1,
                    (true, true) => 2,
                    (true, false) => 3,
                };
                assert_eq!(rounds, expected, "{search:?}");
                for (k, exhaustive) in [("7", None), ("1000", Some("--exhaustive"))] {
                    let search = [search.as_slice(), &["-k", k]].concat();
                    let whole = ["run", "--index", "ix", "--topics", "topics.xml", "--output"];
                    let whole = [&whole[..], &["whole.run", "--force"], &search].concat();
                    done(&place, &whole);
                    let counts = ["--counts", "all.counts"];
                    let more = [search.as_slice(), &counts, exhaustive.as_slice()].concat();
                    let parts = each(&place, &["run"], &more, "run");
                    let more = [
                        "-k",
                        k,
                        "--topics",
                        "topics.xml",
                        "--output",
                        "joined.run",
                        "--force",
                    ];
                    join(&place, &parts, &more);
                    let read = |name: &str| fs::read_to_string(place.path(name)).unwrap();
                    assert!(read("whole.run") == read("joined.run"), "{search:?}");
                    runs += usize::from(!read("whole.run").is_empty());
                }
            }
        }
    }
    // All but those of the filter that nothing passes.
    assert_eq!(runs, 4 * 11 * 2);
}

#[test]
fn sweeps_of_parts_are_those_of_the_whole() {
    let place = place();
    let sweeps: [&[&str]; 3] = [
        &[
            "--vary",
            "min-words=1..20:3",
            "--vary",
            "max-link-density=0,0.2,0.5",
            "--model",
            "bm25",
            "--model",
            "qljm",
        ],
        &[
            "--vary",
            "min-words=1,8,15",
            "--extractors",
            "bte",
            "--model",
            FEEDBACK[0],
            "--stats",
            "collection",
        ],
        &[
            "--vary",
            "$floor=0,0.1",
            "--weights",
            "max(confidence(trommel), $floor)",
            "--vary",
            "min-words=2,9",
            "--grid",
            "--model",
            FEEDBACK[1],
        ],
    ];
    for sweep in sweeps {
        count(&place, sweep);
        let judged = [
            "sweep",
            "--topics",
            "topics.xml",
            "--qrels",
            "qrels.txt",
            "--json",
        ];
        let whole = ["--index", "ix", "--runs", "--output", "whole", "--force"];
        for before in ["whole", "report"] {
            let _ = fs::remove_dir_all(place.path(before));
        }
        let whole = place.run_with(&[&judged, sweep, &whole].concat(), b"");
        assert_eq!(whole.code, 0, "{}", whole.err);
        for (name, _) in SHARES {
            let _ = fs::remove_dir_all(place.path(&format!("{name}.sweep")));
        }
        let more = [sweep, &["--runs", "--counts", "all.counts"]].concat();
        let parts = each(&place, &["sweep"], &more, "sweep");
        let parts: Vec<String> = parts.iter().map(|part| format!("{part}/runs")).collect();
        let _ = fs::remove_dir_all(place.path("joined"));
        join(
            &place,
            &parts,
            &["--topics", "topics.xml", "--output", "joined"],
        );
        let runs = files(&place.path("joined"));
        assert!(runs.len() > 3);
        assert!(runs == files(&place.path("whole/runs")), "{sweep:?}");
        let joined = ["--joined", "joined", "--counts", "all.counts"];
        let report = ["--output", "report", "--force"];
        let joined = place.run_with(&[&judged, sweep, &joined, &report].concat(), b"");
        assert_eq!(joined.code, 0, "{}", joined.err);
        let figures = |text: &str| {
            let mut figures: Value = serde_json::from_str(text).unwrap();
            // Only the name of what was searched is another.
            let facts = figures["facts"].take().to_string();
            (figures, facts.replace("all.counts: ", "ix: "))
        };
        assert_eq!(figures(&joined.out), figures(&whole.out), "{sweep:?}");
        let written = |report: &str| {
            let json = fs::read_to_string(place.path(&format!("{report}/sweep.json"))).unwrap();
            let mut diagrams = files(&place.path(report));
            diagrams.retain(|name, _| name.ends_with(".svg"));
            assert!(!diagrams.is_empty());
            (figures(&json), diagrams)
        };
        assert!(written("report") == written("whole"), "{sweep:?}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let place = place();
    count(&place, &["--min-words", "5"]);
    let run = "run --index a --topics topics.xml --output x.run";
    for (more, error) in [
        (
            "--min-words 6 --counts all.counts",
            "nothing was counted under 'words >= 6'",
        ),
        (
            "--min-words 5 --stats collection --counts all.counts",
            "counted by 'subset', and not by 'collection'",
        ),
        (
            "--min-words 5 --model bm25+rm3 --counts all.counts",
            "has its feedback from",
        ),
        (
            "--counts topics.xml",
            "topics.xml: no counts to go by: the file has no statistics",
        ),
        ("--counts nowhere", "nowhere: No such file"),
    ] {
        place.check(&format!("{run} {more}"), 2, "", error);
        assert!(!place.path("x.run").exists());
    }
    place.write("other.txt", "1:something unheard-of\n");
    let other = "run --index a --topics other.txt --min-words 5 --counts all.counts";
    place.check(other, 2, "", "'someth' was not counted under 'words >= 5'");
    place.check(
        "count --index a --topics other.txt --min-words 5 --counts all.counts",
        2,
        "",
        "they are of other topics",
    );
    let counts = fs::read_to_string(place.path("all.counts")).unwrap();
    place.write(
        "late.counts",
        counts.replace("\"trommel-counts\":1", "\"trommel-counts\":9"),
    );
    place.check(
        "join late.counts all.counts",
        2,
        "",
        "they have version 9, and this program reads version 1",
    );
    let mut many: Value = serde_json::from_str(&counts).unwrap();
    many["steps"][0]["n"] = u64::MAX.into();
    many["indexes"] = serde_json::json!([]);
    place.write("many.counts", many.to_string());
    place.check(
        "join all.counts many.counts",
        2,
        "",
        "the sum of pages is too large",
    );
    place.write("cut.counts", &counts[..counts.len() / 2]);
    place.check(
        "join all.counts cut.counts",
        2,
        "",
        "cut.counts: no counts to go by: the file has no statistics: EOF",
    );
    place.check(
        "count --index a --topics topics.xml --output b.counts --force",
        0,
        "",
        "",
    );
    place.check(
        "join all.counts b.counts",
        2,
        "",
        "b.counts cannot be joined with those before it: they are of other filters",
    );
    place.check(
        "run --index a --topics topics.xml --output a.run",
        0,
        "",
        "*",
    );
    place.check(
        "join all.counts a.run",
        2,
        "",
        "cannot be joined: one is a run, and the other are counts",
    );
    place.check(
        "join a.run a.run",
        2,
        "",
        "stands in another of the runs, too",
    );
    place.check(
        "join a.run a",
        2,
        "",
        "files and directories cannot be joined",
    );
    place.write("x/1.run", "");
    place.write("y/2.run", "");
    place.check("join x y --output joined", 2, "", "have not the same files");
    place.check("join x x", 2, "", "name it with --output");
    place.check(
        "join a a --output joined",
        2,
        "",
        "is a directory within a directory",
    );
    // Feedback that is not known yet.
    place.check(
        "count --index a --topics topics.xml --model bm25+rm3 --output b.counts --force",
        0,
        "",
        "",
    );
    place.check(
        "run --index a --topics topics.xml --model bm25+rm3 --counts b.counts",
        2,
        "",
        "b.counts is not complete",
    );
    place.check(
        "join b.counts --output c.counts --force",
        0,
        "",
        "the counts are not complete",
    );
}

/// The counts of an index were added up twice if they were named twice, as happens where a pattern matches what was joined before.
#[test]
fn an_index_is_counted_once() {
    let place = place();
    let counts = each(&place, &["count"], &[], "counts");
    join(&place, &counts, &["--output", "all.counts"]);
    for twice in [
        "join a.counts b.counts a.counts",
        "join a.counts all.counts",
        "join all.counts d.counts c.counts",
    ] {
        place.check(twice, 2, "", "is counted in both");
    }
    // One without pages adds nothing, however often.
    place.check("join --output x c.counts all.counts c.counts", 0, "", "");
    let name = ["--counts", "all.counts", "-k", "3"];
    each(&place, &["run"], &name, "run");
    // Of the same run twice, the first half may be all that is kept.
    place.check(
        "join -k 1 a.run d.run a.run",
        2,
        "",
        "stands in another of the runs, too",
    );
}

/// Shards know how many they are.
#[test]
fn missing_shards_are_told() {
    let place = place();
    let pages = ["a.warc.gz", "b.warc.gz", "d.warc.gz"];
    for number in 1..=3 {
        let line = format!(
            "index --index shards --shard {number}/3 {}",
            pages.join(" ")
        );
        place.check(&line, 0, "", "*");
        let line = format!(
            "count --index shards/shard-{number}-of-3 --topics topics.xml --output {number}.counts"
        );
        place.check(&line, 0, "", "");
    }
    let missing = "of 1 shard the counts are not among these, and scores by them are of a part of the collection: shard-2-of-3";
    place.check(
        "join --output part.counts 3.counts 1.counts",
        0,
        "",
        missing,
    );
    let done = place.check("join --output all.counts part.counts 2.counts", 0, "", "");
    assert_eq!(done.err, "");
}
