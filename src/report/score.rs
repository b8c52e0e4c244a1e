//! Scores of extractors against a gold standard, as tables and as JSON.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Align, Sure, Table, counted, p_value, printable, wrap};
use crate::measure::significance;
use crate::score::labels::{Confusion, Rates};
use crate::score::{self, Average};
use crate::scoring::{ExtractorScore, F1Comparison, LEVEL, Scores, TextScore};

fn percent(value: f64) -> String {
    format!("{:.2}", 100.0 * value)
}

/// The scores of extractors with how they were made.
#[derive(Debug, Clone, Copy)]
pub struct ScoreReport<'a> {
    /// The scores.
    pub scores: &'a Scores,
    /// The name of the segmenter on whose blocks labels were scored.
    pub segmenter: &'a str,
    /// The extractor that the others were compared with.
    pub baseline: Option<&'a str>,
    /// The name of the test.
    pub test: &'a str,
}

/// The table of a paper: a row an extractor, for each measure the means over pages of precision, recall and F1, in percent. Bold is the best;
/// daggers are for F1 against the baseline, if there is one.
pub fn table(report: &ScoreReport) -> Table {
    let scores = report.scores;
    let measures = || {
        scores
            .extractors
            .first()
            .map_or(&[][..], |first| &first.texts[..])
    };
    let columns = measures().iter().flat_map(|score| {
        let of = |name: &str| format!("{name} ({})", score.measure);
        [of("P"), of("R"), of("F1")]
    });
    let mut table = Table::new(["extractor".to_owned()].into_iter().chain(columns));
    let mut families = Vec::new();
    for (row, extractor) in scores.extractors.iter().enumerate() {
        let mut cells = vec![marked(extractor)];
        for (at, score) in extractor.texts.iter().enumerate() {
            let mean = &score.summary.macro_average;
            cells.extend([mean.precision, mean.recall, mean.f1].map(percent));
            if let Some(comparison) = &score.comparison {
                table.marks.entry((row, 3 * at + 3)).or_default().sure =
                    Sure::of(comparison.p_holm);
                families.push(comparison.family);
            }
        }
        table.push(cells);
    }
    table.mark_best(1..=3 * measures().len());
    table.caption = format!(
        "Means over {}, percent",
        counted(scores.pages as u64, "page")
    );
    if let (Some(baseline), Some(size)) = (report.baseline, families.iter().max()) {
        let family = significance::family(*size, "extractor", "one measure");
        let test = format!("{} test of F1 against {baseline}", report.test);
        table.notes.push(Sure::note(&test, &family));
    }
    table.notes.extend(notes(scores).lines().map(str::to_owned));
    table
}

/// All figures of texts, a row for each extractor and measure.
pub fn data(report: &ScoreReport) -> Table {
    let mut table = Table::new([
        "extractor",
        "measure",
        "pages",
        "macro_p",
        "macro_r",
        "macro_f1",
        "macro_f1_low",
        "macro_f1_high",
        "micro_p",
        "micro_r",
        "micro_f1",
        "micro_f1_low",
        "micro_f1_high",
        "median_f1",
        "below_half",
        "difference",
        "p",
        "p_holm",
        "holm_family",
        "effect_size",
        "seen_pages",
    ]);
    for extractor in &report.scores.extractors {
        for score in &extractor.texts {
            let summary = &score.summary;
            let mut row = vec![
                extractor.name.clone(),
                score.measure.to_owned(),
                summary.pages.to_string(),
            ];
            for (average, interval) in [
                (&summary.macro_average, &score.macro_f1_interval),
                (&summary.micro_average, &score.micro_f1_interval),
            ] {
                let ends = [*interval.start(), *interval.end()];
                let values = [average.precision, average.recall, average.f1]
                    .into_iter()
                    .chain(ends);
                row.extend(values.map(|value| value.to_string()));
            }
            row.extend([summary.median_f1, summary.below_half].map(|value| value.to_string()));
            row.extend(match &score.comparison {
                None => [(); 5].map(|()| String::new()),
                Some(it) => [
                    it.difference.to_string(),
                    it.p.to_string(),
                    it.p_holm.to_string(),
                    it.family.to_string(),
                    it.effect_size.to_string(),
                ],
            });
            row.push(
                extractor
                    .seen_pages
                    .map_or_else(String::new, |seen| seen.to_string()),
            );
            table.push(row);
        }
    }
    table
}

