//! Query syntax: what a text asks for.

use tantivy::query_grammar::{self, UserInputAst, UserInputLeaf};
use trommel::index::syntax::{MAX_BYTES, MAX_DEPTH, parse};
use trommel::index::{Expression, Occur};

use crate::support::Random;

/// What is read, in the form without operators, and how many warnings there are; or a part of the error.
#[track_caller]
fn check(query: &str, expected: Result<(&str, usize), &str>) {
    match (parse(query), expected) {
        (Ok(parsed), Ok((text, warnings))) => {
            assert_eq!(parsed.expression.to_string(), text, "{query}");
            assert_eq!(
                parsed.warnings.len(),
                warnings,
                "{query}: {:?}",
                parsed.warnings
            );
        }
        (Err(error), Err(part)) => assert!(error.to_string().contains(part), "{query}: {error}"),
        (read, _) => panic!("{query}: {read:?}"),
    }
}

#[test]
fn operators() {
    for (query, expression) in [
        ("rain", "rain"),
        ("rain  barrel\n rain", "rain barrel rain"),
        ("a OR b", "a b"),
        ("a AND b", "+a +b"),
        ("a AND b AND c", "+a +b +c"),
        ("a NOT b", "a -b"),
        ("a AND NOT b", "+a -b"),
        ("a -b +c", "a -b +c"),
        ("a AND b OR c", "(+a +b) c"),
        ("a OR b AND c", "a (+b +c)"),
        ("a b AND c", "a (+b +c)"),
        ("(a OR b) AND c", "+(a b) +c"),
        ("((a) (b c))", "a (b c)"),
        ("-(a b) c", "-(a b) c"),
        ("+a", "+a"),
        ("+\"a b\"", "\"a b\""),
        ("NOT NOT a", "a"),
        ("a AND NOT -b", "+a +b"),
        ("a OR NOT b", "a (-b)"),
        ("a -b OR c", "a (-b) c"),
        ("NOT a", "-a"),
        ("(NOT a) b", "-a b"),
        ("\"a b\" c", "\"a b\" c"),
        ("-\"a b\" +\"c\"", "-\"a b\" +\"c\""),
        ("“a b”", "\"a b\""),
        ("\"a \"b", "\"a \" b"),
        ("f(x)", "f x"),
        ("a () b", "a b"),
        ("", ""),
        ("and or not", "and or not"),
        // Fields. Without an operator they restrict the rest.
        ("title:a", "title:a"),
        ("title:a b", "+b +title:a"),
        ("a b title:\"c d\"", "+(a b) +title:\"c d\""),
        ("a -b url:c", "+(a -b) +url:c"),
        ("-b url:c", "-b +url:c"),
        ("a title:b url:c", "+a +title:b +url:c"),
        ("a OR title:b", "a title:b"),
        ("a AND title:b", "+a +title:b"),
        ("a +title:b", "a +title:b"),
        ("a -title:b", "a -title:b"),
        ("title:(a b) c", "+c +(title:a title:b)"),
        ("title:(a AND url:b)", "+title:a +url:b"),
        ("TITLE:a", "title:a"),
        (
            "url:http://example.org/a?b=c",
            "url:http://example.org/a?b=c",
        ),
        // Words.
        ("don't", "don't"),
        ("rock 'n' roll", "rock 'n' roll"),
        ("C++: a primer", "C++: a primer"),
        ("what? why!", "what? why!"),
        ("Rust: a primer", "Rust: a primer"),
        ("std::vector", "std::vector"),
        ("12:30", "12:30"),
        ("R&D", "R&D"),
        ("10-4", "10-4"),
        ("5\" and 6\" pipe", "5\" and 6\" pipe"),
        ("[sic] to", "[sic] to"),
        ("M*A*S*H", "M*A*S*H"),
        ("2 * 3 > 5", "2 * 3 > 5"),
        ("a\\b", "a\\b"),
    ] {
        check(query, Ok((expression, 0)));
    }
}

#[test]
fn words_with_a_warning() {
    for (query, expression) in [
        ("\"rain barrel", "rain barrel"),
        ("-\"rain barrel", "-rain barrel"),
        ("-", "-"),
        ("rain - barrel", "rain - barrel"),
        ("--help", "--help"),
        ("(a OR b", "a b"),
        ("a) b", "a b"),
        (":)", ":"),
        ("AND", "AND"),
        ("a AND", "a AND"),
        ("OR a", "OR a"),
        ("NOT", "NOT"),
        ("a AND AND b", "a (+AND +b)"),
        ("a AND OR b", "a AND b"),
        ("a && b", "a && b"),
        ("title: rain", "title: rain"),
        ("http://example.org/x", "http://example.org/x"),
        ("x^2", "x^2"),
        ("rain~1", "rain~1"),
        ("/rain/", "/rain/"),
    ] {
        check(query, Ok((expression, 1)));
    }
}

