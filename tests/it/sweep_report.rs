//! Reports of a sweep.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

use trommel::experiment::sweep::{
    Chosen, Measured, Point, Reference, Swept, SweptLine, SweptTopic,
};
use trommel::report::sweep::{Width, diagrams, html, markdown, plot, summary, table};
use trommel::text::SplitMix64;

const MODELS: [&str; 2] = ["bm25:k1=0.9,b=0.4", "qld:mu=1000"];
const MEASURES: [&str; 4] = ["P@10", "nDCG@10", "AP", "Judged@10"];
const HOSTILE: &str = "<script>alert(\"x\")</script> & 'a' \u{1} ]]> --> </title>";

fn tenths(score: f64) -> f64 {
    (score * 10.0).round() / 10.0
}

fn of_scores(filter: String, scores: Vec<Vec<f64>>) -> Measured {
    let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len().max(1) as f64;
    // About what a bootstrap gives, at once.
    let interval = |scores: &Vec<f64>| {
        let (n, mean) = (scores.len().max(1) as f64, mean(scores));
        let squares: f64 = scores.iter().map(|score| (score - mean).powi(2)).sum();
        let half = 1.96 * squares.sqrt() / n;
        [(mean - half).max(0.0), mean + half]
    };
    Measured {
        means: scores.iter().map(|it| mean(it)).collect(),
        intervals: scores.iter().map(interval).collect(),
        scores,
        filter,
        weights: String::new(),
    }
}

/// A sweep as large as a real one, its scores a random walk: they rise and fall along a series, and topics differ.
struct Walk(SplitMix64);

impl Walk {
    /// A number from -1 to 1.
    fn next(&mut self) -> f64 {
        self.0.below(2_000_001) as f64 / 1e6 - 1.0
    }

    fn measured(&mut self, filter: String, bases: &[Vec<f64>], shift: f64) -> Measured {
        // The first measure has tenths, as P@10 does, so that there are ties.
        let score = |base: f64, measure: usize, walk: &mut Walk| {
            let score = (base + shift + 0.04 * walk.next()).clamp(0.0, 1.0);
            if measure == 0 { tenths(score) } else { score }
        };
        let scores: Vec<Vec<f64>> = (0..)
            .zip(bases)
            .map(|(measure, bases)| {
                bases
                    .iter()
                    .map(|&base| score(base, measure, self))
                    .collect()
            })
            .collect();
        of_scores(filter, scores)
    }

    fn line(
        &mut self,
        dimension: &str,
        steps: usize,
        model: &str,
        bases: &[Vec<f64>],
    ) -> SweptLine {
        let mut drift = 0.0;
        let points: Vec<Point> = (1..=steps)
            .map(|step| {
                let x = step as f64 / steps as f64;
                drift += 0.004 * self.next();
                let shift = 0.22 * (1.0 - (-14.0 * x).exp()) - 0.3 * (x - 0.75).max(0.0) + drift;
                let own: Vec<Vec<f64>> = bases
                    .iter()
                    .map(|scores| {
                        scores
                            .iter()
                            .enumerate()
                            .map(|(i, s)| s + shift * ((i * 7 % 5) as f64 - 0.6) / 2.0)
                            .collect()
                    })
                    .collect();
                Point {
                    threshold: step.to_string(),
                    x: step as f64,
                    result: self.measured(format!("{dimension}={step}"), &own, 0.0),
                }
            })
            .collect();
        let chosen = (0..bases.len())
            .filter(|_| !points.is_empty())
            .map(|measure| {
                let at = steps / 3;
                let result = &points[at].result;
                let first = &bases[measure];
                let n = first.len().max(1) as f64;
                Chosen {
                    thresholds: (0..5).map(|fold| (at + 1 + fold / 3).to_string()).collect(),
                    mean: result.means[measure],
                    difference: result.means[measure] - first.iter().sum::<f64>() / n,
                    p: 0.0003
                        * (1 + measure) as f64
                        * if dimension == "min-words" { 0.1 } else { 90.0 },
                    scores: result.scores[measure].clone(),
                }
            })
            .collect();
        SweptLine {
            dimension: dimension.to_owned(),
            base: String::new(),
            model: model.to_owned(),
            points,
            chosen,
        }
    }
}

