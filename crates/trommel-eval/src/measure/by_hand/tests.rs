//! Measures worked out by hand, their names, and the options that change what they see.

use crate::measure::{
    Evaluation, Family, FormatOptions, Kind, Measure, Need, Options, Selection, Value, all,
    evaluate, trec_eval_format,
};
use crate::trec::{qrels, run};

fn scores(qrels: &str, run: &str, measure: &str, options: &Options) -> Evaluation {
    let qrels = qrels::parse(qrels.as_bytes(), "qrels").unwrap();
    let run = run::parse(run.as_bytes(), "run").unwrap();
    let measures = Selection::parse([measure]).unwrap().measures;
    evaluate(&qrels, &run, &measures, options).unwrap()
}

/// Expects these values of the topics, in order, and this value of the run, to five decimals.
fn check(qrels: &str, run: &str, measure: &str, options: &Options, topics: &[f64], mean: f64) {
    let evaluation = scores(qrels, run, measure, options);
    let found: Vec<f64> = evaluation
        .topics
        .iter()
        .map(|topic| topic.scores[0])
        .collect();
    assert_eq!(found.len(), topics.len(), "{measure}: {found:?}");
    for (found, expected) in found
        .iter()
        .zip(topics)
        .chain([(&evaluation.means[0], &mean)])
    {
        assert!(
            (found - expected).abs() < 6e-6,
            "{measure}: {found} instead of {expected}"
        );
    }
}

/// The example of ir_measures' own tests of its gdeval and Judged providers, with their values.
const GDEVAL_QRELS: &str = "\
0 0 D0 0\n0 0 D1 1\n0 0 D2 1\n0 0 D3 2\n0 0 D4 0\n1 0 D0 1\n1 0 D3 2\n1 0 D5 2\n";
const GDEVAL_RUN: &str = "\
0 0 D0 1 0.8 run\n0 0 D2 2 0.7 run\n0 0 D1 3 0.3 run\n0 0 D3 4 0.4 run\n0 0 D4 5 0.1 run
1 0 D1 1 0.8 run\n1 0 D3 2 0.7 run\n1 0 D4 3 0.3 run\n1 0 D2 4 0.4 run\n";

#[test]
fn err_and_ndcg_as_gdeval() {
    let check = |measure: &str, topics: &[f64], mean: f64| {
        check(
            GDEVAL_QRELS,
            GDEVAL_RUN,
            measure,
            &Options::default(),
            topics,
            mean,
        );
    };
    // By hand for topic 0, ranked D0 D2 D3 D1 D4 with grades 0 1 2 1 0, so R = 0, 1/16, 3/16, 1/16, 0:
    // 1/2 · 1/16 + 1/3 · 3/16 · 15/16 + 1/4 · 1/16 · 15/16 · 13/16 = 0.03125 + 0.05859 + 0.01190.
    check("ERR@20", &[0.10175, 0.09375], 0.09775);
    check("ERR@2", &[0.03125, 0.09375], 0.0625);
    // By hand for topic 0: gains 0 1 3 1 against 3 1 1:
    // (1/log2 3 + 3/2 + 1/log2 5) / (3 + 1/log2 3 + 1/2) = 2.56161 / 4.13093 = 0.62010.
    check("nDCG(dcg='exp-log2')@20", &[0.62010, 0.35099], 0.485545);
    check("nDCG_gdeval@2", &[0.17377, 0.38685], 0.28031);
    check("Judged@10", &[1.0, 1.0 / 4.0], 0.625);
    check("Judged@3", &[1.0, 1.0 / 3.0], 2.0 / 3.0);
    check("Judged@1", &[1.0, 0.0], 0.5);
}

#[test]
fn grades_above_4_are_refused_as_by_gdeval() {
    let qrels = qrels::parse("1 0 a 5\n".as_bytes(), "qrels").unwrap();
    let run = run::parse("1 Q0 a 1 1 tag\n".as_bytes(), "run").unwrap();
    let evaluate = |name| {
        let measures = Selection::parse([name]).unwrap().measures;
        evaluate(&qrels, &run, &measures, &Options::default())
    };
    let error = evaluate("ERR@20").unwrap_err();
    let expected = "ERR@20 is defined for grades up to 4, but topic 1, document a has grade 5";
    assert_eq!(error.to_string(), expected);
    assert!(evaluate("nDCG@20").is_ok());
}

