//! Rules that look at one block by itself: one a file, each a filter.

pub(super) mod cleaneval_rule;
pub(super) mod max_link_density_0_33;
pub(super) mod min_density_10_5;
pub(super) mod min_words_10;
pub(super) mod min_words_15;
mod of_filter;
