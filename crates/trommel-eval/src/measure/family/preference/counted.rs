//! What the measures of preferences share.

use crate::measure::preferences::GroupPreferred;
use crate::measure::ranking::{Ranking, ratio};

/// All preferences of a group: those fulfilled, and all.
pub(super) fn all(it: &GroupPreferred) -> (usize, usize) {
    let (fulfilled, possible) = implied(it);
    (fulfilled, possible + it.possible_missing)
}

/// Those between documents of which one at least was retrieved.
pub(super) fn implied(it: &GroupPreferred) -> (usize, usize) {
    (
        it.fulfilled_retrieved + it.fulfilled_implied,
        it.possible_retrieved + it.possible_implied,
    )
}

/// Those between documents retrieved.
pub(super) fn retrieved(it: &GroupPreferred) -> (usize, usize) {
    (it.fulfilled_retrieved, it.possible_retrieved)
}

fn groups(ranking: &Ranking) -> &[GroupPreferred] {
    ranking.preferences.as_ref().map_or(&[], |it| &it.groups)
}

/// Sum over the groups.
pub(super) fn total(ranking: &Ranking, count: impl Fn(&GroupPreferred) -> usize) -> usize {
    groups(ranking).iter().map(count).sum()
}

/// Fulfilled over possible preferences, of all groups together.
pub(super) fn share(ranking: &Ranking, of: impl Fn(&GroupPreferred) -> (usize, usize)) -> f64 {
    ratio(total(ranking, |it| of(it).0), total(ranking, |it| of(it).1))
}

/// Fulfilled over possible preferences, the mean over the groups; 0 for groups without preferences.
pub(super) fn average(ranking: &Ranking, of: impl Fn(&GroupPreferred) -> (usize, usize)) -> f64 {
    let shares = groups(ranking).iter().map(|it| {
        let (fulfilled, possible) = of(it);
        ratio(fulfilled, possible)
    });
    mean(shares, groups(ranking).len())
}

/// The same; but 0 in all if a group has no preference, as in trec_eval, where the sum is then no number.
pub(super) fn average_of_all(
    ranking: &Ranking,
    of: impl Fn(&GroupPreferred) -> (usize, usize),
) -> f64 {
    match groups(ranking).iter().any(|it| of(it).1 == 0) {
        true => 0.0,
        false => average(ranking, of),
    }
}

/// Mean over pairs of documents of the share of preferences that is fulfilled: of pairs of documents retrieved, if asked for also of
/// those of which one was, and of those of which none was.
pub(super) fn pairs(ranking: &Ranking, with_implied: bool, with_missing: bool) -> f64 {
    let Some(it) = &ranking.preferences else {
        return 0.0;
    };
    let (mut sum, mut count) = (it.pairs_retrieved.fulfilled, it.pairs_retrieved.count);
    if with_implied {
        sum += it.pairs_implied.fulfilled;
        count += it.pairs_implied.count;
    }
    if with_missing {
        count += it.pairs_missing;
    }
    match count {
        0 => 0.0,
        _ => sum / count as f64,
    }
}

fn mean(numbers: impl Iterator<Item = f64>, count: usize) -> f64 {
    match count {
        0 => 0.0,
        _ => numbers.fold(0.0, |sum, number| sum + number) / count as f64,
    }
}
