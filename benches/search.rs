//! What a query costs: CPU time of one thread for exact page rankings, without a filter and under one, without weights and with some,
//! by every model; beside them what tantivy takes for a plain index of pages, and for single blocks under a range query.
//!
//! `cargo bench --bench search -- INDEX TOPICS [--rounds=N] [--min-words=N] [--weights=EXPR]
//! [--only=TEXT] [--depths=N,…] [--threads=N] [--warm=N] [--terms=BYTES] [--exhaustive] [--counted]`. With `--threads` a query has so many
//! threads, and the wall's time is measured. `--warm` is how many rounds are not counted; `--terms` is how much memory terms that are searched for
//! again and again may take, 0 for none; `--exhaustive` scores all pages; `--counted` counts all answers, too. The plain index of pages is
//! made of the same analysed terms, in cargo's directory for temporary files, and kept there. `--only` leaves the
//! rows whose names contain a text.
//!
//! All rows take turns, round by round. A query's time is its median over the rounds; the table gives the mean, the median and
//! the 95th percentile of that over the queries.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::expect_used)]

use std::hint::black_box;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, Occur, RangeQuery, TermQuery};
use tantivy::schema::{FAST, Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::{Searcher, TantivyDocument, Term};
use trommel::filter::Filter;
use trommel::index::{Index, Model, Query, Ranking, Unit, model, syntax};
use trommel::page::Block;
use trommel::trec::topics;
use trommel::weight::Weights;

/// How deep rankings are, if nothing else is asked for.
const DEPTHS: [usize; 2] = [10, 1000];

struct Options {
    index: PathBuf,
    topics: PathBuf,
    rounds: usize,
    min_words: u32,
    weights: Weights,
    only: String,
    threads: Option<usize>,
    depths: Vec<usize>,
    warm: usize,
    terms: Option<usize>,
    exhaustive: bool,
    counted: bool,
}

impl Options {
    /// None where nobody named an index: as a part of `cargo bench` or `cargo test --benches`.
    fn read() -> Option<Options> {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        let option = |name: &str| {
            let mut given = arguments.iter();
            given.find_map(|a| a.strip_prefix("--")?.strip_prefix(name)?.strip_prefix('='))
        };
        let flag = |name: &str| arguments.iter().any(|argument| argument == name);
        let number = |name, default| option(name).map_or(default, |n| n.parse().expect(name));
        let mut paths = arguments.iter().filter(|a| !a.starts_with("--"));
        Some(Options {
            index: PathBuf::from(paths.next()?),
            topics: PathBuf::from(paths.next()?),
            rounds: number("rounds", 5) as usize,
            min_words: number("min-words", 11),
            weights: option("weights")
                .map_or_else(Weights::default, |it| it.parse().expect("weights")),
            only: option("only").unwrap_or_default().to_owned(),
            threads: option("threads").map(|threads| threads.parse().expect("threads")),
            warm: number("warm", 1) as usize,
            terms: option("terms").map(|bytes| bytes.parse().expect("terms")),
            exhaustive: flag("--exhaustive"),
            counted: flag("--counted"),
            depths: option("depths").map_or_else(
                || DEPTHS.to_vec(),
                |it| it.split(',').map(|k| k.parse().expect("depths")).collect(),
            ),
        })
    }
}

/// Searches a query's terms to a depth.
type Search<'a> = Box<dyn Fn(&[String], usize) + 'a>;

/// A row of the table.
struct Row<'a> {
    name: String,
    search: Search<'a>,
}

fn main() {
    let Some(options) = Options::read() else {
        println!("no index: cargo bench --bench search -- INDEX TOPICS");
        return;
    };
    // In a pool a query is one thread's.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads.unwrap_or(1));
    match options.threads {
        None => pool.build().expect("threads").install(|| run(&options)),
        Some(_) => {
            pool.build_global().expect("threads");
            run(&options);
        }
    }
}

