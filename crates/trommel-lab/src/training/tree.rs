//! Training of the extractor `tree`.

use trommel_extract::TreeModel;
use trommel_extract::classifier::tree::Tree;
use trommel_extract::feature::{Dimensions, Frequencies, Set};
use trommel_text::SplitMix64;

use super::instances::{Problem, instances};
use crate::LabError;
use crate::gold::LabelledPage;
use crate::learning::Instances;
use crate::learning::tree::{self, Growth};

/// How a tree is trained. By default it tells content from boilerplate by the words of Algorithm 2, as the paper's simplified trees.
#[derive(Debug, Clone)]
#[non_exhaustive]
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

impl Default for TreeOptions {
    fn default() -> Self {
        TreeOptions {
            features: vec!["words".to_owned()],
            problem: Problem::TwoClasses,
            growth: Growth {
                min_leaf: 1000.0,
                rows_as_j48: false,
            },
            pruning_parts: 3,
            seed: 2010,
        }
    }
}

/// Selections of features by name: those of Algorithms 2 and 1, of the block, and of the block with its neighbours.
pub fn selections() -> &'static [&'static str] {
    &["words", "densities", "local", "context"]
}

/// What Algorithm 2 looks at.
pub const WORDS_AND_LINKS: [&str; 6] = [
    "curr_num_words",
    "curr_link_density",
    "prev_num_words",
    "prev_link_density",
    "next_num_words",
    "next_link_density",
];

/// What Algorithm 1 looks at.
pub const DENSITIES: [&str; 6] = [
    "curr_text_density",
    "curr_link_density",
    "prev_text_density",
    "prev_link_density",
    "next_text_density",
    "next_link_density",
];

/// Trains a tree. The frequencies of texts are not looked at: an extractor sees one page.
///
/// # Errors
/// A feature that there is not, or that looks beyond the page, and pages without a labelled block.
pub fn train_tree(
    pages: &[LabelledPage],
    set: &Set,
    options: &TreeOptions,
) -> Result<TreeModel, LabError> {
    let all = instances(pages, set, &Frequencies::default(), options.problem);
    if all.is_empty() {
        let text = "no block has a label; is the gold standard of another format?";
        return Err(LabError::Definition(text.to_owned()));
    }
    let columns = columns(&all.features, &options.features)?;
    let instances = all.with_features(&columns);
    let rows = instances.all_rows();
    let tree = match options.pruning_parts {
        0 | 1 => tree::learn(&instances, &rows, &options.growth),
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

/// For each of all rows a part of `parts`; the given rows are dealt out class by class in random order, so that each part has its
/// share of each class (stratified, as Weka does it). Rows that are not given are in part 0.
pub fn folds(
    instances: &Instances,
    rows: &[u32],
    parts: usize,
    random: &mut SplitMix64,
) -> Vec<usize> {
    let mut order = rows.to_vec();
    for place in (1..order.len()).rev() {
        order.swap(place, random.below(place + 1));
    }
    order.sort_by_key(|row| instances.class_of[*row as usize]);
    let mut part_of = vec![0; instances.len()];
    for (place, row) in order.into_iter().enumerate() {
        part_of[row as usize] = place % parts;
    }
    part_of
}

/// Grows a tree from all but one of `parts` stratified parts of the rows, and prunes it by its errors on that one.
pub fn pruned_tree(
    instances: &Instances,
    rows: &[u32],
    growth: &Growth,
    parts: usize,
    random: &mut SplitMix64,
) -> Tree {
    let part_of = folds(instances, rows, parts, random);
    let (held_back, grow): (Vec<u32>, Vec<u32>) =
        rows.iter().partition(|row| part_of[**row as usize] == 0);
    let mut tree = tree::learn(instances, &grow, growth);
    tree::prune(&mut tree, instances, &held_back);
    tree
}

fn columns(known: &[String], asked: &[String]) -> Result<Vec<usize>, LabError> {
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
                columns.push(place.ok_or_else(|| LabError::NoFeature {
                    name: name.to_owned(),
                    selections: selections(),
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Each part has its share of each class, and all rows are in a part.
    #[test]
    fn stratified() {
        let instances = Instances {
            class_of: (0..100).map(|row| u8::from(row % 5 == 0)).collect(),
            ..Instances::default()
        };
        let mut random = SplitMix64::new(1);
        let part_of = folds(&instances, &instances.all_rows(), 10, &mut random);
        for part in 0..10 {
            let of_part = (0..100).filter(|row| part_of[*row] == part);
            let classes: Vec<u8> = of_part.map(|row| instances.class_of[row]).collect();
            let ones = classes.iter().filter(|class| **class == 1).count();
            assert_eq!((classes.len(), ones), (10, 2));
        }
    }
}
