//! Each text leaf inside the body is a block (the DOM leaves of Web2Text §3.2).
//!
//! Counts are those of the `atomic` segmenter: tokens are delimited by white space, and densities are counted in tokens.

use crate::page::{Block, DensityUnit, Event, LeafId, Page, Segmentation, Tag};
use crate::text::{LineCounter, is_letter_or_digit, tokens_of_white_space};

use super::structural_tag;

pub(super) fn segment(page: &Page) -> Segmentation {
    let mut result = Segmentation {
        block_of_leaf: vec![None; page.leaves.len()],
        unit: DensityUnit::Tokens,
        ..Segmentation::default()
    };
    let mut in_body = 0;
    for event in &page.events {
        match *event {
            Event::Start(id) if *page.tag(id) == Tag::Body => in_body += 1,
            Event::End(id) if *page.tag(id) == Tag::Body => in_body -= 1,
            Event::Leaf(leaf) if in_body > 0 => {
                let block = block(page, leaf);
                if block.num_tokens > 0 {
                    result.block_of_leaf[leaf as usize] = Some(result.blocks.len() as u32);
                    result.blocks.push(block);
                }
            }
            _ => {}
        }
    }
    result
}

fn block(page: &Page, leaf: LeafId) -> Block {
    let of = &page.leaves[leaf as usize];
    let mut block = Block {
        tag: structural_tag(page, of.parent),
        ..Block::default()
    };
    let mut lines = LineCounter::default();
    for token in tokens_of_white_space(page.leaf_text(leaf)) {
        block.num_tokens += 1;
        block.num_words += u32::from(token.chars().any(is_letter_or_digit));
        lines.push(token);
        if !block.text.is_empty() {
            block.text.push(' ');
        }
        block.text.push_str(token);
    }
    if of.in_anchor {
        block.num_linked_words = block.num_tokens;
    }
    let lines = lines.finish();
    block.num_words_in_full_lines = lines.units_in_full_lines;
    block.num_lines = lines.lines;
    block
}
