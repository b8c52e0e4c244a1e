//! The language of a page.

use trommel_text::{detect_language, language_of_tag};

use super::Page;

/// Bytes of text that are looked at.
const SAMPLE: usize = 2_000;
/// A leaf of fewer bytes is a label rather than a sentence.
const SENTENCE: usize = 25;

impl Page {
    /// Its language: as its `html` element declares it, or else the record that it comes from (`declared`: a header like
    /// `Content-Language`), or else as its first text outside links looks. Two letters (ISO 639-1), or three (ISO 639-3) where there
    /// are no two; empty if nothing tells.
    pub fn language_or(&self, declared: Option<&str>) -> &'static str {
        let declared = || declared.and_then(language_of_tag);
        let detected = || detect_language(&self.sample());
        let language = language_of_tag(&self.language).or_else(declared);
        language.or_else(detected).unwrap_or_default()
    }

    /// Some text of the page: sentences outside links if there are any, or else whatever comes first.
    fn sample(&self) -> String {
        let mut sample = String::new();
        for leaf in &self.leaves {
            if leaf.in_anchor || leaf.text.len() < SENTENCE {
                continue;
            }
            sample.push_str(&self.text[leaf.text.clone()]);
            sample.push(' ');
            if sample.len() >= SAMPLE {
                break;
            }
        }
        if sample.is_empty() {
            sample.push_str(&self.text[..self.text.floor_char_boundary(SAMPLE)]);
        }
        sample.truncate(sample.floor_char_boundary(SAMPLE));
        sample
    }
}

#[cfg(test)]
mod tests {
    use crate::html::{Limits, parse_text};

    #[track_caller]
    fn check(markup: &str, declared: Option<&str>, expected: &str) {
        let page = parse_text(markup, &Limits::default());
        assert_eq!(page.language_or(declared), expected, "{markup}");
    }

    const GERMAN: &str = "<p>Der Zoll für die Einfuhr von Waren wurde im vergangenen Jahr nicht noch einmal \
        erhöht, obwohl es die Händler befürchtet hatten.";

    #[test]
    fn declared_before_detected() {
        check(&format!("<html lang=fr>{GERMAN}"), Some("en"), "fr");
        check(
            &format!("<HTML xml:lang='fr-CA'>{GERMAN}"),
            Some("en"),
            "fr",
        );
        check(&format!("<html xml:lang=it LANG=fr>{GERMAN}"), None, "fr");
        check(
            &format!("<html lang=fr><body><html lang=it>{GERMAN}"),
            None,
            "fr",
        );
        check(&format!("<html lang=''>{GERMAN}"), Some("en"), "en");
        check(&format!("<html lang=x-default>{GERMAN}"), None, "de");
        check(&format!("<body lang=fr>{GERMAN}"), None, "de");
        check("<p>ok", None, "");
    }

    #[test]
    fn text_outside_links_is_looked_at() {
        let links =
            "<a href=x>The quick brown fox jumps over the lazy dog again and again</a> ".repeat(50);
        check(&format!("{links}{GERMAN}"), None, "de");
        check(&links, None, "en");
    }
}
