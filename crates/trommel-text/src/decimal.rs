//! Decimal thresholds, compared exactly with quotients of integers.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A non-negative decimal number of at most nine digits before and nine after the point, kept exactly.
///
/// A block's density is a quotient of two integers and a threshold is what the user wrote: `0.33` means 33/100, not the
/// nearest binary fraction. [`Decimal::cmp_quotient`] compares the two without rounding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Decimal {
    /// The number in billionths.
    billionths: u64,
}

/// Why a text is no [`Decimal`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is not a non-negative decimal number (like 10, 10.5 or 0.33; at most 9 digits before and after the point)"
)]
pub struct DecimalError(pub String);

/// Why a text or number is no [`UpTo`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RangeError {
    /// A text that is no number.
    #[error(transparent)]
    Decimal(#[from] DecimalError),
    /// A number above the greatest.
    #[error("{number} is more than {most}: the range is from 0 to {most}{}", percent(*number, *most))]
    TooGreat {
        /// What was given.
        number: Decimal,
        /// The greatest that there is.
        most: u32,
    },
}

/// What to write for a number that may have been meant as one of percent.
fn percent(number: Decimal, most: u32) -> String {
    let range = Decimal::whole(2)..=Decimal::whole(100);
    match most == 1 && range.contains(&number) && number.billionths.is_multiple_of(100) {
        false => String::new(),
        true => {
            let billionths = number.billionths / 100;
            format!(", and {number} percent is {}", Decimal { billionths })
        }
    }
}

/// A [`Decimal`] from 0 to `MOST`: a threshold of something that never is greater, so that a greater one is a slip. All ways to
/// one go through this check: texts, JSON, TOML and numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct UpTo<const MOST: u32>(Decimal);

const SCALE: u64 = 1_000_000_000;

impl<const MOST: u32> UpTo<MOST> {
    /// The number.
    pub const fn decimal(self) -> Decimal {
        self.0
    }
}

impl<const MOST: u32> TryFrom<Decimal> for UpTo<MOST> {
    type Error = RangeError;

    fn try_from(number: Decimal) -> Result<Self, RangeError> {
        match number <= Decimal::whole(MOST) {
            true => Ok(UpTo(number)),
            false => Err(RangeError::TooGreat { number, most: MOST }),
        }
    }
}

impl<const MOST: u32> FromStr for UpTo<MOST> {
    type Err = RangeError;

    fn from_str(text: &str) -> Result<Self, RangeError> {
        UpTo::try_from(text.parse::<Decimal>()?)
    }
}

impl<const MOST: u32> fmt::Display for UpTo<MOST> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'de, const MOST: u32> Deserialize<'de> for UpTo<MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

impl Decimal {
    /// A whole number.
    pub const fn whole(n: u32) -> Self {
        Decimal {
            billionths: n as u64 * SCALE,
        }
    }

    /// A number of hundredths.
    pub const fn hundredths(n: u32) -> Self {
        Decimal {
            billionths: n as u64 * (SCALE / 100),
        }
    }

    /// A quotient, to nine digits behind the point; 0 if the denominator is.
    pub const fn quotient(numerator: u32, denominator: u32) -> Self {
        Decimal {
            billionths: match (numerator as u64 * SCALE).checked_div(denominator as u64) {
                Some(billionths) => billionths,
                None => 0,
            },
        }
    }

    /// Numerator and denominator of the number as a fraction in its lowest terms.
    pub const fn ratio(self) -> (u64, u64) {
        let (mut divisor, mut rest) = (SCALE, self.billionths);
        while rest > 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        (self.billionths / divisor, SCALE / divisor)
    }

    /// Compares `numerator / denominator` with this number, exactly. A denominator of 0 counts as the quotient 0.
    pub fn cmp_quotient(self, numerator: u32, denominator: u32) -> std::cmp::Ordering {
        if denominator == 0 {
            return 0.cmp(&self.billionths);
        }
        let left = u128::from(numerator) * u128::from(SCALE);
        let right = u128::from(self.billionths) * u128::from(denominator);
        left.cmp(&right)
    }

    /// The number in hundredths, if it is a whole number of them and that fits.
    pub fn to_hundredths(self) -> Option<u32> {
        let hundredths = u32::try_from(self.billionths / (SCALE / 100)).ok()?;
        self.billionths
            .is_multiple_of(SCALE / 100)
            .then_some(hundredths)
    }

    /// Returns whether it has at most so many digits behind the point.
    pub fn has_digits_at_most(self, digits: u32) -> bool {
        let unit = 10u64.checked_pow(9u32.saturating_sub(digits)).unwrap_or(1);
        self.billionths.is_multiple_of(unit)
    }

