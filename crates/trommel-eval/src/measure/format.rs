//! trec_eval's output format.

use std::fmt::Write;

use super::{Evaluation, Measure};

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
    let mut columns: Vec<(usize, Measure)> =
        evaluation.measures.iter().copied().enumerate().collect();
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
                push_line(&mut text, measure, &topic.topic, topic.scores.get(*index));
            }
        }
    }
    if options.run_tag {
        push_columns(&mut text, "runid", "all", &evaluation.run_tag);
    }
    for (index, measure) in &columns {
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
