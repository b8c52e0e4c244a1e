//! Queries with operators: which pages (or blocks) answer, and the ranking of those.
//!
//! AND, OR and NOT hold over the passing blocks of a page (a page has a term if one of these has it), a phrase within one block.
//! Where blocks are ranked, all holds within the block, and `title:` and `url:` are those of its page. The score of a page that
//! answers is that of the bag of the query's words and phrases, without what is excluded, titles and addresses.

use std::sync::Arc;

use trommel_text::Analyzer;

use crate::format::bits::Bits;
use crate::format::error::IndexError;
use crate::format::url_terms::url_terms;
use crate::search::expression::{Expression, Field, Leaf, Occur};
use crate::search::gather::TermPostings;
use crate::search::grain::Grain;
use crate::search::hit::{Clause, Hit};
use crate::search::model::{Formula, Model, TermTotals, Totals};
use crate::search::open::Index;
use crate::search::page_terms::PageTerms;
use crate::search::phrase;
use crate::search::prune::Pruned;
use crate::search::query::{Ranking, Unit};
use crate::search::rank::rank;
use crate::search::score::Scratch;
use crate::search::shared::given::Given;
use crate::search::subset::Subset;
use crate::search::syntax::SyntaxError;
use crate::search::view::{SearchView, View};

/// A query whose words an analyzer has made terms.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    node: Node,
    /// The terms and phrases that score, in the order of the query; a phrase as a pseudo-term.
    pub(crate) scored: Vec<String>,
}

/// The best answers to a query.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// The best, best first.
    pub hits: Vec<Hit>,
    /// How many pages (or blocks) answer in all.
    pub total: usize,
}

/// [`Expression`] after analysis.
#[derive(Debug, Clone, PartialEq)]
enum Node {
    Leaf(Option<Field>, String),
    Clauses(Vec<(Occur, Node)>),
}

impl Query {
    /// Analyses a query. Words that the analyzer leaves out ask for nothing. A word that it cuts into several terms is a phrase,
    /// but where it only may occur a bag of these.
    pub fn new(expression: &Expression, analyzer: Analyzer) -> Result<Query, SyntaxError> {
        let mut scored = Vec::new();
        let node = analysed(expression, Occur::Should, false, analyzer, &mut scored)
            .ok_or_else(|| SyntaxError::NoWords(expression.to_string(), analyzer.name()))?;
        let query = Query { node, scored };
        let nothing = |_: Option<Field>, _: &str| Ok(Bits::none(1));
        match query.node.evaluate(1, &nothing) {
            Ok(answers) if !answers.contains(0) => Ok(query),
            _ => Err(SyntaxError::OnlyExcludes(expression.to_string())),
        }
    }

    /// The terms that a page is found by, phrases in their terms.
    pub fn terms(&self) -> impl Iterator<Item = &str> {
        self.scored
            .iter()
            .flat_map(|term| phrase::terms(term).map(|(_, term)| term))
    }

    /// Is every page with a word or phrase an answer, and no other?
    pub fn is_bag(&self) -> bool {
        self.node.is_bag()
    }
}

/// What is left of an expression; none if no word is. What stands under an odd number of exclusions is not scored.
fn analysed(
    expression: &Expression,
    occur: Occur,
    excluded: bool,
    analyzer: Analyzer,
    scored: &mut Vec<String>,
) -> Option<Node> {
    let clauses: Vec<(Occur, Node)> = match expression {
        Expression::Clauses(clauses) => {
            let clause = |(occur, inner): &(Occur, Expression)| {
                let excluded = excluded != (*occur == Occur::MustNot);
                let node = analysed(inner, *occur, excluded, analyzer, scored)?;
                Some((*occur, node))
            };
            clauses.iter().filter_map(clause).collect()
        }
        Expression::Leaf(leaf) => {
            let terms = leaf_terms(leaf, occur, analyzer);
            if leaf.field.is_none() && !excluded {
                scored.extend_from_slice(&terms);
            }
            let node = |term| (Occur::Should, Node::Leaf(leaf.field, term));
            terms.into_iter().map(node).collect()
        }
    };
    (!clauses.is_empty()).then_some(Node::Clauses(clauses))
}

