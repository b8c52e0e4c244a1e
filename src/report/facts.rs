//! How a sweep was made, as its report says it.

use std::collections::BTreeMap;

use super::shown::counted;
use crate::experiment::sweep::Plan;
use crate::index::{Model, Stats};
use crate::trec::Qrels;

/// What a sweep was made of, by the names that its reader knows.
#[derive(Debug, Clone, Default)]
pub struct SweepInputs<'a> {
    /// What was searched, if that is known.
    pub searched: Option<Searched<'a>>,
    /// The topics.
    pub topics: String,
    /// How many there are.
    pub num_topics: usize,
    /// What of a topic was searched for.
    pub field: &'a str,
    /// The judgments with their name, if there are some.
    pub qrels: Option<(String, &'a Qrels)>,
    /// The weights, where not all blocks count alike.
    pub weights: Option<String>,
}

/// What was searched.
#[derive(Debug, Clone, Default)]
pub struct Searched<'a> {
    /// Name of the index.
    pub name: String,
    /// Its pages.
    pub pages: u64,
    /// Their blocks.
    pub blocks: u64,
    /// What made them.
    pub segmenter: &'a str,
}

/// The facts of a sweep: name and value.
pub fn sweep_facts(inputs: &SweepInputs, plan: &Plan) -> Vec<(String, String)> {
    let models: Vec<String> = plan.models.iter().map(Model::to_string).collect();
    let mut facts = Vec::new();
    if let Some(searched) = &inputs.searched {
        let text = format!(
            "{}: {}, {}, segmenter {}",
            searched.name,
            counted(searched.pages, "page"),
            counted(searched.blocks, "block"),
            searched.segmenter
        );
        facts.push(("index", text));
    }
    let SweepInputs {
        topics,
        num_topics,
        field,
        ..
    } = inputs;
    facts.push(("topics", format!("{topics}: {num_topics}, field {field}")));
    if let Some((name, judgments)) = &inputs.qrels {
        let pairs: usize = judgments.topics.values().map(BTreeMap::len).sum();
        let text = format!(
            "{name}: {} of {}; relevant from grade {}",
            counted(pairs as u64, "judgment"),
            counted(judgments.topics.len() as u64, "topic"),
            plan.options.relevance_level
        );
        facts.push(("judgments", text));
    }
    facts.push(("models", models.join(", ")));
    facts.push((
        "statistics",
        match &plan.stats {
            Stats::Subset => "of the blocks that pass each filter".to_owned(),
            Stats::Collection => "of all blocks".to_owned(),
            Stats::Of(filter) => format!("of the blocks that pass '{filter}'"),
        },
    ));
    if let Some(weights) = &inputs.weights {
        facts.push(("weights", weights.clone()));
    }
    facts.push(("depth", format!("{} pages for each topic", plan.k)));
    facts.push(("program", format!("trommel {}", env!("CARGO_PKG_VERSION"))));
    let owned = facts
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value));
    owned.collect()
}
