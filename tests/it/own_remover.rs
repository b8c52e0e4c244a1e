//! The own remover's cross-validation: nothing that a figure is of was seen in learning for it.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;
use trommel::experiment::Definition;
use trommel::experiment::own::{self, OwnSettings, folds, held_out};
use trommel::extractor::own::{Convention, Paragraph, TrommelModel, Wanted, decide};
use trommel::extractor::{self, Label, Subject, TrainingPages};
use trommel::gold::pairs;
use trommel::html::{self, Charset, Limits, segment};
use trommel::training::own::{Corpus, LearningPage, learning_pages};
use trommel::{feature, gold, score};

use crate::support::shared;

fn trommel() -> Command {
    Command::new(env!("CARGO_BIN_EXE_trommel"))
}

fn experiment() -> Option<(OwnSettings, Vec<LearningPage>)> {
    let shared = shared("corpora/gn1")?;
    let root = shared.parent()?.parent()?.to_string_lossy().into_owned();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/own-remover.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let variable = |name: &str| (name == "TROMMEL_SHARED").then(|| root.clone());
    let definition = Definition::parse(&text, file.parent().unwrap(), variable).unwrap();
    let settings: OwnSettings = definition.options().unwrap();
    let corpora = own::corpora(&definition, &settings).unwrap();
    let pages = learning_pages(&corpora, Charset::Auto, &|| {}).unwrap();
    Some((settings, pages))
}

fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    score::words(text, |word| words.push(word.to_lowercase()));
    words
}

/// Pages of different folds differ in site, file and gold text, looked at from outside: sites as the page has them, files by their
/// hashes, gold texts by all of their runs of ten words.
#[test]
fn no_page_site_or_gold_text_is_in_two_folds() {
    let Some((settings, pages)) = experiment() else {
        return;
    };
    // With the news collection, which has copies of many of the others.
    assert_eq!(pages.len(), 621 + 681 + 71 + 716 + 58 + 1497 + 2683);
    let groups = folds::groups(&pages);
    let of = folds::folds(&pages, &groups, settings.folds, settings.seed);
    assert_eq!(of.iter().collect::<HashSet<_>>().len(), settings.folds);
    let mut sites: HashMap<&str, usize> = HashMap::new();
    let mut files: HashMap<u64, usize> = HashMap::new();
    let mut golds: HashMap<Vec<String>, usize> = HashMap::new();
    let mut runs: HashMap<Vec<String>, HashSet<usize>> = HashMap::new();
    let mut lengths = Vec::new();
    for (number, page) in pages.iter().enumerate() {
        assert_eq!(
            *sites.entry(&page.site).or_insert(of[number]),
            of[number],
            "{}",
            page.site
        );
        assert_eq!(
            *files.entry(page.markup).or_insert(of[number]),
            of[number],
            "{}",
            page.name
        );
        let words = words(&page.gold.plain);
        if words.len() >= 10 {
            assert_eq!(
                *golds.entry(words.clone()).or_insert(of[number]),
                of[number],
                "{}",
                page.name
            );
        }
        let of_page: HashSet<&[String]> = words.windows(10).collect();
        lengths.push(of_page.len());
        for run in of_page {
            runs.entry(run.to_vec()).or_default().insert(number);
        }
    }
    let mut shared: HashMap<(usize, usize), usize> = HashMap::new();
    for pages in runs.values().filter(|pages| pages.len() > 1) {
        for a in pages {
            for b in pages.iter().filter(|b| a < *b && of[*a] != of[**b]) {
                *shared.entry((*a, *b)).or_default() += 1;
            }
        }
    }
    // An agency's report may be quoted on two sites; a third of a text in common would be the same text.
    for ((a, b), common) in shared {
        let fewer = lengths[a].min(lengths[b]);
        assert!(
            common * 3 <= fewer,
            "{} and {} have {common} of {fewer} runs of ten words in common",
            pages[a].name,
            pages[b].name
        );
    }
}

