//! nDCG averaged over the relevant documents (trec_eval `ndcg_rel`).

use super::gains::Gains;
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// ndcg_rel: the mean of nDCG at the rank of each document that gains something; those that were not retrieved count with the DCG at
/// the end of the ranking over the whole ideal DCG. trec_eval 10, `m_ndcg_rel.c` (an experimental measure of 2008).
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    let gains = Gains::new(parameters);
    let ideal = gains.ideal(ranking);
    if ideal.is_empty() {
        return 0.0;
    }
    let (mut dcg, mut ideal_dcg, mut sum, mut retrieved) = (0.0, 0.0, 0.0, 0usize);
    for (index, gain) in gains.of_ranking(ranking).into_iter().enumerate() {
        let discount = (index as f64 + 2.0).log2();
        dcg += gain / discount;
        ideal_dcg += ideal.get(index).unwrap_or(&0.0) / discount;
        if gain > 0.0 {
            sum += dcg / ideal_dcg;
            retrieved += 1;
        }
    }
    for (index, gain) in ideal.iter().enumerate().skip(ranking.num_ret()) {
        ideal_dcg += gain / (index as f64 + 2.0).log2();
    }
    sum += (ideal.len() as f64 - retrieved as f64) * dcg / ideal_dcg;
    (sum / ideal.len() as f64).max(0.0)
}
