//! Text that is not UTF-8, line by line. The topics of the Million Query track are Latin-1, of which browsers make Windows-1252.

/// The characters of the bytes 0x80 to 0x9F: WHATWG Encoding Standard, index windows-1252. All other bytes are the character of
/// their number.
const C1: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The text of some bytes, with the numbers of the lines that are not UTF-8: these are read as Windows-1252, the others as what
/// they are.
pub(super) fn text(bytes: Vec<u8>) -> (String, Vec<usize>) {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return (text, Vec::new()),
        Err(error) => error.into_bytes(),
    };
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    let mut foreign = Vec::new();
    for (line, bytes) in (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
        match std::str::from_utf8(bytes) {
            Ok(part) => text.push_str(part),
            Err(_) => {
                foreign.push(line);
                text.extend(bytes.iter().map(|&byte| character(byte)));
            }
        }
    }
    (text, foreign)
}

fn character(byte: u8) -> char {
    let of_c1 = byte
        .checked_sub(0x80)
        .and_then(|at| C1.get(usize::from(at)));
    of_c1.copied().unwrap_or(char::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_that_are_not_utf8_are_latin() {
        let (text, foreign) = text(b"1:caf\xc3\xa9\n2:pi\xf1ata \x93x\x94\n3:\xe9".to_vec());
        assert_eq!(text, "1:café\n2:piñata “x”\n3:é");
        assert_eq!(foreign, [2, 3]);
    }

    /// Byte for byte what browsers make of it.
    #[test]
    fn every_byte_is_that_of_windows_1252() {
        let bytes: Vec<u8> = (0..=255).collect();
        let (expected, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(&bytes);
        let own: String = bytes.iter().map(|&byte| character(byte)).collect();
        assert_eq!(own, expected);
    }
}
