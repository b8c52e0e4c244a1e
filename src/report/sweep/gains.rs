//! Which topics a filter helps and which it costs.

use serde::Serialize;
use serde_json::json;

use super::{best, chosen, difference, effectiveness, name, plural, thresholds, unfiltered};
use crate::experiment::sweep::{Measured, Swept, SweptLine};
use crate::report::chart::Axis;
use crate::text::escape_markup;

/// Scores that go into the page, so that a script can show each threshold: about 8 MB. Of larger sweeps only the chosen ones do.
const SCORES: usize = 1_000_000;

/// The topics of a line and a measure, with and without its filter.
struct Gains<'a> {
    /// Number of the line.
    line: usize,
    /// Number of the measure.
    measure: usize,
    /// Which threshold: in words.
    at: String,
    /// By topic.
    unfiltered: &'a [f64],
    /// By topic.
    filtered: &'a [f64],
}

impl Gains<'_> {
    fn difference(&self, topic: usize) -> f64 {
        self.filtered[topic] - self.unfiltered[topic]
    }
}

/// Scores of a measure, if there is a number for each topic.
fn scores<'a>(swept: &Swept, scores: Option<&'a Vec<f64>>) -> Option<&'a [f64]> {
    let whole =
        |it: &&Vec<f64>| it.len() == swept.topics.len() && it.iter().all(|score| score.is_finite());
    scores.filter(whole).map(Vec::as_slice)
}

fn scores_of<'a>(swept: &Swept, result: &'a Measured, measure: usize) -> Option<&'a [f64]> {
    scores(swept, result.scores.get(measure))
}

/// What a line's threshold does to each topic: the threshold chosen by cross-validation, or if there is none, the best.
fn gains(swept: &Swept, line: usize, measure: usize) -> Option<Gains<'_>> {
    let of = &swept.lines[line];
    let plain = scores_of(swept, &unfiltered(swept, of)?.result, measure)?;
    let by_choice = chosen(of, measure).and_then(|chosen| {
        let filtered = scores(swept, Some(&chosen.scores))?;
        Some((
            filtered,
            format!("chosen by cross-validation: {}", thresholds(of, chosen)),
        ))
    });
    let (filtered, at) = by_choice.or_else(|| {
        let (_, points) = best(of, measure)?;
        let point = points.first()?;
        let at = format!("{}, the best on these same topics", point.threshold);
        Some((scores_of(swept, &point.result, measure)?, at))
    })?;
    Some(Gains {
        line,
        measure,
        at,
        unfiltered: plain,
        filtered,
    })
}

/// All that can be compared, by line and measure.
fn all(swept: &Swept) -> Vec<Gains<'_>> {
    let lines = 0..swept.lines.len();
    lines
        .flat_map(|line| {
            effectiveness(swept).filter_map(move |measure| gains(swept, line, measure))
        })
        .collect()
}

/// A chart for each line and measure: a bar for each topic, which leads to the topic's entry in [`topics`].
pub(super) fn charts(swept: &Swept) -> String {
    let all = all(swept);
    if all.is_empty() {
        return "<p>There is no search without a filter to compare with.</p>\n".to_owned();
    }
    let mut html = String::new();
    for (number, line) in swept.lines.iter().enumerate() {
        let mut of_line = all.iter().filter(|gains| gains.line == number).peekable();
        if of_line.peek().is_none() {
            continue;
        }
        html += &format!(
            "<section class=\"line\">\n<h3>{}</h3>\n",
            escape_markup(&name(line))
        );
        // All are open, so that links from below find them; the script closes all but the first.
        for gains in of_line {
            html += &format!(
                "<details open=\"\">\n{}</details>\n",
                chart(swept, line, gains)
            );
        }
        html += "</section>\n";
    }
    html
}

fn chart(swept: &Swept, line: &SweptLine, gains: &Gains<'_>) -> String {
    let measure = escape_markup(&swept.measures[gains.measure]);
    let id = format!("{}-{}", gains.line, gains.measure);
    let topics = swept.topics.len();
    let mut order: Vec<usize> = (0..topics).collect();
    order.sort_by(|&a, &b| gains.difference(b).total_cmp(&gains.difference(a)));
    let range = range(swept, line, gains);
    let bars: String = order
        .iter()
        .map(|&topic| bar(swept, gains, topic, range))
        .collect();
    let count = |test: &dyn Fn(f64) -> bool| {
        (0..topics)
            .filter(|&topic| test(gains.difference(topic)))
            .count()
    };
    let total: f64 = (0..topics).map(|topic| gains.difference(topic)).sum();
    let dense = if topics > 60 { " dense" } else { "" };
    format!(
        "<summary>{measure}: <span class=\"counts\">{} better, {} equal, {} worse; mean {}</span></summary>\n\
         <p class=\"at\">Threshold <span class=\"threshold\">{}</span></p>\n\
         <p class=\"axis-name\">difference in {measure} to the unfiltered search; one bar for each of {topics} {}, best first</p>\n\
         <div class=\"bars{dense}\" data-line=\"{}\" data-measure=\"{}\" data-range=\"{range}\" id=\"g-{id}\">\n\
         <div class=\"ticks\" aria-hidden=\"true\"><span>+{range}</span><span>0</span><span>−{range}</span></div>\n\
         <ol>\n{bars}</ol>\n</div>\n<p class=\"readout\" aria-live=\"polite\"></p>\n",
        count(&|it| it > TIE),
        count(&|it| it.abs() <= TIE),
        count(&|it| it < -TIE),
        difference(total / topics.max(1) as f64),
        escape_markup(&gains.at),
        plural(topics, "topic"),
        gains.line,
        gains.measure,
    )
}

