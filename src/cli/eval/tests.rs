#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::{Args, report};
use clap::Parser;
use std::path::PathBuf;

#[derive(Parser)]
struct Command {
    #[command(flatten)]
    args: Args,
}

/// Document a is relevant to both subtopics of topic 1, b to the second.
const SUBTOPICS: &str = "1 1 a 1\n1 2 a 1\n1 2 b 1\n2 1 c 1\n";
/// One group prefers a to b, another b to a and c.
const PREFS: &str = "1 g s a 1\n1 g s b 0\n1 h s b 2\n1 h s a 1\n1 h s c 0\n";
const QRELS: &str = "1 0 a 1\n1 0 b 0\n2 0 c 3\n3 0 d 1\n";
/// Topic 1: AP = RR = 1/2. Topic 2: 1. Topic 3 is missing, topic 9 is not judged.
const RUN: &str = "1 Q0 b 1 2 one\n1 Q0 a 2 1 one\n2 Q0 c 1 5 one\n9 Q0 z 1 1 one\n";
/// Topic 1: AP = RR = 1. Topics 2 and 3 are missing.
const OTHER_RUN: &str = "1 Q0 a 1 2 another\n";

/// Runs `trommel eval ARGS` in a folder with the files above; in ARGS, `QRELS`, `RUN` and `OTHER` stand
/// for their paths. Gives output and warnings, or the error, with the folder cut out.
fn eval(name: &str, args: &[&str]) -> Result<(String, Vec<String>), String> {
    let folder = std::env::temp_dir().join(format!("trommel-eval-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = |file: &str| -> PathBuf { folder.join(file) };
    let files = [
        ("QRELS", QRELS),
        ("SUBTOPICS", SUBTOPICS),
        ("PREFS", PREFS),
        ("RUN", RUN),
        ("OTHER", OTHER_RUN),
    ];
    for (file, text) in files {
        std::fs::write(path(file), text).unwrap();
    }
    let words = args.iter().map(|word| match *word {
        "QRELS" | "SUBTOPICS" | "PREFS" | "RUN" | "OTHER" => path(word).into_os_string(),
        word => word.into(),
    });
    let command =
        Command::try_parse_from([std::ffi::OsString::from("eval")].into_iter().chain(words));
    let without_folder = |text: &str| text.replace(&format!("{}/", folder.display()), "");
    let result = match command {
        Err(error) => Err(error.to_string()),
        Ok(command) => match report(&command.args) {
            Ok(report) => Ok((
                without_folder(&report.text),
                report
                    .warnings
                    .iter()
                    .map(|warning| without_folder(warning))
                    .collect(),
            )),
            Err(error) => Err(without_folder(&error.to_string())),
        },
    };
    std::fs::remove_dir_all(&folder).unwrap();
    result
}

#[test]
fn one_run_prints_as_trec_eval_and_several_as_a_table() {
    let (text, warnings) =
        eval("one", &["-m", "recip_rank", "-m", "num_q", "QRELS", "RUN"]).unwrap();
    // Mean of 1/2 and 1; in trec_eval's order, whatever was asked first.
    assert_eq!(
        text,
        "num_q                 \tall\t2\nrecip_rank            \tall\t0.7500\n"
    );
    assert_eq!(
        warnings,
        [
            "RUN: left out, as they are not judged: topics 9",
            "RUN: judged, but not in the run, and left out (-c counts them as empty): topics 3",
        ]
    );
    let (text, _) = eval(
        "several",
        &["-m", "RR", "-m", "NumRet", "QRELS", "RUN", "OTHER"],
    )
    .unwrap();
    let expected = "\
run      topics      RR  NumRet
one           2  0.7500       3
another       1  1.0000       1
";
    assert_eq!(text, expected);
}

#[test]
fn complete_counts_missing_topics_as_empty() {
    let (text, _) = eval(
        "complete",
        &["-qc", "--format", "table", "-m", "RR", "QRELS", "RUN"],
    )
    .unwrap();
    let expected = "\
run    topic      RR
one        1  0.5000
one        2  1.0000
one        3  0.0000
one  all (3)  0.5000
";
    assert_eq!(text, expected);
}

#[test]
fn json_has_full_precision_and_what_was_left_out() {
    let (text, _) = eval(
        "json",
        &[
            "-q", "--format", "json", "-m", "RR", "-m", "NumRet", "QRELS", "RUN",
        ],
    )
    .unwrap();
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let expected = serde_json::json!({
        "file": value["file"], "run": "one", "num_topics": 2,
        "missing_topics": ["3"], "unjudged_topics": ["9"],
        "scores": {"RR": 0.75, "NumRet": 3},
        "topics": {"1": {"RR": 0.5, "NumRet": 2}, "2": {"RR": 1.0, "NumRet": 1}},
    });
    assert_eq!(value, expected);
    assert_eq!(text.lines().count(), 1);
}

#[test]
fn grades_level_and_depth_change_what_is_relevant() {
    let score = |name: &str, options: &[&str]| {
        let args: Vec<&str> = options
            .iter()
            .copied()
            .chain(["-m", "RR", "QRELS", "RUN"])
            .collect();
        eval(name, &args)
            .unwrap()
            .0
            .replace("recip_rank            \tall\t", "")
    };
    // Grades of a and b swap: topic 1 has its relevant document at rank 1.
    assert_eq!(
        score("map", &["--grades", "1..1=-1", "--grades", "-2..0=2"]),
        "1.0000\n"
    );
    // Only c has a grade of 2 or more.
    assert_eq!(score("level", &["-l2"]), "0.5000\n");
    // Topic 1 loses its second document.
    assert_eq!(score("depth", &["-M1"]), "0.5000\n");
}

#[test]
fn several_measures_in_one_argument() {
    let (text, _) = eval(
        "commas",
        &[
            "-m",
            "P(rel=2)@1,recip_rank,P.1,2",
            "-m",
            "relstring",
            "-q",
            "QRELS",
            "RUN",
        ],
    )
    .unwrap();
    // Topic 1: b (0), a (1). Topic 2: c (3).
    let expected = "\
recip_rank            \t1\t0.5000
P(rel=2)@1            \t1\t0.0000
P_1                   \t1\t0.0000
P_2                   \t1\t0.5000
relstring             \t1\t'01'
recip_rank            \t2\t1.0000
P(rel=2)@1            \t2\t1.0000
P_1                   \t2\t1.0000
P_2                   \t2\t0.5000
relstring             \t2\t'3'
recip_rank            \tall\t0.7500
P(rel=2)@1            \tall\t0.5000
P_1                   \tall\t0.5000
P_2                   \tall\t0.5000
";
    assert_eq!(text, expected);
    // A string of grades is no column.
    let (text, _) = eval(
        "columns",
        &["--format", "table", "-m", "RR,relstring", "QRELS", "RUN"],
    )
    .unwrap();
    assert_eq!(text.lines().next(), Some("run  topics      RR"));
}

#[test]
fn subtopics_as_ndeval_prints_them() {
    let (text, warnings) = eval(
        "ndeval",
        &[
            "--format",
            "ndeval",
            "-m",
            "P_IA@2,StRecall@1",
            "SUBTOPICS",
            "RUN",
        ],
    )
    .unwrap();
    // Topic 1: b, then a: three hits of two subtopics in two ranks; b has one of two subtopics. Topic 2: c.
    let expected = "\
runid,topic,P-IA@2,strec@1
one,1,0.750000,0.500000
one,2,0.500000,1.000000
one,amean,0.625000,0.750000
";
    assert_eq!(text, expected);
    assert!(warnings[0].contains("judgments of subtopics"));
    let (text, _) = eval("all", &["--format", "ndeval", "SUBTOPICS", "RUN"]).unwrap();
    assert_eq!(text.lines().next().unwrap().split(',').count(), 2 + 21);
    let (_, warnings) = eval("none", &["-m", "AP_IA", "QRELS", "RUN"]).unwrap();
    assert!(
        warnings[0].contains("the second column is the same"),
        "{warnings:?}"
    );
}

#[test]
fn preferences_are_read_where_that_is_said() {
    let measures = "prefs_num_prefs_poss,prefs_num_prefs_ful,prefs_simp";
    let (text, _) = eval("prefs", &["-R", "prefs", "-m", measures, "PREFS", "RUN"]).unwrap();
    // b, a: of four preferences b before a, b before c, a before c (not retrieved) are fulfilled, a before b is not.
    let expected = "\
prefs_num_prefs_poss  \tall\t4
prefs_num_prefs_ful   \tall\t3
prefs_simp            \tall\t0.7500
";
    assert_eq!(text, expected);
}

#[test]
fn refusals_say_why() {
    let error = |name: &str, args: &[&str]| eval(name, args).map(|_| ()).unwrap_err();
    assert_eq!(
        error("unknown", &["-m", "utilities", "QRELS", "RUN"]),
        "unknown measure \"utilities\"; did you mean 'utility'?"
    );
    assert_eq!(
        error("stdin", &["-", "-"]),
        "standard input (`-`) can be only one of the files"
    );
    assert_eq!(
        error("swapped", &["RUN", "QRELS"]),
        "RUN:1: this is a line of a run (topic, Q0, docid, rank, score, tag), not of relevance judgments \
         (topic, iteration, docid, grade)"
    );
    assert!(error("missing", &["QRELS", "nowhere.run"]).starts_with("nowhere.run: "));
    assert!(error("grades", &["--grades", "4..1=0", "QRELS", "RUN"]).contains("such as 1..4=1"));
}
