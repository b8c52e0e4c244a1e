//! The shipped experiment files, and what becomes of experiments that cannot be run or miss their figures.

use std::fs::{self, File};
use std::path::Path;

use trommel::collection::{WarcPage, write_warc};
use trommel::demo;
use trommel::experiment::{Context, Definition, ExperimentError, Figures, Outcome, run};
use trommel::report::outcome::markdown;

use crate::support::shared;

/// A variable of the environment.
fn variable(name: &str) -> Option<String> {
    let shared = shared("")?;
    (name == "TROMMEL_SHARED").then(|| shared.to_string_lossy().into_owned())
}

fn toml_of(text: &str, folder: &Path) -> Definition {
    Definition::parse(text, folder, variable).unwrap()
}

pub(crate) fn run_text(text: &str, folder: &Path) -> Result<Outcome, ExperimentError> {
    let scratch = tempfile::TempDir::new().unwrap();
    let context = Context {
        progress: &|| {},
        scratch: scratch.path(),
        cpu: &|| None,
    };
    run(&Definition::parse(text, folder, variable)?, &context)
}

/// Runs a shipped file; the data that it names are looked for first.
fn shipped(name: &str, data: &str) -> Option<Outcome> {
    shared(data)?;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    let text = std::fs::read_to_string(folder.join(name)).unwrap();
    let outcome = run_text(&text, &folder).unwrap();
    for check in outcome.figures.checks.iter().filter(|check| !check.met) {
        eprintln!("{check:?}");
    }
    Some(outcome)
}

/// WSDM 2010, Tables 1 and 2: within two points of the paper, or within what is explained in the file.
#[test]
fn wsdm2010_tables() {
    let Some(outcome) = shipped("wsdm2010-gn1.toml", "corpora/gn1") else {
        return;
    };
    assert!(outcome.figures.checks.iter().all(|check| check.met));
    // By the authors' own rules of cutting, the two rules on counts come out within a point.
    for rule in ["number of words @15", "link density @0.33"] {
        for column in ["precision", "recall", "F1", "FP rate", "ROC AUC"] {
            let check = outcome
                .figures
                .check_of("Table 2; boilerpipe blocks", rule, column)
                .unwrap();
            assert!(check.difference.abs() <= 1.0, "{check:?}");
        }
    }
    let longest = outcome.figures.check_of(
        "Section 5.1; atomic blocks",
        "in the longest block",
        "words",
    );
    assert_eq!(longest.unwrap().measured, 1122.0);
}

