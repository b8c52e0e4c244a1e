//! `/api/page/DOCID`: the blocks of a page with their values and every extractor's verdict.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use super::limits;
use super::marked::{Marked, beginning};
use super::parameters::Parameters;
use super::problem::Problem;
use super::room::Room;
use super::site::Site;
use crate::extractor::Verdicts;
use crate::extractor::{BlockNumbers, BlockVerdicts};
use crate::filter::Filter;
use crate::index::{Expression, Index, Query, Ranking, marks};
use crate::page::Block;
use crate::text::Hundredths;
use crate::weight::Weights;

#[derive(Serialize)]
pub struct Answer {
    docid: String,
    url: String,
    title: String,
    date: String,
    file: String,
    offset: u64,
    filter: Filter,
    /// None where all blocks count alike.
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<Weights>,
    /// How much the title counts; none if titles do not.
    #[serde(skip_serializing_if = "Option::is_none")]
    title_weight: Option<Hundredths>,
    extractors: Vec<String>,
    /// Whose confidences the filter compares, or would; none if there are none, or it is not clear.
    #[serde(skip_serializing_if = "Option::is_none")]
    confidences_of: Option<String>,
    totals: Totals,
    from: u32,
    blocks: Vec<Line>,
    /// Where to go on; none at the end of the page.
    next: Option<u32>,
}

#[derive(Serialize)]
struct Totals {
    blocks: usize,
    words: u64,
    blocks_kept: usize,
    words_kept: u64,
    /// What each extractor keeps.
    extractors: BTreeMap<String, Share>,
}

#[derive(Serialize)]
struct Share {
    blocks: usize,
    words: u64,
}

#[derive(Serialize)]
struct Line {
    block: u32,
    tag: String,
    kept: bool,
    /// How much it counts; none where all blocks count alike.
    #[serde(skip_serializing_if = "Option::is_none")]
    weight: Option<Hundredths>,
    #[serde(flatten)]
    numbers: BlockNumbers,
    #[serde(flatten)]
    verdicts: BlockVerdicts,
    parts: Marked,
    /// Text was cut off.
    cut: bool,
}

pub fn page(site: &Site, docid: &str, mut parameters: Parameters) -> Result<Answer, Problem> {
    let index = site.index();
    let in_query = parameters.text("docid");
    let ranking = Ranking {
        filter: parameters.filter()?,
        weights: parameters.value("weights")?.unwrap_or_default(),
        ..Ranking::default()
    };
    let (filter, weighted) = (&ranking.filter, !ranking.weights.is_one());
    let from = parameters.whole("from")?.unwrap_or(0);
    let count = parameters.within("count", 1..=limits::BLOCKS, 500)?;
    let terms = terms(site, &mut parameters)?;
    parameters.finish()?;
    let docid = match (docid, in_query) {
        ("", Some(docid)) => docid,
        ("", None) => return Err(Problem::bad("docid: there is none").hint("add docid=DOCID")),
        (docid, None) => docid.to_owned(),
        (_, Some(_)) => return Err(Problem::bad("docid: it stands in the path already")),
    };
    let number = index
        .find(&docid)
        .ok_or_else(|| Problem::not_found(format!("there is no page '{docid}'")))?;

    let record = index.page(number)?;
    let counts = index.page_counts(number)?;
    let weights = index.block_weights(number, &ranking)?;
    let kept: Vec<bool> = weights.iter().map(|weight| *weight > 0).collect();
    let labels = index
        .manifest
        .extractors
        .iter()
        .map(|set| Ok((set.name.clone(), index.page_verdicts(number, &set.name)?)))
        .collect::<Result<Vec<(String, Verdicts)>, Problem>>()?;
    let share = |kept: &[bool]| share(&counts, kept);
    let (all, passing) = (share(&vec![true; counts.len()]), share(&kept));
    let totals = Totals {
        blocks: all.blocks,
        words: all.words,
        blocks_kept: passing.blocks,
        words_kept: passing.words,
        extractors: labels
            .iter()
            .map(|(name, verdicts)| (name.clone(), share(&verdicts.content())))
            .collect(),
    };
    let confidences_of = index
        .confidences_of(filter.confidences_of().flatten().or(filter.extractor()))
        .ok();
    let line = |number: u32, block: &Block| {
        let at = number as usize;
        let named = labels.iter().map(|(name, of)| (name.as_str(), of));
        Line {
            kept: kept.get(at).copied().unwrap_or(false),
            weight: weights
                .get(at)
                .filter(|_| weighted)
                .copied()
                .map(hundredths),
            verdicts: BlockVerdicts::of(at, named),
            ..line(index, &terms, number, block)
        }
    };
    let mut room = Room::new();
    let mut blocks = Vec::new();
    let mut next = from;
    // One after another: all together may be as long as the longest record.
    while next - from < count {
        let one = index.page_blocks_in(number, next..next.saturating_add(1))?;
        let Some(line) = one.first().map(|block| line(next, block)) else {
            break;
        };
        if !room.takes(&line)? {
            break;
        }
        blocks.push(line);
        next += 1;
    }
    Ok(Answer {
        docid: record.docid,
        url: record.url,
        title: beginning(&record.title).to_owned(),
        date: record.date,
        file: file_name(&record.file).to_owned(),
        offset: record.offset,
        confidences_of: confidences_of.map(|set| set.name.clone()),
        title_weight: match ranking.weights.weigh_titles() {
            true => Some(hundredths(index.title_weight(number, &ranking)?)),
            false => None,
        },
        weights: weighted.then_some(ranking.weights),
        filter: ranking.filter,
        extractors: labels.iter().map(|(name, _)| name.clone()).collect(),
        next: ((next as usize) < totals.blocks).then_some(next),
        totals,
        from,
        blocks,
    })
}

/// The terms to be marked: those of a query or of a topic. A query of stop words alone marks nothing.
fn terms(site: &Site, parameters: &mut Parameters) -> Result<HashSet<String>, Problem> {
    let literal = parameters.flag("literal")?;
    let query = match (parameters.text("q"), parameters.text("topic")) {
        (Some(_), Some(_)) => return Err(Problem::bad("q and topic exclude each other")),
        (Some(text), None) => Some(site.query(&text, literal)?.0),
        (None, Some(id)) => {
            let topic = Expression::literal(site.topic(&id)?);
            Query::new(&topic, site.index().analyzer()).ok()
        }
        (None, None) => None,
    };
    let terms = query.iter().flat_map(Query::terms);
    Ok(terms.map(str::to_owned).collect())
}

fn hundredths(weight: u16) -> Hundredths {
    Hundredths::new(weight.into())
}

fn share(counts: &[Block], verdicts: &[bool]) -> Share {
    let kept = || counts.iter().zip(verdicts).filter(|(_, kept)| **kept);
    Share {
        blocks: kept().count(),
        words: kept().map(|(block, _)| u64::from(block.num_words)).sum(),
    }
}

fn line(index: &Index, terms: &HashSet<String>, number: u32, block: &Block) -> Line {
    let text = beginning(&block.text);
    let marked = Marked::new(text, marks(index.analyzer(), terms, text));
    Line {
        block: number,
        tag: block.tag.name().to_owned(),
        kept: false,
        weight: None,
        numbers: BlockNumbers::of(block, index.density_unit()),
        verdicts: BlockVerdicts::default(),
        cut: marked.bytes() < block.text.len(),
        parts: marked,
    }
}

/// The last part of a path, as Unix and Windows write it, or of a path within an archive.
fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}
