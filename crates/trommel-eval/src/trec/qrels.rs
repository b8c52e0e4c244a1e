//! Relevance judgments.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::io::BufRead;
use std::path::Path;

use trommel_text::to_word;

use super::grades::grade_of;
use super::kind::Kind;
use super::kind_of::kind_of;
use super::lines::{Lines, columns, line_error, open};
use super::preference::Preference;
use super::{GradeMap, Problem, TrecError};

/// The grade of each judged document of each topic.
///
/// Grades above zero are relevant at the default level; zero is judged and not relevant. Grades below
/// zero are kept as they are: trec_eval takes them for documents that were pooled but not judged, the
/// web track for spam.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Qrels {
    /// Topic id → document id → grade.
    pub topics: BTreeMap<String, BTreeMap<String, i32>>,
    /// True where a document was judged under several subtopics of a topic (diversity qrels), so that
    /// its grade is the highest of them.
    pub subtopics: bool,
    /// Topic id → group (the second column: a subtopic of a diversity track, or who judged) → document id → grade. Empty where the second
    /// column is the same all through.
    pub groups: BTreeMap<String, BTreeMap<String, BTreeMap<String, i32>>>,
    /// Topic id → preferences, of a file of preferences ([`super::preferences`]).
    pub preferences: BTreeMap<String, Vec<Preference>>,
}

impl Qrels {
    /// The judgments with their docids as runs have them ([`to_word`]). They differ from those of the collection where it has
    /// docids that look as if they were encoded, such as addresses with `%20`: judgments may name these either way. A docid
    /// that is one of `words`, the docids as runs have them, stays as it is.
    pub fn in_words<'a>(&'a self, words: impl FnOnce() -> HashSet<Cow<'a, str>>) -> Cow<'a, Self> {
        let encoded = |docid: &String| match to_word(docid) {
            Cow::Owned(word) => Some(word),
            Cow::Borrowed(_) => None,
        };
        let mut docids = self.topics.values().flat_map(BTreeMap::keys);
        if docids.all(|docid| encoded(docid).is_none()) {
            return Cow::Borrowed(self);
        }
        let words = words();
        let as_run = |docid: &String| {
            let word = encoded(docid).filter(|word| words.contains(word.as_str()));
            word.filter(|_| !words.contains(docid.as_str()))
        };
        let mut qrels = self.clone();
        let of_groups = qrels.groups.values_mut().flat_map(BTreeMap::values_mut);
        for judgments in qrels.topics.values_mut().chain(of_groups) {
            let given: Vec<(String, i32)> = judgments
                .iter()
                .map(|(docid, grade)| (docid.clone(), *grade))
                .collect();
            for (docid, grade) in given {
                if let Some(word) = as_run(&docid).filter(|word| !judgments.contains_key(word)) {
                    judgments.remove(&docid);
                    judgments.insert(word, grade);
                }
            }
        }
        for preference in qrels.preferences.values_mut().flatten() {
            if let Some(word) = as_run(&preference.docid) {
                preference.docid = word;
            }
        }
        Cow::Owned(qrels)
    }

    /// Replaces every grade by what `map` makes of it. Levels of preferences stay.
    pub fn map_grades(&mut self, map: &GradeMap) {
        let of_groups = self.groups.values_mut().flat_map(BTreeMap::values_mut);
        for judgments in self.topics.values_mut().chain(of_groups) {
            for grade in judgments.values_mut() {
                *grade = map.apply(*grade);
            }
        }
    }
}

struct Judgment {
    topic: String,
    docid: String,
    subtopic: String,
    line: usize,
    grade: i32,
}

