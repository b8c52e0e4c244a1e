//! The native half of the Python package `trommel`: what Python cannot do as fast. Names, defaults and what is accepted in the place
//! of what are Python's half, in `trommel/`, which alone calls this one.

mod building;
mod error;
mod evaluation;
mod extraction;
mod hint;
mod index;
mod long;
mod output;
mod reading;
mod sweeping;
mod table;
mod trec;

use pyo3::prelude::*;

/// The native half of the package `trommel`.
#[pymodule]
mod _trommel {
    /// The version of the program.
    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    use super::building::{build, label, merge};
    #[pymodule_export]
    use super::error::{ParseError, TrommelError, TrommelWarning};
    #[pymodule_export]
    use super::evaluation::{compare, evaluate};
    #[pymodule_export]
    use super::extraction::{blocks, decode, extract, extract_as};
    #[pymodule_export]
    use super::index::Index;
    #[pymodule_export]
    use super::output::{DocumentsFile, write_demo};
    #[pymodule_export]
    use super::reading::{Page, Reader};
    #[pymodule_export]
    use super::sweeping::sweep;
    #[pymodule_export]
    use super::table::Table;
    #[pymodule_export]
    use super::trec::{read_qrels, read_run, read_topics, write_run};
}
