//! Judgments of other topics or of another collection, through the program itself: nothing is 0 in silence.

use crate::cli::{Place, objects};
use crate::{cli_sweep, serve};

/// A run of some topics, three documents each.
fn run_of(topics: &[&str], docid: &str) -> String {
    let lines = topics.iter().flat_map(|topic| {
        (1..=3).map(move |rank| format!("{topic} Q0 {docid}{rank} {rank} {} t\n", 10 - rank))
    });
    lines.collect()
}

fn qrels_of(topics: &[&str], docid: &str) -> String {
    let lines = topics
        .iter()
        .flat_map(|topic| (1..=2).map(move |d| format!("{topic} 0 {docid}{d} {}\n", d % 2)));
    lines.collect()
}

/// Regression: zeros, p of 1 and exit status 0 where judgments know none of a run's documents.
#[test]
fn judgments_of_another_collection() {
    let place = Place::empty();
    let topics = ["1", "2", "3", "4"];
    place.write("qrels", qrels_of(&topics, "clueweb-"));
    place.write("a.run", run_of(&topics, "page"));
    place.write("b.run", run_of(&topics, "side"));
    place.write("good.run", run_of(&topics, "clueweb-"));
    let error = "error: no document of a.run is judged: it has page1, page2, page3, the judgments have \
                 clueweb-1, clueweb-2\nhint: check that the judgments are of this collection";
    place.check("eval qrels a.run", 2, "", error);
    place.check("eval -c qrels a.run", 2, "", error);
    place.check("compare qrels b.run a.run", 2, "", "no document of");
    // A run among others may have found nothing that was judged: it is told, and evaluated.
    for line in ["eval qrels good.run a.run", "compare qrels good.run a.run"] {
        let warning = "warning: no document of a.run is judged: it has page1, ";
        place.check(line, 0, "*", warning);
    }
    place.check("eval qrels good.run", 0, "*", "");
}

/// Unjudged documents are nothing to be told of, unless there is nothing else for most topics.
#[test]
fn topics_without_a_judged_document() {
    let place = Place::empty();
    let topics = ["1", "2", "3", "4", "5"];
    place.write("qrels", qrels_of(&topics, "d"));
    let half = run_of(&topics[..3], "d") + &run_of(&topics[3..], "other");
    place.write("half.run", half);
    place.check("eval qrels half.run", 0, "*", "");
    let few = run_of(&topics[..2], "d") + &run_of(&topics[2..], "other");
    place.write("few.run", few);
    let warning = "warning: for 3 of 5 judged topics no document of few.run is judged\n";
    place.check("eval qrels few.run", 0, "*", warning);
    // The documents of other topics.
    place.write("qrels", "1 0 d1 1\n2 0 e1 1\n");
    place.write("turned.run", "1 Q0 e1 1 1 t\n2 Q0 d1 1 1 t\n");
    place.check(
        "eval qrels turned.run",
        0,
        "*",
        "judged for its topic, though some are for others",
    );
}

/// Regression: topic ids that differ by leading zeros or letters made no topic of a run judged, and nothing said what would.
#[test]
fn topic_ids_with_leading_zeros_and_letters() {
    let place = Place::empty();
    for (of_run, of_qrels) in [("051", "51"), ("MB001", "1"), ("26", "AR26")] {
        place.write("qrels", qrels_of(&[of_qrels, "X70"], "d"));
        place.write("a.run", run_of(&[of_run, "0070"], "d"));
        let error = "; without leading letters and zeros 2 would be\nhint: --topic-ids loose (topic-ids in experiment files) compares";
        place.check("eval qrels a.run", 2, "", error);
        place.check("compare qrels a.run a.run", 2, "", error);
        for command in ["eval -c --format json -m RR", "compare --json -m RR"] {
            let runs = if command.starts_with("eval") {
                "a.run"
            } else {
                "a.run a.run"
            };
            let line = format!("{command} --topic-ids loose qrels {runs}");
            let done = place.check(&line, 0, "*", "");
            assert_eq!(objects(&done.out)[0]["num_topics"], 2, "{}", done.out);
        }
    }
    // Some match as they are.
    place.write("qrels", qrels_of(&["1", "2", "3"], "d"));
    place.write("a.run", run_of(&["1", "02", "03"], "d"));
    let warning = "warning: only 1 of the 3 topics of a.run are judged; without leading letters and zeros 3 would be\n";
    place.check("eval qrels a.run", 0, "*", warning);
    place.check("eval --topic-ids loose qrels a.run", 0, "*", "");
    // Two ids would be one.
    place.write("a.run", run_of(&["1", "01"], "d"));
    let error = "error: a.run: topics 01 and 1 would both be 1 without leading letters and zeros\n";
    place.check("eval --topic-ids loose qrels a.run", 2, "", error);
    place.check(
        "eval --topic-ids other qrels a.run",
        2,
        "",
        "expected 'exact' or 'loose'",
    );
}

