//! What a frequent term's blocks are like: for some attributes, how many pages have their least or greatest value with the term, and how
//! many occurrences blocks of each value have. So df and cf under a bound of one of these attributes are sums over bins.
//!
//! A bin is a value on the attribute's grid, or what lies between two such values: bin 2m is m steps of the grid exactly, and bin 2m + 1
//! what is more than m steps and less than m + 1. A threshold on the grid parts bins and cuts none. Of a term, for each attribute in
//! the order of the file: the number of bins that are not empty; for each of them the difference to the one before, pages that have their
//! least value there, pages that have their greatest, and occurrences. All are [`varint`]s.

use trommel_page::attribute::{self, Attribute, Count, Kind, Number};
use trommel_page::filter::{Comparison, Condition, Filter, Literal, Node, Operator, Test, Value};

use crate::format::varint;

/// Blocks that a term stands in at least to have histograms.
pub(crate) const LEAST: u32 = if cfg!(test) { 20 } else { 4096 };

/// Steps of the grid at most: all beyond are in the last bin, and thresholds beyond are not told apart.
const STEPS: u32 = 1000;

/// Number of bins.
pub(crate) const BINS: usize = 2 * STEPS as usize + 2;

/// An attribute with a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Graded {
    /// Its name in filters.
    pub name: &'static str,
    /// What is divided, and by what.
    pub number: (Count, Count),
    /// Steps of the grid in a unit.
    pub steps: u32,
}

/// The attributes that histograms are made of: the numbers of blocks that have an axis.
pub(crate) fn graded() -> Vec<Graded> {
    let is_stored = |count: Count| matches!(count, Count::Stored(_) | Count::Units | Count::One);
    let graded = attribute::all().iter().filter_map(|attribute| {
        let Attribute {
            name,
            of_page: false,
            kind:
                Kind::Number(Number {
                    numerator,
                    denominator,
                    ..
                }),
            axis: Some(axis),
            ..
        } = attribute
        else {
            return None;
        };
        // A quotient's thresholds are finer than the bins of a picture.
        let steps = match denominator {
            Count::One => 1,
            _ => 5 * axis.bins_per_unit,
        };
        (is_stored(*numerator) && is_stored(*denominator)).then_some(Graded {
            name,
            number: (*numerator, *denominator),
            steps,
        })
    });
    graded.collect()
}

/// The attributes as a file has them.
pub(crate) fn described(graded: &[Graded]) -> String {
    let one = |it: &Graded| format!("{}:{}", it.name, it.steps);
    graded.iter().map(one).collect::<Vec<_>>().join(",")
}

/// The bin of a value.
pub(crate) fn bin(numerator: u32, denominator: u32, steps: u32) -> u16 {
    if denominator == 0 {
        return 0;
    }
    let scaled = u64::from(numerator) * u64::from(steps);
    let (whole, rest) = (
        scaled / u64::from(denominator),
        scaled % u64::from(denominator),
    );
    let bin = 2 * whole + u64::from(rest > 0);
    bin.min(BINS as u64 - 1) as u16
}

/// The histogram of a term and an attribute while it is counted.
pub(crate) struct Counting {
    /// By bin: pages with their least value there, pages with their greatest, occurrences.
    bins: Vec<[u64; 3]>,
    used: Vec<u16>,
    /// Least and greatest bin of the page that is being counted.
    page: Option<(u16, u16)>,
}

impl Counting {
    pub fn new() -> Counting {
        Counting {
            bins: vec![[0; 3]; BINS],
            used: Vec::new(),
            page: None,
        }
    }

    /// Counts a block of the page.
    #[inline]
    pub fn add(&mut self, bin: u16, frequency: u32) {
        let counts = &mut self.bins[bin as usize];
        if *counts == [0; 3] {
            self.used.push(bin);
        }
        counts[2] += u64::from(frequency);
        self.page = Some(match self.page {
            None => (bin, bin),
            Some((least, most)) => (least.min(bin), most.max(bin)),
        });
    }

    /// Ends the page.
    #[inline]
    pub fn end_page(&mut self) {
        if let Some((least, most)) = self.page.take() {
            self.bins[least as usize][0] += 1;
            self.bins[most as usize][1] += 1;
        }
    }

    /// Writes the histogram and forgets it.
    pub fn write(&mut self, bytes: &mut Vec<u8>) {
        self.used.sort_unstable();
        varint::push(bytes, self.used.len() as u64);
        let mut before = 0;
        for bin in self.used.drain(..) {
            varint::push(bytes, u64::from(bin - before));
            before = bin;
            let counts = std::mem::take(&mut self.bins[bin as usize]);
            counts.iter().for_each(|count| varint::push(bytes, *count));
        }
    }
}

