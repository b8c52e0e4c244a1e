//! Matching blocks of two sequences as Python's `difflib.SequenceMatcher` finds them.
//!
//! Ratcliff and Obershelp's method (Dr. Dobb's Journal, July 1988): the longest common block, then the same to its left and to
//! its right. Of several longest ones the one that begins first in `a`, then first in `b`, is taken. As in Python since 2.3, an
//! element that makes up more than 1 % of a `b` of 200 or more elements begins no block; blocks only grow over it. Here only
//! the matched elements of `a` are wanted, not the edit script.
//!
//! The time depends on the input, as the original's does: linear for texts that agree, quadratic and worse for texts built to
//! be slow.

use std::collections::HashMap;
use std::hash::Hash;

/// From this many elements of `b` on, frequent ones begin no block (`autojunk`).
const AUTOJUNK: usize = 200;

/// Calls `each` with every position of `a` that stands in a matching block.
pub(super) fn matches<T: Eq + Hash>(a: &[T], b: &[T], mut each: impl FnMut(usize)) {
    let mut numbers: HashMap<&T, usize> = HashMap::new();
    let mut places: Vec<Vec<u32>> = Vec::new();
    let b: Vec<usize> = (0u32..)
        .zip(b)
        .map(|(place, element)| {
            let number = *numbers.entry(element).or_insert(places.len());
            if number == places.len() {
                places.push(Vec::new());
            }
            places[number].push(place);
            number
        })
        .collect();
    if b.len() >= AUTOJUNK {
        let most = b.len() / 100 + 1;
        for list in places.iter_mut().filter(|list| list.len() > most) {
            list.clear();
        }
    }
    // Elements that `b` does not have are no number of `b`.
    let a: Vec<usize> = a
        .iter()
        .map(|element| numbers.get(element).copied().unwrap_or(usize::MAX))
        .collect();
    let mut lengths = Lengths::new(b.len());
    let mut open = vec![(0, a.len(), 0, b.len())];
    while let Some((a_from, a_to, b_from, b_to)) = open.pop() {
        let (mut i, mut j, mut size) = (a_from, b_from, 0);
        lengths.start();
        for (at, number) in (a_from..).zip(&a[a_from..a_to]) {
            let list = places.get(*number).map_or(&[][..], Vec::as_slice);
            let first = list.partition_point(|place| (*place as usize) < b_from);
            for place in list[first..].iter().map(|place| *place as usize) {
                if place >= b_to {
                    break;
                }
                let length = lengths.extend(place);
                if length > size {
                    (i, j, size) = (at + 1 - length, place + 1 - length, length);
                }
            }
            lengths.next_row();
        }
        while i > a_from && j > b_from && a[i - 1] == b[j - 1] {
            (i, j, size) = (i - 1, j - 1, size + 1);
        }
        while i + size < a_to && j + size < b_to && a[i + size] == b[j + size] {
            size += 1;
        }
        if size == 0 {
            continue;
        }
        (i..i + size).for_each(&mut each);
        if a_from < i && b_from < j {
            open.push((a_from, i, b_from, j));
        }
        if i + size < a_to && j + size < b_to {
            open.push((i + size, a_to, j + size, b_to));
        }
    }
}

/// Lengths of the common runs that end at each place of `b`, for the last row and this one. Rows are told apart by a stamp, so
/// that none has to be cleared.
struct Lengths {
    rows: [Vec<(u64, usize)>; 2],
    stamp: u64,
}

impl Lengths {
    fn new(n: usize) -> Self {
        Lengths {
            rows: [vec![(0, 0); n], vec![(0, 0); n]],
            stamp: 1,
        }
    }

    fn start(&mut self) {
        self.stamp += 2;
    }

    fn next_row(&mut self) {
        self.stamp += 1;
    }

    /// The run that ends at `place` in this row.
    fn extend(&mut self, place: usize) -> usize {
        let last = &self.rows[(self.stamp % 2) as usize ^ 1];
        let before = match place.checked_sub(1).map(|place| last[place]) {
            Some((stamp, length)) if stamp + 1 == self.stamp => length,
            _ => 0,
        };
        self.rows[(self.stamp % 2) as usize][place] = (self.stamp, before + 1);
        before + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(a: &str, b: &str, matched: &str) {
        let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
        let mut places = Vec::new();
        matches(&a, &b, |i| places.push(i));
        places.sort_unstable();
        assert_eq!(places.iter().map(|i| a[*i]).collect::<String>(), matched);
    }

    /// What Python's `SequenceMatcher(None, a, b).get_matching_blocks()` gives.
    #[test]
    fn as_python_matches() {
        check("qabxcd", "abycdf", "abcd");
        check(
            "private Thread currentThread;",
            "private volatile Thread currentThread;",
            "private Thread currentThread;",
        );
        check("abcd", "dcba", "a");
        check("", "a", "");
        check("same", "same", "same");
        // `x` is more than 1 % of 202 and of one: it begins no block.
        check("x", &format!("{}xxx", "y".repeat(198)), "x");
        check("x", &format!("{}xxxx", "y".repeat(198)), "");
        check("xz", &format!("{}xxxxz", "y".repeat(197)), "xz");
    }
}
