//! What occurrences are counted in.

use trommel_text::Hundredths;

/// What occurrences and lengths are counted in: weights are hundredths, and without them nothing is parted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Grain {
    #[default]
    One,
    Hundredth,
}

impl Grain {
    /// So many of them as a number.
    #[inline]
    pub fn to_f64(self, count: u32) -> f64 {
        match self {
            Grain::One => f64::from(count),
            Grain::Hundredth => hundredths_to_f64(count),
        }
    }

    pub fn hundredths(self, count: u64) -> Hundredths {
        match self {
            Grain::One => Hundredths::whole(count),
            Grain::Hundredth => Hundredths::new(count),
        }
    }
}

/// Hundredths as a number, which is exact where they are whole.
#[inline]
pub(crate) fn hundredths_to_f64(count: u32) -> f64 {
    f64::from(count) / 100.0
}
