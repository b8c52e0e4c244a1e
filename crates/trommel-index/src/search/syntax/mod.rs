//! Query syntax: text to [`Expression`].
//!
//! Operators and their binding are those of tantivy's query grammar (a test compares the two), which is Lucene's: words side
//! by side and `OR` are alternatives, `AND` binds closer, `NOT` and `-` exclude, `+` requires. The grammar itself is not
//! used: it drops clauses that stand twice, and here repeated words count; it refuses `don't`; its errors say neither where
//! nor what. Different here: a `title:` or `url:` term without an operator restricts the rest, because it adds no score.
//!
//! What can only be meant as words is taken for words, with a warning where it looks like syntax; what means something to
//! other search engines that is not to be had here is an error.

mod error;
mod lexer;

use std::iter::Peekable;
use std::vec::IntoIter;

use crate::search::expression::{Expression, Field, Leaf, Occur};
use crate::search::syntax::error::warn;
use crate::search::syntax::lexer::{Prefix, Token};

pub use self::error::{MAX_BYTES, MAX_DEPTH, SyntaxError};

/// A query that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed {
    /// What it asks for.
    pub expression: Expression,
    /// What looked like syntax and was taken for words, in sentences.
    pub warnings: Vec<String>,
}

/// Reads a query.
pub fn parse(text: &str) -> Result<Parsed, SyntaxError> {
    if text.len() > MAX_BYTES {
        return Err(SyntaxError::TooLong(text.len()));
    }
    let (mut tokens, mut warnings) = lexer::tokens(text)?;
    balance(&mut tokens, &mut warnings)?;
    demote_operators(&mut tokens, &mut warnings);
    let expression = sequence(&mut tokens.into_iter().peekable(), None);
    Ok(Parsed {
        expression,
        warnings,
    })
}

/// Leaves out parentheses without their other one, and looks at the depth of the others.
fn balance(tokens: &mut Vec<Token>, warnings: &mut Vec<String>) -> Result<(), SyntaxError> {
    let mut open = Vec::new();
    let mut paired = vec![false; tokens.len()];
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Open(_) => open.push(at),
            Token::Close => {
                if let Some(other) = open.pop() {
                    paired[at] = true;
                    paired[other] = true;
                }
            }
            _ => paired[at] = true,
        }
    }
    if paired.contains(&false) {
        let warning = "a parenthesis without its other one is left out";
        warn(warnings, warning.to_owned());
    }
    let mut stays = paired.into_iter();
    tokens.retain(|_| stays.next().unwrap_or(true));
    let mut depth = 0;
    for token in tokens {
        match token {
            Token::Open(_) => depth += 1,
            Token::Close => depth -= 1,
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Err(SyntaxError::TooDeep);
        }
    }
    Ok(())
}

/// Takes operators that lack a side for words.
fn demote_operators(tokens: &mut [Token], warnings: &mut Vec<String>) {
    let begins = |token: Option<&Token>| {
        matches!(token, Some(Token::Leaf(..) | Token::Open(_) | Token::Not))
    };
    let mut demote = |token: &mut Token, word: &str| {
        let leaf = Leaf {
            text: word.to_owned(),
            ..Leaf::default()
        };
        *token = Token::Leaf(Prefix::default(), leaf);
        warn(
            warnings,
            format!("'{word}' is taken as a word: it has nothing to join"),
        );
    };
    for at in (0..tokens.len()).rev() {
        if tokens[at] == Token::Not && !begins(tokens.get(at + 1)) {
            demote(&mut tokens[at], "NOT");
        }
    }
    for at in 0..tokens.len() {
        let word = match tokens[at] {
            Token::And => "AND",
            Token::Or => "OR",
            _ => continue,
        };
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        let ends = matches!(before, Some(Token::Leaf(..) | Token::Close));
        if !ends || !begins(tokens.get(at + 1)) {
            demote(&mut tokens[at], word);
        }
    }
}

type Tokens = Peekable<IntoIter<Token>>;

/// Operands that `AND` joins, with their signs.
struct Chain {
    operands: Vec<(Option<Occur>, Expression)>,
    /// `OR` stands before or after.
    alternative: bool,
}