fn run(options: &Options) {
    let (index, opening) = timed(|| Index::open(&options.index).expect("an index"));
    let index = index.exhaustive(options.exhaustive);
    let index = match options.terms {
        Some(bytes) => index.with_memory_for_terms(bytes),
        None => index,
    };
    let queries: Vec<Vec<String>> = topics::read_file(&options.topics)
        .expect("topics")
        .topics
        .iter()
        .map(|topic| {
            index
                .analyzer()
                .terms(topic.text("title").expect("a title"))
        })
        .collect();
    let filter = format!("words >= {}", options.min_words);
    let filter: Filter = filter.parse().expect("a filter");
    let ranking = |model: &str, filter: &Filter, weights: &Weights| Ranking {
        filter: filter.clone(),
        weights: weights.clone(),
        model: model.parse::<Model>().expect("a model"),
        ..Ranking::default()
    };
    println!(
        "{} pages, {} blocks; {} queries of {:.1} terms on average\n",
        index.num_pages(),
        index.manifest.counts.blocks,
        queries.len(),
        queries.iter().map(Vec::len).sum::<usize>() as f64 / queries.len() as f64
    );

    println!("| once | CPU ms | wall ms |\n|---|---|---|");
    print_once("opening the index", opening);
    let one = Weights::default();
    let mut all_weights = vec![&one];
    if !options.weights.is_one() {
        all_weights.push(&options.weights);
    }
    for (name, filter, weights) in [
        ("first query, no filter", Filter::default(), &one),
        ("first query under the filter", filter.clone(), &one),
        (
            "first query with weights",
            Filter::default(),
            &options.weights,
        ),
    ] {
        let ranking = ranking("bm25", &filter, weights);
        let (_, cost) = timed(|| {
            index
                .search_terms(&queries[0], &ranking, 10)
                .expect("a search")
        });
        print_once(name, cost);
    }

    let mut rows = Vec::new();
    let formulas = model::all().iter().map(|row| row.name);
    for model in formulas.chain(["bm25+rm3"]) {
        for filter in [&Filter::default(), &filter] {
            for weights in &all_weights {
                let ranking = ranking(model, filter, weights);
                rows.push(match options.counted {
                    true => counted(&index, ranking),
                    false => exact(&index, ranking),
                });
            }
        }
    }
    rows.retain(|row| row.name.contains(&options.only));
    if rows.is_empty() || options.only.is_empty() {
        rows.extend(tantivy_rows(&index, options.min_words));
        rows.retain(|row| row.name.contains(&options.only));
    }
    print_rows(&rows, &queries, options);
}

/// Plain indexes of tantivy's, of pages and of blocks.
fn tantivy_rows(index: &Index, min_words: u32) -> Vec<Row<'static>> {
    let pages = plain(index, Unit::Page);
    let blocks = Rc::new(plain(index, Unit::Block));
    let under_filter = Rc::clone(&blocks);
    let least = Term::from_field_u64(field(&blocks, "num_words"), min_words.into());
    let range = RangeQuery::new(Bound::Included(least), Bound::Unbounded);
    vec![
        Row {
            name: "tantivy, pages".to_owned(),
            search: Box::new(move |terms, k| top(&pages, any(field(&pages, "terms"), terms), k)),
        },
        Row {
            name: "tantivy, blocks".to_owned(),
            search: Box::new(move |terms, k| top(&blocks, any(field(&blocks, "terms"), terms), k)),
        },
        Row {
            name: format!("tantivy, blocks, MUST num_words >= {min_words}"),
            search: Box::new(move |terms, k| {
                let words = any(field(&under_filter, "terms"), terms);
                let both: Vec<(Occur, Box<dyn tantivy::query::Query>)> = vec![
                    (Occur::Must, Box::new(words)),
                    (Occur::Must, Box::new(range.clone())),
                ];
                top(&under_filter, BooleanQuery::new(both), k);
            }),
        },
    ]
}

fn exact(index: &Index, ranking: Ranking) -> Row<'_> {
    Row {
        name: format!("trommel, pages, {}, {}", ranking.model, ranking.sieve()),
        search: Box::new(move |terms, k| {
            let hits = index.search_terms(terms, &ranking, k);
            black_box(hits.expect("a search"));
        }),
    }
}

/// Counts all answers, as `serve` does.
fn counted(index: &Index, ranking: Ranking) -> Row<'_> {
    Row {
        name: format!(
            "trommel, pages counted, {}, {}",
            ranking.model,
            ranking.sieve()
        ),
        search: Box::new(move |terms, k| {
            let query = syntax::parse(&terms.join(" ")).expect("a query").expression;
            let query = Query::new(&query, index.analyzer()).expect("words");
            black_box(index.search_counted(&query, &ranking, k).expect("a search"));
        }),
    }
}

/// Searches every query by every row to every depth, without counting for so many rounds as it takes to get warm, and then as often as rounds are asked
/// for, and prints the costs.
fn print_rows(rows: &[Row], queries: &[Vec<String>], options: &Options) {
    let mut times = vec![vec![vec![Vec::new(); options.depths.len()]; queries.len()]; rows.len()];
    for round in 0..options.warm + options.rounds {
        for (row, times) in rows.iter().zip(&mut times) {
            for (at, k) in options.depths.iter().copied().enumerate() {
                for (terms, times) in queries.iter().zip(&mut *times) {
                    let (_, cost) = timed(|| (row.search)(terms, k));
                    if round >= options.warm {
                        times[at].push(match options.threads {
                            None => cost.cpu,
                            Some(_) => cost.wall,
                        });
                    }
                }
            }
        }
    }
    let what = match options.threads {
        None => "CPU ms",
        Some(_) => "ms",
    };
    print!("\n| {what} a query: mean, median, p95 |");
    println!(
        "{}",
        options
            .depths
            .iter()
            .map(|k| format!(" top {k} |"))
            .collect::<String>()
    );
    println!("|---|{}", "---|".repeat(options.depths.len()));
    for (row, times) in rows.iter().zip(times) {
        let cells = (0..options.depths.len()).map(|at| {
            let medians = times.iter().map(|times| median(&times[at]));
            let mut medians: Vec<f64> = medians.map(ms).collect();
            medians.sort_by(f64::total_cmp);
            let mean = medians.iter().sum::<f64>() / medians.len() as f64;
            let share = |share: f64| medians[(share * (medians.len() - 1) as f64).round() as usize];
            format!(" {mean:.2}, {:.2}, {:.2} |", share(0.5), share(0.95))
        });
        println!("| {} |{}", row.name, cells.collect::<String>());
    }
}