/// What a fold's gold texts say makes no difference to what is said of the fold's pages, and all the difference to the others.
#[test]
fn labels_of_the_pages_that_are_judged_are_not_looked_at() {
    let Some(corpus) = shared("corpora/cleaneval-dev") else {
        return;
    };
    let pairs = pairs(Some(&corpus.join("gold")), &corpus.join("html")).unwrap();
    let corpus = Corpus::new("dev", gold::by_name("cleaneval"), pairs);
    let mut pages = learning_pages(&[corpus], Charset::Auto, &|| {}).unwrap();
    let of: Vec<usize> = (0..pages.len()).map(|page| page % 2).collect();
    let before = held_out(&pages, &of, 2, 1, &|| {});
    for (page, _) in pages.iter_mut().zip(&of).filter(|(_, fold)| **fold == 1) {
        for paragraph in &mut page.paragraphs {
            paragraph.main = 1.0 - paragraph.main;
            paragraph.weight += 0.5;
        }
    }
    let after = held_out(&pages, &of, 2, 1, &|| {});
    for (page, fold) in of.iter().enumerate() {
        match fold {
            1 => assert_eq!(before[page], after[page]),
            _ => assert_ne!(before[page].main, after[page].main),
        }
    }
}

const BUILT_IN: &str = "crates/trommel-extract/src/removers/models/trommel.json";

fn model_text() -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(BUILT_IN);
    std::fs::read_to_string(file).unwrap()
}

/// What the model's trees say one by one, and what the extractor says: the same.
#[test]
fn the_extractor_says_what_its_model_says() {
    let model: serde_json::Value = serde_json::from_str(&model_text()).unwrap();
    let model: TrommelModel = serde_json::from_value(model["data"].clone()).unwrap();
    let segmenter = segment::by_name("paragraph").unwrap();
    let all = Wanted {
        comments: true,
        related: true,
        ..Wanted::default()
    };
    let main = Wanted {
        convention: Convention::Main,
        ..Wanted::default()
    };
    for (spec, wanted) in [
        ("trommel", Wanted::default()),
        ("trommel:comments=yes,related=yes", all),
        ("trommel:want=main", main),
        (
            "trommel:want=everything-useful",
            Wanted {
                comments: true,
                ..main
            },
        ),
    ] {
        let extractor = extractor::parse(spec).unwrap();
        for page in trommel::demo::pages().unwrap() {
            let page = html::parse_text(&page.html, &Limits::default());
            let blocks = (segmenter.segment)(&page);
            let mut paragraphs = Vec::new();
            feature::own::for_each_row(&page, &blocks, |row| {
                paragraphs.push(Paragraph {
                    words: row.words,
                    is_title: row.is_title,
                    probability: model.probability(&row, wanted),
                });
            });
            let kept = decide(&paragraphs);
            let verdicts = extractor.verdicts(&Subject::new(&page, "d", ""), segmenter);
            let labels: Vec<bool> = verdicts
                .labels
                .iter()
                .map(|of| *of == Label::Content)
                .collect();
            assert_eq!(labels, kept);
            let confidences = verdicts.confidences.unwrap();
            for (confidence, paragraph) in confidences.iter().zip(&paragraphs) {
                let hundredths = (f64::from(paragraph.probability) * 100.0).round();
                assert_eq!(f64::from(confidence.in_hundredths()), hundredths);
            }
        }
    }
}

#[track_caller]
fn check_refused(spec: &str, parts: &[&str]) {
    let error = extractor::parse(spec).unwrap_err().to_string();
    for part in parts {
        assert!(error.contains(part), "{spec}: {error}");
    }
}

#[test]
fn models_that_are_none_are_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("model");
    let spec = format!("trommel:model={}", path.display());
    let shown = path.display().to_string();
    check_refused(&spec, &[&shown, "No such file"]);
    let good = model_text();
    let cut = &good[..good.len() / 2];
    let other = good.replacen("\"trommel\"", "\"onion\"", 1);
    let newer = good.replacen("\"version\":2", "\"version\":99", 1);
    let feature = good.replacen("\"link_density\"", "\"links\"", 1);
    let endless = good.replacen("\"nodes\":[[", "\"nodes\":[[0,1.0,0,0],[", 1);
    let wild = good.replacen("\"nodes\":[[", "\"nodes\":[[60000,", 1);
    for (text, why) in [
        ("", "no model"),
        ("{}", "no model"),
        (cut, "no model"),
        (&other, "a model of onion"),
        (&newer, "version 99"),
        (&feature, "features that this program does not have"),
        (&endless, "damaged"),
        (&wild, "damaged"),
    ] {
        std::fs::write(&path, text).unwrap();
        check_refused(&spec, &[&shown, why]);
    }
    std::fs::write(&path, &good).unwrap();
    assert_eq!(extractor::parse(&spec).unwrap().name, "trommel");
    check_refused(
        "trommel:comments=maybe",
        &["comments", "maybe", "yes or no"],
    );
    check_refused(
        "trommel:comment=yes",
        &["comment", "want, comments, related, model"],
    );
}

