//! Boolean expressions over tests of any kind.

use std::fmt;

use super::lexer::UNFILTERED;

/// A Boolean expression whose leaves are tests.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Node<T> {
    /// All of these hold; with none, always.
    And(Vec<Node<T>>),
    /// One of these holds; with none, never.
    Or(Vec<Node<T>>),
    /// At least so many of these hold.
    AtLeast(u32, Vec<Node<T>>),
    /// This does not hold.
    Not(Box<Node<T>>),
    /// A test.
    Test(T),
}

impl<T> Node<T> {
    /// Returns whether the expression holds, where `test` says of each leaf whether it does. No more leaves are asked than needed.
    #[inline]
    pub fn holds(&self, test: &mut impl FnMut(&T) -> bool) -> bool {
        match self {
            Node::And(parts) => parts.iter().all(|part| part.holds(test)),
            Node::Or(parts) => parts.iter().any(|part| part.holds(test)),
            Node::AtLeast(least, parts) => {
                let mut missing = *least;
                for part in parts {
                    if missing == 0 {
                        break;
                    }
                    missing -= u32::from(part.holds(test));
                }
                missing == 0
            }
            Node::Not(part) => !part.holds(test),
            Node::Test(leaf) => test(leaf),
        }
    }

    /// The expression with other leaves.
    ///
    /// # Errors
    /// The first that `make` gives.
    pub fn try_map<U, E>(&self, make: &mut impl FnMut(&T) -> Result<U, E>) -> Result<Node<U>, E> {
        let all = |parts: &[Node<T>], make: &mut _| -> Result<Vec<Node<U>>, E> {
            parts.iter().map(|part| part.try_map(make)).collect()
        };
        Ok(match self {
            Node::And(parts) => Node::And(all(parts, make)?),
            Node::Or(parts) => Node::Or(all(parts, make)?),
            Node::AtLeast(least, parts) => Node::AtLeast(*least, all(parts, make)?),
            Node::Not(part) => Node::Not(Box::new(part.try_map(make)?)),
            Node::Test(leaf) => Node::Test(make(leaf)?),
        })
    }

    /// Calls `each` with every leaf, from left to right.
    pub fn for_each<'n>(&'n self, each: &mut impl FnMut(&'n T)) {
        match self {
            Node::And(parts) | Node::Or(parts) | Node::AtLeast(_, parts) => {
                parts.iter().for_each(|part| part.for_each(each));
            }
            Node::Not(part) => part.for_each(each),
            Node::Test(leaf) => each(leaf),
        }
    }

    /// The parts that must all hold.
    pub fn conjuncts(&self) -> &[Node<T>] {
        match self {
            Node::And(parts) => parts,
            other => std::slice::from_ref(other),
        }
    }
}

/// What holds where all of these hold, in its simplest form.
pub(super) fn and<T>(parts: Vec<Node<T>>) -> Node<T> {
    let mut flat = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Node::And(inner) => flat.extend(inner),
            other => flat.push(other),
        }
    }
    single(flat, Node::And)
}

/// What holds where one of these holds, in its simplest form.
pub(super) fn or<T>(parts: Vec<Node<T>>) -> Node<T> {
    let mut flat = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Node::Or(inner) => flat.extend(inner),
            other => flat.push(other),
        }
    }
    single(flat, Node::Or)
}

fn single<T>(mut parts: Vec<Node<T>>, make: fn(Vec<Node<T>>) -> Node<T>) -> Node<T> {
    match (parts.len(), parts.pop()) {
        (1, Some(only)) => only,
        (_, last) => {
            parts.extend(last);
            make(parts)
        }
    }
}

impl<T: fmt::Display> fmt::Display for Node<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |f: &mut fmt::Formatter<'_>, parts: &[Node<T>], between: &str| {
            for (number, part) in parts.iter().enumerate() {
                if number > 0 {
                    f.write_str(between)?;
                }
                write_part(f, part)?;
            }
            Ok(())
        };
        match self {
            Node::And(parts) if parts.is_empty() => f.write_str(UNFILTERED),
            Node::And(parts) => joined(f, parts, " and "),
            Node::Or(parts) => joined(f, parts, " or "),
            Node::AtLeast(least, parts) => {
                write!(f, "{least} of (")?;
                for (number, part) in parts.iter().enumerate() {
                    f.write_str(if number > 0 { ", " } else { "" })?;
                    part.fmt(f)?;
                }
                f.write_str(")")
            }
            Node::Not(part) => {
                f.write_str("not ")?;
                write_part(f, part)
            }
            Node::Test(test) => test.fmt(f),
        }
    }
}

/// A part of a longer expression, in brackets if it is one of several parts itself.
fn write_part<T: fmt::Display>(f: &mut fmt::Formatter<'_>, node: &Node<T>) -> fmt::Result {
    let several = match node {
        Node::And(parts) | Node::Or(parts) => !parts.is_empty(),
        _ => false,
    };
    match several {
        true => write!(f, "({node})"),
        false => write!(f, "{node}"),
    }
}
