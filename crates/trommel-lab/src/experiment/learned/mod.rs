//! Kind `wsdm2010-learned`: information gain of the features (WSDM 2010, Figure 1) and the classifiers of its Table 2, each learnt
//! and tested by cross-validation on annotated pages; the trees as rules (Algorithms 1 and 2).

pub mod data;
mod evaluate;
mod rows;
pub mod train;

use rayon::prelude::*;
use serde::Deserialize;

use self::data::{Problem, instances};
use self::evaluate::{cross_validate, folds};
use super::labelled::{LabelledPage, labelled_pages};
use super::score::Pair;
use super::{Context, Definition, ExperimentError, Figures, Kind, Outcome};
use crate::gold;
use trommel_archive as collection;
use trommel_eval::measure::significance::SplitMix64;
use trommel_extract::classifier::Instances;
use trommel_extract::classifier::discretize::information_gain;
use trommel_extract::classifier::tree::Growth;
use trommel_extract::feature::{self, Frequencies, Set};
use trommel_page::html::Charset;
use trommel_page::html::segment;

pub(super) const KIND: Kind = Kind {
    name: "wsdm2010-learned",
    summary: "Figure 1 and Table 2 of WSDM 2010, learnt from annotated pages (input annotated)",
    run,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Settings {
    /// How pages are cut into blocks; each gives tables of its own.
    segmenters: Vec<String>,
    /// Folds of the cross-validation.
    folds: usize,
    /// What the folds divide: block, as Weka does, or page, so that no page is in training and test.
    divide: Divide,
    /// Seed of the division into folds and of the order in which the solver visits blocks.
    seed: u64,
    /// How trees and rules are learnt; each gives tables of its own.
    ways: Vec<Way>,
    /// The rows of Table 2 by name; all without it.
    #[serde(default)]
    algorithms: Vec<String>,
    /// In how many parts the training blocks are divided for reduced-error pruning; the tree is grown from all but one.
    pruning_parts: usize,
}

/// How trees and rules are learnt. Figures are weighted by words, whatever counts here.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Way {
    /// Its name in tables; nothing for the first.
    #[serde(default)]
    name: String,
    /// The least leaf of trees, in words.
    min_leaf: f64,
    /// Is it compared with the number of blocks as well, as Weka's J48 does?
    rows_as_j48: bool,
    /// Are splits taken back that do not lessen the errors in training? J48 does so but where it prunes by held back blocks.
    collapse: bool,
    /// What 1R counts: words, or blocks, as Weka's does, which knows no weights.
    one_rule_counts: Counted,
    /// The least number of the most frequent class in an interval of 1R, of that.
    min_bucket: f64,
}

#[derive(Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "kebab-case")]
enum Counted {
    Words,
    Blocks,
}

#[derive(Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "kebab-case")]
enum Divide {
    Block,
    Page,
}

impl Way {
    fn growth(&self) -> Growth {
        Growth {
            min_leaf: self.min_leaf,
            rows_as_j48: self.rows_as_j48,
        }
    }
}

fn run(definition: &Definition, context: &Context) -> Result<Outcome, ExperimentError> {
    let settings: Settings = definition.options()?;
    let wrong = |text: &str| ExperimentError::Definition(text.to_owned());
    if settings.folds < 2 || settings.pruning_parts < 2 {
        return Err(wrong("folds and pruning-parts are 2 or more"));
    }
    let set = feature::by_name("wsdm").ok_or_else(|| wrong("no set is called 'wsdm'"))?;
    let mut outcome = Outcome::default();
    for name in &settings.segmenters {
        let pages = pages(definition, name, context)?;
        for problem in [Problem::TwoClasses, Problem::FourClasses] {
            let instances = all_features(&pages, set, problem);
            let divided = divided(&pages, &instances, &settings);
            let is_asked = |row: &rows::Row| {
                settings.algorithms.is_empty()
                    || settings.algorithms.iter().any(|of| of == row.name)
            };
            let rows: Vec<rows::Row> = rows::all().into_iter().filter(is_asked).collect();
            outcome.tables.push(gains(&instances, problem, name));
            for (number, way) in settings.ways.iter().enumerate() {
                let rows: Vec<&rows::Row> = rows
                    .iter()
                    .filter(|row| number == 0 || row.depends_on_way())
                    .collect();
                let results: Vec<_> = rows
                    .par_iter()
                    .map(|row| {
                        let result = cross_validate(row, &instances, &divided, &settings, way);
                        (context.progress)();
                        result
                    })
                    .collect();
                let mut of = format!("{}; {name} blocks", problem.name());
                if !way.name.is_empty() {
                    of = format!("{of}; {}", way.name);
                }
                outcome.tables.push(Figures {
                    name: format!("Table 2, {of}"),
                    of: "algorithm".to_owned(),
                    columns: COLUMNS.map(str::to_owned).to_vec(),
                    rows: rows
                        .iter()
                        .zip(&results)
                        .map(|(row, result)| (row.name.to_owned(), result.figures.to_vec()))
                        .collect(),
                    decimals: vec![0, 1, 1, 1, 1, 1, 0],
                    ..Figures::default()
                });
                for (row, result) in rows.iter().zip(results) {
                    if !result.rules.is_empty() {
                        outcome
                            .rules
                            .push((format!("{}, {of}", row.name), result.rules));
                    }
                }
            }
        }
    }
    Ok(outcome)
}

