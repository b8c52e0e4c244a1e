//! `trommel sweep` and experiments of its kind, through the program itself, on the built-in demo collection.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Write, pipe};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use trommel::demo;

use crate::cli::{Done, Place, objects};
use crate::support::shared;

/// A place with the demo's pages, topics and judgments, and an index `ix` with labels; one extractor has a comma in its name.
pub(crate) fn place() -> Place {
    let place = Place::of_demo();
    place.demo_pages("demo.warc.gz", &demo::pages().unwrap());
    let extractors = format!("bte,{COMMA}");
    let line = format!("index --index ix --extractors {extractors} demo.warc.gz");
    place.check(&line, 0, "", "ix: 165 pages");
    place
}

const COMMA: &str = "content-tree:n=3,base=boilerpipe-default";
/// A sweep that most tests vary.
const SWEEP: &str = "sweep --index ix --topics topics.xml --qrels qrels.txt";
const BM25: &str = "bm25:k1=0.9,b=0.4";
const RM3: &str = "qld:mu=1000+rm3:terms=10,docs=10,weight=0.5";

/// The files of a directory and those below, by name.
pub(crate) fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in directory.read_dir().unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        match path.is_dir() {
            true => {
                let below = self::files(&path).into_iter();
                files.extend(below.map(|(below, bytes)| (format!("{name}/{below}"), bytes)));
            }
            false => {
                files.insert(name, fs::read(path).unwrap());
            }
        }
    }
    files
}

/// What a sweep is for: all but the finished steps, whose order is that of their making, and what names the command line.
fn results(place: &Place, output: &str) -> BTreeMap<String, Vec<u8>> {
    let mut files = files(&place.path(output));
    assert!(files.remove("steps.jsonl").is_some());
    files.retain(|name, _| !name.starts_with("metadata/"));
    files
}

fn json(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).unwrap()
}