/// Pages with an article of long paragraphs between menus, and the article as gold text.
fn write_gold(folder: &Path) {
    for part in ["gold", "html"] {
        std::fs::create_dir_all(folder.join(part)).unwrap();
    }
    for page in 0..40 {
        let sentence = |number: usize| {
            let words = "the river was high and the old bridge of the town had to be closed again,";
            format!(
                "On day {number} of week {page} {words} which {number} people did not like at all."
            )
        };
        let article: Vec<String> = (0..3 + page % 4).map(sentence).collect();
        let menu: String = (0..10)
            .map(|item| format!("<li><a href=/{item}>Item {item} of {page}</a>"))
            .collect();
        let paragraphs: String = article
            .iter()
            .map(|text| format!("<p>{text}</p>"))
            .collect();
        let html = format!(
            "<body><ul class=nav>{menu}</ul><div>{paragraphs}</div><ul class=related>{menu}</ul></body>"
        );
        std::fs::write(folder.join(format!("html/{page}.html")), html).unwrap();
        std::fs::write(folder.join(format!("gold/{page}.txt")), article.join("\n")).unwrap();
    }
}

#[test]
fn a_model_is_trained_and_used() {
    let folder = TempDir::new().unwrap();
    write_gold(folder.path());
    let train = |output: &str, seed: &str| {
        let mut command = trommel();
        command.current_dir(folder.path()).args([
            "train", "trommel", "--gold", "gold", "--format", "text", "--seed", seed, "--output",
            output,
        ]);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        assert!(output.stdout.is_empty());
        String::from_utf8(output.stderr).unwrap()
    };
    let told = train("one.model", "1");
    assert!(told.contains("on 40 pages of gold"), "{told}");
    train("again.model", "1");
    train("other.model", "2");
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("one.model"), read("again.model"));
    assert_ne!(read("one.model"), read("other.model"));
    let output = trommel()
        .current_dir(folder.path())
        .args([
            "extract",
            "--extractor",
            "trommel:model=one.model",
            "html/7.html",
        ])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let words = |text: &str| words(text).join(" ");
    assert_eq!(words(&text), words(&read("gold/7.txt")));
}

