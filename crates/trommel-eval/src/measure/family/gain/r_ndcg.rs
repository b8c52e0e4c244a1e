//! nDCG averaged over the ranks where the ideal gain changes (trec_eval `Rndcg`).

use super::gains::Gains;
use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// Rndcg: the mean of nDCG at the ranks where the ideal ranking's gain falls to the next lower one (at the last to 0), and at the end of
/// a ranking that is longer than the ideal one by two or more. trec_eval 10, `m_Rndcg.c` (an experimental measure of 2008).
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    if ranking.num_rel == 0 {
        return 0.0;
    }
    let gains = Gains::new(parameters);
    let (found, ideal) = (gains.of_ranking(ranking), gains.ideal(ranking));
    let (mut dcg, mut ideal_dcg, mut sum, mut points) = (0.0, 0.0, 0.0, 0usize);
    let mut last = ideal.first().copied().unwrap_or(0.0);
    // One rank beyond the ideal ranking, where its gain has become 0.
    for index in 0..=ideal.len() {
        let gain = ideal.get(index).copied().unwrap_or(0.0);
        if gain != last && ideal_dcg > 0.0 {
            sum += dcg / ideal_dcg;
            points += 1;
        }
        last = gain;
        let discount = (index as f64 + 2.0).log2();
        dcg += found.get(index).unwrap_or(&0.0) / discount;
        ideal_dcg += gain / discount;
    }
    let rest = found.iter().enumerate().skip(ideal.len() + 1);
    if rest.len() > 0 && ideal_dcg > 0.0 {
        for (index, gain) in rest {
            dcg += gain / (index as f64 + 2.0).log2();
        }
        sum += dcg / ideal_dcg;
        points += 1;
    }
    match points {
        0 => 0.0,
        _ => sum / points as f64,
    }
}
