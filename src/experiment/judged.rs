//! JudgedCollection collections of experiment files: index, topics, judgments.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use trommel_lab::experiment::{Context, DEMO, Definition};

use super::agreement::agreement;
use super::error::ExperimentError;
use crate::collection::{self, Input, Item, WarcPage, write_warc};
use crate::demo::{self, DemoPage};
use crate::extractor::{self, Extractor, Subject};
use crate::html::segment;
use crate::index::{BuildOptions, Index, Progress, Reading, build};
use crate::text::Analyzer;
use crate::trec::{Qrels, TopicIds, qrels, topics};

/// A collection that is ready to be searched.
pub(super) struct JudgedCollection {
    pub index: Index,
    /// Id and text of each topic.
    pub topics: Vec<(String, String)>,
    pub qrels: Qrels,
    /// Names of the extractors' labels in the index, without what keeps everything: that is the unfiltered search.
    pub labels: Vec<String>,
    /// What is not wrong, but should be known.
    pub warnings: Vec<String>,
}

/// Memory for the index segments that are being built, in bytes.
const MEMORY: usize = 256 << 20;

impl JudgedCollection {
    /// Reads topics and judgments, and opens the input `index`; where it is not there yet it is built of the input
    /// `collection`, with the labels of these extractors and of the models that these learners make of the collection. Without
    /// an input `index` it is built for this once.
    ///
    /// The inputs are the built-in demo's if the collection is `demo`.
    pub fn open(
        definition: &Definition,
        topic_field: &str,
        topic_ids: TopicIds,
        extractors: &[String],
        learners: &[String],
        context: &Context,
    ) -> Result<JudgedCollection, ExperimentError> {
        let wrong = |text: String| ExperimentError::definition(text);
        let is_demo = definition
            .input
            .get("collection")
            .is_some_and(|path| path == Path::new(DEMO));
        let (mut qrels, mut topics) = match is_demo {
            true => (
                qrels::parse(demo::QRELS.as_bytes(), "the demo's judgments")?,
                topics::parse(demo::TOPICS, "the demo's topics")?,
            ),
            false => (
                qrels::read_file(definition.input("qrels")?)?,
                topics::read_file(definition.input("topics")?)?,
            ),
        };
        topic_ids.rename_qrels(&mut qrels, "the judgments")?;
        topic_ids.rename_topics(&mut topics.topics, "the topics")?;
        let mut warnings: Vec<String> = topics
            .notes
            .iter()
            .map(|note| format!("topics: {note}"))
            .collect();
        let topics = topics.queries(topic_field)?;
        let mut extractors = extractor::parse_all(extractors.iter().map(String::as_str))?;
        extractors.retain(|extractor| extractor.name != "keep-everything");
        let mut labels: Vec<String> = extractors.iter().map(|it| it.name.clone()).collect();
        let kept = definition.input.get("index");
        if let Some(index) = kept.filter(|index| index.exists()) {
            labels.extend(learners.iter().map(|spec| name_of(spec).to_owned()));
            let index = Index::open(index)?;
            warnings.extend(agreement(&index, &topics, &qrels)?);
            return Ok(JudgedCollection {
                index,
                topics,
                qrels,
                labels,
                warnings,
            });
        }
        let collection = match is_demo {
            true => {
                let path = context.scratch.join(DEMO_FILE);
                let write = || {
                    let mut file = BufWriter::new(File::create(&path)?);
                    write_demo(&mut file)?;
                    file.flush()
                };
                write().map_err(|error| ExperimentError::file(&path, error))?;
                path
            }
            false => definition.input("collection")?.to_owned(),
        };
        let inputs = collection::inputs(&[collection]).map_err(|error| wrong(error.to_string()))?;
        for spec in learners {
            let model = learn(spec, &inputs, context)?;
            let spec = format!("{}:{}", name_of(spec), model.display());
            let extractor = extractor::parse(&spec)?;
            labels.push(extractor.name.clone());
            extractors.push(extractor);
        }
        let directory = kept.map_or_else(|| context.scratch.join("index"), PathBuf::clone);
        let options = BuildOptions::default()
            .with_reading(Reading::default())
            .with_segmenter(segment::all()[0])
            .with_analyzer(Analyzer::English)
            .with_extractors(
                extractors
                    .into_iter()
                    .map(Arc::new)
                    .collect::<Vec<Arc<Extractor>>>(),
            )
            .with_threads(rayon::current_num_threads())
            .with_memory(MEMORY)
            .with_max_bad(None)
            .with_allow_empty(false)
            .with_resume(false);
        build(&directory, &inputs, &options, &Progress::default())?;
        let index = Index::open(&directory)?;
        warnings.extend(agreement(&index, &topics, &qrels)?);
        Ok(JudgedCollection {
            index,
            topics,
            qrels,
            labels,
            warnings,
        })
    }
}

/// What the file of the built-in collection is called.
pub const DEMO_FILE: &str = "demo.warc.gz";

/// Writes the built-in collection as a gzipped WARC file.
///
/// # Errors
/// The writer's.
pub fn write_demo(out: &mut impl Write) -> io::Result<()> {
    let pages = demo::pages().map_err(|error| io::Error::other(error.to_string()))?;
    let dated: Vec<(DemoPage, String)> = pages
        .into_iter()
        .map(|page| {
            let date = format!("{}T12:00:00Z", page.date);
            (page, date)
        })
        .collect();
    let records = dated.iter().map(|(page, date)| WarcPage {
        docid: &page.docid,
        url: &page.url,
        date,
        html: page.html.as_bytes(),
    });
    write_warc(out, records)
}

/// The option `topic-ids` of an experiment file.
pub(super) fn topic_ids(option: &Option<String>) -> Result<TopicIds, ExperimentError> {
    let wrong = |error| ExperimentError::definition(format!("topic-ids: {error}"));
    match option {
        None => Ok(TopicIds::Exact),
        Some(name) => name.parse::<TopicIds>().map_err(wrong),
    }
}

/// The name in front of a learner's parameters.
fn name_of(spec: &str) -> &str {
    spec.split(':').next().unwrap_or(spec)
}

/// Learns a model from the collection and writes it to the scratch directory.
fn learn(spec: &str, inputs: &[Input], context: &Context) -> Result<PathBuf, ExperimentError> {
    let mut learner = extractor::learner(spec)?;
    let reading = Reading::default();
    for input in inputs {
        let reader = collection::open(input, &reading.collection)
            .map_err(|error| ExperimentError::definition(error.to_string()))?;
        for item in reader {
            let Item::Document(document) = item else {
                continue;
            };
            let page = reading.page(&document);
            learner.add(&Subject::new(&page, &document.docid, &document.url));
            (context.progress)();
        }
    }
    let path = context.scratch.join(format!("{}.json", name_of(spec)));
    fs::write(&path, learner.finish()?).map_err(|error| ExperimentError::file(&path, error))?;
    Ok(path)
}
