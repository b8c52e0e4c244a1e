//! Tuning: values of several parameters at once, found by coordinate ascent, and what such a choice is worth on topics that it
//! was not made on.
//!
//! Coordinate ascent (as for ranking functions by Metzler and Croft, *Linear feature-based models for information retrieval*,
//! Information Retrieval 10, 2007, §4.2): one parameter after another is set to its best value while the others stand, again and
//! again until nothing changes. It ranks a small part of all combinations, and may end on a hill that is not the highest: where
//! two factors are 0, no change of one makes anything better. So it is begun three times, with the least, the middle and the
//! greatest value of every parameter, and the best end counts.
//!
//! The mean of what was chosen, on the topics of the choice, says too much. So the ascent is also made without each fold of the
//! topics in turn, and measured on that fold. No p-value goes with it: a test that takes the choice into account would have to
//! make it again for each pattern of signs, over settings that were never ranked. A sweep over the whole grid has one.

use std::collections::HashMap;

use serde::Serialize;

use super::error::SweepError;
use super::plan::Plan;
use super::run::{Judgments, check, rank_steps};
use super::vary::{Base, Vary, check_varies};
use crate::index::Index;
use crate::measure::deal;
use crate::measure::significance::rounded;
use crate::trec::Qrels;
use crate::weight::Sieve;

/// Seed of the folds: that of sweeps.
const SEED: u64 = super::run::SEED;

/// Rounds at most. An ascent that goes up in each has many more steps than topics to choose by.
const ROUNDS: usize = 50;

/// What tuning gives.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Tuned {
    /// What is as high as can be found.
    pub measure: String,
    /// The model, as it prints.
    pub model: String,
    /// The settings chosen on all topics.
    pub chosen: Setting,
    /// The mean of these settings on the same topics: more than is to be expected on others.
    pub mean: f64,
    /// The mean over the topics, each measured under the settings that were chosen without it.
    pub validated: f64,
    /// The mean of the unfiltered search.
    pub unfiltered: f64,
    /// Topics that are better under the settings chosen without them than unfiltered.
    pub up: usize,
    /// Topics that are worse.
    pub down: usize,
    /// For each fold what was chosen without it.
    pub folds: Vec<TunedFold>,
    /// Settings that were ranked.
    pub ranked: usize,
    /// Settings that there are; the greatest number there is, if they are more.
    pub settings: u64,
}

/// Values of the parameters, and what they make.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Setting {
    /// The values, by name, in the order of the parameters.
    pub values: Vec<(String, String)>,
    /// Filter and weights.
    pub sieve: Sieve,
}

/// A fold of the topics.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct TunedFold {
    /// Its topics.
    pub topics: Vec<String>,
    /// What was chosen on all others.
    pub chosen: Setting,
    /// The mean on its topics.
    pub mean: f64,
    /// The mean of the unfiltered search on its topics.
    pub unfiltered: f64,
}

