//! What a source of metadata says.

/// What a source says of a page, in each list the likeliest first, as it stands there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Candidates {
    /// What the page is called.
    pub titles: Vec<String>,
    /// Who wrote it; several people are one text with commas.
    pub authors: Vec<String>,
    /// When it was published.
    pub dates: Vec<String>,
    /// When it was changed last.
    pub modified: Vec<String>,
    /// What it is about.
    pub descriptions: Vec<String>,
    /// What the site is called.
    pub sites: Vec<String>,
}
