//! Compatibility with an ideal ranking (ir_measures `Compat`).

use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// Compat: rank-biased overlap of the ranking with the ideal one that is most like it: all documents of a grade above 0, by grade and
/// then by rank, those not retrieved last. With `normalize`, divided by the overlap of the ideal ranking with itself.
///
/// Clarke, Vtyurina and Smucker, "Assessing top-k preferences", ACM TOIS 39 (2021), as in their `compatibility.py`, which ir_measures
/// takes over; where that orders documents of equal grades by score it puts those not retrieved among the scores at 0, we put them last.
pub(in crate::measure) fn score(ranking: &Ranking, parameters: &Parameters) -> f64 {
    let persistence = parameters.number("p");
    // Place in the ideal ranking of each document retrieved, from 0.
    let mut ideal: Vec<(i32, usize)> = Vec::new();
    for (rank, grade) in ranking.grades.iter().enumerate() {
        if let Some(grade) = grade.filter(|grade| *grade > 0) {
            ideal.push((grade, rank));
        }
    }
    ideal.sort_by_key(|&(grade, rank)| (std::cmp::Reverse(grade), rank));
    let size = ranking.judged.iter().filter(|grade| **grade > 0).count();
    let depth = ranking.num_ret().max(size);
    let above = |grade: i32| ranking.judged.iter().take_while(|it| **it > grade).count();
    // By depth, how many documents both rankings have from there on.
    let mut shared = vec![0usize; depth];
    let (mut last, mut place) = (None, 0);
    for (grade, rank) in ideal {
        place = match last == Some(grade) {
            true => place + 1,
            false => above(grade),
        };
        last = Some(grade);
        if let Some(count) = shared.get_mut(rank.max(place)) {
            *count += 1;
        }
    }
    let (mut overlap, mut with_itself, mut whole, mut weight, mut count) = (0.0, 0.0, 0.0, 1.0, 0);
    for (index, more) in shared.iter().enumerate() {
        let depth = index as f64 + 1.0;
        count += more;
        overlap += weight * count as f64 / depth;
        with_itself += weight * size.min(index + 1) as f64 / depth;
        whole += weight;
        weight *= persistence;
    }
    match (parameters.flag("normalize"), size) {
        (_, 0) => 0.0,
        (true, _) => overlap / with_itself,
        (false, _) => overlap / whole,
    }
}
