//! How much each block counts: a value passed to a search, as a filter is, which it stands beside.
//!
//! [`Weights`] are arithmetic over the attributes of a block: numbers, `+ - * /`, `min`, `max`, and `if FILTER then … else …`. They
//! are computed exactly, as quotients of integers, and rounded to hundredths at the end, halves up: from 0 to 100.00.
//!
//! ```
//! use trommel_page::weight::Weights;
//!
//! let weights: Weights = "max(confidence(trommel), 0.1) * (if tag in (h1, h2) then 4 else 1)".parse()?;
//! assert!(!weights.weigh_titles());
//! assert!("words >= 11".parse::<Weights>().is_err());
//! # Ok::<(), trommel_page::filter::ExpressionError>(())
//! ```

mod cost;
mod expression;
mod fraction;
mod parser;
mod sieve;
mod subject;
mod template;
#[cfg(test)]
mod tests;
mod title;
mod weights;

pub use expression::{Choice, Constant, Expression, Power, Sign};
pub use fraction::{MOST, ONE};
pub use sieve::Sieve;
pub use subject::Subject;
pub use template::{ParameterError, Template};
pub use title::title_block;
pub use weights::{Unweighable, Weights, weigh};
