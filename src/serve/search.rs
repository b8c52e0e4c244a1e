//! `/api/search`: ranked pages or blocks, with what the filter changed about their ranks.

use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;

use super::baselines::Baseline;
use super::limits;
use super::lock::locked;
use super::marked::{Marked, beginning};
use super::parameters::Parameters;
use super::problem::Problem;
use super::room::Room;
use super::site::Site;
use crate::filter::Filter;
use crate::index::{
    Explanation, Expression, Fragment, Hit, Index, Kept, Query, Ranking, Stats, Unit,
};
use crate::text::to_word;
use crate::weight::Weights;

#[derive(Serialize)]
pub struct Answer {
    query: String,
    topic: Option<String>,
    model: String,
    stats: Stats,
    unit: Unit,
    filter: Filter,
    /// None where all blocks count alike.
    weights: Option<Weights>,
    warnings: Vec<String>,
    /// Pages (or blocks) that answer, under the filter and without it.
    found: usize,
    found_unfiltered: usize,
    /// What passes the filter in the whole collection.
    kept: Kept,
    /// What the search took, by the server's clock.
    milliseconds: f64,
    results: Vec<Line>,
    /// Where to go on; none if nothing more was found, or no more can be asked for.
    next: Option<usize>,
}

#[derive(Serialize)]
struct Line {
    rank: usize,
    /// None beyond [`limits::RANKS`].
    rank_unfiltered: Option<u32>,
    docid: String,
    score: f32,
    url: String,
    title: String,
    block: Option<u32>,
    blocks_kept: u32,
    blocks_total: u32,
    snippet: String,
    fragments: Vec<Piece>,
    /// Only for topics; the inner one is none for unjudged pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    grade: Option<Option<i32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explain: Option<Explanation>,
}

#[derive(Serialize)]
struct Piece {
    block: u32,
    cut_before: bool,
    cut_after: bool,
    parts: Marked,
}

/// What is ranked for.
struct Asked {
    text: String,
    topic: Option<String>,
    query: Query,
    warnings: Vec<String>,
}

pub fn search(site: &Site, mut parameters: Parameters) -> Result<Answer, Problem> {
    let begun = Instant::now();
    let index = site.index();
    let (q, topic) = (parameters.text("q"), parameters.text("topic"));
    let literal = parameters.flag("literal")?;
    let mut ranking = parameters.ranking()?;
    ranking.unit = parameters.value("unit")?.unwrap_or_default();
    let k = parameters.within("k", 1..=limits::RESULTS, 10)? as usize;
    let from = parameters.within("from", 0..=limits::FROM, 0)? as usize;
    let explain = parameters.flag("explain")?;
    parameters.finish()?;
    let asked = asked(site, q, topic, literal)?;

    let mut found = index.search_counted(&asked.query, &ranking, from + k)?;
    found.hits.drain(..from.min(found.hits.len()));
    let baseline = match ranking.filter.is_empty() && ranking.weights.is_one() {
        true => None,
        false => Some(baseline(site, &asked.query, &ranking)?),
    };
    let explanations = match explain {
        true => index.explain(&asked.query, &ranking, &found.hits)?,
        false => Vec::new(),
    };
    let mut explanations = explanations.into_iter();
    let mut room = Room::new();
    let mut results = Vec::with_capacity(found.hits.len());
    for (rank, hit) in (from + 1..).zip(&found.hits) {
        let rank_unfiltered = match &baseline {
            None => u32::try_from(rank).ok(),
            Some(baseline) => baseline.ranks.get(&(hit.page, hit.block)).copied(),
        };
        let line = Line {
            rank,
            rank_unfiltered,
            grade: asked.topic.as_deref().map(|topic| grade(site, topic, hit)),
            explain: explanations.next(),
            ..line(index, &asked.query, &ranking, hit)?
        };
        if !room.takes(&line)? {
            break;
        }
        results.push(line);
    }
    let next = from + results.len();
    let kept = index.kept(&ranking.filter)?;
    Ok(Answer {
        query: asked.text,
        topic: asked.topic,
        model: ranking.model.to_string(),
        stats: ranking.stats,
        unit: ranking.unit,
        filter: ranking.filter,
        weights: (!ranking.weights.is_one()).then_some(ranking.weights),
        warnings: asked.warnings,
        found: found.total,
        found_unfiltered: baseline.map_or(found.total, |baseline| baseline.total),
        kept,
        milliseconds: begun.elapsed().as_secs_f64() * 1000.0,
        results,
        next: (next < found.total && next <= limits::FROM as usize).then_some(next),
    })
}

