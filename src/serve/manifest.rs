//! `/api/manifest`: what the index holds, and what can be chosen. Made once.

use serde::Serialize;

use super::problem::Problem;
use super::site::Options;
use super::sweep::{DIMENSIONS, Dimension};
use crate::index::{Filter, Histogram, LabelSet, model};
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
struct Sweep {
    topics: Vec<Topic>,
    measures: Vec<String>,
    dimensions: Vec<&'static str>,
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

pub fn manifest(options: &Options) -> Result<Manifest, Problem> {
    let index = &options.index;
    let size = index.size()?;
    let content_blocks = |set: &LabelSet| {
        let filter = Filter {
            extractor: Some(set.name.clone()),
            ..Filter::default()
        };
        Ok::<_, Problem>(index.kept(&filter)?.blocks)
    };
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
        sweep: (!options.topics.is_empty()).then(|| sweep(options)),
    })
}

fn sweep(options: &Options) -> Sweep {
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
    let dimensions = DIMENSIONS.iter().map(|Dimension { name, .. }| *name);
    Sweep {
        topics: options.topics.iter().map(topic).collect(),
        measures: measures.map(ToString::to_string).collect(),
        dimensions: dimensions
            .filter(|name| has_confidences || *name != "min_confidence")
            .collect(),
        level,
    }
}
