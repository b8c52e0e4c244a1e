//! Short words as numbers, which are compared and looked up at once.

/// The longest words that are packed, in bytes.
const LONGEST: usize = 15;

/// The bytes of a stretch of a text, and in the last byte their number; none if there are more than 15.
pub fn pack(text: &str, start: usize, length: usize) -> Option<u128> {
    if length > LONGEST {
        return None;
    }
    let rest = &text.as_bytes()[start..];
    let bytes = match rest.first_chunk() {
        Some(bytes) => u128::from_le_bytes(*bytes) & FIRST_BYTES[length],
        None => {
            let mut bytes = [0; LONGEST + 1];
            bytes[..length].copy_from_slice(&rest[..length]);
            u128::from_le_bytes(bytes)
        }
    };
    Some(bytes | (length as u128) << (8 * LONGEST))
}

/// For each number of bytes a mask of so many.
const FIRST_BYTES: [u128; LONGEST + 1] = {
    let mut masks = [0; LONGEST + 1];
    let mut length = 1;
    while length <= LONGEST {
        masks[length] = masks[length - 1] << 8 | 0xff;
        length += 1;
    }
    masks
};

/// A packed word with its letters of ASCII in lower case; none if it has a character that is none of ASCII.
pub fn to_ascii_lowercase(packed: u128) -> Option<u128> {
    const EACH: u128 = u128::MAX / 255;
    if packed & (EACH << 7) != 0 {
        return None;
    }
    // The high bit of each byte tells whether it is at least `A`, and whether it is above `Z`. The length is neither.
    let from_a = packed + EACH * (128 - b'A' as u128);
    let above_z = packed + EACH * (128 - b'Z' as u128 - 1);
    Some(packed | (from_a & !above_z & (EACH << 7)) >> 2)
}

/// Mixes all bytes of a packed word; the high bits are the best. The factors are the golden ratio and the square root of 2 as
/// binary fractions.
pub fn hash(packed: u128) -> u64 {
    let high = (packed >> 64) as u64 ^ 0x6a09_e667_f3bc_c909;
    let low = packed as u64 ^ 0x9e37_79b9_7f4a_7c15;
    let product = u128::from(high) * u128::from(low);
    let mixed = (product >> 64) as u64 ^ product as u64;
    mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packs() {
        let text = "The Longest word is of fifteen letters, é";
        assert_eq!(pack(text, 0, 16), None);
        let word = |start, length| pack(text, start, length);
        assert_ne!(word(0, 3), word(0, 4));
        assert_eq!(word(4, 7), pack("Longest", 0, 7));
        let lower = word(4, 7).and_then(to_ascii_lowercase);
        assert_eq!(lower, pack("longest", 0, 7));
        assert_eq!(word(text.len() - 2, 2), pack("é", 0, 2));
        assert_eq!(word(text.len() - 2, 2).and_then(to_ascii_lowercase), None);
        assert_eq!(word(24, 15), pack(&text[24..], 0, 15));
        assert_eq!(word(0, 0), pack("", 0, 0));
        for byte in 0..128u8 {
            let text = String::from_utf8_lossy(&[b'Z', byte, byte, b'@']).into_owned();
            let lower = pack(&text, 0, 4).and_then(to_ascii_lowercase);
            assert_eq!(lower, pack(&text.to_ascii_lowercase(), 0, 4), "{text}");
        }
    }
}
