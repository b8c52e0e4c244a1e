//! Gold standards: what people say the main content of a page is. One format a file, one row in [`all`] each.

mod annotated;
mod class;
mod cleaneval;
mod content;
mod gn1;
mod labelled;
mod pair;
mod plain;
mod wcxb;

use trommel_extract::own::Convention;
use trommel_page::html::Charset;

pub use annotated::{Annotated, classes_of_blocks};
pub use class::Class;
pub use content::{Gold, Metadata, Snippets};
pub use labelled::{GoldLabel, LabelledPage, labelled_pages};
pub use pair::{Pair, pairs, read, read_page};

/// A format of gold standards.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// Its name in flags.
    pub name: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// Does it set readers' comments apart, so that a page without any has none?
    pub comments: bool,
    /// What it takes for main content.
    pub convention: Convention,
    /// Whose work it is and under which licence, for models that are learnt from it; empty where the licence does not ask for it.
    pub credit: &'static str,
    /// Reads a file.
    ///
    /// # Errors
    /// Says what is wrong with a file that cannot be of this format.
    pub read: fn(bytes: &[u8], charset: Charset) -> Result<Gold, String>,
}

/// All formats.
pub fn all() -> &'static [Format] {
    &[
        Format {
            name: "cleaneval",
            summary: "CleanEval: a URL line, then text with <p>, <h>, <l>",
            comments: false,
            convention: Convention::Article,
            credit: "",
            read: |bytes, charset| Ok(cleaneval::read(bytes, charset)),
        },
        Format {
            name: "gn1",
            summary: "L3S-GN1: HTML with the classes of its text in spans",
            comments: true,
            convention: Convention::Article,
            credit: "",
            read: |bytes, charset| Ok(gn1::read(bytes, charset)),
        },
        Format {
            name: "text",
            summary: "plain text; comments below a line '!@#$%^&*()  COMMENTS' are left out",
            comments: true,
            convention: Convention::Article,
            credit: "",
            read: |bytes, charset| Ok(plain::read(bytes, charset)),
        },
        Format {
            name: "wcxb",
            summary: "WCXB: JSON with the main content, its page type, snippets and metadata",
            comments: false,
            convention: Convention::Main,
            credit: "WCXB, the Web Content Extraction Benchmark, by Murrough Foley (2026), CC-BY-4.0",
            read: |bytes, _| wcxb::read(bytes),
        },
    ]
}

/// The name of the format that a file is in, where it is not the one that it is taken for: as another one it would give text, and
/// figures, all the same. None where nothing tells.
pub fn mistaken(format: &Format, bytes: &[u8]) -> Option<&'static str> {
    let holds = |what: &[u8]| memchr::memmem::find(bytes, what).is_some();
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let found = if text.trim_ascii_start().starts_with(b"{") && holds(wcxb::MARK) {
        "wcxb"
    } else if holds(gn1::MARK) {
        "gn1"
    } else if text.trim_ascii_start().starts_with(cleaneval::FIRST_LINE) {
        "cleaneval"
    } else if plain::has_separator(bytes) || (format.name == "gn1" && !holds(b"<")) {
        "text"
    } else {
        return None;
    };
    (found != format.name && !text.trim_ascii().is_empty()).then_some(found)
}

/// The format of a name.
pub fn by_name(name: &str) -> Option<&'static Format> {
    all().iter().find(|format| format.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// GN1's pages, read as CleanEval's texts, gave an F1 of everything on them.
    #[test]
    fn a_gold_file_of_another_format_is_told() {
        let files = [
            ("gn1", "<html><span class=\"x-nc-sel2\">text</span>"),
            ("cleaneval", "\u{feff}\nURL: http://x/\n<p>text"),
            ("text", "text\n!@#$%^&*()  COMMENTS\ntext"),
            ("wcxb", "{\"ground_truth\": {\"main_content\": \"\"}}"),
        ];
        for (own, file) in files {
            for format in all() {
                let expected = (format.name != own).then_some(own);
                assert_eq!(mistaken(format, file.as_bytes()), expected, "{file}");
            }
        }
        for file in ["", "\n", "<p>text", "text < text"] {
            for format in all() {
                assert_eq!(mistaken(format, file.as_bytes()), None, "{file}");
            }
        }
    }
}
