//! What was used last.

/// Values by key, of which those are kept that were used last: where there are too many, the one that was not used for longest gives
/// way. Keys are compared one by one, so it is for few entries.
#[derive(Debug, Clone)]
pub struct Recent<K, V> {
    most: usize,
    /// What was used last stands last.
    kept: Vec<(K, V)>,
}

impl<K: PartialEq, V> Recent<K, V> {
    /// Nothing, with room for at most so many values; at least one.
    pub fn new(most: usize) -> Self {
        let most = most.max(1);
        let kept = Vec::with_capacity(most);
        Recent { most, kept }
    }

    /// The value of a key, which is thereby used.
    pub fn get(&mut self, key: &K) -> Option<&V> {
        let entry = self.take(key)?;
        self.kept.push(entry);
        self.kept.last().map(|(_, value)| value)
    }

    /// Keeps a value, in the place of the one that the key had.
    pub fn put(&mut self, key: K, value: V) {
        let before = self.take(&key);
        if before.is_none() && self.kept.len() == self.most {
            self.kept.remove(0);
        }
        self.kept.push((key, value));
    }

    /// Takes the value of a key out.
    pub fn remove(&mut self, key: &K) -> Option<V> {
        self.take(key).map(|(_, value)| value)
    }

    fn take(&mut self, key: &K) -> Option<(K, V)> {
        let at = self.kept.iter().position(|(known, _)| known == key)?;
        Some(self.kept.remove(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_used_for_longest_gives_way() {
        let mut recent = Recent::new(2);
        recent.put("a", 1);
        recent.put("b", 2);
        assert_eq!(recent.get(&"a"), Some(&1));
        recent.put("c", 3);
        assert_eq!(recent.get(&"b"), None);
        // A key has one value.
        recent.put("a", 4);
        assert_eq!(recent.get(&"c"), Some(&3));
        assert_eq!(recent.get(&"a"), Some(&4));
        assert_eq!(recent.remove(&"a"), Some(4));
        assert_eq!(recent.get(&"a"), None);
    }
}
