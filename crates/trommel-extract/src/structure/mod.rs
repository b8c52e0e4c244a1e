//! The structure of what is left of a page, and how it is written: Markdown and HTML.
//!
//! [`Structure::new`] goes once through the page's tree and keeps, of the elements around kept leaves, those that mean something. Writers go
//! through the nodes in their order. Nothing is recursive.
//!
//! ```
//! use trommel_extract::structure::{Structure, StructureOptions, markdown};
//! use trommel_page::html::{Charset, Limits, parse_with_source};
//!
//! let markup = b"<h2>Barrels</h2><ul><li>of <b>oak</b><li>of *steel*</ul>";
//! let (page, source) = parse_with_source(markup, Charset::Auto, None, &Limits::default());
//! let all = vec![true; page.leaves.len()];
//! let structure = Structure::new(&page, &source, &all, "", &StructureOptions::default());
//! assert_eq!(markdown(&structure), "## Barrels\n\n- of **oak**\n- of \\*steel\\*\n");
//! ```

mod address;
mod build;
mod code;
mod html;
mod markdown;
mod math;
mod node;
mod options;
mod tables;
#[cfg(test)]
mod tests;

pub use address::resolve;
pub use html::html;
pub use markdown::markdown;
pub use node::{Kind, Node, Place, Structure};
pub use options::StructureOptions;