#[test]
fn f1_of_topics_and_f1_of_means_differ() {
    // Topic 1: P@2 = 1/2, R@2 = 1. Topic 2: P@2 = 1, R@2 = 1/2. F1 is 2/3 for both; the means of P and
    // R are 3/4 each, and so is their harmonic mean.
    let qrels = "1 0 a 1\n2 0 a 1\n2 0 b 1\n2 0 c 1\n2 0 d 1\n";
    let run = "1 Q0 a 1 2 t\n1 Q0 x 2 1 t\n2 Q0 a 1 2 t\n2 Q0 b 2 1 t\n";
    let two_thirds = [2.0 / 3.0, 2.0 / 3.0];
    check(
        qrels,
        run,
        "F1@2",
        &Options::default(),
        &two_thirds,
        2.0 / 3.0,
    );
    check(
        qrels,
        run,
        "F1_of_means@2",
        &Options::default(),
        &two_thirds,
        0.75,
    );
    // Nothing relevant found: 0, not 0/0.
    check(
        "1 0 a 1\n",
        "1 Q0 x 1 1 t\n",
        "F1@2",
        &Options::default(),
        &[0.0],
        0.0,
    );
}

#[test]
fn negative_grades_are_judged_but_not_for_trec_eval() {
    // Ranked: a (−2), b (2), c (not in the qrels), d (0).
    let qrels = "1 0 a -2\n1 0 b 2\n1 0 d 0\n";
    let run = "1 Q0 a 1 4 t\n1 Q0 b 2 3 t\n1 Q0 c 3 2 t\n1 Q0 d 4 1 t\n";
    let check = |measure: &str, expected: f64| {
        check(
            qrels,
            run,
            measure,
            &Options::default(),
            &[expected],
            expected,
        );
    };
    check("Judged@2", 1.0);
    check("Judged@3", 2.0 / 3.0);
    check("Unj@2", 0.5);
    check("Unj@10", 0.2);
    // Gain 2 at rank 2, ideally at rank 1: 1 / log2(3).
    check("nDCG", 1.0 / 3f64.log2());
    check("nDCG@1", 0.0);
    check("num_nonrel_judged_ret", 1.0);
    // -J leaves b and d.
    let options = Options::default().with_judged_only(true);
    self::check(qrels, run, "nDCG", &options, &[1.0], 1.0);
    self::check(qrels, run, "num_ret", &options, &[2.0], 2.0);
}

#[test]
fn cutoffs_and_levels() {
    let qrels = "1 0 a 1\n1 0 b 2\n";
    let run = "1 Q0 x 1 4 t\n1 Q0 a 2 3 t\n1 Q0 b 3 2 t\n";
    let at_level = |relevance_level: i32, measure: &str, expected: f64| {
        let options = Options::default().with_relevance_level(relevance_level);
        check(qrels, run, measure, &options, &[expected], expected);
    };
    at_level(1, "RR", 0.5);
    at_level(1, "RR@1", 0.0);
    at_level(2, "RR@3", 1.0 / 3.0);
    at_level(1, "AP@2", 0.25);
    at_level(2, "AP", 1.0 / 3.0);
    at_level(1, "P@5", 0.4);
    at_level(3, "Bpref", 0.0);
}

