//! Tokens to an expression, by recursive descent.
//!
//! ```text
//! filter     = conjunct { "or" conjunct }
//! conjunct   = part { "and" part }
//! part       = "not" part | "(" filter ")" | NUMBER "of" "(" filter { "," filter } ")" | "unfiltered" | test
//! test       = subject OPERATOR value | subject [ "not" ] "in" set | NAME
//! subject    = NAME [ "(" NAME ")" ]
//! set        = item | "(" item { "," item } ")"
//! item       = value [ ".." value ]
//! ```

use trommel_text::{Decimal, choice};

use super::error::{Problem, at};
use super::lexer::{KEYWORDS, THEN, Token, TokenKind, UNFILTERED, tokens};
use super::node::{Node, and, or};
use super::operator::Operator;
use super::test::{Comparison, Condition, Literal, Test};
use crate::attribute::{self, Attribute, Kind};

/// How deep brackets and negations may be nested: each level takes some of the stack.
pub(crate) const DEEPEST: usize = 64;

/// Longest text of a filter, in bytes.
pub(crate) const LONGEST: usize = 65_536;

/// Parses the text of a filter.
pub(super) fn parse(text: &str) -> Result<Node<Test>, Problem> {
    if text.len() > LONGEST {
        let what = format!("a filter has at most {LONGEST} bytes");
        return Err(at(0..1, what));
    }
    parse_tokens(tokens(text)?)
}

/// Parses tokens, of which the last is the end.
pub(crate) fn parse_tokens(tokens: Vec<Token>) -> Result<Node<Test>, Problem> {
    let mut parser = Parser {
        tokens,
        next: 0,
        depth: 0,
    };
    let node = parser.filter()?;
    match &parser.peek().kind {
        TokenKind::End => Ok(node),
        TokenKind::Close => Err(parser.wrong("there is no '(' for this ')'")),
        _ => Err(parser.expected("'and', 'or' or the end")),
    }
}

struct Parser {
    tokens: Vec<Token>,
    next: usize,
    depth: usize,
}

impl Parser {
    fn peek(&self) -> &Token {
        // The last token is the end, which is never passed.
        &self.tokens[self.next.min(self.tokens.len() - 1)]
    }

    fn take(&mut self) -> Token {
        let token = self.peek().clone();
        self.next += 1;
        token
    }

    /// Passes a token if it is of a kind.
    fn passed(&mut self, kind: &TokenKind) -> bool {
        let is = self.peek().kind == *kind;
        self.next += usize::from(is);
        is
    }

    /// Is the next token a word of the language?
    fn is_keyword(&self, keyword: &str) -> bool {
        self.peek().is_word(keyword)
    }

    fn passed_keyword(&mut self, keyword: &str) -> bool {
        let is = self.is_keyword(keyword);
        self.next += usize::from(is);
        is
    }

    fn wrong(&self, what: impl Into<String>) -> Problem {
        at(self.peek().place.clone(), what)
    }

    fn expected(&self, what: &str) -> Problem {
        let found = match &self.peek().kind {
            TokenKind::Bare(word) | TokenKind::Quoted(word) => format!("'{word}'"),
            TokenKind::Operator(_) => "a comparison".to_owned(),
            TokenKind::Open => "'('".to_owned(),
            TokenKind::Close => "')'".to_owned(),
            TokenKind::Comma => "','".to_owned(),
            TokenKind::To => "'..'".to_owned(),
            // Within weights a word ends a filter.
            TokenKind::End if !self.peek().place.is_empty() => format!("'{THEN}'"),
            TokenKind::End => "the end".to_owned(),
        };
        self.wrong(format!("expected {what}, found {found}"))
    }

    fn expect(&mut self, kind: &TokenKind, what: &str) -> Result<(), Problem> {
        match self.passed(kind) {
            true => Ok(()),
            false => Err(self.expected(what)),
        }
    }

    fn filter(&mut self) -> Result<Node<Test>, Problem> {
        if self.depth == DEEPEST {
            return Err(self.wrong(format!("nested more than {DEEPEST} deep")));
        }
        self.depth += 1;
        let mut parts = vec![self.conjunct()?];
        while self.passed_keyword("or") {
            parts.push(self.conjunct()?);
        }
        self.depth -= 1;
        Ok(or(parts))
    }

    fn conjunct(&mut self) -> Result<Node<Test>, Problem> {
        let mut parts = vec![self.part()?];
        while self.passed_keyword("and") {
            parts.push(self.part()?);
        }
        Ok(and(parts))
    }

