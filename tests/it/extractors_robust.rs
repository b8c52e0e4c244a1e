//! Every segmenter and every extractor on pages that nobody meant to be read: real ones, damaged ones, and such as are made
//! to be as long, as deep or as monotonous as can be.
//!
//! `cargo test --test it report_growth -- --ignored --nocapture` prints how their time grows with the page.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use trommel::extractor::{self, Extractor, Subject, TrainingPages};
use trommel::html::segment::{self, Segmenter};
use trommel::html::{self, Charset, Limits};
use trommel::page::Page;

use crate::extractors_tree::small;
use crate::support::{Random, shared};

const CORPORA: [&str; 5] = [
    "gn1",
    "cleaneval",
    "cleaneval-dev",
    "cleanportaleval",
    "dragnet",
];
const DOCID: &str = "page";
/// Of the site that the models were learnt from.
const URL: &str = "http://www.example.org/page";
/// What outputs of other tools are like.
const OUTPUTS: [&str; 6] = ["same", "other", "empty", "huge", "shuffled", "none"];

fn parsed(html: &[u8]) -> Page {
    html::parse(html, Charset::Auto, None, &Limits::default())
}

/// A page of a site: menu, an article of its own, a comment.
fn of_site(number: usize) -> String {
    let sentence = |n: usize| {
        format!("The word{number}x{n} of this is what they were to be in it and that was it. ")
    };
    let paragraph = |from: usize| {
        format!(
            "<p>{}</p>",
            (from..from + 5).map(sentence).collect::<String>()
        )
    };
    format!(
        "<title>Page {number}</title><body><div class=menu><a href=/>Home</a> <a href=/news>News</a></div>\
         <div id=post-{number} class=entry><h1>Heading {number}</h1>{}{}</div>\
         <div class=share>Share</div><div class=comment>{}</div>",
        paragraph(0),
        paragraph(10),
        paragraph(20)
    )
}

/// What each learner learns from pages, written to a folder.
fn models(folder: &Path, pages: &[Page]) -> Vec<PathBuf> {
    let learnt = |name: &str| {
        let mut learner = extractor::learner(name).unwrap();
        for (number, page) in pages.iter().enumerate() {
            learner.add(&Subject::new(page, &number.to_string(), URL));
        }
        learner.finish().unwrap()
    };
    let rows = extractor::learners().iter();
    rows.map(|row| {
        let model = learnt(row.name);
        assert_eq!(model, learnt(row.name), "{}", row.name);
        let path = folder.join(row.name);
        fs::write(&path, model).unwrap();
        path
    })
    .collect()
}

/// Every extractor, with models and outputs where it needs some.
struct All {
    folder: TempDir,
    extractors: Vec<Extractor>,
}

impl All {
    fn new(learnt_from: &[Page]) -> All {
        let folder = TempDir::new().unwrap();
        let mut extractors = extractor::all_of_page();
        for (row, path) in extractor::learners()
            .iter()
            .zip(models(folder.path(), learnt_from))
        {
            let spec = format!("{}:{}", row.name, path.display());
            extractors.push(extractor::parse(&spec).unwrap());
        }
        let path = folder.path().join("tree");
        fs::write(&path, small().write("", &TrainingPages::default()).unwrap()).unwrap();
        extractors.push(extractor::parse(&format!("tree:{}", path.display())).unwrap());
        for name in OUTPUTS {
            let path = folder.path().join(name);
            fs::create_dir(&path).unwrap();
            let spec = format!("external:{name}={}", path.display());
            extractors.push(extractor::parse(&spec).unwrap());
        }
        for row in extractor::all() {
            assert!(
                extractors.iter().any(|l| l.row.name == row.name),
                "{} is not tested",
                row.name
            );
        }
        All { folder, extractors }
    }

    /// Outputs for a page.
    fn write_outputs(&self, page: &Page, random: &mut Random) {
        let write = |name: &str, text: &str| {
            let path = self.folder.path().join(name).join(format!("{DOCID}.txt"));
            fs::write(path, text).unwrap();
        };
        write("same", &page.text);
        write("other", &parsed(of_site(99).as_bytes()).text);
        write("empty", "");
        let times = (1 << 18) / page.text.len().max(1);
        write("huge", &page.text.repeat(times.clamp(2, 20)));
        let mut words: Vec<&str> = page.text.split_inclusive(' ').collect();
        random.shuffle(&mut words);
        write("shuffled", &words.concat());
    }
}