/// Chooses values for all parameters by the first measure of a plan under its first model.
/// The plan's lines and references say nothing here.
///
/// # Errors
/// Those of a sweep.
pub fn tune(
    index: &Index,
    topics: &[(String, String)],
    qrels: &Qrels,
    plan: &Plan,
    base: &Base,
    varies: &[Vary],
) -> Result<Tuned, SweepError> {
    let (Some(measure), Some(model)) = (plan.measures.first(), plan.models.first()) else {
        return Err(SweepError::NoMeasures);
    };
    check_varies(varies, base)?;
    check(index, topics, Some(qrels), plan)?;
    let mut plan = plan.clone();
    plan.measures.truncate(1);
    plan.models.truncate(1);
    let judged = Judgments::new(index, topics, qrels, &plan)?;
    let ids: Vec<String> = judged.ids().map(str::to_owned).collect();
    let mut ranked = Ranked {
        known: HashMap::new(),
        rank: |sieves: &[Sieve]| rank_steps(index, topics, &plan, &judged, sieves),
        base,
        varies,
    };
    let unfiltered = (ranked.rank)(&[Sieve::default()])?.remove(0);
    let all: Vec<usize> = (0..ids.len()).collect();
    let best = ranked.best(&all)?;
    let (folds, fold_of) = deal(ids.len(), plan.folds, SEED);
    let mut scores = vec![0.0; ids.len()];
    let mut of_folds = Vec::with_capacity(folds);
    for fold in 0..folds {
        let (held_out, others): (Vec<usize>, Vec<usize>) =
            all.iter().partition(|topic| fold_of[**topic] == fold);
        let chosen = ranked.best(&others)?;
        let found = &ranked.known[&chosen];
        held_out
            .iter()
            .for_each(|topic| scores[*topic] = found[*topic]);
        of_folds.push(TunedFold {
            mean: mean(found, &held_out),
            unfiltered: mean(&unfiltered, &held_out),
            topics: held_out.iter().map(|topic| ids[*topic].clone()).collect(),
            chosen: ranked.setting(&chosen)?,
        });
    }
    let changes = |up: bool| {
        let pairs = scores.iter().zip(&unfiltered);
        let differences = pairs.map(|(after, before)| rounded(after - before));
        differences
            .filter(|it| if up { *it > 0.0 } else { *it < 0.0 })
            .count()
    };
    Ok(Tuned {
        measure: measure.to_string(),
        model: model.to_string(),
        mean: mean(&ranked.known[&best], &all),
        chosen: ranked.setting(&best)?,
        validated: mean(&scores, &all),
        unfiltered: mean(&unfiltered, &all),
        up: changes(true),
        down: changes(false),
        folds: of_folds,
        ranked: ranked.known.len(),
        settings: varies
            .iter()
            .map(|vary| vary.thresholds.len() as u64)
            .fold(1, u64::saturating_mul),
    })
}

/// The settings that were ranked, by the numbers of their values, with a score for each judged topic.
struct Ranked<'a, F> {
    known: HashMap<Vec<usize>, Vec<f64>>,
    rank: F,
    base: &'a Base,
    varies: &'a [Vary],
}

impl<F: Fn(&[Sieve]) -> Result<Vec<Vec<f64>>, SweepError>> Ranked<'_, F> {
    fn setting(&self, numbers: &[usize]) -> Result<Setting, SweepError> {
        let mut base = self.base.clone();
        let mut values = Vec::with_capacity(numbers.len());
        for (vary, number) in self.varies.iter().zip(numbers) {
            let value = vary.thresholds[*number];
            base = vary.dimension.set(&base, value)?;
            values.push((vary.dimension.to_string(), value.to_string()));
        }
        Ok(Setting {
            values,
            sieve: base.sieve()?,
        })
    }

    /// Ranks those settings that were not ranked yet.
    fn learn(&mut self, settings: &[Vec<usize>]) -> Result<(), SweepError> {
        let is_new = |setting: &&Vec<usize>| !self.known.contains_key(*setting);
        let new: Vec<Vec<usize>> = settings.iter().filter(is_new).cloned().collect();
        if new.is_empty() {
            return Ok(());
        }
        let sieves = new.iter().map(|setting| Ok(self.setting(setting)?.sieve));
        let sieves = sieves.collect::<Result<Vec<Sieve>, SweepError>>()?;
        let scores = (self.rank)(&sieves)?;
        self.known.extend(new.into_iter().zip(scores));
        Ok(())
    }

    /// The best of what the ascents end with; of several the first.
    fn best(&mut self, topics: &[usize]) -> Result<Vec<usize>, SweepError> {
        let start = |of: fn(usize) -> usize| -> Vec<usize> {
            let counts = self.varies.iter().map(|vary| vary.thresholds.len());
            counts.map(|count| of(count - 1)).collect()
        };
        let mut best: Option<(f64, Vec<usize>)> = None;
        for start in [start(|_| 0), start(|last| last / 2), start(|last| last)] {
            let end = self.ascend(start, topics)?;
            let mean = mean(&self.known[&end], topics);
            if best.as_ref().is_none_or(|(before, _)| mean > *before) {
                best = Some((mean, end));
            }
        }
        Ok(best.map(|(_, end)| end).unwrap_or_default())
    }

    /// The numbers of the values that no change of one makes better on some topics, from a start.
    fn ascend(&mut self, start: Vec<usize>, topics: &[usize]) -> Result<Vec<usize>, SweepError> {
        let mut now = start;
        self.learn(std::slice::from_ref(&now))?;
        for _ in 0..ROUNDS {
            let before = now.clone();
            for (place, vary) in self.varies.iter().enumerate() {
                let with = |number: usize| {
                    let mut setting = now.clone();
                    setting[place] = number;
                    setting
                };
                let settings: Vec<Vec<usize>> = (0..vary.thresholds.len()).map(with).collect();
                self.learn(&settings)?;
                let mean_of = |setting: &Vec<usize>| mean(&self.known[setting], topics);
                let mut best = (now[place], mean_of(&now));
                for (number, setting) in settings.iter().enumerate() {
                    let mean = mean_of(setting);
                    // What is no better stays as it is.
                    if mean > best.1 {
                        best = (number, mean);
                    }
                }
                now[place] = best.0;
            }
            if now == before {
                break;
            }
        }
        Ok(now)
    }
}