    /// The numbers from `self` to `last`, inclusive, in steps; none where there are more than `most`, or the step is 0.
    pub fn steps(self, last: Decimal, step: Decimal, most: usize) -> Option<Vec<Decimal>> {
        let span = last.billionths.checked_sub(self.billionths)?;
        let count = usize::try_from(span.checked_div(step.billionths)?).ok()? + 1;
        let number = |n: usize| Decimal {
            billionths: self.billionths + n as u64 * step.billionths,
        };
        (count <= most).then(|| (0..count).map(number).collect())
    }

    /// The nearest binary fraction, for display and plots.
    pub fn to_f64(self) -> f64 {
        self.billionths as f64 / SCALE as f64
    }
}

impl FromStr for Decimal {
    type Err = DecimalError;

    fn from_str(s: &str) -> Result<Self, DecimalError> {
        let wrong = || DecimalError(s.to_owned());
        let (whole, fraction) = s.split_once('.').unwrap_or((s, ""));
        let digits = |t: &str| t.len() <= 9 && t.bytes().all(|b| b.is_ascii_digit());
        if (whole.is_empty() && fraction.is_empty()) || !digits(whole) || !digits(fraction) {
            return Err(wrong());
        }
        let parse = |t: &str| {
            if t.is_empty() {
                Ok(0)
            } else {
                t.parse::<u64>()
            }
        };
        let whole = parse(whole).map_err(|_| wrong())?;
        let fraction = parse(&format!("{fraction:0<9}")).map_err(|_| wrong())?;
        Ok(Decimal {
            billionths: whole * SCALE + fraction,
        })
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, fraction) = (self.billionths / SCALE, self.billionths % SCALE);
        if fraction == 0 {
            return write!(f, "{whole}");
        }
        let digits = format!("{fraction:09}");
        write!(f, "{whole}.{}", digits.trim_end_matches('0'))
    }
}

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cmp::Ordering::{Equal, Greater, Less};

    #[test]
    fn parses_and_prints() {
        for (text, printed) in [
            ("10", "10"),
            ("10.5", "10.5"),
            ("0.333333", "0.333333"),
            (".5", "0.5"),
            ("007.50", "7.5"),
        ] {
            assert_eq!(text.parse::<Decimal>().unwrap().to_string(), printed);
        }
        for text in [
            "",
            ".",
            "-1",
            "1e3",
            "1,5",
            "nan",
            "0.1234567890",
            "12345678901",
        ] {
            assert!(text.parse::<Decimal>().is_err(), "{text}");
        }
    }

    #[test]
    fn ranges() {
        for text in ["0", "0.33", "1", "1.000"] {
            assert!(text.parse::<UpTo<1>>().is_ok(), "{text}");
        }
        for (text, error) in [
            (
                "33",
                "33 is more than 1: the range is from 0 to 1, and 33 percent is 0.33",
            ),
            (
                "1.000000001",
                "1.000000001 is more than 1: the range is from 0 to 1",
            ),
            ("101", "101 is more than 1: the range is from 0 to 1"),
            (
                "x",
                "'x' is not a non-negative decimal number (like 10, 10.5 or 0.33; at most 9 digits before and after the point)",
            ),
        ] {
            let found = text.parse::<UpTo<1>>().map_err(|error| error.to_string());
            assert_eq!(found, Err(error.to_owned()), "{text}");
        }
        let error = "105".parse::<UpTo<40>>().unwrap_err().to_string();
        assert_eq!(error, "105 is more than 40: the range is from 0 to 40");
        let json = serde_json::from_str::<UpTo<1>>("\"33\"");
        assert!(json.unwrap_err().to_string().contains("more than 1"));
    }

    #[test]
    fn steps() {
        let steps = |from: &str, to: &str, by: &str| -> Option<String> {
            let [from, to, by] = [from, to, by].map(|text| text.parse::<Decimal>().unwrap());
            let steps = from.steps(to, by, 5)?;
            Some(steps.iter().map(|x| format!("{x} ")).collect())
        };
        assert_eq!(steps("1", "4", "1").as_deref(), Some("1 2 3 4 "));
        assert_eq!(steps("0", "0.35", "0.1").as_deref(), Some("0 0.1 0.2 0.3 "));
        assert_eq!(steps("2", "2", "1").as_deref(), Some("2 "));
        assert_eq!(steps("0", "5", "1"), None, "six");
        assert_eq!(steps("3", "2", "1"), None);
        assert_eq!(steps("1", "2", "0"), None);
    }

    #[test]
    fn compares_without_rounding() {
        let third: Decimal = "0.33".parse().unwrap();
        assert_eq!(third.cmp_quotient(33, 100), Equal);
        assert_eq!(third.cmp_quotient(1, 3), Greater);
        assert_eq!(third.cmp_quotient(32, 97), Less);
        assert_eq!(third.cmp_quotient(5, 0), Less);
        let tenth: Decimal = "0.1".parse().unwrap();
        assert_eq!(tenth.cmp_quotient(300_000_003, 3_000_000_030), Equal);
    }
}