/// Every other measure on one ranking: a (grade 1), n (0), u (not in the qrels), p (−1: pooled, not
/// judged), b (2). Not retrieved: c (1) and m (0). So R = 3, and relevant documents at ranks 1 and 5.
#[test]
fn measures_of_one_ranking() {
    let qrels = "1 0 a 1\n1 0 n 0\n1 0 p -1\n1 0 b 2\n1 0 c 1\n1 0 m 0\n";
    let run = "1 Q0 a 1 5 t\n1 Q0 n 2 4 t\n1 Q0 u 3 3 t\n1 Q0 p 4 2 t\n1 Q0 b 5 1 t\n";
    let check = |measure: &str, expected: f64| {
        check(
            qrels,
            run,
            measure,
            &Options::default(),
            &[expected],
            expected,
        );
    };
    check("AP", (1.0 + 2.0 / 5.0) / 3.0);
    check("Rprec", 1.0 / 3.0);
    check("R@4", 1.0 / 3.0);
    check("Success@1", 1.0);
    // One of min(3, 2) judged non-relevant documents above b.
    check("Bpref", (1.0 + (1.0 - 1.0 / 2.0)) / 3.0);
    // b: 1/5 for itself, of the four above three are pooled, of their two judged one is relevant.
    check(
        "infAP",
        (1.0 + 1.0 / 5.0 + 4.0 / 5.0 * 3.0 / 4.0 * 1.0 / 2.0) / 3.0,
    );
    // Recall 0.4 of 3 is 1.2, so one document; 0.5 is 1.5, so two; 0.9 is 2.7, so three.
    check("IPrec@0.0", 1.0);
    check("IPrec@0.4", 1.0);
    check("IPrec@0.5", 0.4);
    check("IPrec@0.9", 0.0);
    // Recall 0 to 0.4, 0.5 to 0.8, 0.9 and 1.
    check("11pt_avg", (5.0 * 1.0 + 4.0 * 0.4 + 2.0 * 0.0) / 11.0);
    // Gains 1/2 at rank 1 and 2/2 at rank 5, with weights 1 and 1/16.
    check("RBP(p=0.5)", 0.5 * (0.5 + 1.0 / 16.0));
    // Unjudged at ranks 3 and 4, and everything from rank 6.
    check(
        "RBPResid(p=0.5)",
        0.5 * (1.0 / 4.0 + 1.0 / 8.0) + 1.0 / 32.0,
    );
    check("SetP", 2.0 / 5.0);
    check("SetR", 2.0 / 3.0);
    check("SetAP", 4.0 / 15.0);
    check("SetF", 0.5);
    // (2 + 1) · 2/5 · 2/3 / (2 · 2/5 + 2/3) = 0.8 / 1.46667.
    check("SetF(beta=2.0)", 0.8 / (22.0 / 15.0));
    check("NumRelRet", 2.0);
    check("NumRel", 3.0);
    // Grades up to 1 are gains as they are.
    self::check(
        "1 0 a 1\n",
        "1 Q0 a 1 1 t\n",
        "RBP(p=0.5)",
        &Options::default(),
        &[0.5],
        0.5,
    );
}

#[test]
fn counts_over_all_judged_topics() {
    // trec_eval's num_rel with -c: grades above 0 of all topics, whatever the level.
    let (qrels, run) = ("1 0 a 2\n1 0 b 1\n2 0 c 1\n", "1 Q0 a 1 1 t\n");
    let mut options = Options::default().with_relevance_level(2);
    check(qrels, run, "num_rel", &options, &[1.0], 1.0);
    options.complete = true;
    check(qrels, run, "num_rel", &options, &[1.0, 0.0], 3.0);
    check(qrels, run, "num_q", &options, &[1.0, 1.0], 2.0);
    // Geometric mean of 1 and the floor 0.00001.
    check(
        qrels,
        run,
        "gm_map",
        &options,
        &[1.0, 0.0],
        0.00001f64.sqrt(),
    );
}

#[test]
fn nothing_in_common_is_no_topic_and_no_nan() {
    let evaluation = scores(
        "1 0 a 1\n",
        "2 Q0 a 1 1 t\n",
        "all_trec",
        &Options::default(),
    );
    assert!(evaluation.topics.is_empty());
    assert_eq!(evaluation.missing_topics, ["1"]);
    assert_eq!(evaluation.unjudged_topics, ["2"]);
    assert!(evaluation.means.iter().all(|mean| *mean == 0.0));
    // A ranking that -J empties, and a topic without relevant documents.
    let options = Options::default()
        .with_judged_only(true)
        .with_complete(true);
    for qrels in ["1 0 a 1\n", "1 0 a 0\n", "1 0 a -1\n"] {
        let evaluation = scores(qrels, "1 Q0 x 1 1 t\n", "all_trec", &options);
        assert!(
            evaluation.means.iter().all(|mean| mean.is_finite()),
            "{qrels}"
        );
    }
}

