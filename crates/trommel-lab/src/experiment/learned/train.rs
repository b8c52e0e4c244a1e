//! Training of the extractor `tree`.

use super::data::{Problem, instances};
use super::evaluate::pruned_tree;
use super::rows::{DENSITIES, WORDS_AND_LINKS};
use crate::experiment::ExperimentError;
use crate::experiment::labelled::LabelledPage;
use trommel_eval::measure::significance::SplitMix64;
use trommel_extract::TreeModel;
use trommel_extract::classifier::tree::{Growth, Tree};
use trommel_extract::feature::{Dimensions, Frequencies, Set};

/// How a tree is trained.
#[derive(Debug, Clone)]
pub struct TreeOptions {
    /// A selection (see [`selections`]) or names of features.
    pub features: Vec<String>,
    /// Which classes it tells apart.
    pub problem: Problem,
    /// When it stops to grow.
    pub growth: Growth,
    /// In how many parts the blocks are divided for reduced-error pruning; the tree is grown from all but one. 0: not pruned.
    pub pruning_parts: usize,
    /// Seed of that division.
    pub seed: u64,
}

/// Selections of features by name: those of Algorithms 2 and 1, of the block, and of the block with its neighbours.
pub fn selections() -> &'static [&'static str] {
    &["words", "densities", "local", "context"]
}

/// Trains a tree. The frequencies of texts are not looked at: an extractor sees one page.
///
/// # Errors
/// A feature that there is not, or that looks beyond the page, and pages without a labelled block.
pub fn train_tree(
    pages: &[LabelledPage],
    set: &Set,
    options: &TreeOptions,
) -> Result<TreeModel, ExperimentError> {
    let all = instances(pages, set, &Frequencies::default(), options.problem);
    if all.is_empty() {
        let text = "no block has a label; is the gold standard of another format?";
        return Err(ExperimentError::Definition(text.to_owned()));
    }
    let columns = columns(&all.features, &options.features)?;
    let instances = all.with_features(&columns);
    let rows = instances.all_rows();
    let tree = match options.pruning_parts {
        0 | 1 => Tree::learn(&instances, &rows, &options.growth),
        parts => {
            let mut random = SplitMix64::new(options.seed);
            pruned_tree(&instances, &rows, &options.growth, parts, &mut random)
        }
    };
    Ok(TreeModel {
        set: set.name.to_owned(),
        content: (0..instances.classes.len())
            .map(|class| class > 0)
            .collect(),
        tree,
    })
}

fn columns(known: &[String], asked: &[String]) -> Result<Vec<usize>, ExperimentError> {
    let mut columns = Vec::new();
    for name in asked {
        match name.as_str() {
            "local" => columns.extend(Dimensions::Local.columns()),
            "context" => columns.extend(Dimensions::Context.columns()),
            "words" => columns.extend(places(known, &WORDS_AND_LINKS)),
            "densities" => columns.extend(places(known, &DENSITIES)),
            name => {
                let place = known.iter().position(|of| of == name);
                let place = place.filter(|_| !name.ends_with("_frequency"));
                columns.push(place.ok_or_else(|| {
                    ExperimentError::Definition(format!(
                        "a tree cannot look at '{name}'; there are the selections {} and the features of one page that \
                         'trommel features' names",
                        selections().join(", ")
                    ))
                })?);
            }
        }
    }
    columns.sort_unstable();
    columns.dedup();
    Ok(columns)
}

fn places(known: &[String], names: &[&str]) -> Vec<usize> {
    let place = |name: &&str| known.iter().position(|of| of == name);
    names.iter().filter_map(place).collect()
}
