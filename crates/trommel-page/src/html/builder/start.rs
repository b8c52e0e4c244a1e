//! Start tags.

use super::super::markup::attributes;
use super::super::markup::names::*;
use super::super::markup::references::{self, resolve};
use super::super::tree::{Attributes, NONE, NodeId};
use super::entry::Entry;
use super::{Again, Builder, Content, Done, Mode, Step, Tag};

impl Builder<'_> {
    /// Processes a start tag by the rules of a mode.
    pub(super) fn start_in(&mut self, mode: Mode, tag: &Tag) -> Step {
        match mode {
            Mode::InBody => self.start_in_body(tag),
            Mode::Initial => {
                self.quirks = true;
                self.again_in(Mode::BeforeHtml)
            }
            Mode::BeforeHtml if tag.name == HTML => {
                self.insert_root(&tag.kept);
                self.done_in(Mode::BeforeHead)
            }
            Mode::BeforeHtml => self.leave_before_html(),
            Mode::BeforeHead => match tag.name {
                HTML => self.start_in_body(tag),
                HEAD => {
                    self.head = self.insert_for(tag);
                    self.done_in(Mode::InHead)
                }
                _ => self.leave_before_head(),
            },
            Mode::InHead => self.start_in_head(tag),
            Mode::InHeadNoscript => match tag.name {
                HTML => self.start_in_body(tag),
                BASEFONT | BGSOUND | LINK | META | NOFRAMES | STYLE => self.start_in_head(tag),
                HEAD | NOSCRIPT => Done,
                _ => self.leave_head_noscript(),
            },
            Mode::AfterHead => self.start_after_head(tag),
            // Raw text has no start tags.
            Mode::Text => Done,
            Mode::InTable => self.start_in_table(tag),
            Mode::InTableText => self.leave_table_text(),
            Mode::InCaption => match tag.name {
                CAPTION | COL | COLGROUP | TBODY | TD | TFOOT | TH | THEAD | TR => {
                    match self.leave_caption() {
                        NONE => Done,
                        _ => Again,
                    }
                }
                _ => self.start_in_body(tag),
            },
            Mode::InColumnGroup => match tag.name {
                HTML => self.start_in_body(tag),
                COL => self.void(tag),
                TEMPLATE => self.start_in_head(tag),
                _ => self.leave_column_group(),
            },
            Mode::InTableBody => self.start_in_table_body(tag),
            Mode::InRow => self.start_in_row(tag),
            Mode::InCell => match tag.name {
                CAPTION | COL | COLGROUP | TBODY | TD | TFOOT | TH | THEAD | TR => {
                    if !self.any_in_scope(CELL, TABLE_SCOPE) {
                        return Done;
                    }
                    self.close_cell();
                    self.again_in(Mode::InRow)
                }
                _ => self.start_in_body(tag),
            },
            Mode::InTemplate => self.start_in_template(tag),
            Mode::AfterBody | Mode::AfterAfterBody => match tag.name {
                HTML => self.start_in_body(tag),
                _ => self.again_in(Mode::InBody),
            },
            Mode::InFrameset => match tag.name {
                HTML => self.start_in_body(tag),
                FRAMESET => {
                    self.insert_for(tag);
                    Done
                }
                FRAME => self.void(tag),
                NOFRAMES => self.start_in_head(tag),
                _ => Done,
            },
            Mode::AfterFrameset | Mode::AfterAfterFrameset => match tag.name {
                HTML => self.start_in_body(tag),
                NOFRAMES => self.start_in_head(tag),
                _ => Done,
            },
        }
    }

    pub(super) fn done_in(&mut self, mode: Mode) -> Step {
        self.mode = mode;
        Done
    }

    pub(super) fn again_in(&mut self, mode: Mode) -> Step {
        self.mode = mode;
        Again
    }

    pub(super) fn leave_before_html(&mut self) -> Step {
        self.insert_root(&Attributes::default());
        self.again_in(Mode::BeforeHead)
    }

    pub(super) fn leave_before_head(&mut self) -> Step {
        self.head = self.insert_implied(HEAD);
        self.again_in(Mode::InHead)
    }

    pub(super) fn leave_head(&mut self) -> Step {
        self.pop();
        self.again_in(Mode::AfterHead)
    }

    pub(super) fn leave_head_noscript(&mut self) -> Step {
        self.pop();
        self.again_in(Mode::InHead)
    }

    pub(super) fn leave_after_head(&mut self) -> Step {
        self.insert_implied(BODY);
        self.again_in(Mode::InBody)
    }

    pub(super) fn leave_column_group(&mut self) -> Step {
        if self.current().key != COLGROUP {
            return Done;
        }
        self.pop();
        self.again_in(Mode::InTable)
    }

    /// Ends the caption, if one is in scope, and goes on in the table.
    pub(super) fn leave_caption(&mut self) -> NodeId {
        if !self.in_scope(CAPTION, TABLE_SCOPE) {
            return NONE;
        }
        self.imply_end_tags(IMPLIED);
        let caption = self.pop_named(CAPTION);
        self.clear_active_to_marker();
        self.mode = Mode::InTable;
        caption
    }

    /// Inserts an element without content.
    fn void(&mut self, tag: &Tag) -> Step {
        self.insert_empty(tag.name, &tag.kept);
        Done
    }

    pub(super) fn start_in_head(&mut self, tag: &Tag) -> Step {
        match tag.name {
            HTML => return self.start_in_body(tag),
            BASE | BASEFONT | BGSOUND | LINK | META => return self.void(tag),
            TITLE => return self.insert_raw(tag, Content::Rcdata),
            NOFRAMES | STYLE | SCRIPT => return self.insert_raw(tag, Content::RawText),
            NOSCRIPT => {
                self.insert_for(tag);
                self.mode = Mode::InHeadNoscript;
            }
            TEMPLATE => {
                self.active.push(Entry::MARKER);
                self.frameset_ok = false;
                self.mode = Mode::InTemplate;
                self.template_modes.push(Mode::InTemplate);
                self.insert_for(tag);
            }
            HEAD => {}
            _ => return self.leave_head(),
        }
        Done
    }

    fn start_after_head(&mut self, tag: &Tag) -> Step {
        match tag.name {
            HTML => self.start_in_body(tag),
            BODY => {
                self.insert_for(tag);
                self.frameset_ok = false;
                self.done_in(Mode::InBody)
            }
            FRAMESET => {
                self.insert_for(tag);
                self.done_in(Mode::InFrameset)
            }
            BASE | BASEFONT | BGSOUND | LINK | META | NOFRAMES | SCRIPT | STYLE | TEMPLATE
            | TITLE => {
                let head = self.head;
                self.push(head);
                let step = self.start_in_head(tag);
                self.remove(head);
                step
            }
            HEAD => Done,
            _ => self.leave_after_head(),
        }
    }

    fn start_in_body(&mut self, tag: &Tag) -> Step {
        match tag.name {
            HTML => {
                if !self.is_open(TEMPLATE) {
                    self.add_attributes(0, tag);
                }
            }
            BASE | BASEFONT | BGSOUND | LINK | META | NOFRAMES | SCRIPT | STYLE | TEMPLATE
            | TITLE => {
                return self.start_in_head(tag);
            }
            BODY => {
                if self.open.get(1).is_some_and(|open| open.key == BODY) && !self.is_open(TEMPLATE)
                {
                    self.frameset_ok = false;
                    self.add_attributes(1, tag);
                }
            }
            FRAMESET => {
                if let Some(body) = self.open.get(1).filter(|open| open.key == BODY)
                    && self.frameset_ok
                {
                    self.tree.detach(body.node);
                    self.truncate(1);
                    self.insert_for(tag);
                    self.mode = Mode::InFrameset;
                }
            }
            ADDRESS | ARTICLE | ASIDE | BLOCKQUOTE | CENTER | DETAILS | DIALOG | DIR | DIV | DL
            | FIELDSET | FIGCAPTION | FIGURE | FOOTER | HEADER | HGROUP | MAIN | MENU | NAV
            | OL | P | SEARCH | SECTION | SUMMARY | UL => {
                self.close_p_in_button_scope();
                self.insert_for(tag);
            }
            H1 | H2 | H3 | H4 | H5 | H6 => {
                self.close_p_in_button_scope();
                if self.current().sets & HEADING != 0 {
                    self.pop();
                }
                self.insert_for(tag);
            }
            PRE | LISTING => {
                self.close_p_in_button_scope();
                self.insert_for(tag);
                self.ignore_line_feed = true;
                self.frameset_ok = false;
            }
            FORM => {
                let in_template = self.is_open(TEMPLATE);
                if self.form == NONE || in_template {
                    self.close_p_in_button_scope();
                    let form = self.insert_for(tag);
                    if !in_template {
                        self.form = form;
                    }
                }
            }
            LI => self.list_item(tag, &[LI]),
            DD | DT => self.list_item(tag, &[DD, DT]),
            PLAINTEXT => {
                self.close_p_in_button_scope();
                self.insert_for(tag);
                self.content = Content::PlainText;
            }
            BUTTON => {
                if self.in_scope(BUTTON, SCOPE) {
                    self.imply_end_tags(IMPLIED);
                    self.pop_named(BUTTON);
                }
                self.reconstruct();
                self.insert_for(tag);
                self.frameset_ok = false;
            }
            A => {
                self.end_misnested_a();
                self.reconstruct();
                self.insert_formatting(tag);
            }
            B | BIG | CODE | EM | FONT | I | S | SMALL | STRIKE | STRONG | TT | U => {
                self.reconstruct();
                self.insert_formatting(tag);
            }
            NOBR => {
                self.reconstruct();
                if self.in_scope(NOBR, SCOPE) {
                    self.adoption_agency(NOBR);
                    self.reconstruct();
                }
                self.insert_formatting(tag);
            }
            APPLET | MARQUEE | OBJECT => {
                self.reconstruct();
                self.insert_for(tag);
                self.active.push(Entry::MARKER);
                self.frameset_ok = false;
            }
            TABLE => {
                if !self.quirks {
                    self.close_p_in_button_scope();
                }
                self.insert_for(tag);
                self.frameset_ok = false;
                self.mode = Mode::InTable;
            }
            AREA | BR | EMBED | IMG | KEYGEN | WBR => {
                self.reconstruct();
                self.frameset_ok = false;
                return self.void(tag);
            }
            IMAGE => {
                self.reconstruct();
                self.frameset_ok = false;
                self.insert_empty(IMG, &tag.kept);
            }
            INPUT => {
                if self.in_scope(SELECT, SCOPE) {
                    self.pop_named(SELECT);
                }
                self.reconstruct();
                if self.frameset_ok && !self.is_hidden(tag) {
                    self.frameset_ok = false;
                }
                return self.void(tag);
            }
            PARAM | SOURCE | TRACK => return self.void(tag),
            HR => {
                self.close_p_in_button_scope();
                if self.in_scope(SELECT, SCOPE) {
                    self.imply_end_tags(IMPLIED);
                }
                self.frameset_ok = false;
                return self.void(tag);
            }
            TEXTAREA => {
                self.ignore_line_feed = true;
                self.frameset_ok = false;
                return self.insert_raw(tag, Content::Rcdata);
            }
            XMP => {
                self.close_p_in_button_scope();
                self.reconstruct();
                self.frameset_ok = false;
                return self.insert_raw(tag, Content::RawText);
            }
            IFRAME => {
                self.frameset_ok = false;
                return self.insert_raw(tag, Content::RawText);
            }
            NOEMBED => return self.insert_raw(tag, Content::RawText),
            SELECT => {
                if self.in_scope(SELECT, SCOPE) {
                    self.pop_named(SELECT);
                } else {
                    self.reconstruct();
                    self.insert_for(tag);
                    self.frameset_ok = false;
                }
            }
            OPTION | OPTGROUP => {
                if self.in_scope(SELECT, SCOPE) {
                    match tag.name {
                        OPTION => self.imply_end_tags_but(OPTGROUP),
                        _ => self.imply_end_tags(IMPLIED),
                    }
                } else if self.current().key == OPTION {
                    self.pop();
                }
                self.reconstruct();
                self.insert_for(tag);
            }
            RB | RTC => {
                if self.in_scope(RUBY, SCOPE) {
                    self.imply_end_tags(IMPLIED);
                }
                self.insert_for(tag);
            }
            RP | RT => {
                if self.in_scope(RUBY, SCOPE) {
                    self.imply_end_tags_but(RTC);
                }
                self.insert_for(tag);
            }
            MATH | SVG_ELEMENT => {
                self.reconstruct();
                let namespace = if tag.name == MATH { MATHML } else { SVG };
                self.insert_foreign(tag, tag.name | namespace);
            }
            CAPTION | COL | COLGROUP | FRAME | HEAD | TBODY | TD | TFOOT | TH | THEAD | TR => {}
            _ => {
                self.reconstruct();
                self.insert_for(tag);
            }
        }
        Done
    }

    /// Ends an item that is open and begins one.
    fn list_item(&mut self, tag: &Tag, kind: &[Name]) {
        self.frameset_ok = false;
        let mut to_close = None;
        for open in self.open.iter().rev() {
            self.tree.work += 1;
            if kind.contains(&open.key) {
                to_close = Some(open.key);
                break;
            }
            if open.sets & SPECIAL != 0 && !matches!(open.key, ADDRESS | DIV | P) {
                break;
            }
        }
        if let Some(name) = to_close {
            self.imply_end_tags_but(name);
            self.pop_named(name);
        }
        self.close_p_in_button_scope();
        self.insert_for(tag);
    }

    fn add_attributes(&mut self, at: usize, tag: &Tag) {
        if let Some(open) = self.open.get(at) {
            self.tree.set_attributes(open.node, &tag.kept);
        }
    }

    fn is_hidden(&self, tag: &Tag) -> bool {
        self.attribute(tag, "type")
            .is_some_and(|value| value.eq_ignore_ascii_case("hidden"))
    }

    /// The value of an attribute that is not kept.
    pub(super) fn attribute(&self, tag: &Tag, name: &str) -> Option<String> {
        let mut attributes = attributes::attributes(self.text_of(&tag.rest));
        let (_, value) = attributes.find(|(it, _)| it.eq_ignore_ascii_case(name.as_bytes()))?;
        let mut text = String::new();
        resolve(
            &String::from_utf8_lossy(value),
            references::Place::Attribute,
            "\u{fffd}",
            &mut text,
        );
        Some(text)
    }

    /// Processes a tag by the rules of the body, with what it inserts in the table put before it.
    fn foster(&mut self, tag: &Tag) -> Step {
        self.foster_parenting = true;
        let step = self.start_in_body(tag);
        self.foster_parenting = false;
        step
    }

    fn start_in_table(&mut self, tag: &Tag) -> Step {
        match tag.name {
            CAPTION => {
                self.pop_to(TABLE_SCOPE);
                self.active.push(Entry::MARKER);
                self.insert_for(tag);
                self.done_in(Mode::InCaption)
            }
            COLGROUP => {
                self.pop_to(TABLE_SCOPE);
                self.insert_for(tag);
                self.done_in(Mode::InColumnGroup)
            }
            COL => {
                self.pop_to(TABLE_SCOPE);
                self.insert_implied(COLGROUP);
                self.again_in(Mode::InColumnGroup)
            }
            TBODY | TFOOT | THEAD => {
                self.pop_to(TABLE_SCOPE);
                self.insert_for(tag);
                self.done_in(Mode::InTableBody)
            }
            TD | TH | TR => {
                self.pop_to(TABLE_SCOPE);
                self.insert_implied(TBODY);
                self.again_in(Mode::InTableBody)
            }
            TABLE => {
                if !self.in_scope(TABLE, TABLE_SCOPE) {
                    return Done;
                }
                self.pop_named(TABLE);
                self.reset_mode();
                Again
            }
            STYLE | SCRIPT | TEMPLATE => self.start_in_head(tag),
            INPUT if self.is_hidden(tag) => self.void(tag),
            FORM => {
                if !self.is_open(TEMPLATE) && self.form == NONE {
                    self.form = self.insert_empty(FORM, &tag.kept);
                }
                Done
            }
            _ => self.foster(tag),
        }
    }

    fn start_in_table_body(&mut self, tag: &Tag) -> Step {
        match tag.name {
            TR => {
                self.pop_to(TABLE_BODY_CONTEXT);
                self.insert_for(tag);
                self.done_in(Mode::InRow)
            }
            TH | TD => {
                self.pop_to(TABLE_BODY_CONTEXT);
                self.insert_implied(TR);
                self.again_in(Mode::InRow)
            }
            CAPTION | COL | COLGROUP | TBODY | TFOOT | THEAD => self.leave_table_body(),
            _ => self.start_in_table(tag),
        }
    }

    pub(super) fn leave_table_body(&mut self) -> Step {
        let is_in_scope = self.find_in_scope(TABLE_SCOPE, |open| {
            matches!(open.key, TABLE | TBODY | TFOOT)
        });
        if !is_in_scope {
            return Done;
        }
        self.pop_to(TABLE_BODY_CONTEXT);
        self.pop();
        self.again_in(Mode::InTable)
    }

    fn start_in_row(&mut self, tag: &Tag) -> Step {
        match tag.name {
            TH | TD => {
                self.pop_to(TABLE_ROW_CONTEXT);
                self.insert_for(tag);
                self.active.push(Entry::MARKER);
                self.done_in(Mode::InCell)
            }
            CAPTION | COL | COLGROUP | TBODY | TFOOT | THEAD | TR => self.leave_row(),
            _ => self.start_in_table(tag),
        }
    }

    pub(super) fn leave_row(&mut self) -> Step {
        if !self.in_scope(TR, TABLE_SCOPE) {
            return Done;
        }
        self.pop_through(TABLE_ROW_CONTEXT);
        self.again_in(Mode::InTableBody)
    }

    fn start_in_template(&mut self, tag: &Tag) -> Step {
        let mode = match tag.name {
            BASE | BASEFONT | BGSOUND | LINK | META | NOFRAMES | SCRIPT | STYLE | TEMPLATE
            | TITLE => {
                return self.start_in_head(tag);
            }
            CAPTION | COLGROUP | TBODY | TFOOT | THEAD => Mode::InTable,
            COL => Mode::InColumnGroup,
            TR => Mode::InTableBody,
            TD | TH => Mode::InRow,
            _ => Mode::InBody,
        };
        self.template_modes.pop();
        self.template_modes.push(mode);
        self.again_in(mode)
    }
}
