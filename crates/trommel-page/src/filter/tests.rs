use proptest::prelude::*;

use super::node::or;
use super::*;
use crate::attribute::{self, Date, Kind};

#[track_caller]
fn parsed(text: &str) -> Filter {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// What a text is printed as.
#[track_caller]
fn check(text: &str, printed: &str) {
    let filter = parsed(text);
    assert_eq!(filter.to_string(), printed, "{text}");
    assert_eq!(parsed(printed), filter, "{printed}");
}

#[test]
fn filters_are_read_and_printed() {
    for text in [
        "unfiltered",
        "words >= 11",
        "words >= 11 and (link-density <= 0.33 or justext) and not tag in (li, td)",
        "confidence(trommel) >= 0.6 and date in 2006-01-01..2006-02-28 and host = example.org",
        "2 of (bte, justext, web2text)",
        "not (a and b)",
        "not not a",
        "1 of (a or b, words in 5..10)",
        "justext:language=German",
        "\"content-tree:n=3,base=boilerpipe-default\"",
        "words in (5, 7, 9..11)",
        "date = 2006-02",
        "media-type = text/html",
        "\"words\" and \"and\" and \"a \\\"b\\\\\"",
        "position-share < 0.5 or unfiltered",
    ] {
        check(text, text);
    }
    check("Words>=011 AND NOT(a)", "words >= 11 and not a");
    check("link_density<=.330", "link-density <= 0.33");
    check(
        "(a and (b and c)) or ((d or e))",
        "(a and b and c) or d or e",
    );
    check("tag not in ( LI ,'td')", "not tag in (li, td)");
    check("unfiltered and a", "a");
    check("words in (5)", "words in (5)");
}

/// What is wrong, and the marked part of the text.
#[track_caller]
fn wrong(text: &str, marked: &str, what: &str) {
    let error = text.parse::<Filter>().expect_err(text);
    assert_eq!(&text[error.place.clone()], marked, "{error}");
    assert!(error.to_string().contains(what), "{error}");
}

#[test]
fn errors_mark_the_place() {
    wrong(
        "",
        "",
        "expected an attribute, an extractor, 'not' or '(', found the end",
    );
    wrong("words >= 11 and", "", "found the end");
    wrong("words > = 11", "=", "expected a number, found a comparison");
    wrong("words >= eleven", "eleven", "'eleven' is no whole number");
    wrong(
        "words >= 11.5",
        "11.5",
        "words: 11.5 is no whole number, such as 12",
    );
    wrong(
        "link-density <= 33",
        "33",
        "link-density: 33 is more than 1: the range is from 0 to 1, and 33 percent is 0.33",
    );
    wrong(
        "confidence(a) >= 0.125",
        "0.125",
        "more than 2 digits behind the point",
    );
    wrong("wrods >= 11", "wrods", "did you mean 'words'?");
    wrong("words", "words", "compare it: words >= 10");
    wrong("tag > h1", ">", "'tag' is a word");
    wrong("tag in h1..h3", "..", "has no ranges");
    wrong("words in 10..5", "10..5", "backwards");
    wrong("words(a) >= 1", "(", "takes nothing in brackets");
    wrong("a b", "b", "expected 'and', 'or' or the end, found 'b'");
    wrong("(a or b", "", "expected ')', 'and' or 'or', found the end");
    wrong("a) or b", ")", "there is no '(' for this ')'");
    wrong("3 of (a, b)", "3", "'3' is no number from 1 to 2");
    wrong("11 <= words", "11", "the attribute stands on the left");
    wrong("host = \"a", "\"a", "has no other one");
    wrong("date >= 2006-13", "2006-13", "is no date");
    wrong("date in ()", ")", "expected a date");
    wrong("a & b", "&", "'&' is no part of a filter");
    wrong("words >= 5 and \u{202e}", "\u{202e}", "no part of a filter");
}

#[test]
fn splits_into_what_has_controls_and_the_rest() {
    for (text, short, rest) in [
        ("words >= 11 and bte", "min-words=11 extractor=bte", ""),
        ("words >= 11 and words >= 5", "min-words=11", "words >= 5"),
        (
            "words <= 90 and host = a.org",
            "max-words=90",
            "host = a.org",
        ),
        ("bte and justext", "", "bte | justext"),
        ("bte or justext", "", "bte or justext"),
        (
            "confidence >= 0.5 and link-density <= 0.33",
            "min-confidence=0.5 max-link-density=0.33",
            "",
        ),
        (
            "confidence(bte) >= 0.5 and bte",
            "min-confidence=0.5 extractor=bte",
            "",
        ),
        (
            "confidence >= 0.5 and bte",
            "extractor=bte",
            "confidence >= 0.5",
        ),
        ("words > 10 and tokens >= 3", "", "words > 10 | tokens >= 3"),
        ("unfiltered", "", ""),
    ] {
        let filter: Filter = text.parse().unwrap();
        let split = filter.split();
        let shown: Vec<String> = split
            .short
            .iter()
            .map(|(n, v)| format!("{n}={v}"))
            .collect();
        assert_eq!(shown.join(" "), short, "{text}");
        let shown: Vec<String> = split.rest.iter().map(Filter::to_string).collect();
        assert_eq!(shown.join(" | "), rest, "{text}");
        let mut forms = ShortForms::default();
        for (name, value) in &split.short {
            forms.add(name, value).unwrap();
        }
        let again = split.rest.into_iter().fold(forms.filter(), Filter::and);
        let mut parts = again.node().conjuncts().to_vec();
        let mut before = filter.node().conjuncts().to_vec();
        for parts in [&mut parts, &mut before] {
            parts.sort_by_key(|part| format!("{part:?}"));
        }
        assert_eq!(parts, before, "{text}");
    }
}

#[test]
fn an_error_is_printed_with_a_caret() {
    let error = "words >= 11 and wrods < 5".parse::<Filter>().unwrap_err();
    let printed = error.to_string();
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines[0], "there is no attribute 'wrods'");
    assert_eq!(lines[1], "    words >= 11 and wrods < 5");
    assert_eq!(lines[2], "                    ^^^^^");
    assert!(lines[3].starts_with("  did you mean 'words'? There are: words, tokens"));
    let long = format!("{} and wrods > 1", ["words >= 11"; 40].join(" and "));
    let printed = long.parse::<Filter>().unwrap_err().to_string();
    let lines: Vec<&str> = printed.lines().collect();
    let caret = lines[2].chars().position(|c| c == '^').unwrap();
    let marked: String = lines[1].chars().skip(caret).take(5).collect();
    assert_eq!(marked, "wrods");
}

