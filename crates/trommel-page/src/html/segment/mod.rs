//! Segmenters: from a page's leaves to its blocks. One file, one row in [`all`] each.

mod atomic;
mod balance;
mod boilerpipe;
mod fusion;
mod leaf;
mod paragraph;

use crate::page::{DensityUnit, Page, Segmentation};

/// A named way to cut pages into blocks.
#[derive(Debug, Clone, Copy)]
pub struct Segmenter {
    /// Its name in flags and manifests.
    pub name: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// What its densities are counted in.
    pub unit: DensityUnit,
    /// The algorithm.
    pub segment: fn(&Page) -> Segmentation,
}

/// All segmenters, the default first.
pub fn all() -> &'static [Segmenter] {
    &[
        Segmenter {
            name: "boilerpipe",
            summary: "blocks as boilerpipe 1.2 cuts and counts them",
            unit: DensityUnit::Words,
            segment: boilerpipe::segment,
        },
        Segmenter {
            name: "atomic",
            summary: "character data between any two tags but A (WSDM 2010 §4.1)",
            unit: DensityUnit::Tokens,
            segment: atomic::segment,
        },
        Segmenter {
            name: "leaf",
            summary: "text nodes (Web2Text §3.2)",
            unit: DensityUnit::Tokens,
            segment: leaf::segment,
        },
        Segmenter {
            name: "fusion-plain",
            summary: "atomic blocks, fused while neighbours are of like density (CIKM 2008)",
            unit: DensityUnit::Tokens,
            segment: fusion::plain,
        },
        Segmenter {
            name: "fusion-smoothed",
            summary: "as fusion-plain, and dents between blocks of the same density are filled",
            unit: DensityUnit::Tokens,
            segment: fusion::smoothed,
        },
        Segmenter {
            name: "fusion-rulebased",
            summary: "as fusion-plain, with tags that part and tags that join (CIKM 2008)",
            unit: DensityUnit::Tokens,
            segment: fusion::rulebased,
        },
        Segmenter {
            name: "paragraph",
            summary: "paragraphs as jusText 3.0.2 makes them",
            unit: DensityUnit::Tokens,
            segment: paragraph::segment,
        },
    ]
}

/// The segmenter of a name.
pub fn by_name(name: &str) -> Option<&'static Segmenter> {
    all().iter().find(|segmenter| segmenter.name == name)
}
