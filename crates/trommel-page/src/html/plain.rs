//! Text without markup to a [`Page`].

use trommel_text::is_java_white_space;

use super::{Charset, Limits, charset};
use crate::page::{Element, Event, Leaf, Page, ParseLimit, Tag};

/// Elements around the lines.
const AROUND: [Tag; 2] = [Tag::Html, Tag::Body];

/// Decodes a text and makes a page of it: each line that is not blank is a paragraph, a leaf of its own. `declared` is the
/// charset that the collection declares. Of the limits those of bytes and nodes hold.
pub fn parse_plain(
    bytes: &[u8],
    title: &str,
    charset: Charset,
    declared: Option<&str>,
    limits: &Limits,
) -> Page {
    let cut = bytes.len() > limits.bytes;
    let bytes = if cut { &bytes[..limits.bytes] } else { bytes };
    // As in HTML, a NUL is no text.
    let text = charset::decode(bytes, charset, declared).replace('\0', "");
    let mut page = Page {
        title: title.split_whitespace().collect::<Vec<_>>().join(" "),
        limit: cut.then_some(ParseLimit::Bytes),
        ..Page::default()
    };
    for tag in AROUND {
        begin(&mut page, tag);
    }
    for line in text.split(['\n', '\r']) {
        if line.chars().all(is_java_white_space) {
            continue;
        }
        // An element and its text are two nodes.
        if page.leaves.len() >= limits.nodes / 2 {
            page.limit = Some(ParseLimit::Nodes);
            break;
        }
        let parent = begin(&mut page, Tag::P);
        let start = page.text.len();
        page.text.push_str(line);
        page.events.push(Event::Leaf(page.leaves.len() as u32));
        page.leaves.push(Leaf {
            text: start..page.text.len(),
            parent,
            in_anchor: false,
        });
        page.events.push(Event::End(parent));
    }
    page.events.push(Event::End(1));
    page.events.push(Event::End(0));
    page
}

/// Begins an element inside the innermost of [`AROUND`] that there is.
fn begin(page: &mut Page, tag: Tag) -> u32 {
    let id = page.elements.len() as u32;
    let parent = id.checked_sub(1).map(|before| before.min(1));
    page.elements.push(Element {
        tag,
        parent,
        start_tag: true,
        end_tag: true,
        id: 0..0,
        class: 0..0,
    });
    page.events.push(Event::Start(id));
    id
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::{parse_text, segment};

    /// A text is what its lines are as paragraphs of HTML, for every segmenter.
    #[test]
    fn lines_are_paragraphs() {
        let text = " One <b>line</b>\r\n\r\n\t\nTwo &amp;\u{a0}words\n\0\nlast";
        let page = parse_plain(
            text.as_bytes(),
            " A\n title ",
            Charset::Auto,
            None,
            &Limits::default(),
        );
        assert_eq!(page.title, "A title");
        let html = "<html><body><p> One &lt;b>line&lt;/b></p><p>Two &amp;amp;&nbsp;words</p><p>last</p></body></html>";
        let mut same = parse_text(html, &Limits::default());
        assert_eq!(page.text, same.text);
        // The parser adds a head.
        assert_eq!(same.elements.remove(1).tag, Tag::Head);
        let tags = |page: &Page| {
            page.elements
                .iter()
                .map(|e| e.tag.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(tags(&page), tags(&same));
        for segmenter in segment::all() {
            let cut = |page: &Page| (segmenter.segment)(page).blocks;
            assert_eq!(
                cut(&page),
                cut(&parse_text(html, &Limits::default())),
                "{}",
                segmenter.name
            );
        }
    }

    #[test]
    fn limits_hold() {
        let limits = Limits::default().with_bytes(9).with_nodes(6);
        let plain = |text: &str| parse_plain(text.as_bytes(), "", Charset::Auto, None, &limits);
        let page = plain("one\ntwo\nthree");
        assert_eq!(
            (page.text.as_str(), page.limit),
            ("onetwot", Some(ParseLimit::Bytes))
        );
        let page = plain("a\nb\nc\nd\n");
        assert_eq!(
            (page.text.as_str(), page.limit),
            ("abc", Some(ParseLimit::Nodes))
        );
    }
}
