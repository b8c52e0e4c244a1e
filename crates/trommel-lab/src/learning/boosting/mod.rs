//! Gradient-boosted regression trees for a share between 0 and 1 (Friedman, *Greedy Function Approximation*, 2001; with histograms
//! and growth leaf by leaf as LightGBM has them: Ke et al., NIPS 2017).
//!
//! The loss is the cross-entropy of a soft label, so gradient and curvature of a row are w·(p − y) and w·p·(1 − p). A split gains
//! G_l²/(H_l + λ) + G_r²/(H_r + λ) − G²/(H + λ), a leaf adds −rate·G/(H + λ) to the log odds. Sums are taken feature by feature in
//! the order of the rows: the same seed gives the same trees whatever the number of threads.

mod binned;
mod learn;
#[cfg(test)]
mod tests;

pub use binned::Binned;
pub use learn::{Boosting, learn};
