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
    pub first: u32,
    /// How many blocks.
    pub count: usize,
    /// By [`Wanted::counts`].
    pub counts: Vec<Vec<u32>>,
    /// By the numbers of [`Index::tags`].
    pub tags: Vec<u32>,
    /// The page of each.
    pub pages: Vec<u32>,
    /// The number of each in the order of pages.
    numbers: Vec<usize>,
}

/// A filter with all that it compares.
pub(crate) struct Judge {
    node: Node<Prepared>,
    repeated: Option<Bits>,
    passes_all: bool,
}

enum Prepared {
    Content(Arc<OpenSet>),
    Compare(PreparedValue, Condition),
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
    #[inline]
    fn holds(&self, chunk: &Chunk, at: usize) -> bool {
        match self {
            Prepared::Content(set) => set.is_content(chunk.numbers[at]),
            Prepared::Compare(value, condition) => {
                let (numerator, denominator) = value.of(chunk, at);
                condition.holds(&Value::Quotient(numerator, denominator))
            }
            Prepared::Tag(passing) => {
                let of_segment = &passing[chunk.segment];
                of_segment.get(chunk.tags[at] as usize) == Some(&true)
            }
            Prepared::Page(pages) => pages.contains(chunk.pages[at]),
        }
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
        return Ok(Prepared::Compare(value, condition.clone()));
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
            let tags = || segment.columns.tags().map_err(IndexError::io(path));
            guard::reading(path, tags)
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
        chunk.first = self.layout.segment_base[segment] + first;
        chunk.count = count;
        chunk.counts.resize_with(wanted.counts.len(), Vec::new);
        guard::reading(&stored.path, || {
            for (values, wanted) in chunk.counts.iter_mut().zip(&wanted.counts) {
                values.resize(count, 0);
                if let Count::Stored(column) = wanted {
                    columns.read(column, first, values);
                }
            }
            if wanted.tags {
                chunk.tags.resize(count, 0);
                columns.read_tags(first, &mut chunk.tags);
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
        let end = chunk.first + chunk.count as u32;
        let mut block = chunk.first;
        while block < end {
            let (page, blocks) = self.layout.page(block);
            let words: Vec<u32> = match sums {
                true => self.page_word_counts(page)?,
                false => Vec::new(),
            };
            let page_words = words.iter().copied().fold(0, u32::saturating_add);
            let skipped = &words[..words.len().min((block - blocks.start) as usize)];
            let mut before = skipped.iter().copied().fold(0, u32::saturating_add);
            while block < end.min(blocks.end) {
                let (at, position) = ((block - chunk.first) as usize, block - blocks.start);
                chunk.pages.push(page);
                if wanted.numbers {
                    chunk.numbers.push(self.layout.number(page, position));
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
                block += 1;
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
