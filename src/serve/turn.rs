//! Which sweep is computed, how far it has come, and until when it goes on.
//!
//! A sweep goes on while somebody asks after it. A page that is closed breaks its sweep off; where it could not say so, or a script ended,
//! nobody asks any more, and the sweep makes way: soon if somebody waits for another one.

use std::time::Instant;

use serde::Serialize;

use super::limits;

/// How far a sweep has come, in steps.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct TurnProgress {
    pub done: usize,
    pub of: usize,
}

/// Why a sweep is broken off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Nobody wants it.
    Unwanted,
    /// It takes too long.
    TooLong,
}

/// The sweep that is computed.
#[derive(Debug)]
pub struct Turn<T> {
    /// What was asked for.
    pub asked: T,
    pub progress: TurnProgress,
    begun: Instant,
    /// When it was asked after for the last time.
    wanted: Instant,
    /// When another one was asked for.
    other_wanted: Option<Instant>,
    /// Somebody has broken it off.
    dropped: bool,
}

impl<T: PartialEq> Turn<T> {
    /// A sweep of so many steps that begins.
    pub fn new(asked: T, of: usize, now: Instant) -> Turn<T> {
        Turn {
            asked,
            progress: TurnProgress { done: 0, of },
            begun: now,
            wanted: now,
            other_wanted: None,
            dropped: false,
        }
    }

    /// Somebody asks for a sweep: is it this one?
    pub fn ask(&mut self, asked: &T, now: Instant) -> bool {
        let same = self.asked == *asked;
        match same {
            true => (self.wanted, self.dropped) = (now, false),
            false => self.other_wanted = Some(now),
        }
        same
    }

    /// Somebody breaks a sweep off: is it this one?
    pub fn give_up(&mut self, asked: &T) -> bool {
        let same = self.asked == *asked;
        self.dropped |= same;
        same
    }

    /// Why it is to end, if it is.
    pub fn end(&self, now: Instant) -> Option<End> {
        let alone = now.duration_since(self.wanted);
        let waited_for = |since: Instant| now.duration_since(since) < limits::SWEEP_LEFT_WAITED;
        let left = match self.other_wanted.is_some_and(waited_for) {
            true => alone >= limits::SWEEP_LEFT_WAITED,
            false => alone >= limits::SWEEP_LEFT,
        };
        match (
            self.dropped || left,
            now.duration_since(self.begun) >= limits::SWEEP,
        ) {
            (true, _) => Some(End::Unwanted),
            (false, true) => Some(End::TooLong),
            (false, false) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_sweep_goes_on_while_somebody_asks_after_it() {
        let begun = Instant::now();
        let mut turn = Turn::new("a", 102, begun);
        let almost = limits::SWEEP_LEFT - SECOND;
        assert_eq!(turn.end(begun + almost), None);
        assert!(turn.ask(&"a", begun + almost));
        assert_eq!(turn.end(begun + almost + almost), None);
        assert_eq!(
            turn.end(begun + almost + limits::SWEEP_LEFT),
            Some(End::Unwanted)
        );
    }

    #[test]
    fn a_sweep_that_was_left_makes_way_for_another() {
        let begun = Instant::now();
        let mut turn = Turn::new("a", 102, begun);
        let late = begun + limits::SWEEP_LEFT_WAITED;
        assert!(!turn.ask(&"b", late));
        assert_eq!(turn.end(late), Some(End::Unwanted));
        // Whoever wanted the other one has gone as well.
        assert_eq!(turn.end(late + limits::SWEEP_LEFT_WAITED), None);
        // Both are asked for: the first goes on.
        assert!(turn.ask(&"a", late));
        assert_eq!(turn.end(late + SECOND), None);
    }

    #[test]
    fn a_sweep_is_broken_off_unless_it_is_asked_for_again() {
        let begun = Instant::now();
        let mut turn = Turn::new("a", 102, begun);
        assert!(!turn.give_up(&"b"));
        assert_eq!(turn.end(begun), None);
        assert!(turn.give_up(&"a"));
        assert_eq!(turn.end(begun), Some(End::Unwanted));
        assert!(turn.ask(&"a", begun));
        assert_eq!(turn.end(begun), None);
    }

    #[test]
    fn no_sweep_goes_on_for_ever() {
        let begun = Instant::now();
        let mut turn = Turn::new("a", 102, begun);
        let late = begun + limits::SWEEP;
        turn.ask(&"a", late);
        assert_eq!(turn.end(late), Some(End::TooLong));
    }
}
