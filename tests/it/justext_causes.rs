//! Why paragraphs of ours and of the original Python program differ, counted: the table in `docs/justext.md`.
//!
//! `cargo test --test it report_justext_causes -- --ignored --nocapture`

use std::collections::{BTreeMap, BTreeSet};

use trommel::extractor::justext::{StopList, paragraphs};

use crate::boilerpipe_causes::{Cause, Side, causes, squeeze};
use crate::boilerpipe_reference::Key;
use crate::extractors_justext::{self, key, ours, reference};
use crate::support::shared;

/// What can be seen in the markup of a page on which the original finds no paragraph.
fn of_empty_page(error: Option<&str>, html: &str) -> &'static str {
    let html = html.to_ascii_lowercase();
    let after = |tag: &str| html.find(tag).map(|at| &html[at..]);
    let closes = |rest: &str| {
        rest.match_indices("</title").any(|(at, end)| {
            !rest[at + end.len()..].starts_with(|c: char| c.is_ascii_alphanumeric())
        })
    };
    if error.is_some() {
        "page: the original stops with an error"
    } else if after("<title").is_some_and(|rest| !closes(rest)) {
        "page: the title has no end tag"
    } else if after("<body").is_none() {
        "page: broken markup in the head, no `<body>`"
    } else if html.find("</body") < html.find("<body") {
        "page: `</body>` stands before the body"
    } else {
        "page: not examined"
    }
}

fn describe(cause: Cause) -> &'static str {
    match cause {
        Cause::Anchors => "same text, other characters in links",
        Cause::Counts => "same text, heading or not",
        Cause::Split => "we part, the original does not",
        Cause::Merged => "the original parts, we do not",
        Cause::Shifted => "parted elsewhere",
        Cause::References => "references without `;`",
        Cause::Order => "same text elsewhere on the page",
        Cause::RestOfPage => "rest of the page",
        Cause::Title => "the page's title",
        Cause::Blank => "paragraph without letters or digits",
        Cause::OneSide => "not examined: the text differs or stands on one side only",
    }
}

/// The key as that report takes it: text, words, and what may differ.
fn shape((text, words, stop_words, in_links, heading): &extractors_justext::Key) -> Key {
    let small = |n: u64| u32::try_from(n).unwrap();
    (
        text.clone(),
        small(*words),
        small(*in_links),
        small(*stop_words),
        u32::from(*heading),
    )
}

#[derive(Default)]
struct Count {
    ours: usize,
    theirs: usize,
    pages: BTreeSet<String>,
}

#[test]
#[ignore = "a report, no check"]
fn report_justext_causes() {
    let corpora = ["gn1", "cleaneval", "cleanportaleval", "dragnet"];
    let english = StopList::of("English").unwrap();
    let mut table: BTreeMap<&str, BTreeMap<&str, Count>> = BTreeMap::new();
    for corpus in corpora {
        let (Some(folder), Some(outputs)) = (
            shared(&format!("corpora/{corpus}")),
            shared(&format!("reference/justext-3.0.2/{corpus}.jsonl.gz")),
        ) else {
            continue;
        };
        for page in reference(&outputs) {
            let (parsed, blocks) = ours(&folder, &page.page);
            let measured = paragraphs(&parsed, &blocks, &english);
            let blocks = blocks.blocks.iter().zip(&measured);
            let ours: Vec<Key> = blocks.map(|(b, p)| shape(&key(&b.text, p))).collect();
            let theirs = page.paragraphs.iter();
            let theirs: Vec<Key> = theirs
                .map(|p| shape(&key(&p.text, &p.paragraph())))
                .collect();
            let found: Vec<(&str, Side, usize)> = if theirs.is_empty() && !ours.is_empty() {
                let path = folder.join("html").join(format!("{}.html", page.page));
                let html = std::fs::read(path).unwrap();
                let class = of_empty_page(page.error.as_deref(), &String::from_utf8_lossy(&html));
                (0..ours.len()).map(|at| (class, Side::Ours, at)).collect()
            } else {
                let found = causes(&ours, &theirs, &squeeze(&parsed.title));
                let found = found.into_iter();
                found.map(|(c, side, at)| (describe(c), side, at)).collect()
            };
            for (class, side, at) in found {
                let count = table.entry(class).or_default().entry(corpus).or_default();
                let key = match side {
                    Side::Ours => (&mut count.ours, &ours[at]),
                    Side::Theirs => (&mut count.theirs, &theirs[at]),
                };
                *key.0 += 1;
                let shown = std::env::var("TROMMEL_SHOW").is_ok_and(|c| c == corpus);
                if shown && !class.starts_with("page:") {
                    println!("{} {class} {side:?} {at} {:?}", page.page, key.1);
                }
                count.pages.insert(page.page.clone());
            }
        }
    }
    println!("paragraphs of ours / of the original's without an equal (pages)");
    println!("| | {} |", corpora.join(" | "));
    println!("|---|{}", "---|".repeat(corpora.len()));
    for (class, row) in &table {
        let cells = corpora.map(|corpus| match row.get(corpus) {
            Some(c) => format!("{} / {} ({})", c.ours, c.theirs, c.pages.len()),
            None => "0".to_owned(),
        });
        println!("| {class} | {} |", cells.join(" | "));
    }
    let total = corpora.map(|corpus| {
        let counts = table.values().filter_map(|row| row.get(corpus));
        let (ours, theirs) = counts.fold((0, 0), |s, c| (s.0 + c.ours, s.1 + c.theirs));
        format!("{ours} / {theirs}")
    });
    println!("| all | {} |", total.join(" | "));
}