#[test]
fn trec_eval_format_has_its_order_and_no_repetitions() {
    let names = ["ERR@20", "P_10", "map", "P.5,10", "num_q", "gm_map"];
    let measures = Selection::parse(names).unwrap().measures;
    let qrels = qrels::parse("1 0 a 1\n".as_bytes(), "qrels").unwrap();
    let run = run::parse("1 Q0 a 1 1 tag\n".as_bytes(), "run").unwrap();
    let evaluation = evaluate(&qrels, &run, &measures, &Options::default()).unwrap();
    let format = FormatOptions::default()
        .with_per_topic(true)
        .with_run_tag(true);
    let expected = "\
map                   \t1\t1.0000
P_5                   \t1\t0.2000
P_10                  \t1\t0.1000
ERR@20                \t1\t0.0625
runid                 \tall\ttag
num_q                 \tall\t1
map                   \tall\t1.0000
gm_map                \tall\t1.0000
P_5                   \tall\t0.2000
P_10                  \tall\t0.1000
ERR@20                \tall\t0.0625
";
    assert_eq!(trec_eval_format(&evaluation, format), expected);
}

/// Expects these measures, as ir_measures names them, or this error.
fn check_name(name: &str, expected: Result<&str, &str>) {
    let found = Selection::parse([name])
        .map(|selection| {
            selection
                .measures
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(" ")
        })
        .map_err(|error| error.to_string());
    assert_eq!(
        found,
        expected.map(str::to_owned).map_err(str::to_owned),
        "{name}"
    );
}

#[test]
fn names_of_ir_measures() {
    for name in [
        "P@10",
        "AP",
        "AP@100",
        "RR",
        "RR@10",
        "nDCG",
        "nDCG@10",
        "R@1000",
        "Bpref",
        "Rprec",
        "Judged@10",
    ] {
        check_name(name, Ok(name));
    }
    for name in [
        "Success@5",
        "ERR@20",
        "NumRet",
        "NumQ",
        "NumRel",
        "NumRelRet",
        "IPrec@0.1",
        "infAP",
        "SetP",
        "SetF",
    ] {
        check_name(name, Ok(name));
    }
    for name in [
        "RBP",
        "RBP(p=0.9)",
        "SetF(beta=2.0)",
        "nDCG(dcg='exp-log2')@20",
        "F1@10",
        "F1_of_means@10",
    ] {
        check_name(name, Ok(name));
    }
    check_name("MAP", Ok("AP"));
    check_name("MRR@10", Ok("RR@10"));
    check_name("NDCG@20", Ok("nDCG@20"));
    check_name("nDCG(dcg=\"exp-log2\")@20", Ok("nDCG(dcg='exp-log2')@20"));
    check_name("nDCG(dcg='log2')@20", Ok("nDCG@20"));
    check_name("RBP(p=0.8)", Ok("RBP"));
}

#[test]
fn names_of_trec_eval() {
    check_name("map", Ok("AP"));
    check_name("P_10", Ok("P@10"));
    check_name("P.5,10", Ok("P@5 P@10"));
    check_name("P_5,10", Ok("P@5 P@10"));
    check_name("ndcg_cut_10", Ok("nDCG@10"));
    check_name("ndcg_cut.10", Ok("nDCG@10"));
    check_name("ndcg", Ok("nDCG"));
    check_name("map_cut_5", Ok("AP@5"));
    check_name("recip_rank", Ok("RR"));
    check_name("iprec_at_recall_0.10", Ok("IPrec@0.1"));
    check_name("iprec_at_recall..10,.5", Ok("IPrec@0.1 IPrec@0.5"));
    check_name("success", Ok("Success@1 Success@5 Success@10"));
    check_name("rbp", Ok("RBP(p=0.9)"));
    check_name("rbp.p=0.8", Ok("RBP"));
    check_name("set_F.0.5", Ok("SetF(beta=0.5)"));
    check_name(
        "set",
        Ok("NumQ NumRet NumRel NumRelRet utility SetP SetP(relative=True) SetR SetAP SetF"),
    );
}

