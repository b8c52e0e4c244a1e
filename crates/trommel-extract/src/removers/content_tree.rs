//! The content-tree filter (Viveros-Jiménez and others, "Improving the Boilerpipe Algorithm for Boilerplate Removal in News
//! Articles Using HTML Tree Structure", Computación y Sistemas 22(2), 2018): of what another extractor keeps, the paragraphs
//! with the same n-th ancestor that have the most text.
//!
//! The paper's four steps (§4) and how they are read here:
//!
//! 1. "A text node is a paragraph when it has one of the following tag names: div, table, ul, ol, p, section, article, h1 …
//!    h6, header and body. A paragraph should not contain other paragraphs. In this case we use the closest child satisfying
//!    this condition instead." A leaf belongs to the innermost of these elements around it. So text that stands in a `div`
//!    beside the `p` in it makes a paragraph of the `div`, which the paper leaves open; otherwise it would be lost.
//! 2. and 3. "Group all the paragraphs having the same n-th parent": parents are elements of the tree of any name (n = 1 is
//!    the father), and where there are fewer the root stands for the rest. Only what the other extractor calls content is
//!    looked at.
//! 4. "Select the group having the most amount of text": in characters, white space left out, since the paper measures
//!    characters. Of equals the first in the document is taken.
//!
//! A block with leaves in several groups goes by its text: at least half of it has to be in the selected group.

use trommel_page::{ElementId, Page, Segmentation, Tag};

use crate::{
    Arguments, Base, Bases, ExtractorError, ExtractorRow, Label, Make, Parameter, Subject, Takes,
};

pub(super) const ROW: ExtractorRow = ExtractorRow {
    name: "content-tree",
    summary: "paragraphs of another extractor with the same n-th ancestor, the largest group",
    source: "Viveros-Jiménez et al. 2018 §4",
    segmenter: Some(SEGMENTER),
    takes: Takes::Parameters(&[
        Parameter {
            name: "n",
            // §4: "obtaining the best results with grandparents (depth=2)".
            default: "2",
            summary: "which ancestor paragraphs are grouped by, 1 to 5",
        },
        Parameter {
            name: "base",
            default: "boilerpipe-article",
            summary: "the extractor whose content is filtered",
        },
    ]),
    make: Make::Based(make),
};

const SEGMENTER: &str = "boilerpipe";

fn make(arguments: &Arguments, bases: &Bases) -> Result<Box<crate::LabelFn>, ExtractorError> {
    let n: usize = arguments.get("n")?;
    // Table 2 of the paper has these depths.
    if !(1..=5).contains(&n) {
        return Err(wrong(arguments, "n", "from 1 to 5"));
    }
    let base = base(arguments, bases)?;
    Ok(Box::new(move |subject, segmentation| {
        let labels = (base.label)(subject, segmentation);
        filter(subject, segmentation, labels, n)
    }))
}

fn base(arguments: &Arguments, bases: &Bases) -> Result<Base, ExtractorError> {
    let name: String = arguments.get("base")?;
    if name == ROW.name {
        return Err(wrong(arguments, "base", "another extractor"));
    }
    let base = bases(&name, SEGMENTER)?;
    match base.row.segmenter {
        None | Some(SEGMENTER) if matches!(base.row.takes, Takes::Parameters(_)) => Ok(base),
        _ => Err(wrong(
            arguments,
            "base",
            "an extractor on the blocks of boilerpipe, without a model",
        )),
    }
}

fn wrong(arguments: &Arguments, parameter: &'static str, why: &str) -> ExtractorError {
    ExtractorError::Value {
        parameter,
        value: arguments.parameters[parameter].clone(),
        why: format!("takes {why}"),
    }
}

/// A leaf of a content block: the block, the ancestor that it is grouped by, its characters.
struct Piece {
    block: usize,
    ancestor: ElementId,
    characters: u64,
}

fn filter(
    subject: &Subject,
    segmentation: &Segmentation,
    mut labels: Vec<Label>,
    n: usize,
) -> Vec<Label> {
    if !labels.contains(&Label::Content) {
        return labels;
    }
    let page = subject.page;
    let paragraphs = paragraphs(page);
    let mut pieces = Vec::new();
    for (leaf, block) in page.leaves.iter().zip(&segmentation.block_of_leaf) {
        let Some(block) = block.map(|block| block as usize) else {
            continue;
        };
        if labels[block] == Label::Content {
            pieces.push(Piece {
                block,
                ancestor: ancestor(page, paragraphs[leaf.parent as usize], n),
                characters: characters(&page.text[leaf.text.clone()]),
            });
        }
    }
    // For each element the characters of its group.
    let mut groups = vec![0; page.elements.len()];
    for piece in &pieces {
        groups[piece.ancestor as usize] += piece.characters;
    }
    let Some(most) = pieces.iter().map(|p| groups[p.ancestor as usize]).max() else {
        return labels;
    };
    let Some(selected) = pieces
        .iter()
        .map(|piece| piece.ancestor)
        .find(|ancestor| groups[*ancestor as usize] == most)
    else {
        return labels;
    };
    // For each block: characters in the group and all.
    let mut shares = vec![(0u64, 0u64); labels.len()];
    for piece in &pieces {
        let (within, all) = &mut shares[piece.block];
        *all += piece.characters;
        *within += match piece.ancestor == selected {
            true => piece.characters,
            false => 0,
        };
    }
    for (label, (within, all)) in labels.iter_mut().zip(shares) {
        if within == 0 || 2 * within < all {
            *label = Label::Boilerplate;
        }
    }
    labels
}

/// For each element the innermost paragraph around or at it; the root where there is none.
fn paragraphs(page: &Page) -> Vec<ElementId> {
    let mut paragraphs: Vec<ElementId> = Vec::with_capacity(page.elements.len());
    for (id, element) in page.elements.iter().enumerate() {
        let outer = element.parent.map(|parent| paragraphs[parent as usize]);
        paragraphs.push(match outer {
            Some(outer) if !is_paragraph(&element.tag) => outer,
            _ => id as ElementId,
        });
    }
    paragraphs
}

/// The elements that §4 names.
fn is_paragraph(tag: &Tag) -> bool {
    use Tag::*;
    matches!(
        tag,
        Div | Table | Ul | Ol | P | Section | Article | H1 | H2 | H3 | H4 | H5 | H6 | Header | Body
    )
}

fn ancestor(page: &Page, element: ElementId, n: usize) -> ElementId {
    page.ancestors(element)
        .take(n + 1)
        .last()
        .unwrap_or(element)
}

fn characters(text: &str) -> u64 {
    text.chars().filter(|c| !c.is_whitespace()).count() as u64
}
