//! Where a decoded text stood in its bytes.

use encoding_rs::{Encoding, UTF_8};

/// For places in the text that `bytes` decode to, line breaks made line feeds, where they stand in the bytes. The places are sorted; so
/// is what is given back, which is shorter where places lie past the end.
pub(super) fn offsets(bytes: &[u8], encoding: &'static Encoding, places: &[usize]) -> Vec<usize> {
    let mut found = Found {
        places,
        offsets: Vec::with_capacity(places.len()),
        at: 0,
        last: 0,
        start: 0,
    };
    if encoding == UTF_8 && std::str::from_utf8(bytes).is_ok() {
        for (number, byte) in bytes.iter().enumerate() {
            found.text(&[*byte], number + 1);
        }
    } else {
        let mut decoder = encoding.new_decoder_without_bom_handling();
        // No byte makes more than a few characters of those that were held back before it.
        let mut made = [0; 64];
        for (number, byte) in bytes.iter().enumerate() {
            let (_, _, written, _) = decoder.decode_to_utf8(&[*byte], &mut made, false);
            found.text(&made[..written], number + 1);
        }
        let (_, _, written, _) = decoder.decode_to_utf8(&[], &mut made, true);
        found.text(&made[..written], bytes.len());
    }
    found.end(bytes.len());
    found.offsets
}

/// A place in a text is where the character begins that stands there.
struct Found<'a> {
    places: &'a [usize],
    offsets: Vec<usize>,
    /// Bytes of text so far, and the last one.
    at: usize,
    last: u8,
    /// Where the bytes of the next character begin.
    start: usize,
}

impl Found<'_> {
    /// Takes text that was made of the bytes up to `end`.
    fn text(&mut self, text: &[u8], end: usize) {
        for byte in text {
            // A line feed behind a carriage return is no line break of its own.
            if !(*byte == b'\n' && self.last == b'\r') {
                while let Some(place) = self.places.get(self.offsets.len())
                    && *place <= self.at
                {
                    self.offsets.push(self.start);
                }
                self.at += 1;
            }
            self.last = *byte;
        }
        if !text.is_empty() {
            self.start = end;
        }
    }

    /// What stands at the end of the text stands at the end of the bytes.
    fn end(&mut self, end: usize) {
        while let Some(place) = self.places.get(self.offsets.len())
            && *place <= self.at
        {
            self.offsets.push(end);
        }
    }
}
