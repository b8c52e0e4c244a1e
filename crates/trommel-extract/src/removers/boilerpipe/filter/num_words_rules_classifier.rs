//! `NumWordsRulesClassifier`: the decision tree over number of words and link density (WSDM 2010, Algorithm 2).

use super::Document;
use super::density_rules_classifier::{LINK_DENSITY, PREVIOUS_LINK_DENSITY};

pub fn apply(document: &mut Document) {
    document.classify(|previous, current, next| {
        if f64::from(current.link_density()) > LINK_DENSITY {
            return false;
        }
        if f64::from(previous.link_density()) > PREVIOUS_LINK_DENSITY {
            return current.num_words > 40 || next.num_words > 17;
        }
        current.num_words > 16 || next.num_words > 15 || previous.num_words > 4
    });
}
