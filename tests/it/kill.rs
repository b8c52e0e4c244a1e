//! Builds that are killed with SIGKILL at seeded moments, or run into a full disk, and are gone on with until they are done: the index
//! is the one of a build that nothing has happened to.
//!
//! `cargo test --release --test it kill -- --ignored --nocapture` does it at length on the news collection and prints the table of
//! docs/resume.md.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::thread;
use std::time::{Duration, Instant};

use crate::cli::Place;
use crate::made::{self, PAD, assert_same_index};
use crate::support::{Random, shared};

/// When a build is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Moment {
    /// After some share of the time that a whole build takes.
    AnyTime,
    /// When the files of a part are being written at its end.
    InPart,
    /// When `build.json` is being written, or has just been.
    InState,
    /// When labels are put together or the manifest is being written, or while the directory is tidied up afterwards.
    InManifest,
}

const MOMENTS: [Moment; 4] = [
    Moment::AnyTime,
    Moment::InPart,
    Moment::InState,
    Moment::InManifest,
];

/// What a kill found.
#[derive(Debug)]
struct Killed {
    moment: Moment,
    after: Duration,
    /// Parts that `build.json` listed.
    parts: usize,
    /// Parts that were there besides, whole or not.
    others: usize,
    /// A file was being written under its temporary name.
    temporary: bool,
    /// The manifest was there.
    manifest: bool,
}

/// What is built: options and files, and topics to compare by.
struct Case<'a> {
    place: &'a Place,
    files: &'a str,
    options: &'a str,
    topics: &'a str,
    /// Options of a single run: threads and memory may change from one to the next.
    run_options: &'a [&'a str],
}

impl Case<'_> {
    fn line(&self, index: &str, random: &mut Random) -> String {
        let own = self.run_options[random.below(self.run_options.len() as u32) as usize];
        format!(
            "index --index {index} --resume {} {own} {}",
            self.options, self.files
        )
    }

    fn runs(&self, index: &str) -> String {
        let mut all = String::new();
        for filter in [
            "",
            "--min-words 8",
            "--model qld --min-density 6",
            "--extractor boilerpipe-article",
        ] {
            let done = self.place.run(&format!(
                "run --index {index} --topics {} {filter}",
                self.topics
            ));
            assert_eq!(done.code, 0, "{}", done.err);
            all += &done.out;
        }
        all
    }

    /// The index is that of the uninterrupted build `whole`, whose runs are these.
    #[track_caller]
    fn assert_is_whole(&self, index: &str, runs: &str) {
        assert_same_index(&self.place.path("whole"), &self.place.path(index));
        assert!(self.runs(index) == runs, "the runs of {index} differ");
        self.place
            .check(&format!("check --index {index}"), 0, "", "sound");
    }
}

/// Did what a kill at this moment waits for happen?
fn is_there(moment: Moment, index: &Path, parts: usize) -> bool {
    let part = index.join(format!("parts/{parts:05}"));
    match moment {
        Moment::AnyTime => false,
        Moment::InPart => part.join("docids.bin").exists() || part.join("pages").exists(),
        Moment::InState => {
            index.join("build.json.tmp").exists() || made::parts_of_build(index) > parts
        }
        Moment::InManifest => ["labels", "manifest.json.tmp", "manifest.json"]
            .iter()
            .any(|name| index.join(name).exists()),
    }
}

/// Starts a build and kills it; none if it was done before.
fn kill(case: &Case, index: &str, whole: Duration, random: &mut Random) -> Option<Killed> {
    let moment = MOMENTS[random.below(4) as usize];
    let path = case.place.path(index);
    let parts = made::parts_of_build(&path);
    // From nothing at all to some milliseconds after the event, or anywhere in the time of a build.
    let share = f64::from(random.below(1000)) / 1000.0;
    let delay = match moment {
        Moment::AnyTime => whole.mul_f64(share),
        _ => whole.mul_f64(share * share * 0.05),
    };
    let line = case.line(index, random);
    let words: Vec<&str> = line.split_whitespace().collect();
    let start = Instant::now();
    let mut child = case.place.command(&words).spawn().unwrap();
    let waits = |child: &mut std::process::Child| child.try_wait().unwrap().is_none();
    while moment != Moment::AnyTime && !is_there(moment, &path, parts) && waits(&mut child) {
        thread::sleep(Duration::from_micros(200));
    }
    thread::sleep(delay);
    let is_done = !waits(&mut child);
    child.kill().unwrap();
    let after = start.elapsed();
    let done = child.wait_with_output().unwrap();
    if is_done {
        let err = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.code().is_some_and(|code| code < 2), "{err}");
        return None;
    }
    let parts = made::parts_of_build(&path);
    let folders = fs::read_dir(path.join("parts")).map_or(0, Iterator::count);
    Some(Killed {
        moment,
        after,
        parts,
        others: folders.saturating_sub(parts),
        temporary: ["build.json.tmp", "manifest.json.tmp"]
            .iter()
            .any(|name| path.join(name).exists()),
        manifest: path.join("manifest.json").exists(),
    })
}

