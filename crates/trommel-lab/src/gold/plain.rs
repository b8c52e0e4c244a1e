//! Plain text, as the dragnet corpus has it: the article, then a line `!@#$%^&*()  COMMENTS`, then the comments. Only the
//! article is the gold text. The line is mangled in some files, so any line of punctuation before the word is taken for it.

use trommel_page::html::{self, Charset};

use super::content::{Gold, paragraphs};

pub(super) fn read(bytes: &[u8], charset: Charset) -> Gold {
    let text = html::charset::decode(bytes, charset, None);
    let mut article = String::with_capacity(text.len());
    let mut comments = String::new();
    let mut lines = text.lines();
    for line in lines.by_ref().take_while(|line| !is_separator(line)) {
        article.push_str(line);
        article.push('\n');
    }
    for line in lines {
        comments.push_str(line);
        comments.push('\n');
    }
    Gold {
        text: paragraphs(article),
        comments,
        ..Gold::default()
    }
}

/// Are comments set apart?
pub(super) fn has_separator(bytes: &[u8]) -> bool {
    let mut found = memchr::memmem::find_iter(bytes, b"COMMENTS");
    found.any(|at| {
        let start = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |end| end + 1);
        let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |end| at + end);
        std::str::from_utf8(&bytes[start..end]).is_ok_and(is_separator)
    })
}

fn is_separator(line: &str) -> bool {
    line.trim_end()
        .strip_suffix("COMMENTS")
        .is_some_and(|marks| {
            marks.contains("$%^&*") && !marks.contains(|c: char| c.is_alphanumeric())
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators() {
        for line in [
            "!@#$%^&*()  COMMENTS",
            "  #$%^&*()  COMMENTS\t",
            "!@#$%$%^&*()  COMMENTS",
        ] {
            assert!(is_separator(line), "{line}");
        }
        for line in [
            "COMMENTS",
            "12 COMMENTS",
            "!@#$%^&*() COMMENTS are",
            "$%^&* 3 COMMENTS",
        ] {
            assert!(!is_separator(line), "{line}");
        }
        let gold = read(
            b"An article\n!@#$%^&*()  COMMENTS\nA comment",
            Charset::Auto,
        );
        assert_eq!(gold.text.plain, "An article\n");
        assert_eq!(gold.comments, "A comment\n");
    }
}
