//! GoldMiner on the portals of CleanPortalEval: learnt from the pages without their gold, measured by Evert's CleanEval metric.

use std::fs;
use std::path::Path;

use tempfile::TempDir;
use trommel::extractor::{self, Extractor, Label, Subject};
use trommel::gold;
use trommel::html::{self, Charset, Limits, segment};
use trommel::page::Page;
use trommel::score::{self, Average, Counts, Summary};
use trommel::scoring::extracted;

use crate::support::shared;

/// A page with its name and the url in its `<text id="…">` wrapper.
struct PortalPage {
    name: String,
    url: String,
    page: Page,
}

fn pages(corpus: &Path) -> Vec<PortalPage> {
    let mut paths: Vec<_> = fs::read_dir(corpus.join("html"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    let read = |path: &Path| {
        let bytes = fs::read(path).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let url = text.split_once("<text id=\"").unwrap().1;
        PortalPage {
            name: path.file_stem().unwrap().to_str().unwrap().to_owned(),
            url: url.split_once('"').unwrap().0.to_owned(),
            page: html::parse(
                &bytes,
                Charset::Fixed(encoding_rs::UTF_8),
                None,
                &Limits::default(),
            ),
        }
    };
    paths.iter().map(|path| read(path)).collect()
}

fn learn(spec: &str, pages: &[PortalPage]) -> (Extractor, String) {
    let mut learner = extractor::learner(spec).unwrap();
    for page in pages {
        learner.add(&Subject::new(&page.page, &page.name, &page.url));
    }
    let model = learner.finish().unwrap();
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("model.json");
    fs::write(&path, &model).unwrap();
    let extractor = extractor::parse(&format!("goldminer:{}", path.display())).unwrap();
    (extractor, model)
}

/// The content as CleanEval writes it: each block after a mark.
fn cleaned(extractor: &Extractor, page: &PortalPage) -> String {
    let segmenter = segment::by_name("paragraph").unwrap();
    let subject = Subject::new(&page.page, &page.name, &page.url);
    let labels = extractor.labels(&subject, segmenter);
    let blocks = subject.blocks(segmenter).blocks.iter().zip(labels);
    let mut text = String::new();
    for (block, _) in blocks.filter(|(_, label)| *label == Label::Content) {
        let mark = match block.tag.name() {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => "<h>",
            "li" => "<l>",
            _ => "<p>",
        };
        text.push_str(&format!("{mark} {}\n", block.text));
    }
    text
}

/// Evert's metric (micro) of what is kept of the portals' pages, learnt from them with these settings and without their gold.
/// With `spaces` the gold text's no-break spaces part words, as they do in what jusText keeps; for the metric's bytes they do not.
fn evert_on_portals(corpus: &Path, spec: &str, spaces: bool) -> Average {
    let pages = pages(corpus);
    let (extractor, model) = learn(spec, &pages);
    if std::env::var_os("TROMMEL_SHOW").is_some_and(|value| value == "goldminer") {
        println!("{model}");
    }
    let (measure, format) = (
        score::by_name("evert").unwrap(),
        gold::by_name("cleaneval").unwrap(),
    );
    let counts: Vec<Counts> = pages
        .iter()
        .map(|page| {
            let gold = corpus.join("gold").join(format!("{}.txt", page.name));
            let mut gold = (format.read)(&fs::read(gold).unwrap(), Charset::Auto)
                .unwrap()
                .text;
            if spaces {
                let text = String::from_utf8(gold.marked).unwrap();
                gold.marked = text.replace('\u{a0}', " ").into_bytes();
            }
            let subject = Subject::new(&page.page, &page.name, &page.url);
            (measure.compare)(&extracted(&extractor, &subject), &gold)
        })
        .collect();
    let average = Summary::of(&counts).micro_average;
    let (f, p, r) = (average.f1, average.precision, average.recall);
    eprintln!(
        "{spec}, no-break spaces part words: {spaces}: F {:.2} P {:.2} R {:.2}",
        100.0 * f,
        100.0 * p,
        100.0 * r
    );
    average
}

/// Reached: 97.09, and 98.31 where no-break spaces of the gold text part words. No result on unseen pages: see
/// `docs/goldminer.md`.
#[test]
fn cleanportaleval() {
    let Some(corpus) = shared("corpora/cleanportaleval") else {
        return;
    };
    assert!(evert_on_portals(&corpus, "goldminer", false).f1 >= 0.94);
}

/// jusText's own thresholds inside the article, one by one: the figures in `docs/goldminer.md`.
#[test]
#[ignore = "a report, no check"]
fn report_goldminer_thresholds() {
    let Some(corpus) = shared("corpora/cleanportaleval") else {
        return;
    };
    for settings in [
        "stopwords-low=0.30,stopwords-high=0.32,max-link-density=0.2",
        "max-link-density=0.2",
        "stopwords-low=0.30,stopwords-high=0.32",
        "site=domain",
    ] {
        for spaces in [false, true] {
            evert_on_portals(&corpus, &format!("goldminer:{settings}"), spaces);
        }
    }
}

/// A model is a file, and may have been changed: a pattern of no tags is an error, no panic.
#[test]
fn patterns_without_tags() {
    let (_, model) = learn("goldminer", &made_up_pages(6));
    let from = model.find("\"begin\":[").unwrap() + "\"begin\":[".len();
    let to = from + model[from..].find(']').unwrap();
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("model.json");
    fs::write(&path, [&model[..from], &model[to..]].concat()).unwrap();
    let error = extractor::parse(&format!("goldminer:{}", path.display())).unwrap_err();
    assert!(error.to_string().contains("without tags"), "{error}");
}

/// A page of a made-up site: menu, article, and where `comments` is not empty, a comment.
fn made_up(number: usize, comments: &str) -> String {
    let word = |n: usize| format!("word{}x{}", "abcdefghij".as_bytes()[number % 10], n);
    let sentence = |n: usize| {
        format!(
            "The {} of this is what they were to be in {} and that was it for {}. ",
            word(n),
            word(n + 1),
            word(n + 2)
        )
    };
    let paragraph = |n: usize| format!("<p>{}</p>", (n..n + 4).map(sentence).collect::<String>());
    let teaser = "This is what the others of the site had to say about it when they were there in the town. ";
    let comments = match comments {
        "" => String::new(),
        text => format!(
            "<div class=comment-{number}><p>{text} {}</p></div>",
            paragraph(90)
        ),
    };
    format!(
        "<text id='x'><body><div class=menu><p>{}</p></div>\
         <div id=post-{number} class=entry><h1>Of {}</h1>{}{}</div>\
         <div class=share>Share</div>{comments}<div class=footer><p>{}</p></div>",
        teaser.repeat(4),
        word(0),
        paragraph(1),
        paragraph(10),
        teaser.repeat(3)
    )
}

fn made_up_page(number: usize, url: &str, html: &str) -> PortalPage {
    PortalPage {
        name: number.to_string(),
        url: url.to_owned(),
        page: html::parse_text(html, &Limits::default()),
    }
}

fn made_up_pages(count: usize) -> Vec<PortalPage> {
    (0..count)
        .map(|n| {
            let comments = if n % 3 == 0 { "I do not think so." } else { "" };
            let url = format!("http://www.example.org/{n}");
            made_up_page(n, &url, &made_up(n, comments))
        })
        .collect()
}

/// The article is kept, its teasers and comments are not, on pages of the sample and on others.
#[test]
fn articles_of_a_site() {
    let pages = made_up_pages(8);
    let (extractor, _) = learn("goldminer:sample=6", &pages);
    for page in &pages {
        let text = cleaned(&extractor, page);
        assert!(text.starts_with("<h> Of word"), "{text}");
        assert_eq!(text.matches("<p>").count(), 2, "{text}");
        assert!(!text.contains("say about it"), "{text}");
    }
}

/// "Text from pages with no article content … will not be added … since the domain-specific HTML tag pattern is not present".
#[test]
fn pages_without_the_pattern() {
    let mut pages = made_up_pages(6);
    let index = made_up(7, "")
        .replace("class=entry", "class=list")
        .replace("class=share", "class=more");
    pages.push(made_up_page(7, "http://www.example.org/7", &index));
    let (extractor, model) = learn("goldminer", &pages);
    assert_eq!(cleaned(&extractor, &pages[6]), "", "{model}");
    // Of another site nothing is known: jusText on the whole page.
    pages.push(made_up_page(8, "http://other.example.com/", &index));
    assert!(cleaned(&extractor, &pages[7]).contains("say about it"));
}

/// Of two pages nothing is learnt; of pages without a url that is an error.
#[test]
fn too_little_to_learn_from() {
    let (extractor, model) = learn("goldminer", &made_up_pages(2));
    assert!(model.contains("0 sites with patterns, of 1"), "{model}");
    assert!(cleaned(&extractor, &made_up_pages(1)[0]).contains("say about it"));
    let pages: Vec<PortalPage> = (0..4)
        .map(|n| made_up_page(n, "", &made_up(n, "")))
        .collect();
    let mut learner = extractor::learner("goldminer").unwrap();
    for page in &pages {
        learner.add(&Subject::new(&page.page, &page.name, &page.url));
    }
    let error = learner.finish().unwrap_err().to_string();
    assert!(error.contains("none of the 4 pages has a url"), "{error}");
}

/// The same pages give the same model; a full sample is not changed by further pages.
#[test]
fn models_are_reproducible() {
    let (_, first) = learn("goldminer:sample=5,site=host", &made_up_pages(5));
    let (_, again) = learn("goldminer:sample=5,site=host", &made_up_pages(9));
    assert_eq!(first, again);
    assert!(extractor::learner("goldminer:language=Klingon").is_err());
}