/// Kills builds so many times, at most six times each, and compares what comes of them. Gives the kills of each build.
fn kill_often(case: &Case, kills: usize, seed: u64) -> Vec<Vec<Killed>> {
    let start = Instant::now();
    let line = format!(
        "index --index whole {} {} {}",
        case.options, case.run_options[0], case.files
    );
    assert!(case.place.run(&line).code < 2);
    let whole = start.elapsed();
    let runs = case.runs("whole");
    let mut random = Random::new(seed);
    let mut builds: Vec<Vec<Killed>> = Vec::new();
    while builds.iter().map(Vec::len).sum::<usize>() < kills {
        let index = format!("build-{}", builds.len());
        let mut killed = Vec::new();
        while killed.len() < 6 {
            match kill(case, &index, whole, &mut random) {
                Some(kill) => killed.push(kill),
                None => break,
            }
        }
        let line = case.line(&index, &mut random);
        let done = case.place.run(&line);
        assert!(done.code < 2, "{line}: {}", done.err);
        case.assert_is_whole(&index, &runs);
        fs::remove_dir_all(case.place.path(&index)).unwrap();
        builds.push(killed);
    }
    builds
}

/// Builds, kills, and what they came upon, as a table.
fn table(builds: &[Vec<Killed>]) -> String {
    let mut table = "| killed | kills | after, s | parts on record | with a part that was not | in mid-write of a JSON file | manifest was there |\n|---|---|---|---|---|---|---|\n".to_owned();
    let all: Vec<&Killed> = builds.iter().flatten().collect();
    for (what, moment) in [
        ("at any time", Some(Moment::AnyTime)),
        ("while a part was finished", Some(Moment::InPart)),
        ("around `build.json`", Some(Moment::InState)),
        (
            "around labels and `manifest.json`",
            Some(Moment::InManifest),
        ),
        ("all", None),
    ] {
        let some: Vec<&&Killed> = all
            .iter()
            .filter(|kill| moment.is_none_or(|moment| kill.moment == moment))
            .collect();
        let count = |is: fn(&Killed) -> bool| some.iter().filter(|kill| is(kill)).count();
        let range = |value: fn(&Killed) -> f64, digits: usize| {
            let values = some.iter().map(|kill| value(kill));
            let (least, most) = values.fold((f64::MAX, 0.0), |(least, most): (f64, f64), v| {
                (least.min(v), most.max(v))
            });
            format!("{:.digits$}–{most:.digits$}", least.min(most))
        };
        table += &format!(
            "| {what} | {} | {} | {} | {} | {} | {} |\n",
            some.len(),
            range(|kill| kill.after.as_secs_f64(), 2),
            range(|kill| kill.parts as f64, 0),
            count(|kill| kill.others > 0),
            count(|kill| kill.temporary),
            count(|kill| kill.manifest),
        );
    }
    let again = builds.iter().filter(|kills| kills.len() > 1).count();
    format!(
        "{table}\n{} builds, {again} of them killed more than once; every index was the uninterrupted one's.\n",
        builds.len()
    )
}

/// Three files with a damaged record, and the options that make several parts of them.
fn little() -> Place {
    let place = made::place(3, 16, PAD);
    made::damage(&place.path("c1.warc.gz"));
    place
}

const LITTLE: &str = "c0.warc.gz c1.warc.gz c2.warc.gz";
const EXTRACTORS: &str = "--extractors boilerpipe-article,min-words-10";

fn little_case(place: &Place) -> Case<'_> {
    Case {
        place,
        files: LITTLE,
        options: EXTRACTORS,
        topics: "topics.xml",
        run_options: &["--memory 24M --threads 1"],
    }
}

/// The judged collection and its topics, where they are found.
fn news() -> Option<[String; 2]> {
    let news = shared("retrieval/news")?;
    let path = |name: &str| news.join(name).to_str().unwrap().to_owned();
    Some(["collection.warc.gz", "topics.A.xml"].map(path))
}

fn news_case<'a>(
    place: &'a Place,
    [files, topics]: &'a [String; 2],
    run_options: &'a [&'a str],
) -> Case<'a> {
    Case {
        place,
        files,
        options: EXTRACTORS,
        topics,
        run_options,
    }
}

#[test]
fn killed_builds_go_on() {
    let place = little();
    let case = little_case(&place);
    let builds = kill_often(&case, 5, 7);
    println!("{}", table(&builds));
}

#[test]
#[ignore = "takes minutes; release build"]
fn news_killed_often() {
    let Some(files) = news() else { return };
    let place = Place::empty();
    let case = news_case(
        &place,
        &files,
        &["--memory 48M --threads 2", "--memory 24M --threads 1"],
    );
    let builds = kill_often(&case, 60, 2010);
    println!("{}", table(&builds));
}

