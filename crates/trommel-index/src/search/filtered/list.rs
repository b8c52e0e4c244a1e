//! The pages that have a term in a passing block.

use super::WIDTH;

/// The pages of a term with their frequencies in passing blocks.
#[derive(Debug, Default)]
pub(crate) struct List {
    /// Pages.
    pub df: u32,
    /// Occurrences.
    pub cf: u64,
    places: Places,
    /// By entry the frequency, [`MANY`] if it is that or more.
    frequencies: Vec<u8>,
    /// The entries of which that is so, ascending, and their frequencies.
    many: Vec<(u32, u32)>,
}

/// The pages of a range, and how many entries there are before them.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Place {
    /// A bit for each page, the first one the lowest.
    pub pages: u32,
    before: u32,
}

#[derive(Debug)]
enum Places {
    /// Those of all ranges.
    All(Vec<Place>),
    /// Those of ranges that have a page, with the ranges' numbers.
    Some {
        ranges: Vec<u32>,
        places: Vec<Place>,
    },
}

impl Default for Places {
    fn default() -> Places {
        Places::Some {
            ranges: Vec::new(),
            places: Vec::new(),
        }
    }
}

const MANY: u8 = u8::MAX;

/// Makes a list of pages by ascending ranks.
#[derive(Default)]
pub(crate) struct Builder {
    cf: u64,
    ranges: Vec<u32>,
    places: Vec<Place>,
    frequencies: Vec<u8>,
    many: Vec<(u32, u32)>,
}

impl Builder {
    /// Adds a page, behind all others, with a frequency above 0.
    #[inline]
    pub fn add(&mut self, rank: u32, frequency: u32) {
        let entry = self.frequencies.len() as u32;
        let range = rank / WIDTH;
        if self.ranges.last() != Some(&range) {
            self.ranges.push(range);
            self.places.push(Place {
                pages: 0,
                before: entry,
            });
        }
        if let Some(place) = self.places.last_mut() {
            place.pages |= 1 << (rank % WIDTH);
        }
        let kept = u8::try_from(frequency).unwrap_or(MANY);
        if kept == MANY {
            self.many.push((entry, frequency));
        }
        self.frequencies.push(kept);
        self.cf += u64::from(frequency);
    }

    /// Adds the pages of another segment, whose ranks begin behind all that are there.
    pub fn append(&mut self, first_rank: u32, other: &[(u32, u32)]) {
        for (rank, frequency) in other {
            self.add(first_rank + rank, *frequency);
        }
    }

    /// The list, for so many ranges in all.
    pub fn finish(mut self, ranges: usize) -> List {
        let df = self.frequencies.len() as u32;
        self.frequencies.shrink_to_fit();
        self.many.shrink_to_fit();
        // What takes less room.
        let places = match 3 * self.ranges.len() >= 2 * ranges {
            true => {
                let mut all = vec![Place::default(); ranges];
                for (range, place) in self.ranges.iter().zip(self.places) {
                    all[*range as usize] = place;
                }
                Places::All(all)
            }
            false => {
                self.ranges.shrink_to_fit();
                self.places.shrink_to_fit();
                let (ranges, places) = (self.ranges, self.places);
                Places::Some { ranges, places }
            }
        };
        List {
            df,
            cf: self.cf,
            places,
            frequencies: self.frequencies,
            many: self.many,
        }
    }
}