#[test]
fn no_text_exhausts_the_stack() {
    for deep in ["(", "not ", "1 of ("] {
        assert!(deep.repeat(20_000).parse::<Filter>().is_err());
    }
    assert!("a".repeat(70_000).parse::<Filter>().is_err());
    let wide = ["words >= 11"; 4_000].join(" or ");
    assert!(wide.parse::<Filter>().is_ok());
}

#[test]
fn nesting() {
    for (inner, outer, within) in [
        ("unfiltered", "unfiltered", true),
        ("words >= 2", "unfiltered", true),
        ("unfiltered", "words >= 0", false),
        ("words >= 3", "words >= 3", true),
        ("words >= 2", "words >= 3", false),
        ("words > 2", "words >= 2", true),
        ("words >= 2", "words > 2", false),
        ("words = 5", "words >= 5", true),
        ("words <= 2", "words <= 3", true),
        ("density <= 2.5", "density <= 2", false),
        ("bte", "unfiltered", true),
        ("bte", "justext", false),
        ("bte and words >= 2", "bte", true),
        ("bte", "bte or justext", true),
        ("words >= 9", "words >= 5 or tag = h1", true),
        ("(a or b) and words >= 3", "(a or b) and words >= 2", true),
        ("confidence >= 0.5", "confidence >= 0.51", false),
        ("confidence(a) >= 0.5", "confidence(a) >= 0.4", true),
        // Whose confidences the other one takes depends on the index.
        ("confidence(a) >= 0.5", "confidence >= 0.4", false),
        ("confidence >= 0.5", "confidence(a) >= 0.4", false),
        ("tag in (h1)", "tag in (h1, h2)", true),
        ("not words >= 3", "not words >= 2", false),
    ] {
        assert_eq!(
            parsed(inner).is_within(&parsed(outer)),
            within,
            "{inner} | {outer}"
        );
    }
}