/// On which segmenters an extractor's labels are asked for. Those of other tools' outputs cost an alignment each time, and go
/// to blocks as all others do: its own and the first are enough for them.
fn targets(extractor: &Extractor) -> impl Iterator<Item = &'static Segmenter> {
    let aligns = extractor.row.name == "external";
    segment::all()
        .iter()
        .enumerate()
        .filter(move |(at, row)| !aligns || *at == 0 || row.name == "leaf")
        .map(|(_, row)| row)
}

#[track_caller]
fn check(all: &All, name: &str, html: &[u8]) {
    let page = parsed(html);
    let mut random = Random::new(html.len() as u64);
    all.write_outputs(&page, &mut random);
    for segmenter in segment::all() {
        let blocks = (segmenter.segment)(&page);
        let told = blocks.block_of_leaf.len();
        assert_eq!(told, page.leaves.len(), "{name}: {}", segmenter.name);
        let count = blocks.blocks.len() as u32;
        let inside = blocks.block_of_leaf.iter().flatten();
        assert!(inside.max().is_none_or(|most| *most < count), "{name}");
        for block in &blocks.blocks {
            assert!(block.num_words <= block.num_tokens, "{name}: {block:?}");
            let unit = block.num_units(segmenter.unit);
            assert!(block.num_linked_words <= unit, "{name}: {block:?}");
            assert!(block.num_words_in_full_lines <= unit, "{name}: {block:?}");
        }
    }
    let mut alone = Vec::new();
    for extractor in &all.extractors {
        let subject = Subject::new(&page, DOCID, URL);
        for segmenter in targets(extractor) {
            let labels = extractor.labels(&subject, segmenter);
            let blocks = subject.blocks(segmenter).blocks.len();
            assert_eq!(labels.len(), blocks, "{name}: {extractor:?}");
            alone.push((extractor, segmenter, labels));
        }
    }
    // One page for all extractors, in another order.
    let shared = Subject::new(&page, DOCID, URL);
    random.shuffle(&mut alone);
    let (aligned, others): (Vec<_>, Vec<_>) = alone
        .into_iter()
        .partition(|(extractor, ..)| extractor.row.name == "external");
    for (extractor, segmenter, labels) in others.iter().chain(aligned.iter().take(2)) {
        assert!(
            extractor.labels(&shared, segmenter) == *labels,
            "{name}: {extractor:?}"
        );
    }
}

fn site() -> Vec<Page> {
    (0..6).map(|n| parsed(of_site(n).as_bytes())).collect()
}

/// Pages drawn from the corpora.
fn sample(each: usize) -> Vec<(String, Vec<u8>)> {
    let mut random = Random::new(7);
    let mut pages = Vec::new();
    for corpus in CORPORA {
        let Some(folder) = shared(&format!("corpora/{corpus}/html")) else {
            continue;
        };
        let mut paths: Vec<PathBuf> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        paths.sort();
        random.shuffle(&mut paths);
        let read = |path: &PathBuf| {
            let name = path.file_name().unwrap().to_string_lossy();
            (format!("{corpus} {name}"), fs::read(path).unwrap())
        };
        pages.extend(paths[..each].iter().map(read));
    }
    pages
}

#[test]
fn real_pages() {
    let all = All::new(&site());
    for (name, html) in sample(2) {
        check(&all, &name, &html);
    }
}

fn mutated(kind: u32, html: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut place = |html: &[u8]| random.below(html.len() as u32 + 1) as usize;
    let (a, b) = (place(html), place(html));
    let (from, to) = (a.min(b), a.max(b));
    match kind {
        // Cut at the end, at the beginning, in the middle.
        0 => html[..to].to_vec(),
        1 => html[from..].to_vec(),
        2 => [&html[..from], &html[to..]].concat(),
        // A part doubled, two parts exchanged, another page put in.
        3 => [&html[..to], &html[from..]].concat(),
        4 => [&html[from..to], &html[..from], &html[to..]].concat(),
        5 => [&html[..from], &other[place(other)..], &html[from..]].concat(),
        // Bytes changed.
        _ => {
            let mut html = html.to_vec();
            for _ in 0..html.len() / 200 {
                let at = random.below(html.len() as u32) as usize;
                html[at] = match random.below(3) {
                    0 => b"<>/&\"'= "[random.below(8) as usize],
                    1 => random.next() as u8,
                    _ => html[random.below(html.len() as u32) as usize],
                };
            }
            html
        }
    }
}

#[test]
fn mutated_pages() {
    let all = All::new(&site());
    let mut random = Random::new(11);
    let mut pages = sample(1);
    pages.extend((0..2).map(|n| (format!("of the site {n}"), of_site(n).into_bytes())));
    for (at, (name, html)) in pages.iter().enumerate() {
        for kind in 0..7 {
            let (_, other) = &pages[(at + 1) % pages.len()];
            let html = mutated(kind, html, other, &mut random);
            check(&all, &format!("{name}, kind {kind}"), &html);
        }
    }
}