/// The words of a query or of a topic. A topic is a bag of words of any length: whoever started the server gave it.
fn asked(
    site: &Site,
    q: Option<String>,
    topic: Option<String>,
    literal: bool,
) -> Result<Asked, Problem> {
    match (q, topic) {
        (Some(text), None) => {
            let (query, warnings) = site.query(&text, literal)?;
            Ok(Asked {
                text,
                topic: None,
                query,
                warnings,
            })
        }
        (None, Some(topic)) => {
            let text = site.topic(&topic)?.to_owned();
            let query = Query::new(&Expression::literal(&text), site.index().analyzer())?;
            Ok(Asked {
                text,
                topic: Some(topic),
                query,
                warnings: Vec::new(),
            })
        }
        (Some(_), Some(_)) => Err(Problem::bad("q and topic exclude each other")),
        (None, None) => Err(Problem::bad("q: there is no query").hint("add q=WORDS")),
    }
}

fn line(index: &Index, query: &Query, ranking: &Ranking, hit: &Hit) -> Result<Line, Problem> {
    let page = index.page(hit.page)?;
    let snippet = index.snippet(query.terms(), hit, ranking)?;
    let mut fragments = snippet.fragments;
    for fragment in &mut fragments {
        // A word may be as long as its page.
        let whole = fragment.text.len();
        fragment.text.truncate(beginning(&fragment.text).len());
        fragment.cut_after |= fragment.text.len() < whole;
    }
    let texts: Vec<String> = fragments.iter().map(text).collect();
    let pieces = fragments.into_iter().map(|fragment| Piece {
        block: fragment.block,
        cut_before: fragment.cut_before,
        cut_after: fragment.cut_after,
        parts: Marked::new(&fragment.text, fragment.highlights),
    });
    Ok(Line {
        rank: 0,
        rank_unfiltered: None,
        docid: page.docid,
        score: hit.score,
        url: page.url,
        title: beginning(&page.title).to_owned(),
        block: hit.block,
        blocks_kept: snippet.blocks_kept,
        blocks_total: snippet.blocks_total,
        snippet: texts.join(" "),
        fragments: pieces.collect(),
        grade: None,
        explain: None,
    })
}

/// A fragment with dots where it was cut.
fn text(fragment: &Fragment) -> String {
    let dots = |cut: bool| if cut { "…" } else { "" };
    let (before, after) = (dots(fragment.cut_before), dots(fragment.cut_after));
    format!("{before}{}{after}", fragment.text)
}

/// The grade of a page for a topic, none if it is not judged.
fn grade(site: &Site, topic: &str, hit: &Hit) -> Option<i32> {
    let grades = site.options.judged.as_ref()?.qrels.topics.get(topic)?;
    let docid = site.index().docid(hit.page);
    grades.get(to_word(docid).as_ref()).copied()
}

fn baseline(site: &Site, query: &Query, ranking: &Ranking) -> Result<Arc<Baseline>, Problem> {
    let unfiltered = Ranking {
        filter: Filter::default(),
        weights: Weights::default(),
        ..ranking.clone()
    };
    let asked = (query.clone(), unfiltered);
    if let Some(known) = locked(&site.baselines).get(&asked) {
        return Ok(Arc::clone(known));
    }
    let found = site
        .index()
        .search_counted(query, &asked.1, limits::RANKS)?;
    let ranks = found.hits.iter().map(|hit| (hit.page, hit.block));
    let baseline = Arc::new(Baseline {
        total: found.total,
        ranks: ranks.zip(1..).collect(),
    });
    locked(&site.baselines).put(asked, Arc::clone(&baseline));
    Ok(baseline)
}
