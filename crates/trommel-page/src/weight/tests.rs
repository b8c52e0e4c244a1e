use proptest::prelude::*;

use super::*;
use crate::attribute::{Attribute, Kind, Place};
use crate::filter::tests::any_filter;
use crate::filter::{Facts, Filter};
use crate::page::{Block, DensityUnit, Tag};
use trommel_text::Decimal;

#[track_caller]
fn parsed(text: &str) -> Weights {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn weights_are_read_and_printed() {
    for text in [
        "1",
        "0.25",
        "max(confidence(trommel), 0.1) * (if tag in (h1, h2) then 4 else 1)",
        "words / max(1, page-words)",
        "1 - link-density",
        "1 - (link-density - 0.5)",
        "2 * (words + 1) / (3 * tokens)",
        "min(1, words / 10, density)",
        "if words >= 11 and not tag = li then 1 else if justext then 0.5 else 0",
        "if a or \"then\" then (if b then 1 else 2) else 3",
        "confidence",
        "confidence(\"a b\") + 1",
    ] {
        assert_eq!(parsed(text).to_string(), text);
    }
    for (text, printed) in [
        ("WORDS-5", "words - 5"),
        ("link_density*2", "link-density * 2"),
        ("((1))+((2+3))", "1 + (2 + 3)"),
        (
            "IF(words>5)THEN 1 ELSE 2+3",
            "if words > 5 then 1 else 2 + 3",
        ),
        (
            "confidence( justext:language=German )",
            "confidence(justext:language=German)",
        ),
        ("max(.5,1.50)", "max(0.5, 1.5)"),
    ] {
        assert_eq!(parsed(text).to_string(), printed);
        assert_eq!(parsed(printed), parsed(text));
    }
}

/// What is wrong, and the marked part of the text.
#[track_caller]
fn wrong(text: &str, marked: &str, what: &str) {
    let error = text.parse::<Weights>().expect_err(text);
    assert_eq!(&text[error.place.clone()], marked, "{error}");
    assert!(error.to_string().contains(what), "{error}");
}

#[test]
fn errors_mark_the_place() {
    wrong(
        "",
        "",
        "expected a number, an attribute, min, max, if or '(', found the end",
    );
    wrong("2 *", "", "found the end");
    wrong("wrods / 2", "wrods", "did you mean 'words'?");
    wrong("trommel * 2", "trommel", "if NAME then 1 else 0");
    wrong("words >= 11", ">", "a comparison is no number");
    wrong("tag * 2", "tag", "'tag' is no number but");
    wrong("-1", "-", "a weight is not negative");
    wrong("1 + -words", "-words", "a weight is not negative");
    wrong("(1 + 2", "", "expected ')', +, -, * or /, found the end");
    wrong("1 + 2)", ")", "there is no '(' for this ')'");
    wrong("1 2", "2", "expected +, -, *, / or the end, found '2'");
    wrong("max()", ")", "found ')'");
    wrong("max 1", "1", "expected '(', found '1'");
    wrong("if words > 5 1 else 2", "if", "this 'if' has no 'then'");
    wrong(
        "if words > 5 then 1",
        "",
        "expected +, -, *, / or 'else', found the end",
    );
    wrong(
        "if wrods > 5 then 1 else 2",
        "wrods",
        "did you mean 'words'?",
    );
    wrong("if words > 5 and then 1 else 2", "then", "found 'then'");
    wrong("words(a)", "(", "takes nothing in brackets");
    wrong(
        "confidence()",
        ")",
        "expected the name of an extractor, found ')'",
    );
    wrong("1.2.3", "1.2.3", "is not a non-negative decimal number");
    wrong("$floor * 2", "$floor", "the parameter $floor has no value");
    wrong("1 \u{202e}", "\u{202e}", "found");
}

#[test]
fn no_text_exhausts_the_stack() {
    for deep in ["(", "min(", "if a then ", "if a then 1 else "] {
        assert!(deep.repeat(5_000).parse::<Weights>().is_err(), "{deep}");
    }
    assert!("1".repeat(70_000).parse::<Weights>().is_err());
    for wide in ["1 + ", "1 * ", "1 / "] {
        let weights = parsed(&format!("{}1", wide.repeat(99)));
        assert!(parsed(&weights.to_string()) == weights);
    }
}

/// A server computes what anyone sends it for each of millions of blocks.
#[test]
fn arithmetic_is_bounded() {
    let tree = format!("{}0", "if words = 1 then 1 else ".repeat(60));
    parsed(&tree);
    for wide in ["1 + ", "1 * ", "1 / "] {
        let text = format!("{}1", wide.repeat(100));
        wrong(&text, &text, "101 numbers and attributes");
    }
    parsed(&format!("{}density", "density * ".repeat(31)));
    let text = format!("min(100, {}density)", "density * ".repeat(32));
    wrong(&text, &text, "may grow to 1056 bits; 1024 at most");
    let text = format!("words{}", " / 3.123456789".repeat(40));
    wrong(&text, &text, "bits; 1024 at most");
}

#[test]
fn messages_name_what_is_meant() {
    wrong("words-words", "words-words", "words - words");
    wrong(
        "if \"tag\" = p then 1 else 2",
        "\"tag\"",
        "an attribute has no quotes: tag",
    );
    wrong(
        "if words >= $n then 1 else 2",
        "$n",
        "the parameter $n has no value",
    );
    wrong("1 \"", "\"", "found '\"'");
    let error = "1 + \u{202e} + 2"
        .parse::<Weights>()
        .unwrap_err()
        .to_string();
    assert!(error.contains("found U+202E"), "{error}");
    assert!(!error.contains('\u{202e}'), "{error}");
}

/// What is known of the blocks of these tests.
struct Known;

impl Facts for Known {
    fn is_content(&self, extractor: &str) -> bool {
        extractor == "a"
    }

    fn confidence(&self, extractor: Option<&str>) -> Option<u32> {
        (extractor != Some("none")).then_some(37)
    }

    fn word(&self, _: &Attribute) -> Option<String> {
        None
    }

    fn date(&self) -> Option<crate::attribute::Date> {
        None
    }
}

fn weight(text: &str) -> Result<u16, String> {
    let block = Block {
        text: "one two, three".to_owned(),
        num_words: 3,
        num_tokens: 4,
        num_linked_words: 1,
        num_words_in_full_lines: 3,
        num_lines: 1,
        tag: Tag::H1,
    };
    let place = Place {
        block: &block,
        position: 2,
        words_before: 0,
        page_words: 9,
        unit: DensityUnit::Words,
    };
    let weights = parsed(text);
    weights
        .weight(&place, &Known)
        .map_err(|error| weights.error(&error, "block 2").to_string())
}

/// Worked out by hand.
#[test]
fn weights_are_exact_and_rounded_to_hundredths() {
    for (text, hundredths) in [
        ("1", 100),
        ("words", 300),
        ("words / page-words", 33),
        ("2 * words / page-words", 67),
        ("link-density", 33),
        ("0.005", 1),
        ("0.004999999", 0),
        // 1/3 three times is 1, and not a little less.
        ("(link-density + link-density + link-density) * 50", 5000),
        ("position-share", 0),
        ("10 - 2 - 3", 500),
        ("10 - (2 - 3)", 1100),
        ("12 / 2 / 3", 200),
        ("12 / (2 / 3)", 1800),
        ("2 + 3 * 4", 1400),
        ("confidence", 37),
        ("confidence(none)", 0),
        (
            "max(confidence(a), 0.5) * (if tag in (h1, h2) then 4 else 1)",
            200,
        ),
        ("min(words, tokens, position)", 200),
        ("if a then 2 else 1 / 0", 200),
        ("if b then 1 else if words = 3 then 0.5 else 7", 50),
        ("100", 10_000),
        // Twelve thirds, multiplied: longer than machine words.
        (
            "link-density * link-density * link-density * 27 * 1.000000001 / 1.000000001 * 0.333333333 / 0.111111111",
            300,
        ),
    ] {
        assert_eq!(weight(text), Ok(hundredths), "{text}");
    }
}

#[test]
fn blocks_without_a_weight_are_told_with_the_place() {
    for (text, marked, what) in [
        (
            "words - 5",
            "words - 5",
            "the weight of block 2 is negative",
        ),
        (
            "words * 50",
            "words * 50",
            "the weight of block 2 is above 100",
        ),
        ("1 + 2 / (words - 3)", "words - 3", "this is 0 for block 2"),
        (
            "max(1, if a then 1 / position-share else 2)",
            "position-share",
            "this is 0",
        ),
        ("(1 + 6) * 2 / 0 / 3", "0", "divided by it"),
    ] {
        let error = weight(text).unwrap_err();
        assert!(error.contains(what), "{error}");
        let lines: Vec<&str> = error.lines().collect();
        let caret = lines[2].find('^').unwrap();
        let length = lines[2].matches('^').count();
        assert_eq!(&lines[1][caret..caret + length], marked, "{error}");
        assert!(lines[3].len() > 10, "{error}");
    }
}

#[test]
fn titles_count_where_they_are_named() {
    for (text, weighs) in [
        ("1", false),
        ("if tag = title then 3 else 1", true),
        ("if tag in (h1, title) then 3 else 1", true),
        ("if tag != title then 3 else 1", true),
        ("if tag = h1 or host = title then 3 else 1", false),
        (
            "max(1, 2 * (if words > 2 and tag = TITLE then 3 else 1))",
            true,
        ),
    ] {
        assert_eq!(parsed(text).weigh_titles(), weighs, "{text}");
    }
    let block = title_block("A storm \u{2014} and after");
    assert_eq!(
        (block.num_words, block.num_tokens, block.num_lines),
        (4, 5, 1)
    );
    assert_eq!(block.tag.name(), "title");
}

#[test]
fn templates() {
    let template: Template =
        "max(confidence(\"$x\"), $floor) * (if words >= $words then $up-2 else 1)"
            .parse()
            .unwrap();
    assert_eq!(template.parameters(), ["floor", "words", "up-2"]);
    let decimal = |text: &str| text.parse::<Decimal>().unwrap();
    let weights = template
        .with([
            ("up-2", decimal("4")),
            ("floor", decimal("0.25")),
            ("words", decimal("11")),
        ])
        .unwrap();
    assert_eq!(
        weights.to_string(),
        "max(confidence(\"$x\"), 0.25) * (if words >= 11 then 4 else 1)"
    );
    assert_eq!(template.to_string().parse(), Ok(template.clone()));
    let error = template.with([("floor", decimal("1"))]).unwrap_err();
    assert_eq!(error, ParameterError::Missing("words".to_owned()));
    let error = template.with([("flor", decimal("1"))]).unwrap_err();
    assert!(
        error.to_string().contains("did you mean 'floor'?"),
        "{error}"
    );
    let template: Template = "1-$x".parse().unwrap();
    let weights = template.with([("x", decimal("0.5"))]).unwrap();
    assert_eq!(weights.to_string(), "1 - 0.5");
    assert!(Template::default().weights().unwrap().is_one());
    for (text, marked, what) in [
        ("$ + 1", "$", "has a name"),
        ("words$x", "$x", "a space is missing"),
        ("1 - 2$x", "$x", "a space is missing"),
        ("$min-words", "$min-words", "threshold already"),
        ("$a +", "", "found the end"),
    ] {
        let error = text.parse::<Template>().unwrap_err();
        assert_eq!(&error.text[error.place.clone()], marked, "{error}");
        assert!(error.to_string().contains(what), "{error}");
    }
}

/// Any weights that can be written.
fn any_weights() -> impl Strategy<Value = Weights> {
    let number = "[0-9]{1,3}(\\.[0-9]{1,4})?"
        .prop_map(|text| Expression::Number(text.parse::<Decimal>().unwrap().into()));
    let numbers: Vec<&'static Attribute> = crate::attribute::all()
        .iter()
        .filter(|it| matches!(it.kind, Kind::Number(_)))
        .collect();
    let value = prop::sample::select(numbers).prop_map(|attribute| {
        Expression::Value(Subject {
            attribute,
            of: None,
        })
    });
    let confidence = prop::option::of("[ -~]{1,8}").prop_map(|of| {
        Expression::Value(Subject {
            attribute: crate::attribute::by_name("confidence").unwrap(),
            of: of.map(Into::into),
        })
    });
    let leaf = prop_oneof![number, value, confidence];
    let expression = leaf.prop_recursive(4, 24, 4, |inner| {
        let several = || prop::collection::vec(inner.clone(), 2..4);
        let signs = prop::collection::vec(prop::sample::select(&[Sign::Plus, Sign::Minus][..]), 4);
        let powers = prop::collection::vec(prop::sample::select(&[Power::Times, Power::By][..]), 4);
        prop_oneof![
            (several(), signs).prop_map(|(parts, mut signs)| {
                signs[0] = Sign::Plus;
                Expression::Sum(signs.into_iter().zip(parts).collect())
            }),
            (several(), powers).prop_map(|(parts, mut powers)| {
                powers[0] = Power::Times;
                Expression::Product(powers.into_iter().zip(parts).collect())
            }),
            several().prop_map(Expression::Least),
            several().prop_map(Expression::Greatest),
            (any_filter(), inner.clone(), inner.clone()).prop_map(|(filter, then, otherwise)| {
                let test = filter.node().clone();
                Expression::If(Box::new(Choice {
                    test,
                    then,
                    otherwise,
                }))
            }),
        ]
    });
    expression.prop_map(Weights::of)
}

proptest! {
    /// No value of a block makes longer fractions than were reckoned with.
    #[test]
    fn fractions_grow_no_longer_than_reckoned(
        weights in any_weights(),
        values in prop::collection::vec((any::<u32>(), any::<u32>()), 100),
        verdicts in prop::collection::vec(any::<bool>(), 100),
    ) {
        let cost = super::cost::cost(weights.expression());
        let (mut value, mut verdict, mut read) = (0, 0, 0);
        let fraction = weights.expression().evaluate(
            &mut |_| {
                value = (value + 1) % 100;
                read += 1;
                let (numerator, denominator) = values[value];
                super::fraction::Fraction::quotient(numerator.into(), denominator.into())
            },
            &mut |_| {
                verdict = (verdict + 1) % 100;
                verdicts[verdict]
            },
        );
        prop_assert!(read <= cost.numbers);
        if let Ok(fraction) = fraction {
            let [numerator, denominator] = fraction.bits();
            prop_assert!(numerator <= cost.numerator, "{} > {}", numerator, cost.numerator);
            prop_assert!(denominator <= cost.denominator, "{} > {}", denominator, cost.denominator);
        }
    }

    #[test]
    fn what_is_printed_is_read_as_the_same_weights(weights in any_weights()) {
        let printed = weights.to_string();
        let read = printed.parse::<Weights>();
        prop_assert_eq!(read.map_err(|error| error.to_string()), Ok(weights));
    }

    #[test]
    fn no_text_panics(text in "[ -~é€\u{202e}]{0,60}") {
        if let Err(error) = text.parse::<Weights>() {
            prop_assert!(!error.to_string().is_empty());
        }
        if let Err(error) = text.parse::<Template>() {
            prop_assert!(!error.to_string().is_empty());
        }
        let _ = text.parse::<Filter>();
    }

    #[test]
    fn whatever_is_weighed_has_a_weight_or_a_place(weights in any_weights()) {
        match weight(&weights.to_string()) {
            Ok(weight) => prop_assert!(weight <= MOST),
            Err(error) => prop_assert!(error.contains('^'), "{}", error),
        }
    }
}
