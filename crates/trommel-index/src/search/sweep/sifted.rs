//! What a series does with blocks and titles.

use std::sync::Arc;

use rayon::prelude::*;

use super::series::Series;
use crate::format::columns;
use crate::format::error::IndexError;
use crate::format::layout::aligned;
use crate::format::part::Segment;
use crate::search::grain::Grain;
use crate::search::judge::{Chunk, Judge, Wanted};
use crate::search::open::Index;
use crate::search::subset::{Subset, Titles};

/// The level of a block: the number of leading filters of a series that it passes.
pub(super) type Level = u16;

/// What a series does with each block and title.
pub(super) struct Sifted {
    /// By number of block.
    levels: Vec<Level>,
    /// By number of block, in hundredths; none where all count 1.
    weights: Option<Arc<Subset>>,
    /// By page the level of its title, where there is more than one filter and titles count.
    title_levels: Option<Vec<Level>>,
}

impl Sifted {
    pub fn new(index: &Index, series: &Series) -> Result<Sifted, IndexError> {
        let levels = index.levels(series)?;
        let (Some(loosest), false) = (series.filters().first(), series.weights().is_one()) else {
            return Ok(Sifted {
                levels,
                weights: None,
                title_levels: None,
            });
        };
        let several = series.filters().len() > 1 && series.weights().weigh_titles();
        Ok(Sifted {
            levels,
            // What does not pass the loosest filter is not weighed, as in a search.
            weights: Some(index.subset(loosest, series.weights())?),
            title_levels: several
                .then(|| index.title_levels(series.filters()))
                .transpose()?,
        })
    }

    /// The titles, where they count.
    pub fn titles(&self) -> Option<&Titles> {
        self.weights.as_ref()?.titles.as_ref()
    }

    /// As [`Sifted::of_block`] of a page's title.
    pub fn of_title(&self, page: u32) -> (Level, u32) {
        match self
            .titles()
            .map_or(0, |titles| titles.weights[page as usize])
        {
            0 => (0, 0),
            weight => {
                let levels = self.title_levels.as_ref();
                // It passes the only filter, or it would weigh nothing.
                let level = levels.map_or(1, |levels| levels[page as usize]);
                (level, u32::from(weight))
            }
        }
    }

    pub fn grain(&self) -> Grain {
        match self.weights {
            None => Grain::One,
            Some(_) => Grain::Hundredth,
        }
    }

    /// The level of a block, and how much it counts while it passes, in grains. One that counts nothing never passes.
    #[inline]
    pub fn of_block(&self, block: u64) -> (Level, u32) {
        let level = self.levels[block as usize];
        match &self.weights {
            None => (level, 1),
            Some(weights) => match weights.weight(block) {
                0 => (0, 0),
                weight => (level, weight),
            },
        }
    }
}

impl Index {
    /// The levels of all blocks, numbered through.
    fn levels(&self, series: &Series) -> Result<Vec<Level>, IndexError> {
        let mut wanted = Wanted::default();
        let judges = series
            .filters()
            .iter()
            .map(|filter| Judge::new(self, filter, &mut wanted));
        let judges = judges.collect::<Result<Vec<_>, _>>()?;
        if judges.iter().all(Judge::passes_all) {
            return Ok(vec![judges.len() as Level; self.layout.end as usize]);
        }
        self.layout.verify()?;
        let mut levels = vec![0; self.layout.end as usize];
        let mut rest = levels.as_mut_slice();
        for (segment, Segment { columns, .. }) in self.segments.iter().enumerate() {
            let (of_segment, after) = rest.split_at_mut(aligned(columns.num_blocks()) as usize);
            rest = after;
            let of_segment = &mut of_segment[..columns.num_blocks() as usize];
            let chunks = of_segment.par_chunks_mut(columns::CHUNK).enumerate();
            chunks.try_for_each_init(Chunk::default, |chunk, (number, levels)| {
                let blocks = ((number * columns::CHUNK) as u32, levels.len());
                self.read_chunk(&wanted, segment, blocks, chunk)?;
                for (at, level) in levels.iter_mut().enumerate() {
                    *level = judges.partition_point(|judge| judge.passes(chunk, at)) as Level;
                }
                Ok(())
            })?;
        }
        Ok(levels)
    }
}
