//! Texts compared as bags of words, and the outputs of other tools to compare with.

use std::collections::BTreeMap;
use std::path::Path;

use trommel::html::{self, Charset, Limits};
use trommel::page::Page;

use crate::support::{shared, tar_gz};

/// How often each word stands in a text. A word is a run of letters, digits and `_`.
pub fn bag(text: &str) -> BTreeMap<String, usize> {
    let mut bag = BTreeMap::new();
    let parts = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    for word in parts.filter(|word| !word.is_empty()) {
        *bag.entry(word.to_owned()).or_default() += 1;
    }
    bag
}

/// Precision, recall and F1 of the words of `ours` against those of `theirs`; 1 where both are empty.
pub fn compare(ours: &str, theirs: &str) -> (f64, f64, f64) {
    let (ours, theirs) = (bag(ours), bag(theirs));
    let common = |(word, n): (&String, &usize)| *n.min(theirs.get(word).unwrap_or(&0));
    let common: usize = ours.iter().map(common).sum();
    let (n, m): (usize, usize) = (ours.values().sum(), theirs.values().sum());
    let share = |of: usize| {
        if of == 0 {
            f64::from(u8::from(common == n.max(m)))
        } else {
            common as f64 / of as f64
        }
    };
    let f1 = match n + m {
        0 => 1.0,
        both => 2.0 * common as f64 / both as f64,
    };
    (share(n), share(m), f1)
}

/// The texts of a published archive by page: without the `URL:` line and the tags, character references resolved.
pub fn published(corpus: &str, tool: &str) -> Option<BTreeMap<String, String>> {
    let path = shared(&format!("reference/published/{corpus}/{tool}.tar.gz"))?;
    let files = tar_gz(&path);
    let texts = files.iter().filter_map(|(name, bytes)| {
        let page = name.strip_suffix(".txt")?;
        Some((page.to_owned(), plain(&String::from_utf8_lossy(bytes))))
    });
    Some(texts.collect())
}

/// The words of a text with `<p>`, `<h>`, `<l>` tags, a `URL:` line and character references.
pub fn plain(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with("URL:"));
    let mut text = lines.collect::<Vec<_>>().join("\n");
    for tag in ["<p>", "<h>", "<l>"] {
        text = text.replace(tag, " ");
    }
    let markup = format!("<body>{}", text.replace('<', "&lt;"));
    html::parse_text(&markup, &Limits::default()).text
}

/// A page of a corpus, read as UTF-8.
pub fn page(corpus: &Path, name: &str) -> Option<Page> {
    let bytes = std::fs::read(corpus.join("html").join(format!("{name}.html"))).ok()?;
    let charset = Charset::Fixed(encoding_rs::UTF_8);
    Some(html::parse(&bytes, charset, None, &Limits::default()))
}
