//! Our evaluation against trec_eval 10's own expected outputs, byte for byte, every line of them.

use std::path::{Path, PathBuf};

use crate::measure::{FormatOptions, Options, Selection, evaluate, trec_eval_format};
use crate::trec::{Qrels, TrecError, preferences, qrels, run};

/// A folder of the references that may not be redistributed; none where it is missing, which is said.
fn reference(name: &str) -> Option<PathBuf> {
    let shared = std::env::var_os("TROMMEL_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let folder = shared.join("reference").join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: no {} (set TROMMEL_SHARED)", folder.display());
    None
}

struct Case<'a> {
    expected: &'a str,
    qrels: &'a str,
    run: &'a str,
    measures: &'a [&'a str],
    per_topic: bool,
    options: Options,
}

impl Default for Case<'_> {
    fn default() -> Self {
        Case {
            expected: "",
            qrels: "qrels.test",
            run: "results.test",
            measures: &["all_trec"],
            per_topic: true,
            options: Options::default(),
        }
    }
}

/// The expected output must be ours, with all its lines. How many these are is asserted too, so that none can be left out.
#[track_caller]
fn check(case: &Case, lines: usize) {
    check_judged(case, lines, qrels::read_file);
}

#[track_caller]
fn check_judged(case: &Case, lines: usize, read: impl Fn(&Path) -> Result<Qrels, TrecError>) {
    let Some(folder) = reference("trec_eval") else {
        return;
    };
    let Ok(expected) = std::fs::read_to_string(folder.join(case.expected)) else {
        eprintln!("skipped: no {} in {}", case.expected, folder.display());
        return;
    };
    let qrels = read(&folder.join(case.qrels)).unwrap();
    let run = run::read_file(&folder.join(case.run)).unwrap();
    let selection = Selection::parse(case.measures.iter().copied()).unwrap();
    let evaluation = evaluate(&qrels, &run, &selection.measures, &case.options).unwrap();
    let format = FormatOptions::default()
        .with_per_topic(case.per_topic)
        .with_run_tag(selection.run_tag);
    let ours = trec_eval_format(&evaluation, format);
    for (ours, theirs) in ours.lines().zip(expected.lines()) {
        assert_eq!(ours, theirs, "{}", case.expected);
    }
    assert_eq!(ours, expected, "{}", case.expected);
    assert_eq!(ours.lines().count(), lines, "{}", case.expected);
    eprintln!("{}: {lines} of {lines} lines", case.expected);
}

#[test]
fn official_measures() {
    check(
        &Case {
            expected: "out.test",
            measures: &["official"],
            per_topic: false,
            ..Case::default()
        },
        30,
    );
}

#[test]
fn all_measures() {
    check(
        &Case {
            expected: "out.test.a",
            per_topic: false,
            ..Case::default()
        },
        99,
    );
}

#[test]
fn all_measures_for_each_topic() {
    check(
        &Case {
            expected: "out.test.aq",
            ..Case::default()
        },
        387,
    );
}

#[test]
fn all_judged_topics() {
    check(
        &Case {
            expected: "out.test.aqc",
            run: "results.trunc",
            options: Options::default().with_complete(true),
            ..Case::default()
        },
        387,
    );
}

#[test]
fn all_judged_topics_to_depth_100() {
    let options = Options::default().with_complete(true);
    check(
        &Case {
            expected: "out.test.aqcM",
            run: "results.trunc",
            options: options.with_max_docs(Some(100)),
            ..Case::default()
        },
        387,
    );
}

#[test]
fn relevance_level_2() {
    check(
        &Case {
            expected: "out.test.aql",
            qrels: "qrels.rel_level",
            measures: &["all_trec", "relstring.20"],
            options: Options::default().with_relevance_level(2),
            ..Case::default()
        },
        387,
    );
}

/// `-q` with `-miprec_at_recall..10,.20,.25,.75,.50 -m P.5,7,3` and so on, as trec_eval's Makefile has it.
#[test]
fn parameters_of_measures() {
    check(
        &Case {
            expected: "out.test.meas_params",
            measures: &[
                "iprec_at_recall..10,.20,.25,.75,.50",
                "P.5,7,3",
                "recall.20,2000",
                "Rprec_mult.5.0,0.2,0.35",
                "utility.2,-1,0,0",
                "11pt_avg..25,.5,.75",
                "ndcg.1=3,2=9,4=4.5",
                "ndcg_cut.10,20,23.4",
                "success.2,5,20",
            ],
            ..Case::default()
        },
        88,
    );
}

#[test]
fn groups_of_users() {
    check(
        &Case {
            expected: "out.test.qrels_jg",
            qrels: "qrels.123",
            measures: &["qrels_jg"],
            ..Case::default()
        },
        82,
    );
}

#[test]
fn judgments_as_preferences() {
    check(
        &Case {
            expected: "out.test.qrels_prefs",
            measures: &["all_prefs"],
            ..Case::default()
        },
        58,
    );
}

#[test]
fn preferences_of_users() {
    check_judged(
        &Case {
            expected: "out.test.prefs",
            qrels: "prefs.test",
            run: "prefs.results.test",
            measures: &["all_prefs"],
            ..Case::default()
        },
        352,
        preferences::read_file,
    );
}
