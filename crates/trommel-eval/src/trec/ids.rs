//! Topic ids that differ by leading letters and zeros between the files of one track: `MB001` and `1`, `AR26` and `26`, `051` and `51`.

use std::collections::BTreeMap;
use std::str::FromStr;

use super::topics::Topic;
use super::{Qrels, Run, TrecError};

/// How the topic ids of several files are compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TopicIds {
    /// As the files have them.
    #[default]
    Exact,
    /// Without leading letters and zeros.
    Loose,
}

/// A name of [`TopicIds`] that is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected 'exact' or 'loose', found {0:?}")]
pub struct TopicIdsError(String);

impl FromStr for TopicIds {
    type Err = TopicIdsError;

    fn from_str(text: &str) -> Result<Self, TopicIdsError> {
        match text {
            "exact" => Ok(TopicIds::Exact),
            "loose" => Ok(TopicIds::Loose),
            _ => Err(TopicIdsError(text.to_owned())),
        }
    }
}

impl TopicIds {
    /// The id by which a topic is known. A loose one is what is left of `MB001` and `051` without leading ASCII letters and then
    /// zeros (`1`, `51`; a last zero stays); an id whose letters no digit follows is taken as it is.
    pub fn of(self, id: &str) -> &str {
        let number = id.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        if self == TopicIds::Exact || !number.starts_with(|c: char| c.is_ascii_digit()) {
            return id;
        }
        let short = number.trim_start_matches('0');
        match short.starts_with(|c: char| c.is_ascii_digit()) {
            true => short,
            // `0`, `000`, `00-a`: the last zero is the number.
            false => number
                .get(number.len() - short.len() - 1..)
                .unwrap_or(number),
        }
    }

    /// Names the topics of judgments by these ids. `name` is the file's, for the error.
    ///
    /// # Errors
    /// Two topics that would have one id.
    pub fn rename_qrels(self, qrels: &mut Qrels, name: &str) -> Result<(), TrecError> {
        self.rename(&mut qrels.topics, name)?;
        self.rename(&mut qrels.groups, name)?;
        self.rename(&mut qrels.preferences, name)
    }

    /// Names the topics of a run by these ids; errors as [`TopicIds::rename_qrels`].
    ///
    /// # Errors
    /// [`TrecError::SameIds`] if two topics would have one id.
    pub fn rename_run(self, run: &mut Run, name: &str) -> Result<(), TrecError> {
        self.rename(&mut run.topics, name)
    }

    /// Names topics by these ids; errors as [`TopicIds::rename_qrels`].
    ///
    /// # Errors
    /// [`TrecError::SameIds`] if two topics would have one id.
    pub fn rename_topics(self, topics: &mut [Topic], name: &str) -> Result<(), TrecError> {
        self.refuse_same(topics.iter().map(|topic| topic.id.as_str()), name)?;
        for topic in topics {
            topic.id = self.of(&topic.id).to_owned();
        }
        Ok(())
    }

    fn rename<V>(self, topics: &mut BTreeMap<String, V>, name: &str) -> Result<(), TrecError> {
        if self == TopicIds::Exact {
            return Ok(());
        }
        self.refuse_same(topics.keys().map(String::as_str), name)?;
        let renamed = std::mem::take(topics).into_iter();
        *topics = renamed
            .map(|(id, of_topic)| (self.of(&id).to_owned(), of_topic))
            .collect();
        Ok(())
    }

    fn refuse_same<'a>(
        self,
        ids: impl Iterator<Item = &'a str>,
        name: &str,
    ) -> Result<(), TrecError> {
        let mut known: BTreeMap<&str, &str> = BTreeMap::new();
        for second in ids {
            let id = self.of(second);
            if let Some(first) = known.insert(id, second) {
                return Err(TrecError::SameIds {
                    name: name.to_owned(),
                    first: first.to_owned(),
                    second: second.to_owned(),
                    id: id.to_owned(),
                });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(id: &str, loose: &str) {
        assert_eq!(TopicIds::Loose.of(id), loose);
        assert_eq!(TopicIds::Exact.of(id), id);
    }

    #[test]
    fn leading_letters_and_zeros_go() {
        check("051", "51");
        check("MB001", "1");
        check("AR26", "26");
        check("0001", "1");
        check("100", "100");
        check("a0b", "0b");
    }

    #[test]
    fn something_is_left_of_every_id() {
        check("0", "0");
        check("000", "0");
        check("MB", "MB");
        check("web-12", "web-12");
        check("", "");
        check("é1", "é1");
        check("00-a", "0-a");
        check("ACLIA2-CS-0002", "2-CS-0002");
    }
}
