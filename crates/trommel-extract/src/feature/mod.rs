//! Features of text blocks: what learned classifiers look at. One family a file, one row a family in [`all`].
//!
//! A family fixes the names of its features and their order. Rows are plain numbers; nothing is scaled here.

pub mod frequency;
pub mod own;
mod set;
mod web2text;
mod wsdm;

pub use frequency::Frequencies;
pub use set::{Feature, MeasureFn, Set};
pub use wsdm::Dimensions;

/// All sets.
pub fn all() -> &'static [Set] {
    &[wsdm::SET, web2text::SET, web2text::EDGES, own::SET]
}

/// The set of a name.
pub fn by_name(name: &str) -> Option<&'static Set> {
    all().iter().find(|set| set.name == name)
}
