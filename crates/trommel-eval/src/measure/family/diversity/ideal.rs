//! The ideal ranking of a topic with subtopics.

use std::collections::BTreeMap;

use super::subtopics::Subtopics;

/// The first k documents of the ranking that always takes the document that gains most, of equal ones that of the greatest docid, as
/// ndeval does. (The best ranking is hard to find: Clarke et al., SIGIR 2008, section 4.3.)
pub(super) fn ideal(subtopics: &Subtopics, k: usize, alpha: f64) -> Vec<Vec<usize>> {
    // Documents that are relevant to the same subtopics gain the same: one class, by docid descending.
    let mut classes: BTreeMap<&[usize], Vec<usize>> = BTreeMap::new();
    for (place, document) in subtopics.judged.iter().enumerate().rev() {
        classes.entry(document).or_default().push(place);
    }
    let mut classes: Vec<(&[usize], Vec<usize>)> = classes.into_iter().collect();
    let mut left = vec![1.0; subtopics.sizes.len()];
    let mut ranked = Vec::new();
    while ranked.len() < k {
        let mut best: Option<(f64, usize, usize)> = None;
        for (number, (class, places)) in classes.iter().enumerate() {
            let Some(&place) = places.last() else {
                continue;
            };
            let gains = class.iter().filter_map(|subtopic| left.get(*subtopic));
            let gain = gains.fold(0.0, |sum, gain: &f64| sum + gain);
            let is_better =
                best.is_none_or(|(most, first, _)| gain > most || (gain == most && place < first));
            if is_better {
                best = Some((gain, place, number));
            }
        }
        let Some((class, places)) = best.and_then(|(_, _, number)| classes.get_mut(number)) else {
            break;
        };
        places.pop();
        for subtopic in class.iter() {
            if let Some(left) = left.get_mut(*subtopic) {
                *left *= 1.0 - alpha;
            }
        }
        ranked.push(class.to_vec());
    }
    ranked
}
