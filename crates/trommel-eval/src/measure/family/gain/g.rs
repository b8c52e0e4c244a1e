//! Normalised gain (trec_eval `G`).

use super::gains::Gains;
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// The cost of a rank where the ideal ranking would gain less.
const LEAST_COST: f64 = 1.0;

/// G: a document gains gain / log2(2 + cost − found), with the costs of all ranks down to its own (the ideal gain of the rank, or 1 if
/// that is less) and what the ranking gained down to it; their sum over the sum of all gains. So a document counts for much where
/// those before it were good. trec_eval 10, `m_G.c` (an experimental measure of 2008).
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    let gains = Gains::new(parameters);
    let ideal = gains.ideal(ranking);
    let whole: f64 = ideal.iter().sum();
    if whole <= 0.0 {
        return 0.0;
    }
    let (mut cost, mut found, mut sum) = (0.0, 0.0, 0.0);
    for (index, gain) in gains.of_ranking(ranking).into_iter().enumerate() {
        found += gain;
        cost += ideal.get(index).copied().unwrap_or(0.0).max(LEAST_COST);
        if gain != 0.0 {
            sum += gain / (2.0 + cost - found).log2();
        }
    }
    sum / whole
}
