//! The registry of extractors, one published algorithm a file, a row in [`all`] each; and that of [`learners`].

mod block_fusion;
mod boilerpipe;
mod bte;
mod cetd;
mod cetr;
mod code_blurring;
mod content_tree;
mod external;
mod goldminer;
pub mod justext;
mod line_share;
pub mod mss;
mod mss_simple;
pub mod ncleaner;
mod onion;
pub mod own;
mod rule;
mod sst;
mod templates;
#[cfg(test)]
mod tests;
mod tree;
mod unfluff;
pub mod victor;
mod web2text;

use trommel_text::choice;

use crate::{ExtractorError, ExtractorRow, LearnerRow};

pub use self::tree::TreeModel;
pub use self::web2text::{Potentials, Web2TextModel};

/// All extractors.
pub fn all() -> &'static [ExtractorRow] {
    &[
        boilerpipe::keep_everything::ROW,
        rule::min_words_10::ROW,
        rule::min_words_15::ROW,
        rule::min_density_10_5::ROW,
        rule::max_link_density_0_33::ROW,
        rule::cleaneval_rule::ROW,
        boilerpipe::numwords::ROW,
        boilerpipe::density::ROW,
        boilerpipe::default::ROW,
        boilerpipe::article::ROW,
        boilerpipe::sentences::ROW,
        boilerpipe::largest::ROW,
        boilerpipe::canola::ROW,
        boilerpipe::largest_content::ROW,
        boilerpipe::main_content::ROW,
        content_tree::ROW,
        bte::ROW,
        block_fusion::ROW,
        mss_simple::ROW,
        mss::unigram::ROW,
        mss::trigram::ROW,
        code_blurring::ROW,
        cetr::ROW,
        cetd::ROW,
        justext::ROW,
        unfluff::ROW,
        ncleaner::ROW,
        victor::ROW,
        web2text::ROW,
        goldminer::ROW,
        onion::ROW,
        templates::ROW,
        sst::ROW,
        own::ROW,
        tree::ROW,
        external::ROW,
    ]
}

/// The extractor of a name.
///
/// # Errors
/// [`ExtractorError::Unknown`] if there is none.
pub(crate) fn by_name(name: &str) -> Result<&'static ExtractorRow, ExtractorError> {
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
    &[
        goldminer::LEARNER,
        onion::LEARNER,
        templates::LEARNER,
        sst::LEARNER,
    ]
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
