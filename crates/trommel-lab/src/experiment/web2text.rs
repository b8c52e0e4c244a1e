//! Kind `web2text`: Table 1 of Web2Text (ECIR 2018), its networks trained anew on both divisions of CleanEval.

use rayon::prelude::*;
use serde::Deserialize;
use trommel_extract::{self as extractor, Extractor, Label, Subject};
use trommel_page::html::Charset;
use trommel_page::html::segment::Segmenter;

use super::{Context, Definition, Figures, Kind, Outcome};
use crate::LabError;
use crate::gold::{self, LabelledPage, Pair, labelled_pages, pairs};
use crate::score::labels::Confusion;
use crate::training::web2text::{
    Division, Progress, Sequence, Trained, Web2TextOptions, confusion, distinct, leaf, of_model,
    sum, train_web2text,
};

pub(super) const KIND: Kind = Kind {
    name: "web2text",
    summary: "Table 1 of Web2Text, trained anew (inputs gold, pages, development-gold, development-pages)",
    run,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Settings {
    /// Format of the gold standard.
    format: String,
    /// How pages are decoded.
    charset: String,
    /// Names of the extractors that stand beside it.
    extractors: Vec<String>,
    /// λ: what the network of pairs counts.
    lambda: f64,
    /// How many pages for development are kept from training, for validation.
    original_validation: usize,
    /// How many of all pages are for validation.
    validation: usize,
    /// How many of all pages are for the test.
    test: usize,
    /// Seed of the divisions.
    seed: u64,
    /// How the networks are trained.
    #[serde(default)]
    training: Web2TextOptions,
}

/// Names of the two tables, as the columns of the paper's Table 1.
const ORIGINAL: &str = "original test";
const OURS: &str = "our test";

fn run(definition: &Definition, context: &Context) -> Result<Outcome, LabError> {
    let settings: Settings = definition.options()?;
    let wrong = |text: String| LabError::Definition(text);
    let charset: Charset = settings
        .charset
        .parse()
        .map_err(|error| wrong(format!("charset: {error}")))?;
    let format = gold::by_name(&settings.format).ok_or_else(|| {
        let format = &settings.format;
        wrong(format!("no gold standard has the format '{format}'"))
    })?;
    let leaf = leaf()?;
    let names = settings.extractors.iter().map(String::as_str);
    let extractors = extractor::parse_all(names)?;
    let read = |gold, pages| pairs(Some(definition.input(gold)?), definition.input(pages)?);
    let pairs = distinct(read("gold", "pages")?)?;
    let count = pairs.len();
    // A page for development that is in the test as well is for the test alone.
    let mut pairs = distinct(
        pairs
            .into_iter()
            .chain(read("development-gold", "development-pages")?)
            .collect(),
    )?;
    let development = pairs.split_off(count);
    let read = |pairs: &[Pair]| labelled_pages(pairs, format, leaf, charset, context.progress);
    let mut pages = read(&pairs)?;
    let tested = pages.len();
    pages.extend(read(&development)?);
    let sequences = Sequence::of_all(&pages);
    let development = pages.len() - tested;
    let original = Division::of(development, settings.original_validation, 0, settings.seed);
    let behind = |part: Vec<usize>| part.into_iter().map(|page| tested + page).collect();
    let original = Division {
        training: behind(original.training),
        validation: behind(original.validation),
        held_out: (0..tested).collect(),
    };
    let ours = Division::of(
        pages.len(),
        settings.validation,
        settings.test,
        settings.seed,
    );
    let mut outcome = Outcome::default();
    let mut training = Figures {
        name: "training".to_owned(),
        of: "division".to_owned(),
        columns: TRAINING.map(str::to_owned).to_vec(),
        rows: Vec::new(),
        decimals: vec![0, 0, 0, 0, 0, 2, 2, 2, 2],
        ..Figures::default()
    };
    for (name, division) in [(ORIGINAL, original), (OURS, ours)] {
        let of = |part: &[usize]| {
            part.iter()
                .map(|page| &sequences[*page])
                .collect::<Vec<_>>()
        };
        let (learn, validation) = (of(&division.training), of(&division.validation));
        let done = |_: &Progress| (context.progress)();
        let trained = train_web2text(&learn, &validation, &settings.training, &done)?;
        let test = &division.held_out;
        let mut rows = Vec::new();
        for extractor in &extractors {
            rows.push((
                extractor.name.clone(),
                of_extractor(extractor, &pages, test, leaf),
            ));
        }
        let model = &trained.model;
        rows.push((
            "web2text, unary".to_owned(),
            of_model(model, &sequences, test, 0.0),
        ));
        let with_pairs = of_model(model, &sequences, test, settings.lambda);
        rows.push(("web2text".to_owned(), with_pairs));
        training.rows.push((
            name.replace(" test", ""),
            in_training(&trained, &division, &sequences, settings.lambda),
        ));
        outcome.tables.push(Figures {
            name: name.to_owned(),
            of: "extractor".to_owned(),
            columns: COLUMNS.map(str::to_owned).to_vec(),
            rows: rows
                .into_iter()
                .map(|(name, of)| (name, rates(of)))
                .collect(),
            decimals: vec![2; 4],
            ..Figures::default()
        });
    }
    outcome.tables.push(training);
    Ok(outcome)
}

const COLUMNS: [&str; 4] = ["accuracy", "precision", "recall", "F1"];

const TRAINING: [&str; 9] = [
    "pages for training",
    "for validation",
    "for test",
    "steps, unary",
    "steps, pairwise",
    "accuracy, training",
    "F1, training",
    "accuracy, validation",
    "F1, validation",
];

fn rates(of: Confusion) -> Vec<Option<f64>> {
    let rates = of.rates();
    let figures = [rates.accuracy, rates.precision, rates.recall, rates.f1];
    figures.map(|figure| Some(100.0 * figure)).to_vec()
}

fn in_training(
    trained: &Trained,
    division: &Division,
    sequences: &[Sequence],
    lambda: f64,
) -> Vec<Option<f64>> {
    let parts = [&division.training, &division.validation, &division.held_out];
    let counts = parts.map(|part| part.len() as f64);
    let steps = trained.chosen.iter().map(|of| of.iteration as f64);
    let figures = parts[..2].iter().flat_map(|part| {
        let rates = of_model(&trained.model, sequences, part, lambda).rates();
        [100.0 * rates.accuracy, 100.0 * rates.f1]
    });
    counts
        .into_iter()
        .chain(steps)
        .chain(figures)
        .map(Some)
        .collect()
}

fn of_extractor(
    extractor: &Extractor,
    pages: &[LabelledPage],
    chosen: &[usize],
    leaf: &Segmenter,
) -> Confusion {
    let of_page = |page: &usize| {
        let page = &pages[*page];
        let subject = Subject::new(&page.page, &page.name, "");
        let verdicts = extractor.labels(&subject, leaf).into_iter();
        let gold = page
            .labels
            .iter()
            .map(|label| label.map(|label| label.is_content()));
        confusion(
            gold,
            verdicts.map(|label| label == Label::Content).collect(),
        )
    };
    sum(chosen.par_iter().map(of_page).collect())
}
