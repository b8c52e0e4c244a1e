//! Reports of a sweep.

use std::fs;
use std::path::Path;

use trommel::experiment::sweep::{
    Chosen, Measured, Point, Reference, Swept, SweptLine, SweptTopic,
};
use trommel::measure::significance::{SplitMix64, bootstrap};
use trommel::report::sweep::{markdown, summary, table};

const MODELS: [&str; 2] = ["bm25:k1=0.9,b=0.4", "qld:mu=1000"];
const MEASURES: [&str; 4] = ["P@10", "nDCG@10", "AP", "Judged@10"];
const HOSTILE: &str = "<script>alert(\"x\")</script> & 'a' \u{1} ]]> --> </title>";

/// A sweep as large as a real one, its scores a random walk: they rise and fall along a series, and topics differ.
struct Walk(SplitMix64);

impl Walk {
    /// A number from -1 to 1.
    fn next(&mut self) -> f64 {
        self.0.below(2_000_001) as f64 / 1e6 - 1.0
    }

    fn measured(&mut self, filter: String, bases: &[Vec<f64>], shift: f64) -> Measured {
        let score =
            |base: f64, walk: &mut Walk| (base + shift + 0.04 * walk.next()).clamp(0.0, 1.0);
        let scores: Vec<Vec<f64>> = bases
            .iter()
            .map(|bases| bases.iter().map(|&base| score(base, self)).collect())
            .collect();
        let mean = |of: &mut dyn Iterator<Item = f64>, n: usize| of.sum::<f64>() / n.max(1) as f64;
        let interval = |scores: &Vec<f64>| {
            let n = scores.len();
            let ends = bootstrap(n, 0.95, 1, |drawn| {
                mean(&mut drawn.iter().map(|&i| scores[i]), n)
            });
            [*ends.start(), *ends.end()]
        };
        Measured {
            means: scores
                .iter()
                .map(|it| mean(&mut it.iter().copied(), it.len()))
                .collect(),
            intervals: scores.iter().map(interval).collect(),
            scores,
            filter,
        }
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
                    .collect()
            })
            .collect();
        for (name, shift) in [
            ("unfiltered", 0.0),
            ("boilerpipe-article", 0.115),
            ("bte", 0.12),
        ] {
            let result = match name {
                "unfiltered" => {
                    let mut plain = walk.measured(name.to_owned(), &bases, 0.0);
                    plain.scores = bases.clone();
                    plain
                }
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
    assert!(lines[5].contains("no estimate"));
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

/// Writes everything to look at.
#[test]
#[ignore = "for people: writes files"]
fn written_to_look_at() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sweep");
    fs::create_dir_all(&folder).unwrap();
    let swept = usual();
    let text = format!("{}\n{}", table(&swept), summary(&swept));
    fs::write(folder.join("sweep.txt"), text).unwrap();
    fs::write(folder.join("sweep.md"), markdown(&swept, &[])).unwrap();
    println!("{}", folder.display());
}