/// Tables as text: one for each measure, those of the labels, and how much of the texts recurs; in lines of at most `width` characters.
pub fn text(report: &ScoreReport, width: Option<usize>) -> String {
    let scores = report.scores;
    let mut text = String::new();
    let marked: Vec<String> = scores.extractors.iter().map(marked).collect();
    let notes = notes(scores);
    let measures = scores
        .extractors
        .first()
        .map_or(0, |first| first.texts.len());
    for number in 0..measures {
        let of_measure: Vec<(&str, &TextScore)> = scores
            .extractors
            .iter()
            .zip(&marked)
            .map(|(extractor, name)| (name.as_str(), &extractor.texts[number]))
            .collect();
        text += &text_table(&of_measure, report, width);
        text += &notes;
        text.push('\n');
    }
    for (heading, get) in [
        (
            "blocks, each counting 1",
            blocks as fn(&ExtractorScore) -> Option<Rates>,
        ),
        (
            "blocks by words, mean of both classes by their words (as Weka's)",
            block_words,
        ),
    ] {
        let rates: Vec<(&str, Rates)> = scores
            .extractors
            .iter()
            .zip(&marked)
            .filter_map(|(extractor, name)| Some((name.as_str(), get(extractor)?)))
            .collect();
        if !rates.is_empty() {
            text += &format!("{heading}; segmenter {}\n", report.segmenter);
            text += &rates_table(&rates, width);
            text += &notes;
            text.push('\n');
        }
    }
    text += &type_tables(scores, width);
    text += &snippet_table(scores, width);
    text + &uniqueness_tables(scores, width)
}

/// The mean F1 of each measure by the types of pages, where the gold standard says them.
fn type_tables(scores: &Scores, width: Option<usize>) -> String {
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    for of in scores.page_types.values() {
        *numbers.entry(of).or_default() += 1;
    }
    let mut text = String::new();
    let measures = scores.extractors.first().map_or(0, |of| of.texts.len());
    if numbers.is_empty() {
        return text;
    }
    for number in 0..measures {
        let mut table = Table::new(std::iter::once("extractor").chain(numbers.keys().copied()));
        for extractor in &scores.extractors {
            let by_type = by_type(&extractor.texts[number], scores);
            let cells = numbers
                .keys()
                .map(|of| by_type.get(of).map_or("-".to_owned(), |f1| percent(*f1)));
            table.push(std::iter::once(extractor.name.clone()).chain(cells));
        }
        let measure = scores.extractors[0].texts[number].measure;
        text += &format!(
            "{measure}: macro F1 by type of page, percent\n{}\n",
            table.fitted(width)
        );
    }
    text
}

/// Mean F1 of the pages of each type.
fn by_type<'a>(score: &TextScore, scores: &'a Scores) -> BTreeMap<&'a str, f64> {
    let mut sums: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for (name, counts) in &score.pages {
        if let Some(of) = scores.page_types.get(name) {
            let sum = sums.entry(of).or_default();
            *sum = (sum.0 + counts.f1(), sum.1 + 1.0);
        }
    }
    let mean = |(of, (sum, number))| (of, sum / number);
    sums.into_iter().map(mean).collect()
}

/// Shares of the snippets, where the gold standard has any.
fn snippet_table(scores: &Scores, width: Option<usize>) -> String {
    let mut table = Table::new(["extractor", "with", "without"]);
    for extractor in &scores.extractors {
        if let Some(found) = extractor.snippets {
            let cells = [found.with, found.without].map(percent);
            table.push(std::iter::once(extractor.name.clone()).chain(cells));
        }
    }
    if table.rows.is_empty() {
        return String::new();
    }
    let heading = "snippets: kept of those to keep, not kept of the others; percent";
    format!("{heading}\n{}\n", table.fitted(width))
}

/// An extractor's name, with a mark if its figures are no test, or may be none.
fn marked(extractor: &ExtractorScore) -> String {
    let mark = match extractor.seen_pages {
        Some(0) => "",
        Some(_) => " *",
        None => " ?",
    };
    format!("{}{mark}", extractor.name)
}

