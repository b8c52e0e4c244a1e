//! Search web archives without the boilerplate.
//!
//! Pages are cut into text blocks, blocks are measured and indexed, and a search keeps only the blocks that pass a filter chosen
//! at search time. `ARCHITECTURE.md` maps the modules; a module imports only those of lower layers.

pub mod extractor;
pub mod html;
pub mod index;
pub mod page;
pub mod text;
