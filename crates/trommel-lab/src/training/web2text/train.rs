//! Training of the two networks (Web2Text §3.4 and §4.2).

use serde::{Deserialize, Serialize};
use trommel_extract::classifier::network::Network;
use trommel_extract::{Potentials, Web2TextModel};
use trommel_text::SplitMix64;

use super::division::shuffle;
use super::sequence::Sequence;
use crate::LabError;
use crate::learning::network::{self, Example, Rates, Training, cross_entropy};
use crate::learning::standardize::scales;

/// Kernels and outputs of the layers but the last, which has an output for each class.
const LAYERS: [(usize, usize); 4] = [(1, 50), (1, 50), (3, 50), (3, 10)];
const LAST_KERNEL: usize = 3;

/// How networks are trained. The defaults are the paper's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[non_exhaustive]
pub struct Web2TextOptions {
    /// Steps.
    pub iterations: usize,
    /// Excerpts in a step.
    pub batch: usize,
    /// Text nodes in an excerpt.
    pub excerpt: usize,
    /// Adam's step size.
    pub learning_rate: f64,
    /// Share of the weights that are left out in a step.
    pub dropout: f64,
    /// Weight decay.
    pub decay: f64,
    /// The pages for validation are looked at after each so many steps.
    pub every: usize,
    /// Seed of the first weights, of the excerpts and of dropout.
    pub seed: u64,
}

impl Default for Web2TextOptions {
    fn default() -> Self {
        Web2TextOptions {
            iterations: 5000,
            batch: 128,
            excerpt: 9,
            learning_rate: 1e-3,
            dropout: 0.2,
            decay: 1e-4,
            every: 100,
            seed: 2018,
        }
    }
}

impl Web2TextOptions {
    /// # Errors
    /// Counts of 0, and rates out of their range.
    fn check(&self) -> Result<(), LabError> {
        let counts = [self.iterations, self.batch, self.excerpt, self.every];
        let rates = [self.learning_rate, self.decay];
        let wrong = if counts.contains(&0) || self.excerpt == 1 {
            "iterations, batch and every are 1 or more, excerpt is 2 or more"
        } else if !rates.iter().all(|rate| (0.0..=1.0).contains(rate)) {
            "learning rate and decay are from 0 to 1"
        } else if !(0.0..1.0).contains(&self.dropout) {
            "dropout is from 0 to less than 1"
        } else {
            return Ok(());
        };
        Err(LabError::Definition(wrong.to_owned()))
    }
}

/// How far training has come.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Progress {
    /// `unary` or `pairwise`.
    pub network: &'static str,
    /// Steps so far.
    pub iteration: usize,
    /// Mean cross-entropy in nats: of the steps since the last time, with dropout.
    pub training: f64,
    /// Of the pages for validation; none without any.
    pub validation: Option<f64>,
}

/// What was trained.
#[derive(Debug, Clone)]
pub struct Trained {
    /// The model.
    pub model: Web2TextModel,
    /// Where each network was best.
    pub chosen: [Progress; 2],
}

/// Trains both networks, side by side, and takes for each the weights with the least cross-entropy on the pages for validation (the
/// last weights without such pages). Pages count alike: each round takes one excerpt of each page, in random order, as the authors' program
/// does it. Text nodes that the gold standard does not label are seen but not learnt from.
///
/// The same pages and options give the same model, whatever the number of threads.
///
/// # Errors
/// Options out of their range, and pages without a labelled pair of neighbours.
pub fn train_web2text(
    training: &[&Sequence],
    validation: &[&Sequence],
    options: &Web2TextOptions,
    progress: &(dyn Fn(&Progress) + Sync),
) -> Result<Trained, LabError> {
    options.check()?;
    let is_labelled = |page: &&Sequence| page.pair_classes.iter().any(Option::is_some);
    let usable: Vec<&Sequence> = training.iter().copied().filter(is_labelled).collect();
    if usable.is_empty() {
        let text =
            "no two neighbouring text nodes have labels; is the gold standard of another format?";
        return Err(LabError::Definition(text.to_owned()));
    }
    let of = |pairs| Problem {
        name: if pairs { "pairwise" } else { "unary" },
        pairs,
        training: &usable,
        validation,
        options,
    };
    let (unary, pairwise) = rayon::join(|| of(false).train(progress), || of(true).train(progress));
    Ok(Trained {
        model: Web2TextModel {
            unary: unary.0,
            pairwise: pairwise.0,
        },
        chosen: [unary.1, pairwise.1],
    })
}

/// Training of one network.
struct Problem<'a> {
    name: &'static str,
    pairs: bool,
    training: &'a [&'a Sequence],
    validation: &'a [&'a Sequence],
    options: &'a Web2TextOptions,
}

/// A page, standardized.
struct Rows {
    values: Vec<f32>,
    classes: Vec<Option<u8>>,
}