/// By filter and model the measures of a step: the points of all lines, and the references.
fn measured(swept: &Value) -> BTreeMap<(String, String), Value> {
    let array = |value: &Value| value.as_array().unwrap().clone();
    let mut found = BTreeMap::new();
    for line in array(&swept["lines"]) {
        for point in array(&line["points"]) {
            let model = line["model"].as_str().unwrap().to_owned();
            found.insert(
                (text(&point["result"]["filter"]), model),
                point["result"].clone(),
            );
        }
    }
    for it in array(&swept["references"]) {
        let key = (text(&it["result"]["filter"]), text(&it["model"]));
        found.insert(key, it["result"].clone());
    }
    found
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// Sweeps to `output`, then makes every ranking by itself: the run files are the same to the byte, there are no others, and the
/// scores are those that `eval -c` gives of them.
#[track_caller]
fn same_as_run_and_eval(place: &Place, flags: &str, ranking: &str, filters: &[[&str; 2]]) {
    fs::remove_dir_all(place.path("out")).unwrap_or_default();
    let models = [BM25, RM3];
    let line = format!(
        "{SWEEP} {flags} {ranking} --model {} --model {} -k 40 --tag t --runs --output out",
        models[0], models[1]
    );
    place.check(&line, 0, "*", "the run files are in out/runs");
    let swept = json(&fs::read(place.path("out/sweep.json")).unwrap());
    let steps = measured(&swept);
    let mut runs = files(&place.path("out/runs"));
    assert_eq!(runs.len(), filters.len() * 2, "{:?}", runs.keys());
    for [filter, expression] in filters {
        let flags: Vec<String> = filter
            .split(' ')
            .filter(|it| *it != "unfiltered")
            .map(|it| format!("--{it}"))
            .collect();
        for model in models {
            let named = |text: &str| text.replace(' ', "_").replace(':', "-");
            let (start, end) = (named(filter), named(&format!(".{model}.run")));
            // A name that has lost a sign goes on with a hash.
            let is_own = |name: &&String| {
                let rest = name.strip_prefix(start.as_str());
                let rest = rest.and_then(|it| it.strip_suffix(end.as_str()));
                let length = if filter.contains(':') { 17 } else { 0 };
                rest.is_some_and(|rest| rest.len() == length)
            };
            let name = runs.keys().find(is_own).cloned();
            let name = name.unwrap_or_else(|| panic!("no {start}{end}"));
            let found = runs.remove(&name).unwrap();
            let line = format!(
                "run --index ix --topics topics.xml -k 40 --tag t {ranking} --model {model} {}",
                flags.join(" ")
            );
            let done = place.run(&line);
            assert_eq!(done.code, 0, "{}", done.err);
            assert!(found == done.out.as_bytes(), "{filter} {model}");
            let step = &steps[&((*expression).to_owned(), model.to_owned())];
            place.write("one.run", found);
            same_as_eval(place, &swept, step, "");
        }
    }
}

/// The scores of a step are those of the run file `one.run`.
#[track_caller]
fn same_as_eval(place: &Place, swept: &Value, step: &Value, flags: &str) {
    let names: Vec<String> = swept["measures"]
        .as_array()
        .unwrap()
        .iter()
        .map(text)
        .collect();
    let measures: Vec<String> = names.iter().map(|name| format!("-m {name}")).collect();
    let line = format!(
        "eval -c -q --format json {flags} {} qrels.txt one.run",
        measures.join(" ")
    );
    let evaluated = &objects(&place.check(&line, 0, "*", "*").out)[0];
    for (number, name) in names.iter().enumerate() {
        let mean = evaluated["scores"][name].as_f64().unwrap();
        let swept_mean = step["means"][number].as_f64().unwrap();
        assert!(
            (mean - swept_mean).abs() < 1e-12,
            "{name} {mean} {swept_mean}"
        );
        for (place, topic) in swept["topics"].as_array().unwrap().iter().enumerate() {
            let id = topic["id"].as_str().unwrap();
            let expected = &evaluated["topics"][id][name];
            assert_eq!(step["scores"][number][place], *expected, "{id} {name}");
        }
    }
}

#[test]
fn every_step_is_a_run() {
    let place = place();
    same_as_run_and_eval(
        &place,
        "--vary min-words=1..21:10 --vary max-link-density=0,0.33 --vary min-density=9.5 --extractors bte \
         --extractors content-tree:n=3,base=boilerpipe-default,bte",
        "",
        &[
            ["unfiltered", "unfiltered"],
            ["extractor=bte", "bte"],
            [
                "extractor=content-tree:n=3,base=boilerpipe-default",
                "\"content-tree:n=3,base=boilerpipe-default\"",
            ],
            ["min-words=1", "words >= 1"],
            ["min-words=11", "words >= 11"],
            ["min-words=21", "words >= 21"],
            ["max-link-density=0", "link-density <= 0"],
            ["max-link-density=0.33", "link-density <= 0.33"],
            ["min-density=9.5", "density >= 9.5"],
        ],
    );
    // What all have besides stands by itself too.
    same_as_run_and_eval(
        &place,
        "--vary min-words=3,40 --vary max-words=20,60 --grid --extractor bte --max-density 12",
        "--stats collection",
        &[
            ["unfiltered", "unfiltered"],
            ["extractor=bte max-density=12", "bte and density <= 12"],
            [
                "extractor=bte max-density=12 max-words=20 min-words=3",
                "bte and density <= 12 and words <= 20 and words >= 3",
            ],
            [
                "extractor=bte max-density=12 max-words=60 min-words=3",
                "bte and density <= 12 and words <= 60 and words >= 3",
            ],
            [
                "extractor=bte max-density=12 max-words=20 min-words=40",
                "bte and density <= 12 and words <= 20 and words >= 40",
            ],
            [
                "extractor=bte max-density=12 max-words=60 min-words=40",
                "bte and density <= 12 and words <= 60 and words >= 40",
            ],
        ],
    );
}

/// The flags of judging are those of `eval`.
#[test]
fn judging_is_that_of_eval() {
    let place = place();
    // Some pages are not judged, so that -J has something to drop.
    let qrels: Vec<&str> = demo::QRELS.lines().step_by(3).collect();
    place.write("qrels.txt", qrels.join("\n") + "\n");
    for flags in ["-l 2", "-M 7 -J", "--grades 1..2=4", "-J"] {
        let measures = "-m nDCG@10 -m AP -m Bpref -m Judged@10 -m P_5";
        let line = format!("{SWEEP} --vary min-words=11 {flags} {measures} --json");
        let swept = json(place.check(&line, 0, "*", "").out.as_bytes());
        let run = "run --index ix --topics topics.xml --min-words 11";
        place.write("one.run", place.check(run, 0, "*", "*").out);
        same_as_eval(
            &place,
            &swept,
            &swept["lines"][0]["points"][0]["result"],
            flags,
        );
    }
}

/// Batches and threads change nothing.
#[test]
fn batches_and_threads() {
    let place = place();
    let sweep = |output: &str, flags: &str| {
        let line = format!(
            "{SWEEP} --vary min-words=1..41:8 --vary max-words=9,30 --model {BM25} --model {RM3} --runs --output {output} {flags}"
        );
        place.check(&line, 0, "*", "*");
        results(&place, output)
    };
    let expected = sweep("one", "--threads 1");
    for (output, flags) in [
        ("two", "--threads 2"),
        ("three", "--threads 3"),
        ("batches", "--memory 1K --threads 2"),
        ("each", "--memory 0"),
    ] {
        assert!(sweep(output, flags) == expected, "{flags}");
    }
}

/// The lines of `steps.jsonl`, the settings among them.
fn steps(place: &Place, output: &str) -> Vec<String> {
    let text = fs::read_to_string(place.path(&format!("{output}/steps.jsonl"))).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// A sweep that was cut off goes on where it was: the results are those of one that was not, and what was finished is not made
/// again.
#[test]
fn resume() {
    let place = place();
    let line = |output: &str| {
        format!(
            "{SWEEP} --vary min-words=1..9:2 --vary max-link-density=0.1,0.5 --model {BM25} --model {RM3} --runs --output {output}"
        )
    };
    place.check(&line("whole"), 0, "*", "*");
    let expected = results(&place, "whole");
    // The settings, and 8 filters under 2 models.
    assert_eq!(steps(&place, "whole").len(), 1 + 16);

    place.check(&line("cut"), 0, "*", "*");
    let path = place.path("cut/steps.jsonl");
    let mut bytes = fs::read(&path).unwrap();
    let ends: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at] == b'\n').collect();
    // Within the 11th step, of which one byte is no UTF-8: what a cut within a character leaves.
    bytes.truncate(ends[10] + 40);
    bytes.push(0xe2);
    fs::write(&path, &bytes).unwrap();
    let kept: Vec<String> = steps_of(&bytes[..=ends[10]]);
    // Run files: one that is finished goes, and one that is no longer finished is left half.
    let gone = "cut/runs/unfiltered.qld-mu=1000+rm3-terms=10,docs=10,weight=0.5.run";
    fs::remove_file(place.path(gone)).unwrap();
    place.write(
        "cut/runs/max-link-density=0.1.bm25-k1=0.9,b=0.4.run",
        "half",
    );
    // A finished step is taken as it is: a run file that says something else is not made anew.
    let marked = "runs/min-words=1.bm25-k1=0.9,b=0.4.run";
    place.write(&format!("cut/{marked}"), "as it was");
    let resumed = line("cut") + " --resume";
    place.check(&resumed, 0, "*", "*");
    let mut found = results(&place, "cut");
    assert_eq!(found[marked], b"as it was");
    found.insert(marked.to_owned(), expected[marked].clone());
    same_files(&found, &expected);
    // Each step once, those that were finished first.
    let after = steps(&place, "cut");
    assert_eq!(after.len(), 1 + 16);
    let finished: Vec<&String> = kept
        .iter()
        .filter(|line| !is_of(line, "\"unfiltered\"", RM3))
        .collect();
    assert_eq!(finished.len(), 10);
    assert!(after.iter().zip(&finished).all(|(a, b)| a == *b));
    let mut sorted = after.clone();
    let mut whole = steps(&place, "whole");
    sorted.sort_unstable();
    whole.sort_unstable();
    assert_eq!(sorted, whole);

    // Nothing left to do.
    place.check(&resumed, 0, "*", "*");
    assert_eq!(steps(&place, "cut"), after);
    // More thresholds and other folds are no other settings.
    place.check(&(resumed + " --vary min-density=5 --folds 3"), 0, "*", "*");
    assert_eq!(steps(&place, "cut").len(), after.len() + 2);
    // A step whose scores do not fit the judgments is none.
    let mut lines = steps(&place, "cut");
    lines[1] = r#"{"filter":{},"model":"bm25:k1=0.9,b=0.4","scores":[[1.0],[]]}"#.to_owned();
    place.write("cut/steps.jsonl", lines.join("\n"));
    place.check(&(line("cut") + " --resume"), 0, "*", "*");
    place.write(&format!("cut/{marked}"), expected[marked].clone());
    same_files(&results(&place, "cut"), &expected);
}

