//! Gold standards: what people say the main content of a page is. One format a file, one row in [`all`] each.

mod class;
mod cleaneval;
mod gn1;
mod plain;

pub use class::Class;

use std::cmp::Reverse;

use crate::score::Text;
use trommel_page::html::Charset;
use trommel_page::{Page, Segmentation};
use trommel_text::count_tokens;

/// What a file of a gold standard says of its page.
#[derive(Debug, Clone, Default)]
pub struct Gold {
    /// The main content; its plain text is blank where the page has none.
    pub text: Text,
    /// Comments of readers, where the file sets them apart from the article and has them.
    pub comments: String,
    /// Where the page was fetched from, if the file says so.
    pub url: Option<String>,
    /// The page with the classes of its leaves, where the format has them.
    pub annotated: Option<Annotated>,
}

/// A page whose leaves have classes.
#[derive(Debug, Clone, Default)]
pub struct Annotated {
    /// The page without the elements that held the annotation.
    pub page: Page,
    /// The class of each leaf.
    pub classes: Vec<Class>,
    /// For each leaf, whether a reader of the page sees it.
    pub visible: Vec<bool>,
}

impl Annotated {
    /// The visible text of a class, a line for each leaf.
    pub fn text_of(&self, class: Class) -> String {
        let mut text = String::new();
        for leaf in 0..self.classes.len() {
            if self.classes[leaf] == class && self.visible[leaf] {
                text.push_str(self.page.leaf_text(leaf as u32));
                text.push('\n');
            }
        }
        text
    }
}

/// For each block of an annotated page the class that most of its words have; of classes with as many, the one with most leaves,
/// then content.
pub fn classes_of_blocks(annotated: &Annotated, segmentation: &Segmentation) -> Vec<Class> {
    let mut sizes = vec![[(0u32, 0u32); Class::ALL.len()]; segmentation.blocks.len()];
    for (leaf, class) in (0..).zip(&annotated.classes) {
        if let Some(block) = segmentation.block_of_leaf[leaf as usize] {
            let (words, leaves) = &mut sizes[block as usize][*class as usize];
            *words += count_tokens(annotated.page.leaf_text(leaf)).1;
            *leaves += 1;
        }
    }
    let most = |sizes: [(u32, u32); Class::ALL.len()]| {
        Class::ALL
            .into_iter()
            .max_by_key(|class| (sizes[*class as usize], class.is_content(), Reverse(*class)))
            .unwrap_or_default()
    };
    sizes.into_iter().map(most).collect()
}

/// A format of gold standards.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// Its name in flags.
    pub name: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// Does it set readers' comments apart, so that a page without any has none?
    pub comments: bool,
    /// Reads a file.
    pub read: fn(bytes: &[u8], charset: Charset) -> Gold,
}

/// All formats.
pub fn all() -> &'static [Format] {
    &[
        Format {
            name: "cleaneval",
            summary: "CleanEval: a URL line, then text with <p>, <h>, <l>",
            comments: false,
            read: cleaneval::read,
        },
        Format {
            name: "gn1",
            summary: "L3S-GN1: HTML with the classes of its text in spans",
            comments: true,
            read: gn1::read,
        },
        Format {
            name: "text",
            summary: "plain text; comments below a line '!@#$%^&*()  COMMENTS' are left out",
            comments: true,
            read: plain::read,
        },
    ]
}

/// The name of the format that a file is in, where it is not the one that it is taken for: as another one it would give text, and
/// figures, all the same. None where nothing tells.
pub fn mistaken(format: &Format, bytes: &[u8]) -> Option<&'static str> {
    let holds = |what: &[u8]| memchr::memmem::find(bytes, what).is_some();
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let found = if holds(gn1::MARK) {
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

/// Text with the same lines as paragraphs.
fn paragraphs(plain: String) -> Text {
    let mut marked = Vec::with_capacity(plain.len() + plain.len() / 16);
    for line in plain.lines().filter(|line| !line.trim().is_empty()) {
        marked.extend_from_slice(b"<p>");
        marked.extend_from_slice(line.as_bytes());
        marked.push(b'\n');
    }
    Text { plain, marked }
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
