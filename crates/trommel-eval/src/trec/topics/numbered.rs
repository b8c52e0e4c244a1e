//! What is read of any file of topics, and what the line formats share.

use super::note::Note;
use super::topic::Topic;

/// Topics with the lines they begin on.
pub(super) struct Numbered {
    pub topics: Vec<(usize, Topic)>,
    pub notes: Vec<Note>,
}

/// The lines with text, numbered from 1.
pub(super) fn lines_with_text(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(text.lines());
    lines.filter(|(_, line)| !line.trim().is_empty())
}

pub(super) fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with('#')
}
