//! `/api/manifest`: what the index holds, and what can be chosen. Made once.

use serde::Serialize;

use super::dimensions::dimensions;
use super::options::ServeOptions;
use super::parameters::parameter;
use super::problem::Problem;
use crate::attribute::{self, Attribute, Bound, Kind, Side};
use crate::filter::Filter;
use crate::index::{Histogram, LabelSet, model};
use crate::page::DensityUnit;

#[derive(Serialize)]
pub struct Manifest {
    trommel: &'static str,
    pages: u64,
    blocks: u64,
    terms: u64,
    segmenter: String,
    density_unit: &'static str,
    analyzer: &'static str,
    extractors: Vec<Extractor>,
    /// Whose confidences a filter without an extractor compares; none if there are none, or it is not clear.
    confidences_of: Option<String>,
    models: Vec<ModelRow>,
    histograms: Vec<Histogram>,
    /// What filters can compare.
    attributes: Vec<AttributeRow>,
    /// The bounds that have parameters of their own and are worth a control.
    bounds: Vec<BoundRow>,
    /// None without topics.
    sweep: Option<Sweep>,
}

#[derive(Serialize)]
struct Extractor {
    name: String,
    content_blocks: u64,
    /// How its confidences are spread; none if it gives none.
    confidences: Option<Histogram>,
}

#[derive(Serialize)]
struct ModelRow {
    name: &'static str,
    /// With its parameters and their defaults, as in a flag.
    example: &'static str,
}

#[derive(Serialize)]
struct AttributeRow {
    name: &'static str,
    label: &'static str,
    /// Is it the page's, and not the block's?
    of_page: bool,
    /// `number`, `confidence`, `word` or `date`.
    kind: &'static str,
}

#[derive(Serialize)]
struct BoundRow {
    /// Its parameter: `min_words`.
    name: String,
    attribute: &'static str,
    /// Is it a least value, and not a greatest one?
    least: bool,
    /// The greatest threshold that makes sense; none if there is no such limit.
    most: Option<u32>,
    /// From one threshold of a slider to the next, and the last one.
    step: f64,
    end: f64,
    /// Are thresholds whole numbers?
    whole: bool,
    /// Is it the one of its attribute's two bounds that is worth a slider?
    slider: bool,
    /// Is it an extractor's value?
    by_extractor: bool,
}

#[derive(Serialize)]
struct Sweep {
    topics: Vec<Topic>,
    measures: Vec<String>,
    dimensions: Vec<String>,
    /// Lowest grade that is relevant.
    level: i32,
}

#[derive(Serialize)]
struct Topic {
    id: String,
    query: String,
    /// Documents that are judged, and those whose grade is relevant.
    judged: usize,
    relevant: usize,
}

pub fn manifest(options: &ServeOptions) -> Result<Manifest, Problem> {
    let index = &options.index;
    let size = index.size()?;
    let content_blocks =
        |set: &LabelSet| Ok::<_, Problem>(index.kept(&Filter::content(&set.name))?.blocks);
    let extractor = |set: &LabelSet| {
        let histogram = || index.confidence_histogram(&set.name);
        Ok(Extractor {
            name: set.name.clone(),
            content_blocks: content_blocks(set)?,
            confidences: set.confidences.then(histogram).transpose()?,
        })
    };
    let extractors = index.manifest.extractors.iter().map(extractor);
    let models = model::all().iter().map(|row| ModelRow {
        name: row.name,
        example: row.usage,
    });
    Ok(Manifest {
        trommel: env!("CARGO_PKG_VERSION"),
        pages: size.pages,
        blocks: size.blocks,
        terms: size.terms,
        segmenter: index.manifest.segmenter.clone(),
        density_unit: match index.density_unit() {
            DensityUnit::Words => "words",
            DensityUnit::Tokens => "tokens",
        },
        analyzer: index.analyzer().name(),
        extractors: extractors.collect::<Result<_, Problem>>()?,
        confidences_of: index.confidences_of(None).ok().map(|set| set.name.clone()),
        models: models.collect(),
        histograms: index.histograms()?,
        attributes: attribute::all().iter().map(attribute_row).collect(),
        bounds: bounds(),
        sweep: (!options.topics.is_empty()).then(|| sweep(options)),
    })
}

fn attribute_row(attribute: &Attribute) -> AttributeRow {
    AttributeRow {
        name: attribute.name,
        label: attribute.label,
        of_page: attribute.of_page,
        kind: match attribute.kind {
            Kind::Number(_) => "number",
            Kind::Confidence => "confidence",
            Kind::Tag | Kind::Word(_) => "word",
            Kind::Date => "date",
        },
    }
}

fn bounds() -> Vec<BoundRow> {
    let row = |bound: Bound| {
        let (axis, range) = (bound.attribute.axis?, bound.attribute.range()?);
        Some(BoundRow {
            name: parameter(bound),
            attribute: bound.attribute.name,
            least: bound.side == Side::Least,
            most: (range.most < u32::MAX).then_some(range.most),
            step: 1.0 / f64::from(axis.bins_per_unit),
            end: f64::from(axis.last) / f64::from(axis.bins_per_unit),
            whole: range.digits == 0,
            slider: bound.side == axis.side,
            by_extractor: matches!(bound.attribute.kind, Kind::Confidence),
        })
    };
    attribute::bounds().filter_map(row).collect()
}

fn sweep(options: &ServeOptions) -> Sweep {
    let judged = options.judged.as_ref();
    let level = judged.map_or(1, |judged| judged.options.relevance_level);
    let topic = |(id, query): &(String, String)| {
        let grades = judged.and_then(|judged| judged.qrels.topics.get(id));
        let grades = || grades.into_iter().flat_map(|grades| grades.values());
        Topic {
            id: id.clone(),
            query: query.clone(),
            judged: grades().count(),
            relevant: grades().filter(|grade| **grade >= level).count(),
        }
    };
    let measures = judged.iter().flat_map(|judged| &judged.measures);
    let sets = &options.index.manifest.extractors;
    let has_confidences = sets.iter().any(|set| set.confidences);
    let by_extractor = |bound: Bound| matches!(bound.attribute.kind, Kind::Confidence);
    let dimensions = dimensions()
        .filter(|(_, vary)| has_confidences || !vary.dimension.bound().is_some_and(by_extractor));
    Sweep {
        topics: options.topics.iter().map(topic).collect(),
        measures: measures.map(ToString::to_string).collect(),
        dimensions: dimensions.map(|(name, _)| name).collect(),
        level,
    }
}
