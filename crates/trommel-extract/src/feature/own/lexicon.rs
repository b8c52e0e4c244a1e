//! Words that say what a block or an element is for: in texts, and in the values of `class` and `id`.
//!
//! The lists were written down by hand: what authors call the parts of their pages, and what stands in those parts.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};
use trommel_text::packed;

/// What elements are called: names of the groups, and the stems that a part of a class or id holds; `=` before a stem: is.
pub const CLASSES: [(&str, &[&str]); 32] = [
    (
        "comment",
        &[
            "comment", "disqus", "reply", "replies", "respons", "discuss", "talkback", "feedback",
        ],
    ),
    (
        "foot",
        &["foot", "copyright", "legal", "bottom", "disclaim"],
    ),
    ("nav", &["nav", "menu", "crumb", "pager", "pagin", "tabs"]),
    ("side", &["side", "rail", "right", "left"]),
    ("widget", &["widget", "module", "box", "portlet", "panel"]),
    (
        "ad",
        &["=ad", "=ads", "advert", "sponsor", "banner", "promo"],
    ),
    (
        "related",
        &[
            "relat",
            "recommend",
            "popular",
            "=more",
            "similar",
            "also",
            "mostread",
            "trend",
            "teaser",
            "latest",
        ],
    ),
    (
        "share",
        &[
            "share", "social", "twitter", "facebook", "addthis", "bookmark", "email", "print",
            "tool", "util",
        ],
    ),
    ("header", &["header", "mast", "logo", "=top", "brand"]),
    (
        "meta",
        &[
            "meta", "byline", "author", "date", "time", "info", "credit", "source",
        ],
    ),
    ("tags", &["=tag", "=tags", "categor", "keyword", "topic"]),
    ("content", &["content", "main", "body", "center"]),
    ("article", &["article", "story", "text", "copy", "news"]),
    ("post", &["post", "entry", "blog"]),
    ("title", &["title", "headline", "=hed", "heading"]),
    (
        "media",
        &[
            "caption", "photo", "image", "img", "gallery", "media", "video", "figure", "thumb",
        ],
    ),
    (
        "form",
        &[
            "login",
            "signup",
            "signin",
            "regist",
            "subscri",
            "newsletter",
            "form",
            "search",
        ],
    ),
    (
        "list",
        &["list", "link", "archive", "blogroll", "feed", "rss"],
    ),
    (
        "hidden",
        &["hidden", "hide", "skip", "invisible", "noprint"],
    ),
    (
        "summary",
        &["summary", "excerpt", "intro", "deck", "abstract", "lead"],
    ),
    (
        "product",
        &[
            "product", "price", "sku", "cart", "=buy", "basket", "variant", "=pdp",
        ],
    ),
    (
        "review",
        &["review", "rating", "=star", "=stars", "testimon"],
    ),
    (
        "consent",
        &[
            "cookie", "consent", "gdpr", "modal", "popup", "overlay", "dialog", "toast", "notice",
        ],
    ),
    (
        "card",
        &[
            "card", "tile", "grid", "=item", "=items", "slide", "carousel", "swiper",
        ],
    ),
    (
        "thread",
        &[
            "thread",
            "forum",
            "message",
            "=msg",
            "answer",
            "question",
            "conversation",
        ],
    ),
    ("user", &["user", "profile", "avatar", "member", "account"]),
    (
        "document",
        &[
            "=doc", "=docs", "markdown", "prose", "wiki", "rich", "wysiwyg",
        ],
    ),
    (
        "code",
        &[
            "=code",
            "highlight",
            "syntax",
            "=pre",
            "snippet",
            "codeblock",
        ],
    ),
    (
        "detail",
        &[
            "detail", "descri", "spec", "feature", "overview", "attribut",
        ],
    ),
    (
        "filter",
        &[
            "filter", "facet", "=sort", "refine", "dropdown", "select", "option", "toolbar",
        ],
    ),
    ("hero", &["hero", "jumbo", "=cta", "welcome", "landing"]),
    ("faq", &["faq", "accordion", "collaps", "toggle", "expand"]),
];

