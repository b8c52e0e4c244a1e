//! The command line's contract, through the program itself: exit codes, what goes to which stream, and the formats.

use std::fs::{self, File};
use std::io::{Write, pipe};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;
use trommel::collection::{WarcPage, write_warc};
use trommel::demo;

/// What a run of the program left behind.
pub(crate) struct Done {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// A directory in which the program runs.
pub(crate) struct Place(TempDir);

const BARREL: &str = "<title>Rain barrels</title><body><ul><li><a href=/>Home</a> <li><a href=/x>Garden</a></ul>\
    <p>A rain barrel under the downspout keeps water for dry weeks, and a lid keeps the gnats out of it all summer.</p>";
const COMPOST: &str = "<title>Compost</title><body><ul><li><a href=/>Rain barrels</a></ul>\
    <p>Kitchen scraps and dry leaves in layers rot to good compost within a year if the heap is kept moist.</p>";
const TOPICS: &str = "<webtrack2012><topic number=\"7\" type=\"faceted\"><query>rain barrel</query>\
    <description>How to keep rain water</description></topic></webtrack2012>";

impl Place {
    /// A place with `tiny.warc.gz`, its index `ix`, topics and qrels.
    fn new() -> Place {
        let place = Place::empty();
        place.warc("tiny.warc.gz", &[("d1", BARREL), ("d2", COMPOST)]);
        place.write("topics.xml", TOPICS);
        place.write("qrels.txt", "7 0 d1 1\n7 0 d2 0\n");
        place.check("index --index ix tiny.warc.gz", 0, "", "ix: 2 pages");
        place
    }

    pub(crate) fn empty() -> Place {
        Place(TempDir::new().unwrap())
    }

    /// A place with the demo's topics and judgments.
    pub(crate) fn of_demo() -> Place {
        let place = Place::empty();
        place.write("topics.xml", demo::TOPICS);
        place.write("qrels.txt", demo::QRELS);
        place
    }

