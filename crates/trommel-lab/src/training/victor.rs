//! Training of the extractor `victor`.

use trommel_extract::victor::{VictorModel, features};

use crate::LabError;
use crate::gold::{GoldLabel, LabelledPage};
use crate::learning::crf::{CrfOptions, Labelled, learn};

/// Trains on pages, each a sequence. A block of which the gold standard says nothing has the label of the one before it.
///
/// # Errors
/// Pages without a label.
pub fn train_victor(pages: &[LabelledPage], options: &CrfOptions) -> Result<VictorModel, LabError> {
    let sequences: Vec<Labelled> = pages.iter().map(sequence).collect();
    if pages
        .iter()
        .all(|page| page.labels.iter().all(Option::is_none))
    {
        let text = "no block has a label; is the gold standard of another format?";
        return Err(LabError::Definition(text.to_owned()));
    }
    let mut field = learn(&sequences, features::count(), options);
    // Four digits are enough, and half of the file.
    let round = |weight: &mut f64| *weight = (*weight * 1e4).round() / 1e4;
    field.state.iter_mut().flatten().for_each(round);
    field.transition.iter_mut().flatten().for_each(round);
    Ok(VictorModel::of(field))
}

fn sequence(page: &LabelledPage) -> Labelled {
    let mut last = false;
    let labels = page.labels.iter().map(|label| {
        last = label.map_or(last, GoldLabel::is_content);
        last
    });
    Labelled {
        labels: labels.collect(),
        places: features::of_blocks(&page.page, &page.segmentation),
    }
}
