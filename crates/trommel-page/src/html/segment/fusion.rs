//! Block Fusion (Kohlschütter and Nejdl, *A Densitometric Approach to Web Page Segmentation*, CIKM 2008): adjacent blocks of
//! similar text density are fused, again and again, until all neighbours differ.
//!
//! It begins with atomic blocks (the `atomic` segmenter). Each round goes through the blocks in order; a block is fused with
//! the one before if their slope delta |ϱ₁ − ϱ₂| / max(ϱ₁, ϱ₂) is at most ϑ_max, and the next block is compared with the
//! result. Rounds end when one fuses nothing. The lines of a fused block are those of its parts (so the same author's
//! `TextBlock.mergeNext` in boilerpipe has it): a menu of short items stays thin however long it is. Variants:
//!
//! - plain: as above.
//! - smoothed: besides, a block less dense than its two neighbours is fused with both if their densities are the same,
//!   rounded up.
//! - rule-based: besides, two blocks are never fused where a tag between them forces a gap (headings, lists, tables …), and
//!   always where there are only tags that mark up text (bold, anchors, line breaks …).
//!
//! Deviations. The paper's text was not at hand: the thresholds, the condition of the smoothed variant and the two sets of
//! tags are those by which later work describes it (the plain algorithm and the slope delta are WSDM 2010's and WWW 2009's
//! account of it too). Rounds end after `MOST_ROUNDS` at the latest; a round takes a step for each block.

use super::atomic;
use crate::page::{Block, Event, Page, Segmentation, Tag};

/// Real pages come to rest after some ten rounds; markup made for it may need as many as it has blocks.
const MOST_ROUNDS: usize = 64;

/// ϑ_max of the plain and the smoothed variant in hundredths, the paper's optimum.
const THRESHOLD: u64 = 38;
/// ϑ_max of the rule-based variant in hundredths: tags keep apart what is to be apart, so densities may differ more.
const THRESHOLD_WITH_RULES: u64 = 60;

/// BF-plain.
pub(super) fn plain(page: &Page) -> Segmentation {
    let atoms = atomic::segment(page);
    fuse(atoms, THRESHOLD, |_| Boundary::Open, false)
}

/// BF-smoothed.
pub(super) fn smoothed(page: &Page) -> Segmentation {
    let atoms = atomic::segment(page);
    fuse(atoms, THRESHOLD, |_| Boundary::Open, true)
}

/// BF-rulebased.
pub(super) fn rulebased(page: &Page) -> Segmentation {
    let atoms = atomic::segment(page);
    let boundaries = boundaries(page, &atoms);
    fuse(atoms, THRESHOLD_WITH_RULES, |atom| boundaries[atom], false)
}

/// What the tags before a block say of fusing it with the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Boundary {
    /// Never.
    Gap,
    /// Always.
    None,
    /// Densities decide.
    Open,
}

/// For each atomic block what stands between it and the one before.
fn boundaries(page: &Page, atoms: &Segmentation) -> Vec<Boundary> {
    let mut boundaries = vec![Boundary::Open; atoms.blocks.len()];
    let mut between = Boundary::None;
    let mut current = None;
    for event in &page.events {
        match *event {
            Event::Start(id) | Event::End(id) => match page.tag(id) {
                tag if forces_gap(tag) => between = Boundary::Gap,
                tag if between == Boundary::None && !marks_up_text(tag) => {
                    between = Boundary::Open;
                }
                _ => {}
            },
            Event::Leaf(leaf) => {
                let Some(block) = atoms.block_of_leaf[leaf as usize] else {
                    continue;
                };
                if current != Some(block) {
                    boundaries[block as usize] = between;
                }
                current = Some(block);
                between = Boundary::None;
            }
            Event::Blank(_) | Event::Hidden => {}
        }
    }
    boundaries
}

/// The set T_ForceGap.
fn forces_gap(tag: &Tag) -> bool {
    use Tag::*;
    matches!(
        tag,
        H1 | H2 | H3 | H4 | H5 | H6 | Ul | Dl | Ol | Hr | Table | Address | Img | Script
    )
}

