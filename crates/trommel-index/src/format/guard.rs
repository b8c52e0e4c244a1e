//! Where tantivy reads what is on disk. It trusts its files, and panics where they make no sense: that is told as damage.

use std::any::Any;
use std::cell::Cell;
use std::io;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Once;

use tantivy::TantivyError;

use crate::format::error::IndexError;

thread_local! {
    /// Is this thread inside of [`reading`]?
    static READING: Cell<bool> = const { Cell::new(false) };
}

/// The one place where panics over damaged files end: calls a function that reads them. What the function was about to change is
/// to be given up if it fails.
///
/// # Errors
/// [`IndexError::Damaged`] if it panicked; its own errors.
pub(crate) fn reading<T>(
    path: &Path,
    read: impl FnOnce() -> Result<T, IndexError>,
) -> Result<T, IndexError> {
    keep_quiet();
    let before = READING.replace(true);
    let result = catch_unwind(AssertUnwindSafe(read));
    READING.set(before);
    let damaged = |why: String| IndexError::Damaged {
        path: path.to_owned(),
        why: format!("what it says cannot be ({why})"),
    };
    match result {
        Ok(Err(IndexError::Io { error, .. })) if !is_of_system(&error) => {
            Err(damaged(error.to_string()))
        }
        Ok(Err(IndexError::Tantivy { error, .. })) => Err(match error {
            TantivyError::IoError(error) if is_of_system(&error) => IndexError::Tantivy {
                path: path.to_owned(),
                error: TantivyError::IoError(error),
            },
            error => damaged(error.to_string()),
        }),
        Ok(result) => result,
        Err(panic) => Err(damaged(words(&*panic))),
    }
}

/// Does an error come from the operating system, and not from what was read?
fn is_of_system(error: &io::Error) -> bool {
    error.raw_os_error().is_some()
}

/// Sees to it that a panic that is caught here is not printed as well. All others go to the hook that there was.
fn keep_quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !READING.get() {
                before(info);
            }
        }));
    });
}

/// What a panic says, on one line.
fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let line = text.and_then(|text| text.lines().next());
    line.unwrap_or("a panic without words").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_become_damage() {
        let path = Path::new("ix/parts");
        let empty: &[u8] = &[];
        let found: Result<u8, IndexError> = reading(path, || Ok(empty[std::hint::black_box(7)]));
        let text = found.unwrap_err().to_string();
        assert!(text.starts_with("ix/parts is damaged: "), "{text}");
        assert!(text.contains("index out of bounds"), "{text}");
        let nested = reading(path, || {
            let inner: Result<(), IndexError> = reading(path, || panic!("inner"));
            assert!(inner.is_err() && READING.get());
            Ok(1)
        });
        assert_eq!(nested.unwrap(), 1);
        assert!(!READING.get());
    }
}
