//! A filter made ready to judge the blocks of an index.
//!
//! Blocks are read in chunks of one segment, and of each only what some filter compares ([`Wanted`]). Comparisons with attributes
//! of pages are made once for each page, and those with tags once for each tag of a segment.

use std::cell::RefCell;
use std::sync::Arc;

use trommel_page::attribute::{self, Attribute, Count, Kind};
use trommel_page::filter::{Comparison, Condition, Filter, Node, Test, Value};
use trommel_page::weight::{Expression, ONE, Subject, Unweighable, Weights, weigh};

use crate::format::bits::Bits;
use crate::format::error::{IndexError, or_none};
use crate::format::part::Segment;
use crate::format::{columns, guard};
use crate::search::grain::Grain;
use crate::search::mask::Mask;
use crate::search::open::Index;
use crate::search::open_labels::OpenSet;
use crate::search::query::Ranking;

/// What is read of blocks.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wanted {
    /// Integers, each once: a judge knows them by their places here.
    counts: Vec<Count>,
    tags: bool,
    /// The page of each block.
    pages: bool,
    /// The number of each block in the order of pages.
    numbers: bool,
}

impl Wanted {
    /// The place of an integer.
    pub fn count(&mut self, count: Count) -> usize {
        if matches!(
            count,
            Count::Position | Count::WordsBefore | Count::PageWords
        ) {
            self.pages = true;
        }
        let known = self.counts.iter().position(|known| *known == count);
        known.unwrap_or_else(|| {
            self.counts.push(count);
            self.counts.len() - 1
        })
    }

    /// Has the tag of each block read.
    pub fn tags(&mut self) {
        self.tags = true;
    }

    /// Has the number of each block in the order of pages read.
    pub fn numbers(&mut self) {
        self.numbers = true;
    }

    /// Has the page of each block read.
    pub fn pages(&mut self) {
        self.pages = true;
    }
}

/// What was read of some consecutive blocks of a segment.
#[derive(Default)]
pub(crate) struct Chunk {
    pub segment: usize,
    /// The first block, numbered through.
    pub first: u64,
    /// The first block in its segment.
    first_doc: u32,
    /// How many blocks.
    pub count: usize,
    /// By [`Wanted::counts`].
    pub counts: Vec<Vec<u32>>,
    /// By the numbers of [`Index::tags`].
    pub tags: Vec<u32>,
    /// The page of each.
    pub pages: Vec<u32>,
    /// The number of each in the order of pages.
    pub numbers: Vec<u64>,
}

/// A filter with all that it compares.
pub(crate) struct Judge {
    node: Node<Prepared>,
    repeated: Option<Bits>,
    passes_all: bool,
}

enum Prepared {
    Content(Arc<OpenSet>),
    Compare(PreparedValue, Compared),
    /// By segment and number of the tag.
    Tag(Vec<Vec<bool>>),
    /// The pages that pass.
    Page(Bits),
}

impl Judge {
    /// Prepares a filter; what it compares is added to what is wanted.
    ///
    /// # Errors
    /// [`IndexError::NoLabels`] and those of [`Index::confidences_of`], and those of reading what is compared.
    pub fn new(index: &Index, filter: &Filter, wanted: &mut Wanted) -> Result<Judge, IndexError> {
        let repeated = index.layout.repeated.clone();
        wanted.pages |= repeated.is_some();
        Ok(Judge {
            passes_all: filter.is_empty() && repeated.is_none(),
            node: filter
                .node()
                .try_map(&mut |test| prepared(index, test, wanted))?,
            repeated,
        })
    }

    /// Do all blocks pass?
    pub fn passes_all(&self) -> bool {
        self.passes_all
    }

    /// Which blocks of a chunk pass.
    pub fn passing(&self, chunk: &Chunk) -> Mask {
        let mut mask = Mask::of_node(&self.node, &|test| test.passing(chunk));
        if let Some(pages) = &self.repeated {
            mask.remove(&Mask::of_each(&chunk.pages, |page| pages.contains(*page)));
        }
        mask.keep_first(chunk.count);
        mask
    }

    /// Does a block of a chunk pass?
    #[inline]
    pub fn passes(&self, chunk: &Chunk, at: usize) -> bool {
        if self
            .repeated
            .as_ref()
            .is_some_and(|pages| pages.contains(chunk.pages[at]))
        {
            return false;
        }
        self.node.holds(&mut |test| test.holds(chunk, at))
    }
}

impl Prepared {
    /// For which blocks of a chunk it holds.
    fn passing(&self, chunk: &Chunk) -> Mask {
        match self {
            Prepared::Compare(PreparedValue::Number(count, None), compared) => {
                let known = compared.known.as_slice();
                let known = |value: &u32| known.get(*value as usize).copied();
                let holds =
                    |value: &u32| known(value).unwrap_or_else(|| compared.holds((*value, 1)));
                Mask::of_each(&chunk.counts[*count], holds)
            }
            other => Mask::of(chunk.count, |at| other.holds(chunk, at)),
        }
    }

