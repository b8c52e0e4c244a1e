//! The block filter: a value passed to a search, never a state of the index.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::extractor::Confidence;
use crate::page::{Block, DensityUnit};
use crate::text::{Decimal, MOST_DENSITY, UpTo};

/// A threshold of text density, in words a line.
pub type TextDensity = UpTo<MOST_DENSITY>;
/// A threshold of link density, a share.
pub type LinkDensity = UpTo<1>;

/// Which blocks count. A block passes if it meets every bound that is given; bounds are inclusive.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Filter {
    /// Least number of words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_words: Option<u32>,
    /// Greatest number of words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_words: Option<u32>,
    /// Least text density (WSDM 2010, Equation 1), in 0..=40.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_density: Option<TextDensity>,
    /// Greatest text density, in 0..=40.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_density: Option<TextDensity>,
    /// Greatest link density, in 0..=1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_link_density: Option<LinkDensity>,
    /// The extractor that must take the block for content: the name of labels in the index.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extractor: Option<String>,
    /// Least confidence, in hundredths, of the labels that `extractor` names; without an extractor, of those that
    /// [`super::Index::confidences_of`] says. With an extractor the block must be content besides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_confidence: Option<Confidence>,
}

impl Filter {
    /// Does every block pass?
    pub fn is_empty(&self) -> bool {
        *self == Filter::default()
    }

    /// Is there a bound, besides an extractor?
    pub fn has_bounds(&self) -> bool {
        self.min_confidence.is_some() || self.bounds_counts()
    }

    /// Is there a bound on what is counted in a block?
    pub(super) fn bounds_counts(&self) -> bool {
        let Filter {
            min_words,
            max_words,
            min_density,
            max_density,
            max_link_density,
            extractor: _,
            min_confidence: _,
        } = self;
        min_words.or(*max_words).is_some()
            || min_density.or(*max_density).is_some()
            || max_link_density.is_some()
    }

    /// Does every block that passes this filter pass `other` too, whatever the collection? (Where each bound of `other` stands
    /// here as well, at least as strict.)
    pub fn is_within(&self, other: &Filter) -> bool {
        fn least<T: PartialOrd>(own: Option<T>, other: Option<T>) -> bool {
            other.is_none_or(|other| own.is_some_and(|own| own >= other))
        }
        fn greatest<T: PartialOrd>(own: Option<T>, other: Option<T>) -> bool {
            other.is_none_or(|other| own.is_some_and(|own| own <= other))
        }
        least(self.min_words, other.min_words)
            && greatest(self.max_words, other.max_words)
            && least(self.min_density, other.min_density)
            && greatest(self.max_density, other.max_density)
            && greatest(self.max_link_density, other.max_link_density)
            && (other.extractor.is_none() || self.extractor == other.extractor)
            && least(self.min_confidence, other.min_confidence)
            // Confidences are those of an extractor: of another one, they say nothing.
            && (other.min_confidence.is_none() || self.extractor == other.extractor)
    }

    /// Does a block meet the bounds of its counts? Quotients are compared exactly. The extractor's verdict and confidence are not
    /// the block's to know: [`super::Index::passing`] has all.
    pub fn passes(&self, block: &Block, unit: DensityUnit) -> bool {
        let density =
            |bound: Decimal| bound.cmp_quotient(block.num_words_in_full_lines, block.num_lines);
        let links =
            |bound: Decimal| bound.cmp_quotient(block.num_linked_words, block.num_units(unit));
        self.min_words.is_none_or(|least| block.num_words >= least)
            && self
                .max_words
                .is_none_or(|greatest| block.num_words <= greatest)
            && self
                .min_density
                .is_none_or(|least| density(least.decimal()).is_ge())
            && self
                .max_density
                .is_none_or(|greatest| density(greatest.decimal()).is_le())
            && self
                .max_link_density
                .is_none_or(|greatest| links(greatest.decimal()).is_le())
    }
}

