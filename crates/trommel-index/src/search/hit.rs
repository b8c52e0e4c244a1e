//! What a search finds, and what it looks for.

/// A ranked page or block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Number of the page.
    pub page: u32,
    /// Number of the block within the page, where blocks are ranked.
    pub block: Option<u32>,
    /// Its score.
    pub score: f32,
}

/// A term of a query and what it counts.
#[derive(Debug, Clone, PartialEq)]
pub struct Clause {
    /// The term, as the analyzer made it.
    pub term: String,
    /// Its weight: 1, unless feedback made it.
    pub boost: f64,
}
