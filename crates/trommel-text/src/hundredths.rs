//! Sums of counts that may count by hundredths.

use std::fmt;

use serde::{Serialize, Serializer};

/// A non-negative number of hundredths, kept exactly: a sum of counts, each times a weight of hundredths. As JSON it is an integer
/// where it is whole.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hundredths(u64);

impl Hundredths {
    /// A whole number.
    pub const fn whole(number: u64) -> Hundredths {
        Hundredths(number.saturating_mul(100))
    }

    /// So many hundredths.
    pub const fn new(hundredths: u64) -> Hundredths {
        Hundredths(hundredths)
    }

    /// How many hundredths it is.
    pub const fn count(self) -> u64 {
        self.0
    }

    /// The nearest binary fraction, which is the number itself where it is whole.
    pub fn to_f64(self) -> f64 {
        match self.0 % 100 {
            0 => (self.0 / 100) as f64,
            _ => self.0 as f64 / 100.0,
        }
    }
}

impl fmt::Display for Hundredths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0 / 100, self.0 % 100);
        match (rest, rest % 10) {
            (0, _) => write!(f, "{whole}"),
            (_, 0) => write!(f, "{whole}.{}", rest / 10),
            _ => write!(f, "{whole}.{rest:02}"),
        }
    }
}

impl Serialize for Hundredths {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 % 100 {
            0 => serializer.serialize_u64(self.0 / 100),
            _ => serializer.serialize_f64(self.to_f64()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_stay_whole() {
        for (hundredths, shown, number) in [
            (0, "0", 0.0),
            (700, "7", 7.0),
            (7, "0.07", 0.07),
            (1250, "12.5", 12.5),
            (1203, "12.03", 12.03),
        ] {
            let number_of = Hundredths::new(hundredths);
            assert_eq!(number_of.to_string(), shown);
            assert_eq!(number_of.to_f64(), number);
        }
        // 2^53 + 2 is a binary fraction, a hundred times that is none.
        let large = (1u64 << 53) + 2;
        assert_eq!(Hundredths::whole(large).to_f64(), large as f64);
    }
}
