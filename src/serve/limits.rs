//! What a request, and all of them together, may ask for.

use std::time::Duration;

/// Connections at once; one more is answered with status 503 and closed.
pub const CONNECTIONS: usize = 512;
/// How long a connection that is refused may take to hear of it, and how many may at once.
pub const REFUSAL: Duration = Duration::from_secs(1);
/// See [`REFUSAL`]; more are closed at once.
pub const REFUSALS: usize = 64;
/// Requests that wait for a thread; one more is answered with status 503.
pub const WAITING: usize = 1024;
/// How long a request waits for a thread.
pub const WAIT: Duration = Duration::from_secs(10);
/// How long the headers of a request may take to come, and a connection may lie idle.
pub const HEADERS: Duration = Duration::from_secs(5);
/// Bytes of a request's headers, address included.
pub const HEADER_BYTES: usize = 16 << 10;
/// How long a connection may be used; what is being answered then has [`LAST_ANSWER`].
pub const CONNECTION: Duration = Duration::from_secs(300);
/// How long the answer may take that is under way when a connection's time or the server's is up.
pub const LAST_ANSWER: Duration = Duration::from_secs(10);

/// Parameters of a request.
pub const PARAMETERS: usize = 32;
/// Bytes of a query.
pub const QUERY_BYTES: usize = 1000;
/// Results in one answer.
pub const RESULTS: u32 = 100;
/// Results that can be left out before the first.
pub const FROM: u32 = 1000;
/// How far down the unfiltered ranking a result's rank is looked up.
pub const RANKS: usize = 1000;
/// Pages and terms of a query's feedback.
pub const FEEDBACK: u32 = 100;
/// Blocks in one answer.
pub const BLOCKS: u32 = 1000;
/// Bytes of text of one block.
pub const BLOCK_BYTES: usize = 20_000;
/// Sweeps whose results are kept.
pub const SWEEPS: usize = 8;
/// Unfiltered rankings that are kept.
pub const BASELINES: usize = 32;
