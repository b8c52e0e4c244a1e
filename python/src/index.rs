//! An index that is open.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicUsize};

use arrow_array::{ArrayRef, BooleanArray, Float64Array, StringArray, UInt32Array};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use trommel::attribute::{Place, places};
use trommel::export::columns::{of_blocks, of_verdicts};
use trommel::export::{self, ExportOptions};
use trommel::extractor::Verdicts;
use trommel::index::{
    self, Hit, Query, Ranking, Unit, Verify, directories, for_each_topic, syntax,
};
use trommel::index::{Expression, Fragment, IndexError};
use trommel::output::{Output, Reads, kind_of_export};
use trommel::page::{Block, DensityUnit};
use trommel::report::notes::nothing_found;
use trommel::text::escape_markup;
use trommel::trec::run::{RunWriteError, run_lines};

use crate::error::{failed, parse, unknown, unreadable, warn};
use crate::long::{long, pool, tell};
use crate::table::Table;

/// An index that is open.
#[pyclass(frozen, module = "trommel._trommel")]
pub(crate) struct Index {
    pub(crate) index: index::Index,
    /// Where it is.
    pub(crate) directories: Vec<PathBuf>,
}

/// What is ranked, and how, as texts: filter, weights, model, statistics.
pub(crate) type RankingTexts = (String, String, String, String);

/// Reads them.
pub(crate) fn ranking(
    (filter, weights, model, stats): &RankingTexts,
    unit: Unit,
) -> PyResult<Ranking> {
    Ok(Ranking {
        filter: parse(filter)?,
        weights: parse(weights)?,
        model: parse(model)?,
        stats: parse(stats)?,
        unit,
        ..Ranking::default()
    })
}

/// N, |C|, and df and cf of terms.
type Statistics = (u64, f64, Vec<(u64, f64)>);

/// What the index stores of a page: docid, URL, title, date, media type, language, file, offset.
type StoredPage = (String, String, String, String, String, String, String, u64);

#[pymethods]
impl Index {
    #[new]
    fn new(
        py: Python<'_>,
        paths: Vec<PathBuf>,
        cache: Option<PathBuf>,
        verify: bool,
    ) -> PyResult<Index> {
        let how = if verify { Verify::Whole } else { Verify::Ends };
        let opened = py.detach(|| {
            let directories = directories(&paths)?;
            let index = index::Index::open_verified(&directories, how)?;
            let index = match &cache {
                None => index,
                // What is not kept is computed; nobody needs to hear of it.
                Some(directory) => index.with_cache(directory, |_| ()),
            };
            Ok::<_, IndexError>((index, directories))
        });
        let (index, directories) = opened.map_err(failed)?;
        // Threads of Python's may search at the same time.
        let index = index.one_thread_a_query(true);
        Ok(Index { index, directories })
    }

    /// Pages that are searched.
    #[getter]
    fn num_pages(&self) -> usize {
        self.index.pages().count()
    }

    /// The manifest of the index, of several directories as one, as JSON.
    fn manifest(&self) -> PyResult<String> {
        serde_json::to_string(&self.index.manifest).map_err(failed)
    }

    /// Does the index have a page with this docid?
    fn contains(&self, py: Python<'_>, docid: &str) -> bool {
        py.detach(|| self.index.find(docid).is_some())
    }

    /// The docids of all pages.
    fn docids(&self) -> Vec<&str> {
        self.index
            .pages()
            .map(|page| self.index.docid(page))
            .collect()
    }

    /// The terms that the analyzer makes of a text.
    fn terms(&self, text: &str) -> Vec<String> {
        self.index.analyzer().terms(text)
    }

    /// Hits with what is shown of them; snippets, which cost more than all else where hits are many, if they are wanted.
    #[expect(clippy::too_many_arguments, reason = "what Python's function takes")]
    fn search(
        &self,
        py: Python<'_>,
        query: &str,
        texts: RankingTexts,
        unit: &str,
        k: usize,
        literal: bool,
        snippets: bool,
    ) -> PyResult<Table> {
        let ranking = ranking(&texts, parse(unit)?)?;
        let expression = self.expression(py, query, literal)?;
        let query = Query::new(&expression, self.index.analyzer()).map_err(unreadable)?;
        let search = || {
            let found = self.hits(&query, &ranking, k, snippets)?;
            let why = match found.is_empty() && k > 0 {
                true => Some(self.index.why_nothing(&query, &expression, &ranking)),
                false => None,
            };
            Ok::<_, PyErr>((found, why.transpose().map_err(failed)?))
        };
        let (found, why) = py.detach(search)?;
        if let Some(why) = why {
            warn(py, &why)?;
        }
        Ok(found)
    }