/// A page by formula, of a size in parts.
type Formula = (&'static str, fn(usize) -> String);

const WORDS: &str =
    "The mayor said on Friday that nobody was hurt when the roofs of the town came down, and ";

fn formulas() -> Vec<Formula> {
    vec![
        ("empty", |_| String::new()),
        ("only a frameset", |n| {
            format!("<frameset>{}</frameset>", "<frame src=a>".repeat(n))
        }),
        ("only a script", |n| {
            format!("<script>{}</script>", "if (a < b) c();\n".repeat(n))
        }),
        ("an unclosed script", |n| {
            format!("<p>a<script>{}", "\n\t<p>a ".repeat(n))
        }),
        ("an unclosed title", |n| {
            format!("<title>{}", "a <p>b ".repeat(n))
        }),
        ("one-letter paragraphs", |n| "<p>a".repeat(n)),
        ("numbered paragraphs", |n| {
            (0..n).map(|i| format!("<p>word{i}")).collect()
        }),
        ("the same paragraph", |n| {
            format!("<p>{WORDS}{WORDS}{WORDS}</p>").repeat(n / 8)
        }),
        ("paragraphs of all lengths", |n| {
            let part = |i: usize| format!("<p>{}", "what was it ".repeat(i * 7919 % 41));
            (0..n / 16).map(part).collect()
        }),
        ("one text without spaces", |n| "a".repeat(n * 8)),
        ("one text of words", |n| "a, b. ".repeat(n * 4)),
        ("one text of signs", |n| "| ".repeat(n * 4)),
        ("one text of commas", |n| "a,,,,,".repeat(n * 2)),
        ("white space", |n| " \n\u{a0}".repeat(n * 4)),
        ("anchors without text", |n| "<a href=x></a>".repeat(n)),
        ("anchors without text, breaks", |n| {
            "<a href=x></a><br>".repeat(n)
        }),
        ("unclosed anchors", |n| "<a>b ".repeat(n)),
        ("anchors in paragraphs", |n| "<p><a>b c".repeat(n)),
        ("breaks", |n| "<br>".repeat(n)),
        ("words and breaks", |n| "a<br>b<br><br>".repeat(n / 2)),
        ("headings", |n| "<h1>a b</h1><h2>c".repeat(n / 2)),
        ("headings and articles", |n| {
            format!("<h2>a</h2><p>b</p><p>{WORDS}{WORDS}{WORDS}</p>").repeat(n / 8)
        }),
        ("options", |n| {
            format!("<select>{}", "<option>a b".repeat(n))
        }),
        ("options outside a select", |n| "<option>a b".repeat(n)),
        ("list items", |n| format!("<ul>{}", "<li>a b".repeat(n))),
        ("a table", |n| {
            format!("<table>{}", "<tr><td>a<td><a>b</a>".repeat(n / 2))
        }),
        ("nested tables", |n| "<table><tr><td>a ".repeat(n / 2)),
        ("text between table parts", |n| {
            format!("<table>{}", "a<tr>b<td>c</td>d</tr>".repeat(n / 4))
        }),
        ("nested divs", |n| "<div>a ".repeat(n)),
        ("nested divs, ended", |n| {
            format!("{}{}", "<div>a".repeat(n), "b</div>".repeat(n))
        }),
        ("nested lists", |n| "<ul><li>a ".repeat(n / 2)),
        ("nested quotes with words", |n| {
            format!("<blockquote><p>{WORDS}").repeat(n / 8)
        }),
        ("deep, then broad", |n| {
            "<div>".repeat(500) + &"<p>a b".repeat(n)
        }),
        ("deep and inline, then broad", |n| {
            "<span>".repeat(500) + &"<br>a b".repeat(n)
        }),
        ("inline elements around list items", |n| {
            "<b>".repeat(400) + &"<li>a".repeat(n)
        }),
        ("fonts around list items", |n| {
            "<font size=1>".repeat(400) + &"<li>a".repeat(n)
        }),
        ("inline elements and ends", |n| {
            "<i>".repeat(200) + &"<b>a<i></b>".repeat(n)
        }),
        ("unclosed formatting", |n| "<p><b><i>a".repeat(n / 2)),
        ("ends that end nothing", |n| {
            "</p>a</div></br>".repeat(n / 2)
        }),
        ("forms", |n| "<form>a<input></form>".repeat(n / 2)),
        ("unknown elements", |n| "<x-y>a</x-y> ".repeat(n)),
        ("svg titles", |n| {
            "<svg><title>a</title></svg>".repeat(n / 2)
        }),
        ("pages of the site", |n| {
            (0..n / 64).map(of_site).collect::<String>()
        }),
        ("comments end the text", |n| {
            format!("<p>{WORDS}{WORDS}</p><p>5 comments</p>").repeat(n / 4)
        }),
        ("a long title", |n| {
            let title = "a - b: c | d (e), ".repeat(n);
            format!(
                "<title>{title}</title>{}",
                format!("<p>{WORDS}").repeat(n / 8)
            )
        }),
        ("references", |n| "&amp;&copy;&nbsp;&#150;&x".repeat(n)),
        ("control characters", |n| {
            "\u{1f}\u{1c}\u{85}\u{2028}\u{fffe}\u{200b}".repeat(n)
        }),
        ("long names", |n| {
            format!("<{0} id={0} class={0}>a</{0}>", "a1".repeat(n * 4))
        }),
    ]
}

#[test]
fn hostile_pages() {
    let all = All::new(&site());
    for (name, formula) in formulas() {
        for size in [1, 64, 800] {
            check(&all, name, formula(size).as_bytes());
        }
    }
}

/// Learning from such pages, and labelling them with what was learnt.
#[test]
fn hostile_pages_are_learnt_from() {
    let formulas = formulas();
    let pages: Vec<Page> = formulas
        .iter()
        .flat_map(|(_, formula)| [formula(64), formula(300)])
        .chain((0..4).map(of_site))
        .map(|html| parsed(html.as_bytes()))
        .collect();
    let all = All::new(&pages);
    for (name, formula) in formulas {
        check(&all, name, formula(300).as_bytes());
    }
}

/// The least time of some tries.
fn time(tries: usize, mut work: impl FnMut()) -> Duration {
    let once = |_| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..tries).map(once).min().unwrap()
}

