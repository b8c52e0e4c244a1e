//! Sweeps: each step is the search under that step's filter.

use std::collections::BTreeMap;

use tempfile::TempDir;
use trommel::attribute::{self, Kind, Side};
use trommel::filter::Filter;
use trommel::index::{Hit, Index, IndexError, Model, Ranking, Series, Stats, SweepOptions, Unit};
use trommel::text::Analyzer;

use crate::equivalence::{CONFIDENCES, MODELS, index, random_filter, random_pages};
use crate::support::Random;

const QUERIES: [&str; 5] = [
    "apple",
    "pear plum",
    "quince fig apple quince",
    "none",
    "the pears",
];

/// Sweeps the queries and searches each step by itself: the hits are the same, in order and to the bit.
#[track_caller]
pub fn check(index: &Index, queries: &[String], series: &[Series], options: &SweepOptions) {
    let terms: Vec<Vec<String>> = queries.iter().map(|q| index.analyzer().terms(q)).collect();
    let mut swept: BTreeMap<(usize, usize, usize), Vec<Vec<Hit>>> = BTreeMap::new();
    index
        .sweep::<_, IndexError>(
            &terms,
            series,
            options,
            |_, hits| hits.to_vec(),
            |step| {
                let key = (step.series, step.filter, step.model);
                let hits = swept.entry(key).or_default();
                assert_eq!(hits.len(), step.first_topic);
                hits.extend(step.results);
                Ok(())
            },
        )
        .unwrap();
    let steps: usize = series.iter().map(|one| one.filters().len()).sum();
    assert_eq!(swept.len(), steps * options.models.len());
    for ((of_series, filter, model), found) in swept {
        let ranking = Ranking {
            filter: series[of_series].filters()[filter].clone(),
            model: options.models[model],
            weights: series[of_series].weights().clone(),
            stats: options.stats.clone(),
            unit: Unit::Page,
            shared: None,
        };
        for (query, found) in queries.iter().zip(found) {
            let expected = index.search(query, &ranking, options.k).unwrap();
            assert_eq!(
                found, expected,
                "{} {} '{query}'",
                ranking.filter, ranking.model
            );
        }
    }
}

/// A series of every bound there is, on top of a filter.
fn series(base: &Filter) -> Vec<Series> {
    let mut all = vec![Series::new(vec![base.clone()]).unwrap()];
    for bound in attribute::bounds() {
        let thresholds: Vec<String> = match (&bound.attribute.kind, bound.attribute.range()) {
            (Kind::Confidence, _) => CONFIDENCES.iter().map(|n| hundredths(*n)).collect(),
            (_, Some(range)) if range.digits == 0 => (0..14).map(|n| n.to_string()).collect(),
            (_, Some(range)) if range.most == 1 => (0..=4).map(quarters).collect(),
            _ => (0..20).map(quarters).collect(),
        };
        let step = |text: &String| {
            let threshold = text.parse().unwrap();
            base.clone().and(Filter::bounded(bound, threshold, None))
        };
        let mut filters: Vec<Filter> = thresholds.iter().map(step).collect();
        if bound.side == Side::Greatest {
            filters.reverse();
        }
        all.push(Series::new(filters).unwrap());
    }
    all
}

fn quarters(n: u32) -> String {
    (f64::from(n) / 4.0).to_string()
}

fn hundredths(n: u8) -> String {
    (f64::from(n) / 100.0).to_string()
}

#[test]
fn each_step_is_the_search_under_its_filter() {
    let models: Vec<Model> = MODELS.iter().map(|model| model.parse().unwrap()).collect();
    for seed in 0..6 {
        let random = &mut Random::new(seed);
        let pages = random_pages(random);
        let directory = TempDir::new().unwrap();
        let index = index(directory.path(), "boilerpipe", Analyzer::English, &pages);
        let base = random_filter(random);
        let others = Stats::Of("words >= 2 or tag = p".parse().unwrap());
        for stats in [Stats::Subset, Stats::Collection, others] {
            let options = SweepOptions::default()
                .with_models(models.clone())
                .with_stats(stats)
                .with_k([5, 1000][seed as usize % 2])
                // One batch, or one for each topic.
                .with_memory([1 << 30, 0][seed as usize / 2 % 2]);
            check(
                &index,
                &QUERIES.map(str::to_owned),
                &series(&base),
                &options,
            );
        }
    }
}

#[test]
fn filters_of_a_series_nest() {
    let min_words = |n: u32| format!("words >= {n}").parse::<Filter>().unwrap();
    assert!(Series::new(vec![min_words(1), min_words(1), min_words(4)]).is_ok());
    let error = Series::new(vec![min_words(2), min_words(1)]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the filter 'words >= 1' is not within 'words >= 2'"
    );
}