    #[inline]
    fn holds(&self, chunk: &Chunk, at: usize) -> bool {
        match self {
            Prepared::Content(set) => set.is_content(chunk.numbers[at]),
            Prepared::Compare(value, compared) => compared.holds(value.of(chunk, at)),
            Prepared::Tag(passing) => {
                let of_segment = &passing[chunk.segment];
                of_segment.get(chunk.tags[at] as usize) == Some(&true)
            }
            Prepared::Page(pages) => pages.contains(chunk.pages[at]),
        }
    }
}

/// A comparison with small numbers made beforehand.
struct Compared {
    condition: Condition,
    /// What all values are divided by, if it is known.
    denominator: Option<u32>,
    /// Does it hold for 0, 1, 2, … over the denominator?
    known: Vec<bool>,
}

/// Nearly all counts of blocks are smaller.
const KNOWN: u32 = 256;

impl Compared {
    fn new(condition: &Condition, denominator: Option<u32>) -> Compared {
        let known = denominator.into_iter().flat_map(|denominator| {
            let values = (0..KNOWN).map(move |value| Value::Quotient(value, denominator));
            values.map(|value| condition.holds(&value))
        });
        Compared {
            condition: condition.clone(),
            denominator,
            known: known.collect(),
        }
    }

    #[inline]
    fn holds(&self, (numerator, denominator): (u32, u32)) -> bool {
        let known = self.known.get(numerator as usize);
        let known = known.filter(|_| self.denominator == Some(denominator));
        known.copied().unwrap_or_else(|| {
            let value = Value::Quotient(numerator, denominator);
            self.condition.holds(&value)
        })
    }
}

/// A number of a block, made ready to be read.
enum PreparedValue {
    Confidence(Arc<OpenSet>),
    /// Places of numerator and denominator among the counts.
    Number(usize, Option<usize>),
}

impl PreparedValue {
    /// Numerator and denominator.
    #[inline]
    fn of(&self, chunk: &Chunk, at: usize) -> (u32, u32) {
        match self {
            PreparedValue::Confidence(set) => {
                let hundredths = set.confidence(chunk.numbers[at]).in_hundredths();
                (u32::from(hundredths), 100)
            }
            PreparedValue::Number(numerator, denominator) => {
                let denominator = denominator.map_or(1, |place| chunk.counts[place][at]);
                (chunk.counts[*numerator][at], denominator)
            }
        }
    }

    /// What all values are divided by, if that is one number.
    fn denominator(&self) -> Option<u32> {
        match self {
            PreparedValue::Confidence(_) => Some(100),
            PreparedValue::Number(_, None) => Some(1),
            PreparedValue::Number(_, Some(_)) => None,
        }
    }

    /// None for an attribute that is no number.
    fn new(
        index: &Index,
        attribute: &Attribute,
        of: Option<&str>,
        wanted: &mut Wanted,
    ) -> Result<Option<PreparedValue>, IndexError> {
        Ok(Some(match &attribute.kind {
            Kind::Confidence => {
                wanted.numbers = true;
                let name = &index.confidences_of(of)?.name;
                PreparedValue::Confidence(index.labels(name)?)
            }
            Kind::Number(number) => {
                let numerator = wanted.count(number.numerator.of_unit(index.unit));
                let denominator = match number.denominator {
                    Count::One => None,
                    denominator => Some(wanted.count(denominator.of_unit(index.unit))),
                };
                PreparedValue::Number(numerator, denominator)
            }
            Kind::Tag | Kind::Word(_) | Kind::Date => return Ok(None),
        }))
    }
}

/// Weights with all that they are computed of.
pub(crate) struct Weigher {
    expression: Expression<PreparedValue, Prepared>,
}

