//! The experiments of the papers on boilerplate removal, which need no index: extractors scored against gold standards,
//! trained classifiers, densitometric analysis. Gives tables; renders nothing.
//!
//! An experiment that is written down as a file ([`Definition`]) has a kind, a row of [`kinds`]; its [`Outcome`] is compared
//! with the published figures that the file names.

mod definition;
pub mod density;
mod extractors;
mod kind;
mod learned;
mod outcome;
pub mod own;
mod removers;
mod web2text;
mod wsdm2010;

pub use definition::{DEMO, Definition, Deviation, PaperTable};
pub use kind::{Context, Kind};
pub use outcome::{Check, Curves, Figures, Outcome};

/// All kinds of this laboratory.
pub fn kinds() -> &'static [Kind] {
    &[
        extractors::KIND,
        wsdm2010::KIND,
        learned::KIND,
        own::KIND,
        removers::KIND,
        web2text::KIND,
    ]
}
