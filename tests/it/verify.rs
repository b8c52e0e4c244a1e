//! `trommel verify`: runs are made again from what stands beside them.

use std::fs;

use crate::cli::Place;

/// A place with an index of the demo's pages.
fn place() -> Place {
    crate::cli_sweep::place()
}

/// Six runs: models, filters, weights, feedback, statistics, and a verdict.
const RUNS: [(&str, &[&str]); 6] = [
    ("bm25", &[]),
    (
        "filtered",
        &["--min-words", "11", "--max-link-density", "0.33"],
    ),
    (
        "rm3",
        &["--model", "qld:mu=2500+rm3:terms=5", "--min-words", "5"],
    ),
    ("weighted", &["--weights", "min(1, words / 20)"]),
    (
        "stats",
        &[
            "--filter",
            "words >= 8 or tag = h1",
            "--stats",
            "collection",
            "--model",
            "tfidf",
        ],
    ),
    (
        "verdict",
        &[
            "--extractor",
            "bte",
            "--stats",
            "words >= 5",
            "--model",
            "qljm",
            "-k",
            "40",
        ],
    ),
];

fn run(place: &Place, name: &str, flags: &[&str]) {
    let output = format!("{name}.run");
    let fixed = [
        "run",
        "--index",
        "ix",
        "--topics",
        "topics.xml",
        "-o",
        &output,
    ];
    let done = place.run_with(&[&fixed[..], flags].concat(), b"");
    assert_eq!((done.code, done.err.as_str()), (0, ""), "{name}");
}

/// One of six runs has a digit that is another: that one is found, with line, topic and both sides.
#[test]
fn a_changed_digit_is_found() {
    let place = place();
    for (name, flags) in RUNS {
        run(&place, name, flags);
        place.check(
            &format!("verify {name}.run"),
            0,
            ".run: the same, byte for byte (",
            "",
        );
    }
    let path = place.path("rm3.run");
    let text = fs::read_to_string(&path).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let whole = lines[1].clone();
    // The last digit of the score.
    let score = whole.split(' ').nth(4).unwrap();
    let at = whole.find(score).unwrap() + score.len() - 1;
    let digit = whole.as_bytes()[at] - b'0';
    let other = char::from(b'0' + (digit + 1) % 10);
    lines[1].replace_range(at..=at, &other.to_string());
    let changed = lines[1].clone();
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    for (name, _) in RUNS {
        let line = format!("verify {name}.run");
        match name {
            "rm3" => {
                let topic = whole.split(' ').next().unwrap();
                let done = place.check(
                    &line,
                    1,
                    &format!("different from line 2 on, topic {topic}\n"),
                    "",
                );
                assert!(
                    done.out.contains(&changed) && done.out.contains(&whole),
                    "{}",
                    done.out
                );
                let json = place
                    .check(&format!("{line} --json"), 1, "\"same\":false", "")
                    .out;
                assert!(json.contains("\"line\":2"), "{json}");
            }
            _ => drop(place.check(&line, 0, "the same", "")),
        }
    }
}

/// Lines that are missing, or too many, are differences too.
#[test]
fn a_run_that_ends_elsewhere() {
    let place = place();
    run(&place, "bm25", &[]);
    let path = place.path("bm25.run");
    let text = fs::read_to_string(&path).unwrap();
    let lines = text.lines().count();
    let cut: String = text.split_inclusive('\n').take(lines - 1).collect();
    fs::write(&path, &cut).unwrap();
    place.check(
        "verify bm25.run",
        1,
        "in the file: (nothing: it ends before)",
        "",
    );
    fs::write(&path, format!("{text}9 Q0 x 1 0.5 t\n")).unwrap();
    place.check(
        "verify bm25.run",
        1,
        &format!("different from line {} on, topic 9", lines + 1),
        "",
    );
}