/// A filter that is one bound of a graded attribute: df and cf under it are looked up.
pub(crate) struct Lookup {
    graded: Graded,
    condition: Condition,
    is_least: bool,
}

impl Lookup {
    /// None for any other filter.
    pub fn of(filter: &Filter) -> Option<Lookup> {
        let Node::Test(Test::Compare(Comparison {
            attribute,
            of: None,
            condition,
        })) = filter.node()
        else {
            return None;
        };
        let graded = graded();
        let graded = graded.iter().find(|it| it.name == attribute.name)?;
        let Condition::Is(operator, Literal::Number(threshold)) = condition else {
            return None;
        };
        let is_least = match operator {
            Operator::AtLeast | Operator::Greater => true,
            Operator::AtMost | Operator::Less => false,
            Operator::Equal | Operator::Unequal => return None,
        };
        let (numerator, denominator) = threshold.ratio();
        let scaled = numerator.checked_mul(u64::from(graded.steps))?;
        let is_on_grid = scaled.is_multiple_of(denominator);
        let is_told = scaled / denominator <= u64::from(STEPS);
        (is_on_grid && is_told).then(|| Lookup {
            graded: *graded,
            condition: condition.clone(),
            is_least,
        })
    }

    /// df and cf by the histograms of a term, which are of what `described` says; none if they are not there or make no sense.
    pub fn count(&self, described: &str, mut bytes: &[u8]) -> Option<(u64, u64)> {
        for attribute in described.split(',') {
            let (name, steps) = attribute.split_once(':')?;
            let steps: u32 = steps.parse().ok()?;
            let is_own = name == self.graded.name && steps == self.graded.steps;
            let (mut bin, mut found) = (0, (0, 0));
            for _ in 0..varint::pop(&mut bytes)? {
                bin += varint::pop(&mut bytes)?;
                let [least, most, cf] = [
                    varint::pop(&mut bytes)?,
                    varint::pop(&mut bytes)?,
                    varint::pop(&mut bytes)?,
                ];
                let value = Value::Quotient(u32::try_from(bin).ok()?, 2 * steps);
                if is_own && self.condition.holds(&value) {
                    found.0 += if self.is_least { most } else { least };
                    found.1 += cf;
                }
            }
            if is_own {
                return Some(found);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// What is looked up is what counting gives, for any blocks and any threshold on the grid.
        #[test]
        fn lookups_are_counts(
            pages in prop::collection::vec(
                prop::collection::vec((0u32..60, 0u32..12, 1u32..9), 1..6),
                1..40,
            ),
            operator in prop::sample::select(vec![">=", ">", "<=", "<"]),
            attribute in 0usize..3,
            threshold in 0u32..90,
        ) {
            let graded = graded();
            let Graded { name, steps, .. } = graded[attribute];
            let mut bytes = Vec::new();
            for one in &graded {
                let mut counting = Counting::new();
                for page in &pages {
                    for (numerator, denominator, frequency) in page {
                        counting.add(bin(*numerator, *denominator, one.steps), *frequency);
                    }
                    counting.end_page();
                }
                counting.write(&mut bytes);
            }
            // A link density is at most 1.
            let threshold = if name == "link-density" { threshold.min(steps) } else { threshold };
            let text = format!("{name} {operator} {}", f64::from(threshold) / f64::from(steps));
            let filter: Filter = text.parse().unwrap();
            let lookup = Lookup::of(&filter).unwrap();
            let found = lookup.count(&described(&graded), &bytes);
            let holds = |(numerator, denominator, _): &&(u32, u32, u32)| {
                lookup.condition.holds(&Value::Quotient(*numerator, *denominator))
            };
            let df = pages.iter().filter(|page| page.iter().any(|block| holds(&block))).count();
            let passing = pages.iter().flatten().filter(holds);
            let cf: u64 = passing.map(|(_, _, frequency)| u64::from(*frequency)).sum();
            prop_assert_eq!(found, Some((df as u64, cf)), "{}", text);
        }
    }

    #[test]
    fn only_bounds_on_the_grid_are_looked_up() {
        for (text, is) in [
            ("words >= 11", true),
            ("words < 1000", true),
            ("words >= 1001", false),
            ("words = 11", false),
            ("words in 3..9", false),
            ("not words >= 11", false),
            ("words >= 11 and words <= 20", false),
            ("density >= 10.5", true),
            ("density >= 10.55", false),
            ("link-density <= 0.33", true),
            ("link-density <= 0.333", false),
            ("lines >= 2", false),
            ("unfiltered", false),
        ] {
            let filter: Filter = text.parse().unwrap();
            assert_eq!(Lookup::of(&filter).is_some(), is, "{text}");
        }
    }
}
