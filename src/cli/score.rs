//! `trommel score`: extractors against a gold standard.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use serde_json::{Value, json};

use super::gold::{beside, parse_format};
use super::options::{self, extractors, p_value, parse_segmenter, parse_test, unknown, warn};
use super::output::{ForceArgs, Output, Reads, kinds};
use super::progress::page_bar;
use trommel::gold::{Format, Pair, pairs};
use trommel::html::Charset;
use trommel::html::segment::Segmenter;
use trommel::measure::significance::{self, Test};
use trommel::report::plot::{Ranked, ranked};
use trommel::report::{Align, Table};
use trommel::score::labels::{Confusion, Rates};
use trommel::score::{Average, TextMeasure};
use trommel::scoring::{
    ExtractorScore, F1Comparison, LEVEL, ScoreOptions, Scores, TextScore, score,
};

/// Score extractors against a gold standard
///
/// Extractors that were trained on pages that are scored are marked in the tables, and --json has the number of these pages
/// (seen_pages): what they give there is no test of them.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Folder with the gold standard, a file a page; without it only what needs none is measured
    #[arg(
        long,
        value_name = "DIR",
        requires = "format",
        required_unless_present = "pages"
    )]
    gold: Option<PathBuf>,
    /// Format of the gold standard: cleaneval, gn1, text
    #[arg(long, value_name = "FORMAT", requires = "gold", value_parser = parse_format)]
    format: Option<Format>,
    /// Folder with the pages, of the same names [default: html, beside the gold standard]
    #[arg(long, value_name = "DIR")]
    pages: Option<PathBuf>,
    /// What is scored (comma-separated, or all)
    #[arg(long, value_name = "NAME,…|all", default_value = "all")]
    extractors: Vec<String>,
    /// How texts are measured (comma-separated): words, characters, evert [default: all]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', value_parser = parse_measure)]
    measure: Vec<&'static TextMeasure>,
    /// On which blocks labels are scored; a gold standard of texts is aligned to them
    #[arg(long, value_name = "NAME", default_value = "leaf", value_parser = parse_segmenter)]
    segmenter: Segmenter,
    /// Character encoding of the pages: auto, or a label like utf-8
    #[arg(long, value_name = "auto|LABEL", default_value = "auto")]
    charset: Charset,
    /// Compare with this extractor, page by page
    #[arg(long, value_name = "NAME")]
    baseline: Option<String>,
    /// Test of the comparison: randomization, t, wilcoxon
    #[arg(long, value_name = "TEST", default_value = "randomization", value_parser = parse_test)]
    test: Test,
    /// Show the N most frequent sentences that recur
    #[arg(long, value_name = "N", default_value_t = 0)]
    phrases: usize,
    /// Write the pages' F1 by the first measure, best first, as a plot
    #[arg(long, value_name = "FILE.svg", requires = "gold")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
    /// A JSON object a line for each extractor
    #[arg(long)]
    json: bool,
}

fn parse_measure(name: &str) -> Result<&'static TextMeasure, String> {
    let known = || trommel::score::all().iter().map(|measure| measure.name);
    trommel::score::by_name(name).ok_or_else(|| unknown("measure", name, known().collect()))
}

