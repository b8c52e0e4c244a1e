//! A view of decompressed bytes that grows at its end and is consumed at its beginning.
//!
//! The bytes form *segments*: where the stored file is damaged a segment ends, and nothing is ever read across that
//! point by accident. Readers treat the end of a segment as the end of the file and then call
//! [`Window::next_segment`].

use std::cell::Cell;
use std::collections::VecDeque;

use super::source::{Damage, Source, Step};

/// Bytes decompressed in one step.
const STEP: usize = 64 * 1024;
/// Consumed bytes that are tolerated at the beginning of the buffer before the rest is moved.
const SLACK: usize = 1024 * 1024;

/// How a segment ended.
#[derive(Debug)]
enum End {
    File,
    Damage(Damage),
}

/// See the module's documentation.
pub(crate) struct Window {
    source: Source,
    buffer: Vec<u8>,
    /// `buffer[head..tail]` is what is available.
    head: usize,
    tail: usize,
    /// Offset of `buffer[head]` in the decompressed stream.
    position: u64,
    /// Where members begin: (offset in the decompressed stream, stored offset), none before `position`.
    members: VecDeque<(u64, u64)>,
    end: Option<End>,
    /// A stretch of the decompressed stream, from an offset up to another, in which a search found nothing: searches for the
    /// same do not look again, so that many in a large window stay linear.
    barren: Cell<(u64, u64)>,
}

impl Window {
    pub(crate) fn new(source: Source) -> Self {
        let members = VecDeque::new();
        Self {
            source,
            buffer: Vec::new(),
            head: 0,
            tail: 0,
            position: 0,
            members,
            end: None,
            barren: Cell::default(),
        }
    }

    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    /// What has been decompressed and not yet consumed.
    pub(crate) fn available(&self) -> &[u8] {
        self.buffer.get(self.head..self.tail).unwrap_or_default()
    }

    /// Offset of the next byte in the decompressed stream.
    pub(crate) fn position(&self) -> u64 {
        self.position
    }

    /// Offset of a record that begins at the next byte: that of its member in the stored file if it begins one, else
    /// that in the decompressed stream.
    pub(crate) fn location(&self) -> u64 {
        self.member_at(0).unwrap_or(self.position)
    }

    /// Stored offset of the member that begins `index` bytes after the next one.
    pub(crate) fn member_at(&self, index: usize) -> Option<u64> {
        let position = self.position + index as u64;
        self.members
            .iter()
            .rev()
            .find(|(start, _)| *start == position)
            .map(|(_, stored)| *stored)
    }

    /// Whether the member being decompressed last begins within the next `length` bytes.
    pub(crate) fn last_member_begins_within(&self, length: usize) -> bool {
        self.members
            .back()
            .is_some_and(|(start, _)| *start < self.position + length as u64)
    }

    /// Where a search that would begin at `from` has to begin.
    pub(crate) fn search_from(&self, from: usize) -> usize {
        let (begin, end) = self.barren.get();
        let position = self.position + from as u64;
        match begin <= position && position < end {
            true => from + (end - position) as usize,
            false => from,
        }
    }

    /// A search from `from` found nothing before `to`.
    pub(crate) fn found_nothing(&self, from: usize, to: usize) {
        let (begin, end) = self.barren.get();
        let (from, to) = (self.position + from as u64, self.position + to as u64);
        let joined = match begin <= from && from <= end {
            true => (begin, end.max(to)),
            false => (from, to),
        };
        self.barren.set(joined);
    }

    /// Nothing more can be read in this segment.
    pub(crate) fn ended(&self) -> bool {
        self.end.is_some()
    }

    /// The damage that ended this segment.
    pub(crate) fn damage(&self) -> Option<&Damage> {
        match &self.end {
            Some(End::Damage(damage)) => Some(damage),
            _ => None,
        }
    }

    /// Goes on after damage, which is returned. What is left of the segment is dropped. None at the end of the file.
    pub(crate) fn next_segment(&mut self) -> Option<Damage> {
        match self.end.take()? {
            End::File => {
                self.end = Some(End::File);
                None
            }
            End::Damage(damage) => {
                self.consume(self.tail - self.head);
                Some(damage)
            }
        }
    }

    pub(crate) fn consume(&mut self, count: usize) {
        let count = count.min(self.tail - self.head);
        self.head += count;
        self.position += count as u64;
        while self
            .members
            .front()
            .is_some_and(|(start, _)| *start < self.position)
        {
            self.members.pop_front();
        }
        if self.head == self.tail {
            (self.head, self.tail) = (0, 0);
            if self.buffer.len() > 2 * SLACK {
                self.buffer = Vec::new(); // a giant has passed: give its memory back
            }
        }
    }

    /// Decompresses one step more; false at the end of the segment.
    pub(crate) fn grow(&mut self) -> bool {
        if self.end.is_some() {
            return false;
        }
        if self.head >= SLACK && self.head >= self.tail / 2 {
            self.buffer.copy_within(self.head..self.tail, 0);
            (self.head, self.tail) = (0, self.tail - self.head);
        }
        if self.buffer.len() < self.tail + STEP {
            self.buffer
                .resize((self.tail + STEP).next_multiple_of(STEP), 0);
        }
        loop {
            match self.source.step(&mut self.buffer[self.tail..]) {
                Step::Data(0) => {}
                Step::Data(count) => {
                    self.tail += count;
                    return true;
                }
                Step::Member(stored) => {
                    let start = self.position + (self.tail - self.head) as u64;
                    if self.members.back().is_some_and(|(last, _)| *last == start) {
                        self.members.pop_back(); // that one was empty
                    }
                    self.members.push_back((start, stored));
                }
                Step::Damage(damage) => self.end = Some(End::Damage(damage)),
                Step::End => self.end = Some(End::File),
            }
            if self.end.is_some() {
                return false;
            }
        }
    }

    /// Grows until `count` bytes are available; false if the segment ends before.
    pub(crate) fn fill(&mut self, count: usize) -> bool {
        while self.available().len() < count {
            if !self.grow() {
                return false;
            }
        }
        true
    }
}