    /// Writes some of the demo's pages into a file.
    pub(crate) fn demo_pages<'p>(
        &self,
        name: &str,
        pages: impl IntoIterator<Item = &'p demo::DemoPage>,
    ) {
        let pages = pages
            .into_iter()
            .map(|page| (page.docid.as_str(), page.html.as_str()));
        self.warc(name, &pages.collect::<Vec<_>>());
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(crate) fn warc(&self, name: &str, pages: &[(&str, &str)]) {
        let records = pages.iter().map(|(docid, html)| WarcPage {
            docid,
            url: "http://example.org/",
            date: "",
            html: html.as_bytes(),
        });
        write_warc(File::create(self.path(name)).unwrap(), records).unwrap();
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trommel"));
        command
            .args(args)
            .current_dir(self.0.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// A script of the shell that runs here.
    #[cfg(unix)]
    pub(crate) fn shell(&self, script: &str) -> Command {
        let mut command = Command::new("sh");
        command.arg("-c").arg(script).current_dir(self.0.path());
        command
    }

    /// Runs the program with words as arguments.
    pub(crate) fn run(&self, line: &str) -> Done {
        self.run_with(&line.split_whitespace().collect::<Vec<_>>(), b"")
    }

    pub(crate) fn run_with(&self, args: &[&str], input: &[u8]) -> Done {
        let mut child = self.command(args).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // A program that fails early does not read its input.
        let _ = stdin.write_all(input);
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        Done {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Runs the program and looks at its exit code and at what the streams hold; an empty expectation is an empty stream,
    /// `*` is anything.
    #[track_caller]
    pub(crate) fn check(&self, line: &str, code: i32, out: &str, err: &str) -> Done {
        let done = self.run(line);
        check_done(line, &done, code, out, err);
        done
    }

    /// The keys of each JSON object that a command prints a line.
    #[track_caller]
    fn check_keys(&self, line: &str, lines: usize, keys: &[&str]) {
        let done = self.run(line);
        assert_eq!(done.code, 0, "{line}: {}", done.err);
        assert_eq!(done.out.lines().count(), lines, "{line}: {}", done.out);
        let mut expected = keys.to_vec();
        expected.sort_unstable();
        for object in objects(&done.out) {
            let mut found: Vec<&str> = object
                .as_object()
                .unwrap()
                .keys()
                .map(String::as_str)
                .collect();
            found.sort_unstable();
            assert_eq!(found, expected, "{line}");
        }
    }

    fn is_empty(&self, directory: &str) -> bool {
        let path = self.path(directory);
        !path.exists() || path.read_dir().unwrap().next().is_none()
    }
}

#[track_caller]
fn check_done(line: &str, done: &Done, code: i32, out: &str, err: &str) {
    let Done { out: o, err: e, .. } = done;
    let context = format!("{line}\nstdout: {o}\nstderr: {e}");
    assert_eq!(done.code, code, "{context}");
    for (stream, expected) in [(o, out), (e, err)] {
        match expected {
            "*" => {}
            "" => assert_eq!(stream, "", "{context}"),
            part => assert!(stream.contains(part), "no {part:?} in {context}"),
        }
    }
    if code == 2 {
        assert!(
            e.starts_with("error: ") || e.contains("Usage:"),
            "{context}"
        );
    }
    assert!(!o.contains('\x1b') && !e.contains('\x1b'), "{context}");
}

pub(crate) fn objects(lines: &str) -> Vec<Value> {
    lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

pub(crate) fn values<'a>(objects: &'a [Value], key: &str) -> Vec<&'a str> {
    objects
        .iter()
        .map(|object| object[key].as_str().unwrap())
        .collect()
}

/// What is learnt from a collection is a model that `extract` and `blocks` take.
#[test]
fn learn_writes_a_model() {
    let place = Place::new();
    let line = "learn templates:threshold=2 --output model tiny.warc.gz tiny.warc.gz";
    place.check(
        line,
        0,
        "",
        "model: 5 texts that stand on 2 pages or more, of 5 on 4 pages",
    );
    place.check(
        "extract --extractor templates:model tiny.warc.gz",
        0,
        "",
        "",
    );
    place.check(
        "learn onion:base=min-words-10,stub=0 --output onion.model tiny.warc.gz",
        0,
        "",
        "onion.model: ",
    );
    let kept = "A rain barrel under the downspout";
    let line = "extract --extractor onion:onion.model tiny.warc.gz#d1";
    place.check(line, 0, kept, "");
    let before = fs::read(place.path("model")).unwrap();
    for (line, err) in [
        (
            "learn nothing --output model tiny.warc.gz",
            "nothing is learnt for 'nothing'; there are: goldminer, onion, templates",
        ),
        ("learn templates --output no/model tiny.warc.gz", "no/model"),
        (
            "learn templates --output model nowhere.warc.gz",
            "nowhere.warc.gz: no such file",
        ),
        (
            "learn templates:threshold=x --output model tiny.warc.gz",
            "threshold=x: invalid digit",
        ),
        (
            "extract --extractor templates:onion.model tiny.warc.gz",
            "a model of onion, not templates",
        ),
        (
            "extract --extractor templates tiny.warc.gz",
            "write templates:MODEL\nhint: make one with 'trommel learn templates --output",
        ),
    ] {
        place.check(line, 2, "", err);
    }
    assert_eq!(fs::read(place.path("model")).unwrap(), before);
    assert!(!place.path("model.tmp").exists());
}

/// A site's pages are learnt from, and files have no urls: no model of nothing is written.
#[test]
fn goldminer_without_urls() {
    let place = Place::empty();
    place.write("pages/a.html", BARREL);
    let line = "learn goldminer --output model pages";
    place.check(line, 2, "", "none of the 1 pages has a url");
    assert!(!place.path("model").exists());
    let line = "learn goldminer:max-link-density=nan --output model pages";
    place.check(line, 2, "", "max-link-density=NaN: not a finite number");
}

/// Labels are found by the extractor as it was written, and not only by their name.
#[test]
fn labels_by_another_spelling() {
    let place = Place::new();
    let line = "label --index ix --extractor content-tree:base=boilerpipe-default,n=3";
    place.check(line, 0, "", "content-tree:n=3,base=boilerpipe-default: ");
    for name in [
        "content-tree:n=3,base=boilerpipe-default",
        "content-tree:base=boilerpipe-default,n=3",
    ] {
        place.check(
            &format!("search --index ix --extractor {name} --min-words 1 rain"),
            0,
            "*",
            "*",
        );
    }
    let line = "search --index ix --extractor content-tree:n=2 rain";
    place.check(line, 2, "", "no labels of 'content-tree:n=2'");
}

/// A model that goes to a link changes what it leads to.
#[cfg(unix)]
#[test]
fn learn_keeps_links() {
    let place = Place::new();
    place.write("real", "old");
    std::os::unix::fs::symlink("real", place.path("link")).unwrap();
    let line = "learn templates --output link tiny.warc.gz";
    place.check(line, 2, "", "link: the file is there already");
    assert_eq!(fs::read_to_string(place.path("real")).unwrap(), "old");
    place.check(&format!("{line} --force"), 0, "", "link: ");
    assert!(place.path("link").is_symlink());
    assert!(
        fs::read_to_string(place.path("real"))
            .unwrap()
            .starts_with("{\"model\"")
    );
}

/// The output is not emptied for a command that cannot run, least of all when it is an input.
#[test]
fn extract_spares_its_output() {
    let place = Place::new();
    place.write("out.txt", "precious");
    let line = "extract --output out.txt nowhere.html";
    place.check(line, 2, "", "nowhere.html: no such file");
    assert_eq!(
        fs::read_to_string(place.path("out.txt")).unwrap(),
        "precious"
    );
    let before = fs::read(place.path("tiny.warc.gz")).unwrap();
    let line = "extract --output tiny.warc.gz tiny.warc.gz";
    place.check(line, 2, "", "the output is one of the inputs");
    assert_eq!(fs::read(place.path("tiny.warc.gz")).unwrap(), before);
}

/// An expression keeps what the rule or the removers that it says keep, and what is wrong with one is marked.
#[test]
fn extract_takes_a_filter() {
    let place = Place::new();
    let page = "<title>T</title><h1>Rain barrels</h1><p>A rain barrel under the downspout keeps water for dry weeks, and a lid \
        keeps the gnats out of it all summer.</p><ul><li><a href='/'>Home</a></li><li><a href='/b'>Barrels and lids for all \
        the gutters of your house and garden</a></li></ul>";
    place.write("p.html", page);
    let extract = |filter: &str| {
        let done = place.run_with(&["extract", "--filter", filter, "p.html"], b"");
        assert_eq!(done.code, 0, "{}", done.err);
        done.out
    };
    let rule = place.run("extract --extractor min-words-10 p.html").out;
    assert!(rule.lines().count() == 2, "{rule}");
    assert_eq!(extract("words >= 10"), rule);
    assert_eq!(extract("min-words-10"), rule);
    assert_eq!(extract("words > 9 and not words < 10"), rule);
    let first = rule.lines().next().unwrap();
    for same in [
        "words >= 10 and link-density <= 0.33",
        "2 of (min-words-10, tag = p, position = 0)",
    ] {
        assert_eq!(extract(same).trim(), first, "{same}");
    }
    for heading in ["tag = h1", "position-share < 0.01"] {
        assert_eq!(extract(heading).trim(), "Rain barrels", "{heading}");
    }
    assert_eq!(extract("host = example.org"), "");
    for (filter, error) in [
        ("wrods >= 1", "did you mean 'words'?"),
        ("words >= 1 and", "found the end"),
        ("nosuch", "no extractor is called 'nosuch'"),
        ("confidence(bte) > 0.5", "bte gives no confidences"),
    ] {
        let done = place.run_with(&["extract", "--filter", filter, "p.html"], b"");
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{filter}");
        assert!(done.err.contains(error), "{}", done.err);
    }
    let wrong = "words >= 11 and wrods < 5";
    let done = place.run_with(&["extract", "--filter", wrong, "p.html"], b"");
    let marked = "\n    words >= 11 and wrods < 5\n                    ^^^^^\n";
    assert!(done.err.contains(marked), "{}", done.err);
}

/// Names of labels that nobody could ask for, or that are too long for a file, are refused, and nothing is left behind.
#[test]
fn names_of_labels() {
    let place = Place::new();
    for (line, err) in [
        ("label --index ix --extractor ,", "names no extractor"),
        (
            "label --index ix --extractor bte --as=",
            "a name of one line",
        ),
    ] {
        place.check(line, 2, "", err);
    }
    place.write("out/d1.txt", "");
    let long = "x".repeat(300);
    let line = format!("index --index long --extractors external:{long}=out tiny.warc.gz");
    place.check(&line, 2, "", "too long for the name of labels");
    place.check("index --index long tiny.warc.gz", 0, "", "long: 2 pages");
}

/// Pages for which a tool has no output are boilerplate, and that is said.
#[test]
fn extract_with_outputs_of_another_tool() {
    let place = Place::new();
    place.write("out/d1.txt", "A rain barrel under the downspout keeps water for dry weeks, and a lid keeps the gnats out of it all summer.");
    place.check(
        "extract --extractor external:tool=out tiny.warc.gz",
        0,
        "A rain barrel under",
        "warning: external:tool: no output for 1 page, which count as boilerplate; the first is d2: ",
    );
    place.check(
        "extract --extractor external:tool=nowhere tiny.warc.gz",
        2,
        "",
        "give a directory",
    );
}

#[test]
fn exit_codes_and_streams() {
    let place = Place::new();
    place.write("empty.html", "");
    place.write("noise.bin", [0u8, 1, 2, 3]);
    place.write("bad.txt", "7 0 d1\tnot a run\n");
    for (line, code, out, err) in [
        ("--version", 0, "trommel ", ""),
        ("", 2, "", "Usage: trommel <COMMAND>"),
        ("nonsense", 2, "", "unrecognized subcommand"),
        ("blocks", 2, "", "required"),
        ("blocks nowhere.html", 2, "", "nowhere.html: no such file"),
        (
            "blocks noise.bin",
            2,
            "",
            "none of the formats that are read",
        ),
        (
            "blocks --segmenter nosuch empty.html",
            2,
            "",
            "there are: boilerpipe, atomic",
        ),
        (
            "blocks --extractors nosuch empty.html",
            2,
            "",
            "no extractor is called 'nosuch'",
        ),
        (
            "blocks --charset nosuch empty.html",
            2,
            "",
            "names no character encoding",
        ),
        ("blocks tiny.warc.gz#d2", 0, "Kitchen scraps", ""),
        (
            "blocks tiny.warc.gz#d9",
            2,
            "",
            "tiny.warc.gz: no page with the docid d9",
        ),
        (
            "blocks --status 404 tiny.warc.gz",
            0,
            "",
            "warning: no page in the input (skipped: ",
        ),
        (
            "extract --extractor nosuch tiny.warc.gz",
            2,
            "",
            "no extractor is called",
        ),
        (
            "extract --extractor min-words-10 tiny.warc.gz#d1",
            0,
            "A rain barrel",
            "",
        ),
        (
            "extract --extractor content-tree:m=3 tiny.warc.gz",
            2,
            "",
            "content-tree has no parameter 'm'; there are: ",
        ),
        (
            "extract --extractor onion tiny.warc.gz",
            2,
            "",
            "onion needs more than its name: write onion:MODEL",
        ),
        (
            "extract --extractor onion:nowhere.json tiny.warc.gz",
            2,
            "",
            "nowhere.json",
        ),
        (
            "extract --output no/such/dir tiny.warc.gz",
            2,
            "",
            "no/such/dir",
        ),
        (
            "label --index nowhere --extractor min-words-10",
            2,
            "",
            "nowhere holds no index",
        ),
        (
            "label --index ix --extractor nosuch",
            2,
            "",
            "no extractor is called 'nosuch'",
        ),
        (
            "label --index ix --extractor min-words-10 --extractor keep-everything --as both",
            2,
            "",
            "--as names the labels of one extractor",
        ),
        (
            "search --index ix --extractor bte rain",
            2,
            "",
            "add them with 'trommel label --index ix --extractor bte'",
        ),
        ("index --index new nowhere", 2, "", "nowhere: no such file"),
        (
            "index --index new --format pdf tiny.warc.gz",
            2,
            "",
            "format \"pdf\" is unknown",
        ),
        (
            "index --index new --memory lots tiny.warc.gz",
            2,
            "",
            "'lots' is no size",
        ),
        (
            "index --index new --threads 0 tiny.warc.gz",
            2,
            "",
            "invalid value '0'",
        ),
        (
            "index --index ix tiny.warc.gz",
            2,
            "",
            "ix already holds an index",
        ),
        (
            "search --index nowhere rain",
            2,
            "",
            "nowhere holds no index",
        ),
        ("search --index ix --model nosuch rain", 2, "", "nosuch"),
        ("search --index ix --min-words -1 rain", 2, "", "-1"),
        (
            "search --index ix --max-link-density many rain",
            2,
            "",
            "many",
        ),
        (
            "search --index ix the of",
            2,
            "",
            "no word that the index's analyzer (english) keeps",
        ),
        (
            "search --index ix zebra",
            0,
            "",
            "nothing found: no page has a word of 'zebra'",
        ),
        (
            "search --index ix --min-words 999 rain",
            0,
            "",
            "2 without the filter",
        ),
        ("search --index ix rain", 0, "Rain barrels", ""),
        (
            "search --index ix +rain zebra:x",
            2,
            "",
            "no field is called 'zebra'",
        ),
        ("search --index ix NOT barrels", 2, "", "none of its words"),
        (
            "search --index ix rain AND zebra",
            0,
            "",
            "nothing found: no page answers '+rain +zebra'",
        ),
        (
            "search --index ix rain AND",
            0,
            "Rain barrels",
            "'AND' is taken as a word",
        ),
        ("search --index ix --literal NOT rain*", 0, "Rain", ""),
        ("run --index ix --topics nowhere", 2, "", "nowhere"),
        (
            "run --index ix --topics topics.xml --tag #tag",
            2,
            "",
            "run tag",
        ),
        (
            "run --index ix --topics topics.xml --topic-field nosuch",
            2,
            "",
            "topic 7 has no field 'nosuch'; it has: ",
        ),
        (
            "run --index ix --topics topics.xml --output no/such/dir",
            2,
            "",
            "no/such/dir",
        ),
        ("run --index ix --topics topics.xml", 0, "7 Q0 d2 1 ", ""),
        ("eval qrels.txt nowhere", 2, "", "nowhere"),
        ("eval qrels.txt bad.txt", 2, "", "bad.txt"),
        ("eval -m nosuch qrels.txt bad.txt", 2, "", "nosuch"),
        ("completions bash", 0, "complete -F _trommel", ""),
        ("completions nosuch", 2, "", "possible values"),
    ] {
        place.check(line, code, out, err);
    }
    assert!(place.is_empty("new"), "a command that could not run wrote");
    let done = place.check(
        "run --index ix --topics topics.xml --topic-field nosuch",
        2,
        "",
        "error: ",
    );
    assert!(done.err.contains("title, description"), "{}", done.err);
}

/// Verdicts that are stored, added, and added under another name are found by a search.
#[test]
fn labels() {
    let place = Place::new();
    let found =
        |line: &str| values(&objects(&place.check(line, 0, "*", "").out), "docid").join(" ");
    place.check(
        "index --index two --extractors min-words-10,boilerpipe-numwords tiny.warc.gz",
        0,
        "",
        "two: 2 pages",
    );
    assert_eq!(
        found("search --index two --json --extractor min-words-10 rain"),
        "d1"
    );
    place.check(
        "label --index ix --extractor min-words-10",
        0,
        "",
        "min-words-10: 2 of 5 blocks are content",
    );
    assert_eq!(
        found("search --index ix --json --extractor min-words-10 rain"),
        "d1"
    );
    place.check(
        "label --index ix --extractor keep-everything --as whole",
        0,
        "",
        "whole: 5 of 5 blocks",
    );
    assert_eq!(
        found("search --index ix --json --extractor whole rain"),
        "d2 d1"
    );
    assert_eq!(
        found("search --index ix --json --extractor whole --min-words 10 rain"),
        "d1"
    );
    place.check(
        "label --index ix --extractor all",
        0,
        "",
        "blocks are content",
    );
    let again = "label --index ix --extractor all";
    place.check(again, 0, "", "has the labels of all extractors");
    place.check(
        "run --index ix --topics topics.xml --extractor min-words-10",
        0,
        "7 Q0 d1 1 ",
        "",
    );
}

/// `extract --format wet` makes a WARC file with a conversion record a page, whatever a docid holds.
#[test]
fn wet() {
    let place = Place::new();
    place.write("pages/odd\nname.html", BARREL);
    place.check(
        "extract --extractor min-words-10 --format wet --output out.wet.gz tiny.warc.gz pages",
        0,
        "",
        "",
    );
    let bytes = fs::read(place.path("out.wet.gz")).unwrap();
    let mut text = String::new();
    let mut gzip = flate2::read::MultiGzDecoder::new(bytes.as_slice());
    std::io::Read::read_to_string(&mut gzip, &mut text).unwrap();
    let records = text.split("WARC/1.0\r\n").skip(1);
    let kinds: Vec<&str> = records
        .map(|record| record.lines().next().unwrap())
        .collect();
    let conversion = "WARC-Type: conversion";
    assert_eq!(
        kinds,
        ["WARC-Type: warcinfo", conversion, conversion, conversion]
    );
    assert!(text.contains("WARC-TREC-ID: d1\r\nWARC-Target-URI: http://example.org/\r\n"));
    assert!(text.contains("WARC-Target-URI: urn:x-docid:odd%0Aname\r\n"));
    assert_eq!(text.matches("A rain barrel under").count(), 2);
    assert!(!text.contains("Garden"), "{text}");
    // Our own reader takes them for what they are: text, of which each line is a block.
    let done = place.check("blocks out.wet.gz", 0, "A rain barrel under", "");
    assert_eq!(done.out.matches("A rain barrel under").count(), 2);
}

/// Operators, phrases and fields on the command line.
#[test]
fn queries_with_operators() {
    let place = Place::new();
    for (query, docids) in [
        ("\"barrel under the downspout\"", &["d1"] as &[&str]),
        ("\"rain barrels\"", &["d1", "d2"]),
        ("compost OR downspout", &["d1", "d2"]),
        ("rain NOT downspout", &["d2"]),
        ("rain -compost", &["d1"]),
        ("(rain AND heap) OR zebra", &["d2"]),
        ("rain title:compost", &["d2"]),
        ("title:\"rain barrels\"", &["d1"]),
        ("water url:example.org", &["d1"]),
    ] {
        let args = ["search", "--index", "ix", "--json", query];
        let done = place.run_with(&args, b"");
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{query}");
        let found = objects(&done.out);
        let mut found = values(&found, "docid");
        found.sort();
        assert_eq!(found, docids, "{query}");
    }
    // Nothing of this is syntax.
    let args = ["search", "--index", "ix", "--literal", "\"rain barrel\" -"];
    check_done("literal", &place.run_with(&args, b""), 0, "Rain", "");
}

/// The parts of the score below a result, and as an object.
#[test]
fn explanations() {
    let place = Place::new();
    let line = "search --index ix --explain --min-words 5 --model tfidf +rain title:barrels";
    let out = place.check(line, 0, "tfidf:norm-byte=0", "").out;
    for part in [
        "rain",
        "tf 1, df 1, cf 1, idf² 1.0000",
        "× 1.0000  coord",
        "queryNorm",
        "N 2; kept 1 of 3 blocks, 22 of 24 words",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let done = place.run("search --index ix --explain --json --model qld rain");
    for found in objects(&done.out) {
        let explain = &found["explain"];
        let sum = |key: &str, value: &str| -> f64 {
            let parts = explain[key].as_array().unwrap().iter();
            parts.map(|part| part[value].as_f64().unwrap()).sum()
        };
        let score = sum("clauses", "score") + sum("addends", "value");
        let difference = score - found["score"].as_f64().unwrap();
        assert!(difference.abs() < 1e-6, "{found}");
        assert_eq!(explain["factors"].as_array().unwrap().len(), 0);
    }
}

/// Help goes to standard output, for every subcommand that the program lists.
#[test]
fn help() {
    let place = Place::empty();
    let help = place.check("--help", 0, "Usage: trommel", "").out;
    let listed = help.split("Commands:\n").nth(1).unwrap();
    let listed = listed.split("\n\n").next().unwrap();
    let names: Vec<&str> = listed
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !name.is_empty())
        .collect();
    for name in [
        "index",
        "search",
        "run",
        "eval",
        "blocks",
        "extract",
        "demo",
        "completions",
        "help",
    ] {
        assert!(names.contains(&name), "{name} is not in {names:?}");
    }
    for name in names.iter().filter(|name| **name != "help") {
        let usage = format!("Usage: trommel {name}");
        place.check(&format!("{name} --help"), 0, &usage, "");
        place.check(&format!("{name} -h"), 0, &usage, "");
        place.check(&format!("help {name}"), 0, &usage, "");
    }
    let bash = place.check("completions bash", 0, "*", "").out;
    for name in names {
        assert!(bash.contains(&format!("trommel,{name})")), "{name}");
    }
}

#[test]
fn json_lines() {
    let place = Place::new();
    let block = [
        "docid",
        "block",
        "text",
        "num_words",
        "num_tokens",
        "num_linked_words",
        "num_words_in_full_lines",
        "num_lines",
        "text_density",
        "link_density",
        "tag",
        "labels",
    ];
    place.check_keys("blocks --json tiny.warc.gz", 5, &block);
    let rules = "blocks --json --extractors bte,min-words-10 tiny.warc.gz#d1";
    place.check_keys(rules, 3, &block);
    let with_confidences = [&block[..], &["confidences", "expected_f1"]].concat();
    let all = "blocks --json --extractors all tiny.warc.gz#d1";
    place.check_keys(all, 3, &with_confidences);
    for object in objects(&place.run(all).out) {
        let confidences = object["confidences"].as_object().unwrap();
        assert!(
            confidences.keys().eq(["trommel", "victor", "web2text"]),
            "{object}"
        );
        let of = |name: &str| confidences[name].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&of("trommel")) && (0.0..=1.0).contains(&of("web2text")));
    }
    let page = ["docid", "url", "title", "text"];
    place.check_keys("extract --format json tiny.warc.gz", 2, &page);
    let hit = [
        "rank",
        "docid",
        "score",
        "url",
        "title",
        "snippet",
        "blocks_kept",
        "blocks_total",
    ];
    place.check_keys("search --index ix --json rain", 2, &hit);
    place.check_keys("search --index ix --json -k 1 rain", 1, &hit);
    let with_block = [&hit[..], &["block"]].concat();
    let blocks = "search --index ix --json --unit block rain";
    place.check_keys(blocks, 2, &with_block);

    let done =
        place.run("blocks --json --extractors boilerpipe-numwords,min-words-10 tiny.warc.gz#d1");
    let found = objects(&done.out);
    let last = &found[2];
    assert_eq!(
        (
            &last["docid"],
            &last["block"],
            &last["num_words"],
            &last["tag"]
        ),
        (&"d1".into(), &2.into(), &22.into(), &"p".into())
    );
    assert_eq!(last["labels"]["min-words-10"], true);
    assert_eq!(found[0]["labels"]["min-words-10"], false);
    assert_eq!(found[0]["link_density"], 1.0);
    let done = place.run("search --index ix --json --min-words 10 rain");
    let found = objects(&done.out);
    assert_eq!(values(&found, "docid"), ["d1"]);
    assert_eq!(
        (&found[0]["blocks_kept"], &found[0]["blocks_total"]),
        (&1.into(), &3.into())
    );
    let manifest = place.check(
        "index --index json --json tiny.warc.gz",
        0,
        "{",
        "json: 2 pages",
    );
    let manifest: Value = serde_json::from_str(&manifest.out).unwrap();
    let written = fs::read_to_string(place.path("json/manifest.json")).unwrap();
    let mut written: Value = serde_json::from_str(&written).unwrap();
    // The seal is the file's alone.
    assert!(written.as_object_mut().unwrap().remove("sha256").is_some());
    assert_eq!(manifest, written);
}

/// Index, search, run, evaluate; and the same with `-` for the files.
#[test]
fn from_pages_to_measures() {
    let place = Place::new();
    let search = place.check("search --index ix --min-words 11 rain barrel", 0, "d1", "");
    assert!(!search.out.contains("d2"), "{}", search.out);
    place.check(
        "run --index ix --topics topics.xml --output all.run",
        0,
        "",
        "",
    );
    let filtered = place.check(
        "run --index ix --topics topics.xml --min-words 11 --tag cut",
        0,
        "*",
        "",
    );
    let columns: Vec<&str> = filtered.out.split_whitespace().collect();
    assert_eq!(columns.len(), 6, "{}", filtered.out);
    assert_eq!(
        (columns[..4].join(" "), columns[5]),
        ("7 Q0 d1 1".to_owned(), "cut")
    );
    let all = fs::read_to_string(place.path("all.run")).unwrap();
    assert_eq!(all.lines().count(), 2, "{all}");
    for threads in [1, 3] {
        let again = format!("run --index ix --topics topics.xml --threads {threads} --output -");
        assert_eq!(place.run(&again).out, all);
    }
    let piped = place.run_with(
        &["run", "--index", "ix", "--topics", "-"],
        TOPICS.as_bytes(),
    );
    assert_eq!(piped.out, all);
    place.write("cut.run", &filtered.out);
    // The page that only links to the topic stands first where its links count.
    place.check("eval -m P@1 qrels.txt cut.run", 0, "1.0000", "");
    let measured = place.check("eval -m P@1 -m AP qrels.txt all.run", 0, "0.5000", "");
    let piped = place.run_with(
        &["eval", "-m", "P@1", "-m", "AP", "qrels.txt", "-"],
        all.as_bytes(),
    );
    assert_eq!(piped.out, measured.out);

    let warc = fs::read(place.path("tiny.warc.gz")).unwrap();
    let done = place.run_with(&["index", "--index", "piped", "-"], &warc);
    check_done("index -", &done, 0, "", "piped: 2 pages");
    assert_eq!(place.run("run --index piped --topics topics.xml").out, all);
    let blocks = place.run("blocks --json tiny.warc.gz").out;
    let done = place.run_with(&["blocks", "--json", "-"], &warc);
    assert_eq!(done.out, blocks);
    let done = place.run_with(&["blocks", "--json", "--", "-#d2"], &warc);
    assert_eq!(values(&objects(&done.out), "docid"), ["d2", "d2"]);
    let done = place.run_with(
        &["extract", "--extractor", "keep-everything", "-"],
        BARREL.as_bytes(),
    );
    check_done("extract -", &done, 0, "A rain barrel", "");
}

/// An index without a page says why, and leaves the directory as it was.
#[test]
fn nothing_to_index() {
    let place = Place::empty();
    place.warc("none.warc.gz", &[]);
    place.warc("blank.warc.gz", &[("d1", "<p> </p>")]);
    place.write("none/readme.txt", "no page");
    place.write("broken.warc.gz", b"\x1f\x8b\x08\x00 this is no gzip member");
    for (line, err) in [
        (
            "none.warc.gz",
            "no page to index: none found in 1 file; skipped: 1 warcinfo",
        ),
        (
            "none.warc.gz none.warc.gz",
            "none found in 2 files; skipped: 2 warcinfo",
        ),
        ("blank.warc.gz", "no text in any of 1 pages in 1 file"),
        ("--status 404 blank.warc.gz", "1 status-200"),
        ("none", "none found in 1 file; skipped: 1 "),
        (
            "broken.warc.gz",
            "first failure: broken.warc.gz at offset 0: corrupt-member",
        ),
    ] {
        place.check(&format!("index --index ix {line}"), 2, "", err);
        assert!(place.is_empty("ix"), "{line}");
    }
    place.write("nothing/sub/.keep", "");
    fs::remove_file(place.path("nothing/sub/.keep")).unwrap();
    place.check("index --index ix nothing", 2, "", "none found in 0 files");
    place.warc("tiny.warc.gz", &[("d1", BARREL)]);
    place.check("index --index ix tiny.warc.gz", 0, "", "ix: 1 page, ");
}

#[test]
fn directories_that_are_refused() {
    let place = Place::new();
    place.write("full/note.txt", "mine");
    place.write("half/build.json", "{}");
    place.write("file", "");
    place.write("old/manifest.json", "{\"schema_version\": 0}");
    place.write("three/manifest.json", "{\"schema_version\": 3}");
    place.write("torn/manifest.json", "{\"schema_ver");
    for (line, err) in [
        ("index --index ix tiny.warc.gz", "ix already holds an index"),
        (
            "index --index full tiny.warc.gz",
            "full is not empty and holds no index",
        ),
        (
            "index --index half tiny.warc.gz",
            "half holds an index that was never finished",
        ),
        ("index --index file tiny.warc.gz", "file"),
        (
            "search --index half rain",
            "half holds an index that was never finished",
        ),
        ("search --index old rain", "old has index format 0"),
        (
            "merge --index new three",
            "three has index format 3, and this version reads format 4: build the index again",
        ),
        ("search --index torn rain", "manifest.json is damaged"),
        ("search --index file rain", "file"),
    ] {
        place.check(line, 2, "", err);
    }
    assert_eq!(
        fs::read_to_string(place.path("full/note.txt")).unwrap(),
        "mine"
    );
    assert!(place.path("half/build.json").exists());
    place.check("search --index ix rain", 0, "Rain", "");
}

/// The docid of a file in a directory is its path there without .html or .htm.
#[test]
fn directories_of_html_files() {
    let place = Place::empty();
    for name in [
        "a.html",
        "sub/b.htm",
        "sub/c.HTML",
        "sub/deep/d e.html",
        "x.y.html",
    ] {
        place.write(&format!("pages/{name}"), BARREL);
    }
    place.write("pages/logo.png", b"\x89PNG\r\n\x1a\n");
    let found = objects(&place.run("extract --format json pages").out);
    let expected = ["a", "sub/b", "sub/c", "sub/deep/d e", "x.y"];
    assert_eq!(values(&found, "docid"), expected);
    place.check("index --index ix pages", 0, "", "ix: 5 pages");
    let found = objects(&place.run("search --index ix --json barrel").out);
    // Equal scores: by docid, descending.
    let mut descending = expected;
    descending.reverse();
    assert_eq!(values(&found, "docid"), descending);
    place.write("topics.tsv", "1\tbarrel\n");
    let run = place.run("run --index ix --topics topics.tsv");
    assert!(run.out.contains(" sub/deep/d%20e "), "{}", run.out);
}

#[test]
fn duplicates_and_max_bad() {
    let place = Place::empty();
    place.warc(
        "a.warc.gz",
        &[("d1", BARREL), ("d1", COMPOST), ("d2", COMPOST)],
    );
    place.warc("b.warc.gz", &[("d2", BARREL), ("d3", COMPOST)]);
    let both = "a.warc.gz b.warc.gz";
    place.check(
        &format!("index --index ix {both}"),
        1,
        "",
        "warning: 2 records failed; see ",
    );
    let ledger = fs::read_to_string(place.path("ix/ledger.jsonl")).unwrap();
    let lines: Vec<Value> = objects(&ledger);
    let duplicates: Vec<(&Value, &Value)> = lines
        .iter()
        .filter(|line| line["reason"] == "duplicate-docid")
        .map(|line| (&line["file"], &line["docid"]))
        .collect();
    assert_eq!(
        duplicates,
        [
            (&"a.warc.gz".into(), &"d1".into()),
            (&"b.warc.gz".into(), &"d2".into())
        ]
    );
    // The first of each is the one that is found.
    let found = objects(&place.run("search --index ix --json downspout").out);
    assert_eq!(values(&found, "docid"), ["d1"]);
    for (most, code) in [(0, 2), (1, 2), (2, 1)] {
        let directory = format!("most{most}");
        let done = place.run(&format!(
            "index --index {directory} --max-bad {most} {both}"
        ));
        assert_eq!(done.code, code, "{}", done.err);
        if code == 2 {
            check_done("--max-bad", &done, 2, "", "hint: --max-bad allows more");
            // The ledger that the message names is there, and the directory is no index.
            let ledger = place.path(&format!("{directory}/ledger.jsonl"));
            let ledger = fs::read_to_string(ledger).unwrap();
            assert!(ledger.contains("duplicate-docid"), "{ledger}");
            let search = format!("search --index {directory} rain");
            place.check(&search, 2, "", "holds an index that was never finished");
        }
    }
}

/// A reader that has seen enough is no error, whatever is being written.
#[test]
fn broken_pipes() {
    let place = Place::new();
    place.write("long.html", "<p>one two three".repeat(50_000));
    for line in [
        "blocks long.html",
        "blocks --json long.html",
        "extract long.html",
        "extract --format json long.html",
        "extract --format html long.html",
        "search --index ix rain",
        "search --index ix --json rain",
        "run --index ix --topics topics.xml",
        "index --index new --json tiny.warc.gz",
        "eval qrels.txt some.run",
        "compare qrels.txt some.run some.run",
        "completions bash",
        "demo",
        "--help",
    ] {
        place.write("some.run", "7 Q0 d1 1 2.5 tag\n");
        let (reader, writer) = pipe().unwrap();
        drop(reader);
        let args: Vec<&str> = line.split_whitespace().collect();
        let child = place.command(&args).stdout(writer).spawn().unwrap();
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{line}: {err}");
        assert!(
            !err.contains("error") && !err.contains("panicked"),
            "{line}: {err}"
        );
    }
}

/// Nothing in a collection can send commands to the terminal.
#[test]
fn control_characters() {
    let place = Place::empty();
    let evil = "\x1b]0;owned\x07\x1b[2Jrain\u{9b}31m \x7fbarrel\u{85}s\x08";
    let page =
        format!("<title>{evil}</title><body><p>{evil} rain {evil}</p><pre>rain {evil}</pre>");
    let docid = "d\x1b[31m\u{9b}1";
    let records = [docid, "d2", docid].map(|docid| WarcPage {
        docid,
        url: "http://example.org/\x1b[2J",
        date: "",
        html: page.as_bytes(),
    });
    write_warc(File::create(place.path("evil.warc.gz")).unwrap(), records).unwrap();
    place.write(&format!("pages/{evil}.html").replace("]0;owned", ""), &page);
    place.write("topics.tsv", "1\x1b[31m\tzebra\u{9b}\n");
    let checked = |line: &str, code: i32| {
        let done = place.run(line);
        assert_eq!(done.code, code, "{line}: {}", done.err);
        for stream in [&done.out, &done.err] {
            let control = stream.chars().find(|c| c.is_control() && *c != '\n');
            assert_eq!(control, None, "{line}: {stream:?}");
        }
        done.out
    };
    checked("index --index ix evil.warc.gz", 1);
    // Control characters in a record's header are damage.
    for (line, code) in [
        ("blocks evil.warc.gz", 1),
        ("blocks --segmenter atomic evil.warc.gz", 1),
        ("blocks --extractors all pages", 0),
        ("search --index ix rain", 0),
        ("search --index ix --unit block rain", 0),
    ] {
        let out = checked(line, code);
        assert!(out.contains("rain"), "{line}: {out}");
    }
    checked("run --index ix --topics topics.tsv", 2);
    checked("run --index ix --topics topics.tsv --topic-field nosuch", 2);
    checked("index --index new --status 404 --docid url evil.warc.gz", 2);
    checked("index --index new --max-record-bytes 20 pages", 2);
    checked("blocks --max-record-bytes 20 pages", 1);
    checked("blocks --max-record-bytes 50 evil.warc.gz", 1);
}

/// What is printed is for people only where it goes to a terminal: no colour codes in files and pipes.
#[test]
fn the_demo_runs() {
    let place = Place::empty();
    let done = place.check("demo --output kept", 0, "trommel search --index", "");
    assert!(
        done.out.contains("no filter") || done.out.contains("unfiltered"),
        "{}",
        done.out
    );
    place.check(
        "search --index kept/index --min-words 10 rain barrel",
        0,
        "blocks",
        "",
    );
    assert!(Path::new(&place.path("kept/demo.warc.gz")).exists());
}

/// Pages and gold texts are paired by name; what cannot be paired, or is no choice, is refused.
#[test]
fn score_against_a_gold_standard() {
    let place = Place::empty();
    place.write("c/html/a.html", BARREL);
    place.write("c/html/sub/b.html", COMPOST);
    place.write(
        "c/gold/a.txt",
        "URL: http://x/\n<p>A rain barrel under the downspout",
    );
    place.write("c/gold/sub/b.txt", "URL: http://x/\n");
    place.check(
        "score --gold c/gold --format cleaneval --baseline keep-everything --plot p.svg",
        0,
        "boilerpipe-numwords",
        "1 page without gold text left out",
    );
    let svg = fs::read_to_string(place.path("p.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("keep-everything"));
    let line =
        "score --gold c/gold --format cleaneval --extractors keep-everything,min-words-10 --json";
    let keys = [
        "extractor",
        "num_pages",
        "empty_gold",
        "seen_pages",
        "snippets",
        "texts",
        "blocks",
        "blocks_by_words",
        "uniqueness",
    ];
    place.check_keys(line, 2, &keys);
    let scores = objects(&place.run(line).out);
    let words = &scores[0]["texts"]["words"];
    assert_eq!(words["num_pages"], 1);
    assert_eq!(
        words["pages"]["a"],
        serde_json::json!({"common": 6, "output": 24, "gold": 6})
    );
    place.check("score --pages c/html --phrases 1", 0, "sentences", "");
    place.check(
        "score --pages c/html --extractors bte,content-tree:n=3,base=boilerpipe-default",
        0,
        "content-tree:n=3,base=boilerpipe-default",
        "",
    );
    place.check(
        "score --gold c/gold --format gn",
        2,
        "",
        "There are: cleaneval, gn1, text, wcxb",
    );
    place.check("score --gold c/gold", 2, "", "--format");
    // The labels come from the gold text, and leaves are what they are compared on.
    place.check(
        "score --gold c/gold --format cleaneval --measure characters",
        0,
        "blocks, each counting 1; segmenter leaf",
        "1 page without gold text left out",
    );
    place.check(
        "score --gold c/gold --format cleaneval --measure letters",
        2,
        "",
        "there are: words, characters, evert, wcxb",
    );
    place.check(
        "score --gold none --format text",
        2,
        "",
        "no such directory",
    );
    place.write("c/gold/c.txt", "alone");
    place.check(
        "score --gold c/gold --format text",
        2,
        "",
        "no page of the same name",
    );
}

/// Exit status 0 where figures agree, 1 where they do not, 2 where the data are missing.
#[test]
fn experiments_agree_or_not() {
    let place = Place::empty();
    place.write("c/html/a.html", BARREL);
    place.write(
        "c/gold/a.txt",
        "URL: http://x/\n<p>A rain barrel under the downspout",
    );
    let experiment = |figure: &str, pages: &str| {
        format!(
            "kind = 'extractors'\ntitle = 'T'\n[input]\ngold = '../c/gold'\npages = '../c/{pages}'\n[options]\n\
             format = 'cleaneval'\nextractors = ['keep-everything']\n[[table]]\nname = 'words'\ncolumns = ['macro F1']\n\
             tolerance = 0.1\n[table.rows]\nkeep-everything = [{figure}]\n"
        )
    };
    place.write("e/good.toml", experiment("40", "html"));
    place.write("e/bad.toml", experiment("50", "html"));
    place.write("e/gone.toml", experiment("40", "none"));
    let done = place.check(
        "experiment e/good.toml --output out",
        0,
        "40.00 (40.00)",
        "",
    );
    let report = fs::read_to_string(place.path("out/report.md")).unwrap();
    assert!(done.out == report && report.contains("](ranked.svg)"));
    assert!(place.path("out/ranked.svg").exists() && place.path("out/report.json").exists());
    place.check(
        "experiment e/bad.toml",
        1,
        "40.00 (50.00) !",
        "1 figure of 1 missed",
    );
    let done = place.check("experiment e/good.toml --json", 0, "checks", "");
    assert_eq!(objects(&done.out)[0]["checks"][0]["met"], true);
    place.check("experiment e/gone.toml", 2, "", "is not there");
    place.check("experiment e/none.toml", 2, "", "e/none.toml");
}
