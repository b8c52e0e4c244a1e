//! The gold standard of WCXB (Web Content Extraction Benchmark, Murrough Foley, 2026): a JSON object a page. `ground_truth` has
//! the main content as text, pieces of text that must and must not be kept, title, author and date; `_internal` has the page's type.
//!
//! A page whose main content is missing or empty shows none without scripts; it counts in WCXB's measure ([`crate::score`]).

use serde::Deserialize;

use super::content::{Gold, Metadata, Snippets, paragraphs};

/// What a file of this format holds.
pub(super) const MARK: &[u8] = b"\"ground_truth\"";

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    url: Option<String>,
    #[serde(default, rename = "_internal")]
    internal: Internal,
    ground_truth: Truth,
}

#[derive(Default, Deserialize)]
struct Internal {
    #[serde(default)]
    page_type: Option<PageType>,
}

/// Most files have an object, a few the bare word.
#[derive(Deserialize)]
#[serde(untagged)]
enum PageType {
    Word(String),
    Object { primary: String },
}

#[derive(Deserialize)]
struct Truth {
    #[serde(default)]
    main_content: Option<String>,
    #[serde(default)]
    with: Option<Vec<String>>,
    #[serde(default)]
    without: Option<Vec<String>>,
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    author: Option<String>,
    #[serde(default)]
    publish_date: Option<String>,
}

pub(super) fn read(bytes: &[u8]) -> Result<Gold, String> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let file: File = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    let truth = file.ground_truth;
    let said = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
    Ok(Gold {
        text: paragraphs(truth.main_content.unwrap_or_default()),
        url: said(file.url),
        page_type: file.internal.page_type.map(|of| match of {
            PageType::Word(word) | PageType::Object { primary: word } => word,
        }),
        snippets: Snippets {
            with: truth.with.unwrap_or_default(),
            without: truth.without.unwrap_or_default(),
        },
        metadata: Metadata {
            title: said(truth.title),
            author: said(truth.author),
            published: said(truth.publish_date),
        },
        ..Gold::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_says() -> Result<(), String> {
        let gold = read(
            "\u{feff}{\"url\": \"https://a.org/x\", \"_internal\": {\"page_type\": {\"primary\": \"forum\", \"tags\": []}},
            \"ground_truth\": {\"main_content\": \"One\\n\\ntwo\", \"with\": [\"One\"], \"without\": [\"Menu\", \"Log in\"],
            \"title\": \"T\", \"author\": null, \"publish_date\": \"2025-09-04\"}}"
                .as_bytes(),
        )?;
        assert_eq!(gold.text.plain, "One\n\ntwo");
        assert_eq!(gold.text.marked, b"<p>One\n<p>two\n");
        assert_eq!(gold.url.as_deref(), Some("https://a.org/x"));
        assert_eq!(gold.page_type.as_deref(), Some("forum"));
        assert_eq!(gold.snippets.with, ["One"]);
        assert_eq!(gold.snippets.without, ["Menu", "Log in"]);
        assert_eq!(gold.metadata.title.as_deref(), Some("T"));
        assert_eq!(gold.metadata.author, None);
        assert_eq!(gold.metadata.published.as_deref(), Some("2025-09-04"));
        Ok(())
    }

    #[test]
    fn a_file_may_say_little() -> Result<(), String> {
        let gold = read(b"{\"_internal\": {\"page_type\": \"product\"}, \"ground_truth\": {}}")?;
        assert_eq!(gold.page_type.as_deref(), Some("product"));
        assert!(gold.text.plain.is_empty());
        let error = read(b"{\"ground_truth\": {\"main_content\":\n 3}}").map(|_| ());
        assert!(error.is_err_and(|why| why.contains("line 2")));
        Ok(())
    }
}
