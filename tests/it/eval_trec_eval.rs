//! Our evaluation against trec_eval 10's own expected outputs, byte for byte.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr
)]

use std::collections::BTreeSet;
use std::path::PathBuf;
use trommel::measure::{FormatOptions, Options, Selection, evaluate, trec_eval_format};
use trommel::trec::{qrels, run};

/// The scores that trec_eval's `all_trec` prints and that we leave out; docs/measures.md says why.
const LEFT_OUT: [&str; 26] = [
    "G",
    "Rndcg",
    "Rprec_mult_0.20",
    "Rprec_mult_0.40",
    "Rprec_mult_0.60",
    "Rprec_mult_0.80",
    "Rprec_mult_1.00",
    "Rprec_mult_1.20",
    "Rprec_mult_1.40",
    "Rprec_mult_1.60",
    "Rprec_mult_1.80",
    "Rprec_mult_2.00",
    "binG",
    "ndcg_rel",
    "relative_P_10",
    "relative_P_100",
    "relative_P_1000",
    "relative_P_15",
    "relative_P_20",
    "relative_P_200",
    "relative_P_30",
    "relative_P_5",
    "relative_P_500",
    "set_relative_P",
    "utility",
    // A string of grades, printed for single topics only.
    "relstring",
];

struct Case {
    expected: &'static str,
    qrels: &'static str,
    run: &'static str,
    measures: &'static str,
    per_topic: bool,
    options: Options,
    left_out: Vec<&'static str>,
}

/// The expected output without the lines of the left-out measures must be ours, byte for byte, and
/// the measures of the lines that we lack must be exactly those left out.
fn check(case: &Case) {
    let shared = std::env::var_os("TROMMEL_SHARED").unwrap_or_else(|| "../shared".into());
    let folder = PathBuf::from(shared).join("reference/trec_eval");
    if !folder.is_dir() {
        eprintln!("skipped: no {} (set TROMMEL_SHARED)", folder.display());
        return;
    }
    let expected = std::fs::read_to_string(folder.join(case.expected)).unwrap();
    let qrels = qrels::read_file(&folder.join(case.qrels)).unwrap();
    let run = run::read_file(&folder.join(case.run)).unwrap();
    let selection = Selection::parse([case.measures]).unwrap();
    let evaluation = evaluate(&qrels, &run, &selection.measures, &case.options).unwrap();
    let format = FormatOptions::default()
        .with_per_topic(case.per_topic)
        .with_run_tag(selection.run_tag);
    let ours = trec_eval_format(&evaluation, format);

    let name = |line: &str| {
        line.split_whitespace()
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let printed: BTreeSet<String> = ours.lines().map(name).collect();
    let (kept, lacking): (Vec<&str>, Vec<&str>) = expected
        .split_inclusive('\n')
        .partition(|line| printed.contains(&name(line)));
    let lacking: BTreeSet<String> = lacking.into_iter().map(name).collect();
    let left_out: BTreeSet<String> = case
        .left_out
        .iter()
        .map(|name| (*name).to_owned())
        .collect();
    assert_eq!(
        lacking, left_out,
        "{}: measures that we lack",
        case.expected
    );
    for (ours, theirs) in ours.split_inclusive('\n').zip(&kept) {
        assert_eq!(ours, *theirs, "{}", case.expected);
    }
    assert_eq!(ours, kept.concat(), "{}", case.expected);
}

/// `LEFT_OUT` with the name that `relstring` has in this output, if it is there.
fn left_out(relstring: Option<&'static str>) -> Vec<&'static str> {
    let scores = LEFT_OUT.into_iter().filter(|name| *name != "relstring");
    scores.chain(relstring).collect()
}

#[test]
fn official_measures() {
    check(&Case {
        expected: "out.test",
        qrels: "qrels.test",
        run: "results.test",
        measures: "official",
        per_topic: false,
        options: Options::default(),
        left_out: Vec::new(),
    });
}

#[test]
fn all_measures() {
    check(&Case {
        expected: "out.test.a",
        qrels: "qrels.test",
        run: "results.test",
        measures: "all_trec",
        per_topic: false,
        options: Options::default(),
        left_out: left_out(None),
    });
}

#[test]
fn all_measures_for_each_topic() {
    check(&Case {
        expected: "out.test.aq",
        qrels: "qrels.test",
        run: "results.test",
        measures: "all_trec",
        per_topic: true,
        options: Options::default(),
        left_out: left_out(Some("relstring")),
    });
}

#[test]
fn all_judged_topics() {
    check(&Case {
        expected: "out.test.aqc",
        qrels: "qrels.test",
        run: "results.trunc",
        measures: "all_trec",
        per_topic: true,
        options: Options::default().with_complete(true),
        left_out: left_out(Some("relstring")),
    });
}

#[test]
fn all_judged_topics_to_depth_100() {
    check(&Case {
        expected: "out.test.aqcM",
        qrels: "qrels.test",
        run: "results.trunc",
        measures: "all_trec",
        per_topic: true,
        options: Options::default()
            .with_complete(true)
            .with_max_docs(Some(100)),
        left_out: left_out(Some("relstring")),
    });
}

#[test]
fn relevance_level_2() {
    check(&Case {
        expected: "out.test.aql",
        qrels: "qrels.rel_level",
        run: "results.test",
        measures: "all_trec",
        per_topic: true,
        options: Options::default().with_relevance_level(2),
        left_out: left_out(Some("relstring_20")),
    });
}
