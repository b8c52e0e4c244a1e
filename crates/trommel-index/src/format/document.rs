//! A stored document (a page) as the bytes that tantivy has for it. They are read here, since tantivy takes the lengths in them for what they say, and would set
//! aside as much memory as a damaged one names.
//!
//! The bytes: the number of fields; for each of them its number as a little-endian u32, a byte for its type, and its value: of text
//! (0) its length and UTF-8, of a number (1) a little-endian u64. Count and lengths are of seven bits a byte, lowest first, the last with its
//! highest bit set.

use tantivy::schema::Field;

use crate::format::varint;

/// What is stored of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Document {
    fields: Vec<(u32, Value)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Value {
    Text(String),
    Number(u64),
}

const TEXT: u8 = 0;

const NUMBER: u8 = 1;

impl Document {
    /// Reads a document; none if these are not the bytes of one.
    pub fn read(mut bytes: &[u8]) -> Option<Document> {
        let count = varint::pop(&mut bytes)?;
        let mut fields = Vec::new();
        for _ in 0..count {
            let (field, rest) = bytes.split_first_chunk()?;
            let (code, rest) = rest.split_first()?;
            bytes = rest;
            let value = match *code {
                TEXT => {
                    let length = usize::try_from(varint::pop(&mut bytes)?).ok()?;
                    let (text, rest) = bytes.split_at_checked(length)?;
                    bytes = rest;
                    Value::Text(std::str::from_utf8(text).ok()?.to_owned())
                }
                NUMBER => {
                    let (number, rest) = bytes.split_first_chunk()?;
                    bytes = rest;
                    Value::Number(u64::from_le_bytes(*number))
                }
                _ => return None,
            };
            fields.push((u32::from_le_bytes(*field), value));
        }
        Some(Document { fields })
    }

    /// The text of a field; empty if it has none.
    pub fn text(&self, field: Field) -> &str {
        match self.value(field) {
            Some(Value::Text(text)) => text,
            _ => "",
        }
    }

    /// The number of a field; 0 if it has none.
    pub fn number(&self, field: Field) -> u64 {
        match self.value(field) {
            Some(Value::Number(number)) => *number,
            _ => 0,
        }
    }

    fn value(&self, field: Field) -> Option<&Value> {
        let mut fields = self.fields.iter();
        let found = fields.find(|(own, _)| *own == field.field_id());
        found.map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two fields by hand, and every way to cut or change a byte of them: nothing panics.
    #[test]
    fn documents() {
        let long = "é".repeat(100);
        let mut bytes = vec![0x82, 3, 0, 0, 0, TEXT, 200 - 128, 0x81];
        bytes.extend(long.as_bytes());
        bytes.extend([7, 0, 0, 0, NUMBER, 1, 2, 0, 0, 0, 0, 0, 0]);
        let document = Document::read(&bytes).unwrap();
        assert_eq!(document.text(Field::from_field_id(3)), long);
        assert_eq!(document.number(Field::from_field_id(7)), 513);
        assert_eq!(document.text(Field::from_field_id(7)), "");
        assert_eq!(document.number(Field::from_field_id(1)), 0);
        for at in 0..bytes.len() {
            assert_eq!(Document::read(&bytes[..at]), None);
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[at] ^= 1 << bit;
                let _ = Document::read(&changed);
            }
        }
    }
}