/// A shell that may mount; none where that is not allowed.
fn with_mounts(place: &Place, script: &str) -> Option<Output> {
    let run = |script: &str| {
        let mut shell = Command::new("unshare");
        shell.args(["-r", "-m", "sh", "-c", script]);
        shell
            .env("TROMMEL", env!("CARGO_BIN_EXE_trommel"))
            .current_dir(place.path("."))
            .output()
    };
    let can = run("mkdir -p probe && mount -t tmpfs -o size=64k probe probe");
    if !cfg!(target_os = "linux") || !can.is_ok_and(|done| done.status.success()) {
        eprintln!("skipped: no temporary file systems");
        return None;
    }
    Some(run(script).unwrap())
}

/// A disk that is full at one point after another: the error says where and what to do; with room the build goes on.
fn fill_disk(case: &Case, steps: u64) -> Vec<(u64, String)> {
    let place = case.place;
    let line = format!(
        "index --index whole {} {} {}",
        case.options, case.run_options[0], case.files
    );
    assert!(place.run(&line).code < 2);
    let runs = case.runs("whole");
    let sizes = made::files(&place.path("whole")).into_iter();
    // Files take whole pages of memory there.
    let whole: u64 = sizes
        .map(|file| fs::metadata(file).unwrap().len().div_ceil(4096) * 4096)
        .sum();
    let mut errors = Vec::new();
    for step in 0..steps {
        let size = (whole * step / steps).max(8192);
        let line = case.line("disk/index", &mut Random::new(step));
        let script = format!(
            "mkdir -p disk && mount -t tmpfs -o size={size} disk disk || exit 9
            $TROMMEL {first} 2>first.err; echo $? >first.code
            mount -o remount,size=1g disk disk || exit 9
            $TROMMEL {line} 2>second.err; echo $? >second.code
            cp -r disk/index copy-{step}",
            first = line.replace(" --resume", ""),
        );
        let Some(done) = with_mounts(place, &script) else {
            return Vec::new();
        };
        let read = |name: &str| fs::read_to_string(place.path(name)).unwrap();
        assert!(
            done.status.success(),
            "{}{}",
            String::from_utf8_lossy(&done.stderr),
            read("second.err")
        );
        let (error, code) = (read("first.err"), read("first.code"));
        assert!(!error.contains("panicked"), "{size} bytes: {error}");
        let second: u32 = read("second.code").trim().parse().unwrap();
        assert!(
            second < 2,
            "{size} bytes, then more: {}",
            read("second.err")
        );
        if code.trim() == "2" {
            for part in [
                "error: ",
                "disk/index",
                "No space left on device",
                "hint: free space",
                "--resume",
            ] {
                assert!(error.contains(part), "{size} bytes: no {part} in {error}");
            }
            errors.push((size, error.lines().next().unwrap().to_owned()));
        } else {
            assert!(step > steps / 2, "{size} bytes: {error}");
        }
        case.assert_is_whole(&format!("copy-{step}"), &runs);
        fs::remove_dir_all(place.path(&format!("copy-{step}"))).unwrap();
    }
    assert!(errors.len() as u64 > steps / 2, "{errors:?}");
    errors
}

#[test]
fn full_disks() {
    let place = little();
    let case = little_case(&place);
    for (size, error) in fill_disk(&case, 6) {
        println!("{size}: {error}");
    }
}

#[test]
#[ignore = "takes minutes; release build"]
fn news_on_full_disks() {
    let Some(files) = news() else { return };
    let place = Place::empty();
    let case = news_case(&place, &files, &["--memory 24M --threads 1"]);
    for (size, error) in fill_disk(&case, 12) {
        println!("{size}: {error}");
    }
}

/// A file that may not grow any more, by the limit of a shell.
#[cfg(unix)]
#[test]
fn limits_of_file_sizes() {
    let place = little();
    let case = little_case(&place);
    let line = case.line("whole", &mut Random::new(0));
    assert!(place.run(&line).code < 2);
    let runs = case.runs("whole");
    let mut stopped = 0;
    // In 512 bytes.
    for limit in [1, 4, 9, 20, 40] {
        let index = format!("limit-{limit}");
        let line = case.line(&index, &mut Random::new(0));
        let script = format!("trap '' XFSZ; ulimit -f {limit}; exec \"$0\" {line}");
        let mut shell = Command::new("sh");
        shell
            .args(["-c", &script, env!("CARGO_BIN_EXE_trommel")])
            .current_dir(place.path("."));
        let done = shell.output().unwrap();
        let err = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(!err.contains("panicked"), "{err}");
        if done.status.code() == Some(2) {
            assert!(
                err.contains("File too large")
                    && err.contains(&index)
                    && err.contains("hint: free space"),
                "{err}"
            );
            stopped += 1;
        } else {
            assert_eq!(done.status.code(), Some(1), "{err}");
        }
        assert!(place.run(&line).code < 2);
        case.assert_is_whole(&index, &runs);
    }
    assert!(stopped > 1);
}
