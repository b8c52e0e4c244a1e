//! `/api/filter`: what a filter is, in its own words and as controls have it, what it keeps, and the facets under it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::limits;
use super::parameters::Parameters;
use super::problem::Problem;
use super::site::Site;
use crate::attribute::{self, Attribute, Kind};
use crate::filter::{Filter, Node, Test};
use crate::index::Kept;

#[derive(Serialize)]
pub struct Answer {
    /// As it is written.
    filter: Filter,
    /// The parts that have parameters of their own, by these.
    short: BTreeMap<String, String>,
    /// The others together, and each of them.
    rest: Filter,
    parts: Vec<Filter>,
    kept: Kept,
    #[serde(skip_serializing_if = "Option::is_none")]
    facets: Option<Vec<Facet>>,
}

#[derive(Serialize)]
struct Facet {
    attribute: &'static str,
    label: &'static str,
    /// What is counted: `pages` or `blocks`.
    of: &'static str,
    /// How many values there are.
    count: usize,
    /// The most frequent of them.
    values: Vec<Value>,
}

#[derive(Serialize)]
struct Value {
    value: String,
    count: u64,
    /// The comparison with this value.
    filter: Filter,
}

pub fn filter(site: &Site, mut parameters: Parameters) -> Result<Answer, Problem> {
    let filter = parameters.filter()?;
    let facets = parameters.flag("facets")?;
    parameters.finish()?;
    let kept = site.index().kept(&filter)?;
    let facets = match facets {
        false => None,
        true => {
            let all = attribute::all().iter();
            let with_values = all.filter(|it| it.range().is_none());
            let facets = with_values.map(|attribute| facet(site, attribute, &filter));
            Some(facets.collect::<Result<_, Problem>>()?)
        }
    };
    let split = filter.split();
    let short = split.short.into_iter();
    Ok(Answer {
        filter,
        short: short
            .map(|(name, value)| (name.replace('-', "_"), value))
            .collect(),
        rest: split
            .rest
            .iter()
            .cloned()
            .fold(Filter::default(), Filter::and),
        parts: split.rest,
        kept,
        facets,
    })
}

/// The values of an attribute under a filter without its own comparisons with this attribute, so that another value can be chosen.
fn facet(site: &Site, attribute: &'static Attribute, filter: &Filter) -> Result<Facet, Problem> {
    let others = without(filter, attribute);
    let counts = site.index().facet(attribute, &others)?;
    let value = |(value, count): &(String, u64)| {
        // A header may hold anything: what is so long is nothing to choose.
        let filter = Filter::equal(attribute, value).filter(|_| value.len() <= limits::FACET_BYTES);
        filter.map(|filter| Value {
            value: value.clone(),
            count: *count,
            filter,
        })
    };
    Ok(Facet {
        attribute: attribute.name,
        label: attribute.label,
        of: match attribute.kind {
            Kind::Tag => "blocks",
            _ => "pages",
        },
        count: counts.len(),
        values: counts
            .iter()
            .take(limits::FACET)
            .filter_map(value)
            .collect(),
    })
}

fn without(filter: &Filter, attribute: &Attribute) -> Filter {
    let is_other = |part: &&Node<Test>| match part {
        Node::Test(Test::Compare(it)) => it.attribute.name != attribute.name,
        _ => true,
    };
    let others = filter.node().conjuncts().iter().filter(is_other);
    Filter::all_of(others.cloned())
}
