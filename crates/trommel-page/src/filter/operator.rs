//! The comparisons with one value.

use std::cmp::Ordering;

/// A comparison with one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operator {
    /// `=`
    Equal,
    /// `!=`: where `=` does not hold, so also for a page that has no such value.
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

/// All operators with what they are written as, the longer ones first.
pub(super) const OPERATORS: [(&str, Operator); 6] = [
    ("!=", Operator::Unequal),
    ("<=", Operator::AtMost),
    (">=", Operator::AtLeast),
    ("=", Operator::Equal),
    ("<", Operator::Less),
    (">", Operator::Greater),
];

impl Operator {
    pub(super) fn holds(self, order: Ordering) -> bool {
        match self {
            Operator::Equal => order.is_eq(),
            Operator::Unequal => order.is_ne(),
            Operator::Less => order.is_lt(),
            Operator::AtMost => order.is_le(),
            Operator::Greater => order.is_gt(),
            Operator::AtLeast => order.is_ge(),
        }
    }

    pub(super) fn symbol(self) -> &'static str {
        let known = OPERATORS.iter().find(|(_, operator)| *operator == self);
        known.map_or("", |(symbol, _)| symbol)
    }
}
