//! The one random generator: the same numbers for the same seed, everywhere.

/// A small seeded generator: splitmix64 (Steele, Lea and Flood, OOPSLA 2014, Figure 17; constants of its `nextSeed` and `mix64`,
/// variant 13). What draws from it is repeatable on every machine; it is not for secrets.
///
/// ```
/// use trommel_text::SplitMix64;
///
/// let mut random = SplitMix64::new(42);
/// let throws: Vec<usize> = (0..3).map(|_| 1 + random.below(6)).collect();
/// let mut again = SplitMix64::new(42);
/// assert!(throws.iter().all(|throw| *throw == 1 + again.below(6)));
/// ```
#[derive(Debug, Clone)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// A generator whose numbers depend on the seed alone.
    pub fn new(seed: u64) -> Self {
        SplitMix64(seed)
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is above 0 (by multiplication; the bias is below bound / 2⁶⁴).
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs for seed 1234567, as published with many implementations of the generator.
    #[test]
    fn known_numbers() {
        let mut random = SplitMix64::new(1234567);
        let first: Vec<u64> = (0..3).map(|_| random.bits()).collect();
        assert_eq!(
            first,
            [
                6457827717110365317,
                3203168211198807973,
                9817491932198370423
            ]
        );
    }
}