/// The terms or the one pseudo-term of a word or phrase.
fn leaf_terms(leaf: &Leaf, occur: Occur, analyzer: Analyzer) -> Vec<String> {
    if leaf.field.is_none() && !leaf.quoted && occur == Occur::Should {
        return analyzer.terms(&leaf.text);
    }
    let term = match leaf.field {
        Some(Field::Url) => url_terms(&leaf.text),
        Some(Field::Title) | None => phrase::of_text(analyzer, &leaf.text),
    };
    (!term.is_empty()).then_some(term).into_iter().collect()
}

impl Node {
    fn is_bag(&self) -> bool {
        match self {
            Node::Leaf(field, _) => field.is_none(),
            Node::Clauses(clauses) => clauses
                .iter()
                .all(|(occur, inner)| *occur == Occur::Should && inner.is_bag()),
        }
    }

    /// The numbers below `size` for which the node holds, given those that have a leaf.
    fn evaluate<F>(&self, size: u32, having: &F) -> Result<Bits, IndexError>
    where
        F: Fn(Option<Field>, &str) -> Result<Bits, IndexError>,
    {
        let clauses = match self {
            Node::Leaf(field, term) => return having(*field, term),
            Node::Clauses(clauses) => clauses,
        };
        let has = |wanted: Occur| clauses.iter().any(|(occur, _)| *occur == wanted);
        let (must, should) = (has(Occur::Must), has(Occur::Should));
        let mut bits = match should && !must {
            true => Bits::none(size),
            false => Bits::all(size),
        };
        // What may hold only counts where nothing must, and is taken away from before anything is excluded.
        for wanted in [Occur::Should, Occur::Must, Occur::MustNot] {
            if wanted == Occur::Should && must {
                continue;
            }
            for (_, inner) in clauses.iter().filter(|(occur, _)| *occur == wanted) {
                let these = inner.evaluate(size, having)?;
                match wanted {
                    Occur::Should => bits.add_all(&these),
                    Occur::Must => bits.keep_common(&these),
                    Occur::MustNot => bits.remove_all(&these),
                }
            }
        }
        Ok(bits)
    }
}

/// A search's view, with postings of answers only.
pub(crate) struct QueryView<'a> {
    search: SearchView<'a>,
    /// None if all pages with a word or phrase are answers.
    answers: Option<Bits>,
    /// Are all answers to be counted?
    counting: bool,
}

impl<'a> QueryView<'a> {
    /// `counting` says whether all answers are to be counted.
    pub fn new(
        index: &'a Index,
        query: &Query,
        ranking: &Ranking,
        counting: bool,
    ) -> Result<Self, IndexError> {
        let search = SearchView::new(index, ranking)?;
        let answers = match query.is_bag() {
            true => None,
            false => Some(index.answers(query, &search, ranking)?),
        };
        Ok(QueryView {
            search,
            answers,
            counting,
        })
    }
}

impl View for QueryView<'_> {
    fn index(&self) -> &Index {
        self.search.index()
    }

    fn unit(&self) -> Unit {
        self.search.unit()
    }

    fn has_own_statistics(&self) -> bool {
        self.search.has_own_statistics()
    }

    fn totals(&self) -> Totals {
        self.search.totals()
    }

    fn postings(&self, term: &str) -> Result<Arc<TermPostings>, IndexError> {
        let postings = self.search.postings(term)?;
        let Some(answers) = &self.answers else {
            return Ok(postings);
        };
        let of_answers = |(id, _): &&(u32, u32)| answers.contains(*id);
        Ok(Arc::new(TermPostings {
            entries: postings
                .entries
                .iter()
                .filter(of_answers)
                .copied()
                .collect(),
            ..*postings
        }))
    }

    fn norms(&self, formula: &Formula) -> Result<Arc<Vec<f64>>, IndexError> {
        self.search.norms(formula)
    }

    fn grain(&self) -> Grain {
        self.search.grain()
    }

    fn has_titles(&self) -> bool {
        self.search.has_titles()
    }

    fn page_terms(&self, page: u32) -> Result<Arc<PageTerms>, IndexError> {
        self.search.page_terms(page)
    }

    fn weights(&self, hit: &Hit) -> Result<Vec<u32>, IndexError> {
        self.search.weights(hit)
    }

    fn answers(&self) -> Option<&Bits> {
        self.answers.as_ref()
    }

    fn pruned(
        &self,
        query: &[Clause],
        formula: &Formula,
        k: usize,
    ) -> Result<Option<Pruned>, IndexError> {
        match self.answers {
            None => self
                .search
                .pruned_counting(query, formula, k, self.counting),
            Some(_) => Ok(None),
        }
    }

    fn threads(&self) -> usize {
        self.search.threads()
    }

    fn gather(&self, query: &[Clause]) -> Result<(), IndexError> {
        self.search.gather(query)
    }

    fn statistics_of(&self, term: &str) -> Result<TermTotals, IndexError> {
        self.search.statistics_of(term)
    }

    fn given(&self) -> Option<&Given> {
        self.search.given()
    }
}

