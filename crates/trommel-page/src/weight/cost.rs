//! What an expression costs at most, known before it is computed for any block.

use super::expression::{Expression, Power};

/// Numbers and attributes that are computed with for one block, at most.
pub(super) const MOST_NUMBERS: u64 = 100;

/// Bits of the longest numerator or denominator, at most.
pub(super) const MOST_BITS: u64 = 1024;

/// Bits of both parts of an attribute: counts have 32.
const COUNT: u64 = 32;

/// The greatest cost of an expression for any block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cost {
    /// Numbers and attributes, of a choice those of the dearer side.
    pub numbers: u64,
    /// Bits of the numerator of the value.
    pub numerator: u64,
    /// Bits of the denominator of the value.
    pub denominator: u64,
    /// Bits of the longest numerator or denominator on the way.
    pub longest: u64,
}

/// Adds up what fractions that are never reduced may grow to: products add their bits, sums those of a common denominator and
/// one for the carry.
pub(super) fn cost<V, T>(expression: &Expression<V, T>) -> Cost {
    let leaf = |numerator: u64, denominator: u64| Cost {
        numbers: 1,
        numerator,
        denominator,
        longest: numerator.max(denominator),
    };
    match expression {
        Expression::Number(number) => {
            let [numerator, denominator] =
                number.ratio().map(|it| u64::from(it.max(1).ilog2()) + 1);
            leaf(numerator, denominator)
        }
        Expression::Value(_) => leaf(COUNT, COUNT),
        Expression::Sum(terms) => {
            let terms = terms.iter().map(|(_, term)| cost(term));
            terms.reduce(plus).unwrap_or(leaf(0, 0))
        }
        Expression::Product(factors) => {
            let factors = factors
                .iter()
                .map(|(power, factor)| match (power, cost(factor)) {
                    (Power::Times, cost) => cost,
                    (Power::By, cost) => Cost {
                        numerator: cost.denominator,
                        denominator: cost.numerator,
                        ..cost
                    },
                });
            factors.reduce(times).unwrap_or(leaf(0, 0))
        }
        Expression::Least(parts) | Expression::Greatest(parts) => {
            let parts = parts.iter().map(cost);
            let both = |a: Cost, b: Cost| Cost {
                numbers: a.numbers + b.numbers,
                ..dearer(a, b)
            };
            parts.reduce(both).unwrap_or(leaf(0, 0))
        }
        Expression::If(choice) => dearer(cost(&choice.then), cost(&choice.otherwise)),
    }
}

fn plus(a: Cost, b: Cost) -> Cost {
    let numerator = (a.numerator + b.denominator).max(b.numerator + a.denominator) + 1;
    combined(a, b, numerator, a.denominator + b.denominator)
}

fn times(a: Cost, b: Cost) -> Cost {
    combined(
        a,
        b,
        a.numerator + b.numerator,
        a.denominator + b.denominator,
    )
}

fn combined(a: Cost, b: Cost, numerator: u64, denominator: u64) -> Cost {
    Cost {
        numbers: a.numbers + b.numbers,
        numerator,
        denominator,
        longest: (a.longest).max(b.longest).max(numerator).max(denominator),
    }
}

fn dearer(a: Cost, b: Cost) -> Cost {
    Cost {
        numbers: a.numbers.max(b.numbers),
        numerator: a.numerator.max(b.numerator),
        denominator: a.denominator.max(b.denominator),
        longest: a.longest.max(b.longest),
    }
}