/// Differences that are rounding.
const TIE: f64 = 1e-9;

fn bar(swept: &Swept, gains: &Gains<'_>, topic: usize, range: f64) -> String {
    let by = gains.difference(topic);
    let class = match by {
        by if by > TIE => "up",
        by if by < -TIE => "down",
        _ => "same",
    };
    let it = &swept.topics[topic];
    let says = format!(
        "{} {}: {:.3}, unfiltered {:.3} ({})",
        it.id,
        it.query,
        gains.filtered[topic],
        gains.unfiltered[topic],
        difference(by)
    );
    let place = format!("{}-{}-{topic}", gains.line, gains.measure);
    format!(
        "<li><a id=\"b-{place}\" class=\"{class}\" href=\"#t-{place}\" style=\"--d:{:.4}\" title=\"{says}\" aria-label=\"{says}\">\
         <span>{}</span></a></li>\n",
        (by / range).clamp(-1.0, 1.0),
        escape_markup(&it.id),
        says = escape_markup(&says)
    )
}

/// A round number that no difference of the line exceeds, whatever the threshold.
fn range(swept: &Swept, line: &SweptLine, gains: &Gains<'_>) -> f64 {
    let points = line
        .points
        .iter()
        .filter_map(|point| scores_of(swept, &point.result, gains.measure));
    let filtered = points.chain([gains.filtered]);
    let pairs = filtered.flat_map(|scores| scores.iter().zip(gains.unfiltered));
    let widest = pairs
        .map(|(score, plain)| (score - plain).abs())
        .fold(0.0, f64::max);
    let axis = Axis::around("", [0.0, widest.max(0.01)].into_iter());
    (axis.to * 1000.0).round() / 1000.0
}

/// The topics: each with its scores in every line and measure, which lead back to the bars of [`charts`].
pub(super) fn topics(swept: &Swept) -> String {
    let all = all(swept);
    let mut html =
        "<table class=\"topics\">\n<thead>\n<tr><th>measure</th><th class=\"n\">unfiltered</th>\
                    <th class=\"n\">filtered</th><th class=\"n\">difference</th></tr>\n</thead>\n"
            .to_owned();
    for (topic, it) in swept.topics.iter().enumerate() {
        html += &format!(
            "<tbody>\n<tr><th colspan=\"4\" scope=\"rowgroup\" id=\"t-{topic}\"><span class=\"id\">{}</span> {}</th></tr>\n",
            escape_markup(&it.id),
            escape_markup(&it.query)
        );
        let mut last = None;
        for gains in &all {
            if last != Some(gains.line) {
                let line = escape_markup(&name(&swept.lines[gains.line]));
                html += &format!("<tr class=\"of\"><td colspan=\"4\">{line}</td></tr>\n");
            }
            last = Some(gains.line);
            let place = format!("{}-{}-{topic}", gains.line, gains.measure);
            html += &format!(
                "<tr id=\"t-{place}\"><td>{}</td><td class=\"n\">{:.3}</td><td class=\"n\">{:.3}</td>\
                 <td class=\"n\"><a href=\"#b-{place}\" title=\"to its bar\">{}</a></td></tr>\n",
                escape_markup(&swept.measures[gains.measure]),
                gains.unfiltered[topic],
                gains.filtered[topic],
                difference(gains.difference(topic))
            );
        }
        html += "</tbody>\n";
    }
    html + "</table>\n"
}

/// What the script needs to show other thresholds, as JSON that may stand in a script element; `null` if there is too much of it.
pub(super) fn data(swept: &Swept) -> String {
    let points: usize = swept.lines.iter().map(|line| line.points.len()).sum();
    let size = points
        .saturating_mul(swept.measures.len())
        .saturating_mul(swept.topics.len());
    if size > SCORES {
        return "null".to_owned();
    }
    let lines: Vec<_> = swept
        .lines
        .iter()
        .map(|line| of_line(swept, line))
        .collect();
    let topics: Vec<_> = swept
        .topics
        .iter()
        .map(|topic| [&topic.id, &topic.query])
        .collect();
    let data = json!({ "topics": topics, "lines": lines });
    // `</script` and `<!--` would end or change the element.
    data.to_string().replace('<', "\\u003c")
}

/// A line's scores by point, measure and topic, to four decimals.
fn of_line(swept: &Swept, line: &SweptLine) -> impl Serialize {
    let round =
        |scores: &[f64]| -> Vec<f64> { scores.iter().map(|it| (it * 1e4).round() / 1e4).collect() };
    let all = |result: &Measured| -> Vec<Option<Vec<f64>>> {
        let of = |measure: usize| match effectiveness(swept).any(|it| it == measure) {
            true => scores_of(swept, result, measure).map(round),
            false => None,
        };
        (0..swept.measures.len()).map(of).collect()
    };
    let points: Vec<_> = line
        .points
        .iter()
        .map(|point| json!({ "threshold": point.threshold, "scores": all(&point.result) }))
        .collect();
    json!({ "points": points, "unfiltered": unfiltered(swept, line).map(|it| all(&it.result)) })
}
