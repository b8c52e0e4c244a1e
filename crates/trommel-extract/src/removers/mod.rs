//! The registry of extractors, one published algorithm a file, a row in [`all`] each; and that of [`learners`].

mod block_fusion;
mod boilerpipe;
mod bte;
mod content_tree;
mod external;
mod goldminer;
pub mod justext;
mod onion;
mod rule;
mod templates;
mod tree;
pub mod trommel;
mod web2text;

use trommel_text::choice;

use crate::{Extractor, ExtractorError, LearnerRow};

pub use self::tree::TreeModel;
pub use self::web2text::{Potentials, Web2TextModel};

/// All extractors.
pub fn all() -> &'static [Extractor] {
    &[
        boilerpipe::keep_everything::EXTRACTOR,
        rule::min_words_10::EXTRACTOR,
        rule::min_words_15::EXTRACTOR,
        rule::min_density_10_5::EXTRACTOR,
        rule::max_link_density_0_33::EXTRACTOR,
        rule::cleaneval_rule::EXTRACTOR,
        boilerpipe::numwords::EXTRACTOR,
        boilerpipe::density::EXTRACTOR,
        boilerpipe::default::EXTRACTOR,
        boilerpipe::article::EXTRACTOR,
        boilerpipe::sentences::EXTRACTOR,
        boilerpipe::largest::EXTRACTOR,
        boilerpipe::canola::EXTRACTOR,
        boilerpipe::largest_content::EXTRACTOR,
        boilerpipe::main_content::EXTRACTOR,
        content_tree::EXTRACTOR,
        bte::EXTRACTOR,
        block_fusion::EXTRACTOR,
        justext::EXTRACTOR,
        web2text::EXTRACTOR,
        goldminer::EXTRACTOR,
        onion::EXTRACTOR,
        templates::EXTRACTOR,
        trommel::EXTRACTOR,
        tree::EXTRACTOR,
        external::EXTRACTOR,
    ]
}

/// The extractor of a name.
///
/// # Errors
/// [`ExtractorError::Unknown`] if there is none.
pub(crate) fn by_name(name: &str) -> Result<&'static Extractor, ExtractorError> {
    let found = all().iter().find(|row| row.name == name);
    found.ok_or_else(|| {
        let known: Vec<&str> = all().iter().map(|row| row.name).collect();
        ExtractorError::Unknown {
            name: name.to_owned(),
            known: choice(name, &known),
        }
    })
}

/// All learners.
pub fn learners() -> &'static [LearnerRow] {
    &[goldminer::LEARNER, onion::LEARNER, templates::LEARNER]
}

/// The learner of a name.
///
/// # Errors
/// [`ExtractorError::UnknownLearner`] if there is none.
pub(crate) fn learner_by_name(name: &str) -> Result<&'static LearnerRow, ExtractorError> {
    let found = learners().iter().find(|row| row.name == name);
    found.ok_or_else(|| {
        let known: Vec<&str> = learners().iter().map(|row| row.name).collect();
        ExtractorError::UnknownLearner {
            name: name.to_owned(),
            known: choice(name, &known),
        }
    })
}