/// Scores, and prints tables or JSON.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let mut names = args.extractors.clone();
    names.extend(args.baseline.clone());
    let extractors = extractors(&names)?;
    let baseline = match &args.baseline {
        None => None,
        Some(name) => {
            let made = trommel::extractor::parse(name)?;
            extractors
                .iter()
                .position(|extractor| extractor.name == made.name)
        }
    };
    let pages = match (&args.pages, &args.gold) {
        (Some(pages), _) => pages.clone(),
        (None, Some(gold)) => beside(gold),
        (None, None) => bail!("neither --gold nor --pages is given"),
    };
    let pairs = pairs(args.gold.as_deref(), &pages)?;
    if pairs.is_empty() {
        bail!(
            "no page in {}",
            args.gold.as_ref().unwrap_or(&pages).display()
        );
    }
    let plot = match &args.plot {
        None => None,
        Some(path) => {
            let mut reads = Reads::default();
            reads.add_pairs(&pairs);
            reads.add_extractors(&extractors);
            Some(check_plot(path, args.force, &reads)?)
        }
    };
    let measures = match args.measure.is_empty() {
        true => trommel::score::all().iter().collect(),
        false => args.measure.clone(),
    };
    let mut options = ScoreOptions::default();
    options.extractors = &extractors;
    options.measures = &measures;
    options.format = args.format.as_ref();
    options.segmenter = Some(&args.segmenter);
    options.charset = args.charset;
    options.baseline = baseline;
    options.test = &args.test;
    options.phrases = args.phrases;
    let scores = with_progress(&pairs, &options)?;
    if !scores.empty_gold.is_empty() && args.gold.is_some() {
        let pages = options::counted(scores.empty_gold.len() as u64, "page");
        warn(&format!("{pages} without gold text left out"));
    }
    let is_empty = |extractor: &ExtractorScore| extractor.texts.iter().all(|t| t.pages.is_empty());
    if args.gold.is_some() && scores.extractors.iter().all(is_empty) {
        bail!("no page has a gold text; is the gold standard of another format?");
    }
    for (extractor, score) in extractors.iter().zip(&scores.extractors) {
        let (kept, pages) = (score.uniqueness.characters, scores.pages as u64);
        options::warn_if_nothing_kept(extractor, kept, pages);
    }
    if let Some(plot) = plot {
        plot.write(draw(&args, &scores).as_bytes())?;
    }
    let mut out = io::stdout().lock();
    match args.json {
        true => {
            for extractor in &scores.extractors {
                serde_json::to_writer(&mut out, &json_line(extractor, &scores))?;
                writeln!(out)?;
            }
        }
        false => out.write_all(options::printable_lines(&tables(&scores, &args)).as_bytes())?,
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn with_progress(pairs: &[Pair], options: &ScoreOptions) -> anyhow::Result<Scores> {
    let bar = page_bar(pairs.len());
    let scores = score(pairs, options, &|| bar.inc(1));
    bar.finish_and_clear();
    Ok(scores?)
}

/// Plots are SVG, whatever their name is.
fn check_plot(path: &Path, force: ForceArgs, reads: &Reads) -> anyhow::Result<Output> {
    let extension = path.extension();
    if extension.is_some_and(|extension| !extension.eq_ignore_ascii_case("svg")) {
        bail!(
            "{}: the plot is SVG; name it {}",
            path.display(),
            path.with_extension("svg").display()
        );
    }
    Output::check(path, &kinds::PLOT, force, reads)
}

fn draw(args: &Args, scores: &Scores) -> String {
    let lines: Vec<Ranked> = scores
        .extractors
        .iter()
        .filter_map(|extractor| {
            let first = extractor.texts.first()?;
            Some(Ranked {
                name: extractor.name.clone(),
                values: first.pages.iter().map(|(_, counts)| counts.f1()).collect(),
            })
        })
        .collect();
    let gold = args.gold.as_deref().unwrap_or(Path::new(""));
    let measure = scores
        .extractors
        .first()
        .and_then(|first| first.texts.first());
    let unit = format!("F1 of {}", measure.map_or("", |first| first.measure));
    ranked(&gold.display().to_string(), &unit, &lines)
}

fn percent(value: f64) -> String {
    format!("{:.2}", 100.0 * value)
}

fn tables(scores: &Scores, args: &Args) -> String {
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
        text += &text_table(&of_measure, args);
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
            text += &format!("{heading}; segmenter {}\n", args.segmenter.name);
            text += &rates_table(&rates);
            text += &notes;
            text.push('\n');
        }
    }
    text + &uniqueness_tables(scores)
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

fn text_table(scores: &[(&str, &TextScore)], args: &Args) -> String {
    let Some((_, first)) = scores.first() else {
        return String::new();
    };
    let summary = trommel::score::by_name(first.measure).map_or("", |measure| measure.summary);
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
    if let Some(baseline) = &args.baseline {
        heading += &format!("; difference of F1 to {baseline}, {} test", args.test.name);
        let mut comparisons = scores.iter().filter_map(|(_, score)| score.comparison);
        if let Some(F1Comparison { family, .. }) = comparisons.next() {
            let family = significance::family(family, "extractor", first.measure);
            heading += &format!("; p (Holm) is corrected for {family}");
        }
    }
    format!("{heading}\n{}", table.text())
}

fn comparison_cells(comparison: &F1Comparison) -> [String; 4] {
    [
        format!("{:+.2}", 100.0 * comparison.difference),
        p_value(comparison.p),
        p_value(comparison.p_holm),
        format!("{:+.2}", comparison.effect_size),
    ]
}

fn rates_table(rates: &[(&str, Rates)]) -> String {
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
    table.text()
}

fn uniqueness_tables(scores: &Scores) -> String {
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
            let sentence = options::printable(sentence);
            phrases.push([extractor.name.clone(), times.to_string(), sentence]);
        }
    }
    let mut text = format!(
        "sentences of the extracted text, {} pages\n{}",
        scores.pages,
        table.text()
    );
    if !phrases.rows.is_empty() {
        text += &format!("\nsentences that recur most\n{}", phrases.text());
    }
    text
}

fn json_line(extractor: &ExtractorScore, scores: &Scores) -> Value {
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