/// Reads chains up to the end of the text or of the group. Words without a field of their own have the group's.
fn sequence(tokens: &mut Tokens, field: Option<Field>) -> Expression {
    let mut chains: Vec<Chain> = Vec::new();
    while let Some(token) = tokens.peek() {
        match token {
            Token::Close => break,
            Token::And => {
                tokens.next();
                let operand = operand(tokens, field);
                // An `AND` without a left side was taken for a word.
                if let Some(chain) = chains.last_mut() {
                    chain.operands.push(operand);
                }
            }
            Token::Or => {
                tokens.next();
                if let Some(chain) = chains.last_mut() {
                    chain.alternative = true;
                }
                chains.push(Chain {
                    operands: vec![operand(tokens, field)],
                    alternative: true,
                });
            }
            _ => chains.push(Chain {
                operands: vec![operand(tokens, field)],
                alternative: false,
            }),
        }
    }
    join(chains, field)
}

/// Reads an operand with its sign. Two exclusions are none.
fn operand(tokens: &mut Tokens, field: Option<Field>) -> (Option<Occur>, Expression) {
    let (mut negated, mut any) = (false, false);
    while tokens.next_if_eq(&Token::Not).is_some() {
        (negated, any) = (!negated, true);
    }
    let (prefix, expression) = match tokens.next() {
        Some(Token::Leaf(prefix, mut leaf)) => {
            leaf.field = leaf.field.or(field);
            (prefix, Expression::Leaf(leaf))
        }
        Some(Token::Open(prefix)) => {
            let inner = sequence(tokens, prefix.field.or(field));
            tokens.next_if_eq(&Token::Close);
            (prefix, inner)
        }
        // Operators have operands: others were taken for words.
        _ => (Prefix::default(), Expression::Clauses(Vec::new())),
    };
    if !any {
        return (prefix.occur, expression);
    }
    let negated = negated != (prefix.occur == Some(Occur::MustNot));
    (negated.then_some(Occur::MustNot), expression)
}

/// Chains side by side as one expression.
fn join(chains: Vec<Chain>, field: Option<Field>) -> Expression {
    let mut clauses = Vec::new();
    let mut restrictions = Vec::new();
    for mut chain in chains {
        let is_empty = |inner: &Expression| matches!(inner, Expression::Clauses(c) if c.is_empty());
        chain.operands.retain(|(_, inner)| !is_empty(inner));
        if chain.operands.len() > 1 {
            let operands = chain.operands.into_iter();
            let required = operands.map(|(occur, inner)| (occur.unwrap_or(Occur::Must), inner));
            clauses.push((Occur::Should, Expression::Clauses(required.collect())));
            continue;
        }
        let Some((occur, inner)) = chain.operands.pop() else {
            continue;
        };
        match occur {
            // `a OR NOT b`: an alternative that holds where b does not.
            Some(Occur::MustNot) if chain.alternative => {
                let excluded = Expression::Clauses(vec![(Occur::MustNot, inner)]);
                clauses.push((Occur::Should, excluded));
            }
            None if !chain.alternative && field.is_none() && inner.is_fielded() => {
                restrictions.push((Occur::Must, inner));
            }
            // `(NOT b) c` is `NOT b c`.
            None if !chain.alternative => match inner {
                Expression::Clauses(mut inner) if matches!(inner[..], [(Occur::MustNot, _)]) => {
                    clauses.append(&mut inner);
                }
                inner => clauses.push((Occur::Should, inner)),
            },
            occur => clauses.push((occur.unwrap_or(Occur::Should), inner)),
        }
    }
    if restrictions.is_empty() {
        return single(clauses);
    }
    if clauses.iter().any(|(occur, _)| *occur != Occur::MustNot) {
        clauses = vec![(Occur::Must, single(clauses))];
    }
    clauses.append(&mut restrictions);
    single(clauses)
}

/// A lone clause that is not excluded is the expression itself; but a required word stays required, because it is a phrase if
/// the analyzer cuts it.
fn single(mut clauses: Vec<(Occur, Expression)>) -> Expression {
    let is_word = |inner: &Expression| matches!(inner, Expression::Leaf(leaf) if leaf.field.is_none() && !leaf.quoted);
    let lone = match clauses.as_slice() {
        [(Occur::Should, _)] => true,
        [(Occur::Must, inner)] => !is_word(inner),
        _ => false,
    };
    match clauses.pop() {
        Some((_, inner)) if lone => inner,
        last => {
            clauses.extend(last);
            Expression::Clauses(clauses)
        }
    }
}
