//! Trees laid out for speed.

use super::{Boosted, Node, Tree, sigmoid};

/// Rows that are answered together.
pub const LANES: usize = 8;
/// Values of a row: as many as a byte can number.
pub const WIDTH: usize = 256;
/// Nodes and leaves of a tree of 32 leaves.
const PLACES: usize = 64;

/// The same trees laid out for speed: rows go through a tree side by side, without a branch, as many steps as the tree is deep. A
/// leaf leads to itself.
#[derive(Debug, Clone)]
pub struct Forest {
    base: f32,
    trees: Vec<FlatTree>,
}

#[derive(Debug, Clone)]
struct FlatTree {
    places: [Place; PLACES],
    values: [f32; PLACES],
    depth: usize,
}

#[derive(Debug, Clone, Copy, Default)]
struct Place {
    threshold: f32,
    feature: u8,
    yes: u8,
    no: u8,
}

impl Forest {
    /// Lays out trees; none if they ask for more than [`WIDTH`] features, have more than 32 leaves, or are not whole.
    pub fn new(boosted: &Boosted) -> Option<Forest> {
        let fits = |tree: &Tree| tree.leaves.len() <= PLACES / 2 && tree.nodes.len() < PLACES / 2;
        let fit = boosted.is_whole(WIDTH) && boosted.trees.iter().all(fits);
        fit.then(|| Forest {
            base: boosted.base,
            trees: boosted.trees.iter().map(FlatTree::new).collect(),
        })
    }

    /// For each of the rows its share, in 0..=1; the same number as [`Boosted::share`].
    pub fn shares(&self, rows: &[[f32; WIDTH]; LANES]) -> [f32; LANES] {
        let mut odds = [0.0f32; LANES];
        for tree in &self.trees {
            let mut at = [0u8; LANES];
            for _ in 0..tree.depth {
                for (at, row) in at.iter_mut().zip(rows) {
                    let place = tree.places[usize::from(*at) % PLACES];
                    let yes = row[usize::from(place.feature)] <= place.threshold;
                    *at = if yes { place.yes } else { place.no };
                }
            }
            for (odds, at) in odds.iter_mut().zip(at) {
                *odds += tree.values[usize::from(at) % PLACES];
            }
        }
        odds.map(|odds| sigmoid(f64::from(self.base + odds)) as f32)
    }
}

impl FlatTree {
    fn new(tree: &Tree) -> FlatTree {
        let first_leaf = tree.nodes.len();
        let place = |child: i16| match usize::try_from(child) {
            Ok(node) => node as u8,
            Err(_) => (first_leaf as i32 - 1 - i32::from(child)) as u8,
        };
        let mut flat = FlatTree {
            places: [Place::default(); PLACES],
            values: [0.0; PLACES],
            depth: 0,
        };
        let mut depths = [0usize; PLACES];
        for (number, &Node(feature, threshold, yes, no)) in tree.nodes.iter().enumerate() {
            flat.places[number] = Place {
                threshold,
                feature: feature as u8,
                yes: place(yes),
                no: place(no),
            };
            for child in [place(yes), place(no)] {
                depths[usize::from(child)] = depths[number] + 1;
                flat.depth = flat.depth.max(depths[number] + 1);
            }
        }
        for (leaf, value) in (first_leaf..).zip(&tree.leaves) {
            flat.values[leaf] = *value;
            flat.places[leaf].yes = leaf as u8;
            flat.places[leaf].no = leaf as u8;
        }
        flat
    }
}
