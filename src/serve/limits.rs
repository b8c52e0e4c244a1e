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
/// How long a client may take to take an answer, once it does not take it at once.
pub const ANSWER: Duration = Duration::from_secs(30);
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
/// Values of a facet in one answer.
pub const FACET: usize = 12;
/// Bytes of such a value.
pub const FACET_BYTES: usize = 200;
/// Blocks in one answer.
pub const BLOCKS: u32 = 1000;
/// Bytes of an answer's blocks or results as JSON; one alone may take more.
pub const ANSWER_BYTES: usize = 1 << 20;
/// Bytes of text of one block, title, or piece of a snippet.
pub const BLOCK_BYTES: usize = 20_000;
/// Words that are marked in one of these.
pub const MARKS: usize = 1000;
/// Sweeps whose results are kept.
pub const SWEEPS: usize = 8;
/// Work of a sweep: steps × topics, each counting 1 and, with feedback, its pages and terms.
pub const SWEEP_WORK: u64 = 1_000_000;
/// How long a sweep may take.
pub const SWEEP: Duration = Duration::from_secs(600);
/// After how long a sweep is broken off that nobody asks after any more. Browsers let a page that is out of sight ask once a minute.
pub const SWEEP_LEFT: Duration = Duration::from_secs(90);
/// The same where somebody waits for another one.
pub const SWEEP_LEFT_WAITED: Duration = Duration::from_secs(5);
/// Memory of a sweep for postings, in bytes: if they take more, the topics go through in several batches.
pub const SWEEP_MEMORY: usize = 512 << 20;
/// Unfiltered rankings that are kept.
pub const BASELINES: usize = 32;

#[cfg(test)]
mod tests {
    use super::*;

    /// `1,024` for 1024, as the documents write numbers.
    fn written(number: u64) -> String {
        match number {
            0..1000 => number.to_string(),
            _ => format!("{},{:03}", written(number / 1000), number % 1000),
        }
    }

    /// docs/api.md once said characters where bytes were meant.
    #[test]
    fn the_documented_limits_are_these() {
        let document = include_str!("../../docs/api.md");
        let lines: Vec<&str> = document.split_whitespace().collect();
        let document = lines.join(" ");
        let number = |number: usize| written(number as u64);
        let (most_results, most_from) = (written(RESULTS.into()), written(FROM.into()));
        for says in [
            format!(
                "| connections at once | {} |",
                number(CONNECTIONS) + "; more are refused with 503"
            ),
            format!(
                "up to {} wait, each at most {} s |",
                number(WAITING),
                WAIT.as_secs()
            ),
            format!(
                "| within {} s, at most {} KiB |",
                HEADERS.as_secs(),
                HEADER_BYTES >> 10
            ),
            format!("| parameters of a request | {PARAMETERS} |"),
            format!("| {} MiB as JSON, or a single one;", ANSWER_BYTES >> 20),
            format!(
                "| text of a block, a title, a piece of a snippet | {} bytes, and {} words that are marked |",
                number(BLOCK_BYTES),
                number(MARKS)
            ),
            format!("it is cut after {} bytes", number(BLOCK_BYTES)),
            format!("| taking an answer | {} s from", ANSWER.as_secs()),
            format!(
                "| a connection | {} min, and {} s for the answer",
                CONNECTION.as_secs() / 60,
                LAST_ANSWER.as_secs()
            ),
            format!(
                "| a sweep | {} min; steps × topics × (1 + pages and terms of feedback) at most {} |",
                SWEEP.as_secs() / 60,
                written(SWEEP_WORK)
            ),
            format!(
                "for {} s is broken off as well, and after {} s",
                SWEEP_LEFT.as_secs(),
                SWEEP_LEFT_WAITED.as_secs()
            ),
            format!("the query, at most {} bytes", number(QUERY_BYTES)),
            format!("results, 1 to {most_results};"),
            format!("results to leave out before, 0 to {most_from};"),
            format!("`null` where it is beyond {}", number(RANKS)),
            format!("at most {FEEDBACK} feedback pages and terms"),
            format!("`count` (1 to {},", written(BLOCKS.into())),
        ] {
            assert!(document.contains(&says), "docs/api.md does not say: {says}");
        }
    }
}