impl List {
    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        let places = match &self.places {
            Places::All(places) => 8 * places.len(),
            Places::Some { places, .. } => 12 * places.len(),
        };
        places + self.frequencies.len() + 8 * self.many.len() + size_of::<List>()
    }

    /// Number of places, of which impacts have one greatest each.
    pub fn num_places(&self) -> usize {
        match &self.places {
            Places::All(places) | Places::Some { places, .. } => places.len(),
        }
    }

    /// The frequency of a page of a place, by its number there. It must have one.
    #[inline]
    pub fn frequency(&self, place: Place, page: u32) -> u32 {
        let below = place.pages & ((1 << page) - 1);
        let entry = place.before + below.count_ones();
        match self.frequencies[entry as usize] {
            MANY => {
                let found = self.many.binary_search_by_key(&entry, |(entry, _)| *entry);
                found.map_or(u32::from(MANY), |at| self.many[at].1)
            }
            frequency => u32::from(frequency),
        }
    }

    /// Calls `each` with every place, by its number, the range it is of, and itself; there may be places without pages.
    pub fn for_each_place(&self, mut each: impl FnMut(usize, u32, Place)) {
        match &self.places {
            Places::All(places) => {
                for (range, place) in (0..).zip(places) {
                    each(range as usize, range, *place);
                }
            }
            Places::Some { ranges, places } => {
                for (at, (range, place)) in ranges.iter().zip(places).enumerate() {
                    each(at, *range, *place);
                }
            }
        }
    }

    /// Adds to a number for each of some consecutive ranges, from `first` on, what `by_place` has for the term's place there, times a factor.
    pub fn add_to(&self, sums: &mut [f32], first: u32, by_place: &[u8], factor: f32) {
        match &self.places {
            Places::All(_) => {
                let by_place = by_place[first as usize..].iter();
                for (sum, value) in sums.iter_mut().zip(by_place) {
                    *sum += factor * f32::from(*value);
                }
            }
            Places::Some { ranges, .. } => {
                let start = ranges.partition_point(|range| *range < first);
                for (range, value) in ranges[start..].iter().zip(&by_place[start..]) {
                    let Some(sum) = sums.get_mut((range - first) as usize) else {
                        return;
                    };
                    *sum += factor * f32::from(*value);
                }
            }
        }
    }

    /// Adds the pages of the list to those of all ranges, a word each.
    pub fn add_pages(&self, pages: &mut [u32]) {
        self.for_each_place(|_, range, place| pages[range as usize] |= place.pages);
    }

    /// The number of a range's place, if it has one; `at` is where that of a range before was, and becomes where this one's is or would be.
    #[inline]
    pub fn find(&self, range: u32, at: &mut usize) -> Option<usize> {
        match &self.places {
            Places::All(_) => Some(range as usize),
            Places::Some { ranges, .. } => {
                // Twice as far at each step, then by halves.
                let rest = &ranges[*at..];
                let mut width = 1;
                while rest.get(width).is_some_and(|own| *own < range) {
                    width *= 2;
                }
                let (low, high) = (width / 2, rest.len().min(width + 1));
                *at += low + rest[low..high].partition_point(|own| *own < range);
                (ranges.get(*at) == Some(&range)).then_some(*at)
            }
        }
    }

    /// A place by its number.
    #[inline]
    pub fn place(&self, number: usize) -> Place {
        match &self.places {
            Places::All(places) | Places::Some { places, .. } => places[number],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Dense and sparse lists give back every page, wherever one begins to look.
    #[test]
    fn pages_come_back() {
        for step in [1, 2, 31, 32, 33, 100, 4000] {
            let ranks: Vec<u32> = (0..20_000).step_by(step).collect();
            let frequency = |rank: u32| 1 + rank * 7 % 300;
            let mut builder = Builder::default();
            let (one, other) = ranks.split_at(ranks.len() / 3);
            one.iter()
                .for_each(|rank| builder.add(*rank, frequency(*rank)));
            let other: Vec<(u32, u32)> = other
                .iter()
                .map(|rank| (rank - other[0], frequency(*rank)))
                .collect();
            let first = ranks[one.len()];
            builder.append(first, &other);
            let ranges = 20_000usize.div_ceil(WIDTH as usize);
            let list = builder.finish(ranges);
            assert_eq!(list.df as usize, ranks.len());
            let cf: u64 = ranks.iter().map(|rank| u64::from(frequency(*rank))).sum();
            assert_eq!(list.cf, cf);
            for stride in [1, 3, 50] {
                let mut at = 0;
                for range in (0..ranges as u32).step_by(stride) {
                    let place = list.find(range, &mut at).map(|at| list.place(at));
                    for page in 0..WIDTH {
                        let rank = range * WIDTH + page;
                        let is_there = ranks.binary_search(&rank).is_ok();
                        let place = place.filter(|place| place.pages >> page & 1 == 1);
                        let found = place.map(|place| list.frequency(place, page));
                        assert_eq!(found, is_there.then(|| frequency(rank)), "{step} {rank}");
                    }
                }
            }
            let mut pages = vec![0; ranges];
            list.add_pages(&mut pages);
            let count: u32 = pages.iter().map(|pages| pages.count_ones()).sum();
            assert_eq!(count, list.df);
            let ones = vec![1; list.num_places()];
            let mut sums = vec![0.0; ranges];
            let (low, high) = sums.split_at_mut(77);
            list.add_to(low, 0, &ones, 0.5);
            list.add_to(high, 77, &ones, 0.5);
            for (sum, pages) in sums.iter().zip(pages) {
                assert!(pages == 0 || *sum == 0.5);
            }
        }
    }
}
