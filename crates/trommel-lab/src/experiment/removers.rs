//! Kind `removers`: extractors against several gold standards in one table, with what a page costs.

use rayon::prelude::*;
use serde::Deserialize;
use trommel_extract::{self as extractor, Extractor, Subject};
use trommel_page::Page;
use trommel_page::html::{self, Charset, Limits};

use super::{Context, Definition, Figures, Kind, Outcome};
use crate::LabError;
use crate::gold::{self, Pair, pairs};
use crate::score;
use crate::scoring::{self, ScoreOptions};

pub(super) const KIND: Kind = Kind {
    name: "removers",
    summary: "extractors against several gold standards, with CPU time a page (inputs as it names them)",
    run,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Settings {
    /// Names of extractors.
    extractors: Vec<String>,
    /// The gold standards, a pair of columns each.
    corpora: Vec<Corpus>,
    /// How texts are measured.
    measure: String,
    /// How pages are decoded.
    charset: String,
    /// Pages of each gold standard on which time is taken, evenly drawn.
    timed_pages: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Corpus {
    /// Its name in the table.
    name: String,
    /// The input with its gold files.
    gold: String,
    /// The input with its pages.
    pages: String,
    /// Its format.
    format: String,
    /// How its texts are measured, if not as the others'.
    #[serde(default)]
    measure: Option<String>,
}

fn run(definition: &Definition, context: &Context) -> Result<Outcome, LabError> {
    let settings: Settings = definition.options()?;
    let wrong = |text: String| LabError::Definition(text);
    let charset: Charset = settings
        .charset
        .parse()
        .map_err(|error| wrong(format!("charset: {error}")))?;
    let measure_of = |name: &str| {
        let measure = score::all().iter().find(|measure| measure.name == name);
        measure.ok_or_else(|| wrong(format!("there is no measure '{name}'")))
    };
    let usual = measure_of(&settings.measure)?;
    let names = settings.extractors.iter().map(String::as_str);
    let extractors = extractor::parse_all(names)?;
    let mut table = Figures {
        name: "removers".to_owned(),
        note: format!(
            "Macro F1 and micro F1 by {} where nothing else is said, in percent; on how many of the pages the model was trained.",
            usual.name
        ),
        of: "extractor".to_owned(),
        rows: extractors
            .iter()
            .map(|it| (it.name.clone(), Vec::new()))
            .collect(),
        ..Figures::default()
    };
    let mut timed = Vec::new();
    for corpus in &settings.corpora {
        let format = gold::by_name(&corpus.format).ok_or_else(|| {
            wrong(format!(
                "no gold standard has the format '{}'",
                corpus.format
            ))
        })?;
        let pairs = pairs(
            Some(definition.input(&corpus.gold)?),
            definition.input(&corpus.pages)?,
        )?;
        let measure = match &corpus.measure {
            Some(name) => measure_of(name)?,
            None => usual,
        };
        let options = ScoreOptions {
            extractors: &extractors,
            format: Some(format),
            measures: &[measure],
            charset,
            ..ScoreOptions::default()
        };
        let scores = scoring::score(&pairs, &options, context.progress)?;
        for column in ["macro F1", "micro F1", "trained on"] {
            table.columns.push(format!("{}: {column}", corpus.name));
        }
        table.decimals.extend([2, 2, 0]);
        for ((_, row), scores) in table.rows.iter_mut().zip(&scores.extractors) {
            let summary = scores.texts.first().map(|text| text.summary);
            row.push(summary.map(|it| 100.0 * it.macro_average.f1));
            row.push(summary.map(|it| 100.0 * it.micro_average.f1));
            row.push(match scores.seen_pages {
                Some(0) => None,
                Some(pages) => Some(pages as f64),
                None => Some(f64::NAN),
            });
        }
        let step = pairs.len().div_ceil(settings.timed_pages.max(1)).max(1);
        timed.extend(pairs.into_iter().step_by(step));
    }
    let pages = parsed(&timed, charset)?;
    table.columns.push("CPU, ms a page".to_owned());
    table.decimals.push(3);
    for ((_, row), extractor) in table.rows.iter_mut().zip(&extractors) {
        row.push(cpu(extractor, &pages, context));
    }
    Ok(Outcome {
        title: definition.title.clone(),
        about: definition.about.clone(),
        tables: vec![table],
        ..Outcome::default()
    })
}

fn parsed(pairs: &[Pair], charset: Charset) -> Result<Vec<Page>, LabError> {
    let parsed = pairs.par_iter().map(|pair| {
        let bytes = gold::read_page(&pair.page)?;
        Ok(html::parse(&bytes, charset, None, &Limits::default()))
    });
    parsed.collect()
}

/// Milliseconds of CPU time for the labels of a page, its blocks included; parsing is not. None where the clock is not known.
fn cpu(extractor: &Extractor, pages: &[Page], context: &Context) -> Option<f64> {
    let start = (context.cpu)()?;
    for page in pages {
        let subject = Subject::new(page, "", "");
        // What is not used might not be computed.
        std::hint::black_box(extractor.labels(&subject, extractor.own_segmenter()));
    }
    let taken = (context.cpu)()? - start;
    Some(1e3 * taken.as_secs_f64() / pages.len().max(1) as f64)
}