fn steps_of(bytes: &[u8]) -> Vec<String> {
    let text = std::str::from_utf8(bytes).unwrap();
    text.lines().map(str::to_owned).collect()
}

fn is_of(line: &str, filter: &str, model: &str) -> bool {
    let step: Value = serde_json::from_str(line).unwrap();
    step["model"] == model && serde_json::to_string(&step["filter"]).unwrap() == filter
}

/// The expected files are there, with the same content.
#[track_caller]
fn same_files(found: &BTreeMap<String, Vec<u8>>, expected: &BTreeMap<String, Vec<u8>>) {
    for (name, bytes) in expected {
        assert!(found.get(name) == Some(bytes), "{name}");
    }
}

/// What a sweep was begun with must stay.
#[test]
fn resume_with_other_settings() {
    let place = place();
    let flags = "--vary min-words=5 --output out";
    let first = format!("{SWEEP} {flags}");
    place.check(&first, 0, "*", "");
    place.check(&first, 2, "", "out holds a sweep already; --resume goes on");
    let before = files(&place.path("out"));
    place.write("other.xml", demo::TOPICS.replace("compost", "manure"));
    place.write("other.txt", demo::QRELS.replacen(" 0\n", " 1\n", 1));
    place.check("index --index other demo.warc.gz", 0, "", "*");
    let sweep = |index: &str, topics: &str, qrels: &str| {
        format!("sweep --index {index} --topics {topics} --qrels {qrels} {flags} --resume")
    };
    let same = sweep("ix", "topics.xml", "qrels.txt");
    for (line, different) in [
        (sweep("other", "topics.xml", "qrels.txt"), "(index)"),
        (sweep("ix", "other.xml", "qrels.txt"), "(topics)"),
        (sweep("ix", "topics.xml", "other.txt"), "(qrels)"),
        (format!("{same} -k 9"), "(k)"),
        (format!("{same} -m AP"), "(measures)"),
        (format!("{same} -l 2"), "(level)"),
        (format!("{same} -M 3 -J"), "(judged-only, max-docs)"),
        (format!("{same} --grades 1..2=1"), "(qrels)"),
        (format!("{same} --stats collection"), "(stats)"),
        (format!("{same} --runs --tag x"), "(runs, tag)"),
        (format!("{same} --topic-field description"), "(topics)"),
    ] {
        let error = format!("begun with other settings {different}");
        place.check(&line, 2, "", &error);
    }
    assert!(files(&place.path("out")) == before);
    // Judgments are compared by what they say, wherever they come from.
    let line = sweep("ix", "topics.xml", "-");
    assert_eq!(with_input(&place, &line, demo::QRELS).code, 0);
    let changed = with_input(
        &place,
        &line,
        &fs::read_to_string(place.path("other.txt")).unwrap(),
    );
    assert!(changed.err.contains("(qrels)"), "{}", changed.err);
    place.write("out/steps.jsonl", "");
    // Without its settings nothing tells that it was one.
    let error = "out: the directory is not empty, and holds no sweep of trommel";
    place.check(&same, 2, "", error);
    place.check(
        &format!("{same} --force"),
        2,
        "",
        "begun with other settings (counts, index, ",
    );
}

