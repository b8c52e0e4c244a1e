//! The greatest contributions of a term to pages, by range.

use super::WIDTH;
use super::list::List;
use crate::search::model::{Formula, TermWeight, Totals};

/// What impacts are made by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ImpactsOf {
    pub formula: Formula,
    /// The collection that norms are by.
    pub collection: Totals,
    pub weight: TermWeight,
}

/// What a clause of a term, of the boost 1, adds at most to the pages of each place of its list.
#[derive(Debug)]
pub(crate) struct Impacts {
    /// More than it adds to any page.
    pub most: f32,
    /// By place of the list, in 255ths of `most`, rounded up.
    pub by_place: Vec<u8>,
}

/// The steps that impacts are told in.
pub(crate) const STEPS: f32 = 255.0;

/// What makes up for the rounding of numbers of 32 bits, generously.
const SLACK: f32 = 1.0 + 1e-5;

impl Impacts {
    /// `norms` are those of pages by rank.
    pub fn new(list: &List, weight: &TermWeight, norms: &[f64]) -> Impacts {
        let mut greatest = vec![0f32; list.num_places()];
        list.for_each_place(|at, range, place| {
            let norms = &norms[(range * WIDTH) as usize..];
            let (mut rest, mut most) = (place.pages, 0f64);
            while rest != 0 {
                let page = rest.trailing_zeros();
                rest &= rest - 1;
                let frequency = f64::from(list.frequency(place, page));
                most = most.max(weight.score(frequency, norms[page as usize]));
            }
            greatest[at] = most as f32 * SLACK;
        });
        let most = greatest.iter().copied().fold(0.0, f32::max) * SLACK;
        let step = |greatest: &f32| (greatest / most * STEPS).ceil() as u8;
        Impacts {
            most,
            by_place: greatest.iter().map(step).collect(),
        }
    }

    /// Bytes that they take.
    pub fn bytes(&self) -> usize {
        self.by_place.len() + size_of::<Impacts>() + size_of::<ImpactsOf>()
    }
}
