//! The greatest contributions of a term to pages, by range.

use super::list::List;
use super::{NARROW, UNITS, WIDTH};
use crate::search::model::{Formula, TermWeight, Totals};

/// What impacts are made by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ImpactsOf {
    pub formula: Formula,
    /// The collection that norms are by.
    pub collection: Totals,
    pub weight: TermWeight,
}

/// What a clause of a term, of the boost 1, adds at most to the pages of each place of its list, in [`STEPS`] of `most`, rounded up.
#[derive(Debug)]
pub(crate) struct Impacts {
    /// More than it adds to any page.
    pub most: f32,
    /// By place of the list.
    pub of_ranges: Vec<u8>,
    /// By place and unit.
    pub of_units: Vec<[u8; UNITS]>,
}

/// The steps that impacts are told in.
pub(crate) const STEPS: f32 = 255.0;

/// What makes up for the rounding of numbers of 32 bits, generously.
const SLACK: f32 = 1.0 + 1e-5;

impl Impacts {
    /// `norms` are those of pages by rank.
    pub fn new(list: &List, weight: &TermWeight, norms: &[f64]) -> Impacts {
        let mut greatest = vec![[0f32; UNITS]; list.num_places()];
        list.for_each_place(|at, range, place| {
            let norms = &norms[(range * WIDTH) as usize..];
            let mut rest = place.pages;
            let mut most = [0f64; UNITS];
            while rest != 0 {
                let page = rest.trailing_zeros();
                rest &= rest - 1;
                let frequency = f64::from(list.frequency(place, page));
                let most = &mut most[(page / NARROW) as usize];
                *most = most.max(weight.score(frequency, norms[page as usize]));
            }
            greatest[at] = most.map(|most| most as f32 * SLACK);
        });
        let all = greatest.iter().flatten().copied();
        let most = all.fold(0.0, f32::max) * SLACK;
        let step = |greatest: f32| (greatest / most * STEPS).ceil() as u8;
        let of_units: Vec<[u8; UNITS]> = greatest.iter().map(|units| units.map(step)).collect();
        let of_range = |units: &[u8; UNITS]| units.iter().copied().max().unwrap_or(0);
        Impacts {
            most,
            of_ranges: of_units.iter().map(of_range).collect(),
            of_units,
        }
    }

    /// Bytes that they take.
    pub fn bytes(&self) -> usize {
        self.of_ranges.len() * (1 + UNITS) + size_of::<Impacts>() + size_of::<ImpactsOf>()
    }
}
