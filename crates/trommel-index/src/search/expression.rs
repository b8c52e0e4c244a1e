//! What a query asks for, before an analyzer made terms of its words: plain data.

use std::fmt;

/// A query: a leaf, or clauses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expression {
    /// A word or phrase.
    Leaf(Leaf),
    /// Holds where every [`Occur::Must`] holds, no [`Occur::MustNot`] does, and, if there is no `Must`, at least one
    /// [`Occur::Should`], if there are any.
    Clauses(Vec<(Occur, Expression)>),
}

/// A word or phrase, as it was written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Leaf {
    /// What is searched; none for the text of the blocks.
    pub field: Option<Field>,
    /// The words.
    pub text: String,
    /// They stand in quotes: side by side in one block.
    pub quoted: bool,
}

/// A part of a page besides its blocks that can be searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Field {
    /// The title, analysed as the blocks are.
    Title,
    /// The address: runs of letters and digits in lower case.
    Url,
}

/// What a clause is to its expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Occur {
    /// It may hold, and must where nothing else is asked for.
    Should,
    /// It must hold.
    Must,
    /// It must not hold.
    MustNot,
}

impl Field {
    /// All fields with their names in queries.
    pub const ALL: [(&'static str, Field); 2] = [("title", Field::Title), ("url", Field::Url)];

    /// The field of a name, in upper or lower case.
    pub fn by_name(name: &str) -> Option<Field> {
        let found = Self::ALL.iter().find(|(n, _)| n.eq_ignore_ascii_case(name));
        found.map(|(_, field)| *field)
    }

    /// Its name in queries.
    pub fn name(self) -> &'static str {
        match self {
            Field::Title => "title",
            Field::Url => "url",
        }
    }
}

impl Expression {
    /// A bag of words: no character of the text is syntax.
    pub fn literal(text: &str) -> Expression {
        Expression::Leaf(Leaf {
            text: text.to_owned(),
            ..Leaf::default()
        })
    }

    /// Does it search titles or addresses alone?
    pub(crate) fn is_fielded(&self) -> bool {
        match self {
            Expression::Leaf(leaf) => leaf.field.is_some(),
            Expression::Clauses(clauses) => clauses.iter().all(|(_, inner)| inner.is_fielded()),
        }
    }
}

impl fmt::Display for Leaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(field) = self.field {
            write!(f, "{}:", field.name())?;
        }
        let quote = if self.quoted { "\"" } else { "" };
        write!(f, "{quote}{}{quote}", self.text)
    }
}

impl fmt::Display for Expression {
    /// The query in the form that needs no operators: `+` for what must hold, `-` for what must not.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clauses = match self {
            Expression::Leaf(leaf) => return leaf.fmt(f),
            Expression::Clauses(clauses) => clauses,
        };
        for (at, (occur, inner)) in clauses.iter().enumerate() {
            let blank = if at == 0 { "" } else { " " };
            let sign = match occur {
                Occur::Should => "",
                Occur::Must => "+",
                Occur::MustNot => "-",
            };
            match inner {
                Expression::Leaf(leaf) => write!(f, "{blank}{sign}{leaf}")?,
                Expression::Clauses(_) => write!(f, "{blank}{sign}({inner})")?,
            }
        }
        Ok(())
    }
}