impl Index {
    /// Ranks the pages (or blocks) that answer a query, best first, at most `k`; ties as in [`Index::search`]. A query without
    /// operators is a bag of words and phrases, and ranks as [`Index::search`] does.
    pub fn search_query(
        &self,
        query: &Query,
        ranking: &Ranking,
        k: usize,
    ) -> Result<Vec<Hit>, IndexError> {
        Ok(self.found(query, ranking, k, false)?.hits)
    }

    /// [`Index::search_query`], with the number of all answers.
    pub fn search_counted(
        &self,
        query: &Query,
        ranking: &Ranking,
        k: usize,
    ) -> Result<Found, IndexError> {
        self.found(query, ranking, k, true)
    }

    fn found(
        &self,
        query: &Query,
        ranking: &Ranking,
        k: usize,
        counting: bool,
    ) -> Result<Found, IndexError> {
        let view = QueryView::new(self, query, ranking, counting)?;
        let model = query.model(ranking);
        let mut scratch = Scratch::default();
        let hits = rank(&view, &query.scored, &model, k, &mut scratch)?;
        Ok(Found {
            hits,
            total: scratch.total,
        })
    }

    /// The pages (or blocks) for which a query holds.
    fn answers(
        &self,
        query: &Query,
        search: &SearchView,
        ranking: &Ranking,
    ) -> Result<Bits, IndexError> {
        let subset = self.subset(&ranking.filter, &ranking.weights)?;
        let scored = query.scored.iter().map(|term| Clause {
            term: term.clone(),
            boost: 1.0,
        });
        search.gather(&scored.collect::<Vec<_>>())?;
        let size = match ranking.unit {
            Unit::Page => self.num_pages() as u32,
            Unit::Block => self.layout.end as u32,
        };
        let having = |field: Option<Field>, term: &str| {
            let mut bits = Bits::none(size);
            if let Some(field) = field {
                let pages = self.pages_having(field, term)?;
                pages
                    .into_iter()
                    .for_each(|(page, _)| self.insert(page, ranking.unit, &subset, &mut bits));
                return Ok(bits);
            }
            let postings = search.postings(term)?;
            let present = postings.entries.iter().filter(|(_, tf)| *tf > 0);
            present.for_each(|(id, _)| bits.insert(*id));
            Ok(bits)
        };
        query.node.evaluate(size, &having)
    }

    /// Adds a page, or its passing blocks.
    fn insert(&self, page: u32, unit: Unit, subset: &Subset, bits: &mut Bits) {
        if unit == Unit::Page {
            return bits.insert(page);
        }
        let passing = self
            .layout
            .blocks(page)
            .filter(|block| subset.passes(*block));
        passing.for_each(|block| bits.insert(block as u32));
    }
}

impl Query {
    /// The model to rank by: a query that scores nothing is not expanded.
    pub(crate) fn model(&self, ranking: &Ranking) -> Model {
        match self.scored.is_empty() {
            true => ranking.model.formula.into(),
            false => ranking.model,
        }
    }
}