/// Reads qrels. The first line with data decides the format, and all lines must keep to it:
///
/// | columns | format |
/// |---|---|
/// | 4 | `topic iteration docid grade` (trec_eval), or `topic subtopic docid grade` (diversity) |
/// | 3 | `topic docid grade` |
/// | 5 | `topic docid grade method probability` (prels of the million query track; the last two are not used), or, if the third column is no grade, `topic subtask docid grade usefulness` (tasks track; the last is not used) |
///
/// A grade is a whole number, or such a number behind an `L` (NTCIR). The input may be packed with gzip or zstd.
///
/// A document that stands twice under a topic is an error, as in trec_eval, even with equal grades.
/// The exception are four-column lines that differ in their second column: that is the mark of
/// diversity qrels, and the document gets its highest grade over the subtopics.
///
/// # Errors
/// [`TrecError`]: input that cannot be read or unpacked, a line that breaks the format, a document that stands twice.
pub fn parse(input: impl BufRead, name: &str) -> Result<Qrels, TrecError> {
    let mut lines = Lines::new(input, name)?;
    let mut judgments = Vec::new();
    let mut format = None;
    while let Some((line, text)) = lines.next_line()? {
        let first = format.is_none();
        let wrong = |problem: Problem| match kind_of(text) {
            Some(found @ (Kind::Topics | Kind::Run)) if first => {
                let wanted = Kind::Qrels;
                line_error(name, line, Problem::Kind { found, wanted })
            }
            _ => line_error(name, line, problem),
        };
        judgments.push(parse_line(text, line, &mut format).map_err(wrong)?);
    }
    judgments.sort_by(|a, b| {
        let key = |j: &Judgment| (j.line, j.grade);
        (&a.topic, &a.docid, &a.subtopic, key(a)).cmp(&(&b.topic, &b.docid, &b.subtopic, key(b)))
    });
    refuse_duplicates(&judgments, name)?;

    let mut qrels = Qrels::default();
    let has_groups = judgments.windows(2).any(|pair| match pair {
        [a, b] => a.subtopic != b.subtopic,
        _ => false,
    });
    for judgment in judgments {
        if has_groups {
            let groups = qrels.groups.entry(judgment.topic.clone()).or_default();
            let of_group = groups.entry(judgment.subtopic).or_default();
            of_group.insert(judgment.docid.clone(), judgment.grade);
        }
        let topic = qrels.topics.entry(judgment.topic).or_default();
        match topic.get_mut(&judgment.docid) {
            Some(grade) => {
                *grade = (*grade).max(judgment.grade);
                qrels.subtopics = true;
            }
            None => {
                topic.insert(judgment.docid, judgment.grade);
            }
        }
    }
    Ok(qrels)
}

/// Reads a qrels file; see [`parse`].
///
/// # Errors
/// As [`parse`], and a file that cannot be opened.
pub fn read_file(path: &Path) -> Result<Qrels, TrecError> {
    parse(open(path)?, &path.display().to_string())
}

/// What the columns are.
#[derive(Clone, Copy)]
enum Format {
    Four,
    Three,
    Prels,
    Tasks,
}

impl Format {
    fn of(words: &[&str]) -> Option<Format> {
        match words {
            [_, _, _, _] => Some(Format::Four),
            [_, _, _] => Some(Format::Three),
            [_, _, docid, grade, usefulness] => {
                let is_tasks = grade_of(docid).is_none()
                    && [grade, usefulness].iter().all(|it| grade_of(it).is_some());
                Some(if is_tasks {
                    Format::Tasks
                } else {
                    Format::Prels
                })
            }
            _ => None,
        }
    }

    fn columns(self) -> &'static str {
        match self {
            Format::Four => "4",
            Format::Three => "3",
            Format::Prels | Format::Tasks => "5",
        }
    }
}

fn parse_line(text: &str, line: usize, format: &mut Option<Format>) -> Result<Judgment, Problem> {
    let words: Vec<&str> = columns(text).collect();
    let found = words.len();
    let Some(known) = format.or_else(|| Format::of(&words)) else {
        let expected = "3, 4 or 5";
        return Err(Problem::Columns { expected, found });
    };
    *format = Some(known);
    let (topic, subtopic, docid, grade, column) = match (known, words.as_slice()) {
        (Format::Four, [topic, subtopic, docid, grade])
        | (Format::Tasks, [topic, subtopic, docid, grade, _]) => {
            (topic, *subtopic, docid, grade, 4)
        }
        (Format::Three, [topic, docid, grade]) | (Format::Prels, [topic, docid, grade, _, _]) => {
            (topic, "", docid, grade, 3)
        }
        (known, _) => {
            let expected = known.columns();
            return Err(Problem::Columns { expected, found });
        }
    };
    match grade_of(grade) {
        Some(grade) => Ok(Judgment {
            topic: (*topic).to_owned(),
            docid: (*docid).to_owned(),
            subtopic: subtopic.to_owned(),
            line,
            grade,
        }),
        None => Err(Problem::Grade {
            column,
            value: (*grade).to_owned(),
        }),
    }
}

/// Of all repeated judgments, reports the one that comes first in the file.
fn refuse_duplicates(sorted: &[Judgment], name: &str) -> Result<(), TrecError> {
    let repeated = sorted
        .windows(2)
        .filter_map(|pair| match pair {
            [a, b] if (&a.topic, &a.docid, &a.subtopic) == (&b.topic, &b.docid, &b.subtopic) => {
                Some((a, b))
            }
            _ => None,
        })
        .min_by_key(|(_, second)| second.line);
    match repeated {
        None => Ok(()),
        Some((first, second)) => Err(line_error(
            name,
            second.line,
            Problem::DuplicateDocument {
                topic: second.topic.clone(),
                docid: second.docid.clone(),
                first_line: first.line,
            },
        )),
    }
}