/// The set T_NoGap.
fn marks_up_text(tag: &Tag) -> bool {
    use Tag::*;
    matches!(
        tag,
        A | B | Br | Em | Font | I | S | Span | Strong | Sub | Sup | Tt | U
    )
}

/// A run of atomic blocks.
struct Run {
    /// The first and the last of them.
    atoms: (usize, usize),
    /// Tokens in full lines, and lines, of all of them.
    units_in_full_lines: u32,
    lines: u32,
}

impl Run {
    fn of(atom: usize, block: &Block) -> Run {
        Run {
            atoms: (atom, atom),
            units_in_full_lines: block.num_words_in_full_lines,
            lines: block.num_lines,
        }
    }

    /// Appends the run that follows.
    fn append(&mut self, next: &Run) {
        self.atoms.1 = next.atoms.1;
        self.units_in_full_lines += next.units_in_full_lines;
        self.lines += next.lines;
    }

    /// The numerators of this density and another's on one denominator.
    fn densities(&self, other: &Run) -> (u64, u64) {
        let of = |run: &Run, by: &Run| u64::from(run.units_in_full_lines) * u64::from(by.lines);
        (of(self, other), of(other, self))
    }

    /// Is the slope delta at most so many hundredths? (1 − min / max is the same, and needs no rounding.)
    fn is_like(&self, other: &Run, threshold: u64) -> bool {
        let (a, b) = self.densities(other);
        u128::from(a.min(b)) * 100 >= u128::from(a.max(b)) * u128::from(100 - threshold)
    }

    fn rounded_up(&self) -> u32 {
        self.units_in_full_lines.div_ceil(self.lines.max(1))
    }
}

/// Fuses atomic blocks. `boundary` tells what stands before one.
fn fuse(
    atoms: Segmentation,
    threshold: u64,
    boundary: impl Fn(usize) -> Boundary,
    smoothed: bool,
) -> Segmentation {
    let blocks = &atoms.blocks;
    let mut runs: Vec<Run> = (0..blocks.len())
        .map(|atom| Run::of(atom, &blocks[atom]))
        .collect();
    for _ in 0..MOST_ROUNDS {
        let before = runs.len();
        let mut rest = std::mem::take(&mut runs).into_iter().peekable();
        while let Some(run) = rest.next() {
            let Some(previous) = runs.last_mut() else {
                runs.push(run);
                continue;
            };
            let in_dent = smoothed
                && rest.peek().is_some_and(|next| {
                    let (own, left) = run.densities(previous);
                    own < left && previous.rounded_up() == next.rounded_up()
                });
            let fused = match boundary(run.atoms.0) {
                Boundary::Gap => false,
                Boundary::None => true,
                Boundary::Open => in_dent || previous.is_like(&run, threshold),
            };
            if !fused {
                runs.push(run);
                continue;
            }
            previous.append(&run);
            if in_dent && let Some(next) = rest.next() {
                previous.append(&next);
            }
        }
        if runs.len() == before {
            break;
        }
    }
    joined(atoms, &runs)
}

/// The segmentation whose blocks are these runs.
fn joined(atoms: Segmentation, runs: &[Run]) -> Segmentation {
    let mut run_of_atom = vec![0; atoms.blocks.len()];
    let mut fused = Vec::with_capacity(runs.len());
    let mut parts = atoms.blocks.into_iter();
    for (number, run) in runs.iter().enumerate() {
        run_of_atom[run.atoms.0..=run.atoms.1].fill(number as u32);
        let count = run.atoms.1 - run.atoms.0;
        let Some(mut block) = parts.next() else { break };
        for part in parts.by_ref().take(count) {
            block.text.push(' ');
            block.text.push_str(&part.text);
            block.num_words += part.num_words;
            block.num_tokens += part.num_tokens;
            block.num_linked_words += part.num_linked_words;
        }
        block.num_words_in_full_lines = run.units_in_full_lines;
        block.num_lines = run.lines;
        fused.push(block);
    }
    let run_of = |atom: &Option<u32>| atom.map(|atom| run_of_atom[atom as usize]);
    Segmentation {
        block_of_leaf: atoms.block_of_leaf.iter().map(run_of).collect(),
        blocks: fused,
        ..Segmentation {
            title: atoms.title,
            unit: atoms.unit,
            ..Segmentation::default()
        }
    }
}