#[test]
fn names_that_are_refused() {
    check_name(
        "utilities",
        Err("unknown measure \"utilities\"; did you mean 'utility'?"),
    );
    check_name("", Err("unknown measure \"\""));
    check_name(
        "nDCG@0",
        Err("nDCG@0: cutoff is a whole number from 1, not \"0\""),
    );
    check_name(
        "P@ten",
        Err("P@ten: cutoff is a whole number from 1, not \"ten\""),
    );
    check_name("P.5,x", Err("unknown measure \"x\""));
    check_name(
        "IPrec@1.5",
        Err("IPrec@1.5: recall is a number from 0 to 1, not \"1.5\""),
    );
    check_name(
        "RBP(q=0.5)",
        Err("RBP(q=0.5): RBP has no parameter \"q\"; there is p, rel, @cutoff"),
    );
    check_name("R(rel=2)", Err("R(rel=2) needs a parameter, such as R@10"));
    check_name(
        "BPM@10",
        Err("BPM@10 needs a parameter, such as BPM(max_rel=4)@10"),
    );
    check_name(
        "nDCG(dcg='ln')@10",
        Err(
            "nDCG(dcg='ln')@10: nDCG has no parameter \"dcg='ln'\"; there is gains, judged_only, dcg=log2, @cutoff, dcg=exp-log2",
        ),
    );
    check_name(
        "AP(rel=x)",
        Err("AP(rel=x): rel is a grade (a whole number), not \"x\""),
    );
    check_name(
        "AP(2)",
        Err("AP(2): \"2\" is no list of parameters, such as (rel=2)"),
    );
    check_name(
        "utility.1,2",
        Err("utility.1,2: weights is 4 numbers, such as [1,-1,0,0], not \"1,2\""),
    );
}

#[test]
fn names_with_parameters() {
    for name in [
        "P(rel=2)@5",
        "P(rel=2,judged_only=True)@5",
        "nDCG(judged_only=True)@10",
        "nDCG(gains={0:0,1:3,2:9})@10",
        "nDCG(dcg='exp-log2',judged_only=True)@10",
        "nDCG(dcg='exp-log2')",
        "RBP(p=0.5)@20",
        "RBP(rel=1)",
        "SetP(rel=2)",
        "SetP(relative=True)",
        "SetF(beta=2.0,rel=2)",
        "Compat",
        "Compat(p=0.8)",
        "Compat(normalize=False)",
        "INST(T=2.0,max_rel=4)",
        "INSQ(max_rel=4)",
        "BPM(T=2.0,min_rel=1,max_rel=4)@10",
        "SDCG(max_rel=4)@10",
        "NERR8(max_rel=4)@10",
        "NERR10(p=0.5,max_rel=4)",
        "Accuracy@10",
        "Accuracy(rel=2)",
        "Judged",
        "ERR",
        "RR(rel=2)@10",
        "AP(rel=2)@100",
        "R(rel=2)@100",
        "Success(rel=2)@1",
        "NumRel(rel=2)",
        "NumRelRet(rel=2)",
        "Bpref(rel=2)",
        "infAP(rel=2)",
        "IPrec(rel=2)@0.1",
        "alpha_nDCG(alpha=0.3)@10",
        "ERR_IA@20",
        "nERR_IA(rel=2)@20",
        "NRBP(alpha=0.2,beta=0.8)",
        "nNRBP",
        "StRecall@10",
        "P_IA@5",
        "AP_IA",
        "utility(weights=[1.0,2.0,3.0,4.0])",
        "11pt_avg(points=[0.2,0.5])",
        "G(gains={1:3,2:9})",
        "relative_P@5",
        "Rprec_mult@0.2",
        "relstring@20",
        "yaap",
        "dcg",
        "map_avgjg",
        "P_avgjg@5",
        "prefs_pair",
    ] {
        check_name(name, Ok(name));
    }
    check_name("NumRet(rel=1)", Ok("NumRelRet(rel=1)"));
    check_name("SetRelP(rel=2)", Ok("SetP(relative=True,rel=2)"));
    check_name("SetP(relative=False)", Ok("SetP"));
    check_name("nDCG_gdeval@10", Ok("nDCG(dcg='exp-log2')@10"));
    check_name("α_nDCG@10", Ok("alpha_nDCG@10"));
    check_name("alpha-nDCG@10", Ok("alpha_nDCG@10"));
    check_name("strec@5", Ok("StRecall@5"));
    check_name("MAP-IA", Ok("AP_IA"));
    check_name("MAP_IA", Ok("AP_IA"));
    check_name("P( rel = 2 )@5", Ok("P(rel=2)@5"));
    check_name("P(cutoff=5)", Ok("P@5"));
    check_name("IPrec(recall=0.5)", Ok("IPrec@0.5"));
    check_name(
        "P(rel=2)@5,nDCG(gains={1:3,2:9})@10, map,P.5,10",
        Ok("P(rel=2)@5 nDCG(gains={1:3,2:9})@10 AP P@5 P@10"),
    );
}

