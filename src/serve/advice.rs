//! What whoever runs the server can do about a problem.

/// A problem that is mended where the server was started, or the index was made, and not by another request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Advice {
    /// A topic is asked for, and there are none.
    NoTopics,
    /// A sweep is asked for, and there are no judgments.
    NoJudgments,
    /// The name under which the server is asked is none of [`ServeOptions::host_names`](super::ServeOptions::host_names).
    OtherHost,
    /// A sweep is more work than a request may be.
    TooMuch,
    /// The same with feedback, of which there may be less.
    TooMuchFeedback,
    /// A sweep took too long.
    TooLong,
    /// The index has no labels of an extractor.
    NoLabels,
    /// The index has no confidences.
    NoConfidences,
}

/// What is said about a problem, as a hint in its answer; nothing where there is nothing to say.
pub type Advise = fn(Advice) -> Option<&'static str>;
