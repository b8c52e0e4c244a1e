//! `trommel compare` through the program itself.

use crate::cli::{Place, objects};

/// Reciprocal ranks by topic: the place of the one relevant document, 0 for a topic that is not in the run.
fn run_file(tag: &str, ranks: &[usize]) -> String {
    let mut text = String::new();
    for (topic, rank) in ranks.iter().enumerate() {
        for place in 1..=*rank {
            let docid = if place == *rank { "hit" } else { "miss" };
            let score = 10 - place;
            text += &format!("{topic} Q0 {docid}{place} {place} {score} {tag}\n");
        }
    }
    text
}

/// Five judged topics, of which no run has the last. Reciprocal ranks: `base` 1/2, 1/2, 1/2, 1/2; `good` 1, 1, 1/2, 1; `bad` 1/4, 1/2, 1/4
/// and a topic missing.
fn place() -> Place {
    let place = Place::empty();
    let qrels = (0..5).flat_map(|topic| (1..=4).map(move |d| format!("{topic} 0 hit{d} 1\n")));
    place.write("qrels", qrels.collect::<String>());
    place.write("base.run", run_file("base", &[2, 2, 2, 2]));
    place.write("good.run", run_file("good", &[1, 1, 2, 1]));
    place.write("bad.run", run_file("bad", &[4, 2, 4, 0]));
    place
}

/// Differences of `good`: 1/2, 1/2, 0, 1/2; mean .375, deviation .25, t = .375/(.25/2) = 3 with 3 degrees of freedom, p = .0577
/// (tables: .05 at 3.182), interval .375 ± 3.1824·.125. Of `bad`: −1/4, 0, −1/4, −1/2: mean −.25, deviation .2041, t = −2.449, p = .0917,
/// interval −.25 ± 3.1824·.10206. Holm: .0577·2, and at least that.
#[test]
fn a_table_by_hand() {
    let done = place().run("compare -m RR --test t qrels base.run good.run bad.run");
    let expected = "\
RR: 4 topics, t test; p (Holm) is corrected for the family of 2 runs compared by RR
run                mean        Δ   95% interval of Δ    d_z  wins  ties  losses       p  p (Holm)
base (baseline)  0.5000
good             0.8750  +0.3750  -0.0228 to +0.7728  +1.50     3     1       0  0.0577    0.1153
bad              0.2500  -0.2500  -0.5748 to +0.0748  -1.22     0     1       3  0.0917    0.1153
";
    assert_eq!(
        (done.code, done.out.as_str()),
        (0, expected),
        "{}",
        done.err
    );
    let warnings: Vec<&str> = done.err.lines().collect();
    assert_eq!(
        warnings,
        [
            "warning: judged, but in no run, and left out (-c counts them as empty): topics 4",
            "warning: bad.run: not in the run, but in another, and counted as empty: topics 3",
        ]
    );
}

/// The randomization test counts all signs: of 1/2, 1/2, 1/2 two patterns of eight are as large; of 1/4, 1/4, 1/2 two.
#[test]
fn json_by_hand() {
    let place = place();
    let done = place.run("compare -c --json -m RR --folds 2 qrels base.run good.run bad.run");
    let lines = objects(&done.out);
    assert_eq!((done.code, lines.len()), (0, 3), "{}", done.err);
    for (line, run, mean, p, p_holm) in [
        (&lines[0], "good", 0.7, Some(0.25), Some(0.5)),
        (&lines[1], "bad", 0.2, Some(0.25), Some(0.5)),
        (&lines[2], "cross-validated", 0.7, None, None),
    ] {
        assert_eq!(line["run"], run);
        assert_eq!(line["num_topics"], 5);
        assert_eq!(line["baseline"], "base");
        assert!((line["baseline_mean"].as_f64().unwrap() - 0.4).abs() < 1e-12);
        assert!((line["mean"].as_f64().unwrap() - mean).abs() < 1e-12);
        assert_eq!(line["p_holm"].as_f64(), p_holm);
        if let Some(p) = p {
            assert_eq!(line["p"], p);
        }
    }
    assert!(lines[2]["interval"][0].is_null() && lines[2]["file"].is_null());
    let folds = lines[2]["folds"].as_array().unwrap();
    let topics = folds
        .iter()
        .map(|fold| fold["topics"].as_array().unwrap().len());
    assert_eq!(topics.sum::<usize>(), 5);
    assert!(folds.iter().all(|fold| fold["chosen"] == "good"));
    // Means agree with those of eval.
    let eval = place.run("eval -c --format json -m RR qrels good.run");
    assert_eq!(objects(&eval.out)[0]["scores"]["RR"], lines[0]["mean"]);
    // Another seed, other folds; the same seed, the same bytes.
    let line = "compare --json --seed 5 -m RR --folds 2 qrels base.run good.run bad.run";
    assert_eq!(place.run(line).out, place.run(line).out);
}

#[test]
fn what_is_compared() {
    let place = place();
    place.check(
        "compare --folds 3 qrels base.run good.run bad.run",
        0,
        "(chosen in 3 folds: good (3)); p: ",
        "*",
    );
    // Default measures, each a table; the runs' files where they share a tag.
    place.write("same.run", run_file("base", &[1, 1, 1, 1]));
    let done = place.run("compare qrels base.run same.run");
    for part in [
        "P@10: ",
        "\nnDCG@10: ",
        "\nAP: ",
        "base.run (baseline)",
        "same.run ",
    ] {
        assert!(done.out.contains(part), "{part}: {}", done.out);
    }
    // Sums and geometric means are not compared.
    place.check(
        "compare -m official qrels base.run good.run",
        0,
        "AP: 4 topics",
        "no means over topics: NumQ",
    );
    place.check("compare -m num_q qrels base.run good.run", 2, "", "NumQ");
    place.check("compare qrels base.run", 2, "", "RUN");
    place.check(
        "compare --folds 2 qrels base.run good.run",
        2,
        "",
        "two or more",
    );
    place.check(
        "compare --test sign qrels base.run good.run",
        2,
        "",
        "there are: randomization, t, wilcoxon",
    );
    place.check("compare - - good.run", 2, "", "standard input");
    place.write("other", "99 0 hit1 1\n");
    place.check(
        "compare other base.run good.run",
        2,
        "",
        "no topic of base.run is judged",
    );
}
