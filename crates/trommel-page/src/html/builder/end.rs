//! End tags.

use super::super::markup::names::*;
use super::super::tree::{Attributes, NONE, START_TAG};
use super::{Again, Builder, Done, Mode, Step};

impl Builder<'_> {
    /// Processes an end tag by the rules of a mode.
    pub(super) fn end_in(&mut self, mode: Mode, name: Name) -> Step {
        match mode {
            Mode::InBody => self.end_in_body(name),
            Mode::Initial => {
                self.quirks = true;
                self.again_in(Mode::BeforeHtml)
            }
            Mode::BeforeHtml => match name {
                HEAD | BODY | HTML | BR => self.leave_before_html(),
                _ => Done,
            },
            Mode::BeforeHead => match name {
                HEAD | BODY | HTML | BR => self.leave_before_head(),
                _ => Done,
            },
            Mode::InHead => match name {
                HEAD => {
                    self.pop_ended();
                    self.done_in(Mode::AfterHead)
                }
                BODY | HTML | BR => self.leave_head(),
                TEMPLATE => self.end_template(),
                _ => Done,
            },
            Mode::InHeadNoscript => match name {
                NOSCRIPT => {
                    self.pop_ended();
                    self.done_in(Mode::InHead)
                }
                BR => self.leave_head_noscript(),
                _ => Done,
            },
            Mode::AfterHead => match name {
                TEMPLATE => self.end_template(),
                BODY | HTML | BR => self.leave_after_head(),
                _ => Done,
            },
            Mode::Text => {
                self.pop_ended();
                self.done_in(self.original_mode)
            }
            Mode::InTable => self.end_in_table(name),
            Mode::InTableText => self.leave_table_text(),
            Mode::InCaption => match name {
                CAPTION => {
                    self.ended = self.leave_caption();
                    Done
                }
                TABLE => match self.leave_caption() {
                    NONE => Done,
                    _ => Again,
                },
                BODY | COL | COLGROUP | HTML | TBODY | TD | TFOOT | TH | THEAD | TR => Done,
                _ => self.end_in_body(name),
            },
            Mode::InColumnGroup => match name {
                COLGROUP => {
                    if self.current().key != COLGROUP {
                        return Done;
                    }
                    self.pop_ended();
                    self.done_in(Mode::InTable)
                }
                COL => Done,
                TEMPLATE => self.end_template(),
                _ => self.leave_column_group(),
            },
            Mode::InTableBody => match name {
                TBODY | TFOOT | THEAD => {
                    if !self.in_scope(name, TABLE_SCOPE) {
                        return Done;
                    }
                    self.pop_to(TABLE_BODY_CONTEXT);
                    self.pop_ended();
                    self.done_in(Mode::InTable)
                }
                TABLE => self.leave_table_body(),
                BODY | CAPTION | COL | COLGROUP | HTML | TD | TH | TR => Done,
                _ => self.end_in_table(name),
            },
            Mode::InRow => match name {
                TR => {
                    if !self.in_scope(TR, TABLE_SCOPE) {
                        return Done;
                    }
                    self.pop_to(TABLE_ROW_CONTEXT);
                    self.pop_ended();
                    self.done_in(Mode::InTableBody)
                }
                TABLE => self.leave_row(),
                TBODY | TFOOT | THEAD => match self.in_scope(name, TABLE_SCOPE) {
                    true => self.leave_row(),
                    false => Done,
                },
                BODY | CAPTION | COL | COLGROUP | HTML | TD | TH => Done,
                _ => self.end_in_table(name),
            },
            Mode::InCell => match name {
                TD | TH => {
                    if self.in_scope(name, TABLE_SCOPE) {
                        self.imply_end_tags(IMPLIED);
                        self.ended = self.pop_named(name);
                        self.clear_active_to_marker();
                        self.mode = Mode::InRow;
                    }
                    Done
                }
                BODY | CAPTION | COL | COLGROUP | HTML => Done,
                TABLE | TBODY | TFOOT | THEAD | TR => {
                    if !self.in_scope(name, TABLE_SCOPE) {
                        return Done;
                    }
                    self.close_cell();
                    self.again_in(Mode::InRow)
                }
                _ => self.end_in_body(name),
            },
            Mode::InTemplate => match name {
                TEMPLATE => self.end_template(),
                _ => Done,
            },
            Mode::AfterBody => match name {
                HTML => {
                    self.end_html();
                    self.done_in(Mode::AfterAfterBody)
                }
                _ => self.again_in(Mode::InBody),
            },
            Mode::AfterAfterBody => self.again_in(Mode::InBody),
            Mode::InFrameset => {
                if name == FRAMESET && self.open.len() > 1 {
                    self.pop_ended();
                    if self.current().key != FRAMESET {
                        self.mode = Mode::AfterFrameset;
                    }
                }
                Done
            }
            Mode::AfterFrameset => {
                if name == HTML {
                    self.end_html();
                    self.mode = Mode::AfterAfterFrameset;
                }
                Done
            }
            Mode::AfterAfterFrameset => Done,
        }
    }

    fn end_html(&mut self) {
        self.ended = self.open.first().map_or(NONE, |open| open.node);
    }

    fn end_template(&mut self) -> Step {
        if self.is_open(TEMPLATE) {
            self.imply_end_tags(IMPLIED | IMPLIED_IN_TEMPLATE);
            self.ended = self.leave_template();
            self.reset_mode();
        }
        Done
    }

    pub(super) fn leave_template(&mut self) -> u32 {
        let template = self.pop_named(TEMPLATE);
        self.clear_active_to_marker();
        self.template_modes.pop();
        template
    }

    fn end_in_body(&mut self, name: Name) -> Step {
        match name {
            TEMPLATE => return self.end_template(),
            BODY | HTML => {
                if !self.in_scope(BODY, SCOPE) {
                    return Done;
                }
                self.mode = Mode::AfterBody;
                if name == HTML {
                    return Again;
                }
                let body = self.open.iter().rev().find(|open| open.key == BODY);
                self.ended = body.map_or(NONE, |open| open.node);
            }
            ADDRESS | ARTICLE | ASIDE | BLOCKQUOTE | BUTTON | CENTER | DETAILS | DIALOG | DIR
            | DIV | DL | FIELDSET | FIGCAPTION | FIGURE | FOOTER | HEADER | HGROUP | LISTING
            | MAIN | MENU | NAV | OL | PRE | SEARCH | SECTION | SELECT | SUMMARY | UL => {
                if self.in_scope(name, SCOPE) {
                    self.imply_end_tags(IMPLIED);
                    self.ended = self.pop_named(name);
                }
            }
            FORM => self.end_form(),
            P => {
                if !self.in_scope(P, SCOPE | BUTTON_SCOPE) {
                    let p = self.insert_implied(P);
                    self.tree.node_mut(p).flags &= !START_TAG;
                }
                self.ended = self.close_p();
            }
            LI | DD | DT => {
                let stops = if name == LI {
                    SCOPE | LIST_SCOPE
                } else {
                    SCOPE
                };
                if self.in_scope(name, stops) {
                    self.imply_end_tags_but(name);
                    self.ended = self.pop_named(name);
                }
            }
            H1 | H2 | H3 | H4 | H5 | H6 => {
                if self.any_in_scope(HEADING, SCOPE) {
                    self.imply_end_tags(IMPLIED);
                    let heading = self.pop_through(HEADING);
                    if self.tree.is(heading, name) {
                        self.ended = heading;
                    }
                }
            }
            A | B | BIG | CODE | EM | FONT | I | NOBR | S | SMALL | STRIKE | STRONG | TT | U => {
                self.adoption_agency(name);
            }
            APPLET | MARQUEE | OBJECT => {
                if self.in_scope(name, SCOPE) {
                    self.imply_end_tags(IMPLIED);
                    self.ended = self.pop_named(name);
                    self.clear_active_to_marker();
                }
            }
            BR => {
                self.reconstruct();
                let br = self.insert_empty(BR, &Attributes::default());
                self.tree.node_mut(br).flags &= !START_TAG;
                self.frameset_ok = false;
            }
            _ => self.end_any_other(name),
        }
        Done
    }

    fn end_form(&mut self) {
        if self.is_open(TEMPLATE) {
            if self.in_scope(FORM, SCOPE) {
                self.imply_end_tags(IMPLIED);
                self.ended = self.pop_named(FORM);
            }
            return;
        }
        // A form that the tag does not end, such as one around the table that the tag stands in, is the one it was meant for.
        let innermost = self.open.iter().rev().find(|open| open.key == FORM);
        self.ended = innermost.map_or(self.ended, |open| open.node);
        let form = std::mem::replace(&mut self.form, NONE);
        if form == NONE || !self.find_in_scope(SCOPE, |open| open.node == form) {
            return;
        }
        self.imply_end_tags(IMPLIED);
        self.remove(form);
        self.ended = form;
    }

    /// Ends the nearest element of a name, unless a special one is in between.
    pub(super) fn end_any_other(&mut self, name: Name) {
        // An end tag without its element would go through many open ones for nothing.
        if self.counts.get(name as usize) == Some(&0) {
            return;
        }
        for at in (0..self.open.len()).rev() {
            self.tree.work += 1;
            let open = self.open[at];
            if open.key == name {
                self.ended = open.node;
                self.imply_end_tags_but(name);
                self.truncate(at);
                return;
            }
            if open.sets & SPECIAL != 0 {
                return;
            }
        }
    }

    fn end_in_table(&mut self, name: Name) -> Step {
        match name {
            TABLE => {
                if self.in_scope(TABLE, TABLE_SCOPE) {
                    self.ended = self.pop_named(TABLE);
                    self.reset_mode();
                }
                Done
            }
            BODY | CAPTION | COL | COLGROUP | HTML | TBODY | TD | TFOOT | TH | THEAD | TR => Done,
            TEMPLATE => self.end_template(),
            _ => {
                self.foster_parenting = true;
                let step = self.end_in_body(name);
                self.foster_parenting = false;
                step
            }
        }
    }
}
