//! Pages that may be among the first, before they are scored.

/// Pages of a segment.
pub(super) struct Candidates {
    pub segment: usize,
    /// Their ranks, ascending.
    pub ranks: Vec<u32>,
    /// What no score is above.
    pub bounds: Vec<f64>,
    /// For each page the frequency of each term in all blocks, [`MANY`] if it is that or more.
    pub frequencies: Vec<u8>,
    /// Number of terms.
    terms: usize,
}

/// A frequency that is looked up.
pub(super) const MANY: u8 = u8::MAX;

/// A frequency as it is kept.
pub(super) fn kept(frequency: u32) -> u8 {
    u8::try_from(frequency).unwrap_or(MANY)
}

/// No less than the frequency that is kept so.
#[inline]
pub(super) fn known(kept: u8) -> u32 {
    match kept {
        MANY => u32::MAX,
        kept => u32::from(kept),
    }
}

impl Candidates {
    pub fn new(segment: usize, terms: usize) -> Candidates {
        Candidates {
            segment,
            ranks: Vec::new(),
            bounds: Vec::new(),
            frequencies: Vec::new(),
            terms,
        }
    }

    pub fn len(&self) -> usize {
        self.ranks.len()
    }

    /// The frequencies of a page, by term.
    pub fn of(&self, candidate: usize) -> &[u8] {
        let start = candidate * self.terms;
        &self.frequencies[start..start + self.terms]
    }

    /// The bound that about so many candidates reach.
    pub fn bound_of(&self, count: usize) -> f64 {
        if count >= self.len() {
            return f64::NEG_INFINITY;
        }
        let mut bounds = self.bounds.clone();
        let (_, bound, _) = bounds.select_nth_unstable_by(count, |a, b| b.total_cmp(a));
        *bound
    }
}
