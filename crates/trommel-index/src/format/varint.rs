//! Numbers of seven bits a byte, lowest first, the last with its highest bit set: as tantivy writes counts and lengths.

/// Appends a number.
#[inline]
pub(crate) fn push(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 & 0x7f);
        number >>= 7;
    }
    bytes.push(number as u8 | 0x80);
}

/// Takes a number off the beginning; none if there is not a whole one.
#[inline]
pub(crate) fn pop(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 != 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let numbers = [
            0,
            1,
            0x7f,
            0x80,
            0x3fff,
            0x4000,
            u64::from(u32::MAX),
            u64::MAX,
        ];
        let mut bytes = Vec::new();
        numbers.iter().for_each(|number| push(&mut bytes, *number));
        let mut rest = bytes.as_slice();
        let found: Vec<u64> = std::iter::from_fn(|| pop(&mut rest)).collect();
        assert_eq!(found, numbers);
        assert_eq!(pop(&mut &bytes[bytes.len() - 3..bytes.len() - 1]), None);
    }
}
