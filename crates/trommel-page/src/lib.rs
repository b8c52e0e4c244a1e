//! Pages of the web: bytes to a page ([`html`]), its text blocks ([`html::segment`]), what is known of each
//! ([`attribute`]), and which of them count ([`filter`]).

pub mod attribute;
pub mod filter;
pub mod html;
mod page;

pub use page::*;
