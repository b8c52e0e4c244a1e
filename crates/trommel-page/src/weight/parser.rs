//! Text to weights, by recursive descent.
//!
//! ```text
//! weights = product { ("+" | "-") product }
//! product = factor { ("*" | "/") factor }
//! factor  = NUMBER | subject | "(" weights ")" | ("min" | "max") "(" weights { "," weights } ")"
//!         | "if" FILTER "then" weights "else" weights
//! subject = NAME [ "(" NAME ")" ]
//! ```
//!
//! What takes too long to compute for each block of a collection is refused: the text comes from anyone who can reach a server.
//!
//! A name goes on over a minus sign that a letter follows: `link-density`, but `words-5` is a difference.

use trommel_text::Decimal;

use super::cost::{MOST_BITS, MOST_NUMBERS, cost};
use super::expression::{Choice, Expression, Power, Sign};
use super::subject::Subject;
use crate::attribute::{self, Kind};
use crate::filter::Test;
use crate::filter::error::{Problem, at, named};
use crate::filter::lexer::{self, THEN, TokenKind};
use crate::filter::parser::{DEEPEST, LONGEST, example, parse_tokens, unknown_attribute};

/// Words that are part of the language of weights.
pub(super) const FUNCTIONS: [(&str, Function); 2] =
    [("min", Expression::Least), ("max", Expression::Greatest)];

type Function = fn(Vec<Expression<Subject, Test>>) -> Expression<Subject, Test>;

/// Parses the text of weights.
pub(super) fn parse(text: &str) -> Result<Expression<Subject, Test>, Problem> {
    if text.len() > LONGEST {
        let what = format!("weights have at most {LONGEST} bytes");
        return Err(at(0..1, what));
    }
    let mut parser = Parser {
        text,
        at: 0,
        depth: 0,
    };
    let expression = parser.sum()?;
    match parser.peek() {
        None => affordable(expression, text),
        Some(')') => Err(parser.wrong("there is no '(' for this ')'")),
        Some(c) if "<>=!".contains(c) => Err(parser
            .wrong("a comparison is no number")
            .hint("choose between numbers by it: if words >= 11 then 1 else 0")),
        Some(_) => Err(parser.expected("+, -, *, / or the end")),
    }
}

