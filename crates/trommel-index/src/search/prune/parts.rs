//! What of a query several threads do side by side.

use rayon::prelude::*;

use crate::format::error::IndexError;

/// Threads that a query has. One that comes from outside a pool has those of rayon's pool for itself; one that is among others in a pool,
/// as the topics of a run, is one thread's, since there the others have enough to do.
pub(crate) fn threads() -> usize {
    match rayon::current_thread_index() {
        None => rayon::current_num_threads(),
        Some(_) => 1,
    }
}

/// Works through parts of a query on so many threads, and gives what came of them in their order. `room` makes what a part may use, and leave
/// to another as it found it.
///
/// # Errors
/// One of the parts'.
pub(super) fn of_query<T: Send, S, R: Send>(
    threads: usize,
    parts: Vec<T>,
    room: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, T) -> Result<R, IndexError> + Sync + Send,
) -> Result<Vec<R>, IndexError> {
    if threads == 1 || parts.len() < 2 {
        let mut room = room();
        return parts
            .into_iter()
            .map(|part| work(&mut room, part))
            .collect();
    }
    parts.into_par_iter().map_init(room, work).collect()
}
