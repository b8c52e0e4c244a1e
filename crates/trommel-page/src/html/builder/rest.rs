//! Text, NULs, comments and the end of the page.

use super::super::markup::attributes::is_space;
use super::super::markup::names::*;
use super::super::tree::{NONE, Place};
use super::{Again, Builder, Done, Mode, Step};

impl Builder<'_> {
    /// The DOCTYPE.
    pub fn doctype(&mut self, quirks: impl FnOnce() -> bool) {
        self.ignore_line_feed = false;
        if self.mode == Mode::Initial {
            self.quirks = quirks();
            self.mode = Mode::BeforeHtml;
        }
    }

    pub fn text(&mut self, mut place: Place) {
        if std::mem::take(&mut self.ignore_line_feed)
            && self.text_of(&place).first() == Some(&b'\n')
        {
            place.start += 1;
        }
        while !place.is_empty() {
            let part = match self.splits_text() {
                true => self.leading_run(&place),
                false => place.clone(),
            };
            while self.text_step(part.clone()) == Again {}
            place.start = part.end;
        }
    }

    /// Is white space other than other text in this mode?
    fn splits_text(&self) -> bool {
        !matches!(
            self.mode,
            Mode::InBody
                | Mode::InCell
                | Mode::Text
                | Mode::InTable
                | Mode::InTableText
                | Mode::InTableBody
                | Mode::InRow
                | Mode::InCaption
                | Mode::InTemplate
        )
    }

    /// The longest beginning that is all white space or has none.
    fn leading_run(&self, place: &Place) -> Place {
        let text = self.text_of(place);
        let first = text.first().is_some_and(|b| is_space(*b));
        let length = text.iter().position(|b| is_space(*b) != first);
        place.start..place.start + length.unwrap_or(text.len()) as u32
    }

    fn is_blank(&self, place: &Place) -> bool {
        self.text_of(place).iter().all(|b| is_space(*b))
    }

    fn text_step(&mut self, place: Place) -> Step {
        if self.is_foreign_to_text() {
            if self.frameset_ok && !self.is_blank(&place) {
                self.frameset_ok = false;
            }
            self.insert_text(place);
            return Done;
        }
        match self.mode {
            Mode::InBody | Mode::InCell | Mode::InCaption | Mode::InTemplate => {
                self.text_in_body(place)
            }
            Mode::Text => self.insert_text(place),
            Mode::InTable | Mode::InTableBody | Mode::InRow => {
                if self.current().sets & FOSTERING != 0 {
                    self.original_mode = self.mode;
                    return self.again_in(Mode::InTableText);
                }
                self.foster_parenting = true;
                self.text_in_body(place);
                self.foster_parenting = false;
            }
            Mode::InTableText => self.pending.push(place),
            // In the other modes a run is all white space or has none.
            _ if self.is_blank(&place) => match self.mode {
                Mode::Initial | Mode::BeforeHtml | Mode::BeforeHead => {}
                Mode::AfterBody | Mode::AfterAfterBody | Mode::AfterAfterFrameset => {
                    self.text_in_body(place)
                }
                _ => self.insert_text(place),
            },
            _ => return self.leave_for_text(),
        }
        Done
    }

    /// Leaves a mode in which other characters than white space cannot be.
    fn leave_for_text(&mut self) -> Step {
        match self.mode {
            Mode::Initial => {
                self.quirks = true;
                self.again_in(Mode::BeforeHtml)
            }
            Mode::BeforeHtml => self.leave_before_html(),
            Mode::BeforeHead => self.leave_before_head(),
            Mode::InHead => self.leave_head(),
            Mode::InHeadNoscript => self.leave_head_noscript(),
            Mode::AfterHead => self.leave_after_head(),
            Mode::InColumnGroup => self.leave_column_group(),
            Mode::AfterBody | Mode::AfterAfterBody => self.again_in(Mode::InBody),
            _ => Done,
        }
    }

    fn text_in_body(&mut self, place: Place) {
        self.reconstruct();
        if self.frameset_ok && !self.is_blank(&place) {
            self.frameset_ok = false;
        }
        self.insert_text(place);
    }

    fn insert_text(&mut self, text: Place) {
        let (parent, before) = self.place(self.current());
        self.tree.insert_text(parent, before, text);
    }

    /// A NUL in markup. Gives whether U+FFFD is to be put there: elsewhere it is left out.
    pub fn null(&mut self) -> bool {
        self.ignore_line_feed = false;
        if self.is_foreign_to_text() {
            return true;
        }
        while self.leave_for_text() == Again {}
        false
    }

    /// Inserts the U+FFFD that stands for a NUL. Unlike text it leaves the page free to have a frameset: §13.2.6.5.
    pub fn replaced_null(&mut self, place: Place) {
        self.insert_text(place);
    }

    /// The text of a table is white space, or else all of it goes before the table.
    pub(super) fn leave_table_text(&mut self) -> Step {
        let pending = std::mem::take(&mut self.pending);
        if pending.iter().all(|place| self.is_blank(place)) {
            for place in pending {
                self.insert_text(place);
            }
        } else {
            self.foster_parenting = true;
            for place in pending {
                self.text_in_body(place);
            }
            self.foster_parenting = false;
        }
        self.again_in(self.original_mode)
    }

    pub fn comment(&mut self) {
        self.ignore_line_feed = false;
        let mut parent = self.current().node;
        if self.current().sets & IN_HTML != 0 {
            match self.mode {
                Mode::InTableText => {
                    self.leave_table_text();
                    parent = self.current().node;
                }
                // It goes to the document.
                Mode::Initial
                | Mode::BeforeHtml
                | Mode::AfterAfterBody
                | Mode::AfterAfterFrameset => return,
                Mode::AfterBody => parent = self.open.first().map_or(NONE, |open| open.node),
                _ => {}
            }
        }
        if parent != NONE {
            self.tree.insert_comment(self.tree.contents(parent));
        }
    }

    /// The end of the page.
    pub fn end(&mut self) {
        self.ignore_line_feed = false;
        while self.end_step() == Again {}
    }

    fn end_step(&mut self) -> Step {
        match self.mode {
            Mode::Initial
            | Mode::BeforeHtml
            | Mode::BeforeHead
            | Mode::InHead
            | Mode::InHeadNoscript
            | Mode::AfterHead => self.leave_for_text(),
            Mode::Text => {
                self.pop();
                self.again_in(self.original_mode)
            }
            Mode::InTableText => self.leave_table_text(),
            Mode::AfterBody
            | Mode::AfterAfterBody
            | Mode::InFrameset
            | Mode::AfterFrameset
            | Mode::AfterAfterFrameset => Done,
            _ if !self.is_open(TEMPLATE) => Done,
            _ => {
                self.leave_template();
                self.reset_mode();
                Again
            }
        }
    }
}
