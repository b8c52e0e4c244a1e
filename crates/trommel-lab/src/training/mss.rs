//! Training of the extractors `mss-unigram` and `mss-trigram`.

use trommel_extract::mss::{Counts, MssModel, tokens};
use trommel_text::count_tokens;

use crate::LabError;
use crate::gold::{GoldLabel, LabelledPage};

/// How they are trained.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct MssOptions {
    /// Tokens of a feature: 1 or 3.
    pub n: usize,
    /// Features that are seen fewer times are left out.
    pub least: u32,
}

impl MssOptions {
    /// Features of so many tokens.
    pub fn of(n: usize) -> Self {
        MssOptions {
            n,
            least: if n == 1 { 3 } else { 7 },
        }
    }
}

/// Trains on pages whose blocks are leaves.
///
/// # Errors
/// Pages without content.
pub fn train_mss(pages: &[LabelledPage], options: &MssOptions) -> Result<MssModel, LabError> {
    let (mut own, mut parents) = (Vec::new(), Vec::new());
    for page in pages {
        let Some((first, last)) = article(page) else {
            continue;
        };
        let tokens = tokens(&page.page, options.n);
        let from = tokens
            .iter()
            .position(|it| it.leaf.is_some_and(|leaf| leaf as usize >= first));
        let to = tokens
            .iter()
            .rposition(|it| it.leaf.is_some_and(|leaf| leaf as usize <= last));
        let (Some(from), Some(to)) = (from, to) else {
            continue;
        };
        for (at, token) in tokens.iter().enumerate() {
            let inside = (from..=to).contains(&at);
            own.push((token.feature, inside));
            parents.push((token.parent, inside));
        }
    }
    if own.is_empty() {
        let text = "no page has content; is the gold standard of another format?";
        return Err(LabError::Definition(text.to_owned()));
    }
    Ok(MssModel {
        n: options.n,
        tokens: Counts::of(own, options.least),
        parents: Counts::of(parents, 1),
    })
}

/// The first and last leaf of the stretch with the most words of content less the other words in it.
fn article(page: &LabelledPage) -> Option<(usize, usize)> {
    let (mut sum, mut from) = (0i64, 0);
    let mut best: Option<(i64, usize, usize)> = None;
    for (leaf, block) in page.segmentation.block_of_leaf.iter().enumerate() {
        let (_, words) = count_tokens(page.page.leaf_text(leaf as u32));
        let label = block.and_then(|block| page.labels[block as usize]);
        let words = i64::from(words);
        if sum <= 0 {
            (sum, from) = (0, leaf);
        }
        sum += match label.is_some_and(GoldLabel::is_content) {
            true => words,
            false => -words,
        };
        if sum > best.map_or(0, |(most, ..)| most) {
            best = Some((sum, from, leaf));
        }
    }
    best.map(|(_, from, to)| (from, to))
}
