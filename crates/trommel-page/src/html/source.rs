//! A page together with the markup that it was made of: for what looks at attributes, scripts, and where a text stands.

use std::borrow::Cow;
use std::ops::Range;

use super::charset::{Charset, Decoded, decode_and_tell};
use super::flatten::{Places, flatten_with_places};
use super::markup::attributes::attributes;
use super::markup::references::{self, resolve};
use super::{Limits, MOST_MARKUP, MOST_REPAIRS, normalize_line_breaks, offsets, tokenizer};
use crate::page::{ElementId, LeafId, Page, ParseLimit};

/// The decoded markup of a page, and where the page's elements and texts stand in it. One that was not parsed from markup
/// ([`Source::default`]) knows of nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Source {
    /// The markup, decoded, line breaks as line feeds.
    markup: String,
    /// What the parser made of references, which places past the markup's end mean.
    own: String,
    places: Places,
    decoded: Option<Decoded>,
}

/// As [`parse`](super::parse): the same page, and its source. Takes some more time and twice the memory.
pub fn parse_with_source(
    bytes: &[u8],
    charset: Charset,
    declared: Option<&str>,
    limits: &Limits,
) -> (Page, Source) {
    let cut = bytes.len() > limits.bytes;
    let bytes = if cut { &bytes[..limits.bytes] } else { bytes };
    let (text, decoded) = decode_and_tell(bytes, charset, declared);
    let end = text.floor_char_boundary(MOST_MARKUP);
    let too_long = (end < text.len()).then_some(ParseLimit::Bytes);
    let markup = normalize_line_breaks(&text[..end]);
    let tree = tokenizer::parse(&markup, limits, MOST_REPAIRS, true);
    let (mut page, places) = flatten_with_places(&tree, &markup);
    page.limit = match cut {
        true => Some(ParseLimit::Bytes),
        false => too_long.or(tree.limit),
    };
    let source = Source {
        own: tree.own,
        places,
        decoded: Some(decoded),
        markup: match markup {
            // Both are borrowed of the payload, or the markup is the text.
            Cow::Borrowed(markup) => markup.to_owned(),
            Cow::Owned(markup) => markup,
        },
    };
    (page, source)
}

impl Source {
    /// The value of an element's attribute, its references resolved; the first of several of that name. `name` is in lower case.
    pub fn attribute(&self, element: ElementId, name: &str) -> Option<Cow<'_, str>> {
        let mut all = self.raw_attributes(element);
        let (_, value) = all.find(|(own, _)| own.eq_ignore_ascii_case(name.as_bytes()))?;
        Some(resolved(value))
    }

    /// All attributes of an element in their order: names as they stand in the markup, values with references resolved.
    pub fn attributes(&self, element: ElementId) -> impl Iterator<Item = (&str, Cow<'_, str>)> {
        self.raw_attributes(element).map(|(name, value)| {
            let name = std::str::from_utf8(name).unwrap_or_default();
            (name, resolved(value))
        })
    }

    fn raw_attributes(&self, element: ElementId) -> impl Iterator<Item = (&[u8], &[u8])> {
        let place = self.places.tags.get(element as usize);
        // The `>` behind them ends the last one's value.
        let text = place.map_or("", |place| self.slice(place));
        Tagged { text }.attributes()
    }

    /// The text of the blank text that is the so-manieth [`Event::Blank`](crate::Event::Blank) of the page, counted from 0.
    pub fn blank(&self, number: usize) -> &str {
        let place = self.places.blanks.get(number);
        let text = place.and_then(|place| {
            let place = place.start as usize..place.end as usize;
            self.places.white.get(place)
        });
        text.unwrap_or_default()
    }

    /// The text of the so-manieth [`Event::Hidden`](crate::Event::Hidden) of the page, counted from 0: that of a script, as it
    /// stands in the markup.
    pub fn hidden(&self, number: usize) -> &str {
        let place = self.places.hidden.get(number);
        place.map_or("", |place| self.slice(place))
    }

    /// Where a leaf stands in the markup (decoded as UTF-8, line breaks as line feeds), in bytes; none without markup. A leaf with
    /// references reaches from the tag or comment before it to that behind it.
    pub fn place(&self, leaf: LeafId) -> Option<Range<usize>> {
        let place = self.places.leaves.get(leaf as usize)?;
        Some(place.start as usize..place.end as usize)
    }

    /// Where places in the markup, such as [`Source::place`] gives, stand in the payload that was parsed, in bytes, before it was
    /// decoded. None where the encoding does not tell: UTF-32, and escapes of seven bits such as HZ. `payload` must be what was parsed.
    pub fn in_payload(&self, payload: &[u8], places: &[Range<usize>]) -> Option<Vec<Range<usize>>> {
        let decoded = self.decoded?;
        let encoding = decoded.encoding?;
        let mut ends: Vec<usize> = places.iter().flat_map(|it| [it.start, it.end]).collect();
        ends.sort_unstable();
        ends.dedup();
        let payload = payload.get(decoded.mark..)?;
        let found = offsets::offsets(payload, encoding, &ends);
        let of = |at: usize| {
            let known = ends.binary_search(&at).ok();
            let found = known.and_then(|known| found.get(known).copied());
            found.unwrap_or(payload.len()) + decoded.mark
        };
        Some(
            places
                .iter()
                .map(|place| of(place.start)..of(place.end))
                .collect(),
        )
    }

    fn slice(&self, place: &Range<u32>) -> &str {
        let (start, end) = (place.start as usize, place.end as usize);
        let length = self.markup.len();
        let text = match start < length {
            true => self.markup.get(start..end),
            false => self.own.get(start - length..end.saturating_sub(length)),
        };
        text.unwrap_or_default()
    }
}