impl fmt::Display for Filter {
    /// The flags that give this filter; `unfiltered` for none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bounds = [
            ("min-words", self.min_words.map(|n| n.to_string())),
            ("max-words", self.max_words.map(|n| n.to_string())),
            ("min-density", self.min_density.map(|x| x.to_string())),
            ("max-density", self.max_density.map(|x| x.to_string())),
            (
                "max-link-density",
                self.max_link_density.map(|x| x.to_string()),
            ),
            ("extractor", self.extractor.clone()),
            ("min-confidence", self.min_confidence.map(|x| x.to_string())),
        ];
        let given: Vec<String> = bounds
            .into_iter()
            .filter_map(|(name, bound)| Some(format!("{name}={}", bound?)))
            .collect();
        if given.is_empty() {
            return f.write_str("unfiltered");
        }
        f.write_str(&given.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(words: u32, linked: u32, full: u32, lines: u32) -> Block {
        Block {
            num_words: words,
            num_tokens: words + 10,
            num_linked_words: linked,
            num_words_in_full_lines: full,
            num_lines: lines,
            ..Block::default()
        }
    }

    #[track_caller]
    fn check(filter: &str, block: &Block, passes: bool) {
        let filter: Filter = serde_json::from_str(filter).unwrap();
        assert_eq!(filter.passes(block, DensityUnit::Words), passes, "{filter}");
    }

    #[test]
    fn bounds_are_inclusive_and_exact() {
        check("{}", &block(0, 0, 0, 1), true);
        check(r#"{"min_words":11}"#, &block(11, 0, 11, 1), true);
        check(r#"{"min_words":11}"#, &block(10, 0, 10, 1), false);
        check(r#"{"max_words":10}"#, &block(10, 0, 10, 1), true);
        check(r#"{"max_words":10}"#, &block(11, 0, 10, 1), false);
        check(r#"{"min_density":"10.5"}"#, &block(30, 0, 21, 2), true);
        check(r#"{"min_density":"10.5"}"#, &block(50, 0, 31, 3), false);
        check(r#"{"max_density":"10.5"}"#, &block(30, 0, 21, 2), true);
        check(
            r#"{"max_link_density":"0.33"}"#,
            &block(100, 33, 10, 1),
            true,
        );
        check(r#"{"max_link_density":"0.33"}"#, &block(3, 1, 3, 1), false);
        check(r#"{"max_link_density":"0"}"#, &block(0, 0, 0, 1), true);
        check(
            r#"{"min_words":2,"max_link_density":"0.5"}"#,
            &block(4, 3, 4, 1),
            false,
        );
    }

    #[test]
    fn link_density_is_by_token_where_the_segmenter_says_so() {
        let filter: Filter = serde_json::from_str(r#"{"max_link_density":"0.2"}"#).unwrap();
        let block = block(5, 3, 5, 1);
        assert!(filter.passes(&block, DensityUnit::Tokens), "3 of 15 tokens");
        assert!(!filter.passes(&block, DensityUnit::Words), "3 of 5 words");
    }

    #[test]
    fn nesting() {
        let filter = |json: &str| -> Filter { serde_json::from_str(json).unwrap() };
        for (inner, outer, within) in [
            ("{}", "{}", true),
            (r#"{"min_words":2}"#, "{}", true),
            ("{}", r#"{"min_words":0}"#, false),
            (r#"{"min_words":3}"#, r#"{"min_words":3}"#, true),
            (r#"{"min_words":2}"#, r#"{"min_words":3}"#, false),
            (r#"{"max_words":2}"#, r#"{"max_words":3}"#, true),
            (r#"{"max_density":"2.5"}"#, r#"{"max_density":"2"}"#, false),
            (r#"{"extractor":"bte"}"#, "{}", true),
            (
                r#"{"extractor":"bte"}"#,
                r#"{"extractor":"justext"}"#,
                false,
            ),
            (
                r#"{"min_words":2,"extractor":"bte"}"#,
                r#"{"extractor":"bte"}"#,
                true,
            ),
            (r#"{"min_confidence":"0.5"}"#, "{}", true),
            ("{}", r#"{"min_confidence":"0"}"#, false),
            (
                r#"{"min_confidence":"0.5"}"#,
                r#"{"min_confidence":"0.49"}"#,
                true,
            ),
            (
                r#"{"min_confidence":"0.5"}"#,
                r#"{"min_confidence":"0.51"}"#,
                false,
            ),
            (
                r#"{"min_confidence":"0.5","extractor":"a"}"#,
                r#"{"min_confidence":"0.4","extractor":"a"}"#,
                true,
            ),
            (
                r#"{"min_confidence":"0.5","extractor":"a"}"#,
                r#"{"extractor":"a"}"#,
                true,
            ),
            // Whose confidences the outer one takes depends on the index.
            (
                r#"{"min_confidence":"0.5","extractor":"a"}"#,
                r#"{"min_confidence":"0.4"}"#,
                false,
            ),
            (
                r#"{"min_confidence":"0.5"}"#,
                r#"{"min_confidence":"0.4","extractor":"a"}"#,
                false,
            ),
        ] {
            assert_eq!(
                filter(inner).is_within(&filter(outer)),
                within,
                "{inner} {outer}"
            );
        }
    }

    #[test]
    fn prints_its_flags() {
        let filter: Filter =
            serde_json::from_str(r#"{"min_words":2,"max_link_density":"0.50"}"#).unwrap();
        assert_eq!(filter.to_string(), "min-words=2 max-link-density=0.5");
        let filter: Filter =
            serde_json::from_str(r#"{"min_confidence":"0.50","extractor":"a"}"#).unwrap();
        assert_eq!(filter.to_string(), "extractor=a min-confidence=0.5");
        let json = serde_json::to_string(&filter).unwrap();
        assert_eq!(json, r#"{"extractor":"a","min_confidence":"0.5"}"#);
        for wrong in [
            r#"{"min_confidence":"0.125"}"#,
            r#"{"min_confidence":"2"}"#,
            r#"{"max_link_density":"33"}"#,
            r#"{"min_density":"40.1"}"#,
            r#"{"max_density":"105"}"#,
        ] {
            assert!(serde_json::from_str::<Filter>(wrong).is_err(), "{wrong}");
        }
        assert_eq!(Filter::default().to_string(), "unfiltered");
    }
}
