//! Builds that were interrupted: gone on with to the same index, or refused with the reason.

use std::fs;
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::cli::Place;
use crate::made::{self, PAD, assert_same_index, results};

const FILES: &str = "c0.warc.gz c1.warc.gz c2.warc.gz";
/// What makes several parts of a little collection.
const SMALL: &str = "--memory 24M --threads 1 --extractors min-words-10,boilerpipe-article";

/// Three files, the last of which is damaged; `whole`, its index; `begun`, what a build left that would not have the damage.
fn interrupted() -> Place {
    let place = made::place(3, 12, PAD);
    made::damage(&place.path("c2.warc.gz"));
    let done = place.run(&format!("index --index whole {SMALL} {FILES}"));
    assert_eq!(done.code, 1, "{}", done.err);
    let line = format!("index --index begun {SMALL} --max-bad 0 {FILES}");
    place.check(&line, 2, "", "1 records failed, more than are allowed");
    place
}

/// Waits for something that a child process is to bring about.
fn wait(what: &str, mut is_there: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_there() {
        assert!(start.elapsed() < Duration::from_secs(120), "no {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn what_max_bad_stopped_goes_on() {
    let place = interrupted();
    let (whole, begun) = (place.path("whole"), place.path("begun"));
    assert!(made::parts(&whole) > 1, "{}", made::parts(&whole));
    let before = made::parts(&begun);
    assert!(before > 0);
    let first = fs::read(begun.join("parts/00000/docids.bin")).unwrap();
    place.check(
        "search --index begun rain",
        2,
        "",
        "go on with 'trommel index --resume'",
    );
    place.check("check --index begun", 2, "", "never finished");
    let line = format!("index --index begun {SMALL} {FILES}");
    place.check(&line, 2, "", "never finished");
    // Still too many; then enough, with other threads and memory, which bear on parts only.
    let line = format!("index --index begun {SMALL} --resume --max-bad 0 {FILES}");
    place.check(&line, 2, "", "--max-bad");
    assert_eq!(made::parts(&begun), before);
    let line = format!("index --index begun {SMALL} --resume {FILES}")
        .replace("--threads 1", "--threads 3");
    let done = place.run(&line);
    assert_eq!(done.code, 1, "{}", done.err);
    assert!(done.err.contains("1 record failed"), "{}", done.err);
    assert_same_index(&whole, &begun);
    assert_eq!(
        fs::read(begun.join("parts/00000/docids.bin")).unwrap(),
        first
    );
    let extractor = Some("boilerpipe-article");
    assert!(results(&place, &["whole"], extractor) == results(&place, &["begun"], extractor));
    place.check("check --index begun", 0, "", "begun: sound");
    assert!(!begun.join("build.json").exists());
}

#[test]
fn what_is_finished_stays_as_it_is() {
    let place = interrupted();
    let whole = place.path("whole");
    let stamps = || -> Vec<_> {
        let files = made::files(&whole).into_iter();
        files
            .map(|file| (fs::metadata(&file).unwrap().modified().unwrap(), file))
            .collect()
    };
    let before = stamps();
    let line = format!("index --index whole {SMALL} --resume {FILES}");
    assert_eq!(place.run(&line).code, 1);
    assert_eq!(stamps(), before);
    place.check("label --index whole --extractor bte", 0, "", "*");
    let line = format!("index --index whole {SMALL} --resume {FILES}");
    assert_eq!(place.run(&line).code, 1, "labels may be added");
    for (line, why) in [
        (
            format!("{SMALL} {FILES} c0.warc.gz"),
            "there were 3 files to read, and there are 4",
        ),
        (
            format!("{SMALL} c1.warc.gz c0.warc.gz c2.warc.gz"),
            "c0.warc.gz was to be read where c1.warc.gz stands",
        ),
        (
            format!("{SMALL} --analyzer plain {FILES}"),
            "the analyzer was english, and is plain",
        ),
        (
            format!("{SMALL},justext {FILES}"),
            "the list of extractors was",
        ),
    ] {
        place.check(&format!("index --index whole --resume {line}"), 2, "", why);
    }
    made::write(&place.path("c0.warc.gz"), 0..11, PAD);
    place.check(&line, 2, "", "c0.warc.gz has another size than it had");
    place.check(
        "index --index whole c0.warc.gz",
        2,
        "",
        "already holds an index",
    );
}

/// Of files that could not be opened the manifest has no entry: others must be the same for all that.
#[test]
fn a_finished_index_with_an_unreadable_file() {
    let place = made::place(2, 3, 0);
    place.write("noise.bin", [0u8, 1, 2, 3]);
    let files = "c0.warc.gz noise.bin c1.warc.gz";
    assert_eq!(place.run(&format!("index --index ix {files}")).code, 1);
    assert_eq!(
        place
            .run(&format!("index --index ix --resume {files}"))
            .code,
        1
    );
    place.check(
        "index --index ix --resume c1.warc.gz noise.bin c0.warc.gz",
        2,
        "",
        "cannot resume ix",
    );
    made::write(&place.path("other.warc.gz"), 50..53, 0);
    place.check(
        "index --index ix --resume other.warc.gz noise.bin c1.warc.gz",
        2,
        "",
        "cannot resume ix",
    );
}

/// Each change is refused with its name, and what was built stays.
#[test]
fn changes_are_refused() {
    let place = interrupted();
    let begun = place.path("begun");
    let before = made::files(&begun);
    let resume = format!("index --index begun {SMALL} --resume");
    for (line, why) in [
        (
            format!("{resume} --segmenter atomic {FILES}"),
            "the segmenter was boilerpipe, and is atomic",
        ),
        (
            format!("{resume} --analyzer none {FILES}"),
            "the analyzer was english, and is none",
        ),
        (
            format!("{resume} --docid url {FILES}"),
            "the option docid was auto, and is url",
        ),
        (
            format!("{resume} --charset utf-8 {FILES}"),
            "the option charset was auto, and is UTF-8",
        ),
        (
            format!("{resume} --status 200-404 {FILES}"),
            "the option status was 200-299, and is 200-404",
        ),
        (
            format!("{resume},bte {FILES}").replace("--resume,bte", "--extractors bte --resume"),
            "the list of extractors was min-words-10,boilerpipe-article, and is",
        ),
        (
            format!("{resume} c0.warc.gz c1.warc.gz"),
            "there were 3 files to read, and there are 2",
        ),
        (
            format!("{resume} c1.warc.gz c0.warc.gz c2.warc.gz"),
            "c0.warc.gz was to be read where c1.warc.gz stands",
        ),
        (
            format!("{resume} ./c0.warc.gz c1.warc.gz c2.warc.gz"),
            "c0.warc.gz was to be read where ./c0.warc.gz stands",
        ),
        (
            format!("{resume} c0.warc.gz c1.warc.gz c2.warc.gz#p-0001"),
            "stands",
        ),
    ] {
        let done = place.check(&line, 2, "", why);
        assert!(done.err.contains("cannot resume begun: "), "{}", done.err);
        assert!(
            done.err.contains("remove the directory to build anew"),
            "{}",
            done.err
        );
    }
    // The first file has been read to its end.
    let line = format!("{resume} {FILES}");
    let path = place.path("c0.warc.gz");
    let original = fs::read(&path).unwrap();
    let mut changed = original.clone();
    let last = changed.len() - 1;
    changed[last] ^= 1;
    fs::write(&path, &changed).unwrap();
    place.check(
        &line,
        2,
        "",
        "c0.warc.gz has other bytes than when it was read",
    );
    changed.push(0);
    fs::write(&path, &changed).unwrap();
    place.check(&line, 2, "", "c0.warc.gz has another size than it had");
    fs::remove_file(&path).unwrap();
    place.check(&line, 2, "", "c0.warc.gz: no such file");
    // So was the beginning of the one that was open, if one was, or nothing of the next.
    fs::write(&path, &original).unwrap();
    assert_eq!(made::files(&begun), before);
    // The same bytes at another time are the same file.
    assert_eq!(place.run(&line).code, 1);
    assert_same_index(&place.path("whole"), &begun);
}

/// The file that was being read is compared as far as it was read.
#[test]
fn the_beginning_of_a_file_that_was_read() {
    let place = made::place(1, 40, PAD);
    let path = place.path("c0.warc.gz");
    made::damage(&path);
    let line = format!("index --index ix {SMALL} --max-bad 0 c0.warc.gz");
    place.check(&line, 2, "", "--max-bad");
    assert!(made::parts(&place.path("ix")) > 0);
    let mut bytes = fs::read(&path).unwrap();
    bytes[5] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let line = format!("index --index ix {SMALL} --resume c0.warc.gz");
    place.check(
        &line,
        2,
        "",
        "c0.warc.gz has other bytes than when it was read",
    );
}

/// Ends a process as a power cut would, as far as a program can tell.
fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn what_was_killed_goes_on() {
    let place = made::place(3, 20, PAD);
    let line = format!("index --index whole {SMALL} {FILES}");
    place.check(&line, 0, "", "whole: 60 pages");
    let begun = place.path("begun");
    let words = format!("index --index begun {SMALL} --resume {FILES}");
    let words: Vec<&str> = words.split_whitespace().collect();
    // To resume where nothing is begins.
    for parts in 1..4 {
        let mut child = place.command(&words).spawn().unwrap();
        wait("part", || {
            made::parts(&begun) >= parts || child.try_wait().unwrap().is_some()
        });
        kill(child);
    }
    assert!(made::parts(&begun) >= 3);
    place.check(&words.join(" "), 0, "", "begun: 60 pages");
    assert_same_index(&place.path("whole"), &begun);
    let extractor = Some("min-words-10");
    assert!(results(&place, &["whole"], extractor) == results(&place, &["begun"], extractor));
    place.check("check --index begun --sources", 0, "", "3 source files");
}

/// A build that was killed when the manifest was there and the directory not yet tidy is finished.
#[test]
fn left_overs_of_a_finished_build_go() {
    let place = interrupted();
    let whole = place.path("whole");
    let before = made::files(&whole);
    fs::copy(place.path("begun/build.json"), whole.join("build.json")).unwrap();
    place.write("whole/build.json.tmp", "{");
    place.write("whole/parts/00000/labels/min-words-10.bits", [0; 9]);
    place.write("whole/parts/00099/docids.bin", "");
    let found = place.check(
        "check --index whole",
        1,
        "it is left from a build and not part of the index",
        "4 problems",
    );
    assert!(found.out.contains("00099"), "{}", found.out);
    results(&place, &["whole"], None);
    assert_eq!(
        place
            .run(&format!("index --index whole {SMALL} --resume {FILES}"))
            .code,
        1
    );
    assert_eq!(made::files(&whole), before);
    place.check("check --index whole", 0, "", "sound");
}

/// What no build has written is not removed, whatever it is called.
#[test]
fn strangers_are_spared() {
    let place = made::place(1, 3, 0);
    for name in ["parts/mine", "labels/mine", "ledger.jsonl"] {
        place.write(&format!("{name}.d/{name}"), "mine");
        let line = format!("index --index {name}.d --resume c0.warc.gz");
        place.check(&line, 2, "", "is not empty and holds no index");
        assert_eq!(made::files(&place.path(&format!("{name}.d"))).len(), 1);
    }
    // A lock alone is what a build leaves that was killed at once; with parts and no state it is unclear what they are.
    place.write("locked/trommel.lock", "");
    place.write("locked/build.json.tmp", "{\"pl");
    place.check("index --index locked c0.warc.gz", 0, "", "locked: 3 pages");
    place.write("unclear/trommel.lock", "");
    place.write("unclear/parts/00000/docids.bin", "");
    place.check(
        "index --index unclear --resume c0.warc.gz",
        2,
        "",
        "build.json is missing; remove the directory",
    );
    assert!(place.path("unclear/parts/00000/docids.bin").exists());
    place.write("garbled/trommel.lock", "");
    place.write("garbled/build.json", "{\"plan\":");
    place.check(
        "index --index garbled --resume c0.warc.gz",
        2,
        "",
        "build.json cannot be read",
    );
}

/// A build from standard input holds the directory; when it dies, nobody can go on with it.
#[test]
fn standard_input_and_a_second_writer() {
    let place = made::place(1, 3, 0);
    let bytes = fs::read(place.path("c0.warc.gz")).unwrap();
    let words = ["index", "--index", "ix", "-"];
    let mut first = place.command(&words).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = first.stdin.take().unwrap();
    stdin.write_all(&bytes[..bytes.len() / 2]).unwrap();
    wait("build", || place.path("ix/build.json").exists());
    for line in [
        "index --index ix c0.warc.gz",
        "index --index ix --resume c0.warc.gz",
    ] {
        place.check(
            line,
            2,
            "",
            "ix is being written to by another process; wait until it is done",
        );
    }
    kill(first);
    drop(stdin);
    let line = "index --index ix --resume -";
    place.check(
        line,
        2,
        "",
        "cannot resume ix: standard input cannot be read twice",
    );
    fs::remove_dir_all(place.path("ix")).unwrap();
    let mut whole = place.command(&words).stdin(Stdio::piped()).spawn().unwrap();
    whole.stdin.take().unwrap().write_all(&bytes).unwrap();
    assert!(whole.wait().unwrap().success());
    place.check(line, 0, "", "ix: 3 pages");
}

/// A pipe is no file that could be read again.
#[cfg(unix)]
#[test]
fn pipes_are_not_looked_into() {
    let place = made::place(1, 3, 0);
    let made = Command::new("mkfifo").arg(place.path("pipe")).status();
    if !made.is_ok_and(|made| made.success()) {
        eprintln!("skipped: no mkfifo");
        return;
    }
    let words = ["index", "--index", "ix", "pipe"];
    let build = place.command(&words).spawn().unwrap();
    wait("build", || place.path("ix/build.json").exists());
    kill(build);
    place.check(
        "index --index ix --resume pipe",
        2,
        "",
        "pipe is no regular file, and cannot be read twice",
    );
}

/// Readers read while labels are added.
#[test]
fn readers_while_labels_are_written() {
    let place = made::place(2, 40, 1000);
    place.check("index --index ix c0.warc.gz c1.warc.gz", 0, "", "*");
    let before = results(&place, &["ix"], None);
    let words = [
        "label",
        "--index",
        "ix",
        "--extractor",
        "all",
        "--threads",
        "1",
    ];
    let label = place.command(&words).spawn().unwrap();
    assert!(results(&place, &["ix"], None) == before);
    let done = label.wait_with_output().unwrap();
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    assert!(results(&place, &["ix"], None) == before);
    results(&place, &["ix"], Some("bte"));
    place.check("check --index ix", 0, "", "sound");
}

/// To search, merge and check nothing is written: a directory that cannot be written to will do.
#[cfg(target_os = "linux")]
#[test]
fn an_index_that_can_only_be_read() {
    let place = made::place(2, 10, 0);
    place.check(
        "index --index ix --extractors min-words-10 c0.warc.gz c1.warc.gz",
        0,
        "",
        "*",
    );
    let script = "mount --bind ix ix && mount -o remount,bind,ro ix && ! touch ix/x 2>/dev/null && exec \"$@\"";
    let read_only = |line: &str| {
        Command::new("unshare")
            .args([
                "-r",
                "-m",
                "sh",
                "-c",
                script,
                "sh",
                env!("CARGO_BIN_EXE_trommel"),
            ])
            .args(line.split_whitespace())
            .current_dir(place.path("."))
            .output()
    };
    if !read_only("--version").is_ok_and(|done| done.status.success()) {
        eprintln!("skipped: no read-only mounts");
        return;
    }
    for line in [
        "run --index ix --topics topics.xml --extractor min-words-10",
        "search --index ix title:rain",
        "check --index ix",
        "merge --index merged ix",
        "index --index ix --extractors min-words-10 --resume c0.warc.gz c1.warc.gz",
    ] {
        let done = read_only(line).unwrap();
        let err = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.success(), "{line}: {err}");
        if !line.starts_with("index") && !line.starts_with("merge") {
            assert_eq!(String::from_utf8_lossy(&done.stdout), place.run(line).out);
        }
    }
    let done = read_only("label --index ix --extractor bte").unwrap();
    let err = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(
        err.contains("Read-only file system") && err.contains("trommel.lock"),
        "{err}"
    );
}

/// A build that goes on knows what it was asked for; what is asked for besides must be the same.
#[test]
fn resume_takes_options_and_files_from_the_build() {
    let place = made::place(3, 12, PAD);
    made::damage(&place.path("c2.warc.gz"));
    let asked = "--segmenter atomic --analyzer plain --docid url --extractors min-words-10,content-tree:n=3";
    let line = format!("index --index whole --memory 24M --threads 1 {asked} {FILES}");
    assert_eq!(place.run(&line).code, 1);
    let line = line.replace("whole", "begun");
    place.check(&format!("{line} --max-bad 0"), 2, "", "--max-bad");
    place.check(
        "index --index begun --resume --segmenter leaf",
        2,
        "",
        "the segmenter was atomic, and is leaf",
    );
    place.check(
        "index --index begun --resume c0.warc.gz",
        2,
        "",
        "there were 3 files to read, and there are 1",
    );
    let line = "index --index begun --resume --memory 24M --threads 1";
    let done = place.run(line);
    assert_eq!(done.code, 1, "{}", done.err);
    assert_same_index(&place.path("whole"), &place.path("begun"));
    assert_eq!(place.run(line).code, 1, "it is finished");
    place.check(
        "index --index nothing --resume",
        2,
        "",
        "there is no build to go on with: name the files",
    );
    place.check(
        "index --index begun --resume --analyzer english",
        2,
        "",
        "the analyzer was plain, and is english",
    );
    // Shards likewise, but for the files, of which each knows its own.
    let line = format!("index --index s --shard 1/1 --segmenter leaf --max-bad 0 {SMALL} {FILES}");
    place.check(&line, 2, "", "--max-bad");
    let line = format!("index --index s --shard 1/1 --resume {FILES}");
    assert_eq!(place.run(&line).code, 1);
    place.check(
        "index --index s --shard 1/1 --resume",
        2,
        "",
        "needs the files",
    );
}

/// Ctrl-C says how to go on.
#[cfg(unix)]
#[test]
fn an_interrupted_build_says_how_to_go_on() {
    let place = made::place(3, 20, PAD);
    let words = format!("index --index ix {SMALL} {FILES}");
    let words: Vec<&str> = words.split_whitespace().collect();
    let child = place.command(&words).spawn().unwrap();
    wait("build", || made::parts_of_build(&place.path("ix")) > 0);
    let pid = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &pid])
            .status()
            .unwrap()
            .success()
    );
    let done = child.wait_with_output().unwrap();
    let err = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(130), "{err}");
    assert!(
        err.contains("go on with 'trommel index --index ix --resume'"),
        "{err}"
    );
    place.check("index --index ix --resume", 0, "", "ix: 60 pages");
}