    /// Ranks pages for topics, given by ids and texts, which are bags of words. `progress` is called with the number of topics that
    /// are done; topics for which nothing is found are named in a warning, if one is wanted.
    #[expect(clippy::too_many_arguments, reason = "what Python's function takes")]
    fn run(
        &self,
        py: Python<'_>,
        topics: Vec<(String, String)>,
        texts: RankingTexts,
        k: usize,
        threads: usize,
        progress: Option<Py<PyAny>>,
        warns: bool,
    ) -> PyResult<Table> {
        let ranking = ranking(&texts, Unit::Page)?;
        let (stop, done) = (AtomicBool::new(false), AtomicUsize::new(0));
        let pool = pool(threads)?;
        let tick = |py: Python<'_>| tell(py, progress.as_ref(), (done.load(Relaxed), topics.len()));
        let mut rows = Rows::default();
        let mut empty = Vec::new();
        let mut add = |id: &str, hits: Vec<Hit>| {
            done.fetch_add(1, Relaxed);
            if hits.is_empty() {
                empty.push(id.to_owned());
            }
            match stop.load(Relaxed) {
                // Nobody hears of it: what stopped it is raised.
                true => Err(Ended::Failed(IndexError::Stopped)),
                false => rows.add(&self.index, id, &hits),
            }
        };
        long(py, &stop, tick, || {
            let rank = || for_each_topic(&self.index, &topics, &ranking, k, &mut add);
            pool.install(rank).map_err(|ended| match ended {
                Ended::Failed(error) => failed(error),
                Ended::Unwritable(error) => failed(error),
            })
        })?;
        tell(py, progress.as_ref(), (topics.len(), topics.len()))?;
        let note = warns.then(|| nothing_found(&empty, topics.len()));
        if let Some(note) = note.flatten() {
            warn(py, &note)?;
        }
        rows.table()
    }

    /// The blocks of a page: text, numbers, and the verdicts that the index has.
    fn blocks(&self, py: Python<'_>, docid: &str, filter: &str) -> PyResult<Table> {
        let page = self.page_of(docid)?;
        let filter = parse(filter)?;
        let names: Vec<String> = self.label_names();
        let read = || {
            let blocks = self.index.page_blocks(page)?;
            let passes = self.index.passing(page, &filter)?;
            let verdicts = names
                .iter()
                .map(|name| self.index.page_verdicts(page, name));
            Ok::<_, IndexError>((blocks, passes, verdicts.collect::<Result<Vec<_>, _>>()?))
        };
        let (blocks, passes, verdicts) = py.detach(read).map_err(failed)?;
        let named: Vec<(&str, &Verdicts)> =
            names.iter().map(String::as_str).zip(&verdicts).collect();
        block_table(&blocks, self.index.density_unit(), Some(passes), &named)
    }

    /// The texts of the blocks of a page that pass a filter.
    fn text(&self, py: Python<'_>, docid: &str, filter: &str) -> PyResult<Vec<String>> {
        let page = self.page_of(docid)?;
        let filter = parse(filter)?;
        let read = || {
            let blocks = self.index.page_blocks(page)?;
            let passes = self.index.passing(page, &filter)?;
            let kept = blocks.into_iter().zip(passes).filter(|(_, passes)| *passes);
            Ok::<_, IndexError>(kept.map(|(block, _)| block.line()).collect())
        };
        py.detach(read).map_err(failed)
    }

    /// What the index stores of a page: docid, url, title, date, media type, language, file, offset.
    fn page(&self, py: Python<'_>, docid: &str) -> PyResult<StoredPage> {
        let page = self.page_of(docid)?;
        let it = py.detach(|| self.index.page(page)).map_err(failed)?;
        Ok((
            it.docid,
            it.url,
            it.title,
            it.date,
            it.media_type,
            it.language,
            it.file,
            it.offset,
        ))
    }

    /// N and |C|, and df and cf of terms as the analyzer makes them.
    fn statistics(
        &self,
        py: Python<'_>,
        terms: Vec<String>,
        texts: RankingTexts,
        unit: &str,
    ) -> PyResult<Statistics> {
        let ranking = ranking(&texts, parse(unit)?)?;
        let (totals, terms) = py
            .detach(|| self.index.term_statistics(&terms, &ranking))
            .map_err(failed)?;
        let terms = terms.iter().map(|term| (term.df, term.cf.to_f64()));
        Ok((totals.num, totals.terms.to_f64(), terms.collect()))
    }

