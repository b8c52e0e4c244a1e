//! SVG and MathML: §13.2.6.5.

use super::super::markup::names::*;
use super::super::tree::HOLDS_HTML;
use super::{Builder, Done, Step, Tag};

impl Builder<'_> {
    /// Is a start tag processed by the rules for foreign content?
    pub(super) fn is_foreign_to_start(&self, name: Name) -> bool {
        let current = self.current();
        if current.sets & (IN_HTML | SVG_HTML) != 0 {
            return false;
        }
        if current.sets & MATHML_TEXT != 0 {
            return matches!(name, MGLYPH | MALIGNMARK);
        }
        if current.key == MATHML | ANNOTATION_XML {
            return name != SVG_ELEMENT && !self.current_holds_html();
        }
        true
    }

    /// Is text processed by the rules for foreign content?
    pub(super) fn is_foreign_to_text(&self) -> bool {
        let current = self.current();
        current.sets & (IN_HTML | SVG_HTML | MATHML_TEXT) == 0 && !self.current_holds_html()
    }

    fn current_holds_html(&self) -> bool {
        self.tree.node(self.current().node).flags & HOLDS_HTML != 0
    }

    pub(super) fn start_in_foreign(&mut self, tag: &Tag) -> Step {
        if self.breaks_out(tag) {
            self.pop_to(IN_HTML | MATHML_TEXT | SVG_HTML);
            return self.start_in(self.mode, tag);
        }
        let namespace = namespace(self.current().key);
        let name = match namespace {
            SVG => svg_name(tag.name),
            _ => tag.name,
        };
        self.insert_foreign(tag, name | namespace);
        Done
    }

    fn breaks_out(&self, tag: &Tag) -> bool {
        let is_html_font = |name| self.attribute(tag, name).is_some();
        match tag.name {
            FONT => ["color", "face", "size"].into_iter().any(is_html_font),
            name => sets(name) & BREAKOUT != 0,
        }
    }

    pub(super) fn insert_foreign(&mut self, tag: &Tag, key: Key) {
        let node = self.insert_empty(key, &tag.kept);
        if key == MATHML | ANNOTATION_XML && self.is_html_annotation(tag) {
            self.tree.node_mut(node).flags |= HOLDS_HTML;
        }
        if !tag.self_closing {
            self.push(node);
        }
    }

    fn is_html_annotation(&self, tag: &Tag) -> bool {
        self.attribute(tag, "encoding").is_some_and(|value| {
            value.eq_ignore_ascii_case("text/html")
                || value.eq_ignore_ascii_case("application/xhtml+xml")
        })
    }

    pub(super) fn end_in_foreign(&mut self, name: Name) -> Step {
        if matches!(name, BR | P) {
            self.pop_to(IN_HTML | MATHML_TEXT | SVG_HTML);
            return self.end_in(self.mode, name);
        }
        for at in (1..self.open.len()).rev() {
            self.tree.work += 1;
            let open = self.open[at];
            if is_html(open.key) {
                return self.end_in(self.mode, name);
            }
            if lower_case(local(open.key)) == name {
                self.ended = open.node;
                self.truncate(at);
                return Done;
            }
        }
        Done
    }
}
