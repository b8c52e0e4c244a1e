//! What a sweep gave: tables and a summary as text and Markdown, diagrams as SVG, all of it as one HTML page.

mod diagram;
mod difference;
mod gains;
mod page;
mod table;

use crate::experiment::sweep::{Chosen, Measured, Point, Reference, Swept, SweptLine};
use crate::measure::significance::{Corrected, corrected, family};
use crate::report::p_value;

pub use diagram::{Diagram, Width, diagrams, plot};
pub use difference::difference_plot;
pub use page::html;
pub use table::{data, fitted_summary, fitted_table, markdown, summary, table, tables};

/// The name of the reference that changes are measured against.
const UNFILTERED: &str = "unfiltered";

/// What is said wherever the best point of a line is shown.
const BEST: &str = "The best point is the best of a line's thresholds on these same topics: no estimate of what it gives on others.";

/// What is said about the choice by cross-validation, and what its p-values are corrected for.
fn about_chosen(swept: &Swept) -> String {
    let families = changes(swept).into_iter();
    let corrected = match families.map(|change| change.p_holm.family).max() {
        None | Some(0) => String::new(),
        Some(size) => {
            let family = family(size, "line", "one measure");
            format!("; p (Holm) is corrected for {family}")
        }
    };
    format!(
        "Each chosen threshold was chosen without the topics that it is measured on; ×3 means in three folds. p is of the \
         difference to the unfiltered search, two-sided, by randomization{corrected}."
    )
}

/// A line and a measure: what choosing the threshold by cross-validation changes.
struct Change<'a> {
    line: &'a SweptLine,
    /// Number of the measure.
    measure: usize,
    unfiltered: Option<f64>,
    /// None where nothing was chosen.
    chosen: Option<&'a Chosen>,
    /// The p of `chosen`, corrected for all lines by the same measure; none where nothing was chosen.
    p_holm: Corrected,
}

/// The changes of every line, by line and measure.
fn changes(swept: &Swept) -> Vec<Change<'_>> {
    let mut changes = Vec::new();
    for line in &swept.lines {
        for measure in effectiveness(swept) {
            changes.push(Change {
                line,
                measure,
                unfiltered: unfiltered(swept, line).and_then(|it| mean(&it.result, measure)),
                chosen: chosen(line, measure),
                p_holm: Corrected::default(),
            });
        }
    }
    let p_values: Vec<(usize, f64)> = changes
        .iter()
        .filter_map(|change| Some((change.measure, change.chosen?.p)))
        .collect();
    let tested = changes.iter_mut().filter(|it| it.chosen.is_some());
    for (change, p_holm) in tested.zip(corrected(&p_values)) {
        change.p_holm = p_holm;
    }
    changes
}

/// The numbers of the measures that say how good a ranking is: all but how much of it was judged.
fn effectiveness(swept: &Swept) -> impl Iterator<Item = usize> {
    let measures = swept.measures.iter().enumerate();
    measures
        .filter(|(_, name)| !is_judged(name))
        .map(|(number, _)| number)
}

/// Is this the share of a ranking's top that was judged?
fn is_judged(measure: &str) -> bool {
    measure.starts_with("Judged@")
}

fn finite(value: Option<&f64>) -> Option<f64> {
    value.copied().filter(|value| value.is_finite())
}

fn mean(result: &Measured, measure: usize) -> Option<f64> {
    finite(result.means.get(measure))
}

/// What was chosen for a measure, if it can be compared.
fn chosen(line: &SweptLine, measure: usize) -> Option<&Chosen> {
    let numbers = |it: &&Chosen| [it.mean, it.difference, it.p].iter().all(|x| x.is_finite());
    line.chosen
        .get(measure)
        .filter(|it| !it.thresholds.is_empty())
        .filter(numbers)
}

/// The search that a line's changes are measured against.
fn unfiltered<'a>(swept: &'a Swept, line: &SweptLine) -> Option<&'a Reference> {
    let mut references = swept.references.iter();
    references.find(|it| it.name == UNFILTERED && it.model == line.model)
}

/// A line's highest mean and the points that have it.
fn best(line: &SweptLine, measure: usize) -> Option<(f64, Vec<&Point>)> {
    let means = line
        .points
        .iter()
        .filter_map(|point| mean(&point.result, measure));
    let highest = means.max_by(f64::total_cmp)?;
    let mut points: Vec<&Point> = line.points.iter().collect();
    points.retain(|point| mean(&point.result, measure) == Some(highest));
    Some((highest, points))
}

