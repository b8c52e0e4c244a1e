//! The pages that a model was trained on, so that nobody takes figures on them for a test.
//!
//! A page is known again by its text: the same page with other markup around it, in another encoding or from another collection's
//! wrapper has the same letters and digits in the same order.

use std::fmt::Write;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use trommel_page::Page;
use trommel_text::Fnv1a;

/// Hexadecimal digits of a fingerprint of 64 bits.
const DIGITS: usize = 16;

/// Fingerprints of pages. In a model's file they stand in order, as one text of 16 hexadecimal digits a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrainingPages {
    /// In order, each once.
    known: Vec<u64>,
}

impl TrainingPages {
    /// Those of pages, by their fingerprints.
    pub fn new(fingerprints: impl IntoIterator<Item = u64>) -> TrainingPages {
        let mut known: Vec<u64> = fingerprints.into_iter().collect();
        known.sort_unstable();
        known.dedup();
        TrainingPages { known }
    }

    /// The fingerprint of a page: that of the letters and digits of its text. None of a page without.
    pub fn fingerprint(page: &Page) -> Option<u64> {
        let mut found = Fnv1a::new();
        let mut empty = true;
        let mut bytes = [0; 4];
        for letter in page.text.chars().filter(|it| it.is_alphanumeric()) {
            found = found.push(letter.encode_utf8(&mut bytes).as_bytes());
            empty = false;
        }
        (!empty).then(|| found.finish())
    }

    /// Returns whether a page with this fingerprint is one of them.
    pub fn contains(&self, fingerprint: Option<u64>) -> bool {
        fingerprint.is_some_and(|it| self.known.binary_search(&it).is_ok())
    }

    /// Returns whether there are none. So it is with models that were not trained, and with those of programs that did not note it.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The number of pages; pages of the same text are one.
    pub fn len(&self) -> usize {
        self.known.len()
    }
}

impl Serialize for TrainingPages {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut text = String::with_capacity(DIGITS * self.known.len());
        for page in &self.known {
            // Writing to a string does not fail.
            let _ = write!(text, "{page:016x}");
        }
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for TrainingPages {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TrainingPages, D::Error> {
        let text = String::deserialize(deserializer)?;
        let number = |digits: &[u8]| {
            let digits = str::from_utf8(digits).ok()?;
            let whole = digits.len() == DIGITS && !digits.starts_with('+');
            whole.then(|| u64::from_str_radix(digits, 16).ok())?
        };
        let numbers: Option<Vec<u64>> = text.as_bytes().chunks(DIGITS).map(number).collect();
        let numbers =
            numbers.ok_or_else(|| de::Error::custom("pages are 16 hexadecimal digits each"))?;
        Ok(TrainingPages::new(numbers))
    }
}

/// What is known of the training of an extractor, once it is made: nothing of one that was not trained. Clones know the same.
#[derive(Debug, Clone, Default)]
pub struct TrainedOn(Arc<OnceLock<TrainingPages>>);

impl TrainedOn {
    /// Notes the pages of a trained model.
    pub(super) fn note(&self, pages: TrainingPages) {
        // An extractor is made once.
        let _ = self.0.set(pages);
    }

    /// The pages; empty if the model does not say which, none if the extractor was not trained.
    pub fn pages(&self) -> Option<&TrainingPages> {
        self.0.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trommel_page::html::{self, Charset, Limits};

    fn fingerprint(bytes: &[u8]) -> Option<u64> {
        let page = html::parse(bytes, Charset::Auto, None, &Limits::default());
        TrainingPages::fingerprint(&page)
    }

    #[test]
    fn a_page_is_known_again_in_another_wrapper_and_encoding() {
        let page = fingerprint("<p>Das Größte,  nach 3 Tagen</p>".as_bytes());
        assert!(page.is_some());
        for same in [
            "<text id=\"http://a.example/\">\n<p>Das Größte, nach\n3 Tagen</p></text>".as_bytes(),
            b"<meta charset=latin1><p>Das <b>Gr\xf6\xdfte</b>, nach 3 Tagen",
            b"<p>Das Gr&ouml;&szlig;te, nach 3<!-- a comment --> Tagen<script>var a = 1</script>",
        ] {
            assert_eq!(fingerprint(same), page, "{same:?}");
        }
        let other = fingerprint("<p>Das Größte, nach 4 Tagen</p>".as_bytes());
        assert_ne!(other, page);
        assert_eq!(fingerprint(b"<p>... -- </p>"), None);
    }

    #[test]
    fn pages_round_trip_in_order_and_once() {
        let pages = TrainingPages::new([0x1f, u64::MAX, 0x1f, 2]);
        assert_eq!(pages.len(), 3);
        let json = serde_json::to_string(&pages).unwrap();
        assert_eq!(json, "\"0000000000000002000000000000001fffffffffffffffff\"");
        assert_eq!(serde_json::from_str::<TrainingPages>(&json).unwrap(), pages);
        assert!(pages.contains(Some(2)) && !pages.contains(Some(3)) && !pages.contains(None));
        for wrong in [
            "\"00\"",
            "\"+000000000000002\"",
            "\"000000000000000g\"",
            "\"äääääääää\"",
            "3",
        ] {
            assert!(
                serde_json::from_str::<TrainingPages>(wrong).is_err(),
                "{wrong}"
            );
        }
    }
}