    /// Writes what a filter leaves into a file, in a format of others; gives the number of rows (documents of CIFF).
    /// `progress` is called with the pages (terms of CIFF) that are done, and of how many.
    #[expect(clippy::too_many_arguments, reason = "what Python's function takes")]
    fn export(
        &self,
        py: Python<'_>,
        path: PathBuf,
        format: &str,
        filter: &str,
        unit: &str,
        force: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<u64> {
        let known = || export::all().iter().map(|row| row.name).collect();
        let row = export::by_name(format).ok_or_else(|| unknown("format", format, known()))?;
        let state = Arc::new(export::State::default());
        let options = ExportOptions::default()
            .with_filter(parse(filter)?)
            .with_unit(parse(unit)?)
            .with_state(Arc::clone(&state));
        let mut reads = Reads::default();
        reads.add_indexes(&self.directories);
        let kind = kind_of_export(row.name, options.unit);
        let output = Output::check(&path, kind, force, &reads).map_err(failed)?;
        let far = || (state.done.load(Relaxed), state.all.load(Relaxed));
        let written = long(
            py,
            &state.stop,
            |py| tell(py, progress.as_ref(), far()),
            || {
                let mut out = output.begin().map_err(failed)?;
                let exported = (row.write)(&self.index, &options, &mut out).map_err(failed)?;
                out.finish().map_err(failed)?;
                Ok(exported.rows)
            },
        )?;
        tell(py, progress.as_ref(), far())?;
        if written == 0 {
            warn(py, "nothing passes the filter")?;
        }
        Ok(written)
    }

    /// The parts of the scores of the first hits, as JSON.
    fn explain(
        &self,
        py: Python<'_>,
        query: &str,
        texts: RankingTexts,
        unit: &str,
        k: usize,
        literal: bool,
    ) -> PyResult<Vec<(String, String)>> {
        let ranking = ranking(&texts, parse(unit)?)?;
        let query = self.query(py, query, literal)?;
        let explain = || {
            let hits = self.index.search_query(&query, &ranking, k)?;
            let explained = self.index.explain(&query, &ranking, &hits)?;
            Ok::<_, IndexError>((hits, explained))
        };
        let (hits, explained) = py.detach(explain).map_err(failed)?;
        let json = hits.iter().zip(&explained).map(|(hit, explanation)| {
            let json = serde_json::to_string(explanation).map_err(failed)?;
            Ok((self.index.docid(hit.page).to_owned(), json))
        });
        json.collect()
    }
}

impl Index {
    /// Warns of what in a query is syntax to nobody.
    fn expression(&self, py: Python<'_>, query: &str, literal: bool) -> PyResult<Expression> {
        if literal {
            return Ok(Expression::literal(query));
        }
        let parsed = syntax::parse(query).map_err(unreadable)?;
        for warning in &parsed.warnings {
            warn(py, &warning.to_string())?;
        }
        Ok(parsed.expression)
    }

    fn query(&self, py: Python<'_>, query: &str, literal: bool) -> PyResult<Query> {
        let expression = self.expression(py, query, literal)?;
        Query::new(&expression, self.index.analyzer()).map_err(unreadable)
    }

    fn page_of(&self, docid: &str) -> PyResult<u32> {
        let page = self.index.find(docid);
        page.ok_or_else(|| PyKeyError::new_err(docid.to_owned()))
    }

    /// Extractors whose verdicts are stored.
    fn label_names(&self) -> Vec<String> {
        let sets = self.index.manifest.extractors.iter();
        sets.map(|set| set.name.clone()).collect()
    }