/// What the marks mean, a line each; nothing without marks.
fn notes(scores: &Scores) -> String {
    let pages = scores.pages;
    let of = |says: &dyn Fn(&ExtractorScore) -> Option<String>| {
        let says: Vec<String> = scores.extractors.iter().filter_map(says).collect();
        says.join(", ")
    };
    let seen = of(&|extractor| match extractor.seen_pages {
        None | Some(0) => None,
        Some(seen) => Some(format!("{} on {seen} of {pages}", extractor.name)),
    });
    let unknown = of(&|extractor| match extractor.seen_pages {
        None => Some(extractor.name.clone()),
        Some(_) => None,
    });
    let mut notes = String::new();
    if !seen.is_empty() {
        notes +=
            &format!("* trained on pages that are scored here, so that this is no test: {seen}\n");
    }
    if !unknown.is_empty() {
        notes += &format!("? the model does not say on which pages it was trained: {unknown}\n");
    }
    notes
}

fn blocks(extractor: &ExtractorScore) -> Option<Rates> {
    extractor.blocks.map(Confusion::rates)
}

fn block_words(extractor: &ExtractorScore) -> Option<Rates> {
    extractor.block_words.map(Confusion::weighted)
}

fn text_table(scores: &[(&str, &TextScore)], report: &ScoreReport, width: Option<usize>) -> String {
    let Some((_, first)) = scores.first() else {
        return String::new();
    };
    let summary = score::by_name(first.measure).map_or("", |measure| measure.summary);
    let mut header = vec![
        "extractor",
        "macro P",
        "R",
        "F1",
        "95% interval",
        "micro P",
        "R",
        "F1",
        "95% interval",
        "median",
        "<0.5",
    ];
    let compared = scores.iter().any(|(_, score)| score.comparison.is_some());
    if compared {
        header.extend(["difference", "p", "p (Holm)", "effect"]);
    }
    let mut table = Table::new(header);
    for (name, score) in scores {
        let interval = |range: &std::ops::RangeInclusive<f64>| {
            format!("{}–{}", percent(*range.start()), percent(*range.end()))
        };
        let averages =
            |average: &Average| [average.precision, average.recall, average.f1].map(percent);
        let summary = &score.summary;
        let mut row = vec![(*name).to_owned()];
        row.extend(averages(&summary.macro_average));
        row.push(interval(&score.macro_f1_interval));
        row.extend(averages(&summary.micro_average));
        row.push(interval(&score.micro_f1_interval));
        row.push(percent(summary.median_f1));
        row.push(percent(summary.below_half));
        if compared {
            row.extend(match &score.comparison {
                None => ["", "", "", ""].map(str::to_owned),
                Some(comparison) => comparison_cells(comparison),
            });
        }
        table.push(row);
    }
    let mut heading = format!(
        "{}: {summary}; {} pages, percent",
        first.measure, first.summary.pages
    );
    if let Some(baseline) = report.baseline {
        heading += &format!("; difference of F1 to {baseline}, {} test", report.test);
        let mut comparisons = scores.iter().filter_map(|(_, score)| score.comparison);
        if let Some(F1Comparison { family, .. }) = comparisons.next() {
            let family = significance::family(family, "extractor", first.measure);
            heading += &format!("; p (Holm) is corrected for {family}");
        }
    }
    let heading = match width {
        Some(width) => wrap(&heading, width).join("\n"),
        None => heading,
    };
    format!("{heading}\n{}", table.fitted(width))
}

fn comparison_cells(comparison: &F1Comparison) -> [String; 4] {
    [
        format!("{:+.2}", 100.0 * comparison.difference),
        p_value(comparison.p),
        p_value(comparison.p_holm),
        format!("{:+.2}", comparison.effect_size),
    ]
}

fn rates_table(rates: &[(&str, Rates)], width: Option<usize>) -> String {
    let mut table = Table::new(["extractor", "accuracy", "P", "R", "F1", "FP rate", "AUC"]);
    for (name, rates) in rates {
        let cells = [
            rates.accuracy,
            rates.precision,
            rates.recall,
            rates.f1,
            rates.false_positive_rate,
            rates.auc,
        ];
        table.push(std::iter::once((*name).to_owned()).chain(cells.map(percent)));
    }
    table.fitted(width)
}

