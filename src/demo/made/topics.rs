//! The topics of a made collection and the judgments of its pages, as files.

use std::fmt::Write as _;

use crate::text::escape_markup as esc;

/// How the file of topics begins.
pub const TOPICS_HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- Topics of a made collection, by `trommel demo --pages`. -->\n";

/// Pages of grade 0 that are listed for a topic; those of a large collection would be longer than its relevant ones.
const MOST_ZEROS: usize = 1000;

/// What is known of the topics so far.
#[derive(Debug)]
pub struct Topics {
    queries: Vec<(&'static str, Vec<String>)>,
    /// Of each topic its lines, how many of them are of grade 0, and of a higher one.
    judged: Vec<(String, usize, usize)>,
}

impl Topics {
    pub(super) fn new(queries: Vec<(&'static str, Vec<String>)>) -> Self {
        let judged = queries.iter().map(|_| Default::default()).collect();
        Topics { queries, judged }
    }

    /// Takes the grades of a page, in the order of the collection.
    pub fn add(&mut self, docid: &str, grades: &[(usize, u8)]) {
        for &(topic, grade) in grades {
            let Some((lines, zeros, relevant)) = self.judged.get_mut(topic) else {
                continue;
            };
            let count = if grade == 0 { &mut *zeros } else { relevant };
            if grade == 0 && *count == MOST_ZEROS {
                continue;
            }
            *count += 1;
            // Writing to a text cannot fail.
            let _ = writeln!(lines, "{} 0 {docid} {grade}", topic + 1);
        }
    }

    /// How many have a relevant page.
    pub fn count(&self) -> usize {
        self.judged
            .iter()
            .filter(|(_, _, relevant)| *relevant > 0)
            .count()
    }

    /// The topics that have a relevant page, in TREC web-track XML.
    pub fn xml(&self) -> String {
        let mut xml = format!("{TOPICS_HEAD}<topics>\n");
        for (number, (language, words)) in self.queries.iter().enumerate() {
            if self.judged[number].2 == 0 {
                continue;
            }
            let query = esc(&words.join(" "));
            let _ = writeln!(
                xml,
                "  <topic number=\"{}\">\n    <query>{query}</query>\n    <description>What is told of {query}? (in {language})</description>\n  </topic>",
                number + 1
            );
        }
        xml + "</topics>\n"
    }

    /// The judgments, topic by topic: four columns.
    pub fn qrels(&self) -> String {
        let relevant = self.judged.iter().filter(|(_, _, relevant)| *relevant > 0);
        relevant.map(|(lines, _, _)| lines.as_str()).collect()
    }
}
