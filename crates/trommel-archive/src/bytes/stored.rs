//! The bytes of a file as they are stored, with a short memory so that a search can go back.

use std::io::{ErrorKind, Read};

/// Bytes asked for by one read.
const READ: usize = 128 * 1024;
/// How far back [`Stored::go_back`] can reach. A corrupt member is noticed late (at its check sum), so the search for
/// the next one starts inside it; members of web archives are far smaller than this.
pub(crate) const MEMORY: usize = 1024 * 1024;

/// A buffered reader that knows its offset and keeps what it has handed out for a while.
pub(crate) struct Stored {
    reader: Box<dyn Read + Send>,
    /// Bytes from offset `start`; those before `next` have been consumed.
    buffer: Vec<u8>,
    start: u64,
    next: usize,
    ended: bool,
    /// What the operating system said when it could not read on. Ends the file.
    failure: Option<String>,
}

impl Stored {
    pub(crate) fn new(reader: Box<dyn Read + Send>) -> Self {
        Self {
            reader,
            buffer: Vec::new(),
            start: 0,
            next: 0,
            ended: false,
            failure: None,
        }
    }

    /// Offset of the next byte.
    pub(crate) fn position(&self) -> u64 {
        self.start + self.next as u64
    }

    /// The bytes read ahead.
    pub(crate) fn available(&self) -> &[u8] {
        self.buffer.get(self.next..).unwrap_or_default()
    }

    pub(crate) fn consume(&mut self, count: usize) {
        self.next = (self.next + count).min(self.buffer.len());
    }

    /// Makes `offset` the next byte, or the earliest after it that is still remembered.
    pub(crate) fn go_back(&mut self, offset: u64) {
        self.next = (offset.saturating_sub(self.start) as usize).min(self.next);
    }

    /// Reads on; false at the end. Bytes from `keep` on stay reachable, as far as the memory goes.
    pub(crate) fn more(&mut self, keep: u64) -> bool {
        if self.ended {
            return false;
        }
        let oldest = keep.max(self.position().saturating_sub(MEMORY as u64));
        let forget = (oldest.saturating_sub(self.start) as usize).min(self.next);
        if forget == self.buffer.len() || forget >= MEMORY {
            self.buffer.drain(..forget);
            self.start += forget as u64;
            self.next -= forget;
        }
        let length = self.buffer.len();
        self.buffer.resize(length + READ, 0);
        let read = loop {
            match self.reader.read(&mut self.buffer[length..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    self.failure = Some(error.to_string());
                    break 0;
                }
                Ok(count) => break count.min(READ),
            }
        };
        self.buffer.truncate(length + read);
        self.ended = read == 0;
        read > 0
    }

    /// Reads until `count` bytes are available; false if the file ends before.
    pub(crate) fn at_least(&mut self, count: usize, keep: u64) -> bool {
        while self.available().len() < count {
            if !self.more(keep) {
                return false;
            }
        }
        true
    }

    /// The read error that ended the file, once.
    pub(crate) fn take_failure(&mut self) -> Option<String> {
        self.failure.take()
    }
}