/// The expression, unless it is too much arithmetic.
fn affordable(
    expression: Expression<Subject, Test>,
    text: &str,
) -> Result<Expression<Subject, Test>, Problem> {
    let cost = cost(&expression);
    let all = text.len() - text.trim_start().len()..text.trim_end().len();
    if cost.numbers > MOST_NUMBERS {
        let what = format!(
            "{} numbers and attributes are computed with for one block; {MOST_NUMBERS} at most",
            cost.numbers
        );
        return Err(at(all, what));
    }
    if cost.longest > MOST_BITS {
        let what = format!(
            "the exact fractions of this may grow to {} bits; {MOST_BITS} at most",
            cost.longest
        );
        return Err(at(all, what).hint("take fewer factors, or numbers with fewer digits"));
    }
    Ok(expression)
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl<'t> Parser<'t> {
    /// The next character that is no white space, which is passed.
    fn peek(&mut self) -> Option<char> {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
        rest.chars().next()
    }

    fn passed(&mut self, c: char) -> bool {
        let is = self.peek() == Some(c);
        self.at += if is { c.len_utf8() } else { 0 };
        is
    }

    /// The name or number that stands here; empty if there is none.
    fn word(&mut self) -> &'t str {
        let is_number = self.peek().is_some_and(|c| c.is_ascii_digit() || c == '.');
        let rest = &self.text[self.at..];
        let goes_on = |(at, c): &(usize, char)| match c {
            '-' => !is_number && rest[at + 1..].starts_with(|c: char| c.is_alphabetic()),
            '.' => is_number,
            c => c.is_alphanumeric() || *c == '_',
        };
        let end = rest.char_indices().find(|it| !goes_on(it));
        &rest[..end.map_or(rest.len(), |(at, _)| at)]
    }

    fn passed_word(&mut self, word: &str) -> bool {
        let is = self.word().eq_ignore_ascii_case(word);
        self.at += if is { word.len() } else { 0 };
        is
    }

    fn wrong(&mut self, what: impl Into<String>) -> Problem {
        let length = self.peek().map_or(0, char::len_utf8);
        let length = self.word().len().max(length);
        at(self.at..self.at + length, what)
    }

    fn expected(&mut self, what: &str) -> Problem {
        let next = self.peek();
        let found = match (self.word(), next) {
            (_, None) => "the end".to_owned(),
            ("", Some(c)) => named(c),
            (word, _) => format!("'{word}'"),
        };
        self.wrong(format!("expected {what}, found {found}"))
    }

    fn expect(&mut self, c: char, what: &str) -> Result<(), Problem> {
        match self.passed(c) {
            true => Ok(()),
            false => Err(self.expected(what)),
        }
    }

    fn sum(&mut self) -> Result<Expression<Subject, Test>, Problem> {
        if self.depth == DEEPEST {
            return Err(self.wrong(format!("nested more than {DEEPEST} deep")));
        }
        self.depth += 1;
        let mut terms = vec![(Sign::Plus, self.product()?)];
        loop {
            let sign = match self.peek() {
                Some('+') => Sign::Plus,
                Some('-') => Sign::Minus,
                _ => break,
            };
            self.at += 1;
            terms.push((sign, self.product()?));
        }
        self.depth -= 1;
        Ok(match terms.len() {
            1 => terms.swap_remove(0).1,
            _ => Expression::Sum(terms),
        })
    }

    fn product(&mut self) -> Result<Expression<Subject, Test>, Problem> {
        let mut factors = vec![(Power::Times, self.factor()?)];
        loop {
            let power = match self.peek() {
                Some('*') => Power::Times,
                Some('/') => Power::By,
                _ => break,
            };
            self.at += 1;
            factors.push((power, self.factor()?));
        }
        Ok(match factors.len() {
            1 => factors.swap_remove(0).1,
            _ => Expression::Product(factors),
        })
    }

    fn factor(&mut self) -> Result<Expression<Subject, Test>, Problem> {
        const WANTED: &str = "a number, an attribute, min, max, if or '('";
        match self.peek() {
            Some('(') => {
                self.at += 1;
                let inner = self.sum()?;
                self.expect(')', "')', +, -, * or /")?;
                Ok(inner)
            }
            Some('-') => Err(self
                .wrong("a weight is not negative")
                .hint("take away from something: 1 - link-density")),
            Some('$') => Err(lexer::unbound(self.text, self.at)),
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() => self.named(),
            _ => Err(self.expected(WANTED)),
        }
    }

    fn number(&mut self) -> Result<Expression<Subject, Test>, Problem> {
        let word = self.word();
        let number: Decimal = word
            .parse()
            .map_err(|error: trommel_text::DecimalError| self.wrong(error.to_string()))?;
        self.at += word.len();
        Ok(Expression::Number(number.into()))
    }

    /// What begins with a name.
    fn named(&mut self) -> Result<Expression<Subject, Test>, Problem> {
        let start = self.at;
        let word = self.word();
        let place = start..start + word.len();
        if self.passed_word("if") {
            return self.choice(start);
        }
        let lower = word.to_ascii_lowercase().replace('_', "-");
        if let Some((_, function)) = FUNCTIONS.iter().find(|(name, _)| *name == lower) {
            self.at = place.end;
            self.expect('(', "'('")?;
            let mut parts = vec![self.sum()?];
            while self.passed(',') {
                parts.push(self.sum()?);
            }
            self.expect(')', "',' or ')'")?;
            return Ok(function(parts));
        }
        let Some(attribute) = attribute::by_name(&lower) else {
            let problem = unknown_attribute(word, at(place, String::new()));
            let hint = problem.hint.unwrap_or_default();
            return Err(Problem {
                hint: Some(format!(
                    "{hint}; the verdict of an extractor counts by: if NAME then 1 else 0"
                )),
                ..problem
            });
        };
        self.at = place.end;
        let of = match attribute.kind {
            Kind::Number(_) => None,
            Kind::Confidence => self.extractor()?,
            Kind::Tag | Kind::Word(_) | Kind::Date => {
                let what = format!("'{}' is no number but {}", attribute.name, attribute.label);
                let hint = format!(
                    "choose between numbers by it: if {} then 2 else 1",
                    example(attribute)
                );
                return Err(at(place, what).hint(hint));
            }
        };
        if of.is_none() && self.peek() == Some('(') {
            let what = format!("'{}' takes nothing in brackets", attribute.name);
            return Err(self.wrong(what));
        }
        Ok(Expression::Value(Subject { attribute, of }))
    }

    /// The extractor in brackets behind `confidence`.
    fn extractor(&mut self) -> Result<Option<Box<str>>, Problem> {
        if !self.passed('(') {
            return Ok(None);
        }
        let token = lexer::next(self.text, self.at)?;
        let Some((name, place)) = token.and_then(|token| match token.kind {
            TokenKind::Bare(name) | TokenKind::Quoted(name) => Some((name, token.place)),
            _ => None,
        }) else {
            return Err(self.expected("the name of an extractor"));
        };
        self.at = place.end;
        self.expect(')', "')'")?;
        Ok(Some(name.into()))
    }

    /// What stands behind `if`, which stands at `start`.
    fn choice(&mut self, start: usize) -> Result<Expression<Subject, Test>, Problem> {
        let Some((tokens, end)) = lexer::tokens_before(self.text, self.at, THEN)? else {
            let what = "this 'if' has no 'then'";
            return Err(at(start..start + 2, what).hint("if FILTER then WEIGHT else WEIGHT"));
        };
        let test = parse_tokens(tokens)?;
        self.at = end;
        let then = self.sum()?;
        if !self.passed_word("else") {
            return Err(self
                .expected("+, -, *, / or 'else'")
                .hint("if FILTER then WEIGHT else WEIGHT"));
        }
        let otherwise = self.sum()?;
        Ok(Expression::If(Box::new(Choice {
            test,
            then,
            otherwise,
        })))
    }
}
