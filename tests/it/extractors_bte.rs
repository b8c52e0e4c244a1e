//! BTE: small pages by hand, and the outputs that were published.

use trommel::extractor::{self, Label, Subject};
use trommel::html::{self, Limits, segment};
use trommel::page::Page;

use crate::bags;
use crate::support::shared;

/// What BTE keeps, leaves parted by `|`.
fn kept(page: &Page) -> String {
    let subject = Subject::new(page, "", "");
    let leaf = segment::by_name("leaf").unwrap();
    let labels = extractor::parse("bte").unwrap().labels(&subject, leaf);
    let blocks = subject.blocks(leaf).blocks.iter().zip(labels);
    let kept = blocks.filter(|(_, label)| *label == Label::Content);
    kept.map(|(block, _)| block.text.as_str())
        .collect::<Vec<_>>()
        .join("|")
}

#[track_caller]
fn check(html: &str, expected: &str) {
    let page = html::parse_text(html, &Limits::default());
    assert_eq!(kept(&page), expected, "{html}");
}

#[test]
fn most_words_inside_most_tags_outside() {
    // One word before two tags is not worth them; four words after two tags are.
    check("<body>a<p></p>b c d", "b c d");
    check("<body>a b c<p></p>b c d e<p></p>f", "a b c|b c d e");
    // The body's own tags, the head and what is no text do not count.
    check("<title>a b c</title><body>d<script>e f g h i</script>", "d");
    check("<body></body>", "");
    check("<body><p> </p><img>", "");
}

#[test]
fn every_tag_counts() {
    check("<body>a<br>b c d", "a|b c d");
    check("<body>a b<br><br>c<br>d", "a b");
    check("<body>a b c<br><br>d e<br>f g", "a b c|d e|f g");
    // Script and style are two tags each, however long.
    check("<body>a b c<script>d e f</script>g", "a b c");
    check("<body>a b c<script>d e f</script>g h i", "a b c|g h i");
    // The parser's tbody is nobody's tag: three tags between, not five.
    check("<body>a b c<table><tr><td>d e f g", "a b c|d e f g");
}

/// Of stretches of the same sum the first to begin, then the first to end.
#[test]
fn ties() {
    check("<body>a b<br><br>c d", "a b");
    check("<body>a b<br><br>c d e", "a b|c d e");
    check("<body>a<br>b<br>c", "a");
}

/// The best of all pairs of bounds, tried one by one, on pages drawn by lot.
#[test]
fn as_good_as_all_pairs() {
    let mut random = crate::support::Random::new(5);
    for _ in 0..300 {
        // Runs of words with runs of tags between them, the first of these maybe empty.
        let runs: Vec<(u32, u32)> = (0..1 + random.below(8))
            .map(|i| (random.below(5) + u32::from(i > 0), 1 + random.below(6)))
            .collect();
        let mut html = "<body>".to_owned();
        for (number, (tags, words)) in runs.iter().enumerate() {
            html.push_str(&"<br>".repeat(*tags as usize));
            html.push_str(&vec![format!("w{number}"); *words as usize].join(" "));
        }
        let mut best = (0, 0, 0);
        for first in 0..runs.len() {
            for last in first..runs.len() {
                let words: u32 = runs[first..=last].iter().map(|run| run.1).sum();
                let tags: u32 = runs[first + 1..=last].iter().map(|run| run.0).sum();
                let sum = i64::from(words) - i64::from(tags);
                if sum > best.0 {
                    best = (sum, first, last);
                }
            }
        }
        let expected: Vec<String> = (best.1..=best.2)
            .map(|run| vec![format!("w{run}"); runs[run].1 as usize].join(" "))
            .collect();
        check(&html, &expected.join("|"));
    }
}

#[track_caller]
fn check_published(corpus: &str, bar: f64) {
    let (Some(folder), Some(texts)) = (
        shared(&format!("corpora/{corpus}")),
        bags::published(corpus, "bte"),
    ) else {
        return;
    };
    let mut scores = Vec::new();
    for (name, text) in texts {
        let Some(page) = bags::page(&folder, &name) else {
            continue;
        };
        scores.push(bags::compare(&kept(&page).replace('|', " "), &text).2);
    }
    let mean = scores.iter().sum::<f64>() / scores.len() as f64;
    eprintln!("{corpus}: mean F1 {mean:.4} on {} pages", scores.len());
    assert!(mean >= bar, "{corpus}: {mean:.4}");
}

#[test]
fn published_cleaneval() {
    check_published("cleaneval", 0.959);
}

#[test]
fn published_cleanportaleval() {
    check_published("cleanportaleval", 0.97);
}
