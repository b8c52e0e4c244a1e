//! The demo collection is what its readmes say: distinct articles, whole on their own page and
//! nowhere else, surrounded by the headlines of other posts, and completely judged.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};

use trommel::demo::source::{Article, Blog};
use trommel::demo::{QRELS, TOPICS, blogs, pages};

/// Headlines of other posts that each article page must carry outside its article.
const FOREIGN_HEADLINES: usize = 12;

/// What the pages escape, undone.
fn unescape(html: &str) -> String {
    html.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&amp;", "&")
}

fn articles(blogs: &[Blog]) -> impl Iterator<Item = (String, &Article)> {
    blogs.iter().flat_map(|b| {
        b.articles
            .iter()
            .map(|a| (format!("demo-{}-{:04}", b.key, a.number), a))
    })
}

fn html_by_docid() -> BTreeMap<String, String> {
    pages()
        .unwrap()
        .into_iter()
        .map(|p| (p.docid, unescape(&p.html)))
        .collect()
}

fn is_article(docid: &str) -> bool {
    docid.rsplit('-').next().is_some_and(|n| n.len() == 4) && docid.split('-').count() == 3
}

/// Topic number to query, read off the one-line `<query>` elements.
fn topics() -> BTreeMap<String, String> {
    let between = |text: &str, a: &str, b: &str| -> Option<String> {
        Some(text.split_once(a)?.1.split_once(b)?.0.to_owned())
    };
    TOPICS
        .split("<topic ")
        .skip(1)
        .map(|t| {
            (
                between(t, "number=\"", "\"").unwrap(),
                between(t, "<query>", "<").unwrap(),
            )
        })
        .collect()
}

/// (topic, docid) to grade. Panics on a pair that is judged twice.
fn qrels() -> BTreeMap<(String, String), u8> {
    let mut judged = BTreeMap::new();
    for line in QRELS.lines() {
        let columns: Vec<&str> = line.split(' ').collect();
        let &[topic, "0", docid, grade] = columns.as_slice() else {
            panic!("columns: {line}")
        };
        let pair = (topic.to_owned(), docid.to_owned());
        assert_eq!(
            judged.insert(pair, grade.parse().unwrap()),
            None,
            "twice: {line}"
        );
    }
    judged
}

#[test]
fn articles_are_many_and_of_the_stated_length() {
    let blogs = blogs().unwrap();
    let titles: BTreeSet<&str> = articles(&blogs).map(|(_, a)| a.title.as_str()).collect();
    assert!(titles.len() >= 48, "{} distinct headlines", titles.len());
    assert_eq!(
        titles.len(),
        articles(&blogs).count(),
        "two articles share a headline"
    );
    for (docid, article) in articles(&blogs) {
        let words: usize = article
            .paragraphs
            .iter()
            .map(|p| p.split_whitespace().count())
            .sum();
        assert!((120..=400).contains(&words), "{docid} has {words} words");
        assert!(article.paragraphs.len() >= 3, "{docid} has few paragraphs");
        assert!(article.comments.len() <= 3, "{docid} has many comments");
    }
}

#[test]
fn no_two_articles_share_a_sentence() {
    let blogs = blogs().unwrap();
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    for (docid, article) in articles(&blogs) {
        let comments = article.comments.iter().map(|c| &c.text);
        for text in article.paragraphs.iter().chain(comments) {
            for sentence in text.split_inclusive(['.', '!', '?']) {
                let key = sentence.trim().to_lowercase();
                // Pieces such as "4." of a decimal number are no sentences.
                if key.split_whitespace().count() < 3 {
                    continue;
                }
                let before = seen.insert(key, docid.clone());
                // A comment may quote the article that it stands under.
                let fine = before.as_ref().is_none_or(|before| *before == docid);
                assert!(fine, "{docid} and {before:?} share: {sentence}");
            }
        }
    }
}

#[test]
fn every_page_is_there_once_and_the_same_each_time() {
    let pages = pages().unwrap();
    let docids: BTreeSet<&str> = pages.iter().map(|p| p.docid.as_str()).collect();
    let urls: BTreeSet<&str> = pages.iter().map(|p| p.url.as_str()).collect();
    assert_eq!(docids.len(), pages.len(), "a docid is used twice");
    assert_eq!(urls.len(), pages.len(), "a url is used twice");
    assert!(
        docids
            .iter()
            .all(|d| d.bytes().all(|b| b.is_ascii_graphic()))
    );
    for blog in blogs().unwrap() {
        let mut expected = vec![format!("demo-{}-index", blog.key)];
        for article in &blog.articles {
            expected.push(format!("demo-{}-{:04}", blog.key, article.number));
            expected.push(format!(
                "demo-{}-archive-{}",
                blog.key,
                article.date.month_key()
            ));
            let with = |tag: &String| {
                blog.articles
                    .iter()
                    .filter(|a| a.tags.contains(tag))
                    .count()
            };
            let pages = article.tags.iter().filter(|tag| with(tag) >= 2);
            expected.extend(pages.map(|tag| format!("demo-{}-tag-{tag}", blog.key)));
        }
        for docid in expected {
            assert!(docids.contains(docid.as_str()), "{docid} is missing");
        }
    }
    assert_eq!(pages, trommel::demo::pages().unwrap());
}

