//! `trommel features` and `trommel train` through the program itself.

use crate::cli::{Place, objects};

const PAGE: &str = "<body><a href=/>Home of all</a><p>One two three four five, six.</p><a href=/>Home of all</a></body>";

/// Two pages with gold texts, of which the paragraphs are.
fn place() -> Place {
    let place = Place::empty();
    for name in ["a", "b,c"] {
        place.write(&format!("html/{name}.html"), PAGE);
        place.write(&format!("gold/{name}.txt"), "One two three four five, six.");
    }
    place
}

/// The value of a column in each row of a CSV file without quoted cells.
fn column(csv: &str, name: &str) -> Vec<String> {
    let mut rows = csv.lines().map(|line| line.split(',').map(str::to_owned));
    let place = rows.next().unwrap().position(|of| of == name).unwrap();
    rows.map(|mut row| row.nth(place).unwrap()).collect()
}

#[test]
fn features_of_pages() {
    let place = place();
    let csv = place
        .check("features html/a.html", 0, "docid,block,curr_h1", "")
        .out;
    assert_eq!(column(&csv, "block"), ["0", "1", "2"]);
    assert_eq!(column(&csv, "curr_num_words"), ["3", "6", "3"]);
    assert_eq!(column(&csv, "curr_link_density"), ["1", "0", "1"]);
    assert_eq!(column(&csv, "curr_frequency"), ["2", "1", "2"]);
    // In the whole input, in which a docid with a comma is quoted.
    let both = place.check("features html", 0, "\n\"b,c\",0,", "").out;
    assert_eq!(both.lines().count(), 7);
    assert!(both.lines().nth(1).unwrap().ends_with(",4,0,2"), "{both}");
    let json = place
        .check(
            "features --set web2text --format json html/a.html",
            0,
            "*",
            "",
        )
        .out;
    let rows = objects(&json);
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[1]["b4_has_word"], 1.0);
    assert_eq!(rows[1].as_object().unwrap().len(), 128 + 2);
    let edges = place
        .check("features --set web2text-edges html/a.html", 0, "e25_", "")
        .out;
    assert_eq!(column(&edges, "e5_line_break"), ["1", "1"]);
    place.check(
        "features --set smell html/a.html",
        2,
        "",
        "no set of features is called 'smell'",
    );
    place.check("features -", 2, "*", "standard input can be read only once");
    place.check("features", 2, "", "Usage:");
}

#[test]
fn features_with_gold_labels() {
    let place = place();
    let line = "features --gold gold --gold-format text";
    let json = place
        .check(&format!("{line} --format json"), 0, "*", "")
        .out;
    let labels: Vec<_> = objects(&json)
        .iter()
        .map(|row| row["label"].clone())
        .collect();
    let page = ["boilerplate", "content", "boilerplate"];
    assert_eq!(labels, [page, page].concat());
    assert!(
        place
            .check(line, 0, "*", "")
            .out
            .starts_with("docid,block,label,curr_h1")
    );
    place.check(&format!("{line} html"), 2, "", "cannot be used with");
    place.check("features --gold gold html", 2, "", "--gold-format");
}

/// What `train web2text` writes is what `extract` takes; a line of progress for each look at the pages for validation.
#[test]
fn training_networks() {
    let place = place();
    place.write("html/c.html", PAGE.replace("five", "5"));
    place.write("gold/c.txt", "One two three four 5, six.");
    place.write("more/html/d.html", PAGE.replace("five", "fünf"));
    place.write("more/gold/d.txt", "One two three four fünf, six.");
    let line = "train web2text --gold gold --gold more/gold --format text --charset utf-8 --iterations 20 --validation 1 --output model";
    // Two of the four pages are the same.
    let done = place.check(
        line,
        0,
        "*",
        "model: 2 networks of 31156 weights on 2 pages of text",
    );
    assert_eq!(done.out, "");
    assert!(
        done.err.contains("unary: step 20, cross-entropy: training"),
        "{}",
        done.err
    );
    let model = std::fs::read(place.path("model")).unwrap();
    let manifest = std::fs::read_to_string(place.path("model.manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["training"]["pages"], 2);
    assert_eq!(manifest["options"]["iterations"], 20);
    let mut names: Vec<&str> = ["training", "validation", "held_out"]
        .iter()
        .flat_map(|part| manifest[part]["names"].as_str().unwrap().split_whitespace())
        .collect();
    names.sort_unstable();
    assert!(
        names[0].ends_with("/a") && names[2] == "more/d",
        "{names:?}"
    );
    place.check(
        "extract --extractor web2text:model=model html/a.html",
        0,
        "*",
        "",
    );
    place.check(&line.replace("output model", "output again"), 0, "*", "*");
    // Not assert_eq, which would print all weights.
    assert!(std::fs::read(place.path("again")).unwrap() == model);
    let piped = place.check(
        &line.replace("output model", "output -"),
        0,
        "{\"model\":\"web2text\"",
        "*",
    );
    assert!(piped.out.as_bytes() == model);
    for (more, why) in [
        ("--held-out 3", "none is left for training"),
        ("--pages html", "once for each --gold"),
        ("--dropout 1", "dropout is from 0"),
        ("--learning-rate NaN", "learning rate"),
    ] {
        place.check(&format!("{line} {more}"), 2, "", why);
    }
    place.check(
        "extract --extractor web2text:model=html/a.html html",
        2,
        "",
        "trommel train web2text --gold DIR",
    );
}

/// What `train tree` writes is what `extract` takes; the rules go to standard output, what was learnt to standard error.
#[test]
fn training_a_tree() {
    let place = place();
    let line = "train tree --gold gold --format text --min-leaf 3 --pruning-parts 0 --output model";
    let rules = "curr_num_words <= 3: BOILERPLATE (12.0)\ncurr_num_words > 3: CONTENT (12.0)\n";
    let done = place.check(line, 0, rules, "model: 2 leaves on 2 pages of text");
    assert_eq!(done.out, rules);
    let text = place
        .check("extract --extractor tree:model html/a.html", 0, "*", "")
        .out;
    assert_eq!(text.trim(), "One two three four five, six.");
    let again = std::fs::read(place.path("model")).unwrap();
    place.check(line, 0, rules, "*");
    assert_eq!(std::fs::read(place.path("model")).unwrap(), again);
    let piped = place.check(
        &line.replace("--output model", "--output -"),
        0,
        "{\"model\":\"tree\"",
        "*",
    );
    assert!(!piped.out.contains("BOILERPLATE"));
    place.check(
        &format!("{line} --features smell"),
        2,
        "",
        "cannot look at 'smell'",
    );
    place.check(&format!("{line} --classes 3"), 2, "", "of 2 and of 4");
    place.check(
        &line.replace("--min-leaf 3", "--min-leaf 0"),
        2,
        "",
        "1 word or more",
    );
    place.check("train", 2, "", "Usage:");
    place.check(
        "extract --extractor tree html/a.html",
        2,
        "",
        "write tree:MODEL\nhint: make one with 'trommel train tree --gold DIR",
    );
    place.check(
        "extract --extractor tree:none html/a.html",
        2,
        "",
        "trommel train tree --gold DIR",
    );
}
