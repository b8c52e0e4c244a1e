//! Kind `own-remover`: the extractor `trommel` by cross-validation over several gold standards, beside others.
//!
//! The pages of all corpora are divided into folds by site ([`folds`]). For each fold a model is learnt from the other folds' pages;
//! what it keeps of the fold's pages is compared with the gold texts.

pub mod corpus;
pub mod folds;
pub mod site;
pub mod train;

use std::collections::BTreeMap;
use std::path::Path;

use rayon::prelude::*;
use serde::Deserialize;

use self::corpus::{Corpus, LearningPage};
use super::score::{extracted, pairs};
use super::{Context, Definition, ExperimentError, Figures, Kind, Outcome};
use crate::extractor::trommel::{Paragraph, TrommelModel, Wanted, decide};
use crate::extractor::{self, Labeler, Subject};
use crate::feature::trommel::Row;
use crate::gold;
use crate::html::{self, Charset, Limits};
use crate::measure::significance;
use crate::score::{self, Counts, Summary, Text};

pub(super) const KIND: Kind = Kind {
    name: "own-remover",
    summary: "the extractor trommel by cross-validation by site (inputs NAME-gold, NAME-pages, NAME-urls)",
    run,
};

/// What the file says of the corpora and of learning; `trommel train trommel` reads it too.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// The corpora; each with its inputs `NAME-gold` and `NAME-pages`, and `NAME-urls` if there is such a list.
    corpora: Vec<CorpusSettings>,
    /// How many folds.
    pub folds: usize,
    /// How often all is done anew, with other folds and trees: what is drawn by lot makes some tenths of a point of difference.
    #[serde(default = "once")]
    repeats: usize,
    /// Seed of the folds and of the trees.
    pub seed: u64,
    /// How pages are decoded.
    #[serde(default = "auto")]
    charset: String,
    /// The extractors beside.
    #[serde(default)]
    extractors: Vec<String>,
    /// Outputs of other tools, by their names: inputs that are folders with a file CORPUS.jsonl each.
    #[serde(default)]
    outputs: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct CorpusSettings {
    name: String,
    /// Format of the gold standard; a corpus without is labelled, and not learnt from nor measured.
    format: Option<String>,
    /// Is the site what stands before the first `_` of a page's name?
    #[serde(default)]
    site_by_name: bool,
    /// Is it only learnt from?
    #[serde(default)]
    only_learnt: bool,
}

fn once() -> usize {
    1
}

fn auto() -> String {
    "auto".to_owned()
}

/// Extractors with built-in models.
const LEARNT: [&str; 2] = ["trommel", "web2text"];

/// Level of the confidence intervals, and the seed of what is drawn for them.
const LEVEL: f64 = 0.95;
const SEED: u64 = 2010;

fn run(definition: &Definition, context: &Context) -> Result<Outcome, ExperimentError> {
    let settings: Settings = definition.options()?;
    if settings.folds < 2 || settings.repeats == 0 {
        let text = "folds are 2 or more, repeats 1 or more".to_owned();
        return Err(ExperimentError::Definition(text));
    }
    let corpora = corpora(definition, &settings)?;
    let pages = learning_pages(&corpora, charset(&settings)?, context.progress)?;
    let groups = folds::groups(&pages);
    let rounds: Vec<Vec<Probabilities>> = (0..settings.repeats as u64)
        .map(|round| {
            let seed = settings.seed + round;
            let folds = folds::folds(&pages, &groups, settings.folds, seed);
            held_out(&pages, &folds, settings.folds, seed, context.progress)
        })
        .collect();
    let probabilities = &rounds[0];
    let systems = systems(definition, &settings, &corpora, &pages, &rounds)?;
    let mut outcome = Outcome::default();
    for (number, of) in settings.corpora.iter().enumerate() {
        if of.format.is_some() && !of.only_learnt {
            let title = of.name.clone();
            outcome
                .tables
                .push(figures(title, number, &pages, &groups, &systems));
        }
    }
    outcome.tables.push(decisions(&pages, probabilities));
    outcome.tables.push(calibration(&pages, probabilities));
    for (number, of) in settings.corpora.iter().enumerate() {
        let texts = held_out_texts(number, &pages, probabilities);
        let file = format!("held-out-{}.jsonl", of.name);
        outcome.files.push((file, texts));
    }
    Ok(outcome)
}

