//! What articles are about: each subject of a language has words of its own, and some subjects are those of topics.

use trommel_text::SplitMix64;

use super::words::Words;

/// Binary logarithm of the number of subjects of a language.
pub const SUBJECT_OCTAVES: usize = 11;
/// Words of subjects are those of these ranks: too rare to stand on many pages by chance, too frequent to be a name.
const RANKS: (usize, usize) = (2_500, 8_000);

/// What an article is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Subject {
    /// Number of the language among those of the collection.
    pub language: usize,
    /// Number of the subject, from 0, the most popular first.
    pub number: usize,
}

impl Subject {
    /// Ranks of its words, two or three.
    pub fn ranks(self) -> Vec<usize> {
        let mut random = SplitMix64::new(
            0x7375_626a_6563_7400 ^ (self.number as u64) << 8 ^ self.language as u64,
        );
        let count = 2 + random.below(2);
        let (least, end) = RANKS;
        let mut ranks = Vec::with_capacity(count);
        while ranks.len() < count {
            let rank = least + random.below(end - least);
            if !ranks.contains(&rank) {
                ranks.push(rank);
            }
        }
        ranks
    }

    /// Its words.
    pub fn words(self, words: &Words) -> Vec<String> {
        self.ranks()
            .into_iter()
            .map(|rank| words.word(rank))
            .collect()
    }

    /// A name for it in addresses.
    pub fn tag(self) -> String {
        const SYLLABLES: [&str; 16] = [
            "ba", "de", "fi", "go", "hu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo",
            "wu", "za",
        ];
        [8, 4, 0]
            .map(|shift| SYLLABLES[self.number >> shift & 15])
            .concat()
    }
}

/// Draws a subject of a language: of two neighbours in popularity the first is hardly more likely, the first of all a thousand times as
/// likely as the last.
pub fn draw(random: &mut SplitMix64, language: usize) -> Subject {
    let number = super::words::zipf(random, SUBJECT_OCTAVES);
    Subject { language, number }
}

/// The subjects of so many topics, in the languages by turns: each about so much rarer than the one before that the last has a thousandth of all
/// articles.
pub fn topics(count: usize, languages: usize) -> Vec<Subject> {
    const FIRST: usize = 3;
    let last: usize = (1 << SUBJECT_OCTAVES) / 2;
    let mut number = FIRST;
    let mut subjects = Vec::with_capacity(count);
    for topic in 0..count {
        let language = topic % languages;
        subjects.push(Subject { language, number });
        // The rest of the way in equal ratios, in integers: the numbers that are left for each topic that is left.
        let left = count - topic;
        let step = number.saturating_mul(7) / count.max(1);
        number += step.max(1).min(last.saturating_sub(number) / left + 1);
    }
    subjects
}