/// The thresholds of the folds: each with the number of its folds, or the range of many.
fn thresholds(line: &SweptLine, chosen: &Chosen) -> String {
    let mut counts: Vec<(usize, &str, usize)> = Vec::new();
    for threshold in &chosen.thresholds {
        match counts.iter_mut().find(|(_, known, _)| known == threshold) {
            Some((_, _, folds)) => *folds += 1,
            None => {
                let place = line.points.iter().position(|it| it.threshold == *threshold);
                counts.push((place.unwrap_or(usize::MAX), threshold, 1));
            }
        }
    }
    counts.sort_unstable();
    match &counts[..] {
        [(_, only, _)] => (*only).to_owned(),
        [(_, first, _), .., (_, last, _)] if counts.len() > 3 => format!("{first} to {last}"),
        _ => {
            let each = |(_, name, folds): &(usize, &str, usize)| format!("{name} ×{folds}");
            counts.iter().map(each).collect::<Vec<_>>().join(", ")
        }
    }
}

/// What choosing among all settings of a grid gives, a sentence for each measure and model.
fn of_grid(swept: &Swept) -> Vec<String> {
    let mut sentences = Vec::new();
    for grid in &swept.grid {
        let measures = effectiveness(swept).filter_map(|at| Some((at, grid.chosen.get(at)?)));
        for (measure, chosen) in measures.filter(|(_, chosen)| !chosen.thresholds.is_empty()) {
            let mut counts: Vec<(&str, usize)> = Vec::new();
            for setting in &chosen.thresholds {
                match counts.iter_mut().find(|(known, _)| known == setting) {
                    Some((_, folds)) => *folds += 1,
                    None => counts.push((setting, 1)),
                }
            }
            counts.sort_by_key(|(_, folds)| std::cmp::Reverse(*folds));
            let each = |(setting, folds): &(&str, usize)| format!("{setting} (×{folds})");
            let settings: Vec<String> = counts.iter().map(each).collect();
            sentences.push(format!(
                "Chosen by cross-validation among all {} settings of the grid, {}: {} {:.3} ({}; p {}) with {}.",
                grid.settings,
                grid.model,
                swept.measures[measure],
                chosen.mean,
                difference(chosen.difference),
                p_value(chosen.p),
                settings.join(", "),
            ));
        }
    }
    sentences
}

/// A line's name: what varies, what else is filtered, the model.
fn name(line: &SweptLine) -> String {
    let SweptLine {
        dimension,
        base,
        model,
        ..
    } = line;
    match base.is_empty() {
        true => format!("{dimension}, {model}"),
        false => format!("{dimension} with {base}, {model}"),
    }
}

/// What one sees, in a sentence.
fn reading(swept: &Swept) -> String {
    let topics = swept.topics.len();
    if swept.measures.is_empty() {
        return "Without relevance judgments (qrels) nothing was measured: there are rankings only.".to_owned();
    }
    let all = changes(swept);
    let Some(first) = all.first().map(|change| change.measure) else {
        return "There is nothing to compare.".to_owned();
    };
    let measure = &swept.measures[first];
    let mut of_first: Vec<(&Change, &Chosen)> = all
        .iter()
        .filter(|change| change.measure == first)
        .filter_map(|change| Some((change, change.chosen?)))
        .collect();
    of_first.sort_by(|a, b| b.1.difference.total_cmp(&a.1.difference));
    let over = format!("over {topics} {}", plural(topics, "topic"));
    match &of_first[..] {
        [] => format!(
            "No threshold was chosen by cross-validation, so {measure} has no estimate of what filtering gives."
        ),
        [(change, chosen)] => format!(
            "With the threshold chosen by cross-validation ({}), {measure} goes from {} without a filter to {:.3} ({}; p {}) {over}.",
            thresholds(change.line, chosen),
            number(change.unfiltered),
            chosen.mean,
            difference(chosen.difference),
            p_value(chosen.p),
        ),
        [most, .., least] => {
            let lines = of_first.len();
            let higher = of_first.iter().filter(|it| it.1.difference > 0.0).count();
            let sure = of_first.iter().filter(|it| it.0.p_holm.p < 0.05).count();
            let end = |it: &(&Change, &Chosen)| {
                format!(
                    "{} ({}; p {})",
                    difference(it.1.difference),
                    name(it.0.line),
                    p_value(it.1.p)
                )
            };
            format!(
                "With thresholds chosen by cross-validation, {measure} differs from the unfiltered search by {} at best and {} at \
                 worst, {over}; it is higher in {higher} of {lines} lines, and {sure} of the {lines} differences are significant \
                 at 5 % after Holm's correction for {lines}.",
                end(most),
                end(least),
            )
        }
    }
}

/// Three decimals; a dash for what there is not.
fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}"))
}

/// Three decimals with a sign, and no sign for what rounds to nothing.
fn difference(value: f64) -> String {
    match format!("{value:+.3}") {
        nothing if nothing[1..] == *"0.000" => "0.000".to_owned(),
        other => other,
    }
}

/// The word, with an s unless there is one of it.
fn plural(count: usize, word: &str) -> String {
    match count {
        1 => word.to_owned(),
        _ => format!("{word}s"),
    }
}
