//! Weights through the program: searches, runs, sweeps, tuning, experiments.

use std::fs;

use serde_json::Value;

use crate::cli::{Done, Place, objects};

/// The demo collection with labels of two removers, of which one says how sure it is.
fn place() -> Place {
    let place = crate::cli_sweep::place();
    place.check("label --index ix --extractor trommel", 0, "", "trommel: ");
    place
}

fn run(place: &Place, command: &str, filter_and_weights: [&str; 2]) -> Done {
    let [filter, weights] = filter_and_weights;
    let mut args: Vec<&str> = command.split(' ').collect();
    if !filter.is_empty() {
        args.extend(["--filter", filter]);
    }
    if !weights.is_empty() {
        args.extend(["--weights", weights]);
    }
    place.run_with(&args, b"")
}

/// With a tag of its own, since by default it names filter and weights.
const RUN: &str = "run --index ix --topics topics.xml --tag t";

/// 0 and 1 as weights are a filter, byte for byte.
#[test]
fn a_filter_is_a_weight() {
    let place = place();
    for [filter, weights] in [
        ["words >= 11", "if words >= 11 then 1 else 0"],
        [
            "bte and not tag = li",
            "if bte then (if tag = li then 0 else 1) else 0",
        ],
        [
            "confidence(trommel) >= 0.5",
            "if confidence(trommel) >= 0.5 then 1 else 0",
        ],
        ["unfiltered", "1"],
        ["unfiltered", "2 / (1 + 1)"],
    ] {
        for model in ["bm25", "qld+rm3", "tfidf:norm-byte=1"] {
            let command = format!("{RUN} --model {model}");
            let filtered = run(&place, &command, [filter, ""]);
            let weighed = run(&place, &command, ["", weights]);
            assert_eq!((weighed.code, filtered.code), (0, 0), "{}", weighed.err);
            assert!(
                filtered.out.len() > 1000 && weighed.out == filtered.out,
                "{weights}"
            );
        }
    }
    let both = run(&place, RUN, ["words >= 5", "if tag = li then 0 else 3"]);
    let one = run(&place, RUN, ["", "if tag = li or words < 5 then 0 else 3"]);
    assert!(both.code == 0 && both.out == one.out);
}