/// What cannot be made again is told with what to do about it.
#[test]
fn what_changed_is_named() {
    let place = place();
    run(&place, "bm25", &[]);
    run(&place, "verdict", &["--extractor", "bte"]);

    // Labels that the run does not ask for change nothing.
    place.check("label --index ix --extractor min-words-10", 0, "*", "*");
    place.check("verify bm25.run", 0, "the same", "");
    place.check("verify verdict.run", 0, "the same", "");

    // Packed or with other fields, the topics are the same; with another word they are not.
    let topics = fs::read_to_string(place.path("topics.xml")).unwrap();
    place.write("topics.xml", format!("{topics}\n"));
    place.check("verify bm25.run", 0, "the same", "");
    place.write("topics.xml", topics.replacen("<query>", "<query>rain ", 1));
    place.check(
        "verify bm25.run",
        2,
        "",
        "what is asked for in the topics changed",
    );
    place.check("verify bm25.run", 2, "", "hint: --topics names the file");
    place.check(
        "verify bm25.run --anyway",
        1,
        "different from line",
        "warning: what is asked for",
    );
    place.write("t2.xml", &topics);
    place.check("verify bm25.run --topics t2.xml", 0, "the same", "");
    fs::remove_file(place.path("topics.xml")).unwrap();
    place.check(
        "verify bm25.run",
        2,
        "",
        "the file of topics is not there: topics.xml",
    );
    place.write("topics.xml", &topics);

    // Another index.
    fs::rename(place.path("ix"), place.path("old")).unwrap();
    place.check(
        "verify bm25.run",
        2,
        "",
        "the index is not there: ix\nhint: --index says",
    );
    place.check("verify bm25.run --index old", 0, "the same", "");
    place.check(
        "index --index ix --segmenter paragraph demo.warc.gz",
        0,
        "*",
        "*",
    );
    place.check(
        "verify bm25.run",
        2,
        "",
        "the index changed since the run was made",
    );
    place.check(
        "verify bm25.run",
        2,
        "",
        "--anyway compares with what this one gives",
    );
    place.check("verify bm25.run --anyway", 1, "different from line", "*");

    place.write("other.run", "1 Q0 a 1 0.5 t\n");
    place.check(
        "verify other.run",
        2,
        "",
        "nothing says how other.run was made",
    );
    place.write("other.run.ir_metadata.yml", "actor:\n  name: [\n");
    place.check("verify other.run", 2, "", "no metadata of a run of trommel");
}

/// The files can be moved together, and the metadata say what people have added.
#[test]
fn metadata_move_and_are_kept() {
    let place = place();
    fs::create_dir(place.path("runs")).unwrap();
    let line = "run --index ix --topics topics.xml --min-words 11 -o runs/a.run";
    place.check(line, 0, "", "");
    let path = place.path("runs/a.run.ir_metadata.yml");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("# ir_metadata.start\n"), "{text}");
    assert!(text.ends_with("# ir_metadata.end\n"), "{text}");
    for part in [
        "schema-version: 0.1\n",
        "tag: bm25.min-words=11\n",
        "platform:\n",
        "trommel==",
        "trommel run --index ix",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let run = fs::read_to_string(place.path("runs/a.run")).unwrap();
    assert!(
        run.lines().all(|line| line.ends_with(" bm25.min-words=11")),
        "{run}"
    );

    // What people know is kept when the run is made anew.
    fs::write(
        &path,
        text.replace(
            "# ir_metadata.end",
            "actor:\n  name: Ada\n# ir_metadata.end",
        ),
    )
    .unwrap();
    place.check(line, 0, "", "");
    let again = fs::read_to_string(&path).unwrap();
    assert!(again.contains("actor:\n  name: Ada\n"), "{again}");

    // From elsewhere the files are where they were, as seen from the metadata.
    fs::create_dir_all(place.path("far/away")).unwrap();
    let mut command = place.command(&["verify", "../../runs/a.run"]);
    let output = command
        .current_dir(place.path("far/away"))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );

    place.check("run --index ix --topics topics.xml", 0, " Q0 ", "");
    place.check(
        "run --index ix --topics topics.xml --no-metadata -o plain.run",
        0,
        "",
        "",
    );
    assert!(!place.path("plain.run.ir_metadata.yml").exists());
}

/// Runs of a sweep are verified as others; nothing but runs is in their folder, so that directories can be joined.
#[test]
fn runs_of_sweeps() {
    let place = place();
    let line = "sweep --index ix --topics topics.xml --vary min-words=5,10 --model bm25 --model qld --runs -o out";
    place.check(line, 0, "*", "*");
    let names = crate::cli_sweep::files(&place.path("out/runs"));
    assert_eq!(names.len(), 6, "{:?}", names.keys());
    for name in names.keys() {
        assert!(name.ends_with(".run"), "{name}");
        place.check(&format!("verify out/runs/{name}"), 0, "the same", "");
    }
    place.check(
        "run --index ix --topics topics.xml --min-words 10 --model qld -o ten.run",
        0,
        "",
        "",
    );
    let ten = fs::read(place.path("ten.run")).unwrap();
    assert_eq!(names["min-words=10.qld-mu=1000.run"], ten);
}
