//! Lower case.

/// Makes `lower` the word in lower case, character by character.
#[inline]
pub(super) fn to_lowercase(word: &str, lower: &mut String) {
    lower.clear();
    if word.is_ascii() {
        lower.push_str(word);
        lower.make_ascii_lowercase();
    } else {
        lower.extend(word.chars().flat_map(char::to_lowercase));
    }
}
