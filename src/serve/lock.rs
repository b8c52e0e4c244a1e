//! Locks.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A mutex's content, whatever happened to a thread that held it: all that is kept in ours is whole at any time.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