impl Weigher {
    /// Prepares weights; what they are computed of is added to what is wanted.
    ///
    /// # Errors
    /// [`IndexError::Weights`] for an extractor whose labels or confidences are not there, and those of reading.
    pub fn new(
        index: &Index,
        weights: &Weights,
        wanted: &mut Wanted,
    ) -> Result<Weigher, IndexError> {
        // Both closures below want it.
        let wanted = RefCell::new(wanted);
        let wrong = |name: Option<&str>, what: String, hint: &str| {
            IndexError::Weights(Box::new(weights.error_of(name, what, hint)))
        };
        let missing = |name: Option<&str>, error: IndexError| {
            let mut hint = "take another extractor, or add its verdicts to the index first";
            let what = match error {
                IndexError::NoLabels { name, known, .. } => {
                    let known = or_none(&known);
                    format!("the index has no labels of '{name}'; it has: {known}")
                }
                IndexError::NoConfidences(_) => "the index has no confidences of blocks".to_owned(),
                IndexError::LabelsWithoutConfidences { name, known, .. } => {
                    let known = or_none(&known);
                    hint = "not every extractor is more or less sure of a block: take another one";
                    format!(
                        "the labels of '{name}' have no confidences; there are those of: {known}"
                    )
                }
                IndexError::WhichConfidences { known, .. } => {
                    let known = known.join(", ");
                    hint = "the name stands in brackets";
                    format!("the index has confidences of {known}: say whose: confidence(NAME)")
                }
                other => return other,
            };
            wrong(name, what, hint)
        };
        let mut value = |subject: &Subject| {
            let of = subject.of.as_deref();
            let value = PreparedValue::new(index, subject.attribute, of, &mut wanted.borrow_mut());
            let value = value.map_err(|error| missing(of, error))?;
            // The parser takes no other attributes for numbers.
            value.ok_or_else(|| {
                wrong(
                    None,
                    format!("'{subject}' is no number"),
                    "take another attribute",
                )
            })
        };
        let mut test = |test: &Test| {
            let name = match test {
                Test::Verdict(name) => Some(&**name),
                Test::Compare(comparison) => comparison.of.as_deref(),
            };
            let test = prepared(index, test, &mut wanted.borrow_mut());
            test.map_err(|error| missing(name, error))
        };
        let expression = weights.expression().try_map(&mut value, &mut test)?;
        Ok(Weigher { expression })
    }

    /// The weight of a block of a chunk, in hundredths.
    pub fn weight(&self, chunk: &Chunk, at: usize) -> Result<u16, Unweighable> {
        weigh(
            &self.expression,
            &mut |value| value.of(chunk, at),
            &mut |test| test.holds(chunk, at),
        )
    }
}

fn prepared(index: &Index, test: &Test, wanted: &mut Wanted) -> Result<Prepared, IndexError> {
    let comparison = match test {
        Test::Verdict(name) => {
            wanted.numbers = true;
            return index.labels(name).map(Prepared::Content);
        }
        Test::Compare(comparison) => comparison,
    };
    let Comparison {
        attribute,
        of,
        condition,
    } = comparison;
    if let Some(value) = PreparedValue::new(index, attribute, of.as_deref(), wanted)? {
        let compared = Compared::new(condition, value.denominator());
        return Ok(Prepared::Compare(value, compared));
    }
    if matches!(attribute.kind, Kind::Tag) {
        wanted.tags = true;
        return Ok(Prepared::Tag(index.tags_that(condition)?));
    }
    wanted.pages = true;
    let pages = index.pages_that(attribute, condition)?;
    Ok(Prepared::Page(pages))
}

impl Index {
    /// The tags of each segment in the order of their numbers.
    pub(crate) fn tags(&self) -> Result<Vec<Vec<String>>, IndexError> {
        let of_segment = |segment: &Segment| {
            let path = &segment.stored.path;
            guard::reading(path, || segment.columns.tags())
        };
        self.segments.iter().map(of_segment).collect()
    }

    /// For each segment which of its tags meet a condition.
    fn tags_that(&self, condition: &Condition) -> Result<Vec<Vec<bool>>, IndexError> {
        let holds = |tag: &String| condition.holds(&Value::Word(tag));
        let of_segment = |tags: Vec<String>| match tags.is_empty() {
            // The number 0 is read where there is no tag at all.
            true => vec![condition.holds(&Value::Missing)],
            false => tags.iter().map(holds).collect(),
        };
        Ok(self.tags()?.into_iter().map(of_segment).collect())
    }

    /// Calls `each` with all blocks of the index, chunk by chunk in their order, and what is wanted of them.
    pub(crate) fn for_each_chunk(
        &self,
        wanted: &Wanted,
        mut each: impl FnMut(&Chunk),
    ) -> Result<(), IndexError> {
        self.layout.verify()?;
        let mut chunk = Chunk::default();
        for segment in 0..self.segments.len() {
            for (first, count) in columns::chunks(self.segments[segment].columns.num_blocks()) {
                self.read_chunk(wanted, segment, (first, count), &mut chunk)?;
                each(&chunk);
            }
        }
        Ok(())
    }

    /// Reads what is wanted of consecutive blocks of a segment.
    pub(crate) fn read_chunk(
        &self,
        wanted: &Wanted,
        segment: usize,
        (first, count): (u32, usize),
        chunk: &mut Chunk,
    ) -> Result<(), IndexError> {
        let Segment {
            columns, stored, ..
        } = &self.segments[segment];
        chunk.segment = segment;
        chunk.first = self.layout.base(segment) + u64::from(first);
        chunk.first_doc = first;
        chunk.count = count;
        chunk.counts.resize_with(wanted.counts.len(), Vec::new);
        guard::reading(&stored.path, || {
            for (values, wanted) in chunk.counts.iter_mut().zip(&wanted.counts) {
                values.resize(count, 0);
                if let Count::Stored(column) = wanted {
                    columns.read(column, first, values)?;
                }
            }
            if wanted.tags {
                chunk.tags.resize(count, 0);
                columns.read_tags(first, &mut chunk.tags)?;
            }
            Ok(())
        })?;
        if wanted.pages || wanted.numbers {
            self.read_places(wanted, chunk)?;
        }
        Ok(())
    }

