//! `CanolaExtractor.CLASSIFIER`: a decision tree over number of words and link density, trained on the KrdWrd Canola
//! corpus.

use super::Document;

pub fn apply(document: &mut Document) {
    document.classify(|previous, current, next| {
        if current.num_words > 19 || current.num_linked_words > 0 && next.num_words > 11 {
            return true;
        }
        let after_text = current.num_words > 6 || previous.num_words > 7 || next.num_words > 19;
        let no_links_around = next.link_density() == 0.0 && previous.link_density() == 0.0;
        next.num_words > 6 && no_links_around && after_text
    });
}
