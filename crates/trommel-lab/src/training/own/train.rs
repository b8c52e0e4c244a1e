//! Training of the extractor `trommel`.

use std::path::Path;

use trommel_archive as collection;
use trommel_extract::classifier::boosting::Boosted;
use trommel_extract::feature;
use trommel_extract::own::{Convention, Training, TrainingCorpus, TrommelModel};
use trommel_text::SplitMix64;

use super::corpus::Corpus;
use super::pages::{LearningPage, LearningParagraph};
use crate::LabError;
use crate::learning::boosting::{self, Binned, Boosting};

/// How many intervals a feature's values are cut into.
const INTERVALS: usize = 63;

/// How the trees of the main content are grown. The other models have half as many.
pub const BOOSTING: Boosting = Boosting {
    trees: 70,
    leaves: 24,
    depth: 16,
    rate: 0.2,
    min_rows: 40,
    l2: 5.0,
    row_share: 0.7,
    feature_share: 0.25,
};

/// Learns the models from pages. The same seed gives the same trees.
pub fn train(pages: &[&LearningPage], boosting: &Boosting, seed: u64) -> TrommelModel {
    let features = feature::by_name("trommel").map_or_else(Vec::new, |set| (set.features)());
    let pages: Vec<&LearningPage> = pages.iter().copied().filter(|of| of.counts()).collect();
    let paragraphs: Vec<&LearningParagraph> =
        pages.iter().flat_map(|page| &page.paragraphs).collect();
    let mut columns = vec![Vec::with_capacity(paragraphs.len()); features.len()];
    for page in &pages {
        for paragraph in 0..page.paragraphs.len() {
            for (column, value) in columns.iter_mut().zip(page.row(paragraph).values) {
                column.push(*value);
            }
        }
    }
    let data = Binned::new(&columns, INTERVALS);
    drop(columns);
    type Of<T> = fn(&LearningParagraph) -> T;
    let learn = |label: Of<Option<f32>>, weight: Of<f32>, trees: usize| -> Boosted {
        let labels = paragraphs.iter().map(|of| label(of).unwrap_or(0.0));
        let labels: Vec<f32> = labels.collect();
        let weights: Vec<f32> = paragraphs.iter().map(|of| weight(of)).collect();
        let rows: Vec<u32> = (0..paragraphs.len() as u32)
            .filter(|row| label(paragraphs[*row as usize]).is_some())
            .collect();
        let mut random = SplitMix64::new(seed);
        let boosting = Boosting { trees, ..*boosting };
        boosting::learn(&data, &labels, &weights, &rows, &boosting, &mut |bound| {
            random.below(bound)
        })
    };
    // Where no gold standard is of a convention, the others are better than nothing.
    let main = |convention: Convention, trees: usize| {
        let label: Of<Option<f32>> = match convention {
            _ if !paragraphs.iter().any(|of| of.convention == convention) => |of| Some(of.main),
            Convention::Article => |of| of.main_of(Convention::Article),
            Convention::Main => |of| of.main_of(Convention::Main),
        };
        learn(label, |of| of.weight, trees)
    };
    TrommelModel {
        training: Training::default(),
        article: main(Convention::Article, boosting.trees),
        main: main(Convention::Main, 2 * boosting.trees),
        comments: learn(|of| of.comments, |of| of.weight, boosting.trees / 2),
        // Related content is lists of headlines: by their words they would hardly count.
        related: learn(|of| of.related, |_| 1.0, boosting.trees / 2),
        features: features.into_iter().map(|feature| feature.name).collect(),
    }
}

/// What a model is learnt from, for its file. Pages are hashed as their files are now.
///
/// # Errors
/// A file that cannot be read.
pub fn training(
    corpora: &[Corpus],
    pages: &[LearningPage],
    seed: u64,
) -> Result<Training, LabError> {
    let of = |(number, corpus): (usize, &Corpus)| {
        let pages = || {
            let of_corpus = pages.iter().filter(move |page| page.corpus == number);
            of_corpus.filter(|page| page.counts())
        };
        let mut lines = String::new();
        for page in pages() {
            let wrong = |error| LabError::file(&page.path, error);
            let file = collection::sha256_of_file(&page.path).map_err(wrong)?;
            let gold = collection::sha256_of(page.gold.plain.as_bytes()).map_err(wrong)?;
            lines.push_str(&format!("{}\t{file}\t{gold}\n", page.name));
        }
        let sha256 = collection::sha256_of(lines.as_bytes())
            .map_err(|error| LabError::file(Path::new(&corpus.name), error))?;
        Ok(TrainingCorpus {
            name: corpus.name.clone(),
            pages: pages().count(),
            paragraphs: pages().map(|page| page.paragraphs.len()).sum(),
            credit: corpus.format.map_or("", |of| of.credit).to_owned(),
            sha256,
        })
    };
    Ok(Training {
        trommel_version: env!("CARGO_PKG_VERSION").to_owned(),
        seed,
        corpora: corpora
            .iter()
            .enumerate()
            .map(of)
            .collect::<Result<_, LabError>>()?,
    })
}
