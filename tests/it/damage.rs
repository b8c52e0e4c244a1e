//! Indexes that are damaged: whatever bit of whatever file is flipped, no command panics, hangs or is killed, and `check` finds it.
//!
//! `cargo test --release --test it damage -- --ignored --nocapture` does it 5,000 times and prints the table of docs/damage.md.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::cli::Place;
use crate::made;
use crate::support::Random;

/// No command on an index of this size takes anything like it.
const TIME: Duration = Duration::from_secs(60);

/// A place with a little index `ix` of two segments, with labels, confidences, a ledger, and topics.
fn indexed() -> Place {
    let place = made::place(2, 150, 0);
    made::damage(&place.path("c1.warc.gz"));
    let line =
        "index --index ix --threads 2 --extractors min-words-10,trommel c0.warc.gz c1.warc.gz";
    assert_eq!(place.run(line).code, 1);
    place
}

/// What a flipped bit did, by kind of file.
#[derive(Debug, Default)]
struct Tally {
    flips: u64,
    /// Flips at which `search` or `run` ended with an error.
    refused: u64,
    /// Those at which both gave what they give of the whole index.
    same: u64,
    /// Those at which they gave something else.
    other: u64,
    /// Those that `search --verify` refused.
    verified: u64,
    /// Those that `check` found.
    found: u64,
}

/// The kind of a file: its name, or its ending where the name means nothing.
fn kind(path: &Path) -> String {
    let name = path.file_name().unwrap().to_str().unwrap();
    match name.rsplit_once('.') {
        Some(("" | "manifest" | "meta" | ".managed" | "ledger" | "docids" | "extents", _)) => {
            name.to_owned()
        }
        Some((stem @ ("page-postings" | "texts"), _)) => format!("{stem}.*"),
        Some((_, ending)) => format!("*.{ending}"),
        None => name.to_owned(),
    }
}

/// Waits for a process; ends it if it takes too long.
fn wait(child: Child, line: &str) -> Output {
    let pid = child.id().to_string();
    let (done, is_done) = mpsc::channel();
    let waiting = thread::spawn(move || {
        let output = child.wait_with_output().unwrap();
        // Who does not wait any more has failed already.
        let _ = done.send(());
        output
    });
    if is_done.recv_timeout(TIME).is_err() {
        Command::new("kill").args(["-9", &pid]).status().unwrap();
        panic!("{line} does not end");
    }
    waiting.join().unwrap()
}

/// Exit code and standard output of a command, whose end is no panic and no signal.
fn run(place: &Place, line: &str, context: &str) -> (i32, String) {
    let words: Vec<&str> = line.split_whitespace().collect();
    let done = wait(place.command(&words).spawn().unwrap(), line);
    let err = String::from_utf8_lossy(&done.stderr);
    let code = done.status.code();
    assert!(
        code.is_some_and(|code| code <= 2) && !err.contains("panicked"),
        "{context}: {line}: {:?}: {err}",
        done.status
    );
    let code = code.unwrap();
    if code == 2 {
        assert!(err.starts_with("error: "), "{context}: {line}: {err}");
    }
    (code, String::from_utf8_lossy(&done.stdout).into_owned())
}

const SEARCHES: [&str; 3] = [
    "search --index ix --json -k 3 --extractor trommel \"rain barrel\" title:rain frost",
    "run --index ix --topics topics.xml -k 20 --output -",
    "run --index ix --topics topics.xml -k 20 --min-confidence 0.3 --model bm25+rm3",
];