#[test]
fn explanations_have_shares() {
    let place = place();
    let weights = "if tag = title then 3 else max(confidence(trommel), 0.05)";
    let search = "search --index ix --explain -k 3 rain barrel";
    let done = run(&place, search, ["", weights]);
    assert_eq!(done.code, 0, "{}", done.err);
    let from: Vec<&str> = done
        .out
        .lines()
        .filter(|it| it.trim().starts_with("from "))
        .collect();
    assert_eq!(from.len(), 3, "{}", done.out);
    assert!(
        from.iter()
            .all(|line| line.contains("block ") && line.contains(" %")),
        "{from:?}"
    );
    assert!(done.out.contains("title ×3 "), "{}", done.out);
    let done = run(&place, &format!("{search} --json"), ["", weights]);
    for line in objects(&done.out) {
        let shares = line["explain"]["shares"].as_array().unwrap();
        let sum: f64 = shares.iter().map(|it| it["share"].as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{line}");
        let weights = shares.iter().map(|it| it["weight"].as_f64().unwrap());
        assert!(
            weights.clone().all(|weight| (0.01..=3.0).contains(&weight)),
            "{line}"
        );
        assert!(
            shares
                .iter()
                .all(|it| it["block"].is_u64() || it["weight"] == 3),
            "{line}"
        );
    }
    // Without weights nothing is shared out.
    let done = run(&place, &format!("{search} --json"), ["", ""]);
    assert!(
        objects(&done.out)
            .iter()
            .all(|it| it["explain"]["shares"].is_null())
    );
}

#[test]
fn errors_have_a_place_and_a_remedy() {
    let place = place();
    let check = |weights: &str, texts: &[&str]| {
        let done = run(&place, "search --index ix rain", ["", weights]);
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{weights}");
        for text in texts {
            assert!(done.err.contains(text), "{weights}: {}", done.err);
        }
    };
    check("words -", &["found the end", "    words -\n           ^"]);
    check("wrods / 2", &["did you mean 'words'?", "    ^^^^^\n"]);
    check(
        "words - 500",
        &[
            "is negative\n",
            "    ^^^^^^^^^^^\n",
            "max(0, …) has no less",
        ],
    );
    check(
        "101",
        &["is above 100\n", "    ^^^\n", "min(100, …) has no more"],
    );
    check(
        "1 / linked-words",
        &[
            "this is 0 for block ",
            "        ^^^^^^^^^^^^\n",
            "max(…, 1)",
        ],
    );
    check(
        "confidence(bte)",
        &[
            "have no confidences; there are those of: trommel",
            "               ^^^\n",
        ],
    );
    check(
        "if justext then 1 else 2",
        &[
            "no labels of 'justext'",
            "       ^^^^^^^\n",
            "add its verdicts",
        ],
    );
    check(
        "$floor",
        &["the parameter $floor has no value", "    ^^^^^^\n"],
    );
    check("trommel * 2", &["if NAME then 1 else 0"]);
}

const SWEEP: &str = "sweep --index ix --topics topics.xml --qrels qrels.txt -m nDCG@10";

/// The steps of a sweep are runs with these weights, byte for byte; a grid has a choice among all its settings.
#[test]
fn sweeps_vary_parameters() {
    let place = place();
    let weights = "max(confidence(trommel), $floor) * (if tag in (h1, title) then $head else 1)";
    let sweep = format!(
        "{SWEEP} --vary floor=0..0.4:0.2 --vary head=1,4 --grid --runs --tag t --output out"
    );
    let done = run(&place, &sweep, ["words >= 2", weights]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(
        done.out.contains("floor with words >= 2; head=4, bm25"),
        "{}",
        done.out
    );
    assert!(
        done.out
            .contains("Chosen by cross-validation among all 6 settings of the grid"),
        "{}",
        done.out
    );
    let swept: Value =
        serde_json::from_slice(&fs::read(place.path("out/sweep.json")).unwrap()).unwrap();
    let grid = &swept["grid"][0];
    assert_eq!(grid["settings"], 6);
    assert_eq!(grid["chosen"][0]["thresholds"].as_array().unwrap().len(), 5);
    let runs: Vec<Vec<u8>> = fs::read_dir(place.path("out/runs"))
        .unwrap()
        .map(|entry| fs::read(entry.unwrap().path()).unwrap())
        .collect();
    // The unfiltered search and the filter without weights besides.
    assert_eq!(runs.len(), 8);
    for floor in ["0", "0.2", "0.4"] {
        for head in ["1", "4"] {
            let weights = weights.replace("$floor", floor).replace("$head", head);
            let step = run(&place, RUN, ["words >= 2", &weights]);
            assert!(runs.contains(&step.out.into_bytes()), "{weights}");
        }
    }
    let resumed = run(
        &place,
        &format!("{sweep} --resume"),
        ["words >= 2", weights],
    );
    assert_eq!(
        (resumed.code, &resumed.out),
        (0, &done.out),
        "{}",
        resumed.err
    );

    // Bounds vary beside weights that do not.
    let done = run(
        &place,
        &format!("{SWEEP} --vary min-words=2,11 --json"),
        ["", "min(words, 9)"],
    );
    let swept: Value = serde_json::from_str(&done.out).unwrap();
    let line = &swept["lines"][0];
    assert_eq!(line["base"], "weights min(words, 9)");
    assert_eq!(line["points"][1]["result"]["weights"], "min(words, 9)");
    for (vary, weights, error) in [
        (
            "floor=0,1",
            "1",
            "'floor' is no threshold, and the weights have no $floor",
        ),
        ("floor=0,1", "$flor", "did you mean 'flor'?"),
        ("a=0,1", "$a + $b", "the parameter $b has no value"),
        ("a=0,1", "min(words, 50) - $a * 500", "is negative"),
        ("a=0,1", "1 / $a", "this is 0 for block"),
    ] {
        let done = run(&place, &format!("{SWEEP} --vary {vary}"), ["", weights]);
        assert!(
            done.code == 2 && done.err.contains(error),
            "{vary} {weights}: {}",
            done.err
        );
    }
}

/// What is chosen on all topics has the mean that `eval` gives of its run, and no change of one value makes it better.
#[test]
fn tune_ends_where_no_step_is_better() {
    let place = place();
    let weights = "max(confidence(trommel), $floor) * (if tag = h1 then $head else 1)";
    let tune = "tune --index ix --topics topics.xml --qrels qrels.txt -m AP --vary floor=0,0.2,0.6 \
                --vary head=1,2,8 --vary min-words=1,5 --folds 3";
    let tune = tune.split_whitespace().collect::<Vec<_>>().join(" ");
    let done = run(&place, &format!("{tune} --json"), ["", weights]);
    assert_eq!(done.code, 0, "{}", done.err);
    let tuned: Value = serde_json::from_str(&done.out).unwrap();
    let mean = |filter: &str, weights: &str| -> f64 {
        let run = run(&place, RUN, [filter, weights]);
        place.write("step.run", run.out);
        let done = place.run("eval -c -m AP qrels.txt step.run");
        done.out.split_whitespace().last().unwrap().parse().unwrap()
    };
    let sieve = &tuned["chosen"]["sieve"];
    let chosen = mean(
        sieve["filter"].as_str().unwrap(),
        sieve["weights"].as_str().unwrap(),
    );
    let best = tuned["mean"].as_f64().unwrap();
    assert!((best - chosen).abs() < 6e-5, "{best} {chosen}");
    let values = tuned["chosen"]["values"].as_array().unwrap();
    let value = |at: usize| values[at][1].as_str().unwrap().to_owned();
    let (floor, head, words) = (value(0), value(1), value(2));
    for (floor, head, words) in ["0", "0.2", "0.6"]
        .map(|other| (other.to_owned(), head.clone(), words.clone()))
        .into_iter()
        .chain(["1", "2", "8"].map(|other| (floor.clone(), other.to_owned(), words.clone())))
        .chain(["1", "5"].map(|other| (floor.clone(), head.clone(), other.to_owned())))
    {
        let weights = weights.replace("$floor", &floor).replace("$head", &head);
        assert!(mean(&format!("words >= {words}"), &weights) <= chosen + 6e-5);
    }
    let folds = tuned["folds"].as_array().unwrap();
    let topics: usize = folds
        .iter()
        .map(|it| it["topics"].as_array().unwrap().len())
        .sum();
    assert_eq!((folds.len(), topics), (3, 18));
    let weighed: f64 = folds
        .iter()
        .map(|it| it["mean"].as_f64().unwrap() * it["topics"].as_array().unwrap().len() as f64)
        .sum();
    let validated = tuned["validated"].as_f64().unwrap();
    assert!((validated - weighed / 18.0).abs() < 1e-9);
    assert!(validated <= best, "{validated} {best}");
    let done = run(&place, &tune, ["", weights]);
    for text in [
        "of 18 settings ranked",
        "chosen without the topics measured",
        "without fold 3",
        "--weights '",
    ] {
        assert!(done.out.contains(text), "{}", done.out);
    }
    let done = run(&place, &tune.replace("head=", "heat="), ["", weights]);
    assert!(
        done.code == 2 && done.err.contains("'heat' is no threshold"),
        "{}",
        done.err
    );
}

/// What an experiment prints.
fn experiment(place: &Place, text: &str) -> String {
    place.write("experiment.toml", text);
    let done = place.run("experiment experiment.toml");
    assert_eq!(done.code, 0, "{}", done.err);
    done.out
}

#[test]
fn experiments_take_weights() {
    let place = place();
    let input =
        "[input]\ncollection = \"demo.warc.gz\"\ntopics = \"topics.xml\"\nqrels = \"qrels.txt\"\n";
    let options = "[options]\nextractors = [\"trommel\"]\nmeasures = [\"nDCG@10\"]\n";
    let out = experiment(
        &place,
        &format!(
            "kind = \"retrieval\"\ntitle = \"t\"\nabout = \"a\"\n{input}{options}\
             weights = [\"max(confidence(trommel), 0.1)\", \"if tag = title then 2 else 1\"]\n"
        ),
    );
    assert!(
        out.contains("| weights max(confidence(trommel), 0.1) |"),
        "{out}"
    );
    assert!(out.contains("family of 3 filters"), "{out}");
    let out = experiment(
        &place,
        &format!(
            "kind = \"sweep\"\ntitle = \"t\"\nabout = \"a\"\n{input}{options}models = [\"bm25\"]\n\
             weights = \"max(confidence(trommel), $floor) * $all\"\nvary = [\"floor=0,0.5\", \"all=1,2\"]\ngrid = true\n"
        ),
    );
    assert!(out.contains("all=2"), "{out}");
}
