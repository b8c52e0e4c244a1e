//! Texts that came lately.

use trommel_text::Vocabulary;

/// Texts that came lately, each with the place where it is stored. They take a bounded memory: when so many have come that it is half
/// used up, those that did not come since the last time this happened are forgotten.
#[derive(Debug)]
pub(crate) struct KnownTexts {
    most: usize,
    /// Those that came since.
    new: Half,
    /// Those that came before.
    old: Half,
}

/// Where a text is stored: the block, counted from the first of its run, and its chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub block: u32,
    pub chunk: u32,
}

#[derive(Debug, Default)]
struct Half {
    texts: Vocabulary,
    /// By the numbers of the texts.
    places: Vec<Place>,
}

impl Half {
    fn memory(&self) -> usize {
        self.texts.memory() + size_of::<Place>() * self.places.len()
    }
}

impl KnownTexts {
    /// None yet; they take so many bytes at most.
    pub fn new(memory: usize) -> KnownTexts {
        KnownTexts {
            most: memory / 2,
            new: Half::default(),
            old: Half::default(),
        }
    }

    /// Where a text is, if it is known; else it is known from now on to be at a place.
    pub fn place(&mut self, text: &str, own: Place) -> Option<Place> {
        let number = self.new.texts.number(text) as usize;
        if let Some(known) = self.new.places.get(number) {
            return Some(*known);
        }
        let old = self.old.texts.find(text);
        let known = old.map(|number| self.old.places[number as usize]);
        self.new.places.push(known.unwrap_or(own));
        if self.new.memory() > self.most {
            self.old = std::mem::take(&mut self.new);
        }
        known
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        (self.new, self.old) = (Half::default(), Half::default());
    }

    /// Memory that they take, in bytes.
    pub fn memory(&self) -> usize {
        self.new.memory() + self.old.memory()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_known_while_they_come() {
        let mut known = KnownTexts::new(10_000);
        let at = |block: u32| Place { block, chunk: 7 };
        for block in 0..10_000 {
            // One that comes again and again stays where it was first.
            let often = known.place("often", at(block));
            assert_eq!(often, (block > 0).then_some(at(0)), "{block}");
            assert_eq!(known.place(&format!("only {block}"), at(block)), None);
            assert!(known.memory() < 12_000, "{}", known.memory());
        }
        assert_eq!(known.place("only 9999", at(1)), Some(at(9999)));
        assert_eq!(known.place("only 3", at(1)), None);
        known.clear();
        assert_eq!(known.place("often", at(5)), None);
    }
}
