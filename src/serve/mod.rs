//! The local web page: an HTTP server over one open index, for one person and some scripts.
//!
//! Only reads; answers come from the index and from the files that are compiled in, so no path from outside is ever opened. What a
//! request can ask for is bounded ([`limits`]), and so is how much goes on at once. `docs/api.md` describes the API.
//!
//! | file | what |
//! |---|---|
//! | `connection` | accepts connections within limits of number and time |
//! | `router` | addresses to answers; what is checked before and added after |
//! | `taken` | a connection whose client must take what it asked for |
//! | `host` | which `Host` headers are ours |
//! | `origin` | which requests the pages of others have started |
//! | `parameters` | the parameters of an address, each read once |
//! | `options`, `site` | what is served, and what all requests share |
//! | `baselines`, `sweeps` | what is kept between requests |
//! | `manifest`, `search`, `page`, `filter`, `weights`, `sweep` | the answers of the API, one a file: functions from parameters to JSON |
//! | `dimensions` | what a sweep can vary |
//! | `marked`, `room` | text with marks; how much of a list goes into an answer |
//! | `turn` | which sweep is computed, and until when |
//! | `problem`, `advice` | what is said where there is no answer |
//! | `assets` | the page's files |

mod advice;
mod assets;
mod baselines;
mod connection;
mod dimensions;
mod filter;
mod host;
pub mod limits;
mod lock;
mod manifest;
mod marked;
mod options;
mod origin;
mod page;
mod parameters;
mod problem;
mod room;
mod router;
mod search;
mod site;
mod sweep;
mod sweeps;
mod taken;
mod turn;
mod weights;

pub use advice::{Advice, Advise};
pub use connection::{ServeError, Server};
pub use options::{Judged, ServeOptions};