/// A query for any of the terms; terms that stand twice count twice.
fn any(field: Field, terms: &[String]) -> BooleanQuery {
    let clause = |term: &String| -> (Occur, Box<dyn tantivy::query::Query>) {
        let term = Term::from_field_text(field, term);
        let query = TermQuery::new(term, IndexRecordOption::WithFreqs);
        (Occur::Should, Box::new(query))
    };
    BooleanQuery::new(terms.iter().map(clause).collect())
}

fn top(searcher: &Searcher, query: impl tantivy::query::Query, k: usize) {
    let found = searcher.search(&query, &TopDocs::with_limit(k).order_by_score());
    black_box(found.expect("a search"));
}

/// A tantivy index with one document a page, or a block: its terms, with frequencies and lengths, and of a block its number of words.
/// It is made the first time.
fn plain(index: &Index, unit: Unit) -> Searcher {
    let counts = &index.manifest.counts;
    let name = format!("search-{unit:?}-{}-{}", index.num_pages(), counts.terms);
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if directory.join("whole").exists() {
        return open(&directory);
    }
    std::fs::remove_dir_all(&directory).ok();
    std::fs::create_dir_all(&directory).expect("a directory");
    let mut schema = Schema::builder();
    let indexing = TextFieldIndexing::default()
        .set_tokenizer("whitespace")
        .set_index_option(IndexRecordOption::WithFreqs);
    let terms = schema.add_text_field(
        "terms",
        TextOptions::default().set_indexing_options(indexing),
    );
    let num_words = schema.add_u64_field("num_words", FAST);
    let plain = tantivy::Index::create_in_dir(&directory, schema.build()).expect("an index");
    let mut writer = plain.writer_with_num_threads(1, 1 << 30).expect("a writer");
    for page in 0..index.num_pages() as u32 {
        let blocks = index.page_blocks(page).expect("blocks");
        let of_block = |block: &Block| {
            (
                index.analyzer().terms(&block.text).join(" "),
                block.num_words,
            )
        };
        let documents: Vec<(String, u32)> = match unit {
            Unit::Block => blocks.iter().map(of_block).collect(),
            Unit::Page => {
                let (texts, words): (Vec<String>, Vec<u32>) = blocks.iter().map(of_block).unzip();
                vec![(texts.join(" "), words.iter().sum())]
            }
        };
        for (text, words) in documents {
            let mut document = TantivyDocument::new();
            document.add_text(terms, text);
            document.add_u64(num_words, words.into());
            writer.add_document(document).expect("a document");
        }
    }
    writer.commit().expect("a commit");
    writer.wait_merging_threads().expect("merges");
    std::fs::write(directory.join("whole"), "").expect("a mark");
    open(&directory)
}

fn open(directory: &Path) -> Searcher {
    let index = tantivy::Index::open_in_dir(directory).expect("a tantivy index");
    let searcher = index.reader().expect("a reader").searcher();
    let segments = searcher.segment_readers().len();
    eprintln!("{}: {segments} segments", directory.display());
    searcher
}

fn field(searcher: &Searcher, name: &str) -> Field {
    searcher.schema().get_field(name).expect("a field")
}

/// What something took.
#[derive(Clone, Copy)]
struct Cost {
    /// Of this thread.
    cpu: Duration,
    wall: Duration,
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Cost) {
    let (wall, cpu) = (Instant::now(), thread_time());
    let result = work();
    let cpu = thread_time() - cpu;
    (
        result,
        Cost {
            cpu,
            wall: wall.elapsed(),
        },
    )
}

fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn median(times: &[Duration]) -> Duration {
    let mut times = times.to_vec();
    times.sort();
    times[times.len() / 2]
}

fn ms(time: Duration) -> f64 {
    1e3 * time.as_secs_f64()
}

fn print_once(name: &str, cost: Cost) {
    println!("| {name} | {:.1} | {:.1} |", ms(cost.cpu), ms(cost.wall));
}
