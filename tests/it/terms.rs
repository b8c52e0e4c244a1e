//! The terms that go into an index against what the crates of Unicode's words and Snowball's stemmer make of real pages.

use frostem::{Algorithm, Stemmer};
use trommel::html::{self, Charset, Limits};
use trommel::text::{Analyzer, ENGLISH_STOP_WORDS, TermMaker};
use unicode_segmentation::UnicodeSegmentation;

use crate::support::shared;

/// The chain of Lucene's `EnglishAnalyzer` by the crates alone; terms with line feeds between, and how many there are.
fn english(text: &str) -> (String, u64) {
    let stemmer = Stemmer::new(Algorithm::Porter);
    let (mut joined, mut due, mut count) = (String::new(), 0, 0);
    for word in text.unicode_words() {
        let chars: Vec<char> = word.chars().collect();
        for piece in chars.chunks(255) {
            let piece = match piece {
                [rest @ .., '\'' | '\u{2019}' | '\u{ff07}', 's' | 'S'] => rest,
                piece => piece,
            };
            let lower: String = piece.iter().flat_map(|c| c.to_lowercase()).collect();
            if !lower.is_empty() && !ENGLISH_STOP_WORDS.contains(&lower.as_str()) {
                joined.push_str(&"\n".repeat(due));
                match lower.chars().count() {
                    0..3 => joined.push_str(&lower),
                    _ => joined.push_str(&stemmer.stem(&lower)),
                }
                due = 0;
                count += 1;
            }
            due += 1;
        }
    }
    (joined, count)
}

/// Every third page of each corpus, leaf by leaf and as a whole.
#[test]
fn terms_of_corpora() {
    let mut maker = TermMaker::new(Analyzer::English);
    for corpus in ["gn1", "dragnet", "cleaneval", "cleanportaleval"] {
        let Some(folder) = shared(&format!("corpora/{corpus}/html")) else {
            continue;
        };
        let mut files: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort();
        for file in files.iter().step_by(3) {
            let bytes = std::fs::read(file).unwrap();
            let page = html::parse(&bytes, Charset::Auto, None, &Limits::default());
            let leaves = (0..page.leaves.len() as u32).map(|leaf| page.leaf_text(leaf));
            for text in leaves.chain([page.text.as_str()]) {
                let mut numbers = Vec::new();
                maker.number(text, |number| numbers.push(number));
                let (mut joined, mut due, mut count) = (String::new(), 0, 0);
                for number in numbers {
                    if let Some(number) = number {
                        joined.push_str(&"\n".repeat(due));
                        joined.push_str(maker.vocabulary().get(number));
                        due = 0;
                        count += 1;
                    }
                    due += 1;
                }
                assert_eq!((joined, count), english(text), "{}", file.display());
            }
        }
    }
}