    fn part(&mut self) -> Result<Node<Test>, Problem> {
        if self.passed_keyword("not") {
            if self.depth == DEEPEST {
                return Err(self.wrong(format!("nested more than {DEEPEST} deep")));
            }
            self.depth += 1;
            let part = self.part()?;
            self.depth -= 1;
            return Ok(Node::Not(Box::new(part)));
        }
        if self.passed(&TokenKind::Open) {
            let inner = self.filter()?;
            self.expect(&TokenKind::Close, "')', 'and' or 'or'")?;
            return Ok(inner);
        }
        if self.passed_keyword(UNFILTERED) {
            return Ok(Node::And(Vec::new()));
        }
        match &self.peek().kind {
            TokenKind::Quoted(_) => self.test(),
            TokenKind::Bare(word) if is_keyword(word) => {
                Err(self.expected("an attribute, an extractor, 'not' or '('"))
            }
            TokenKind::Bare(word) if word.starts_with(|c: char| c.is_ascii_digit()) => {
                self.at_least()
            }
            TokenKind::Bare(_) => self.test(),
            _ => Err(self.expected("an attribute, an extractor, 'not' or '('")),
        }
    }

    /// `2 of (a, b, c)`
    fn at_least(&mut self) -> Result<Node<Test>, Problem> {
        let number = self.take();
        if !self.passed_keyword("of") {
            self.next -= 1;
            return Err(self
                .expected("an attribute, an extractor, 'not' or '('")
                .hint("the attribute stands on the left: words >= 11; and 2 of (A, B, C) counts"));
        }
        self.expect(&TokenKind::Open, "'('")?;
        let mut parts = vec![self.filter()?];
        while self.passed(&TokenKind::Comma) {
            parts.push(self.filter()?);
        }
        self.expect(&TokenKind::Close, "',' or ')'")?;
        let most = parts.len();
        let TokenKind::Bare(text) = &number.kind else {
            return Err(at(number.place, "no number"));
        };
        let least = text.parse::<u32>().ok();
        let least = least.filter(|least| (1..=most).contains(&(*least as usize)));
        let wrong = || {
            at(
                number.place,
                format!("'{text}' is no number from 1 to {most}"),
            )
        };
        Ok(Node::AtLeast(least.ok_or_else(wrong)?, parts))
    }

    fn test(&mut self) -> Result<Node<Test>, Problem> {
        let name = self.take();
        let (text, quoted) = match name.kind {
            TokenKind::Bare(text) => (text, false),
            TokenKind::Quoted(text) => (text, true),
            _ => return Err(at(name.place, "expected a name")),
        };
        let lower = text.to_ascii_lowercase().replace('_', "-");
        let attribute = attribute::by_name(&lower).filter(|_| !quoted);
        let negated = self.is_keyword("not")
            && (self.tokens.get(self.next + 1)).is_some_and(|token| token.is_word("in"));
        let compares = matches!(self.peek().kind, TokenKind::Operator(_) | TokenKind::Open)
            || self.is_keyword("in")
            || negated;
        let Some(attribute) = attribute else {
            if !compares {
                return Ok(Node::Test(Test::Verdict(text.into())));
            }
            if quoted && attribute::by_name(&lower).is_some() {
                let what =
                    format!("a name in quotes is that of an extractor: '{text}' is compared");
                return Err(
                    at(name.place, what).hint(format!("an attribute has no quotes: {lower}"))
                );
            }
            return Err(unknown_attribute(&text, at(name.place, String::new())));
        };
        if !compares {
            self.next -= 1;
            let what = format!("'{text}' is no extractor but {}", attribute.label);
            return Err(self
                .wrong(what)
                .hint(format!("compare it: {}", example(attribute))));
        }
        let of = self.extractor(attribute)?;
        let negated = self.passed_keyword("not");
        let condition = match self.passed_keyword("in") {
            true => self.set(attribute)?,
            false => self.comparison(attribute)?,
        };
        let test = Node::Test(Test::Compare(Comparison {
            attribute,
            of,
            condition,
        }));
        Ok(match negated {
            true => Node::Not(Box::new(test)),
            false => test,
        })
    }

    /// The extractor in brackets behind `confidence`.
    fn extractor(&mut self, attribute: &Attribute) -> Result<Option<Box<str>>, Problem> {
        if self.peek().kind != TokenKind::Open {
            return Ok(None);
        }
        if !matches!(attribute.kind, Kind::Confidence) {
            let what = format!("'{}' takes nothing in brackets", attribute.name);
            return Err(self.wrong(what));
        }
        self.next += 1;
        let name = match self.take().kind {
            TokenKind::Bare(name) | TokenKind::Quoted(name) => name,
            _ => {
                self.next -= 1;
                return Err(self.expected("the name of an extractor"));
            }
        };
        self.expect(&TokenKind::Close, "')'")?;
        Ok(Some(name.into()))
    }

