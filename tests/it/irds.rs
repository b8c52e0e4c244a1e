//! Data sets of ir_datasets in the place of files. Its place is taken by a package of that name which is made here, so that nothing is fetched.

use std::fs;
use std::process::Command;

use trommel::demo;

use crate::cli::{Done, Place};

/// A package that has one data set: the demo's topics, and their judgments.
const PACKAGE: &str = r#"
import collections, json, os
Query = collections.namedtuple("Query", "query_id title description")
Query.default_text = lambda query: query.title
Qrel = collections.namedtuple("Qrel", "query_id doc_id relevance iteration")

class Dataset:
    def queries_iter(self):
        for line in open(os.environ["DEMO"] + "/topics.jsonl"):
            yield Query(**json.loads(line))
    def qrels_iter(self):
        for line in open(os.environ["DEMO"] + "/qrels.txt"):
            topic, iteration, document, grade = line.split()
            yield Qrel(topic, document, int(grade), iteration)

def load(name):
    if name != "made/demo":
        raise KeyError(name)
    return Dataset()
"#;

fn run(place: &Place, line: &str) -> Done {
    let mut command = place.command(&line.split_whitespace().collect::<Vec<_>>());
    command.env("PYTHONPATH", place.path("packages"));
    command.env("DEMO", place.path("."));
    let output = command.output().unwrap();
    Done {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn topics_and_judgments() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("skipped: no python3");
        return;
    }
    let place = Place::of_demo();
    place.demo_pages("demo.warc.gz", &demo::pages().unwrap());
    place.check("index --index ix demo.warc.gz", 0, "", "*");
    place.write("packages/ir_datasets/__init__.py", PACKAGE);
    let topics = trommel::trec::topics::parse(demo::TOPICS, "demo").unwrap();
    let lines = topics
        .queries("title")
        .unwrap()
        .into_iter()
        .map(|(id, title)| {
            let line =
                serde_json::json!({"query_id": id, "title": title, "description": "About it"});
            format!("{line}\n")
        });
    place.write("topics.jsonl", lines.collect::<String>());
    let search = "--index ix --tag t --min-words 11";
    place.check(
        &format!("run {search} --topics topics.xml --output file.run"),
        0,
        "",
        "",
    );
    let done = run(
        &place,
        &format!("run {search} --topics irds:made/demo --output set.run"),
    );
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    let [file, set] = ["file.run", "set.run"].map(|name| fs::read(place.path(name)).unwrap());
    assert_eq!(file, set);
    let theirs = place.check("eval qrels.txt file.run", 0, "*", "*");
    let ours = run(&place, "eval irds:made/demo set.run");
    assert_eq!((ours.code, ours.out), (0, theirs.out));
    let sweep = "sweep --index ix --json --vary min-words=10..40:10 -m AP";
    let theirs = place.check(
        &format!("{sweep} --topics topics.xml --qrels qrels.txt"),
        0,
        "*",
        "*",
    );
    let ours = run(
        &place,
        &format!("{sweep} --topics irds:made/demo --qrels irds:made/demo"),
    );
    let points = |out: &str| {
        let swept: serde_json::Value = serde_json::from_str(out).unwrap();
        (swept["lines"].clone(), swept["references"].clone())
    };
    assert_eq!(points(&ours.out), points(&theirs.out));
    let done = run(&place, "run --index ix --topics irds:made/none");
    assert_eq!(done.code, 2);
    assert!(
        done.err.contains("irds:made/none: KeyError: 'made/none'"),
        "{}",
        done.err
    );
    fs::remove_dir_all(place.path("packages")).unwrap();
    place.write("packages/ir_datasets.py", "raise ImportError");
    let done = run(&place, "run --index ix --topics irds:made/demo");
    assert!(done.err.contains("pip install ir_datasets"), "{}", done.err);
}
