//! Names and docids that are no plain words: one order, one docid a page, and files that are found
//! again.

use std::fs;

use serde_json::Value;

use crate::cli::{Place, objects, values};

const RAIN: &str = "<p>Rain barrels keep water for the dry weeks of summer.";

/// Ties were cut by the raw docid and written in the order of the encoded one.
#[test]
fn ties_of_docids_with_white_space_are_in_one_order() {
    let place = Place::empty();
    for name in ["a b", "a!b", "a\u{a0}b", "a~b"] {
        place.write(&format!("pages/{name}.html"), RAIN);
    }
    place.write("topics.tsv", "1\train\n");
    place.check("index --index ix pages", 0, "", "*");
    let docids = |k: &str| -> Vec<String> {
        let run = place.check(
            &format!("run --index ix --topics topics.tsv -k {k}"),
            0,
            "*",
            "*",
        );
        let docid = |line: &str| line.split(' ').nth(2).unwrap().to_owned();
        run.out.lines().map(docid).collect()
    };
    // By bytes: `~` is 7E, `%` is 25, `!` is 21.
    let order = ["a~b", "a%C2%A0b", "a%20b", "a!b"];
    assert_eq!(docids("1000"), order);
    for k in 1..4 {
        assert_eq!(docids(&k.to_string()), order[..k]);
    }
    let found = objects(&place.run("search --index ix --json -k 3 rain").out);
    assert_eq!(values(&found, "docid"), ["a~b", "a\u{a0}b", "a b"]);
    let found = objects(
        &place
            .run("search --index ix --json -k 2 --unit block rain")
            .out,
    );
    assert_eq!(values(&found, "docid"), ["a~b", "a\u{a0}b"]);
    // A sweep's step is the run, and its figures are those of the run.
    place.write("qrels.txt", "1 0 a%20b 1\n");
    place.check(
        "run --index ix --topics topics.tsv --output full.run",
        0,
        "*",
        "*",
    );
    let eval = place.check("eval --format json -m RR qrels.txt full.run", 0, "*", "*");
    let eval = objects(&eval.out)[0]["scores"]["RR"].as_f64().unwrap();
    let line =
        "sweep --index ix --topics topics.tsv --qrels qrels.txt --vary min-words=2 -m RR --json";
    let swept: Value = serde_json::from_str(&place.check(line, 0, "*", "*").out).unwrap();
    assert_eq!(eval, 1.0 / 3.0);
    assert_eq!(
        swept["references"][0]["result"]["means"][0].as_f64(),
        Some(eval)
    );
}

/// `sp ace.html` beside `sp%20ace.html` made `run` impossible.
#[test]
fn docids_that_look_encoded_are_not_those_that_are() {
    let place = Place::empty();
    place.write("pages/sp ace.html", RAIN);
    place.write(
        "pages/sp%20ace.html",
        "<p>Rain, and more rain, and rain again.",
    );
    place.write("topics.tsv", "1\train\n");
    place.check("index --index ix pages", 0, "", "*");
    let run = place.check(
        "run --index ix --topics topics.tsv --output both.run",
        0,
        "*",
        "*",
    );
    assert_eq!(run.code, 0);
    let run = fs::read_to_string(place.path("both.run")).unwrap();
    assert!(run.starts_with("1 Q0 sp%2520ace 1 "), "{run}");
    assert!(run.contains("\n1 Q0 sp%20ace 2 "), "{run}");
    // What stands in a run is judged; the docid of the collection is, where that is no other
    // page's.
    let reciprocal_rank = |qrels: &str, run: &str| {
        place.write("qrels.txt", qrels);
        let line = format!("eval --format json -m RR qrels.txt {run}");
        objects(&place.check(&line, 0, "*", "*").out)[0]["scores"]["RR"]
            .as_f64()
            .unwrap()
    };
    assert_eq!(reciprocal_rank("1 0 sp%20ace 1\n", "both.run"), 0.5);
    assert_eq!(reciprocal_rank("1 0 sp%2520ace 1\n", "both.run"), 1.0);
    fs::remove_file(place.path("pages/sp ace.html")).unwrap();
    place.check("index --index one pages", 0, "", "*");
    place.check(
        "run --index one --topics topics.tsv --output one.run",
        0,
        "*",
        "*",
    );
    assert_eq!(reciprocal_rank("1 0 sp%20ace 1\n", "one.run"), 1.0);
    let line =
        "sweep --index one --topics topics.tsv --qrels qrels.txt --vary min-words=2 -m RR --json";
    let swept: Value = serde_json::from_str(&place.check(line, 0, "*", "*").out).unwrap();
    assert_eq!(swept["references"][0]["result"]["means"][0], 1.0);
}

/// A page is found by its docid and by the docid that runs have.
#[test]
fn pages_are_found_by_either_docid() {
    let place = Place::empty();
    place.warc(
        "two.warc",
        &[("sp ace", RAIN), ("sp%20ace", "<p>Other words.")],
    );
    place.warc("one.warc", &[("sp ace", RAIN)]);
    for (input, text) in [
        ("two.warc#sp%20ace", "Other"),
        ("two.warc#sp%2520ace", "Other"),
        ("two.warc#sp ace", "Rain"),
        ("one.warc#sp%20ace", "Rain"),
    ] {
        let found = place.run_with(&["extract", "--extractor", "keep-everything", input], b"");
        assert!(
            found.out.starts_with(text),
            "{input}: {} {}",
            found.out,
            found.err
        );
    }
}