/// Parameters in trec_eval's style take the place of those that a nickname brings, wherever they stand; names of single measures are added.
#[test]
fn parameters_take_the_place_of_defaults() {
    let parse = |names: &[&str]| {
        let measures = Selection::parse(names.iter().copied()).unwrap().measures;
        let wanted = measures
            .iter()
            .filter(|it| ["P", "RBP", "relstring"].contains(&it.family().name));
        wanted
            .map(|it| it.trec_name())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let expected = "relstring rbp P_5 P_7";
    assert_eq!(parse(&["all_trec", "P.5,7"]), expected);
    assert_eq!(
        parse(&["P.5,7", "P", "relstring", "rbp"]),
        "P_5 P_7 relstring rbp"
    );
    assert_eq!(parse(&["P", "P.7"]), "P_7");
    assert_eq!(parse(&["rbp", "rbp.p=0.9"]), "rbp_p=0.9");
    assert_eq!(
        parse(&["relstring.20", "all_trec", "P.5"]),
        "relstring_20 rbp P_5"
    );
    assert_eq!(parse(&["P.5", "P_7", "P@9"]), "P_5 P_7 P_9");
}

/// Every measure is read back from the names that it prints.
#[test]
fn printed_names_are_read_back() {
    let measures: Vec<Measure> = all().iter().flat_map(some_of).collect();
    let of_trec = Selection::parse(["all_trec"]).unwrap().measures;
    for measure in measures.into_iter().chain(of_trec) {
        for name in [
            measure.to_string(),
            measure.trec_name(),
            measure.ndeval_name(),
        ] {
            assert_eq!(
                Selection::parse([name.as_str()]).unwrap().measures,
                std::slice::from_ref(&measure),
                "{name}"
            );
        }
    }
}

/// The measure of a family with what is required, and one with all its keys.
fn some_of(family: &'static Family) -> [Measure; 2] {
    let value = |kind: Kind| match kind {
        Kind::Cutoff => Value::Whole(7),
        Kind::Grade => Value::Whole(3),
        Kind::Flag => Value::Flag(true),
        Kind::Number { .. } => Value::Number(0.25),
        Kind::Numbers { .. } => Value::Numbers(vec![0.5, 1.0, 2.0, -1.0]),
        Kind::Gains => Value::Gains(vec![(1, 3.0), (2, 4.5)]),
    };
    [false, true].map(|with_all| {
        let keys = family.keys.iter();
        let keys = keys.filter(|key| with_all || key.need == Need::Required);
        let given = keys.map(|key| (key.name, value(key.kind)));
        Measure::new(family, given).expect(family.name)
    })
}
