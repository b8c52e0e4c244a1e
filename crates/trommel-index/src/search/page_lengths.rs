//! Lengths of pages, added up by many threads.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};

/// By page a sum of 32 bits, and what is above that of the few that have more. Sums are the same whatever the order is.
pub(crate) struct PageLengths {
    sums: Vec<AtomicU32>,
    above: Mutex<BTreeMap<u32, u64>>,
}

impl PageLengths {
    /// 0 for each of so many pages.
    pub fn new(pages: usize) -> PageLengths {
        let mut sums = Vec::new();
        sums.resize_with(pages, AtomicU32::default);
        PageLengths {
            sums,
            above: Mutex::default(),
        }
    }

    /// Adds to the length of a page.
    #[inline]
    pub fn add(&self, page: u32, length: u64) {
        let low = length as u32;
        let before = self.sums[page as usize].fetch_add(low, Relaxed);
        let above = (length >> 32) + u64::from(before.checked_add(low).is_none());
        if above > 0 {
            let mut all = self.above.lock().unwrap_or_else(PoisonError::into_inner);
            *all.entry(page).or_default() += above;
        }
    }

    /// The lengths.
    ///
    /// # Errors
    /// The first page whose length does not fit into 32 bits, and that length.
    pub fn finish(self) -> Result<Vec<u32>, (u32, u64)> {
        let above = self
            .above
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let sums: Vec<u32> = self.sums.into_iter().map(AtomicU32::into_inner).collect();
        match above.first_key_value() {
            None => Ok(sums),
            Some((page, above)) => Err((*page, above << 32 | u64::from(sums[*page as usize]))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_that_do_not_fit_are_told() {
        let lengths = PageLengths::new(3);
        lengths.add(1, 7);
        lengths.add(1, u64::from(u32::MAX) - 7);
        assert_eq!(lengths.finish(), Ok(vec![0, u32::MAX, 0]));
        let lengths = PageLengths::new(3);
        for (page, length) in [
            (2, 5 << 32),
            (1, 1 << 31),
            (1, (1 << 31) + 3),
            (1, (4 << 32) + 1),
        ] {
            lengths.add(page, length);
        }
        assert_eq!(lengths.finish(), Err((1, (5 << 32) + 4)));
    }
}
