//! Quotients of integers, exact however long they get.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};

/// The weight 1, in hundredths.
pub const ONE: u16 = 100;

/// The greatest weight, in hundredths.
pub const MOST: u16 = 10_000;

/// A quotient of integers, which is never rounded, and not reduced either: how long it may get is known before
/// ([`super::cost`]), and a common divisor is dearer than a few more digits. The denominator is above 0. It is kept in machine
/// words as long as it fits.
#[derive(Debug, Clone)]
pub(crate) enum Fraction {
    /// Numerator and denominator.
    Small(i128, i128),
    /// Numerator and denominator.
    Large(Box<(BigInt, BigInt)>),
}

/// Why a fraction is no weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutOfRange {
    Negative,
    TooGreat,
}

impl Fraction {
    pub const ZERO: Fraction = Fraction::Small(0, 1);

    /// A quotient; one by 0 is 0, as everywhere for attributes.
    pub fn quotient(numerator: u64, denominator: u64) -> Fraction {
        match denominator {
            0 => Fraction::ZERO,
            _ => Fraction::Small(numerator.into(), denominator.into()),
        }
    }

    pub fn plus(self, other: Fraction) -> Fraction {
        let small = |a: i128, b: i128, c: i128, d: i128| {
            if b == d {
                return Some(Fraction::Small(a.checked_add(c)?, b));
            }
            let numerator = a.checked_mul(d)?.checked_add(c.checked_mul(b)?)?;
            Some(Fraction::Small(numerator, b.checked_mul(d)?))
        };
        self.combined(other, small, |a, b, c, d| match b == d {
            true => (a + c, b),
            false => (a * &d + c * &b, b * d),
        })
    }

    pub fn negated(self) -> Fraction {
        Fraction::ZERO.combined(
            self,
            |_, _, c, d| Some(Fraction::Small(c.checked_neg()?, d)),
            |_, _, c, d| (-c, d),
        )
    }

    pub fn times(self, other: Fraction) -> Fraction {
        let small = |a: i128, b: i128, c: i128, d: i128| {
            Some(Fraction::Small(a.checked_mul(c)?, b.checked_mul(d)?))
        };
        self.combined(other, small, |a, b, c, d| (a * c, b * d))
    }

    /// None if the divisor is 0.
    pub fn divided_by(self, divisor: Fraction) -> Option<Fraction> {
        if divisor.compare(&Fraction::ZERO).is_eq() {
            return None;
        }
        let small = |a: i128, b: i128, c: i128, d: i128| {
            let (numerator, denominator) = (a.checked_mul(d)?, b.checked_mul(c)?);
            Some(match denominator < 0 {
                true => Fraction::Small(numerator.checked_neg()?, denominator.checked_neg()?),
                false => Fraction::Small(numerator, denominator),
            })
        };
        Some(self.combined(divisor, small, |a, b, c, d| match c.sign() {
            Sign::Minus => (-(a * d), -(b * c)),
            _ => (a * d, b * c),
        }))
    }

    pub fn compare(&self, other: &Fraction) -> Ordering {
        if let (Fraction::Small(a, b), Fraction::Small(c, d)) = (self, other)
            && let (Some(left), Some(right)) = (a.checked_mul(*d), c.checked_mul(*b))
        {
            return left.cmp(&right);
        }
        let ((a, b), (c, d)) = (self.large(), other.large());
        (a * d).cmp(&(c * b))
    }