/// Bits that were flipped in a part while a build was interrupted do not get into the index.
#[test]
fn a_part_that_was_damaged_meanwhile_is_refused() {
    let place = interrupted();
    let path = place.path("begun/parts/00000/docids.bin");
    let mut bytes = fs::read(&path).unwrap();
    bytes[9] ^= 1;
    fs::write(&path, &bytes).unwrap();
    place.check(
        "index --index begun --resume",
        2,
        "",
        "docids.bin is damaged",
    );
    let labels = place.path("begun/parts/00000/labels/min-words-10.bits");
    bytes[9] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let mut bytes = fs::read(&labels).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&labels, &bytes).unwrap();
    place.check(
        "index --index begun --resume",
        2,
        "",
        "min-words-10.bits is damaged",
    );
}

/// Sixty-four threads took 1,092 MB where 256 were allowed.
#[test]
fn memory_bounds_the_threads() {
    let place = made::place(1, 3, 0);
    let done = place.check(
        "index --index ix --memory 96M --threads 64 c0.warc.gz",
        0,
        "",
        "--memory is enough for 3 threads at work, and not for 64",
    );
    assert!(done.err.contains("ix: 3 pages"), "{}", done.err);
    let done = place.run("index --index other --memory 96M --threads 3 c0.warc.gz");
    assert!(!done.err.contains("warning"), "{}", done.err);
}
