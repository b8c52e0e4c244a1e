//! What is said of one of the papers' questions.

use crate::report::Table;

/// A section of the report.
pub(super) struct Section {
    /// Its name in addresses.
    pub id: &'static str,
    pub heading: String,
    pub note: String,
    /// Tables with what stands above them.
    pub tables: Vec<(String, Table)>,
}

/// A share in percent, with one decimal.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}
