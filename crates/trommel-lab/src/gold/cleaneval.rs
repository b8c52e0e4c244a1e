//! CleanEval's gold standard: a line `URL: …`, then text in which `<p>`, `<h>` and `<l>` stand before paragraphs, headings and
//! list items. CleanPortalEval's has HTML entities besides; they are resolved. Other tags are text, as in both corpora they are
//! part of what a reader sees or rare slips.

use trommel_page::html::{self, Charset};

use super::content::Gold;
use crate::score::Text;

/// How the first line begins.
const URL: &str = "URL:";
/// How a file begins, if it says where its page is from.
pub(super) const FIRST_LINE: &[u8] = URL.as_bytes();

pub(super) fn read(bytes: &[u8], charset: Charset) -> Gold {
    let text = html::charset::decode(bytes, charset, None);
    let body = text.trim_start();
    let (first, rest) = body.split_once('\n').unwrap_or((body, ""));
    let (url, body) = match first.strip_prefix(URL) {
        Some(url) => (Some(url.trim().to_owned()), rest),
        None => (None, body),
    };
    let mut plain = String::with_capacity(body.len());
    let mut rest = body;
    while let Some(at) = rest.find('<') {
        plain.push_str(&rest[..at]);
        let marker = rest.as_bytes().get(at + 1..at + 3);
        if let Some([b'p' | b'h' | b'l' | b'P' | b'H' | b'L', b'>']) = marker {
            plain.push('\n');
            rest = &rest[at + 3..];
        } else {
            plain.push('<');
            rest = &rest[at + 1..];
        }
    }
    plain.push_str(rest);
    Gold {
        text: Text {
            plain: html::unescape(&plain),
            marked: html::unescape(body).into_bytes(),
        },
        url: url.filter(|url| !url.is_empty()),
        ..Gold::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(file: &str, plain: &str, url: Option<&str>) {
        let gold = read(file.as_bytes(), Charset::Auto);
        let words: Vec<&str> = gold.text.plain.split_whitespace().collect();
        assert_eq!(
            (words.join(" ").as_str(), gold.url.as_deref()),
            (plain, url)
        );
    }

    #[test]
    fn gold_files() {
        check(
            "\nURL: http://x/\n<h>It&#039;s <P>a<l>b &amp; c",
            "It's a b & c",
            Some("http://x/"),
        );
        check("URL:\n\n", "", None);
        check("<p>URL: none <CR> 1 < 2 <", "URL: none <CR> 1 < 2 <", None);
    }
}