#[test]
fn short_forms_are_joined() {
    let toml = r#"{"max_link_density":0.5,"extractor":"a","min-words":2,"min_confidence":"0.50"}"#;
    let filter: Filter = serde_json::from_str(toml).unwrap();
    let text = "a and link-density <= 0.5 and words >= 2 and confidence(a) >= 0.5";
    assert_eq!(filter.to_string(), text);
    assert_eq!(
        serde_json::to_string(&filter).unwrap(),
        format!("\"{text}\"")
    );
    assert_eq!(
        serde_json::from_str::<Filter>(&format!("\"{text}\"")).unwrap(),
        filter
    );
    for (wrong, what) in [
        (r#"{"min_words":1.5}"#, "no whole number"),
        (r#"{"max_link_density":33}"#, "33 is more than 1"),
        (r#"{"min_wrods":1}"#, "did you mean 'min-words'?"),
        (r#"{"min_words":-1}"#, "'-1' is no whole number"),
        (r#""words >""#, "expected a number"),
    ] {
        let error = serde_json::from_str::<Filter>(wrong).unwrap_err();
        assert!(error.to_string().contains(what), "{wrong}: {error}");
    }
}

#[test]
fn values_are_compared_exactly() {
    let holds = |text: &str, value: Value| {
        parsed(text).node().holds(&mut |test| match test {
            Test::Compare(comparison) => comparison.condition.holds(&value),
            Test::Verdict(_) => false,
        })
    };
    assert!(holds("link-density <= 0.33", Value::Quotient(33, 100)));
    assert!(!holds("link-density <= 0.33", Value::Quotient(1, 3)));
    assert!(holds("link-density <= 0", Value::Quotient(0, 0)));
    assert!(holds("density in 2..2.5", Value::Quotient(5, 2)));
    let day = |text: &str| Value::Date(Date::of_time(text).unwrap());
    assert!(holds(
        "date in 2006-01..2006-02",
        day("2006-02-28T23:59:59Z")
    ));
    assert!(!holds("date in 2006-01..2006-02", day("2006-03-01")));
    assert!(holds("date > 2005", day("2006-01-01")));
    assert!(!holds("date > 2006", day("2006-12-31")));
    assert!(holds("date = 2006", day("2006-12-31")));
    assert!(holds("host in (a.org, b.org)", Value::Word("b.org")));
    for (text, missing) in [
        ("host = a", false),
        ("host != a", true),
        ("not host = a", true),
    ] {
        assert_eq!(holds(text, Value::Missing), missing, "{text}");
    }
}

/// Any filter that can be written.
pub(crate) fn any_filter() -> impl Strategy<Value = Filter> {
    let name = prop_oneof!["[a-z][a-z0-9-]{0,8}", "[ -~]{1,8}", Just("and".to_owned())];
    let verdict = name.prop_map(|name| Node::Test(Test::Verdict(name.into())));
    let test = any_comparison().prop_map(|it| Node::Test(Test::Compare(it)));
    let leaf = prop_oneof![verdict, test, Just(Node::And(Vec::new()))];
    let node = leaf.prop_recursive(4, 24, 4, |inner| {
        let parts = || prop::collection::vec(inner.clone(), 1..4);
        prop_oneof![
            parts().prop_map(and),
            parts().prop_map(or),
            parts().prop_flat_map(|parts| {
                let most = parts.len() as u32;
                (1..=most, Just(parts)).prop_map(|(least, parts)| Node::AtLeast(least, parts))
            }),
            inner.clone().prop_map(|part| Node::Not(Box::new(part))),
        ]
    });
    node.prop_map(|node| Filter { node })
}

fn any_comparison() -> impl Strategy<Value = Comparison> {
    (0..attribute::all().len()).prop_flat_map(|row| {
        let attribute = &attribute::all()[row];
        let literal = any_literal(&attribute.kind);
        let operators: &[Operator] = match attribute.is_word() {
            true => &[Operator::Equal, Operator::Unequal],
            false => &[
                Operator::Less,
                Operator::AtLeast,
                Operator::AtMost,
                Operator::Greater,
            ],
        };
        let one = (prop::sample::select(operators), literal.clone())
            .prop_map(|(operator, literal)| Condition::Is(operator, literal));
        let items = prop::collection::vec(literal.prop_map(|it| (it, None)), 1..4);
        let condition = prop_oneof![one, items.prop_map(Condition::In)];
        let of = match attribute.kind {
            Kind::Confidence => prop::option::of("[ -~]{1,8}").boxed(),
            _ => Just(None).boxed(),
        };
        (condition, of).prop_map(move |(condition, of)| Comparison {
            attribute,
            of: of.map(Into::into),
            condition,
        })
    })
}

fn any_literal(kind: &Kind) -> BoxedStrategy<Literal> {
    let decimal = |text: String| Literal::Number(text.parse().unwrap());
    match kind {
        Kind::Number(number) => match (number.denominator, number.most) {
            (attribute::Count::One, _) => "[0-9]{1,5}".prop_map(decimal).boxed(),
            (_, Some(1)) => "0\\.[0-9]{1,9}".prop_map(decimal).boxed(),
            _ => "[0-9]{1,1}(\\.[0-9]{1,9})?".prop_map(decimal).boxed(),
        },
        Kind::Confidence => "0\\.[0-9]{1,2}".prop_map(decimal).boxed(),
        Kind::Date => "[0-9]{4}(-0[1-9](-[12][0-9])?)?"
            .prop_filter_map("no day", |text| text.parse().ok().map(Literal::Span))
            .boxed(),
        Kind::Tag | Kind::Word(_) => "[!-~]{1,8}"
            .prop_map(|word| Literal::Word(word.to_lowercase().into()))
            .boxed(),
    }
}

proptest! {
    #[test]
    fn what_is_printed_is_read_as_the_same_filter(filter in any_filter()) {
        let printed = filter.to_string();
        let read = printed.parse::<Filter>();
        prop_assert_eq!(read.map_err(|error| error.to_string()), Ok(filter));
    }

    #[test]
    fn no_text_panics(text in "[ -~é€\u{202e}]{0,60}") {
        if let Err(error) = text.parse::<Filter>() {
            prop_assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn every_filter_is_within_itself(filter in any_filter()) {
        prop_assert!(filter.is_within(&filter));
        prop_assert!(filter.is_within(&Filter::default()));
    }
}