#[test]
fn errors() {
    for (query, part) in [
        ("foo:bar", "no field is called 'foo'"),
        ("body:\"a b\"", "no field is called 'body'"),
        ("-site:example.org", "no field is called 'site'"),
        ("rain*", "word beginnings"),
        ("title:rain*", "word beginnings"),
        ("\"rain barrel\"~2", "gaps in phrases"),
        ("\"rain barrel\"^2", "weights"),
        ("\"rain barrel\"*", "word beginnings"),
        ("(a b)^2.5 c", "')^2.5': there are no weights"),
        ("[a TO b]", "'[a TO b]': there are no ranges"),
        ("a {1 TO *} b", "'{1 TO *}': there are no ranges"),
    ] {
        check(query, Err(part));
    }
}

/// Neither depth nor length of a query exhausts anything.
#[test]
fn limits() {
    let nested = |depth: usize| format!("{}a{}", "(".repeat(depth), ")".repeat(depth));
    check(&nested(MAX_DEPTH), Ok(("a", 0)));
    check(&nested(MAX_DEPTH + 1), Err("inside each other"));
    check(&"(".repeat(MAX_BYTES), Ok(("", 1)));
    check(&"a".repeat(MAX_BYTES + 1), Err("as plain words"));
    for piece in [
        "(",
        ")",
        "\"",
        "“ ",
        "NOT ",
        "-",
        "+(",
        "[ ",
        "a:",
        ": ",
        "http://x ",
        "AND ",
        "title:(",
    ] {
        let _ = parse(&piece.repeat(MAX_BYTES / piece.len()));
    }
}

/// A random query in which every operator has its sides. Every word is another one, since the grammar drops repeated clauses.
fn random_query(random: &mut Random, depth: u32, words: &mut std::ops::RangeFrom<char>) -> String {
    let mut query = String::new();
    for operand in 0..1 + random.below(3) {
        if operand > 0 {
            query.push_str([" ", " AND ", " OR "][random.below(3) as usize]);
        }
        query.push_str(["", "", "", "+", "-", "NOT "][random.below(6) as usize]);
        if depth > 0 && random.below(3) == 0 {
            let inner = random_query(random, depth - 1, words);
            query.push_str(&format!("({inner})"));
        } else {
            query.extend(words.next());
        }
    }
    query
}

type Clauses<'a> = (&'a [bool], &'a [bool], &'a [bool]);

/// Lucene's rule: all that must, nothing that must not, and something where nothing must.
fn hold((must, should, must_not): Clauses) -> bool {
    let required = if must.is_empty() && !should.is_empty() {
        should.contains(&true)
    } else {
        !must.contains(&false)
    };
    required && !must_not.contains(&true)
}

fn ours(expression: &Expression, present: &dyn Fn(&str) -> bool) -> bool {
    let clauses = match expression {
        Expression::Leaf(leaf) => return present(&leaf.text),
        Expression::Clauses(clauses) => clauses,
    };
    let of = |occur: Occur| -> Vec<bool> {
        let these = clauses.iter().filter(|(o, _)| *o == occur);
        these.map(|(_, inner)| ours(inner, present)).collect()
    };
    hold((&of(Occur::Must), &of(Occur::Should), &of(Occur::MustNot)))
}

fn theirs(ast: &UserInputAst, present: &dyn Fn(&str) -> bool) -> bool {
    use query_grammar::Occur as Theirs;
    let clauses = match ast {
        UserInputAst::Leaf(leaf) => match &**leaf {
            UserInputLeaf::Literal(literal) => return present(&literal.phrase),
            other => panic!("{other:?}"),
        },
        UserInputAst::Clause(clauses) => clauses,
        UserInputAst::Boost(..) => panic!("{ast:?}"),
    };
    let of = |occur: Theirs| -> Vec<bool> {
        let these = clauses
            .iter()
            .filter(|(o, _)| o.unwrap_or(Theirs::Should) == occur);
        these.map(|(_, inner)| theirs(inner, present)).collect()
    };
    hold((&of(Theirs::Must), &of(Theirs::Should), &of(Theirs::MustNot)))
}

/// Operators mean what they mean in tantivy's grammar, whatever words a page has.
#[test]
fn operators_are_those_of_the_grammar() {
    let random = &mut Random::new(6);
    for _ in 0..3000 {
        let mut words = 'a'..;
        let query = random_query(random, 3, &mut words);
        let words = u32::from(words.start) - u32::from('a');
        if words > 8 {
            continue;
        }
        let mine = parse(&query).unwrap();
        assert_eq!(mine.warnings, [] as [&str; 0], "{query}");
        let grammar = query_grammar::parse_query(&query).unwrap_or_else(|_| panic!("{query}"));
        for page in 0..1u32 << words {
            let present = |word: &str| page >> (word.as_bytes()[0] - b'a') & 1 == 1;
            assert_eq!(
                ours(&mine.expression, &present),
                theirs(&grammar, &present),
                "{query} read as {} and {grammar:?}, for {page:b}",
                mine.expression
            );
        }
    }
}
