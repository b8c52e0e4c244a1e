//! A vocabulary without an end: words by their rank, and ranks drawn so that the word of rank r is r times as rare as the first
//! (G. K. Zipf, *Human Behavior and the Principle of Least Effort*, 1949).

use std::collections::BTreeMap;

use trommel_text::SplitMix64;

use super::language::Language;
use crate::demo::source::Blog;

/// Binary logarithm of the number of words that there are: a million. 1 / ln of it is the share of the most frequent one, 7 %.
const OCTAVES: usize = 20;

/// The words of a language, by rank.
#[derive(Debug)]
pub struct Words {
    /// The language.
    pub language: &'static Language,
    /// The first ones.
    known: Vec<String>,
    syllables: Vec<&'static str>,
}

impl Words {
    /// The vocabulary of a language: its frequent words; in English the words of these blogs, the most frequent first; then all
    /// sequences of syllables.
    pub fn new(language: &'static Language, blogs: &[Blog]) -> Self {
        let mut known: Vec<String> = language
            .frequent
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        if language.code == "en" {
            known.extend(words_of(blogs, &known));
        }
        Words {
            language,
            known,
            syllables: language.syllables.split_whitespace().collect(),
        }
    }

    /// Writes the word of a rank, which is counted from 0.
    pub fn push(&self, rank: usize, out: &mut String) {
        if let Some(word) = self.known.get(rank) {
            return out.push_str(word);
        }
        let base = self.syllables.len();
        // Numbers of one digit are left out: most of them are no words but endings.
        let mut number = rank - self.known.len() + base;
        while number > 0 {
            out.push_str(self.syllables[number % base]);
            number /= base;
        }
    }

    /// The word of a rank.
    pub fn word(&self, rank: usize) -> String {
        let mut word = String::new();
        self.push(rank, &mut word);
        word
    }

    /// Draws a rank, from 0. By integers alone, so that every machine draws the same: an octave of ranks, each as likely as another, a
    /// number `n` of it, and that again with the chance that makes its probability proportional to 1 / `n`.
    pub fn draw(random: &mut SplitMix64) -> usize {
        zipf(random, OCTAVES)
    }
}

/// A number from 0 below 2^`octaves`, with a probability proportional to 1 / (number + 1).
pub fn zipf(random: &mut SplitMix64, octaves: usize) -> usize {
    loop {
        let least = 1 << random.below(octaves);
        let number = least + random.below(least);
        if random.below(number) < least {
            return number - 1;
        }
    }
}

/// The words of blogs that are not among `but`, the most frequent first, of equal ones in the order of their letters.
fn words_of(blogs: &[Blog], but: &[String]) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let articles = blogs.iter().flat_map(|blog| &blog.articles);
    for text in articles.flat_map(|article| &article.paragraphs) {
        for word in text.split(|c: char| !c.is_ascii_alphabetic()) {
            if word.len() > 2 {
                *counts.entry(word.to_ascii_lowercase()).or_default() += 1;
            }
        }
    }
    let mut words: Vec<(String, usize)> = counts.into_iter().collect();
    words.retain(|(word, _)| !but.contains(word));
    words.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    words.into_iter().map(|(word, _)| word).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::demo::made::language;

    /// Against the harmonic numbers by which Zipf's law is normalised: H(2^20 - 1) is 14.44.
    #[test]
    fn ranks_are_drawn_by_zipf() {
        let mut random = SplitMix64::new(1);
        let mut counts = vec![0_u32; 1 << OCTAVES];
        let draws = 2_000_000;
        for _ in 0..draws {
            counts[Words::draw(&mut random)] += 1;
        }
        let harmonic: f64 = (1..1 << OCTAVES).map(|rank| 1.0 / f64::from(rank)).sum();
        for rank in [1_u32, 2, 3, 4, 7, 10, 31, 100] {
            let expected = f64::from(draws) / harmonic / f64::from(rank);
            let found = f64::from(counts[rank as usize - 1]);
            // Four standard deviations.
            assert!(
                (found - expected).abs() < 4.0 * expected.sqrt(),
                "{rank}: {found}, {expected}"
            );
        }
        let different = counts.iter().filter(|&&count| count > 0).count();
        assert!(different > 200_000, "{different}");
    }

    #[test]
    fn ranks_have_different_words() {
        for language in language::all() {
            let words = Words::new(language, &[]);
            let spelled: BTreeSet<String> = (0..50_000).map(|rank| words.word(rank)).collect();
            // Sequences of syllables may read alike.
            assert!(
                spelled.len() > 40_000,
                "{}: {}",
                language.code,
                spelled.len()
            );
        }
    }
}