/// File names that are no UTF-8 became one docid, and neither `check` nor `label` found the files.
#[cfg(unix)]
#[test]
fn file_names_that_are_not_utf_8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let place = Place::empty();
    fs::create_dir(place.path("pages")).unwrap();
    for (name, text) in [
        (&b"caf\xe8.html"[..], "<p>one grave"),
        (b"caf\xe9.html", "<p>two acute"),
        (b"caf%E9.html", "<p>three letters"),
    ] {
        let path = place.path("pages").join(OsStr::from_bytes(name));
        fs::write(path, text).unwrap();
    }
    place.check("index --index ix pages", 0, "", "ix: 3 pages");
    let found = objects(
        &place
            .run("search --index ix --json one OR two OR three")
            .out,
    );
    let mut docids = values(&found, "docid");
    docids.sort();
    assert_eq!(docids, ["caf%25E9", "caf%E8", "caf%E9"]);
    place.check("check --index ix", 0, "*", "*");
    place.check("label --index ix --extractor bte", 0, "*", "*");
    // By its name as it is, and as the ledger has it.
    let input = [&b"pages/caf\xe9.html#"[..], b"caf%E9"].concat();
    let mut command = place.command(&["extract", "--extractor", "keep-everything"]);
    let done = command.arg(OsStr::from_bytes(&input)).output().unwrap();
    assert_eq!(done.stdout.trim_ascii(), b"two acute");
    for (name, text) in [("caf%E8", "one grave"), ("caf%25E9", "three letters")] {
        let input = format!("pages/{name}.html#{name}");
        let line = format!("extract --extractor keep-everything {input}");
        place.check(&line, 0, text, "");
    }
}

/// `index demo/` walked into an index that lies there and counted its files as bad.
#[test]
fn an_index_inside_an_input_directory_is_left_out() {
    let place = Place::empty();
    place.write("in/a.html", RAIN);
    // A manifest of somebody else's.
    place.write("in/site/manifest.json", "{\"name\": \"x\"}");
    place.check("index --index in/ix in", 0, "", "1 other-file");
    let left_out = "in/ix: an index, which is left out";
    let done = place.check("index --index second in", 0, "", left_out);
    assert!(
        done.err.contains("1 other-file") && !done.err.contains("failed"),
        "{}",
        done.err
    );
    // The same files as when the index was not there yet.
    place.check("label --index in/ix --extractor bte in", 0, "", left_out);
    // Without the file that writers lock, as when it was copied.
    fs::remove_file(place.path("in/ix/trommel.lock")).unwrap();
    place.check("index --index third in", 0, "", left_out);
    place.check(
        "index --index fourth in/ix",
        2,
        "",
        "this is an index, and no collection",
    );
}

/// A build that is taken up again inside its own input directory has the files that it had.
#[test]
fn a_build_goes_on_inside_its_input_directory() {
    let place = Place::empty();
    for number in 0..3 {
        place.write(&format!("in/{number}.html"), RAIN);
    }
    place.write("in/x.warc", "WARC/1.0\r\n");
    place.check("index --index in/ix --max-bad 0 in", 2, "", "*");
    assert!(place.path("in/ix/build.json").exists());
    place.check("index --index in/ix --resume in", 1, "", "in/ix: 3 pages");
}

/// Pipes, sockets and links that lead nowhere neither block nor vanish.
#[cfg(unix)]
#[test]
fn what_is_no_file_in_a_directory_is_told() {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;
    use std::process::Command;
    let place = Place::empty();
    place.write("in/a.html", RAIN);
    symlink("nowhere", place.path("in/d.html")).unwrap();
    let _socket = UnixListener::bind(place.path("in/s.html")).unwrap();
    let made = Command::new("mkfifo").arg(place.path("in/p.html")).status();
    assert!(made.is_ok_and(|status| status.success()));
    symlink("/dev/null", place.path("in/z.html")).unwrap();
    place.check("index --index ix in", 1, "", "3 other-file, 1 read-error");
    let ledger = fs::read_to_string(place.path("ix/ledger.jsonl")).unwrap();
    let lines: Vec<(String, String)> = objects(&ledger)
        .iter()
        .map(|line| (line["file"].to_string(), line["detail"].to_string()))
        .collect();
    for (file, detail) in [
        ("in/d.html", "a link that leads nowhere"),
        ("in/p.html", "a named pipe, and no file"),
        ("in/s.html", "a socket, and no file"),
        ("in/z.html", "a device, and no file"),
    ] {
        let expected = (format!("\"{file}\""), format!("\"{detail}\""));
        assert!(lines.contains(&expected), "{lines:?}");
    }
}

/// One date with a line break ended the output of a whole collection.
#[test]
fn wet_goes_on_after_a_date_with_a_line_break() {
    let place = Place::empty();
    let lines = [
        r#"{"docid": "a", "text": "one"}"#,
        r#"{"docid": "b", "date": "2020\n", "text": "two"}"#,
        r#"{"docid": "c", "text": "three"}"#,
    ];
    place.write("in.jsonl", lines.join("\n"));
    let told = "in.jsonl at offset 30: unwritable (b): line break in WARC-Date";
    place.check(
        "extract --extractor keep-everything --format wet --output out.warc.gz in.jsonl",
        1,
        "",
        told,
    );
    let found = objects(
        &place
            .run("extract --extractor keep-everything --format json out.warc.gz")
            .out,
    );
    assert_eq!(values(&found, "docid"), ["a", "c"]);
}