fn swept(topics: usize, series: &[(&str, usize)], measures: &[&str]) -> Swept {
    let words = [
        "march", "of", "the", "penguins", "larry", "summers", "oprah", "basque", "drought",
        "qualcomm", "iran",
    ];
    let mut walk = Walk(SplitMix64::new(7));
    let mut swept = Swept {
        title: "Blog search without boilerplate".to_owned(),
        about: "Title queries over the permalinks of a blog crawl; a page is searched by the blocks that pass the filter. \
                Grades 1 to 4 count as relevant."
            .to_owned(),
        facts: [
            ("program", "trommel 0.1.0"),
            ("index", "blogs06: 3,215,171 pages, 91,002,114 blocks, segmenter boilerpipe, analyzer english"),
            ("topics", "topics.851-900.txt"),
            ("qrels", "qrels.blog06, grades 1..4=1"),
            ("statistics", "of the blocks that pass (subset)"),
            ("depth", "1000"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec(),
        measures: measures.iter().map(|&name| name.to_owned()).collect(),
        topics: (0..topics)
            .map(|i| SweptTopic {
                id: (851 + i).to_string(),
                query: match i {
                    3 => HOSTILE.to_owned(),
                    _ => (0..1 + i % 4).map(|j| words[(i * 3 + j) % words.len()]).collect::<Vec<_>>().join(" "),
                },
            })
            .collect(),
        ..Swept::default()
    };
    for (number, model) in MODELS.iter().enumerate() {
        let level = 0.19 + 0.03 * number as f64;
        let bases: Vec<Vec<f64>> = (0..measures.len())
            .map(|measure| {
                let level = level
                    + if measure == 3 {
                        0.55
                    } else {
                        -0.04 * measure as f64
                    };
                (0..topics)
                    .map(|_| (level * (1.0 + walk.next())).clamp(0.0, 1.0))
                    .map(|score| if measure == 0 { tenths(score) } else { score })
                    .collect()
            })
            .collect();
        for (name, shift) in [
            ("unfiltered", 0.0),
            ("boilerpipe-article", 0.115),
            ("bte", 0.12),
        ] {
            let result = match name {
                "unfiltered" => of_scores(name.to_owned(), bases.clone()),
                _ => walk.measured(format!("extractor={name}"), &bases, shift),
            };
            swept.references.push(Reference {
                name: name.to_owned(),
                model: (*model).to_owned(),
                result,
            });
        }
        for (dimension, steps) in series {
            swept
                .lines
                .push(walk.line(dimension, *steps, model, &bases));
        }
    }
    swept
}

/// Five lines of each model, which a second threshold tells apart.
fn grid() -> Swept {
    let mut swept = swept(34, &[("min-words", 15); 5], &["P@10"]);
    for (number, line) in swept.lines.iter_mut().enumerate() {
        line.base = format!("min-density={}", number % 5 + 1);
    }
    swept
}

fn usual() -> Swept {
    swept(34, &[("min-words", 100), ("min-density", 20)], &MEASURES)
}

/// Sweeps that nobody means to make, and all of which must give a report.
fn odd() -> Vec<(&'static str, Swept)> {
    let series: &[(&str, usize)] = &[("min-words", 12), ("max-link-density", 3)];
    let mut broken = swept(5, series, &MEASURES);
    for line in &mut broken.lines {
        line.chosen.truncate(1);
        line.points[1].x = f64::NAN;
        line.points[2].result.means = vec![f64::NAN, f64::INFINITY];
        line.points[0].result = Measured::default();
    }
    broken.references.truncate(2);
    vec![
        ("nothing", Swept::default()),
        ("no lines", swept(4, &[], &MEASURES)),
        ("no points", swept(4, &[("min-words", 0)], &MEASURES)),
        ("no topics", swept(0, series, &MEASURES)),
        ("no qrels", swept(4, series, &[])),
        ("one point", swept(34, &[("min-words", 1)], &MEASURES)),
        ("one topic", swept(1, series, &MEASURES)),
        ("only judged", swept(4, series, &["Judged@10"])),
        ("broken", broken),
    ]
}

/// Every threshold has its row, and references stand above them.
#[test]
fn terminal_table() {
    let swept = usual();
    let text = table(&swept);
    let blocks: Vec<&str> = text.split("\n\n").collect();
    assert_eq!(blocks.len(), 5);
    let rows: Vec<&str> = blocks[0].lines().collect();
    assert_eq!(rows.len(), 2 + 3 + 100);
    assert_eq!(rows[0], "min-words, bm25:k1=0.9,b=0.4: means of 34 topics");
    assert!(
        rows[1].starts_with("min-words ")
            && rows[1].ends_with("P@10   nDCG@10      AP   Judged@10")
    );
    assert!(
        rows[2].starts_with("unfiltered ")
            && rows[4].starts_with("bte ")
            && rows[5].starts_with("1 ")
    );
    let widest = rows.iter().map(|row| row.chars().count()).max();
    assert!(widest < Some(80));
    // One star for each measure but Judged@10, where the mean is highest.
    let means = |measure: usize| {
        swept.lines[0]
            .points
            .iter()
            .map(move |it| it.result.means[measure])
    };
    for (measure, highest) in (0..3).map(|m| (m, means(m).fold(0.0, f64::max))) {
        let (row, point) = rows[5..]
            .iter()
            .zip(&swept.lines[0].points)
            .find(|(_, it)| it.result.means[measure] == highest)
            .unwrap();
        assert!(
            row.split_whitespace()
                .any(|cell| cell == format!("{:.3}*", point.result.means[measure])),
            "{row}"
        );
    }
    assert_eq!(blocks[0].matches('*').count(), 3);
}

#[test]
fn summaries() {
    let mut swept = usual();
    swept.lines.truncate(1);
    swept.measures.truncate(1);
    let line = &mut swept.lines[0];
    for point in &mut line.points {
        point.result.means = vec![if point.x == 7.0 || point.x == 9.0 {
            0.5
        } else {
            0.25
        }];
    }
    line.chosen = vec![Chosen {
        thresholds: ["9", "10", "9", "9"].map(str::to_owned).to_vec(),
        mean: 0.44,
        difference: 0.26,
        p: 0.00001,
        scores: vec![0.44; 34],
    }];
    swept.references[0].result.means = vec![0.18];
    let lines = summary(&swept);
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(
        lines[0],
        "With the threshold chosen by cross-validation (9 ×3, 10 ×1), P@10 goes from 0.180 without a filter to 0.440 (+0.260; p \
         <.0001) over 34 topics."
    );
    let row: Vec<&str> = lines[3]
        .split("  ")
        .filter(|cell| !cell.is_empty())
        .map(str::trim)
        .collect();
    assert_eq!(
        row,
        [
            "min-words, bm25:k1=0.9,b=0.4",
            "P@10",
            "0.180",
            "0.440",
            "9 ×3, 10 ×1",
            "+0.260",
            "<.0001",
            "<.0001",
            "0.500 at 7 and 9, best of 100"
        ]
    );
    assert!(lines[6].contains("no estimate"));
}

#[test]
fn odd_sweeps_have_text() {
    for (name, swept) in odd() {
        for text in [table(&swept), summary(&swept), markdown(&swept, &[])] {
            assert!(!text.trim().is_empty(), "{name}");
            assert!(
                !text.contains("NaN") && !text.contains("inf"),
                "{name}: {text}"
            );
        }
    }
    let none = swept(4, &[("min-words", 5)], &[]);
    assert!(summary(&none).contains("qrels") && table(&none).contains("qrels"));
}

/// An element as it was opened.
#[derive(Debug)]
struct Element {
    name: String,
    attributes: HashMap<String, String>,
}

/// Takes the tokens of markup in which every element is closed, as XML wants it, but for the few that HTML never closes.
#[derive(Default)]
struct Markup {
    elements: RefCell<Vec<Element>>,
    open: RefCell<Vec<String>>,
    text: RefCell<String>,
}

impl TokenSink for Markup {
    type Handle = ();

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<()> {
        match token {
            Token::TagToken(tag) => {
                let name = tag.name.to_string();
                match tag.kind {
                    TagKind::EndTag => assert_eq!(
                        self.open.borrow_mut().pop().as_ref(),
                        Some(&name),
                        "line {line}"
                    ),
                    TagKind::StartTag => {
                        if !tag.self_closing && name != "meta" {
                            self.open.borrow_mut().push(name.clone());
                        }
                        let pair = |it: &html5ever::Attribute| {
                            (it.name.local.to_string(), it.value.to_string())
                        };
                        let attributes = tag.attrs.iter().map(pair).collect();
                        self.elements.borrow_mut().push(Element {
                            name: name.clone(),
                            attributes,
                        });
                        match name.as_str() {
                            "script" => return TokenSinkResult::RawData(RawKind::ScriptData),
                            "style" => return TokenSinkResult::RawData(RawKind::Rawtext),
                            "title" if self.open.borrow().len() == 3 => {
                                return TokenSinkResult::RawData(RawKind::Rcdata);
                            }
                            _ => {}
                        }
                    }
                }
            }
            Token::CharacterTokens(text) => *self.text.borrow_mut() += &text,
            Token::NullCharacterToken | Token::ParseError(_) => panic!("line {line}: {token:?}"),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

/// The elements and all text of well-formed markup without numbers that are none.
fn parsed(markup: &str) -> (Vec<Element>, String) {
    let input = BufferQueue::default();
    input.push_back(StrTendril::from(markup));
    let options = TokenizerOpts {
        exact_errors: true,
        ..TokenizerOpts::default()
    };
    let tokenizer = Tokenizer::new(Markup::default(), options);
    let _ = tokenizer.feed(&input);
    tokenizer.end();
    let Markup {
        elements,
        open,
        text,
    } = tokenizer.sink;
    assert!(open.borrow().is_empty(), "{open:?}");
    for element in elements.borrow().iter() {
        for (name, value) in element
            .attributes
            .iter()
            .filter(|it| !["title", "aria-label"].contains(&it.0.as_str()))
        {
            assert!(
                !value.contains("NaN") && !value.contains("inf"),
                "{} {name}={value}",
                element.name
            );
        }
    }
    let odd = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    assert!(!markup.contains(odd));
    (elements.into_inner(), text.into_inner())
}

/// Every place in an SVG lies in it, and labels on the right do not lie on each other.
#[track_caller]
fn check_svg(svg: &str) {
    let (elements, _) = parsed(svg);
    let number = |element: &Element, name: &str| {
        element
            .attributes
            .get(name)
            .and_then(|it| it.parse::<f64>().ok())
    };
    let (width, height) = (
        number(&elements[0], "width").unwrap(),
        number(&elements[0], "height").unwrap(),
    );
    assert!(elements[0].attributes["viewbox"] == format!("0 0 {width} {height}"));
    for element in &elements {
        let points = element
            .attributes
            .get("points")
            .into_iter()
            .flat_map(|points| points.split(' '));
        let pairs = points
            .filter_map(|pair| pair.split_once(','))
            .map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap()));
        for (x, y) in pairs.chain(number(element, "x").zip(number(element, "y"))) {
            assert!(
                (0.0..=width).contains(&x) && (0.0..=height).contains(&y),
                "{element:?}"
            );
        }
    }
    let labels = elements
        .iter()
        .filter(|it| it.name == "text" && it.attributes["class"].starts_with('f'));
    let mut labels: Vec<f64> = labels.filter_map(|it| number(it, "y")).collect();
    labels.sort_by(f64::total_cmp);
    assert!(
        labels.windows(2).all(|pair| pair[1] - pair[0] > 11.9),
        "{labels:?}"
    );
}

/// Links lead somewhere, ids are given once, nothing is loaded, no text became markup.
#[track_caller]
fn check_page(html: &str) -> (Vec<Element>, String) {
    let (elements, text) = parsed(html);
    let mut ids = HashSet::new();
    for id in elements.iter().filter_map(|it| it.attributes.get("id")) {
        assert!(ids.insert(id.as_str()), "{id} twice");
    }
    for element in &elements {
        for (name, value) in &element.attributes {
            assert!(
                !["src", "srcset", "onload", "onclick", "data"].contains(&name.as_str()),
                "{element:?}"
            );
            assert!(name != "href" || ids.contains(&value[1..]), "{value}");
        }
        assert!(
            !["link", "img", "iframe", "base", "b"].contains(&element.name.as_str()),
            "{element:?}"
        );
    }
    let scripts = elements.iter().filter(|it| it.name == "script").count();
    assert!(scripts == 0 || scripts == 2);
    assert!(
        !html.contains("url(")
            && !html.contains("@import")
            && !html
                .replace("http://www.w3.org/2000/svg", "")
                .contains("http")
    );
    (elements, text)
}

#[test]
fn a_diagram_for_each_dimension_and_measure() {
    let swept = usual();
    let all = diagrams(&swept);
    let files: Vec<&str> = all.iter().map(|it| it.file.as_str()).collect();
    let expected = [
        "min-words-p-10",
        "min-words-ndcg-10",
        "min-words-ap",
        "min-density-p-10",
        "min-density-ndcg-10",
        "min-density-ap",
    ];
    assert_eq!(files, expected);
    for diagram in &all {
        for width in [Width::Wide, Width::Narrow] {
            let svg = plot(&swept, diagram, width);
            check_svg(&svg);
            let (elements, text) = parsed(&svg);
            let count = |name: &str, class: &str| {
                elements
                    .iter()
                    .filter(|it| {
                        it.name == name && it.attributes.get("class").is_some_and(|it| it == class)
                    })
                    .count()
            };
            assert_eq!(count("polygon", "f0") + count("polygon", "f1"), 2);
            assert_eq!(
                count("g", "stop"),
                if diagram.dimension == "min-words" {
                    100
                } else {
                    20
                }
            );
            assert!(
                text.contains("Judged@10")
                    && text.contains("34 topics")
                    && text.contains("unfiltered")
                    && text.contains("qld:mu=1000")
            );
        }
    }
}

/// Many lines have a diagram for each model, and files of their own.
#[test]
fn many_lines_are_parted_by_model() {
    let swept = grid();
    let all = diagrams(&swept);
    let files: Vec<&str> = all.iter().map(|it| it.file.as_str()).collect();
    assert_eq!(
        files,
        [
            "min-words-p-10-bm25-k1-0-9-b-0-4",
            "min-words-p-10-qld-mu-1000"
        ]
    );
    for diagram in &all {
        assert_eq!(diagram.lines.len(), 5);
        let svg = plot(&swept, diagram, Width::Wide);
        check_svg(&svg);
        assert!(!svg.contains("polygon") && svg.contains("min-density=5"));
    }
}

/// Every topic has a bar in every line and measure, which leads to its row, and the row back.
#[test]
fn topics_are_linked() {
    let swept = usual();
    let (elements, text) = check_page(&html(&swept));
    let links: HashSet<(&str, &str)> = elements
        .iter()
        .filter_map(|it| it.attributes.get("href"))
        .filter_map(|it| it[1..].split_once('-'))
        .collect();
    for line in 0..4 {
        for measure in 0..3 {
            for topic in 0..34 {
                let place = format!("{line}-{measure}-{topic}");
                assert!(
                    links.contains(&("t", &place)) && links.contains(&("b", &place)),
                    "{place}"
                );
            }
        }
    }
    assert_eq!(links.len(), 2 * 4 * 3 * 34);
    assert!(
        text.contains("34 topics")
            && text.contains("bootstrap")
            && text.contains("Judged@10 is the share")
    );
    // The numbers of one topic: what the bar says is what was given.
    let [score, plain] = [
        swept.lines[0].chosen[1].scores[3],
        swept.references[0].result.scores[1][3],
    ];
    let bar = elements
        .iter()
        .find(|it| it.attributes.get("id").is_some_and(|id| id == "b-0-1-3"))
        .unwrap();
    let said = format!(
        "854 {HOSTILE}: {score:.3}, unfiltered {plain:.3} ({:+.3})",
        score - plain
    );
    assert_eq!(bar.attributes["title"], said.replace('\u{1}', "\u{fffd}"));
}

/// Bars stand by their differences, best first.
#[test]
fn bars_are_sorted() {
    let (elements, _) = parsed(&html(&usual()));
    let bars: Vec<&Element> = elements
        .iter()
        .filter(|it| {
            it.attributes
                .get("id")
                .is_some_and(|id| id.starts_with("b-0-0-"))
        })
        .collect();
    let heights: Vec<f64> = bars
        .iter()
        .map(|it| it.attributes["style"][4..].parse().unwrap())
        .collect();
    assert!(
        heights.len() == 34 && heights.is_sorted_by(|a, b| a >= b),
        "{heights:?}"
    );
    for (bar, height) in bars.iter().zip(heights) {
        let class = if height > 0.0 { "up" } else { "down" };
        assert!(height == 0.0 || bar.attributes["class"] == class);
    }
}

/// Whatever stands in names and texts stays text.
#[test]
fn hostile_texts_are_escaped() {
    let mut swept = swept(4, &[("min-words", 3)], &MEASURES);
    let hostile = || HOSTILE.to_owned();
    (swept.title, swept.about, swept.facts) = (hostile(), hostile(), vec![(hostile(), hostile())]);
    swept.measures[0] = hostile();
    for topic in &mut swept.topics {
        (topic.id, topic.query) = (hostile(), hostile());
    }
    for line in &mut swept.lines {
        (line.dimension, line.base, line.model) = (hostile(), hostile(), hostile());
        line.points[0].threshold = hostile();
        line.chosen[0].thresholds = vec![hostile()];
    }
    for reference in &mut swept.references {
        reference.model = hostile();
    }
    let (_, text) = check_page(&html(&swept));
    assert!(text.contains(&HOSTILE.replace('\u{1}', "\u{fffd}")));
    for diagram in diagrams(&swept) {
        check_svg(&plot(&swept, &diagram, Width::Wide));
        assert!(
            diagram
                .file
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '-'),
            "{}",
            diagram.file
        );
    }
}

#[test]
fn odd_sweeps_have_pages() {
    for (name, swept) in odd() {
        println!("{name}");
        check_page(&html(&swept));
        for diagram in diagrams(&swept) {
            for width in [Width::Wide, Width::Narrow] {
                check_svg(&plot(&swept, &diagram, width));
            }
        }
    }
    let (_, text) = check_page(&html(&swept(4, &[("min-words", 5)], &[])));
    assert!(
        text.contains("Without relevance judgments (qrels)")
            && text.contains("min-words, bm25:k1=0.9,b=0.4: 5 thresholds, 1 to 5")
    );
}

/// Writes everything to look at.
#[test]
#[ignore = "for people: writes files"]
fn written_to_look_at() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sweep");
    fs::create_dir_all(&folder).unwrap();
    let large = swept(150, &[("max-link-density", 10)], &MEASURES);
    let swept = usual();
    let text = format!("{}\n{}", table(&swept), summary(&swept));
    fs::write(folder.join("sweep.txt"), text).unwrap();
    fs::write(folder.join("sweep.md"), markdown(&swept, &[])).unwrap();
    fs::write(folder.join("sweep.html"), html(&swept)).unwrap();
    for diagram in diagrams(&swept) {
        for (width, name) in [(Width::Wide, "wide"), (Width::Narrow, "narrow")] {
            let file = folder.join(format!("{}-{name}.svg", diagram.file));
            fs::write(file, plot(&swept, &diagram, width)).unwrap();
        }
    }
    for (name, swept) in odd()
        .into_iter()
        .chain([("grid", grid()), ("large", large)])
    {
        fs::write(
            folder.join(format!("{}.html", name.replace(' ', "-"))),
            html(&swept),
        )
        .unwrap();
    }
    println!("{}", folder.display());
}
