//! df and cf of terms that were counted under a filter.

use std::collections::HashMap;
use std::sync::Mutex;

/// df and cf of terms with long lists that were counted, in all segments.
pub(crate) type KnownTotals = Mutex<HashMap<String, (u64, u64)>>;
