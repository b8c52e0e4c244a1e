//! Without a gold standard: how much of the extracted text says what another page has said (GoldMiner, Tables I and IV).

use std::collections::HashMap;

use trommel_text::sentences;

/// How often the sentences of a collection recur.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Uniqueness {
    /// Sentences.
    pub sentences: u64,
    /// Different sentences.
    pub unique_sentences: u64,
    /// Characters of the sentences.
    pub characters: u64,
    /// Characters of the different sentences.
    pub unique_characters: u64,
    /// The most frequent sentences that occur more than once, with their number, most frequent first, then by their text.
    pub over_represented: Vec<(String, u64)>,
}

impl Uniqueness {
    /// Share of the sentences that are the first of their text, 0..=1; 1 for no sentence.
    pub fn sentence_share(&self) -> f64 {
        share(self.unique_sentences, self.sentences)
    }

    /// The same of characters.
    pub fn character_share(&self) -> f64 {
        share(self.unique_characters, self.characters)
    }
}

fn share(part: u64, whole: u64) -> f64 {
    match whole {
        0 => 1.0,
        whole => part as f64 / whole as f64,
    }
}

/// Counts the sentences of texts. `phrases` is how many over-represented ones are wanted.
///
/// The paper counts "unique" sentences without saying whether a sentence that occurs twice is one unique sentence or none; it
/// is one here. Sentences end as UAX #29 says, or with the line, and differ if their text does after white space is collapsed.
pub fn uniqueness<'a>(texts: impl IntoIterator<Item = &'a str>, phrases: usize) -> Uniqueness {
    let mut numbers: HashMap<String, u64> = HashMap::new();
    for text in texts {
        for sentence in sentences(text) {
            *numbers.entry(sentence).or_default() += 1;
        }
    }
    let mut result = Uniqueness::default();
    let mut repeated = Vec::new();
    for (sentence, number) in numbers {
        let characters = sentence.chars().count() as u64;
        result.sentences += number;
        result.unique_sentences += 1;
        result.characters += characters * number;
        result.unique_characters += characters;
        if number > 1 {
            repeated.push((sentence, number));
        }
    }
    repeated.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    repeated.truncate(phrases);
    result.over_represented = repeated;
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_that_recur() {
        let texts = [
            "Read more.\nA first one. Read  more.",
            "Read more.\nAnother",
        ];
        let result = uniqueness(texts, 5);
        assert_eq!((result.sentences, result.unique_sentences), (5, 3));
        assert_eq!((result.characters, result.unique_characters), (49, 29));
        assert_eq!(result.over_represented, [("Read more.".to_owned(), 3)]);
        assert_eq!(result.sentence_share(), 0.6);
    }
}
