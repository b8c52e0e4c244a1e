//! Kind `extractors`: extractors against a gold standard, and the ranked accuracy of WSDM 2010, Figure 2.

use rayon::prelude::*;
use serde::Deserialize;
use trommel_eval::measure::significance;
use trommel_extract as extractor;
use trommel_page::html::Charset;
use trommel_page::html::segment::{self, Segmenter};

use super::{Context, Curves, Definition, Figures, Kind, Outcome};
use crate::LabError;
use crate::gold::{self, pairs};
use crate::score::{Counts, TextMeasure};
use crate::scoring::{self, ScoreOptions, Scores};

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
    /// Measures on texts, one table each; the diagram shows the first.
    #[serde(default = "words")]
    measures: Vec<String>,
    /// The blocks on which labels are scored, in a table of their own.
    #[serde(default)]
    segmenter: Option<String>,
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

fn words() -> Vec<String> {
    vec!["words".to_owned()]
}

fn figure() -> String {
    "ranked".to_owned()
}

fn run(definition: &Definition, context: &Context) -> Result<Outcome, LabError> {
    let settings: Settings = definition.options()?;
    let wrong = |text: String| LabError::Definition(text);
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
    let names = settings.extractors.iter().map(String::as_str);
    let extractors = extractor::parse_all(names)?;
    let measures = settings.measures.iter().map(|name| {
        crate::score::by_name(name).ok_or_else(|| wrong(format!("there is no measure '{name}'")))
    });
    let measures: Vec<&TextMeasure> = measures.collect::<Result<_, _>>()?;
    let segmenter = settings.segmenter.as_ref().map(|name| {
        segment::by_name(name).ok_or_else(|| wrong(format!("there is no segmenter '{name}'")))
    });
    let segmenter: Option<&Segmenter> = segmenter.transpose()?;
    let pairs = pairs(Some(definition.input("gold")?), definition.input("pages")?)?;
    let options = ScoreOptions {
        extractors: &extractors,
        format: Some(format),
        measures: &measures,
        segmenter,
        charset,
        baseline: None,
        test: &significance::all()[0],
        phrases: 0,
    };
    let scores = scoring::score(&pairs, &options, context.progress)?;
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
            decimals: vec![2; 6],
            ..Figures::default()
        });
    }
    if let Some(segmenter) = segmenter {
        outcome.tables.push(blocks(&scores, segmenter));
    }
    outcome
        .tables
        .iter_mut()
        .for_each(|table| mark(table, &scores));
    outcome.curves.push(Curves {
        name: settings.figure,
        title: definition.title.clone(),
        unit: format!("F1 of {}", measures.first().map_or("", |first| first.name)),
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

/// Says beside the figures of extractors on how many of these pages they were trained, if one was; of a model that does not say it is
/// no number.
fn mark(table: &mut Figures, scores: &Scores) {
    let seen = |name: &str| {
        let extractor = scores.extractors.iter().find(|it| it.name == name)?;
        extractor.seen_pages
    };
    if table.rows.iter().all(|(name, _)| seen(name) == Some(0)) {
        return;
    }
    table.columns.push("trained on, pages".to_owned());
    table.decimals.push(0);
    for (name, figures) in &mut table.rows {
        figures.push(match seen(name) {
            Some(0) => None,
            Some(pages) => Some(pages as f64),
            None => Some(f64::NAN),
        });
    }
}

/// Labels against the gold standard's, every block counting 1.
fn blocks(scores: &Scores, segmenter: &Segmenter) -> Figures {
    let rows = scores.extractors.iter().filter_map(|extractor| {
        let rates = extractor.blocks?.rates();
        let figures = [rates.accuracy, rates.precision, rates.recall, rates.f1];
        let figures = figures.map(|figure| Some(100.0 * figure));
        Some((extractor.name.clone(), figures.to_vec()))
    });
    Figures {
        name: format!("blocks of the segmenter {}", segmenter.name),
        of: "extractor".to_owned(),
        columns: ["accuracy", "precision", "recall", "F1"]
            .map(str::to_owned)
            .to_vec(),
        rows: rows.collect(),
        decimals: vec![2; 4],
        ..Figures::default()
    }
}