    fn hits(
        &self,
        query: &Query,
        ranking: &Ranking,
        k: usize,
        with_snippets: bool,
    ) -> PyResult<Table> {
        let index = &self.index;
        let hits = index.search_query(query, ranking, k).map_err(failed)?;
        let pages = hits.iter().map(|hit| index.page(hit.page));
        let pages = pages.collect::<Result<Vec<_>, _>>().map_err(failed)?;
        let strings = |of: &dyn Fn(usize) -> String| -> ArrayRef {
            Arc::new(StringArray::from_iter_values((0..hits.len()).map(of)))
        };
        let numbers = |of: &dyn Fn(usize) -> u32| -> ArrayRef {
            Arc::new(UInt32Array::from_iter_values((0..hits.len()).map(of)))
        };
        let scores = hits.iter().map(|hit| decimal(hit.score));
        let scores: ArrayRef = Arc::new(Float64Array::from_iter_values(scores));
        let mut columns = vec![
            ("rank", numbers(&|at| at as u32 + 1)),
            ("docid", strings(&|at| pages[at].docid.clone())),
            ("score", scores),
        ];
        if ranking.unit == Unit::Block {
            columns.push(("block", numbers(&|at| hits[at].block.unwrap_or_default())));
        }
        columns.extend([
            ("title", strings(&|at| pages[at].title.clone())),
            ("url", strings(&|at| pages[at].url.clone())),
        ]);
        if with_snippets {
            let snippets = hits.iter();
            let snippets = snippets.map(|hit| index.snippet(query.terms(), hit, ranking));
            let snippets = snippets.collect::<Result<Vec<_>, _>>().map_err(failed)?;
            columns.extend([
                ("snippet", strings(&|at| marked(&snippets[at].fragments))),
                ("blocks_kept", numbers(&|at| snippets[at].blocks_kept)),
                ("blocks_total", numbers(&|at| snippets[at].blocks_total)),
            ]);
        }
        let named = columns.into_iter();
        let named = named.map(|(name, column)| (name.to_owned(), column));
        Table::new(named.collect())
    }
}

/// Why a run could not be made.
enum Ended {
    Failed(IndexError),
    Unwritable(RunWriteError),
}

impl From<IndexError> for Ended {
    fn from(error: IndexError) -> Self {
        Ended::Failed(error)
    }
}

/// The rows of a run, as its file has them.
#[derive(Default)]
struct Rows {
    topics: Vec<String>,
    docids: Vec<String>,
    ranks: Vec<u32>,
    scores: Vec<f64>,
}

impl Rows {
    fn add(&mut self, index: &index::Index, topic: &str, hits: &[Hit]) -> Result<(), Ended> {
        let docs = hits.iter().map(|hit| (index.docid(hit.page), hit.score));
        let lines = run_lines(topic, docs).map_err(Ended::Unwritable)?;
        for (rank, (docid, score)) in (1..).zip(lines) {
            self.topics.push(topic.to_owned());
            self.docids.push(docid.into_owned());
            self.ranks.push(rank);
            self.scores.push(decimal(score));
        }
        Ok(())
    }

    fn table(self) -> PyResult<Table> {
        let named = |name: &str, column: ArrayRef| (name.to_owned(), column);
        Table::new(vec![
            named("query_id", Arc::new(StringArray::from(self.topics))),
            named("doc_id", Arc::new(StringArray::from(self.docids))),
            named("rank", Arc::new(UInt32Array::from(self.ranks))),
            named("score", Arc::new(Float64Array::from(self.scores))),
        ])
    }
}

/// The double that prints as the shortest decimal of a score does, which is what a run file and JSON have.
fn decimal(score: f32) -> f64 {
    score.to_string().parse().unwrap_or(f64::from(score))
}

/// Fragments as HTML, with their words of the query in `<mark>`.
fn marked(fragments: &[Fragment]) -> String {
    let mut html = String::new();
    for fragment in fragments {
        if !html.is_empty() {
            html += " … ";
        }
        let mut from = 0;
        for range in &fragment.highlights {
            html += &escape_markup(&fragment.text[from..range.start]);
            html += "<mark>";
            html += &escape_markup(&fragment.text[range.clone()]);
            html += "</mark>";
            from = range.end;
        }
        html += &escape_markup(&fragment.text[from..]);
    }
    html
}

/// A row a block: its values, whether it passes, and what extractors say of it.
pub(crate) fn block_table(
    blocks: &[Block],
    unit: DensityUnit,
    passes: Option<Vec<bool>>,
    verdicts: &[(&str, &Verdicts)],
) -> PyResult<Table> {
    let places: Vec<Place> = places(blocks, unit).collect();
    let mut columns = of_blocks(&places);
    if let Some(passes) = passes {
        columns.push(("kept".to_owned(), Arc::new(BooleanArray::from(passes))));
    }
    for (name, of) in verdicts {
        let said: Vec<(&Verdicts, usize)> = (0..blocks.len()).map(|at| (*of, at)).collect();
        columns.extend(of_verdicts(name, of.confidences.is_some(), &said));
    }
    Table::new(columns)
}