/// The corpora that an experiment's file names.
///
/// # Errors
/// Inputs that are missing, and formats that there are not.
pub fn corpora(
    definition: &Definition,
    settings: &Settings,
) -> Result<Vec<Corpus>, ExperimentError> {
    let of = |settings: &CorpusSettings| {
        let name = &settings.name;
        let format = settings.format.as_ref().map(|format| {
            gold::by_name(format).ok_or_else(|| {
                ExperimentError::Definition(format!("no gold standard has the format '{format}'"))
            })
        });
        let format = format.transpose()?;
        let gold = match format {
            Some(_) => Some(definition.input(&format!("{name}-gold"))?),
            None => None,
        };
        let urls = match definition.input.contains_key(&format!("{name}-urls")) {
            true => urls(definition.input(&format!("{name}-urls"))?)?,
            false => BTreeMap::new(),
        };
        let pages = definition.input(&format!("{name}-pages"))?;
        let (pairs, collection) = match gold {
            Some(gold) => (pairs(Some(gold), pages)?, None),
            None => (Vec::new(), Some(pages.to_owned())),
        };
        Ok(Corpus {
            collection,
            urls,
            site_by_name: settings.site_by_name,
            ..Corpus::new(name, format, pairs)
        })
    };
    settings.corpora.iter().map(of).collect()
}

/// Addresses by name: lines of a name, which may be a URN, and an address.
fn urls(path: &Path) -> Result<BTreeMap<String, String>, ExperimentError> {
    let bytes = std::fs::read(path).map_err(|error| ExperimentError::file(path, error))?;
    let text = String::from_utf8_lossy(&bytes);
    let lines = text.lines().filter_map(|line| line.split_once('\t'));
    let name = |name: &str| {
        let name = name.trim_matches(['<', '>']);
        name.rsplit(':').next().unwrap_or(name).to_owned()
    };
    Ok(lines
        .map(|(of, url)| (name(of), url.trim().to_owned()))
        .collect())
}

/// The pages of all corpora, one corpus after the other.
///
/// # Errors
/// Files that cannot be read.
pub fn learning_pages(
    corpora: &[Corpus],
    charset: Charset,
    done: &(dyn Fn() + Sync),
) -> Result<Vec<LearningPage>, ExperimentError> {
    let mut pages = Vec::new();
    for (number, corpus) in corpora.iter().enumerate() {
        pages.extend(match &corpus.collection {
            None => corpus::read(corpus, number, charset, done)?,
            Some(path) => corpus::read_collection(corpus, number, path, charset, done)?,
        });
    }
    Ok(pages)
}

/// How the file of an experiment says that pages are decoded.
///
/// # Errors
/// A charset that there is not.
pub fn charset(settings: &Settings) -> Result<Charset, ExperimentError> {
    settings
        .charset
        .parse()
        .map_err(|error| ExperimentError::Definition(format!("charset: {error}")))
}

/// How likely each paragraph of a page is content, by what is asked for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Probabilities {
    /// Main content.
    pub main: Vec<f32>,
    /// Main content or comments.
    pub with_comments: Vec<f32>,
    /// Comments.
    pub comments: Vec<f32>,
    /// Related content.
    pub related: Vec<f32>,
}

/// For each page what the model says that was learnt from the pages of the other folds. `done` is called after each fold.
pub fn held_out(
    pages: &[LearningPage],
    folds: &[usize],
    num_folds: usize,
    seed: u64,
    done: &(dyn Fn() + Sync),
) -> Vec<Probabilities> {
    let models: Vec<TrommelModel> = (0..num_folds)
        .map(|fold| {
            let seen = pages.iter().zip(folds).filter(|(_, of)| **of != fold);
            let seen: Vec<&LearningPage> = seen.map(|(page, _)| page).collect();
            let model = train::train(&seen, &train::BOOSTING, seed);
            done();
            model
        })
        .collect();
    let pages = pages.par_iter().zip(folds);
    pages
        .map(|(page, fold)| probabilities(page, &models[*fold]))
        .collect()
}