/// Rows of WSDM 2010's Table 2 that are quick to learn: within two points of the paper, or within what the file explains. The 1R
/// rule on text density parts blocks near the paper's 10.5, and the pruned tree begins as Algorithm 2 does.
#[test]
fn wsdm2010_table_2_learnt() {
    if shared("corpora/gn1").is_none() {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    let text = fs::read_to_string(folder.join("wsdm2010-table2.toml")).unwrap();
    let rows = [
        "ZeroR",
        "Only Number of Words",
        "1R: Text Density",
        "C4.8 NumWords + LinkDensity, simplified",
    ];
    let names = rows.map(|row| format!("{row:?}")).join(", ");
    let quick = text
        .replace("[\"atomic\", \"boilerpipe\"]", "[\"boilerpipe\"]")
        .replace(
            "pruning-parts",
            &format!("algorithms = [{names}]\npruning-parts"),
        );
    let mut definition = toml_of(&quick, &folder);
    definition
        .table
        .retain(|table| table.name.ends_with("boilerpipe blocks"));
    for table in &mut definition.table {
        table.rows.retain(|row, _| rows.contains(&row.as_str()));
    }
    let scratch = tempfile::TempDir::new().unwrap();
    let context = Context {
        progress: &|| {},
        scratch: scratch.path(),
        cpu: &|| None,
    };
    let outcome = run(&definition, &context).unwrap();
    for check in &outcome.figures.checks {
        assert!(check.met, "{check:?}");
    }
    assert_eq!(outcome.figures.checks.len(), 2 * (4 * 6 + 3));
    let rules = |name: &str| {
        let found = outcome
            .figures
            .rules
            .iter()
            .find(|(heading, _)| heading.starts_with(name));
        found.map_or_else(|| panic!("no rules of {name}"), |(_, rules)| rules.as_str())
    };
    let density = rules("1R: Text Density, 2-class");
    let bound = density
        .split("<= ")
        .nth(1)
        .unwrap()
        .split(':')
        .next()
        .unwrap();
    assert!(
        (bound.parse::<f64>().unwrap() - 10.5).abs() < 0.5,
        "{density}"
    );
    let lines: Vec<&str> = rules("C4.8 NumWords + LinkDensity, simplified, 2-class")
        .lines()
        .collect();
    assert!(
        lines[0].starts_with("curr_link_density <= 0.2"),
        "{lines:?}"
    );
    assert!(
        lines[1].starts_with("| prev_link_density <= 0.6"),
        "{lines:?}"
    );
    assert_eq!(lines[2], "| | curr_num_words <= 16");
}

/// As Weka counts, trees have about the leaves of the paper's: the simplified ones with a least leaf of 1,000 words, the others with 200.
#[test]
fn wsdm2010_table_2_as_weka() {
    if shared("corpora/gn1").is_none() {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    let text = fs::read_to_string(folder.join("wsdm2010-table2-weka.toml")).unwrap();
    let simplified = "C4.8 NumWords + LinkDensity, simplified";
    let grown = "C4.8 Link Density (P/C/N)";
    let (before, after) = text.split_once("algorithms = [").unwrap();
    let (_, after) = after.split_once(']').unwrap();
    let quick = format!("{before}algorithms = [{simplified:?}, {grown:?}]{after}");
    let mut definition = toml_of(&quick, &folder);
    for table in &mut definition.table {
        table
            .rows
            .retain(|row, _| row == simplified || row == grown);
    }
    let scratch = tempfile::TempDir::new().unwrap();
    let context = Context {
        progress: &|| {},
        scratch: scratch.path(),
        cpu: &|| None,
    };
    let outcome = run(&definition, &context).unwrap();
    for check in &outcome.figures.checks {
        assert!(check.met, "{check:?}");
    }
    for class in ["2-class", "4-class"] {
        for (way, row) in [("as Weka", simplified), ("as Weka, leaf of 200", grown)] {
            let table = format!("Table 2, {class}; boilerpipe blocks; {way}");
            let leaves = outcome.figures.check_of(&table, row, "leaves").unwrap();
            let factor = leaves.measured / leaves.paper;
            assert!((0.75..=1.3).contains(&factor), "{leaves:?}");
        }
    }
}

#[test]
fn wsdm2010_figure_2() {
    for (file, corpus, pages) in [
        ("wsdm2010-figure2a.toml", "corpora/cleaneval", 675),
        ("wsdm2010-figure2b.toml", "corpora/gn1", 621),
    ] {
        let Some(outcome) = shipped(file, corpus) else {
            continue;
        };
        assert!(
            outcome.figures.checks.iter().all(|check| check.met),
            "{file}"
        );
        let curves = &outcome.figures.curves[0].curves;
        assert!(
            curves.iter().all(|(_, values)| values.len() == pages),
            "{file}"
        );
    }
}

/// Web2Text, Table 1, on aligned gold texts: the extractors that are not trained lie as far from the paper's figures as the file says.
/// The networks get a few small steps only, so their figures are not compared; `extractors_web2text` tests the built-in weights.
#[test]
fn web2text_table_1() {
    if shared("corpora/cleaneval").is_none() || shared("corpora/cleaneval-dev").is_none() {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    let text = fs::read_to_string(folder.join("web2text-cleaneval.toml")).unwrap();
    let quick = text.replace(
        "[[table]]\nname = \"original test\"",
        "[options.training]\niterations = 40\nbatch = 16\n\n[[table]]\nname = \"original test\"",
    );
    let mut definition = toml_of(&quick, &folder);
    for table in &mut definition.table {
        assert!(table.rows.remove("web2text").is_some());
    }
    let scratch = tempfile::TempDir::new().unwrap();
    let context = Context {
        progress: &|| {},
        scratch: scratch.path(),
        cpu: &|| None,
    };
    let outcome = run(&definition, &context).unwrap();
    for check in &outcome.figures.checks {
        assert!(check.met, "{check:?}");
    }
    assert_eq!(outcome.figures.checks.len(), 2 * 6 * 4);
    let [original, ours, training] = outcome.figures.tables.as_slice() else {
        panic!("{} tables", outcome.figures.tables.len());
    };
    for table in [original, ours] {
        for row in ["web2text", "web2text, unary"] {
            assert!(table.figure(row, "accuracy").unwrap() > 50.0, "{row}");
        }
    }
    let pages = |division| {
        let of = |column| training.figure(division, column).unwrap();
        [
            of("pages for training"),
            of("for validation"),
            of("for test"),
        ]
    };
    // One page is in both sets; it is for the test alone.
    assert_eq!(pages("original"), [51.0, 5.0, 675.0]);
    assert_eq!(pages("our"), [525.0, 58.0, 148.0]);
}

/// The content-tree paper's pattern: precision rises, recall falls, for each n.
#[test]
fn content_tree_table_2() {
    let Some(outcome) = shipped("content-tree-gn1.toml", "corpora/gn1") else {
        return;
    };
    let table = &outcome.figures.tables[0];
    assert_eq!(table.name, "characters");
    for (base, suffix) in [
        ("boilerpipe-article", ""),
        ("boilerpipe-default", ",base=boilerpipe-default"),
    ] {
        for n in [1, 3, 4, 5] {
            let row = format!("content-tree:n={n}{suffix}");
            let rise =
                |column| table.figure(&row, column).unwrap() - table.figure(base, column).unwrap();
            assert!(rise("macro P") > 0.0 && rise("macro R") < 0.0, "{row}");
        }
    }
}

/// The rows of a table with these names.
fn rows<'a>(table: &'a Figures, names: [&str; 2]) -> [&'a [Option<f64>]; 2] {
    names.map(|name| {
        let row = table.rows.iter().find(|(row, _)| row == name);
        row.map_or_else(|| panic!("no row {name}"), |(_, figures)| &figures[..])
    })
}

/// A rule is the same filter by its thresholds and by its verdicts, in every table.
#[track_caller]
fn same_by_thresholds_and_verdicts(outcome: &Outcome) {
    for table in &outcome.figures.tables {
        let [thresholds, verdicts] = rows(table, ["link-density <= 0.33", "max-link-density-0.33"]);
        assert_eq!(thresholds, verdicts, "{}", table.name);
    }
}

/// The retrieval kind on the built-in demo.
#[test]
fn retrieval_on_the_demo() {
    let place = tempfile::TempDir::new().unwrap();
    let pages = demo::pages().unwrap();
    let records = pages.iter().map(|page| WarcPage {
        docid: &page.docid,
        url: &page.url,
        date: "2007-01-01T12:00:00Z",
        html: page.html.as_bytes(),
    });
    let mut file = File::create(place.path().join("demo.warc.gz")).unwrap();
    write_warc(&mut file, records).unwrap();
    drop(file);
    fs::write(place.path().join("topics.xml"), demo::TOPICS).unwrap();
    fs::write(place.path().join("qrels.txt"), demo::QRELS).unwrap();
    let text = r#"
        kind = "retrieval"
        title = "Demo"
        [input]
        collection = "demo.warc.gz"
        topics = "topics.xml"
        qrels = "qrels.txt"
        [options]
        extractors = ["keep-everything", "max-link-density-0.33", "boilerpipe-numwords"]
        learn = ["onion"]
        filters = [{ max_link_density = "0.33" }]
        measures = ["P@10", "AP"]
        untested = ["Judged@10"]
    "#;
    let outcome = run_text(text, place.path()).unwrap();
    same_columns(&outcome);
    same_by_thresholds_and_verdicts(&outcome);
    let [all, by_p, by_ap] = &outcome.figures.tables[..] else {
        panic!("{} tables", outcome.figures.tables.len());
    };
    let names: Vec<&str> = all.rows.iter().map(|(name, _)| name.as_str()).collect();
    let compared = [
        "link-density <= 0.33",
        "max-link-density-0.33",
        "boilerpipe-numwords",
        "onion",
    ];
    // What keeps everything is the unfiltered search.
    assert_eq!(names[0], "unfiltered");
    assert_eq!(names[1..], compared);
    for table in [by_p, by_ap] {
        let names: Vec<&str> = table.rows.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, compared);
        for name in compared {
            let figure = |column| table.figure(name, column).unwrap();
            let measure = table.columns[0].as_str();
            let unfiltered = all.figure("unfiltered", measure).unwrap();
            assert_eq!(figure(measure), all.figure(name, measure).unwrap());
            // The mean of differences and the difference of means round differently.
            let difference = figure(measure) - unfiltered;
            assert!((figure("Δ") - difference).abs() < 1e-12, "{difference}");
            let topics = figure("topics up") + figure("down");
            assert!(topics.fract() == 0.0 && topics <= 18.0, "{topics}");
            assert!((0.0..=1.0).contains(&figure("p (Holm)")));
        }
    }
    // Every page is judged, and the demo was made to gain by such rules.
    assert_eq!(all.figure("unfiltered", "words kept, %"), Some(100.0));
    assert_eq!(all.figure("unfiltered", "Judged@10"), Some(1.0));
    assert!(by_p.figure("boilerpipe-numwords", "Δ").unwrap() > 0.0);
    let report = markdown(&outcome.figures, &[]);
    assert!(report.contains("| unfiltered | 100.0 | 0."), "{report}");
    let up = by_p.figure("boilerpipe-numwords", "topics up").unwrap();
    let down = by_p.figure("boilerpipe-numwords", "down").unwrap();
    assert!(report.contains(&format!(" | {up} | {down} | ")), "{report}");
}

/// Every row has a figure for each column, and each column its decimals.
#[track_caller]
fn same_columns(outcome: &Outcome) {
    for table in &outcome.figures.tables {
        let width = table.columns.len();
        assert_eq!(table.decimals.len(), width, "{}", table.name);
        assert!(table.rows.iter().all(|(_, row)| row.len() == width));
    }
}

/// The news collection without a filter, to the figures that an index by hand gives (`docs/reproduction.md`).
#[test]
fn retrieval_on_the_news() {
    let Some(outcome) = shipped("news-extractors.toml", "retrieval/news") else {
        return;
    };
    same_columns(&outcome);
    same_by_thresholds_and_verdicts(&outcome);
    let all = &outcome.figures.tables[0];
    for (measure, known) in [("P@10", 0.541), ("nDCG@10", 0.803), ("AP", 0.761)] {
        let figure = all.figure("unfiltered", measure).unwrap();
        assert!((figure - known).abs() < 0.0006, "{measure} {figure}");
    }
    let [rule, verdicts] = rows(all, ["words >= 11", "min-words-10"]);
    assert!(
        rule[0] < verdicts[0],
        "fewer words pass the higher threshold"
    );
}

/// Labels of leaves from a gold text: by hand 7 leaves with letters, 4 of them content; the bar does not count.
#[test]
fn labels_from_a_gold_text() {
    let place = tempfile::TempDir::new().unwrap();
    let write = |name: &str, text: &str| {
        let path = place.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write(
        "html/a.html",
        "<body><div><a href=/>Home page</a> | <a href=/us>About us</a></div>\
         <p>The rain barrel under the downspout fills in a single night, so <a href=/c>cover it</a> before the frost.</p>\
         <p>Short content here.</p>\
         <div>Copyright notice of the gardening club, all rights reserved by its members and friends.</div>",
    );
    write(
        "gold/a.txt",
        "URL: http://x/\n<p>The rain barrel under the downspout fills in a single night, so cover it before the frost.\n\
         <p>Short content here.",
    );
    // Without words there is nothing to align.
    write("html/b.html", "<body><p>Nothing here is content.");
    write("gold/b.txt", "URL: http://y/\n");
    let options = |format: &str| {
        format!(
            "kind = 'extractors'\ntitle = ''\n[input]\ngold = 'gold'\npages = 'html'\n\
             [options]\nformat = '{format}'\nsegmenter = 'leaf'\nextractors = ['keep-everything', 'min-words-10']\n"
        )
    };
    let outcome = run_text(&options("cleaneval"), place.path()).unwrap();
    same_columns(&outcome);
    let table = &outcome.figures.tables[1];
    let check = |row: &str, expected: [f64; 4]| {
        let columns = ["accuracy", "precision", "recall", "F1"];
        let figures = columns.map(|column| table.figure(row, column).unwrap());
        for (figure, expected) in figures.iter().zip(expected) {
            assert!(
                (figure - 100.0 * expected).abs() < 1e-9,
                "{row} {figures:?}"
            );
        }
    };
    check("keep-everything", [4.0 / 7.0, 4.0 / 7.0, 1.0, 8.0 / 11.0]);
    // Of leaves it keeps the first of the paragraph, and the notice.
    check("min-words-10", [3.0 / 7.0, 0.5, 0.25, 1.0 / 3.0]);
    // The same as plain text.
    write(
        "gold/a.txt",
        "The rain barrel under the downspout fills in a single night, so cover it before the frost.\nShort content here.",
    );
    write("gold/b.txt", "");
    let plain = run_text(&options("text"), place.path()).unwrap();
    assert_eq!(plain.figures.tables[1], outcome.figures.tables[1]);
    refused_in(
        &options("text").replace("'leaf'", "'leaves'"),
        place.path(),
        "no segmenter 'leaves'",
    );
    let measures = options("text") + "measures = ['letters']\n";
    refused_in(&measures, place.path(), "no measure 'letters'");
}

#[track_caller]
fn refused_in(text: &str, folder: &Path, part: &str) {
    let error = run_text(text, folder).unwrap_err().to_string();
    assert!(error.contains(part), "{error}");
}

#[track_caller]
fn refused(text: &str, part: &str) {
    let error = run_text(text, Path::new("/nowhere"))
        .unwrap_err()
        .to_string();
    assert!(error.contains(part), "{error}");
}

#[test]
fn what_cannot_be_run() {
    refused("kind = 1", "kind");
    refused(
        "kind = 'x'\ntitle = ''",
        "there are: retrieval, sweep, extractors, wsdm2010-blocks, wsdm2010-learned",
    );
    refused("kind = 'x'\ntitle = ''\nnosuch = 1", "nosuch");
    let head = "kind = 'wsdm2010-blocks'\ntitle = ''\n";
    let options = "[options]\nsegmenters = ['atomic']\nfolds = 10\nseed = 1\n";
    refused(&format!("{head}{options}"), "needs an input 'annotated'");
    refused(
        &format!("{head}[input]\nannotated = 'gone'\n{options}"),
        "/nowhere/gone is not there",
    );
    refused(
        &format!("{head}[input]\nannotated = '${{GONE}}'\n"),
        "GONE is not set",
    );
    refused(&format!("{head}[options]\nfolds = 1\n"), "segmenters");
}