    fn comparison(&mut self, attribute: &Attribute) -> Result<Condition, Problem> {
        let place = self.peek().place.clone();
        let TokenKind::Operator(operator) = self.peek().kind else {
            return Err(self.expected("=, !=, <, <=, >, >= or 'in'"));
        };
        if attribute.is_word() && !matches!(operator, Operator::Equal | Operator::Unequal) {
            let name = attribute.name;
            let what = format!("'{name}' is a word, which is neither less nor greater");
            return Err(at(place, what).hint(format!("there are: {name} = …, {name} in (…, …)")));
        }
        self.next += 1;
        Ok(Condition::Is(operator, self.literal(attribute)?))
    }

    fn set(&mut self, attribute: &Attribute) -> Result<Condition, Problem> {
        if !self.passed(&TokenKind::Open) {
            return Ok(Condition::In(vec![self.item(attribute)?]));
        }
        let mut items = vec![self.item(attribute)?];
        while self.passed(&TokenKind::Comma) {
            items.push(self.item(attribute)?);
        }
        self.expect(&TokenKind::Close, "',' or ')'")?;
        Ok(Condition::In(items))
    }

    fn item(&mut self, attribute: &Attribute) -> Result<(Literal, Option<Literal>), Problem> {
        let start = self.peek().place.start;
        let from = self.literal(attribute)?;
        if self.peek().kind != TokenKind::To {
            return Ok((from, None));
        }
        if attribute.is_word() {
            return Err(self.wrong(format!("'{}' is a word and has no ranges", attribute.name)));
        }
        self.next += 1;
        let end = self.peek().place.end;
        let to = self.literal(attribute)?;
        let backwards = match (&from, &to) {
            (Literal::Number(from), Literal::Number(to)) => from > to,
            (Literal::Span(from), Literal::Span(to)) => from.first > to.last,
            _ => false,
        };
        match backwards {
            true => Err(at(start..end, "the range goes backwards: nothing is in it")),
            false => Ok((from, Some(to))),
        }
    }

    fn literal(&mut self, attribute: &Attribute) -> Result<Literal, Problem> {
        let wanted = match attribute.kind {
            Kind::Number(_) | Kind::Confidence => "a number",
            Kind::Date => "a date (2006, 2006-02 or 2006-02-14)",
            Kind::Tag | Kind::Word(_) => "a word",
        };
        let (text, quoted) = match &self.peek().kind {
            TokenKind::Bare(text) => (text, false),
            TokenKind::Quoted(text) => (text, true),
            _ => return Err(self.expected(wanted)),
        };
        if !quoted && is_keyword(text) {
            return Err(self.expected(wanted));
        }
        let literal = match attribute.kind {
            Kind::Date => text.parse().map(Literal::Span).map_err(|it| it.to_string()),
            Kind::Tag | Kind::Word(_) => Ok(Literal::Word(text.to_lowercase().into())),
            Kind::Number(_) | Kind::Confidence => number(attribute, text).map(Literal::Number),
        };
        let literal = literal.map_err(|what| self.wrong(format!("{}: {what}", attribute.name)))?;
        self.next += 1;
        Ok(literal)
    }
}

/// A number that the attribute can be compared with.
pub(super) fn number(attribute: &Attribute, text: &str) -> Result<Decimal, String> {
    let is_whole = attribute.range().is_some_and(|range| range.digits == 0);
    let number = text.parse::<Decimal>().map_err(|error| match is_whole {
        true => format!("'{text}' is no whole number"),
        false => error.to_string(),
    })?;
    attribute
        .range()
        .map_or(Ok(()), |range| range.check(number))?;
    Ok(number)
}

fn is_keyword(word: &str) -> bool {
    KEYWORDS
        .iter()
        .any(|known| word.eq_ignore_ascii_case(known))
}

pub(crate) fn unknown_attribute(name: &str, problem: Problem) -> Problem {
    let known: Vec<&str> = attribute::all().iter().map(|it| it.name).collect();
    let folded = name.to_ascii_lowercase().replace('_', "-");
    let difference = name.char_indices().find(|(at, c)| {
        *c == '-' && attribute::by_name(&folded[..*at]).is_some_and(|it| it.range().is_some())
    });
    let hint = match difference {
        Some((at, _)) => format!(
            "a minus sign has spaces around it: {} - {}",
            &name[..at],
            &name[at + 1..]
        ),
        None => choice(name, &known),
    };
    Problem {
        what: format!("there is no attribute '{name}'"),
        hint: Some(hint),
        ..problem
    }
}

/// A comparison with an attribute, for messages.
pub(crate) fn example(attribute: &Attribute) -> String {
    let rest = match attribute.kind {
        Kind::Number(_) => ">= 10",
        Kind::Confidence => ">= 0.5",
        Kind::Tag => "in (h1, p)",
        Kind::Word(_) => "= …",
        Kind::Date => "in 2006-01..2006-02",
    };
    format!("{} {rest}", attribute.name)
}
