//! boilerpipe's extractors and those of the same author's paper that go on from them: one a file, each a chain of [`filter`]s.

pub(super) mod article;
pub(super) mod canola;
pub(super) mod default;
pub(super) mod density;
mod filter;
pub(super) mod keep_everything;
pub(super) mod largest;
pub(super) mod largest_content;
pub(super) mod main_content;
pub(super) mod numwords;
pub(super) mod sentences;
