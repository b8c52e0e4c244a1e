//! `trommel score`: extractors against a gold standard.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use trommel::gold::{Format, Pair, pairs};
use trommel::html::Charset;
use trommel::html::segment::Segmenter;
use trommel::measure::significance::Test;
use trommel::report;
use trommel::report::plot::{Ranked, ranked};
use trommel::report::score::{ScoreReport, data, json, table, text};
use trommel::score::TextMeasure;
use trommel::scoring::{
    ExtractorScore, MetadataScore, Said, ScoreOptions, Scores, score, score_metadata,
};

use super::gold::{beside, parse_format};
use super::options::{
    self, extractors, parse_segmenter, parse_test, printable_lines, screen_width, unknown, warn,
};
use super::output::{ForceArgs, Output, Reads, kinds};
use super::progress::page_bar;
use super::tables::{TableFormat, in_format};

/// Score extractors against a gold standard
///
/// Extractors that were trained on pages that are scored are marked in the tables, and --json has the number of these pages
/// (seen_pages): what they give there is no test of them.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Folder with the gold standard, a file a page; without it only what needs none is measured
    #[arg(long, value_name = "DIR", required_unless_present = "pages")]
    gold: Option<PathBuf>,
    /// Format of the gold standard: cleaneval, gn1, text, wcxb; --format takes these, too
    #[arg(long, value_name = "FORMAT", requires = "gold", value_parser = parse_format)]
    gold_format: Option<Format>,
    /// Output format: json, csv, latex or markdown; or the format of the gold standard
    #[arg(long, value_name = "FORMAT", value_parser = parse_either)]
    format: Vec<Either>,
    /// Folder with the pages, of the same names [default: html, beside the gold standard]
    #[arg(long, value_name = "DIR")]
    pages: Option<PathBuf>,
    /// What is scored (comma-separated, or all)
    #[arg(long, value_name = "NAME,…|all", default_value = "all")]
    extractors: Vec<String>,
    /// How texts are measured (comma-separated): words, characters, evert, wcxb
    /// [default: all]
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
    /// Score titles, authors and days that pages say instead of extractors; the gold standard must have them (wcxb)
    #[arg(long, requires = "gold", conflicts_with_all = ["baseline", "plot"])]
    metadata: bool,
    /// Score what others say as well: a JSON object a line with docid (the page's name), title, author, date
    #[arg(long, value_name = "NAME=FILE.jsonl", requires = "metadata")]
    metadata_of: Vec<String>,
    #[command(flatten)]
    force: ForceArgs,
    /// A JSON object a line for each extractor
    #[arg(long)]
    json: bool,
}

/// What `--format` means: it named the gold standard's format before there were others.
#[derive(Debug, Clone)]
enum Either {
    Gold(Format),
    Output(TableFormat),
}

fn parse_either(name: &str) -> Result<Either, String> {
    let gold = match parse_format(name) {
        Ok(format) => return Ok(Either::Gold(format)),
        Err(error) => error,
    };
    let output = <TableFormat as clap::ValueEnum>::from_str(name, false);
    let either = |_| format!("{gold}; formats of the output are json, csv, latex, markdown");
    output.map(Either::Output).map_err(either)
}

impl Args {
    /// The format of the gold standard, and that of the output.
    fn formats(&self) -> anyhow::Result<(Option<Format>, TableFormat)> {
        let (mut gold, mut output) = (self.gold_format, None);
        for format in &self.format {
            let twice = match format {
                Either::Gold(format) => gold.replace(*format).is_some(),
                Either::Output(format) => output.replace(*format).is_some(),
            };
            if twice {
                bail!(
                    "two formats of the same: --format names one of the gold standard and one of the output"
                );
            }
        }
        if self.gold.is_some() && gold.is_none() {
            bail!(
                "--gold needs the format of the gold standard: --gold-format (or --format) cleaneval, gn1, text or wcxb"
            );
        }
        Ok((
            gold,
            match self.json {
                true => TableFormat::Json,
                false => output.unwrap_or_default(),
            },
        ))
    }
}

fn parse_measure(name: &str) -> Result<&'static TextMeasure, String> {
    let known = || trommel::score::all().iter().map(|measure| measure.name);
    trommel::score::by_name(name).ok_or_else(|| unknown("measure", name, known().collect()))
}

/// Scores, and prints tables or JSON.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let (gold_format, output_format) = args.formats()?;
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
    if args.metadata
        && let Some(format) = &gold_format
    {
        return metadata(&args, &pairs, format, output_format);
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
    options.format = gold_format.as_ref();
    options.segmenter = Some(&args.segmenter);
    options.charset = args.charset;
    options.baseline = baseline;
    options.test = &args.test;
    options.phrases = args.phrases;
    let scores = with_progress(&pairs, &options)?;
    let left_out = measures.iter().any(|measure| !measure.counts_empty_gold);
    if left_out && !scores.empty_gold.is_empty() && args.gold.is_some() {
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
    let report = ScoreReport {
        scores: &scores,
        segmenter: args.segmenter.name,
        baseline: args.baseline.as_deref(),
        test: args.test.name,
    };
    let mut out = io::stdout().lock();
    if output_format == TableFormat::Json {
        for extractor in &scores.extractors {
            serde_json::to_writer(&mut out, &json(extractor, &scores))?;
            writeln!(out)?;
        }
    } else {
        let text = || text(&report, screen_width());
        let text = in_format(
            output_format,
            || data(&report),
            || vec![table(&report)],
            text,
        );
        out.write_all(printable_lines(&text).as_bytes())?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Scores titles, authors and days.
fn metadata(
    args: &Args,
    pairs: &[Pair],
    format: &Format,
    output: TableFormat,
) -> anyhow::Result<ExitCode> {
    if !matches!(output, TableFormat::Json) && output != TableFormat::default() {
        bail!("scores of metadata are printed as text or JSON");
    }
    let others: Vec<(String, HashMap<String, Said>)> = args
        .metadata_of
        .iter()
        .map(|of| said(of))
        .collect::<anyhow::Result<_>>()?;
    let bar = page_bar(pairs.len());
    let scores = score_metadata(pairs, format, args.charset, &others, &|| bar.inc(1));
    bar.finish_and_clear();
    let scores = scores?;
    let has_gold = |score: &MetadataScore| score.fields.iter().any(|field| field.gold > 0);
    if !scores.iter().any(has_gold) {
        bail!("the gold standard says no title, author or day");
    }
    let mut out = io::stdout().lock();
    match output == TableFormat::Json {
        true => {
            for score in &scores {
                serde_json::to_writer(&mut out, &report::metadata::json(score))?;
                writeln!(out)?;
            }
        }
        false => out.write_all(printable_lines(&report::metadata::text(&scores)).as_bytes())?,
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// What somebody says of pages by their names, of `NAME=FILE`.
fn said(of: &str) -> anyhow::Result<(String, HashMap<String, Said>)> {
    #[derive(serde::Deserialize)]
    struct Line {
        docid: String,
        #[serde(flatten)]
        said: Said,
    }
    let Some((name, path)) = of.split_once('=') else {
        bail!("--metadata-of {of}: NAME=FILE.jsonl is expected");
    };
    let text = std::fs::read_to_string(path).with_context(|| path.to_owned())?;
    let mut pages = HashMap::new();
    for (number, line) in text.lines().enumerate() {
        let line: Line =
            serde_json::from_str(line).with_context(|| format!("{path}: line {}", number + 1))?;
        pages.insert(line.docid, line.said);
    }
    Ok((name.to_owned(), pages))
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
    Ok(Output::check(path, &kinds::PLOT, force.force, reads)?)
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
