//! Strings and their numbers.

use std::hash::{DefaultHasher, Hasher};

use crate::packed;

/// Different strings, numbered from 0 in the order in which they came first.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    /// All of them, one after another.
    strings: String,
    /// Where each ends.
    ends: Vec<usize>,
    /// Where strings are found: the upper half of a string's hash, which also says where to look first, and below it its number
    /// and 1; 0 where there is none. A power of two of them, at most half of them taken.
    slots: Vec<u64>,
}

impl Vocabulary {
    /// The number of a string, a new one if it was not there.
    pub fn number(&mut self, string: &str) -> u32 {
        if self.slots.len() <= 2 * self.ends.len() {
            self.grow();
        }
        let hash = hash(string) >> 32;
        let mut at = self.first(hash);
        while self.slots[at] != 0 {
            let number = (self.slots[at] as u32) - 1;
            if self.slots[at] >> 32 == hash && self.get(number) == string {
                return number;
            }
            at = self.after(at);
        }
        let number = self.ends.len() as u32;
        self.slots[at] = hash << 32 | u64::from(number + 1);
        self.strings.push_str(string);
        self.ends.push(self.strings.len());
        number
    }

    /// The number of a string; none if it is not there.
    pub fn find(&self, string: &str) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let hash = hash(string) >> 32;
        let mut at = self.first(hash);
        while self.slots[at] != 0 {
            let number = (self.slots[at] as u32) - 1;
            if self.slots[at] >> 32 == hash && self.get(number) == string {
                return Some(number);
            }
            at = self.after(at);
        }
        None
    }

    /// The string of a number; empty if none has it.
    pub fn get(&self, number: u32) -> &str {
        let number = number as usize;
        let end = |number: usize| self.ends.get(number).copied();
        let start = number.checked_sub(1).and_then(end).unwrap_or(0);
        &self.strings[start..end(number).unwrap_or(start)]
    }

    /// How many strings there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The numbers in the order of their strings' bytes.
    pub fn sorted(&self) -> Vec<u32> {
        let mut numbers: Vec<u32> = (0..self.len() as u32).collect();
        numbers.sort_unstable_by_key(|number| self.get(*number));
        numbers
    }

    /// Memory that it takes, in bytes.
    pub fn memory(&self) -> usize {
        self.strings.len()
            + size_of::<usize>() * self.ends.len()
            + size_of::<u64>() * self.slots.len()
    }

    fn grow(&mut self) {
        let slots = vec![0; (2 * self.slots.len()).max(16)];
        for slot in std::mem::replace(&mut self.slots, slots) {
            if slot != 0 {
                let mut at = self.first(slot >> 32);
                while self.slots[at] != 0 {
                    at = self.after(at);
                }
                self.slots[at] = slot;
            }
        }
    }

    fn first(&self, hash: u64) -> usize {
        hash as usize & (self.slots.len() - 1)
    }

    fn after(&self, at: usize) -> usize {
        (at + 1) & (self.slots.len() - 1)
    }
}

/// Most strings are words, which a number holds.
fn hash(string: &str) -> u64 {
    match packed::pack(string, 0, string.len()) {
        Some(packed) => packed::hash(packed),
        None => {
            let mut hasher = DefaultHasher::new();
            hasher.write(string.as_bytes());
            hasher.finish()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_strings() {
        let mut vocabulary = Vocabulary::default();
        assert_eq!(vocabulary.find("0"), None);
        let string = |number: u32| format!("{}", number * 7919 % 10_007);
        for round in 0..2 {
            for number in 0..10_000 {
                assert_eq!(vocabulary.number(&string(number)), number, "{round}");
            }
        }
        assert_eq!(vocabulary.number(""), 10_000);
        assert_eq!((vocabulary.len(), vocabulary.is_empty()), (10_001, false));
        assert!((0..10_000).all(|number| vocabulary.get(number) == string(number)));
        assert!((0..10_000).all(|number| vocabulary.find(&string(number)) == Some(number)));
        assert_eq!(vocabulary.find("10007"), None);
        let mut sorted: Vec<String> = (0..10_000).map(string).chain([String::new()]).collect();
        sorted.sort();
        let found = vocabulary.sorted().into_iter();
        assert!(found.map(|number| vocabulary.get(number)).eq(sorted));
    }
}