/// The times of all steps for one page: `parse`, the segmenters, the extractors on their own blocks, the learners.
fn times(all: &All, html: &str, tries: usize) -> Vec<(String, Duration)> {
    let mut found = Vec::new();
    let parse = time(tries, || drop(parsed(html.as_bytes())));
    found.push(("parse".to_owned(), parse));
    let page = parsed(html.as_bytes());
    all.write_outputs(&page, &mut Random::new(1));
    let subject = Subject::new(&page, DOCID, URL);
    for segmenter in segment::all() {
        let taken = time(tries, || drop((segmenter.segment)(&page)));
        found.push((format!("segmenter {}", segmenter.name), taken));
        subject.blocks(segmenter);
    }
    subject.leaf_words();
    for extractor in &all.extractors {
        let taken = time(tries, || {
            drop(extractor.labels(&subject, &segment::all()[0]));
        });
        found.push((extractor.spec.split('/').next().unwrap().to_owned(), taken));
    }
    for row in extractor::learners() {
        let taken = time(tries, || {
            let mut learner = extractor::learner(row.name).unwrap();
            for _ in 0..4 {
                learner.add(&subject);
            }
            learner.finish().unwrap();
        });
        found.push((format!("learn {}", row.name), taken));
    }
    found
}

/// Prints each step whose time grows much faster than the page, or that takes more than a second, and fails where it is near
/// the square of the size. With `TROMMEL_SHOW` set to the name of a formula all its steps are printed.
#[test]
#[ignore = "a report of times"]
fn report_growth() {
    const SIZE: usize = 50_000;
    const TIMES: usize = 4;
    // Of the square it would be 16, of the size 4. On a busy machine short steps pass this too: run a formula alone then.
    const MOST: f64 = 12.0;
    let all = All::new(&site());
    let shown = std::env::var("TROMMEL_SHOW").unwrap_or_default();
    let mut bad = Vec::new();
    for (name, formula) in formulas() {
        if !shown.is_empty() && shown != name {
            continue;
        }
        let small = times(&all, &formula(SIZE), 2);
        let large = times(&all, &formula(SIZE * TIMES), 2);
        let mut all_steps = Duration::ZERO;
        for ((step, small), (_, large)) in small.into_iter().zip(large) {
            let ratio = large.as_secs_f64() / small.as_secs_f64().max(1e-3);
            all_steps += large;
            if ratio > 8.0 || large > Duration::from_secs(1) || shown == name {
                println!("{name}: {step}: {small:.1?}, {large:.1?} ({ratio:.1})");
            }
            if ratio > MOST && large > Duration::from_millis(100) {
                bad.push(format!("{name}: {step} ({ratio:.1})"));
            }
        }
        println!("{name}: {all_steps:.1?}");
    }
    assert!(bad.is_empty(), "{bad:#?}");
}
