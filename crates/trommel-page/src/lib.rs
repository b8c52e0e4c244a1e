//! Pages of the web: bytes to a page ([`html`]), its text blocks ([`html::segment`]), what is known of each
//! ([`attribute`]), which of them count ([`filter`]), and how much ([`weight`]).
//!
//! ```
//! use trommel_page::attribute::places;
//! use trommel_page::filter::Filter;
//! use trommel_page::html::{self, Charset, Limits, segment};
//!
//! let markup = b"<title>Rain</title><ul><li><a href=/>Home</a></ul><p>A barrel keeps the rain of a wet week for a dry one.";
//! // Parsing cannot fail: there is a page for any bytes.
//! let page = html::parse(markup, Charset::Auto, None, &Limits::default());
//! assert_eq!(page.title, "Rain");
//!
//! // The default segmenter, boilerpipe's, cuts the page into blocks and counts what is in them.
//! let segmentation = (segment::all()[0].segment)(&page);
//! let filter: Filter = "words >= 5 and link-density <= 0.33".parse()?;
//! let kept = places(&segmentation.blocks, segmentation.unit).filter(|place| filter.passes(place, &()));
//! let texts: Vec<&str> = kept.map(|place| place.block.text.as_str()).collect();
//! assert_eq!(texts, ["A barrel keeps the rain of a wet week for a dry one."]);
//! # Ok::<(), trommel_page::filter::ExpressionError>(())
//! ```

pub mod attribute;
pub mod filter;
pub mod html;
mod page;
pub mod weight;

pub use page::*;
