//! Sweeps: each step is the search under that step's filter.

use std::collections::BTreeMap;

use tempfile::TempDir;
use trommel::extractor::Confidence;
use trommel::index::{
    Filter, Hit, Index, IndexError, Model, Ranking, Series, Stats, SweepOptions, Unit,
};
use trommel::text::{Analyzer, Decimal};

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
            stats: options.stats,
            unit: Unit::Page,
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

/// One series of each dimension on top of a filter that does not bound it.
fn series(base: &Filter) -> Vec<Series> {
    let decimal = |n: u32| Decimal::hundredths(25 * n);
    let vary = |set: &dyn Fn(&mut Filter, u32), from: u32, to: u32| {
        let filter = |n: u32| {
            let mut filter = base.clone();
            set(&mut filter, n);
            filter
        };
        let steps: Vec<u32> = if from < to {
            (from..=to).collect()
        } else {
            (to..=from).rev().collect()
        };
        Series::new(steps.into_iter().map(filter).collect()).unwrap()
    };
    let mut all = vec![
        vary(&|f, n| f.min_words = Some(n), 0, 13),
        vary(&|f, n| f.max_words = Some(n), 13, 0),
        vary(&|f, n| f.min_density = decimal(n).try_into().ok(), 0, 20),
        vary(&|f, n| f.max_density = decimal(n).try_into().ok(), 20, 0),
        vary(
            &|f, n| f.max_link_density = decimal(n).try_into().ok(),
            4,
            0,
        ),
        Series::new(vec![base.clone()]).unwrap(),
    ];
    if base.extractor.as_deref() != Some("first") {
        let confidence = |n: u32| Some(Confidence::hundredths(CONFIDENCES[n as usize]));
        let last = CONFIDENCES.len() as u32 - 1;
        all.push(vary(&|f, n| f.min_confidence = confidence(n), 0, last));
    }
    all
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
        for stats in [Stats::Subset, Stats::Collection] {
            let options = SweepOptions {
                models: models.clone(),
                stats,
                k: [5, 1000][seed as usize % 2],
                // One batch, or one for each topic.
                memory: [1 << 30, 0][seed as usize / 2 % 2],
            };
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
    let min_words = |n: u32| Filter {
        min_words: Some(n),
        ..Filter::default()
    };
    assert!(Series::new(vec![min_words(1), min_words(1), min_words(4)]).is_ok());
    let error = Series::new(vec![min_words(2), min_words(1)]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the filter 'min-words=1' is not within 'min-words=2'"
    );
}