/// The mean over some topics, rounded so that what is equal ties.
fn mean(scores: &[f64], topics: &[usize]) -> f64 {
    let sum: f64 = topics.iter().map(|topic| scores[*topic]).sum();
    rounded(sum / topics.len().max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is chosen by made-up scores of two parameters a and b, for each of some sets of topics, and how many settings were ranked by
    /// then.
    fn chosen(
        varies: [&str; 2],
        score: impl Fn(f64, f64) -> Vec<f64>,
        topics: &[&[usize]],
    ) -> Vec<(String, usize)> {
        let varies: Vec<Vary> = varies.map(|text| text.parse().unwrap()).into();
        let base = Base {
            weights: "$a * $b".parse().unwrap(),
            ..Base::default()
        };
        let score = |sieve: &Sieve| {
            let text = sieve.weights.to_string();
            let (a, b) = text.split_once(" * ").unwrap();
            score(a.parse().unwrap(), b.parse().unwrap())
        };
        let mut ranked = Ranked {
            known: HashMap::new(),
            rank: |sieves: &[Sieve]| Ok(sieves.iter().map(score).collect()),
            base: &base,
            varies: &varies,
        };
        let choose = |topics: &&[usize]| {
            let numbers = ranked.best(topics).unwrap();
            let setting = ranked.setting(&numbers).unwrap();
            let values = setting.values.iter();
            let values: Vec<String> = values.map(|(name, it)| format!("{name}={it}")).collect();
            (values.join(" "), ranked.known.len())
        };
        topics.iter().map(choose).collect()
    }

    /// 3 · 4 settings, 2 topics.
    #[test]
    fn ascends_one_parameter_after_another() {
        // The first topic is best at (3, 2), the second at (1, 4); both together at (2, 3).
        let near = |(a, b): (f64, f64), x: f64, y: f64| -((a - x).powi(2) + (b - y).powi(2));
        let score = |a, b| vec![near((a, b), 3.0, 2.0), near((a, b), 1.0, 4.0)];
        let found = chosen(["a=1,2,3", "b=1..4"], score, &[&[0], &[1], &[0, 1]]);
        // From (1, 1): a to 3, b to 2, where nothing is better; by (2, 1), (3, 1) and (3, 2) to (3, 4). From (2, 2) by (1, 2) to
        // (3, 2), from (3, 4) by (1, 4) and (2, 4) to (3, 2). These are all but (1, 3) and (2, 3).
        assert_eq!(found[0], ("a=3 b=2".to_owned(), 10));
        assert_eq!(found[1].0, "a=1 b=4");
        assert_eq!(found[2].0, "a=2 b=3");
    }

    /// Where both factors are 0, no change of one helps.
    #[test]
    fn nothing_is_no_trap() {
        let found = chosen(["a=0..4", "b=0..4"], |a, b| vec![a * b], &[&[0]]);
        assert_eq!(found[0].0, "a=4 b=4");
    }
}