fn uniqueness_tables(scores: &Scores, width: Option<usize>) -> String {
    let header = [
        "extractor",
        "sentences",
        "unique",
        "%",
        "characters",
        "in unique",
        "%",
    ];
    let mut table = Table::new(header);
    let mut phrases = Table::new(["extractor", "times", "sentence"]);
    phrases.align = vec![Align::Left, Align::Right, Align::Left];
    for extractor in &scores.extractors {
        let found = &extractor.uniqueness;
        table.push([
            extractor.name.clone(),
            found.sentences.to_string(),
            found.unique_sentences.to_string(),
            percent(found.sentence_share()),
            found.characters.to_string(),
            found.unique_characters.to_string(),
            percent(found.character_share()),
        ]);
        for (sentence, times) in &found.over_represented {
            let sentence = printable(sentence);
            phrases.push([extractor.name.clone(), times.to_string(), sentence]);
        }
    }
    let mut text = format!(
        "sentences of the extracted text, {} pages\n{}",
        scores.pages,
        table.fitted(width)
    );
    if !phrases.rows.is_empty() {
        text += &format!("\nsentences that recur most\n{}", phrases.fitted(width));
    }
    text
}

/// The scores of an extractor, those of each page included.
pub fn json(extractor: &ExtractorScore, scores: &Scores) -> Value {
    let average =
        |average: &Average| json!({"P": average.precision, "R": average.recall, "F1": average.f1});
    let texts: serde_json::Map<String, Value> = extractor
        .texts
        .iter()
        .map(|score| {
            let pages: serde_json::Map<String, Value> = score
                .pages
                .iter()
                .map(|(name, counts)| {
                    let counts = json!({"common": counts.common, "output": counts.output, "gold": counts.gold});
                    (name.clone(), counts)
                })
                .collect();
            let comparison = score.comparison.map(|comparison| {
                json!({
                    "difference": comparison.difference,
                    "p": comparison.p,
                    "p_holm": comparison.p_holm,
                    "holm_family": comparison.family,
                    "effect_size": comparison.effect_size,
                })
            });
            let interval = |range: &std::ops::RangeInclusive<f64>| json!([range.start(), range.end()]);
            let value = json!({
                "num_pages": score.summary.pages,
                "macro": average(&score.summary.macro_average),
                "micro": average(&score.summary.micro_average),
                "median_f1": score.summary.median_f1,
                "below_half": score.summary.below_half,
                "interval_level": LEVEL,
                "macro_f1_interval": interval(&score.macro_f1_interval),
                "micro_f1_interval": interval(&score.micro_f1_interval),
                "comparison": comparison,
                "macro_f1_by_type": by_type(score, scores),
                "pages": pages,
            });
            (score.measure.to_owned(), value)
        })
        .collect();
    let rates = |rates: Option<Rates>| {
        rates.map(|rates| {
            json!({
                "accuracy": rates.accuracy,
                "P": rates.precision,
                "R": rates.recall,
                "F1": rates.f1,
                "false_positive_rate": rates.false_positive_rate,
                "AUC": rates.auc,
            })
        })
    };
    let found = &extractor.uniqueness;
    let phrases: Vec<Value> = found
        .over_represented
        .iter()
        .map(|(sentence, times)| json!({"sentence": sentence, "times": times}))
        .collect();
    json!({
        "extractor": extractor.name,
        "num_pages": scores.pages,
        "seen_pages": extractor.seen_pages,
        "empty_gold": scores.empty_gold,
        "texts": texts,
        "snippets": extractor.snippets.map(|found| json!({"with": found.with, "without": found.without})),
        "blocks": rates(blocks(extractor)),
        "blocks_by_words": rates(block_words(extractor)),
        "uniqueness": {
            "sentences": found.sentences,
            "unique_sentences": found.unique_sentences,
            "characters": found.characters,
            "unique_characters": found.unique_characters,
            "over_represented": phrases,
        },
    })
}
