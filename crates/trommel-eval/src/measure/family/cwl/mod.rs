//! Measures of the C/W/L framework: a user who goes on from rank to rank with some probability, and what that user gains a document.

pub(super) mod bpm;
mod framework;
pub(super) mod insq;
pub(super) mod inst;
pub(super) mod nerr10;
pub(super) mod nerr11;
pub(super) mod nerr8;
pub(super) mod nerr9;
pub(super) mod sdcg;
