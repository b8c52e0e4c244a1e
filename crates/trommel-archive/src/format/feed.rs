//! What the readers of records share: the bytes of a file on their way to items.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::bytes::window::Window;
use crate::ledger::{Document, Item, Reason, Skipped};
use crate::options::Options;

/// The bytes of a file, how they are to be read, and the items that were made of them.
pub(crate) struct Feed {
    pub(crate) window: Window,
    pub(crate) file: Arc<str>,
    pub(crate) options: Options,
    queue: VecDeque<Item>,
}

/// A format whose records stand one after the other, with blanks between them.
pub(crate) trait Scan {
    /// What it reads from and gives its items to.
    fn feed(&mut self) -> &mut Feed;

    /// Whether a byte between records means nothing.
    fn is_blank(byte: &u8) -> bool;

    /// Reads the record that the window begins with, or skips what is none: at least a byte.
    fn read(&mut self);

    /// The next page or ledger line.
    fn next(&mut self) -> Option<Item> {
        loop {
            if let Some(item) = self.feed().queue.pop_front() {
                return Some(item);
            }
            if self.feed().skip_blank(Self::is_blank) {
                self.read();
            } else {
                let damage = self.feed().window.next_segment()?;
                let feed = self.feed();
                feed.skipped(damage.offset, None, damage.reason, damage.detail);
            }
        }
    }
}

impl Feed {
    /// `file` is what the file is called.
    pub(crate) fn new(window: Window, file: Arc<str>, options: Options) -> Self {
        Self {
            window,
            file,
            options,
            queue: VecDeque::new(),
        }
    }

    /// Gives a page.
    pub(crate) fn document(&mut self, document: Document) {
        self.queue.push_back(Item::Document(document));
    }

    /// Gives a ledger line.
    pub(crate) fn skipped(
        &mut self,
        offset: u64,
        docid: Option<String>,
        reason: Reason,
        detail: impl Into<String>,
    ) {
        let line = self.line(offset, docid, reason, detail);
        self.queue.push_back(line);
    }

    /// A ledger line.
    pub(crate) fn line(
        &self,
        offset: u64,
        docid: Option<String>,
        reason: Reason,
        detail: impl Into<String>,
    ) -> Item {
        Item::Skipped(Skipped {
            file: Arc::clone(&self.file),
            offset,
            docid,
            reason,
            records: 1,
            detail: detail.into(),
        })
    }

    /// Skips blanks; false at the end of the segment.
    fn skip_blank(&mut self, is_blank: fn(&u8) -> bool) -> bool {
        while self.window.fill(1) {
            let bytes = self.window.available();
            let blank = bytes.iter().take_while(|byte| is_blank(byte)).count();
            if blank == 0 {
                return true;
            }
            self.window.consume(blank);
        }
        false
    }
}