/// The text of a tag behind its name, without its bracket.
struct Tagged<'a> {
    text: &'a str,
}

impl<'a> Tagged<'a> {
    fn attributes(self) -> impl Iterator<Item = (&'a [u8], &'a [u8])> {
        attributes(self.text.as_bytes())
    }
}

fn resolved(value: &[u8]) -> Cow<'_, str> {
    let value = String::from_utf8_lossy(value);
    if memchr::memchr2(b'&', 0, value.as_bytes()).is_none() {
        return value;
    }
    let mut text = String::new();
    resolve(&value, references::Place::Attribute, "\u{fffd}", &mut text);
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::parse;
    use crate::page::{Event, Tag};

    fn source(bytes: &[u8]) -> (Page, Source) {
        let (page, source) = parse_with_source(bytes, Charset::Auto, None, &Limits::default());
        let same = parse(bytes, Charset::Auto, None, &Limits::default());
        assert_eq!(page, same);
        (page, source)
    }

    fn element(page: &Page, tag: Tag, number: usize) -> ElementId {
        let mut all = (0..page.elements.len() as u32).filter(|id| *page.tag(*id) == tag);
        all.nth(number).unwrap()
    }

    #[test]
    fn attributes_are_those_of_the_tag() {
        let (page, source) =
            source(b"<p><a HREF='/x?a=1&amp;b=2' title=\"A &lt; B\" href=/no>one<p>two</a>");
        let expected = [("HREF", "/x?a=1&b=2"), ("title", "A < B"), ("href", "/no")];
        // The second is the one that the standard makes again in the second paragraph.
        for number in 0..2 {
            let link = element(&page, Tag::A, number);
            let found: Vec<(&str, Cow<str>)> = source.attributes(link).collect();
            assert_eq!(found, expected.map(|(name, value)| (name, value.into())));
            assert_eq!(source.attribute(link, "href").unwrap(), "/x?a=1&b=2");
            assert_eq!(source.attribute(link, "id"), None);
        }
        assert_eq!(source.attribute(element(&page, Tag::P, 0), "href"), None);
        assert_eq!(Source::default().attribute(0, "href"), None);
    }

    #[test]
    fn scripts_and_blanks_have_their_text() {
        let markup =
            "<script>var a = '<b>&amp;';</script><pre><i>a</i> \n <i>b</i></pre><style>x</style>";
        let (page, source) = source(markup.as_bytes());
        let count = |event: Event| page.events.iter().filter(|it| **it == event).count();
        assert_eq!((count(Event::Hidden), count(Event::Blank(1))), (2, 1));
        assert_eq!(source.hidden(0), "var a = '<b>&amp;';");
        assert_eq!(source.hidden(1), "x");
        assert_eq!(source.blank(0), " \n ");
    }

    /// What stands in the payload at the places of the leaves.
    #[track_caller]
    fn check(bytes: &[u8], expected: &[&[u8]]) {
        let (page, source) = source(bytes);
        let places: Vec<Range<usize>> = (0..page.leaves.len() as u32)
            .map(|leaf| source.place(leaf).unwrap())
            .collect();
        let found = source.in_payload(bytes, &places).unwrap();
        let found: Vec<&[u8]> = found.into_iter().map(|place| &bytes[place]).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn leaves_are_found_in_the_payload() {
        check(b"<p> one<p>two <b>three</b>", &[b"one", b"two ", b"three"]);
        // References, and text around a comment, which is a node of its own.
        check(b"<p>a &amp; b<!-- c -->d", &[b"a &amp; b", b"d"]);
        check(
            "\u{feff}<p>\r\na\r\nb\r<p>\u{e9}c\r\n".as_bytes(),
            &[b"a\r\nb\r", "\u{e9}c\r\n".as_bytes()],
        );
        // Text in a table goes before it, and joins what stands there.
        check(b"a<table>b<tr><td>c</table>", &[b"a<table>b", b"c"]);
        // Windows-1252: an e with an accent is one byte and two in UTF-8.
        check(
            b"<p>\xe9t\xe9<p>x\xe9\r\n<p>y",
            &[b"\xe9t\xe9", b"x\xe9\r\n", b"y"],
        );
        // Shift_JIS, as the meta element says.
        let japanese = b"<meta charset=shift_jis><p>\x93\xfa\x96\x7b<p>abc\x8c\xea";
        check(japanese, &[b"\x93\xfa\x96\x7b", b"abc\x8c\xea"]);
        // UTF-16 with its mark.
        let wide: Vec<u8> = "\u{feff}<p>\u{1f600}a<p>\u{e9}"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        let of =
            |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
        check(&wide, &[&of("\u{1f600}a"), &of("\u{e9}")]);
        // UTF-8 with a malformed byte.
        check(
            b"<p>\xc3\xa9\xff<p>\xc3\xa9z",
            &[b"\xc3\xa9\xff", b"\xc3\xa9z"],
        );
    }
}
