//! Intent-aware average precision (ir_measures `AP_IA`, ndeval `MAP-IA`).

use super::subtopics::Subtopics;
use crate::measure::parameters::Parameters;
use crate::measure::ranking::{Ranking, ratio};

/// AP_IA: average precision for each subtopic by itself, their mean. Agrawal, Gollapudi, Halverson and Ieong, "Diversifying search
/// results", WSDM 2009, as in ndeval (all subtopics are as probable).
pub(in crate::measure) fn score(ranking: &Ranking, _: &Parameters) -> f64 {
    let subtopics = Subtopics::of(ranking);
    let mut found = vec![0; subtopics.sizes.len()];
    let mut sums = vec![0.0; subtopics.sizes.len()];
    for (index, document) in subtopics.ranked.iter().enumerate() {
        for &subtopic in document {
            if let (Some(found), Some(sum)) = (found.get_mut(subtopic), sums.get_mut(subtopic)) {
                *found += 1;
                *sum += ratio(*found, index + 1);
            }
        }
    }
    let mut sum = 0.0;
    for (of_subtopic, size) in sums.iter().zip(&subtopics.sizes) {
        if *size > 0 {
            sum += of_subtopic / *size as f64;
        }
    }
    match subtopics.num() {
        0 => 0.0,
        num => sum / num as f64,
    }
}
