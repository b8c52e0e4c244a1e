//! Porter's stemmer (M. F. Porter, *An algorithm for suffix stripping*, Program 14(3), 1980) as Snowball renders it
//! (`porter.sbl`), in place and without tables.
//!
//! Snowball asks for a measure above 0 and above 1 as whether the suffix lies in the regions R1 and R2 of the word: behind
//! the first consonant that follows a vowel, and behind the second such one. A `y` is a consonant, written `Y` in between,
//! at the beginning and after a vowel.

/// Stems a word in lower case. It stays valid UTF-8 if it was: only letters of ASCII are taken and put.
pub fn stem(word: &mut Vec<u8>) {
    let has_consonant_y = mark_consonant_y(word);
    let (r1, r2) = regions(word);
    step_1a(word);
    step_1b(word, r1);
    step_1c(word);
    step_2(word, r1);
    step_3(word, r1);
    step_4(word, r2);
    step_5(word, r1, r2);
    if has_consonant_y {
        word.iter_mut()
            .filter(|b| **b == b'Y')
            .for_each(|b| *b = b'y');
    }
}

fn is_vowel(byte: u8) -> bool {
    matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

fn mark_consonant_y(word: &mut [u8]) -> bool {
    if !word.contains(&b'y') {
        return false;
    }
    let mut found = false;
    let mut after_vowel = true;
    for byte in word {
        if *byte == b'y' && after_vowel {
            *byte = b'Y';
            found = true;
        }
        after_vowel = is_vowel(*byte);
    }
    found
}

/// Where R1 and R2 begin; the word's end where there is none.
fn regions(word: &[u8]) -> (usize, usize) {
    let region = |from: usize| {
        let vowel = word[from..].iter().position(|b| is_vowel(*b));
        let vowel = vowel.map_or(word.len(), |at| from + at);
        let consonant = word[vowel..].iter().position(|b| !is_vowel(*b));
        let mut end = consonant.map_or(word.len(), |at| vowel + at + 1);
        // A character of several bytes is one consonant.
        while word.get(end).is_some_and(|b| is_continuation(*b)) {
            end += 1;
        }
        end
    };
    let r1 = region(0);
    (r1, region(r1))
}

fn is_continuation(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

/// Does a stem end in consonant, vowel, consonant, the last one not w, x or y?
fn is_short(stem: &[u8]) -> bool {
    let Some((&last, mut before)) = stem.split_last() else {
        return false;
    };
    if is_vowel(last) || matches!(last, b'w' | b'x' | b'Y') {
        return false;
    }
    if is_continuation(last) {
        let first = before.iter().rposition(|b| !is_continuation(*b));
        before = &before[..first.unwrap_or(0)];
    }
    matches!(before, [.., consonant, vowel] if is_vowel(*vowel) && !is_vowel(*consonant))
}

/// Replaces the last `length` bytes.
fn replace(word: &mut Vec<u8>, length: usize, by: &[u8]) {
    word.truncate(word.len() - length);
    word.extend_from_slice(by);
}

/// Plurals.
fn step_1a(word: &mut Vec<u8>) {
    if word.ends_with(b"sses") || word.ends_with(b"ies") {
        replace(word, 2, b"");
    } else if word.ends_with(b"s") && !word.ends_with(b"ss") {
        replace(word, 1, b"");
    }
}

/// Past tenses and participles.
fn step_1b(word: &mut Vec<u8>, r1: usize) {
    let length = match word.as_slice() {
        [.., b'e', b'e', b'd'] => {
            if word.len() - 3 >= r1 {
                replace(word, 1, b"");
            }
            return;
        }
        [.., b'e', b'd'] => 2,
        [.., b'i', b'n', b'g'] => 3,
        _ => return,
    };
    let stem = word.len() - length;
    if !word[..stem].iter().any(|b| is_vowel(*b)) {
        return;
    }
    word.truncate(stem);
    match word.as_slice() {
        [.., b'a', b't'] | [.., b'b', b'l'] | [.., b'i', b'z'] => word.push(b'e'),
        [.., a, b] if a == b && b"bdfgmnprt".contains(b) => word.truncate(stem - 1),
        _ if stem == r1 && is_short(word) => word.push(b'e'),
        _ => {}
    }
}

/// A `y` at the end.
fn step_1c(word: &mut [u8]) {
    if let Some((last @ (b'y' | b'Y'), stem)) = word.split_last_mut()
        && stem.iter().any(|b| is_vowel(*b))
    {
        *last = b'i';
    }
}

/// Of the suffixes the first that the word has, if it lies in the region, is replaced.
fn replace_first(word: &mut Vec<u8>, region: usize, suffixes: &[(&[u8], &[u8])]) {
    let found = suffixes.iter().find(|(suffix, _)| word.ends_with(suffix));
    if let Some((suffix, by)) = found
        && word.len() - suffix.len() >= region
    {
        replace(word, suffix.len(), by);
    }
}

/// Double suffixes. In this and the next two steps the last letters but one tell which suffixes can be meant; of two with the
/// same end the longer one comes first.
fn step_2(word: &mut Vec<u8>, r1: usize) {
    let [.., penultimate, b'i' | b'l' | b'm' | b'n' | b'r' | b's'] = word.as_slice() else {
        return;
    };
    let suffixes: &[(&[u8], &[u8])] = match penultimate {
        b'a' => &[(b"ational", b"ate"), (b"tional", b"tion")],
        b'c' => &[(b"enci", b"ence"), (b"anci", b"ance")],
        b'e' => &[(b"izer", b"ize")],
        b'l' => &[
            (b"abli", b"able"),
            (b"alli", b"al"),
            (b"entli", b"ent"),
            (b"eli", b"e"),
            (b"ousli", b"ous"),
        ],
        b'o' => &[(b"ization", b"ize"), (b"ation", b"ate"), (b"ator", b"ate")],
        b's' => &[
            (b"alism", b"al"),
            (b"iveness", b"ive"),
            (b"fulness", b"ful"),
            (b"ousness", b"ous"),
        ],
        b't' => &[(b"aliti", b"al"), (b"iviti", b"ive"), (b"biliti", b"ble")],
        _ => return,
    };
    replace_first(word, r1, suffixes);
}

fn step_3(word: &mut Vec<u8>, r1: usize) {
    let suffixes: &[(&[u8], &[u8])] = match word.as_slice() {
        [.., b'e'] => &[(b"icate", b"ic"), (b"ative", b""), (b"alize", b"al")],
        [.., b'i'] => &[(b"iciti", b"ic")],
        [.., b'l'] => &[(b"ical", b"ic"), (b"ful", b"")],
        [.., b's'] => &[(b"ness", b"")],
        _ => return,
    };
    replace_first(word, r1, suffixes);
}

fn step_4(word: &mut Vec<u8>, r2: usize) {
    let [.., penultimate, _] = word.as_slice() else {
        return;
    };
    let suffixes: &[(&[u8], &[u8])] = match penultimate {
        b'a' => &[(b"al", b"")],
        b'c' => &[(b"ance", b""), (b"ence", b"")],
        b'e' => &[(b"er", b"")],
        b'i' => &[(b"ic", b"")],
        b'l' => &[(b"able", b""), (b"ible", b"")],
        b'n' => &[
            (b"ant", b""),
            (b"ement", b""),
            (b"ment", b""),
            (b"ent", b""),
        ],
        b'o' => {
            if word.ends_with(b"sion") || word.ends_with(b"tion") {
                &[(b"ion", b"")]
            } else {
                &[(b"ou", b"")]
            }
        }
        b's' => &[(b"ism", b"")],
        b't' => &[(b"ate", b""), (b"iti", b"")],
        b'u' => &[(b"ous", b"")],
        b'v' => &[(b"ive", b"")],
        b'z' => &[(b"ize", b"")],
        _ => return,
    };
    replace_first(word, r2, suffixes);
}

/// Tidies up: an `e` at the end, a double `l`.
fn step_5(word: &mut Vec<u8>, r1: usize, r2: usize) {
    if let Some((b'e', stem)) = word.split_last()
        && (stem.len() >= r2 || stem.len() >= r1 && !is_short(stem))
    {
        word.pop();
    }
    if let [stem @ .., b'l', b'l'] = word.as_slice()
        && stem.len() + 1 >= r2
    {
        word.pop();
    }
}

#[cfg(test)]
mod tests {
    use frostem::{Algorithm, Stemmer};

    use super::*;

    #[track_caller]
    fn check(word: &str) {
        let mut found = word.as_bytes().to_vec();
        stem(&mut found);
        let expected = Stemmer::new(Algorithm::Porter).stem(word);
        assert_eq!(
            String::from_utf8(found).as_deref(),
            Ok(&*expected),
            "{word}"
        );
    }

    const SUFFIXES: &str = "s ies sses ss ed eed ing bb dd ff gg bl mm nn pp rr at tt iz y anci enci abli eli alli ousli \
        entli aliti biliti iviti tional ational alism ation ization izer ator iveness fulness ousness icate ative alize \
        iciti ical ful ness ic ance ence able ible ate ive ize iti al ism ion sion tion er ous ant ent ment ement ou e l \
        ll logi bli";

    /// All short words of letters that the rules tell apart, and words of up to three suffixes.
    #[test]
    fn as_the_crate() {
        let letters: Vec<char> = "aeybtwéß'1".chars().collect();
        let mut words = vec![String::new()];
        let mut from = 0;
        for _ in 0..5 {
            let to = words.len();
            for at in from..to {
                for letter in &letters {
                    words.push(format!("{}{letter}", words[at]));
                }
            }
            from = to;
        }
        words.iter().for_each(|word| check(word));
        let stems = [
            "", "b", "at", "bat", "oat", "tray", "yty", "troubl", "hop", "été", "öx", "wax", "by",
            "ay", "bé",
        ];
        let suffixes = || SUFFIXES.split_whitespace();
        for stem in stems {
            for first in suffixes() {
                check(&format!("{stem}{first}"));
                for second in suffixes() {
                    check(&format!("{stem}{first}{second}"));
                    for third in suffixes().filter(|_| stem.len() < 3) {
                        check(&format!("{stem}{first}{second}{third}"));
                    }
                }
            }
        }
    }
}
