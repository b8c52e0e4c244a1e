//! What of a query several threads do side by side.

use rayon::prelude::*;

use crate::format::error::IndexError;

/// Works through parts of a query, and gives what came of them in their order. A query that comes from outside a pool has the threads of
/// rayon's pool for itself; one that is among others in a pool, as the topics of a run, is one thread's, since there the others have enough to do.
///
/// # Errors
/// One of the parts'.
pub(super) fn of_query<T: Send, R: Send>(
    parts: Vec<T>,
    work: impl Fn(T) -> Result<R, IndexError> + Sync + Send,
) -> Result<Vec<R>, IndexError> {
    match threads() {
        1 => parts.into_iter().map(work).collect(),
        _ => parts.into_par_iter().map(work).collect(),
    }
}

/// Threads that a query has.
pub(super) fn threads() -> usize {
    match rayon::current_thread_index() {
        None => rayon::current_num_threads(),
        Some(_) => 1,
    }
}
