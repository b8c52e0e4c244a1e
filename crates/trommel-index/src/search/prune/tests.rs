//! Pruned rankings against exhaustive ones on random collections. In tests every term of a few blocks has postings by page, and windows
//! are small.

use proptest::prelude::*;
use trommel_page::Block;
use trommel_page::Tag;

use crate::build::writer::{Provenance, Writer, WriterOptions};
use crate::format::page_record::PageRecord;
use crate::search::hit::{Clause, Hit};
use crate::search::open::Index;
use crate::search::query::Ranking;
use crate::search::view::{SearchView, View};

/// A block: its words by number, its words in links, its lines.
type RandomBlock = (Vec<usize>, u32, u32);

/// Rare words have great numbers.
fn word() -> impl Strategy<Value = usize> {
    (0usize..30, 0usize..30).prop_map(|(one, other)| one.min(other))
}

fn pages() -> impl Strategy<Value = Vec<Vec<RandomBlock>>> {
    let block = (prop::collection::vec(word(), 0..14), 0u32..8, 1u32..3);
    prop::collection::vec(prop::collection::vec(block, 0..7), 150..400)
}

fn build(directory: &std::path::Path, pages: &[Vec<RandomBlock>], part: usize) -> Index {
    let options = WriterOptions::default();
    let mut writer = Writer::create(directory, &options).unwrap();
    for (at, page) in pages.iter().enumerate() {
        let number = writer.number().unwrap();
        let record = PageRecord {
            // Not in the order of pages, so that ties are broken otherwise than pages come.
            docid: format!("page-{:03}", at * 7 % 400),
            ..PageRecord::default()
        };
        let block = |(words, linked, lines): &RandomBlock| {
            let names: Vec<String> = words.iter().map(|word| format!("w{word}")).collect();
            let count = words.len() as u32;
            Block {
                text: names.join(" "),
                num_words: count,
                num_tokens: count,
                num_linked_words: (*linked).min(count),
                num_words_in_full_lines: count,
                num_lines: *lines,
                tag: Tag::default(),
            }
        };
        let blocks: Vec<Block> = page.iter().map(block).collect();
        writer.add(number, &record, &blocks, &[]).unwrap();
        if at % part == part - 1 {
            writer = writer.flush().unwrap();
        }
    }
    writer.finish(Provenance::default()).unwrap();
    Index::open(directory).unwrap()
}

const FILTERS: [&str; 9] = [
    "unfiltered",
    "words >= 4",
    "words >= 4",
    "words <= 6",
    "link-density <= 0.33",
    "density >= 3.5",
    "words >= 3 and link-density < 0.5 or words = 1",
    "not words in 4..9",
    "words >= 100",
];

const MODELS: [&str; 9] = [
    "bm25",
    "bm25:k1=3,b=1",
    "bm25:k1=0,b=0",
    "qld",
    "qld:mu=1",
    "qljm",
    "tfidf",
    "bm25+rm3:docs=3",
    "qljm+rm3:docs=5",
];

fn bits(hits: &[Hit]) -> Vec<(u32, u32)> {
    let bits = hits.iter().map(|hit| (hit.page, hit.score.to_bits()));
    bits.collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(25))]

    #[test]
    fn pruned_rankings_are_the_exhaustive_ones(
        pages in pages(),
        part in 40usize..500,
        queries in prop::collection::vec(prop::collection::vec(word(), 1..6), 12),
    ) {
        let directory = tempfile::tempdir().unwrap();
        // One that keeps no lists in memory, one that keeps all, and one that keeps a few.
        let pruning = build(&directory.path().join("ix"), &pages, part).with_memory_for_terms(0);
        let open = || Index::open(&directory.path().join("ix")).unwrap();
        let keeping = open();
        let forgetting = open().with_memory_for_terms(5000);
        let exhaustive = Index::open(&directory.path().join("ix")).unwrap().exhaustive(true);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let mut pruned = 0;
        for (number, words) in queries.iter().enumerate() {
            let terms: Vec<String> = words.iter().map(|word| format!("w{word}")).collect();
            for (at, filter) in FILTERS.iter().enumerate() {
                for (place, model) in MODELS.iter().enumerate() {
                    let k = [1, 3, 10, 60][(number + at + place) % 4];
                    let stats = ["subset", "collection", "words >= 2"][(number + place) % 3];
                    let ranking = Ranking {
                        filter: filter.parse().unwrap(),
                        model: model.parse().unwrap(),
                        stats: stats.parse().unwrap(),
                        ..Ranking::default()
                    };
                    let expected = exhaustive.search_terms(&terms, &ranking, k).unwrap();
                    // Outside of a pool on all threads, inside on one.
                    let search = || pruning.search_terms(&terms, &ranking, k).unwrap();
                    let found = search();
                    prop_assert_eq!(bits(&found), bits(&pool.install(search)));
                    // All pages scored, by several threads or one.
                    let all = || exhaustive.search_terms(&terms, &ranking, k).unwrap();
                    prop_assert_eq!(bits(&pool.install(all)), bits(&expected));
                    for index in [&keeping, &forgetting] {
                        let search = || index.search_terms(&terms, &ranking, k).unwrap();
                        prop_assert_eq!(bits(&search()), bits(&expected));
                    }
                    let search = || keeping.search_terms(&terms, &ranking, k).unwrap();
                    prop_assert_eq!(bits(&pool.install(search)), bits(&expected));
                    let view = SearchView::new(&pruning, &ranking).unwrap();
                    let clause = |term: &String| Clause {
                        term: term.clone(),
                        boost: 1.0,
                    };
                    let clauses: Vec<Clause> = terms.iter().map(clause).collect();
                    let hits = view.pruned(&clauses, &ranking.model.formula, k).unwrap();
                    // Not all pages with a term were scored.
                    let postings = pruning.search_terms(&terms, &ranking, usize::MAX).unwrap();
                    pruned += usize::from(hits.unwrap().hits.len() < postings.len());
                    prop_assert_eq!(
                        bits(&found),
                        bits(&expected),
                        "{:?} under {} by {} of {}, {}",
                        terms,
                        filter,
                        model,
                        stats,
                        k
                    );
                }
            }
        }
        prop_assert!(pruned > 100);
    }
}
