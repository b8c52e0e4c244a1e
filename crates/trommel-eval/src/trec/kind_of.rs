//! Which of the three files a line is of: files are easily given in the wrong order.

use super::grades::grade_of;
use super::kind::Kind;
use super::lines::columns;

/// The kind of file that a line is of, if it is plainly one: topics in markup or JSON, columns whose numbers stand where those of
/// judgments or of a run do.
pub(super) fn kind_of(line: &str) -> Option<Kind> {
    let words: Vec<&str> = columns(line).collect();
    let is_number = |word: &str| word.parse::<f64>().is_ok();
    match words.as_slice() {
        [first, ..] if first.starts_with(['<', '{']) => Some(Kind::Topics),
        [_, _, _, rank, score, _] if is_number(rank) && is_number(score) => Some(Kind::Run),
        [_, _, _, grade] | [_, _, grade] if grade_of(grade).is_some() => Some(Kind::Qrels),
        _ => None,
    }
}
