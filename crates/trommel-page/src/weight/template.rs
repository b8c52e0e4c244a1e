//! Weights with parameters, such as `max(confidence(trommel), $floor)`: a text that becomes weights when each has a number.

use std::fmt;
use std::str::FromStr;

use trommel_text::{Decimal, choice};

use super::weights::Weights;
use crate::attribute;
use crate::filter::ExpressionError;
use crate::filter::error::at;

/// Weights with parameters. Without any they are just weights.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// The text between the parameters, and the parameter behind each piece but the last.
    pieces: Vec<(String, Option<String>)>,
}

/// Why a template has no weights.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParameterError {
    /// A parameter without a value.
    #[error("the parameter ${0} has no value")]
    Missing(String),
    /// A value for a parameter that the template does not have.
    #[error("the weights have no parameter ${name}; {known}")]
    Unknown {
        /// The parameter that is not there.
        name: String,
        /// Those that are, in words.
        known: String,
    },
    /// Weights that are none with these values.
    #[error(transparent)]
    Expression(#[from] ExpressionError),
}

/// The weight 1 for all.
impl Default for Template {
    fn default() -> Self {
        Template {
            pieces: vec![("1".to_owned(), None)],
        }
    }
}

impl From<Weights> for Template {
    fn from(weights: Weights) -> Template {
        Template {
            pieces: vec![(weights.to_string(), None)],
        }
    }
}

impl Template {
    /// The names of the parameters, each once, in the order in which they come first.
    pub fn parameters(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for name in self.pieces.iter().filter_map(|(_, name)| name.as_deref()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// The weights with these values of the parameters.
    ///
    /// # Errors
    /// A parameter without a value, a value for no parameter, or a text that is no weights with the values.
    pub fn with<'v>(
        &self,
        values: impl IntoIterator<Item = (&'v str, Decimal)>,
    ) -> Result<Weights, ParameterError> {
        let values: Vec<(&str, Decimal)> = values.into_iter().collect();
        let parameters = self.parameters();
        if let Some((name, _)) = values.iter().find(|(name, _)| !parameters.contains(name)) {
            return Err(ParameterError::Unknown {
                name: (*name).to_owned(),
                known: choice(name, &parameters),
            });
        }
        let mut text = String::new();
        for (piece, name) in &self.pieces {
            text += piece;
            if let Some(name) = name {
                let value = values.iter().find(|(own, _)| own == name);
                let (_, value) = value.ok_or_else(|| ParameterError::Missing(name.clone()))?;
                text += &value.to_string();
            }
        }
        Ok(text.parse()?)
    }

    /// The weights, if there are no parameters.
    ///
    /// # Errors
    /// A parameter, which has no value.
    pub fn weights(&self) -> Result<Weights, ParameterError> {
        self.with([])
    }
}

/// A text that is no weights whatever its parameters are is refused: it is tried with 1 for all of them.
impl FromStr for Template {
    type Err = ExpressionError;

    fn from_str(text: &str) -> Result<Template, ExpressionError> {
        let wrong = |start: usize, length: usize, what: String| {
            ExpressionError::new(text, at(start..start + length, what))
        };
        let (mut pieces, mut piece) = (Vec::new(), String::new());
        let (mut quote, mut start) = (None, 0);
        while let Some(c) = text[start..].chars().next() {
            let length = c.len_utf8();
            match (c, quote) {
                ('$', None) => {
                    let name = name_of(&text[start + 1..]);
                    let whole = 1 + name.len();
                    if name.is_empty() {
                        return Err(wrong(start, 1, "a parameter has a name: $floor".to_owned()));
                    }
                    if attribute::bound(name).is_some() {
                        let what = format!("'{name}' is the name of a threshold already");
                        return Err(wrong(start, whole, what));
                    }
                    if text[..start].ends_with(|c| is_of_name(c) && c != '-') {
                        let what = "a space is missing before the parameter".to_owned();
                        return Err(wrong(start, whole, what));
                    }
                    pieces.push((std::mem::take(&mut piece), Some(name.to_owned())));
                    start += whole;
                    continue;
                }
                ('\\', Some(_)) => {
                    let escaped = text[start + 1..].chars().next();
                    piece.push(c);
                    piece.extend(escaped);
                    start += length + escaped.map_or(0, char::len_utf8);
                    continue;
                }
                ('"' | '\'', None) => quote = Some(c),
                (c, Some(open)) if c == open => quote = None,
                _ => {}
            }
            piece.push(c);
            start += length;
        }
        pieces.push((piece, None));
        let template = Template { pieces };
        let ones: Vec<(&str, Decimal)> = template
            .parameters()
            .into_iter()
            .map(|name| (name, Decimal::whole(1)))
            .collect();
        match template.with(ones) {
            Ok(_) => Ok(template),
            Err(ParameterError::Expression(error)) => Err(error),
            Err(error) => Err(wrong(0, text.len(), error.to_string())),
        }
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (piece, name) in &self.pieces {
            f.write_str(piece)?;
            if let Some(name) = name {
                write!(f, "${name}")?;
            }
        }
        Ok(())
    }
}

/// The name that a text begins with: letters, digits, minus signs and underscores, first a letter.
fn name_of(text: &str) -> &str {
    let starts = text.starts_with(|c: char| c.is_ascii_alphabetic());
    let end = text.find(|c| !is_of_name(c)).unwrap_or(text.len());
    match starts {
        true => text[..end].trim_end_matches('-'),
        false => "",
    }
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_')
}
