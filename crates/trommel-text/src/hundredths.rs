//! Sums of counts that may count by hundredths.

use std::fmt;
use std::str::FromStr;

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

/// Text that is no non-negative number of hundredths, or one that is too large to be kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is no number with at most two digits behind the point, from 0 to 184467440737095516.15"
)]
pub struct HundredthsError(String);

/// As it is displayed; other ways to write a number are none: signs, exponents, more digits.
impl FromStr for Hundredths {
    type Err = HundredthsError;

    fn from_str(text: &str) -> Result<Hundredths, HundredthsError> {
        let number = |text: &str| -> Option<u64> {
            let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse().ok().filter(|_| is_plain)
        };
        let (whole, rest) = text.split_once('.').unwrap_or((text, "0"));
        let rest = match rest.len() {
            1 => number(rest).map(|tenths| 10 * tenths),
            2 => number(rest),
            _ => None,
        };
        let hundredths = number(whole).and_then(|whole| whole.checked_mul(100)?.checked_add(rest?));
        let hundredths = hundredths.ok_or_else(|| HundredthsError(text.to_owned()))?;
        Ok(Hundredths(hundredths))
    }
}

impl Hundredths {
    /// The sum; none if it is too large to be kept.
    pub fn checked_add(self, other: Hundredths) -> Option<Hundredths> {
        self.0.checked_add(other.0).map(Hundredths)
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
            assert_eq!(shown.parse(), Ok(number_of));
        }
        let largest = Hundredths::new(u64::MAX);
        assert_eq!(largest.to_string().parse(), Ok(largest));
        for none in [
            "",
            ".",
            "1.",
            ".5",
            "-1",
            "+1",
            "1.234",
            "1e3",
            "1.+2",
            "184467440737095516.16",
        ] {
            assert!(none.parse::<Hundredths>().is_err(), "{none}");
        }
        // 2^53 + 2 is a binary fraction, a hundred times that is none.
        let large = (1u64 << 53) + 2;
        assert_eq!(Hundredths::whole(large).to_f64(), large as f64);
    }
}