/// The group of comments, as a bit.
pub const COMMENT: u32 = 1;
/// Groups of what is not content: comment to header.
pub const NEGATIVE: u32 = (1 << 9) - 1;
/// Groups of content: content, article, post.
pub const POSITIVE: u32 = 0b111 << 11;

/// What blocks speak of: names of the groups and their words.
pub const TEXTS: [(&str, &str); 15] = [
    ("comment", "comment comments reply replies responses"),
    (
        "posted",
        "posted published updated by written reported author",
    ),
    (
        "share",
        "share email print tweet facebook twitter digg bookmark send",
    ),
    (
        "related",
        "related more read also recommended popular latest previous next",
    ),
    (
        "legal",
        "copyright rights reserved terms privacy policy disclaimer",
    ),
    (
        "login",
        "login log sign register subscribe newsletter member password account",
    ),
    ("nav", "home contact about search help site back top menu"),
    (
        "ad",
        "advertisement advertise sponsored ads shop buy free click",
    ),
    ("media", "photo image video picture getty reuters ap afp"),
    ("pronoun", "i you we he she my me your"),
    (
        "month",
        "jan feb mar apr may jun jul aug sep oct nov dec january february march april june july august september october \
         november december",
    ),
    (
        "consent",
        "cookie cookies consent accept preferences gdpr javascript enable browser",
    ),
    (
        "product",
        "price cart stock shipping delivery quantity size color colour wishlist reviews warranty checkout returns sale save",
    ),
    (
        "forum",
        "thread forum reply post posts joined member members quote likes views replied solved answer answers topic",
    ),
    (
        "document",
        "example install function parameter parameters default version usage note method class type value api command file",
    ),
];

/// The bit of a frequent word, beside those of the groups of [`TEXTS`].
pub const FREQUENT: u16 = 1 << TEXTS.len();

/// Frequent English words.
const FREQUENT_WORDS: &str = "the of and to a in is that for it on was with as he his be at by i had not are but from or have \
    an they which one you were her all she there would their we him been has when who will more no if out so said what up its \
    about into than them can only other new some could time these two may then do first any my now such like our over me even \
    most made after also did many before must through back years where much your way well should because each just those \
    people mr how too little state good very make world still own see men work long get here between both life being under \
    never day same another know while last might us great old year off come since against go came right used take three";

/// Slots of the table of words, a power of two: some four for each word.
const SLOTS: usize = 2048;

/// The words with their groups, each at the slot of its hash or a later one.
struct Words(Vec<(u128, u16)>);

impl Words {
    fn new() -> Words {
        let mut words = Words(vec![(0, 0); SLOTS]);
        for (group, (_, list)) in TEXTS.iter().enumerate() {
            for word in list.split(' ') {
                words.add(word, 1 << group);
            }
        }
        for word in FREQUENT_WORDS.split_whitespace() {
            words.add(word, FREQUENT);
        }
        words
    }

    fn add(&mut self, word: &str, group: u16) {
        if let Some(word) = packed::pack(word, 0, word.len()) {
            let slot = self.slot(word);
            self.0[slot] = (word, self.0[slot].1 | group);
        }
    }

    /// Where a word stands, or would.
    fn slot(&self, word: u128) -> usize {
        let mut slot = (packed::hash(word) >> 32) as usize % SLOTS;
        while self.0[slot].0 != word && self.0[slot].1 != 0 {
            slot = (slot + 1) % SLOTS;
        }
        slot
    }
}

/// The groups of a word in a text: a bit for each of [`TEXTS`], and [`FREQUENT`]. Case does not matter.
pub fn groups_of_word(text: &str, start: usize, length: usize) -> u16 {
    static WORDS: LazyLock<Words> = LazyLock::new(Words::new);
    let word = packed::pack(text, start, length).and_then(packed::to_ascii_lowercase);
    word.map_or(0, |word| WORDS.0[WORDS.slot(word)].1)
}

