//! Arithmetic over values and tests of any kind.

use std::ops::Range;

use trommel_text::Decimal;

use super::fraction::Fraction;
use crate::filter::Node;

/// Arithmetic whose leaves are numbers, values of a block, and tests of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Expression<V, T> {
    /// A number.
    Number(Constant),
    /// A value of a block.
    Value(V),
    /// A sum of terms. There are two at least, and the first is added.
    Sum(Vec<(Sign, Expression<V, T>)>),
    /// A product of factors and divisors. There are two at least, and the first is a factor.
    Product(Vec<(Power, Expression<V, T>)>),
    /// The least of these; there is one at least.
    Least(Vec<Expression<V, T>>),
    /// The greatest of these; there is one at least.
    Greatest(Vec<Expression<V, T>>),
    /// The first number where the test holds, else the second.
    If(Box<Choice<V, T>>),
}

/// Two expressions and what decides between them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Choice<V, T> {
    /// What decides.
    pub test: Node<T>,
    /// The number where it holds.
    pub then: Expression<V, T>,
    /// The number where it does not hold.
    pub otherwise: Expression<V, T>,
}

/// A number, and the shortest fraction that it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Constant {
    /// As it was written.
    pub decimal: Decimal,
    ratio: (u64, u64),
}

/// Whether a term is added or taken away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sign {
    /// It is added.
    Plus,
    /// It is taken away.
    Minus,
}

/// Whether something is a factor or a divisor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Power {
    /// A factor.
    Times,
    /// A divisor.
    By,
}

impl Constant {
    /// Numerator and denominator of the shortest fraction.
    pub(super) fn ratio(&self) -> [u64; 2] {
        [self.ratio.0, self.ratio.1]
    }
}

impl From<Decimal> for Constant {
    fn from(decimal: Decimal) -> Constant {
        Constant {
            decimal,
            ratio: decimal.ratio(),
        }
    }
}

/// A division by 0: the place of the divisor in the expression, by numbers of parts from the inside out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DivisionByZero {
    pub reversed_path: Vec<usize>,
}

impl<V, T> Expression<V, T> {
    /// The value, where `value` and `test` say what the leaves are.
    pub(crate) fn evaluate(
        &self,
        value: &mut impl FnMut(&V) -> Fraction,
        test: &mut impl FnMut(&T) -> bool,
    ) -> Result<Fraction, DivisionByZero> {
        let part = |number: usize, part: &Self, value: &mut _, test: &mut _| {
            part.evaluate(value, test).map_err(|mut error| {
                error.reversed_path.push(number);
                error
            })
        };
        let best = |parts: &[Self],
                    is_better: fn(std::cmp::Ordering) -> bool,
                    value: &mut _,
                    test: &mut _| {
            let mut best = part(0, &parts[0], value, test)?;
            for (number, other) in parts.iter().enumerate().skip(1) {
                let other = part(number, other, value, test)?;
                if is_better(other.compare(&best)) {
                    best = other;
                }
            }
            Ok(best)
        };
        match self {
            Expression::Number(Constant { ratio, .. }) => Ok(Fraction::quotient(ratio.0, ratio.1)),
            Expression::Value(leaf) => Ok(value(leaf)),
            Expression::Sum(terms) => {
                let mut sum = Fraction::ZERO;
                for (number, (sign, term)) in terms.iter().enumerate() {
                    let term = part(number, term, value, test)?;
                    sum = sum.plus(match sign {
                        Sign::Plus => term,
                        Sign::Minus => term.negated(),
                    });
                }
                Ok(sum)
            }
            Expression::Product(factors) => {
                let mut product = part(0, &factors[0].1, value, test)?;
                for (number, (power, factor)) in factors.iter().enumerate().skip(1) {
                    let factor = part(number, factor, value, test)?;
                    product = match power {
                        Power::Times => product.times(factor),
                        Power::By => product.divided_by(factor).ok_or(DivisionByZero {
                            reversed_path: vec![number],
                        })?,
                    };
                }
                Ok(product)
            }
            Expression::Least(parts) => best(parts, std::cmp::Ordering::is_lt, value, test),
            Expression::Greatest(parts) => best(parts, std::cmp::Ordering::is_gt, value, test),
            Expression::If(choice) => match choice.test.holds(test) {
                true => part(0, &choice.then, value, test),
                false => part(1, &choice.otherwise, value, test),
            },
        }
    }

