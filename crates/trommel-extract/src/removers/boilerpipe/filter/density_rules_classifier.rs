//! `DensityRulesClassifier`: the decision tree over text density and link density (WSDM 2010, Algorithm 1).

use super::Document;

/// Above this a block is boilerplate. Algorithms 1 and 2 print six digits, and so does boilerpipe's source, which compares
/// in double precision.
pub const LINK_DENSITY: f64 = 0.333333;
/// Above this the previous block takes part in navigation.
pub const PREVIOUS_LINK_DENSITY: f64 = 0.555556;

pub fn apply(document: &mut Document) {
    document.classify(|previous, current, next| {
        if f64::from(current.link_density()) > LINK_DENSITY {
            return false;
        }
        if f64::from(previous.link_density()) > PREVIOUS_LINK_DENSITY {
            return next.text_density() > 11.0;
        }
        if current.text_density() > 9.0 {
            return next.text_density() != 0.0;
        }
        next.text_density() > 10.0 || previous.text_density() > 4.0
    });
}
