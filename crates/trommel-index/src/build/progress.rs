//! How far a build has come.

use std::sync::atomic::{AtomicBool, AtomicU64};

/// How far a build has come; other threads may look at it.
#[derive(Debug, Default)]
pub struct Progress {
    /// Stored bytes that were read.
    pub bytes: AtomicU64,
    /// Pages that were handed out.
    pub pages: AtomicU64,
    /// Records that failed.
    pub failures: AtomicU64,
    /// Blocks of the pages that were indexed.
    pub blocks: AtomicU64,
    /// Parts that are finished.
    pub parts: AtomicU64,
    /// Of `parts` those that an interrupted build had finished.
    pub parts_before: AtomicU64,
    /// Of `bytes` those that an interrupted build had read, which this one goes on with.
    pub bytes_before: AtomicU64,
    /// Set by whoever watches: what is building or labelling ends with [`IndexError::Stopped`](crate::IndexError::Stopped). A build that resumes
    /// goes on after the parts that are finished; an index that was to be labelled is as it was.
    pub stop: AtomicBool,
}
