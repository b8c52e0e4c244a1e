//! Inferred average precision (trec_eval `infAP`).

use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// Smoothing constant of trec_eval (`INFAP_EPSILON`).
const EPSILON: f64 = 0.00001;

/// Average precision estimated from a judged sample of the pool. Grades below 0 mark pooled documents
/// outside of the sample, documents without a grade were not pooled.
///
/// The expected precision at a relevant document of rank k is 1/k for itself, plus (k − 1)/k times the
/// share of pooled documents above it times the share of relevant ones among the judged of these,
/// smoothed. Yilmaz and Aslam, "Estimating average precision with incomplete and imperfect judgments",
/// CIKM 2006, Equation 1.
pub(in crate::measure) fn score(ranking: &Ranking, _: &Parameters) -> f64 {
    if ranking.num_rel == 0 {
        return 0.0;
    }
    let (mut rel_above, mut nonrel_above, mut unsampled_above) = (0.0, 0.0, 0.0);
    let mut sum = 0.0;
    for (above, &grade) in ranking.grades.iter().enumerate() {
        match grade {
            None => {}
            Some(grade) if grade < 0 => unsampled_above += 1.0,
            Some(grade) if grade < ranking.level => nonrel_above += 1.0,
            Some(_) => {
                let rank = above as f64 + 1.0;
                sum += 1.0 / rank;
                if above > 0 {
                    let above = above as f64;
                    let pooled = (rel_above + nonrel_above + unsampled_above) / above;
                    let relevant =
                        (rel_above + EPSILON) / (rel_above + nonrel_above + 2.0 * EPSILON);
                    sum += above / rank * pooled * relevant;
                }
                rel_above += 1.0;
            }
        }
    }
    sum / ranking.num_rel as f64
}
