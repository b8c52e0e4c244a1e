//! Kind `wsdm2010-blocks`: the classes of GoogleNews blocks (WSDM 2010, Table 1) and the classifiers of Table 2 that need no
//! training, on annotated pages.

mod rules;

use rayon::prelude::*;
use serde::Deserialize;
use trommel_page::html::Charset;
use trommel_page::html::segment::{self, Segmenter};
use trommel_text::SplitMix64;

use self::rules::{BlockValues, Rule};
use super::{Context, Definition, Figures, Kind, Outcome};
use crate::LabError;
use crate::gold::{self, Annotated, Class, classes_of_blocks, pairs};
use crate::score::labels::{Confusion, Labelled, area_under_curve};

pub(super) const KIND: Kind = Kind {
    name: "wsdm2010-blocks",
    summary: "Tables 1 and 2 of WSDM 2010 on annotated pages (input annotated)",
    run,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Settings {
    /// How pages are cut into blocks; each gives tables of its own.
    segmenters: Vec<String>,
    /// Folds of the cross-validation.
    folds: usize,
    /// Seed of the division into folds.
    seed: u64,
}

/// A block with its class.
struct GoldBlock {
    class: Class,
    values: BlockValues,
    previous: BlockValues,
    next: BlockValues,
    tokens: u64,
}

fn run(definition: &Definition, context: &Context) -> Result<Outcome, LabError> {
    let settings: Settings = definition.options()?;
    let mut outcome = Outcome::default();
    for name in &settings.segmenters {
        let segmenter = segment::by_name(name)
            .ok_or_else(|| LabError::Definition(format!("no segmenter is called '{name}'")))?;
        let blocks = blocks(definition, segmenter, context)?;
        for mut table in [
            totals(&blocks),
            classes(&blocks),
            long_blocks(&blocks),
            classifiers(&blocks, &settings),
        ] {
            table.name = format!("{}; {name} blocks", table.name);
            outcome.tables.push(table);
        }
    }
    Ok(outcome)
}

fn blocks(
    definition: &Definition,
    segmenter: &Segmenter,
    context: &Context,
) -> Result<Vec<GoldBlock>, LabError> {
    let format = gold::by_name("gn1")
        .ok_or_else(|| LabError::Definition("no format is called 'gn1'".to_owned()))?;
    let pages = pairs(None, definition.input("annotated")?)?;
    let blocks: Vec<Vec<GoldBlock>> = pages
        .par_iter()
        .map(|page| {
            let bytes =
                std::fs::read(&page.page).map_err(|error| LabError::file(&page.page, error))?;
            let gold = (format.read)(&bytes, Charset::Auto).map_err(LabError::Definition)?;
            let annotated = gold.annotated;
            (context.progress)();
            Ok(blocks_of(&annotated.unwrap_or_default(), segmenter))
        })
        .collect::<Result<_, LabError>>()?;
    Ok(blocks.into_iter().flatten().collect())
}

/// The blocks of a page with their classes.
fn blocks_of(annotated: &Annotated, segmenter: &Segmenter) -> Vec<GoldBlock> {
    let segmentation = (segmenter.segment)(&annotated.page);
    let values: Vec<BlockValues> = segmentation
        .blocks
        .iter()
        .map(|block| BlockValues::of(block, segmentation.unit))
        .collect();
    let at = |i: usize| values.get(i).copied().unwrap_or_default();
    let classes = classes_of_blocks(annotated, &segmentation);
    let blocks = segmentation.blocks.iter().zip(classes).enumerate();
    blocks
        .map(|(i, (block, class))| GoldBlock {
            class,
            values: at(i),
            previous: at(i.wrapping_sub(1)),
            next: at(i + 1),
            tokens: u64::from(block.num_tokens),
        })
        .collect()
}

/// Blocks, words and tokens of the blocks that pass.
fn sizes(blocks: &[GoldBlock], passes: impl Fn(Class) -> bool) -> [f64; 3] {
    let mut sums = [0; 3];
    for block in blocks.iter().filter(|block| passes(block.class)) {
        sums[0] += 1;
        sums[1] += u64::from(block.values.words);
        sums[2] += block.tokens;
    }
    sums.map(|sum| sum as f64)
}

fn size_columns() -> Vec<String> {
    ["blocks", "words", "tokens"].map(str::to_owned).to_vec()
}

fn totals(blocks: &[GoldBlock]) -> Figures {
    Figures {
        name: "Table 1, totals".to_owned(),
        of: "class".to_owned(),
        columns: size_columns(),
        rows: vec![(
            "total".to_owned(),
            sizes(blocks, |_| true).map(Some).to_vec(),
        )],
        decimals: vec![0; 3],
        ..Figures::default()
    }
}

/// Shares of the classes, in percent.
fn classes(blocks: &[GoldBlock]) -> Figures {
    let totals = sizes(blocks, |_| true);
    let row = |name: &str, passes: &dyn Fn(Class) -> bool| {
        let shares = sizes(blocks, passes).into_iter().zip(totals);
        let shares = shares.map(|(part, whole)| Some(100.0 * part / whole.max(1.0)));
        (name.to_owned(), shares.collect())
    };
    let mut rows = vec![
        row("boilerplate", &|class| class == Class::Boilerplate),
        // The paper's "Any Content" is the rest, related content included.
        row("any content", &|class| class != Class::Boilerplate),
    ];
    let single = [
        Class::Headline,
        Class::FullText,
        Class::Supplemental,
        Class::Comments,
        Class::Related,
    ];
    rows.extend(single.map(|of| row(of.name(), &|class| class == of)));
    Figures {
        name: "Table 1".to_owned(),
        of: "class".to_owned(),
        columns: size_columns(),
        rows,
        decimals: vec![1; 3],
        ..Figures::default()
    }
}

/// What §5.1 says of long blocks: words in blocks of at least 11 words and of a text density of at least 11, and the length of
/// the longest block.
fn long_blocks(blocks: &[GoldBlock]) -> Figures {
    let words = |passes: &dyn Fn(&BlockValues) -> bool| -> Option<f64> {
        let passing = blocks.iter().filter(|block| passes(&block.values));
        Some(passing.map(|block| f64::from(block.values.words)).sum())
    };
    let longest = blocks.iter().map(|block| block.values.words).max();
    Figures {
        name: "Section 5.1".to_owned(),
        of: "words".to_owned(),
        columns: vec!["words".to_owned()],
        rows: vec![
            (
                "in blocks of 11 words or more".to_owned(),
                vec![words(&|block| block.words >= 11)],
            ),
            (
                "in blocks of text density 11 or more".to_owned(),
                vec![words(&|block| block.text_density >= 11.0)],
            ),
            (
                "in the longest block".to_owned(),
                vec![longest.map(f64::from)],
            ),
        ],
        decimals: vec![0],
        ..Figures::default()
    }
}

fn classifiers(blocks: &[GoldBlock], settings: &Settings) -> Figures {
    let rows = rules::all().iter().map(|rule| {
        let confusion = Confusion::of(blocks.iter().map(|block| Labelled {
            gold: block.class.is_content(),
            verdict: rule.verdict(rule.leaf_of(&block.previous, &block.values, &block.next)),
            weight: u64::from(block.values.words),
        }));
        let rates = confusion.weighted();
        let auc = match rule.leaves {
            // A single rule has one point between the corners of the ROC curve.
            [_] | [_, _] => rates.auc,
            _ => cross_validated_auc(blocks, rule, settings),
        };
        let figures = [
            rates.precision,
            rates.recall,
            rates.f1,
            rates.false_positive_rate,
            auc,
        ];
        let figures = figures.map(|figure| Some(100.0 * figure));
        (rule.name.to_owned(), figures.to_vec())
    });
    Figures {
        name: "Table 2".to_owned(),
        of: "algorithm".to_owned(),
        columns: ["precision", "recall", "F1", "FP rate", "ROC AUC"]
            .map(str::to_owned)
            .to_vec(),
        rows: rows.collect(),
        decimals: vec![1; 5],
        ..Figures::default()
    }
}

/// ROC AUC when a block's score is the share of content (by words) that its leaf of the tree has among the blocks of the other
/// folds. Folds divide blocks, as Weka divides instances.
fn cross_validated_auc(blocks: &[GoldBlock], rule: &Rule, settings: &Settings) -> f64 {
    let mut order: Vec<usize> = (0..blocks.len()).collect();
    let mut random = SplitMix64::new(settings.seed);
    for i in (1..order.len()).rev() {
        order.swap(i, random.below(i + 1));
    }
    let folds = settings.folds.max(2);
    // Words of content and of all blocks by fold and leaf.
    let mut words = vec![vec![(0u64, 0u64); rule.leaves.len()]; folds];
    let mut leaves = vec![(0, 0); blocks.len()];
    for (place, &number) in order.iter().enumerate() {
        let block = &blocks[number];
        let leaf = rule.leaf_of(&block.previous, &block.values, &block.next);
        let (content, all) = &mut words[place % folds][leaf];
        let weight = u64::from(block.values.words);
        *content += if block.class.is_content() { weight } else { 0 };
        *all += weight;
        leaves[number] = (place % folds, leaf);
    }
    let score = |fold: usize, leaf: usize| {
        let others = (0..folds).filter(|other| *other != fold);
        let (content, all) = others
            .map(|other| words[other][leaf])
            .fold((0, 0), |(content, all), (c, a)| (content + c, all + a));
        content as f64 / all.max(1) as f64
    };
    let scores: Vec<Vec<f64>> = (0..folds)
        .map(|fold| {
            (0..rule.leaves.len())
                .map(|leaf| score(fold, leaf))
                .collect()
        })
        .collect();
    area_under_curve(blocks.iter().zip(leaves).map(|(block, (fold, leaf))| {
        let weight = u64::from(block.values.words);
        (scores[fold][leaf], block.class.is_content(), weight)
    }))
}
