//! The table of attributes, a row each.

use trommel_text::MOST_DENSITY;

use super::column::{Column, NUM_LINES, NUM_LINKED_WORDS, NUM_TOKENS, NUM_WORDS};
use super::row::{Attribute, Axis, Count, Kind, Number, PageWord, Side, Word};

/// All attributes, in the order in which lists show them.
pub fn all() -> &'static [Attribute] {
    ROWS
}

/// The attribute of a name.
pub fn by_name(name: &str) -> Option<&'static Attribute> {
    all().iter().find(|attribute| attribute.name == name)
}

/// The columns that are stored with blocks, each once, in the order of the table.
pub fn columns() -> Vec<&'static Column> {
    let mut columns: Vec<&'static Column> = Vec::new();
    for attribute in all() {
        let Kind::Number(number) = &attribute.kind else {
            continue;
        };
        for count in [number.numerator, number.denominator] {
            if let Count::Stored(column) = count
                && !columns.contains(&column)
            {
                columns.push(column);
            }
        }
    }
    columns
}

static ROWS: &[Attribute] = &[
    Attribute {
        name: "words",
        label: "words in a block",
        of_page: false,
        kind: whole(&NUM_WORDS),
        // One word a bin: up to the thresholds that the sweeps of the literature go to.
        axis: Some(Axis {
            bins_per_unit: 1,
            last: 100,
            side: Side::Least,
        }),
    },
    Attribute {
        name: "tokens",
        label: "tokens in a block, words among them",
        of_page: false,
        kind: whole(&NUM_TOKENS),
        axis: None,
    },
    Attribute {
        name: "linked-words",
        label: "words in links of a block",
        of_page: false,
        kind: whole(&NUM_LINKED_WORDS),
        axis: None,
    },
    Attribute {
        name: "lines",
        label: "wrapped lines of a block",
        of_page: false,
        kind: whole(&NUM_LINES),
        axis: None,
    },
    Attribute {
        name: "chars",
        label: "characters in a block but white space",
        of_page: false,
        kind: whole(&Column {
            field: "num_chars",
            measure: |block| {
                let is_byte = |b: u8| !matches!(b, b'\t'..=b'\r' | b' ');
                count(&block.text, is_byte, |c| !c.is_whitespace())
            },
            place: None,
        }),
        axis: None,
    },
    Attribute {
        // Sentences of running text have them; Readability and its kin count them.
        name: "commas",
        label: "commas in a block",
        of_page: false,
        kind: whole(&Column {
            field: "num_commas",
            measure: |block| {
                let is_comma = |c| matches!(c, ',' | '\u{3001}' | '\u{ff0c}' | '\u{60c}');
                count(&block.text, |b| b == b',', is_comma)
            },
            place: None,
        }),
        axis: None,
    },
    Attribute {
        // WSDM 2010, Equation 1: words per wrapped line of 80 characters, which hold more than 20 words of
        // running text hardly ever.
        name: "density",
        label: "text density of a block",
        of_page: false,
        kind: Kind::Number(Number {
            numerator: Count::Stored(&Column {
                field: "num_words_in_full_lines",
                measure: |block| block.num_words_in_full_lines,
                place: Some(|block| &mut block.num_words_in_full_lines),
            }),
            denominator: Count::Stored(&NUM_LINES),
            most: Some(MOST_DENSITY),
        }),
        axis: Some(Axis {
            bins_per_unit: 2,
            last: 40,
            side: Side::Least,
        }),
    },
    Attribute {
        // WSDM 2010 §3.3.
        name: "link-density",
        label: "link density of a block",
        of_page: false,
        kind: Kind::Number(Number {
            numerator: Count::Stored(&NUM_LINKED_WORDS),
            denominator: Count::Units,
            most: Some(1),
        }),
        axis: Some(Axis {
            bins_per_unit: 20,
            last: 20,
            side: Side::Greatest,
        }),
    },
    Attribute {
        name: "confidence",
        label: "confidence that a block is content",
        of_page: false,
        kind: Kind::Confidence,
        axis: Some(Axis {
            bins_per_unit: 20,
            last: 20,
            side: Side::Least,
        }),
    },
    Attribute {
        name: "tag",
        label: "structural tag of a block",
        of_page: false,
        kind: Kind::Tag,
        axis: None,
    },
    Attribute {
        name: "position",
        label: "number of a block on its page, from 0",
        of_page: false,
        kind: Kind::Number(Number {
            numerator: Count::Position,
            denominator: Count::One,
            most: None,
        }),
        axis: None,
    },
    Attribute {
        name: "position-share",
        label: "share of the page's words before a block",
        of_page: false,
        kind: Kind::Number(Number {
            numerator: Count::WordsBefore,
            denominator: Count::PageWords,
            most: Some(1),
        }),
        axis: None,
    },
    Attribute {
        name: "page-words",
        label: "words of a page",
        of_page: true,
        kind: Kind::Number(Number {
            numerator: Count::PageWords,
            denominator: Count::One,
            most: None,
        }),
        axis: None,
    },
    Attribute {
        name: "date",
        label: "day of a page, as its collection has it",
        of_page: true,
        kind: Kind::Date,
        axis: None,
    },
    Attribute {
        name: "host",
        label: "host of a page's address",
        of_page: true,
        kind: Kind::Word(Word {
            of: PageWord::Host,
            derive: None,
        }),
        axis: None,
    },
    Attribute {
        name: "site",
        label: "registrable domain of a page's address",
        of_page: true,
        kind: Kind::Word(Word {
            of: PageWord::Host,
            derive: Some(|host| trommel_text::registrable_domain(host).to_owned()),
        }),
        axis: None,
    },
    Attribute {
        name: "media-type",
        label: "media type of a page",
        of_page: true,
        kind: Kind::Word(Word {
            of: PageWord::MediaType,
            derive: None,
        }),
        axis: None,
    },
    Attribute {
        name: "language",
        label: "language of a page, two letters",
        of_page: true,
        kind: Kind::Word(Word {
            of: PageWord::Language,
            derive: None,
        }),
        axis: None,
    },
];

/// How many characters of a text are of a kind. Most texts are ASCII, whose bytes are counted without decoding: so few at a time that
/// a byte holds the sum, which lets the processor count many at once.
fn count(text: &str, is_byte: impl Fn(u8) -> bool, is_wide: impl Fn(char) -> bool) -> u32 {
    let count = match text.is_ascii() {
        true => {
            let sum = |bytes: &[u8]| {
                bytes
                    .iter()
                    .map(|byte| u8::from(is_byte(*byte)))
                    .sum::<u8>()
            };
            let chunks = text.as_bytes().chunks(usize::from(u8::MAX));
            chunks.map(|bytes| usize::from(sum(bytes))).sum()
        }
        false => text.chars().filter(|c| is_wide(*c)).count(),
    };
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// A number that is a column itself.
const fn whole(column: &'static Column) -> Kind {
    Kind::Number(Number {
        numerator: Count::Stored(column),
        denominator: Count::One,
        most: None,
    })
}