/// Finds the stems of [`CLASSES`] in the values of attributes.
pub struct Stems {
    automaton: Option<AhoCorasick>,
    /// For each stem its group, and whether it must be all of a part.
    stems: Vec<(u32, bool)>,
}

/// The stems, made ready once.
pub fn stems() -> &'static Stems {
    static STEMS: LazyLock<Stems> = LazyLock::new(|| {
        let all = CLASSES.iter().enumerate();
        let stems = all.flat_map(|(group, (_, stems))| stems.iter().map(move |of| (group, *of)));
        let (texts, stems): (Vec<&str>, Vec<(u32, bool)>) = stems
            .map(|(group, stem)| match stem.strip_prefix('=') {
                Some(whole) => (whole, (group as u32, true)),
                None => (stem, (group as u32, false)),
            })
            .unzip();
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .build(texts);
        Stems {
            automaton: automaton.ok(),
            stems,
        }
    });
    &STEMS
}

impl Stems {
    /// The groups of an attribute's value, a bit each. It is cut into parts at what is no letter of ASCII, and where an upper-case
    /// letter follows a lower-case one.
    pub fn groups(&self, value: &str, part: &mut String) -> u32 {
        let mut groups = 0;
        let mut lower_before = false;
        part.clear();
        for byte in value.bytes() {
            let begins = !byte.is_ascii_alphabetic() || byte.is_ascii_uppercase() && lower_before;
            if begins {
                groups |= self.groups_of_part(part);
                part.clear();
            }
            lower_before = byte.is_ascii_lowercase();
            if byte.is_ascii_alphabetic() {
                part.push(char::from(byte.to_ascii_lowercase()));
            }
        }
        groups | self.groups_of_part(part)
    }

    fn groups_of_part(&self, part: &str) -> u32 {
        let Some(automaton) = &self.automaton else {
            return 0;
        };
        if part.len() < 2 {
            return 0;
        }
        let mut groups = 0;
        for found in automaton.find_overlapping_iter(part) {
            let (group, whole) = self.stems[found.pattern().as_usize()];
            if !whole || found.len() == part.len() {
                groups |= 1 << group;
            }
        }
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: &str, groups: &[&str]) {
        let bits = stems().groups(value, &mut String::new());
        let of = |group: usize| CLASSES[group].0;
        let found: Vec<&str> = (0..CLASSES.len())
            .filter(|group| bits >> group & 1 == 1)
            .map(of)
            .collect();
        assert_eq!(found, groups, "{value}");
    }

    #[test]
    fn classes_belong_to_groups() {
        check("", &[]);
        check("commentList", &["comment", "list"]);
        check("ad", &["ad"]);
        check("ad-300x250", &["ad"]);
        check("shadow headroom", &[]);
        check("moreover", &[]);
        check("read-more", &["related"]);
        check("FOOTER", &["foot"]);
        check("sidebarNews", &["side", "article"]);
        check("entry_content été", &["content", "post"]);
    }

    #[test]
    fn words_belong_to_groups() {
        let groups = |word: &str| groups_of_word(word, 0, word.len());
        for (group, (_, list)) in TEXTS.iter().enumerate() {
            for word in list.split(' ') {
                assert_ne!(groups(word) & 1 << group, 0, "{word}");
            }
        }
        for word in FREQUENT_WORDS.split_whitespace() {
            assert_ne!(groups(word) & FREQUENT, 0, "{word}");
        }
        assert_eq!(groups("By"), FREQUENT | 1 << 1);
        assert_eq!(groups("PRIVACY"), 1 << 4);
        assert_eq!(groups_of_word("the privacy of", 4, 7), 1 << 4);
        for word in [
            "",
            "trommel",
            "privac",
            "advertisements",
            "été",
            "a very long word",
        ] {
            assert_eq!(groups(word), 0, "{word}");
        }
    }

    #[test]
    fn masks_name_the_groups_that_they_say() {
        assert_eq!(CLASSES[0].0, "comment");
        assert_eq!(CLASSES[8].0, "header");
        assert_eq!(CLASSES[11].0, "content");
        assert_eq!(CLASSES[13].0, "post");
    }
}