#[test]
fn an_article_stands_whole_on_its_own_page_and_on_no_other() {
    let blogs = blogs().unwrap();
    let html = html_by_docid();
    for (docid, article) in articles(&blogs) {
        let own = &html[&docid];
        let mut rest = own.as_str();
        for text in &article.paragraphs {
            let Some((_, after)) = rest.split_once(text.as_str()) else {
                panic!("{docid} lacks, or has out of order: {text}");
            };
            rest = after;
        }
        for comment in &article.comments {
            assert!(
                own.contains(&comment.text),
                "{docid} lacks: {}",
                comment.text
            );
        }
        // Teasers quote fewer than twelve words.
        let words: Vec<&str> = article.paragraphs[0].split_whitespace().take(12).collect();
        let opening = words.join(" ");
        for (other, html) in html.iter().filter(|(other, _)| **other != docid) {
            assert!(!html.contains(&opening), "{other} quotes {docid} at length");
        }
    }
}

#[test]
fn every_page_carries_the_headlines_of_other_posts() {
    let blogs = blogs().unwrap();
    let html = html_by_docid();
    for (docid, page) in &html {
        let mut page = page.clone();
        if let Some((_, own)) = articles(&blogs).find(|(d, _)| d == docid) {
            let comments = own.comments.iter().map(|c| &c.text);
            for text in own.paragraphs.iter().chain(comments) {
                page = page.replace(text.as_str(), "");
            }
        }
        let others = articles(&blogs).filter(|(other, _)| other != docid);
        let carried = others
            .filter(|(_, a)| page.contains(&format!(">{}</a>", a.title)))
            .count();
        assert!(
            carried >= FOREIGN_HEADLINES,
            "{docid} carries {carried} other headlines"
        );
    }
}

#[test]
fn topics_are_short_and_worded_as_the_headlines_are() {
    let topics = topics();
    assert!(topics.len() >= 14, "{} topics", topics.len());
    let headlines: String = articles(&blogs().unwrap())
        .map(|(_, a)| a.title.to_lowercase() + "\n")
        .collect();
    for (number, query) in &topics {
        let words: Vec<&str> = query.split_whitespace().collect();
        assert!((2..=4).contains(&words.len()), "topic {number}: {query}");
        for word in words {
            assert!(
                headlines.contains(word),
                "topic {number}: no headline has {word}"
            );
        }
    }
}

#[test]
fn every_page_is_judged_for_every_topic() {
    let topics = topics();
    let docids: BTreeSet<String> = pages().unwrap().into_iter().map(|p| p.docid).collect();
    let judged = qrels();
    let wanted: BTreeSet<(String, String)> = topics
        .keys()
        .flat_map(|topic| {
            docids
                .iter()
                .map(move |docid| (topic.clone(), docid.clone()))
        })
        .collect();
    let found: BTreeSet<(String, String)> = judged.keys().cloned().collect();
    assert_eq!(wanted.difference(&found).next(), None, "not judged");
    assert_eq!(
        found.difference(&wanted).next(),
        None,
        "no such topic or page"
    );
}

#[test]
fn only_articles_are_relevant_and_each_topic_has_three_to_eight() {
    let judged = qrels();
    for topic in topics().keys() {
        let relevant: Vec<(&str, u8)> = judged
            .iter()
            .filter(|((t, _), grade)| t == topic && **grade > 0)
            .map(|((_, docid), &grade)| (docid.as_str(), grade))
            .collect();
        assert!(
            (3..=8).contains(&relevant.len()),
            "topic {topic}: {relevant:?}"
        );
        assert!(
            relevant.iter().any(|(_, grade)| *grade == 2),
            "topic {topic} has no grade 2"
        );
        for (docid, grade) in relevant {
            assert!(
                is_article(docid),
                "topic {topic}: {docid} carries no article"
            );
            assert!(grade <= 2, "topic {topic}: {docid} has grade {grade}");
        }
    }
}

/// The premise of the demo, not its result: pages judged 0 carry all words of the query.
#[test]
fn pages_that_are_not_relevant_carry_the_words_of_each_topic() {
    let html = html_by_docid();
    let judged = qrels();
    for (topic, query) in topics() {
        let carriers = html
            .iter()
            .filter(|(docid, _)| judged[&(topic.clone(), (*docid).clone())] == 0)
            .filter(|(_, page)| {
                let page = page.to_lowercase();
                query.split_whitespace().all(|word| page.contains(word))
            })
            .count();
        assert!(
            carriers >= 5,
            "topic {topic}: {carriers} pages judged 0 carry: {query}"
        );
    }
}
