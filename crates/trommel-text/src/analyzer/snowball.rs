//! Languages with a stemmer of Snowball and a list of stop words: a row each.

use std::sync::OnceLock;

use frostem::{Algorithm, Stemmer};

use super::lower::to_lowercase;

/// A language of the table, by its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Language(u8);

/// What an analyzer has of a language.
struct Row {
    /// The analyzer's name, which is Snowball's of the language.
    name: &'static str,
    stemmer: Algorithm,
    /// The language's code of ISO 639-1, by which the crate finds the stop words.
    code: &'static str,
    stop_list: StopList,
    /// Is the small letter of `I` the dotless one?
    dotless: bool,
}

/// Who publishes a list of stop words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StopList {
    /// NLTK's corpus `stopwords`, whose lists of most European languages are Snowball's as PostgreSQL has them.
    Nltk,
    /// Stopwords ISO, for what NLTK has not.
    Iso,
    /// Neither has one.
    None,
}

const fn row(
    name: &'static str,
    stemmer: Algorithm,
    code: &'static str,
    stop_list: StopList,
) -> Row {
    Row {
        name,
        stemmer,
        code,
        stop_list,
        dotless: matches!(stemmer, Algorithm::Turkish),
    }
}

/// The languages. Snowball's other algorithms are no languages of the web (Early Modern English), or older or other stemmers of a
/// language that is here (Lovins, Porter, Dutch Porter); English has a chain of its own.
const ROWS: &[Row] = &[
    row("arabic", Algorithm::Arabic, "ar", StopList::Nltk),
    row("armenian", Algorithm::Armenian, "hy", StopList::Iso),
    row("basque", Algorithm::Basque, "eu", StopList::Nltk),
    row("catalan", Algorithm::Catalan, "ca", StopList::Nltk),
    row("czech", Algorithm::Czech, "cs", StopList::Iso),
    row("danish", Algorithm::Danish, "da", StopList::Nltk),
    row("dutch", Algorithm::Dutch, "nl", StopList::Nltk),
    row("esperanto", Algorithm::Esperanto, "eo", StopList::Iso),
    row("estonian", Algorithm::Estonian, "et", StopList::Iso),
    row("finnish", Algorithm::Finnish, "fi", StopList::Nltk),
    row("french", Algorithm::French, "fr", StopList::Nltk),
    row("german", Algorithm::German, "de", StopList::Nltk),
    row("greek", Algorithm::Greek, "el", StopList::Nltk),
    row("hindi", Algorithm::Hindi, "hi", StopList::Iso),
    row("hungarian", Algorithm::Hungarian, "hu", StopList::Nltk),
    row("indonesian", Algorithm::Indonesian, "id", StopList::Nltk),
    row("irish", Algorithm::Irish, "ga", StopList::Iso),
    row("italian", Algorithm::Italian, "it", StopList::Nltk),
    row("lithuanian", Algorithm::Lithuanian, "lt", StopList::Iso),
    row("nepali", Algorithm::Nepali, "ne", StopList::Nltk),
    row("norwegian", Algorithm::Norwegian, "no", StopList::Nltk),
    row("persian", Algorithm::Persian, "fa", StopList::Iso),
    row("polish", Algorithm::Polish, "pl", StopList::Iso),
    row("portuguese", Algorithm::Portuguese, "pt", StopList::Nltk),
    row("romanian", Algorithm::Romanian, "ro", StopList::Nltk),
    row("russian", Algorithm::Russian, "ru", StopList::Nltk),
    row("serbian", Algorithm::Serbian, "sr", StopList::None),
    row("sesotho", Algorithm::Sesotho, "st", StopList::Iso),
    row("spanish", Algorithm::Spanish, "es", StopList::Nltk),
    row("swedish", Algorithm::Swedish, "sv", StopList::Nltk),
    row("tamil", Algorithm::Tamil, "ta", StopList::Nltk),
    row("turkish", Algorithm::Turkish, "tr", StopList::Nltk),
    row("ukrainian", Algorithm::Ukrainian, "uk", StopList::Iso),
    row("yiddish", Algorithm::Yiddish, "yi", StopList::None),
];

/// The day of Snowball's last change to an algorithm that is in the crate, whose minor version it is. An index says it, since
/// another day's algorithms may make other terms.
const ALGORITHMS_OF: &str = "2026-10-16";

/// The stop words of each row, made when they are first asked for.
static STOP_WORDS: [OnceLock<Vec<String>>; ROWS.len()] = [const { OnceLock::new() }; ROWS.len()];

impl Language {
    /// All languages, in alphabetical order.
    pub(super) fn all() -> impl Iterator<Item = Language> {
        (0u8..).map(Language).take(ROWS.len())
    }

    fn row(self) -> &'static Row {
        &ROWS[usize::from(self.0)]
    }

    /// The name in flags and manifests.
    pub(super) fn name(self) -> &'static str {
        self.row().name
    }

    /// What a manifest says of the stemmer.
    pub(super) fn stemmer(self) -> String {
        format!("Snowball {}, algorithms of {ALGORITHMS_OF}", self.name())
    }

    /// The name of the list of stop words; none where there is none.
    pub(super) fn stop_list(self) -> Option<String> {
        let Row { code, .. } = self.row();
        match self.row().stop_list {
            StopList::Nltk => Some(format!("NLTK stopwords, {}", self.name())),
            StopList::Iso => Some(format!("Stopwords ISO, {code}")),
            StopList::None => None,
        }
    }

    /// The stop words, as words of a text are compared with them, in order.
    pub(super) fn stop_words(self) -> &'static [String] {
        STOP_WORDS[usize::from(self.0)].get_or_init(|| {
            let list = match self.row().stop_list {
                StopList::None => &[],
                StopList::Nltk | StopList::Iso => {
                    stop_words::lookup(self.row().code).unwrap_or_default()
                }
            };
            let compared = |word: &&str| {
                let mut lower = String::new();
                self.to_lowercase(word.trim(), &mut lower);
                lower
            };
            let mut words: Vec<String> = list.iter().map(compared).collect();
            words.retain(|word| !word.is_empty());
            words.sort_unstable();
            words.dedup();
            words
        })
    }

    /// Puts the term of a word into `term`. Returns whether there is one: a stop word has none.
    pub(super) fn make(self, word: &str, term: &mut String) -> bool {
        self.to_lowercase(word, term);
        let stop_words = self.stop_words();
        if (stop_words.binary_search_by(|stop_word| stop_word.as_str().cmp(term))).is_ok() {
            return false;
        }
        let stem = Stemmer::new(self.row().stemmer).stem(term).into_owned();
        *term = stem;
        !term.is_empty()
    }

    /// Lower case as the language has it. The apostrophe of print is that of typewriters, which is the one that Snowball's stemmers
    /// and the lists know.
    fn to_lowercase(self, word: &str, lower: &mut String) {
        let dotless = self.row().dotless;
        let is_other = |c| c == '\u{2019}' || dotless && matches!(c, 'I' | 'İ');
        if !word.contains(is_other) {
            return to_lowercase(word, lower);
        }
        let own = |c| match c {
            '\u{2019}' => '\'',
            'I' if dotless => 'ı',
            'İ' if dotless => 'i',
            other => other,
        };
        lower.clear();
        lower.extend(word.chars().map(own).flat_map(char::to_lowercase));
    }
}
