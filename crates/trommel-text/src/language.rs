//! Languages: of tags that declare them, and of text that does not.

use isolang::Language;

use super::ENGLISH_STOP_WORDS;

/// The language that a tag declares (BCP 47: `en`, `en-GB`, `zh-Hant`), as ISO 639-1 writes it with two letters, or ISO 639-3 with
/// three where there are no two. Of several, as an HTTP header lists them, the first. None if the tag names no language.
pub fn language_of_tag(tag: &str) -> Option<&'static str> {
    let first = tag.split(',').next().unwrap_or_default().trim();
    let primary = first.split(['-', '_']).next().unwrap_or_default();
    let primary = primary.to_ascii_lowercase();
    let language = match primary.len() {
        2 => Language::from_639_1(&primary),
        3 => Language::from_639_3(&primary),
        _ => None,
    };
    // Codes that say that the language is not known, or is none or many (ISO 639-2).
    let names_one = |it: &Language| !matches!(it.to_639_3(), "und" | "zxx" | "mul" | "mis");
    language.filter(names_one).map(code)
}

/// The language of a text, by its script and trigrams, in the codes of [`language_of_tag`]; none if there is too little text to tell.
///
/// Most text of the web is English, and shows it by its small words: it is not compared with the trigrams of all languages.
pub fn detect_language(text: &str) -> Option<&'static str> {
    if is_plainly_english(&text[..text.floor_char_boundary(SAMPLE)]) {
        return Some("en");
    }
    let found = whatlang::detect(text).filter(whatlang::Info::is_reliable)?;
    Language::from_639_3(found.lang().code()).map(code)
}

/// Bytes that have to show it.
const SAMPLE: usize = 2_000;
/// The letters of a stop word that counts: the shorter ones (`in`, `is`, `of`) are words of English's neighbours as well.
const LETTERS: usize = 3;
/// Of so many words one at least is such a stop word, and so many are in all. In running English it is every sixth or seventh; in Dutch, German or
/// Danish one of fifty, by chance (`was`, `for`).
const EVERY: usize = 12;
const LEAST: usize = 8;

fn is_plainly_english(text: &str) -> bool {
    let is_stop_word = |word: &str| {
        let mut lower = [0; 8];
        let lower = lower.get_mut(..word.len());
        lower.is_some_and(|lower| {
            if lower.len() < LETTERS {
                return false;
            }
            lower.copy_from_slice(word.as_bytes());
            lower.make_ascii_lowercase();
            ENGLISH_STOP_WORDS
                .binary_search_by(|other| other.as_bytes().cmp(lower))
                .is_ok()
        })
    };
    let (mut words, mut found) = (0, 0);
    for word in text.split(|c: char| !c.is_alphabetic() && c != '\'') {
        words += usize::from(!word.is_empty());
        found += usize::from(is_stop_word(word));
    }
    found >= LEAST && found * EVERY >= words
}

fn code(language: Language) -> &'static str {
    match language.to_639_3() {
        // Mandarin and Iranian Persian have two letters only as a part of Chinese and of Persian.
        "cmn" => "zh",
        "pes" => "fa",
        three => language.to_639_1().unwrap_or(three),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared() {
        for (tag, expected) in [
            ("en", Some("en")),
            ("EN-us", Some("en")),
            ("pt_BR", Some("pt")),
            ("de, en", Some("de")),
            ("deu", Some("de")),
            ("eng,deu", Some("en")),
            ("zh-Hant", Some("zh")),
            ("cmn", Some("zh")),
            ("haw", Some("haw")),
            ("", None),
            ("xx", None),
            ("und", None),
            ("zxx", None),
            ("english", None),
            ("{{lang}}", None),
        ] {
            assert_eq!(language_of_tag(tag), expected, "{tag}");
        }
    }

    /// What neighbours have of English's stop words is too little; a menu shows nothing.
    #[test]
    fn plainly_english() {
        for (text, expected) in [
            (
                "A rain barrel under the downspout keeps water for the dry weeks, and a lid keeps the gnats out of it \
                 all summer; clean the gutter before you set it up, or its leaves will end in the barrel with the first rain.",
                true,
            ),
            (
                "Het water in de ton is van de regen en was in de winter bevroren; in de zomer is het warm, of het is op. \
                 In de tuin is dat niet erg, want er was een put.",
                false,
            ),
            (
                "Vi har en tønde for at samle regnvand i haven, og det er let at se, at den er for lille, når det regner i \
                 en uge, for så løber den over.",
                false,
            ),
            (
                "Home News Sport Weather Travel Shop Contact About us Help",
                false,
            ),
            ("", false),
        ] {
            assert_eq!(is_plainly_english(text), expected, "{text}");
        }
    }

    #[test]
    fn detected() {
        for (text, expected) in [
            (
                "A rain barrel under the downspout keeps water for the dry weeks, and a lid keeps the gnats out of it \
                 all summer; clean the gutter before you set it up, or its leaves will end in the barrel.",
                Some("en"),
            ),
            (
                "Der Zoll für die Einfuhr von Waren wurde im vergangenen Jahr nicht noch einmal erhöht, obwohl es die \
                 Händler befürchtet hatten.",
                Some("de"),
            ),
            (
                "Кабинет министров утвердил бюджет на следующий год после долгих споров.",
                Some("ru"),
            ),
            ("在这个城市里有很多人喜欢吃辣的东西。", Some("zh")),
            ("東京の天気は晴れで、気温は高いです。", Some("ja")),
            ("", None),
            ("123 456", None),
        ] {
            assert_eq!(detect_language(text), expected, "{text}");
        }
    }
}
