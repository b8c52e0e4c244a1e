//! Block Fusion with a density rule: fused blocks that are dense enough are content.
//!
//! Blocks are those of Kohlschütter and Nejdl (CIKM 2008), the plain variant. The rule is the one by which WWW 2009 §3 parts
//! the segments of Block Fusion into navigational text (π₁: ϱ′ ≤ 8) and full text (π₂: ϱ′ ≥ 9), ϱ′ being the density
//! rounded to a whole number: a block is content from a density of 8.5 on. (WSDM 2010 §4.3 takes 10.5 for single, unfused
//! blocks; that is `min-density=10.5`.)

use trommel_text::{MOST_DENSITY, UpTo};

use crate::{ExtractorRow, Label, Make, Parameter, Takes};

pub(super) const ROW: ExtractorRow = ExtractorRow {
    name: "block-fusion",
    summary: "dense blocks, adjacent blocks of like density being fused before",
    source: "Kohlschütter and Nejdl, CIKM 2008; WWW 2009 §3",
    segmenter: Some("fusion-plain"),
    takes: Takes::Parameters(&[Parameter {
        name: "min-density",
        default: "8.5",
        summary: "tokens per line of 80 characters from which on a block is content",
    }]),
    make: Make::Labels(|arguments| {
        let min_density: UpTo<MOST_DENSITY> = arguments.get("min-density")?;
        let min_density = min_density.decimal();
        Ok(Box::new(move |_, segmentation| {
            let blocks = segmentation.blocks.iter();
            blocks
                .map(|block| {
                    let (units, lines) = (block.num_words_in_full_lines, block.num_lines);
                    Label::content_if(min_density.cmp_quotient(units, lines).is_ge())
                })
                .collect()
        }))
    }),
};
