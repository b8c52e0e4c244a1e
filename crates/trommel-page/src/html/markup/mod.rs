//! Pieces of markup, as functions of text alone: names, attributes, character references, DOCTYPEs, raw text.

pub(super) mod attributes;
pub(super) mod doctype;
pub(super) mod names;
pub(super) mod raw_text;
pub(super) mod references;
pub(super) mod repair;
