//! Topics of one line each.

use super::super::kind::Kind;
use super::super::kind_of::kind_of;
use super::super::lines::line_error;
use super::super::{Problem, TrecError};
use super::note::Note;
use super::numbered::{Numbered, is_comment, lines_with_text};
use super::topic::{Topic, field, topic};

/// What a line is, as the first one decides.
enum Format {
    /// `id:text`, or `id TAB text`; the separator, and what it is called.
    Separated(char, &'static str),
    /// `question TAB answers`.
    Questions,
    /// `Page/A%20heading/Another`, which is the id and also the text.
    Sections,
}

/// What section paths of TREC CAR 2.0 begin with.
const WIKI: &str = "enwiki:";

pub(super) fn parse(text: &str, name: &str) -> Result<Numbered, TrecError> {
    let mut lines = lines_with_text(text);
    let format = lines
        .find(|(_, line)| !is_comment(line))
        .map(|(_, line)| format_of(line));
    let format = format.unwrap_or(Format::Separated(':', "a colon"));
    let mut topics: Vec<(usize, Topic)> = Vec::new();
    let mut comments = Vec::new();
    for (number, line) in lines_with_text(text) {
        if is_comment(line) && !matches!(format, Format::Questions) {
            if matches!(format, Format::Separated('\t', _)) && line.contains('\t') {
                comments.push(number);
            }
            continue;
        }
        let read = match &format {
            Format::Separated(separator, called) => separated(line, *separator, called),
            Format::Questions => question(line, topics.len()),
            Format::Sections => section(line),
        };
        let wrong = |problem: Problem| match kind_of(line) {
            Some(found @ (Kind::Qrels | Kind::Run)) if topics.is_empty() => {
                let wanted = Kind::Topics;
                line_error(name, number, Problem::Kind { found, wanted })
            }
            _ => line_error(name, number, problem),
        };
        let topic = read.map_err(wrong)?;
        topics.push((number, topic));
    }
    let mut notes = Vec::new();
    if matches!(format, Format::Questions) {
        notes.push(Note::Numbered);
    }
    if let Some(&first) = comments.first() {
        let lines = comments.len();
        notes.push(Note::Comments { lines, first });
    }
    Ok(Numbered { topics, notes })
}

fn format_of(first: &str) -> Format {
    let first = first.trim();
    let is_one_word = |text: &str| !text.contains(char::is_whitespace);
    match first.split_once('\t') {
        Some((id, _)) if !is_one_word(id.trim()) => Format::Questions,
        Some(_) => Format::Separated('\t', "a tab"),
        None if is_one_word(first)
            && (first.starts_with(WIKI) || first.contains('/') && !first.contains(':')) =>
        {
            Format::Sections
        }
        None => Format::Separated(':', "a colon"),
    }
}

fn separated(line: &str, separator: char, called: &'static str) -> Result<Topic, Problem> {
    let Some((id, text)) = line.split_once(separator) else {
        let separator = called;
        return Err(Problem::NoSeparator { separator });
    };
    topic(id, vec![field("title", text)])
}

/// A question has no id, so it is its number.
fn question(line: &str, number: usize) -> Result<Topic, Problem> {
    let Some((question, answers)) = line.split_once('\t') else {
        let separator = "a tab";
        return Err(Problem::NoSeparator { separator });
    };
    let fields = vec![field("title", question), field("answers", answers)];
    topic(&number.to_string(), fields)
}

/// As Anserini reads them: what stands behind `enwiki:`, decoded. Slashes part the headings.
fn section(line: &str) -> Result<Topic, Problem> {
    let path = line.trim();
    let headings = path.strip_prefix(WIKI).unwrap_or(path).replace('/', " ");
    topic(path, vec![field("title", &decoded(&headings))])
}

/// The text with `%20` and the like decoded (RFC 3986 §2.1).
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, behind @ ..] = rest {
        let digit = |at: usize| char::from(*behind.get(at)?).to_digit(16);
        match (*first == b'%').then(|| digit(0).zip(digit(1))).flatten() {
            Some((high, low)) => {
                bytes.push((high * 16 + low) as u8);
                rest = behind.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
