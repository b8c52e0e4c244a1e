//! Preferences between documents: trec_eval's format `prefs`.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::BufRead;
use std::path::Path;

use super::lines::{Lines, columns, line_error, open};
use super::preference::Preference;
use super::qrels::Qrels;
use super::{Problem, TrecError};

/// Reads preferences: `topic group subgroup docid level`, as trec_eval's format `prefs`. They become judgments too: a document is
/// relevant if a group gives it a level above 0. The input may be packed with gzip or zstd.
///
/// # Errors
/// [`TrecError`]: input that cannot be read or unpacked, a line that breaks the format, a document that stands twice in a subgroup.
pub fn parse(input: impl BufRead, name: &str) -> Result<Qrels, TrecError> {
    let mut lines = Lines::new(input, name)?;
    let mut qrels = Qrels::default();
    let mut seen: BTreeMap<[String; 4], usize> = BTreeMap::new();
    while let Some((line, text)) = lines.next_line()? {
        let wrong = |problem: Problem| line_error(name, line, problem);
        let (topic, preference) = parse_line(text).map_err(wrong)?;
        let key = [
            topic,
            &preference.group,
            &preference.subgroup,
            &preference.docid,
        ];
        match seen.entry(key.map(str::to_owned)) {
            Entry::Vacant(place) => {
                place.insert(line);
            }
            Entry::Occupied(first) => {
                return Err(wrong(Problem::DuplicateDocument {
                    topic: topic.to_owned(),
                    docid: preference.docid,
                    first_line: *first.get(),
                }));
            }
        }
        let judgments = qrels.topics.entry(topic.to_owned()).or_default();
        let grade = judgments.entry(preference.docid.clone()).or_default();
        *grade = (*grade).max(i32::from(preference.level > 0.0));
        let preferences = qrels.preferences.entry(topic.to_owned()).or_default();
        preferences.push(preference);
    }
    Ok(qrels)
}

/// Reads a file of preferences; see [`parse`].
///
/// # Errors
/// As [`parse`], and a file that cannot be opened.
pub fn read_file(path: &Path) -> Result<Qrels, TrecError> {
    parse(open(path)?, &path.display().to_string())
}

fn parse_line(text: &str) -> Result<(&str, Preference), Problem> {
    let words: Vec<&str> = columns(text).collect();
    let [topic, group, subgroup, docid, level] = words.as_slice() else {
        return Err(Problem::Columns {
            expected: "5",
            found: words.len(),
        });
    };
    let found = level.parse::<f64>().ok();
    let level = found.filter(|level| level.is_finite() && *level >= 0.0);
    let Some(level) = level else {
        return Err(Problem::Level {
            value: words.last().map_or_else(String::new, |it| (*it).to_owned()),
        });
    };
    let preference = Preference {
        group: (*group).to_owned(),
        subgroup: (*subgroup).to_owned(),
        docid: (*docid).to_owned(),
        level,
    };
    Ok((topic, preference))
}
