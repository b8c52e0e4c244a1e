//! The lists that were used last.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::impacts::{Impacts, ImpactsOf};
use super::list::List;

/// Lists of terms under filters, and impacts, in so many bytes at most: those that were not used for longest give way. All threads share it.
pub(crate) struct Store {
    most: usize,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    /// Counts the calls, so that it is known what was used last.
    clock: u64,
    bytes: usize,
    /// By filter and term.
    terms: HashMap<u64, HashMap<String, Entry>>,
}

#[derive(Default)]
struct Entry {
    used: u64,
    /// What searches without the list have read of postings by page instead.
    spent: u64,
    list: Option<Arc<List>>,
    /// Those that were used last stand last.
    impacts: Vec<(ImpactsOf, Arc<Impacts>)>,
    bytes: usize,
}

/// Formulas for which a term's impacts are kept.
const FORMULAS: usize = 4;

/// What an entry takes besides what is in it, about.
const ENTRY: usize = 160;

impl Store {
    /// With room for so many bytes.
    pub fn new(most: usize) -> Store {
        Store {
            most,
            kept: Mutex::default(),
        }
    }

    /// May it hold anything?
    pub fn is_used(&self) -> bool {
        self.most > 0
    }

    /// The list of each of some terms under a filter, where it is there.
    pub fn lists(&self, filter: u64, terms: &[&str]) -> Vec<Option<Arc<List>>> {
        self.with(filter, terms, |entry, _| entry.list.clone())
    }

    /// Notes what a search without the lists of some terms reads, and says of each what all such searches have read.
    pub fn spend(&self, filter: u64, terms: &[&str], read: u64) -> Vec<u64> {
        let spent = self.with(filter, terms, |entry, _| {
            entry.spent = entry.spent.saturating_add(read);
            entry.spent
        });
        self.make_room();
        spent
    }

    /// Keeps the lists of some terms.
    pub fn put_lists(&self, filter: u64, terms: &[&str], lists: &[Arc<List>]) {
        let mut lists = lists.iter();
        self.with(filter, terms, |entry, _| {
            if let Some(list) = lists.next() {
                entry.list = Some(Arc::clone(list));
                entry.impacts.clear();
            }
        });
        self.make_room();
    }

    /// The impacts of each of some terms, where they are there.
    pub fn impacts(
        &self,
        filter: u64,
        terms: &[&str],
        by: &[Option<ImpactsOf>],
    ) -> Vec<Option<Arc<Impacts>>> {
        self.with(filter, terms, |entry, at| {
            let by = by[at]?;
            let place = entry.impacts.iter().position(|(own, _)| *own == by)?;
            let last = entry.impacts.len() - 1;
            entry.impacts.swap(place, last);
            entry.impacts.last().map(|(_, impacts)| Arc::clone(impacts))
        })
    }

    /// Keeps impacts of a term, if its list is there.
    pub fn put_impacts(&self, filter: u64, term: &str, by: ImpactsOf, impacts: &Arc<Impacts>) {
        self.with(filter, &[term], |entry, _| {
            if entry.list.is_none() || entry.impacts.iter().any(|(own, _)| *own == by) {
                return;
            }
            if entry.impacts.len() == FORMULAS {
                entry.impacts.remove(0);
            }
            entry.impacts.push((by, Arc::clone(impacts)));
        });
        self.make_room();
    }

    /// Calls `work` with the entry of each of some terms, and its number, and gives what comes of it.
    fn with<T>(
        &self,
        filter: u64,
        terms: &[&str],
        mut work: impl FnMut(&mut Entry, usize) -> T,
    ) -> Vec<T> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = &mut *kept;
        kept.clock += 1;
        let of_filter = kept.terms.entry(filter).or_default();
        let mut found = Vec::with_capacity(terms.len());
        for (at, term) in terms.iter().enumerate() {
            if !of_filter.contains_key(*term) {
                of_filter.insert((*term).to_owned(), Entry::default());
            }
            let Some(entry) = of_filter.get_mut(*term) else {
                continue;
            };
            entry.used = kept.clock;
            found.push(work(entry, at));
            let bytes = ENTRY
                + term.len()
                + entry.list.as_ref().map_or(0, |list| list.bytes())
                + entry
                    .impacts
                    .iter()
                    .map(|(_, it)| it.bytes())
                    .sum::<usize>();
            kept.bytes = kept.bytes + bytes - entry.bytes;
            entry.bytes = bytes;
        }
        found
    }

    /// Drops what was not used for longest where there is too much, and an eighth more, so that it is seldom looked for.
    fn make_room(&self) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.bytes <= self.most {
            return;
        }
        let entries = kept.terms.values().flat_map(HashMap::values);
        let mut entries: Vec<(u64, usize)> = entries.map(|it| (it.used, it.bytes)).collect();
        entries.sort_unstable();
        let aim = self.most - self.most / 8;
        let (mut bytes, mut dropped) = (kept.bytes, 0);
        for (used, of_entry) in entries {
            if bytes <= aim {
                break;
            }
            (bytes, dropped) = (bytes - of_entry, used);
        }
        // All that were used by one call go together.
        kept.terms.retain(|_, of_filter| {
            of_filter.retain(|_, entry| entry.used > dropped);
            !of_filter.is_empty()
        });
        let entries = kept.terms.values().flat_map(HashMap::values);
        kept.bytes = entries.map(|entry| entry.bytes).sum();
    }
}

#[cfg(test)]
mod tests {
    use super::super::list::Builder;
    use super::*;

    fn list(pages: u32) -> Arc<List> {
        let mut builder = Builder::default();
        (0..pages).for_each(|rank| builder.add(rank, 1));
        Arc::new(builder.finish(4000))
    }

    #[test]
    fn what_was_not_used_for_longest_gives_way() {
        let each = list(1000).bytes();
        let store = Store::new(4 * (each + 200));
        for term in ["a", "b", "c"] {
            store.put_lists(1, &[term], &[list(1000)]);
        }
        // The same term under another filter is another list.
        assert!(store.lists(2, &["a"])[0].is_none());
        assert!(store.lists(1, &["a"])[0].is_some());
        store.put_lists(2, &["d", "e"], &[list(1000), list(7)]);
        let kept = store.lists(1, &["a", "b", "c"]);
        let kept: Vec<bool> = kept.iter().map(Option::is_some).collect();
        assert_eq!(kept, [true, false, true]);
        let kept = store.lists(2, &["d", "e"]);
        assert_eq!(kept[1].as_ref().map(|list| list.df), Some(7));
        let bytes = store.kept.lock().unwrap().bytes;
        assert!(bytes <= store.most && bytes > 3 * each);
        assert_eq!(store.spend(1, &["a", "z"], 5), [5, 5]);
        assert_eq!(store.spend(1, &["z"], 5), [10]);
        // What does not fit at all is not kept.
        store.put_lists(3, &["f"], &[list(100_000)]);
        assert!(store.lists(3, &["f"])[0].is_none());
    }
}