const COLUMNS: [&str; 7] = [
    "dim",
    "precision",
    "recall",
    "F1",
    "FP rate",
    "ROC AUC",
    "leaves",
];

fn pages(
    definition: &Definition,
    segmenter: &str,
    context: &Context,
) -> Result<Vec<LabelledPage>, ExperimentError> {
    let wrong = |text: String| ExperimentError::Definition(text);
    let segmenter = segment::by_name(segmenter)
        .ok_or_else(|| wrong(format!("no segmenter is called '{segmenter}'")))?;
    let format = gold::by_name("gn1").ok_or_else(|| wrong("no format gn1".to_owned()))?;
    let folder = definition.input("annotated")?;
    let inputs = collection::inputs(&[folder.to_owned()])
        .map_err(|error| ExperimentError::file(folder, std::io::Error::other(error.to_string())))?;
    let pairs: Vec<Pair> = inputs
        .into_iter()
        .filter_map(|input| {
            let path = input.path?;
            Some(Pair {
                name: path.file_stem()?.to_string_lossy().into_owned(),
                page: path.clone(),
                gold: Some(path),
            })
        })
        .collect();
    labelled_pages(&pairs, format, segmenter, Charset::Auto, context.progress)
}

fn all_features(pages: &[LabelledPage], set: &Set, problem: Problem) -> Instances {
    let mut frequencies = Frequencies::default();
    for page in pages {
        frequencies.add(&page.segmentation);
    }
    instances(pages, set, &frequencies, problem)
}

/// For each block its fold.
fn divided(pages: &[LabelledPage], instances: &Instances, settings: &Settings) -> Vec<usize> {
    let mut random = SplitMix64::new(settings.seed);
    if settings.divide == Divide::Block {
        return folds(
            instances,
            &instances.all_rows(),
            settings.folds,
            &mut random,
        );
    }
    let mut order: Vec<usize> = (0..pages.len()).collect();
    for place in (1..order.len()).rev() {
        order.swap(place, random.below(place + 1));
    }
    let blocks = pages.iter().zip(order);
    blocks
        .flat_map(|(page, place)| {
            let labelled = page.labels.iter().filter(|label| label.is_some());
            labelled.map(move |_| place % settings.folds)
        })
        .collect()
}

/// Figure 1: features by their gain.
fn gains(instances: &Instances, problem: Problem, segmenter: &str) -> Figures {
    let rows = instances.all_rows();
    let mut gains: Vec<(String, f64)> = (0..instances.features.len())
        .into_par_iter()
        .map(|feature| {
            let gain = information_gain(instances, feature, &rows);
            (instances.features[feature].clone(), gain)
        })
        .collect();
    gains.sort_by(|a, b| b.1.total_cmp(&a.1));
    let part = match problem {
        Problem::TwoClasses => "1a",
        Problem::FourClasses => "1b",
    };
    Figures {
        name: format!("Figure {part}, {}; {segmenter} blocks", problem.name()),
        of: "feature".to_owned(),
        columns: vec!["information gain, bits".to_owned()],
        rows: gains
            .into_iter()
            .map(|(name, gain)| (name, vec![Some(gain)]))
            .collect(),
        decimals: vec![3],
        ..Figures::default()
    }
}

/// What came of a row of Table 2.
struct RowResult {
    figures: [Option<f64>; COLUMNS.len()],
    /// What was learnt from all blocks, if it is short enough to be read.
    rules: String,
}