    /// Fills in the page of each block and what follows from its place there.
    fn read_places(&self, wanted: &Wanted, chunk: &mut Chunk) -> Result<(), IndexError> {
        chunk.pages.clear();
        chunk.numbers.clear();
        let sums = wanted
            .counts
            .iter()
            .any(|it| matches!(it, Count::WordsBefore | Count::PageWords));
        let end = chunk.first_doc + chunk.count as u32;
        let first_page = self.layout.first_page(chunk.segment);
        let mut ranks = self.layout.ranks(chunk.segment);
        let mut doc = chunk.first_doc;
        while doc < end {
            ranks.seek(doc);
            let (page, start) = (first_page + ranks.page(), ranks.first());
            let number = self.layout.number(page, 0);
            let words: Vec<u32> = match sums {
                true => self.page_word_counts(page)?,
                false => Vec::new(),
            };
            let page_words = words.iter().copied().fold(0, u32::saturating_add);
            let skipped = &words[..words.len().min((doc - start) as usize)];
            let mut before = skipped.iter().copied().fold(0, u32::saturating_add);
            while doc < end.min(ranks.end) {
                let (at, position) = ((doc - chunk.first_doc) as usize, doc - start);
                chunk.pages.push(page);
                if wanted.numbers {
                    chunk.numbers.push(number + u64::from(position));
                }
                for (values, wanted) in chunk.counts.iter_mut().zip(&wanted.counts) {
                    match wanted {
                        Count::Position => values[at] = position,
                        Count::WordsBefore => values[at] = before,
                        Count::PageWords => values[at] = page_words,
                        Count::Stored(_) | Count::Units | Count::One => {}
                    }
                }
                let own = words.get(position as usize).copied().unwrap_or(0);
                before = before.saturating_add(own);
                doc += 1;
            }
        }
        Ok(())
    }

    /// Which blocks of a page pass a filter, in order.
    ///
    /// # Errors
    /// Those of [`Index::require`].
    pub fn passing(&self, page: u32, filter: &Filter) -> Result<Vec<bool>, IndexError> {
        let subset = self.subset(filter, &Weights::default())?;
        let blocks = self.layout.blocks(page);
        Ok(blocks.map(|block| subset.passes(block)).collect())
    }

    /// How much each block of a page counts, in order, in hundredths: 0 if it does not pass.
    ///
    /// # Errors
    /// Those of [`Index::require`], and [`IndexError::Weights`] for a block of the index that cannot be weighed.
    pub fn block_weights(&self, page: u32, ranking: &Ranking) -> Result<Vec<u16>, IndexError> {
        let subset = self.subset(&ranking.filter, &ranking.weights)?;
        let one = |weight: u32| match subset.grain() {
            Grain::One => weight as u16 * ONE,
            Grain::Hundredth => weight as u16,
        };
        let blocks = self.layout.blocks(page);
        Ok(blocks.map(|block| one(subset.weight(block))).collect())
    }

    /// How much a page's title counts, in hundredths: 0 if the weights do not count titles.
    ///
    /// # Errors
    /// Those of [`Index::block_weights`].
    pub fn title_weight(&self, page: u32, ranking: &Ranking) -> Result<u16, IndexError> {
        let subset = self.subset(&ranking.filter, &ranking.weights)?;
        let titles = subset.titles.as_ref();
        Ok(titles.map_or(0, |titles| titles.weights[page as usize]))
    }

    /// Looks whether there is what weights are computed of.
    ///
    /// # Errors
    /// [`IndexError::Weights`] for labels and confidences that are not there, and those of reading.
    pub fn require_weights(&self, weights: &Weights) -> Result<(), IndexError> {
        Weigher::new(self, weights, &mut Wanted::default()).map(drop)
    }

    /// Looks whether there is what a filter compares: labels, confidences, attributes.
    ///
    /// # Errors
    /// [`IndexError::NoLabels`] and those of [`Index::confidences_of`], and those of reading what is compared.
    pub fn require(&self, filter: &Filter) -> Result<(), IndexError> {
        Judge::new(self, filter, &mut Wanted::default()).map(drop)
    }
}

/// The place of a block's words, which histograms weigh blocks by.
pub(crate) fn words(wanted: &mut Wanted) -> usize {
    wanted.count(Count::Stored(attribute::words_column()))
}
