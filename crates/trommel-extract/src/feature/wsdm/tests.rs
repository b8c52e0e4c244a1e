//! Values computed by hand.

use trommel_page::html::{self, Limits, segment};

use super::*;

const PAGE: &str = "<body><h1>Big News</h1><div><p>The old <a href=x>red fox</a> ran away. It was 9:30 on Monday!</p></div>\
    <a href=y>HOME | About</a></body>";

fn rows(markup: &str) -> Vec<Vec<f64>> {
    let page = html::parse_text(markup, &Limits::default());
    let segmentation = (segment::by_name(SET.segmenter).unwrap().segment)(&page);
    let mut frequencies = Frequencies::default();
    frequencies.add(&segmentation);
    frequencies.add(&segmentation);
    super::SET.rows(&page, &segmentation, &frequencies)
}

/// The 23 features of each block of [`PAGE`].
const BIG_NEWS: [f64; 23] = [
    1.,
    0.,
    0.,
    0.,
    0.,
    0.,
    0.,
    0.,
    0., // h1
    2.,
    3.5,
    2.,
    1.,
    1. / 3., // words, characters a word, words a sentence, position
    2.,
    0.,
    1.,
    0.,
    0.,
    0.,
    0., // Big and News start with a capital
    0.,
    2.,
];
const FOX: [f64; 23] = [
    0.,
    0.,
    0.,
    0.,
    0.,
    0.,
    1.,
    1.,
    0., // p and div; the anchor holds only a part of the block
    11.,
    38. / 11.,
    5.5,
    2.,
    2. / 3., //
    3.,
    0.,
    3. / 11.,
    0.,
    1. / 11.,
    2.,
    0., // The, It, Monday; 9:30 and Monday are dates
    2. / 11.,
    11.,
];
const HOME: [f64; 23] = [
    0., 0., 0., 0., 0., 0., 0., 0., 1., //
    2., 4.5, 2., 3., 1., // the bar is a token, but no word
    2., 1., 1., 0.5, 0., 0., 1., //
    1., 3.,
];

/// Without the positions.
fn as_neighbour(values: [f64; 23]) -> Vec<f64> {
    [&values[..12], &values[14..]].concat()
}

#[test]
fn by_hand() {
    let nothing = vec![0.0; 21];
    let expected = [
        [
            BIG_NEWS.to_vec(),
            nothing.clone(),
            as_neighbour(FOX),
            vec![0., 11. / 2., 0., 11. / 2., 2., 0., 2.],
        ],
        [
            FOX.to_vec(),
            as_neighbour(BIG_NEWS),
            as_neighbour(HOME),
            vec![11. / 2., 3. / 11., 11. / 2., 2. / 11., 2., 2., 2.],
        ],
        [
            HOME.to_vec(),
            as_neighbour(FOX),
            nothing,
            vec![3. / 11., 0., 2. / 11., 0., 2., 2., 0.],
        ],
    ];
    assert_eq!(rows(PAGE), expected.map(|parts| parts.concat()));
}

/// Equation 1 and the density of links over tokens: 17 tokens `word` of five characters with their space, 16 of which fill a
/// line of 80.
#[test]
fn wrapped_lines() {
    let text = "word ".repeat(17);
    let row = &rows(&format!("<body><p>{text}<a>more</a></p>"))[0];
    assert_eq!(row[21..23], [1. / 18., 16.]);
}

/// Table 2's column of dimensions.
#[test]
fn numbers_of_dimensions() {
    for (dimensions, count) in [
        (Dimensions::Local, 23),
        (Dimensions::LocalWithQuotients, 25),
        (Dimensions::Context, 64),
        (Dimensions::ContextWithFrequency, 67),
        (Dimensions::All, 72),
    ] {
        assert_eq!(dimensions.columns().len(), count, "{dimensions:?}");
    }
    let mut names: Vec<String> = features().into_iter().map(|of| of.name).collect();
    assert_eq!(rows(PAGE)[0].len(), names.len());
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 72);
}

#[test]
fn sentences_stops_and_capitals() {
    // avg_sentence_length, full_stop_ratio.
    for (text, length, stops) in [
        ("one two three", 3.0, 0.0),
        ("One two. Three four five; six!", 2.0, 1.0 / 6.0),
        ("He said \"no.\" Then (he left.) Why", 7.0 / 3.0, 2.0 / 7.0),
        ("... !", 0.0, 0.0),
        ("What? - No...", 1.0, 0.5),
    ] {
        let row = &rows(&format!("<body><p>{text}"))[0];
        assert_eq!((row[11], row[18]), (length, stops), "{text}");
    }
    // num_start_uppercase, num_all_uppercase.
    for (text, starts, all) in [
        ("NASA \"Quoted\" (A) 3D d3D", 3.0, 3.0),
        ("\u{c9}cole \u{c9}COLE 123 | -", 2.0, 1.0),
    ] {
        let row = &rows(&format!("<body><p>{text}"))[0];
        assert_eq!((row[14], row[15]), (starts, all), "{text}");
    }
}

#[test]
fn dates() {
    for (text, count) in [
        ("Monday, 3 March 2008 at 21:05 GMT", 5.0),
        ("we may march on may day", 0.0),
        ("May 1, 1998; 12/31/2007 2008-01-02 31.12.08", 5.0),
        ("9pm 9:30am 10 p.m. AM am 24", 4.0),
        ("1899 2100 99:30 9:3 1:2:3:4 1/2 13/32/2008", 0.0),
    ] {
        assert_eq!(rows(&format!("<body><p>{text}"))[0][19], count, "{text}");
    }
}
