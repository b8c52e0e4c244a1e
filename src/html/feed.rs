//! Feeds markup to the tokenizer without the attributes past a limit: its check for duplicates is quadratic.
//!
//! What looks like a tag inside a script (`i<d.forms.length`) or a comment is none, and a reader who takes it for one may find
//! its end half a page later. So this goes through the markup in step with the tokenizer, which says where raw text begins
//! and ends.

use html5ever::buffer_queue::BufferQueue;
use html5ever::interface::TokenizerResult;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{TokenSink, Tokenizer};
use memchr::memmem;

use super::attributes::{find, is_space, walk_tag};
use super::limited::{Limited, Place};

/// Feeds all of the markup; no tag keeps more than `limit` attributes. Were any dropped?
pub(super) fn feed(tokenizer: &Tokenizer<Limited>, markup: &str, limit: usize) -> bool {
    let mut feeder = Feeder {
        tokenizer,
        input: BufferQueue::default(),
        whole: StrTendril::from_slice(markup),
        bytes: markup.as_bytes(),
        limit,
        fed: 0,
        cut: false,
    };
    let mut at = 0;
    while let Some(open) = find(feeder.bytes, at, b"<") {
        at = feeder.markup_from(open);
    }
    feeder.feed_to(markup.len());
    feeder.cut
}

struct Feeder<'a> {
    tokenizer: &'a Tokenizer<Limited>,
    input: BufferQueue,
    whole: StrTendril,
    bytes: &'a [u8],
    limit: usize,
    /// What stands before this was fed.
    fed: usize,
    cut: bool,
}

impl Feeder<'_> {
    /// Goes past the tag, comment or other thing that a `<` outside raw text begins.
    fn markup_from(&mut self, open: usize) -> usize {
        let rest = &self.bytes[open..];
        let letter = |at: usize| rest.get(at).is_some_and(u8::is_ascii_alphabetic);
        if letter(1) {
            return self.start_tag(open + 1);
        }
        match rest {
            [b'<', b'/', ..] if letter(2) => self.tag(open + 2),
            [b'<', b'!', b'-', b'-', ..] => open + end_of_comment(rest),
            [b'<', b'!', b'[', ..] if rest.starts_with(b"<![CDATA[") => {
                self.feed_to(open);
                let foreign = self
                    .tokenizer
                    .sink
                    .adjusted_current_node_present_but_not_in_html_namespace();
                let end: &[u8] = if foreign { b"]]>" } else { b">" };
                open + after(rest, end)
            }
            [b'<', b'!' | b'?' | b'/', ..] => open + after(rest, b">"),
            _ => open + 1,
        }
    }

    fn start_tag(&mut self, name: usize) -> usize {
        let name_end = find(self.bytes, name, b" \t\n\x0c\r/>").unwrap_or(self.bytes.len());
        let may_begin_raw_text = RAW_TEXT
            .iter()
            .any(|raw| self.bytes[name..name_end].eq_ignore_ascii_case(raw));
        let at = self.tag(name);
        if !may_begin_raw_text {
            return at;
        }
        self.feed_to(at);
        match self.tokenizer.sink.place() {
            Place::Markup => at,
            Place::RawText => self.raw_text(&self.bytes[name..name_end], at),
            Place::PlainText => self.bytes.len(),
        }
    }

    /// Goes past the tag whose name begins at `name`, and leaves its surplus out.
    fn tag(&mut self, name: usize) -> usize {
        let tag = walk_tag(self.bytes, name, self.limit);
        if let Some(surplus) = tag.surplus {
            self.feed_to(surplus);
            self.fed = tag.end;
            self.cut = true;
        }
        (tag.end + 1).min(self.bytes.len())
    }

    /// Goes past the end tag of raw text.
    fn raw_text(&mut self, name: &[u8], mut at: usize) -> usize {
        while let Some(open) = memmem::find(&self.bytes[at..], b"</").map(|found| at + found) {
            let name_end = open + 2 + name.len();
            let named = self.bytes.get(open + 2..name_end);
            let is_end = named.is_some_and(|it| it.eq_ignore_ascii_case(name))
                && self
                    .bytes
                    .get(name_end)
                    .is_some_and(|b| is_space(*b) || matches!(b, b'/' | b'>'));
            if !is_end {
                at = open + 2;
                continue;
            }
            at = if name.eq_ignore_ascii_case(b"script") {
                self.end_of_script(name_end)
            } else {
                self.tag(open + 2)
            };
            self.feed_to(at);
            if self.tokenizer.sink.place() != Place::RawText {
                return at;
            }
        }
        self.bytes.len()
    }

    /// A script may go on after its end tag (`<!--<script></script>`), and then what would be attributes is none. Nobody gives
    /// them to end tags; so should there be some, the tag ends before them.
    fn end_of_script(&mut self, name_end: usize) -> usize {
        let after_space = self.bytes[name_end..]
            .iter()
            .position(|b| !is_space(*b) && *b != b'/')
            .map_or(self.bytes.len(), |found| name_end + found);
        if let Some(b'>') | None = self.bytes.get(after_space) {
            return (after_space + 1).min(self.bytes.len());
        }
        self.feed_to(name_end);
        self.feed_piece(StrTendril::from_char('>'));
        name_end
    }

    fn feed_to(&mut self, end: usize) {
        if end > self.fed {
            let piece = self
                .whole
                .subtendril(self.fed as u32, (end - self.fed) as u32);
            self.feed_piece(piece);
            self.fed = end;
        }
    }

    fn feed_piece(&self, piece: StrTendril) {
        self.input.push_back(piece);
        // Scripts and encoding indicators interrupt the tokenizer; neither concerns us.
        while !matches!(self.tokenizer.feed(&self.input), TokenizerResult::Done) {}
    }
}

/// Elements after whose start tag the tokenizer may take no tags.
const RAW_TEXT: [&[u8]; 9] = [
    b"script",
    b"style",
    b"title",
    b"textarea",
    b"xmp",
    b"iframe",
    b"noembed",
    b"noframes",
    b"plaintext",
];

/// Length of a comment that begins the text: HTML standard §13.2.5.43–13.2.5.52.
fn end_of_comment(text: &[u8]) -> usize {
    for short in [&b"<!-->"[..], b"<!--->"] {
        if text.starts_with(short) {
            return short.len();
        }
    }
    let mut at = 4;
    while let Some(found) = memmem::find(&text[at..], b"--").map(|found| at + found) {
        for end in [&b"-->"[..], b"--!>"] {
            if text[found..].starts_with(end) {
                return found + end.len();
            }
        }
        at = found + 1;
    }
    text.len()
}

/// Length of the text up to and with the first `end`; all of it if there is none.
fn after(text: &[u8], end: &[u8]) -> usize {
    memmem::find(text, end).map_or(text.len(), |found| found + end.len())
}