fn probabilities(page: &LearningPage, model: &TrommelModel) -> Probabilities {
    let each = |of: &dyn Fn(&Row) -> f32| {
        let rows = (0..page.paragraphs.len()).map(|paragraph| page.row(paragraph));
        rows.map(|row| of(&row)).collect()
    };
    let with_comments = Wanted {
        comments: true,
        related: false,
    };
    Probabilities {
        main: each(&|row| model.probability(row, Wanted::default())),
        with_comments: each(&|row| model.probability(row, with_comments)),
        comments: each(&|row| model.comments.share(row.values)),
        related: each(&|row| model.related.share(row.values)),
    }
}

/// The text of the paragraphs that are kept.
fn kept(page: &LearningPage, kept: impl IntoIterator<Item = bool>) -> Text {
    let mut text = Text::default();
    for (paragraph, kept) in page.paragraphs.iter().zip(kept) {
        if kept {
            text.plain.push_str(&paragraph.text);
            text.plain.push('\n');
        }
    }
    text
}

fn decided(page: &LearningPage, probabilities: &[f32]) -> Text {
    let paragraphs = page.paragraphs.iter().zip(probabilities);
    let paragraphs: Vec<Paragraph> = paragraphs
        .map(|(paragraph, probability)| Paragraph {
            words: paragraph.words,
            is_title: paragraph.is_title,
            probability: *probability,
        })
        .collect();
    kept(page, decide(&paragraphs))
}

/// What gave texts, with its counts on each page, one for each time that it was asked; none for pages that do not count.
struct System {
    name: String,
    pages: Vec<Vec<Counts>>,
}

fn systems(
    definition: &Definition,
    settings: &Settings,
    corpora: &[Corpus],
    pages: &[LearningPage],
    rounds: &[Vec<Probabilities>],
) -> Result<Vec<System>, ExperimentError> {
    let measure = &score::all()[0];
    let counts = |page: &LearningPage, text: &Text| (measure.compare)(text, &page.gold);
    let own = |name: &str, text: &(dyn Fn(&LearningPage, &Probabilities) -> Text + Sync)| {
        let of_page = |(number, page): (usize, &LearningPage)| {
            let rounds = rounds.iter().filter(|_| page.counts());
            let texts = rounds.map(|round| text(page, &round[number]));
            texts.map(|text| counts(page, &text)).collect()
        };
        System {
            name: name.to_owned(),
            pages: pages.par_iter().enumerate().map(of_page).collect(),
        }
    };
    let mut systems = vec![
        own("trommel, held out", &|page, of| decided(page, &of.main)),
        own("trommel:comments=yes, held out", &|page, of| {
            decided(page, &of.with_comments)
        }),
        own("each paragraph by itself at 0.5, held out", &|page, of| {
            kept(page, of.main.iter().map(|share| *share >= 0.5))
        }),
        own("all that the labels would keep", &|page, _| {
            kept(page, page.paragraphs.iter().map(|of| of.main >= 0.5))
        }),
    ];
    let names = settings.extractors.iter().map(String::as_str);
    let mut labelers = extractor::parse_all(names)?;
    // The models that are built in were learnt from these pages.
    labelers.retain(|labeler| !LEARNT.contains(&labeler.extractor.name));
    let charset = charset(settings)?;
    let of_page = |page: &LearningPage| -> Result<Option<Vec<Counts>>, ExperimentError> {
        if !page.counts() || labelers.is_empty() {
            return Ok(page.counts().then(Vec::new));
        }
        let bytes =
            std::fs::read(&page.path).map_err(|error| ExperimentError::file(&page.path, error))?;
        let parsed = html::parse(&bytes, charset, None, &Limits::default());
        let subject = Subject::new(&parsed, &page.name, "");
        let text = |labeler: &Labeler| counts(page, &extracted(labeler, &subject));
        Ok(Some(labelers.iter().map(text).collect()))
    };
    let others: Vec<Option<Vec<Counts>>> =
        pages.par_iter().map(of_page).collect::<Result<_, _>>()?;
    for (number, labeler) in labelers.iter().enumerate() {
        systems.push(System {
            name: labeler.name.clone(),
            pages: others
                .iter()
                .map(|counts| counts.iter().map(|counts| counts[number]).collect())
                .collect(),
        });
    }
    for name in &settings.outputs {
        let texts = outputs(definition.input(name)?, corpora)?;
        let text = |page: &LearningPage| {
            let plain = texts[page.corpus].get(&page.name).cloned();
            Text {
                plain: plain.unwrap_or_default(),
                marked: Vec::new(),
            }
        };
        systems.push(System {
            name: name.clone(),
            pages: pages
                .par_iter()
                .map(|page| {
                    let page = page.counts().then_some(page);
                    page.map(|page| counts(page, &text(page)))
                        .into_iter()
                        .collect()
                })
                .collect(),
        });
    }
    Ok(systems)
}

