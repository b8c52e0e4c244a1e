//! What weights are computed of.

use std::fmt;

use crate::attribute::Attribute;
use crate::filter::lexer::write_name;

/// A value of a block: an attribute that is a number.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The attribute.
    pub attribute: &'static Attribute,
    /// Whose, where it is an extractor's; none for the one that is meant without a name.
    pub of: Option<Box<str>>,
}

impl PartialEq for Subject {
    fn eq(&self, other: &Subject) -> bool {
        (self.attribute.name, &self.of) == (other.attribute.name, &other.of)
    }
}

impl Eq for Subject {}

impl std::hash::Hash for Subject {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.attribute.name, &self.of).hash(state);
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.attribute.name)?;
        let Some(of) = &self.of else {
            return Ok(());
        };
        f.write_str("(")?;
        write_name(f, of)?;
        f.write_str(")")
    }
}