fn with_input(place: &Place, line: &str, input: &str) -> Done {
    let args: Vec<&str> = line.split_whitespace().collect();
    let mut child = place
        .command(&args)
        .stdin(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    Done {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn without_judgments() {
    let place = place();
    let sweep = "sweep --index ix --topics topics.xml --vary min-words=5,9";
    let error = "without --qrels there are no measures; give them, or write run files with --runs";
    place.check(sweep, 2, "", error);
    place.check(&format!("{sweep} --output out"), 2, "", error);
    place.check(&format!("{sweep} --runs"), 2, "", "--output");
    assert!(!place.path("out").exists());
    let line = format!("{sweep} --runs --output out");
    place.check(&line, 0, "", "the run files are in out/runs");
    let names: Vec<String> = files(&place.path("out")).into_keys().collect();
    assert_eq!(
        names,
        [
            "metadata/min-words=5.bm25-k1=0.9,b=0.4.run.ir_metadata.yml",
            "metadata/min-words=9.bm25-k1=0.9,b=0.4.run.ir_metadata.yml",
            "metadata/unfiltered.bm25-k1=0.9,b=0.4.run.ir_metadata.yml",
            "report.html",
            "report.md",
            "runs/min-words=5.bm25-k1=0.9,b=0.4.run",
            "runs/min-words=9.bm25-k1=0.9,b=0.4.run",
            "runs/unfiltered.bm25-k1=0.9,b=0.4.run",
            "steps.jsonl",
            "sweep.json",
        ]
    );
    let report = fs::read_to_string(place.path("out/report.md")).unwrap();
    assert!(report.contains("Without relevance judgments"), "{report}");
    let line = format!("{line} --resume --json");
    let swept = json(place.check(&line, 0, "*", "*").out.as_bytes());
    assert_eq!(swept["measures"], Value::Array(Vec::new()));
    let run = fs::read(place.path("out/runs/min-words=9.bm25-k1=0.9,b=0.4.run")).unwrap();
    assert!(!run.is_empty());
}

/// All judged topics count, and only they.
#[test]
fn topics_and_judgments_that_do_not_match() {
    let place = place();
    place.write(
        "topics.txt",
        "1\tsourdough starter\n2\tcompost heap\n77\tcompost\n",
    );
    let only = |ids: &[&str]| -> String {
        let lines = demo::QRELS.lines();
        let of = lines.filter(|line| ids.contains(&line.split(' ').next().unwrap()));
        of.map(|line| format!("{line}\n")).collect()
    };
    place.write("qrels.txt", only(&["1", "2", "3", "12"]));
    let sweep = "sweep --index ix --topics topics.txt --qrels qrels.txt --vary min-words=5";
    let done = place.check(&format!("{sweep} --json"), 0, "*", "*");
    for warning in [
        "warning: judged, but not among the topics, and counted as empty: topics 12, 3",
        "warning: left out of the measures, as they are not judged: topics 77",
    ] {
        assert!(done.err.contains(warning), "{}", done.err);
    }
    let swept = json(done.out.as_bytes());
    let topics: Vec<String> = swept["topics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| text(&it["id"]))
        .collect();
    assert_eq!(topics.len(), 4);
    assert!(!topics.contains(&"77".to_owned()));
    let run = "run --index ix --topics topics.txt --min-words 5";
    let run = place.check(run, 0, "*", "*").out;
    place.write("one.run", &run);
    let step = &swept["lines"][0]["points"][0]["result"];
    let line = "eval -c --format json -m P@10 -m nDCG@10 -m AP -m Judged@10 qrels.txt one.run";
    let evaluated = &objects(&place.check(line, 0, "*", "*").out)[0];
    for (number, name) in ["P@10", "nDCG@10", "AP", "Judged@10"]
        .into_iter()
        .enumerate()
    {
        let (a, b) = (&evaluated["scores"][name], &step["means"][number]);
        assert!(
            (a.as_f64().unwrap() - b.as_f64().unwrap()).abs() < 1e-12,
            "{name} {a} {b}"
        );
    }
    place.write("qrels.txt", "99 0 demo-bench-0001 1\n");
    place.check(
        &format!("{sweep} --output out"),
        2,
        "",
        "no topic of the topics file is judged: it has 1, 2, 77, the judgments have 99",
    );
    assert!(!place.path("out").exists());
}

/// Regression: Holm's family was all rows of a table, so that asking for another measure changed what is significant. It is all lines
/// by one measure, and the table says so.
#[test]
fn another_measure_changes_no_corrected_p() {
    let place = place();
    let sweep = format!(
        "{SWEEP} --vary min-words=5..15:5 --vary max-link-density=0,0.5 --model bm25 --model qld"
    );
    let rows = |measures: &str| -> Vec<String> {
        let family = "p (Holm) is corrected for the family of 4 lines compared by one measure.";
        let done = place.check(&format!("{sweep} {measures}"), 0, family, "");
        let squeezed = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        let lines = done.out.lines().map(squeezed);
        lines.filter(|line| line.contains(" AP 0.")).collect()
    };
    let alone = rows("-m AP");
    assert_eq!(alone.len(), 4);
    assert_eq!(rows("-m AP -m P@10 -m nDCG@10 -m RR"), alone);
}

/// Regression: of several pages with one docid, judgments were given to the last, which is never ranked, so that measures over
/// directories that share pages were 0. Here the second directory has all of the first, and the third a part.
#[test]
fn repeated_docids_are_judged_where_they_are_ranked() {
    let place = place();
    place.demo_pages("some.warc.gz", demo::pages().unwrap().iter().step_by(3));
    place.check("index --index some some.warc.gz", 0, "", "some: 55 pages");
    let sweep = "--topics topics.xml --qrels qrels.txt --vary min-words=10..40:10 --json";
    let one = json(
        place
            .run(&format!("sweep --index ix {sweep}"))
            .out
            .as_bytes(),
    );
    let line = format!("sweep --index ix --index ix --index some {sweep}");
    let several = json(place.check(&line, 0, "*", "").out.as_bytes());
    assert!(one["lines"][0]["points"][0]["result"]["means"][1].as_f64() > Some(0.5));
    assert_eq!(several["lines"], one["lines"]);
    assert_eq!(several["references"], one["references"]);
    let index = |swept: &Value| text(&swept["facts"][0][1]);
    assert!(index(&one).starts_with("ix: 165 pages, "), "{one}");
    let (of_one, of_several) = (index(&one), index(&several));
    let counts = |index: &str| index.split_once(": ").unwrap().1.to_owned();
    assert_eq!(counts(&of_several), counts(&of_one));
}

/// A docid with white space is judged as it stands in run files.
#[test]
fn docids_with_white_space() {
    let place = Place::empty();
    place.write(
        "pages/a page.html",
        "<p>Rain barrels keep water for the dry weeks of summer.",
    );
    place.write("pages/b.html", "<p>Compost.");
    place.write("topics.txt", "1\train\n");
    place.write("qrels.txt", "1 0 a%20page 1\n");
    place.check("index --index ix pages", 0, "", "*");
    let line =
        "sweep --index ix --topics topics.txt --qrels qrels.txt --vary min-words=2 -m RR --json";
    let swept = json(place.check(line, 0, "*", "*").out.as_bytes());
    assert_eq!(swept["references"][0]["result"]["means"][0], 1.0);
}

/// What cannot be run says why, and leaves nothing behind that would look like a sweep.
#[test]
fn what_cannot_be_swept() {
    let place = place();
    place.check("index --index bare demo.warc.gz", 0, "", "*");
    place.write("file", "");
    let ok = "--vary min-words=5";
    for (flags, error) in [
        ("--vary min-words", "expected NAME=A..B"),
        (
            "--vary words=1..2",
            "'words' is no threshold, and the weights have no $words: there are: min-words, max-words",
        ),
        (
            "--vary min-words=",
            "'' is not a non-negative decimal number",
        ),
        ("--vary min-words=9..1", "A not above B"),
        ("--vary min-words=1..9:0", "a step above 0"),
        ("--vary min-words=1..9:0.5", "1.5 is no whole number"),
        ("--vary min-words=-1..9", "non-negative"),
        ("--vary min-words=1..99999999", "at most 10000 steps"),
        ("--vary min-words=1..5..9", "'5..9' is not"),
        ("--vary max-link-density=x", "'x' is not"),
        ("", "--vary <NAME=A..B[:STEP]>"),
        (
            "--vary min-words=5 --min-words 3",
            "min-words varies and is set ('words >= 3')",
        ),
        (
            "--vary min-words=1..5 --vary min-words=9",
            "min-words varies twice",
        ),
        (
            "--vary min-words=1..5 --vary min-words=9 --grid",
            "min-words varies twice",
        ),
        (
            "--vary min-words=1..100 --vary min-density=0..20:0.01 --grid",
            "a grid of more than 1000 lines",
        ),
        (
            "--vary min-words=5 --extractors nosuch",
            "ix has no labels of 'nosuch' (it has: bte, content-tree",
        ),
        (
            "--vary min-words=5 --extractor nosuch",
            "no labels of 'nosuch'",
        ),
        (
            "--vary min-words=5 -m num_ret",
            "is no mean over topics, which is what steps are compared by: leave it out",
        ),
        ("--vary min-words=5 -m runid", "no measures are given"),
        ("--vary min-words=5 -m nosuch", "nosuch"),
        ("--vary min-words=5 --folds 1", "1 is not in 2.."),
        ("--vary min-words=5 -k 0", "0"),
        (
            "--vary min-words=5 --model bm26",
            "no model is called 'bm26'",
        ),
        ("--vary min-words=5 --model qld:mu=1e-320", "mu="),
        ("--vary min-words=5 --memory 1X", "'1X' is no size"),
        ("--vary min-words=5 --runs --tag #x", "run tag \"#x\""),
    ] {
        place.check(&format!("{SWEEP} --output out {flags}"), 2, "", error);
        assert!(!place.path("out").exists(), "{flags}");
    }
    let bare = "sweep --index bare --topics topics.xml --qrels qrels.txt --vary min-words=5";
    place.check(
        &format!("{bare} --extractors all"),
        2,
        "",
        "the index has no labels; add some",
    );
    for output in ["file", "file/below"] {
        place.check(&format!("{SWEEP} {ok} --output {output}"), 2, "", output);
    }
    place.write("out/report.md/x", "");
    place.check(
        &format!("{SWEEP} {ok} --output out"),
        2,
        "",
        "out: the directory is not empty, and holds no sweep of trommel",
    );
    place.check(
        "sweep --index ix --topics - --qrels - --vary min-words=5",
        2,
        "",
        "standard input",
    );
    place.check(
        "sweep --index no --topics topics.xml --qrels qrels.txt --vary min-words=5",
        2,
        "",
        "no",
    );
}

/// `all` is every extractor of the index, each once, whatever else is named.
#[test]
fn all_extractors() {
    let place = place();
    let line = format!(
        "{SWEEP} --vary min-words=5 --extractors bte,all --extractors bte --extractor bte --json"
    );
    let swept = json(place.check(&line, 0, "*", "").out.as_bytes());
    let names: Vec<String> = swept["references"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| text(&it["name"]))
        .collect();
    // The filter that all steps have stands for the extractor that it is.
    assert_eq!(names, ["unfiltered", "bte", COMMA]);
}

/// One object with the documented keys; the table names every threshold.
#[test]
fn json_and_table() {
    let place = place();
    let line = format!("{SWEEP} --vary min-words=5,9 --title Title");
    let done = place.check(&format!("{line} --json"), 0, "*", "");
    assert_eq!(done.out.lines().count(), 1);
    let swept = json(done.out.as_bytes());
    let keys = |value: &Value, expected: &[&str]| {
        let mut found: Vec<&str> = value
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        found.sort_unstable();
        assert_eq!(found, expected);
    };
    keys(
        &swept,
        &[
            "about",
            "facts",
            "lines",
            "measures",
            "references",
            "title",
            "topics",
        ],
    );
    keys(
        &swept["lines"][0],
        &["base", "chosen", "dimension", "model", "points"],
    );
    keys(
        &swept["lines"][0]["points"][1],
        &["result", "threshold", "x"],
    );
    keys(
        &swept["lines"][0]["chosen"][0],
        &["difference", "mean", "p", "scores", "thresholds"],
    );
    keys(&swept["references"][0], &["model", "name", "result"]);
    keys(
        &swept["references"][0]["result"],
        &["filter", "intervals", "means", "scores"],
    );
    keys(&swept["topics"][0], &["id", "query"]);
    assert_eq!(swept["title"], "Title");
    assert_eq!(swept["lines"][0]["points"][1]["threshold"], "9");
    let table = place
        .check(
            &line,
            0,
            "min-words, bm25:k1=0.9,b=0.4: means of 18 topics",
            "",
        )
        .out;
    let mean = swept["lines"][0]["points"][1]["result"]["means"][2]
        .as_f64()
        .unwrap();
    assert!(table.contains(&format!("{mean:.3}")), "{table}");

    // Whoever reads may have read enough.
    for line in [line.clone(), format!("{line} --json --output out")] {
        let (reader, writer) = pipe().unwrap();
        drop(reader);
        let args: Vec<&str> = line.split_whitespace().collect();
        let output = place.command(&args).stdout(writer).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    }
    assert!(place.path("out/sweep.json").exists());
}

/// The demo's pages as a collection in BLOGS06's format, with topics and judgments in NIST's.
fn blogs06(place: &Place, topics: u32) {
    let pages = demo::pages().unwrap();
    let docid = |number: usize| format!("BLOG06-20051206-000-{number:010}");
    let mut text = String::new();
    let mut docids = BTreeMap::new();
    for (number, page) in pages.iter().enumerate() {
        let (docno, url, html) = (docid(number), &page.url, &page.html);
        text += &format!(
            "<DOC>\n<DOCNO>{docno}</DOCNO>\n<DATE_XML>2005-12-06T00:00:00+0000</DATE_XML>\n<FEEDNO>BLOG06-feed-000001</FEEDNO>\n\
             <FEEDURL>http://feed.example/</FEEDURL>\n<PERMALINK>{url}</PERMALINK>\n<DOCHDR>\n{url} 0.0.0.0 20051206 {}\n\
             Date: Tue, 06 Dec 2005 00:00:00 GMT\nContent-Type: text/html; charset=UTF-8\n</DOCHDR>\n{html}\n</DOC>\n",
            html.len()
        );
        docids.insert(page.docid.clone(), docno);
    }
    fs::create_dir_all(place.path("blogs06/20051206")).unwrap();
    let file = File::create(place.path("blogs06/20051206/permalinks-000.gz")).unwrap();
    let mut gzip = GzEncoder::new(file, Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    gzip.finish().unwrap();
    let mut sgml = String::new();
    let read = trommel::trec::topics::parse(demo::TOPICS, "demo").unwrap();
    for topic in read.topics {
        let id = topics + topic.id.parse::<u32>().unwrap() - 1;
        let title = topic.text("title").unwrap();
        sgml += &format!(
            "<top>\n<num> Number: {id}\n<title> \"{title}\"\n\n<desc> Description:\nFind it.\n\n</top>\n\n"
        );
    }
    place.write("topics", sgml);
    let qrels = demo::QRELS.lines().map(|line| {
        let columns: Vec<&str> = line.split(' ').collect();
        let id = topics + columns[0].parse::<u32>().unwrap() - 1;
        format!("{id} 0 {} {}\n", docids[columns[2]], columns[3])
    });
    place.write("qrels", qrels.collect::<String>());
}

/// Runs a shipped experiment with variables set.
#[track_caller]
fn experiment(place: &Place, name: &str, variables: &[(&str, &str)], code: i32) -> Done {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("experiments")
        .join(name);
    let path = path.to_str().unwrap();
    let mut command = place.command(&["experiment", path, "--output", "out"]);
    command.envs(variables.iter().copied());
    let output = command.output().unwrap();
    let done = Done {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    };
    assert_eq!(done.code, code, "{name}: {}", done.err);
    done
}

/// The experiments on collections that are not here, on a small one of the same format: they run to the end and make what they
/// should; the published figures are those of other pages.
#[test]
fn experiments_on_blogs06() {
    for (name, year, first, code) in [
        ("blogs06-851-900.toml", 2006, 851, 1),
        ("blogs06-901-950.toml", 2007, 901, 0),
        ("blogs06-1001-1050.toml", 2008, 1001, 0),
    ] {
        let place = Place::empty();
        blogs06(&place, first);
        let (topics, qrels) = (
            format!("BLOGS06_TOPICS_{year}"),
            format!("BLOGS06_QRELS_{year}"),
        );
        let variables = [
            ("BLOGS06", "blogs06"),
            ("BLOGS06_INDEX", "index"),
            (topics.as_str(), "topics"),
            (qrels.as_str(), "qrels"),
        ];
        let done = experiment(&place, name, &variables, code);
        assert_eq!(done.err.contains("missed"), code == 1, "{}", done.err);
        let report = json(&fs::read(place.path("out/report.json")).unwrap());
        let tables: Vec<String> = report["tables"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| text(&it["name"]))
            .collect();
        for way in ["graded", "binary"] {
            for model in ["tfidf:norm-byte=1", BM25] {
                for of in ["filters", "min-words", "min-density"] {
                    let table = format!("{of}, {model}, {way} grades");
                    assert!(tables.contains(&table), "{tables:?}");
                }
            }
            assert!(
                place
                    .path(&format!("out/{way}-min-words-p-10.svg"))
                    .exists()
            );
            assert!(place.path(&format!("out/{way}-sweep.html")).exists());
        }
        assert_eq!(
            report["swept"][0][1]["lines"][0]["points"]
                .as_array()
                .unwrap()
                .len(),
            100
        );
        assert_eq!(
            report["swept"][0][1]["topics"].as_array().unwrap().len(),
            18
        );
        // The index is kept, and is not built again where the collection is gone.
        if year == 2006 {
            fs::remove_dir_all(place.path("blogs06")).unwrap();
            let again = experiment(&place, name, &variables, code);
            assert_eq!(again.out, done.out);
        }
    }
}

#[test]
fn experiment_on_clueweb12() {
    let place = place();
    place.write("clueweb12/ClueWeb12_00/0000tw/0000tw-00.warc.gz", "");
    fs::rename(
        place.path("demo.warc.gz"),
        place.path("clueweb12/ClueWeb12_00/0000tw/0000tw-00.warc.gz"),
    )
    .unwrap();
    let variables = [
        ("CLUEWEB12", "clueweb12"),
        ("CLUEWEB12_INDEX", "index"),
        ("WEB2013_TOPICS", "topics.xml"),
        ("WEB2013_QRELS", "qrels.txt"),
    ];
    let done = experiment(&place, "clueweb12-web2013.toml", &variables, 1);
    assert!(done.err.contains("missed"), "{}", done.err);
    assert!(place.path("out/min-density-ndcg.svg").exists());
    let unset = &variables[..3];
    let error = experiment(&place, "clueweb12-web2013.toml", unset, 2).err;
    assert!(
        error.contains("the variable WEB2013_QRELS is not set"),
        "{error}"
    );
}

#[test]
fn experiment_on_the_demo() {
    let place = Place::empty();
    let done = experiment(&place, "demo.toml", &[], 0);
    assert!(
        done.out.starts_with("# Thresholds on the demo collection"),
        "{}",
        done.out
    );
    assert_eq!(done.err, "");
    for file in [
        "report.md",
        "report.json",
        "sweep.html",
        "min-words-ndcg-10.svg",
    ] {
        assert!(place.path("out").join(file).exists(), "{file}");
    }
    // A folder that happens to have that name is another collection.
    let text = "kind = 'sweep'\ntitle = 'T'\n[input]\ncollection = './demo'\n[options]\nmodels = ['bm25']\nmeasures = ['AP']\n";
    place.write("e.toml", text);
    place.check("experiment e.toml", 2, "", "needs an input 'qrels'");
    place.write("e.toml", text.replace("./demo", "data/demo"));
    place.check("experiment e.toml", 2, "", "needs an input 'qrels'");
    place.write("e.toml", text.replace("./demo", "demo"));
    place.check("experiment e.toml", 0, "unfiltered", "");
    place.write(
        "e.toml",
        text.replace("./demo", "demo").replace("'AP'", "'num_ret'"),
    );
    place.check("experiment e.toml", 2, "", "is no mean over topics");
}

#[test]
fn experiment_with_hashes() {
    let place = place();
    let hash = trommel::collection::sha256_of_file(&place.path("qrels.txt")).unwrap();
    let text = format!(
        "kind = 'sweep'\ntitle = 'T'\n[input]\ncollection = 'demo.warc.gz'\ntopics = 'topics.xml'\nqrels = 'qrels.txt'\n\
         [sha256]\nqrels = '{}'\n[options]\nmodels = ['bm25']\nmeasures = ['AP']\n",
        hash.to_uppercase()
    );
    place.write("e.toml", &text);
    place.check("experiment e.toml", 0, "unfiltered", "");
    place.write("qrels.txt", demo::QRELS.replacen(" 0\n", " 1\n", 1));
    place.check(
        "experiment e.toml",
        2,
        "",
        "but the experiment was written for",
    );
    place.write("e.toml", text.replace("[sha256]\nqrels", "[sha256]\nqrel"));
    place.check(
        "experiment e.toml",
        2,
        "",
        "a hash of 'qrel', which is no input",
    );
}

/// All files are experiments of a kind that there is; their inputs have names and their variables can be set.
#[test]
fn every_experiment_is_one() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    let mut count = 0;
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let variable = |_: &str| Some("/somewhere".to_owned());
        let definition = trommel::experiment::Definition::parse(&text, &folder, variable);
        let definition = definition.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let kinds = trommel::experiment::kinds();
        assert!(
            kinds.iter().any(|kind| kind.name == definition.kind),
            "{}",
            path.display()
        );
        for table in &definition.table {
            for row in table.rows.values() {
                assert_eq!(
                    row.len(),
                    table.columns.len(),
                    "{}: {}",
                    path.display(),
                    table.name
                );
            }
        }
        assert!(
            definition
                .sha256
                .keys()
                .all(|name| definition.input.contains_key(name))
        );
        count += 1;
    }
    assert!(count >= 14);
}

#[test]
fn experiment_on_the_news() {
    let Some(news) = shared("retrieval/news") else {
        return;
    };
    let root = news.parent().and_then(Path::parent).unwrap();
    let root = std::path::absolute(root).unwrap();
    let done = experiment(
        &Place::empty(),
        "news.toml",
        &[("TROMMEL_SHARED", root.to_str().unwrap())],
        0,
    );
    assert!(
        done.out
            .contains("| unfiltered | 0.541 (0.541) | 0.803 (0.797) |"),
        "{}",
        done.out
    );
}