    /// Rounded to hundredths, halves up.
    pub fn to_hundredths(&self) -> Result<u16, OutOfRange> {
        let most = i128::from(MOST);
        if self.compare(&Fraction::ZERO).is_lt() {
            return Err(OutOfRange::Negative);
        }
        if self.compare(&Fraction::Small(most, 100)).is_gt() {
            return Err(OutOfRange::TooGreat);
        }
        let small = |numerator: i128, denominator: i128| {
            let twice = numerator.checked_mul(200)?.checked_add(denominator)?;
            let by = denominator.checked_mul(2)?;
            // Half as many digits divide in a fraction of the time.
            Some(match (u64::try_from(twice), u64::try_from(by)) {
                (Ok(twice), Ok(by)) => i128::from(twice / by),
                _ => twice / by,
            })
        };
        let rounded = match self {
            Fraction::Small(numerator, denominator) => small(*numerator, *denominator),
            Fraction::Large(_) => None,
        };
        let rounded = rounded.unwrap_or_else(|| {
            let (numerator, denominator) = self.large();
            let whole: BigInt = (numerator * 200 + &denominator) / (denominator * 2);
            i128::try_from(whole).unwrap_or(most)
        });
        // Within the range, by the comparisons above.
        Ok(rounded.clamp(0, most) as u16)
    }

    fn large(&self) -> (BigInt, BigInt) {
        match self {
            Fraction::Small(numerator, denominator) => ((*numerator).into(), (*denominator).into()),
            Fraction::Large(large) => (**large).clone(),
        }
    }

    /// Lengths of numerator and denominator, in bits.
    #[cfg(test)]
    pub fn bits(&self) -> [u64; 2] {
        let (numerator, denominator) = self.large();
        [numerator.bits(), denominator.bits()]
    }

    /// The result of an operation, in machine words if it fits there, else by `large`.
    fn combined(
        self,
        other: Fraction,
        small: impl Fn(i128, i128, i128, i128) -> Option<Fraction>,
        large: impl Fn(BigInt, BigInt, BigInt, BigInt) -> (BigInt, BigInt),
    ) -> Fraction {
        if let (Fraction::Small(a, b), Fraction::Small(c, d)) = (&self, &other)
            && let Some(result) = small(*a, *b, *c, *d)
        {
            return result;
        }
        let ((a, b), (c, d)) = (self.large(), other.large());
        Fraction::Large(Box::new(large(a, b, c, d)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(numerator: i128, denominator: i128) -> Fraction {
        Fraction::Small(numerator, denominator)
    }

    #[test]
    fn halves_are_rounded_up_and_the_range_is_exact() {
        for (numerator, denominator, hundredths) in [
            (0, 7, Ok(0)),
            (1, 3, Ok(33)),
            (2, 3, Ok(67)),
            (5, 1000, Ok(1)),
            (4_999_999, 1_000_000_000, Ok(0)),
            (100, 1, Ok(10_000)),
            (100_000_000_001, 1_000_000_000, Err(OutOfRange::TooGreat)),
            (-1, 1_000_000_000, Err(OutOfRange::Negative)),
        ] {
            let rounded = fraction(numerator, denominator).to_hundredths();
            assert_eq!(rounded, hundredths, "{numerator}/{denominator}");
            let large = Fraction::Large(Box::new(fraction(numerator, denominator).large()));
            assert_eq!(
                large.to_hundredths(),
                hundredths,
                "{numerator}/{denominator}"
            );
        }
    }

    /// What does not fit into machine words is computed all the same: (2^31 / 3)^8 / (2^31 / 3)^8 · 1/3.
    #[test]
    fn long_fractions_are_exact() {
        let base = || fraction(1 << 31, 3);
        let power = || (0..7).fold(base(), |product, _| product.times(base()));
        assert!(matches!(power(), Fraction::Large(_)));
        let one = power().divided_by(power()).unwrap();
        assert!(one.compare(&fraction(1, 1)).is_eq());
        assert_eq!(one.times(fraction(1, 3)).to_hundredths(), Ok(33));
        let difference = power().plus(power().negated());
        assert!(difference.compare(&Fraction::ZERO).is_eq());
        assert!(fraction(1, 1).divided_by(difference).is_none());
    }

    #[test]
    fn signs_of_quotients() {
        let minus = fraction(1, 2).divided_by(fraction(-1, 3)).unwrap();
        assert!(minus.compare(&fraction(-3, 2)).is_eq());
        assert!(minus.compare(&Fraction::ZERO).is_lt());
    }
}
