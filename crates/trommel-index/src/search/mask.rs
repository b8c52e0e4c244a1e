//! Sets of the blocks that are read together.

use trommel_page::filter::Node;

use crate::format::columns::CHUNK;

/// A bit for each block of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mask([u64; CHUNK / 64]);

impl Mask {
    const NONE: Mask = Mask([0; CHUNK / 64]);
    const ALL: Mask = Mask([u64::MAX; CHUNK / 64]);

    /// The first blocks, those for which it holds.
    #[inline]
    pub fn of(count: usize, holds: impl Fn(usize) -> bool) -> Mask {
        let mut mask = Mask::NONE;
        for (number, word) in mask.0.iter_mut().enumerate() {
            for at in 64 * number..count.min(64 * number + 64) {
                *word |= u64::from(holds(at)) << (at % 64);
            }
        }
        mask
    }

    /// The blocks whose values hold.
    #[inline]
    pub fn of_each<T>(values: &[T], holds: impl Fn(&T) -> bool) -> Mask {
        let mut mask = Mask::NONE;
        for (word, values) in mask.0.iter_mut().zip(values.chunks(64)) {
            for (at, value) in values.iter().enumerate() {
                *word |= u64::from(holds(value)) << at;
            }
        }
        mask
    }

    /// The blocks for which an expression holds, where `test` says of each leaf for which it does. Places that are no blocks may be
    /// among them.
    pub fn of_node<T>(node: &Node<T>, test: &impl Fn(&T) -> Mask) -> Mask {
        match node {
            Node::And(parts) => {
                let mut all = Mask::ALL;
                for part in parts {
                    if all == Mask::NONE {
                        break;
                    }
                    let part = Mask::of_node(part, test);
                    all.combine(&part, |own, part| own & part);
                }
                all
            }
            Node::Or(parts) => {
                let mut any = Mask::NONE;
                for part in parts {
                    let part = Mask::of_node(part, test);
                    any.combine(&part, |own, part| own | part);
                }
                any
            }
            Node::AtLeast(least, parts) => {
                let mut counts = [0u32; CHUNK];
                for part in parts {
                    let part = Mask::of_node(part, test);
                    for (at, count) in counts.iter_mut().enumerate() {
                        *count += u32::from(part.contains(at));
                    }
                }
                Mask::of_each(&counts, |count| count >= least)
            }
            Node::Not(part) => {
                let mut rest = Mask::ALL;
                rest.remove(&Mask::of_node(part, test));
                rest
            }
            Node::Test(leaf) => test(leaf),
        }
    }

    #[inline]
    pub fn contains(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }

    pub fn remove(&mut self, other: &Mask) {
        self.combine(other, |own, other| own & !other);
    }

    /// Takes out all but the first.
    pub fn keep_first(&mut self, count: usize) {
        for (number, word) in self.0.iter_mut().enumerate() {
            let kept = count.saturating_sub(64 * number);
            let others = u64::MAX.checked_shl(kept.min(64) as u32).unwrap_or(0);
            *word &= !others;
        }
    }

    /// The bits as they are kept, eight blocks a byte.
    pub fn bytes(&self) -> impl Iterator<Item = u8> {
        self.0.iter().flat_map(|word| word.to_le_bytes())
    }

    fn combine(&mut self, other: &Mask, operation: impl Fn(u64, u64) -> u64) {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own = operation(*own, *other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An expression holds for a chunk where it holds for each block.
    #[test]
    fn expressions_hold_for_each() {
        let divides = |by: usize| Node::Test(by);
        let nodes = [
            divides(3),
            Node::Not(Box::new(divides(2))),
            Node::And(vec![]),
            Node::Or(vec![]),
            Node::And(vec![
                divides(2),
                divides(3),
                Node::Not(Box::new(divides(5))),
            ]),
            Node::And(vec![Node::Or(vec![]), divides(2)]),
            Node::Or(vec![divides(7), Node::And(vec![divides(2), divides(11)])]),
            Node::AtLeast(2, vec![divides(2), divides(3), divides(5)]),
            Node::AtLeast(0, vec![]),
            Node::AtLeast(2, vec![divides(2)]),
        ];
        for node in &nodes {
            for count in [0, 1, 63, 64, 65, 200, CHUNK] {
                let mut mask = Mask::of_node(node, &|by| Mask::of(count, |at| at % by == 0));
                mask.keep_first(count);
                let bytes: Vec<u8> = mask.bytes().collect();
                for at in 0..CHUNK {
                    let holds = at < count && node.holds(&mut |by| at % by == 0);
                    assert_eq!(mask.contains(at), holds, "{node:?} {at} of {count}");
                    assert_eq!(bytes[at / 8] >> (at % 8) & 1 == 1, holds);
                }
                let numbers: Vec<usize> = (0..count).collect();
                let of_each = Mask::of_each(&numbers, |at| at % 3 == 1);
                assert_eq!(of_each, Mask::of(count, |at| at % 3 == 1));
            }
        }
    }
}