/// Flips bits, one at a time, half of them anywhere in the index and half in any file.
fn flip(flips: u64, seed: u64) -> BTreeMap<String, Tally> {
    let place = indexed();
    let index = place.path("ix");
    let results = |context: &str| -> Vec<(i32, String)> {
        let lines = SEARCHES.iter();
        lines.map(|line| run(&place, line, context)).collect()
    };
    let before = results("whole");
    assert!(before.iter().all(|(code, _)| *code == 0));
    let files: Vec<(PathBuf, u64)> = made::files(&index)
        .into_iter()
        .map(|path| (path.clone(), fs::metadata(path).unwrap().len()))
        .filter(|(_, bytes)| *bytes > 0)
        .collect();
    let total: u64 = files.iter().map(|(_, bytes)| bytes).sum();
    let mut random = Random::new(seed);
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for number in 0..flips {
        let mut at = match number % 2 {
            0 => random.next() % total,
            _ => {
                let file = random.below(files.len() as u32) as usize;
                let before: u64 = files[..file].iter().map(|(_, bytes)| bytes).sum();
                before + random.next() % files[file].1
            }
        };
        let file = files.iter().find(|(_, bytes)| {
            let is_here = at < *bytes;
            at -= if is_here { 0 } else { *bytes };
            is_here
        });
        let path = &file.unwrap().0;
        let whole = fs::read(path).unwrap();
        let mut changed = whole.clone();
        let bit = random.below(8);
        changed[at as usize] ^= 1 << bit;
        fs::write(path, &changed).unwrap();
        let shown = path.strip_prefix(&index).unwrap().display();
        let context = format!("bit {bit} of byte {at} of {shown}");

        let tally = tallies.entry(kind(path)).or_default();
        tally.flips += 1;
        let after = results(&context);
        match after {
            _ if after.iter().any(|(code, _)| *code == 2) => tally.refused += 1,
            _ if after == before => tally.same += 1,
            _ => tally.other += 1,
        }
        let verified = run(&place, "search --index ix --verify rain", &context);
        tally.verified += u64::from(verified.0 == 2);
        let (code, out) = run(&place, "check --index ix", &context);
        let is_manifest = path.ends_with("manifest.json");
        let is_found = match is_manifest {
            true => code == 2,
            false => code == 1 && out.contains(&*shown.to_string()),
        };
        assert!(is_found, "{context}: check: {code} {out}");
        tally.found += 1;
        fs::write(path, &whole).unwrap();
    }
    assert_eq!(run(&place, "check --index ix", "restored").0, 0);
    tallies
}

fn table(tallies: &BTreeMap<String, Tally>) -> String {
    let mut table = "| file | flips | refused by `search` or `run` | same results | other results | refused with `--verify` | found by `check` |\n|---|---|---|---|---|---|---|\n".to_owned();
    let mut all = Tally::default();
    let row = |name: &str, t: &Tally| {
        let Tally {
            flips,
            refused,
            same,
            other,
            verified,
            found,
        } = t;
        format!("| {name} | {flips} | {refused} | {same} | {other} | {verified} | {found} |\n")
    };
    for (kind, tally) in tallies {
        table += &row(&format!("`{kind}`"), tally);
        all.flips += tally.flips;
        all.refused += tally.refused;
        all.same += tally.same;
        all.other += tally.other;
        all.verified += tally.verified;
        all.found += tally.found;
    }
    table + &row("all", &all)
}

/// With `--verify` nothing wrong is searched.
fn assert_all_verified(tallies: &BTreeMap<String, Tally>) {
    for (kind, tally) in tallies {
        assert_eq!(tally.verified, tally.flips, "{kind}");
        assert_eq!(tally.found, tally.flips, "{kind}");
    }
}

/// Damaged segments made tantivy's code and ours panic, with exit code 101.
#[test]
fn flipped_bits_never_panic() {
    let tallies = flip(24, 7);
    println!("{}", table(&tallies));
    assert_all_verified(&tallies);
}

#[test]
#[ignore = "takes minutes; release build"]
fn five_thousand_flips() {
    let tallies = flip(5000, 2010);
    println!("{}", table(&tallies));
    assert_all_verified(&tallies);
}

/// Each file in turn is cut short, emptied, removed: `search` says so and ends with 2, and nothing is mapped that is not there.
#[test]
fn truncated_files_are_refused_when_opened() {
    let place = indexed();
    let index = place.path("ix");
    for path in made::files(&index) {
        let name = path.file_name().unwrap().to_str().unwrap();
        let whole = fs::read(&path).unwrap();
        // Only what is asked for is looked at.
        if whole.is_empty() || name == "ledger.jsonl" || name.starts_with("min-words-10") {
            continue;
        }
        for length in [0, whole.len() / 2, whole.len() - 1] {
            fs::write(&path, &whole[..length]).unwrap();
            let line = "search --index ix --extractor trommel rain";
            let done = place.check(line, 2, "", "error: ");
            let shown = path.strip_prefix(place.path(".")).unwrap_or(&path);
            let shown = shown.to_str().unwrap().trim_start_matches("./");
            let named = shown.split("/ix/").last().unwrap();
            assert!(
                done.err.contains(named) && done.err.contains("damaged"),
                "{named}: {}",
                done.err
            );
        }
        fs::write(&path, &whole).unwrap();
    }
}
