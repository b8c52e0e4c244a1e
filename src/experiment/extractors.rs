//! Kind `extractors`: extractors against a gold standard, and the ranked accuracy of WSDM 2010, Figure 2.

use rayon::prelude::*;
use serde::Deserialize;

use super::score::{self, Options};
use super::{Context, Curves, Definition, ExperimentError, Figures, Kind, Outcome};
use crate::extractor::{self, Labeler};
use crate::gold;
use crate::html::{Charset, segment};
use crate::measure::significance;
use crate::score::Counts;

pub(super) const KIND: Kind = Kind {
    name: "extractors",
    summary: "extractors against a gold standard (inputs gold, pages)",
    run,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Settings {
    /// Format of the gold standard.
    format: String,
    /// Names of extractors.
    extractors: Vec<String>,
    /// How pages are decoded.
    #[serde(default = "auto")]
    charset: String,
    /// Name of the diagram's file.
    #[serde(default = "figure")]
    figure: String,
}

fn auto() -> String {
    "auto".to_owned()
}

fn figure() -> String {
    "ranked".to_owned()
}

fn run(definition: &Definition, context: &Context) -> Result<Outcome, ExperimentError> {
    let settings: Settings = definition.options()?;
    let wrong = |text: String| ExperimentError::Definition(text);
    let format = gold::by_name(&settings.format).ok_or_else(|| {
        wrong(format!(
            "no gold standard has the format '{}'",
            settings.format
        ))
    })?;
    let charset: Charset = settings
        .charset
        .parse()
        .map_err(|error| wrong(format!("charset: {error}")))?;
    let extractors: Vec<Labeler> = settings
        .extractors
        .iter()
        .map(|name| extractor::parse(name))
        .collect::<Result<_, _>>()?;
    let pairs = score::pairs(Some(definition.input("gold")?), definition.input("pages")?)?;
    let options = Options {
        extractors: &extractors,
        format: Some(format),
        segmenter: &segment::all()[0],
        charset,
        baseline: None,
        test: &significance::all()[0],
        phrases: 0,
    };
    let scores = score::score(&pairs, &options, context.progress)?;
    let mut outcome = Outcome::default();
    for number in 0..scores
        .extractors
        .first()
        .map_or(0, |first| first.texts.len())
    {
        let rows = scores.extractors.par_iter().map(|extractor| {
            let summary = &extractor.texts[number].summary;
            let (by_page, by_word) = (&summary.macro_average, &summary.micro_average);
            let figures = [
                by_page.precision,
                by_page.recall,
                by_page.f1,
                by_word.f1,
                summary.median_f1,
                summary.below_half,
            ];
            let figures = figures.map(|figure| Some(100.0 * figure));
            (extractor.name.clone(), figures.to_vec())
        });
        outcome.tables.push(Figures {
            name: scores.extractors[0].texts[number].measure.to_owned(),
            of: "extractor".to_owned(),
            columns: [
                "macro P",
                "macro R",
                "macro F1",
                "micro F1",
                "median F1",
                "F1 < 0.5",
            ]
            .map(str::to_owned)
            .to_vec(),
            rows: rows.collect(),
            decimals: 2,
        });
    }
    outcome.curves.push(Curves {
        name: settings.figure,
        title: definition.title.clone(),
        unit: "F1 of words".to_owned(),
        curves: scores
            .extractors
            .iter()
            .filter_map(|extractor| {
                let pages = extractor.texts.first()?.pages.iter();
                let values = pages.map(|(_, counts)| Counts::f1(counts)).collect();
                Some((extractor.name.clone(), values))
            })
            .collect(),
    });
    Ok(outcome)
}