/// Figures on pages that a model was trained on once looked like any others.
#[test]
fn scores_on_training_pages_are_marked() {
    let folder = TempDir::new().unwrap();
    write_gold(folder.path());
    let run = |line: &str| {
        let mut command = trommel();
        command.current_dir(folder.path());
        let output = command.args(line.split(' ')).output().unwrap();
        assert!(output.status.success(), "{line}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    run("train trommel --gold gold --format text --output own.model");
    run("train tree --gold gold --format text --min-leaf 50 --output tree.model");
    // The first ten pages in another wrapper; the others with a word more.
    std::fs::create_dir(folder.path().join("other")).unwrap();
    for page in 0..40 {
        let name = format!("{page}.html");
        let html = std::fs::read_to_string(folder.path().join("html").join(&name)).unwrap();
        let more = if page < 10 { "" } else { "more" };
        let html = format!("<text id='{page}'>\n{html}{more}\n</text>");
        std::fs::write(folder.path().join("other").join(name), html).unwrap();
    }
    let extractors = "--extractors trommel:model=own.model,tree:tree.model,bte,web2text";
    let seen = |pages: &str| -> Vec<serde_json::Value> {
        let out = run(&format!(
            "score --gold gold --format text --pages {pages} {extractors} --json"
        ));
        let lines = out.lines().map(|line| serde_json::from_str(line).unwrap());
        lines
            .map(|line: serde_json::Value| line["seen_pages"].clone())
            .collect()
    };
    assert_eq!(seen("html"), [40, 40, 0, 0]);
    assert_eq!(seen("other"), [10, 10, 0, 0]);
    let table = run(&format!("score --gold gold --format text {extractors}"));
    let note = "* trained on pages that are scored here, so that this is no test: trommel on 40 of 40, tree on 40 of 40\n";
    let row = |name: &str| table.lines().filter(|line| line.starts_with(name)).count();
    // Four measures on texts, two on labels.
    assert_eq!(table.matches(note).count(), 6, "{table}");
    assert_eq!(
        (row("trommel * "), row("tree * "), row("bte * ")),
        (6, 6, 0),
        "{table}"
    );
    assert!(!run("score --gold gold --format text --extractors bte,web2text").contains('*'));
    let definition = r#"
        kind = "extractors"
        title = "Trained"
        [input]
        gold = "gold"
        pages = "html"
        [options]
        format = "text"
        extractors = ["tree:tree.model", "bte"]
    "#;
    std::fs::write(folder.path().join("x.toml"), definition).unwrap();
    let report = run("experiment x.toml");
    let cells = |name: &str| -> Vec<&str> {
        let mut lines = report.lines();
        let line = lines.find(|line| line.contains(name)).unwrap();
        line.trim_matches('|').split('|').map(str::trim).collect()
    };
    let last = |name: &str| cells(name).last().copied().unwrap_or_default();
    assert_eq!(last("macro F1"), "trained on, pages", "{report}");
    assert_eq!((last("| tree"), last("| bte")), ("40", ""), "{report}");
    // A model of a program that did not note its pages.
    let model = std::fs::read_to_string(folder.path().join("own.model")).unwrap();
    let (before, behind) = model.split_once("\"pages\":\"").unwrap();
    let (_, behind) = behind.split_once("\",").unwrap();
    std::fs::write(folder.path().join("own.model"), format!("{before}{behind}")).unwrap();
    assert_eq!(seen("html")[0], serde_json::Value::Null);
    let table = run(&format!("score --gold gold --format text {extractors}"));
    let note = "? the model does not say on which pages it was trained: trommel\n";
    assert!(
        table.contains(note) && table.contains("trommel ? "),
        "{table}"
    );
}

/// As many pages as the models' training notes (`training` in trommel.json, the names in web2text.json.manifest.json) say, and no others.
#[test]
fn the_built_in_models_know_the_pages_they_were_trained_on() {
    let known = ["trommel", "web2text"].map(|name| {
        let extractor = extractor::parse(name).unwrap();
        extractor.arguments.trained_on.pages().unwrap().clone()
    });
    // Fewer than pages: some have the same text. 2,138 are of the five old corpora, the others of the 1,476 pages of WCXB
    // that have a gold text.
    assert_eq!(known.each_ref().map(TrainingPages::len), [2138 + 1474, 583]);
    for (corpus, expected) in [
        ("gn1", [621, 0]),
        ("cleaneval", [675, 542]),
        // 41, and one page that both sets have.
        ("cleaneval-dev", [57, 42]),
        ("cleanportaleval", [70, 0]),
        ("dragnet", [716, 0]),
    ] {
        let Some(folder) = shared(&format!("corpora/{corpus}/html")) else {
            return;
        };
        let mut seen = [0; 2];
        for entry in folder.read_dir().unwrap() {
            let bytes = std::fs::read(entry.unwrap().path()).unwrap();
            let utf_8 = "utf-8".parse().unwrap();
            let page = html::parse(&bytes, utf_8, None, &Limits::default());
            let page = TrainingPages::fingerprint(&page);
            for (count, known) in seen.iter_mut().zip(&known) {
                *count += usize::from(known.contains(page));
            }
        }
        assert_eq!(seen, expected, "{corpus}");
    }
}

#[test]
fn training_says_what_is_wrong() {
    let folder = TempDir::new().unwrap();
    write_gold(folder.path());
    for (arguments, why) in [
        ("--gold none --format text", "no such directory"),
        (
            "--gold gold --gold gold --format text --format text --format text",
            "--format",
        ),
        (
            "--gold gold --gold gold --pages html --format text",
            "--pages",
        ),
        ("--gold gold --format gn2", "gn2"),
        ("--corpora none.toml", "none.toml"),
        ("--corpora x --gold gold --format text", "--gold"),
        ("", "--gold"),
    ] {
        let mut command = trommel();
        command
            .current_dir(folder.path())
            .args(["train", "trommel", "--output", "model"]);
        let output = command.args(arguments.split_whitespace()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains(why), "{arguments}: {told}");
    }
    assert!(!folder.path().join("model").exists());
}
