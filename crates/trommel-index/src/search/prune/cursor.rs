//! Goes forward through the pages of a list.

use std::ops::Range;

use super::list::List;
use crate::format::page_postings::GROUP;

/// A place in a list. It only moves forward.
pub(super) struct Cursor<'l> {
    list: &'l List<'l>,
    /// The group of pages, or the entry of a list of few.
    at: usize,
    /// The group that is unpacked.
    unpacked: Option<usize>,
    ranks: [u32; GROUP],
    frequencies: [u32; GROUP],
    count: usize,
    /// The entry of the unpacked group.
    entry: usize,
}

impl<'l> Cursor<'l> {
    pub fn new(list: &'l List<'l>) -> Cursor<'l> {
        Cursor {
            list,
            at: 0,
            unpacked: None,
            ranks: [0; GROUP],
            frequencies: [0; GROUP],
            count: 0,
            entry: 0,
        }
    }

    /// The greatest frequency of pages in a window that is behind all that was asked for; 0 if none is there.
    pub fn most_within(&mut self, window: &Range<u32>) -> u32 {
        match self.list {
            List::Few {
                ranks, frequencies, ..
            } => {
                while ranks.get(self.at).is_some_and(|rank| *rank < window.start) {
                    self.at += 1;
                }
                let within = ranks[self.at..]
                    .iter()
                    .take_while(|rank| **rank < window.end);
                let frequencies = within.zip(&frequencies[self.at..]).map(|(_, it)| *it);
                frequencies.max().unwrap_or(0)
            }
            List::Many {
                record,
                least_class,
                ..
            } => {
                let groups = record.groups();
                while self.at < groups && record.last(self.at) < window.start {
                    self.at += 1;
                }
                let (mut most, mut group) = (0, self.at);
                while group < groups {
                    most = most.max(record.most(group, *least_class));
                    if record.last(group) >= window.end {
                        break;
                    }
                    group += 1;
                }
                most
            }
        }
    }

    /// The entries that a look at all of a window would go through, at most.
    pub fn most_entries_within(&self, window: &Range<u32>) -> usize {
        match self.list {
            List::Few { ranks, .. } => {
                let rest = &ranks[self.at..];
                rest.iter().take_while(|rank| **rank < window.end).count()
            }
            List::Many { record, .. } => {
                let mut group = self.at;
                while group < record.groups() && record.last(group) < window.end {
                    group += 1;
                }
                GROUP * (group + 1 - self.at)
            }
        }
    }

    /// Calls `each` with every page of a window whose frequency is above 0, and that frequency.
    #[inline]
    pub fn for_each_within(&mut self, window: &Range<u32>, mut each: impl FnMut(u32, u32)) {
        match self.list {
            List::Few {
                ranks, frequencies, ..
            } => {
                while let Some(rank) = ranks.get(self.at).filter(|rank| **rank < window.end) {
                    if *rank >= window.start {
                        each(*rank, frequencies[self.at]);
                    }
                    self.at += 1;
                }
            }
            List::Many { record, .. } => loop {
                while self.at < record.groups() && record.last(self.at) < window.start {
                    self.at += 1;
                }
                if self.at == record.groups() {
                    return;
                }
                self.unpack();
                let ranks = &self.ranks[..self.count];
                let start = ranks.partition_point(|rank| *rank < window.start);
                let end = start + ranks[start..].partition_point(|rank| *rank < window.end);
                for (rank, frequency) in ranks[start..end].iter().zip(&self.frequencies[start..end])
                {
                    if *frequency > 0 {
                        each(*rank, *frequency);
                    }
                }
                if end < self.count {
                    return;
                }
                self.at += 1;
            },
        }
    }

    /// The frequency of a page, which is not before one that was asked for; 0 if it has none.
    pub fn find(&mut self, rank: u32) -> u32 {
        match self.list {
            List::Few {
                ranks, frequencies, ..
            } => {
                while ranks.get(self.at).is_some_and(|own| *own < rank) {
                    self.at += 1;
                }
                match ranks.get(self.at) {
                    Some(own) if *own == rank => frequencies[self.at],
                    _ => 0,
                }
            }
            List::Many { record, .. } => {
                while self.at < record.groups() && record.last(self.at) < rank {
                    self.at += 1;
                }
                if self.at == record.groups() {
                    return 0;
                }
                self.unpack();
                let rest = &self.ranks[self.entry..self.count];
                self.entry += rest.partition_point(|own| *own < rank);
                match self.ranks[..self.count].get(self.entry) {
                    Some(own) if *own == rank => self.frequencies[self.entry],
                    _ => 0,
                }
            }
        }
    }

    fn unpack(&mut self) {
        if self.unpacked == Some(self.at) {
            return;
        }
        if let List::Many {
            record,
            least_class,
            ..
        } = self.list
        {
            let (ranks, frequencies) = (&mut self.ranks, &mut self.frequencies);
            self.count = record.unpack(self.at, *least_class, ranks, frequencies);
            self.unpacked = Some(self.at);
            self.entry = 0;
        }
    }
}