    /// The expression with other leaves.
    ///
    /// # Errors
    /// The first that `value` or `test` gives.
    pub fn try_map<W, U, E>(
        &self,
        value: &mut impl FnMut(&V) -> Result<W, E>,
        test: &mut impl FnMut(&T) -> Result<U, E>,
    ) -> Result<Expression<W, U>, E> {
        let mut all = |parts: &[Self]| {
            let mut mapped = Vec::with_capacity(parts.len());
            for part in parts {
                mapped.push(part.try_map(value, test)?);
            }
            Ok(mapped)
        };
        Ok(match self {
            Expression::Number(number) => Expression::Number(*number),
            Expression::Least(parts) => Expression::Least(all(parts)?),
            Expression::Greatest(parts) => Expression::Greatest(all(parts)?),
            Expression::Value(leaf) => Expression::Value(value(leaf)?),
            Expression::Sum(terms) => {
                let mut mapped = Vec::with_capacity(terms.len());
                for (sign, term) in terms {
                    mapped.push((*sign, term.try_map(value, test)?));
                }
                Expression::Sum(mapped)
            }
            Expression::Product(factors) => {
                let mut mapped = Vec::with_capacity(factors.len());
                for (power, factor) in factors {
                    mapped.push((*power, factor.try_map(value, test)?));
                }
                Expression::Product(mapped)
            }
            Expression::If(choice) => Expression::If(Box::new(Choice {
                test: choice.test.try_map(test)?,
                then: choice.then.try_map(value, test)?,
                otherwise: choice.otherwise.try_map(value, test)?,
            })),
        })
    }

    /// Calls `value` and `test` with every leaf, from left to right.
    pub fn for_each<'e>(&'e self, value: &mut impl FnMut(&'e V), test: &mut impl FnMut(&'e T)) {
        match self {
            Expression::Number(_) => {}
            Expression::Value(leaf) => value(leaf),
            Expression::Sum(terms) => terms.iter().for_each(|(_, it)| it.for_each(value, test)),
            Expression::Product(parts) => parts.iter().for_each(|(_, it)| it.for_each(value, test)),
            Expression::Least(parts) | Expression::Greatest(parts) => {
                parts.iter().for_each(|it| it.for_each(value, test));
            }
            Expression::If(choice) => {
                choice.test.for_each(test);
                choice.then.for_each(value, test);
                choice.otherwise.for_each(value, test);
            }
        }
    }
}

/// Writes an expression, and finds where one of its parts stands in what is written.
pub(super) struct Writer<'p> {
    pub text: String,
    /// The part that is looked for: numbers of parts from the outside in.
    pub path: &'p [usize],
    pub found: Range<usize>,
}

impl Writer<'_> {
    /// Writes an expression; `path` leads from here to the part that is looked for, if it is in here.
    pub fn write<V: std::fmt::Display, T: std::fmt::Display>(
        &mut self,
        expression: &Expression<V, T>,
        path: Option<&[usize]>,
    ) {
        let start = self.text.len();
        let inside = |number: usize| path.and_then(|path| path.strip_prefix(&[number]));
        match expression {
            Expression::Number(number) => self.text += &number.decimal.to_string(),
            Expression::Value(value) => self.text += &value.to_string(),
            Expression::Sum(terms) => {
                for (number, (sign, term)) in terms.iter().enumerate() {
                    self.text += match (number, sign) {
                        (0, _) => "",
                        (_, Sign::Plus) => " + ",
                        (_, Sign::Minus) => " - ",
                    };
                    let binds = !matches!(term, Expression::Sum(_) | Expression::If(_));
                    self.write_part(term, binds, inside(number));
                }
            }
            Expression::Product(factors) => {
                for (number, (power, factor)) in factors.iter().enumerate() {
                    self.text += match (number, power) {
                        (0, _) => "",
                        (_, Power::Times) => " * ",
                        (_, Power::By) => " / ",
                    };
                    let binds = !matches!(
                        factor,
                        Expression::Sum(_) | Expression::Product(_) | Expression::If(_)
                    );
                    self.write_part(factor, binds, inside(number));
                }
            }
            Expression::Least(parts) | Expression::Greatest(parts) => {
                self.text += match expression {
                    Expression::Least(_) => "min(",
                    _ => "max(",
                };
                for (number, part) in parts.iter().enumerate() {
                    self.text += if number > 0 { ", " } else { "" };
                    self.write(part, inside(number));
                }
                self.text += ")";
            }
            Expression::If(choice) => {
                self.text += &format!("if {} then ", choice.test);
                let binds = !matches!(choice.then, Expression::If(_));
                self.write_part(&choice.then, binds, inside(0));
                self.text += " else ";
                self.write(&choice.otherwise, inside(1));
            }
        }
        if path.is_some_and(<[usize]>::is_empty) {
            self.found = start..self.text.len();
        }
    }

    /// Writes a part, in brackets if it would fall apart without.
    fn write_part<V: std::fmt::Display, T: std::fmt::Display>(
        &mut self,
        part: &Expression<V, T>,
        binds: bool,
        path: Option<&[usize]>,
    ) {
        self.text += if binds { "" } else { "(" };
        self.write(part, path);
        self.text += if binds { "" } else { ")" };
    }
}