/// A sweep compares what is judged with the index, before anything is ranked.
#[test]
fn sweeps_by_judgments_of_another_collection() {
    let place = cli_sweep::place();
    let sweep = "sweep --index ix --topics topics.xml --vary min-words=5";
    let qrels = String::from_utf8(std::fs::read(place.path("qrels.txt")).unwrap()).unwrap();
    let renamed = |from: &str, to: &str| qrels.replace(from, to);
    place.write("other.txt", renamed(" demo-", " clueweb09-"));
    let error = "error: no document of the index is judged: it has demo-";
    place.check(
        &format!("{sweep} --qrels other.txt --output out"),
        2,
        "",
        error,
    );
    assert!(!place.path("out").exists());
    // Most of them.
    let mut few: Vec<String> = qrels.lines().map(str::to_owned).collect();
    for line in few.iter_mut().skip(3) {
        *line = line.replace(" demo-", " clueweb09-");
    }
    place.write("few.txt", few.join("\n"));
    let warning = "documents that are judged for these topics are in the index\n";
    let done = place.check(&format!("{sweep} --qrels few.txt"), 0, "*", warning);
    assert!(done.err.contains("warning: only "), "{}", done.err);
    // Topics by other ids.
    let of_letters: String = qrels.lines().map(|line| format!("MB0{line}\n")).collect();
    place.write("letters.txt", of_letters);
    let error = "hint: --topic-ids loose";
    place.check(&format!("{sweep} --qrels letters.txt"), 2, "", error);
    let loose = format!("{sweep} --qrels letters.txt --topic-ids loose");
    let exact = place
        .check(&format!("{sweep} --qrels qrels.txt --json"), 0, "*", "")
        .out;
    let loose = place.check(&format!("{loose} --json"), 0, "*", "").out;
    let lines = |out: &str| objects(out)[0]["lines"].clone();
    assert_eq!(lines(&loose), lines(&exact));
}

/// The run of a sweep with such ids is that of a run with them.
#[test]
fn runs_with_loose_topic_ids() {
    let place = cli_sweep::place();
    place.write("topics.txt", "MB001:compost\nMB002:rain barrel\n");
    let out = place
        .check(
            "run --index ix --topics topics.txt --topic-ids loose -k 3",
            0,
            "*",
            "",
        )
        .out;
    let topics: Vec<&str> = out
        .lines()
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert_eq!(topics, ["1", "1", "1", "2", "2", "2"]);
    place.write("topics.txt", "MB1:compost\n1:rain barrel\n");
    let line = "run --index ix --topics topics.txt --topic-ids loose";
    place.check(line, 2, "", "topics.txt: topics MB1 and 1 would both be 1");
}

/// The page is served, with a warning; a sweep says why there is none.
#[cfg(feature = "serve")]
#[test]
fn a_server_with_judgments_of_another_collection() {
    let place = cli_sweep::place();
    place.write("other.txt", "1 0 clueweb09-1 1\n");
    let server = serve::Server::start(&place, "--topics topics.xml --qrels other.txt");
    let answer = server.get("/api/sweep?vary=min_words");
    assert_eq!(answer.status, 400, "{}", answer.body);
    assert!(
        answer.body.contains("no document of the index is judged"),
        "{}",
        answer.body
    );
}

/// Experiments say the same, and take the same option.
#[test]
fn experiments_by_judgments_of_another_collection() {
    let place = cli_sweep::place();
    let experiment = |qrels: &str, more: &str| {
        let text = format!(
            "kind = 'sweep'\ntitle = 'x'\nabout = ''\n[input]\nindex = 'ix'\ncollection = 'demo.warc.gz'\ntopics = 'topics.xml'\n\
             qrels = '{qrels}'\n[options]\nvary = ['min-words=5']\nmodels = ['bm25']\nmeasures = ['AP']\n{more}\n"
        );
        place.write("experiment.toml", text);
    };
    place.write("other.txt", "1 0 clueweb09-1 1\n");
    experiment("other.txt", "");
    let error = "no document of the index is judged";
    place.check("experiment experiment.toml", 2, "", error);
    let qrels = String::from_utf8(std::fs::read(place.path("qrels.txt")).unwrap()).unwrap();
    let of_letters: String = qrels.lines().map(|line| format!("MB0{line}\n")).collect();
    place.write("letters.txt", of_letters);
    experiment("letters.txt", "");
    place.check(
        "experiment experiment.toml",
        2,
        "",
        "hint: --topic-ids loose (topic-ids in",
    );
    experiment("letters.txt", "topic-ids = 'loose'");
    place.check(
        "experiment experiment.toml",
        0,
        "p (Holm) is corrected for the family of 1 line",
        "",
    );
}

/// Regression: `eval RUN QRELS` said `expected 3, 4 or 5 columns, found 6`.
#[test]
fn eval_with_its_files_swapped() {
    let place = Place::empty();
    place.write("qrels", qrels_of(&["1"], "d"));
    place.write("a.run", run_of(&["1"], "d"));
    let error = "error: a.run:1: this is a line of a run (topic, Q0, docid, rank, score, tag), not of relevance judgments (topic, iteration, docid, \
                 grade)\nhint: check which file is which, and their order: judgments come before runs\n";
    place.check("eval a.run qrels", 2, "", error);
}

/// Packed files are read from standard input too, whatever they are called.
#[test]
fn packed_standard_input() {
    let place = Place::empty();
    let packed = |text: String| zstd::encode_all(text.as_bytes(), 3).unwrap();
    place.write("qrels.txt", packed(qrels_of(&["1"], "d")));
    let run = packed(run_of(&["1"], "d"));
    let words: Vec<&str> = "eval -m RR qrels.txt -".split(' ').collect();
    let done = place.run_with(&words, &run);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    assert!(done.out.contains("1.0000"), "{}", done.out);
}
