//! Kind `wsdm2010-learned`: information gain of the features (WSDM 2010, Figure 1) and the classifiers of its Table 2, each learnt
//! and tested by cross-validation on annotated pages; the trees as rules (Algorithms 1 and 2).

mod evaluate;
mod rows;
mod settings;

use rayon::prelude::*;
use trommel_archive as collection;
use trommel_extract::feature::{self, Frequencies, Set};
use trommel_page::html::{Charset, segment};
use trommel_text::SplitMix64;

use self::evaluate::{COLUMNS, cross_validate};
use self::settings::{Divide, Settings};
use super::{Context, Definition, Figures, Kind, Outcome};
use crate::LabError;
use crate::gold::{self, LabelledPage, Pair, labelled_pages};
use crate::learning::Instances;
use crate::learning::discretize::information_gain;
use crate::training::instances::{Problem, instances};
use crate::training::tree::folds;

pub(super) const KIND: Kind = Kind {
    name: "wsdm2010-learned",
    summary: "Figure 1 and Table 2 of WSDM 2010, learnt from annotated pages (input annotated)",
    run,
};

fn run(definition: &Definition, context: &Context) -> Result<Outcome, LabError> {
    let settings: Settings = definition.options()?;
    let wrong = |text: &str| LabError::Definition(text.to_owned());
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

fn pages(
    definition: &Definition,
    segmenter: &str,
    context: &Context,
) -> Result<Vec<LabelledPage>, LabError> {
    let wrong = |text: String| LabError::Definition(text);
    let segmenter = segment::by_name(segmenter)
        .ok_or_else(|| wrong(format!("no segmenter is called '{segmenter}'")))?;
    let format = gold::by_name("gn1").ok_or_else(|| wrong("no format gn1".to_owned()))?;
    let folder = definition.input("annotated")?;
    let inputs = collection::inputs(&[folder.to_owned()])
        .map_err(|error| LabError::file(folder, std::io::Error::other(error.to_string())))?;
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
