//! Text and Markdown.

use super::{
    BEST, about_chosen, best, changes, difference, is_judged, mean, name, number, of_grid, plural,
    reading, thresholds,
};
use crate::experiment::sweep::{Measured, Swept, SweptLine};
use crate::report::{Align, Table, p_value};

/// For each line a table, for terminals: references first, then every threshold, with the mean of each measure. A star marks a
/// line's best mean of a measure.
pub fn table(swept: &Swept) -> String {
    let mut text = String::new();
    for line in &swept.lines {
        let values = values(swept, line);
        text += &format!("{}\n{}\n", heading(swept, line), values.text());
    }
    text + &match swept.measures.is_empty() {
        true => reading(swept) + "\n",
        false => format!("* {BEST}\n"),
    }
}

/// What one sees, then for each line and measure: the unfiltered search, what choosing the threshold by cross-validation gives,
/// the thresholds that were chosen, the difference with its p, and the best point. For terminals.
pub fn summary(swept: &Swept) -> String {
    let mut text = reading(swept) + "\n";
    if !swept.measures.is_empty() {
        let (table, chosen) = (summary_table(swept).text(), about_chosen(swept));
        text += &format!("\n{table}\n{chosen}\n{BEST}\n");
        for sentence in of_grid(swept) {
            text += &format!("{sentence}\n");
        }
    }
    text
}

/// The report as Markdown. `figures` are the files of the [`super::diagrams`], as links.
pub fn markdown(swept: &Swept, figures: &[String]) -> String {
    let mut text = format!("# {}\n", swept.title);
    if !swept.about.trim().is_empty() {
        text += &format!("\n{}\n", swept.about.trim());
    }
    text += &format!("\n{}\n\n", reading(swept));
    for (fact, value) in &swept.facts {
        text += &format!("- {fact}: {value}\n");
    }
    if !swept.measures.is_empty() {
        let table = summary_table(swept).markdown();
        let chosen = about_chosen(swept);
        text += &format!("\n## Summary\n\n{table}\n{chosen} {BEST}\n");
        for sentence in of_grid(swept) {
            text += &format!("\n{sentence}\n");
        }
    }
    for figure in figures {
        text += &format!("\n![]({figure})\n");
    }
    for line in &swept.lines {
        let values = values(swept, line).markdown();
        text += &format!("\n## {}\n\n{values}", heading(swept, line));
    }
    text
}

/// A line's name and how many topics its means are of.
fn heading(swept: &Swept, line: &SweptLine) -> String {
    let topics = swept.topics.len();
    match swept.measures.is_empty() {
        true => name(line),
        false => format!(
            "{}: means of {topics} {}",
            name(line),
            plural(topics, "topic")
        ),
    }
}

/// The means of a line's references and points.
pub(super) fn values(swept: &Swept, line: &SweptLine) -> Table {
    let measures = swept.measures.iter().map(|name| format!("{name} "));
    let mut table = Table::new(std::iter::once(line.dimension.clone()).chain(measures));
    let highest: Vec<Option<f64>> = (0..swept.measures.len())
        .map(|measure| {
            Some(best(line, measure)?.0).filter(|_| !is_judged(&swept.measures[measure]))
        })
        .collect();
    let cells = |result: &Measured, of_line: bool| -> Vec<String> {
        let cell = |(measure, highest): (usize, &Option<f64>)| {
            let mean = mean(result, measure);
            let star = of_line && mean.is_some() && mean == *highest;
            format!("{}{}", number(mean), if star { "*" } else { " " })
        };
        highest.iter().enumerate().map(cell).collect()
    };
    for it in swept.references.iter().filter(|it| it.model == line.model) {
        table.push(std::iter::once(it.name.clone()).chain(cells(&it.result, false)));
    }
    for it in &line.points {
        table.push(std::iter::once(it.threshold.clone()).chain(cells(&it.result, true)));
    }
    table
}

/// One row for each line and measure.
pub(super) fn summary_table(swept: &Swept) -> Table {
    let mut table = Table::new([
        "line",
        "measure",
        "unfiltered",
        "chosen",
        "at",
        "difference",
        "p",
        "p (Holm)",
        "best point, no estimate",
    ]);
    table.align = vec![Align::Left, Align::Left];
    for change in changes(swept) {
        let of_chosen = match change.chosen {
            None => [(); 5].map(|()| "–".to_owned()),
            Some(chosen) => [
                number(Some(chosen.mean)),
                thresholds(change.line, chosen),
                difference(chosen.difference),
                p_value(chosen.p),
                p_value(change.p_holm.p),
            ],
        };
        let best = best(change.line, change.measure).map_or_else(
            || "–".to_owned(),
            |(value, points)| {
                let at = match &points[..] {
                    [first, .., last] if points.len() > 2 => {
                        format!(
                            "{} points of {} to {}",
                            points.len(),
                            first.threshold,
                            last.threshold
                        )
                    }
                    [first, second] => format!("{} and {}", first.threshold, second.threshold),
                    _ => points.iter().map(|it| it.threshold.as_str()).collect(),
                };
                format!("{value:.3} at {at}, best of {}", change.line.points.len())
            },
        );
        let names = [
            name(change.line),
            swept.measures[change.measure].clone(),
            number(change.unfiltered),
        ];
        table.push(names.into_iter().chain(of_chosen).chain([best]));
    }
    table
}
