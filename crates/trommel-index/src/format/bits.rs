//! A set of numbers below a bound.

/// A set of numbers below a bound, one bit each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bits {
    words: Vec<u64>,
    /// The bound.
    size: u32,
}

impl Bits {
    pub fn none(size: u32) -> Bits {
        Bits {
            words: vec![0; size.div_ceil(64) as usize],
            size,
        }
    }

    pub fn all(size: u32) -> Bits {
        let mut bits = Bits::none(size);
        bits.words.fill(u64::MAX);
        if let (Some(last), 1..) = (bits.words.last_mut(), size % 64) {
            *last = (1 << (size % 64)) - 1;
        }
        bits
    }

    /// Numbers that are not below the bound are left out.
    pub fn insert(&mut self, number: u32) {
        if number < self.size {
            self.words[(number / 64) as usize] |= 1 << (number % 64);
        }
    }

    pub fn contains(&self, number: u32) -> bool {
        number < self.size && self.words[(number / 64) as usize] >> (number % 64) & 1 == 1
    }

    pub fn keep_common(&mut self, other: &Bits) {
        self.combine(other, |own, other| own & other);
    }

    pub fn add_all(&mut self, other: &Bits) {
        self.combine(other, |own, other| own | other);
    }

    pub fn remove_all(&mut self, other: &Bits) {
        self.combine(other, |own, other| own & !other);
    }

    fn combine(&mut self, other: &Bits, operation: impl Fn(u64, u64) -> u64) {
        for (own, other) in self.words.iter_mut().zip(&other.words) {
            *own = operation(*own, *other);
        }
    }

    /// The numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        (0u32..).zip(&self.words).flat_map(|(at, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(at * 64 + bit)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets() {
        for size in [0, 1, 63, 64, 65, 200] {
            let all = Bits::all(size);
            assert!(all.iter().eq(0..size), "{size}");
            assert!(!all.contains(size));
        }
        let of = |numbers: &[u32]| {
            let mut bits = Bits::none(130);
            numbers.iter().for_each(|number| bits.insert(*number));
            bits
        };
        let mut set = of(&[0, 63, 64, 129, 130]);
        assert!(set.iter().eq([0, 63, 64, 129]));
        set.keep_common(&of(&[63, 64, 65]));
        assert!(set.iter().eq([63, 64]));
        set.add_all(&of(&[1]));
        set.remove_all(&of(&[64, 2]));
        assert_eq!(set, of(&[1, 63]));
    }
}
