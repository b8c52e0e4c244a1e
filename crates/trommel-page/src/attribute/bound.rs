//! Bounds: `min-NAME` and `max-NAME`, the short forms of comparisons.

use super::row::{Attribute, Side};
use super::table::all;

/// A bound that can be given, and varied: of an attribute that is a number.
#[derive(Debug, Clone, Copy)]
pub struct Bound {
    /// What is bounded.
    pub attribute: &'static Attribute,
    /// On which side.
    pub side: Side,
}

impl PartialEq for Bound {
    fn eq(&self, other: &Bound) -> bool {
        self.attribute.name == other.attribute.name && self.side == other.side
    }
}

impl Eq for Bound {}

impl Bound {
    /// Its name in flags: `min-words`. In parameters the hyphens are underscores.
    pub fn name(&self) -> String {
        format!("{}{}", self.side.prefix(), self.attribute.name)
    }

    /// Its meaning in words: "least words in a block".
    pub fn label(&self) -> String {
        let which = match self.side {
            Side::Least => "least",
            Side::Greatest => "greatest",
        };
        format!("{which} {}", self.attribute.label)
    }
}

impl std::fmt::Display for Bound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.side.prefix(), self.attribute.name)
    }
}

/// All bounds there are, in the order of the table.
pub fn bounds() -> impl Iterator<Item = Bound> {
    let numbers = all().iter().filter(|it| it.range().is_some());
    numbers
        .flat_map(|attribute| [Side::Least, Side::Greatest].map(|side| Bound { attribute, side }))
}

/// The bound of a name, with hyphens or underscores.
pub fn bound(name: &str) -> Option<Bound> {
    let name = name.replace('_', "-");
    bounds().find(|bound| bound.name() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for name in [
            "min-words",
            "max-link-density",
            "min-confidence",
            "max-page-words",
        ] {
            assert_eq!(bound(name).unwrap().name(), name);
            assert_eq!(bound(&name.replace('-', "_")), bound(name));
        }
        for name in ["words", "min-tag", "min-host", "max-", ""] {
            assert_eq!(bound(name), None, "{name}");
        }
    }
}
