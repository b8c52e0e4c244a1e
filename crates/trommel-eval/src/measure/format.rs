//! Output as trec_eval and ndeval print it.

use std::fmt::Write;

use super::evaluate::Evaluation;
use super::measured::Measure;

/// What to print.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FormatOptions {
    /// Print each topic before the averages (`-q`).
    pub per_topic: bool,
    /// Print the run tag (`runid`).
    pub run_tag: bool,
}

impl FormatOptions {
    /// The same with another [`FormatOptions::per_topic`].
    #[must_use]
    pub fn with_per_topic(mut self, per_topic: bool) -> Self {
        self.per_topic = per_topic;
        self
    }

    /// The same with another [`FormatOptions::run_tag`].
    #[must_use]
    pub fn with_run_tag(mut self, run_tag: bool) -> Self {
        self.run_tag = run_tag;
        self
    }
}

/// Returns the text that trec_eval 10 prints for this evaluation, byte for byte: the measures in trec_eval's own order,
/// whatever the order they were asked in, values with four decimals. Measures that trec_eval lacks
/// follow under our names. A measure that was asked twice is printed once.
pub fn trec_eval_format(evaluation: &Evaluation, options: FormatOptions) -> String {
    let mut columns: Vec<(usize, &Measure)> = evaluation.measures.iter().enumerate().collect();
    columns.sort_by(|(_, a), (_, b)| {
        let ((a_row, a_parameter), (b_row, b_parameter)) = (a.printing_order(), b.printing_order());
        a_row.cmp(&b_row).then(a_parameter.total_cmp(&b_parameter))
    });
    columns.dedup_by(|(_, a), (_, b)| a == b);

    let mut text = String::new();
    if options.per_topic {
        for topic in &evaluation.topics {
            for (index, measure) in columns
                .iter()
                .filter(|(_, measure)| measure.family().per_topic)
            {
                match topic.texts.get(index) {
                    Some(it) => push_columns(
                        &mut text,
                        &measure.trec_name(),
                        &topic.topic,
                        &format!("'{it}'"),
                    ),
                    None => {
                        push_line(&mut text, measure, &topic.topic, topic.scores.get(*index));
                    }
                }
            }
        }
    }
    if options.run_tag {
        push_columns(&mut text, "runid", "all", &evaluation.run_tag);
    }
    let values = columns
        .iter()
        .filter(|(_, measure)| measure.family().text.is_none());
    for (index, measure) in values {
        push_line(&mut text, measure, "all", evaluation.means.get(*index));
    }
    text
}

fn push_line(text: &mut String, measure: &Measure, topic: &str, score: Option<&f64>) {
    let Some(score) = score else {
        return;
    };
    let value = match measure.family().integer {
        true => format!("{score:.0}"),
        false => format!("{score:6.4}"),
    };
    push_columns(text, &measure.trec_name(), topic, &value);
}

fn push_columns(text: &mut String, name: &str, topic: &str, value: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{name:<22}\t{topic}\t{value}");
}

/// Returns the text that ndeval 4.5 prints: a table of commas with a line for each topic and one for the means (`amean`), values with
/// six decimals. Measures that ndeval lacks have our names. Measures that have no values are left out.
pub fn ndeval_format(evaluation: &Evaluation) -> String {
    let columns = evaluation.measures.iter().enumerate();
    let columns = columns.filter(|(_, measure)| measure.family().text.is_none());
    let columns: Vec<(usize, &Measure)> = columns.collect();
    let mut text = String::from("runid,topic");
    for (_, measure) in &columns {
        text.push(',');
        text.push_str(&field(&measure.ndeval_name()));
    }
    text.push('\n');
    let topics = evaluation.topics.iter();
    let topics = topics.map(|it| (it.topic.as_str(), &it.scores));
    for (topic, scores) in topics.chain([("amean", &evaluation.means)]) {
        text.push_str(&field(&evaluation.run_tag));
        text.push(',');
        text.push_str(&field(topic));
        for (at, _) in &columns {
            // Writing to a string cannot fail.
            let _ = write!(text, ",{:.6}", scores.get(*at).copied().unwrap_or(0.0));
        }
        text.push('\n');
    }
    text
}

/// A field of a table of commas: in quotation marks where it has a comma itself.
fn field(text: &str) -> String {
    match text.contains([',', '"']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