impl Problem<'_> {
    fn train(&self, progress: &(dyn Fn(&Progress) + Sync)) -> (Potentials, Progress) {
        let features = Potentials::set(self.pairs).map_or(Vec::new(), |set| (set.features)());
        let is_binary: Vec<bool> = features.iter().map(|of| of.unit == "1/0").collect();
        let width = features.len().max(1);
        let values = self.training.iter().map(|page| self.values(page));
        let scales = scales(values.flat_map(|of| of.chunks_exact(width)), &is_binary);
        let rows = |pages: &[&Sequence]| -> Vec<Rows> {
            let pages = pages.iter().map(|page| {
                let mut values = self.values(page).to_vec();
                scales.apply(&mut values);
                let classes = match self.pairs {
                    true => page.pair_classes.clone(),
                    false => page.classes.clone(),
                };
                Rows { values, classes }
            });
            pages.collect()
        };
        let (training, validation) = (rows(self.training), rows(self.validation));
        let (network, chosen) = self.optimize(&training, &validation, width, progress);
        let potentials = Potentials {
            features: features.into_iter().map(|of| of.name).collect(),
            scales,
            network,
        };
        (potentials, chosen)
    }

    fn values<'s>(&self, page: &'s Sequence) -> &'s [f32] {
        if self.pairs {
            &page.pairs
        } else {
            &page.blocks
        }
    }

    fn optimize(
        &self,
        training: &[Rows],
        validation: &[Rows],
        width: usize,
        progress: &(dyn Fn(&Progress) + Sync),
    ) -> (Network, Progress) {
        let options = self.options;
        let mut random = SplitMix64::new(options.seed);
        let layers: Vec<(usize, usize)> = LAYERS
            .into_iter()
            .chain([(LAST_KERNEL, if self.pairs { 4 } else { 2 })])
            .collect();
        let network = network::initial(width, &layers, &mut || uniform(&mut random));
        let rates = Rates {
            learning: options.learning_rate,
            dropout: options.dropout,
            decay: options.decay,
        };
        let mut state = Training::of(network, rates);
        // Of an excerpt of n text nodes there are n − 1 pairs.
        let length = options.excerpt - usize::from(self.pairs);
        let mut order: Vec<usize> = (0..training.len()).collect();
        let mut at = order.len();
        let mut best: Option<(Network, Progress)> = None;
        let mut loss = 0.0;
        for iteration in 1..=options.iterations {
            let mut batch = Vec::with_capacity(options.batch);
            while batch.len() < options.batch {
                if at == order.len() {
                    shuffle(&mut order, &mut random);
                    at = 0;
                }
                batch.push(training[order[at]].excerpt(length, width, &mut random));
                at += 1;
            }
            loss += state.step(&batch, &mut || uniform(&mut random));
            if iteration % options.every != 0 && iteration != options.iterations {
                continue;
            }
            let steps = match iteration % options.every {
                0 => options.every,
                steps => steps,
            };
            // The weights that are tried are those that a file would hold.
            let network = state.network.clone().rounded();
            let now = Progress {
                network: self.name,
                iteration,
                training: loss / steps as f64,
                validation: mean_loss(&network, validation),
            };
            loss = 0.0;
            progress(&now);
            let is_best =
                best.as_ref()
                    .is_none_or(|(_, best)| match (now.validation, best.validation) {
                        (Some(now), Some(best)) => now < best,
                        _ => true,
                    });
            if is_best {
                best = Some((network, now));
            }
        }
        best.unwrap_or_else(|| {
            let none = Progress {
                network: self.name,
                iteration: 0,
                training: 0.0,
                validation: None,
            };
            (state.network, none)
        })
    }
}

impl Rows {
    /// A stretch of so many rows at a random place; the whole page if it is shorter.
    fn excerpt(&self, length: usize, width: usize, random: &mut SplitMix64) -> Example<'_> {
        let rows = self.classes.len();
        let length = length.min(rows);
        let first = random.below(rows - length + 1);
        Example {
            input: &self.values[first * width..(first + length) * width],
            classes: &self.classes[first..first + length],
        }
    }
}

/// Mean cross-entropy of the rows that count, none if no row does.
fn mean_loss(network: &Network, pages: &[Rows]) -> Option<f64> {
    let losses = pages.iter().map(|page| {
        let example = Example {
            input: &page.values,
            classes: &page.classes,
        };
        cross_entropy(network, example)
    });
    let (sum, count) = losses.fold((0.0, 0), |sum, of| (sum.0 + of.0, sum.1 + of.1));
    (count > 0).then(|| sum / count as f64)
}

/// A number in 0..1, of 53 bits.
fn uniform(random: &mut SplitMix64) -> f64 {
    (random.bits() >> 11) as f64 / (1u64 << 53) as f64
}