#[derive(Deserialize)]
struct Output {
    docid: String,
    text: String,
}

/// For each corpus the texts by the pages' names that another tool gave; none of a corpus without a file.
fn outputs(
    folder: &Path,
    corpora: &[Corpus],
) -> Result<Vec<BTreeMap<String, String>>, ExperimentError> {
    let of = |corpus: &Corpus| {
        let path = folder.join(format!("{}.jsonl", corpus.name));
        if !path.exists() {
            return Ok(BTreeMap::new());
        }
        let text =
            std::fs::read_to_string(&path).map_err(|error| ExperimentError::file(&path, error))?;
        let line = |(number, line): (usize, &str)| {
            let output: Output = serde_json::from_str(line).map_err(|error| {
                let path = path.display();
                ExperimentError::Definition(format!("{path}, line {}: {error}", number + 1))
            })?;
            Ok((output.docid, output.text))
        };
        text.lines().enumerate().map(line).collect()
    };
    corpora.iter().map(of).collect()
}

fn figures(
    name: String,
    corpus: usize,
    pages: &[LearningPage],
    groups: &[usize],
    systems: &[System],
) -> Figures {
    // Sites are drawn, not pages: pages of a site are alike.
    let mut of_group: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (page, of) in pages.iter().enumerate() {
        if of.corpus == corpus && of.counts() {
            of_group.entry(groups[page]).or_default().push(page);
        }
    }
    let sites: Vec<Vec<usize>> = of_group.into_values().collect();
    let resamples = significance::Resamples::new(sites.len(), SEED);
    let row = |system: &System| {
        let counts: Vec<Counts> = sites
            .iter()
            .flatten()
            .flat_map(|page| system.pages[*page].iter().copied())
            .collect();
        let summary = Summary::of(&counts);
        let of_sites: Vec<(f64, f64)> = sites
            .iter()
            .map(|pages| {
                let counts = pages.iter().flat_map(|page| &system.pages[*page]);
                let f1: Vec<f64> = counts.map(Counts::f1).collect();
                (f1.iter().sum(), f1.len() as f64)
            })
            .collect();
        let interval = resamples.interval(LEVEL, |drawn| {
            let sums = drawn.iter().map(|site| of_sites[*site]);
            let (f1, pages) = sums.fold((0.0, 0.0), |sum, of| (sum.0 + of.0, sum.1 + of.1));
            f1 / pages
        });
        let figures = [
            summary.macro_average.f1,
            *interval.start(),
            *interval.end(),
            summary.macro_average.precision,
            summary.macro_average.recall,
            summary.micro_average.f1,
            summary.below_half,
        ];
        let figures = figures.map(|figure| Some(100.0 * figure)).to_vec();
        (system.name.clone(), figures)
    };
    Figures {
        name,
        of: "extractor".to_owned(),
        columns: [
            "macro F1",
            "95 % from",
            "to",
            "macro P",
            "macro R",
            "micro F1",
            "F1 < 0.5",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows: systems.iter().map(row).collect(),
        decimals: vec![2; 7],
    }
}

/// How well each of the decisions tells paragraphs apart, each paragraph counting its words.
fn decisions(pages: &[LearningPage], probabilities: &[Probabilities]) -> Figures {
    type Decision = (
        &'static str,
        fn(&corpus::LearningParagraph) -> Option<f32>,
        fn(&Probabilities) -> &[f32],
    );
    let decisions: [Decision; 3] = [
        ("main content", |of| Some(of.main), |of| &of.main),
        ("comments", |of| of.comments, |of| &of.comments),
        ("related content", |of| of.related, |of| &of.related),
    ];
    let row = |&(name, label, probability): &Decision| {
        let (mut common, mut output, mut gold) = (0.0, 0.0, 0.0);
        let mut ranked: Vec<(f32, f64, bool)> = Vec::new();
        for (page, of) in pages
            .iter()
            .zip(probabilities)
            .filter(|(page, _)| page.counts())
        {
            for (paragraph, share) in page.paragraphs.iter().zip(probability(of)) {
                let Some(label) = label(paragraph) else {
                    continue;
                };
                let words = f64::from(paragraph.words);
                ranked.push((*share, words, label >= 0.5));
                output += words * f64::from(u8::from(*share >= 0.5));
                gold += words * f64::from(u8::from(label >= 0.5));
                common += words * f64::from(u8::from(*share >= 0.5 && label >= 0.5));
            }
        }
        let (precision, recall) = (common / output, common / gold);
        let f1 = 2.0 * common / (output + gold);
        let average = average_precision(&mut ranked);
        let figures = [precision, recall, f1, average].map(|figure| Some(100.0 * figure));
        (name.to_owned(), figures.to_vec())
    };
    Figures {
        name: "decisions on paragraphs at 0.5, by words, where the gold standard tells".to_owned(),
        of: "decision".to_owned(),
        columns: ["P", "R", "F1", "average P"].map(str::to_owned).to_vec(),
        rows: decisions.iter().map(row).collect(),
        decimals: vec![2; 4],
    }
}

/// What share of the words is main content where the model says so much.
fn calibration(pages: &[LearningPage], probabilities: &[Probabilities]) -> Figures {
    // Words, their probabilities and their shares, in ten intervals.
    let mut sums = [[0.0f64; 3]; 10];
    let pages = pages.iter().zip(probabilities);
    for (page, of) in pages.filter(|(page, _)| page.counts()) {
        for (paragraph, probability) in page.paragraphs.iter().zip(&of.main) {
            let words = f64::from(paragraph.words);
            let sums = &mut sums[((probability * 10.0) as usize).min(9)];
            sums[0] += words;
            sums[1] += words * f64::from(*probability);
            sums[2] += words * f64::from(paragraph.main);
        }
    }
    let all: f64 = sums.iter().map(|[words, ..]| words).sum();
    let rows = sums.iter().enumerate().map(|(tenth, [words, says, is])| {
        let figures = [words / all, says / words, is / words];
        let figures = figures.map(|figure| Some(100.0 * figure)).to_vec();
        (format!("{} to {}", 10 * tenth, 10 * tenth + 10), figures)
    });
    Figures {
        name: "calibration: main content by what the model says, in percent".to_owned(),
        of: "it says".to_owned(),
        columns: ["share of all words", "mean of what it says", "main content"]
            .map(str::to_owned)
            .to_vec(),
        rows: rows.collect(),
        decimals: vec![1; 3],
    }
}

/// The mean of the precision over the words that are wanted, in the order of probabilities; paragraphs are probability, words, and
/// whether they are wanted.
fn average_precision(ranked: &mut [(f32, f64, bool)]) -> f64 {
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (mut seen, mut wanted, mut sum) = (0.0, 0.0, 0.0);
    for (_, words, is_wanted) in ranked.iter() {
        seen += words;
        if *is_wanted {
            wanted += words;
            sum += words * wanted / seen.max(1.0);
        }
    }
    sum / wanted
}

/// For each page of a corpus a line of JSON with what was kept of it, as the extractor `external` reads it.
fn held_out_texts(
    corpus: usize,
    pages: &[LearningPage],
    probabilities: &[Probabilities],
) -> String {
    let mut lines = String::new();
    let pages = pages.iter().zip(probabilities);
    for (page, of) in pages.filter(|(page, _)| page.corpus == corpus) {
        let text = decided(page, &of.main).plain;
        let line = serde_json::json!({"docid": page.name, "text": text});
        lines.push_str(&line.to_string());
        lines.push('\n');
    }
    lines
}
